// What the threads of one search share: the table, and what each has finished.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "inarow/engine_reports.hpp"
#include "inarow/engine_table.hpp"

namespace inarow {

// The deepest iteration that some thread has finished: whoever is no deeper leaves its own and goes on from there. Nobody waits for the
// lock, since whoever holds it may not be running: what cannot be told is found again, and of what cannot be read only the depth counts.
class FinishedIterations {
public:
    // In the order of time: of a later search, or deeper.
    static constexpr std::uint64_t number(std::uint32_t search, int depth) { return std::uint64_t{search} << 32 | static_cast<std::uint32_t>(depth); }

    const std::atomic<std::uint64_t>& last() const { return last_; }

    void tell(std::uint64_t number, const EngineLine& line) {
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock || number <= last_.load(std::memory_order_relaxed)) return;
        line_ = line;
        last_.store(number, std::memory_order_relaxed);
    }

    // False when it cannot be read now.
    bool read(std::uint64_t& number, EngineLine& line) {
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock) return false;
        number = last_.load(std::memory_order_relaxed);
        line = line_;
        return true;
    }

private:
    std::atomic<std::uint64_t> last_ = 0;
    std::mutex mutex_;
    EngineLine line_;
};

struct SearchTeam {
    EngineTable& table;
    std::atomic<std::int64_t> helper_nodes{0};
    bool is_alone = true;
    FinishedIterations finished{};
};

}  // namespace inarow
