#include "inarow/geometry.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace inarow {

namespace {

Game checked(Game game) {
    const auto within = [](int value) { return 1 <= value && value <= max_side; };
    if (!within(game.rows) || !within(game.columns) || !within(game.k)) {
        throw std::invalid_argument("rows, columns and k must be 1 to " + std::to_string(max_side));
    }
    return game;
}

// Steele, Lea and Flood's SplitMix64: a good 64-bit word for every input, in any order.
std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

}  // namespace

Geometry::Geometry(Game game)
    : game_(checked(game)),
      symmetries_(game.gravity ? 2 : game.rows == game.columns ? 8 : 4),
      spans_(static_cast<std::size_t>(game.cells()), {{{0, 0}, {0, 0}, {0, 0}, {0, 0}}}) {
    number_windows();
    draw_key_words();
}

void Geometry::number_windows() {
    const auto on_board = [this](int row, int column) {
        return 0 <= row && row < game_.rows && 0 <= column && column < game_.columns;
    };
    std::vector<Cell> line;
    for (std::size_t d = 0; d < directions.size(); ++d) {
        direction_ends_[d] = windows();
        if (game_.k == 1 && d > 0) continue;
        const auto [row_step, column_step] = directions[d];
        for (Cell head = 0; head < cells(); ++head) {
            int row = head / game_.columns;
            int column = head % game_.columns;
            if (on_board(row - row_step, column - column_step)) continue;  // not the first cell of its line

            line.clear();
            for (; on_board(row, column); row += row_step, column += column_step) {
                line.push_back(row * game_.columns + column);
            }
            const int starts = static_cast<int>(line.size()) - game_.k + 1;
            if (starts <= 0) continue;  // too short for a window

            const std::int32_t base = windows();
            for (int i = 0; i < static_cast<int>(line.size()); ++i) {
                const int first = std::max(0, i - game_.k + 1);
                const int last = std::min(i, starts - 1);
                spans_[static_cast<std::size_t>(line[static_cast<std::size_t>(i)])][d] = {base + first, last - first + 1};
            }
            for (int i = 0; i < starts; ++i) {
                window_starts_.push_back(line[static_cast<std::size_t>(i)]);
                window_steps_.push_back(row_step * game_.columns + column_step);
            }
        }
        direction_ends_[d] = windows();
    }
}

void Geometry::draw_key_words() {
    const std::uint64_t seed = mix(static_cast<std::uint64_t>(((game_.rows * 256 + game_.columns) * 256 + game_.k) * 2 + game_.gravity));
    empty_key_ = mix(seed);
    key_words_.reserve(static_cast<std::size_t>(cells() * 2 * symmetries_));
    for (Cell cell = 0; cell < cells(); ++cell) {
        for (const Seat seat : {Seat::first, Seat::second}) {
            for (int symmetry = 0; symmetry < symmetries_; ++symmetry) {
                const auto stone = static_cast<std::uint64_t>(image(symmetry, cell) * 2 + index(seat) + 1);
                key_words_.push_back(mix(seed + mix(stone)));
            }
        }
    }
}

Cell Geometry::image(int symmetry, Cell cell) const {
    int row = cell / game_.columns;
    int column = cell % game_.columns;
    if (symmetry & mirror_bit) column = game_.columns - 1 - column;
    if (symmetry & flip_bit) row = game_.rows - 1 - row;
    if (symmetry & transpose_bit) std::swap(row, column);
    return row * game_.columns + column;
}

}  // namespace inarow
