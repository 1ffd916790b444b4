// Pairings for boards of any size, from K = 9 on.
//
// On an 8 x 8 torus there are 32 closed lines of eight cells (rows, columns, and the diagonals both ways). Give each of them one pair of
// neighbours along it, so that all 32 pairs are disjoint (they fill all 64 cells). Laid over the plane again and again, every row,
// column and diagonal has such a pair once in eight steps, so that nine cells in a row always contain one: a pairing for K >= 9
// on any board. With stones on the board it still holds where every living line keeps a pair of free cells; shifting and turning
// the pattern gives 512 tries.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "inarow/position.hpp"
#include "inarow/watch.hpp"

namespace inarow {

class TorusPairing {
public:
    static constexpr int side = 8;
    static constexpr int min_k = side + 1;

    TorusPairing();

    // Pairs (two cells after each other) such that each line without a stone of the other seat contains a pair of free cells;
    // empty when no image of the pattern does it, or the watch ended.
    std::vector<Cell> find(const Position& position, Seat attacking, Watch& watch) const;

private:
    // From a cell of the torus to its partner: one of the eight neighbours.
    struct Step {
        std::int8_t rows;
        std::int8_t columns;
        bool operator==(const Step&) const = default;
    };
    using Pattern = std::array<Step, side * side>;

    static bool place_pairs(std::uint32_t open_lines, std::uint64_t used, Pattern& pattern);
    static Step step_at(const Pattern& pattern, int row, int column);
    Pattern image(int symmetry, int row_shift, int column_shift) const;
    static bool covers(const Position& position, Seat attacking, const Pattern& pattern, std::vector<Cell>& pairs);

    Pattern pattern_{};
};

}  // namespace inarow
