// What the engine's Model of gravity looks up for each window.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "inarow/threats.hpp"

namespace inarow {

// What is looked up for each window. Made once for an engine, shared by its threads, never changed.
class DropTables {
public:
    // Three numbers in one word, 20 bits each: windows that somebody can still fill, and by seat those that lack two stones.
    static constexpr int count_bits = 20;
    static std::int64_t alive(std::int64_t counts) { return counts & ((1 << count_bits) - 1); }
    static std::int64_t lacking_two(std::int64_t counts, Seat seat) {
        return counts >> (count_bits * (1 + index(seat))) & ((1 << count_bits) - 1);
    }
    static std::int64_t one_lacking_two(Seat seat) { return std::int64_t{1} << (count_bits * (1 + index(seat))); }

    struct Gain {
        std::int32_t value;   // what a stone adds, as the first seat sees it,
        std::int32_t rank;    // how good that looks,
        std::int64_t counts;  // and how the Counts change
    };

    // Up to this K it counts whose rows the free cells of a window lie in.
    static constexpr int most_rows_k = 16;

    DropTables(int k, const EngineWeights& weights);

    const EngineWeights& weights() const { return weights_; }
    // For a stone of this seat, in the rows of the first seat or of the second, in a window of a column or of another direction: by the
    // window's place before the stone.
    const Gain* gains(Seat seat, Seat owner, bool is_column) const { return gains_[list(seat, owner, is_column)].data(); }
    // Of a window with this code, so many of whose free cells lie in rows of the first seat.
    int place(int code, int first_rows) const { return code + base_ * base_ * first_rows; }

private:
    static std::size_t list(Seat seat, Seat owner, bool is_column) { return static_cast<std::size_t>(4 * index(seat) + 2 * index(owner) + (is_column ? 1 : 0)); }

    EngineWeights weights_;
    int base_;
    std::array<std::vector<Gain>, 8> gains_;
};

}  // namespace inarow
