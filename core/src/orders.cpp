#include "inarow/orders.hpp"

#include <array>

namespace inarow {

Cell winning_cell(const Position& position, Seat seat) {
    Cell lowest = no_cell;
    const Geometry& geometry = position.geometry();
    position.windows().for_each_with_code(position.windows().one_missing(seat), [&](int window) {
        for (int i = 0; i < position.game().k; ++i) {
            const Cell cell = geometry.window_cell(window, i);
            if (!position.is_free(cell)) continue;
            if (is_playable(position, cell) && (lowest == no_cell || cell < lowest)) lowest = cell;
        }
    });
    return lowest;
}

void ForcedOrder::sort_by_sums() {
    constexpr int digit_bits = 8;
    constexpr std::size_t digits = 1 << digit_bits;
    std::int32_t largest = 0;
    for (const Cell cell : playable_) largest = std::max(largest, sums_[cell]);
    sorted_.resize(playable_.size());
    for (int shift = 0; largest >> shift > 0; shift += digit_bits) {
        const auto digit = [&](Cell cell) { return digits - 1 - (static_cast<std::size_t>(sums_[cell] >> shift) & (digits - 1)); };
        std::array<std::size_t, digits + 1> begins{};
        for (const Cell cell : playable_) ++begins[digit(cell) + 1];
        for (std::size_t i = 1; i < digits; ++i) begins[i] += begins[i - 1];
        for (const Cell cell : playable_) sorted_[begins[digit(cell)]++] = cell;
        playable_.swap(sorted_);
    }
}

}  // namespace inarow
