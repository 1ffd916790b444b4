#include "inarow/drop_solver.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include "inarow/drop_rest.hpp"
#include "inarow/drop_table.hpp"
#include "inarow/drop_targets.hpp"
#include "inarow/position.hpp"

namespace inarow {

namespace {

// For boards that fit into no word. Who wins is found out when the cells that still matter do (drop_rest.hpp); how soon, by the same alpha-beta on the
// general position with fewer short cuts, which settles what is nearly full. There a position's key is the pair of its two keys, of
// itself and of its mirror image: 128 bits.
class DropSolverOnPositions final : public DropSolver {
public:
    DropSolverOnPositions(const Game& game, std::size_t bytes) : geometry_(std::make_shared<Geometry>(game)), table_(bytes, 128) {}

    DropSolution solve(const Question& question, const Limits& limits, const StopFlag& stop, DropProgress* progress) override {
        Position position(geometry_);
        for (const int column : question.columns) position.make(position.landing(column));
        Watch watch(limits, stop, 16);
        const int free_cells = position.free_cells().count();
        DropSolution solution{-(free_cells / 2), (free_cells + 1) / 2, 0, 0};
        if (!has_living_line(position)) solution.lower = solution.upper = 0;
        solution.lower = std::clamp(solution.lower, question.lowest, question.highest);
        solution.upper = std::clamp(solution.upper, question.lowest, question.highest);
        find_winner(position, watch, solution, progress);
        // Deeper than this it would not come back in anybody's time, and the stack has an end.
        const bool is_hopeless = free_cells > max_free_cells;
        while (!solution.is_solved() && !is_hopeless && !watch.ended()) {
            if (progress) progress->set(watch.nodes(), solution.lower, solution.upper);
            const int middle = solution.lower + (solution.upper - solution.lower) / 2;
            Cell move = no_cell;
            const int score = search_root(position, watch, middle, middle + 1, move);
            if (watch.ended()) break;
            if (score > middle) {
                solution.lower = std::min(score, solution.upper);
                solution.move = move % geometry_->game().columns;
            } else {
                solution.upper = std::max(score, solution.lower);
            }
        }
        solution.nodes = watch.nodes();
        solution.seconds = watch.seconds();
        return solution;
    }

    void clear() override { table_.clear(); }
    TableUse table_use() const override { return {table_.bytes(), table_.max_entries(), table_.taken()}; }

private:
    static constexpr int max_free_cells = 4096;

    // As far as it is asked, and found before the watch ends it.
    void find_winner(const Position& position, Watch& watch, DropSolution& solution, DropProgress* progress) {
        if (solution.is_solved() || !rest_.read(position)) return;
        for (const int least : {DropRest::win, DropRest::draw}) {
            if (solution.lower >= least || solution.upper < least) continue;
            if (progress) progress->set(watch.nodes(), solution.lower, solution.upper);
            int column = DropSolution::every_move;
            const bool is_reached = rest_.reaches(least, table_, watch, column);
            if (watch.ended()) return;
            if (is_reached) {
                solution.lower = least;
                solution.move = column;
            } else {
                solution.upper = least - 1;
            }
        }
    }

    static bool has_living_line(const Position& position) {
        for (int window = 0; window < position.geometry().windows(); ++window) {
            if (position.windows().stones(window, Seat::first) == 0 || position.windows().stones(window, Seat::second) == 0) return true;
        }
        return false;
    }

    // As DropSearch::search_root; the player to move may win at once.
    int search_root(Position& position, Watch& watch, int alpha, int beta, Cell& move) {
        const std::vector<Cell> wins = position.winning_cells(position.turn());
        if (!wins.empty()) {
            move = wins.front();
            return (position.free_cells().count() + 1) / 2;
        }
        int best = -(position.free_cells().count() / 2);
        for (const Cell cell : position.safe_cells()) {
            if (best >= beta) break;
            position.make(cell);
            const int score = -search(position, watch, -beta, -std::max(alpha, best));
            position.unmake();
            if (score <= best) continue;
            best = score;
            move = cell;
        }
        return best;
    }

    // As DropSearch::search; the player to move may win at once.
    int search(Position& position, Watch& watch, int alpha, int beta) {
        const int free_cells = position.free_cells().count();
        if (free_cells == 0 || !watch.enter()) return 0;
        const int moves_left = (free_cells + 1) / 2;
        if (!position.winning_cells(position.turn()).empty()) return moves_left;
        const std::vector<Cell> moves = position.safe_cells();
        if (moves.empty()) return -(free_cells / 2);
        DropEntry known{-(std::max(free_cells / 2 - 1, 0)), moves_left - 1, DropTable::no_move};
        const auto [small, large] = std::minmax(position.keys()[0], position.keys()[1]);
        const Word128 key = table_.mix(Word128{large} << 64 | small);
        table_.probe(key, known);
        alpha = std::max(alpha, known.lower);
        beta = std::min(beta, known.upper);
        if (alpha >= beta) return known.lower >= beta ? known.lower : known.upper;
        const std::int64_t nodes_before = watch.nodes();
        int best = -free_cells;
        for (std::size_t i = 0; i < moves.size() && best < beta; ++i) {
            position.make(moves[i]);
            best = std::max(best, -search(position, watch, -beta, -std::max(alpha, best)));
            position.unmake();
            if (watch.ended()) return 0;
        }
        best = std::clamp(best, known.lower, known.upper);
        if (best > alpha) known.lower = best;
        if (best < beta) known.upper = best;
        table_.store(key, known, watch.nodes() - nodes_before + 1);
        return best;
    }

    std::shared_ptr<const Geometry> geometry_;
    DropTable table_;
    DropRest rest_;
};

}  // namespace

std::unique_ptr<DropSolver> DropSolver::make(const Game& game, std::size_t bytes) {
    assert(game.gravity);
    if ((game.rows + 1) * game.columns > 128) return std::make_unique<DropSolverOnPositions>(game, bytes);
#ifdef INAROW_HAS_AVX2_SOLVER
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")) {
        return make_drop_solver_avx2(game, bytes);
    }
#endif
    return make_drop_solver_any(game, bytes);
}

}  // namespace inarow
