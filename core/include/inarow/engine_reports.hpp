// What the engine says: while it searches, through a mailbox, and in the end.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "inarow/score.hpp"
#include "inarow/table.hpp"

namespace inarow {

// A line of play with its score for the player to move at the root.
struct EngineLine {
    std::vector<Cell> moves;
    Score score = 0;
    Bound bound = Bound::exact;
    int depth = 0;
    int selective_depth = 0;
};

struct EngineReport {
    EngineLine line;
    int number = 0;  // 0: the best line
    std::int64_t nodes = 0;
    double seconds = 0;
    int table_use = 0;  // thousandths
};

struct EngineResult {
    Cell move = no_cell;
    std::vector<EngineLine> lines;  // best first
    int depth = 0;                  // the last that was finished
    std::int64_t nodes = 0;
    double seconds = 0;
    bool stopped = false;  // a limit or the stop flag ended it
    int table_use = 0;
    double longest_gap = 0;  // between two looks at the clock, in seconds
};

// Reports on their way from a search to whoever waits for them in another thread.
class ReportMailbox {
public:
    void put(EngineReport report) {
        {
            const std::lock_guard lock(mutex_);
            reports_.push_back(std::move(report));
        }
        arrived_.notify_all();
    }

    // The oldest report; waits for one at most so long. None: no report came, or the box is closed and empty.
    std::optional<EngineReport> take(double seconds) {
        std::unique_lock lock(mutex_);
        arrived_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return is_closed_ || !reports_.empty(); });
        if (reports_.empty()) return std::nullopt;
        EngineReport report = std::move(reports_.front());
        reports_.pop_front();
        return report;
    }

    // No more reports will come.
    void close() {
        {
            const std::lock_guard lock(mutex_);
            is_closed_ = true;
        }
        arrived_.notify_all();
    }
    bool is_closed() const {
        const std::lock_guard lock(mutex_);
        return is_closed_;
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<EngineReport> reports_;
    bool is_closed_ = false;
};

}  // namespace inarow
