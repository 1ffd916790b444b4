// A game in progress: stones, history, free cells, window counts and keys, with make and unmake.
//
// Keys. For each symmetry of the board the position has a 64-bit key: the XOR of one random word for every stone, taken
// at the place to which the symmetry moves the stone. So keys()[s] is the key that the position's image under s has as its
// own keys()[0], and the smallest of them is the same for all images: canonical_key().
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "inarow/free_cells.hpp"
#include "inarow/geometry.hpp"
#include "inarow/windows.hpp"

namespace inarow {

class Position {
public:
    explicit Position(std::shared_ptr<const Geometry> geometry);

    const Geometry& geometry() const { return *geometry_; }
    const Game& game() const { return geometry_->game(); }
    const WindowTable& windows() const { return windows_; }
    const FreeCells& free_cells() const { return free_; }
    std::span<const Cell> moves() const { return moves_; }
    int ply() const { return static_cast<int>(moves_.size()); }
    Seat turn() const { return ply() % 2 == 0 ? Seat::first : Seat::second; }

    std::optional<Seat> stone(Cell cell) const {
        const std::uint8_t owner = stones_[static_cast<std::size_t>(cell)];
        if (owner == no_owner) return std::nullopt;
        return static_cast<Seat>(owner);
    }

    bool is_free(Cell cell) const { return stones_[static_cast<std::size_t>(cell)] == no_owner; }

    // Only the player who just moved can have won.
    std::optional<Seat> winner() const {
        if (!won_) return std::nullopt;
        return other(turn());
    }
    bool is_over() const { return won_ || free_.count() == 0; }

    // The cell on which a stone in this column would land, no_cell when the column is full. Gravity only.
    Cell landing(int column) const { return landing_[static_cast<std::size_t>(column)]; }

    // Whether the player to move may play here.
    bool is_legal(Cell cell) const {
        if (is_over() || cell < 0 || cell >= geometry_->cells() || !is_free(cell)) return false;
        return !game().gravity || landing(cell % game().columns) == cell;
    }

    // Calls visit(cell) for each cell a stone can be put on now; visit may make and unmake. The order is that of the
    // free-cell array, or from the left with gravity.
    template <class Visit>
    void for_each_playable(Visit&& visit) const {
        if (game().gravity) {
            for (int column = 0; column < game().columns; ++column) {
                if (landing(column) != no_cell) visit(landing(column));
            }
        } else {
            for (int place = 0; place < free_.count(); ++place) visit(free_[place]);
        }
    }

    // Precondition: is_legal(cell).
    void make(Cell cell) {
        assert(is_legal(cell));
        const Seat seat = turn();
        stones_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(seat);
        free_.mark(cell);
        toggle_keys(cell, seat);
        won_ = windows_.mark(cell, seat);
        moves_.push_back(cell);
        if (game().gravity) {
            landing_[static_cast<std::size_t>(cell % game().columns)] = cell >= game().columns ? cell - game().columns : no_cell;
        }
    }

    // Precondition: a move has been made.
    void unmake() {
        assert(!moves_.empty());
        const Cell cell = moves_.back();
        moves_.pop_back();
        const Seat seat = turn();
        won_ = false;
        windows_.unmark(cell, seat);
        toggle_keys(cell, seat);
        free_.unmark();
        stones_[static_cast<std::size_t>(cell)] = no_owner;
        if (game().gravity) landing_[static_cast<std::size_t>(cell % game().columns)] = cell;
    }

    // One key for each symmetry of the board.
    std::span<const std::uint64_t> keys() const { return {keys_.data(), static_cast<std::size_t>(geometry_->symmetries())}; }
    std::uint64_t canonical_key() const;

    // Playable cells on which `seat` would complete a window if it were to move.
    std::vector<Cell> winning_cells(Seat seat) const;

    // Playable cells after which the opponent cannot win with the next move. It does not look for own wins.
    std::vector<Cell> safe_cells() const;

private:
    static constexpr std::uint8_t no_owner = 2;

    // Two keys at a time: a board has 2, 4 or 8 symmetries.
    void toggle_keys(Cell cell, Seat seat) {
        const std::span<const std::uint64_t> words = geometry_->key_words(cell, seat);
        for (std::size_t s = 0; s < words.size(); s += 2) {
            keys_[s] ^= words[s];
            keys_[s + 1] ^= words[s + 1];
        }
    }

    std::shared_ptr<const Geometry> geometry_;
    WindowTable windows_;
    FreeCells free_;
    std::vector<std::uint8_t> stones_;
    std::vector<Cell> moves_;
    std::vector<Cell> landing_;  // by column; empty without gravity
    std::array<std::uint64_t, max_symmetries> keys_{};
    bool won_ = false;
};

}  // namespace inarow
