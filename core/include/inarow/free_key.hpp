// Keys of reduced states: 128 bits, the same for all images of a state under the symmetries of the board.
//
// Every cell has one random word for each symmetry, that of the place to which the symmetry takes it. A line's word is the sum of its
// cells' words; the key of an image is the sum of the mixed words of its lines. The smallest of the images' keys is the key.
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
    FreeKeyMaker(const Geometry& geometry, const std::vector<Cell>& cells) : is_square_(geometry.symmetries() == max_symmetries) {
        for (const Cell cell : cells) {
            Images& images = images_.emplace_back();
            for (int s = 0; s < geometry.symmetries(); ++s) {
                images[static_cast<std::size_t>(s)] = mixed_word(0x10000 + static_cast<std::uint64_t>(geometry.image(s, cell)));
            }
        }
    }

    template <class Set>
    FreeKey key(const FreeState<Set>& state) const {
        FreeKey least = is_square_ ? least_image<Set, max_symmetries>(state) : least_image<Set, max_symmetries / 2>(state);
        const auto left = static_cast<std::uint64_t>(state.plies_left);
        least.low ^= mixed_word(left * 2 + (state.attacker_moves ? 1 : 0));
        least.high ^= mixed_word(~left * 2 + (state.attacker_moves ? 1 : 0));
        return least;
    }

private:
    using Images = std::array<std::uint64_t, max_symmetries>;

    template <class Set, std::size_t Count>
    FreeKey least_image(const FreeState<Set>& state) const {
        std::array<FreeKey, Count> sums{};
        for (const int side : {attacker, defender}) {
            for (const FreeLine<Set>& line : state.lines[side]) {
                std::array<std::uint64_t, Count> words{};
                line.cells.for_each([&](int cell) {
                    const Images& image = images_[static_cast<std::size_t>(cell)];
                    for (std::size_t s = 0; s < Count; ++s) words[s] += image[s];
                });
                for (std::size_t s = 0; s < Count; ++s) add_mixed(words[s], side, sums[s]);
            }
        }
        return *std::min_element(sums.begin(), sums.end());
    }

    static void add_mixed(std::uint64_t word, int side, FreeKey& sum) {
        constexpr std::uint64_t salts[2][2] = {{0x8f462a1d0c53b97eULL, 0x3c79ac492ba7b653ULL},
                                               {0x1d8e4e27c47d124fULL, 0xe220a8397b1dcdafULL}};
        __extension__ using Wide = unsigned __int128;
        const Wide product = static_cast<Wide>(word ^ salts[side][0]) * (std::rotl(word, 32) ^ salts[side][1]);
        sum.low += static_cast<std::uint64_t>(product);
        sum.high += static_cast<std::uint64_t>(product >> 64);
    }

    bool is_square_;
    std::vector<Images> images_;  // by label
};

}  // namespace inarow
