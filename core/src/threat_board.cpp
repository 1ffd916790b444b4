#include "inarow/threat_board.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace inarow {

ThreatBoard::ThreatBoard(std::shared_ptr<const Geometry> geometry, std::shared_ptr<const ThreatTables> tables)
    : geometry_(std::move(geometry)),
      tables_(std::move(tables)),
      k_(geometry_->game().k),
      stones_(at(geometry_->cells())),
      patterns_(at(geometry_->cells())),
      codes_(at(geometry_->cells())) {
    for (auto& threats : threats_) threats.resize(at(geometry_->cells()) + 8);
    for (std::size_t d = 0; d < directions.size(); ++d) {
        steps_[d] = directions[d].row_step * geometry_->game().columns + directions[d].column_step;
    }
    frames_.reserve(at(geometry_->cells()));
    if (tables_->patterns()) {
        lay_out_lines();
    } else {
        windows_.emplace(geometry_);
    }
    find_first_patterns();
}

void ThreatBoard::lay_out_lines() {
    const Game& game = geometry_->game();
    const auto on_board = [&](int row, int column) { return 0 <= row && row < game.rows && 0 <= column && column < game.columns; };
    std::uint32_t end = static_cast<std::uint32_t>(2 * k_);  // counted in cells of two bits; a stone's reach is read twice
    places_.resize(at(geometry_->cells()));
    for (std::size_t d = 0; d < directions.size(); ++d) {
        const auto [row_step, column_step] = directions[d];
        for (Cell head = 0; head < geometry_->cells(); ++head) {
            int row = head / game.columns, column = head % game.columns;
            if (on_board(row - row_step, column - column_step)) continue;  // not the first cell of its line
            for (; on_board(row, column); row += row_step, column += column_step) {
                places_[at(row * game.columns + column)][d] = 2 * end++;
            }
            end += static_cast<std::uint32_t>(k_ - 1);
        }
    }
    lines_.assign(end / 4 + 2 * sizeof(std::uint64_t), 0xff);
    for (const auto& bits : places_) {
        for (const std::uint32_t bit : bits) lines_[bit / 8] &= static_cast<std::uint8_t>(~(3u << bit % 8));
    }
}

void ThreatBoard::find_first_patterns() {
    const auto is_free_cell = [](Cell) { return true; };
    for (int d = 0; d < 4; ++d) {
        std::vector<bool> is_found(at(geometry_->cells()));
        for (Cell cell = 0; cell < geometry_->cells(); ++cell) {
            if (!windows_) {
                const unsigned side_bits = 2 * static_cast<unsigned>(k_ - 1);
                const std::uint64_t bits = bits_from(places_[at(cell)][static_cast<std::size_t>(d)] - side_bits);
                const std::uint64_t mask = (std::uint64_t{1} << side_bits) - 1;
                const unsigned both = (*tables_->patterns())[static_cast<std::uint32_t>((bits & mask) | (bits >> 2 & mask << side_bits))];
                patterns_[at(cell)] |= ((both & 15u) | (both & 0xf0u) << 12) << 4 * d;
            } else if (!is_found[at(cell)]) {
                windows_->for_each_near(cell, d, is_free_cell, [&](Cell near, const auto& found) {
                    if (is_found[at(near)]) return;
                    is_found[at(near)] = true;
                    patterns_[at(near)] |= (static_cast<Quads>(found[0]) | static_cast<Quads>(found[1]) << 16) << 4 * d;
                });
            }
        }
    }
    for (Cell cell = 0; cell < geometry_->cells(); ++cell) {
        for (std::size_t s = 0; s < 2; ++s) {
            const Code code = tables_->code(static_cast<Quad>(patterns_[at(cell)] >> 16 * s));
            const ThreatTables::Entry& entry = tables_->entry(code);
            codes_[at(cell)][s] = code;
            threats_[s][at(cell)] = static_cast<std::uint8_t>(entry.threat);
            state_.counts[s] += entry.count;
            state_.values[s] += entry.values;
        }
    }
}

// The first half of a change, which count_changes completes.
inline void ThreatBoard::change_patterns(Cell cell, Quads patterns) {
    if (patterns == patterns_[at(cell)]) return;
    save(cell);
    patterns_[at(cell)] = patterns;
}

// Brings codes, threats and sums up to date for the saved cells from `first` on. A loop of its own and without branches, so that all it
// needs stays in registers.
inline void ThreatBoard::count_changes(std::size_t first, State& state) {
    const Code* const code_of = tables_->code_data();
    const ThreatTables::Entry* const entries = tables_->entry_data();
    const Quads* const patterns = patterns_.data();
    std::array<Code, 2>* const cell_codes = codes_.data();
    const std::array<std::uint8_t*, 2> threats{threats_[0].data(), threats_[1].data()};
    const Saved* const end = saved_.data() + saved_count_;
    auto [counts, values] = state;
    for (const Saved* saved = saved_.data() + first; saved != end; ++saved) {
        const std::size_t cell = at(saved->cell);
        const Quads quads = patterns[cell];
        const std::array<Code, 2> found{code_of[quads & 0xffff], code_of[quads >> 16]};
        cell_codes[cell] = found;
        for (std::size_t s = 0; s < 2; ++s) {
            const ThreatTables::Entry& now = entries[found[s]];
            const ThreatTables::Entry& before = entries[saved->codes[s]];
            threats[s][cell] = static_cast<std::uint8_t>(now.threat);
            counts[s] += now.count - before.count;
            values[s] += now.values - before.values;
        }
    }
    state = {counts, values};
}

