// Boards with gravity as words of bits, one bit a cell, and what can be asked of all cells at once.
//
// A column takes rows + 1 bits, from the bottom up; the topmost is never a stone, so that no line runs from one column's
// top into the next column's bottom. Six rows and seven columns:
//
//      6 13 20 27 34 41 48     always 0
//      5 12 19 26 33 40 47     top row
//      .  .  .  .  .  .  .
//      0  7 14 21 28 35 42     bottom row
//
// A step to the right is rows + 1 bits, a step up one bit; the diagonals are one bit more or less than a step to the right.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "inarow/drop_lanes.hpp"
#include "inarow/types.hpp"

namespace inarow {
inline namespace INAROW_TARGET {

constexpr int count_bits(std::uint64_t word) { return std::popcount(word); }
constexpr int count_bits(Word128 word) {
    return std::popcount(static_cast<std::uint64_t>(word)) + std::popcount(static_cast<std::uint64_t>(word >> 64));
}

constexpr int lowest_index(std::uint64_t word) { return std::countr_zero(word); }
constexpr int lowest_index(Word128 word) {
    const auto low = static_cast<std::uint64_t>(word);
    return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<std::uint64_t>(word >> 64));
}

// `fixed_k` is 4 when lines of four fit in every direction, which the compiler can make the most of, and 0 otherwise.
template <class Word, int fixed_k>
class DropShape {
public:
    static constexpr int word_bits = static_cast<int>(sizeof(Word) * 8);

    // Precondition: (rows + 1) * columns <= word_bits.
    explicit DropShape(const Game& game) : rows_(game.rows), columns_(game.columns), k_(game.k) {
        for (int column = 0; column < columns_; ++column) bottom_ |= Word{1} << (column * stride());
        for (int row = 0; row < rows_; ++row) {
            full_ |= bottom_ << row;
            if ((rows_ - row) % 2 == 1) follower_rows_ |= bottom_ << row;
        }
        fits_upright_ = k() <= rows_;
        if (k() > columns_) return;
        slopes_[slope_count_++] = stride();
        if (k() > rows_) return;
        slopes_[slope_count_++] = stride() - 1;
        slopes_[slope_count_++] = stride() + 1;
    }

    int rows() const { return rows_; }
    int columns() const { return columns_; }
    int cells() const { return rows_ * columns_; }
    int k() const { return fixed_k != 0 ? fixed_k : k_; }
    int stride() const { return rows_ + 1; }
    int key_bits() const { return stride() * columns_; }
    Word full() const { return full_; }
    Word bottom() const { return bottom_; }
    Word column(int column) const { return ((Word{1} << rows_) - Word{1}) << (column * stride()); }
    int column_of(Word cell) const { return lowest_index(cell) / stride(); }

    // Rows whose free cells fall to the player who moves last in the game, when that player answers every move in its own
    // column: the uppermost row and every second one below it.
    Word follower_rows() const { return follower_rows_; }

    // The lowest free cell of each column that has one; `mask` has the stones of both.
    Word landings(Word mask) const { return (mask + bottom_) & full_; }

    // The cells, free or not, on which one more stone would complete a line. Bits may be a Word or Lanes.
    template <class Bits>
    Bits wins(Bits stones) const {
        Bits found = stones & Word{0};
        if (fixed_k != 0 || fits_upright_) {
            found = k() == 1 ? found | full_ : stones << 1;
            for (int i = 2; i < k(); ++i) found &= stones << i;
        }
        if constexpr (fixed_k != 0) {
            return found | wins_along(stones, stride()) | wins_along(stones, stride() - 1) | wins_along(stones, stride() + 1);
        } else {
            for (std::size_t i = 0; i < slope_count_; ++i) found |= wins_along(stones, slopes_[i]);
            return found;
        }
    }

    // Not 0 when a whole line that is not upright lies within these cells.
    template <class Bits>
    Bits sloped_lines(Bits cells) const {
        if constexpr (fixed_k != 0) {
            return line_starts(cells, stride()) | line_starts(cells, stride() - 1) | line_starts(cells, stride() + 1);
        } else {
            Bits starts = cells & Word{0};
            for (std::size_t i = 0; i < slope_count_; ++i) starts |= line_starts(cells, slopes_[i]);
            return starts;
        }
    }

    bool has_line(Word cells) const {
        return ((fixed_k != 0 || fits_upright_) && line_starts(cells, 1) != 0) || sloped_lines(cells) != 0;
    }

    Word mirrored(Word word) const {
        if (columns_ == 1) return word;  // a column may be as long as the word
        const Word leftmost = (Word{1} << stride()) - Word{1};
        Word image{0};
        for (int column = 0; column < columns_; ++column) {
            image = (image << stride()) | (word & leftmost);
            word >>= stride();
        }
        return image;
    }

private:
    // For each place in a line: all the cells before it and all those behind it have stones.
    template <class Bits>
    Bits wins_along(Bits stones, int step) const {
        if constexpr (fixed_k == 4) {
            const Bits before = stones << step, behind = stones >> step;
            const Bits two_before = before & (stones << 2 * step), two_behind = behind & (stones >> 2 * step);
            return (two_before & (behind | stones << 3 * step)) | (two_behind & (before | stones >> 3 * step));
        } else {
            std::array<Bits, max_side> behind;
            behind[0] = (stones & Word{0}) | full_;
            const auto last = static_cast<std::size_t>(k() - 1);
            for (std::size_t i = 1; i <= last; ++i) behind[i] = behind[i - 1] & (stones >> static_cast<int>(i) * step);
            Bits before = behind[0], found = behind[last];
            for (std::size_t i = 1; i <= last; ++i) {
                before &= stones << static_cast<int>(i) * step;
                found |= before & behind[last - i];
            }
            return found;
        }
    }

    // Where the lines within `cells` begin. Doubling: a run of n and one of m cells make one of n + m.
    template <class Bits>
    Bits line_starts(Bits cells, int step) const {
        if constexpr (fixed_k == 4) {
            cells &= cells >> step;
            return cells & cells >> 2 * step;
        } else {
            for (int length = 1; length < k();) {
                const int more = std::min(length, k() - length);
                cells &= cells >> more * step;
                length += more;
            }
            return cells;
        }
    }

    int rows_, columns_, k_;
    Word bottom_{0}, full_{0}, follower_rows_{0};
    std::array<int, 3> slopes_{};
    std::size_t slope_count_ = 0;
    bool fits_upright_ = false;
};

}  // namespace INAROW_TARGET
}  // namespace inarow
