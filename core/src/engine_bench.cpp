#include "inarow/engine_bench.hpp"

#include <array>
#include <memory>
#include <vector>

#include "inarow/engine.hpp"

namespace inarow {

namespace {

struct BenchPosition {
    Game game;
    int depth;
    std::vector<Cell> moves;
};

std::vector<BenchPosition> bench_positions() {
    return {
        {{3, 3, 3, false}, 9, {}},
        {{5, 5, 4, false}, 9, {12, 6}},
        {{8, 8, 5, false}, 9, {27, 28, 36}},
        {{15, 15, 5, false}, 11, {112, 113, 98}},
        {{15, 15, 5, false}, 10, {112, 126, 98, 140, 127, 142}},
        {{15, 15, 5, false}, 10, {112, 128, 127, 142, 97, 82, 144}},
        {{20, 20, 5, false}, 9, {210, 231, 190, 189}},
        {{19, 19, 6, false}, 9, {180, 161, 199}},
        {{10, 10, 7, false}, 8, {44, 55, 45}},
        {{40, 40, 10, false}, 5, {820, 861}},
        {{6, 7, 4, true}, 14, {}},
        {{6, 7, 4, true}, 12, {38, 31, 24, 37, 30, 36}},
        {{8, 8, 4, true}, 11, {60, 59, 52}},
        {{9, 10, 5, true}, 10, {85, 84}},
        {{30, 30, 6, true}, 8, {885, 855}},
    };
}

}  // namespace

EngineBench engine_bench(const StopFlag& stop) {
    EngineBench bench;
    for (const BenchPosition& position : bench_positions()) {
        Engine::Options options;
        options.memory_bytes = std::size_t{4} << 20;
        Limits limits;
        limits.depth = position.depth;
        const auto engine = Engine::make(std::make_shared<const Geometry>(position.game), options, EngineWeights::handmade());
        const EngineResult result = engine->search({position.moves, 1}, limits, stop);
        bench.nodes += result.nodes;
        bench.seconds += result.seconds;
        bench.stopped = bench.stopped || result.stopped;
    }
    return bench;
}

}  // namespace inarow
