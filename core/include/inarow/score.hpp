// What a position is worth to the player to move.
//
//     won - ply         that player wins `ply` plies from the root of the search
//     +/- max_value     the range of evaluations; they are cut off there, since sums over large boards may be huge
//     -(won - ply)      the other player wins
#pragma once

#include <algorithm>
#include <cstdint>

#include "inarow/types.hpp"

namespace inarow {

using Score = std::int32_t;

constexpr Score won = 1 << 30;
constexpr Score infinite = won + 1;
constexpr Score max_value = won - (1 << 20);

// Whether a score is a forced win or loss, not an evaluation. No game is longer than a board has cells.
constexpr bool is_decided(Score score) { return score > won - max_cells - 1 || score < -(won - max_cells - 1); }

constexpr Score clamped(std::int64_t value) {
    return static_cast<Score>(std::clamp<std::int64_t>(value, -max_value, max_value));
}

}  // namespace inarow
