// One solver on bits for each kind of processor. Precondition: the board fits into 128 bits.
#pragma once

#include <cstddef>
#include <memory>

#include "inarow/drop_solver.hpp"

namespace inarow {

std::unique_ptr<DropSolver> make_drop_solver_any(const Game& game, std::size_t bytes);
std::unique_ptr<DropSolver> make_drop_solver_avx2(const Game& game, std::size_t bytes);

}  // namespace inarow
