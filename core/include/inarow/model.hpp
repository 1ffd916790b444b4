// A position together with an evaluation and an order of moves that follow it: what a search works on.
#pragma once

#include <utility>

#include "inarow/orders.hpp"

namespace inarow {

template <class Evaluation, class Order>
class Model {
public:
    Model(Position position, Evaluation evaluation, Order order)
        : position_(std::move(position)), evaluation_(std::move(evaluation)), order_(std::move(order)) {}

    const Position& position() const { return position_; }

    void make(Cell cell) {
        evaluation_.before_make(position_, cell);
        order_.before_make(position_, cell);
        position_.make(cell);
        evaluation_.after_make(position_, cell);
        order_.after_make(position_, cell);
    }

    void unmake() {
        const Cell cell = position_.moves().back();
        position_.unmake();
        evaluation_.after_unmake(position_, cell);
        order_.after_unmake(position_, cell);
    }

    // For the player to move; the game must not be over.
    Score value() const { return evaluation_.value(position_); }

    // What a move that does not end the game leads to, for the player who makes it. Most evaluations can tell without making it.
    Score value_after(Cell cell) {
        if constexpr (requires { evaluation_.value_after(position_, cell); }) {
            if (evaluation_.looks_ahead()) return evaluation_.value_after(position_, cell);
        }
        make(cell);
        const Score score = -value();
        unmake();
        return score;
    }

    // Appends the moves to look at, best first.
    void append_moves(bool is_root, Cells& cells, Watch& watch) { order_.append(position_, evaluation_, is_root, cells, watch); }

private:
    Position position_;
    Evaluation evaluation_;
    Order order_;
};

}  // namespace inarow