// For all cells that a stone can change, and its own.
void ThreatBoard::make_room() {
    const Game& game = geometry_->game();
    const std::size_t most = 1 + 4 * static_cast<std::size_t>(std::min(2 * (k_ - 1), std::max(game.rows, game.columns)));
    if (saved_count_ + most > saved_.size()) saved_.resize(2 * saved_.size() + most);
}

template <int K>
inline void ThreatBoard::update_by_table(Cell cell, Seat seat) {
    constexpr int reach = K - 1;
    constexpr unsigned side_bits = 2 * reach;
    constexpr std::uint64_t mask = (std::uint64_t{1} << side_bits) - 1;
    const std::uint8_t* table = tables_->patterns()->data();
    const auto stone = static_cast<std::uint64_t>(index(seat) + 1);
    for (std::size_t d = 0; d < 4; ++d) {
        const std::uint32_t place = places_[at(cell)][d];
        // The cells up to 2 * reach away on both sides, those furthest before lowest.
        const std::uint64_t bits = bits_from(place - 2 * side_bits) | stone << 2 * side_bits;
        lines_[place / 8] |= static_cast<std::uint8_t>(stone << place % 8);
        for (int offset = -reach; offset <= reach; ++offset) {
            const auto low = static_cast<unsigned>(2 * (reach + offset));  // where the neighbour's surroundings begin
            const std::uint64_t around = bits >> low;
            if (offset == 0 || (around >> side_bits & 3) != 0) continue;  // not a free cell
            const unsigned both = table[(around & mask) | (around >> 2 & mask << side_bits)];
            const Cell near = cell + offset * steps_[d];
            const Quads old = patterns_[at(near)] & ~(0x000f000fu << 4 * d);
            change_patterns(near, old | ((both & 15u) | (both & 0xf0u) << 12) << 4 * d);
        }
    }
}

void ThreatBoard::place(Cell cell, Seat seat) {
    assert(is_free(cell));
    frames_.push_back({cell, seat, static_cast<std::uint32_t>(saved_count_), state_});
    make_room();
    save(cell);
    State state = state_;
    for (std::size_t s = 0; s < 2; ++s) {
        const ThreatTables::Entry& entry = tables_->entry(codes_[at(cell)][s]);
        state.counts[s] -= entry.count;
        state.values[s] -= entry.values;
        threats_[s][at(cell)] = static_cast<std::uint8_t>(Threat::none);
    }
    stones_[at(cell)] = static_cast<std::uint8_t>(index(seat) + 1);
    const std::size_t first = saved_count_;
    switch (windows_ ? 0 : k_) {
        case 1: break;
        case 2: update_by_table<2>(cell, seat); break;
        case 3: update_by_table<3>(cell, seat); break;
        case 4: update_by_table<4>(cell, seat); break;
        case 5: update_by_table<5>(cell, seat); break;
        case 6: update_by_table<6>(cell, seat); break;
        default:
            windows_->place(cell, seat);
            update_by_windows(cell);
    }
    count_changes(first, state);
    state_ = state;
}

void ThreatBoard::remove() {
    const Frame& frame = frames_.back();
    const auto s = static_cast<unsigned>(index(frame.seat));
    stones_[at(frame.cell)] = 0;
    if (windows_) {
        windows_->remove(frame.cell, frame.seat);
    } else if (k_ > 1) {
        for (const std::uint32_t bit : places_[at(frame.cell)]) lines_[bit / 8] ^= static_cast<std::uint8_t>((s + 1) << bit % 8);
    }
    for (std::size_t i = frame.saved; i < saved_count_; ++i) {
        const Saved& saved = saved_[i];
        patterns_[at(saved.cell)] = saved.patterns;
        codes_[at(saved.cell)] = saved.codes;
        for (std::size_t seat = 0; seat < 2; ++seat) threats_[seat][at(saved.cell)] = saved.threats[seat];
    }
    state_ = frame.state;
    saved_count_ = frame.saved;
    frames_.pop_back();
}

void ThreatBoard::update_by_windows(Cell cell) {
    const auto is_free_cell = [this](Cell near) { return is_free(near); };
    for (int d = 0; d < 4; ++d) {
        windows_->for_each_near(cell, d, is_free_cell, [&](Cell near, const auto& found) {
            const Quads old = patterns_[at(near)] & ~(0x000f000fu << 4 * d);
            change_patterns(near, old | (static_cast<Quads>(found[0]) | static_cast<Quads>(found[1]) << 16) << 4 * d);
        });
    }
}

}  // namespace inarow
