#include "inarow/proof_walk.hpp"

#include <algorithm>
#include <cassert>

#include "inarow/free_state.hpp"

namespace inarow {

namespace {

enum OpponentToken : std::uint64_t { all_moves_token = 0, pairing_token = 1, potential_token = 2 };

constexpr std::size_t first_seen = 1024;

}  // namespace

ProofWriter::ProofWriter(const Position& root, const ProofGoal& goal, ProofOracle& oracle, const ProofLimits& limits, const StopFlag& stop)
    : position_(root), goal_(goal), oracle_(oracle), limits_(limits), stop_(stop), root_ply_(root.ply()), seen_(first_seen) {
    assert(!root.is_over());
    Seat seat = Seat::first;
    for (const Cell cell : root.moves()) {
        toggle(cell, seat);
        seat = other(seat);
    }
}

WrittenProof ProofWriter::write() {
    if (visit()) proof_.end = WalkEnd::complete;
    return std::move(proof_);
}

bool ProofWriter::fail(WalkEnd end) {
    proof_.end = end;
    return false;
}

bool ProofWriter::visit() {
    if (stop_.is_set()) return fail(WalkEnd::stopped);
    if (seen_count_ >= limits_.positions) return fail(WalkEnd::too_long);
    return position_.turn() == goal_.strategist ? visit_strategist() : visit_opponent();
}

bool ProofWriter::visit_strategist() {
    if (!goal_.is_win && plies_left() <= 0) return true;
    if (!position_.winning_cells(goal_.strategist).empty()) {
        return !goal_.is_win || plies_left() >= 1 || fail(WalkEnd::no_strategy);
    }
    if (goal_.is_win && plies_left() <= 0) return fail(WalkEnd::no_strategy);
    if (nothing_to_fear() || !is_new()) return true;

    const ProofStep step = oracle_.strategist_step(position_, goal_, plies_left());
    const Game& game = position_.game();
    const auto moves = static_cast<std::uint64_t>(game.gravity ? game.columns : game.cells());
    switch (step.kind) {
        case ProofStep::Kind::move: return write_token(move_token(step.move)) && play_on(step.move);
        case ProofStep::Kind::pairing: return write_token(moves) && write_pairs(step.pairs);
        case ProofStep::Kind::potential: return write_token(moves + 1);
        default: return fail(stop_.is_set() ? WalkEnd::stopped : WalkEnd::no_strategy);
    }
}

bool ProofWriter::visit_opponent() {
    if (!goal_.is_win && plies_left() <= 0) return true;
    if (!position_.winning_cells(position_.turn()).empty()) return fail(WalkEnd::no_strategy);
    if (nothing_to_fear() || !is_new()) return true;

    std::vector<Cell> moves;
    if (!goal_.is_win || plies_left() >= 2) moves = position_.winning_cells(goal_.strategist);
    if (moves.size() >= 2) return true;
    if (moves.size() == 1) return look_at_moves(moves);
    const Game& game = position_.game();
    if (!goal_.is_win && !game.gravity) {
        const ProofStep step = oracle_.opponent_step(position_, goal_, plies_left());
        if (step.kind == ProofStep::Kind::pairing) return write_token(pairing_token) && write_pairs(step.pairs);
        if (step.kind == ProofStep::Kind::potential) return write_token(potential_token);
        if (step.kind != ProofStep::Kind::all_moves) return fail(stop_.is_set() ? WalkEnd::stopped : WalkEnd::no_strategy);
        if (!write_token(all_moves_token)) return false;
    }
    if (game.gravity) {
        for (int column = 0; column < game.columns; ++column) {
            if (position_.landing(column) != no_cell) moves.push_back(position_.landing(column));
        }
    } else {
        for (Cell cell = 0; cell < game.cells(); ++cell) {
            if (position_.is_free(cell)) moves.push_back(cell);
        }
    }
    return look_at_moves(moves);
}

bool ProofWriter::look_at_moves(const std::vector<Cell>& moves) {
    return std::all_of(moves.begin(), moves.end(), [&](Cell cell) { return play_on(cell); });
}

bool ProofWriter::play_on(Cell cell) {
    assert(position_.is_legal(cell));
    make(cell);
    const bool is_full = position_.free_cells().count() == 0;
    const bool done = is_full ? !goal_.is_win || fail(WalkEnd::no_strategy) : visit();
    unmake();
    return done;
}

bool ProofWriter::write_pairs(const std::vector<Cell>& pairs) {
    bool fits = write_token(pairs.size() / 2);
    for (const Cell cell : pairs) fits = fits && write_token(static_cast<std::uint64_t>(cell));
    return fits;
}

bool ProofWriter::write_token(std::uint64_t token) {
    if (proof_.tokens >= limits_.tokens) return fail(WalkEnd::too_long);
    ++proof_.tokens;
    for (; token >= 0x80; token >>= 7) proof_.bytes.push_back(static_cast<std::uint8_t>(token | 0x80));
    proof_.bytes.push_back(static_cast<std::uint8_t>(token));
    return true;
}

std::uint64_t ProofWriter::move_token(Cell cell) const {
    const Game& game = position_.game();
    return static_cast<std::uint64_t>(game.gravity ? cell % game.columns : cell);
}

// Whether the goal is to hold and no line of the opponent is left.
bool ProofWriter::nothing_to_fear() const {
    if (goal_.is_win) return false;
    const int windows = position_.geometry().windows();
    for (int window = 0; window < windows; ++window) {
        if (position_.windows().stones(window, goal_.strategist) == 0) return false;
    }
    return true;
}

// Remembers the position; false when it, or an image of it, was seen before.
bool ProofWriter::is_new() {
    Key least{~std::uint64_t{0}, ~std::uint64_t{0}};
    for (std::size_t s = 0; s < position_.keys().size(); ++s) least = std::min(least, Key{position_.keys()[s], keys_[s]});
    const std::size_t mask = seen_.size() - 1;
    std::size_t slot = least.low & mask;
    for (; seen_[slot] != Key{}; slot = (slot + 1) & mask) {
        if (seen_[slot] == least) return false;
    }
    seen_[slot] = least;
    if (++seen_count_ * 2 > seen_.size()) grow_seen();
    return true;
}

void ProofWriter::grow_seen() {
    std::vector<Key> old(seen_.size() * 2);
    old.swap(seen_);
    const std::size_t mask = seen_.size() - 1;
    for (const Key& key : old) {
        if (key == Key{}) continue;
        std::size_t slot = key.low & mask;
        while (seen_[slot] != Key{}) slot = (slot + 1) & mask;
        seen_[slot] = key;
    }
}

void ProofWriter::make(Cell cell) {
    toggle(cell, position_.turn());
    position_.make(cell);
}

void ProofWriter::unmake() {
    const Cell cell = position_.moves().back();
    position_.unmake();
    toggle(cell, position_.turn());
}

void ProofWriter::toggle(Cell cell, Seat seat) {
    const Geometry& geometry = position_.geometry();
    for (int s = 0; s < geometry.symmetries(); ++s) {
        const auto image = static_cast<std::uint64_t>(geometry.image(s, cell));
        keys_[static_cast<std::size_t>(s)] ^= mixed_word(image * 2 + static_cast<std::uint64_t>(index(seat)));
    }
}

}  // namespace inarow
