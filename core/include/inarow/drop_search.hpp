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
            for (int row = 0; row <= shape.rows(); ++row) rank_[static_cast<std::size_t>(column * (shape.rows() + 1) + row)] = columns - i;
        }
    }

    // Fail-soft: a result <= alpha is an upper bound, one >= beta a lower bound; `move` is worth at least a result above alpha. 0, which
    // means nothing, when the watch has ended it. Precondition: alpha < beta, and the player to move cannot win at once.
    int search_root(Word mover, Word mask, int free_cells, int alpha, int beta, Word& move) {
        const Word other_wins = wins_of_other(mover, mask);
        const Word candidates = safe_moves(mask, other_wins);
        move = Word{0};
        if (candidates == 0) return -(free_cells / 2);
        Moves moves;
        list(moves, candidates);
        for (std::size_t i = 0; i < moves.count; ++i) moves.wins[i] = wins_of_other(mover ^ mask, mask | moves.cell[i]);
        set_promises(moves, mask, free_cells, other_wins, Word{0});
        int best = -free_cells;
        for (std::size_t i = 0; i < moves.count && best < beta; ++i) {
            select_next(moves, i);
            const Word cell = moves.cell[i];
            const int score = -search(mover ^ mask, mask | cell, free_cells - 1, -beta, -std::max(alpha, best), moves.wins[i]);
            if (ended()) return 0;
            if (score <= best) continue;
            best = score;
            move = cell;
        }
        return best;
    }

    bool ended() const { return watch_.ended() || team_.is_answered(); }

