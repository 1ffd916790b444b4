// Line patterns for a K that is too large for tables, from counts of stones in windows.
//
// A window with no stone of the other seat and m of its K cells free lets a stone on any of them reach level m - 1 (so many missing).
// Level 0 (a win) and level 1 (fours, open or not) are exact. Below, "open" is taken to be what it nearly always is, two neighbouring
// windows with the same stones and free cells at both ends:
//
//     .XX.X.X.        K = 7: windows 0..6 and 1..7 miss 3 stones each, share the cells 1..6 and both ends are free
//
// and the finer words (open_two_b and so on) are not used. A stone changes the windows through it, and so the patterns of the cells in
// these windows: at most 2 (K - 1) in each direction. Each direction costs O(K) steps.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "inarow/line_patterns.hpp"
#include "inarow/windows.hpp"

namespace inarow {

class WindowPatterns {
public:
    explicit WindowPatterns(std::shared_ptr<const Geometry> geometry);

    void place(Cell cell, Seat seat) { windows_.mark(cell, seat); }
    void remove(Cell cell, Seat seat) { windows_.unmark(cell, seat); }

    // Calls visit(cell, patterns) for every free cell that shares a window in direction d with this one, or is it;
    // patterns[seat] is what a stone of that seat makes there.
    template <class IsFree, class Visit>
    void for_each_near(Cell cell, int d, IsFree&& is_free, Visit&& visit) {
        const Span span = geometry_->spans(cell)[static_cast<std::size_t>(d)];
        if (span.count == 0) return;
        const int k = geometry_->game().k;
        const Cell step = geometry_->window_step(span.first);
        const Cell begin = geometry_->window_cell(span.first, 0);
        const int cells = span.count + k - 1;
        find(begin, d, cells, is_free);
        for (int i = 0; i < cells; ++i) {
            const Cell near = begin + i * step;
            if (is_free(near)) visit(near, found_[static_cast<std::size_t>(i)]);
        }
    }

private:
    using Both = std::array<LinePattern, 2>;

    // Fills found_ with the patterns of the free cells among `cells` cells from `begin` on in direction d.
    template <class IsFree>
    void find(Cell begin, int d, int cells, IsFree&& is_free) {
        free_.clear();
        const Cell step = directions[static_cast<std::size_t>(d)].row_step * geometry_->game().columns + directions[static_cast<std::size_t>(d)].column_step;
        const Cell end = begin + (cells - 1) * step;
        const int first_window = geometry_->spans(begin)[static_cast<std::size_t>(d)].first;
        const Span last = geometry_->spans(end)[static_cast<std::size_t>(d)];
        const int windows = last.first + last.count - first_window;
        // The cells of all these windows begin where the first of them does.
        const Cell origin = geometry_->window_cell(first_window, 0);
        const int shift = (begin - origin) / step;
        const int line = windows + geometry_->game().k - 1;
        for (int i = 0; i < line; ++i) free_.push_back(is_free(origin + i * step));
        find_patterns(first_window, windows, shift, cells);
    }
    void find_patterns(int first_window, int windows, int shift, int cells);
    void find_fours(int seat, int windows, int shift, int cells);
    void raise_all(const std::vector<LinePattern>& values, int length, int seat, int shift, int cells);

    std::shared_ptr<const Geometry> geometry_;
    WindowTable windows_;
    // Scratch, for the line at hand: which cells are free, what each window lacks, what it offers, and what was found.
    std::vector<std::uint8_t> free_;
    std::vector<int> missing_;
    std::vector<LinePattern> offered_;
    std::vector<LinePattern> maxima_;
    std::vector<int> partner_;
    std::vector<Both> found_;
};

}  // namespace inarow
