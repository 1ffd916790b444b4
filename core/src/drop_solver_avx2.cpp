// The solver for gravity, for processors with AVX2; compiled with other flags than the rest (see CMakeLists.txt).
#define INAROW_TARGET avx2
#include "inarow/drop_solver_on_bits.hpp"
#include "inarow/drop_targets.hpp"

namespace inarow {

std::unique_ptr<DropSolver> make_drop_solver_avx2(const Game& game, std::size_t bytes) { return make_drop_solver_on_bits(game, bytes); }

}  // namespace inarow
