#include "inarow/watch.hpp"

namespace inarow {

bool Watch::look() {
    const Clock::time_point now = Clock::now();
    longest_gap_ = std::max(longest_gap_, std::chrono::duration<double>(now - last_look_).count());
    last_look_ = now;
    const double spare = std::min(std::max(longest_gap_, limits_.gap), max_spare_share * limits_.seconds);
    const bool is_late = std::chrono::duration<double>(now - begin_).count() + spare >= limits_.seconds;
    ended_ = ended_ || nodes_ > limits_.nodes || stop_.is_set() || is_late;
    if (!ended_ && reached_ && reached_->load(std::memory_order_relaxed) >= goal_) ended_ = is_overtaken_ = true;
    if (counter_) {
        counter_->fetch_add(nodes_ - counted_, std::memory_order_relaxed);
        counted_ = nodes_;
    }
    next_look_ = nodes_ + interval_;
    if (limits_.nodes < next_look_) next_look_ = std::max(limits_.nodes + 1, nodes_ + 1);
    if (ended_) next_look_ = 0;  // so that none is counted any more
    return !ended_;
}

}  // namespace inarow
