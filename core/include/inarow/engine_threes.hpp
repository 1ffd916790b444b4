// Winning by threats: each move of the attacker threatens to win by fours (engine_forcing.hpp), until the other has no answer left.
//
// An attack is a four, or a move after which the attacker would win by fours if the other passed: a three, in most cases. The defender's
// moves are all that may prevent that win; which those are is the Model's business, and all others are known to lose. So what is found
// is a proof. What is not found proves nothing: other attacks are not looked at, and the search is cut off by nodes.
//
// The search is depth-first proof-number search (df-pn, Nagai). Each node has two numbers, as the player to move sees it:
//
//     phi      how hard it still looks to reach the own aim (to win; for the defender, to get out of the attack): 0 when it is reached
//     delta    how hard it is for the other
//
// phi is the least delta of the children, delta the greatest phi of those that are open, and one for each further open one: a sum would
// count positions many times that several orders of moves lead to. The search always goes to the child with the least delta, and
// stays below it until another becomes better.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "inarow/engine_forcing.hpp"
#include "inarow/engine_heuristics.hpp"
#include "inarow/engine_model.hpp"
#include "inarow/watch.hpp"

namespace inarow {

// What is known of the positions of an attack; kept from move to move, so that a win that was found is not lost again.
class ThreesTable {
public:
    struct Entry {
        std::uint64_t key = 0;  // 0: nothing
        std::uint32_t phi = 0, delta = 0;
        std::int32_t plies = 0;  // where the attacker wins: within so many
        Cell move = no_cell;     // and its move, where it is to move
    };

    ThreesTable() : entries_(std::size_t{1} << size_bits) {}

    const Entry* find(std::uint64_t key) const {
        const Entry& entry = entries_[place_of(key)];
        return entry.key == key ? &entry : nullptr;
    }
    void store(const Entry& entry) {
        Entry& place = entries_[place_of(entry.key)];
        used_ += place.key == 0;
        place = entry;
    }
    bool is_full() const { return used_ >= entries_.size() / 4 * 3; }
    bool is_half_full() const { return used_ >= entries_.size() / 2; }
    void clear() {
        if (used_ > 0) std::fill(entries_.begin(), entries_.end(), Entry{});
        used_ = 0;
    }

private:
    static constexpr int size_bits = 17;

    // Where a key is, or where it would come.
    std::size_t place_of(std::uint64_t key) const {
        std::size_t place = static_cast<std::size_t>(key >> (64 - size_bits));
        while (entries_[place].key != 0 && entries_[place].key != key) place = (place + 1) % entries_.size();
        return place;
    }

    std::vector<Entry> entries_;
    std::size_t used_ = 0;
};

template <EngineModel Model>
class ThreesSearch {
public:
    ThreesSearch(Model& model, ForcingSearch<Model>& forcing, Watch& watch, ThreesTable& table)
        : model_(model), forcing_(forcing), watch_(watch), table_(table), attacker_(model.turn()) {}

    // In how many plies, at most, the player to move wins by threats; 0 when it is not found with so many nodes and in this share of the time.
    int search(std::int64_t max_nodes, double max_time_share) {
        line_.clear();
        has_ended_ = false;
        if (!is_won_already()) {
            if (table_.is_half_full()) table_.clear();
            last_node_ = watch_.nodes() + max_nodes;
            max_time_share_ = max_time_share;
            visit(infinite_number, infinite_number, 0);
        }
        const ThreesTable::Entry* root = table_.find(key());
        if (root == nullptr || root->phi != 0) return 0;
        const int plies = root->plies;
        follow();
        return plies;
    }

    // The win that was found: the attacker's moves, and the replies that hold out longest.
    std::span<const Cell> line() const { return line_; }

private:
    using Entry = ThreesTable::Entry;
    static constexpr std::uint32_t infinite_number = 1u << 28;
    static constexpr int plies_of_double = 3;
    static constexpr int max_ply = 120;

    // A node's moves lie in moves_ from `begin` on. Its numbers are known without search when it is settled.
    struct Node {
        std::size_t begin;
        bool is_settled = false;
        Entry entry = {};
        int other_plies = 0;  // defender: within how many plies all moves that are not listed lose
    };
    struct Children {
        std::size_t best = 0;
        std::uint32_t phi = infinite_number, second = infinite_number, delta = 0;
        std::uint32_t open = 0;  // children that the other has not reached its aim in
        std::int32_t longest = 0;
    };

