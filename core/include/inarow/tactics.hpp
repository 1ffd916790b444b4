// What a single move does, looked at without a search: for the players that do not search.
#pragma once

#include <cstdint>
#include <vector>

#include "inarow/position.hpp"

namespace inarow {

// A playable cell as the player to move sees it. `other_` is the same for the opponent.
struct CellReport {
    Cell cell;
    bool wins;               // a stone here completes a window
    bool other_wins;
    bool doubles;            // a stone here makes a double play
    bool other_doubles;
    std::int32_t windows;    // through the cell, without a stone of the opponent
    std::int32_t stones;     // the player's own in those windows, counted for each of them
    std::int32_t other_windows;
    std::int32_t other_stones;
};

// Every playable cell, in ascending order. The game must not be over.
//
// A double play (Girotti and Ruggiero): in a window with K - 2 stones of one player and none of the other, a stone on one of the
// two free cells leaves two ways to win, counting the other free cell, the cell before the window and the cell behind it. K = 4:
//
//     . X X a .     a stone on a: the cells at both ends win
//
// It needs K >= 3.
std::vector<CellReport> cell_reports(const Position& position);

// The playable cells on which a stone of `seat` would leave it two playable cells or more that win, so that one block is not enough.
std::vector<Cell> fork_cells(const Position& position, Seat seat);

}  // namespace inarow
