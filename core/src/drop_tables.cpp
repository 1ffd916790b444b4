#include "inarow/drop_tables.hpp"

#include <algorithm>

namespace inarow {

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

}  // namespace inarow
