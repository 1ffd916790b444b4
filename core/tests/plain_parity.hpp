// Lost with gravity by parity alone, as plainly as it can be said: by following up, and by zugzwang.
//
// Whoever puts the very last stone on the board has its rows: the uppermost and every second one below. A column is even when it
// has an even number of free cells.
//
// 1. The loser is to move with an even number of cells free. The winner answers every stone directly above it where the column is even, and
//    otherwise in another odd column, of which there are as many: so its rows in even columns are its own, and the loser never gets two
//    stones on top of each other. If that leaves the loser no line and completes one of the winner's, the winner wins in the end.
//
// 2. The loser is to move with an odd number of cells free, and the winner would win on a cell x of an odd column, in a row that is not the
//    last mover's. The winner answers as in 1, and below x, until the loser has to play directly below x. Then the loser has no cell of its
//    own rows in even columns, none of those that were answered with below x, and none from x on. If that leaves it no line, the winner
//    wins with x at the latest.
#pragma once

#include <algorithm>
#include <vector>

#include "plain_game.hpp"

namespace plain {

class ParityRule {
public:
    explicit ParityRule(Game game) : game_(game), lines_(game.lines()) {}

    static constexpr int not_lost = 0;

    // Within how many plies the side to move loses for sure, as far as parity tells. Stones: -1 free, else a side. That side cannot win now.
    int lost_within(const std::vector<int>& stones, int loser) const {
        const auto free = static_cast<int>(std::count(stones.begin(), stones.end(), -1));
        return free % 2 == 0 ? by_following_up(stones, loser, free) : by_zugzwang(stones, loser, free);
    }

private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    int row_of(int cell) const { return cell / game_.columns; }  // 0 on top
    bool is_last_movers(int cell) const { return row_of(cell) % 2 == 0; }
    int free_in_column(const std::vector<int>& stones, int column) const {
        int free = 0;
        for (int cell = column; cell < game_.cells(); cell += game_.columns) free += stones[at(cell)] < 0;
        return free;
    }
    bool is_even(const std::vector<int>& stones, int cell) const { return free_in_column(stones, cell % game_.columns) % 2 == 0; }
    bool is_upright(const std::vector<int>& line) const { return line.size() > 1 && line[1] - line[0] == game_.columns; }

    // Whether a side may still fill a line although it never gets these cells. It cannot win now, nor get two stones on top of each other.
    bool has_line(const std::vector<int>& stones, int side, const std::vector<bool>& never) const {
        return std::any_of(lines_.begin(), lines_.end(), [&](const std::vector<int>& line) {
            return !is_upright(line) && std::all_of(line.begin(), line.end(), [&](int cell) {
                return stones[at(cell)] == side || (stones[at(cell)] < 0 && !never[at(cell)]);
            });
        });
    }

    int by_following_up(const std::vector<int>& stones, int loser, int free) const {
        std::vector<bool> sure(stones.size());
        for (int cell = 0; cell < game_.cells(); ++cell) sure[at(cell)] = stones[at(cell)] < 0 && is_even(stones, cell) && is_last_movers(cell);
        if (has_line(stones, loser, sure)) return not_lost;
        std::vector<bool> unsure(stones.size());
        for (std::size_t cell = 0; cell < stones.size(); ++cell) unsure[cell] = !sure[cell];
        return has_line(stones, 1 - loser, unsure) ? free : not_lost;
    }

    int by_zugzwang(const std::vector<int>& stones, int loser, int free) const {
        for (int column = 0; column < game_.columns; ++column) {
            if (free_in_column(stones, column) % 2 == 0) continue;
            for (int x = column + game_.columns * (game_.rows - 1); x >= 0; x -= game_.columns) {
                if (stones[at(x)] >= 0 || is_last_movers(x) || !completes(stones, 1 - loser, x)) continue;
                std::vector<bool> never(stones.size());
                for (int cell = 0; cell < game_.cells(); ++cell) {
                    if (stones[at(cell)] >= 0) continue;
                    const bool is_here = cell % game_.columns == column;
                    const bool is_answer_below = is_here && row_of(cell) > row_of(x) + 1 && !is_last_movers(cell);
                    const bool is_answer = !is_here && is_even(stones, cell) && is_last_movers(cell);
                    never[at(cell)] = is_answer || is_answer_below || (is_here && cell <= x);
                }
                if (!has_line(stones, loser, never)) return free - row_of(x);
                break;  // a higher x comes later
            }
        }
        return not_lost;
    }

    bool completes(const std::vector<int>& stones, int side, int x) const {
        return std::any_of(lines_.begin(), lines_.end(), [&](const std::vector<int>& line) {
            return std::find(line.begin(), line.end(), x) != line.end() &&
                   std::all_of(line.begin(), line.end(), [&](int cell) { return cell == x || stones[at(cell)] == side; });
        });
    }

    Game game_;
    std::vector<std::vector<int>> lines_;
};

}  // namespace plain
