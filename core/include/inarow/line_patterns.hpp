// What a stone makes in one line: the words in which the engine sees a board.
//
// Seen is a free cell, a seat and a direction. The pattern says what a stone of that seat on that cell makes of the windows (runs
// of K cells) through the cell in that direction, if the other seat does not answer. The words are those of five in a row; for another
// K a "four" is K - 1 stones of a window, a "three" K - 2 and so on. With K = 5, O the new stone, X older ones, . free, # the other
// seat's or off the board:
//
//     win            XXOXX        a window is full
//     open_four      .XXOX.       two or more cells would complete a window
//     four           #XXOX.       exactly one would
//     open_three_b   ..XOX..      some next stone makes an open four; b: there are two or more cells for it
//     open_three_a   #.XOX..      … a: only one
//     three          #XOX..       some next stone makes a four
//     open_two_c     ...XO...     some next stone makes an open three: on four or more cells,
//     open_two_b     ..XO...      on three,
//     open_two_a     ..XO..       on fewer
//     two            #XO...       some next stone makes a three
//     open_one       ....O....    some next stone makes an open two
//     one            #O....       some next stone makes a two
//     alive          (K > 5)      a window can still be filled, but not even a two is near
//     dead           #.XO.#       no window can be filled
//
// A higher pattern in this order is never worth less. Up to K = 6 patterns come from a table indexed by the K - 1 cells on both
// sides, which PatternTable makes from this definition. Above, WindowPatterns finds them from counts of stones in windows.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "inarow/types.hpp"

namespace inarow {

enum class LinePattern : std::uint8_t {
    dead,
    alive,
    one,
    open_one,
    two,
    open_two_a,
    open_two_b,
    open_two_c,
    three,
    open_three_a,
    open_three_b,
    four,
    open_four,
    win,
};
constexpr int line_patterns = 14;

// The largest K whose patterns come from a table: 2^20 bytes for K = 6.
constexpr int max_table_k = 6;

// The patterns of both seats for everything that can lie around a cell. A key has two bits for each cell, the nearest cells in the
// middle and the centre left out (K = 4, centre at *):
//
//     cell     -3 -2 -1  *  1  2  3        0 free, 1 first seat, 2 second seat, 3 off the board
//     bits    0-1 2-3 4-5  6-7 8-9 10-11
//
// An entry holds the first seat's pattern in its low and the second seat's in its high four bits.
class PatternTable {
public:
    // Precondition: 1 <= k <= max_table_k.
    explicit PatternTable(int k);

    std::uint8_t operator[](std::uint32_t key) const { return entries_[key]; }
    const std::uint8_t* data() const { return entries_.data(); }

private:
    std::vector<std::uint8_t> entries_;
};

}  // namespace inarow
