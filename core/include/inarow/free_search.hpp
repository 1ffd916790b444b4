// Proof-number search, depth first (df-pn), for "does the attacker complete a line?".
//
// Positions with the attacker to move are OR nodes: one winning child proves them, all children must be refuted to refute them. With the
// defender to move it is the other way round. Every node has a proof and a disproof number (ProofNumbers); the search goes down to
// the node whose proof or disproof costs least, and stays in a subtree until another one looks cheaper by a quarter.
//
//         proof  disproof      `most`: the largest number of a child, and 1 for each other undecided child. (Their sum would count
//     OR  min    most          what many children have in common many times: the order of moves hardly matters here.)
//     AND most   min           A node's children are evaluated, once, when it is entered: by the table, by the rules below, or by
//                              the number of moves to look at.
//
// Decided without search, in this order: a line with one cell to go; two such lines of the other side; potential; pairing; a win by
// threats; the weak game (the defender's lines left out), as far as it is known: what Breaker holds there is held here.
// Moves to look at: where the other side would complete a line; else the zone of its win by threats; without cells that lie on no
// line on which a better cell does not lie too.
// In the weak game Maker, to move, wins iff it wins one of the parts that share no cell: the children are then the parts.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "inarow/free_key.hpp"
#include "inarow/free_pairing.hpp"
#include "inarow/free_table.hpp"
#include "inarow/free_threats.hpp"
#include "inarow/watch.hpp"

namespace inarow {

// How far a search is; another thread may read it.
struct FreeProgress {
    std::atomic<std::int64_t> nodes{0};
    std::atomic<std::uint32_t> proof{1};
    std::atomic<std::uint32_t> disproof{1};
    std::atomic<int> lower{-1};  // what is certain of the value: -1 loss, 0 draw, 1 win, for the player to move
    std::atomic<int> upper{1};
};

// Who attacks and what is left of the lines of both sides, in cells of the board.
struct FreeQuestion {
    LineList attack;
    LineList defence;  // empty: the weak game
    bool attacker_moves = true;
    int plies_left = endless;  // the attacker must complete a line within so many plies
};

// The search for one set of cells; it hides how many words a set of cells takes.
class FreeEngine {
public:
    virtual ~FreeEngine() = default;

    // Searches until the question is decided, `nodes` more are used up, or the watch has ended.
    virtual ProofNumbers solve(const FreeQuestion& question, std::int64_t nodes, Watch& watch, FreeProgress* progress) = 0;

    // A move of the side to move that keeps what it has: for the attacker a win, for the defender a refutation.
    // no_cell when it has none, or none was found before the watch ended.
    virtual Cell best_move(const FreeQuestion& question, Watch& watch, FreeProgress* progress) = 0;

    // Pairs of cells (two after each other) with one in each line of the attack; empty when none was found.
    virtual std::vector<Cell> pairing(const LineList& attack) = 0;
};

// An engine for lines on these cells of the board; null when they are too many. `frame_bytes` bounds its memory beside the table.
std::unique_ptr<FreeEngine> make_free_engine(const Geometry& geometry, std::vector<Cell> cells, FreeTable& table, std::size_t frame_bytes);

template <class Set>
class FreeSearch final : public FreeEngine {
public:
    using State = FreeState<Set>;
    using Lines = std::vector<FreeLine<Set>>;

    // `labels`: the board's cell for each label. Frames of the search stay below `frame_bytes`.
    FreeSearch(const Geometry& geometry, std::vector<Cell> labels, FreeTable& table, std::size_t frame_bytes);

    ProofNumbers solve(const FreeQuestion& question, std::int64_t nodes, Watch& watch, FreeProgress* progress) override;
    Cell best_move(const FreeQuestion& question, Watch& watch, FreeProgress* progress) override;
    std::vector<Cell> pairing(const LineList& attack) override;

private:
    struct Child {
        FreeKey key;
        ProofNumbers numbers;
        int move;  // a cell; or -1 - cell: the part of a weak game around this cell
    };
    struct Frame {
        State state;
        FreeKey key{};
        std::vector<Child> children;
    };
    // What the rules say about a state, and the moves that must be looked at if they do not decide it.
    struct Outlook {
        ProofNumbers numbers;
        Set moves;
        int winning_move;
    };

    Lines labelled(const LineList& list) const;
    State loaded(const FreeQuestion& question);
    void begin(const State& state, std::int64_t nodes, Watch& watch, FreeProgress* progress);
    ProofNumbers solve_state(const State& state);
    ProofNumbers probe(const State& state);
    Frame* frame(std::size_t depth);
    ProofNumbers search(std::size_t depth, ProofNumbers limits);
    ProofNumbers evaluate(std::size_t depth);
    ProofNumbers weak_value(std::size_t depth);
    Outlook look(const State& state);
    bool expand(std::size_t depth);
    bool add_child(std::size_t depth, int move);
    void order_moves(const State& state, const Set& moves);
    void descend(std::size_t depth, int move);
    void drop_held_parts(State& state);
    Set part_around(const Lines& lines, int cell) const;
    bool is_held(const Lines& lines, bool attacker_moves);
    static ProofNumbers combine(const std::vector<Child>& children, bool attacker_moves);
    static ProofNumbers child_limits(const std::vector<Child>& children, bool attacker_moves, ProofNumbers limits, std::size_t& best);
    bool is_ended() const { return out_of_frames_ || watch_->ended() || watch_->nodes() >= end_; }

    std::vector<Cell> labels_;
    std::vector<int> label_of_;
    FreeTable& table_;
    FreeReducer<Set> reducer_;
    FreeKeyMaker keys_;
    ThreatSearch<Set> threats_;
    PairingSearch<Set> pairing_;
    std::deque<Frame> frames_;
    std::size_t frame_bytes_;
    std::size_t lines_in_frame_ = 0;
    bool out_of_frames_ = false;
    Watch* watch_ = nullptr;
    FreeProgress* progress_ = nullptr;
    std::int64_t end_ = 0;
    struct Scored {
        std::uint64_t score;
        int cell;
    };
    std::vector<Scored> scored_;
    std::vector<Set> common_;            // by label: the cells that lie on all lines of this one
    std::vector<std::uint64_t> scores_;  // by label: the potential of its lines
};

}  // namespace inarow
