// A board as plain as it can be, against which the fast one is held: an array of stones, wins found by walking from the
// last stone, all else counted afresh. The tests and the fuzzer share it, so it knows nothing of either.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "inarow/position.hpp"

namespace inarow::testing {

using Random = std::mt19937_64;

// A number from 0 to end - 1.
inline int below(Random& random, int end) { return static_cast<int>(random() % static_cast<std::uint64_t>(end)); }

// Each size with free placement and with gravity: what is special about a size stands behind it.
inline std::vector<Game> shapes() {
    struct Size {
        int rows, columns, k;
    };
    constexpr Size sizes[] = {
        {1, 1, 1}, {1, 1, 2}, {1, 9, 1}, {2, 2, 1},                // over with the first stone, or never won
        {1, 7, 3}, {7, 1, 3}, {1, 12, 2}, {2, 2, 2},               // a single line; the first seat cannot fail
        {3, 3, 3}, {3, 4, 3}, {4, 4, 4}, {5, 5, 4}, {6, 7, 4},     // the usual small ones
        {2, 5, 3}, {5, 2, 3}, {3, 10, 4}, {10, 3, 4},              // k over one side: three dead directions
        {2, 2, 3}, {3, 3, 4}, {4, 6, 9},                           // k over both sides: no windows at all
        {7, 6, 4}, {8, 8, 5}, {9, 9, 9}, {5, 20, 5}, {11, 14, 8},  // k 8 and 9: a span fills a vector, or just does not
        {15, 15, 5}, {19, 19, 6}, {20, 20, 17},                    // k 17: a span of three vectors
        {70, 70, 10}, {128, 128, 5}, {128, 128, 128},              // the largest boards
        {2, 128, 128}, {128, 2, 128}, {1, 128, 100},               // the largest codes of a window
    };
    std::vector<Game> games;
    for (const Size& size : sizes) {
        for (const bool gravity : {false, true}) games.push_back({size.rows, size.columns, size.k, gravity});
    }
    return games;
}

inline std::vector<Game> shapes_up_to(int cells) {
    std::vector<Game> games = shapes();
    std::erase_if(games, [&](const Game& game) { return game.cells() > cells; });
    return games;
}

// 6x7x4g: as the Python package writes it.
inline std::string name(const Game& game) {
    const std::string sizes = std::to_string(game.rows) + "x" + std::to_string(game.columns) + "x" + std::to_string(game.k);
    return sizes + (game.gravity ? "g" : "");
}

class Model {
public:
    explicit Model(Game game) : game_(game), stones_(static_cast<std::size_t>(game.cells())) {}

    const Game& game() const { return game_; }
    const std::vector<Cell>& moves() const { return moves_; }
    Seat turn() const { return moves_.size() % 2 == 0 ? Seat::first : Seat::second; }
    std::optional<Seat> stone(Cell cell) const { return stones_[static_cast<std::size_t>(cell)]; }
    bool is_over() const { return winner() || std::ssize(moves_) == game_.cells(); }

    std::optional<Seat> winner() const {
        if (moves_.empty() || !in_run(moves_.back(), other(turn()))) return std::nullopt;
        return other(turn());
    }

    // Whether a stone of `seat` on this cell is or would be part of a run of at least k.
    bool in_run(Cell cell, Seat seat) const {
        return std::ranges::any_of(directions, [&](const Direction& step) {
            int run = 1;
            for (const int sign : {-1, 1}) {
                int row = cell / game_.columns + sign * step.row_step;
                int column = cell % game_.columns + sign * step.column_step;
                while (on_board(row, column) && stone(row * game_.columns + column) == seat) {
                    ++run;
                    row += sign * step.row_step;
                    column += sign * step.column_step;
                }
            }
            return run >= game_.k;
        });
    }

    // Whether a stone can be put here, were the game not over.
    bool is_playable(Cell cell) const {
        if (cell < 0 || cell >= game_.cells() || stone(cell)) return false;
        const Cell under = cell + game_.columns;
        return !game_.gravity || under >= game_.cells() || stone(under);
    }

    std::vector<Cell> playable_cells() const {
        return cells_where([&](Cell cell) { return is_playable(cell); });
    }

