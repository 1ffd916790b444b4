// The engine's search from the root: which moves, iterative deepening, several lines, reports.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "inarow/engine_reports.hpp"
#include "inarow/engine_search.hpp"
#include "inarow/engine_shared.hpp"
#include "inarow/engine_threes.hpp"

namespace inarow {

constexpr int max_nominal_depth = 120;

struct RootOptions {
    int lines = 1;
    int max_depth = max_nominal_depth;
    std::uint32_t search = 0;       // its number
    int ahead = 0;                  // so many depths are left out each time: threads that differ help each other more
    int win_plies = max_cells;      // a win is known to be no further than this: a longer one is not enough
    ThreesTable* threes = nullptr;  // what is known of wins by threats; helpers do not look for them
    std::vector<Cell> lost{};       // moves that are known to lose
    Heuristics heuristics;
};

template <EngineModel Model>
class RootSearch {
public:
    // Nodes are added to `counter` while the search runs, if there is one.
    RootSearch(Model& model, SearchTeam& team, MoveHistory& history, const Limits& limits, const StopFlag& stop, const RootOptions& options,
               std::atomic<std::int64_t>* counter = nullptr)
        : model_(model),
          team_(team),
          watch_(limits, stop, look_interval(model.cells()), counter),
          options_(options),
          is_racing_(!team.is_alone && options.lines == 1),
          max_depth_(std::min(limits.depth, options.max_depth)),
          is_winning_(options.win_plies < max_cells),
          forcing_part_(is_winning_ ? tuned::winning_part : tuned::root_forcing_part),
          forcing_nodes_(std::min(tuned::root_forcing_nodes, limits.nodes / (nodes_of_four * forcing_part_))),
          threes_part_(is_winning_ ? tuned::winning_part : tuned::root_threes_part),
          threes_nodes_(std::min(tuned::root_threes_nodes, limits.nodes / threes_part_)),
          soft_seconds_(limits.soft_seconds),
          nodes_(model, team.table, history, watch_, options.heuristics) {}

    // Precondition: the game is not over. Reports go into the mailbox if there is one. The nodes are this thread's.
    EngineResult search(ReportMailbox* mailbox) {
        mailbox_ = mailbox;
        list_moves();
        result_.lines.assign(1, {{moves_.front().cell}, 0, Bound::upper, 0, 0});
        if (options_.lines > 1 || !finds_forced_win()) deepen();
        sort_lines();
        result_.move = result_.lines.front().moves.front();
        result_.nodes = watch_.nodes();
        result_.seconds = watch_.seconds();
        result_.stopped = watch_.ended();
        result_.table_use = team_.table.use();
        result_.longest_gap = watch_.longest_gap();
        return result_;
    }

private:
    static constexpr int plies_of_double = 3, nodes_of_four = 2;

    struct RootMove {
        Cell cell;
        std::int32_t rank;
        Score score = -infinite;  // of this iteration; -infinite: not better than the best
        Score before = -infinite;
        std::vector<Cell> line = {};
        int selective_depth = 0;
    };

    void list_moves();
    void append_other_moves();
    bool finds_forced_win();
    int known_win(Cell& move) const;
    std::vector<Cell> known_line(Cell move);
    void store_win(int plies, std::span<const Cell> line);
    bool keep_forced_win(int plies, std::span<const Cell> line);
    void deepen();
    bool search_lines(std::size_t lines, int depth);
    bool follow_leader(int& depth);
    bool search_line(std::size_t first, int depth);
    Score search_window(std::size_t first, int depth, Score alpha, Score beta);
    Score search_move(const RootMove& move, int number, int depth, Score alpha, Score beta);
    void keep_result(std::size_t first, int depth, Bound bound);
    void sort_lines();
    void report(std::size_t number) const;
    bool is_settled() const;
    bool is_long_enough();
    bool is_near_enough(Score score) const { return is_decided(score) && (score < 0 || score >= won_in(options_.win_plies)); }

