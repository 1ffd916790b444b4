// Both solvers against trying everything: `make brute-force`, a minute or two.
//
// Every position of every board of at most twelve cells, for every k from 1 to one more than fits, and random positions with at most
// twenty free cells of larger boards. Compared are who wins and in how many plies; with free placement also the move and, on the small
// boards, the weak game.
//
//     brute_force [MOST_CELLS [RANDOM_POSITIONS]]
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "inarow/drop_rest.hpp"
#include "inarow/drop_solver.hpp"
#include "inarow/free_solver.hpp"
#include "inarow/position.hpp"
#include "position_text.hpp"
#include "plain_game.hpp"

using namespace inarow;

namespace {

constexpr std::size_t solver_bytes = std::size_t{8} << 20;
constexpr int free_for_plies = 13;  // of random positions plies are compared for those with so few free cells

using Mask = std::uint32_t;  // a set of the cells that were free at the beginning
using Stones = std::array<Mask, 2>;

constexpr Mask bit(int cell) { return Mask{1} << cell; }

template <class Vector>
auto& at(Vector& vector, int cell) {
    return vector[static_cast<std::size_t>(cell)];
}

// What can still happen from a board on, by the rules alone: its free cells numbered from 0, and what is left of the lines of each seat.
//
// Scores are for the player to move. Who completes a line when n cells stay free gets n + 1, the other one -(n + 1); a draw is 0.
class Rest {
public:
    // `maker`: 0 or 1 where the other seat's lines do not count (the weak game), -1 where all do.
    Rest(const plain::Game& game, const std::string& board, int maker = -1) : gravity_(game.gravity) {
        std::vector<int> number(board.size(), -1);
        for (std::size_t cell = 0; cell < board.size(); ++cell) {
            if (board[cell] == '.') number[cell] = cells_++;
        }
        below_.resize(static_cast<std::size_t>(cells_));
        for (std::size_t cell = 0; cell < board.size(); ++cell) {
            const std::size_t below = cell + static_cast<std::size_t>(game.columns);
            if (number[cell] >= 0 && below < board.size() && number[below] >= 0) at(below_, number[cell]) = bit(number[below]);
        }
        stones_before_ = static_cast<int>(board.size()) - cells_;
        for (int seat = 0; seat < 2; ++seat) {
            through_[seat].resize(static_cast<std::size_t>(cells_));
            if (maker == 1 - seat) continue;
            for (const std::vector<int>& line : game.lines()) add_line(seat, line, board, number);
        }
    }

    int cells() const { return cells_; }
    int turn(const Stones& stones) const { return (stones_before_ + std::popcount(stones[0] | stones[1])) % 2; }
    int free_after_move(const Stones& stones) const { return cells_ - std::popcount(stones[0] | stones[1]) - 1; }

    bool is_playable(const Stones& stones, int cell) const {
        const Mask taken = stones[0] | stones[1];
        return !(taken & bit(cell)) && (!gravity_ || (taken & at(below_, cell)) == at(below_, cell));
    }

    bool completes(const Stones& stones, int seat, int cell) const {
        const Mask own = stones[static_cast<std::size_t>(seat)] | bit(cell);
        return std::ranges::any_of(at(through_[seat], cell), [&](Mask line) { return (line & own) == line; });
    }

    bool has_living_line(const Stones& stones, int seat) const {
        const Mask others = stones[static_cast<std::size_t>(1 - seat)];
        return std::ranges::any_of(lines_[seat], [&](Mask line) { return (line & others) == 0; });
    }

    int lines_through(int cell) const { return static_cast<int>(at(through_[0], cell).size() + at(through_[1], cell).size()); }

private:
    void add_line(int seat, const std::vector<int>& line, const std::string& board, const std::vector<int>& number) {
        Mask mask = 0;
        for (const int cell : line) {
            if (at(board, cell) == (seat == 0 ? 'o' : 'x')) return;
            if (at(number, cell) >= 0) mask |= bit(at(number, cell));
        }
        lines_[seat].push_back(mask);
        for (int cell = 0; cell < cells_; ++cell) {
            if (mask & bit(cell)) at(through_[seat], cell).push_back(mask);
        }
    }

