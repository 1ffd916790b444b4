// Which moves a node looks at, and in which order. Ties end at the lowest cell. An order whose work may take long looks at the watch.
#pragma once

#include <algorithm>
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
    bool operator>(const RankedCell& other) const { return rank_ > other.rank_; }

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

// The best `width` playable cells by MarkCello's values, `root_width` at the root; by heap-select, O(f log q).
class MicsOrder : public Follower {
public:
    MicsOrder(const Position& position, int width, int root_width) : near_(position), width_(width), root_width_(root_width) {}

    void after_make(const Position&, Cell cell) { near_.mark(cell); }
    void after_unmake(const Position&, Cell cell) { near_.unmark(cell); }

    void append(const Position& position, const MicsEvaluation& evaluation, bool is_root, Cells& cells, Watch&) {
        const auto width = static_cast<std::size_t>(is_root ? root_width_ : width_);
        const Seat own = position.turn();
        heap_.clear();
        const auto offer = [&](Cell cell) {
            const std::int64_t mine = evaluation.value(cell, own);
            const std::int64_t value = mine * (mine >= MicsEvaluation::double_threat ? 2 : 1) + evaluation.value(cell, other(own)) +
                                       neighbour_weight * near_.occupied_neighbours(cell);
            const RankedCell ranked(value, cell);
            if (heap_.size() < width) {
                heap_.push_back(ranked);
                std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
            } else if (ranked > heap_.front()) {
                replace_least(ranked);
            }
        };
        if (position.game().gravity) {
            position.for_each_playable(offer);
        } else {
            near_.for_each_free(offer);
        }
        std::sort_heap(heap_.begin(), heap_.end(), std::greater<>());
        for (const RankedCell& ranked : heap_) cells.push_back(ranked.cell());
    }

private:
    static constexpr std::int64_t neighbour_weight = 5;

    // The root of the heap, its least element, makes way: the new one sinks to its place.
    void replace_least(const RankedCell& ranked) {
        std::size_t at = 0;
        for (std::size_t child = 1; child < heap_.size(); child = 2 * at + 1) {
            if (child + 1 < heap_.size() && heap_[child] > heap_[child + 1]) ++child;
            if (!(ranked > heap_[child])) break;
            heap_[at] = heap_[child];
            at = child;
        }
        heap_[at] = ranked;
    }

    NearCells near_;
    int width_;
    int root_width_;
    std::vector<RankedCell> heap_;
};

}  // namespace inarow
