// A search put together by name: an evaluation, an order of moves and a memory, kept from turn to turn.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "inarow/alphabeta.hpp"

namespace inarow {

// What a searcher is made of.
//
//     evaluation   windows     a sum over windows, by window_values
//                  crossings   the same, with crossing windows counted double
//                  mics        MarkCello's cell values
//                  chains      Nisshoku's chains
//     order        plain       all playable cells, ascending
//                  near        those next to a stone, ascending
//                  evaluation  by the value of the position after them
//                  forced      a win or a block alone, else by a sum over windows, by cell_values
//                  best        the best `width` by MarkCello's values
//     memory       none, table, tree
//
// Not everything goes with everything: make_searcher says so.
struct Recipe {
    std::string evaluation;
    std::string order;
    std::string memory = "none";
    std::vector<std::int32_t> window_values;  // by code, as the first seat sees it
    std::vector<std::int32_t> cell_values;    // by code
    int width = 0;
    int root_width = 0;
    std::size_t memory_bytes = 0;
    bool folds_symmetries = true;
};

class Searcher {
public:
    virtual ~Searcher() = default;

    // The moves of the game so far; those that differ from the last time are taken back and played anew.
    virtual void set_moves(std::span<const Cell> moves) = 0;
    virtual const Position& position() const = 0;

    // The value of the position for the player to move, and the moves a node would look at; the game must not be over.
    virtual Score value() const = 0;
    virtual Cells ordered_moves(bool is_root) = 0;

    // The searches of AlphaBeta; the game must not be over.
    virtual SearchResult fixed(int depth, const Limits& limits, const StopFlag& stop) = 0;
    virtual SearchResult deepen(DeepeningStyle style, const Limits& limits, const StopFlag& stop) = 0;
    virtual SearchResult shares(int depth, std::int64_t budget, int threads, const Limits& limits, const StopFlag& stop) = 0;
};

// Throws std::invalid_argument when a name is unknown or the parts do not go together.
std::unique_ptr<Searcher> make_searcher(std::shared_ptr<const Geometry> geometry, const Recipe& recipe);

}  // namespace inarow
