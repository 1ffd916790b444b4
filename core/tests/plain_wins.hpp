// Does the player to move win within so many plies, whatever the other does? Asked of a plain board, without any of the core's code.
//
// A proof here is a tree in which the winner has one move and the other has all legal ones. Four things keep it small, each plain from
// the rules of the game:
//
// - Who does not take the only cell on which the other wins at once has lost.
// - Where the winner threatens a line of fours (each of which the other must answer on one cell), every reply is looked at, but most
//   of them are done with by playing the same line after them.
// - A position that was proven once need not be proven again.
// - With gravity, who is left without a good move in the end has lost: plain_parity.hpp.
//
// The winner's moves come from a search for fours and threes, from whoever is asked for hints, or, if nothing else helps, are all there are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plain_game.hpp"
#include "plain_parity.hpp"

namespace plain {

// Stones, and for both sides which lines lack few stones. Sides are 0 and 1; side 0 moves first.
class CountedBoard {
public:
    static constexpr int most_missing = 3;

    explicit CountedBoard(Game game) : game_(game), lines_(game.lines()), through_(at(game.cells())), stones_(at(game.cells()), free_cell), tallies_(at(game.cells())) {
        for (std::size_t line = 0; line < lines_.size(); ++line) {
            for (const int cell : lines_[line]) through_[at(cell)].push_back(static_cast<int>(line));
        }
        std::mt19937_64 random(static_cast<std::uint64_t>(game.cells() * 64 + game.k));
        for (int side = 0; side < 2; ++side) {
            counts_[side].resize(lines_.size());
            places_[side].resize(lines_.size());
            words_[side].resize(at(game.cells()));
            for (std::uint64_t& word : words_[side]) word = random();
        }
        for (std::size_t line = 0; line < lines_.size(); ++line) {
            for (const int side : {0, 1}) list(side, static_cast<int>(line));
        }
    }

    const Game& game() const { return game_; }
    const std::vector<int>& moves() const { return moves_; }
    std::uint64_t key() const { return key_; }  // of the stones
    const std::vector<int>& stones() const { return stones_; }  // -1 free, else a side
    bool is_full() const { return static_cast<int>(moves_.size()) == game_.cells(); }

    bool is_playable(int cell) const {
        if (cell < 0 || cell >= game_.cells() || stones_[at(cell)] != free_cell) return false;
        return !game_.gravity || cell + game_.columns >= game_.cells() || stones_[at(cell + game_.columns)] != free_cell;
    }

    void place(int cell, int side) {
        stones_[at(cell)] = side;
        key_ ^= words_[side][at(cell)];
        for (const int line : through_[at(cell)]) change(line, side, 1);
        moves_.push_back(cell);
    }
    void take_back() {
        const int cell = moves_.back(), side = stones_[at(cell)];
        moves_.pop_back();
        stones_[at(cell)] = free_cell;
        key_ ^= words_[side][at(cell)];
        for (const int line : through_[at(cell)]) change(line, side, -1);
    }

    // Whether the last stone has completed a line.
    bool is_won() const {
        if (moves_.empty()) return false;
        const auto& lines = through_[at(moves_.back())];
        const int side = stones_[at(moves_.back())];
        return std::any_of(lines.begin(), lines.end(), [&](int line) { return counts_[side][at(line)] == game_.k; });
    }

    // The playable cells of lines that lack so many stones of a side and have none of the other: those of most such lines first.
    std::vector<int> cells_of_lines(int side, int missing) const {
        std::vector<int> cells;
        for (const int line : listed_[side][missing]) {
            for (const int cell : lines_[at(line)]) {
                if (is_playable(cell) && tallies_[at(cell)]++ == 0) cells.push_back(cell);
            }
        }
        std::sort(cells.begin(), cells.end(), [&](int a, int b) { return tallies_[at(a)] != tallies_[at(b)] ? tallies_[at(a)] > tallies_[at(b)] : a < b; });
        for (const int cell : cells) tallies_[at(cell)] = 0;
        return cells;
    }

    // The cells on which a side completes a line at once.
    std::vector<int> wins(int side) const { return listed_[side][1].empty() ? std::vector<int>() : cells_of_lines(side, 1); }

    std::vector<int> legal_moves() const {
        std::vector<int> cells;
        for (int cell = 0; cell < game_.cells(); ++cell) {
            if (is_playable(cell)) cells.push_back(cell);
        }
        return cells;
    }

private:
    static constexpr int free_cell = -1;
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    int missing(int side, int line) const { return game_.k - counts_[side][at(line)]; }
    bool is_listed(int side, int line) const {
        return counts_[1 - side][at(line)] == 0 && missing(side, line) > 0 && missing(side, line) <= most_missing;
    }
    void list(int side, int line) {
        if (!is_listed(side, line)) return;
        auto& lines = listed_[side][missing(side, line)];
        places_[side][at(line)] = static_cast<int>(lines.size());
        lines.push_back(line);
    }
    void unlist(int side, int line) {
        if (!is_listed(side, line)) return;
        auto& lines = listed_[side][missing(side, line)];
        const int place = places_[side][at(line)];
        lines[at(place)] = lines.back();
        places_[side][at(lines.back())] = place;
        lines.pop_back();
    }
    void change(int line, int side, int stones) {
        for (const int each : {0, 1}) unlist(each, line);
        counts_[side][at(line)] += stones;
        for (const int each : {0, 1}) list(each, line);
    }

