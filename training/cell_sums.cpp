// The first layer of the network (core/include/inarow/cell_network.hpp) and its gradient, for learning without a GPU: what PyTorch does with
// tensors of positions x cells x channels is here one pass over the cells, with a position's sums at hand.
//
// A cell brings clamp(moving[own code] + waiting[other code], 0, most), channel by channel. A pair of codes whose rows are both zeros,
// as those that fill up a position's list of cells, is passed over.
#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

constexpr int channels = 64;

struct Cells {
    const std::int16_t *own, *other;  // positions x cells
    const std::uint8_t* has_row;      // by code
    std::int64_t positions, cells;

    template <class Visit>
    void for_each_pair(std::int64_t position, Visit&& visit) const {
        for (std::int64_t i = position * cells; i < (position + 1) * cells; ++i) {
            if (has_row[own[i]] | has_row[other[i]]) visit(own[i] * channels, other[i] * channels);
        }
    }
};

// Calls work(first, last, thread) with equal parts of all positions.
template <class Work>
void in_threads(std::int64_t positions, int threads, Work&& work) {
    std::vector<std::thread> others;
    const auto begin = [&](int thread) { return positions * thread / threads; };
    for (int thread = 1; thread < threads; ++thread) others.emplace_back([&, thread] { work(begin(thread), begin(thread + 1), thread); });
    work(0, begin(1), 0);
    for (std::thread& each : others) each.join();
}

// Adds the gradient where a cell's sum is not cut off. Apart, so that the compiler sees that nothing overlaps.
void add_passed(const float* __restrict gradient, const float* __restrict moving, const float* __restrict waiting, float most,
                float* __restrict to_moving, float* __restrict to_waiting) {
    for (int c = 0; c < channels; ++c) {
        const float value = moving[c] + waiting[c];
        const float passed = value > 0.0f && value < most ? gradient[c] : 0.0f;
        to_moving[c] += passed;
        to_waiting[c] += passed;
    }
}

}  // namespace

extern "C" void sums_of_cells(const std::int16_t* own, const std::int16_t* other, const std::uint8_t* has_row, std::int64_t positions,
                              std::int64_t cells, const float* moving, const float* waiting, float most, float* sums, int threads) {
    const Cells all{own, other, has_row, positions, cells};
    in_threads(positions, threads, [&](std::int64_t first, std::int64_t last, int) {
        for (std::int64_t position = first; position < last; ++position) {
            float sum[channels] = {};
            all.for_each_pair(position, [&](int a, int b) {
                for (int c = 0; c < channels; ++c) sum[c] += std::min(std::max(moving[a + c] + waiting[b + c], 0.0f), most);
            });
            std::copy(sum, sum + channels, sums + position * channels);
        }
    });
}

// Adds to the gradients of the tables, of which there is one pair for each thread: threads x codes x channels.
extern "C" void gradients_of_cells(const std::int16_t* own, const std::int16_t* other, const std::uint8_t* has_row, std::int64_t positions,
                                   std::int64_t cells, const float* moving, const float* waiting, float most, const float* of_sums,
                                   std::int64_t codes, float* of_moving, float* of_waiting, int threads) {
    const Cells all{own, other, has_row, positions, cells};
    in_threads(positions, threads, [&](std::int64_t first, std::int64_t last, int thread) {
        float* const to_moving = of_moving + thread * codes * channels;
        float* const to_waiting = of_waiting + thread * codes * channels;
        for (std::int64_t position = first; position < last; ++position) {
            float gradient[channels];
            std::copy(of_sums + position * channels, of_sums + (position + 1) * channels, gradient);
            all.for_each_pair(position, [&](int a, int b) { add_passed(gradient, moving + a, waiting + b, most, to_moving + a, to_waiting + b); });
        }
    });
}
