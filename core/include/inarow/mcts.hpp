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

// At least one play-out for every root move is wanted for a sensible answer, but any number gives a legal one. The tree takes at
// most `bytes`; when it is full it is searched on without growing. The same seed and number of play-outs give the same result.
MctsResult mcts(Position position, std::uint64_t seed, std::size_t bytes, const Limits& limits, const StopFlag& stop);

}  // namespace inarow