    bool gravity_;
    int cells_ = 0;
    int stones_before_ = 0;
    std::vector<Mask> below_;  // the cell below, if it was free
    std::vector<Mask> lines_[2];
    std::vector<std::vector<Mask>> through_[2];  // by seat and cell: the lines through it
};

Stones with_stone(Stones stones, int seat, int cell) {
    stones[static_cast<std::size_t>(seat)] |= bit(cell);
    return stones;
}

// Scores of all positions, without leaving anything out.
class Minimax {
public:
    explicit Minimax(Rest rest) : rest_(std::move(rest)), known_(std::size_t{1} << (2 * rest_.cells()), unknown) {}

    int score(const Stones& stones) {
        std::int8_t& known = known_[stones[0] | static_cast<std::size_t>(stones[1]) << rest_.cells()];
        if (known != unknown) return known;
        const int seat = rest_.turn(stones);
        int best = unknown;
        for (int cell = 0; cell < rest_.cells(); ++cell) {
            if (rest_.is_playable(stones, cell)) best = std::max(best, score_of_move(stones, seat, cell));
        }
        return known = static_cast<std::int8_t>(best);
    }

    int score_of_move(const Stones& stones, int seat, int cell) {
        const int free = rest_.free_after_move(stones);
        if (rest_.completes(stones, seat, cell)) return free + 1;
        return free == 0 ? 0 : -score(with_stone(stones, seat, cell));
    }

private:
    static constexpr std::int8_t unknown = -128;

    Rest rest_;
    std::vector<std::int8_t> known_;
};

// Scores of single positions with more free cells: what cannot matter (alpha-beta), or is known to be a draw, is left out.
class AlphaBeta {
public:
    // Fail-soft: a result <= alpha is an upper bound, one >= beta a lower bound.
    int score(const Rest& rest, int alpha, int beta) {
        std::fill(known_.begin(), known_.end(), Entry{});
        order_.resize(static_cast<std::size_t>(rest.cells()));
        for (int cell = 0; cell < rest.cells(); ++cell) order_[static_cast<std::size_t>(cell)] = cell;
        std::ranges::stable_sort(order_, std::greater<>(), [&](int cell) { return rest.lines_through(cell); });
        return search(rest, {}, alpha, beta);
    }

private:
    struct Entry {
        std::uint64_t key = ~std::uint64_t{0};
        std::int8_t lower = 0, upper = 0;
    };
    static constexpr int far = 127;

    int search(const Rest& rest, const Stones& stones, int alpha, int beta) {
        const int seat = rest.turn(stones), free = rest.free_after_move(stones);
        for (const int cell : order_) {
            if (rest.is_playable(stones, cell) && rest.completes(stones, seat, cell)) return free + 1;
        }
        if (free == 0) return 0;
        int lower = rest.has_living_line(stones, 1 - seat) ? -far : 0;
        int upper = rest.has_living_line(stones, seat) ? far : 0;
        const std::uint64_t key = stones[0] | static_cast<std::uint64_t>(stones[1]) << 32;
        Entry& entry = known_[(key * 0x9e3779b97f4a7c15ULL) >> (64 - bits)];
        if (entry.key == key) {
            lower = std::max<int>(lower, entry.lower);
            upper = std::min<int>(upper, entry.upper);
        }
        if (lower >= beta || lower == upper) return lower;
        if (upper <= alpha) return upper;
        int best = -far;
        for (const bool is_forced : {true, false}) {
            for (const int cell : order_) {
                if (!rest.is_playable(stones, cell) || rest.completes(stones, 1 - seat, cell) != is_forced) continue;
                best = std::max(best, -search(rest, with_stone(stones, seat, cell), -beta, -std::max(alpha, best)));
                if (best >= beta) break;
            }
            if (best >= beta) break;
        }
        best = std::clamp(best, lower, upper);
        entry = {key, static_cast<std::int8_t>(best > alpha ? best : lower), static_cast<std::int8_t>(best < beta ? best : upper)};
        return best;
    }

