// A flag by which one thread asks another to stop. Long work looks at it every few microseconds.
#pragma once

#include <atomic>

namespace inarow {

class StopFlag {
public:
    void set() { stopped_.store(true, std::memory_order_relaxed); }
    void clear() { stopped_.store(false, std::memory_order_relaxed); }
    bool is_set() const { return stopped_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> stopped_{false};
};

}  // namespace inarow
