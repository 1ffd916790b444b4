#include "inarow/free_oracle.hpp"

namespace inarow {

FreeOracle::FreeOracle(FreeSolver& solver, const Limits& limits, const StopFlag& stop)
    : solver_(solver), stop_(stop), watch_(limits, stop, 1) {}

ProofStep FreeOracle::held(const Position& position, const ProofGoal& goal) {
    const Seat opponent = other(goal.strategist);
    if (FreeSolver::potential_holds(position, opponent)) return {ProofStep::Kind::potential};
    std::vector<Cell> pairs = solver_.pairing(position, opponent, stop_);
    if (!pairs.empty()) return {ProofStep::Kind::pairing, no_cell, std::move(pairs)};
    return {};
}

ProofStep FreeOracle::strategist_step(const Position& position, const ProofGoal& goal, int plies_left) {
    if (!goal.is_win) {
        ProofStep step = held(position, goal);
        if (step.kind != ProofStep::Kind::unknown) return step;
    }
    const Seat attacking = goal.is_win ? goal.strategist : other(goal.strategist);
    const Cell move = solver_.keeping_move(position, attacking, plies_left, watch_);
    if (move == no_cell) return {};
    return {ProofStep::Kind::move, move};
}

ProofStep FreeOracle::opponent_step(const Position& position, const ProofGoal& goal, int) {
    ProofStep step = held(position, goal);
    if (step.kind == ProofStep::Kind::unknown && !stop_.is_set()) step.kind = ProofStep::Kind::all_moves;
    return step;
}

}  // namespace inarow