    Model& model_;
    SearchTeam& team_;
    Watch watch_;
    RootOptions options_;
    bool is_racing_;  // with other threads, for each iteration
    int max_depth_;
    bool is_winning_;  // a win was reported before: it must be found again
    int forcing_part_;
    std::int64_t forcing_nodes_;
    int threes_part_;
    std::int64_t threes_nodes_;
    double soft_seconds_;
    Unrest unrest_;
    NodeSearch<Model> nodes_;
    ReportMailbox* mailbox_ = nullptr;
    std::vector<RootMove> moves_;
    bool is_complete_ = false;      // if the listed moves lose, so do all others
    Score others_score_ = -infinite;  // what the moves that are not listed come to, when that is known
    EngineResult result_;
};

// One line: only what must be looked at. Several: everything, so that each can be compared.
template <EngineModel Model>
void RootSearch<Model>::list_moves() {
    const Seat them = other(model_.turn());
    RankedMoves ranked;
    if (options_.lines == 1 && model_.wins(model_.turn()) == 0) {
        if (model_.wins(them) > 0) {
            ranked.push_back({model_.winning_cell(them), 0});
            is_complete_ = true;
            others_score_ = lost_in(2);
        } else if (model_.has_double(them) && !model_.has_double(model_.turn())) {
            model_.append_defences_to_doubles(ranked);
            is_complete_ = true;
            others_score_ = lost_in(1 + plies_of_double);
        }
    }
    if (ranked.empty()) {
        model_.append_moves(ranked);
        is_complete_ = is_complete_ || static_cast<int>(ranked.size()) == model_.legal_moves();
    }
    const auto is_lost_move = [this](const RankedMove& move) { return std::ranges::find(options_.lost, move.cell) != options_.lost.end(); };
    if (!std::ranges::all_of(ranked, is_lost_move) && std::erase_if(ranked, is_lost_move) > 0) {
        others_score_ = std::max(others_score_, lost_in(model_.free_cells()));  // it is not known how soon
    }
    const Cell known = team_.table.probe(model_.key(), 0).move;
    for (RankedMove& move : ranked) {
        if (move.cell == known) move.rank = std::numeric_limits<std::int32_t>::max();
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const RankedMove& a, const RankedMove& b) { return a.rank > b.rank; });
    for (const RankedMove& move : ranked) moves_.push_back({move.cell, move.rank});
    if (static_cast<int>(moves_.size()) < options_.lines && !is_complete_) append_other_moves();
}

template <EngineModel Model>
void RootSearch<Model>::append_other_moves() {
    RankedMoves others;
    model_.append_others(others);
    for (const RankedMove& move : others) moves_.push_back({move.cell, move.rank});
    is_complete_ = true;
}

// A win that no search is needed for: one by fours, one that an earlier search has proven, or one by threats.
template <EngineModel Model>
bool RootSearch<Model>::finds_forced_win() {
    if (options_.heuristics.has(Heuristic::forcing_at_root) || model_.wins(model_.turn()) > 0) {
        watch_.enter();
        ForcingSearch<Model>& forcing = nodes_.forcing();
        std::int64_t nodes_left = forcing_nodes_;
        const auto find = [&](int most, bool only_strong) {
            const int found = forcing.search(nodes_left, std::min(most, options_.win_plies), only_strong, 1.0 / forcing_part_);
            nodes_left = forcing.nodes_left();
            return found;
        };
        int plies = is_winning_ ? find(options_.win_plies, true) : 0;
        for (int most = 1; plies == 0 && most <= tuned::root_forcing_plies && !watch_.ended(); most += 4) plies = find(most, false);
        if (plies > 0) {
            store_win(plies, forcing.line());
            if (keep_forced_win(plies, forcing.line())) return true;
        }
    }
    Cell known = no_cell;
    if (const int plies = known_win(known); plies > 0 && keep_forced_win(plies, known_line(known))) return true;
    if (options_.threes == nullptr || !options_.heuristics.has(Heuristic::threes_at_root)) return false;
    ThreesSearch<Model> threes(model_, nodes_.forcing(), watch_, *options_.threes);
    const bool is_forced = model_.wins(other(model_.turn())) > 0;  // then only a win that was found before is of interest
    const int plies = threes.search(is_forced ? 0 : threes_nodes_, 1.0 / threes_part_);
    if (plies == 0) return false;
    store_win(plies, threes.line());
    return keep_forced_win(plies, threes.line());
}

// Puts a forced win into the table, with what is known along its line: it may be played on with fewer nodes than it was found with.
template <EngineModel Model>
void RootSearch<Model>::store_win(int plies, std::span<const Cell> line) {
    std::size_t made = 0;
    while (made < line.size()) {
        team_.table.store(model_.key(), static_cast<int>(made), {Bound::lower, line[made], won_in(plies), model_.value(), plies});
        if (made + 2 >= line.size()) break;
        model_.make(line[made++]);
        model_.make(line[made++]);
    }
    while (made-- > 0) model_.unmake();
}

// The plies of a win that the table knows, which begins with the move; 0 when it knows none.
template <EngineModel Model>
int RootSearch<Model>::known_win(Cell& move) const {
    const EngineTable::Found known = team_.table.probe(model_.key(), 0);
    move = known.move;
    return proves_win(known) && known.move != no_cell && model_.is_legal(known.move) ? won - known.score : 0;
}

