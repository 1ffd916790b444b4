#include "inarow/memory.hpp"

#include <utility>

namespace inarow {

TreeMemory::Node TreeMemory::root(const Position& position) {
    const Node node = find(position);
    if (node == not_kept) {
        nodes_.assign(1, {0, 0});
        branches_.clear();
    } else {
        keep_only(node);
    }
    root_moves_.assign(position.moves().begin(), position.moves().end());
    return 0;
}

TreeMemory::Node TreeMemory::child(Node node, std::size_t number) {
    if (node == not_kept || nodes_[node].moves == 0) return not_kept;
    const std::size_t branch = nodes_[node].first + number;
    if (branches_[branch].child == not_kept && has_room(sizeof(Kept))) {
        branches_[branch].child = static_cast<Node>(nodes_.size());
        nodes_.push_back({0, 0});
    }
    return branches_[branch].child;
}

void TreeMemory::keep(Node node, std::span<const Cell> moves) {
    if (!has_room(moves.size() * sizeof(Branch))) return;
    nodes_[node] = {static_cast<std::uint32_t>(branches_.size()), static_cast<std::uint32_t>(moves.size())};
    for (const Cell move : moves) branches_.push_back({static_cast<std::uint16_t>(move), not_kept});
}

TreeMemory::Node TreeMemory::find(const Position& position) const {
    const std::span<const Cell> moves = position.moves();
    if (nodes_.empty() || moves.size() < root_moves_.size()) return not_kept;
    if (!std::equal(root_moves_.begin(), root_moves_.end(), moves.begin())) return not_kept;
    Node node = 0;
    for (std::size_t ply = root_moves_.size(); ply < moves.size() && node != not_kept; ++ply) {
        const Branch* begin = branches_.data() + nodes_[node].first;
        const Branch* end = begin + nodes_[node].moves;
        const Branch* found = std::find_if(begin, end, [&](const Branch& branch) { return branch.move == moves[ply]; });
        node = found == end ? not_kept : found->child;
    }
    return node;
}

void TreeMemory::keep_only(Node node) {
    if (node == 0) return;
    std::vector<Kept> nodes{nodes_[node]};
    std::vector<Branch> branches;
    for (std::size_t at = 0; at < nodes.size(); ++at) {  // breadth first: the children of kept nodes follow them
        const Kept old = nodes[at];
        nodes[at].first = static_cast<std::uint32_t>(branches.size());
        for (std::uint32_t i = 0; i < old.moves; ++i) {
            Branch branch = branches_[old.first + i];
            if (branch.child != not_kept) {
                nodes.push_back(nodes_[branch.child]);
                branch.child = static_cast<Node>(nodes.size() - 1);
            }
            branches.push_back(branch);
        }
    }
    nodes_ = std::move(nodes);
    branches_ = std::move(branches);
}

}  // namespace inarow
