// Who wins what is left of a game with gravity, when only some columns still have room: boards of any size, up to about a hundred cells that matter.
//
// All that counts then are the free cells and, for each player, the sets of free cells that would complete a window: the other's stones have
// killed the other windows. The free cells of a column are bits side by side, the lowest first, and a spare bit keeps columns apart:
//
//     # # 5       # stones; the free cells are 0, 1 and 3, 4, 5
//     1 # 4       A window that lacks the cells 0 and 5 is the set {0, 5}; a stone of its owner on 0 leaves {5}, one of the other's leaves
//     0 # 3       nothing of it. Cells in nobody's set are *dead*.
//
// What cannot matter is left out, so that many positions become one (each with a proof by pairs: whoever has a winning or drawing strategy in
// the smaller game answers a stone on one cell of a pair with the other):
//
// - Above the highest cell of a column that is not dead, two cells on top of each other are such a pair; at most one is kept.
// - Columns of dead cells are a *pool* of stones that only pass the turn; two of these are a pair, so that the pool has one stone or none.
// - A set that contains another one of the same player.
//
// Following. Let an even number of stones be left, and let the player who waits always answer on top of the other's stone; where a column has an
// odd number of cells, its lowest cell is paired with that of another such column, or with the pool. So it is sure to get every second cell of
// every column, from the top, but for the lowest ones. If it blocks all of the other's sets by that, the other cannot win; if one of
// its own sets is among these cells, it wins. Where it has a winning cell that cannot be played yet, it may do the same without that cell, the one
// below and those above, if an even number is left then: in the end the other has to put its stone below the winning cell.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "inarow/drop_table.hpp"
#include "inarow/position.hpp"
#include "inarow/watch.hpp"

namespace inarow {

class DropRest {
public:
    using Cells = Word128;

    // Reads a position, whose game is not over. False when the cells that matter do not fit into a word.
    bool read(const Position& position);

    static constexpr int loss = -1, draw = 0, win = 1;
    // Whether the player to move gets at least this, a draw or a win; then `column` is a move for it, or as it was when all are. Means nothing
    // when the watch has ended it. The table, for keys of 128 bits, may be shared with any other positions: a key says all that counts.
    bool reaches(int least, DropTable& table, Watch& watch, int& column);

private:
    // The sets are sets_[first .. middle), those of the player to move, and sets_[middle .. last), the other's.
    struct Node {
        Cells free = 0;     // cells that matter, with the dead ones below and between them
        bool pool = false;  // one more stone can be put down, which matters to nobody
        std::size_t first = 0, middle = 0, last = 0;
        Cells stone = 0;  // the last one
    };
    struct Moves {
        std::array<Cells, max_side + 1> cells;  // 0: a stone of the pool
        std::size_t count = 0;
    };

    bool number_cells(const Position& position);
    void drop_supersets(std::size_t first);
    void reduce(Node& node);
    Node after(const Node& node, Cells stone);
    int find_moves(const Node& node, Moves& moves) const;
    int bound_by_following(const Node& node) const;
    Word128 key(const Node& node) const;
    bool reaches(const Node& node, int least);
    std::size_t find_move(const Node& node, const Moves& moves, int least);

    DropTable* table_ = nullptr;
    Watch* watch_ = nullptr;
    std::vector<Cells> sets_;  // of the nodes of a line, one after the other
    Node root_;
    Cells below_odd_ = 0;       // cells above which their column has an odd number of cells
    std::vector<int> bits_;     // of the cells, -1 for those without one
    std::vector<int> columns_;  // of the bits
    int dead_column_ = -1;      // at the root, if there is a pool: a stone there only passes the turn
};

}  // namespace inarow