    bool is_attack() const { return model_.turn() == attacker_; }
    std::uint64_t key() const { return marked(model_.key()); }
    // A position means something else when the other attacks; and no key is 0.
    std::uint64_t marked(std::uint64_t key) const { return (attacker_ == Seat::first ? key : ~key) | 1; }
    bool is_won_already() const {
        const Entry* root = table_.find(key());
        return root != nullptr && root->phi == 0;
    }

    Entry visit(std::uint32_t max_phi, std::uint32_t max_delta, int ply);
    Node look(int ply);
    Node look_as_attacker(int ply);
    Node look_as_defender();
    Children compare(const Node& node) const;
    Entry estimate(const RankedMove& move) const;
    bool must_end();
    void follow();
    Cell longest_reply();

    Node reached(int plies, Cell move) const { return {moves_.size(), true, {key(), 0, infinite_number, plies, move}, 0}; }
    Node missed(int plies = 0) const { return {moves_.size(), true, {key(), infinite_number, 0, plies, no_cell}, 0}; }

    Model& model_;
    ForcingSearch<Model>& forcing_;
    Watch& watch_;
    ThreesTable& table_;
    Seat attacker_;
    std::int64_t last_node_ = 0;
    double max_time_share_ = 0;
    bool has_ended_ = false;
    RankedMoves moves_;  // of the line that is being searched; a rank here is how hard a move looks to answer
    std::vector<Cell> line_;
};

template <EngineModel Model>
bool ThreesSearch<Model>::must_end() {
    constexpr int nodes_between_looks = 16;
    has_ended_ = has_ended_ || !watch_.enter() || watch_.nodes() > last_node_ || table_.is_full() ||
                 (watch_.nodes() % nodes_between_looks == 0 && watch_.used_share() > max_time_share_);
    return has_ended_;
}

template <EngineModel Model>
ThreesTable::Entry ThreesSearch<Model>::visit(std::uint32_t max_phi, std::uint32_t max_delta, int ply) {
    if (must_end()) return {key(), 1, 1};
    Node node = look(ply);
    while (!node.is_settled) {
        const Children children = compare(node);
        node.entry = {key(), children.phi, children.delta};
        if (children.phi == 0 && is_attack()) {
            node.entry.plies = table_.find(marked(model_.key_after(moves_[children.best].cell)))->plies + 1;
            node.entry.move = moves_[children.best].cell;
        } else if (children.delta == 0 && !is_attack()) {
            node.entry.plies = std::max(children.longest + 1, node.other_plies);
        }
        if (children.phi >= max_phi || children.delta >= max_delta || children.phi == 0 || children.delta == 0) break;
        const std::uint32_t others = children.open - 1;
        model_.make(moves_[children.best].cell);
        visit(max_delta - others, std::min(max_phi, children.second + 1), ply + 1);
        model_.unmake();
        if (has_ended_) break;
    }
    moves_.resize(node.begin);
    if (!has_ended_ && !watch_.ended()) table_.store(node.entry);
    return node.entry;
}

template <EngineModel Model>
typename ThreesSearch<Model>::Node ThreesSearch<Model>::look(int ply) {
    return is_attack() ? look_as_attacker(ply) : look_as_defender();
}

// What the attacker sees at once, and by fours alone; else its attacks.
template <EngineModel Model>
typename ThreesSearch<Model>::Node ThreesSearch<Model>::look_as_attacker(int ply) {
    const Seat defender = other(attacker_);
    if (model_.wins(attacker_) > 0) return reached(1, model_.winning_cell(attacker_));
    const int must_block = model_.wins(defender);
    if (must_block > 1 || ply >= max_ply) return missed();
    if (must_block == 0 && model_.has_double(attacker_)) return reached(plies_of_double, model_.double_cell(attacker_));
    if (model_.strong_fours(attacker_) > 0 && table_.find(key()) == nullptr) {
        if (const int plies = forcing_.search(tuned::node_forcing_nodes, tuned::node_forcing_plies, true)) return reached(plies, forcing_.line().front());
    }
    Node node{.begin = moves_.size()};
    if (must_block == 1) {
        moves_.push_back({model_.winning_cell(defender), 0});
    } else {
        model_.append_attacks(moves_);
    }
    for (std::size_t i = node.begin; i < moves_.size(); ++i) {
        const Cell cell = moves_[i].cell;
        moves_[i].rank = model_.makes_four(cell) ? 1 : model_.makes_threat(cell) ? tuned::three_number : tuned::other_attack_number;
    }
    return moves_.size() == node.begin ? missed() : node;
}

// The moves that may stop what the attacker threatens; where it threatens nothing, the defender has got out of the attack.
template <EngineModel Model>
typename ThreesSearch<Model>::Node ThreesSearch<Model>::look_as_defender() {
    const Seat defender = model_.turn();
    if (model_.wins(defender) > 0 || model_.is_drawn()) return reached(0, no_cell);
    const int winning_cells = model_.wins(attacker_);
    if (winning_cells > 1) return missed(2);
    Node node{.begin = moves_.size()};
    if (winning_cells == 1) {
        node.other_plies = 2;
        moves_.push_back({model_.winning_cell(attacker_), 1});
        return node;
    }
    int plies = 0;
    if (model_.has_double(attacker_)) {
        plies = plies_of_double;
        model_.append_defences_to_doubles(moves_);
    } else if (model_.strong_fours(attacker_) > 0) {
        model_.pass();
        plies = forcing_.search(tuned::node_forcing_nodes, tuned::node_forcing_plies, true);
        model_.unpass();
        if (plies > 0) model_.append_defences_to_line(forcing_.line(), moves_);
    }
    if (plies == 0) return reached(0, no_cell);
    if (moves_.size() == node.begin) return missed(plies + 1);
    for (std::size_t i = node.begin; i < moves_.size(); ++i) moves_[i].rank = 1;
    node.other_plies = plies + 1;
    return node;
}

// A move that was not looked at yet is about as hard to answer as it looks.
template <EngineModel Model>
ThreesTable::Entry ThreesSearch<Model>::estimate(const RankedMove& move) const {
    return {0, 1, static_cast<std::uint32_t>(std::max(move.rank, 1))};
}

template <EngineModel Model>
typename ThreesSearch<Model>::Children ThreesSearch<Model>::compare(const Node& node) const {
    Children found;
    for (std::size_t i = node.begin; i < moves_.size(); ++i) {
        const Entry* known = table_.find(marked(model_.key_after(moves_[i].cell)));
        const Entry child = known != nullptr ? *known : estimate(moves_[i]);
        if (child.phi > 0) found.delta = std::max(found.delta, child.phi);
        found.open += child.phi > 0;
        if (child.phi == 0) found.longest = std::max(found.longest, child.plies);
        if (child.delta < found.phi) {
            found.second = found.phi;
            found.phi = child.delta;
            found.best = i;
        } else {
            found.second = std::min(found.second, child.delta);
        }
    }
    if (found.open > 0) found.delta = std::min(found.delta + found.open - 1, infinite_number);
    return found;
}

// Fills line_ by playing the win.
template <EngineModel Model>
void ThreesSearch<Model>::follow() {
    std::size_t made = 0;
    while (true) {
        if (is_attack() && forcing_.search(tuned::node_forcing_nodes, tuned::node_forcing_plies, true) > 0) {
            line_.insert(line_.end(), forcing_.line().begin(), forcing_.line().end());
            break;
        }
        const Entry* entry = table_.find(key());
        const Cell cell = is_attack() ? (entry != nullptr && entry->phi == 0 ? entry->move : no_cell) : longest_reply();
        if (cell == no_cell || !model_.is_legal(cell)) break;
        line_.push_back(cell);
        model_.make(cell);
        ++made;
    }
    while (made-- > 0) model_.unmake();
}

// The defence after which the attacker needs most plies; no_cell when the win is by fours from here on.
template <EngineModel Model>
Cell ThreesSearch<Model>::longest_reply() {
    const Node node = look_as_defender();
    Cell longest = no_cell;
    int plies = 0;
    for (std::size_t i = node.begin; i < moves_.size(); ++i) {
        const Entry* entry = table_.find(marked(model_.key_after(moves_[i].cell)));
        if (entry == nullptr || entry->plies <= plies) continue;
        longest = moves_[i].cell;
        plies = entry->plies;
    }
    moves_.resize(node.begin);
    return longest;
}

}  // namespace inarow
