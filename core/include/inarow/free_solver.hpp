// Who wins a game with free placement, from any position.
//
// Two questions decide a position: does the player to move win, and does the other one? Each of them is asked in stages, the cheap
// ones first; a stage that says "no" ends the question:
//
//     trivial      no line is left, or the board is empty (there the second player cannot win: an extra stone never harms)
//     pairing, potential                             the defender holds without a search
//     weak_game    the defender's own lines left out: what it holds there it holds in the game
//     search       the game itself, with the weak game to cut it short
//
// With `shortest`, a won or lost game is then asked again with 1, 2, 3, ... plies until the win fits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "inarow/free_search.hpp"
#include "inarow/free_torus.hpp"
#include "inarow/position.hpp"

namespace inarow {

// For the player to move.
enum class FreeValue : std::int8_t { loss = -1, draw = 0, win = 1 };

// The stages by their price.
enum class FreeMethod : std::uint8_t { none, trivial, pairing, potential, weak_game, search, distance };

struct FreeOptions {
    bool weak_only = false;  // the player to move is Maker: `win` when it completes a line although the other only blocks, else `draw`
    bool shortest = false;   // also in how many plies; a weak game has no such number
};

struct FreeSolution {
    FreeValue lower = FreeValue::loss;  // what is certain so far
    FreeValue upper = FreeValue::win;
    int plies = -1;                     // until the winning stone, with best play of both; -1: not known, or a draw
    Cell move = no_cell;                // keeps the value; no_cell when the game is over, it is the weak game, or the limits came first
    FreeMethod method = FreeMethod::none;  // the dearest stage that was needed
    std::int64_t nodes = 0;
    double seconds = 0;

    bool is_known() const { return lower == upper; }
    FreeValue value() const { return lower; }  // precondition: is_known()
};

// The lines without a stone of the other seat, each without the cells that `seat` has already.
LineList living_lines(const Position& position, Seat seat);

class FreeSolver {
public:
    // Uses at most so many bytes (and a tenth more) for its table and its search. Throws std::bad_alloc.
    FreeSolver(std::shared_ptr<const Geometry> geometry, std::size_t bytes);

    // Precondition: the position is one of this geometry, without gravity. What was learnt stays for the next call.
    FreeSolution solve(const Position& position, const Limits& limits, const StopFlag& stop, FreeOptions options = {},
                       FreeProgress* progress = nullptr);

    // Pairs of free cells that hold the position against `attacking`, two after each other; empty when none was found before the watch ended.
    std::vector<Cell> pairing(const Position& position, Seat attacking, Watch& watch);

    // Whether the sum of 2^-(free cells) over the living lines of `attacking` is so small that the other seat holds.
    static bool potential_holds(const Position& position, Seat attacking);

    // A move of the player to move with which `attacking` still wins (if that is the player to move) or still does not win (if it
    // is the other one), within `plies_left` plies. no_cell: there is none, or the watch ended.
    Cell keeping_move(const Position& position, Seat attacking, int plies_left, Watch& watch);

    // For how large and how full it is.
    const FreeTable& table() const { return table_; }

private:
    struct Question;

    FreeEngine* engine(const LineList& attack, const LineList& defence);
    bool ask_statically(const Position& position, Question& question, Watch& watch);
    void ask(Question& question, std::int64_t nodes, bool weak_only, Watch& watch, FreeProgress* progress);
    void search(std::vector<Question*> questions, bool weak_only, FreeSolution& solution, Watch& watch, FreeProgress* progress);
    static void conclude(const Question& question, FreeSolution& solution, FreeProgress* progress);
    void find_plies(const Question& question, FreeSolution& solution, Watch& watch, FreeProgress* progress);
    Cell move_for(const Position& position, const FreeSolution& solution, Watch& watch, FreeProgress* progress);

    Cell kept_move(const FreeQuestion& asked, Watch& watch, FreeProgress* progress);

    std::shared_ptr<const Geometry> geometry_;
    std::size_t frame_bytes_;
    FreeTable table_;
    TorusPairing torus_;
    std::vector<Cell> engine_cells_;
    std::unique_ptr<FreeEngine> engine_;
};

}  // namespace inarow
