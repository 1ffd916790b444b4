// A board of stones with the threats of every free cell, kept up to date as stones come and go.
//
// Lines. Up to K = 6 each direction has its own copy of the board in which the cells of a line lie side by side, two bits each, so that the
// surroundings of a cell are a few bits of one machine word. Lines follow each other with K - 1 cells "off the board" between them
// (3 x 4 board, K = 3, direction down-right, a cell's number as a hexadecimal digit, - off the board):
//
//     - - 8 - - 4 9 - - 0 5 a - - 1 6 b - - 2 7 - - 3 - -
//
// A stone changes what its neighbours up to K - 1 cells away see: at most 8 (K - 1) cells, each in one direction only. What they held
// before waits on a stack, from which remove() takes it back.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "inarow/geometry.hpp"
#include "inarow/threats.hpp"
#include "inarow/window_patterns.hpp"

namespace inarow {

class ThreatBoard {
public:
    ThreatBoard(std::shared_ptr<const Geometry> geometry, std::shared_ptr<const ThreatTables> tables);

    const Geometry& geometry() const { return *geometry_; }
    const ThreatTables& tables() const { return *tables_; }

    // Puts a stone of either seat on a free cell; takes the latest stone off again.
    void place(Cell cell, Seat seat);
    void remove();

    bool is_free(Cell cell) const { return stones_[at(cell)] == 0; }
    int stones() const { return static_cast<int>(frames_.size()); }
    int free_cells() const { return geometry_->cells() - stones(); }

    // On how many free cells a stone of the seat makes just this threat. quiet, open_two and three are counted together,
    // none is not counted.
    int count(Seat seat, Threat threat) const { return state_.counts[side(seat)][count_lane(threat)]; }
    Threat threat(Seat seat, Cell cell) const { return static_cast<Threat>(threats_[side(seat)][at(cell)]); }
    Code code(Seat seat, Cell cell) const { return codes_[at(cell)][side(seat)]; }
    const ThreatTables::Entry& entry(Seat seat, Cell cell) const { return tables_->entry(code(seat, cell)); }
    LinePattern pattern(Seat seat, Cell cell, int direction) const {
        return static_cast<LinePattern>(patterns_[at(cell)] >> (16 * index(seat) + 4 * direction) & 15);
    }

    // Whether no window can be filled any more, by nobody.
    bool is_dead() const {
        const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(state_.counts[0] | state_.counts[1]);
        return (words[0] | words[1]) == 0;
    }

    // The sums of the free cells' values for a seat: as the player to move, and as the one who waits.
    int moving_sum(Seat seat) const { return ThreatTables::moving(state_.values[side(seat)]); }
    int waiting_sum(Seat seat) const { return ThreatTables::waiting(state_.values[side(seat)]); }

    // Calls visit(cell) for every cell on which the seat would win at once after a stone of its own on this cell, which makes a four.
    template <class Visit>
    void for_each_win_after(Seat seat, Cell cell, Visit&& visit) const;

    // Calls visit(cell) for every free cell on which the seat makes this threat or a better one, ascending. Not for Threat::none. visit may not
    // change the board.
    template <class Visit>
    void for_each_at_least(Seat seat, Threat least, Visit&& visit) const {
        for (Cell first = 0; first < geometry_->cells(); first += 8) {
            for (std::uint64_t high = eight_at_least(seat, least, first); high != 0; high &= high - 1) visit(first + std::countr_zero(high) / 8);
        }
    }

    // The first of these cells, or no_cell.
    Cell first_at_least(Seat seat, Threat least) const {
        for (Cell first = 0; first < geometry_->cells(); first += 8) {
            if (const std::uint64_t high = eight_at_least(seat, least, first)) return first + std::countr_zero(high) / 8;
        }
        return no_cell;
    }

    // Calls visit(cell, codes) for every cell that has changed since there were so many stones, fewer than now: with its codes before the
    // change, and once for each later stone that has changed it, the first first.
    template <class Visit>
    void for_each_change_since(int stones, Visit&& visit) const {
        for (std::size_t i = frames_[static_cast<std::size_t>(stones)].saved; i < saved_count_; ++i) visit(saved_[i].cell, saved_[i].codes);
    }

private:
    // Both seats' quads in one word, the second seat's above.
    using Quads = std::uint32_t;

