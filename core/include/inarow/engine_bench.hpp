// The engine's signature: fixed positions of several games, fixed depths, one thread, one number of nodes.
#pragma once

#include <cstdint>

#include "inarow/stop.hpp"

namespace inarow {

struct EngineBench {
    std::int64_t nodes = 0;
    double seconds = 0;
    bool stopped = false;
};

EngineBench engine_bench(const StopFlag& stop);

}  // namespace inarow
