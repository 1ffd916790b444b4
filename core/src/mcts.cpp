#include "inarow/mcts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace inarow {

namespace {

constexpr double exploration = 1.4;  // about the square root of 2, as UCB1 has it

// xorshift64*: quick, and good enough to choose moves.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
    std::size_t below(std::size_t end) {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return static_cast<std::size_t>((state_ * 0x2545f4914f6cdd1du >> 32) * end >> 32);
    }

private:
    std::uint64_t state_;
};

using Node = Mcts::Node;

class Tree {
public:
    Tree(Position position, std::uint64_t seed, std::vector<Node>& nodes, std::size_t max_nodes)
        : position_(std::move(position)), random_(seed), max_nodes_(max_nodes), nodes_(nodes) {
        nodes_.assign(1, Node());
        expand(0);
    }

    // One play-out.
    void step() {
        const int root_ply = position_.ply();
        path_.assign(1, 0);
        while (!position_.is_over()) {
            if (nodes_[path_.back()].children == 0 && (nodes_[path_.back()].visits == 0 || !expand(path_.back()))) break;
            path_.push_back(best_child(path_.back()));
            position_.make(nodes_[path_.back()].cell);
        }
        depth_ = std::max(depth_, static_cast<int>(path_.size()) - 1);
        play_out();
        const std::optional<Seat> winner = position_.winner();
        while (position_.ply() > root_ply) position_.unmake();
        Seat mover = other(position_.turn());  // who made the move to the node
        for (const std::size_t node : path_) {
            ++nodes_[node].visits;
            nodes_[node].wins += !winner ? 0.5 : *winner == mover ? 1.0 : 0.0;
            mover = other(mover);
        }
    }

    const Node& most_visited() const {
        const auto begin = nodes_.begin() + nodes_[0].first_child;
        return *std::max_element(begin, begin + nodes_[0].children, [](const Node& a, const Node& b) { return a.visits < b.visits; });
    }
    int depth() const { return depth_; }

private:
    // Adds the moves of the position as children, in random order; false when there is no room.
    bool expand(std::size_t node) {
        cells_.clear();
        position_.for_each_playable([&](Cell cell) { cells_.push_back(cell); });
        if (node != 0 && nodes_.size() + cells_.size() > max_nodes_) return false;
        for (std::size_t i = cells_.size(); i > 1; --i) std::swap(cells_[i - 1], cells_[random_.below(i)]);
        nodes_[node].first_child = static_cast<std::int32_t>(nodes_.size());
        nodes_[node].children = static_cast<std::int32_t>(cells_.size());
        for (const Cell cell : cells_) {
            nodes_.emplace_back();
            nodes_.back().cell = cell;
        }
        return true;
    }

    std::size_t best_child(std::size_t parent) const {
        const double log_visits = std::log(std::max(1, nodes_[parent].visits));
        const auto first = static_cast<std::size_t>(nodes_[parent].first_child);
        std::size_t best = first;
        double best_bound = -1;
        for (std::size_t child = first; child < first + static_cast<std::size_t>(nodes_[parent].children); ++child) {
            const Node& node = nodes_[child];
            if (node.visits == 0) return child;
            const double bound = node.wins / node.visits + exploration * std::sqrt(log_visits / node.visits);
            if (bound > best_bound) {
                best_bound = bound;
                best = child;
            }
        }
        return best;
    }

    void play_out() {
        while (!position_.is_over()) {
            if (position_.game().gravity) {
                cells_.clear();
                position_.for_each_playable([&](Cell cell) { cells_.push_back(cell); });
                position_.make(cells_[random_.below(cells_.size())]);
            } else {
                const int place = static_cast<int>(random_.below(static_cast<std::size_t>(position_.free_cells().count())));
                position_.make(position_.free_cells()[place]);
            }
        }
    }

    Position position_;
    Random random_;
    std::size_t max_nodes_;
    std::vector<Node>& nodes_;
    std::vector<std::size_t> path_;
    std::vector<Cell> cells_;
    int depth_ = 0;
};

}  // namespace

MctsResult Mcts::search(Position position, std::uint64_t seed, Limits limits, const StopFlag& stop) {
    limits.gap = gap_;
    Watch watch(limits, stop, look_interval(position.geometry().cells()));
    Tree tree(std::move(position), seed, nodes_, max_nodes_);
    while (watch.enter()) tree.step();
    gap_ = remembered_gap(gap_, watch.longest_gap());
    const Node& best = tree.most_visited();
    const double win_rate = best.visits > 0 ? best.wins / best.visits : 0.5;
    return {best.cell, win_rate, tree.depth(), watch.nodes(), watch.seconds(), watch.ended()};
}

}  // namespace inarow
