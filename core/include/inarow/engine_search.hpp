// The engine's search below the root: principal variation search over a Model, with what engine_heuristics.hpp names.
//
// Decided scores are proofs. A score is decided (is_decided) when somebody surely wins within so many plies, whatever the other does:
//
// - A win is believed when there is a winning cell, a double that the opponent cannot outrun, a win by fours, or a move after which the
//   opponent has surely lost.
// - A loss is believed when the opponent has two winning cells; when the Model knows of one; when the one forced reply loses; when all
//   moves outside a set of defences surely lose (the Model's business) and all defences, searched, lose too; or when all legal
//   moves, searched, lose.
//
// Heuristics may reduce moves: a decided score of any depth is a proof. They may skip moves only when some searched move has not lost. What
// they conclude without search (null move, futility) is an evaluation, never decided. When all candidates lose but other legal moves are
// left, these are searched too, or in shallow nodes the loss is only called very likely: probably_lost. Scores from the table obey
// the same rule, as it stores nothing else. So a decided score says "within so many plies", and is true with every heuristic on or off.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "inarow/engine_forcing.hpp"
#include "inarow/engine_heuristics.hpp"
#include "inarow/engine_history.hpp"
#include "inarow/engine_model.hpp"
#include "inarow/engine_table.hpp"
#include "inarow/watch.hpp"

namespace inarow {

constexpr bool is_won(Score score) { return is_decided(score) && score > 0; }
constexpr bool is_lost(Score score) { return is_decided(score) && score < 0; }
constexpr Score won_in(int plies) { return won - plies; }
constexpr Score lost_in(int plies) { return plies - won; }
constexpr bool proves_win(const EngineTable::Found& found) { return found.bound != Bound::none && found.bound != Bound::upper && is_won(found.score); }

template <EngineModel Model>
class NodeSearch {
public:
    NodeSearch(Model& model, EngineTable& table, MoveHistory& history, Watch& watch, Heuristics heuristics)
        : model_(model), table_(table), history_(history), watch_(watch), heuristics_(heuristics), forcing_(model, watch), frames_(max_ply + 4) {}

    // Fail-soft: a score <= alpha is an upper bound, one >= beta a lower bound. When a limit ended the search it means nothing.
    template <bool is_pv>
    Score search(Score alpha, Score beta, int depth, int ply, bool is_cut);

    ForcingSearch<Model>& forcing() { return forcing_; }
    // The moves that a search at this ply found best, when its score lay within the window.
    const std::vector<Cell>& line(int ply) const { return frames_[static_cast<std::size_t>(ply)].line; }
    int deepest_ply() const { return deepest_ply_; }
    void forget_deepest() { deepest_ply_ = 0; }
    const LateMoves& late_moves() const { return late_moves_; }

    static constexpr int max_ply = 240;

private:
    static constexpr Score probably_lost = -max_evaluation;
    static constexpr int complete_depth = 3;  // from here on, the other legal moves are searched when all candidates lose
    static constexpr int plies_of_double = 3;

    struct Frame {
        Score evaluation = 0;
        Cell excluded = no_cell;
        std::array<Cell, 2> killers{no_cell, no_cell};
        std::vector<Cell> line;
        std::vector<Cell> quiets;  // searched without a cut
    };

    // A node while its moves are searched.
    struct Node {
        Score alpha, beta;
        int depth, ply;
        bool is_cut;
        EngineTable::Found known;
        Score guess = 0;  // what the search of it may come to: the evaluation, or better
        bool is_improving = false;
        Score best = -infinite;
        Cell best_move = no_cell;
        int number = 0;            // moves looked at
        bool is_complete = false;  // the moves are all that matter: if they lose, so do the others
        Score most = infinite;     // no more can be had
    };

    Frame& frame(int ply) { return frames_[static_cast<std::size_t>(ply)]; }

    bool is_settled(Node& node, Score& score);
    Score forced_reply(const Node& node, Cell reply, bool is_pv);
    Score horizon(const Node& node);
    bool cuts_by_table(const Node& node, bool is_pv) const;
    Score guess(const Node& node) const;
    bool is_pruned(const Node& node, Score& score);
    int forced_win(int max_plies, std::int64_t max_nodes);
    bool append_defences(Node& node);
    void rank_moves(const Node& node, std::size_t begin);
    template <bool is_pv>
    bool search_moves(Node& node, std::size_t begin);
    bool has_enough(const Node& node) const;
    bool is_skipped(const Node& node, Cell cell, bool is_forcing) const;
    int extension(Node& node, Cell cell, Score& score);
    template <bool is_pv>
    Score search_move(const Node& node, Cell cell, int depth, bool is_forcing);
    void learn_cut(const Node& node);
    void remember(int ply, const EngineTable::Found& what) {
        if (table_.store(model_.key(), ply, what)) watch_.look_soon();
    }
    void keep_line(int ply, Cell cell);

