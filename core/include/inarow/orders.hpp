// Which moves a node looks at, and in which order. Ties end at the lowest cell. An order whose work may take long looks at the watch.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "inarow/cell_sums.hpp"
#include "inarow/evaluations.hpp"
#include "inarow/mics.hpp"
#include "inarow/near_cells.hpp"
#include "inarow/watch.hpp"

namespace inarow {

using Cells = std::vector<Cell>;

// Appends the playable cells in ascending order.
inline void append_playable(const Position& position, Cells& cells) {
    const auto begin = static_cast<std::ptrdiff_t>(cells.size());
    if (position.game().gravity) {
        position.for_each_playable([&](Cell cell) { cells.push_back(cell); });
        std::sort(cells.begin() + begin, cells.end());
    } else {
        for (Cell cell = 0; cell < position.geometry().cells(); ++cell) {
            if (position.is_free(cell)) cells.push_back(cell);
        }
    }
}

inline bool is_playable(const Position& position, Cell cell) {
    return !position.game().gravity || position.landing(cell % position.game().columns) == cell;
}

// The lowest playable cell on which a seat would complete a window; no_cell when there is none.
Cell winning_cell(const Position& position, Seat seat);

// A cell with what it is worth, as one number that sorts by value, then by the lower cell.
class RankedCell {
public:
    RankedCell(std::int64_t value, Cell cell) : rank_(value * max_cells + (max_cells - 1 - cell)) {}
    Cell cell() const { return max_cells - 1 - static_cast<Cell>(rank_ & (max_cells - 1)); }
    std::int32_t value() const { return static_cast<std::int32_t>(rank_ / max_cells); }  // of one that is not negative
    auto operator<=>(const RankedCell&) const = default;
    static RankedCell none() { return {-1, 0}; }  // less than any cell that is worth something or nothing

private:
    std::int64_t rank_;
};

// All playable cells, ascending.
struct PlainOrder : Follower {
    template <class Evaluation>
    void append(const Position& position, const Evaluation&, bool, Cells& cells, Watch&) {
        append_playable(position, cells);
    }
};

// Playable cells next to a stone, ascending; all of them when there is none (Nisshoku).
class NearOrder : public Follower {
public:
    explicit NearOrder(const Position& position) : near_(position) {}

    void after_make(const Position&, Cell cell) { near_.mark(cell); }
    void after_unmake(const Position&, Cell cell) { near_.unmark(cell); }

    template <class Evaluation>
    void append(const Position& position, const Evaluation&, bool, Cells& cells, Watch&) {
        const std::size_t begin = cells.size();
        near_.for_each([&](Cell cell) {
            if (is_playable(position, cell)) cells.push_back(cell);
        });
        if (cells.size() == begin) append_playable(position, cells);
    }

private:
    NearCells near_;
};

// All playable cells by the value of the position after them, wins first (Telos).
class EvaluationOrder : public Follower {
public:
    template <class Evaluation>
    void append(const Position& position, const Evaluation& evaluation, bool, Cells& cells, Watch& watch) {
        playable_.clear();
        ranked_.clear();
        append_playable(position, playable_);
        for (const Cell cell : playable_) {
            // Where a value takes long there may be no time for all of them: the rest comes last.
            const bool has_time = !Evaluation::is_slow || watch.look();
            const bool wins = position.windows().completes(cell, position.turn());
            ranked_.emplace_back(wins ? won : has_time ? evaluation.value_after(position, cell) : -infinite, cell);
        }
        std::sort(ranked_.begin(), ranked_.end(), std::greater<>());
        for (const RankedCell& ranked : ranked_) cells.push_back(ranked.cell());
    }

private:
    Cells playable_;
    std::vector<RankedCell> ranked_;
};

// A win alone, else a forced block alone, else all playable cells by a sum over their windows, by radix sort (Cadrega).
class ForcedOrder : public Follower {
public:
    ForcedOrder(const Position& position, std::span<const std::int32_t> cell_values)
        : sums_(position.geometry(), position.windows(), cell_values) {}

