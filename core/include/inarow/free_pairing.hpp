// Two ways to see at once that an attacker cannot complete a line.
//
// Pairing. Disjoint pairs of cells such that each line contains a pair: the defender answers a stone in a pair on the pair's other
// cell, and the attacker never has a whole line. It is looked for as a matching that gives every line two cells of its own:
//
//     lines   L1 {a b c}   L2 {c d e}   L3 {b e f}          L1: a b    L2: c d    L3: e f
//
// One pair may serve many lines. So lines that have two cells or more in common are put into groups, and a group needs a pair
// from what is common to all its lines; and where that comes close, pairs are tried one after another, for a few tries.
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

    bool find(const Lines& lines) {
        pairs_.clear();
        groups_.clear();
        for (const FreeLine<Set>& line : lines) {
            if (line.size < 2) return false;
            groups_.push_back(line.cells);
        }
        if (match()) return true;
        if (!group(lines) || match()) return !pairs_.empty();
        if (2 * static_cast<int>(groups_.size()) > all_.count_to(2 * static_cast<int>(groups_.size())) + max_missing) return false;
        open_.clear();
        for (const FreeLine<Set>& line : lines) open_.push_back(line.cells);
        tries_ = max_tries;
        return cover(0);
    }

    // The pairs of the last pairing that was found, two cells after each other.
    const std::vector<int>& pairs() const { return pairs_; }

private:
    // Trying pairs one by one costs more than matching; it pays where the groups found too few cells, but not by much.
    static constexpr int max_missing = 4;
    static constexpr int max_tries = 40;

    struct Option {
        Set pair;
        int first;
        int second;
        int worth;
    };

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
        std::vector<int>& first = scratch_;
        first.assign(groups_.size(), -1);
        used_.for_each([&](int cell) {
            int& other = first[static_cast<std::size_t>(owner_[static_cast<std::size_t>(cell)])];
            if (other >= 0) pairs_.insert(pairs_.end(), {other, cell});
            other = cell;
        });
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

    // Chooses a pair for the shortest of the lines in open_ from `begin` on, and goes on with what it leaves of the lines without it.
    bool cover(std::size_t begin) {
        const std::size_t end = open_.size();
        if (begin == end) return true;
        if (--tries_ < 0) return false;
        const std::size_t first_option = options_.size();
        list_options(begin);
        const std::size_t last_option = options_.size();
        bool done = false;
        for (std::size_t i = first_option; i < last_option && !done && tries_ >= 0; ++i) {
            pairs_.insert(pairs_.end(), {options_[i].first, options_[i].second});
            done = leave_out(options_[i].pair, begin, end) && cover(end);
            open_.resize(end);
            if (!done) pairs_.resize(pairs_.size() - 2);
        }
        options_.resize(first_option);
        return done;
    }

    // The pairs of the shortest line: those first that are in many lines and take a single cell from few.
    void list_options(std::size_t begin) {
        Set line = open_[begin];
        int fewest = Set::capacity;
        for (std::size_t i = begin; i < open_.size(); ++i) {
            const int count = open_[i].count_to(fewest);
            if (count >= fewest) continue;
            fewest = count;
            line = open_[i];
        }
        const auto first_option = static_cast<std::ptrdiff_t>(options_.size());
        line.for_each([&](int first) {
            line.for_each([&](int second) {
                if (second <= first) return;
                Option option{{}, first, second, 0};
                option.pair.add(first);
                option.pair.add(second);
                for (std::size_t i = begin; i < open_.size(); ++i) {
                    option.worth += open_[i].contains(option.pair) ? 2 : open_[i].meets(option.pair) ? -1 : 0;
                }
                options_.push_back(option);
            });
        });
        std::stable_sort(options_.begin() + first_option, options_.end(),
                         [](const Option& a, const Option& b) { return a.worth > b.worth; });
    }

    // Appends what is left of the lines without this pair; false when one of them has no pair any more.
    bool leave_out(const Set& pair, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (open_[i].contains(pair)) continue;
            const Set rest = open_[i] - pair;
            if (rest.count_to(2) < 2) return false;
            open_.push_back(rest);
        }
        return true;
    }

    std::vector<Set> groups_;
    std::vector<int> pairs_;
    std::vector<int> scratch_;
    std::vector<Set> open_;  // lines without a pair so far, those of one try after those of the try before it
    std::vector<Option> options_;
    int tries_ = 0;
    std::vector<int> owner_;
    Set used_{};
    Set all_{};
    Set visited_{};
};

}  // namespace inarow
