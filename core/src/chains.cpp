#include "inarow/chains.hpp"

#include <algorithm>

namespace inarow {

namespace {

constexpr std::size_t memory_size = 1 << 15;
constexpr int max_remembered_length = 64;

bool has(const std::array<std::uint64_t, 2>& stones, int offset) {
    return stones[static_cast<std::size_t>(offset / 64)] >> (offset % 64) & 1;
}

// What a chain is worth: to a seat that is to move, and as the threat of one that is not.
struct Figures {
    std::int32_t as_mover;
    std::int32_t as_other;
};
constexpr Figures one_missing_open{250, 5020};
constexpr Figures one_missing_half_open{80, 1500};
constexpr Figures two_missing_open{150, 1200};
constexpr Figures two_missing_half_open{60, 1000};

}  // namespace

ChainsEvaluation::Share& ChainsEvaluation::Share::operator+=(const Share& other) {
    for (std::size_t seat = 0; seat < 2; ++seat) {
        as_mover[seat] += other.as_mover[seat];
        as_other[seat] += other.as_other[seat];
        check[seat] += other.check[seat];
    }
    return *this;
}

ChainsEvaluation::Share& ChainsEvaluation::Share::operator-=(const Share& other) {
    for (std::size_t seat = 0; seat < 2; ++seat) {
        as_mover[seat] -= other.as_mover[seat];
        as_other[seat] -= other.as_other[seat];
        check[seat] -= other.check[seat];
    }
    return *this;
}

ChainsEvaluation::ChainsEvaluation(const Position& position)
    : k_(position.game().k), places_(static_cast<std::size_t>(position.geometry().cells())), memory_(memory_size) {
    const Game& game = position.game();
    for (std::size_t d = 0; d < directions.size(); ++d) {
        const auto [row_step, column_step] = directions[d];
        for (Cell cell = 0; cell < game.cells(); ++cell) {
            const int row = cell / game.columns - row_step;
            const int column = cell % game.columns - column_step;
            if (0 <= row && 0 <= column && column < game.columns) {
                const Place before = places_[static_cast<std::size_t>(row * game.columns + column)][d];
                places_[static_cast<std::size_t>(cell)][d] = {before.line, before.offset + 1};
                ++lines_[static_cast<std::size_t>(before.line)].length;
            } else {
                places_[static_cast<std::size_t>(cell)][d] = {static_cast<std::int32_t>(lines_.size()), 0};
                lines_.push_back({{}, 1, {}});
            }
        }
    }
    sums_.reserve(places_.size() + 1);
    undo_.reserve(places_.size());
    for (int ply = 0; ply < position.ply(); ++ply) {
        for (const Place place : places_[static_cast<std::size_t>(position.moves()[static_cast<std::size_t>(ply)])]) {
            Stones& stones = lines_[static_cast<std::size_t>(place.line)].stones[static_cast<std::size_t>(ply % 2)];
            stones[static_cast<std::size_t>(place.offset / 64)] |= std::uint64_t{1} << (place.offset % 64);
        }
    }
    Share sum{};
    for (Line& line : lines_) sum += line.share = share_of(line);
    sums_.push_back(sum);
}

void ChainsEvaluation::before_make(const Position& position, Cell cell) {
    const auto seat = static_cast<std::size_t>(index(position.turn()));
    Share sum = sums_.back();
    auto& undo = undo_.emplace_back();
    for (std::size_t d = 0; d < directions_count; ++d) {
        const Place place = places_[static_cast<std::size_t>(cell)][d];
        Line& line = lines_[static_cast<std::size_t>(place.line)];
        line.stones[seat][static_cast<std::size_t>(place.offset / 64)] ^= std::uint64_t{1} << (place.offset % 64);
        undo[d] = line.share;
        sum -= line.share;
        line.share = share_of(line);
        sum += line.share;
    }
    sums_.push_back(sum);
}

void ChainsEvaluation::after_unmake(const Position& position, Cell cell) {
    const auto seat = static_cast<std::size_t>(index(position.turn()));
    for (std::size_t d = 0; d < directions_count; ++d) {
        const Place place = places_[static_cast<std::size_t>(cell)][d];
        Line& line = lines_[static_cast<std::size_t>(place.line)];
        line.stones[seat][static_cast<std::size_t>(place.offset / 64)] ^= std::uint64_t{1} << (place.offset % 64);
        line.share = undo_.back()[d];
    }
    undo_.pop_back();
    sums_.pop_back();
}

ChainsEvaluation::Share ChainsEvaluation::share_of(const Line& line) {
    if (line.length > max_remembered_length) return computed_share(line);
    const std::uint64_t first = line.stones[0][0];
    const std::uint64_t second = line.stones[1][0];
    const std::uint64_t mixed = (first * 0x9e3779b97f4a7c15u) ^ (second * 0xc2b2ae3d27d4eb4fu) ^ static_cast<std::uint64_t>(line.length);
    Remembered& memory = memory_[((mixed ^ mixed >> 32) * 0xd6e8feb86659fd93u >> 40) % memory_size];
    if (memory.first != first || memory.second != second || memory.length != line.length) {
        memory = {first, second, line.length, computed_share(line)};
    }
    return memory.share;
}

ChainsEvaluation::Share ChainsEvaluation::computed_share(const Line& line) const {
    Share share{};
    for (std::size_t seat = 0; seat < 2; ++seat) {
        if (!line.stones[seat][0] && !line.stones[seat][1]) continue;
        add_chains(line, seat, share);
        add_check(line, seat, share);
    }
    return share;
}

void ChainsEvaluation::add_chains(const Line& line, std::size_t seat, Share& share) const {
    const auto is_own = [&](int at) { return 0 <= at && at < line.length && has(line.stones[seat], at); };
    const auto is_other = [&](int at) { return has(line.stones[1 - seat], at); };
    const auto is_free = [&](int at) { return 0 <= at && at < line.length && !is_own(at) && !is_other(at); };

    // What a chain of so many stones from cell `first` to cell `last` adds.
    const auto add = [&](int first, int last, int stones, bool has_gap) {
        if (stones < k_ - 2 || k_ < 2) return;
        const bool is_open = !has_gap && is_free(first - 1) && is_free(last + 1);
        int room = last - first + 1;
        for (int at = first - 1; at >= 0 && !is_other(at); --at) ++room;
        for (int at = last + 1; at < line.length && !is_other(at); ++at) ++room;
        if (!is_open && room < k_) return;
        const Figures figures = stones >= k_ - 1 ? (is_open ? one_missing_open : one_missing_half_open)
                                                 : (is_open ? two_missing_open : two_missing_half_open);
        share.as_mover[seat] += figures.as_mover;
        share.as_other[seat] += figures.as_other;
    };

    // Blocks from the left; each waits to see whether its right neighbour joins it.
    int first = -1, last = -1;  // the block that waits; -1: none
    bool is_joined = false;     // it is in a chain with its left neighbour already
    for (int at = 0; at < line.length; ++at) {
        if (!is_own(at)) continue;
        int end = at;
        while (is_own(end + 1)) ++end;
        const int waiting = last - first + 1;
        const int stones = end - at + 1;
        const bool joins = first >= 0 && at == last + 2 && is_free(last + 1) && std::max(waiting, stones) < k_ - 1;
        if (joins) {
            add(first, end, waiting + stones, true);
        } else if (first >= 0 && !is_joined) {
            add(first, last, waiting, false);
        }
        first = at;
        last = end;
        is_joined = joins;
        at = end;
    }
    if (first >= 0 && !is_joined) add(first, last, last - first + 1, false);
}

void ChainsEvaluation::add_check(const Line& line, std::size_t seat, Share& share) const {
    for (int start = 0; start < line.length; ++start) {
        if (!has(line.stones[seat], start)) continue;
        int value = 0, reachable = 1;
        for (const int sign : {-1, 1}) {
            for (int distance = 1; distance < k_; ++distance) {
                const int at = start + sign * distance;
                if (at < 0 || at >= line.length) break;
                if (has(line.stones[1 - seat], at)) {
                    --value;
                    break;
                }
                ++reachable;
                value += has(line.stones[seat], at);
            }
        }
        share.check[seat] += reachable >= k_ ? value + 2 : std::min(value, 0);
    }
}

}  // namespace inarow
