#include "inarow/perft.hpp"

#include <algorithm>

namespace inarow {

namespace {

void count(Position& position, int ply, int depth, const StopFlag& stop, Perft& result) {
    if (stop.is_set()) {
        result.stopped = true;
        return;
    }
    const auto at = static_cast<std::size_t>(ply);
    ++result.nodes[at];
    if (const auto winner = position.winner()) {
        ++(*winner == Seat::first ? result.first_wins : result.second_wins)[at];
    } else if (position.is_over()) {
        ++result.draws[at];
    } else if (ply < depth) {
        position.for_each_playable([&](Cell cell) {
            if (result.stopped) return;
            position.make(cell);
            count(position, ply + 1, depth, stop, result);
            position.unmake();
        });
    }
}

}  // namespace

Perft perft(Position position, int depth, const StopFlag& stop) {
    const auto plies = static_cast<std::size_t>(std::min(depth, position.free_cells().count())) + 1;
    const std::vector<std::uint64_t> zeros(plies, 0);
    Perft result{zeros, zeros, zeros, zeros};
    count(position, 0, static_cast<int>(plies) - 1, stop, result);
    return result;
}

}  // namespace inarow
