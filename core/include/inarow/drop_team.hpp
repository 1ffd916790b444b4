// What threads that search the same position tell each other besides the table: what each is looking at, so that others put it off
// (after Kerrigan's simplified ABDADA), and that one of them has the answer.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace inarow {

class DropTeam {
public:
    // A new question, for so many threads, none of which has begun.
    void begin(int threads) {
        threads_ = threads;
        is_answered_ = false;
    }

    int threads() const { return threads_; }

    void answer() { is_answered_.store(true, std::memory_order_relaxed); }
    bool is_answered() const { return is_answered_.load(std::memory_order_relaxed); }

    // Two positions that share a slot, or one that was overwritten, cost time and nothing else.
    bool is_busy_with(std::uint64_t hash) const { return slot(hash).load(std::memory_order_relaxed) == hash; }

    // Says that a thread is looking at a position as long as this lives. Hash 0: nothing is said.
    class Place {
    public:
        Place(DropTeam& team, std::uint64_t hash) : slot_(hash == 0 ? nullptr : &team.slot(hash)) {
            if (slot_) slot_->store(hash, std::memory_order_relaxed);
        }
        ~Place() {
            if (slot_) slot_->store(0, std::memory_order_relaxed);
        }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;

    private:
        std::atomic<std::uint64_t>* slot_;
    };

private:
    static constexpr int slot_bits = 12;

    std::atomic<std::uint64_t>& slot(std::uint64_t hash) { return slots_[hash >> (64 - slot_bits)]; }
    const std::atomic<std::uint64_t>& slot(std::uint64_t hash) const { return slots_[hash >> (64 - slot_bits)]; }

    int threads_ = 1;
    std::atomic<bool> is_answered_{false};
    std::array<std::atomic<std::uint64_t>, std::size_t{1} << slot_bits> slots_{};
};

}  // namespace inarow