    static constexpr int bits = 22;
    std::vector<Entry> known_ = std::vector<Entry>(std::size_t{1} << bits);
    std::vector<int> order_;
};

int sign(int score) { return (score > 0) - (score < 0); }

// Until the last stone, in a position with so many free cells.
int plies_of(int score, int free) { return free - std::abs(score) + 1; }

// A score as drop_solver.hpp has it: only the winner's own moves count.
int drop_score(int score) { return sign(score) * ((std::abs(score) - 1) / 2 + 1); }

// What was compared, and how often it was not the same.
struct Tally {
    std::int64_t positions = 0;
    std::int64_t with_plies = 0;
    std::int64_t wrong = 0;

    void check(bool is_right, const char* what, const Position& position) {
        if (is_right) return;
        ++wrong;
        const Game& game = position.game();
        std::printf("WRONG: %s of %dx%dx%d%s %s\n", what, game.rows, game.columns, game.k, game.gravity ? "g" : "", text(position).c_str());
    }

    Tally& operator+=(const Tally& other) {
        positions += other.positions;
        with_plies += other.with_plies;
        wrong += other.wrong;
        return *this;
    }
};

// --- every position of small boards ---

class SmallFree {
public:
    explicit SmallFree(const plain::Game& game)
        : truth_(Rest(game, empty(game))),
          weak_{Minimax(Rest(game, empty(game), 0)), Minimax(Rest(game, empty(game), 1))},
          solver_(std::make_shared<const Geometry>(Game{game.rows, game.columns, game.k, false}), solver_bytes) {}

    void compare(const Position& position, const Stones& stones, Tally& tally) {
        const int score = truth_.score(stones);
        compare_one(position, stones, score, false, tally);
        ++tally.with_plies;
        compare_one(position, stones, score, true, tally);
        const FreeSolution weak = solver_.solve(position, {}, stop_, {true, false});
        const int expected = weak_[static_cast<std::size_t>(index(position.turn()))].score(stones) > 0;
        tally.check(weak.is_known() && static_cast<int>(weak.value()) == expected, "the weak game", position);
    }

private:
    static std::string empty(const plain::Game& game) { return std::string(static_cast<std::size_t>(game.cells()), '.'); }

    void compare_one(const Position& position, const Stones& stones, int score, bool shortest, Tally& tally) {
        const FreeSolution found = solver_.solve(position, {}, stop_, {false, shortest});
        tally.check(found.is_known() && static_cast<int>(found.value()) == sign(score), "the value", position);
        if (shortest && score != 0) tally.check(found.plies == plies_of(score, position.free_cells().count()), "the plies", position);
        if (!position.is_legal(found.move)) return tally.check(false, "a move", position);
        const int kept = truth_.score_of_move(stones, index(position.turn()), found.move);
        tally.check(shortest ? kept == score : sign(kept) == sign(score), "the move", position);
    }

    const StopFlag stop_;
    Minimax truth_;
    std::array<Minimax, 2> weak_;
    FreeSolver solver_;
};

class SmallDrop {
public:
    explicit SmallDrop(const plain::Game& game)
        : truth_(Rest(game, std::string(static_cast<std::size_t>(game.cells()), '.'))),
          solver_(DropSolver::make({game.rows, game.columns, game.k, true}, solver_bytes)) {}

