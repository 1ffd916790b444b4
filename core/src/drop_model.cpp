#include "inarow/drop_model.hpp"

#include <algorithm>
#include <utility>

#include "inarow/engine_table.hpp"

namespace inarow {

namespace {

constexpr int column_direction = 1;  // of a cell's spans: see geometry.hpp

}  // namespace

DropTables::DropTables(int k, const EngineWeights& weights) : weights_(weights), base_(k + 1) {
    const DropWeights& drop = weights.drop;
    const bool counts_rows = k <= most_rows_k;
    const auto by_missing = [&](const auto& values, int stones) -> int {
        return values[static_cast<std::size_t>(std::min(k - stones, DropWeights::missing_counts - 1))];
    };
    // Far from complete, a window gains with every stone what it will be worth when the numbers begin, divided evenly.
    const auto worth = [&](int stones) {
        const int early = std::max(k - DropWeights::missing_counts + 1, 1);
        return by_missing(drop.window, stones) * std::min(stones, early) / early;
    };
    // In hundredths.
    const auto share = [&](int missing, int own_rows) {
        if (!counts_rows || missing == 0) return 100;
        return 2 * own_rows < missing ? drop.others_row + (100 - drop.others_row) * 2 * own_rows / missing
                                      : 100 + (drop.own_row - 100) * (2 * own_rows - missing) / missing;
    };
    const int most_first_rows = counts_rows ? k : 0;
    for (const Seat seat : {Seat::first, Seat::second}) {
        for (const Seat owner : {Seat::first, Seat::second}) {
            for (const bool is_column : {false, true}) {
                const auto value = [&](int first, int second, int first_rows) {
                    if ((first > 0) == (second > 0)) return 0;
                    const int stones = first + second, missing = k - stones, own_rows = first > 0 ? first_rows : missing - first_rows;
                    const int found = worth(stones) * (is_column ? drop.column : share(missing, own_rows)) / 100;
                    return first > 0 ? found : -found;
                };
                auto& gains = gains_[list(seat, owner, is_column)];
                gains.resize(static_cast<std::size_t>(place(0, most_first_rows + 1)));
                for (int first_rows = 0; first_rows <= most_first_rows; ++first_rows) {
                    const int first_rows_after = first_rows - (counts_rows && owner == Seat::first ? 1 : 0);
                    for (int first = 0; first <= k; ++first) {
                        for (int second = 0; first + second < k; ++second) {
                            if (first_rows > k - first - second || first_rows_after < 0) continue;
                            const int own = seat == Seat::first ? first : second, others = first + second - own;
                            Gain& gain = gains[static_cast<std::size_t>(place(first + base_ * second, first_rows))];
                            gain.value = (seat == Seat::first ? value(first + 1, second, first_rows_after) : value(first, second + 1, first_rows_after)) -
                                         value(first, second, first_rows);
                            gain.rank = (others == 0 ? by_missing(drop.attack, own) : 0) + (own == 0 ? by_missing(drop.defence, others) : 0);
                            gain.counts = own == 0 && others > 0 ? -1 : 0;
                            if (others == 0 && own == k - 3) gain.counts += one_lacking_two(seat);
                            if (others == 0 && own == k - 2) gain.counts -= one_lacking_two(seat);
                            if (own == 0 && others == k - 2) gain.counts -= one_lacking_two(inarow::other(seat));
                        }
                    }
                }
            }
        }
    }
}

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

DropModel::Zugzwang DropModel::zugzwang() const {
    const int rows = geometry_->game().rows;
    std::array<Trap, max_side> traps;
    std::size_t count = 0;
    int safe = free_cells_;
    for_each_bit((now().threats[0] | now().threats[1]) & open_columns_, [&](int column) {
        const int height = height_of(landing(column));
        const Bits wins = height + 1 < rows ? (winning_rows_[0][at(column)] | winning_rows_[1][at(column)]) >> (height + 1) : Bits{0};
        if (wins == 0) return;
        const int run = lowest(wins);
        safe += run - (rows - height);
        traps[count++] = {column, height + run + 1};
    });
    const int until = safe;
    while (count > 0) {
        const Seat mover = safe % 2 == 0 ? turn_ : other(turn_);
        const auto is_win = [&](Seat seat, const Trap& trap, int row) { return has(winning_rows_[at(seat)][at(trap.column)], row); };
        // The cell to waste: rather one after which the other has to move.
        std::size_t chosen = count;
        int chosen_moves = 0, chosen_row = rows;
        for (std::size_t i = 0; i < count && chosen_moves % 2 == 0; ++i) {
            const Trap& trap = traps[i];
            if (is_win(other(mover), trap, trap.row)) continue;
            // What follows at once on top of it.
            Seat next = mover;
            int row = trap.row + 1, moves = 0;
            while (row < rows && !is_win(next, trap, row) && is_win(other(next), trap, row)) {
                next = other(next);
                ++row;
                ++moves;
            }
            if (row < rows && is_win(next, trap, row)) {
                if (next == mover) return {index(mover), until};
                continue;
            }
            const Bits wins = row + 1 < rows ? (winning_rows_[0][at(trap.column)] | winning_rows_[1][at(trap.column)]) >> (row + 1) : Bits{0};
            const int run = wins != 0 ? lowest(wins) : rows - row;
            chosen = i;
            chosen_moves = moves + run;
            chosen_row = wins != 0 ? row + 1 + run : rows;
        }
        if (chosen == count) return {index(other(mover)), until};
        safe += 2 + chosen_moves;
        traps[chosen].row = chosen_row;
        if (chosen_row == rows) traps[chosen] = traps[--count];
    }
    return {};
}

// 1. The windows. 2. The threats, column by column, from below. 3. Who would win by zugzwang. 4. The turn.
Score DropModel::value() const {
    const DropWeights& weights = tables_->weights().drop;
    const Seat leader = free_cells_ % 2 == 0 ? turn_ : other(turn_);
    std::array<Threats, 2> found;  // the leader's, the follower's
    for_each_bit((now().threats[0] | now().threats[1]) & open_columns_, [&](int column) { sum_threats(column, leader, found); });
    const auto sound = [&](const Threats& threats) { return threats.best + (threats.sound - threats.best) * weights.not_best / 100; };
    const int follower_share = found[0].best > 0 ? weights.follower_answered : 100;
    const Score leads = sound(found[0]) + found[0].unsound - sound(found[1]) * follower_share / 100 - found[1].unsound;
    const Zugzwang end = zugzwang();
    const Score decided = end.winner < 0 ? 0 : (end.winner == index(turn_) ? 1 : -1) * weights.zugzwang * std::max(1000 - weights.zugzwang_decay * end.until, 0) / 1000;
    const Score windows = (turn_ == Seat::first ? now().value : -now().value) / DropWeights::window_unit;
    return std::clamp(windows + (turn_ == leader ? leads : -leads) + decided + weights.turn, -max_evaluation, max_evaluation);
}

void DropModel::sum_threats(int column, Seat leader, std::array<Threats, 2>& found) const {
    const DropWeights& weights = tables_->weights().drop;
    const int lowest_height = height_of(landing(column)) + 1;  // a winning cell that can be played is the search's business
    if (lowest_height >= geometry_->game().rows) return;
    const std::array<Bits, 2> rows{winning_rows_[at(leader)][at(column)] >> lowest_height, winning_rows_[at(other(leader))][at(column)] >> lowest_height};
    const Bits followers_rows = followers_rows_ >> lowest_height;
    const int worths[2][2] = {{weights.leader_unsound, weights.leader_sound}, {weights.follower_unsound, weights.follower_sound}};
    std::array<int, 2> share{100, 100};
    for (Bits left = rows[0] | rows[1]; left != 0; left &= left - 1) {
        const int row = lowest(left);
        for (std::size_t side = 0; side < 2; ++side) {
            if (!has(rows[side], row)) continue;
            const bool is_sound = has(followers_rows, row) == (side == 1);
            int worth = worths[side][is_sound];
            worth -= worth * std::min(weights.height * row, 100) / 100;
            if (row < max_side - 1 && has(rows[side], row + 1)) worth += weights.stacked;
            worth = worth * share[side] / 100;
            if (is_sound) found[side].best = std::max(found[side].best, worth);
            (is_sound ? found[side].sound : found[side].unsound) += worth;
        }
        if (has(rows[0], row)) share[1] = weights.above_other;
        if (has(rows[1], row)) share[0] = weights.above_other;
    }
}

}  // namespace inarow
