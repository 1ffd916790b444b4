// Evaluations: what a position that is not over is worth to the player to move.
//
// Each follows a position as stones come and go. before_make sees the position without the stone, after_make with it, after_unmake
// without it again; value() is asked for when all is up to date.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "inarow/position.hpp"
#include "inarow/score.hpp"
#include "inarow/window_sum.hpp"

namespace inarow {

// What follows a position and has nothing to do at some of its steps inherits these.
struct Follower {
    void before_make(const Position&, Cell) {}
    void after_make(const Position&, Cell) {}
    void after_unmake(const Position&, Cell) {}
};

inline Score seen_by_mover(const Position& position, std::int64_t value_to_first) {
    return clamped(position.turn() == Seat::first ? value_to_first : -value_to_first);
}

// A sum over windows of a value by their counts: Telos, Cadrega, and anybody with a table.
class WindowsEvaluation : public Follower {
public:
    static constexpr bool is_slow = false;

    WindowsEvaluation(const Position& position, std::span<const std::int32_t> values)
        : sum_(position.geometry(), position.windows(), values) {}

    void before_make(const Position& position, Cell cell) {
        sum_.mark(position.geometry(), position.windows(), cell, position.turn());
    }
    void after_unmake(const Position&, Cell) { sum_.unmark(); }

    Score value(const Position& position) const { return seen_by_mover(position, sum_.value()); }

    // What the mover would have after playing on a cell, seen by the mover.
    bool looks_ahead() const { return true; }
    Score value_after(const Position& position, Cell cell) const {
        const Seat seat = position.turn();
        return seen_by_mover(position, sum_.value() + sum_.change(position.geometry(), position.windows(), cell, seat));
    }

private:
    WindowSum sum_;
};

// The same, but a window with stones of one seat alone counts double when it shares a cell with such a window of the same
// seat in another direction (Telos, section 4.2). Counted anew for every value.
class CrossingsEvaluation : public Follower {
public:
    static constexpr bool is_slow = true;

    CrossingsEvaluation(const Position& position, std::span<const std::int32_t> values);

    Score value(const Position& position) const { return seen_by_mover(position, sum(position, no_cell)); }
    bool looks_ahead() const { return true; }
    Score value_after(const Position& position, Cell cell) const { return seen_by_mover(position, sum(position, cell)); }

private:
    // The sum as the first seat sees it, with a stone of the mover added on a cell unless it is no_cell.
    std::int64_t sum(const Position& position, Cell added) const;

    std::vector<std::int32_t> values_;
    mutable std::vector<WindowCode> codes_;
    mutable std::vector<std::uint8_t> crossed_;  // by cell: one bit for each seat and direction with such a window
};

}  // namespace inarow
