// Alpha-beta on words of bits, for positions with gravity. Scores are those of drop_solver.hpp.
//
// A node is a position in which the player to move has a choice. It cannot win at once, and only moves are looked at after which
// the other cannot either; while there is a single such move it is made without a node. What a node does, cheapest first:
//
//     1. neither player wins with the next move: a first pair of bounds
//     2. parity (drop_bounds.hpp), and lines that are no longer to be had
//     3. for each move, the cells that would win after it: if the other has no answer to them the node is won
//     4. the table
//     5. parity after each move
//     6. the moves, those with the most promising threats first
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "inarow/drop_bounds.hpp"
#include "inarow/drop_shape.hpp"
#include "inarow/drop_solver.hpp"
#include "inarow/drop_table.hpp"
#include "inarow/drop_team.hpp"
#include "inarow/watch.hpp"

namespace inarow {
inline namespace INAROW_TARGET {

template <class Word, int fixed_k>
class DropSearch {
public:
    static constexpr std::size_t small_table_bytes = std::size_t{1} << 18;

    // Searches of one position share `table` and `team`; each has a small table of its own that stays in the processor's cache.
    DropSearch(const DropShape<Word, fixed_k>& shape, DropTable& table, DropTable& small_table, DropTeam& team, Watch& watch,
               DropProgress* progress)
        : shape_(shape), bounds_(shape), table_(table), small_table_(small_table), team_(team), watch_(watch), progress_(progress) {
        // From the middle outwards.
        const int columns = shape.columns();
        for (int i = 0; i < columns; ++i) {
            const int column = (columns - 1) / 2 + (i % 2 == 0 ? -(i / 2) : i / 2 + 1);
            order_[static_cast<std::size_t>(i)] = column;
            cells_[static_cast<std::size_t>(i)] = shape.column(column);
        }
    }

    // Fail-soft: a result <= alpha is an upper bound, one >= beta a lower bound. 0, which means nothing, when the watch has ended it.
    // Precondition: alpha < beta, and the player to move cannot win at once.
    int search(Word mover, Word mask, int free_cells, int alpha, int beta) {
        int sign = 1;
        for (;;) {
            if (free_cells <= 1) return 0;
            const Word other = mover ^ mask;
            const Word other_wins = shape_.wins(other) & ~mask & shape_.full();
            Word moves = shape_.landings(mask);
            const Word forced = moves & other_wins;
            if (forced != 0) moves = is_single(forced) ? forced : Word{0};
            moves &= ~(other_wins >> 1);
            if (moves == 0) return -sign * (free_cells / 2);
            if (!is_single(moves)) return sign * node(mover, mask, free_cells, alpha, beta, moves, other_wins);
            mover = other;
            mask |= moves;
            --free_cells;
            sign = -sign;
            std::swap(alpha, beta);
            alpha = -alpha;
            beta = -beta;
        }
    }

    bool ended() const { return watch_.ended() || team_.is_answered(); }

private:
    static constexpr int small_table_from = 6;   // with fewer free cells nothing is stored,
    static constexpr int large_table_from = 16;  // with fewer than these it goes into the small table
    static constexpr int shared_from = 18;       // with fewer free cells threads do not look at what others do
    static constexpr int mirrored_from = 20;     // with fewer free cells mirror images are too rare to look for
    static constexpr std::int64_t nodes_between_reports = 1 << 16;
    static constexpr bool has_lanes = std::is_same_v<Word, std::uint64_t>;
    static constexpr int lanes = 4;
    static constexpr int max_columns = DropShape<Word, fixed_k>::word_bits / 2;

    struct Moves {
        int count = 0;
        std::array<Word, max_columns + lanes> cell;
        std::array<Word, max_columns + lanes> wins;  // the free cells that win after it
        std::array<int, max_columns + lanes> column;
        std::array<int, max_columns + lanes> promise;
    };

    struct Move {
        Word cell;
        int column;
    };

    static bool is_single(Word word) { return (word & (word - 1)) == 0; }

    // Narrows [alpha, beta] to the bounds; true when nothing is left between, and `result` is then what the node returns.
    static bool is_decided(int lower, int upper, int& alpha, int& beta, int& result) {
        if (alpha < lower) alpha = lower;
        if (alpha >= beta) {
            result = lower;
            return true;
        }
        if (beta > upper) beta = upper;
        result = upper;
        return alpha >= beta;
    }

    int node(Word mover, Word mask, int free_cells, int alpha, int beta, Word candidates, Word other_wins) {
        if (!watch_.enter()) return 0;
        const std::int64_t nodes_before = watch_.nodes();
        if (progress_ && nodes_before % nodes_between_reports == 0) progress_->nodes += nodes_between_reports;
        const Word free = shape_.full() ^ mask;
        const int moves_left = (free_cells + 1) / 2;
        int result;

        // 1.
        DropEntry known{-(free_cells / 2 - 1), moves_left - 1, DropTable::no_move};
        if (is_decided(known.lower, known.upper, alpha, beta, result)) return result;

        // What 4 needs is on its way from memory meanwhile.
        const bool is_stored = free_cells >= small_table_from;
        DropTable& table = free_cells >= large_table_from ? table_ : small_table_;
        bool is_mirrored = false;
        const auto key = table.mix(position_key(mover, mask, free_cells, is_mirrored));
        if (is_stored) table.prefetch(key);

        // 2.
        known.upper = std::min(known.upper, bounds_.upper(mover, mask, free_cells, other_wins));
        if (alpha < 0 && !shape_.has_line((mover ^ mask) | free)) known.lower = std::max(known.lower, 0);
        if (is_decided(known.lower, known.upper, alpha, beta, result)) return result;

        // 3.
        Moves moves;
        list(moves, candidates);
        if (finds_win(moves, mover, mask, free)) return moves_left - 1;
        known.upper = std::min(known.upper, moves_left - 2);
        if (is_decided(known.lower, known.upper, alpha, beta, result)) return result;

        // 4.
        if (is_stored && table.probe(key, known) && is_decided(known.lower, known.upper, alpha, beta, result)) return result;

        // 5.
        known.lower = std::max(known.lower, lower_by_parity(moves, mover, mask, free, free_cells, beta));
        if (is_decided(known.lower, known.upper, alpha, beta, result)) return result;

        // 6.
        set_promises(moves, mask, free_cells, other_wins, image(known.move, is_mirrored));
        // A move that another thread is looking at comes last: by then its answer may be in the table.
        const bool is_shared = team_.threads() > 1 && free_cells >= shared_from;
        std::array<Move, max_columns> put_off;
        std::size_t put_off_count = 0;
        int best = -free_cells, best_move = DropTable::no_move, limit = alpha;
        const auto look_at = [&](const Move& move) {
            const typename DropTeam::Place place(team_, is_shared ? child_hash(mover, mask, move) : 0);
            const int score = -search(mover ^ mask, mask | move.cell, free_cells - 1, -beta, -limit);
            if (score > best) {
                best = score;
                best_move = move.column;
            }
            limit = std::max(limit, score);
            return !ended() && limit < beta;
        };
        bool goes_on = true;
        for (int i = 0; i < moves.count && goes_on; ++i) {
            const Move move = next_move(moves, i);
            if (is_shared && i > 0 && team_.is_busy_with(child_hash(mover, mask, move))) {
                put_off[put_off_count++] = move;
            } else {
                goes_on = look_at(move);
            }
        }
        for (std::size_t i = 0; i < put_off_count && goes_on; ++i) goes_on = look_at(put_off[i]);
        if (ended()) return 0;
        best = std::clamp(best, known.lower, known.upper);
        if (best > alpha) known.lower = best;
        if (best < beta) known.upper = best;
        known.move = image(best_move, is_mirrored);
        if (is_stored) table.store(key, known, watch_.nodes() - nodes_before + 1);
        return best;
    }

    static std::uint64_t child_hash(Word mover, Word mask, const Move& move) {
        const Word key = (mover ^ mask) + (mask | move.cell);
        if constexpr (sizeof(Word) == 8) {
            return key * 0x9E3779B97F4A7C15;
        } else {
            return (static_cast<std::uint64_t>(key) ^ static_cast<std::uint64_t>(key >> 64) * 0xD6E8FEB86659FD93) * 0x9E3779B97F4A7C15;
        }
    }

    // The same for mirror images, while there are many free cells.
    Word position_key(Word mover, Word mask, int free_cells, bool& is_mirrored) const {
        const Word key = mover + mask;
        if (free_cells < mirrored_from) return key;
        const Word other_key = shape_.mirrored(mover) + shape_.mirrored(mask);
        is_mirrored = other_key < key;
        return is_mirrored ? other_key : key;
    }

    int image(int column, bool is_mirrored) const {
        return is_mirrored && column < shape_.columns() ? shape_.columns() - 1 - column : column;
    }

    // The candidates, those near the middle first.
    void list(Moves& moves, Word candidates) const {
        int count = 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(shape_.columns()); ++i) {
            const Word cell = candidates & cells_[i];
            moves.cell[static_cast<std::size_t>(count)] = cell;
            moves.column[static_cast<std::size_t>(count)] = order_[i];
            count += cell != 0;
        }
        for (int i = count; i < count + lanes - 1; ++i) moves.cell[static_cast<std::size_t>(i)] = moves.cell[0];  // fills up the lanes
        moves.count = count;
    }

    // Whether a move leaves the other without an answer: it would have to be in two places, or below a cell that wins. Sets moves.wins.
    bool finds_win(Moves& moves, Word mover, Word mask, Word free) const {
        const Word landings = shape_.landings(mask);
        if constexpr (has_lanes) {
            for (std::size_t i = 0; i < static_cast<std::size_t>(moves.count); i += lanes) {
                Lanes cell;
                std::memcpy(&cell, &moves.cell[i], sizeof cell);
                const Lanes wins = shape_.wins(mover | cell) & (free ^ cell);
                const Lanes answers = (landings ^ cell) | (cell << 1 & shape_.full());
                const Lanes forced = wins & answers;
                const auto is_double = reinterpret_cast<Lanes>((forced & (forced - 1)) != 0);
                const auto is_free = reinterpret_cast<Lanes>(forced == 0);
                const auto has_none = reinterpret_cast<Lanes>((((answers & is_free) | forced) & ~is_double & ~(wins >> 1)) == 0);
                if ((has_none[0] | has_none[1] | has_none[2] | has_none[3]) != 0) return true;
                std::memcpy(&moves.wins[i], &wins, sizeof wins);
            }
        } else {
            for (std::size_t i = 0; i < static_cast<std::size_t>(moves.count); ++i) {
                const Word cell = moves.cell[i];
                const Word wins = shape_.wins(mover | cell) & (free ^ cell);
                Word answers = (landings ^ cell) | (cell << 1 & shape_.full());
                const Word forced = wins & answers;
                if (forced != 0) answers = is_single(forced) ? forced : Word{0};
                if ((answers & ~(wins >> 1)) == 0) return true;
                moves.wins[i] = wins;
            }
        }
        return false;
    }

    // The best that parity promises after one of the moves; looked for only where it can reach beta.
    int lower_by_parity(const Moves& moves, Word mover, Word mask, Word free, int free_cells, int beta) const {
        const Word other = mover ^ mask;
        int bound = -free_cells;
        if (free_cells % 2 == 0) {
            if (beta > (shape_.rows() + 1) / 2) return bound;
            for (std::size_t i = 0; i < static_cast<std::size_t>(moves.count); ++i) {
                bound = std::max(bound, -bounds_.follower_upper(other, mask | moves.cell[i], moves.wins[i]));
            }
            return bound;
        }
        if (beta > 1) return bound;
        // A line of the leader's that needs neither one of these moves nor a cell of the follower's rows is there after each of them.
        Word landings = shape_.landings(mask);
        if (shape_.sloped_lines(other | (free & ~shape_.follower_rows() & ~landings)) != 0) return bound;
        if constexpr (has_lanes) {
            for (std::size_t i = 0; i < static_cast<std::size_t>(moves.count) && bound < beta; i += lanes) {
                Lanes cell;
                std::memcpy(&cell, &moves.cell[i], sizeof cell);
                const Lanes later_free = free ^ cell;
                const Lanes sure = bounds_.follower_cells(later_free, mask | cell);
                const Lanes lines = shape_.sloped_lines(other | (later_free ^ sure));
                for (int lane = 0; lane < lanes; ++lane) {
                    if (lines[lane] == 0) bound = std::max(bound, shape_.sloped_lines(mover | cell[lane] | sure[lane]) != 0 ? 1 : 0);
                }
            }
        } else {
            for (std::size_t i = 0; i < static_cast<std::size_t>(moves.count) && bound < beta; ++i) {
                bound = std::max(bound, -bounds_.leader_upper(other, mask | moves.cell[i]));
            }
        }
        return bound;
    }

    // Threats count: more in the rows that fall to the mover in the end, more when the cell below is played next, and not above a
    // threat of the other's. Those that must be answered at once count as one.
    void set_promises(Moves& moves, Word mask, int free_cells, Word other_wins, int known_move) const {
        const Word own_rows = free_cells % 2 == 0 ? ~shape_.follower_rows() : shape_.follower_rows();
        const Word landings = shape_.landings(mask);
        for (int i = 0; i < moves.count; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const Word cell = moves.cell[at], wins = moves.wins[at];
            const Word urgent = wins & ((landings ^ cell) | cell << 1);
            const Word later = wins & ~urgent & ~(other_wins << 1);
            const int promise = 3 * (count_bits(later) + (urgent != 0)) + 2 * count_bits(later & own_rows) + count_bits(later & landings << 1);
            moves.promise[at] = moves.column[at] == known_move ? known_move_promise : max_columns * promise - i;
        }
    }
    static constexpr int known_move_promise = 1 << 20;

    // The most promising of those from the i-th on; what was in its place takes that of the move returned.
    static Move next_move(Moves& moves, int i) {
        int best = i;
        for (int j = i + 1; j < moves.count; ++j) {
            if (moves.promise[static_cast<std::size_t>(j)] > moves.promise[static_cast<std::size_t>(best)]) best = j;
        }
        const auto to = static_cast<std::size_t>(i), from = static_cast<std::size_t>(best);
        const Move move{moves.cell[from], moves.column[from]};
        moves.cell[from] = moves.cell[to];
        moves.column[from] = moves.column[to];
        moves.promise[from] = moves.promise[to];
        return move;
    }

    const DropShape<Word, fixed_k>& shape_;
    DropBounds<Word, fixed_k> bounds_;
    DropTable& table_;
    DropTable& small_table_;
    DropTeam& team_;
    Watch& watch_;
    DropProgress* progress_;
    std::array<int, max_columns + 1> order_;
    std::array<Word, max_columns + 1> cells_;
};

}  // namespace INAROW_TARGET
}  // namespace inarow
