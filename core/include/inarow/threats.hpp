// What a stone makes on a cell in all four directions together, and what that is worth.
//
// Code. Four patterns, one for each direction, packed into 16 bits (four bits each, direction 0 lowest) are a Quad. Which pattern lies in
// which direction does not matter, so quads with the same patterns share one of 2380 codes, by which all weights are learned.
//
// Threat. What a code means for the game, best last; "next" is the same seat's next stone:
//
//     none                nothing can come of it (or the cell is taken)
//     quiet               a line through the cell can still be filled
//     open_two            next an open three
//     three               next a four
//     open_three          next an open four
//     double_open_three   in two directions at once
//     four                next a win, on one cell
//     four_three          … and in another direction a three
//     four_open_three     … or even an open three
//     open_four           next a win on one of two cells: an open four, or two fours in two directions
//     win                 the game
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "inarow/drop_weights.hpp"
#include "inarow/line_patterns.hpp"
#include "inarow/score.hpp"

namespace inarow {

enum class Threat : std::uint8_t {
    none,
    quiet,
    open_two,
    three,
    open_three,
    double_open_three,
    four,
    four_three,
    four_open_three,
    open_four,
    win,
};
constexpr int threat_classes = 11;

using Quad = std::uint16_t;
using Code = std::uint16_t;
constexpr int codes = 2380;  // multisets of 4 out of 14 patterns

constexpr Quad quad_of(const std::array<LinePattern, 4>& patterns) {
    unsigned quad = 0;
    for (unsigned d = 0; d < 4; ++d) quad |= static_cast<unsigned>(patterns[d]) << 4 * d;
    return static_cast<Quad>(quad);
}

// The patterns of a code, ascending.
std::array<LinePattern, 4> patterns_of(Code code);

Threat threat_of(const std::array<LinePattern, 4>& patterns);

// By code: whether a stone there is, in some direction, not the first of its seat (for K >= 5).
std::vector<bool> codes_with_stones();

// Who threatens what, as bits, for the part of the evaluation that no sum over cells can express: ours are those of the player to move.
enum ThreatBit : unsigned {
    our_four = 1,                // there is a cell on which we make a four
    our_four_open_three = 2,
    our_open_three = 4,
    our_double_open_three = 8,
    their_four = 16,
    their_four_open_three = 32,
    their_open_four = 64,        // they have an open three, as players say: next an open four
    their_double_open_three = 128,
    threat_masks = 256,
};

// The numbers of a network that corrects the sum over cells: cell_network.hpp says what they are for. All are empty when there is none.
struct NetworkWeights {
    static constexpr std::size_t channels = 64;
    static constexpr std::size_t hidden = 32;
    // What a number stands for is so many times smaller.
    static constexpr int cell_unit = 1 << 6, matrix_unit = 1 << 20, threats_unit = 1 << 10, output_unit = 1 << 4, draws_unit = 1 << 18, draws_rest_unit = 1 << 10;

    std::vector<std::int16_t> moving, waiting;  // a row of channels by code; those of codes without stones do not count
    std::vector<std::int16_t> matrix;           // a row of hidden by channel
    std::vector<std::int16_t> threats;          // a row of hidden by threat bits
    std::vector<std::int16_t> output;           // one by hidden
    std::vector<std::int16_t> draws;            // how likely a draw is: one by channel; one for each free cell, and one more. May be missing

    bool is_there() const { return !output.empty(); }
};

// All that the engine has learned, or been told, as plain numbers. A training program replaces them.
struct EngineWeights {
    // What a free cell is worth to a seat for which it has this code: to the player to move, and to the one who waits.
    std::array<std::int16_t, codes> moving{};
    std::array<std::int16_t, codes> waiting{};
    // How good a move to this cell looks: for what it makes, and for what it prevents.
    std::array<std::int16_t, codes> attack{};
    std::array<std::int16_t, codes> defence{};
    std::array<std::int16_t, threat_masks> threats{};  // by the bits above
    std::int16_t turn = 0;                             // to have the move
    float scale = 320;                                 // the win probability is 1 / (1 + exp(-value / scale))

    static constexpr double drawn_scale = 1000;  // of values on boards where draws are common, as scale is elsewhere

    NetworkWeights network;
    DropWeights drop;  // for games with gravity, in place of all of the above

    // From a formula, for any K: what is not learned yet.
    static EngineWeights handmade();

    double win_probability(Score score, bool gravity) const;
};

// How many cells have which threat, eight counts side by side that change together: those of the threats that matter one by one, quiet,
// open_two and three together. none is not counted.
using ThreatCounts = std::uint16_t __attribute__((vector_size(16)));
constexpr int count_lane(Threat threat) { return threat <= Threat::three ? 0 : static_cast<int>(threat) - 3; }

class CellNetwork;

// What is looked up for each changed cell. Made once for an engine, shared by its threads, never changed.
class ThreatTables {
public:
    struct Entry {
        ThreatCounts count;   // one cell with this threat
        std::int64_t values;  // both in one word, so that one addition adds both: moving + 2^32 * waiting
        std::int16_t attack;
        std::int16_t defence;
        Threat threat;
    };
    static std::int32_t moving(std::int64_t values) { return static_cast<std::int32_t>(values); }
    static std::int32_t waiting(std::int64_t values) { return static_cast<std::int32_t>((values - moving(values)) >> 32); }

    ThreatTables(int k, const EngineWeights& weights);
    ~ThreatTables();

    const EngineWeights& weights() const { return weights_; }
    const PatternTable* patterns() const { return patterns_.get(); }  // none for a large K
    const CellNetwork* network() const { return network_.get(); }     // if the weights have one
    Code code(Quad quad) const { return codes_[quad]; }
    const Entry& entry(Code code) const { return entries_[code]; }
    const Code* code_data() const { return codes_.data(); }
    const Entry* entry_data() const { return entries_.data(); }

private:
    EngineWeights weights_;
    std::unique_ptr<const PatternTable> patterns_;
    std::unique_ptr<const CellNetwork> network_;
    std::vector<Code> codes_;  // by quad
    std::vector<Entry> entries_;
};

}  // namespace inarow
