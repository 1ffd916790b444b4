#include "inarow/tactics.hpp"

#include <algorithm>

#include "inarow/orders.hpp"

namespace inarow {

namespace {

// Marks the free cells of a window that are double plays of its owner.
void mark_double_plays(const Position& position, int window, std::vector<bool>& doubles) {
    const Geometry& geometry = position.geometry();
    const int k = position.game().k;
    const Cell first = geometry.window_cell(window, 0);
    const Cell last = geometry.window_cell(window, k - 1);
    std::vector<Cell> free;
    for (int i = 0; i < k; ++i) {
        const Cell cell = geometry.window_cell(window, i);
        if (position.is_free(cell)) free.push_back(cell);
    }
    // The windows one step before and behind on the same line exist where the numbers next to this one are through the end cells.
    const auto is_free_beside = [&](int neighbour, Cell shared, int far) {
        if (neighbour < 0 || neighbour >= geometry.windows()) return false;
        const auto direction = static_cast<std::size_t>(geometry.window_direction(window));
        const Span span = geometry.spans(shared)[direction];
        const bool same_line = span.first <= neighbour && neighbour < span.first + span.count;
        return same_line && position.is_free(geometry.window_cell(neighbour, far));
    };
    for (std::size_t i = 0; i < 2; ++i) {
        // A stone on free[i] leaves free[1 - i]; a cell beside the window wins too when free[1 - i] is the window's other end.
        const Cell left_over = free[1 - i];
        const bool behind = left_over == first && is_free_beside(window + 1, last, k - 1);
        const bool before = left_over == last && is_free_beside(window - 1, first, 0);
        if (behind || before) doubles[static_cast<std::size_t>(free[i])] = true;
    }
}

std::vector<bool> double_plays(const Position& position, Seat seat) {
    std::vector<bool> doubles(static_cast<std::size_t>(position.geometry().cells()));
    const int k = position.game().k;
    if (k < 3) return doubles;
    const auto two_missing = static_cast<WindowCode>(position.windows().step(seat) * (k - 2));
    position.windows().for_each_with_code(two_missing, [&](int window) { mark_double_plays(position, window, doubles); });
    return doubles;
}

}  // namespace

std::vector<CellReport> cell_reports(const Position& position) {
    const Geometry& geometry = position.geometry();
    const WindowTable& windows = position.windows();
    const Seat own = position.turn();
    const std::vector<bool> doubles = double_plays(position, own);
    const std::vector<bool> other_doubles = double_plays(position, other(own));
    Cells playable;
    append_playable(position, playable);
    std::vector<CellReport> reports;
    for (const Cell cell : playable) {
        const auto at = static_cast<std::size_t>(cell);
        CellReport report{cell, false, false, doubles[at], other_doubles[at], 0, 0, 0, 0};
        for (const Span& span : geometry.spans(cell)) {
            for (int window = span.first; window < span.first + span.count; ++window) {
                const int mine = windows.stones(window, own);
                const int theirs = windows.stones(window, other(own));
                if (theirs == 0) {
                    ++report.windows;
                    report.stones += mine;
                    report.wins = report.wins || mine == position.game().k - 1;
                }
                if (mine == 0) {
                    ++report.other_windows;
                    report.other_stones += theirs;
                    report.other_wins = report.other_wins || theirs == position.game().k - 1;
                }
            }
        }
        reports.push_back(report);
    }
    return reports;
}

std::vector<Cell> fork_cells(const Position& position, Seat seat) {
    const Geometry& geometry = position.geometry();
    const WindowTable& windows = position.windows();
    const WindowCode one_missing = windows.one_missing(seat);
    const auto two_missing = static_cast<WindowCode>(one_missing - windows.step(seat));  // K = 1: no window has such a code
    std::vector<int> nearly_full;
    windows.for_each_with_code(one_missing, [&](int window) { nearly_full.push_back(window); });

    std::vector<Cell> forks;
    Cells playable;
    append_playable(position, playable);
    for (const Cell cell : playable) {
        // Cells other than this one that would win next: at least two different ones are wanted. With gravity the stone opens the
        // cell above it.
        Cell found = no_cell;
        bool is_fork = false;
        const auto offer = [&](int window) {
            for (int i = 0; i < position.game().k; ++i) {
                const Cell at = geometry.window_cell(window, i);
                if (at == cell || !position.is_free(at)) continue;
                if (!is_playable(position, at) && at != cell - position.game().columns) continue;
                is_fork = is_fork || (found != no_cell && found != at);
                found = at;
            }
        };
        for (const Span& span : geometry.spans(cell)) {
            for (int window = span.first; window < span.first + span.count; ++window) {
                if (windows.code(window) == two_missing) offer(window);
            }
        }
        for (const int window : nearly_full) offer(window);
        if (is_fork) forks.push_back(cell);
    }
    return forks;
}

}  // namespace inarow
