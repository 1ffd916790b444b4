// An evaluation that is a sum over windows of a value looked up by the window's code, kept up to date move by move.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "inarow/windows.hpp"

namespace inarow {

class WindowSum {
public:
    // values[code] is what a window with that code is worth to the first seat; there are (K + 1)^2 codes. The windows
    // must be those of the position that is followed. Throws std::invalid_argument for a table of another size.
    WindowSum(const Geometry& geometry, const WindowTable& windows, std::span<const std::int32_t> values);

    std::int64_t value() const { return sums_.back(); }

    // Call before the stone is marked in the window table: the change follows from the codes as they are.
    void mark(const Geometry& geometry, const WindowTable& windows, Cell cell, Seat seat) {
        const std::int32_t* gain = gains_.data() + static_cast<std::size_t>(index(seat)) * codes_;
        std::int64_t change = 0;
        for (const Span& span : geometry.spans(cell)) {
            const WindowCode* codes = windows.codes() + span.first;
            for (int i = 0; i < span.count; ++i) change += gain[codes[i]];
        }
        sums_.push_back(sums_.back() + change);
    }

    void unmark() { sums_.pop_back(); }

private:
    std::size_t codes_;
    std::vector<std::int32_t> gains_;  // [seat][code]: what a stone of the seat in such a window adds
    std::vector<std::int64_t> sums_;   // one for each ply
};

}  // namespace inarow
