// What the proof search knows about positions: proof and disproof numbers by 128-bit key.
//
// An entry carries 96 bits of the key; the upper 64 choose its place. A position may lie in any of the four entries from its place
// on. When all are taken the one with the smallest subtree makes room: big subtrees are few and dear, small ones are soon
// found again. What was left by an earlier question counts for a quarter of its work.
//
// The table begins small and becomes eight times as large whenever it is half full: a small table is a quick one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "inarow/free_key.hpp"

namespace inarow {

// How many unproven positions must at least be proven (or refuted) to prove (refute) this one: 0 done, `never` cannot be.
struct ProofNumbers {
    std::uint32_t proof;
    std::uint32_t disproof;

    static constexpr std::uint32_t never = 1u << 30;
    static constexpr ProofNumbers won() { return {0, never}; }
    static constexpr ProofNumbers refuted() { return {never, 0}; }

    bool is_won() const { return proof == 0; }
    bool is_refuted() const { return disproof == 0; }
    bool is_solved() const { return proof == 0 || disproof == 0; }
};

class FreeTable {
public:
    // Takes at most so many bytes, and at least a few entries. Throws std::bad_alloc.
    explicit FreeTable(std::size_t bytes) {
        // While it grows, the table before is there too.
        max_places_ = std::max<std::size_t>(bytes / (growth + 1) * growth / sizeof(Entry), 2 * window) - window;
        places_ = max_places_;
        for (; places_ / growth >= first_places; ++growths_left_) places_ /= growth;
        entries_ = allocated(places_);
        if (!entries_) throw std::bad_alloc();
    }

    // False when the position is not known.
    bool probe(const FreeKey& key, ProofNumbers& numbers) const {
        const Entry* entry = entries_.get() + place(key);
        for (const Entry* end = entry + window; entry != end; ++entry) {
            if (entry->high == key.high && entry->low == tag(key) && entry->is_used()) {
                numbers = {entry->proof, entry->disproof};
                return true;
            }
        }
        return false;
    }

    void store(const FreeKey& key, ProofNumbers numbers, std::uint64_t work) {
        if (used_ > places_ / 2 && growths_left_ > 0) grow();
        Entry* const first = entries_.get() + place(key);
        Entry* best = first;
        for (Entry* entry = first; entry != first + window; ++entry) {
            if (entry->high == key.high && entry->low == tag(key) && entry->is_used()) {
                work = std::max<std::uint64_t>(work, entry->work);
                best = entry;
                break;
            }
            if (worth(*entry) < worth(*best)) best = entry;
        }
        used_ += !best->is_used();
        *best = {key.high, tag(key), numbers.proof, numbers.disproof, shortened(work) & 0xffffff, age_};
    }

    // A new question: what is there stays, but makes room first.
    void grow_older() { age_ = age_ % 255 + 1; }

    // What it may grow to, and how many entries hold something now.
    std::size_t bytes() const { return entries() * sizeof(Entry); }
    std::size_t entries() const { return max_places_ + window; }
    std::size_t used() const { return used_; }

private:
    struct Entry {
        std::uint64_t high;
        std::uint32_t low;
        std::uint32_t proof;
        std::uint32_t disproof;
        std::uint32_t work : 24;
        std::uint32_t age : 8;

        bool is_used() const { return age != 0; }
    };
    static_assert(sizeof(Entry) == 24);
    static constexpr std::size_t window = 4;
    static constexpr std::size_t growth = 8;
    static constexpr std::size_t first_places = 1 << 14;

    struct Free {
        void operator()(Entry* entries) const { std::free(entries); }
    };

    static std::uint32_t tag(const FreeKey& key) { return static_cast<std::uint32_t>(key.low); }
    static std::uint32_t shortened(std::uint64_t work) { return static_cast<std::uint32_t>(std::min<std::uint64_t>(work, (1u << 24) - 1)); }

    std::size_t place(const FreeKey& key) const { return place(key.high); }
    std::size_t place(std::uint64_t high) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>((static_cast<Wide>(high) * places_) >> 64);
    }

    // From calloc: an entry of zeros is an empty one, and memory is not touched before it is needed. Null when there is none.
    static std::unique_ptr<Entry[], Free> allocated(std::size_t places) {
        return std::unique_ptr<Entry[], Free>(static_cast<Entry*>(std::calloc(places + window, sizeof(Entry))));
    }

    void grow() {
        const std::size_t before = places_;
        const std::size_t after = growths_left_ == 1 ? max_places_ : places_ * growth;
        std::unique_ptr<Entry[], Free> larger = allocated(after);
        if (!larger) {
            max_places_ = places_;
            growths_left_ = 0;
            return;
        }
        places_ = after;
        --growths_left_;
        entries_.swap(larger);
        used_ = 0;
        for (std::size_t i = 0; i < before + window; ++i) {
            if (larger[i].is_used()) keep(larger[i]);
        }
    }

    // Puts an entry of the smaller table where it belongs now, unless that place is taken.
    void keep(const Entry& entry) {
        Entry* to = entries_.get() + place(entry.high);
        for (Entry* const end = to + window; to != end; ++to) {
            if (to->is_used()) continue;
            *to = entry;
            ++used_;
            return;
        }
    }

    std::uint32_t worth(const Entry& entry) const {
        if (!entry.is_used()) return 0;
        return 1 + (entry.age == age_ ? entry.work : entry.work / 4);
    }

    std::size_t max_places_;
    std::size_t places_;
    int growths_left_ = 0;
    std::size_t used_ = 0;
    std::unique_ptr<Entry[], Free> entries_;
    std::uint8_t age_ = 1;
};

}  // namespace inarow
