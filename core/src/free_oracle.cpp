#include "inarow/free_oracle.hpp"

namespace inarow {

FreeOracle::FreeOracle(FreeSolver& solver, const Position& root, const Limits& limits, const StopFlag& stop)
    : solver_(solver), root_ply_(root.ply()), stop_(stop), watch_(limits, stop, 1) {}

ProofStep FreeOracle::held(const Position& position, const ProofGoal& goal) {
    const Seat opponent = other(goal.strategist);
    const bool has_potential = FreeSolver::potential_holds(position, opponent);
    if (has_potential && position.ply() > root_ply_) return {ProofStep::Kind::potential};
    std::vector<Cell> pairs = solver_.pairing(position, opponent, watch_);
    if (!pairs.empty()) return {ProofStep::Kind::pairing, no_cell, std::move(pairs)};
    return {has_potential ? ProofStep::Kind::potential : ProofStep::Kind::unknown};
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
