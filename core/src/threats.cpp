#include "inarow/threats.hpp"

#include "inarow/cell_network.hpp"

#include <algorithm>
#include <cmath>

namespace inarow {

namespace {

bool is_open_three(LinePattern p) { return p == LinePattern::open_three_a || p == LinePattern::open_three_b; }
bool is_open_two(LinePattern p) { return LinePattern::open_two_a <= p && p <= LinePattern::open_two_c; }

// All codes in ascending order of their patterns, the smallest pattern first.
std::vector<std::array<LinePattern, 4>> listed_codes() {
    std::vector<std::array<LinePattern, 4>> listed;
    for (int a = 0; a < line_patterns; ++a) {
        for (int b = a; b < line_patterns; ++b) {
            for (int c = b; c < line_patterns; ++c) {
                for (int d = c; d < line_patterns; ++d) {
                    listed.push_back({static_cast<LinePattern>(a), static_cast<LinePattern>(b), static_cast<LinePattern>(c), static_cast<LinePattern>(d)});
                }
            }
        }
    }
    return listed;
}

// The formula's parts, fitted to results of games: what a pattern in one direction adds to a cell, what a threat adds to it, and how good a
// move looks for them.
constexpr std::array<int, line_patterns> pattern_values{0, 0, 0, 0, 1, 7, 8, 9, 6, 14, 17, 16, 40, 60};
constexpr std::array<int, line_patterns> pattern_moves{0, 1, 4, 7, 12, 24, 30, 36, 28, 60, 70, 66, 180, 400};
constexpr std::array<int, threat_classes> threat_values{0, 0, -5, 3, 12, 41, 16, 18, 51, 37, 0};
constexpr std::array<int, threat_classes> threat_moves{0, 0, 4, 8, 30, 120, 40, 70, 250, 600, 2000};

}  // namespace

std::array<LinePattern, 4> patterns_of(Code code) { return listed_codes()[code]; }

Threat threat_of(const std::array<LinePattern, 4>& patterns) {
    const auto count = [&](auto&& is) { return std::count_if(patterns.begin(), patterns.end(), is); };
    const LinePattern best = *std::max_element(patterns.begin(), patterns.end());
    const auto fours = count([](LinePattern p) { return p == LinePattern::four; });
    const auto open_threes = count(is_open_three);
    if (best == LinePattern::win) return Threat::win;
    if (best == LinePattern::open_four || fours > 1) return Threat::open_four;
    const auto threes = count([](LinePattern p) { return p == LinePattern::three; });
    if (fours > 0) return open_threes > 0 ? Threat::four_open_three : threes > 0 ? Threat::four_three : Threat::four;
    if (open_threes > 0) return open_threes > 1 ? Threat::double_open_three : Threat::open_three;
    if (best == LinePattern::three) return Threat::three;
    if (is_open_two(best)) return Threat::open_two;
    return best == LinePattern::dead ? Threat::none : Threat::quiet;
}

std::vector<bool> codes_with_stones() {
    std::vector<bool> found;
    for (const auto& patterns : listed_codes()) found.push_back(*std::max_element(patterns.begin(), patterns.end()) >= LinePattern::two);
    return found;
}

EngineWeights EngineWeights::handmade() {
    EngineWeights weights;
    const auto listed = listed_codes();
    for (std::size_t code = 0; code < listed.size(); ++code) {
        const auto threat = static_cast<std::size_t>(threat_of(listed[code]));
        int value = threat_values[threat];
        int move = threat_moves[threat];
        for (const LinePattern pattern : listed[code]) {
            value += pattern_values[static_cast<std::size_t>(pattern)];
            move += pattern_moves[static_cast<std::size_t>(pattern)];
        }
        weights.moving[code] = static_cast<std::int16_t>(value * 8 / 5);
        weights.waiting[code] = static_cast<std::int16_t>(value * 8 / 5);
        weights.attack[code] = static_cast<std::int16_t>(move);
        weights.defence[code] = static_cast<std::int16_t>(move * 3 / 4);
    }
    for (unsigned mask = 0; mask < threat_masks; ++mask) {
        int value = 0;
        if (mask & our_four) value += 9;
        if (mask & our_four_open_three) value += 100;
        if (mask & our_open_three) value += 3;
        if (mask & our_double_open_three) value += 25;
        if (mask & their_four) value -= 5;
        if (mask & their_four_open_three) value -= 39;
        if (mask & their_open_four) value -= 31;
        if (mask & their_double_open_three) value -= 23;
        weights.threats[mask] = static_cast<std::int16_t>(value * 8 / 5);
    }
    return weights;
}

double EngineWeights::win_probability(Score score, bool gravity) const {
    if (is_decided(score)) return score > 0 ? 1 : 0;
    return 1 / (1 + std::exp(-static_cast<double>(score) / static_cast<double>(gravity ? drop.scale : scale)));
}

ThreatTables::ThreatTables(int k, const EngineWeights& weights) : weights_(weights), codes_(std::size_t{1} << 16) {
    if (weights.network.is_there()) network_ = std::make_unique<const CellNetwork>(weights.network);
    if (k <= max_table_k) patterns_ = std::make_unique<const PatternTable>(k);
    const auto listed = listed_codes();
    for (std::size_t code = 0; code < listed.size(); ++code) {
        const std::int64_t values = weights.moving[code] + (std::int64_t{weights.waiting[code]} << 32);
        const Threat threat = threat_of(listed[code]);
        ThreatCounts count{};
        if (threat != Threat::none) count[count_lane(threat)] = 1;
        entries_.push_back({count, values, weights.attack[code], weights.defence[code], threat});
        std::array<LinePattern, 4> order = listed[code];
        do {
            codes_[quad_of(order)] = static_cast<Code>(code);
        } while (std::next_permutation(order.begin(), order.end()));
    }
}

ThreatTables::~ThreatTables() = default;

}  // namespace inarow
