#include "inarow/line_patterns.hpp"

#include <algorithm>

namespace inarow {

namespace {

// The cells around a centre as one seat sees them: a number in base 3 with a digit for each of the 2 (K - 1) cells.
enum Around : int { open = 0, own = 1, blocked = 2, around_states = 3 };

// Finds the patterns of all surroundings from the definition: what a stone makes now depends on what it and one stone more make.
class PatternFinder {
public:
    explicit PatternFinder(int k) : k_(k), cells_(2 * (k - 1)) {
        powers_.assign(1, 1);
        for (int i = 0; i < cells_; ++i) powers_.push_back(powers_.back() * around_states);
        known_.assign(static_cast<std::size_t>(powers_.back()), unknown);
    }

    LinePattern pattern(int state) {
        std::uint8_t& known = known_[static_cast<std::size_t>(state)];
        if (known == unknown) known = static_cast<std::uint8_t>(find(state));
        return static_cast<LinePattern>(known);
    }

private:
    static constexpr std::uint8_t unknown = 255;

    int digit(int state, int cell) const { return state / powers_[static_cast<std::size_t>(cell)] % around_states; }

    LinePattern find(int state) {
        const int longest = longest_window(state);
        if (longest == k_) return LinePattern::win;
        if (longest == 0) return LinePattern::dead;
        std::array<int, line_patterns> ways{};  // by what a next stone makes, on how many cells
        LinePattern best = LinePattern::dead;
        for (int cell = 0; cell < cells_; ++cell) {
            if (digit(state, cell) != open) continue;
            const LinePattern next = pattern(state + own * powers_[static_cast<std::size_t>(cell)]);
            ++ways[static_cast<std::size_t>(next)];
            best = std::max(best, next);
        }
        const auto sum = [&](LinePattern first, LinePattern last) {
            int cells = 0;
            for (int p = static_cast<int>(first); p <= static_cast<int>(last); ++p) cells += ways[static_cast<std::size_t>(p)];
            return cells;
        };
        switch (best) {
            case LinePattern::win: return sum(best, best) > 1 ? LinePattern::open_four : LinePattern::four;
            case LinePattern::open_four: return sum(best, best) > 1 ? LinePattern::open_three_b : LinePattern::open_three_a;
            case LinePattern::four: return LinePattern::three;
            case LinePattern::open_three_a:
            case LinePattern::open_three_b: {
                const int threes = sum(LinePattern::open_three_a, LinePattern::open_three_b);
                return threes > 3 ? LinePattern::open_two_c : threes > 2 ? LinePattern::open_two_b : LinePattern::open_two_a;
            }
            case LinePattern::three: return LinePattern::two;
            case LinePattern::open_two_a:
            case LinePattern::open_two_b:
            case LinePattern::open_two_c: return LinePattern::open_one;
            case LinePattern::two: return LinePattern::one;
            default: return LinePattern::alive;
        }
    }

    // The most own stones, the centre's included, in a window without a blocked cell; 0 when there is none.
    int longest_window(int state) const {
        int longest = 0;
        for (int start = 0; start < k_; ++start) {
            int stones = 1;
            for (int place = start; place < start + k_ && stones > 0; ++place) {
                if (place == k_ - 1) continue;  // the centre
                const int around = digit(state, place < k_ - 1 ? place : place - 1);
                stones = around == blocked ? 0 : stones + (around == own);
            }
            longest = std::max(longest, stones);
        }
        return longest;
    }

    int k_;
    int cells_;
    std::vector<int> powers_;  // of 3
    std::vector<std::uint8_t> known_;
};

}  // namespace

PatternTable::PatternTable(int k) : entries_(std::size_t{1} << 4 * (k - 1)) {
    PatternFinder finder(k);
    const int cells = 2 * (k - 1);
    for (std::size_t key = 0; key < entries_.size(); ++key) {
        std::array<int, 2> states{};  // as each seat sees it
        for (int cell = cells - 1; cell >= 0; --cell) {
            const auto lies = static_cast<int>(key >> (2 * cell) & 3);
            for (const Seat seat : {Seat::first, Seat::second}) {
                int& state = states[static_cast<std::size_t>(index(seat))];
                state = state * around_states + (lies == 0 ? open : lies == index(seat) + 1 ? own : blocked);
            }
        }
        entries_[key] = static_cast<std::uint8_t>(static_cast<int>(finder.pattern(states[0])) | static_cast<int>(finder.pattern(states[1])) << 4);
    }
}

}  // namespace inarow