    void compare(const Position& position, const Stones& stones, Tally& tally) {
        const int score = drop_score(truth_.score(stones));
        std::vector<int> columns;
        for (const Cell cell : position.moves()) columns.push_back(cell % position.game().columns);
        const DropSolution found = solver_->solve({columns}, {}, stop_, nullptr);
        ++tally.with_plies;
        tally.check(found.is_solved() && found.lower == score, "the score", position);
        const DropSolution weak = solver_->solve({columns, -1, 1}, {}, stop_, nullptr);
        tally.check(weak.is_solved() && weak.lower == sign(score), "the value", position);
        Watch watch({}, stop_, 1);
        int column = DropSolution::every_move;
        rest_.read(position);
        tally.check(rest_.reaches(DropRest::win, table_, watch, column) == (score > 0), "a win of the rest", position);
        tally.check(rest_.reaches(DropRest::draw, table_, watch, column) == (score >= 0), "a draw of the rest", position);
    }

private:
    const StopFlag stop_;
    Minimax truth_;
    std::unique_ptr<DropSolver> solver_;
    DropTable table_{solver_bytes, 128};
    DropRest rest_;
};

// Compares the position and all that follow from it, each once.
template <class Small>
void compare_all(Position& position, const Stones& stones, Small& small, std::vector<bool>& seen, Tally& tally) {
    const std::size_t number = stones[0] | static_cast<std::size_t>(stones[1]) << position.geometry().cells();
    if (position.is_over() || seen[number]) return;
    seen[number] = true;
    ++tally.positions;
    small.compare(position, stones, tally);
    for (Cell cell = 0; cell < position.geometry().cells(); ++cell) {
        if (!position.is_legal(cell)) continue;
        const Stones after = with_stone(stones, index(position.turn()), cell);
        position.make(cell);
        compare_all(position, after, small, seen, tally);
        position.unmake();
    }
}

template <class Small>
Tally compare_game(const plain::Game& game) {
    Tally tally;
    Small small(game);
    Position position(std::make_shared<const Geometry>(Game{game.rows, game.columns, game.k, game.gravity}));
    std::vector<bool> seen(std::size_t{1} << (2 * game.cells()));
    compare_all(position, {}, small, seen, tally);
    return tally;
}

// --- random positions of larger boards ---

// At most twenty cells are free; nobody has won, and whoever could complete a line has not done so.
Position random_position(const std::shared_ptr<const Geometry>& geometry, std::mt19937& random) {
    for (;;) {  // not every number of free cells can be reached on every board
        const int free = 1 + static_cast<int>(random() % 20);
        Position position(geometry);
        while (position.free_cells().count() > free) {
            const std::vector<Cell> wins = position.winning_cells(position.turn());
            std::vector<Cell> cells;
            position.for_each_playable([&](Cell cell) {
                if (std::ranges::find(wins, cell) == wins.end()) cells.push_back(cell);
            });
            if (cells.empty()) break;
            position.make(cells[random() % cells.size()]);
        }
        if (position.free_cells().count() == free && !position.is_over()) return position;
    }
}

class RandomPositions {
public:
    Tally compare(const Game& game, int count, std::mt19937& random) {
        Tally tally;
        const auto geometry = std::make_shared<const Geometry>(game);
        for (int i = 0; i < count; ++i) {
            const Position position = random_position(geometry, random);
            const Rest rest({game.rows, game.columns, game.k, game.gravity}, text(position));
            ++tally.positions;
            if (game.gravity) {
                compare_drop(position, rest, tally);
            } else {
                compare_free(position, rest, tally);
            }
        }
        return tally;
    }

private:
    void compare_drop(const Position& position, const Rest& rest, Tally& tally) {
        const int score = drop_score(truth_.score(rest, -100, 100));
        std::vector<int> columns;
        for (const Cell cell : position.moves()) columns.push_back(cell % position.game().columns);
        const DropSolution found = DropSolver::make(position.game(), solver_bytes)->solve({columns}, {}, stop_, nullptr);
        ++tally.with_plies;
        tally.check(found.is_solved() && found.lower == score, "the score", position);
    }

    void compare_free(const Position& position, const Rest& rest, Tally& tally) {
        const bool with_plies = rest.cells() <= free_for_plies;
        const int score = with_plies ? truth_.score(rest, -100, 100) : truth_.score(rest, -1, 1);
        FreeSolver solver(std::make_shared<const Geometry>(position.game()), solver_bytes);
        const FreeSolution found = solver.solve(position, {}, stop_, {false, with_plies});
        tally.check(found.is_known() && static_cast<int>(found.value()) == sign(score), "the value", position);
        tally.with_plies += with_plies;
        if (with_plies && score != 0) tally.check(found.plies == plies_of(score, rest.cells()), "the plies", position);
        if (!position.is_legal(found.move)) return tally.check(false, "a move", position);
        Position after = position;
        after.make(found.move);
        int kept = after.winner() ? 1 : 0;
        if (!after.is_over()) kept = -truth_.score(Rest(plain_game(position), text(after)), -1, 1);
        tally.check(sign(kept) == sign(score), "the move", position);
    }

    static plain::Game plain_game(const Position& position) {
        const Game& game = position.game();
        return {game.rows, game.columns, game.k, game.gravity};
    }

