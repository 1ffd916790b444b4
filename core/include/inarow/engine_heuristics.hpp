// What makes the engine's search more than alpha-beta: each heuristic by name, with its constants. Each can be switched off, to measure
// what it brings; none may change what a search proves.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "inarow/score.hpp"

namespace inarow {

// The number beside each name is what it brought in 200 games at 20,000 nodes on 15x15x5, in Elo, give or take 45: RESULTS.md has the command.
enum class Heuristic : unsigned {
    aspiration,          //  +105: search with a narrow window around the last score first
    forcing_at_root,     //    -7: look for a win by fours alone before the search
    threes_at_root,      //   +24: … and for one by threats,
    forcing_in_nodes,    //    -5: … in every node by fours,
    forcing_at_horizon,  //   -15: … and before a leaf is evaluated
    threat_defence,      //   -24: look for the opponent's win by fours if one passed, and search only the moves that stop it
    reverse_futility,    //   +41: a node far above beta needs no search
    razoring,            //    +3: a shallow node far below alpha neither
    null_move,           //   -26: whoever is above beta even after a pass is above beta
    internal_reduction,  //   -45: a node without a known best move is searched one ply less
    singular,            //   -10: a table move much better than all others is searched deeper
    table_value,         //   -24: a score from the table is a better evaluation where its bound allows it
    move_count,          //  +240: only so many of the best-looking moves are searched, fewer the nearer the horizon is
    futility,            //   +10: in shallow nodes none that cannot reach alpha
    reductions,          //   +22: late moves are searched less deep at first
    history,             //   +84: moves that cut elsewhere come earlier
    count,
};

// A set of heuristics; all are on unless they are taken out.
class Heuristics {
public:
    bool has(Heuristic heuristic) const { return (off_ >> static_cast<unsigned>(heuristic) & 1) == 0; }
    void switch_off(Heuristic heuristic) { off_ |= 1u << static_cast<unsigned>(heuristic); }

private:
    unsigned off_ = 0;
};

namespace tuned {

// Aspiration: the first half-width, doubled on each failure.
constexpr Score aspiration_width = 30;
constexpr int aspiration_depth = 5;

// Wins by fours: fours to try at most (at the root for all lengths of the line together, and at most such a part of all nodes and of the time),
// and plies to look ahead.
constexpr std::int64_t root_forcing_nodes = 40000;
constexpr int root_forcing_part = 32;
constexpr int root_forcing_plies = 61;
constexpr std::int64_t node_forcing_nodes = 60;
constexpr int node_forcing_plies = 21;
constexpr std::int64_t horizon_forcing_nodes = 24;
constexpr int horizon_forcing_plies = 13;
constexpr int threat_defence_depth = 2;

// Wins by threats: nodes to spend at most, the part of all nodes and of the time, and how hard attacks look before they are searched, where a
// four counts 1.
constexpr std::int64_t root_threes_nodes = 200000;
constexpr int root_threes_part = 32;
constexpr int winning_part = 4;  // of all nodes and of the time for each, while a win that was reported is played
constexpr int three_number = 2;
constexpr int other_attack_number = 4;

constexpr int reverse_futility_depth = 8;
constexpr Score reverse_futility_margin(int depth, bool is_improving) { return 45 * depth - (is_improving ? 30 : 0); }
constexpr int razoring_depth = 3;
constexpr Score razoring_margin(int depth) { return 120 + 110 * depth; }
constexpr int null_move_depth = 4;
constexpr int null_move_reduction(int depth) { return 3 + depth / 4; }
constexpr int internal_reduction_depth = 4;
constexpr int singular_depth = 7;
constexpr Score singular_margin(int depth) { return 2 * depth; }
constexpr int first_moves = 4;
constexpr double move_count_power = 1.32;
constexpr int futility_depth = 6;
constexpr Score futility_margin(int depth) { return 40 + 45 * depth; }
constexpr int reduction_depth = 2;
constexpr double reduction_base = 0.4;

// How far the ranks of moves by their threats and by their history weigh against each other.
constexpr int killer_rank = 60;
constexpr int second_killer_rank = 40;
constexpr int counter_move_rank = 50;
constexpr int history_divisor = 96;

// A soft limit of time is multiplied by the first number after an iteration that has changed the best move, by the next one when the move has
// stayed the same once, and so on; and by up to twice as much when the score has fallen so far.
constexpr std::array<double, 7> unrest{1.7, 1.4, 1.2, 1.0, 0.85, 0.75, 0.65};
constexpr Score unrest_fall = 200;

}  // namespace tuned

// How unsettled a search is, from iteration to iteration: about 1 on average.
class Unrest {
public:
    // The best move of an iteration, and its score.
    void note(Cell move, Score score) {
        same_ = move == move_ ? std::min(same_ + 1, tuned::unrest.size() - 1) : 0;
        fall_ = move_ == no_cell ? 0 : std::clamp<Score>(score_ - score, 0, tuned::unrest_fall);
        move_ = move;
        score_ = score;
    }

    double factor() const { return tuned::unrest[same_] * (1 + static_cast<double>(fall_) / tuned::unrest_fall); }

private:
    Cell move_ = no_cell;
    Score score_ = 0;
    std::size_t same_ = 0;
    Score fall_ = 0;
};

// Plies by which a late move is reduced, by depth and number of the move: ln(depth) * ln(number). And how many moves of a node are
// searched at all, by depth: a little more than so many. Both shapes, and that pruning by count may be so bold, in nodes of the
// principal variation too, are known from Rapfi.
class LateMoves {
public:
    LateMoves() {
        for (std::size_t depth = 1; depth < size; ++depth) {
            const auto d = static_cast<double>(depth);
            counts_[depth] = tuned::first_moves + static_cast<int>(std::pow(d, tuned::move_count_power));
            for (std::size_t number = 1; number < size; ++number) {
                reductions_[depth][number] = static_cast<std::int8_t>(tuned::reduction_base + std::log(d) * std::log(static_cast<double>(number)));
            }
        }
    }

    int reduction(int depth, int number) const { return reductions_[index(depth)][index(number)]; }
    int count(int depth, bool is_improving) const { return counts_[index(depth)] / (is_improving ? 1 : 2); }

private:
    static constexpr std::size_t size = 64;
    static std::size_t index(int number) { return static_cast<std::size_t>(std::min<int>(number, size - 1)); }

    std::array<std::array<std::int8_t, size>, size> reductions_{};
    std::array<int, size> counts_{};
};

}  // namespace inarow
