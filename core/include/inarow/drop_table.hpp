// What a search found out about positions with gravity: a lower and an upper bound of the score, and a good move.
//
// Shared by threads without locks. An entry is one or two 64-bit words; two entries share a bucket, and the one that
// cost less work makes room. A key is first mixed by a one-to-one map of the numbers of key_bits bits. Its upper part says
// which bucket, and the rest is stored, so that nothing of the key is lost and no two positions are mixed up:
//
//     one word     | rest + 1: 43 bits | effort 5 | move 4 | upper 6 | lower 6 |     boards of up to 64 bits, where the rest fits
//     two words    | rest, upper 21 bits | effort 5 | move 6 | upper 15 | lower 15 |     and the rest's lower 64 bits
//
// Of a longer rest, on boards of more than about a hundred cells, 85 bits are stored. The second word is stored XOR the first:
// when two threads write at once, what another reads from their mixture is no entry of either.
//
// A small table is a quick one, because it stays in the processor's cache. So only the beginning of the memory is in use at first;
// the owner makes the table grow, between searches, when there is much to remember.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "inarow/drop_shape.hpp"
#include "inarow/pages.hpp"

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

    // A table that grows to at most so many bytes, and has at least one bucket, for keys below 2^key_bits. Throws std::bad_alloc.
    DropTable(std::size_t bytes, int key_bits) : key_bits_(key_bits) {
        assert(1 <= key_bits && key_bits <= 128);
        mask_ = key_bits == 128 ? ~Word128{0} : (Word128{1} << key_bits) - 1;
        // A bucket takes two entries. There may be no more buckets than keys; and one bit of the key always stays in the rest.
        const auto largest_index = [&](bool is_compact, std::size_t limit) {
            int index_bits = 1;
            while (index_bits < key_bits && bytes_of(index_bits + 1, is_compact) <= limit) ++index_bits;
            return index_bits;
        };
        const int least_compact_bits = key_bits + 2 - compact_rest_bits;
        max_index_bits_ = largest_index(true, bytes);
        is_compact_ = key_bits <= 64 && max_index_bits_ >= least_compact_bits;
        if (!is_compact_) max_index_bits_ = largest_index(false, bytes);
        first_index_bits_ = std::min(max_index_bits_, largest_index(is_compact_, first_bytes));
        if (is_compact_) first_index_bits_ = std::max(first_index_bits_, least_compact_bits);
        // Only what is stored whole can be moved.
        if (!is_compact_ && key_bits - first_index_bits_ + 1 > wide_rest_bits) first_index_bits_ = max_index_bits_;
        set_index_bits(first_index_bits_);
        words_ = zeroed_pages<std::uint64_t>(this->bytes() / sizeof(std::uint64_t));
    }

    // What it may grow to.
    std::size_t bytes() const { return bytes_of(max_index_bits_, is_compact_); }
    std::int64_t max_entries() const { return std::int64_t{1} << max_index_bits_; }
    // What is in use now.
    std::int64_t entries() const { return std::int64_t{1} << index_bits_; }

    // How many entries are taken: counted in a part of the table, which is as any other part.
    std::int64_t taken() const {
        const int sample_bits = std::min(index_bits_, 16);
        const std::size_t words = is_compact_ ? 1 : 2;
        std::int64_t count = 0;
        for (std::size_t i = 0; i < std::size_t{1} << sample_bits; ++i) count += load(i * words) != 0;
        return count << (index_bits_ - sample_bits);
    }

    void clear() {
        std::memset(words_.get(), 0, bytes_of(index_bits_, is_compact_));
        set_index_bits(first_index_bits_);
    }

    // Makes it four times as large, if there is room, and keeps what it knows. Not while a search uses it. False when there is no room.
    bool grow() {
        const int more = std::min(growth_bits, max_index_bits_ - index_bits_);
        if (more == 0) return false;
        // From the last bucket to the first, none is overwritten before it was read: those that it becomes are never before it.
        const std::size_t old_buckets = std::size_t{1} << (index_bits_ - 1);
        set_index_bits(index_bits_ + more);
        const std::size_t words = is_compact_ ? 2 : 4;
        for (std::size_t bucket = old_buckets; bucket-- > 0;) {
            std::array<std::uint64_t, 4> old{};
            for (std::size_t i = 0; i < words; ++i) {
                old[i] = load(bucket * words + i);
                save(bucket * words + i, 0);
            }
            std::array<unsigned char, std::size_t{1} << growth_bits> filled{};
            for (std::size_t entry = 0; entry < words; entry += words / 2) {
                if (old[entry] != 0) move_entry(bucket, more, &old[entry], filled);
            }
        }
        return true;
    }

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
        const auto weight = static_cast<std::uint64_t>(std::min(31, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(effort)))));
        if (is_compact_) {
            store_compact(first, rest(mixed), entry, weight);
        } else {
            store_wide(first, rest(mixed), entry, weight);
        }
    }

