// Make+unmake pairs a second of the core, one thread, for a game given as ROWS COLUMNS K [gravity].
//
// Each figure comes from the same walk: positions of seeded random games, in each of which every legal move is made
// and taken back, in shuffled order. The three parts are measured in turn, several rounds of each, and the median is printed,
// so that a machine that is busy for a moment does not favour one of them.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "inarow/position.hpp"
#include "inarow/window_sum.hpp"

using namespace inarow;

namespace {

constexpr int rounds = 15;
constexpr int pairs_a_round = 2'000'000;

struct Sample {
    Position position;
    std::vector<Cell> legal;  // shuffled
};

std::vector<Sample> random_samples(const std::shared_ptr<const Geometry>& geometry) {
    std::mt19937 random(20260101);
    std::vector<Sample> samples;
    while (samples.size() < 64) {
        Position position(geometry);
        const int wanted = static_cast<int>(random() % static_cast<unsigned>(geometry->cells() / 2 + 1));
        std::vector<Cell> legal;
        for (;;) {
            legal.clear();
            if (!position.is_over()) position.for_each_playable([&](Cell cell) { legal.push_back(cell); });
            if (legal.empty() || position.ply() == wanted) break;
            position.make(legal[random() % legal.size()]);
        }
        if (legal.empty()) continue;
        std::shuffle(legal.begin(), legal.end(), random);
        samples.push_back({position, legal});
    }
    return samples;
}

// Runs pair(sample, cell) over all samples; pairs a second.
template <class Pair>
double speed(std::vector<Sample>& samples, Pair&& pair) {
    const auto start = std::chrono::steady_clock::now();
    int done = 0;
    while (done < pairs_a_round) {
        for (std::size_t s = 0; s < samples.size(); ++s) {
            for (int repeat = 0; repeat < 20; ++repeat) {
                for (const Cell cell : samples[s].legal) pair(s, cell);
            }
            done += 20 * static_cast<int>(samples[s].legal.size());
        }
    }
    return done / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: %s ROWS COLUMNS K [gravity]\n", argv[0]);
        return 2;
    }
    const Game game{std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3]), argc > 4 && !std::strcmp(argv[4], "gravity")};
    const auto geometry = std::make_shared<const Geometry>(game);
    std::vector<Sample> samples = random_samples(geometry);

    std::vector<WindowTable> windows;
    std::vector<WindowSum> sums;
    const int codes = (game.k + 1) * (game.k + 1);
    std::vector<std::int32_t> values;
    for (int code = 0; code < codes; ++code) values.push_back(code * code % 1009);
    for (const Sample& sample : samples) {
        windows.push_back(sample.position.windows());
        sums.emplace_back(*geometry, sample.position.windows(), values);
    }

    std::vector<double> counts, position, evaluated;
    long long seen = 0;  // printed, so that no work can be left out
    for (int round = 0; round < rounds; ++round) {
        counts.push_back(speed(samples, [&](std::size_t s, Cell cell) {
            const Seat seat = samples[s].position.turn();
            seen += windows[s].mark(cell, seat);
            windows[s].unmark(cell, seat);
        }));
        position.push_back(speed(samples, [&](std::size_t s, Cell cell) {
            samples[s].position.make(cell);
            seen += samples[s].position.is_over();
            samples[s].position.unmake();
        }));
        evaluated.push_back(speed(samples, [&](std::size_t s, Cell cell) {
            Position& p = samples[s].position;
            sums[s].mark(*geometry, p.windows(), cell, p.turn());
            p.make(cell);
            seen += sums[s].value();
            p.unmake();
            sums[s].unmark();
        }));
    }
    std::printf("make+unmake pairs a second, millions, median of %d rounds\n", rounds);
    std::printf("  window counts and win test        %7.1f\n", median(counts) / 1e6);
    std::printf("  + keys, free cells, history       %7.1f\n", median(position) / 1e6);
    std::printf("  + evaluation summed by counts     %7.1f\n", median(evaluated) / 1e6);
    std::printf("  (checksum %lld)\n", seen);
    return 0;
}
