// The engine's Model of free placement: a ThreatBoard with a turn, a key and candidates.
//
// Defences. The player to move (D) cannot win at once, and the opponent (A), were it A's turn, would win by a known line of fours
//
//     a1 d1 a2 d2 … an        A makes a four on a1, which leaves one winning cell, d1; D must take it; …; the last stone wins,
//                             or leaves two winning cells (a double), which are then the last cells of the line
//
// Let D play m instead of waiting. If m is none of the line's cells, all of A's stones can still be placed and all windows that A fills are
// as before. So the line still wins unless D gets a four of its own on the way, which A would have to answer. D's stones during the line
// are m, the replies d1 … di and the stones already there; so such a four exists only if m makes a four in the position after some di
// (or at once). Therefore: a move that is neither on the line nor makes a four for D in any of the positions along it loses, and
// no other move has to be searched. Where there are several doubles, a move must be a defence against each.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "inarow/cell_network.hpp"
#include "inarow/engine_model.hpp"
#include "inarow/threat_board.hpp"

namespace inarow {

class FreeModel {
public:
    using Tables = ThreatTables;
    static constexpr bool passing_is_a_bound = true;

    FreeModel(std::shared_ptr<const Geometry> geometry, std::shared_ptr<const ThreatTables> tables);

    void make(Cell cell) {
        key_ ^= board_.geometry().key_words(cell, turn_)[0];
        board_.place(cell, turn_);
        toggle(cell);
        moves_.push_back(cell);
        turn_ = other(turn_);
    }
    void unmake() {
        const Cell cell = moves_.back();
        moves_.pop_back();
        turn_ = other(turn_);
        toggle(cell);
        board_.remove();
        sums_.stones_left(board_.stones());
        key_ ^= board_.geometry().key_words(cell, turn_)[0];
    }
    void pass() {
        key_ ^= pass_word;
        moves_.push_back(no_cell);
        turn_ = other(turn_);
    }
    void unpass() {
        moves_.pop_back();
        turn_ = other(turn_);
        key_ ^= pass_word;
    }

    const ThreatBoard& board() const { return board_; }
    Seat turn() const { return turn_; }
    std::uint64_t key() const { return key_; }
    std::uint64_t key_after(Cell cell) const { return key_ ^ board_.geometry().key_words(cell, turn_)[0]; }
    std::span<const Cell> moves() const { return moves_; }
    Cell last_move(int back) const {
        const auto played = static_cast<int>(moves_.size());
        return back < played ? moves_[static_cast<std::size_t>(played - 1 - back)] : no_cell;
    }
    int cells() const { return board_.geometry().cells(); }
    int free_cells() const { return board_.free_cells(); }
    int legal_moves() const { return board_.free_cells(); }
    bool is_legal(Cell cell) const { return 0 <= cell && cell < cells() && board_.is_free(cell); }

    // How much weaker the second seat is believed to be than the first, in hundredths of a logit. Counts where the network knows of draws.
    void set_contempt(int contempt) { contempt_ = contempt; }

    bool is_drawn() const { return board_.is_dead(); }
    Outlook outlook() const { return {}; }
    Score value() const;
    unsigned threat_mask() const;  // of ThreatBit

    int wins(Seat seat) const { return board_.count(seat, Threat::win); }
    Cell winning_cell(Seat seat) const { return board_.first_at_least(seat, Threat::win); }
    bool wins_at(Cell cell) const { return board_.threat(turn_, cell) == Threat::win; }
    bool has_double(Seat seat) const { return board_.count(seat, Threat::open_four) > 0; }
    Cell double_cell(Seat seat) const { return board_.first_at_least(seat, Threat::open_four); }
    int fours(Seat seat) const {
        return board_.count(seat, Threat::four) + strong_fours(seat);
    }
    int strong_fours(Seat seat) const {
        return board_.count(seat, Threat::four_three) + board_.count(seat, Threat::four_open_three) + board_.count(seat, Threat::open_four);
    }

    void append_fours(RankedMoves& moves, bool only_strong) const;
    bool makes_four(Cell cell) const { return board_.threat(turn_, cell) >= Threat::four; }
    bool makes_threat(Cell cell) const { return board_.threat(turn_, cell) >= Threat::open_three; }
    void append_attacks(RankedMoves& moves) const;
    void append_moves(RankedMoves& moves) const;
    void append_others(RankedMoves& moves) const;
    void append_defences_to_doubles(RankedMoves& moves);
    void append_defences_to_line(std::span<const Cell> line, RankedMoves& moves);

private:
    static constexpr std::uint64_t pass_word = 0x8f5c28f5c28f5c29u;

    __extension__ typedef unsigned __int128 RowBits;  // a bit for each column

    void toggle(Cell cell) {
        const int columns = board_.geometry().game().columns;
        stones_[static_cast<std::size_t>(cell / columns)] ^= RowBits{1} << cell % columns;
    }
    std::int32_t rank(Cell cell) const {
        return board_.entry(turn_, cell).attack + board_.entry(other(turn_), cell).defence;
    }
    void find_candidates(std::vector<RowBits>& rows) const;
    template <class Visit>
    void for_each_bit(const std::vector<RowBits>& rows, Visit&& visit) const;
    void mark(Cell cell, int times);
    void append_marked(RankedMoves& moves, int wanted);

    ThreatBoard board_;
    mutable NetworkSums sums_;                 // follow the board when they are asked for
    std::vector<RowBits> stones_;              // of both players, by row
    mutable std::vector<RowBits> candidates_;  // scratch
    std::vector<Cell> moves_;
    std::vector<std::int32_t> marks_;  // for defences: how many threats a cell defends against
    std::vector<Cell> marked_;         // the cells with marks
    std::uint64_t key_;
    Seat turn_ = Seat::first;
    int contempt_ = 0;
};

static_assert(EngineModel<FreeModel>);

}  // namespace inarow
