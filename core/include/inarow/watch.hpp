// Counts the nodes of a search and says when it must end: by a number of nodes, by the clock, or because it is told to.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

#include "inarow/stop.hpp"

namespace inarow {

constexpr std::int64_t unlimited_nodes = std::int64_t{1} << 62;

struct Limits {
    std::int64_t nodes = unlimited_nodes;
    double seconds = std::numeric_limits<double>::infinity();
    int depth = std::numeric_limits<int>::max();
    double soft_seconds = std::numeric_limits<double>::infinity();  // so long on average, when there is a choice: see Unrest
    double gap = 0;  // for how long searches were held up lately, in seconds; see Watch
};

// On a busy machine a search is held up: for tens of milliseconds the processor does something else, and what was in time before is
// late after. The Watch sees such a gap when it looks at the clock, and ends the search so early that another gap as long would do
// no harm; but it leaves a search a fifth of its time.

class Watch {
public:
    using Clock = std::chrono::steady_clock;

    // The clock and the flag are looked at every `interval` nodes: often where nodes are slow, as on large boards. At each look the new
    // nodes are added to `counter`, if there is one, for other threads to read.
    Watch(const Limits& limits, const StopFlag& stop, int interval, std::atomic<std::int64_t>* counter = nullptr)
        : limits_(limits), stop_(stop), interval_(interval), counter_(counter), begin_(Clock::now()) {
        limits_.nodes = std::min(limits_.nodes, unlimited_nodes);
        last_look_ = begin_;
        next_look_ = std::min<std::int64_t>(interval_, limits_.nodes + 1);
    }

    // Call on entering a node; false when the search must end without it.
    bool enter() {
        if (++nodes_ >= next_look_ && !look()) --nodes_;
        return !ended_;
    }

    bool ended() const { return ended_; }

    // From now on the search also ends when this number is reached, by another thread; and can then go on.
    void race(const std::atomic<std::uint64_t>& reached, std::uint64_t goal) {
        reached_ = &reached;
        goal_ = goal;
    }
    bool is_overtaken() const { return is_overtaken_; }
    void go_on() {
        ended_ = is_overtaken_ = false;
        look_soon();
    }

    std::int64_t nodes() const { return nodes_; }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

    // The part of the time that is used; 0 without a time limit.
    double used_share() const { return limits_.seconds > 0 ? seconds() / limits_.seconds : 1; }

    // The longest time between two looks of this search.
    double longest_gap() const { return longest_gap_; }

    // Looks now, whatever the count; for long work between nodes. False when the search must end.
    bool look();
    // Looks at the next node.
    void look_soon() {
        if (!ended_) next_look_ = nodes_ + 1;
    }

private:
    static constexpr double max_spare_share = 0.8;

    Limits limits_;
    const StopFlag& stop_;
    std::int64_t interval_;
    std::atomic<std::int64_t>* counter_;
    std::int64_t counted_ = 0;  // nodes that are in it
    std::int64_t nodes_ = 0;
    std::int64_t next_look_;
    bool ended_ = false;
    const std::atomic<std::uint64_t>* reached_ = nullptr;
    std::uint64_t goal_ = 0;
    bool is_overtaken_ = false;
    Clock::time_point begin_;
    Clock::time_point last_look_;
    double longest_gap_ = 0;
};

// What is remembered of a gap from one search to the next: half of it, so that a single one is soon forgotten.
constexpr double remembered_gap(double before, double now) { return std::max(before / 2, now); }

// How many nodes may pass between two looks at the clock, so that they take well under a millisecond on any board.
constexpr int look_interval(int cells) { return std::clamp(4096 / cells, 1, 64); }

}  // namespace inarow
