#include "inarow/engine_table.hpp"

#include <algorithm>
#include <chrono>

namespace inarow {

namespace {

constexpr int won_here = 32767;
constexpr int max_stored_plies = 8000;  // a longer win is stored as a very good evaluation

std::int16_t packed(Score score, int ply) {
    if (!is_decided(score)) return static_cast<std::int16_t>(std::clamp(score, -max_evaluation, max_evaluation));
    const int plies = won - std::abs(score) - ply;
    if (plies > max_stored_plies) return static_cast<std::int16_t>(score > 0 ? max_evaluation : -max_evaluation);
    return static_cast<std::int16_t>(score > 0 ? won_here - plies : plies - won_here);
}

// How near the end is that an entry's score and bound prove; 0 when they prove none. Positive for a win, negative for a loss.
int proof_of(int stored, Bound bound) {
    if (stored > won_here - max_stored_plies && bound != Bound::upper) return stored;
    return stored < max_stored_plies - won_here && bound != Bound::lower ? stored : 0;
}

// Whether what is known is worth more than what is new: a proof, against what is none or says that it takes longer.
bool is_better_proof(int known, int other) {
    return known != 0 && (other == 0 || ((known > 0) == (other > 0) && std::abs(other) < std::abs(known)));
}

Score unpacked(std::int16_t stored, int ply) {
    if (std::abs(stored) < won_here - max_stored_plies) return stored;
    const Score plies = won_here - std::abs(stored) + ply;
    return stored > 0 ? won - plies : plies - won;
}

}  // namespace

EngineTable::EngineTable(std::size_t bytes)
    : count_(std::max<std::size_t>(1, bytes / sizeof(Bucket))),
      buckets_(zeroed_pages<Bucket>(count_)),
      is_taken_(zeroed_pages<std::atomic<bool>>(pages())) {}

EngineTable::Found EngineTable::probe(std::uint64_t key, int ply) const {
    for (const Entry& entry : bucket(key).entries) {
        const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
        if ((entry.check.load(std::memory_order_relaxed) ^ data) != key || bound_of(data) == Bound::none) continue;
        const auto move = static_cast<std::uint16_t>(data);
        return {bound_of(data), move == 0xffff ? no_cell : move, unpacked(static_cast<std::int16_t>(data >> 16), ply),
                static_cast<std::int16_t>(data >> 32), depth_of(data)};
    }
    return {};
}

bool EngineTable::store(std::uint64_t key, int ply, const Found& what) {
    Entry* chosen = nullptr;
    std::uint64_t old = 0;
    for (Entry& entry : bucket(key).entries) {
        const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
        const bool is_same = (entry.check.load(std::memory_order_relaxed) ^ data) == key;
        if (is_same || bound_of(data) == Bound::none || !chosen || worth(data) < worth(old)) {
            chosen = &entry;
            old = data;
        }
        if (is_same || bound_of(data) == Bound::none) break;
    }
    std::uint64_t move = static_cast<std::uint16_t>(what.move);
    const bool is_same = (chosen->check.load(std::memory_order_relaxed) ^ old) == key && bound_of(old) != Bound::none;
    if (is_same && what.move == no_cell) move = old & 0xffff;
    const auto depth = static_cast<std::uint64_t>(std::clamp(what.depth, 0, max_stored_depth));
    const std::int16_t score = packed(what.score, ply);
    std::uint64_t data = move | static_cast<std::uint64_t>(static_cast<std::uint16_t>(score)) << 16 |
                         static_cast<std::uint64_t>(static_cast<std::uint16_t>(what.evaluation)) << 32 | depth << 48 |
                         static_cast<std::uint64_t>(what.bound) << 56 | static_cast<std::uint64_t>(age()) << 59;
    if (is_same && is_better_proof(proof_of(static_cast<std::int16_t>(old >> 16), bound_of(old)), proof_of(score, what.bound))) {
        data = (old & ~(~std::uint64_t{0} << 59)) | static_cast<std::uint64_t>(age()) << 59;
    }
    chosen->check.store(key ^ data, std::memory_order_relaxed);
    chosen->data.store(data, std::memory_order_relaxed);
    return is_first_in_page(place(key));
}

bool EngineTable::take_memory(double seconds) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < pages(); ++i) {
        if (is_taken_[i].load(std::memory_order_relaxed)) continue;
        if (std::chrono::steady_clock::now() - begin >= std::chrono::duration<double>(seconds)) return true;
        is_taken_[i].store(true, std::memory_order_relaxed);
        const std::size_t end = std::min((i + 1) * page, count_);
        for (std::size_t j = i * page; j < end; j += small_page) buckets_[j].entries[0].check.store(0, std::memory_order_relaxed);
    }
    return false;
}

void EngineTable::clear() {
    for (std::size_t first = 0; first < count_; first += page) {
        if (!is_taken_[first / page].load(std::memory_order_relaxed)) continue;  // nothing was written there
        for (std::size_t i = first; i < std::min(first + page, count_); ++i) {
            for (Entry& entry : buckets_[i].entries) {
                entry.check.store(0, std::memory_order_relaxed);
                entry.data.store(0, std::memory_order_relaxed);
            }
        }
    }
    age_ = 0;
}

int EngineTable::use() const {
    const std::size_t sample = std::min<std::size_t>(250, count_);
    std::size_t used = 0;
    for (std::size_t i = 0; i < sample; ++i) {
        for (const Entry& entry : buckets_[i].entries) {
            const std::uint64_t data = entry.data.load(std::memory_order_relaxed);
            used += bound_of(data) != Bound::none && age_of(data) == age();
        }
    }
    return static_cast<int>(used * 1000 / (4 * sample));
}

}  // namespace inarow
