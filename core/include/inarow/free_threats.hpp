// Wins by threats alone: each move leaves a line with one cell to go, so the reply is forced, until a move makes two such lines at once.
//
//     lines of the attacker   {a, b}  {b, c, d}  {c, e, f} {d, e}     a: threat, forced b  -> not this one, b blocks {b, c, d}
//                                                                     b: threat, forced a, leaves {c, d}; then d threatens c and e
//
// Finding one proves a win. It also says what the other side could do about it if it were to move (`zone`): any other move lets
// the sequence go through as it is. The zone holds
//     - the cells of the sequence itself,
//     - every cell of a line of the other side that its forced replies bring down to two cells or fewer: with one more stone there
//       it would have a threat of its own on the way.
#pragma once

#include <cstdint>
#include <vector>

#include "inarow/free_state.hpp"

namespace inarow {

template <class Set>
struct ThreatWin {
    int first_move = -1;
    Set zone{};
};

template <class Set>
class ThreatSearch {
public:
    using Lines = std::vector<FreeLine<Set>>;

    // Does the side with `own` lines, to move, win by at most `max_moves` moves before the completing one?
    // Precondition: neither side has a line of one cell.
    bool find(const Lines& own, const Lines& others, int max_moves, ThreatWin<Set>& win) {
        own_ = &own;
        others_ = &others;
        budget_ = budget;
        visited_.clear();
        pairs_.clear();
        if (max_moves < 1 || !follow({}, {}, -1, max_moves, win)) return false;
        for (const FreeLine<Set>& line : others) {
            const Set rest = line.cells - replies_;
            if (rest.count_to(3) <= 2) win.zone |= rest;
        }
        return true;
    }

private:
    // More is rarely found, and the search around this one finds it too.
    static constexpr int budget = 64;

    // `mine` and `theirs` are the stones of the sequence so far; `answer` is where the other side threatens (-1: nowhere).
    bool follow(const Set& mine, const Set& theirs, int answer, int moves, ThreatWin<Set>& win) {
        const std::size_t begin = pairs_.size();
        const bool has_double = collect_pairs(mine, theirs);
        const std::size_t end = pairs_.size();
        const bool found = (has_double && finish(begin, end, mine, theirs, answer, win)) ||
                           (moves > 1 && go_on(begin, end, mine, theirs, answer, moves, win));
        pairs_.resize(begin);
        return found;
    }

    // Appends what is left of the lines with two cells to go; true when two of them share a cell.
    bool collect_pairs(const Set& mine, const Set& theirs) {
        Set seen{};
        bool shared = false;
        for (const FreeLine<Set>& line : *own_) {
            if (line.cells.meets(theirs)) continue;
            const Set rest = line.cells - mine;
            if (rest.count_to(3) != 2) continue;
            shared = shared || seen.meets(rest);
            seen |= rest;
            pairs_.push_back(rest);
        }
        return shared;
    }

    // Two different pairs that share a cell: a stone there threatens twice.
    bool finish(std::size_t begin, std::size_t end, const Set& mine, const Set& theirs, int answer, ThreatWin<Set>& win) {
        for (std::size_t i = begin; i < end; ++i) {
            for (std::size_t j = i + 1; j < end; ++j) {
                const Set common = pairs_[i] & pairs_[j];
                if (common.empty() || pairs_[i] == pairs_[j]) continue;
                if (answer >= 0 && common.lowest() != answer) continue;
                win.first_move = common.lowest();
                win.zone = mine | theirs | pairs_[i] | pairs_[j];
                replies_ = theirs;
                return true;
            }
        }
        return false;
    }

    bool go_on(std::size_t begin, std::size_t end, const Set& mine, const Set& theirs, int answer, int moves, ThreatWin<Set>& win) {
        for (std::size_t i = begin; i < end; ++i) {
            const Set pair = pairs_[i];
            bool done = false;
            pair.for_each([&](int cell) {
                if (done || (answer >= 0 && cell != answer)) return;
                Set reply = pair;
                reply.remove(cell);
                done = threaten(cell, reply, mine, theirs, moves, win);
            });
            if (done) return true;
        }
        return false;
    }

    bool threaten(int cell, const Set& reply, Set mine, Set theirs, int moves, ThreatWin<Set>& win) {
        if (budget_-- <= 0) return false;
        mine.add(cell);
        theirs |= reply;
        for (const Set& before : visited_) {
            if (before == mine) return false;
        }
        visited_.push_back(mine);
        int answer = -1;
        for (const FreeLine<Set>& line : *others_) {
            if (!line.cells.meets(reply) || line.cells.meets(mine)) continue;
            const Set rest = line.cells - theirs;
            if (rest.count_to(2) > 1) continue;
            if (answer >= 0 && rest.lowest() != answer) return false;
            answer = rest.lowest();
        }
        if (!follow(mine, theirs, answer, moves - 1, win)) return false;
        win.first_move = cell;
        return true;
    }

    const Lines* own_ = nullptr;
    const Lines* others_ = nullptr;
    int budget_ = 0;
    Set replies_{};
    std::vector<Set> visited_;
    std::vector<Set> pairs_;
};

}  // namespace inarow