// The moves that the table holds for best behind this one, which is the first. (Another thread may have replaced what it was found in.)
template <EngineModel Model>
std::vector<Cell> RootSearch<Model>::known_line(Cell move) {
    std::vector<Cell> line;
    while (static_cast<int>(line.size()) < NodeSearch<Model>::max_ply && model_.wins(model_.turn()) == 0 && move != no_cell && model_.is_legal(move)) {
        line.push_back(move);
        model_.make(move);
        move = team_.table.probe(model_.key(), 0).move;
    }
    const Cell last = model_.winning_cell(model_.turn());
    for (std::size_t i = 0; i < line.size(); ++i) model_.unmake();
    if (last != no_cell) line.push_back(last);
    return line;
}

// Whether the win is near enough to need no search.
template <EngineModel Model>
bool RootSearch<Model>::keep_forced_win(int plies, std::span<const Cell> line) {
    if (is_won(result_.lines.front().score) && won_in(plies) <= result_.lines.front().score) return false;
    result_.lines.assign(1, {{line.begin(), line.end()}, won_in(plies), Bound::exact, plies, plies});
    result_.depth = 1;
    report(0);
    return is_near_enough(won_in(plies));
}

template <EngineModel Model>
void RootSearch<Model>::deepen() {
    for (int done = 0; done < max_depth_ && !watch_.ended();) {
        int depth = std::min(done + 1 + options_.ahead, max_depth_);
        for (RootMove& move : moves_) move.before = move.score;
        const auto lines = std::min<std::size_t>(static_cast<std::size_t>(options_.lines), moves_.size());
        if (is_racing_) watch_.race(team_.finished.last(), FinishedIterations::number(options_.search, depth));
        if (search_lines(lines, depth)) {
            result_.depth = depth;
            sort_lines();
            if (is_racing_) team_.finished.tell(FinishedIterations::number(options_.search, depth), result_.lines.front());
        } else if (!follow_leader(depth)) {
            return;
        }
        for (std::size_t number = 0; number < lines; ++number) report(number);
        if (is_settled()) return;
        if (depth > model_.free_cells()) return;  // to the end of the game
        if (is_long_enough()) return;
        done = depth;
    }
}

// False when a limit ended it, or another thread was sooner.
template <EngineModel Model>
bool RootSearch<Model>::search_lines(std::size_t lines, int depth) {
    for (std::size_t first = 0; first < lines; ++first) {
        if (!search_line(first, depth)) return false;
        if (first == 0 && is_lost(moves_.front().score) && !is_complete_) {
            append_other_moves();  // is it really lost?
            if (!search_line(first, depth)) return false;
        }
    }
    return true;
}

// Takes over what another thread has found, and its depth. False when nobody was sooner, or all is over.
template <EngineModel Model>
bool RootSearch<Model>::follow_leader(int& depth) {
    if (!watch_.is_overtaken()) return false;
    watch_.go_on();
    std::uint64_t number;
    EngineLine line;
    if (!team_.finished.read(number, line)) return true;
    if (number >> 32 != options_.search) return false;
    depth = result_.depth = static_cast<int>(number & 0xffffffff);
    const auto best = std::ranges::find(moves_, line.moves.front(), &RootMove::cell);
    if (best != moves_.end()) {
        best->score = line.score;
        best->line = line.moves;
        best->selective_depth = line.selective_depth;
        std::rotate(moves_.begin(), best, best + 1);
    }
    if (!is_won(result_.lines[0].score) || line.score >= result_.lines[0].score) result_.lines[0] = line;
    return true;
}

template <EngineModel Model>
bool RootSearch<Model>::is_settled() const {
    return std::all_of(result_.lines.begin(), result_.lines.end(), [this](const EngineLine& line) { return is_near_enough(line.score); });
}

// Whether the soft limit ends it here, after an iteration: sooner when nothing has changed lately, at once when there is no choice.
template <EngineModel Model>
bool RootSearch<Model>::is_long_enough() {
    const EngineLine& best = result_.lines.front();
    unrest_.note(best.moves.front(), best.score);
    if (std::isinf(soft_seconds_)) return false;
    return (moves_.size() == 1 && is_complete_) || watch_.seconds() >= soft_seconds_ * unrest_.factor();
}

