// Winning by fours alone: each stone of the attacker makes a cell on which it would win, the other player must take that cell.
//
// What is found is a proof, since every reply was forced. What is not found proves nothing: the search is cut off by nodes and plies.
// The player to move is the attacker.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "inarow/engine_model.hpp"
#include "inarow/watch.hpp"

namespace inarow {

template <EngineModel Model>
class ForcingSearch {
public:
    ForcingSearch(Model& model, Watch& watch) : model_(model), watch_(watch), failures_(std::size_t{1} << 15) {}

    // In how many plies, at most max_plies, the player to move wins by fours; 0 when it is not found. With only strong fours few positions
    // are left to look at, and few wins are missed. It ends, too, when such a part of the search's time is used up.
    int search(std::int64_t max_nodes, int max_plies, bool only_strong, double max_time_share = 1) {
        nodes_left_ = max_nodes;
        max_time_share_ = max_time_share;
        only_strong_ = only_strong;
        line_.clear();
        return find(max_plies);
    }

    // The stones of the win that was found, both players', up to the one that completes a window.
    std::span<const Cell> line() const { return line_; }

    // How many fours the last search has left of its nodes.
    std::int64_t nodes_left() const { return nodes_left_; }

    void clear() { std::fill(failures_.begin(), failures_.end(), 0); }

private:
    static constexpr int plies_of_double = 3;

    int find(int plies) {
        const Seat attacker = model_.turn(), defender = other(attacker);
        if (model_.wins(attacker) > 0) {
            line_.assign(1, model_.winning_cell(attacker));
            return 1;
        }
        const int must_block = model_.wins(defender);
        if (must_block > 1) return 0;
        if (plies < plies_of_double) return 0;
        if (must_block == 0 && model_.has_double(attacker)) return win_by_double(model_.double_cell(attacker));
        // Where nothing has to be blocked there is no double now: a four and its reply come first. The stone that blocks may be one.
        if ((must_block == 0 && plies < 2 + plies_of_double) || has_failed(plies)) return 0;

        const std::size_t begin = moves_.size();
        if (must_block == 0) {
            model_.append_fours(moves_, only_strong_);
        } else if (const Cell block = model_.winning_cell(defender); model_.makes_four(block)) {
            moves_.push_back({block, 0});
        }
        std::sort(moves_.begin() + static_cast<std::ptrdiff_t>(begin), moves_.end(), [](const RankedMove& a, const RankedMove& b) {
            return a.rank != b.rank ? a.rank > b.rank : a.cell < b.cell;
        });
        int won_in = 0;
        for (std::size_t i = begin; i < moves_.size() && won_in == 0 && nodes_left_ > 0; ++i) won_in = try_four(moves_[i].cell, plies);
        moves_.resize(begin);
        if (won_in == 0 && nodes_left_ > 0 && !watch_.ended()) remember_failure(plies);
        return won_in;
    }

    int try_four(Cell four, int plies) {
        constexpr std::int64_t nodes_between_looks = 64;
        --nodes_left_;
        const bool is_late = max_time_share_ < 1 && nodes_left_ % nodes_between_looks == 0 && watch_.used_share() > max_time_share_;
        if (is_late || !watch_.enter()) {
            nodes_left_ = 0;
            return 0;
        }
        const Seat attacker = model_.turn();
        model_.make(four);
        int won_in = 0;
        if (model_.wins(attacker) > 1) {
            won_in = plies_of_double;
            const Cell reply = model_.winning_cell(attacker);
            model_.make(reply);
            line_.assign({four, reply, model_.winning_cell(attacker)});
            model_.unmake();
        } else {
            const Cell reply = model_.winning_cell(attacker);
            watch_.enter();
            model_.make(reply);
            won_in = find(plies - 2);
            model_.unmake();
            if (won_in > 0) {
                won_in += 2;
                line_.insert(line_.begin(), {four, reply});
            }
        }
        model_.unmake();
        return won_in;
    }

    int win_by_double(Cell cell) {
        const Seat attacker = model_.turn();
        model_.make(cell);
        const Cell reply = model_.winning_cell(attacker);
        model_.make(reply);
        line_.assign({cell, reply, model_.winning_cell(attacker)});
        model_.unmake();
        model_.unmake();
        return plies_of_double;
    }

    // A position's key with, in its lowest bits, for how many plies no win was found.
    bool has_failed(int plies) const {
        const std::uint64_t entry = failures_[slot()];
        return ((entry ^ key()) & ~depth_mask) == 0 && (entry & depth_mask) >= static_cast<std::uint64_t>(plies);
    }
    void remember_failure(int plies) { failures_[slot()] = (key() & ~depth_mask) | (static_cast<std::uint64_t>(plies) & depth_mask); }
    std::uint64_t key() const { return only_strong_ ? model_.key() : ~model_.key(); }
    std::size_t slot() const { return static_cast<std::size_t>(key() >> 40) % failures_.size(); }

    static constexpr std::uint64_t depth_mask = 63;

    Model& model_;
    Watch& watch_;
    std::int64_t nodes_left_ = 0;
    double max_time_share_ = 1;
    bool only_strong_ = false;
    RankedMoves moves_;
    std::vector<Cell> line_;
    std::vector<std::uint64_t> failures_;
};

}  // namespace inarow