    void before_make(const Position& position, Cell cell) {
        sums_.mark(position.geometry(), position.windows(), cell, position.turn());
    }
    void after_unmake(const Position& position, Cell cell) {
        sums_.unmark(position.geometry(), position.windows(), cell, position.turn());
    }

    template <class Evaluation>
    void append(const Position& position, const Evaluation&, bool, Cells& cells, Watch&) {
        for (const Seat seat : {position.turn(), other(position.turn())}) {
            const Cell cell = winning_cell(position, seat);
            if (cell != no_cell) return cells.push_back(cell);
        }
        playable_.clear();
        append_playable(position, playable_);
        sort_by_sums();
        cells.insert(cells.end(), playable_.begin(), playable_.end());
    }

private:
    // The largest sum first; equal sums keep their ascending order.
    void sort_by_sums();

    CellSums sums_;
    Cells playable_;
    Cells sorted_;
};

// The best `width` playable cells by MarkCello's values, `root_width` at the root. The report keeps the best so far in a heap; for the
// handful that a node looks at, a sorted list that cells are inserted into without branches takes half the time. Looking at a cell
// is O(1), inserting one of the few that get in is O(q).
class MicsOrder : public Follower {
public:
    MicsOrder(const Position& position, int width, int root_width)
        : near_(position), width_(width), root_width_(root_width), is_offered_(static_cast<std::size_t>(position.geometry().cells())) {}

    void after_make(const Position&, Cell cell) { near_.mark(cell); }
    void after_unmake(const Position&, Cell cell) { near_.unmark(cell); }

    void append(const Position& position, const MicsEvaluation& evaluation, bool is_root, Cells& cells, Watch&) {
        const auto width = static_cast<std::size_t>(is_root ? root_width_ : width_);
        best_.assign(width, RankedCell::none());
        const std::int32_t* mine = evaluation.values(position.turn());
        const std::int32_t* theirs = evaluation.values(other(position.turn()));
        std::int32_t bar = 0;  // a cell worth less does not get in any more; a taken one never does
        const auto offer = [&](Cell cell, std::int32_t value) {
            if (value < bar || is_offered_[static_cast<std::size_t>(cell)]) return;
            insert(RankedCell(value, cell));
            bar = std::max(0, best_.back().value());
        };
        const auto value_of = [&](Cell cell) {
            const std::int32_t times = mine[cell] >= MicsEvaluation::double_threat ? 2 : 1;
            return times * mine[cell] + theirs[cell] + neighbour_weight * near_.occupied_neighbours(cell);
        };
        // What was best in the node before is mostly among the best here: with it the bar is high from the start.
        for (const Cell cell : best_before_) {
            if (is_playable(position, cell)) offer(cell, value_of(cell));
            is_offered_[static_cast<std::size_t>(cell)] = 1;
        }
        if (position.game().gravity) {
            position.for_each_playable([&](Cell cell) { offer(cell, value_of(cell)); });
        } else {
            for (Cell cell = 0; cell < position.geometry().cells(); ++cell) offer(cell, value_of(cell));
        }
        for (const Cell cell : best_before_) is_offered_[static_cast<std::size_t>(cell)] = 0;
        best_before_.clear();
        for (const RankedCell& ranked : best_) {
            if (ranked > RankedCell::none()) best_before_.push_back(ranked.cell());
        }
        cells.insert(cells.end(), best_before_.begin(), best_before_.end());
    }

private:
    static constexpr std::int32_t neighbour_weight = 5;

    // Moves every cell that is worth less one place on, and lets the last go. Without branches: the processor could not guess them.
    void insert(RankedCell ranked) {
        for (std::size_t i = best_.size() - 1; i > 0; --i) best_[i] = std::max(best_[i], std::min(best_[i - 1], ranked));
        best_[0] = std::max(best_[0], ranked);
    }

    NearCells near_;
    int width_;
    int root_width_;
    std::vector<RankedCell> best_;  // in falling order
    Cells best_before_;
    std::vector<std::uint8_t> is_offered_;  // by cell
};

}  // namespace inarow
