#include "inarow/window_sum.hpp"

#include <stdexcept>
#include <string>

namespace inarow {

WindowSum::WindowSum(const Geometry& geometry, const WindowTable& windows, std::span<const std::int32_t> values)
    : codes_(static_cast<std::size_t>((geometry.game().k + 1) * (geometry.game().k + 1))) {
    if (values.size() != codes_) {
        throw std::invalid_argument("an evaluation needs " + std::to_string(codes_) + " values, one for each code of a window, not " +
                                    std::to_string(values.size()));
    }
    gains_.resize(2 * codes_);
    for (const Seat seat : {Seat::first, Seat::second}) {
        const std::size_t step = windows.step(seat);
        std::int32_t* gain = gains_.data() + static_cast<std::size_t>(index(seat)) * codes_;
        for (std::size_t code = 0; code + step < codes_; ++code) gain[code] = values[code + step] - values[code];
    }
    std::int64_t sum = 0;
    for (int window = 0; window < geometry.windows(); ++window) sum += values[windows.code(window)];
    sums_.reserve(static_cast<std::size_t>(geometry.cells()) + 1);
    sums_.push_back(sum);
}

}  // namespace inarow
