#include "inarow/evaluations.hpp"

#include <algorithm>

namespace inarow {

CrossingsEvaluation::CrossingsEvaluation(const Position& position, std::span<const std::int32_t> values)
    : values_(values.begin(), values.end()),
      codes_(static_cast<std::size_t>(position.geometry().windows())),
      crossed_(static_cast<std::size_t>(position.geometry().cells())) {
    WindowGains(position.geometry(), position.windows(), values);  // refuses a table of another size
}

std::int64_t CrossingsEvaluation::sum(const Position& position, Cell added) const {
    const Geometry& geometry = position.geometry();
    const int k = position.game().k;
    std::copy_n(position.windows().codes(), codes_.size(), codes_.begin());
    if (added != no_cell) {
        const WindowCode step = position.windows().step(position.turn());
        for (const Span& span : geometry.spans(added)) {
            for (int i = 0; i < span.count; ++i) codes_[static_cast<std::size_t>(span.first + i)] += step;
        }
    }

    // The bit of a window's owner and direction; 0 for a window that is empty or has stones of both.
    const auto bit_of = [&](std::size_t window) -> std::uint8_t {
        const int first = codes_[window] % (k + 1);
        const int second = codes_[window] / (k + 1);
        if ((first == 0) == (second == 0)) return 0;
        return static_cast<std::uint8_t>(1 << (geometry.window_direction(static_cast<int>(window)) + (first == 0 ? 4 : 0)));
    };
    std::fill(crossed_.begin(), crossed_.end(), std::uint8_t{0});
    for (std::size_t window = 0; window < codes_.size(); ++window) {
        const std::uint8_t bit = bit_of(window);
        if (bit == 0) continue;
        for (int i = 0; i < k; ++i) crossed_[static_cast<std::size_t>(geometry.window_cell(static_cast<int>(window), i))] |= bit;
    }

    std::int64_t total = 0;
    for (std::size_t window = 0; window < codes_.size(); ++window) {
        const std::int64_t value = values_[codes_[window]];
        const std::uint8_t bit = bit_of(window);
        const int same_owner = bit > 0x0f ? 0xf0 : 0x0f;
        bool is_crossed = false;
        for (int i = 0; bit != 0 && i < k && !is_crossed; ++i) {
            is_crossed = crossed_[static_cast<std::size_t>(geometry.window_cell(static_cast<int>(window), i))] & same_owner & ~bit;
        }
        total += is_crossed ? std::clamp<std::int64_t>(2 * value, -won, won) : value;
    }
    return total;
}

}  // namespace inarow
