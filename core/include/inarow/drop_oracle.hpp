// The solver for gravity as the one who knows the strategy.
#pragma once

#include "inarow/drop_solver.hpp"
#include "inarow/proof_walk.hpp"

namespace inarow {

class DropOracle final : public ProofOracle {
public:
    DropOracle(DropSolver& solver, const Limits& limits, const StopFlag& stop) : solver_(solver), limits_(limits), stop_(stop) {}

    ProofStep strategist_step(const Position& position, const ProofGoal& goal, int plies_left) override;
    ProofStep opponent_step(const Position& position, const ProofGoal& goal, int plies_left) override;

private:
    DropSolver& solver_;
    Limits limits_;  // for each question
    const StopFlag& stop_;
};

}  // namespace inarow