    Game game_;
    std::vector<std::vector<int>> lines_;
    std::vector<std::vector<int>> through_;  // by cell: its lines
    std::vector<int> stones_;
    std::vector<int> counts_[2];                     // by line: a side's stones
    std::vector<int> listed_[2][most_missing + 1];   // by what they lack: lines without a stone of the other side
    std::vector<int> places_[2];                     // by line: where it is listed
    mutable std::vector<int> tallies_;               // scratch, by cell
    std::vector<std::uint64_t> words_[2];
    std::uint64_t key_ = 0;
    std::vector<int> moves_;
};

enum class Verdict { proven, refuted, unknown };  // unknown: the budget came first, or nobody had a better idea

class WinProver {
public:
    // For the winner, whose turn it is: a move that may be right, or a negative number.
    using Hint = std::function<int(const std::vector<int>& moves)>;

    // What the winner tries.
    enum class Width {
        fours,   // only fours
        threes,  // … and what threatens to win by fours
        all,     // … and everything else: what is not found is not there
    };

    explicit WinProver(Game game) : board_(game), parity_(game) {}

    std::int64_t nodes() const { return nodes_; }

    // Whether the player to move after these moves wins within so many plies; or loses, whatever it does. The game is not over.
    Verdict prove_win(const std::vector<int>& moves, int plies, Width width, std::int64_t budget, Hint hint = {}) {
        begin(moves, width, budget, std::move(hint));
        winner_ = turn();
        return verdict(wins(plies));
    }
    Verdict prove_loss(const std::vector<int>& moves, int plies, Width width, std::int64_t budget, Hint hint = {}) {
        begin(moves, width, budget, std::move(hint));
        winner_ = 1 - turn();
        return verdict(loses(plies));
    }

    // In how many plies the player to move wins, the least that such moves reach; 0 when that is not found.
    int find_win(const std::vector<int>& moves, int max_plies, Width width, std::int64_t budget) {
        begin(moves, width, budget, {});
        winner_ = turn();
        for (int plies = 1; plies <= max_plies && !is_spent(); plies += 2) {
            if (wins(plies)) return plies;
        }
        return 0;
    }
    bool is_spent() const { return nodes_ >= budget_; }

private:
    struct Known {
        int won_within = never;  // proven
        int not_within = 0;      // not found
    };
    static constexpr int never = 1 << 20;
    static constexpr int plies_of_double = 3;

    int turn() const { return static_cast<int>(board_.moves().size() % 2); }

    void begin(const std::vector<int>& moves, Width width, std::int64_t budget, Hint hint) {
        while (!board_.moves().empty()) board_.take_back();
        for (const int cell : moves) board_.place(cell, turn());
        width_ = width;
        budget_ = budget;
        nodes_ = 0;
        hint_ = std::move(hint);
        known_.clear();
        failed_fours_.clear();
    }
    Verdict verdict(bool is_proven) const {
        if (is_proven) return Verdict::proven;
        return width_ == Width::all && !is_spent() ? Verdict::refuted : Verdict::unknown;
    }

    void place(int cell, int side) {
        ++nodes_;
        board_.place(cell, side);
    }

    // The winner is to move.
    bool wins(int plies) {
        if (plies < 1) return false;
        if (!board_.wins(winner_).empty()) return true;
        if (plies < plies_of_double || is_spent()) return false;
        Known& known = known_[board_.key()];  // it stays where it is while others come
        if (known.won_within <= plies) return true;
        if (known.not_within >= plies) return false;
        std::vector<int> line;
        const bool is_won = wins_by_fours(plies, line) || (width_ != Width::fours && wins_by_others(plies));
        if (is_won) known.won_within = plies;
        if (!is_won && !is_spent()) known.not_within = plies;
        return is_won;
    }

    bool wins_by_others(int plies) {
        const std::vector<int> blocks = board_.wins(1 - winner_);
        if (blocks.size() > 1) return false;
        if (blocks.size() == 1) return wins_with(blocks.front(), plies);
        if (hint_) {
            const int cell = hint_(board_.moves());
            if (board_.is_playable(cell) && wins_with(cell, plies)) return true;
        }
        if (plies < plies_of_double + 2 && width_ != Width::all) return false;  // a double was looked for already
        std::vector<int> tried = board_.cells_of_lines(winner_, 2);
        for (const int cell : board_.cells_of_lines(winner_, 3)) {
            if (std::find(tried.begin(), tried.end(), cell) == tried.end()) tried.push_back(cell);
        }
        const auto is_winning = [&](int cell) { return wins_with(cell, plies); };
        if (std::any_of(tried.begin(), tried.end(), is_winning)) return true;
        if (width_ != Width::all) return false;
        std::vector<int> others = board_.legal_moves();
        std::erase_if(others, [&](int cell) { return std::find(tried.begin(), tried.end(), cell) != tried.end(); });
        return std::any_of(others.begin(), others.end(), is_winning);
    }