// The best of the moves from `first` on, moved to that place. False when a limit ended it.
template <EngineModel Model>
bool RootSearch<Model>::search_line(std::size_t first, int depth) {
    nodes_.forget_deepest();
    const Score before = moves_[first].before;
    Score alpha = -infinite, beta = infinite, width = tuned::aspiration_width;
    if (depth >= tuned::aspiration_depth && options_.heuristics.has(Heuristic::aspiration) && before != -infinite && !is_decided(before)) {
        alpha = before - width;
        beta = before + width;
    }
    while (true) {
        const Score score = search_window(first, depth, alpha, beta);
        std::stable_sort(moves_.begin() + static_cast<std::ptrdiff_t>(first), moves_.end(),
                         [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
        if (watch_.ended()) return false;
        if (score <= alpha && alpha > -infinite) {
            beta = alpha + (beta - alpha) / 2;
            alpha = is_decided(score) ? -infinite : std::max(-infinite, score - width);
        } else if (score >= beta && beta < infinite) {
            keep_result(first, depth, Bound::lower);
            beta = is_decided(score) ? infinite : std::min(infinite, score + width);
        } else {
            keep_result(first, depth, Bound::exact);
            return true;
        }
        width *= 2;
    }
}

template <EngineModel Model>
Score RootSearch<Model>::search_window(std::size_t first, int depth, Score alpha, Score beta) {
    Score best = -infinite;
    for (std::size_t i = first; i < moves_.size(); ++i) moves_[i].score = -infinite;
    for (std::size_t i = first; i < moves_.size(); ++i) {
        RootMove& move = moves_[i];
        const int number = static_cast<int>(i - first) + 1;
        const Score score = search_move(move, number, depth, alpha, beta);
        if (watch_.ended()) return best;
        if (number > 1 && score <= alpha) {
            best = std::max(best, score);
            continue;
        }
        best = std::max(best, score);
        move.score = score;
        move.selective_depth = nodes_.deepest_ply();
        move.line.assign(1, move.cell);
        if (score != won_in(1)) move.line.insert(move.line.end(), nodes_.line(1).begin(), nodes_.line(1).end());
        if (score > alpha) {
            if (number > 1 && i > first) keep_result(i, depth, Bound::lower);
            alpha = score;
            if (score >= beta) break;
        }
    }
    return best;
}

template <EngineModel Model>
Score RootSearch<Model>::search_move(const RootMove& move, int number, int depth, Score alpha, Score beta) {
    if (model_.wins_at(move.cell)) return won_in(1);
    int reduction = 0;
    if (number > 3 && depth >= 3 && options_.heuristics.has(Heuristic::reductions)) {
        reduction = std::clamp(nodes_.late_moves().reduction(depth, number) - 1 - model_.makes_threat(move.cell), 0, depth - 2);
    }
    model_.make(move.cell);
    Score score = infinite;
    if (reduction > 0) score = -nodes_.template search<false>(-alpha - 1, -alpha, depth - 1 - reduction, 1, true);
    if (number > 1 && score > alpha) score = -nodes_.template search<false>(-alpha - 1, -alpha, depth - 1, 1, true);
    if (number == 1 || (score > alpha && score < infinite)) score = -nodes_.template search<true>(-beta, -alpha, depth - 1, 1, false);
    model_.unmake();
    return score;
}

// The move at this place is the best known for its line: line 0 for every place but those of finished lines. That the position is lost is only
// said when all moves have been searched, and not when one merely lasts longer than those before it.
template <EngineModel Model>
void RootSearch<Model>::keep_result(std::size_t first, int depth, Bound bound) {
    const RootMove& move = moves_[first];
    const std::size_t number = std::min<std::size_t>(first, static_cast<std::size_t>(options_.lines) - 1);
    if (options_.lines > 1 && bound == Bound::lower) return;
    auto& lines = result_.lines;
    EngineLine found{move.line, move.score, bound, depth, move.selective_depth};
    if (is_lost(found.score)) found.score = std::max(found.score, others_score_);
    if (is_lost(found.score) && options_.lines == 1 && (bound == Bound::lower || !is_complete_)) found.score = -max_evaluation;
    // A proof stays one. What else was known of this move goes, whatever line it was, and those behind it move down.
    const auto is_of_move = [&](const EngineLine& line) { return options_.lines == 1 || line.moves.front() == move.cell; };
    if (const auto earlier = std::ranges::find_if(lines, is_of_move); earlier != lines.end()) {
        if (is_won(earlier->score) && found.score < earlier->score) found = *earlier;
        lines.erase(earlier);
    }
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(std::min(number, lines.size())), std::move(found));
    if (static_cast<int>(lines.size()) > options_.lines) lines.pop_back();
}

// A later line may turn out better than an earlier one, which was searched with less in the table. A move that was not searched comes last.
template <EngineModel Model>
void RootSearch<Model>::sort_lines() {
    const auto score = [](const EngineLine& line) { return line.depth > 0 ? line.score : -infinite; };
    std::stable_sort(result_.lines.begin(), result_.lines.end(), [&](const EngineLine& a, const EngineLine& b) { return score(a) > score(b); });
}

template <EngineModel Model>
void RootSearch<Model>::report(std::size_t number) const {
    if (!mailbox_) return;
    mailbox_->put({result_.lines[number], static_cast<int>(number), watch_.nodes() + team_.helper_nodes.load(std::memory_order_relaxed),
                   watch_.seconds(), team_.table.use()});
}

}  // namespace inarow
