#include "inarow/near_cells.hpp"

namespace inarow {

NearCells::NearCells(const Position& position)
    : counts_(static_cast<std::size_t>(position.geometry().cells())), free_((counts_.size() + 63) / 64) {
    const Game& game = position.game();
    for (Cell cell = 0; cell < game.cells(); ++cell) {
        first_.push_back(static_cast<std::int32_t>(neighbours_.size()));
        for (const Direction direction : directions) {
            for (const int sign : {-1, 1}) {
                const int row = cell / game.columns + sign * direction.row_step;
                const int column = cell % game.columns + sign * direction.column_step;
                if (0 <= row && row < game.rows && 0 <= column && column < game.columns) {
                    neighbours_.push_back(row * game.columns + column);
                }
            }
        }
        set_free(cell, true);
    }
    first_.push_back(static_cast<std::int32_t>(neighbours_.size()));
    for (const Cell cell : position.moves()) mark(cell);
}

}  // namespace inarow
