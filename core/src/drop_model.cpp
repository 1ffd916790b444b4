#include "inarow/drop_model.hpp"

#include <utility>

namespace inarow {

namespace {

constexpr int column_direction = 1;  // of a cell's spans: see geometry.hpp

}  // namespace

DropModel::DropModel(std::shared_ptr<const Geometry> geometry, std::shared_ptr<const DropTables> tables)
    : geometry_(std::move(geometry)), tables_(std::move(tables)), columns_(geometry_->game().columns), counts_rows_(geometry_->game().k <= DropTables::most_rows_k), free_cells_(geometry_->cells()), key_(geometry_->empty_key()) {
    const auto& [rows, columns, k, gravity] = geometry_->game();
    steps_ = {1, static_cast<std::int16_t>(k + 1)};
    for (std::size_t seat = 0; seat < 2; ++seat) {
        one_missing_[seat] = (k - 1) * steps_[seat];
        two_missing_[seat] = (k - 2) * steps_[seat];  // for K = 1 no code
        winning_windows_[seat].resize(at(cells()));
        winning_rows_[seat].resize(at(columns));
    }
    for (Cell cell = 0; cell < cells(); ++cell) {
        columns_of_.push_back(static_cast<std::uint8_t>(cell % columns));
        heights_of_.push_back(static_cast<std::uint8_t>(rows - 1 - cell / columns));
    }
    for (int column = 0; column < columns; ++column) {
        landings_.push_back(cells() - columns + column);
        open_columns_ |= bit(column);
    }
    last_ = cells() % 2 == 0 ? Seat::second : Seat::first;
    for (int height = rows - 1; height >= 0; height -= 2) followers_rows_ |= bit(height);
    for (int window = 0; window < geometry_->windows(); ++window) {
        Window empty{};
        for (int i = 0; i < k; ++i) {
            const Cell cell = geometry_->window_cell(window, i);
            empty.free_sum += cell;
            if (counts_rows_ && owner_of(cell) == Seat::first) ++empty.first_rows;
        }
        windows_.push_back(empty);
    }
    if (DropParity::fits(geometry_->game())) {
        parity_ = std::make_shared<const DropParity>(geometry_->game());
        for (Cell cell = 0; cell < cells(); ++cell) bits_of_.push_back(static_cast<std::uint8_t>(column_of(cell) * parity_->shape.stride() + height_of(cell)));
    }
    moves_.reserve(at(cells()) + 1);
    states_.resize(at(cells()) + 1);
    now().counts = geometry_->windows();
    if (k == 2) now().counts += geometry_->windows() * (DropTables::one_lacking_two(Seat::first) + DropTables::one_lacking_two(Seat::second));
    if (k > 1) return;
    for (Cell cell = 0; cell < cells(); ++cell) {  // a window of one cell lacks one stone from the beginning
        add_winning_window(Seat::first, cell);
        add_winning_window(Seat::second, cell);
    }
}

void DropModel::add_winning_window(Seat seat, Cell cell) {
    const int column = column_of(cell);
    if (winning_windows_[at(seat)][at(cell)]++ > 0) return;
    winning_rows_[at(seat)][at(column)] |= bit(height_of(cell));
    if (parity_) winning_[at(seat)] |= bit(bits_of_[at(cell)]);
    now().threats[at(seat)] |= bit(column);
    if (landing(column) == cell) now().wins[at(seat)] |= bit(column);
}

// Only in the windows' books: the State is dropped as a whole.
void DropModel::remove_winning_window(Seat seat, Cell cell) {
    if (--winning_windows_[at(seat)][at(cell)] > 0) return;
    winning_rows_[at(seat)][at(column_of(cell))] ^= bit(height_of(cell));
    if (parity_) winning_[at(seat)] ^= bit(bits_of_[at(cell)]);
}

void DropModel::make(Cell cell) {
    const Seat seat = turn_;
    const int column = column_of(cell);
    const Cell above = cell - columns_;
    State& next = states_[depth_ + 1];
    const State& before = states_[depth_++];
    next.wins = before.wins;
    next.threats = before.threats;
    next.looks[0].is_known = next.looks[1].is_known = false;

    landings_[at(column)] = above;
    if (above < 0) open_columns_ ^= bit(column);
    for (const Seat each : {Seat::first, Seat::second}) {
        next.wins[at(each)] &= ~bit(column);
        if (above >= 0 && is_winning(each, above)) next.wins[at(each)] |= bit(column);
    }

    const Seat owner = owner_of(cell);
    const std::int16_t step = steps_[at(seat)], row_step = counts_rows_ && owner == Seat::first ? 1 : 0;
    const std::int32_t one_missing = one_missing_[at(seat)];
    int direction = 0;
    std::int32_t value = before.value;
    std::int64_t counts = before.counts;
    for (const Span& span : geometry_->spans(cell)) {
        const DropTables::Gain* gains = tables_->gains(seat, owner, direction++ == column_direction);
        Window* window = windows_.data() + span.first;
        for (const Window* end = window + span.count; window != end; ++window) {
            const DropTables::Gain& gain = gains[tables_->place(window->code, window->first_rows)];
            value += gain.value;
            counts += gain.counts;
            window->code = static_cast<std::int16_t>(window->code + step);
            window->first_rows = static_cast<std::int16_t>(window->first_rows - row_step);
            window->free_sum -= cell;
            if (window->code == one_missing) add_winning_window(seat, window->free_sum);
        }
    }
    next.value = value;
    next.counts = counts;
    if (parity_) stones_[at(seat)] |= bit(bits_of_[at(cell)]);
    key_ ^= geometry_->key_words(cell, seat)[0];
    moves_.push_back(cell);
    --free_cells_;
    turn_ = other(turn_);
}

void DropModel::unmake() {
    const Cell cell = moves_.back();
    const int column = column_of(cell);
    moves_.pop_back();
    turn_ = other(turn_);
    ++free_cells_;
    --depth_;
    if (parity_) stones_[at(turn_)] ^= bit(bits_of_[at(cell)]);
    key_ ^= geometry_->key_words(cell, turn_)[0];
    const std::int16_t step = steps_[at(turn_)], row_step = counts_rows_ && owner_of(cell) == Seat::first ? 1 : 0;
    const std::int32_t one_missing = one_missing_[at(turn_)];
    for (const Span& span : geometry_->spans(cell)) {
        Window* window = windows_.data() + span.first;
        for (const Window* end = window + span.count; window != end; ++window) {
            if (window->code == one_missing) remove_winning_window(turn_, window->free_sum);
            window->code = static_cast<std::int16_t>(window->code - step);
            window->first_rows = static_cast<std::int16_t>(window->first_rows + row_step);
            window->free_sum += cell;
        }
    }
    landings_[at(column)] = cell;
    open_columns_ |= bit(column);
}

void DropModel::pass() {
    key_ ^= pass_word;
    moves_.push_back(no_cell);
    turn_ = other(turn_);
}

void DropModel::unpass() {
    moves_.pop_back();
    turn_ = other(turn_);
    key_ ^= pass_word;
}

template <class Visit>
void DropModel::for_each_new_win(Seat seat, Cell stone, Visit&& visit) const {
    if (DropTables::lacking_two(now().counts, seat) == 0) return;
    const std::int32_t two_missing = two_missing_[at(seat)];
    for (const Span& span : geometry_->spans(stone)) {
        const Window* window = windows_.data() + span.first;
        for (const Window* end = window + span.count; window != end; ++window) {
            if (window->code == two_missing) visit(window->free_sum - stone);
        }
    }
}

const DropModel::Look& DropModel::looked(Seat seat) const {
    Look& look = states_[depth_].looks[at(seat)];
    if (!look.is_known) {
        look = {.is_known = true};
        // A four comes of a window that lacks two stones, or of a stone below a cell that wins.
        if (DropTables::lacking_two(now().counts, seat) == 0 && now().threats[at(seat)] == 0) return look;
        for_each_bit(open_columns_, [&](int column) { look_at(seat, column, look); });
    }
    return look;
}

// What a seat's stone in a column makes. Neither a double nor a four is worth anything when the other wins on top of the stone.
void DropModel::look_at(Seat seat, int column, Look& look) const {
    const Cell stone = landing(column), above = stone - columns_;
    Bits playable = now().wins[at(seat)] & ~bit(column);  // columns with winning cells after the stone
    Bits on_top = 0;                                      // … with new ones one cell higher
    if (above >= 0) {
        if (is_winning(other(seat), above)) return;
        if (is_winning(seat, above)) playable |= bit(column);
    }
    Cell one = no_cell;
    bool are_more = false;
    for_each_new_win(seat, stone, [&](Cell cell) {
        are_more = are_more || (one != no_cell && cell != one);
        one = cell;
        const int where = column_of(cell);
        const Cell lands = where == column ? above : landing(where);
        if (cell == lands) playable |= bit(where);
        if (cell == lands - columns_) on_top |= bit(where);
    });
    if (playable == 0) return;
    look.fours |= bit(column);
    if (are_more) look.strong_fours |= bit(column);
    bool is_double = (playable & (playable - 1)) != 0 || (playable & on_top) != 0;
    if (!is_double) {
        const int where = lowest(playable);
        const Cell upper = (where == column ? above : landing(where)) - columns_;
        is_double = upper >= 0 && is_winning(seat, upper);
    }
    if (is_double) look.doubles |= bit(column);
}

bool DropModel::makes_threat(Cell cell) const {
    if (makes_four(cell)) return true;
    bool is_threat = false;
    for_each_new_win(turn_, cell, [&](Cell) { is_threat = true; });
    return is_threat;
}

std::int32_t DropModel::rank(int column) const {
    const Cell stone = landing(column), above = stone - columns_;
    const DropWeights& weights = tables_->weights().drop;
    const DropTables::Gain* gains = tables_->gains(turn_, owner_of(stone), false);
    std::int32_t rank = 0;
    for (const Span& span : geometry_->spans(stone)) {
        const Window* window = windows_.data() + span.first;
        for (const Window* end = window + span.count; window != end; ++window) rank += gains[tables_->place(window->code, window->first_rows)].rank;
    }
    if (above >= 0 && is_winning(other(turn_), above)) rank += weights.gives_win;
    if (above >= 0 && is_winning(turn_, above)) rank += weights.gives_threat;
    if (has(looked(turn_).fours, column)) rank += weights.four;
    return rank;
}

void DropModel::append_fours(RankedMoves& moves, bool only_strong) const {
    const Look& look = looked(turn_);
    for_each_bit(only_strong ? look.strong_fours : look.fours, [&](int column) { moves.push_back({landing(column), rank(column)}); });
}

void DropModel::append_attacks(RankedMoves& moves) const {
    for_each_bit(open_columns_, [&](int column) {
        if (makes_threat(landing(column))) moves.push_back({landing(column), 0});
    });
}

void DropModel::append_moves(RankedMoves& moves) const {
    for_each_bit(open_columns_, [&](int column) { moves.push_back({landing(column), rank(column)}); });
}

void DropModel::append_defences_to_doubles(RankedMoves& moves) {
    const Seat attacker = other(turn_);
    const Cell stone = double_cell(attacker);
    pass();
    make(stone);
    const Cell reply = winning_cell(attacker);
    make(reply);
    const std::array<Cell, 3> line{stone, reply, winning_cell(attacker)};
    unmake();
    unmake();
    unpass();
    append_defences_to_line(line, moves);
}

void DropModel::append_defences_to_line(std::span<const Cell> line, RankedMoves& moves) {
    const Seat attacker = other(turn_);
    Bits line_columns = 0;
    for (const Cell cell : line) line_columns |= bit(column_of(cell));
    for_each_bit(open_columns_, [&](int column) {
        const std::int32_t rank_here = rank(column);
        const Cell cell = landing(column);
        if (!has(line_columns, column)) {
            make(cell);
            const bool is_vain = still_wins(attacker, line);
            unmake();
            if (is_vain) return;
        }
        moves.push_back({cell, rank_here});
    });
}

// Whether the attacker, who is to move, can play its line through: after none of its stones can the other win at once.
bool DropModel::still_wins(Seat attacker, std::span<const Cell> line) {
    bool is_won = true;
    std::size_t made = 0;
    while (is_won && made + 1 < line.size()) {
        make(line[made++]);
        is_won = turn_ == attacker || wins(other(attacker)) == 0;
    }
    while (made-- > 0) unmake();
    return is_won;
}

Outlook DropModel::outlook() const {
    if (!parity_) return {};
    const Bits mask = stones_[0] | stones_[1];
    const int upper = parity_->bounds.upper(stones_[at(turn_)], mask, free_cells_, winning_[at(other(turn_))] & ~mask);
    if (upper > 0) return {};
    // The solver's scores count the winner's stones from the end of the game.
    return {false, upper < 0 ? 2 * (free_cells_ / 2 + upper + 1) : 0};
}

}  // namespace inarow