private:
    // Those after which the other, who has these wins, cannot win at once.
    Word safe_moves(Word mask, Word other_wins) const {
        Word moves = shape_.landings(mask);
        const Word forced = moves & other_wins;
        if (forced != 0) moves = is_single(forced) ? forced : Word{0};
        return moves & ~(other_wins >> 1);
    }

    // As search_root, without a move. `other_wins`: the free cells with which the other would complete a line.
    int search(Word mover, Word mask, int free_cells, int alpha, int beta, Word other_wins) {
        int sign = 1;
        for (;;) {
            if (free_cells <= 1) return 0;
            const Word moves = safe_moves(mask, other_wins);
            if (moves == 0) return -sign * (free_cells / 2);
            if (!is_single(moves)) return sign * node(mover, mask, free_cells, alpha, beta, moves, other_wins);
            mover ^= mask;
            mask |= moves;
            other_wins = wins_of_other(mover, mask);
            --free_cells;
            sign = -sign;
            std::swap(alpha, beta);
            alpha = -alpha;
            beta = -beta;
        }
    }

    Word wins_of_other(Word mover, Word mask) const { return shape_.wins(mover ^ mask) & ~mask & shape_.full(); }

    static constexpr int small_table_from = 6;   // with fewer free cells nothing is stored,
    static constexpr int large_table_from = 16;  // with fewer than these it goes into the small table
    static constexpr int shared_from = 30;       // with fewer free cells threads do not look at what others do
    static constexpr int mirrored_from = 20;     // with fewer free cells mirror images are too rare to look for
    static constexpr std::int64_t nodes_between_reports = 1 << 16;
    using Lanes = typename LanesOf<Word>::Type;
    static constexpr int max_columns = DropShape<Word, fixed_k>::word_bits / 2;

    struct Moves {
        std::size_t count = 0;
        std::array<Word, max_columns + lane_count> cell;
        std::array<Word, max_columns + lane_count> wins;  // the free cells that win after it
        std::array<int, max_columns + lane_count> promise;
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
        const Word known_move = known.move == DropTable::no_move ? Word{0} : shape_.column(image(known.move, is_mirrored));
        set_promises(moves, mask, free_cells, other_wins, known_move);
        const bool is_shared = team_.threads() > 1 && free_cells >= shared_from;
        int best = -free_cells, limit = alpha;
        Word best_cell{0};
        for (std::size_t i = 0; i < moves.count && limit < beta;) {
            select_next(moves, i);
            const Word cell = moves.cell[i];
            const std::uint64_t hash = is_shared ? child_hash(mover, mask, cell) : 0;
            // A move that another thread is looking at comes last: by then its answer may be in the table.
            if (is_shared && i > 0 && moves.promise[i] > put_off && team_.is_busy_with(hash)) {
                moves.promise[i] += 2 * put_off;
                continue;
            }
            const typename DropTeam::Place place(team_, hash);
            const int score = -search(mover ^ mask, mask | cell, free_cells - 1, -beta, -limit, moves.wins[i]);
            if (ended()) return 0;
            if (score > best) {
                best = score;
                best_cell = cell;
            }
            limit = std::max(limit, score);
            ++i;
        }
        best = std::clamp(best, known.lower, known.upper);
        if (best > alpha) known.lower = best;
        if (best < beta) known.upper = best;
        if (is_stored) {
            known.move = image(shape_.column_of(best_cell), is_mirrored);
            table.store(key, known, watch_.nodes() - nodes_before + 1);
        }
        return best;
    }

    static std::uint64_t child_hash(Word mover, Word mask, Word cell) {
        const Word key = (mover ^ mask) + (mask | cell);
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

    static void list(Moves& moves, Word candidates) {
        std::size_t count = 0;
        for (Word left = candidates; left != 0; left &= left - 1) moves.cell[count++] = left & (~left + 1);
        for (std::size_t i = count; i < count + lane_count - 1; ++i) moves.cell[i] = moves.cell[0];  // fills up the lanes
        moves.count = count;
    }

    // Whether a move leaves the other without an answer: it would have to be in two places, or below a cell that wins. Sets moves.wins.
    bool finds_win(Moves& moves, Word mover, Word mask, Word free) const {
        const Word landings = shape_.landings(mask);
        for (std::size_t i = 0; i < moves.count; i += lane_count) {
            const Lanes cell = load_lanes(&moves.cell[i]);
            const Lanes wins = shape_.wins(cell | mover) & (cell ^ free);
            const Lanes answers = (cell ^ landings) | (cell << 1 & shape_.full());
            const Lanes forced = wins & answers;
            const Lanes possible = ((answers & is_empty(forced)) | forced) & ~has_two(forced) & ~(wins >> 1);
            if (has_any(is_empty(possible))) return true;
            save_lanes(wins, &moves.wins[i]);
        }
        return false;
    }

    // The best that parity promises after one of the moves; looked for only where it can reach beta.
    int lower_by_parity(const Moves& moves, Word mover, Word mask, Word free, int free_cells, int beta) const {
        const Word other = mover ^ mask;
        int bound = -free_cells;
        if (free_cells % 2 == 0) {
            if (beta > (shape_.rows() + 1) / 2) return bound;
            for (std::size_t i = 0; i < moves.count; ++i) {
                bound = std::max(bound, -bounds_.follower_upper(other, mask | moves.cell[i], moves.wins[i]));
            }
            return bound;
        }
        if (beta > 1) return bound;
        // A line of the leader's that needs neither one of these moves nor a cell of the follower's rows is there after each of them.
        Word landings = shape_.landings(mask);
        if (shape_.sloped_lines(other | (free & ~shape_.follower_rows() & ~landings)) != 0) return bound;
        for (std::size_t i = 0; i < moves.count && bound < beta; i += lane_count) {
            const Lanes cell = load_lanes(&moves.cell[i]);
            const Lanes later_free = cell ^ free;
            const Lanes sure = bounds_.follower_cells(later_free, cell | mask);
            const Lanes lines = shape_.sloped_lines((later_free ^ sure) | other);
            for (int l = 0; l < lane_count; ++l) {
                if (lane(lines, l) == 0) bound = std::max(bound, shape_.sloped_lines(mover | lane(cell, l) | lane(sure, l)) != 0 ? 1 : 0);
            }
        }
        return bound;
    }

    // Threats count: more in the rows that fall to the mover in the end, more when the cell below is played next, and not above a
    // threat of the other's. Those that must be answered at once count as one. Among equals, the one nearer to the middle.
    void set_promises(Moves& moves, Word mask, int free_cells, Word other_wins, Word known_move) const {
        const Word own_rows = free_cells % 2 == 0 ? ~shape_.follower_rows() : shape_.follower_rows();
        const Word landings = shape_.landings(mask);
        for (std::size_t i = 0; i < moves.count; ++i) {
            const Word cell = moves.cell[i], wins = moves.wins[i];
            const Word urgent = wins & ((landings ^ cell) | cell << 1);
            const Word later = wins & ~urgent & ~(other_wins << 1);
            const int promise = 3 * (count_bits(later) + (urgent != 0)) + 2 * count_bits(later & own_rows) + count_bits(later & landings << 1);
            moves.promise[i] = (cell & known_move) != 0 ? known_move_promise : rank_step * promise + rank_[static_cast<std::size_t>(lowest_index(cell))];
        }
    }
    static constexpr int rank_step = 64, known_move_promise = 1 << 20, put_off = -(1 << 21);

    // Puts the most promising of those from the i-th on into the i-th place.
    static void select_next(Moves& moves, std::size_t i) {
        std::size_t best = i;
        for (std::size_t j = i + 1; j < moves.count; ++j) {
            if (moves.promise[j] > moves.promise[best]) best = j;
        }
        std::swap(moves.cell[i], moves.cell[best]);
        std::swap(moves.wins[i], moves.wins[best]);
        std::swap(moves.promise[i], moves.promise[best]);
    }

    const DropShape<Word, fixed_k>& shape_;
    DropBounds<Word, fixed_k> bounds_;
    DropTable& table_;
    DropTable& small_table_;
    DropTeam& team_;
    Watch& watch_;
    DropProgress* progress_;
    std::array<int, DropShape<Word, fixed_k>::word_bits> rank_;  // of a cell's column: more in the middle
};

}  // namespace INAROW_TARGET
}  // namespace inarow