    std::vector<Cell> winning_cells(Seat seat) const {
        if (is_over()) return {};
        return cells_where([&](Cell cell) { return is_playable(cell) && in_run(cell, seat); });
    }

    // Each move is tried, and then each answer to it. A move that wins is a move like any other here.
    std::vector<Cell> safe_cells() const {
        if (is_over()) return {};
        const Seat opponent = other(turn());
        return cells_where([&](Cell cell) {
            if (!is_playable(cell)) return false;
            Model after = *this;
            after.make(cell);
            return std::ranges::none_of(after.playable_cells(), [&](Cell answer) { return after.in_run(answer, opponent); });
        });
    }

    void make(Cell cell) {
        stones_[static_cast<std::size_t>(cell)] = turn();
        moves_.push_back(cell);
    }

    void unmake() {
        stones_[static_cast<std::size_t>(moves_.back())].reset();
        moves_.pop_back();
    }

private:
    bool on_board(int row, int column) const { return 0 <= row && row < game_.rows && 0 <= column && column < game_.columns; }

    std::vector<Cell> cells_where(const std::function<bool(Cell)>& wanted) const {
        std::vector<Cell> cells;
        for (Cell cell = 0; cell < game_.cells(); ++cell) {
            if (wanted(cell)) cells.push_back(cell);
        }
        return cells;
    }

    Game game_;
    std::vector<std::optional<Seat>> stones_;
    std::vector<Cell> moves_;
};

inline std::vector<Cell> sorted(std::vector<Cell> cells) {
    std::ranges::sort(cells);
    return cells;
}

inline std::vector<Cell> playable_cells(const Position& position) {
    std::vector<Cell> cells;
    position.for_each_playable([&](Cell cell) { cells.push_back(cell); });
    return cells;
}

// The code that a window must have: its stones counted one by one.
inline int recounted_code(const Geometry& geometry, const Model& model, int window) {
    int code = 0;
    for (int i = 0; i < geometry.game().k; ++i) {
        const auto owner = model.stone(geometry.window_cell(window, i));
        if (owner) code += *owner == Seat::first ? 1 : geometry.game().k + 1;
    }
    return code;
}

inline std::int64_t recounted_sum(const Geometry& geometry, const Model& model, std::span<const std::int32_t> values) {
    std::int64_t sum = 0;
    for (int window = 0; window < geometry.windows(); ++window) {
        sum += values[static_cast<std::size_t>(recounted_code(geometry, model, window))];
    }
    return sum;
}

inline std::vector<std::uint64_t> recomputed_keys(const Geometry& geometry, const Model& model) {
    std::vector<std::uint64_t> keys(static_cast<std::size_t>(geometry.symmetries()), geometry.empty_key());
    for (Cell cell = 0; cell < geometry.cells(); ++cell) {
        const auto owner = model.stone(cell);
        if (!owner) continue;
        for (std::size_t s = 0; s < keys.size(); ++s) keys[s] ^= geometry.key_words(cell, *owner)[s];
    }
    return keys;
}

// The lowest free cell of a column, no_cell when there is none.
inline Cell lowest_free(const Model& model, int column) {
    for (Cell cell = model.game().cells() - model.game().columns + column; cell >= 0; cell -= model.game().columns) {
        if (!model.stone(cell)) return cell;
    }
    return no_cell;
}

// What one call of `difference` costs, in steps of its innermost loops: for keeping tests on large boards short.
inline std::int64_t difference_cost(const Geometry& geometry) {
    return std::int64_t{geometry.windows()} * geometry.game().k + std::int64_t{geometry.cells()} * (geometry.symmetries() + 8);
}

// The first thing about which a position and the model of the same game disagree, in words; empty when there is none.
inline std::string difference(const Position& position, const Model& model) {
    const Geometry& geometry = position.geometry();
    const bool is_over = model.is_over();
    if (!std::ranges::equal(position.moves(), model.moves())) return "moves";
    if (position.ply() != std::ssize(model.moves())) return "ply";
    if (position.turn() != model.turn()) return "turn";
    if (position.winner() != model.winner()) return "winner";
    if (position.is_over() != is_over) return "is_over";
    for (Cell cell = -1; cell <= geometry.cells(); ++cell) {
        if (position.is_legal(cell) != (!is_over && model.is_playable(cell))) return "is_legal of cell " + std::to_string(cell);
    }
    std::vector<Cell> free;
    for (Cell cell = 0; cell < geometry.cells(); ++cell) {
        if (position.stone(cell) != model.stone(cell)) return "stone on cell " + std::to_string(cell);
        if (!model.stone(cell)) free.push_back(cell);
    }
    const auto free_cells = position.free_cells().cells();
    if (sorted({free_cells.begin(), free_cells.end()}) != free) return "free cells";
    if (sorted(playable_cells(position)) != model.playable_cells()) return "playable cells";
    for (int column = 0; model.game().gravity && column < model.game().columns; ++column) {
        if (position.landing(column) != lowest_free(model, column)) return "landing in column " + std::to_string(column);
    }
    const int base = geometry.game().k + 1;
    for (int window = 0; window < geometry.windows(); ++window) {
        const int code = recounted_code(geometry, model, window);
        const WindowTable& table = position.windows();
        if (table.code(window) != code || table.stones(window, Seat::first) != code % base ||
            table.stones(window, Seat::second) != code / base) {
            return "stones in window " + std::to_string(window);
        }
    }
    const std::vector<std::uint64_t> keys = recomputed_keys(geometry, model);
    if (!std::ranges::equal(position.keys(), keys)) return "keys";
    if (position.canonical_key() != *std::ranges::min_element(keys)) return "canonical key";
    return "";
}

// Everything that can be seen of a position. Two are equal only if the free cells stand in the same order too.
struct Snapshot {
    explicit Snapshot(const Position& position)
        : moves(position.moves().begin(), position.moves().end()),
          codes(position.windows().codes(), position.windows().codes() + position.geometry().windows()),
          keys(position.keys().begin(), position.keys().end()),
          playable(playable_cells(position)),
          winner(position.winner()),
          is_over(position.is_over()) {
        for (Cell cell = 0; cell < position.geometry().cells(); ++cell) {
            stones.push_back(position.stone(cell));
            free_array.push_back(position.free_cells()[cell]);
        }
    }

