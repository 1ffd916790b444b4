// A small network that corrects the sum over cells by which free placement is evaluated (threats.hpp), and sums of its first layer
// that follow a board.
//
//     free cells          each has 64 numbers, by its codes for the player to move and for the other: rows of two tables, added, cut off
//         |               below 0 and above 127
//     sum over cells      64 numbers
//         |               times a matrix, plus a row by the threat bits, cut off below 0
//     hidden layer        32 numbers
//         |               times a vector
//     value
//
// A code that knows of no stone (for K >= 5, one without even a two) has rows of zeros, so that it does not matter how much of the board is
// empty. Sums are kept for either seat as the player to move. They are whole numbers, so that it does not matter in which order cells come
// and go; what follows is in floating point, always in the same order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "inarow/threat_board.hpp"

namespace inarow {

class CellNetwork {
public:
    static constexpr std::size_t channels = NetworkWeights::channels;
    static constexpr std::size_t hidden = NetworkWeights::hidden;
    static constexpr std::uint16_t most = 127;       // that a cell can bring to a channel
    static constexpr int most_cells = 65535 / most;  // whose sums fit
    using Channels = std::array<std::uint16_t, channels>;
    // What the cells bring together, if the player to move is the first seat, and if it is the second.
    struct Sums {
        alignas(64) std::array<Channels, 2> of{};
    };
    // A cell's codes for the first and for the second seat. A taken cell has no_code.
    using Codes = std::array<Code, 2>;
    static constexpr Codes no_code{0, 0};
    struct Change {
        Codes before, now;
    };

    // Any processor can do the same as a wide one, and comes to the same.
    explicit CellNetwork(const NetworkWeights& weights, bool may_be_wide = true);

    void update(Sums& sums, std::span<const Change> changes) const { update_(*this, sums, changes); }
    int value(const Sums& sums, Seat turn, unsigned threat_mask) const { return value_(*this, sums.of[static_cast<std::size_t>(index(turn))], threat_mask); }

    // How likely a draw is, as contempt.hpp has it, by what the cells bring and how many are free.
    bool knows_draws() const { return !draws_.empty(); }
    double drawishness(const Sums& sums, Seat turn, int free_cells) const;

private:
    struct Loops;  // compiled for more than one kind of processor

    struct alignas(64) CellRow {
        std::array<std::int16_t, channels> of{};
    };
    struct alignas(64) HiddenRow {
        std::array<float, hidden> of{};
    };

    std::vector<CellRow> moving_, waiting_;  // by code
    std::vector<HiddenRow> matrix_;          // by channel
    std::vector<HiddenRow> threats_;         // by threat bits
    HiddenRow output_;
    std::vector<double> draws_;  // by channel; for each free cell; for all
    void (*update_)(const CellNetwork&, Sums&, std::span<const Change>);
    int (*value_)(const CellNetwork&, const Channels&, unsigned);
};

// The sums of a board, found when they are asked for, from those of the latest board before that was asked for.
class NetworkSums {
public:
    explicit NetworkSums(const ThreatBoard& empty);

    // Of the board as it is, which has grown out of the one that was asked for last, except for stones that were told to have gone.
    const CellNetwork::Sums& of(const ThreatBoard& board);
    // There are so many stones left.
    void stones_left(int stones) {
        while (known_.back().stones > stones) known_.pop_back();
    }

private:
    struct Known {
        int stones = 0;
        CellNetwork::Sums sums{};
    };
    std::vector<Known> known_;          // by the number of stones, ascending
    std::vector<std::uint64_t> marks_;  // the last update that has looked at a cell
    std::uint64_t updates_ = 0;
    std::vector<CellNetwork::Change> changes_;  // scratch
};

}  // namespace inarow
