#include "inarow/cell_network.hpp"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)
#define INAROW_WIDE [[gnu::target("avx2")]]
#endif

namespace inarow {

struct CellNetwork::Loops {
    [[gnu::always_inline]] static inline void add(const CellNetwork& network, Channels& sums, Code moving, Code waiting, int sign) {
        const auto& a = network.moving_[moving].of;
        const auto& b = network.waiting_[waiting].of;
        for (std::size_t i = 0; i < channels; ++i) {
            const auto sum = static_cast<std::int16_t>(a[i] + b[i]);
            const auto cut = std::clamp<std::int16_t>(sum, 0, most);
            sums[i] = static_cast<std::uint16_t>(sums[i] + sign * cut);
        }
    }

    [[gnu::always_inline]] static inline void update(const CellNetwork& network, Sums& sums, std::span<const Change> changes) {
        for (std::size_t seat = 0; seat < 2; ++seat) {
            Channels now = sums.of[seat];
            for (const Change& change : changes) {
                add(network, now, change.before[seat], change.before[1 - seat], -1);
                add(network, now, change.now[seat], change.now[1 - seat], 1);
            }
            sums.of[seat] = now;
        }
    }

    [[gnu::always_inline]] static inline int value(const CellNetwork& network, const Channels& sums, unsigned threat_mask) {
        std::array<float, hidden> layer = network.threats_[threat_mask].of;
        for (std::size_t i = 0; i < channels; ++i) {
            const auto sum = static_cast<float>(sums[i]);
            const auto& row = network.matrix_[i].of;
            for (std::size_t j = 0; j < hidden; ++j) layer[j] += sum * row[j];
        }
        // Eight sums side by side: always the same order, whatever the processor.
        std::array<float, 8> parts{};
        for (std::size_t j = 0; j < hidden; j += parts.size()) {
            for (std::size_t part = 0; part < parts.size(); ++part) parts[part] += std::max(layer[j + part], 0.0f) * network.output_.of[j + part];
        }
        return static_cast<int>(std::lrint(((parts[0] + parts[4]) + (parts[1] + parts[5])) + ((parts[2] + parts[6]) + (parts[3] + parts[7]))));
    }

    static void update_any(const CellNetwork& network, Sums& sums, std::span<const Change> changes) { update(network, sums, changes); }
    static int value_any(const CellNetwork& network, const Channels& sums, unsigned threat_mask) { return value(network, sums, threat_mask); }
#if defined(INAROW_WIDE)
    INAROW_WIDE static void update_wide(const CellNetwork& network, Sums& sums, std::span<const Change> changes) { update(network, sums, changes); }
    INAROW_WIDE static int value_wide(const CellNetwork& network, const Channels& sums, unsigned threat_mask) { return value(network, sums, threat_mask); }
#endif
};

CellNetwork::CellNetwork(const NetworkWeights& weights, bool may_be_wide)
    : moving_(codes), waiting_(codes), matrix_(channels), threats_(threat_masks), update_(&Loops::update_any), value_(&Loops::value_any) {
    const std::vector<bool> has_stones = codes_with_stones();
    for (std::size_t code = 0; code < codes; ++code) {
        if (!has_stones[code]) continue;
        std::copy_n(&weights.moving[channels * code], channels, moving_[code].of.begin());
        std::copy_n(&weights.waiting[channels * code], channels, waiting_[code].of.begin());
    }
    const auto fill = [](HiddenRow& row, const std::int16_t* numbers, int unit) {
        for (std::size_t j = 0; j < hidden; ++j) row.of[j] = static_cast<float>(numbers[j]) / static_cast<float>(unit);
    };
    for (std::size_t i = 0; i < channels; ++i) fill(matrix_[i], &weights.matrix[hidden * i], NetworkWeights::matrix_unit);
    for (std::size_t i = 0; i < threat_masks; ++i) fill(threats_[i], &weights.threats[hidden * i], NetworkWeights::threats_unit);
    fill(output_, weights.output.data(), NetworkWeights::output_unit);
    for (std::size_t i = 0; i < weights.draws.size(); ++i) {
        draws_.push_back(static_cast<double>(weights.draws[i]) / (i < channels ? NetworkWeights::draws_unit : NetworkWeights::draws_rest_unit));
    }
#if defined(INAROW_WIDE)
    if (may_be_wide && __builtin_cpu_supports("avx2")) {
        update_ = &Loops::update_wide;
        value_ = &Loops::value_wide;
    }
#endif
}

double CellNetwork::drawishness(const Sums& sums, Seat turn, int free_cells) const {
    const Channels& of = sums.of[static_cast<std::size_t>(index(turn))];
    double sum = draws_[channels] * free_cells + draws_[channels + 1];
    for (std::size_t i = 0; i < channels; ++i) sum += draws_[i] * of[i];
    return sum;
}

NetworkSums::NetworkSums(const ThreatBoard& empty) : marks_(static_cast<std::size_t>(empty.geometry().cells())) {
    known_.push_back({});
    if (empty.tables().network() == nullptr) return;
    for (Cell cell = 0; cell < empty.geometry().cells(); ++cell) {
        changes_.push_back({CellNetwork::no_code, {empty.code(Seat::first, cell), empty.code(Seat::second, cell)}});
    }
    empty.tables().network()->update(known_.back().sums, changes_);
}

const CellNetwork::Sums& NetworkSums::of(const ThreatBoard& board) {
    const int stones = board.stones();
    if (known_.back().stones < stones) {
        Known now = known_.back();
        ++updates_;
        changes_.clear();
        board.for_each_change_since(now.stones, [&](Cell cell, const CellNetwork::Codes& before) {
            std::uint64_t& mark = marks_[static_cast<std::size_t>(cell)];
            if (mark == updates_) return;  // what it was before is known from an earlier stone
            mark = updates_;
            changes_.push_back({before, board.is_free(cell) ? CellNetwork::Codes{board.code(Seat::first, cell), board.code(Seat::second, cell)} : CellNetwork::no_code});
        });
        board.tables().network()->update(now.sums, changes_);
        now.stones = stones;
        known_.push_back(now);
    }
    return known_.back().sums;
}

}  // namespace inarow
