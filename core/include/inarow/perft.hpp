// Counting every sequence of moves to a depth: the rules' own test.
#pragma once

#include <cstdint>
#include <vector>

#include "inarow/position.hpp"
#include "inarow/stop.hpp"

namespace inarow {

// Each vector has one entry for every ply from 0 (the position itself) to the depth.
struct Perft {
    std::vector<std::uint64_t> nodes;        // sequences of exactly so many moves
    std::vector<std::uint64_t> first_wins;   // of these, how many end the game there: the first seat wins,
    std::vector<std::uint64_t> second_wins;  // the second seat wins,
    std::vector<std::uint64_t> draws;        // or the board is full
    bool stopped = false;                    // the counts are incomplete: the flag was set
};

Perft perft(Position position, int depth, const StopFlag& stop);

}  // namespace inarow
