// The words that every other header uses: seats, cells, games.
#pragma once

#include <cstdint>

namespace inarow {

// Who moves at even plies (first) and at odd plies (second).
enum class Seat : std::uint8_t { first = 0, second = 1 };

constexpr Seat other(Seat seat) { return seat == Seat::first ? Seat::second : Seat::first; }
constexpr int index(Seat seat) { return static_cast<int>(seat); }

// row * columns + column, row 0 on top. With gravity too: a column's stone lands on a cell.
using Cell = std::int32_t;
constexpr Cell no_cell = -1;

constexpr int max_side = 128;
constexpr int max_cells = max_side * max_side;

struct Game {
    int rows;
    int columns;
    int k;         // so many in a row win; may exceed both sides, and then nobody can win
    bool gravity;  // stones fall to the lowest free cell of their column

    int cells() const { return rows * columns; }
    bool operator==(const Game&) const = default;
};

}  // namespace inarow
