// Values of windows by their codes, and an evaluation that is the sum of such values, kept up to date move by move.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "inarow/windows.hpp"

namespace inarow {

// What a stone adds to the value of a window, by the window's code before it.
class WindowGains {
public:
    // values[code] is what a window with that code is worth; there are (K + 1)^2 codes. Throws std::invalid_argument for a
    // table of another size or one whose differences overflow.
    WindowGains(const Geometry& geometry, const WindowTable& windows, std::span<const std::int32_t> values);

    std::int32_t gain(Seat seat, WindowCode code) const { return gains_[static_cast<std::size_t>(index(seat)) * codes_ + code]; }

private:
    std::size_t codes_;
    std::vector<std::int32_t> gains_;  // [seat][code]
};

class WindowSum {
public:
    // values[code] is what a window with that code is worth to the first seat. The windows must be those of the position
    // that is followed. Throws as WindowGains does.
    WindowSum(const Geometry& geometry, const WindowTable& windows, std::span<const std::int32_t> values);

    std::int64_t value() const { return sums_.back(); }

    // What a stone on a free cell would add.
    std::int64_t change(const Geometry& geometry, const WindowTable& windows, Cell cell, Seat seat) const {
        std::int64_t change = 0;
        for (const Span& span : geometry.spans(cell)) {
            const WindowCode* codes = windows.codes() + span.first;
            for (int i = 0; i < span.count; ++i) change += gains_.gain(seat, codes[i]);
        }
        return change;
    }

    // Call before the stone is marked in the window table: the change follows from the codes as they are.
    void mark(const Geometry& geometry, const WindowTable& windows, Cell cell, Seat seat) {
        sums_.push_back(sums_.back() + change(geometry, windows, cell, seat));
    }

    void unmark() { sums_.pop_back(); }

private:
    WindowGains gains_;
    std::vector<std::int64_t> sums_;   // one for each ply
};

}  // namespace inarow