    bool wins_with(int cell, int plies) {
        if (is_spent()) return false;
        place(cell, winner_);
        const bool is_won = loses(plies - 1);
        board_.take_back();
        return is_won;
    }

    // The other is to move.
    bool loses(int plies) {
        const int loser = 1 - winner_;
        if (plies < 2 || board_.is_full() || is_spent() || !board_.wins(loser).empty()) return false;
        const std::vector<int> threats = board_.wins(winner_);
        if (threats.size() > 1) return true;
        if (threats.size() == 1) {
            place(threats.front(), loser);
            const bool is_lost = !board_.is_full() && wins(plies - 1);
            board_.take_back();
            return is_lost;
        }
        const bool may_be_quiet = width_ == Width::all || hint_;  // the winner's moves need no threat
        if (plies <= plies_of_double && !may_be_quiet) return false;  // with gravity there is still zugzwang
        if (board_.game().gravity) {
            const int within = parity_.lost_within(board_.stones(), loser);
            if (within != ParityRule::not_lost && within <= plies) return true;
        }
        std::vector<int> line;
        wins_by_fours(plies - 1, line);  // if the other did nothing
        if (line.empty() && !may_be_quiet) return false;
        std::vector<int> replies = board_.legal_moves();
        const auto is_on_line = [&](int cell) { return std::find(line.begin(), line.end(), cell) != line.end(); };
        std::stable_partition(replies.begin(), replies.end(), is_on_line);  // those that may stop it first
        return std::all_of(replies.begin(), replies.end(), [&](int reply) {
            if (is_spent()) return false;
            place(reply, loser);
            const bool is_lost = !board_.is_full() && ((!line.empty() && still_wins(line, 0)) || wins(plies - 1));
            board_.take_back();
            return is_lost;
        });
    }

    // The winner is to move, be it its turn or not. The line: its fours and the replies to them, up to a double or a last stone.
    bool wins_by_fours(int plies, std::vector<int>& line) {
        const std::vector<int> now = board_.wins(winner_);
        if (!now.empty()) line = {now.front()};
        if (!now.empty() || plies < plies_of_double || is_spent()) return !now.empty();
        const std::vector<int> blocks = board_.wins(1 - winner_);
        if (blocks.size() > 1) return false;
        const auto failed = failed_fours_.find(board_.key());
        if (failed != failed_fours_.end() && failed->second >= plies) return false;
        for (const int four : board_.cells_of_lines(winner_, 2)) {
            if (is_spent()) return false;
            if (!blocks.empty() && four != blocks.front()) continue;
            place(four, winner_);
            const bool is_won = goes_on(plies, line);
            board_.take_back();
            if (!is_won) continue;
            line.insert(line.begin(), four);
            return true;
        }
        if (!is_spent()) failed_fours_[board_.key()] = plies;
        return false;
    }

    // After a four, with so many plies left before it.
    bool goes_on(int plies, std::vector<int>& line) {
        if (!board_.wins(1 - winner_).empty()) return false;
        const std::vector<int> threats = board_.wins(winner_);
        line.clear();
        if (threats.size() > 1) return true;
        if (threats.empty() || plies < plies_of_double + 2) return false;
        place(threats.front(), 1 - winner_);
        const bool is_won = wins_by_fours(plies - 2, line);
        board_.take_back();
        if (is_won) line.insert(line.begin(), threats.front());
        return is_won;
    }

    // Whether the winner, who is to move, wins by playing the line's fours from this one on.
    bool still_wins(const std::vector<int>& line, std::size_t from) {
        if (!board_.wins(winner_).empty()) return true;
        if (from >= line.size() || !board_.is_playable(line[from])) return false;
        const std::vector<int> blocks = board_.wins(1 - winner_);
        if (blocks.size() > 1 || (blocks.size() == 1 && blocks.front() != line[from])) return false;
        place(line[from], winner_);
        const std::vector<int> threats = board_.wins(winner_);
        bool is_won = board_.wins(1 - winner_).empty() && !threats.empty();
        if (is_won && threats.size() == 1) {
            place(threats.front(), 1 - winner_);
            is_won = still_wins(line, from + 2);
            board_.take_back();
        }
        board_.take_back();
        return is_won;
    }

    CountedBoard board_;
    ParityRule parity_;
    int winner_ = 0;
    Width width_ = Width::all;
    std::int64_t budget_ = 0, nodes_ = 0;
    Hint hint_;
    std::unordered_map<std::uint64_t, Known> known_;
    std::unordered_map<std::uint64_t, int> failed_fours_;  // by the stones, the winner to move: within how many plies it does not win
};

}  // namespace plain
