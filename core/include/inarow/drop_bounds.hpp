// What parity alone says about a position with gravity.
//
// Names. The *follower* is the player who would put the very last stone on the board, the *leader* is the other: with an even
// number of free cells the leader is to move. A column is *even* when it has an even number of free cells. The follower's rows are
// the uppermost and every second one below it.
//
// 1. The follower may answer every move of the leader directly above it. In an even column that is always possible, and brings
//    the follower every free cell of its rows there. The odd columns are even in number when the leader is to move, so that
//    they have an even number of free cells together: there the follower can always answer somewhere, directly above where
//    it can. So the leader gets at most the free cells of even columns outside the follower's rows, and those of odd
//    columns. Never two new ones on top of each other: a line straight up that needs two more stones is not to be had either,
//    and one that needs a single stone is won now, which the caller has looked for. If no other line is left to the leader
//    it cannot win; and if the follower's sure cells complete a line, the follower wins.
//
// 2. Let the leader have a winning cell x in an odd column, in a row that is not the follower's, with the follower to move. The cells
//    below the one below x are even in number, and so are the free cells of the other odd columns. So the leader can answer as
//    in 1 until the follower has to play below x. The follower gets no free cell of its own rows in even columns, none of those
//    that the leader answers with below x, and none from x on. If no line is left to it, the leader wins with x at the latest.
//
// This is "follow-up" and the "zugzwang" of Allis (1988), here for all columns at once, any number of rows and any K.
#pragma once

#include <algorithm>

#include "inarow/drop_shape.hpp"

namespace inarow {
inline namespace INAROW_TARGET {

template <class Word, int fixed_k>
class DropBounds {
public:
    static constexpr int none = 1 << 20;

    explicit DropBounds(const DropShape<Word, fixed_k>& shape) : shape_(shape) {}

    // An upper bound for the player to move, or `none`. Precondition: that player cannot win with this move. `other_wins` are the free
    // cells on which the other player would.
    int upper(Word mover, Word mask, int free_cells, Word other_wins) const {
        return free_cells % 2 == 0 ? leader_upper(mover, mask) : follower_upper(mover, mask, other_wins);
    }

    int leader_upper(Word leader, Word mask) const {
        const Word free = shape_.full() ^ mask;
        const Word sure = follower_cells(free, mask);
        if (shape_.sloped_lines(leader | (free ^ sure)) != 0) return none;
        return shape_.sloped_lines((leader ^ mask) | sure) != 0 ? -1 : 0;
    }

    int follower_upper(Word follower, Word mask, Word leader_wins) const {
        const Word free = shape_.full() ^ mask;
        const Word rows = shape_.follower_rows();
        const Word even = even_columns(free, mask);
        int bound = none;
        for (Word left = leader_wins & ~rows & (free ^ even); left != 0;) {
            const Word x = left & (~left + 1);
            const int column = lowest_index(x) / shape_.stride();
            const Word cells = shape_.column(column);
            left &= ~cells;
            const Word answers = (even & rows) | (free & cells & ((x >> 1) - 1) & ~rows);
            const Word above = free & cells & ~(x - 1);
            if (shape_.sloped_lines(follower | (free & ~answers & ~above)) != 0) continue;
            const int row = lowest_index(x) - column * shape_.stride();
            bound = std::min(bound, -(shape_.rows() - row) / 2);
        }
        return bound;
    }

    // The cells that are sure to become the follower's, with the leader to move. Also for many masks at once.
    template <class Bits>
    Bits follower_cells(Bits free, Bits mask) const {
        return even_columns(free, mask) & shape_.follower_rows();
    }

private:
    // The free cells of even columns: added to itself, an odd column's lowest free cell carries over its top.
    template <class Bits>
    Bits even_columns(Bits free, Bits mask) const {
        const Bits lowest_of_odd = (mask + shape_.bottom()) & shape_.follower_rows();
        return (free + lowest_of_odd) & shape_.full();
    }

    const DropShape<Word, fixed_k>& shape_;
};

}  // namespace INAROW_TARGET
}  // namespace inarow
