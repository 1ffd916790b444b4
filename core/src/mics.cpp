#include "inarow/mics.hpp"

#include <algorithm>
#include <optional>

namespace inarow {

namespace {

constexpr int winning_shift = 16;
constexpr int double_shift = 20;
constexpr int two_missing_shift = 24;
constexpr std::uint64_t special_bits = 0xffff0000'ffff0000;  // of both seats' words

// How many cells of its line lie before a cell.
int cells_before(const Game& game, Cell cell, std::size_t direction) {
    const auto [row_step, column_step] = directions[direction];
    const int row = cell / game.columns;
    const int column = cell % game.columns;
    const int by_columns = column_step > 0 ? column : column_step < 0 ? game.columns - 1 - column : max_side;
    return std::min(row_step > 0 ? row : max_side, by_columns);
}

std::uint32_t direction_word(int k, int windows, int own, int most, int best) {
    if (windows == 0) return 0;
    const int missing = k - most;
    if (missing == 1) return 1u << winning_shift;
    const std::uint32_t two_missing = missing == 2 ? 1u << two_missing_shift : 0;
    if (missing == 2 && best >= 2) return two_missing | 1u << double_shift;
    return two_missing | static_cast<std::uint32_t>(windows + 10 * own);
}

// Where the two bits of the cell at an offset from -(K-1) to K-1, without 0, stand in the cells around.
int slot_shift(int k, int offset) { return 2 * (offset < 0 ? offset + k - 1 : offset + k - 2); }

constexpr std::uint64_t off_board = 3;
std::uint64_t stone_bits(Seat seat) { return static_cast<std::uint64_t>(index(seat) + 1); }

std::int32_t cell_value(std::uint32_t word) {
    if (word >> winning_shift & 0xf) return MicsEvaluation::winning;
    if ((word >> double_shift & 0xf) || (word >> two_missing_shift & 0xf) >= 2) return MicsEvaluation::double_threat;
    return static_cast<std::int32_t>(word & 0xffff);
}

// The largest of the values pushed and not yet dropped, and how many are equal to it. Values are dropped in the order in which
// they were pushed. The queue holds, in falling order, each value that is larger than all pushed after it, with its number.
class SlidingMaximum {
public:
    void push(int value) {
        while (end_ > begin_ && runs_[end_ - 1].value < value) --end_;
        if (end_ > begin_ && runs_[end_ - 1].value == value) {
            ++runs_[end_ - 1].number;
        } else {
            runs_[end_++] = {value, 1};
        }
    }
    void drop(int value) {
        if (runs_[begin_].value == value && --runs_[begin_].number == 0) ++begin_;
    }
    int value() const { return runs_[begin_].value; }
    int number() const { return runs_[begin_].number; }

private:
    struct Run {
        int value;
        int number;
    };
    std::array<Run, 3 * max_side> runs_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace

MicsEvaluation::MicsEvaluation(const Position& position) {
    const Game& game = position.game();
    const auto cells = static_cast<std::size_t>(game.cells());
    words_.resize(cells);
    for (auto& values : values_) values.resize(cells);
    lines_.resize(4 * cells);
    totals_.reserve(cells + 1);
    totals_.push_back({0, 0});
    log_begins_.reserve(cells + 1);
    measure_reach(game);
    if (game.k <= max_table_k) fill_table(game.k);
    for (Cell cell = 0; cell < game.cells(); ++cell) {
        for (std::size_t d = 0; d < directions.size(); ++d) {
            if (!table_.empty()) {
                enter_around(position, cell, d);
            } else if (cells_before(game, cell, d) % game.k == 0) {
                update_by_sliding(position, cell, d);  // covers K - 1 cells to either side
            }
        }
        log_.clear();
    }
    totals_.back() = {0, 0};
    for (const Cell cell : position.free_cells().cells()) {
        for (std::size_t seat = 0; seat < 2; ++seat) {
            totals_.back()[seat] += values_[seat][static_cast<std::size_t>(cell)];
        }
    }
    for (const Cell cell : position.moves()) {
        for (auto& values : values_) values[static_cast<std::size_t>(cell)] = taken;
    }
}

void MicsEvaluation::measure_reach(const Game& game) {
    for (std::size_t d = 0; d < directions.size(); ++d) steps_[d] = directions[d].row_step * game.columns + directions[d].column_step;
    for (Cell cell = 0; cell < game.cells(); ++cell) {
        for (const Direction direction : directions) {
            const auto reach = [&](int sign) {
                int distance = 0;
                for (; distance < game.k - 1; ++distance) {
                    const int row = cell / game.columns + sign * (distance + 1) * direction.row_step;
                    const int column = cell % game.columns + sign * (distance + 1) * direction.column_step;
                    if (row < 0 || row >= game.rows || column < 0 || column >= game.columns) break;
                }
                return static_cast<std::uint8_t>(distance);
            };
            reach_.push_back({reach(-1), reach(1)});
        }
    }
}

void MicsEvaluation::after_make(const Position& position, Cell cell) {
    log_begins_.push_back(log_.size());
    totals_.push_back(totals_.back());
    log(static_cast<std::size_t>(cell) * 4);
    for (std::size_t seat = 0; seat < 2; ++seat) {
        totals_.back()[seat] -= values_[seat][static_cast<std::size_t>(cell)];
        values_[seat][static_cast<std::size_t>(cell)] = taken;
    }
    const Seat seat = other(position.turn());
    for (std::size_t d = 0; d < directions.size(); ++d) {
        if (table_.empty()) {
            update_by_sliding(position, cell, d);
        } else {
            update_by_table(position, cell, d, seat);
        }
    }
}

Score MicsEvaluation::value_after(const Position& position, Cell cell) const {
    // The cells less than K away on the four lines through the cell are all different: their changes add up. Where a cell is nothing
    // special before and after, its words are its values, and the difference of both seats is one subtraction; seats are told apart
    // in the end.
    std::uint64_t plain = 0;
    std::array<std::int64_t, 2> change{-value(cell, Seat::first), -value(cell, Seat::second)};
    const int k = position.game().k;
    const std::uint64_t bits = stone_bits(position.turn());
    for (std::size_t d = 0; d < directions.size(); ++d) {
        const Reach reach = reach_[static_cast<std::size_t>(cell) * 4 + d];
        for (int offset = -reach.before; offset <= reach.behind; ++offset) {
            const Cell at = cell + offset * steps_[d];
            if (offset == 0 || !position.is_free(at)) continue;
            const std::uint64_t line = lines_[static_cast<std::size_t>(at) * 4 + d];
            const std::uint64_t word_change = table_[line ^ bits << slot_shift(k, -offset)] - table_[line];
            const std::uint64_t old_word = words_[static_cast<std::size_t>(at)];
            const std::uint64_t word = old_word + word_change;
            if (((old_word | word) & special_bits) == 0) {
                plain += word_change;
                continue;
            }
            for (std::size_t seat = 0; seat < 2; ++seat) {
                change[seat] += cell_value(static_cast<std::uint32_t>(word >> (32 * seat))) - values_[seat][static_cast<std::size_t>(at)];
            }
        }
    }
    const auto low = static_cast<std::int32_t>(plain);
    const auto high = static_cast<std::int32_t>((plain - static_cast<std::uint64_t>(std::int64_t{low})) >> 32);
    return seen_by_mover(position, totals_.back()[0] - totals_.back()[1] + change[0] + low - change[1] - high);
}

void MicsEvaluation::after_unmake(const Position&, Cell) {
    for (; log_.size() > log_begins_.back(); log_.pop_back()) {
        const Change& change = log_.back();
        lines_[change.place] = change.line;
        words_[change.place / 4] = change.word;
        for (std::size_t seat = 0; seat < 2; ++seat) values_[seat][change.place / 4] = change.values[seat];
    }
    log_begins_.pop_back();
    totals_.pop_back();
}

void MicsEvaluation::log(std::size_t place) {
    log_.push_back({place, lines_[place], words_[place / 4], {values_[0][place / 4], values_[1][place / 4]}});
}

void MicsEvaluation::set_line(Cell cell, std::size_t direction, std::uint64_t line, std::uint64_t old_word, std::uint64_t new_word) {
    const std::size_t place = static_cast<std::size_t>(cell) * 4 + direction;
    log(place);
    lines_[place] = line;
    if (old_word == new_word) return;
    const std::uint64_t words = words_[static_cast<std::size_t>(cell)] += new_word - old_word;
    const bool is_plain = (words & special_bits) == 0;  // as most cells are: then the words are the values
    for (std::size_t seat = 0; seat < 2; ++seat) {
        const auto word = static_cast<std::uint32_t>(words >> (32 * seat));
        const std::int32_t new_value = is_plain ? static_cast<std::int32_t>(word) : cell_value(word);
        std::int32_t& value = values_[seat][static_cast<std::size_t>(cell)];
        totals_.back()[seat] += new_value - value;
        value = new_value;
    }
}

void MicsEvaluation::fill_table(int k) {
    const int around = 2 * (k - 1);
    table_.resize(std::size_t{1} << (2 * around));
    for (std::uint64_t code = 0; code < table_.size(); ++code) {
        std::uint64_t word = 0;
        for (int seat = 0; seat < 2; ++seat) {
            // The cells from K - 1 before the cell to K - 1 behind it: 1 own, 0 free (the cell itself too), -1 blocked.
            std::array<int, 2 * max_table_k - 1> cells{};
            for (int i = 0; i < around; ++i) {
                const int bits = static_cast<int>(code >> (2 * i) & 3);
                cells[static_cast<std::size_t>(i < k - 1 ? i : i + 1)] = bits == 0 ? 0 : bits == seat + 1 ? 1 : -1;
            }
            int windows = 0, own = 0, most = -1, best = 0, reached = 0;
            for (int start = 0; start < k; ++start) {
                int count = 0;
                bool alive = true;
                for (int i = start; i < start + k; ++i) {
                    alive = alive && cells[static_cast<std::size_t>(i)] >= 0;
                    count += cells[static_cast<std::size_t>(i)];
                }
                if (!alive) continue;
                for (int i = std::max(start, reached); i < start + k; ++i) own += cells[static_cast<std::size_t>(i)];
                reached = start + k;
                ++windows;
                best = count > most ? 1 : count == most ? best + 1 : best;
                most = std::max(most, count);
            }
            word |= static_cast<std::uint64_t>(direction_word(k, windows, own, most, best)) << (32 * seat);
        }
        table_[code] = word;
    }
}

void MicsEvaluation::enter_around(const Position& position, Cell cell, std::size_t direction) {
    const int k = position.game().k;
    const Reach reach = reach_[static_cast<std::size_t>(cell) * 4 + direction];
    std::uint64_t around = 0;
    for (int offset = 1 - k; offset < k; ++offset) {
        if (offset == 0) continue;
        const bool is_off = offset < -reach.before || offset > reach.behind;
        const auto stone = is_off ? std::nullopt : position.stone(cell + offset * steps_[direction]);
        around |= (is_off ? off_board : stone ? stone_bits(*stone) : 0) << slot_shift(k, offset);
    }
    set_line(cell, direction, around, 0, table_[around]);
}

void MicsEvaluation::update_by_table(const Position& position, Cell cell, std::size_t direction, Seat seat) {
    const int k = position.game().k;
    const Reach reach = reach_[static_cast<std::size_t>(cell) * 4 + direction];
    for (int offset = -reach.before; offset <= reach.behind; ++offset) {
        const Cell at = cell + offset * steps_[direction];
        if (!position.is_free(at)) continue;  // the cell itself among them
        const std::uint64_t old_line = lines_[static_cast<std::size_t>(at) * 4 + direction];
        const std::uint64_t line = old_line ^ stone_bits(seat) << slot_shift(k, -offset);
        set_line(at, direction, line, table_[old_line], table_[line]);
    }
}

void MicsEvaluation::update_by_sliding(const Position& position, Cell cell, std::size_t direction) {
    const Geometry& geometry = position.geometry();
    const WindowTable& windows = position.windows();
    const int k = position.game().k;
    const Reach reach = reach_[static_cast<std::size_t>(cell) * 4 + direction];
    const Cell step = steps_[direction];
    const Cell head = cell - reach.before * step;
    const int count = reach.before + reach.behind + 1;
    if (geometry.spans(cell)[direction].count == 0) return;  // the line is too short for a window

    // 1. The words of each seat, in one pass: on the way from cell to cell windows leave and enter. The alive ones through a
    //    free cell lie side by side, so the stones they reach change only at their ends.
    std::array<std::uint64_t, 2 * max_side> words{};
    for (const Seat seat : {Seat::first, Seat::second}) {
        const auto is_own = [&](Cell at) { return position.stone(at) == seat; };
        SlidingMaximum most;
        int alive = 0, own = 0;
        int left = geometry.spans(head)[direction].first;
        int entered = left;  // the windows [left, entered) pass through the cell
        for (int i = 0; i < count; ++i) {
            const Span span = geometry.spans(head + i * step)[direction];
            for (; left < span.first; ++left) {
                if (windows.stones(left, other(seat)) > 0) continue;
                most.drop(windows.stones(left, seat));
                --alive;
                own -= is_own(geometry.window_cell(left, 0));
            }
            for (; entered < span.first + span.count; ++entered) {
                if (windows.stones(entered, other(seat)) > 0) continue;
                most.push(windows.stones(entered, seat));
                own = alive == 0 ? windows.stones(entered, seat) : own + is_own(geometry.window_cell(entered, k - 1));
                ++alive;
            }
            if (alive == 0) continue;
            words[static_cast<std::size_t>(i)] |=
                static_cast<std::uint64_t>(direction_word(k, alive, own, most.value(), most.number())) << (32 * index(seat));
        }
    }

    // 2. The cells that are free take their new words.
    for (int i = 0; i < count; ++i) {
        const Cell at = head + i * step;
        if (!position.is_free(at)) continue;
        const std::uint64_t old_word = lines_[static_cast<std::size_t>(at) * 4 + direction];
        set_line(at, direction, words[static_cast<std::size_t>(i)], old_word, words[static_cast<std::size_t>(i)]);
    }
}

}  // namespace inarow
