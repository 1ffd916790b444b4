// What a search remembers of the nodes it has visited: nothing, their values, or their sorted moves.
//
// A Memory gives a node's moves (Node is its handle for a node of its own) and may answer for the node before it is searched.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "inarow/model.hpp"
#include "inarow/table.hpp"

namespace inarow {

struct MemoryCounts {
    std::int64_t probes = 0;  // nodes that were asked for
    std::int64_t hits = 0;    // of these, how many were known
};

class NoMemory {
public:
    using Node = int;

    Node root(const Position&, const Watch&) { return 0; }
    Node child(Node, std::size_t) { return 0; }
    template <class Model>
    void append_moves(Node, Model& model, bool is_root, Cells& cells, Watch& watch) {
        model.append_moves(is_root, cells, watch);
    }
    bool answer(const Position&, int, int, Score&, Score&, Score&) { return false; }
    void learn(const Position&, int, int, Score, Score, Score) {}
    void new_turn() {}
    MemoryCounts counts() const { return {}; }
};

// A transposition table (Nisshoku; Telos with memory on). One key for all images of a position when it folds symmetries.
class TableMemory : public NoMemory {
public:
    TableMemory(std::size_t bytes, bool folds_symmetries) : table_(bytes), folds_symmetries_(folds_symmetries) {}

    // Narrows alpha and beta by what is known at the wanted depth or deeper; true when that settles the score.
    bool answer(const Position& position, int depth, int ply, Score& alpha, Score& beta, Score& score) {
        ++counts_.probes;
        const Table::Found found = table_.probe(key(position), ply);
        if (found.bound == Bound::none || found.depth < depth) return false;
        ++counts_.hits;
        score = found.score;
        if (found.bound == Bound::exact) return true;
        if (found.bound == Bound::lower) alpha = std::max(alpha, score);
        if (found.bound == Bound::upper) beta = std::min(beta, score);
        return alpha >= beta;
    }

    // The score that a window (alpha, beta) gave.
    void learn(const Position& position, int depth, int ply, Score alpha, Score beta, Score score) {
        const Bound bound = score <= alpha ? Bound::upper : score >= beta ? Bound::lower : Bound::exact;
        table_.store(key(position), ply, score, depth, bound);
    }

    void new_turn() {
        table_.grow_older();
        counts_ = {};
    }
    MemoryCounts counts() const { return counts_; }

private:
    std::uint64_t key(const Position& position) const {
        return folds_symmetries_ ? position.canonical_key() : position.keys()[0];
    }

    Table table_;
    bool folds_symmetries_;
    MemoryCounts counts_;
};

// The visited tree with the sorted moves of each node (Cadrega). The next turn goes on in the part of it that was played;
// the rest is thrown away. When it is full, nodes are searched but not kept.
class TreeMemory : public NoMemory {
public:
    using Node = std::uint32_t;
    static constexpr Node not_kept = std::numeric_limits<Node>::max();

    explicit TreeMemory(std::size_t bytes) : tree_(bytes / 2), spare_(bytes / 2) {}

    // The node of the position, found by its last moves in the tree of the last turn, or a fresh one. What is below it is kept as
    // far as a small share of the time allows.
    Node root(const Position& position, const Watch& watch);
    Node child(Node node, std::size_t number);

    template <class Model>
    void append_moves(Node node, Model& model, bool is_root, Cells& cells, Watch& watch) {
        ++counts_.probes;
        if (node != not_kept && tree_.nodes[node].moves > 0) {
            ++counts_.hits;
            const Branch* branches = tree_.branches.data() + tree_.nodes[node].first;
            for (std::uint32_t i = 0; i < tree_.nodes[node].moves; ++i) cells.push_back(branches[i].move);
            return;
        }
        const std::size_t begin = cells.size();
        model.append_moves(is_root, cells, watch);
        if (node != not_kept && !watch.ended()) keep(node, std::span(cells).subspan(begin));
    }

    void new_turn() { counts_ = {}; }
    MemoryCounts counts() const { return counts_; }

private:
    static constexpr double copying_share = 0.05;  // of the time of a turn

    struct Branch {
        std::uint16_t move;
        Node child;  // not_kept: not visited yet, or not kept
    } __attribute__((packed));
    struct Kept {
        std::uint32_t first;  // its branches are branches[first .. first + moves)
        std::uint32_t moves;  // 0: not expanded yet
    };
    // Room is reserved once: memory that is not used costs nothing, and growing would take time in the middle of a search.
    struct Tree {
        explicit Tree(std::size_t bytes) {
            nodes.reserve(std::max<std::size_t>(1, bytes / 4 / sizeof(Kept)));
            branches.reserve(bytes / 4 * 3 / sizeof(Branch));
        }
        bool has_room(std::size_t more_nodes, std::size_t more_branches) const {
            return nodes.size() + more_nodes <= nodes.capacity() && branches.size() + more_branches <= branches.capacity();
        }
        std::vector<Kept> nodes;
        std::vector<Branch> branches;
    };

    void keep(Node node, std::span<const Cell> moves);
    Node find(const Position& position) const;
    void keep_only(Node node, const Watch& watch);

    Tree tree_;
    Tree spare_;        // what is kept of the tree is copied here, and the two change places
    Cells root_moves_;  // the moves that led to node 0
    MemoryCounts counts_;
};

}  // namespace inarow
