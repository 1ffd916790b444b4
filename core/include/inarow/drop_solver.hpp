// Exact values of positions with gravity.
//
// Scores. A player who completes a line with the i-th of the moves it has left, of n, is worth n - i + 1 to itself: the sooner the
// more, and at least 1. A draw is 0, a loss the negative of the other's score.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "inarow/stop.hpp"
#include "inarow/types.hpp"
#include "inarow/watch.hpp"

namespace inarow {

// What is known of a score. It is solved when both are the same.
struct DropSolution {
    int lower;
    int upper;
    std::int64_t nodes;
    double seconds;
    int move = every_move;  // a column that is worth at least `lower`

    static constexpr int every_move = -1;  // … as all are

    bool is_solved() const { return lower == upper; }
};

// For another thread to look at while a position is being solved.
struct DropProgress {
    std::atomic<std::int64_t> nodes{0};
    std::atomic<int> lower{0};
    std::atomic<int> upper{0};

    void set(std::int64_t nodes_so_far, int lower_bound, int upper_bound) {
        nodes = nodes_so_far;
        lower = lower_bound;
        upper = upper_bound;
    }
};

class DropSolver {
public:
    // Takes at most so many bytes, whatever is solved. Throws std::bad_alloc.
    static std::unique_ptr<DropSolver> make(const Game& game, std::size_t bytes);

    virtual ~DropSolver() = default;

    struct Question {
        std::span<const int> columns;  // the moves so far: legal, and the game not over
        int lowest = -max_cells;       // a score below counts as this one, and
        int highest = max_cells;       // one above as this one: from -1 to 1 it is asked only who wins
        int threads = 1;
    };
    virtual DropSolution solve(const Question& question, const Limits& limits, const StopFlag& stop, DropProgress* progress) = 0;

    // Forgets everything.
    virtual void clear() = 0;

    struct TableUse {
        std::size_t bytes;  // that it may take
        std::int64_t entries;
        std::int64_t taken;  // about so many of them
    };
    virtual TableUse table_use() const = 0;
};

}  // namespace inarow
