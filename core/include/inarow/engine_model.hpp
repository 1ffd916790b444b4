// What the engine's search asks of a game: the search is a template over such a Model, one for each way to place stones.
//
// A Model is a position that can be played forward and back, with an evaluation and with what is known at once about winning and losing.
// "Wins at once": a stone can be put there and completes a window. A four is a move that leaves at least one such cell, and gives the opponent
// none. A double is a four after which no reply prevents the win: it leaves two such cells, say. Where the opponent cannot win at once,
// it wins with the third stone.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "inarow/score.hpp"

namespace inarow {

struct RankedMove {
    Cell cell;
    std::int32_t rank;  // higher is tried earlier
};
using RankedMoves = std::vector<RankedMove>;

// What is known of a position without search, for the player to move, who cannot win at once.
struct Outlook {
    bool may_win = true;
    int loses_in = 0;  // at most so many plies; 0 when no loss is known
};

template <class M>
concept EngineModel = requires(M model, const M seen, Cell cell, Seat seat, RankedMoves& moves, std::span<const Cell> line) {
    typename M::Tables;  // what a model is made from, beside the geometry: tables of weights
    // Whether the best move is at least as good as none, as nearly always.
    { M::passing_is_a_bound } -> std::convertible_to<bool>;

    // The moves; pass() gives the turn away, as no player may.
    model.make(cell);
    model.unmake();
    model.pass();
    model.unpass();
    { seen.turn() } -> std::same_as<Seat>;
    { seen.key() } -> std::same_as<std::uint64_t>;  // of the stones and the turn
    { seen.key_after(cell) } -> std::same_as<std::uint64_t>;
    { seen.last_move(int{}) } -> std::same_as<Cell>;  // 0: the latest; no_cell for a pass and before the first
    { seen.free_cells() } -> std::same_as<int>;
    { seen.legal_moves() } -> std::same_as<int>;
    { seen.is_legal(cell) } -> std::same_as<bool>;
    { seen.cells() } -> std::same_as<int>;

    // Nobody can win any more. Positions in which somebody has won are never reached: the search sees wins one move earlier.
    { seen.is_drawn() } -> std::same_as<bool>;
    { seen.outlook() } -> std::same_as<Outlook>;
    // How much weaker the second seat is believed to be than the first, from now on.
    model.set_contempt(int{});
    // For the player to move, within max_evaluation.
    { seen.value() } -> std::same_as<Score>;

    // On how many cells a seat, were it to move, would win at once; one of them; whether it has doubles; on how many cells it could make a
    // four: at least one cell on which it wins at once. A strong four makes something else besides, of which another four can come.
    { seen.wins(seat) } -> std::same_as<int>;
    { seen.winning_cell(seat) } -> std::same_as<Cell>;
    { seen.wins_at(cell) } -> std::same_as<bool>;  // for the player to move
    { seen.has_double(seat) } -> std::same_as<bool>;
    { seen.fours(seat) } -> std::same_as<int>;
    { seen.strong_fours(seat) } -> std::same_as<int>;
    { seen.double_cell(seat) } -> std::same_as<Cell>;

    // The fours of the player to move, ranked; and whether a cell is one of them.
    seen.append_fours(moves, bool{});
    { seen.makes_four(cell) } -> std::same_as<bool>;
    { seen.makes_threat(cell) } -> std::same_as<bool>;  // a four, or something that would become a double
    // The moves after which the player to move may threaten to win by fours: all fours, and at least all threes. Without ranks.
    seen.append_attacks(moves);
    // The moves worth looking at, ranked; and all others.
    seen.append_moves(moves);
    seen.append_others(moves);
    // Moves of the player to move, who cannot win at once, outside of which the opponent's threats surely win: see free_model.hpp.
    model.append_defences_to_doubles(moves);
    model.append_defences_to_line(line, moves);
};

}  // namespace inarow
