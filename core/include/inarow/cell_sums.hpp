// For every cell the sum, over the windows through it, of a value looked up by the window's code; kept move by move.
//
// A stone changes the codes of up to K windows in each direction, and each of these contains K cells. But the windows
// of one direction lie side by side, so the change of a cell is the sum of the changes of a run of windows, and the next cell's
// run is the same but for one window at each end. K = 3, the stone on c, gains g1 g2 g3 of the three windows through it:
//
//     cells      a     b        c         d     e
//     windows   [--g1-----------]
//                     [--g2---------------]
//                              [--g3------------]
//     change    g1  g1+g2   g1+g2+g3   g2+g3   g3
//
// So a move costs O(K), not O(K^2).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "inarow/window_sum.hpp"

namespace inarow {

class CellSums {
public:
    // values[code] is what a window with that code is worth to each of its cells. Throws as WindowSum does.
    CellSums(const Geometry& geometry, const WindowTable& windows, std::span<const std::int32_t> values);

    // Meaningful for free cells; occupied cells are kept up to date too.
    std::int32_t operator[](Cell cell) const { return sums_[static_cast<std::size_t>(cell)]; }

    // Call before the stone is marked in the window table.
    void mark(const Geometry& geometry, const WindowTable& windows, Cell cell, Seat seat) {
        shift(geometry, windows, cell, seat, 1);
    }

    // Call after the stone is taken off the window table: the codes are those that `mark` saw.
    void unmark(const Geometry& geometry, const WindowTable& windows, Cell cell, Seat seat) {
        shift(geometry, windows, cell, seat, -1);
    }

private:
    void shift(const Geometry& geometry, const WindowTable& windows, Cell cell, Seat seat, std::int32_t sign) {
        const int k = geometry.game().k;
        for (const Span& span : geometry.spans(cell)) {
            if (span.count == 0) continue;
            const WindowCode* codes = windows.codes() + span.first;
            Cell at = geometry.window_cell(span.first, 0);
            const Cell step = geometry.window_step(span.first);
            std::int32_t run = 0;
            for (int i = 0; i < span.count + k - 1; ++i, at += step) {
                if (i < span.count) run += gains_.gain(seat, codes[i]);
                if (i >= k) run -= gains_.gain(seat, codes[i - k]);
                sums_[static_cast<std::size_t>(at)] += sign * run;
            }
        }
    }

    WindowGains gains_;
    std::vector<std::int32_t> sums_;
};

}  // namespace inarow
