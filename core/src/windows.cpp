#include "inarow/windows.hpp"

#include <utility>

namespace inarow {

WindowTable::WindowTable(std::shared_ptr<const Geometry> geometry)
    : geometry_(std::move(geometry)),
      steps_{1, static_cast<WindowCode>(geometry_->game().k + 1)},
      full_{static_cast<WindowCode>(steps_[0] * geometry_->game().k), static_cast<WindowCode>(steps_[1] * geometry_->game().k)},
      codes_(static_cast<std::size_t>(geometry_->windows() + lanes)) {
    for (std::size_t seat = 0; seat < 2; ++seat) {
        for (int used = 0; used <= lanes; ++used) {
            for (int lane = 0; lane < used; ++lane) adders_[seat][static_cast<std::size_t>(used)][lane] = steps_[seat];
        }
    }
    const int base = geometry_->game().k + 1;
    for (int code = 0; code < base * base; ++code) {
        stones_[0].push_back(static_cast<std::uint8_t>(code % base));
        stones_[1].push_back(static_cast<std::uint8_t>(code / base));
    }
}

}  // namespace inarow
