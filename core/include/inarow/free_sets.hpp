// Small sets of cells and the lines that are left of a free-placement game.
//
// Once stones lie on the board, a line (K cells in a row) counts for a side only as long as the other side has no stone in it, and
// of such a line only the cells that are still free matter: its *residual*. With K = 4, O and X played, and x to come:
//
//     . X . . O . .        X's line  a1..d1  leaves  {a1, c1, d1}        lines that touch e1 are dead for X
//     a b c d e f g        O's line  d1..g1  leaves  {d1, f1, g1}        lines that touch b1 are dead for O
//
// A position is nothing but the residual lines of both sides and who moves; stones need not be remembered. Cells are numbered
// anew (labels 0, 1, 2, ...): only cells on a living line get a label, and a CellSet has one bit for each.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "inarow/types.hpp"

namespace inarow {

template <int Words>
struct CellSet {
    static constexpr int capacity = Words * 64;

    std::array<std::uint64_t, Words> words{};

    bool operator==(const CellSet&) const = default;

    bool test(int cell) const { return (words[at(cell)] >> (cell & 63)) & 1; }
    void add(int cell) { words[at(cell)] |= std::uint64_t{1} << (cell & 63); }
    void remove(int cell) { words[at(cell)] &= ~(std::uint64_t{1} << (cell & 63)); }

    bool empty() const {
        std::uint64_t any = 0;
        for (const std::uint64_t word : words) any |= word;
        return any == 0;
    }
    bool meets(const CellSet& other) const {
        std::uint64_t any = 0;
        for (std::size_t i = 0; i < Words; ++i) any |= words[i] & other.words[i];
        return any != 0;
    }
    bool contains(const CellSet& other) const {
        std::uint64_t missing = 0;
        for (std::size_t i = 0; i < Words; ++i) missing |= other.words[i] & ~words[i];
        return missing == 0;
    }

    CellSet operator|(const CellSet& other) const { return CellSet(*this) |= other; }
    CellSet operator&(const CellSet& other) const { return CellSet(*this) &= other; }
    CellSet operator-(const CellSet& other) const { return CellSet(*this) -= other; }
    CellSet& operator|=(const CellSet& other) {
        for (std::size_t i = 0; i < Words; ++i) words[i] |= other.words[i];
        return *this;
    }
    CellSet& operator&=(const CellSet& other) {
        for (std::size_t i = 0; i < Words; ++i) words[i] &= other.words[i];
        return *this;
    }
    CellSet& operator-=(const CellSet& other) {
        for (std::size_t i = 0; i < Words; ++i) words[i] &= ~other.words[i];
        return *this;
    }

    // Precondition: not empty.
    int lowest() const {
        int i = 0;
        while (Words > 1 && words[static_cast<std::size_t>(i)] == 0) ++i;
        return i * 64 + std::countr_zero(words[static_cast<std::size_t>(i)]);
    }

    int count() const {
        int total = 0;
        for (const std::uint64_t word : words) total += std::popcount(word);
        return total;
    }

    // min(count(), limit), quicker for small limits.
    int count_to(int limit) const {
        int total = 0;
        for (std::uint64_t word : words) {
            for (; word && total < limit; word &= word - 1) ++total;
        }
        return total;
    }

    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::size_t i = 0; i < Words; ++i) {
            for (std::uint64_t word = words[i]; word; word &= word - 1) {
                visit(static_cast<int>(i) * 64 + std::countr_zero(word));
            }
        }
    }

private:
    static std::size_t at(int cell) { return Words == 1 ? 0 : static_cast<std::size_t>(cell >> 6); }
};

template <class Set>
struct FreeLine {
    Set cells;
    std::int32_t size;  // how many cells
};

// The lines of one side as plain lists of board cells: what the search is fed with.
struct LineList {
    std::vector<Cell> cells;       // of all lines, one line after another
    std::vector<std::size_t> ends; // line i ends before cells[ends[i]]

    std::size_t count() const { return ends.size(); }
    std::size_t begin_of(std::size_t line) const { return line == 0 ? 0 : ends[line - 1]; }
    void close_line() { ends.push_back(cells.size()); }
};

}  // namespace inarow
