// What the engine has been told about gravity, as plain numbers. What it has learned of them from games is in files: see weights.py.
#pragma once

#include <array>
#include <cstdint>

namespace inarow {

// A threat is a free cell on which a seat would complete a window, but on which no stone can be put yet. Whose rows are whose says
// drop_bounds.hpp: the follower, who would put the last stone on the board, gets the uppermost row and every second one below it, the leader
// the others. A sound threat lies in a row of its owner's.
struct DropWeights {
    static constexpr int missing_counts = 8;
    static constexpr int window_unit = 16;

    // What a window with stones of one seat only is worth, in sixteenths: by how many are missing, so many or more with the last number.
    std::array<std::int16_t, missing_counts> window{0, 250, 1120, 416, 160, 80, 48, 32};
    // … in hundredths of that: if all the missing ones would lie in rows of its owner's, if none would, and between these if some do, with 100 for
    // half of them; and if it lies in a column.
    std::int16_t own_row = 300;
    std::int16_t others_row = 0;
    std::int16_t column = 20;

    // How good a move in a window looks, by how many stones are missing: to its owner, and to the other.
    std::array<std::int16_t, missing_counts> attack{0, 0, 40, 12, 4, 3, 2, 1};
    std::array<std::int16_t, missing_counts> defence{0, 0, 32, 9, 3, 2, 1, 1};

    // A threat.
    std::int16_t leader_sound = 264;
    std::int16_t leader_unsound = 56;
    std::int16_t follower_sound = 336;
    std::int16_t follower_unsound = 214;
    std::int16_t stacked = 58;   // another of the same seat's directly on top of it
    std::int16_t height = 14;    // so many hundredths less for each free cell below the cell below
    std::int16_t turn = 20;      // to have the move
    // What is left of a threat, in hundredths: above one of the other's; of a sound one, if it is not the best of its owner's; and of
    // the follower's sound ones if the leader has one.
    std::int16_t above_other = 0;
    std::int16_t not_best = 70;
    std::int16_t follower_answered = 45;

    // Who would win by zugzwang if no more threats came, and how many thousandths of that are lost with every stone until then.
    std::int16_t zugzwang = 0;
    std::int16_t zugzwang_decay = 5;

    float scale = 160;  // of win probabilities: see EngineWeights

    // How good a move looks beyond its windows.
    std::int16_t four = 60;           // it must be answered
    std::int16_t gives_win = -20000;  // the other wins on top of it
    std::int16_t gives_threat = -60;  // the other can take away a threat on top of it
};

}  // namespace inarow
