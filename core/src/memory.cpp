#include "inarow/memory.hpp"

#include <utility>

namespace inarow {

TreeMemory::Node TreeMemory::root(const Position& position, const Watch& watch) {
    const Node node = find(position);
    if (node == not_kept) {
        tree_.nodes.assign(1, {0, 0});
        tree_.branches.clear();
    } else {
        keep_only(node, watch);
    }
    root_moves_.assign(position.moves().begin(), position.moves().end());
    return 0;
}

TreeMemory::Node TreeMemory::child(Node node, std::size_t number) {
    if (node == not_kept || tree_.nodes[node].moves == 0) return not_kept;
    Branch& branch = tree_.branches[tree_.nodes[node].first + number];
    if (branch.child == not_kept && tree_.has_room(1, 0)) {
        branch.child = static_cast<Node>(tree_.nodes.size());
        tree_.nodes.push_back({0, 0});
    }
    return branch.child;
}

void TreeMemory::keep(Node node, std::span<const Cell> moves) {
    if (!tree_.has_room(0, moves.size())) return;
    tree_.nodes[node] = {static_cast<std::uint32_t>(tree_.branches.size()), static_cast<std::uint32_t>(moves.size())};
    for (const Cell move : moves) tree_.branches.push_back({static_cast<std::uint16_t>(move), not_kept});
}

TreeMemory::Node TreeMemory::find(const Position& position) const {
    const std::span<const Cell> moves = position.moves();
    if (tree_.nodes.empty() || moves.size() < root_moves_.size()) return not_kept;
    if (!std::equal(root_moves_.begin(), root_moves_.end(), moves.begin())) return not_kept;
    Node node = 0;
    for (std::size_t ply = root_moves_.size(); ply < moves.size() && node != not_kept; ++ply) {
        const Branch* begin = tree_.branches.data() + tree_.nodes[node].first;
        const Branch* end = begin + tree_.nodes[node].moves;
        const Branch* found = std::find_if(begin, end, [&](const Branch& branch) { return branch.move == moves[ply]; });
        node = found == end ? not_kept : found->child;
    }
    return node;
}

void TreeMemory::keep_only(Node node, const Watch& watch) {
    if (node == 0) return;
    Tree& kept = spare_;
    kept.nodes.assign(1, tree_.nodes[node]);
    kept.branches.clear();
    for (std::size_t at = 0; at < kept.nodes.size(); ++at) {  // breadth first: the children of kept nodes follow them
        const Kept old = kept.nodes[at];
        if (watch.used_share() > copying_share) {
            kept.nodes[at].moves = 0;
            continue;
        }
        kept.nodes[at].first = static_cast<std::uint32_t>(kept.branches.size());
        for (std::uint32_t i = 0; i < old.moves; ++i) {
            Branch branch = tree_.branches[old.first + i];
            if (branch.child != not_kept) {
                kept.nodes.push_back(tree_.nodes[branch.child]);
                branch.child = static_cast<Node>(kept.nodes.size() - 1);
            }
            kept.branches.push_back(branch);
        }
    }
    std::swap(tree_, spare_);
}

}  // namespace inarow
