#include "inarow/drop_oracle.hpp"

#include <algorithm>
#include <cstdlib>

namespace inarow {

namespace {

// The least score that reaches the goal, for the strategist to move with so many cells free.
int least_score(const ProofGoal& goal, int plies_left, int free_cells) {
    if (plies_left == any_plies) return goal.is_win ? 1 : 0;
    if (goal.is_win) return std::max(1, (free_cells + 1) / 2 - (plies_left + 1) / 2 + 1);
    return std::min(0, plies_left / 2 - free_cells / 2);
}

}  // namespace

ProofStep DropOracle::strategist_step(const Position& position, const ProofGoal& goal, int plies_left) {
    const int columns = position.game().columns;
    std::vector<int> moves;
    for (const Cell cell : position.moves()) moves.push_back(cell % columns);
    const int free_cells = position.free_cells().count();
    const int score = least_score(goal, plies_left, free_cells);
    std::vector<int> from_the_middle;
    for (int column = 0; column < columns; ++column) from_the_middle.push_back(column);
    std::ranges::stable_sort(from_the_middle, {}, [&](int column) { return std::abs(2 * column - (columns - 1)); });
    for (const int column : from_the_middle) {
        if (position.landing(column) == no_cell) continue;
        if (free_cells == 1) return {ProofStep::Kind::move, position.landing(column)};
        moves.push_back(column);
        // After it the other must not get more than -score. A question about a position that is won at once is answered at once.
        const DropSolution after = solver_.solve({moves, -score, -score + 1, 1}, limits_, stop_, nullptr);
        moves.pop_back();
        if (after.upper <= -score) return {ProofStep::Kind::move, position.landing(column)};
    }
    return {};
}

ProofStep DropOracle::opponent_step(const Position&, const ProofGoal&, int) { return {ProofStep::Kind::all_moves}; }

}  // namespace inarow
