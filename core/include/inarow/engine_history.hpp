// What a thread's search remembers about moves, whatever the position: which cut, and after which moves.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "inarow/types.hpp"

namespace inarow {

class MoveHistory {
public:
    explicit MoveHistory(int cells)
        : seats_{std::vector<std::int16_t>(static_cast<std::size_t>(cells)), std::vector<std::int16_t>(static_cast<std::size_t>(cells))},
          replies_(continuation_size),
          follow_ups_(continuation_size),
          counters_(static_cast<std::size_t>(cells), no_cell) {}

    // The sum of what is known of a move by its seat: alone, as a reply to the last move, and as a follow-up to the own move before.
    int of(Seat seat, Cell move, Cell last, Cell before) const {
        int sum = seats_[static_cast<std::size_t>(index(seat))][static_cast<std::size_t>(move)];
        if (last != no_cell) sum += replies_[pair(last, move)];
        if (before != no_cell) sum += follow_ups_[pair(before, move)];
        return sum;
    }

    void learn(Seat seat, Cell move, Cell last, Cell before, int bonus) {
        nudge(seats_[static_cast<std::size_t>(index(seat))][static_cast<std::size_t>(move)], bonus);
        if (last != no_cell) nudge(replies_[pair(last, move)], bonus);
        if (before != no_cell) nudge(follow_ups_[pair(before, move)], bonus);
    }

    Cell counter(Cell last) const { return last == no_cell ? no_cell : counters_[static_cast<std::size_t>(last)]; }
    void set_counter(Cell last, Cell move) {
        if (last != no_cell) counters_[static_cast<std::size_t>(last)] = move;
    }

    void clear() {
        for (auto& seat : seats_) std::fill(seat.begin(), seat.end(), 0);
        std::fill(replies_.begin(), replies_.end(), 0);
        std::fill(follow_ups_.begin(), follow_ups_.end(), 0);
        std::fill(counters_.begin(), counters_.end(), no_cell);
    }

    static int bonus(int depth) { return std::min(depth * depth * 16, 1600); }

private:
    static constexpr int limit = 8192;
    // Pairs of cells share these entries by a hash that is one to one up to 22 x 22.
    static constexpr std::size_t continuation_size = std::size_t{1} << 18;

    static std::size_t pair(Cell first, Cell second) {
        return (static_cast<std::size_t>(first) * 512 + static_cast<std::size_t>(second)) % continuation_size;
    }
    // Towards the limit ever more slowly, so that it is never passed.
    static void nudge(std::int16_t& value, int bonus) { value = static_cast<std::int16_t>(value + bonus - value * std::abs(bonus) / limit); }

    std::array<std::vector<std::int16_t>, 2> seats_;
    std::vector<std::int16_t> replies_;
    std::vector<std::int16_t> follow_ups_;
    std::vector<Cell> counters_;
};

}  // namespace inarow
