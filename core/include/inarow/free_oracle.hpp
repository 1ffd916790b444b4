// The free-placement solver as the one who knows the strategy: it proves again what its table has forgotten.
#pragma once

#include "inarow/free_solver.hpp"
#include "inarow/proof_walk.hpp"

namespace inarow {

class FreeOracle final : public ProofOracle {
public:
    // The solver should have solved the root before; otherwise it is solved on the way.
    FreeOracle(FreeSolver& solver, const Position& root, const Limits& limits, const StopFlag& stop);

    ProofStep strategist_step(const Position& position, const ProofGoal& goal, int plies_left) override;
    ProofStep opponent_step(const Position& position, const ProofGoal& goal, int plies_left) override;

private:
    // Pairing or potential, if one of them holds the position; else `unknown`. At the root a pairing comes first, as it says what to do;
    // further on the potential does, which is quicker and shorter.
    ProofStep held(const Position& position, const ProofGoal& goal);

    FreeSolver& solver_;
    int root_ply_;
    const StopFlag& stop_;
    Watch watch_;
};

}  // namespace inarow
