// The engine's Model of gravity: windows with what they lack, and for every column what can be won in it.
//
// Windows. As in windows.hpp, codes count both seats' stones; beside the code stands the sum of the window's free cells. So where one stone is
// missing the sum is the cell on which it would win; where two are missing and one of them is put down, the rest of the sum is.
//
//     cells 35 36 37 38   x x . .    code 2, sum 75: a stone on 37 makes 38 a winning cell
//
// Columns. Sets of columns and sets of a column's rows are words of 128 bits. Rows are counted from the bottom here: bit h of a column's
// word is the cell with h cells below it, and heights_[column] is the one that can be played.
//
// Winning. A cell wins when a seat would complete a window there; it wins at once when a stone can be put there now. A *four* is a move that
// leaves its player a cell on which it wins at once, and on top of which the other does not win. A *double* is a four that leaves two
// such cells, or one with another winning cell directly on top of it: whoever takes the lower makes the upper playable.
//
// Zugzwang. Where nobody makes threats any more, both fill the cells that matter to nobody. Who then has to put a stone below a winning cell
// of the other's loses; below one of its own it only wastes the cell, since the other takes it, and the column goes on from there.
//
// Parity. On boards of up to 128 bits drop_bounds.hpp says who cannot win any more, and who loses, from the stones as words of bits.
//
// Defences. Let the other, were it to move, win by a known line of fours (free_model.hpp). A move in none of the line's columns changes neither
// where the line's stones land nor the windows they fill; so the line still wins, unless the defender can win at once somewhere on
// the way. That is found out by playing the line after the move. All other moves are defences.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "inarow/drop_bounds.hpp"
#include "inarow/drop_tables.hpp"
#include "inarow/engine_model.hpp"
#include "inarow/geometry.hpp"

namespace inarow {

// What parity says about boards that fit into a word.
struct DropParity {
    explicit DropParity(const Game& game) : shape(game), bounds(shape) {}
    DropParity(const DropParity&) = delete;
    DropParity& operator=(const DropParity&) = delete;

    static bool fits(const Game& game) { return (game.rows + 1) * game.columns <= Shape::word_bits; }

    using Shape = DropShape<Word128, 0>;
    Shape shape;
    DropBounds<Word128, 0> bounds;
};

class DropModel {
public:
    using Tables = DropTables;
    __extension__ typedef unsigned __int128 Bits;

    // Under gravity a player may be glad to pass, as nobody may: a pass says nothing about the best move.
    static constexpr bool passing_is_a_bound = false;

    DropModel(std::shared_ptr<const Geometry> geometry, std::shared_ptr<const DropTables> tables);

    void make(Cell cell);
    void unmake();
    void pass();
    void unpass();

    Seat turn() const { return turn_; }
    std::uint64_t key() const { return key_; }
    std::uint64_t key_after(Cell cell) const { return key_ ^ geometry_->key_words(cell, turn_)[0]; }
    Cell last_move(int back) const {
        const auto played = static_cast<int>(moves_.size());
        return back < played ? moves_[static_cast<std::size_t>(played - 1 - back)] : no_cell;
    }
    int cells() const { return geometry_->cells(); }
    int free_cells() const { return free_cells_; }
    int legal_moves() const { return count(open_columns_); }
    bool is_legal(Cell cell) const { return 0 <= cell && cell < cells() && landing(column_of(cell)) == cell; }

    bool is_drawn() const { return DropTables::alive(now().counts) == 0; }
    Outlook outlook() const;
    void set_contempt(int) {}  // how likely a draw is with gravity is not known
    Score value() const;

    int wins(Seat seat) const { return count(now().wins[at(seat)]); }
    Cell winning_cell(Seat seat) const { return first_landing(now().wins[at(seat)]); }
    bool wins_at(Cell cell) const { return is_winning(turn_, cell); }
    bool has_double(Seat seat) const { return looked(seat).doubles != 0; }
    Cell double_cell(Seat seat) const { return first_landing(looked(seat).doubles); }
    int fours(Seat seat) const { return count(looked(seat).fours); }
    int strong_fours(Seat seat) const { return count(looked(seat).strong_fours); }

    void append_fours(RankedMoves& moves, bool only_strong) const;
    bool makes_four(Cell cell) const { return has(looked(turn_).fours, column_of(cell)); }
    bool makes_threat(Cell cell) const;
    void append_attacks(RankedMoves& moves) const;
    void append_moves(RankedMoves& moves) const;
    void append_others(RankedMoves&) const {}
    void append_defences_to_doubles(RankedMoves& moves);
    void append_defences_to_line(std::span<const Cell> line, RankedMoves& moves);

private:
    static constexpr std::uint64_t pass_word = 0x8f5c28f5c28f5c29u;

    struct Window {
        std::int16_t code;
        std::int16_t first_rows;  // free cells in rows of the first seat
        std::int32_t free_sum;
    };

