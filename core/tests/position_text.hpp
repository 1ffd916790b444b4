// A position as plain_game.hpp has it: '.' free, 'x' first, 'o' second; row after row.
#pragma once

#include <string>

#include "inarow/position.hpp"

inline std::string text(const inarow::Position& position) {
    std::string board;
    for (inarow::Cell cell = 0; cell < position.geometry().cells(); ++cell) {
        const auto stone = position.stone(cell);
        board += !stone ? '.' : *stone == inarow::Seat::first ? 'x' : 'o';
    }
    return board;
}