    const StopFlag stop_;
    AlphaBeta truth_;
};

class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

void print(const std::string& what, const Tally& tally, double seconds) {
    std::printf("%-28s %9lld positions, %9lld with plies, %lld wrong, %.1f s\n", what.c_str(), static_cast<long long>(tally.positions),
                static_cast<long long>(tally.with_plies), static_cast<long long>(tally.wrong), seconds);
    std::fflush(stdout);
}

Tally compare_small_boards(bool gravity, int most_cells) {
    Tally all;
    for (int rows = 1; rows <= most_cells; ++rows) {
        for (int columns = 1; rows * columns <= most_cells; ++columns) {
            const Stopwatch watch;
            Tally tally;
            const int most = std::max(rows, columns) + 1;
            for (int k = 1; k <= most; ++k) {
                const plain::Game game{rows, columns, k, gravity};
                tally += gravity ? compare_game<SmallDrop>(game) : compare_game<SmallFree>(game);
            }
            const std::string board = std::to_string(rows) + "x" + std::to_string(columns);
            print(board + (gravity ? " gravity" : " free") + ", k 1 to " + std::to_string(most), tally, watch.seconds());
            all += tally;
        }
    }
    return all;
}

Tally compare_random_positions(bool gravity, int count) {
    const std::vector<Game> games =
        gravity ? std::vector<Game>{{4, 4, 3, true},  {4, 4, 4, true},  {5, 5, 4, true},  {5, 6, 4, true},  {6, 7, 4, true},
                                    {7, 6, 4, true},  {6, 7, 5, true},  {5, 9, 4, true},  {6, 10, 4, true}, {7, 7, 5, true},
                                    {8, 8, 4, true},  {8, 8, 6, true},  {9, 9, 5, true},  {4, 12, 6, true}, {12, 5, 4, true},
                                    {11, 12, 4, true}, {1, 30, 7, true}, {40, 2, 12, true}, {20, 20, 7, true}, {30, 30, 15, true}}
                : std::vector<Game>{{4, 4, 3, false}, {4, 4, 4, false}, {4, 5, 4, false}, {5, 4, 3, false}, {5, 5, 4, false},
                                    {5, 5, 5, false}, {6, 5, 4, false}, {6, 6, 4, false}, {6, 6, 5, false}, {7, 4, 4, false},
                                    {3, 7, 3, false}, {2, 10, 3, false}, {1, 20, 3, false}, {7, 7, 5, false}, {8, 8, 5, false},
                                    {9, 8, 6, false}, {10, 10, 5, false}, {12, 12, 6, false}, {15, 15, 5, false}, {19, 19, 6, false}};
    std::mt19937 random(20261116);
    RandomPositions positions;
    Tally all;
    for (const Game& game : games) {
        const Stopwatch watch;
        const Tally tally = positions.compare(game, count / static_cast<int>(games.size()), random);
        const std::string name = std::to_string(game.rows) + "x" + std::to_string(game.columns) + "x" + std::to_string(game.k);
        print("random " + name + (gravity ? " gravity" : " free"), tally, watch.seconds());
        all += tally;
    }
    return all;
}

}  // namespace

int main(int argc, char** argv) {
    const int most_cells = argc > 1 ? std::atoi(argv[1]) : 12;
    const int random_positions = argc > 2 ? std::atoi(argv[2]) : 2000;
    if (most_cells < 1 || most_cells > 12 || random_positions < 0) {
        std::fprintf(stderr, "usage: brute_force [MOST_CELLS [RANDOM_POSITIONS]], with 1 to 12 cells\n");
        return 2;
    }
    const Stopwatch watch;
    Tally all;
    for (const bool gravity : {true, false}) {
        const Tally small = compare_small_boards(gravity, most_cells);
        print(gravity ? "ALL SMALL, gravity" : "ALL SMALL, free", small, watch.seconds());
        const Tally random = compare_random_positions(gravity, random_positions / 2);
        print(gravity ? "ALL RANDOM, gravity" : "ALL RANDOM, free", random, watch.seconds());
        (all += small) += random;
    }
    print("ALL", all, watch.seconds());
    return all.wrong == 0 ? 0 : 1;
}
