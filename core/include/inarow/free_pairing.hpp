// Two ways to see at once that an attacker cannot complete a line.
//
// Pairing. Disjoint pairs of cells such that each line contains a pair: the defender answers a stone in a pair on the pair's other
// cell, and the attacker never has a whole line. It is looked for as a matching that gives every line two cells of its own:
//
//     lines   L1 {a b c}   L2 {c d e}   L3 {b e f}          L1: a b    L2: c d    L3: e f
//
// One pair may serve many lines: lines that have two cells or more in common are first put into groups, and a group needs a pair
// from what is common to all its lines.
//
// Potential (Erdős and Selfridge). If the sum of 2^-size over the attacker's lines is less than 1/2 (less than 1 with the defender to
// move), the defender holds by always taking the cell with the largest sum.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "inarow/free_state.hpp"

namespace inarow {

// The potential in units of 2^-32, rounded up.
constexpr std::uint64_t whole_potential = std::uint64_t{1} << 32;

constexpr std::uint64_t potential_of(int size) { return size >= 32 ? 1 : whole_potential >> size; }

constexpr bool potential_holds(std::uint64_t potential, bool attacker_moves) {
    return potential < (attacker_moves ? whole_potential / 2 : whole_potential);
}

template <class Set>
class PairingSearch {
public:
    using Lines = std::vector<FreeLine<Set>>;

    explicit PairingSearch(int cells) : owner_(static_cast<std::size_t>(cells)) {}

    // Precondition: no line has fewer than two cells, or there is no pairing anyway.
    bool find(const Lines& lines) {
        groups_.clear();
        for (const FreeLine<Set>& line : lines) {
            if (line.size < 2) return false;
            groups_.push_back(line.cells);
        }
        if (match()) return true;
        return group(lines) && match();
    }

    // The pairs of the last pairing that was found, two cells after each other.
    void append_pairs(std::vector<int>& pairs) const {
        std::vector<int> first(groups_.size(), -1);
        used_.for_each([&](int cell) {
            int& other = first[static_cast<std::size_t>(owner_[static_cast<std::size_t>(cell)])];
            if (other < 0) {
                other = cell;
            } else {
                pairs.insert(pairs.end(), {other, cell});
            }
        });
    }

private:
    // Puts each line into the group with which it has most in common, if that is two cells or more. False: no group has two lines.
    bool group(const Lines& lines) {
        groups_.clear();
        bool any = false;
        for (const FreeLine<Set>& line : lines) {
            Set* best = nullptr;
            int most = 1;
            for (Set& candidate : groups_) {
                const int common = (candidate & line.cells).count_to(most + 1);
                if (common <= most) continue;
                most = (candidate & line.cells).count_to(Set::capacity);
                best = &candidate;
            }
            if (best) {
                *best &= line.cells;
                any = true;
            } else {
                groups_.push_back(line.cells);
            }
        }
        return any;
    }

    bool match() {
        used_ = Set{};
        all_ = Set{};
        for (const Set& cells : groups_) all_ |= cells;
        const int needed = 2 * static_cast<int>(groups_.size());
        if (all_.count_to(needed) < needed) return false;
        for (int i = 0; i < needed; ++i) {
            visited_ = Set{};
            if (!augment(i / 2)) return false;
        }
        return true;
    }

    // Gives one more cell to a group, taking it from another group that finds a new one if need be.
    bool augment(int number) {
        const Set& cells = groups_[static_cast<std::size_t>(number)];
        const Set unused = cells - used_;
        if (!unused.empty()) {
            take(number, unused.lowest());
            return true;
        }
        for (Set open = cells - visited_; !open.empty(); open = cells - visited_) {
            const int cell = open.lowest();
            visited_.add(cell);
            const int holder = owner_[static_cast<std::size_t>(cell)];
            if (holder == number || !augment(holder)) continue;
            take(number, cell);
            return true;
        }
        return false;
    }

    void take(int number, int cell) {
        owner_[static_cast<std::size_t>(cell)] = number;
        used_.add(cell);
        visited_.add(cell);
    }

    std::vector<Set> groups_;
    std::vector<int> owner_;
    Set used_{};
    Set all_{};
    Set visited_{};
};

}  // namespace inarow
