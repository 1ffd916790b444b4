// Four boards side by side: what is asked of one is asked of four, in hardly more time.
//
// Lanes are four words of 64 bits, as the compiler's vectors; WideLanes four words of 128 bits, their lower and upper halves apart.
// They can be shifted, added and combined like single words, and combined with a word, which then stands for four.
#pragma once

#include <cstdint>
#include <cstring>

// What is in this namespace is compiled once for any processor and once for those with AVX2; the names keep the two apart.
#ifndef INAROW_TARGET
#define INAROW_TARGET any
#endif

namespace inarow {
inline namespace INAROW_TARGET {

__extension__ typedef unsigned __int128 Word128;

constexpr int lane_count = 4;

typedef std::uint64_t Lanes __attribute__((vector_size(8 * lane_count)));

struct WideLanes {
    Lanes low, high;

    WideLanes() = default;
    WideLanes(Lanes low_halves, Lanes high_halves) : low(low_halves), high(high_halves) {}
    WideLanes(Word128 word) : low(Lanes{} + static_cast<std::uint64_t>(word)), high(Lanes{} + static_cast<std::uint64_t>(word >> 64)) {}

    WideLanes operator~() const { return {~low, ~high}; }
    friend WideLanes operator&(const WideLanes& a, const WideLanes& b) { return {a.low & b.low, a.high & b.high}; }
    friend WideLanes operator|(const WideLanes& a, const WideLanes& b) { return {a.low | b.low, a.high | b.high}; }
    friend WideLanes operator^(const WideLanes& a, const WideLanes& b) { return {a.low ^ b.low, a.high ^ b.high}; }
    WideLanes& operator&=(const WideLanes& b) { return *this = *this & b; }
    WideLanes& operator|=(const WideLanes& b) { return *this = *this | b; }

    // Shifts by 1 to 127.
    WideLanes operator<<(int by) const {
        if (by >= 64) return {Lanes{}, low << (by - 64)};
        return {low << by, high << by | low >> (64 - by)};
    }
    WideLanes operator>>(int by) const {
        if (by >= 64) return {high >> (by - 64), Lanes{}};
        return {low >> by | high << (64 - by), high >> by};
    }

    friend WideLanes operator+(const WideLanes& a, const WideLanes& b) {
        const Lanes sum = a.low + b.low;
        return {sum, a.high + b.high - reinterpret_cast<Lanes>(sum < a.low)};
    }
};

template <class Word>
struct LanesOf {
    using Type = Lanes;
};
template <>
struct LanesOf<Word128> {
    using Type = WideLanes;
};

inline Lanes load_lanes(const std::uint64_t* words) {
    Lanes lanes;
    std::memcpy(&lanes, words, sizeof lanes);
    return lanes;
}
inline WideLanes load_lanes(const Word128* words) {
    Lanes first, second;
    std::memcpy(&first, words, sizeof first);
    std::memcpy(&second, words + lane_count / 2, sizeof second);
    return {__builtin_shufflevector(first, second, 0, 2, 4, 6), __builtin_shufflevector(first, second, 1, 3, 5, 7)};
}

inline void save_lanes(const Lanes& lanes, std::uint64_t* words) { std::memcpy(words, &lanes, sizeof lanes); }
inline void save_lanes(const WideLanes& lanes, Word128* words) {
    const Lanes first = __builtin_shufflevector(lanes.low, lanes.high, 0, 4, 1, 5);
    const Lanes second = __builtin_shufflevector(lanes.low, lanes.high, 2, 6, 3, 7);
    std::memcpy(words, &first, sizeof first);
    std::memcpy(words + lane_count / 2, &second, sizeof second);
}

// For each lane, all ones where it has no bit, and where it has two or more; 0 elsewhere.
inline Lanes is_empty(const Lanes& lanes) { return reinterpret_cast<Lanes>(lanes == 0); }
inline Lanes has_two(const Lanes& lanes) { return reinterpret_cast<Lanes>((lanes & (lanes - 1)) != 0); }
inline WideLanes is_empty(const WideLanes& lanes) {
    const Lanes mask = is_empty(lanes.low | lanes.high);
    return {mask, mask};
}
inline WideLanes has_two(const WideLanes& lanes) {
    const Lanes mask = has_two(lanes.low) | has_two(lanes.high) | ~(is_empty(lanes.low) | is_empty(lanes.high));
    return {mask, mask};
}

// Whether any of the four has a bit.
inline bool has_any(const Lanes& lanes) { return (lanes[0] | lanes[1] | lanes[2] | lanes[3]) != 0; }
inline bool has_any(const WideLanes& lanes) { return has_any(lanes.low | lanes.high); }

inline std::uint64_t lane(const Lanes& lanes, int i) { return lanes[i]; }
inline Word128 lane(const WideLanes& lanes, int i) { return Word128{lanes.high[i]} << 64 | lanes.low[i]; }

}  // namespace INAROW_TARGET
}  // namespace inarow
