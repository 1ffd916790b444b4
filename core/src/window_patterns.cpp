#include "inarow/window_patterns.hpp"

#include <algorithm>
#include <utility>

namespace inarow {

namespace {

constexpr int cannot_fill = max_side + 1;  // missing stones of a window in which the other seat has one

constexpr std::array<LinePattern, 6> closed_levels{LinePattern::win, LinePattern::four, LinePattern::three,
                                                   LinePattern::two, LinePattern::one,  LinePattern::alive};
constexpr std::array<LinePattern, 6> open_levels{LinePattern::win,        LinePattern::four,     LinePattern::open_three_b,
                                                 LinePattern::open_two_b, LinePattern::open_one, LinePattern::alive};

LinePattern at_level(const std::array<LinePattern, 6>& levels, int missing) {
    return levels[static_cast<std::size_t>(std::min(missing - 1, 5))];
}

}  // namespace

WindowPatterns::WindowPatterns(std::shared_ptr<const Geometry> geometry) : geometry_(std::move(geometry)), windows_(geometry_) {}

void WindowPatterns::find_patterns(int first_window, int windows, int shift, int cells) {
    const int k = geometry_->game().k;
    found_.assign(static_cast<std::size_t>(cells), {LinePattern::dead, LinePattern::dead});
    for (const Seat seat : {Seat::first, Seat::second}) {
        missing_.clear();
        for (int w = 0; w < windows; ++w) {
            const bool is_blocked = windows_.stones(first_window + w, other(seat)) > 0;
            missing_.push_back(is_blocked ? cannot_fill : k - windows_.stones(first_window + w, seat));
        }
        offered_.clear();
        for (const int missing : missing_) {
            offered_.push_back(missing == cannot_fill || missing == 0 ? LinePattern::dead : at_level(closed_levels, missing));
        }
        raise_all(offered_, k, index(seat), shift, cells);
        offered_.clear();
        for (int w = 0; w + 1 < windows; ++w) {
            const int missing = missing_[static_cast<std::size_t>(w)];
            const bool is_open = missing != cannot_fill && missing > 2 && missing == missing_[static_cast<std::size_t>(w + 1)] &&
                                 free_[static_cast<std::size_t>(w)] && free_[static_cast<std::size_t>(w + k)];
            // The free end is one of the missing cells, so a stone between the ends leaves both windows missing - 1.
            offered_.push_back(is_open ? at_level(open_levels, missing) : LinePattern::dead);
        }
        if (windows > 1) raise_all(offered_, k - 1, index(seat), shift - 1, cells);
        find_fours(index(seat), windows, shift, cells);
    }
}

// Gives each cell the best of the `length` values that end with its own number (a cell's number counts from the line's begin): the maximum
// over a sliding window, by van Herk's method: maxima from the left and from the right within blocks as long as the window.
void WindowPatterns::raise_all(const std::vector<LinePattern>& values, int length, int seat, int shift, int cells) {
    const int count = static_cast<int>(values.size());
    const auto value = [&](int i) { return 0 <= i && i < count ? values[static_cast<std::size_t>(i)] : LinePattern::dead; };
    const int blocks = (count + length - 1) / length + 2;  // one of dead values before, one behind
    const auto size = static_cast<std::size_t>(blocks * length);
    maxima_.assign(2 * size, LinePattern::dead);
    LinePattern* from_left = maxima_.data();
    LinePattern* from_right = maxima_.data() + size;
    for (int i = 0; i < blocks * length; ++i) {
        const LinePattern own = value(i - length);
        from_left[i] = i % length == 0 ? own : std::max(from_left[i - 1], own);
    }
    for (int i = blocks * length - 1; i >= 0; --i) {
        const LinePattern own = value(i - length);
        from_right[i] = i % length == length - 1 ? own : std::max(from_right[i + 1], own);
    }
    for (int i = 0; i < cells; ++i) {
        const int last = i + shift + length;  // in the arrays, which begin one block earlier
        const int first = last - length + 1;
        if (last < 0 || first >= blocks * length) continue;
        const LinePattern left = last < blocks * length ? from_left[last] : LinePattern::dead;
        const LinePattern right = first >= 0 ? from_right[first] : LinePattern::dead;
        LinePattern& best = found_[static_cast<std::size_t>(i)][static_cast<std::size_t>(seat)];
        best = std::max({best, left, right});
    }
}

// Which fours are open: a cell in windows that lack two stones whose second free cells differ.
void WindowPatterns::find_fours(int seat, int windows, int shift, int cells) {
    const int k = geometry_->game().k;
    partner_.assign(static_cast<std::size_t>(cells), no_cell);
    const auto pair_up = [&](int cell, int with) {
        if (cell < shift || cell >= shift + cells) return;
        const auto i = static_cast<std::size_t>(cell - shift);
        if (partner_[i] == no_cell) partner_[i] = with;
        LinePattern& pattern = found_[i][static_cast<std::size_t>(seat)];
        if (partner_[i] != with && pattern == LinePattern::four) pattern = LinePattern::open_four;
    };
    for (int w = 0; w < windows; ++w) {
        if (missing_[static_cast<std::size_t>(w)] != 2) continue;
        const auto begin = free_.begin() + w;
        const auto first = std::find(begin, begin + k, 1);
        const auto second = std::find(first + 1, begin + k, 1);
        const int a = static_cast<int>(first - free_.begin());
        const int b = static_cast<int>(second - free_.begin());
        pair_up(a, b);
        pair_up(b, a);
    }
}

}  // namespace inarow