private:
    static constexpr std::size_t first_bytes = std::size_t{1} << 18;
    static constexpr int growth_bits = 2;
    static constexpr int compact_rest_bits = 43, compact_data_bits = 21, compact_no_move = 15;
    static constexpr int wide_rest_bits = 85, wide_data_bits = 43;
    static constexpr int compact_offset = 31, wide_offset = 1 << 14;

    static std::size_t bytes_of(int index_bits, bool is_compact) { return std::size_t{is_compact ? 8U : 16U} << index_bits; }

    std::uint64_t mix64(std::uint64_t key) const {
        const auto mask = static_cast<std::uint64_t>(mask_);
        key = (key * 0x9E3779B97F4A7C15) & mask;
        key ^= key >> (key_bits_ / 2);
        return (key * 0xD6E8FEB86659FD93) & mask;
    }

    void set_index_bits(int index_bits) {
        index_bits_ = index_bits;
        rest_bits_ = key_bits_ - index_bits + 1;
    }

    // The number of a bucket's first word.
    template <class Key>
    std::size_t bucket(Key mixed) const {
        const auto index = static_cast<std::size_t>(mixed >> rest_bits_) << 1;
        return is_compact_ ? index : index << 1;
    }

    // What the bucket's number does not say.
    template <class Key>
    Word128 rest(Key mixed) const {
        return mixed & ((Word128{1} << rest_bits_) - 1);
    }
    std::uint64_t rest(std::uint64_t mixed) const { return mixed & low_bits(rest_bits_); }

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
            entry.lower = std::max(entry.lower, static_cast<int>(found & 63) - compact_offset);
            entry.upper = std::min(entry.upper, static_cast<int>(found >> 6 & 63) - compact_offset);
            const auto move = static_cast<int>(found >> 12 & 15);
            entry.move = move == compact_no_move ? no_move : move;
            return true;
        }
        return false;
    }

    template <class Rest>
    void store_compact(std::size_t first, Rest rest, const DropEntry& entry, std::uint64_t weight) {
        const std::uint64_t wanted = static_cast<std::uint64_t>(rest) + 1;
        const std::uint64_t data = static_cast<std::uint64_t>(entry.lower + compact_offset) |
                                   static_cast<std::uint64_t>(entry.upper + compact_offset) << 6 |
                                   static_cast<std::uint64_t>(std::min(entry.move, compact_no_move)) << 12 | weight << 16;
        const std::uint64_t one = load(first), two = load(first + 1);
        const bool takes_second =
            one >> compact_data_bits != wanted && (two >> compact_data_bits == wanted || (two >> 16 & 31) < (one >> 16 & 31));
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
                                   static_cast<std::uint64_t>(entry.move) << 30 | weight << 36 | high(rest) << wide_data_bits;
        const std::uint64_t one = load(first), two = load(first + 2);
        const auto is_same = [&](std::size_t i, std::uint64_t old) {
            return (load(i + 1) ^ old) == static_cast<std::uint64_t>(rest) && old >> wide_data_bits == high(rest);
        };
        const bool takes_second = !is_same(first, one) && (is_same(first + 2, two) || (two >> 36 & 31) < (one >> 36 & 31));
        const std::size_t i = takes_second ? first + 2 : first;
        save(i, data);
        save(i + 1, static_cast<std::uint64_t>(rest) ^ data);
    }

    // Puts an entry of an old bucket where it belongs in the larger table: the upper bits of its rest say in which of the buckets.
    void move_entry(std::size_t old_bucket, int more, const std::uint64_t* old, auto& filled) {
        const Word128 rest = is_compact_ ? (old[0] >> compact_data_bits) - 1 : Word128{old[0] >> wide_data_bits} << 64 | (old[0] ^ old[1]);
        const Word128 new_rest = rest & ((Word128{1} << rest_bits_) - 1);
        const auto part = static_cast<std::size_t>(rest >> rest_bits_);
        const std::size_t entry = (((old_bucket << more) + part) << 1) + filled[part]++;
        if (is_compact_) {
            save(entry, (static_cast<std::uint64_t>(new_rest) + 1) << compact_data_bits | (old[0] & low_bits(compact_data_bits)));
        } else {
            const std::uint64_t data = high(new_rest) << wide_data_bits | (old[0] & low_bits(wide_data_bits));
            save(2 * entry, data);
            save(2 * entry + 1, static_cast<std::uint64_t>(new_rest) ^ data);
        }
    }

    static std::uint64_t low_bits(int count) { return (std::uint64_t{1} << count) - 1; }
    static std::uint64_t high(Word128 rest) { return static_cast<std::uint64_t>(rest >> 64) & 0x1FFFFF; }

    int key_bits_;
    Word128 mask_;
    bool is_compact_;
    int first_index_bits_;
    int max_index_bits_;
    int index_bits_;  // of what is in use; behind it the memory is all zeros
    int rest_bits_;   // what is left of a key
    Pages<std::uint64_t> words_;
};

}  // namespace INAROW_TARGET
}  // namespace inarow
