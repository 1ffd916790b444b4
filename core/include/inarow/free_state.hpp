// A position as the search sees it: an attacker who wants to complete a line, a defender who wants to prevent that (by blocking, or by
// completing a line of its own first), the residual lines of both, and who is to move.
//
// With no lines for the defender this is the weak (Maker-Breaker) game.
//
// Three reductions keep positions small without changing who wins:
//
//     superset   a line that contains another line of the same side is dropped: the smaller one is completed first, and
//                whatever blocks the smaller blocks the larger.
//     twins      two cells that lie on exactly the same lines (of both sides): whoever takes one, the other side may answer on the
//                other, so nobody need count on a line through them. All these lines are dropped.
//     dead       a cell on no line does not exist.
//
// With a limited number of plies the twins' answer costs time: there only cells that are on no line of the defender count as twins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "inarow/free_sets.hpp"

namespace inarow {

constexpr int attacker = 0;
constexpr int defender = 1;

// For `plies_left`: the attacker may take as long as it wants.
constexpr int endless = std::numeric_limits<int>::max();

template <class Set>
struct FreeState {
    std::vector<FreeLine<Set>> lines[2];  // by side; no line contains another of its side
    Set live{};                           // the cells on any line
    bool attacker_moves = true;
    int plies_left = endless;

    int mover() const { return attacker_moves ? attacker : defender; }
    bool is_weak() const { return lines[defender].empty(); }
    bool is_endless() const { return plies_left == endless; }

    // How many moves each side has in the plies that are left.
    int moves_left(int side) const {
        if (is_endless()) return endless;
        return (plies_left + (side == mover() ? 1 : 0)) / 2;
    }
};

// splitmix64: well mixed words from a counter.
constexpr std::uint64_t mixed_word(std::uint64_t counter) {
    std::uint64_t z = (counter + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

// Makes moves and keeps states reduced. Has its own scratch memory; belongs to one thread.
template <class Set>
class FreeReducer {
public:
    explicit FreeReducer(int cells) : signatures_(static_cast<std::size_t>(cells)) {
        std::size_t slots = 16;
        while (slots < 4 * static_cast<std::size_t>(cells)) slots *= 2;
        slots_.resize(slots);
    }

    // `to` becomes the position after the mover's stone on `cell`. Precondition: this does not complete a line.
    void play(const FreeState<Set>& from, int cell, FreeState<Set>& to) {
        const int side = from.mover();
        auto& own = to.lines[side];
        own.clear();
        for (const FreeLine<Set>& line : from.lines[side]) {
            if (!line.cells.test(cell)) continue;
            own.push_back({line.cells, line.size - 1});
            own.back().cells.remove(cell);
        }
        // Only a line that became shorter can lie inside another one now.
        const std::size_t shorter = own.size();
        for (const FreeLine<Set>& line : from.lines[side]) {
            if (!line.cells.test(cell) && !contains_any(line, own, shorter)) own.push_back(line);
        }
        auto& others = to.lines[1 - side];
        others.clear();
        for (const FreeLine<Set>& line : from.lines[1 - side]) {
            if (!line.cells.test(cell)) others.push_back(line);
        }
        to.attacker_moves = !from.attacker_moves;
        to.plies_left = from.is_endless() ? endless : from.plies_left - 1;
        reduce(to);
    }

    // Drops lines that contain others of their side. Needed once, at the root: `play` keeps it so.
    static void drop_supersets(std::vector<FreeLine<Set>>& lines) {
        std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.size < b.size; });
        std::size_t kept = 0;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (!contains_any(lines[i], lines, kept)) lines[kept++] = lines[i];
        }
        lines.resize(kept);
    }

    // Drops what is too long for the plies left, and the lines through twins, until nothing changes.
    void reduce(FreeState<Set>& state) {
        if (!state.is_endless()) drop_late(state);
        do {
            state.live = Set{};
            for (const auto& lines : state.lines) {
                for (const FreeLine<Set>& line : lines) state.live |= line.cells;
            }
        } while (drop_twins(state, nullptr));
    }

    // One round of dropping the lines through twins; false when there were none. The pairs are added to `pairs` where it is given.
    bool drop_twins(FreeState<Set>& state, std::vector<int>* pairs) {
        sign_cells(state);
        const Set twins = find_twins(state, pairs);
        if (twins.empty()) return false;
        for (auto& lines : state.lines) {
            std::erase_if(lines, [&](const FreeLine<Set>& line) { return line.cells.meets(twins); });
        }
        return true;
    }

private:
    static bool contains_any(const FreeLine<Set>& line, const std::vector<FreeLine<Set>>& others, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            if (line.cells.contains(others[i].cells)) return true;
        }
        return false;
    }

    // The attacker needs as many moves as its line has cells. A line of the defender matters when it is completed in time, or when
    // it makes a threat that the attacker must answer before its own last move: both need as many moves of the defender.
    static void drop_late(FreeState<Set>& state) {
        for (const int side : {attacker, defender}) {
            const int moves = state.moves_left(side);
            std::erase_if(state.lines[side], [&](const FreeLine<Set>& line) { return line.size > moves; });
        }
    }

    // signatures_[cell]: a sum of one random word for each line through the cell.
    void sign_cells(const FreeState<Set>& state) {
        state.live.for_each([&](int cell) { signatures_[static_cast<std::size_t>(cell)] = 0; });
        std::size_t number = 0;
        while (words_.size() < state.lines[attacker].size() + state.lines[defender].size()) words_.push_back(mixed_word(words_.size()));
        for (const auto& lines : state.lines) {
            for (const FreeLine<Set>& line : lines) {
                const std::uint64_t word = words_[number++];
                line.cells.for_each([&](int cell) { signatures_[static_cast<std::size_t>(cell)] += word; });
            }
        }
    }

    Set find_twins(const FreeState<Set>& state, std::vector<int>* pairs) {
        Set blocked{};
        if (!state.is_endless()) {
            for (const FreeLine<Set>& line : state.lines[defender]) blocked |= line.cells;
        }
        Set twins{};
        std::fill(slots_.begin(), slots_.end(), 0);
        const std::size_t mask = slots_.size() - 1;
        (state.live - blocked).for_each([&](int cell) {
            const std::uint64_t signature = signatures_[static_cast<std::size_t>(cell)];
            std::size_t slot = (signature >> 32) & mask;
            for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
                const int before = slots_[slot] - 1;
                if (signatures_[static_cast<std::size_t>(before)] != signature) continue;
                if (pairs && !twins.test(before)) pairs->insert(pairs->end(), {before, cell});
                twins.add(before);
                return;
            }
            slots_[slot] = static_cast<std::uint16_t>(cell + 1);
        });
        return twins;
    }

    std::vector<std::uint64_t> signatures_;
    std::vector<std::uint64_t> words_;
    std::vector<std::uint16_t> slots_;  // cells by signature: open addressing, 0 is empty
};

}  // namespace inarow
