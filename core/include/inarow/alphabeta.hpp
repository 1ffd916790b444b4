// Alpha-beta, once for all players: negamax over a Model with a Memory, and the ways to drive it from the root.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "inarow/memory.hpp"
#include "inarow/watch.hpp"

namespace inarow {

struct SearchResult {
    Cell move = no_cell;
    Score score = 0;      // of the move, for the player to move
    int depth = 0;        // the last depth that was finished
    std::int64_t nodes = 0;
    double seconds = 0;
    bool stopped = false;  // a limit, the budget or the stop flag ended it before it was done
    double longest_gap = 0;  // between two looks at the clock, in seconds
    MemoryCounts memory;
};

// How the unfinished and the hopeless are treated at the root of an iterative deepening.
struct DeepeningStyle {
    bool trusts_first_depth = false;  // depth 1's best move so far counts although the depth is not finished
    bool loses_late = false;          // when every move loses, the choice of the depth before stands
};

template <class Model, class Memory>
class AlphaBeta {
public:
    AlphaBeta(Model& model, Memory& memory, const Limits& limits, const StopFlag& stop)
        : model_(model),
          memory_(memory),
          watch_(limits, stop, look_interval(model.position().geometry().cells())),
          max_depth_(std::min(limits.depth, model.position().free_cells().count())) {
        memory_.new_turn();
        root_ = memory_.root(model.position(), watch_);
        memory_.append_moves(root_, model_, true, moves_, watch_);
        result_.move = moves_.front();  // the order's first choice, until something better is known
    }

    // One search to a fixed depth. The best root move so far counts when a limit ends it.
    SearchResult fixed(int depth) {
        search_root(std::min(depth, max_depth_), true);
        return finished();
    }

    // Depth 1, 2, … until a limit, the end of all games, or a forced result.
    SearchResult deepen(DeepeningStyle style) {
        for (int depth = 1; depth <= max_depth_ && !watch_.ended(); ++depth) {
            const SearchResult before = result_;
            search_root(depth, depth == 1 && style.trusts_first_depth);
            const bool is_lost = result_.score < 0 && is_decided(result_.score);
            if (style.loses_late && depth > 1 && is_lost && result_.depth == depth) {
                result_.move = before.move;
            }
            if (is_decided(result_.score)) break;  // deeper searches cannot change it
        }
        return finished();
    }

    // A fixed depth with a budget of nodes: the first root move gets a quarter of it, the others equal parts of the rest,
    // and what one leaves goes to the next. Where a share is used up, nodes are evaluated instead of searched. What is left
    // in the end goes to the moves whose share was too small.
    SearchResult shares(int depth, std::int64_t budget) {
        budget_ = std::min(budget, max_budget);
        search_root(std::min(depth, max_depth_), true);
        spend_rest(std::min(depth, max_depth_));
        return finished();
    }

    // The same by several threads, each with a model and a memory of its own: whoever is free takes the next root move with its
    // share, and with the best score so far as alpha. What a share leaves is not passed on.
    SearchResult shares(int depth, std::int64_t budget, int threads, const Limits& limits, const StopFlag& stop) {
        depth = std::min(depth, max_depth_);
        std::mutex mutex;
        std::size_t next = 0;
        Score alpha = -infinite;
        std::int64_t nodes = 0;
        bool ended = false;
        bool cut = false;
        Limits part = limits;
        part.nodes = std::max<std::int64_t>(1, limits.nodes / threads);
        const auto search = [&] {
            Model model(model_);
            Memory memory(memory_);
            AlphaBeta helper(model, memory, part, stop);
            helper.budget_ = std::min(budget, max_budget);
            std::unique_lock lock(mutex);
            while (next < moves_.size() && !helper.watch_.ended()) {
                const std::size_t i = next++;
                const Score known = alpha;
                lock.unlock();
                const std::int64_t share = helper.share_end(i) - (i == 0 ? 0 : helper.share_end(i - 1));
                helper.share_end_ = helper.watch_.nodes() + share;
                const Score score = helper.search_move(i, depth, known);
                lock.lock();
                cut = cut || helper.watch_.nodes() > helper.share_end_;
                if (!helper.watch_.ended() && score > alpha) {
                    alpha = score;
                    result_.move = moves_[i];
                    result_.score = score;
                }
            }
            nodes += helper.watch_.nodes();
            result_.longest_gap = std::max(result_.longest_gap, helper.watch_.longest_gap());
            ended = ended || helper.watch_.ended();
        };
        const auto work = [&] {
            try {
                search();
            } catch (const std::bad_alloc&) {
                // No memory for another model: the other threads do the work.
            }
        };
        {
            std::vector<std::jthread> helpers;
            for (int i = 1; i < threads; ++i) helpers.emplace_back(work);
            work();
        }
        if (!ended) result_.depth = depth;
        SearchResult result = finished();
        result.nodes = nodes;
        result.stopped = ended || cut;
        return result;
    }

private:
    static constexpr std::int64_t max_budget = unlimited_nodes / max_cells;  // so that shares can be multiplied out

    // How many nodes may have been visited when root move i is done.
    std::int64_t share_end(std::size_t i) const {
        const auto others = static_cast<std::int64_t>(std::max<std::size_t>(1, moves_.size() - 1));
        const std::int64_t first = *budget_ / 4;
        return first + (*budget_ - first) * static_cast<std::int64_t>(i) / others;
    }

