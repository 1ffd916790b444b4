// Nisshoku's evaluation (Testa and Sami): chains of K - 1 and K - 2 stones, and for each stone what lies around it.
//
// It is a sum over the lines of the board (whole rows, columns and diagonals), so a stone changes the shares of four lines.
// A line's share depends on its stones alone; shares of lines of up to 64 cells are remembered and mostly looked up.
//
// A block is as many stones of a seat as stand side by side. Two neighbouring blocks of fewer than K - 1 stones with one free
// cell between them are a chain with a gap; a block that is in no such chain is one by itself:
//
//     . X X X .        no gap, both ends free: open
//     O X X . X .      a gap, or an end that is not free: half-open, if a window could still be filled around it
//
// (The report walks from stone to stone, and what it finds depends on where it begins. Blocks are the same from both sides, so
// that all images of a position have one value, as a table with one entry for all of them needs.)
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "inarow/evaluations.hpp"

namespace inarow {

class ChainsEvaluation : public Follower {
public:
    explicit ChainsEvaluation(const Position& position);

    void before_make(const Position& position, Cell cell);
    void after_unmake(const Position& position, Cell cell);

    Score value(const Position& position) const {
        const Share& sum = sums_.back();
        const auto own = static_cast<std::size_t>(index(position.turn()));
        const std::int64_t threats = sum.as_mover[own] - sum.as_other[1 - own];
        return clamped(threat_weight * threats + sum.check[own] - sum.check[1 - own]);
    }

private:
    static constexpr std::int64_t threat_weight = 150;
    static constexpr int directions_count = 4;

    // What a line contributes, by seat: its chains when the seat is to move and when it is not, and `check`.
    struct Share {
        std::array<std::int32_t, 2> as_mover;
        std::array<std::int32_t, 2> as_other;
        std::array<std::int32_t, 2> check;

        Share& operator+=(const Share& other);
        Share& operator-=(const Share& other);
    };

    // One bit a cell, in two words: a line has at most 128 cells.
    using Stones = std::array<std::uint64_t, 2>;

    struct Line {
        std::array<Stones, 2> stones;  // by seat
        int length;
        Share share;
    };
    struct Place {
        std::int32_t line;
        std::int32_t offset;
    };
    struct Remembered {
        std::uint64_t first = 0;
        std::uint64_t second = 0;
        int length = 0;  // 0: nothing is remembered here
        Share share{};
    };

    Share share_of(const Line& line);
    Share computed_share(const Line& line) const;
    void add_chains(const Line& line, std::size_t seat, Share& share) const;
    void add_check(const Line& line, std::size_t seat, Share& share) const;

    int k_;
    std::vector<std::array<Place, directions_count>> places_;  // by cell
    std::vector<Line> lines_;
    std::vector<Share> sums_;                                   // by ply
    std::vector<std::array<Share, directions_count>> undo_;    // by ply: the shares of the four lines before the move
    std::vector<Remembered> memory_;
};

}  // namespace inarow
