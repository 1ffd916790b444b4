#include "inarow/free_model.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "inarow/contempt.hpp"
#include "inarow/engine_table.hpp"

namespace inarow {

FreeModel::FreeModel(std::shared_ptr<const Geometry> geometry, std::shared_ptr<const ThreatTables> tables)
    : board_(geometry, std::move(tables)),
      sums_(board_),
      stones_(static_cast<std::size_t>(geometry->game().rows)),
      marks_(static_cast<std::size_t>(geometry->cells())),
      key_(geometry->empty_key()) {
    moves_.reserve(static_cast<std::size_t>(geometry->cells()) + 1);
}

unsigned FreeModel::threat_mask() const {
    const Seat us = turn_, them = other(turn_);
    unsigned mask = 0;
    if (board_.count(us, Threat::four) + board_.count(us, Threat::four_three) > 0) mask |= our_four;
    if (board_.count(us, Threat::four_open_three)) mask |= our_four_open_three;
    if (board_.count(us, Threat::open_three)) mask |= our_open_three;
    if (board_.count(us, Threat::double_open_three)) mask |= our_double_open_three;
    if (board_.count(them, Threat::four) + board_.count(them, Threat::four_three) > 0) mask |= their_four;
    if (board_.count(them, Threat::four_open_three)) mask |= their_four_open_three;
    if (board_.count(them, Threat::open_four)) mask |= their_open_four;
    if (board_.count(them, Threat::double_open_three)) mask |= their_double_open_three;
    return mask;
}

Score FreeModel::value() const {
    const EngineWeights& weights = board_.tables().weights();
    const unsigned mask = threat_mask();
    Score sum = board_.moving_sum(turn_) - board_.waiting_sum(other(turn_)) + weights.threats[mask] + weights.turn;
    const CellNetwork* const network = board_.tables().network();
    if (network != nullptr && cells() <= CellNetwork::most_cells) {
        const CellNetwork::Sums& sums = sums_.of(board_);
        sum += network->value(sums, turn_, mask);
        if (contempt_ != 0 && network->knows_draws()) {
            const double contempt = (turn_ == Seat::first ? 0.01 : -0.01) * contempt_, scale = EngineWeights::drawn_scale;
            sum = static_cast<Score>(std::lrint(scale * with_contempt(sum / scale, network->drawishness(sums, turn_, free_cells()), contempt)));
        }
    }
    return std::clamp(sum, -max_evaluation, max_evaluation);
}

void FreeModel::append_fours(RankedMoves& moves, bool only_strong) const {
    board_.for_each_at_least(turn_, only_strong ? Threat::four_three : Threat::four, [&](Cell cell) { moves.push_back({cell, rank(cell)}); });
}

void FreeModel::append_attacks(RankedMoves& moves) const {
    board_.for_each_at_least(turn_, Threat::three, [&](Cell cell) { moves.push_back({cell, 0}); });
}

template <class Visit>
void FreeModel::for_each_bit(const std::vector<RowBits>& rows, Visit&& visit) const {
    const int columns = board_.geometry().game().columns;
    Cell first = 0;
    for (const RowBits row : rows) {
        for (const int half : {0, 64}) {
            for (auto bits = static_cast<std::uint64_t>(row >> half); bits != 0; bits &= bits - 1) visit(first + half + std::countr_zero(bits));
        }
        first += columns;
    }
}

// The free cells within two rows and columns of a stone, and those on which somebody makes at least an open two.
void FreeModel::find_candidates(std::vector<RowBits>& rows) const {
    constexpr int reach = 2;
    const Game& game = board_.geometry().game();
    const RowBits all = ~RowBits{0} >> (8 * sizeof(RowBits) - static_cast<std::size_t>(game.columns));
    rows.assign(stones_.size(), 0);
    for (int row = 0; row < game.rows; ++row) {
        RowBits wide = stones_[static_cast<std::size_t>(row)];
        if (wide == 0) continue;
        for (int i = 0; i < reach; ++i) wide |= wide << 1 | wide >> 1;
        for (int r = std::max(0, row - reach); r <= std::min(game.rows - 1, row + reach); ++r) rows[static_cast<std::size_t>(r)] |= wide & all;
    }
    for (const Seat seat : {Seat::first, Seat::second}) {
        board_.for_each_at_least(seat, Threat::open_two, [&](Cell cell) { rows[static_cast<std::size_t>(cell / game.columns)] |= RowBits{1} << cell % game.columns; });
    }
    for (std::size_t row = 0; row < rows.size(); ++row) rows[row] &= ~stones_[row];
}

void FreeModel::append_moves(RankedMoves& moves) const {
    const std::size_t begin = moves.size();
    find_candidates(candidates_);
    for_each_bit(candidates_, [&](Cell cell) { moves.push_back({cell, rank(cell)}); });
    if (moves.size() > begin) return;
    // An empty board, or stones that nothing can come of: of the cells that are part of most lines the one nearest to the centre.
    Cell best = no_cell;
    std::pair<int, int> best_rank;
    const Game& game = board_.geometry().game();
    for (Cell cell = 0; cell < cells(); ++cell) {
        if (!board_.is_free(cell)) continue;
        const int row = 2 * (cell / game.columns) - game.rows + 1, column = 2 * (cell % game.columns) - game.columns + 1;
        int windows = 0;
        for (const Span& span : board_.geometry().spans(cell)) windows += span.count;
        const std::pair rank(windows, -row * row - column * column);
        if (best == no_cell || rank > best_rank) {
            best = cell;
            best_rank = rank;
        }
    }
    if (best != no_cell) moves.push_back({best, 0});
}

void FreeModel::append_others(RankedMoves& moves) const {
    RankedMoves candidates;
    append_moves(candidates);
    std::vector<bool> is_listed(static_cast<std::size_t>(cells()));
    for (const RankedMove& move : candidates) is_listed[static_cast<std::size_t>(move.cell)] = true;
    for (Cell cell = 0; cell < cells(); ++cell) {
        if (board_.is_free(cell) && !is_listed[static_cast<std::size_t>(cell)]) moves.push_back({cell, rank(cell)});
    }
}

void FreeModel::mark(Cell cell, int times) {
    std::int32_t& mark = marks_[static_cast<std::size_t>(cell)];
    if (mark == 0) marked_.push_back(cell);
    mark += times;
}

// The cells marked at least `wanted` times. No marks are left over.
void FreeModel::append_marked(RankedMoves& moves, int wanted) {
    std::sort(marked_.begin(), marked_.end());
    for (const Cell cell : marked_) {
        std::int32_t& mark = marks_[static_cast<std::size_t>(cell)];
        if (mark >= wanted && board_.is_free(cell)) moves.push_back({cell, rank(cell)});
        mark = 0;
    }
    marked_.clear();
}

void FreeModel::append_defences_to_doubles(RankedMoves& moves) {
    const Seat attacker = other(turn_);
    RankedMoves doubles;
    board_.for_each_at_least(attacker, Threat::open_four, [&](Cell cell) { doubles.push_back({cell, 0}); });
    for (const RankedMove& move : doubles) {
        mark(move.cell, 1);
        // With three winning cells or more, taking one of them does not help.
        std::array<Cell, 2> wins{};
        std::size_t count = 0;
        board_.for_each_win_after(attacker, move.cell, [&](Cell cell) {
            if (count < wins.size()) wins[count] = cell;
            ++count;
        });
        if (count == wins.size()) {
            for (const Cell cell : wins) mark(cell, 1);
        }
    }
    const int wanted = static_cast<int>(doubles.size());
    board_.for_each_at_least(turn_, Threat::four, [&](Cell cell) { mark(cell, wanted); });
    append_marked(moves, wanted);
}

void FreeModel::append_defences_to_line(std::span<const Cell> line, RankedMoves& moves) {
    const Seat defender = turn_, attacker = other(turn_);
    const auto mark_fours = [&] {
        board_.for_each_at_least(defender, Threat::four, [&](Cell cell) { mark(cell, 1); });
    };
    mark_fours();
    for (const Cell cell : line) mark(cell, 1);
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        board_.place(line[i], i % 2 == 0 ? attacker : defender);
        if (i % 2 == 1) mark_fours();
    }
    for (std::size_t i = 0; i + 1 < line.size(); ++i) board_.remove();
    append_marked(moves, 1);
}

}  // namespace inarow