    Score search_move(std::size_t i, int depth, Score alpha) {
        model_.make(moves_[i]);
        const Score score = -search(memory_.child(root_, i), depth - 1, -infinite, -alpha, 1);
        model_.unmake();
        return score;
    }

    SearchResult finished() {
        result_.nodes = watch_.nodes();
        result_.seconds = watch_.seconds();
        result_.longest_gap = std::max(result_.longest_gap, watch_.longest_gap());
        result_.stopped = watch_.ended() || (budget_ && watch_.nodes() > *budget_);
        result_.memory = memory_.counts();
        return result_;
    }

    // Searches every root move; keeps the best of them in result_ when all are done, or move by move when it trusts a part.
    void search_root(int depth, bool trusts_part) {
        if (!watch_.enter()) return;
        Score alpha = -infinite;
        Cell best = no_cell;
        for (std::size_t i = 0, count = moves_.size(); i < count; ++i) {
            if (budget_) share_end_ = share_end(i);
            const std::int64_t share = share_end_ - watch_.nodes();
            const Score score = search_move(i, depth, alpha);
            if (watch_.ended()) return;
            if (watch_.nodes() > share_end_) cut_.push_back({i, score, share});
            if (budget_) root_scores_.push_back(score);
            if (score > alpha) {
                alpha = score;
                best = moves_[i];
                if (trusts_part) {
                    result_.move = best;
                    result_.score = alpha;
                }
            }
        }
        result_.move = best;
        result_.score = alpha;
        result_.depth = depth;
    }

    // Searches moves whose share was used up once more, the best first, until the budget is used up too. What it finds counts
    // when it saw more than the first time.
    void spend_rest(int depth) {
        share_end_ = *budget_;
        while (!watch_.ended() && !cut_.empty() && watch_.nodes() < *budget_) {
            const auto best = std::max_element(cut_.begin(), cut_.end(), [](const Cut& a, const Cut& b) { return a.score < b.score; });
            const Cut again = *best;
            cut_.erase(best);
            const std::int64_t share = *budget_ - watch_.nodes();
            const Score score = search_move(again.number, depth, -infinite);
            if (watch_.ended()) return;
            const bool saw_more = watch_.nodes() <= *budget_ || share > again.share;
            if (!saw_more) continue;
            root_scores_[again.number] = score;
            if (moves_[again.number] == result_.move || score > result_.score) {
                result_.move = moves_[again.number];
                result_.score = score;
            }
        }
        // A move that turned out to be lost makes way for the one that seemed best besides.
        if (result_.score < 0 && is_decided(result_.score)) {
            const auto best = std::max_element(root_scores_.begin(), root_scores_.end());
            if (*best <= result_.score) return;
            result_.move = moves_[static_cast<std::size_t>(best - root_scores_.begin())];
            result_.score = *best;
        }
    }

    // Fail-soft: a score <= alpha is an upper bound, one >= beta a lower bound. When a limit ended the search it means nothing.
    Score search(typename Memory::Node node, int depth, Score alpha, Score beta, int ply) {
        // 1. Limits.
        if (!watch_.enter()) return 0;

        // 2. The end of the game: whoever is to move has lost.
        const Position& position = model_.position();
        if (position.winner()) return -(won - ply);
        if (position.is_over()) return 0;

        // 3. The horizon.
        if (depth == 0 || watch_.nodes() > share_end_) return model_.value();

        // 4. What is known already.
        const Score first_alpha = alpha;
        Score known;
        if (memory_.answer(position, depth, ply, alpha, beta, known)) return known;

        // 5. The moves, best first. They stay on one stack for the whole line.
        const std::size_t begin = moves_.size();
        memory_.append_moves(node, model_, false, moves_, watch_);
        const std::size_t end = moves_.size();
        Score best = -infinite;
        for (std::size_t i = begin; i < end; ++i) {
            Score score;
            if (depth == 1 || watch_.nodes() >= share_end_) {
                score = horizon(moves_[i], ply + 1);
            } else {
                model_.make(moves_[i]);
                score = -search(memory_.child(node, i - begin), depth - 1, -beta, -alpha, ply + 1);
                model_.unmake();
            }
            if (watch_.ended()) break;
            best = std::max(best, score);
            alpha = std::max(alpha, best);
            if (alpha >= beta) break;
        }
        moves_.resize(begin);
        if (watch_.ended()) return 0;

        // 6. Remember it.
        memory_.learn(position, depth, ply, first_alpha, beta, best);
        return best;
    }

    // A child that is not searched further, as search() would treat it, for the player who moves to it.
    Score horizon(Cell cell, int ply) {
        if (!watch_.enter()) return 0;
        const Position& position = model_.position();
        if (position.windows().completes(cell, position.turn())) return won - ply;
        if (position.free_cells().count() == 1) return 0;
        return model_.value_after(cell);
    }

    Model& model_;
    Memory& memory_;
    Watch watch_;
    int max_depth_;
    typename Memory::Node root_{};
    Cells moves_;  // first the root's, then those of the line that is being searched
    struct Cut {
        std::size_t number;
        Score score;
        std::int64_t share;
    };

    std::optional<std::int64_t> budget_;
    std::vector<Cut> cut_;  // root moves whose share was used up
    std::vector<Score> root_scores_;
    std::int64_t share_end_ = unlimited_nodes;
    SearchResult result_;
};

}  // namespace inarow
