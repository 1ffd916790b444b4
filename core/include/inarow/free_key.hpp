// Keys of reduced states: 128 bits, the same for all images of a state under the eight symmetries of the square and under shifts.
//
// The lines of a state mean the same wherever they lie, so even on a board that is not square, or at its edge, all eight images of
// their bounding box count:
//
//     +-----+      every cell has one random word for each image, that of the place to which the image takes it, counted from
//     |a . b|      the corner of the (perhaps turned) box. A line's word is the sum of its cells' words; the key of an image is
//     |. c .|      the sum of the mixed words of its lines. The smallest of the eight keys is the key.
//     +-----+
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include "inarow/free_state.hpp"
#include "inarow/geometry.hpp"

namespace inarow {

struct FreeKey {
    std::uint64_t high;
    std::uint64_t low;
    auto operator<=>(const FreeKey&) const = default;
};

class FreeKeyMaker {
public:
    // `cells`: the board's cell for each label.
    FreeKeyMaker(const Game& game, const std::vector<Cell>& cells) : side_(std::max(game.rows, game.columns)) {
        for (const Cell cell : cells) places_.push_back({cell / game.columns, cell % game.columns});
        for (int i = 0; i < side_ * side_; ++i) {
            words_.push_back(mixed_word(0x10000 + static_cast<std::uint64_t>(i / side_) * max_side + static_cast<std::uint64_t>(i % side_)));
        }
        images_.resize(cells.size());
    }

    template <class Set>
    FreeKey key(const FreeState<Set>& state) {
        place_images(state.live);
        std::array<FreeKey, max_symmetries> sums{};
        for (const int side : {attacker, defender}) {
            for (const FreeLine<Set>& line : state.lines[side]) {
                Images words{};
                line.cells.for_each([&](int cell) {
                    const Images& image = images_[static_cast<std::size_t>(cell)];
                    for (std::size_t s = 0; s < words.size(); ++s) words[s] += image[s];
                });
                for (std::size_t s = 0; s < words.size(); ++s) add_mixed(words[s], side, sums[s]);
            }
        }
        FreeKey least = *std::min_element(sums.begin(), sums.end());
        const auto left = static_cast<std::uint64_t>(state.plies_left);
        least.low ^= mixed_word(left * 2 + (state.attacker_moves ? 1 : 0));
        least.high ^= mixed_word(~left * 2 + (state.attacker_moves ? 1 : 0));
        return least;
    }

private:
    using Images = std::array<std::uint64_t, max_symmetries>;
    struct Place {
        int row;
        int column;
    };

    static void add_mixed(std::uint64_t word, int side, FreeKey& sum) {
        constexpr std::uint64_t salts[2][2] = {{0x8f462a1d0c53b97eULL, 0x3c79ac492ba7b653ULL}, {0x1d8e4e27c47d124fULL, 0xe220a8397b1dcdafULL}};
        __extension__ using Wide = unsigned __int128;
        const Wide product = static_cast<Wide>(word ^ salts[side][0]) * (std::rotl(word, 32) ^ salts[side][1]);
        sum.low += static_cast<std::uint64_t>(product);
        sum.high += static_cast<std::uint64_t>(product >> 64);
    }

    template <class Set>
    void place_images(const Set& live) {
        Place least{max_side, max_side};
        Place most{0, 0};
        live.for_each([&](int cell) {
            const Place& place = places_[static_cast<std::size_t>(cell)];
            least = {std::min(least.row, place.row), std::min(least.column, place.column)};
            most = {std::max(most.row, place.row), std::max(most.column, place.column)};
        });
        live.for_each([&](int cell) {
            const Place& place = places_[static_cast<std::size_t>(cell)];
            const int row = place.row - least.row, row_back = most.row - place.row;
            const int column = place.column - least.column, column_back = most.column - place.column;
            images_[static_cast<std::size_t>(cell)] = {word(row, column),      word(row, column_back), word(row_back, column),
                                                       word(row_back, column_back), word(column, row), word(column_back, row),
                                                       word(column, row_back), word(column_back, row_back)};
        });
    }

    std::uint64_t word(int row, int column) const { return words_[static_cast<std::size_t>(row * side_ + column)]; }

    int side_;
    std::vector<Place> places_;
    std::vector<std::uint64_t> words_;
    std::vector<Images> images_;
};

}  // namespace inarow
