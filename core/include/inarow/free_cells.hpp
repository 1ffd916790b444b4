// The free cells of a board in one array, with mark and unmark in constant time whatever the board (the swap array of
// Huang and Spadaccini's MarkCello). Marked cells wait behind the free ones, in the order in which they were marked:
//
//     free: a b c d e f |              mark(b) moves the last free cell into b's place and b behind the bar:
//     free: a f c d e | b              mark(d):
//     free: a f c e | d b              unmark() takes the first cell behind the bar back to where it was:
//     free: a f c d e | b
//
// where_[cell] is the place of a free cell, or the place to which a marked cell returns. So unmark restores the array
// exactly, and a loop over the free cells may mark and unmark inside its body.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "inarow/types.hpp"

namespace inarow {

class FreeCells {
public:
    explicit FreeCells(int cells)
        : cells_(static_cast<std::size_t>(cells)), where_(static_cast<std::size_t>(cells)), count_(cells) {
        std::iota(cells_.begin(), cells_.end(), 0);
        std::iota(where_.begin(), where_.end(), 0);
    }

    int count() const { return count_; }
    std::span<const Cell> cells() const { return {cells_.data(), static_cast<std::size_t>(count_)}; }
    Cell operator[](int place) const { return cells_[static_cast<std::size_t>(place)]; }

    // Precondition: the cell is free.
    void mark(Cell cell) {
        --count_;
        const Cell last = cells_[static_cast<std::size_t>(count_)];
        const std::int32_t place = where_[static_cast<std::size_t>(cell)];
        cells_[static_cast<std::size_t>(place)] = last;
        where_[static_cast<std::size_t>(last)] = place;
        cells_[static_cast<std::size_t>(count_)] = cell;
    }

    // Takes back the latest mark. Precondition: there is one.
    void unmark() {
        const Cell cell = cells_[static_cast<std::size_t>(count_)];
        const std::int32_t place = where_[static_cast<std::size_t>(cell)];
        const Cell last = cells_[static_cast<std::size_t>(place)];
        cells_[static_cast<std::size_t>(count_)] = last;
        where_[static_cast<std::size_t>(last)] = count_;
        cells_[static_cast<std::size_t>(place)] = cell;
        ++count_;
    }

private:
    std::vector<Cell> cells_;
    std::vector<std::int32_t> where_;
    int count_;
};

}  // namespace inarow
