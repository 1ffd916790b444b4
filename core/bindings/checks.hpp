// What the bindings check before they ask the core, which itself only asserts.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "inarow/position.hpp"
#include "inarow/watch.hpp"

namespace inarow {

inline Cell checked_cell(const Geometry& geometry, int cell) {
    if (cell < 0 || cell >= geometry.cells()) throw std::invalid_argument("cell " + std::to_string(cell) + " is off the board");
    return cell;
}

inline int checked_below(const char* what, int value, int end) {
    if (value < 0 || value >= end) {
        throw std::invalid_argument(std::string(what) + " must be 0 to " + std::to_string(end - 1) + ", not " + std::to_string(value));
    }
    return value;
}

inline void check_legal(const Position& position, int cell) {
    if (!position.is_legal(checked_cell(position.geometry(), cell))) {
        throw std::invalid_argument("cell " + std::to_string(cell) + " cannot be played now");
    }
}

inline Limits limits_from(std::optional<double> seconds, std::optional<std::int64_t> nodes, std::optional<int> depth) {
    Limits limits;
    if (seconds) limits.seconds = *seconds;
    if (nodes) limits.nodes = *nodes;
    if (depth) limits.depth = *depth;
    if (limits.nodes < 1 || limits.depth < 1) throw std::invalid_argument("nodes and depth must be at least 1");
    return limits;
}

}  // namespace inarow
