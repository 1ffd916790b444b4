// Writes a strategy down, so that others can check it without searching.
//
// The strategist wins, or holds (the opponent completes no line), from a position on. The walk visits what can happen if the strategist
// plays by its strategy and the opponent plays anything; where the strategist has a choice, a number (token) says what it does. The
// checker walks the same way and reads the numbers. In one visit, for the side to move:
//
//     strategist   time is over -> done · completes a line -> done · nothing to fear -> done · seen before -> done
//                  token  move             play it
//                         cells            a pairing follows: count, then two cells for each pair
//                         cells + 1        the potential is small enough
//     opponent     time is over -> done · nothing to fear -> done · seen before -> done
//                  the strategist threatens to complete two lines -> done · one -> only the answer is looked at
//                  token (hold with free placement, no threat)   0 all moves   1 a pairing follows   2 potential
//                  every move that is to be looked at, ascending
//
// Moves are cells, with gravity columns. Tokens are LEB128 varints.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "inarow/position.hpp"
#include "inarow/stop.hpp"

namespace inarow {

constexpr int any_plies = std::numeric_limits<int>::max();

struct ProofGoal {
    Seat strategist = Seat::first;
    bool is_win = false;    // else: hold
    int plies = any_plies;  // counted from the root: the line is complete by then, or the opponent has none until then
};

// What a strategy does at a position.
struct ProofStep {
    enum class Kind : std::uint8_t { unknown, move, all_moves, pairing, potential };
    Kind kind = Kind::unknown;
    Cell move = no_cell;
    std::vector<Cell> pairs{};  // two cells after each other
};

// Whoever knows the strategy. `plies_left`: of the goal, from this position on; any_plies when there is no limit.
class ProofOracle {
public:
    virtual ~ProofOracle() = default;

    // The strategist is to move and cannot complete a line: a move, or (hold, free placement) a pairing or potential.
    virtual ProofStep strategist_step(const Position& position, const ProofGoal& goal, int plies_left) = 0;

    // The opponent is to move, the goal is hold, placement free: all_moves, pairing or potential.
    virtual ProofStep opponent_step(const Position& position, const ProofGoal& goal, int plies_left) = 0;
};

struct ProofLimits {
    std::size_t tokens = std::numeric_limits<std::size_t>::max();
    std::size_t positions = std::numeric_limits<std::size_t>::max();  // that are remembered as seen; each takes up to 64 bytes
};

enum class WalkEnd : std::uint8_t { complete, stopped, too_long, no_strategy };

struct WrittenProof {
    WalkEnd end = WalkEnd::stopped;
    std::size_t tokens = 0;
    std::vector<std::uint8_t> bytes;  // the tokens so far as LEB128 varints
};

class ProofWriter {
public:
    // Precondition: the game is not over at the root.
    ProofWriter(const Position& root, const ProofGoal& goal, ProofOracle& oracle, const ProofLimits& limits, const StopFlag& stop);

    WrittenProof write();

private:
    // Positions that were visited: open addressing, doubled when half full.
    struct Key {
        std::uint64_t high = 0;
        std::uint64_t low = 0;
        auto operator<=>(const Key&) const = default;
    };

    bool visit();
    bool visit_strategist();
    bool visit_opponent();
    bool look_at_moves(const std::vector<Cell>& moves);
    bool play_on(Cell cell);
    bool write_pairs(const std::vector<Cell>& pairs);
    bool write_token(std::uint64_t token);
    bool fail(WalkEnd end);
    bool nothing_to_fear() const;
    bool is_new();
    void grow_seen();
    void make(Cell cell);
    void unmake();
    void toggle(Cell cell, Seat seat);
    int ply() const { return position_.ply() - root_ply_; }
    int plies_left() const { return goal_.plies == any_plies ? any_plies : goal_.plies - ply(); }
    std::uint64_t move_token(Cell cell) const;

    Position position_;
    ProofGoal goal_;
    ProofOracle& oracle_;
    ProofLimits limits_;
    const StopFlag& stop_;
    int root_ply_;
    WrittenProof proof_;
    std::array<std::uint64_t, max_symmetries> keys_{};  // a second key for each symmetry, beside the position's own
    std::vector<Key> seen_;
    std::size_t seen_count_ = 0;
};

}  // namespace inarow
