// Everything about a game that does not change while it is played: computed once, shared by all its positions.
//
// Windows. A window is a run of K cells in one of the four directions; whoever fills one wins. Windows are numbered
// direction by direction, line by line, along the line, so that the windows through a cell in one direction are always
// a contiguous range, a Span. A row of seven cells with K = 4, whose windows are numbered from 20:
//
//     cell      .  .  .  .  .  .  .          window 20 covers cells 0..3, 21 covers 1..4, 22 covers 2..5, 23 covers 3..6
//     first    20 20 20 20 21 22 23
//     count     1  2  3  4  3  2  1
//
// Whoever keeps something for each window can then update all windows through a cell with four short vector operations.
//
// With K = 1 a cell is a line by itself in every direction at once; it is counted once, as a horizontal one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "inarow/types.hpp"

namespace inarow {

struct Direction {
    int row_step;
    int column_step;
};

// Right, down, down-right, down-left: every line is walked once, from its top or left end.
constexpr std::array<Direction, 4> directions{{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};

// The windows [first, first + count) of one direction; count is 0 where no window fits.
struct Span {
    std::int32_t first;
    std::int32_t count;
};

// A symmetry of the board as three bits, applied in this order: mirror the columns, flip the rows, transpose.
// Symmetry 0 is the identity. A square has all 8, other boards the first 4, a board with gravity the first 2.
constexpr int max_symmetries = 8;
constexpr int mirror_bit = 1;
constexpr int flip_bit = 2;
constexpr int transpose_bit = 4;

class Geometry {
public:
    // Throws std::invalid_argument unless 1 <= rows, columns, k <= 128.
    explicit Geometry(Game game);

    const Game& game() const { return game_; }
    int cells() const { return game_.cells(); }
    int windows() const { return static_cast<int>(window_starts_.size()); }
    int symmetries() const { return symmetries_; }

    // The windows through a cell, one span for each direction.
    const std::array<Span, 4>& spans(Cell cell) const { return spans_[static_cast<std::size_t>(cell)]; }

    // The i-th cell of a window, 0 <= i < k.
    Cell window_cell(int window, int i) const {
        const auto w = static_cast<std::size_t>(window);
        return window_starts_[w] + i * window_steps_[w];
    }

    // From one cell of a window to the next.
    Cell window_step(int window) const { return window_steps_[static_cast<std::size_t>(window)]; }

    // Which of `directions` a window lies in.
    int window_direction(int window) const {
        return static_cast<int>(std::upper_bound(direction_ends_.begin(), direction_ends_.end(), window) - direction_ends_.begin());
    }

    // Where a symmetry takes a cell.
    Cell image(int symmetry, Cell cell) const;

    // Random words for a stone of `seat` on `cell`: one for each symmetry s, the word of image(s, cell).
    std::span<const std::uint64_t> key_words(Cell cell, Seat seat) const {
        const auto count = static_cast<std::size_t>(symmetries_);
        return {key_words_.data() + (static_cast<std::size_t>(cell) * 2 + static_cast<std::size_t>(index(seat))) * count, count};
    }

    // The key of the empty board: differs from game to game, as do the words.
    std::uint64_t empty_key() const { return empty_key_; }

private:
    void number_windows();
    void draw_key_words();

    Game game_;
    int symmetries_;
    std::uint64_t empty_key_ = 0;
    std::vector<std::array<Span, 4>> spans_;
    std::array<int, 4> direction_ends_{};  // the windows of direction d end before direction_ends_[d]
    std::vector<Cell> window_starts_;
    std::vector<Cell> window_steps_;
    std::vector<std::uint64_t> key_words_;
};

}  // namespace inarow
