// The free cells next to a stone (8 neighbours), with a counter of occupied neighbours for every cell, kept move by move
// (the HashMapNFC of Testa and Sami's Nisshoku, without the hash map).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "inarow/position.hpp"

namespace inarow {

class NearCells {
public:
    explicit NearCells(const Position& position);

    int occupied_neighbours(Cell cell) const { return counts_[static_cast<std::size_t>(cell)]; }

    // Call after the stone is on the board.
    void mark(Cell cell) {
        set_free(cell, false);
        for_each_neighbour(cell, [this](Cell neighbour) { ++counts_[static_cast<std::size_t>(neighbour)]; });
    }

    // Call after the stone is off the board.
    void unmark(Cell cell) {
        set_free(cell, true);
        for_each_neighbour(cell, [this](Cell neighbour) { --counts_[static_cast<std::size_t>(neighbour)]; });
    }

    // Calls visit(cell) for each free cell next to a stone, in ascending order.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::size_t word = 0; word < free_.size(); ++word) {
            for (std::uint64_t bits = free_[word]; bits; bits &= bits - 1) {
                const Cell cell = static_cast<Cell>(word * 64) + std::countr_zero(bits);
                if (occupied_neighbours(cell) > 0) visit(cell);
            }
        }
    }

private:
    void set_free(Cell cell, bool is_free) {
        const std::uint64_t bit = std::uint64_t{1} << (cell % 64);
        std::uint64_t& word = free_[static_cast<std::size_t>(cell / 64)];
        word = is_free ? word | bit : word & ~bit;
    }

    template <class Visit>
    void for_each_neighbour(Cell cell, Visit&& visit) const {
        const auto at = static_cast<std::size_t>(cell);
        for (std::int32_t i = first_[at]; i < first_[at + 1]; ++i) visit(neighbours_[static_cast<std::size_t>(i)]);
    }

    std::vector<std::int32_t> first_;   // neighbours_[first_[cell] .. first_[cell + 1]) are those of a cell
    std::vector<Cell> neighbours_;
    std::vector<std::uint8_t> counts_;
    std::vector<std::uint64_t> free_;   // one bit a cell
};

}  // namespace inarow
