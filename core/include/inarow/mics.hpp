// MarkCello's cell values (Huang and Spadaccini's "MICS", after Hayes and Loge), kept move by move.
//
// For a free cell, a seat and a direction, over the windows through the cell that the other seat has no stone in:
//
//     windows    how many there are
//     own        how many of the seat's stones they reach, each counted once
//     missing    how many stones the best of them lacks, the one on the cell included
//     best       how many lack so few
//
//     direction's value   1,000,000            when missing = 1: the move wins
//                         10,000               when missing = 2 in two windows or more: the move threatens twice
//                         windows + 10 * own   otherwise
//     cell's value        the largest special value of a direction, or 10,000 when missing = 2 in two directions,
//                         otherwise the sum of the directions' values
//
// What a direction contributes is packed into one word, so that a cell's word is the sum of its directions' words:
//
//     bits   0-15  the sum of plain values        16-19  directions that win
//           20-23  directions that threaten twice 24-27  directions with missing = 2
//
// and the words of the two seats share 64 bits. A stone changes the words of the at most 2K - 2 other cells on each line
// through it that are less than K away. Where K is small the cells around a cell, two bits each, are an index into a table of
// words; otherwise the words are recomputed in one pass along the line, with a sliding maximum over its windows: O(K) for a line,
// where looking at K windows for each cell would be O(K^2). Taking a stone off restores what was there from a log.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "inarow/evaluations.hpp"

namespace inarow {

class MicsEvaluation : public Follower {
public:
    static constexpr std::int32_t winning = 1'000'000;
    static constexpr std::int32_t double_threat = 10'000;

    explicit MicsEvaluation(const Position& position);

    void after_make(const Position& position, Cell cell);
    void after_unmake(const Position& position, Cell cell);

    // The sum of the free cells' values for the mover minus that for the other; 0 when no window is alive.
    Score value(const Position& position) const { return seen_by_mover(position, totals_.back()[0] - totals_.back()[1]); }

    // What the mover would have after playing on a cell, seen by the mover; only where K is small enough for the table.
    bool looks_ahead() const { return !table_.empty(); }
    Score value_after(const Position& position, Cell cell) const;

    // The value of a free cell for a seat; far below 0 for one that is taken.
    std::int32_t value(Cell cell, Seat seat) const { return values(seat)[cell]; }
    const std::int32_t* values(Seat seat) const { return values_[static_cast<std::size_t>(index(seat))].data(); }

private:
    static constexpr int max_table_k = 5;  // 2 * (K - 1) cells of two bits: 65536 words

    static constexpr std::int32_t taken = -(1 << 28);  // the value of a cell with a stone

    // What a place held before.
    struct Change {
        std::size_t place;  // cell * 4 + direction
        std::uint64_t line;
        std::uint64_t word;
        std::array<std::int32_t, 2> values;
    };

    // How many cells of the board, at most K - 1, lie before a cell on a line and how many behind it.
    struct Reach {
        std::uint8_t before;
        std::uint8_t behind;
    };

    void measure_reach(const Game& game);
    void fill_table(int k);
    void enter_around(const Position& position, Cell cell, std::size_t direction);
    void update_by_table(const Position& position, Cell cell, std::size_t direction, Seat seat);
    void update_by_sliding(const Position& position, Cell cell, std::size_t direction);
    void log(std::size_t place);
    void set_line(Cell cell, std::size_t direction, std::uint64_t line, std::uint64_t old_word, std::uint64_t new_word);

    std::vector<Reach> reach_;                         // by cell * 4 + direction
    std::array<Cell, 4> steps_{};                      // by direction: from a cell to the next
    std::vector<std::array<std::int64_t, 2>> totals_;  // by ply, by seat
    std::vector<std::uint64_t> words_;                 // by cell: the sum of its directions' words
    std::array<std::vector<std::int32_t>, 2> values_;  // by seat, by cell
    // By cell * 4 + direction: the cells around, two bits each, where there is a table; the direction's word elsewhere.
    std::vector<std::uint64_t> lines_;
    std::vector<std::uint64_t> table_;  // words by the cells around; empty for large K
    std::vector<Change> log_;
    std::vector<std::size_t> log_begins_;  // by ply
};

}  // namespace inarow
