// Monte-Carlo tree search: UCT with random play-outs, an attempt of MarkCello's authors.
//
// Each step walks down the tree by the upper confidence bound, adds the moves of the position it ends in, plays it out at random and
// adds the result to every node on the way. The root move that was visited most is played.
#pragma once

#include <cstdint>
#include <vector>

#include "inarow/position.hpp"
#include "inarow/watch.hpp"

namespace inarow {

struct MctsResult {
    Cell move;
    double win_rate;           // of the move, for the player to move: 1 a win, 1/2 a draw
    int depth;                 // the longest way down the tree
    std::int64_t playouts;
    double seconds;
    bool stopped;
};

// The memory of the tree is taken once and used again by the next search: giving it back takes longer than a move may be late.
class Mcts {
public:
    // The tree takes at most `bytes`; when it is full it is searched on without growing.
    explicit Mcts(std::size_t bytes) : max_nodes_(bytes / sizeof(Node)) { nodes_.reserve(max_nodes_); }

    // At least one play-out for every root move is wanted for a sensible answer, but any number gives a legal one. The same seed
    // and number of play-outs give the same result.
    MctsResult search(Position position, std::uint64_t seed, Limits limits, const StopFlag& stop);

    struct Node {
        Cell cell = no_cell;          // the move that leads here
        std::int32_t first_child = 0;
        std::int32_t children = 0;    // 0: not expanded
        std::int32_t visits = 0;
        double wins = 0;              // for the player who made the move
    };

private:
    std::size_t max_nodes_;
    std::vector<Node> nodes_;
    double gap_ = 0;
};

}  // namespace inarow
