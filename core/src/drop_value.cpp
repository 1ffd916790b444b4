// What a position with gravity is worth: the evaluation of DropModel.
#include <algorithm>

#include "inarow/drop_model.hpp"
#include "inarow/engine_table.hpp"

namespace inarow {

DropModel::Zugzwang DropModel::zugzwang() const {
    const int rows = geometry_->game().rows;
    std::array<Trap, max_side> traps;
    std::size_t count = 0;
    int safe = free_cells_;
    for_each_bit((now().threats[0] | now().threats[1]) & open_columns_, [&](int column) {
        const int height = height_of(landing(column));
        const Bits wins = height + 1 < rows ? (winning_rows_[0][at(column)] | winning_rows_[1][at(column)]) >> (height + 1) : Bits{0};
        if (wins == 0) return;
        const int run = lowest(wins);
        safe += run - (rows - height);
        traps[count++] = {column, height + run + 1};
    });
    const int until = safe;
    while (count > 0) {
        const Seat mover = safe % 2 == 0 ? turn_ : other(turn_);
        const auto is_win = [&](Seat seat, const Trap& trap, int row) { return has(winning_rows_[at(seat)][at(trap.column)], row); };
        // The cell to waste: rather one after which the other has to move.
        std::size_t chosen = count;
        int chosen_moves = 0, chosen_row = rows;
        for (std::size_t i = 0; i < count && chosen_moves % 2 == 0; ++i) {
            const Trap& trap = traps[i];
            if (is_win(other(mover), trap, trap.row)) continue;
            // What follows at once on top of it.
            Seat next = mover;
            int row = trap.row + 1, moves = 0;
            while (row < rows && !is_win(next, trap, row) && is_win(other(next), trap, row)) {
                next = other(next);
                ++row;
                ++moves;
            }
            if (row < rows && is_win(next, trap, row)) {
                if (next == mover) return {index(mover), until};
                continue;
            }
            const Bits wins = row + 1 < rows ? (winning_rows_[0][at(trap.column)] | winning_rows_[1][at(trap.column)]) >> (row + 1) : Bits{0};
            const int run = wins != 0 ? lowest(wins) : rows - row;
            chosen = i;
            chosen_moves = moves + run;
            chosen_row = wins != 0 ? row + 1 + run : rows;
        }
        if (chosen == count) return {index(other(mover)), until};
        safe += 2 + chosen_moves;
        traps[chosen].row = chosen_row;
        if (chosen_row == rows) traps[chosen] = traps[--count];
    }
    return {};
}

// 1. The windows. 2. The threats, column by column, from below. 3. Who would win by zugzwang. 4. The turn.
Score DropModel::value() const {
    const DropWeights& weights = tables_->weights().drop;
    const Seat leader = free_cells_ % 2 == 0 ? turn_ : other(turn_);
    std::array<Threats, 2> found;  // the leader's, the follower's
    for_each_bit((now().threats[0] | now().threats[1]) & open_columns_, [&](int column) { sum_threats(column, leader, found); });
    const auto sound = [&](const Threats& threats) { return threats.best + (threats.sound - threats.best) * weights.not_best / 100; };
    const int follower_share = found[0].best > 0 ? weights.follower_answered : 100;
    const Score leads = sound(found[0]) + found[0].unsound - sound(found[1]) * follower_share / 100 - found[1].unsound;
    const Zugzwang end = zugzwang();
    const Score decided = end.winner < 0 ? 0 : (end.winner == index(turn_) ? 1 : -1) * weights.zugzwang * std::max(1000 - weights.zugzwang_decay * end.until, 0) / 1000;
    const Score windows = (turn_ == Seat::first ? now().value : -now().value) / DropWeights::window_unit;
    return std::clamp(windows + (turn_ == leader ? leads : -leads) + decided + weights.turn, -max_evaluation, max_evaluation);
}

void DropModel::sum_threats(int column, Seat leader, std::array<Threats, 2>& found) const {
    const DropWeights& weights = tables_->weights().drop;
    const int lowest_height = height_of(landing(column)) + 1;  // a winning cell that can be played is the search's business
    if (lowest_height >= geometry_->game().rows) return;
    const std::array<Bits, 2> rows{winning_rows_[at(leader)][at(column)] >> lowest_height, winning_rows_[at(other(leader))][at(column)] >> lowest_height};
    const Bits followers_rows = followers_rows_ >> lowest_height;
    const int worths[2][2] = {{weights.leader_unsound, weights.leader_sound}, {weights.follower_unsound, weights.follower_sound}};
    std::array<int, 2> share{100, 100};
    for (Bits left = rows[0] | rows[1]; left != 0; left &= left - 1) {
        const int row = lowest(left);
        for (std::size_t side = 0; side < 2; ++side) {
            if (!has(rows[side], row)) continue;
            const bool is_sound = has(followers_rows, row) == (side == 1);
            int worth = worths[side][is_sound];
            worth -= worth * std::min(weights.height * row, 100) / 100;
            if (row < max_side - 1 && has(rows[side], row + 1)) worth += weights.stacked;
            worth = worth * share[side] / 100;
            if (is_sound) found[side].best = std::max(found[side].best, worth);
            (is_sound ? found[side].sound : found[side].unsound) += worth;
        }
        if (has(rows[0], row)) share[1] = weights.above_other;
        if (has(rows[1], row)) share[0] = weights.above_other;
    }
}

}  // namespace inarow