    struct State {
        std::array<ThreatCounts, 2> counts{};
        std::array<std::int64_t, 2> values{};  // see ThreatTables::Entry
    };
    struct Frame {
        Cell cell;
        Seat seat;
        std::uint32_t saved;  // saved_[saved..] belong to this stone and later ones
        State state;
    };
    struct Saved {
        Cell cell;
        Quads patterns;
        std::array<Code, 2> codes;
        std::array<std::uint8_t, 2> threats;
    };

    // Eight cells at a time: a byte's highest bit is set where the cell has at least this threat, by adding 128 - least to each.
    std::uint64_t eight_at_least(Seat seat, Threat least, Cell first) const {
        constexpr std::uint64_t ones = 0x0101010101010101u;
        std::uint64_t eight;
        std::memcpy(&eight, threats_[side(seat)].data() + first, sizeof eight);
        return (eight + ones * (128 - static_cast<std::uint64_t>(least))) & ones << 7;
    }

    static std::size_t at(Cell cell) { return static_cast<std::size_t>(cell); }
    static std::size_t side(Seat seat) { return static_cast<std::size_t>(index(seat)); }

    void lay_out_lines();
    void find_first_patterns();

    template <int K>
    void update_by_table(Cell cell, Seat seat);
    void update_by_windows(Cell cell);

    // The eight bytes of the lines from this bit on, as far as they are there: 57 bits at least.
    std::uint64_t bits_from(std::uint32_t bit) const {
        std::uint64_t word;
        std::memcpy(&word, lines_.data() + bit / 8, sizeof word);
        return word >> bit % 8;
    }

    void make_room();
    void save(Cell cell) { saved_[saved_count_++] = {cell, patterns_[at(cell)], codes_[at(cell)], {threats_[0][at(cell)], threats_[1][at(cell)]}}; }
    void change_patterns(Cell cell, Quads patterns);
    void count_changes(std::size_t first, State& state);

    std::shared_ptr<const Geometry> geometry_;
    std::shared_ptr<const ThreatTables> tables_;
    int k_;
    std::optional<WindowPatterns> windows_;  // for a large K, instead of the lines
    std::vector<std::uint8_t> lines_;
    std::vector<std::array<std::uint32_t, 4>> places_;  // a cell's first bit in lines_, for each direction
    std::array<Cell, 4> steps_{};                       // from a cell to the next of its line
    std::vector<std::uint8_t> stones_;                  // 0 free, 1 first seat's, 2 second seat's
    std::vector<Quads> patterns_;
    std::vector<std::array<Code, 2>> codes_;
    std::array<std::vector<std::uint8_t>, 2> threats_;  // a Threat each, none on taken cells; room for whole words
    State state_;
    std::vector<Frame> frames_;
    std::vector<Saved> saved_;  // of which the first saved_count_ are in use
    std::size_t saved_count_ = 0;
};

template <class Visit>
void ThreatBoard::for_each_win_after(Seat seat, Cell cell, Visit&& visit) const {
    const std::uint8_t own = static_cast<std::uint8_t>(index(seat) + 1);
    for (std::size_t d = 0; d < 4; ++d) {
        const LinePattern made = pattern(seat, cell, static_cast<int>(d));
        if (made != LinePattern::four && made != LinePattern::open_four) continue;
        const Span span = geometry_->spans(cell)[d];
        Cell last = no_cell;  // neighbouring windows often lack the same cell
        for (int window = span.first; window < span.first + span.count; ++window) {
            Cell missing = no_cell;
            int stones = 0;
            for (int i = 0; i < k_; ++i) {
                const Cell at_window = geometry_->window_cell(window, i);
                if (at_window == cell || stones_[at(at_window)] == own) {
                    ++stones;
                } else {
                    missing = at_window;
                }
            }
            if (stones == k_ - 1 && stones_[at(missing)] == 0 && missing != last) visit(missing);
            if (stones == k_ - 1) last = missing;
        }
    }
}

}  // namespace inarow
