// Seeded games in which something is going on.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "inarow/position.hpp"
#include "model.hpp"

namespace inarow::testing {

// Random moves near the others, so that there is something to win; never a move that ends the game.
inline std::vector<Cell> some_game(const std::shared_ptr<const Geometry>& geometry, Random& random, int plies) {
    Position position(geometry);
    const Game& game = geometry->game();
    for (int tries = 0; position.ply() < plies && tries < 1000; ++tries) {
        Cell cell = below(random, game.cells());
        if (position.ply() > 0 && below(random, 4) > 0) {
            const Cell near = position.moves()[static_cast<std::size_t>(below(random, position.ply()))];
            const int row = near / game.columns + below(random, 3) - 1, column = near % game.columns + below(random, 3) - 1;
            if (row < 0 || row >= game.rows || column < 0 || column >= game.columns) continue;
            cell = row * game.columns + column;
        }
        if (!position.is_legal(cell)) continue;
        position.make(cell);
        if (position.is_over()) position.unmake();
    }
    return {position.moves().begin(), position.moves().end()};
}

inline Position after(const std::shared_ptr<const Geometry>& geometry, std::span<const Cell> moves) {
    Position position(geometry);
    for (const Cell cell : moves) position.make(cell);
    return position;
}

}  // namespace inarow::testing
