// Two slow and plain readings of the rules, written without the core: who wins by trying everything, and whether a written strategy
// is right.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace plain {

// A board as text: '.' free, 'x' first, 'o' second; row after row.
struct Game {
    int rows, columns, k;
    bool gravity = false;

    int cells() const { return rows * columns; }

    // All runs of k cells.
    std::vector<std::vector<int>> lines() const {
        std::set<std::vector<int>> all;
        for (int cell = 0; cell < cells(); ++cell) {
            for (const auto& [down, right] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
                const int row = cell / columns + (k - 1) * down, column = cell % columns + (k - 1) * right;
                if (row >= rows || column < 0 || column >= columns) continue;
                std::vector<int> line;
                for (int i = 0; i < k; ++i) line.push_back(cell + i * (down * columns + right));
                std::sort(line.begin(), line.end());
                all.insert(line);
            }
        }
        return {all.begin(), all.end()};
    }

    bool is_playable(const std::string& board, int cell) const {
        if (board[static_cast<std::size_t>(cell)] != '.') return false;
        return !gravity || cell + columns >= cells() || board[static_cast<std::size_t>(cell + columns)] != '.';
    }

    // The board under a symmetry: bit 0 mirrors, 1 flips, 2 transposes.
    std::string image(const std::string& board, int symmetry) const {
        std::string to(board.size(), '.');
        for (int cell = 0; cell < cells(); ++cell) {
            int row = cell / columns, column = cell % columns;
            if (symmetry & 1) column = columns - 1 - column;
            if (symmetry & 2) row = rows - 1 - row;
            if (symmetry & 4) std::swap(row, column);
            to[static_cast<std::size_t>(row * columns + column)] = board[static_cast<std::size_t>(cell)];
        }
        return to;
    }

    std::string canonical(const std::string& board) const {
        const int symmetries = gravity ? 2 : rows == columns ? 8 : 4;
        std::string least = board;
        for (int s = 1; s < symmetries; ++s) least = std::min(least, image(board, s));
        return least;
    }
};

// Tries everything. A result for the player to move: value 1, 0, -1, and the plies until the winning stone.
class Exhaustive {
public:
    explicit Exhaustive(Game game) : game_(game), lines_(game.lines()) {}

    struct Result {
        int value;
        int plies;  // 0 for a draw
    };

    Result solve(const std::string& board) {
        const auto known = known_.find(board);
        if (known != known_.end()) return known->second;
        const bool first_moves = std::count(board.begin(), board.end(), 'x') == std::count(board.begin(), board.end(), 'o');
        Result best{-2, 0};
        for (int cell = 0; cell < game_.cells(); ++cell) {
            if (!game_.is_playable(board, cell)) continue;
            std::string next = board;
            next[static_cast<std::size_t>(cell)] = first_moves ? 'x' : 'o';
            Result result{1, 1};
            if (!is_won(next, cell)) {
                const Result reply = next.find('.') == std::string::npos ? Result{0, 0} : solve(next);
                result = {-reply.value, reply.value == 0 ? 0 : reply.plies + 1};
            }
            const bool better = result.value != best.value ? result.value > best.value
                                : result.value == 1        ? result.plies < best.plies
                                                           : result.plies > best.plies;
            if (better) best = result;
        }
        known_[board] = best;
        return best;
    }

    const std::unordered_map<std::string, Result>& known() const { return known_; }

private:
    bool is_won(const std::string& board, int cell) const {
        return std::any_of(lines_.begin(), lines_.end(), [&](const std::vector<int>& line) {
            return std::all_of(line.begin(), line.end(), [&](int i) {
                return board[static_cast<std::size_t>(i)] == board[static_cast<std::size_t>(cell)];
            });
        });
    }

    Game game_;
    std::vector<std::vector<int>> lines_;
    std::unordered_map<std::string, Result> known_;
};

// Follows a written strategy and throws std::runtime_error where it is wrong. `plies` < 0: no limit.
class StrategyChecker {
public:
    StrategyChecker(Game game, char strategist, bool is_win, int plies)
        : game_(game), lines_(game.lines()), me_(strategist), foe_(strategist == 'x' ? 'o' : 'x'), is_win_(is_win), plies_(plies) {}

    void check(const std::string& root, const std::vector<std::uint64_t>& tokens) {
        board_ = root;
        tokens_ = tokens;
        visit(0);
        require(next_ == tokens_.size(), "tokens are left");
    }

private:
    static void require(bool condition, const char* message) {
        if (!condition) throw std::runtime_error(message);
    }

    std::uint64_t read() {
        require(next_ < tokens_.size(), "tokens are missing");
        return tokens_[next_++];
    }

    char stone(int cell) const { return board_[static_cast<std::size_t>(cell)]; }

    char mover() const {
        return std::count(board_.begin(), board_.end(), 'x') == std::count(board_.begin(), board_.end(), 'o') ? 'x' : 'o';
    }

