// What a position is worth to a player who believes the other to be weaker.
//
// Let the player to move win with the chance W = 1 / (1 + exp(a - x)), lose with L = 1 / (1 + exp(a + x)), and draw with what is left: x says
// who is better, a how much better one has to be to win. A player who is stronger than the other by d has x + d in place of x. So where
// draws are rare, all values move by d and no move becomes better than another; but a position that is likely to be drawn is
// worth less than one with chances for both.
#pragma once

#include <algorithm>
#include <cmath>

namespace inarow {

// `value` says what points the player to move can expect, W + (1 - W - L) / 2, as its logit; so does the result. `drawishness` is
// log(cosh(a) - 1).
inline double with_contempt(double value, double drawishness, double contempt) {
    constexpr double most_value = 12, most_drawishness = 10, most_expected = 1 - 1e-5;
    const double c = 1 + std::exp(std::clamp(drawishness, -most_drawishness, most_drawishness));
    // What is expected above a half, doubled, is t = sinh(x) / (cosh(x) + c): a quadratic equation for exp(x).
    const double t = std::tanh(std::clamp(value, -most_value, most_value) / 2);
    const double x = std::log((t * c + std::sqrt(t * t * c * c + 1 - t * t)) / (1 - t)) + contempt;
    return 2 * std::atanh(std::clamp(std::sinh(x) / (std::cosh(x) + c), -most_expected, most_expected));
}

}  // namespace inarow
