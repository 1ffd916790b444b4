#include "inarow/free_solver.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace inarow {

namespace {

// The first share of nodes that a question gets in each stage; it grows from round to round.
constexpr std::int64_t first_share = 2000;
constexpr std::int64_t share_growth = 4;

// How many nodes may pass between two looks at the clock: on a small board one takes some microseconds, on a large one a millisecond.
constexpr int small_board = 100;
constexpr int small_interval = 16;

constexpr std::size_t frame_share = 4;  // a quarter of small memories, less of large ones
constexpr std::size_t max_frame_bytes = std::size_t{256} << 20;

constexpr std::size_t frame_bytes_of(std::size_t bytes) { return std::min(bytes / frame_share, max_frame_bytes); }

bool potential_holds_raw(const LineList& lines, bool attacker_moves) {
    std::uint64_t potential = 0;
    for (std::size_t i = 0; i < lines.count(); ++i) potential += potential_of(static_cast<int>(lines.ends[i] - lines.begin_of(i)));
    return inarow::potential_holds(potential, attacker_moves);
}

// The free cell nearest to the middle of the board.
Cell any_move(const Position& position) {
    const Game& game = position.game();
    const auto distance = [&](Cell cell) {
        return std::abs(2 * (cell / game.columns) - game.rows + 1) + std::abs(2 * (cell % game.columns) - game.columns + 1);
    };
    Cell best = no_cell;
    for (Cell cell = 0; cell < game.cells(); ++cell) {
        if (position.is_free(cell) && (best == no_cell || distance(cell) < distance(best))) best = cell;
    }
    return best;
}

// The cell on which the lines weigh most, the lines weighing as for the potential. Precondition: there is a line.
Cell heaviest_cell(const LineList& lines, int cells) {
    std::vector<std::uint64_t> weights(static_cast<std::size_t>(cells));
    for (std::size_t i = 0; i < lines.count(); ++i) {
        const std::uint64_t weight = potential_of(static_cast<int>(lines.ends[i] - lines.begin_of(i)));
        for (std::size_t c = lines.begin_of(i); c < lines.ends[i]; ++c) weights[static_cast<std::size_t>(lines.cells[c])] += weight;
    }
    return static_cast<Cell>(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

}  // namespace

LineList living_lines(const Position& position, Seat seat) {
    const Geometry& geometry = position.geometry();
    LineList lines;
    for (int window = 0; window < geometry.windows(); ++window) {
        if (position.windows().stones(window, other(seat)) > 0) continue;
        for (int i = 0; i < geometry.game().k; ++i) {
            const Cell cell = geometry.window_cell(window, i);
            if (position.is_free(cell)) lines.cells.push_back(cell);
        }
        lines.close_line();
    }
    return lines;
}

// Does one seat complete a line?
struct FreeSolver::Question {
    FreeQuestion asked;
    Seat seat;  // who attacks
    bool is_open = true;
    bool yes = false;
    bool weak_is_won = false;
    FreeMethod method = FreeMethod::none;

    void answer(bool is_yes, FreeMethod how) {
        is_open = false;
        yes = is_yes;
        method = how;
    }
};

FreeSolver::FreeSolver(std::shared_ptr<const Geometry> geometry, std::size_t bytes)
    : geometry_(std::move(geometry)), frame_bytes_(frame_bytes_of(bytes)), table_(bytes - frame_bytes_) {}

// An engine that knows the cells of these lines; null when they are too many.
FreeEngine* FreeSolver::engine(const LineList& attack, const LineList& defence) {
    std::vector<bool> is_used(static_cast<std::size_t>(geometry_->cells()));
    for (const LineList* lines : {&attack, &defence}) {
        for (const Cell cell : lines->cells) is_used[static_cast<std::size_t>(cell)] = true;
    }
    std::vector<Cell> cells;
    for (Cell cell = 0; cell < geometry_->cells(); ++cell) {
        if (is_used[static_cast<std::size_t>(cell)]) cells.push_back(cell);
    }
    if (!engine_ || !std::includes(engine_cells_.begin(), engine_cells_.end(), cells.begin(), cells.end())) {
        engine_cells_ = cells;
        engine_ = make_free_engine(*geometry_, cells, table_, frame_bytes_);
    }
    return engine_.get();
}

std::vector<Cell> FreeSolver::pairing(const Position& position, Seat attacking, Watch& watch) {
    std::vector<Cell> pairs = torus_.find(position, attacking, watch);
    if (!pairs.empty() || watch.ended()) return pairs;
    const LineList lines = living_lines(position, attacking);
    FreeEngine* const found = engine(lines, {});
    return found ? found->pairing(lines) : pairs;
}

bool FreeSolver::potential_holds(const Position& position, Seat attacking) {
    return potential_holds_raw(living_lines(position, attacking), position.turn() == attacking);
}

bool FreeSolver::ask_statically(const Position& position, Question& question, Watch& watch) {
    if (question.asked.attack.count() == 0) {
        question.answer(false, FreeMethod::trivial);
    } else if (position.ply() == 0 && question.seat == Seat::second) {
        question.answer(false, FreeMethod::trivial);
    } else if (!pairing(position, question.seat, watch).empty()) {
        question.answer(false, FreeMethod::pairing);
    } else if (potential_holds_raw(question.asked.attack, question.asked.attacker_moves)) {
        question.answer(false, FreeMethod::potential);
    }
    return !question.is_open;
}

// One round: so many nodes for the weak game, if that is still open, and so many for the game.
void FreeSolver::ask(Question& question, std::int64_t nodes, bool weak_only, Watch& watch, FreeProgress* progress) {
    FreeEngine* const searching = engine(question.asked.attack, question.asked.defence);
    if (!searching) return;
    if (!question.weak_is_won) {
        const FreeQuestion weak{question.asked.attack, {}, question.asked.attacker_moves, endless};
        const ProofNumbers numbers = searching->solve(weak, nodes, watch, progress);
        if (numbers.is_refuted()) return question.answer(false, FreeMethod::weak_game);
        question.weak_is_won = numbers.is_won();
        if (weak_only && question.weak_is_won) return question.answer(true, FreeMethod::weak_game);
    }
    if (weak_only || watch.ended()) return;
    const ProofNumbers numbers = searching->solve(question.asked, nodes, watch, progress);
    if (numbers.is_solved()) question.answer(numbers.is_won(), FreeMethod::search);
}

// Round after round with more and more nodes, until the questions are answered or one of them with yes.
void FreeSolver::search(std::vector<Question*> questions, bool weak_only, FreeSolution& solution, Watch& watch, FreeProgress* progress) {
    for (std::int64_t nodes = first_share; !watch.ended(); nodes *= share_growth) {
        bool is_open = false;
        for (Question* question : questions) {
            if (!question->is_open) continue;
            const std::int64_t before = watch.nodes();
            ask(*question, nodes, weak_only, watch, progress);
            conclude(*question, solution, progress);
            if (question->yes) return;
            is_open = is_open || (question->is_open && watch.nodes() > before);
        }
        if (!is_open) return;
    }
}

// What an answer says of the value.
void FreeSolver::conclude(const Question& question, FreeSolution& solution, FreeProgress* progress) {
    if (!question.is_open) {
        const bool is_mine = question.asked.attacker_moves;
        if (!question.yes) (is_mine ? solution.upper : solution.lower) = FreeValue::draw;
        if (question.yes) (is_mine ? solution.lower : solution.upper) = is_mine ? FreeValue::win : FreeValue::loss;
    }
    if (!progress) return;
    progress->lower.store(static_cast<int>(solution.lower), std::memory_order_relaxed);
    progress->upper.store(static_cast<int>(solution.upper), std::memory_order_relaxed);
}

FreeSolution FreeSolver::solve(const Position& position, const Limits& limits, const StopFlag& stop, FreeOptions options,
                               FreeProgress* progress) {
    assert(!position.game().gravity);
    Watch watch(limits, stop, geometry_->cells() <= small_board ? small_interval : 1);
    FreeSolution solution;
    if (position.is_over()) {
        solution.upper = position.winner() ? FreeValue::loss : FreeValue::draw;
        solution.lower = solution.upper;
        solution.plies = position.winner() ? 0 : -1;
        solution.method = FreeMethod::trivial;
        return solution;
    }
    engine_.reset();
    table_.grow_older();
    const Seat mover = position.turn();
    Question mine{{living_lines(position, mover), living_lines(position, other(mover)), true, endless}, mover};
    Question theirs{{mine.asked.defence, mine.asked.attack, false, endless}, other(mover)};
    if (options.weak_only) theirs.answer(false, FreeMethod::trivial);
    std::vector<Question*> open;
    for (Question* question : {&mine, &theirs}) {
        if (question->is_open && !ask_statically(position, *question, watch)) open.push_back(question);
        conclude(*question, solution, progress);
    }
    search(open, options.weak_only, solution, watch, progress);
    solution.method = mine.yes ? mine.method : theirs.yes ? theirs.method : std::max(mine.method, theirs.method);
    if (options.shortest && !options.weak_only && (mine.yes || theirs.yes)) find_plies(mine.yes ? mine : theirs, solution, watch, progress);
    if (solution.is_known() && !options.weak_only) solution.move = move_for(position, solution, watch, progress);
    solution.nodes = watch.nodes();
    solution.seconds = watch.seconds();
    return solution;
}

// The attacker wins: in how many plies?
void FreeSolver::find_plies(const Question& question, FreeSolution& solution, Watch& watch, FreeProgress* progress) {
    FreeEngine* const searching = engine(question.asked.attack, question.asked.defence);
    FreeQuestion asked = question.asked;
    for (int plies = asked.attacker_moves ? 1 : 2; plies <= geometry_->cells(); plies += 2) {
        asked.plies_left = plies;
        const ProofNumbers numbers = searching->solve(asked, unlimited_nodes, watch, progress);
        if (!numbers.is_solved()) return;
        if (numbers.is_refuted()) continue;
        solution.plies = plies;
        solution.method = FreeMethod::distance;
        return;
    }
}

Cell FreeSolver::move_for(const Position& position, const FreeSolution& solution, Watch& watch, FreeProgress* progress) {
    const Seat mover = position.turn();
    const bool wins = solution.value() == FreeValue::win;
    const Seat attacking = wins ? mover : other(mover);
    FreeQuestion asked{living_lines(position, attacking), living_lines(position, other(attacking)), wins, endless};
    if (wins) asked.plies_left = solution.plies < 0 ? endless : solution.plies;
    if (solution.value() == FreeValue::loss && solution.plies > 0) asked.plies_left = solution.plies - 1;
    if (solution.value() == FreeValue::loss && solution.plies <= 2) return any_move(position);
    if (solution.value() == FreeValue::draw) {
        // On the empty board second holds although first is a stone ahead; if it does so without making lines of its own, first, who
        // has a stone anywhere before second begins, does so too.
        const bool is_mirrored = position.ply() == 0 && solution.method <= FreeMethod::weak_game;
        // A pairing, as no line at all, outlives any move of the one who holds.
        if (is_mirrored || asked.attack.count() == 0 || !pairing(position, attacking, watch).empty()) return any_move(position);
        if (potential_holds_raw(asked.attack, false)) return heaviest_cell(asked.attack, geometry_->cells());
    }
    return kept_move(asked, watch, progress);
}

// The search's best move, where there is a search.
Cell FreeSolver::kept_move(const FreeQuestion& asked, Watch& watch, FreeProgress* progress) {
    FreeEngine* const searching = engine(asked.attack, asked.defence);
    if (!searching) return no_cell;
    return searching->best_move(asked, watch, progress);
}

Cell FreeSolver::keeping_move(const Position& position, Seat attacking, int plies_left, Watch& watch) {
    const FreeQuestion asked{living_lines(position, attacking), living_lines(position, other(attacking)), position.turn() == attacking,
                             plies_left};
    return kept_move(asked, watch, nullptr);
}

}  // namespace inarow
