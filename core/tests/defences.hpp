// Checks that the engine's defences to a line of fours are all there are: for the models of both ways to place stones.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>

#include "inarow/engine_forcing.hpp"

namespace inarow::testing {

// How often something was found: positions in which the other, were it to move, wins by fours; moves that are no defences.
struct DefenceCounts {
    int threatened = 0;
    int vain = 0;
};

// In a position in which nobody wins at once.
template <class Model>
void check_defences(Model& model, Watch& watch, DefenceCounts& counts) {
    ForcingSearch<Model> forcing(model, watch);
    model.pass();
    const int found = forcing.search(5000, 31, false);
    model.unpass();
    if (found == 0) return;
    RankedMoves defences;
    if (model.has_double(other(model.turn()))) {
        model.append_defences_to_doubles(defences);
    } else {
        model.append_defences_to_line(forcing.line(), defences);
    }
    ++counts.threatened;
    for (Cell cell = 0; cell < model.cells(); ++cell) {
        if (!model.is_legal(cell) || std::ranges::any_of(defences, [&](const RankedMove& move) { return move.cell == cell; })) continue;
        ++counts.vain;
        model.make(cell);
        ForcingSearch<Model> again(model, watch);
        const int still = again.search(200000, found + 10, false);  // the line may become longer
        CHECK(still > 0);
        model.unmake();
    }
}

}  // namespace inarow::testing
