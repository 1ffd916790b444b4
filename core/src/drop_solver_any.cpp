// The solver for gravity, for any processor.
#define INAROW_TARGET any
#include "inarow/drop_solver_on_bits.hpp"
#include "inarow/drop_targets.hpp"

namespace inarow {

std::unique_ptr<DropSolver> make_drop_solver_any(const Game& game, std::size_t bytes) { return make_drop_solver_on_bits(game, bytes); }

}  // namespace inarow
