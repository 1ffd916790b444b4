#include "inarow/position.hpp"

#include <algorithm>
#include <utility>

namespace inarow {

Position::Position(std::shared_ptr<const Geometry> geometry)
    : geometry_(std::move(geometry)),
      windows_(geometry_),
      free_(geometry_->cells()),
      stones_(static_cast<std::size_t>(geometry_->cells()), no_owner) {
    moves_.reserve(stones_.size());
    keys_.fill(geometry_->empty_key());
    if (game().gravity) {
        for (int column = 0; column < game().columns; ++column) {
            landing_.push_back((game().rows - 1) * game().columns + column);
        }
    }
}

std::uint64_t Position::canonical_key() const { return *std::min_element(keys().begin(), keys().end()); }

std::vector<Cell> Position::winning_cells(Seat seat) const {
    std::vector<Cell> winning;
    if (is_over()) return winning;
    for_each_playable([&](Cell cell) {
        if (windows_.completes(cell, seat)) winning.push_back(cell);
    });
    return winning;
}

std::vector<Cell> Position::safe_cells() const {
    std::vector<Cell> safe;
    if (is_over()) return safe;
    const Seat opponent = other(turn());
    const std::vector<Cell> threats = winning_cells(opponent);
    if (threats.size() > 1) return safe;
    for_each_playable([&](Cell cell) {
        if (!threats.empty() && threats.front() != cell) return;  // the one threat must be stopped
        if (game().gravity && cell >= game().columns && windows_.completes(cell - game().columns, opponent)) return;
        safe.push_back(cell);
    });
    return safe;
}

}  // namespace inarow