    // What the moves of a seat make, by column.
    struct Look {
        Bits fours = 0;
        Bits strong_fours = 0;  // with a second new winning cell, which may become playable
        Bits doubles = 0;
        bool is_known = false;
    };

    // What goes back to what it was when a stone is taken off again.
    struct State {
        std::array<Bits, 2> wins{};     // by seat: columns in which it wins at once
        std::array<Bits, 2> threats{};  // by seat: columns with winning cells, taken ones too
        std::int32_t value = 0;         // of all windows, as the first seat sees it
        std::int64_t counts = 0;        // of windows: see DropTables
        std::array<Look, 2> looks{};
    };

    // What a side's threats come to.
    struct Threats {
        Score best = 0;   // of the sound ones
        Score sound = 0;  // all of them
        Score unsound = 0;
    };

    // Who is left with good moves when nobody makes threats any more.
    struct Zugzwang {
        int winner = -1;  // an index of a seat; -1: nobody
        int until = 0;    // so many stones
    };
    // A column in which the next stone would give somebody a win on top of it.
    struct Trap {
        int column;
        int row;  // in which the win is
    };

    static std::size_t at(Seat seat) { return static_cast<std::size_t>(index(seat)); }
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    static Bits bit(int i) { return Bits{1} << i; }
    static bool has(Bits bits, int i) { return (bits >> i & 1) != 0; }
    static int count(Bits bits) {
        if (bits == 0) return 0;
        return std::popcount(static_cast<std::uint64_t>(bits)) + std::popcount(static_cast<std::uint64_t>(bits >> 64));
    }
    static int lowest(Bits bits) {
        const auto low = static_cast<std::uint64_t>(bits);
        return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<std::uint64_t>(bits >> 64));
    }
    template <class Visit>
    static void for_each_bit(Bits bits, Visit&& visit) {
        for (; bits != 0; bits &= bits - 1) visit(lowest(bits));
    }

    const State& now() const { return states_[depth_]; }
    State& now() { return states_[depth_]; }
    int column_of(Cell cell) const { return columns_of_[at(cell)]; }
    int height_of(Cell cell) const { return heights_of_[at(cell)]; }
    Cell landing(int column) const { return landings_[at(column)]; }  // negative when the column is full
    Seat owner_of(Cell cell) const { return has(followers_rows_, height_of(cell)) ? last_ : other(last_); }
    Cell first_landing(Bits columns) const { return columns == 0 ? no_cell : landing(lowest(columns)); }
    bool is_winning(Seat seat, Cell cell) const { return winning_windows_[at(seat)][at(cell)] > 0; }

    void add_winning_window(Seat seat, Cell cell);
    void remove_winning_window(Seat seat, Cell cell);
    // Calls visit(cell) for each cell, playable or not, on which a seat would win after a stone of its own here; some more than once.
    template <class Visit>
    void for_each_new_win(Seat seat, Cell stone, Visit&& visit) const;
    const Look& looked(Seat seat) const;
    void look_at(Seat seat, int column, Look& look) const;
    std::int32_t rank(int column) const;
    void sum_threats(int column, Seat leader, std::array<Threats, 2>& found) const;
    Zugzwang zugzwang() const;
    bool still_wins(Seat attacker, std::span<const Cell> line);

    std::shared_ptr<const Geometry> geometry_;
    std::shared_ptr<const DropTables> tables_;
    int columns_;
    bool counts_rows_;
    std::array<std::int16_t, 2> steps_;        // what a stone adds to a code
    std::array<std::int32_t, 2> one_missing_;  // codes
    std::array<std::int32_t, 2> two_missing_;
    std::vector<std::uint8_t> columns_of_, heights_of_;  // by cell
    std::vector<Window> windows_;
    std::array<std::vector<std::uint16_t>, 2> winning_windows_;  // by seat, by cell: how many it would complete there
    std::array<std::vector<Bits>, 2> winning_rows_;              // by seat, by column: rows with winning cells, taken ones too
    std::vector<Cell> landings_;                                 // by column
    std::shared_ptr<const DropParity> parity_;                   // none for large boards
    std::vector<std::uint8_t> bits_of_;                          // by cell: its bit in the parity's words
    std::array<Bits, 2> stones_{};                               // by seat, as such words
    std::array<Bits, 2> winning_{};                              // by seat: winning cells, taken ones too
    Bits open_columns_ = 0;
    Bits followers_rows_ = 0;  // of a column
    Seat last_ = Seat::first;  // the follower at the beginning: who would put the last stone
    int free_cells_;
    std::vector<Cell> moves_;
    mutable std::vector<State> states_;  // one for each stone, and the first
    std::size_t depth_ = 0;
    std::uint64_t key_;
    Seat turn_ = Seat::first;
};

static_assert(EngineModel<DropModel>);

}  // namespace inarow
