// The strong player: a search with threads, a table that is kept from move to move, and reports.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "inarow/engine_heuristics.hpp"
#include "inarow/engine_reports.hpp"
#include "inarow/geometry.hpp"
#include "inarow/threats.hpp"
#include "inarow/watch.hpp"

namespace inarow {

// For one thread at a time; only the StopFlag and the mailbox of a search may be used by others while it runs.
class Engine {
public:
    struct Options {
        std::size_t memory_bytes = std::size_t{64} << 20;
        int threads = 1;
        Heuristics heuristics;
    };
    struct Request {
        std::span<const Cell> moves;  // of the game so far
        int lines = 1;                // how many of the best moves are to be told apart
        bool is_told = true;          // false: nobody hears the result, all that counts is what the table learns
        std::span<const Cell> lost{};  // moves that are known to lose: they are not looked at, unless there is no other
        int contempt = 0;              // how much weaker the second seat is believed to be than the first, in hundredths of a logit
    };

    virtual ~Engine() = default;

    // The best move of the position after these moves. Throws std::invalid_argument when one of them cannot be played or the game is over.
    // With one thread and no time limit the result depends only on what was asked of this engine before.
    virtual EngineResult search(const Request& request, const Limits& limits, const StopFlag& stop, ReportMailbox* mailbox = nullptr) = 0;

    // The value of the position after these moves for the player to move, without a search.
    virtual Score value(std::span<const Cell> moves, int contempt = 0) = 0;

    // Forgets everything that was learned.
    virtual void clear() = 0;

    // Has the system provide the table's memory now, as much as it does in so many seconds: later that would take a search's time.
    // False when it has provided all.
    virtual bool take_memory(double seconds) = 0;

    virtual const EngineWeights& weights() const = 0;

    // Throws std::invalid_argument without threads, and std::bad_alloc.
    static std::unique_ptr<Engine> make(std::shared_ptr<const Geometry> geometry, const Options& options, const EngineWeights& weights);
};

}  // namespace inarow
