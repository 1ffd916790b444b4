// The DropSolver for boards that fit into a word of bits. Included where it is instantiated, once for each kind of processor.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "inarow/drop_search.hpp"
#include "inarow/drop_solver.hpp"

namespace inarow {
inline namespace INAROW_TARGET {

template <class Word, int fixed_k>
class DropSolverOnBits final : public DropSolver {
public:
    DropSolverOnBits(const Game& game, std::size_t bytes) : shape_(game), table_(bytes, shape_.key_bits()) {}

    DropSolution solve(const Question& question, const Limits& limits, const StopFlag& stop, DropProgress* progress) override {
        const Watch watch(limits, stop, 1);  // for the time; each search has its own
        Word mover{0}, mask{0};
        int free_cells = shape_.cells();
        for (const int column : question.columns) {
            const Word cell = shape_.landings(mask) & shape_.column(column);
            mover ^= mask;
            mask |= cell;
            --free_cells;
        }
        DropSolution solution{-(free_cells / 2), (free_cells + 1) / 2, 0, 0};
        if (const Word wins = shape_.wins(mover) & shape_.landings(mask); wins != 0) {
            solution.lower = solution.upper;
            solution.move = shape_.column_of(wins & (~wins + 1));
        } else {
            --solution.upper;
        }
        solution.lower = std::clamp(solution.lower, question.lowest, question.highest);
        solution.upper = std::clamp(solution.upper, question.lowest, question.highest);
        while (!solution.is_solved()) {
            if (progress) progress->set(solution.nodes, solution.lower, solution.upper);
            Limits left = limits;
            left.seconds -= watch.seconds();
            left.nodes -= solution.nodes;
            // A search that would fill the table ends early, and is asked again with a larger one: what it has found is there.
            const std::int64_t nodes_to_growth = nodes_to_fill() - nodes_since_clear_;
            const bool may_grow = nodes_to_growth < left.nodes && table_.entries() < table_.max_entries();
            if (may_grow && nodes_to_growth <= 0) {
                table_.grow();
                continue;
            }
            if (may_grow) left.nodes = nodes_to_growth;
            const Window window{mover, mask, free_cells, cheapest_question(solution.lower, solution.upper)};
            const std::int64_t nodes_before = solution.nodes;
            const bool has_answer = narrow(window, question.threads, left, stop, progress, solution);
            nodes_since_clear_ += solution.nodes - nodes_before;
            if (!has_answer && (!may_grow || nodes_since_clear_ < nodes_to_fill())) break;
        }
        solution.seconds = watch.seconds();
        return solution;
    }

    void clear() override {
        table_.clear();
        for (const auto& small : small_tables_) small->clear();
        nodes_since_clear_ = 0;
    }
    TableUse table_use() const override { return {table_.bytes(), table_.max_entries(), table_.taken()}; }

private:
    using Search = DropSearch<Word, fixed_k>;
    static constexpr int look_interval = 128;  // nodes; the first ones wait for memory
    static constexpr int nodes_per_entry = 8;

    // After so many nodes the table is nearly full. Most are near the end of a game, and go into the small tables.
    std::int64_t nodes_to_fill() const { return table_.entries() * nodes_per_entry; }

    // Is the score above this?
    struct Window {
        Word mover, mask;
        int free_cells;
        int score;
    };

    // Quick wins and losses are settled soonest, so they are asked for first; each answer halves what is left.
    static int cheapest_question(int lower, int upper) {
        const int middle = lower + (upper - lower) / 2;
        if (middle <= 0 && lower / 2 < middle) return lower / 2;
        if (middle >= 0 && upper / 2 > middle) return upper / 2;
        return middle;
    }

    // All threads ask the same question and tell each other through the table what they find; the first to answer ends the others.
    // False when the limits ended it.
    bool narrow(const Window& window, int threads, const Limits& limits, const StopFlag& stop, DropProgress* progress,
                DropSolution& solution) {
        while (static_cast<int>(small_tables_.size()) < threads) {
            small_tables_.push_back(std::make_unique<DropTable>(Search::small_table_bytes, shape_.key_bits()));
        }
        team_.begin(threads);
        std::mutex mutex;
        int result = 0;
        Word move{0};
        bool has_result = false;
        std::int64_t nodes = 0;
        const auto ask = [&](int thread) {
            Watch watch(limits, stop, look_interval);
            Search search(shape_, table_, *small_tables_[static_cast<std::size_t>(thread)], team_, watch, progress);
            Word best{0};
            const int score = search.search_root(window.mover, window.mask, window.free_cells, window.score, window.score + 1, best);
            const std::lock_guard lock(mutex);
            nodes += watch.nodes();
            if (search.ended() || has_result) return;
            has_result = true;
            result = score;
            move = best;
            team_.answer();
        };
        std::vector<std::jthread> others;
        for (int thread = 1; thread < threads; ++thread) others.emplace_back(ask, thread);
        ask(0);
        others.clear();
        solution.nodes += nodes;
        if (!has_result) return false;
        if (result > window.score) {
            solution.lower = std::min(result, solution.upper);
            solution.move = shape_.column_of(move);
        } else {
            solution.upper = std::max(result, solution.lower);
        }
        return true;
    }

    DropShape<Word, fixed_k> shape_;
    DropTable table_;
    std::int64_t nodes_since_clear_ = 0;
    DropTeam team_;
    std::vector<std::unique_ptr<DropTable>> small_tables_;
};

template <class Word>
std::unique_ptr<DropSolver> make_drop_solver_on(const Game& game, std::size_t bytes) {
    if (game.k == 4 && game.rows >= 4 && game.columns >= 4) return std::make_unique<DropSolverOnBits<Word, 4>>(game, bytes);
    return std::make_unique<DropSolverOnBits<Word, 0>>(game, bytes);
}

// Precondition: the board fits into 128 bits.
inline std::unique_ptr<DropSolver> make_drop_solver_on_bits(const Game& game, std::size_t bytes) {
    const int bits = (game.rows + 1) * game.columns;
    return bits <= 64 ? make_drop_solver_on<std::uint64_t>(game, bytes) : make_drop_solver_on<Word128>(game, bytes);
}

}  // namespace INAROW_TARGET
}  // namespace inarow
