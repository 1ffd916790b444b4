// The transposition table of the engine: shared by all threads without a lock, kept from move to move.
//
// An entry is two words. The second holds what is known, the first the position's whole key XORed with it (Hyatt and Mann): if two threads
// write one entry at once and the words do not belong together, no key fits any more, and the entry is as good as empty.
//
//     bits     0-15  16-31  32-47       48-55  56-57  58    59-63
//     second   move  score  evaluation  depth  bound  free  age
//
// Four entries share a bucket, one cache line. Whoever is older and shallower makes room first; a position's own entry is replaced by what is
// found later, but a proof of who wins only by one that is as near. Scores of won games are stored as seen
// from the entry's own position: 32767 is a win here and now, 32766 one ply later.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "inarow/pages.hpp"
#include "inarow/score.hpp"
#include "inarow/table.hpp"

namespace inarow {

// Evaluations of the engine stay within this, so that they fit into an entry beside the wins.
constexpr Score max_evaluation = 20000;

class EngineTable {
public:
    struct Found {
        Bound bound = Bound::none;  // none: nothing is known
        Cell move = no_cell;
        Score score = 0;
        Score evaluation = 0;
        int depth = 0;
    };

    // Takes at most so many bytes, and at least one bucket. Throws std::bad_alloc.
    explicit EngineTable(std::size_t bytes);

    // `ply` is how far the position is from the root: scores come back as seen from there.
    Found probe(std::uint64_t key, int ply) const;
    // True when that was written to memory which the system had yet to provide: this may have taken a millisecond.
    bool store(std::uint64_t key, int ply, const Found& what);

    void prefetch(std::uint64_t key) const { __builtin_prefetch(&bucket(key)); }

    // A new move of the game: what is in the table stays, but makes room first.
    void grow_older() { age_.store((age() + 1) % ages, std::memory_order_relaxed); }
    // Not while a search runs.
    void clear();
    // Has the system provide the memory now, as much as it does in so many seconds; false when it has provided all. Not while a search runs.
    bool take_memory(double seconds);

    std::size_t bytes() const { return count_ * sizeof(Bucket); }
    // How full it is with entries of this age, in thousandths, from a sample.
    int use() const;

private:
    static constexpr unsigned ages = 32;
    static constexpr int max_stored_depth = 255;
    static constexpr int depth_per_age = 8;  // a search ago counts as so much depth less

    struct Entry {
        std::atomic<std::uint64_t> check{0};
        std::atomic<std::uint64_t> data{0};
    };
    struct alignas(64) Bucket {
        std::array<Entry, 4> entries;
    };

    static Bound bound_of(std::uint64_t data) { return static_cast<Bound>(data >> 56 & 3); }
    static int depth_of(std::uint64_t data) { return static_cast<int>(data >> 48 & 255); }
    static unsigned age_of(std::uint64_t data) { return static_cast<unsigned>(data >> 59); }
    int worth(std::uint64_t data) const { return depth_of(data) - depth_per_age * static_cast<int>((age() - age_of(data) + ages) % ages); }

    unsigned age() const { return age_.load(std::memory_order_relaxed); }
    // A key is a fraction of 2^64: the bucket lies as far in the table.
    std::size_t place(std::uint64_t key) const {
        __extension__ typedef unsigned __int128 Wide;
        return static_cast<std::size_t>(static_cast<Wide>(key) * count_ >> 64);
    }
    Bucket& bucket(std::uint64_t key) const { return buckets_[place(key)]; }

    // The system provides a page when it is written to for the first time.
    static constexpr std::size_t small_page = (std::size_t{1} << 12) / sizeof(Bucket), page = (std::size_t{1} << 21) / sizeof(Bucket);
    std::size_t pages() const { return (count_ - 1) / page + 1; }
    bool is_first_in_page(std::size_t bucket) {
        std::atomic<bool>& is_taken = is_taken_[bucket / page];
        if (is_taken.load(std::memory_order_relaxed)) return false;
        is_taken.store(true, std::memory_order_relaxed);
        return true;
    }

    std::size_t count_;
    Pages<Bucket> buckets_;  // an entry of zeros is an empty one
    Pages<std::atomic<bool>> is_taken_;  // by page of the buckets; away from what threads write all the time
    std::atomic<unsigned> age_ = 0;  // a thread of the last search may still look at it
};

}  // namespace inarow