    bool operator==(const Snapshot&) const = default;

    std::vector<Cell> moves;
    std::vector<WindowCode> codes;
    std::vector<std::uint64_t> keys;
    std::vector<Cell> playable;
    std::optional<Seat> winner;
    bool is_over;
    std::vector<std::optional<Seat>> stones;
    std::vector<Cell> free_array;
};

// Chooses the moves of a random game. Random games on large boards are never won, so there may be a builder: a seat that
// fills a window drawn at random (with gravity, one that touches the ground), while the other keeps off it if it can.
class RandomMoves {
public:
    RandomMoves(const Geometry& geometry, std::uint64_t seed, std::optional<Seat> builder = std::nullopt)
        : random_(seed), builder_(builder), is_goal_(static_cast<std::size_t>(geometry.cells())) {
        if (!builder || geometry.windows() == 0) return;
        int window = below(random_, geometry.windows());
        const Cell ground = geometry.cells() - geometry.game().columns;
        while (geometry.game().gravity && geometry.window_cell(window, 0) < ground &&
               geometry.window_cell(window, geometry.game().k - 1) < ground) {
            window = below(random_, geometry.windows());
        }
        for (int i = 0; i < geometry.game().k; ++i) is_goal_[static_cast<std::size_t>(geometry.window_cell(window, i))] = true;
    }

    // Precondition: the game is not over.
    Cell next(const Position& position) {
        const std::vector<Cell> playable = playable_cells(position);
        std::vector<Cell> preferred;
        std::ranges::copy_if(playable, std::back_inserter(preferred), [&](Cell cell) {
            return builder_ && is_goal_[static_cast<std::size_t>(cell)] == (position.turn() == *builder_);
        });
        const std::vector<Cell>& choice = preferred.empty() ? playable : preferred;
        return choice[static_cast<std::size_t>(below(random_, static_cast<int>(choice.size())))];
    }

private:
    Random random_;
    std::optional<Seat> builder_;
    std::vector<bool> is_goal_;
};

}  // namespace inarow::testing
