// What a search found out about positions with gravity: a lower and an upper bound of the score, and a good move.
//
// Shared by threads without locks. An entry is one or two 64-bit words; two entries share a bucket, and the one that
// cost less work makes room. A key is first mixed by a one-to-one map of the numbers of key_bits bits. Its upper part says
// which bucket, and the rest is stored, so that nothing of the key is lost and no two positions are mixed up:
//
//     one word     | rest + 1: 36 bits | effort 6 | move 6 | upper 8 | lower 8 |     where the rest fits: Connect-4 from 1 MB on
//     two words    | rest, upper 21 bits | effort 6 | move 7 | upper 15 | lower 15 |     and the rest's lower 64 bits
//
// Of a longer rest, on boards of more than about a hundred cells, 85 bits are stored. The second word is stored XOR the first:
// when two threads write at once, what another reads from their mixture is no entry of either.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "inarow/drop_shape.hpp"

namespace inarow {
inline namespace INAROW_TARGET {

struct DropEntry {
    int lower;
    int upper;
    int move;  // a column, or DropTable::no_move
};

class DropTable {
public:
    static constexpr int no_move = 63;
    static constexpr int max_move = no_move - 1;  // of a column further right the table forgets the move

    // A table of at most so many bytes, and at least one bucket, for keys below 2^key_bits. Throws std::bad_alloc.
    DropTable(std::size_t bytes, int key_bits) : key_bits_(key_bits) {
        assert(1 <= key_bits && key_bits <= 128);
        mask_ = key_bits == 128 ? ~Word128{0} : (Word128{1} << key_bits) - 1;
        // A bucket takes two entries. There may be no more buckets than keys; and one bit of the key always stays in the rest.
        const auto largest_index = [&](bool is_compact) {
            int index_bits = 1;
            while (index_bits < key_bits && bytes_of(index_bits + 1, is_compact) <= bytes) ++index_bits;
            return index_bits;
        };
        index_bits_ = largest_index(true);
        is_compact_ = key_bits - index_bits_ + 2 <= compact_rest_bits;
        if (!is_compact_) index_bits_ = largest_index(false);
        const std::size_t size = this->bytes();
        void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        words_ = {static_cast<std::uint64_t*>(memory), Unmap{size}};
        // With large pages it does not cost more to find a page than to read it. Small tables would only be rounded up.
        if (size >= std::size_t{1} << 22) madvise(memory, size, MADV_HUGEPAGE);
    }

    std::size_t bytes() const { return bytes_of(index_bits_, is_compact_); }
    void clear() { std::memset(words_.get(), 0, bytes()); }

    // A one-to-one map of the numbers below 2^key_bits.
    Word128 mix(Word128 key) const {
        if (key_bits_ <= 64) return mix64(static_cast<std::uint64_t>(key));
        const Word128 factor = (Word128{0x9E3779B97F4A7C15} << 64) | 0xF39CC0605CEDC835;
        key = (key * factor) & mask_;
        key ^= key >> (key_bits_ / 2);
        return (key * factor) & mask_;
    }
    std::uint64_t mix(std::uint64_t key) const { return mix64(key); }

    template <class Key>
    void prefetch(Key mixed) const {
        __builtin_prefetch(word(bucket(mixed)));
    }

    // Narrows the bounds and sets the move; false when the position is not there.
    template <class Key>
    bool probe(Key mixed, DropEntry& entry) const {
        const std::size_t first = bucket(mixed);
        return is_compact_ ? probe_compact(first, rest(mixed), entry) : probe_wide(first, rest(mixed), entry);
    }

    // `effort` is a number of nodes.
    template <class Key>
    void store(Key mixed, const DropEntry& entry, std::int64_t effort) {
        const std::size_t first = bucket(mixed);
        const auto weight = static_cast<std::uint64_t>(std::min(63, 2 * static_cast<int>(std::bit_width(static_cast<std::uint64_t>(effort)))));
        if (is_compact_) {
            store_compact(first, rest(mixed), entry, weight);
        } else {
            store_wide(first, rest(mixed), entry, weight);
        }
    }

private:
    static constexpr int compact_rest_bits = 36, compact_data_bits = 28;
    static constexpr int wide_rest_bits = 85, wide_data_bits = 43;
    static constexpr int compact_offset = 1 << 7, wide_offset = 1 << 14;

    static std::size_t bytes_of(int index_bits, bool is_compact) { return std::size_t{is_compact ? 8U : 16U} << index_bits; }

    std::uint64_t mix64(std::uint64_t key) const {
        const auto mask = static_cast<std::uint64_t>(mask_);
        key = (key * 0x9E3779B97F4A7C15) & mask;
        key ^= key >> (key_bits_ / 2);
        return (key * 0xD6E8FEB86659FD93) & mask;
    }

    // The number of a bucket's first word.
    template <class Key>
    std::size_t bucket(Key mixed) const {
        const auto index = static_cast<std::size_t>(mixed >> (key_bits_ - index_bits_ + 1)) << 1;
        return is_compact_ ? index : index << 1;
    }

    // What the bucket's number does not say.
    template <class Key>
    Word128 rest(Key mixed) const {
        return mixed & ((Word128{1} << (key_bits_ - index_bits_ + 1)) - 1);
    }
    std::uint64_t rest(std::uint64_t mixed) const { return mixed & ((std::uint64_t{1} << (key_bits_ - index_bits_ + 1)) - 1); }

    std::uint64_t* word(std::size_t i) const { return words_.get() + i; }
    std::uint64_t load(std::size_t i) const { return std::atomic_ref<std::uint64_t>(*word(i)).load(std::memory_order_relaxed); }
    void save(std::size_t i, std::uint64_t value) const {
        std::atomic_ref<std::uint64_t>(*word(i)).store(value, std::memory_order_relaxed);
    }

    template <class Rest>
    bool probe_compact(std::size_t first, Rest rest, DropEntry& entry) const {
        const std::uint64_t wanted = static_cast<std::uint64_t>(rest) + 1;
        for (std::size_t i = first; i < first + 2; ++i) {
            const std::uint64_t found = load(i);
            if (found >> compact_data_bits != wanted) continue;
            entry.lower = std::max(entry.lower, static_cast<int>(found & 255) - compact_offset);
            entry.upper = std::min(entry.upper, static_cast<int>(found >> 8 & 255) - compact_offset);
            entry.move = static_cast<int>(found >> 16 & 63);
            return true;
        }
        return false;
    }

    template <class Rest>
    void store_compact(std::size_t first, Rest rest, const DropEntry& entry, std::uint64_t weight) {
        const std::uint64_t wanted = static_cast<std::uint64_t>(rest) + 1;
        const std::uint64_t data = static_cast<std::uint64_t>(entry.lower + compact_offset) |
                                   static_cast<std::uint64_t>(entry.upper + compact_offset) << 8 |
                                   static_cast<std::uint64_t>(entry.move) << 16 | weight << 22;
        const std::uint64_t one = load(first), two = load(first + 1);
        const bool takes_second =
            one >> compact_data_bits != wanted && (two >> compact_data_bits == wanted || (two >> 22 & 63) < (one >> 22 & 63));
        save(takes_second ? first + 1 : first, wanted << compact_data_bits | data);
    }

    bool probe_wide(std::size_t first, Word128 rest, DropEntry& entry) const {
        for (std::size_t i = first; i < first + 4; i += 2) {
            const std::uint64_t data = load(i);
            if (data == 0 || (load(i + 1) ^ data) != static_cast<std::uint64_t>(rest) || data >> wide_data_bits != high(rest)) continue;
            entry.lower = std::max(entry.lower, static_cast<int>(data & 0x7FFF) - wide_offset);
            entry.upper = std::min(entry.upper, static_cast<int>(data >> 15 & 0x7FFF) - wide_offset);
            entry.move = static_cast<int>(data >> 30 & 63);
            return true;
        }
        return false;
    }

    void store_wide(std::size_t first, Word128 rest, const DropEntry& entry, std::uint64_t weight) {
        const std::uint64_t data = static_cast<std::uint64_t>(entry.lower + wide_offset) |
                                   static_cast<std::uint64_t>(entry.upper + wide_offset) << 15 |
                                   static_cast<std::uint64_t>(entry.move) << 30 | weight << 37 | high(rest) << wide_data_bits;
        const std::uint64_t one = load(first), two = load(first + 2);
        const auto is_same = [&](std::size_t i, std::uint64_t old) {
            return (load(i + 1) ^ old) == static_cast<std::uint64_t>(rest) && old >> wide_data_bits == high(rest);
        };
        const bool takes_second = !is_same(first, one) && (is_same(first + 2, two) || (two >> 37 & 63) < (one >> 37 & 63));
        const std::size_t i = takes_second ? first + 2 : first;
        save(i, data);
        save(i + 1, static_cast<std::uint64_t>(rest) ^ data);
    }

    static std::uint64_t high(Word128 rest) { return static_cast<std::uint64_t>(rest >> 64) & 0x1FFFFF; }

    struct Unmap {
        std::size_t size;
        void operator()(std::uint64_t* words) const { munmap(words, size); }
    };

    int key_bits_;
    Word128 mask_;
    bool is_compact_;
    int index_bits_;
    // From the system, all zeros: memory is not touched before it is needed.
    std::unique_ptr<std::uint64_t[], Unmap> words_;
};

}  // namespace INAROW_TARGET
}  // namespace inarow