    Model& model_;
    EngineTable& table_;
    MoveHistory& history_;
    Watch& watch_;
    Heuristics heuristics_;
    ForcingSearch<Model> forcing_;
    LateMoves late_moves_;
    std::vector<Frame> frames_;
    RankedMoves moves_;  // those of the line that is being searched, one node's after the other's
    int deepest_ply_ = 0;
};

template <EngineModel Model>
template <bool is_pv>
Score NodeSearch<Model>::search(Score alpha, Score beta, int depth, int ply, bool is_cut) {
    // 1. Limits.
    if (!watch_.enter()) return 0;
    frame(ply).line.clear();
    deepest_ply_ = std::max(deepest_ply_, ply);
    Node node{alpha, beta, depth, ply, is_cut, {}};

    // 2. What is plain to see: a win, a draw, a loss; and no win can be nearer than the next stone.
    Score score;
    if (is_settled(node, score)) return score;
    const Seat us = model_.turn(), them = other(us);

    // 3. A single reply costs no depth.
    if (model_.wins(them) == 1) return std::min(node.most, forced_reply(node, model_.winning_cell(them), is_pv));

    // 4. What is known already.
    const Cell excluded = frame(ply).excluded;
    if (excluded == no_cell) {
        node.known = table_.probe(model_.key(), ply);
        if (node.known.move != no_cell && !model_.is_legal(node.known.move)) node.known.move = no_cell;
        if (cuts_by_table(node, is_pv)) return node.known.score;
    }

    // 5. The horizon.
    if (depth <= 0) return horizon(node);
    frame(ply).evaluation = std::min(node.most, node.known.bound != Bound::none ? node.known.evaluation : model_.value());
    node.guess = guess(node);
    node.is_improving = ply >= 2 && frame(ply).evaluation > frame(ply - 2).evaluation;

    // 6. A win by fours.
    if (excluded == no_cell && node.most == infinite && heuristics_.has(Heuristic::forcing_in_nodes)) {
        if (const int plies = forced_win(tuned::node_forcing_plies, tuned::node_forcing_nodes)) {
            remember(ply, {Bound::lower, forcing_.line().front(), won_in(ply + plies), frame(ply).evaluation, depth});
            return won_in(ply + plies);
        }
    }

    // 7. When the opponent threatens to win, only moves that may prevent it count; when not, nodes far from the window end here.
    const std::size_t begin = moves_.size();
    if (!append_defences(node)) {
        if (!is_pv && excluded == no_cell && is_pruned(node, score)) return score;
        model_.append_moves(moves_);
        node.is_complete = static_cast<int>(moves_.size() - begin) == model_.legal_moves();
    }
    if (depth >= tuned::internal_reduction_depth && node.known.move == no_cell && heuristics_.has(Heuristic::internal_reduction)) --node.depth;

    // 8. Search them; and where all of them lose, all others.
    rank_moves(node, begin);
    bool is_done = search_moves<is_pv>(node, begin);
    if (is_done && is_lost(node.best) && node.best < node.beta && !node.is_complete && excluded == no_cell) {
        if (node.depth >= complete_depth) {
            moves_.resize(begin);
            model_.append_others(moves_);
            is_done = search_moves<is_pv>(node, begin);
        } else {
            node.best = probably_lost;
        }
    }
    moves_.resize(begin);
    node.best = std::min(node.best, node.most);
    if (is_done && node.best < node.known.score && proves_win(node.known)) {
        node.best = node.known.score;
        node.best_move = node.known.move;
    }
    if (!is_done) return node.best;  // a limit, or a cut that nothing is learned from

    // 9. Remember it.
    if (excluded == no_cell) {
        const Bound bound = node.best >= beta ? Bound::lower : is_pv && node.best > alpha ? Bound::exact : Bound::upper;
        remember(ply, {bound, node.best_move, node.best, frame(ply).evaluation, node.depth});
    }
    return node.best;
}

// Wins, draws and losses that need no search. Narrows the window to what is still possible.
template <EngineModel Model>
bool NodeSearch<Model>::is_settled(Node& node, Score& score) {
    const Seat us = model_.turn(), them = other(us);
    const int ply = node.ply;
    if (model_.wins(us) > 0) {
        score = won_in(ply + 1);
        return true;
    }
    if (model_.is_drawn()) {
        score = 0;
        return true;
    }
    const int threats = model_.wins(them);
    if (threats > 1) {
        score = lost_in(ply + 2);
        return true;
    }
    if (threats == 0 && model_.has_double(us)) {
        score = won_in(ply + plies_of_double);
        return true;
    }
    if (ply >= max_ply) {
        score = model_.value();
        return true;
    }
    const Outlook outlook = model_.outlook();
    if (outlook.loses_in > 0) {
        score = lost_in(ply + outlook.loses_in);
        return true;
    }
    if (!outlook.may_win) node.most = 0;
    node.alpha = std::max(node.alpha, lost_in(ply + 2));
    node.beta = std::min({node.beta, won_in(ply + plies_of_double), node.most});
    score = node.alpha;
    return node.alpha >= node.beta;
}

template <EngineModel Model>
Score NodeSearch<Model>::forced_reply(const Node& node, Cell reply, bool is_pv) {
    frame(node.ply + 1).excluded = no_cell;
    model_.make(reply);
    const Score score = is_pv ? -search<true>(-node.beta, -node.alpha, node.depth, node.ply + 1, false)
                              : -search<false>(-node.beta, -node.alpha, node.depth, node.ply + 1, !node.is_cut);
    model_.unmake();
    if (is_pv && !watch_.ended()) keep_line(node.ply, reply);
    return score;
}

template <EngineModel Model>
Score NodeSearch<Model>::horizon(const Node& node) {
    if (node.most == infinite && heuristics_.has(Heuristic::forcing_at_horizon)) {
        if (const int plies = forced_win(tuned::horizon_forcing_plies, tuned::horizon_forcing_nodes)) return won_in(node.ply + plies);
    }
    const Score value = node.known.bound != Bound::none ? node.known.evaluation : model_.value();
    if (node.known.bound == Bound::none) remember(node.ply, {Bound::lower, no_cell, -max_evaluation, value, 0});
    return std::min(value, node.most);
}

// In how many plies the player to move wins by fours, 0 when that is not found.
template <EngineModel Model>
int NodeSearch<Model>::forced_win(int max_plies, std::int64_t max_nodes) {
    return model_.strong_fours(model_.turn()) > 0 ? forcing_.search(max_nodes, max_plies, true) : 0;
}

template <EngineModel Model>
bool NodeSearch<Model>::cuts_by_table(const Node& node, bool is_pv) const {
    const auto& [bound, move, score, evaluation, depth] = node.known;
    const bool is_lower = bound == Bound::lower || bound == Bound::exact;
    const bool is_upper = bound == Bound::upper || bound == Bound::exact;
    if (proves_win(node.known) && score >= node.beta) return true;  // a proof, at any depth
    if (is_upper && is_lost(score) && score <= node.alpha) return true;
    if (is_pv || depth < node.depth) return false;
    return (is_lower && score >= node.beta) || (is_upper && score <= node.alpha);
}

template <EngineModel Model>
Score NodeSearch<Model>::guess(const Node& node) const {
    const auto& [bound, move, score, evaluation, depth] = node.known;
    const Score value = frames_[static_cast<std::size_t>(node.ply)].evaluation;
    const bool is_better = bound == Bound::exact || (bound == Bound::lower && score > value) || (bound == Bound::upper && score < value);
    return is_better && !is_decided(score) && heuristics_.has(Heuristic::table_value) ? score : value;
}

// Whether an evaluation, or a pass, says that the node is far from its window.
template <EngineModel Model>
bool NodeSearch<Model>::is_pruned(const Node& node, Score& score) {
    const Score evaluation = node.guess;
    const int depth = node.depth;
    if (is_decided(node.beta) || is_decided(node.alpha)) return false;
    if (heuristics_.has(Heuristic::razoring) && depth <= tuned::razoring_depth && evaluation + tuned::razoring_margin(depth) <= node.alpha) {
        score = evaluation;
        return true;
    }
    if (heuristics_.has(Heuristic::reverse_futility) && depth <= tuned::reverse_futility_depth &&
        evaluation - tuned::reverse_futility_margin(depth, node.is_improving) >= node.beta) {
        score = evaluation;
        return true;
    }
    const bool may_pass = Model::passing_is_a_bound && model_.last_move(0) != no_cell && model_.last_move(1) != no_cell;
    if (heuristics_.has(Heuristic::null_move) && depth >= tuned::null_move_depth && evaluation >= node.beta && may_pass) {
        frame(node.ply + 1).excluded = no_cell;
        model_.pass();
        const Score passed = -search<false>(-node.beta, -node.beta + 1, depth - tuned::null_move_reduction(depth), node.ply + 1, !node.is_cut);
        model_.unpass();
        if (!watch_.ended() && passed >= node.beta) {
            score = is_decided(passed) ? node.beta : passed;
            return true;
        }
    }
    return false;
}

// Where the opponent threatens to win: the moves that may prevent it. False when no such threat was found.
template <EngineModel Model>
bool NodeSearch<Model>::append_defences(Node& node) {
    const Seat them = other(model_.turn());
    int plies = 0;
    if (model_.has_double(them)) {
        plies = plies_of_double;
        model_.append_defences_to_doubles(moves_);
    } else if (heuristics_.has(Heuristic::threat_defence) && node.depth >= tuned::threat_defence_depth && model_.strong_fours(them) > 0) {
        model_.pass();
        plies = forced_win(tuned::node_forcing_plies, tuned::node_forcing_nodes);
        model_.unpass();
        if (plies > 0) model_.append_defences_to_line(forcing_.line(), moves_);
    }
    if (plies == 0) return false;
    node.is_complete = true;
    node.best = lost_in(node.ply + 1 + plies);  // what all other moves come to
    return true;
}

template <EngineModel Model>
void NodeSearch<Model>::rank_moves(const Node& node, std::size_t begin) {
    const Seat us = model_.turn();
    const Cell last = model_.last_move(0), before = model_.last_move(1);
    const auto& killers = frame(node.ply).killers;
    const Cell counter = history_.counter(last);
    const bool uses_history = heuristics_.has(Heuristic::history);
    for (std::size_t i = begin; i < moves_.size(); ++i) {
        auto& [cell, rank] = moves_[i];
        if (cell == node.known.move) rank = 1 << 24;
        if (!uses_history) continue;
        rank += history_.of(us, cell, last, before) / tuned::history_divisor;
        if (cell == killers[0]) rank += tuned::killer_rank;
        if (cell == killers[1]) rank += tuned::second_killer_rank;
        if (cell == counter) rank += tuned::counter_move_rank;
    }
}

// Searches the moves from `begin` on, the best ranked first. False when a limit ended it.
template <EngineModel Model>
template <bool is_pv>
bool NodeSearch<Model>::search_moves(Node& node, std::size_t begin) {
    const std::size_t end = moves_.size();
    frame(node.ply).quiets.clear();
    frame(node.ply + 2).killers = {no_cell, no_cell};
    for (std::size_t i = begin; i < end; ++i) {
        std::size_t first = i;
        for (std::size_t j = i + 1; j < end; ++j) {
            if (moves_[j].rank > moves_[first].rank) first = j;
        }
        std::swap(moves_[i], moves_[first]);
        const Cell cell = moves_[i].cell;
        if (cell == frame(node.ply).excluded) continue;
        ++node.number;
        if (!is_lost(node.best) && has_enough(node)) break;
        const bool is_forcing = model_.makes_threat(cell);
        if (!is_pv && is_skipped(node, cell, is_forcing)) continue;
        Score cut;
        const int more = extension(node, cell, cut);
        if (watch_.ended()) return false;
        if (more < 0) {
            node.best = cut;
            return false;
        }
        const Score score = search_move<is_pv>(node, cell, node.depth - 1 + more, is_forcing);
        if (watch_.ended()) return false;
        if (score > node.best) {
            node.best = score;
            if (score > node.alpha) {
                node.best_move = cell;
                if (is_pv) keep_line(node.ply, cell);
                if (score >= node.beta) {
                    learn_cut(node);
                    return true;
                }
                node.alpha = score;
            }
        }
        frame(node.ply).quiets.push_back(cell);
    }
    return true;
}

// Whether a node has looked at enough moves.
template <EngineModel Model>
bool NodeSearch<Model>::has_enough(const Node& node) const {
    return heuristics_.has(Heuristic::move_count) && node.number > late_moves_.count(node.depth, node.is_improving);
}

// Whether a late move of a shallow node is left out. Never while all moves so far have lost.
template <EngineModel Model>
bool NodeSearch<Model>::is_skipped(const Node& node, Cell cell, bool is_forcing) const {
    if (is_lost(node.best) || is_forcing || cell == node.known.move) return false;
    const int reduced = node.depth - late_moves_.reduction(node.depth, node.number);
    return heuristics_.has(Heuristic::futility) && reduced <= tuned::futility_depth && !is_decided(node.alpha) &&
           frames_[static_cast<std::size_t>(node.ply)].evaluation + tuned::futility_margin(std::max(reduced, 0)) <= node.alpha;
}

// How much deeper a move is searched: a table move without which the node fails low, by one. Negative: without it the node is still above
// beta, which counts as a cut with this score.
template <EngineModel Model>
int NodeSearch<Model>::extension(Node& node, Cell cell, Score& score) {
    const EngineTable::Found& known = node.known;
    if (cell != known.move || !heuristics_.has(Heuristic::singular) || node.depth < tuned::singular_depth || node.ply == 0 ||
        frame(node.ply).excluded != no_cell || known.bound == Bound::upper || known.depth < node.depth - 3 || is_decided(known.score)) {
        return 0;
    }
    const Score least = known.score - tuned::singular_margin(node.depth);
    // The other moves are listed anew: the list at hand is not finished yet.
    frame(node.ply).excluded = cell;
    const std::vector<Cell> quiets = std::exchange(frame(node.ply).quiets, {});
    const Score others = search<false>(least - 1, least, (node.depth - 1) / 2, node.ply, node.is_cut);
    frame(node.ply).quiets = quiets;
    frame(node.ply).excluded = no_cell;
    if (others < least) return 1;
    if (least >= node.beta && !is_decided(node.beta)) {
        score = least;
        return -1;
    }
    return 0;
}

template <EngineModel Model>
template <bool is_pv>
Score NodeSearch<Model>::search_move(const Node& node, Cell cell, int depth, bool is_forcing) {
    const int ply = node.ply + 1;
    frame(ply).excluded = no_cell;
    int reduction = 0;
    if (heuristics_.has(Heuristic::reductions) && node.depth >= tuned::reduction_depth && node.number > 1 + is_pv) {
        const int history = history_.of(model_.turn(), cell, model_.last_move(0), model_.last_move(1));
        reduction = late_moves_.reduction(node.depth, node.number) + node.is_cut + !node.is_improving - is_pv - 2 * is_forcing - history / 6000;
    }
    table_.prefetch(model_.key_after(cell));
    model_.make(cell);
    const int reduced = std::clamp(depth - reduction, std::min(depth, 1), depth);
    Score score = infinite;
    if (reduced < depth) score = -search<false>(-node.alpha - 1, -node.alpha, reduced, ply, true);
    if (score > node.alpha && (!is_pv || node.number > 1) && (reduced < depth || score == infinite)) {
        score = -search<false>(-node.alpha - 1, -node.alpha, depth, ply, !node.is_cut);
    }
    if (is_pv && (node.number == 1 || score > node.alpha)) score = -search<true>(-node.beta, -node.alpha, depth, ply, false);
    model_.unmake();
    return score;
}

template <EngineModel Model>
void NodeSearch<Model>::learn_cut(const Node& node) {
    const Seat us = model_.turn();
    const Cell last = model_.last_move(0), before = model_.last_move(1);
    const int bonus = MoveHistory::bonus(node.depth);
    history_.learn(us, node.best_move, last, before, bonus);
    for (const Cell quiet : frame(node.ply).quiets) history_.learn(us, quiet, last, before, -bonus);
    history_.set_counter(last, node.best_move);
    auto& killers = frame(node.ply).killers;
    if (killers[0] != node.best_move) killers = {node.best_move, killers[0]};
}

template <EngineModel Model>
void NodeSearch<Model>::keep_line(int ply, Cell cell) {
    std::vector<Cell>& line = frame(ply).line;
    const std::vector<Cell>& rest = frame(ply + 1).line;
    line.assign(1, cell);
    line.insert(line.end(), rest.begin(), rest.end());
}

}  // namespace inarow
