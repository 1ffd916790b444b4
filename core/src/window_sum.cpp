#include "inarow/window_sum.hpp"

#include "inarow/cell_sums.hpp"

#include <stdexcept>
#include <string>

namespace inarow {

WindowGains::WindowGains(const Geometry& geometry, const WindowTable& windows, std::span<const std::int32_t> values)
    : codes_(static_cast<std::size_t>((geometry.game().k + 1) * (geometry.game().k + 1))) {
    if (values.size() != codes_) {
        throw std::invalid_argument("an evaluation needs " + std::to_string(codes_) + " values, one for each code of a window, not " +
                                    std::to_string(values.size()));
    }
    gains_.resize(2 * codes_);
    for (const Seat seat : {Seat::first, Seat::second}) {
        const std::size_t step = windows.step(seat);
        std::int32_t* gain = gains_.data() + static_cast<std::size_t>(index(seat)) * codes_;
        for (std::size_t code = 0; code + step < codes_; ++code) {
            const std::int64_t wide = std::int64_t{values[code + step]} - values[code];
            gain[code] = static_cast<std::int32_t>(wide);
            if (gain[code] != wide) throw std::invalid_argument("the values of windows differ by more than 32 bits can hold");
        }
    }
}

WindowSum::WindowSum(const Geometry& geometry, const WindowTable& windows, std::span<const std::int32_t> values)
    : gains_(geometry, windows, values) {
    std::int64_t sum = 0;
    for (int window = 0; window < geometry.windows(); ++window) sum += values[windows.code(window)];
    sums_.reserve(static_cast<std::size_t>(geometry.cells()) + 1);
    sums_.push_back(sum);
}

CellSums::CellSums(const Geometry& geometry, const WindowTable& windows, std::span<const std::int32_t> values)
    : gains_(geometry, windows, values), sums_(static_cast<std::size_t>(geometry.cells())) {
    constexpr std::int32_t largest = 1 << 20;  // a cell has at most 512 windows, so that its sum fits into 32 bits
    for (const std::int32_t value : values) {
        if (value < 0 || value > largest) throw std::invalid_argument("values of cells must be 0 to " + std::to_string(largest));
    }
    for (int window = 0; window < geometry.windows(); ++window) {
        for (int i = 0; i < geometry.game().k; ++i) {
            sums_[static_cast<std::size_t>(geometry.window_cell(window, i))] += values[windows.code(window)];
        }
    }
}

}  // namespace inarow
