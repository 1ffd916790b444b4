// A transposition table: what a search found out about a position, for when it meets the position again.
//
// An entry carries the whole 64-bit key, which already differs from game to game, so that only a true collision of keys, one
// in 2^64, could mix up two positions. Four entries share a bucket (one cache line); the shallowest of them, or one left from an
// earlier turn, makes room. Scores of won games are stored as seen from the entry's own position, not from the root.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "inarow/score.hpp"

namespace inarow {

// What a stored score says about the true one: it is exactly that, at least that, or at most that.
enum class Bound : std::uint8_t { none, exact, lower, upper };

class Table {
public:
    // Takes at most so many bytes, and at least one bucket. Throws std::bad_alloc.
    explicit Table(std::size_t bytes);

    struct Found {
        Score score;
        int depth;
        Bound bound;  // none: nothing was found
    };

    // `ply` is how far the position is from the root: scores come back as seen from there.
    Found probe(std::uint64_t key, int ply) const {
        for (const Entry& entry : bucket(key)) {
            if (entry.key == key && entry.bound != Bound::none) return {from_node(entry.score, ply), entry.depth, entry.bound};
        }
        return {0, 0, Bound::none};
    }

    void store(std::uint64_t key, int ply, Score score, int depth, Bound bound) {
        Entry* oldest = nullptr;
        for (Entry& entry : bucket(key)) {
            if (entry.key == key || entry.bound == Bound::none) {
                oldest = &entry;
                break;
            }
            if (!oldest || worth(entry) < worth(*oldest)) oldest = &entry;
        }
        *oldest = {key, to_node(score, ply), static_cast<std::uint16_t>(depth), bound, age_};
    }

    // A new turn: what is in the table may stay, but makes room first.
    void grow_older() { ++age_; }

private:
    struct Entry {
        std::uint64_t key;
        Score score;
        std::uint16_t depth;
        Bound bound;
        std::uint8_t age;
    };
    using Bucket = std::array<Entry, 4>;

    static Score to_node(Score score, int ply) { return !is_decided(score) ? score : score > 0 ? score + ply : score - ply; }
    static Score from_node(Score score, int ply) { return !is_decided(score) ? score : score > 0 ? score - ply : score + ply; }

    int worth(const Entry& entry) const { return entry.depth + (entry.age == age_ ? max_cells : 0); }

    const Bucket& bucket(std::uint64_t key) const { return buckets_[key & mask_]; }
    Bucket& bucket(std::uint64_t key) { return buckets_[key & mask_]; }

    struct Free {
        void operator()(Bucket* buckets) const { std::free(buckets); }
    };

    std::uint64_t mask_;
    // From calloc: an entry of zeros is an empty one, and memory is not touched before it is needed.
    std::unique_ptr<Bucket[], Free> buckets_;
    std::uint8_t age_ = 0;
};

}  // namespace inarow