    // Where a side would complete a line.
    std::vector<int> completing(char side) const {
        std::vector<int> cells;
        for (int cell = 0; cell < game_.cells(); ++cell) {
            if (!game_.is_playable(board_, cell)) continue;
            for (const std::vector<int>& line : lines_) {
                const bool through = std::find(line.begin(), line.end(), cell) != line.end();
                const auto own = std::count_if(line.begin(), line.end(), [&](int i) { return stone(i) == side; });
                if (!through || own != game_.k - 1) continue;
                cells.push_back(cell);
                break;
            }
        }
        return cells;
    }

    std::vector<std::vector<int>> foes_lines() const {
        std::vector<std::vector<int>> living;
        for (const std::vector<int>& line : lines_) {
            if (std::none_of(line.begin(), line.end(), [&](int i) { return stone(i) == me_; })) living.push_back(line);
        }
        return living;
    }

    void visit(int ply) {
        if (mover() == me_) {
            visit_strategist(ply);
        } else {
            visit_opponent(ply);
        }
    }

    void visit_strategist(int ply) {
        if (!is_win_ && plies_ >= 0 && ply >= plies_) return;
        if (!completing(me_).empty()) return require(!is_win_ || plies_ < 0 || ply + 1 <= plies_, "the line is complete too late");
        require(!is_win_ || plies_ < 0 || ply < plies_, "the time is over");
        if (!is_win_ && foes_lines().empty()) return;
        if (!seen_.insert(game_.canonical(board_)).second) return;
        const auto moves = static_cast<std::uint64_t>(game_.gravity ? game_.columns : game_.cells());
        const std::uint64_t token = read();
        if (token == moves) return check_pairs();
        if (token == moves + 1) return check_potential(1.0);
        require(token < moves, "an unknown token");
        auto cell = static_cast<int>(token);
        if (game_.gravity) {
            for (int row = game_.rows - 1; row >= 0; --row) {
                cell = row * game_.columns + static_cast<int>(token);
                if (board_[static_cast<std::size_t>(cell)] == '.') break;
            }
        }
        require(game_.is_playable(board_, cell), "an illegal move");
        play(cell, me_, ply);
    }

    void visit_opponent(int ply) {
        if (!is_win_ && plies_ >= 0 && ply >= plies_) return;
        require(completing(foe_).empty(), "the opponent completes a line");
        if (!is_win_ && foes_lines().empty()) return;
        if (!seen_.insert(game_.canonical(board_)).second) return;
        std::vector<int> threats;
        if (!is_win_ || plies_ < 0 || ply + 2 <= plies_) threats = completing(me_);
        if (threats.size() >= 2) return;
        if (threats.empty()) {
            if (!is_win_ && !game_.gravity) {
                const std::uint64_t token = read();
                if (token == 1) return check_pairs();
                if (token == 2) return check_potential(0.5);
                require(token == 0, "an unknown token");
            }
            const int step = game_.gravity ? game_.columns : 1;
            for (int first = 0; first < step; ++first) {
                for (int cell = first; cell < game_.cells(); cell += step) {
                    if (game_.is_playable(board_, cell)) threats.push_back(cell);
                }
            }
        }
        for (const int cell : threats) play(cell, foe_, ply);
    }

    void play(int cell, char side, int ply) {
        board_[static_cast<std::size_t>(cell)] = side;
        if (board_.find('.') == std::string::npos) {
            require(!is_win_, "the board is full");
        } else {
            visit(ply + 1);
        }
        board_[static_cast<std::size_t>(cell)] = '.';
    }

    void check_pairs() {
        require(!is_win_ && !game_.gravity, "a pairing does not win");
        std::vector<std::uint64_t> cells(2 * read());
        std::set<std::uint64_t> different;
        for (std::uint64_t& cell : cells) {
            cell = read();
            require(cell < board_.size() && board_[cell] == '.', "a pair's cell is not free");
            different.insert(cell);
        }
        require(different.size() == cells.size(), "pairs share a cell");
        for (const std::vector<int>& line : foes_lines()) {
            const auto has = [&](std::uint64_t cell) { return std::find(line.begin(), line.end(), static_cast<int>(cell)) != line.end(); };
            bool covered = false;
            for (std::size_t i = 0; i < cells.size(); i += 2) covered = covered || (has(cells[i]) && has(cells[i + 1]));
            require(covered, "a line without a pair");
        }
    }

    void check_potential(double bound) const {
        require(!is_win_ && !game_.gravity, "a potential does not win");
        double sum = 0;
        for (const std::vector<int>& line : foes_lines()) {
            double term = 1;
            for (const int i : line) term /= board_[static_cast<std::size_t>(i)] == '.' ? 2 : 1;
            sum += term;
        }
        require(sum < bound, "the potential is too large");
    }

    Game game_;
    std::vector<std::vector<int>> lines_;
    char me_, foe_;
    bool is_win_;
    int plies_;
    std::string board_;
    std::vector<std::uint64_t> tokens_;
    std::size_t next_ = 0;
    std::set<std::string> seen_;
};

}  // namespace plain
