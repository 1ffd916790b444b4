// Counts the nodes of a search and says when it must end: by a number of nodes, by the clock, or because it is told to.
#pragma once

#include <algorithm>
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
};

class Watch {
public:
    using Clock = std::chrono::steady_clock;

    // The clock and the flag are looked at every `interval` nodes: often where nodes are slow, as on large boards.
    Watch(const Limits& limits, const StopFlag& stop, int interval)
        : limits_(limits), stop_(stop), interval_(interval), begin_(Clock::now()) {
        limits_.nodes = std::min(limits_.nodes, unlimited_nodes);
        next_look_ = std::min<std::int64_t>(interval_, limits_.nodes + 1);
    }

    // Call on entering a node; false when the search must end without it.
    bool enter() {
        if (++nodes_ >= next_look_ && !look()) --nodes_;
        return !ended_;
    }

    bool ended() const { return ended_; }
    std::int64_t nodes() const { return nodes_; }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

    // The part of the time that is used; 0 without a time limit.
    double used_share() const { return limits_.seconds > 0 ? seconds() / limits_.seconds : 1; }

    // Looks now, whatever the count; for long work between nodes. False when the search must end.
    bool look() {
        ended_ = ended_ || nodes_ > limits_.nodes || stop_.is_set() || seconds() >= limits_.seconds;
        next_look_ = nodes_ + interval_;
        if (limits_.nodes < next_look_) next_look_ = std::max(limits_.nodes + 1, nodes_ + 1);
        return !ended_;
    }

private:
    Limits limits_;
    const StopFlag& stop_;
    std::int64_t interval_;
    std::int64_t nodes_ = 0;
    std::int64_t next_look_;
    bool ended_ = false;
    Clock::time_point begin_;
};

// How many nodes may pass between two looks at the clock, so that they take well under a millisecond on any board.
constexpr int look_interval(int cells) { return std::clamp(4096 / cells, 1, 64); }

}  // namespace inarow
