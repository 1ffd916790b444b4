// The solver for gravity against plain minimax: every position of small boards, random late ones of larger boards.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <unordered_map>
#include <vector>

#include "inarow/drop_rest.hpp"
#include "inarow/drop_solver.hpp"
#include "inarow/drop_table.hpp"
#include "inarow/drop_targets.hpp"
#include "inarow/position.hpp"

using namespace inarow;

namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

// The score of drop_solver.hpp by looking at every move.
class Minimax {
public:
    int score(Position& position) {
        const int free_cells = position.free_cells().count();
        if (position.winner()) return -(free_cells / 2 + 1);
        if (free_cells == 0) return 0;
        if (const auto found = known_.find(position.keys()[0]); found != known_.end()) return found->second;
        int best = -free_cells;
        for (int column = 0; column < position.game().columns; ++column) {
            if (position.landing(column) == no_cell) continue;
            position.make(position.landing(column));
            best = std::max(best, -score(position));
            position.unmake();
        }
        known_.emplace(position.keys()[0], best);
        return best;
    }

private:
    std::unordered_map<std::uint64_t, int> known_;
};

std::vector<int> columns_of(const Position& position) {
    std::vector<int> columns;
    for (const Cell cell : position.moves()) columns.push_back(cell % position.game().columns);
    return columns;
}

// Whether the move that comes with a solution keeps the score; of one position in sixteen, since it takes as long again.
void check_move(DropSolver& solver, const Position& before, const DropSolution& solution, int most) {
    if (solution.move == DropSolution::every_move || before.keys()[0] % 16 != 0) return;
    Position position = before;
    position.make(position.landing(solution.move));
    int score = (position.free_cells().count() + 2) / 2;  // of a win with this move
    if (!position.is_over()) {
        StopFlag stop;
        score = -solver.solve({columns_of(position), -most, most}, {}, stop, nullptr).upper;
    } else if (!position.winner()) {
        score = 0;
    }
    CHECK(std::min(score, most) >= solution.lower);
}

int solved_score(DropSolver& solver, const Position& position, bool is_weak = false, int threads = 1) {
    const std::vector<int> columns = columns_of(position);
    StopFlag stop;
    const int most = is_weak ? 1 : max_cells;
    const DropSolution solution = solver.solve({columns, -most, most, threads}, {}, stop, nullptr);
    CHECK(solution.is_solved());
    check_move(solver, position, solution, most);
    return solution.lower;
}

// Calls check(position) once for every position in which the game goes on.
template <class Check>
void for_every_position(Position& position, std::unordered_map<std::uint64_t, bool>& seen, Check&& check) {
    if (position.is_over() || !seen.emplace(position.keys()[0], true).second) return;
    check(position);
    for (int column = 0; column < position.game().columns; ++column) {
        if (position.landing(column) == no_cell) continue;
        position.make(position.landing(column));
        for_every_position(position, seen, check);
        position.unmake();
    }
}

// A random position of the game with so many free cells, in which nobody has won.
Position random_position(const Game& game, int free_cells, std::mt19937& random) {
    const auto geometry = std::make_shared<Geometry>(game);
    for (;;) {
        Position position(geometry);
        while (!position.is_over() && position.free_cells().count() > free_cells) {
            const std::vector<Cell> wins = position.winning_cells(position.turn());
            std::vector<Cell> cells;
            position.for_each_playable([&](Cell cell) {
                if (std::find(wins.begin(), wins.end(), cell) == wins.end()) cells.push_back(cell);
            });
            if (cells.empty()) break;
            position.make(cells[random() % cells.size()]);
        }
        if (position.free_cells().count() == free_cells) return position;
    }
}

int sign(int score) { return (score > 0) - (score < 0); }

}  // namespace

TEST_CASE("every position of every small board") {
    for (int rows = 1; rows <= 12; ++rows) {
        for (int columns = 1; rows * columns <= 12; ++columns) {
            for (int k = 1; k <= std::max(rows, columns) + 1; ++k) {
                const Game game{rows, columns, k, true};
                CAPTURE(rows);
                CAPTURE(columns);
                CAPTURE(k);
                Minimax minimax;
                const auto solver = DropSolver::make(game, megabyte);
                Position position(std::make_shared<Geometry>(game));
                std::unordered_map<std::uint64_t, bool> seen;
                int wrong = 0;
                for_every_position(position, seen, [&](Position& here) {
                    wrong += solved_score(*solver, here) != minimax.score(here);
                    wrong += solved_score(*solver, here, true) != sign(minimax.score(here));
                });
                CHECK(wrong == 0);
            }
        }
    }
}

TEST_CASE("random late positions of larger boards, in words of 64 and 128 bits and in none") {
    std::mt19937 random(20261116);
    for (const Game game : {Game{6, 7, 4, true}, Game{5, 9, 4, true}, Game{6, 10, 4, true}, Game{7, 7, 5, true}, Game{8, 8, 6, true},
                            Game{7, 6, 4, true}, Game{9, 9, 5, true}, Game{4, 12, 6, true}, Game{12, 5, 4, true}, Game{11, 12, 4, true},
                            Game{1, 30, 7, true}, Game{40, 2, 12, true}, Game{30, 30, 15, true}}) {
        CAPTURE(game.rows);
        CAPTURE(game.columns);
        CAPTURE(game.k);
        const auto solver = DropSolver::make(game, megabyte);
        for (int i = 0; i < 40; ++i) {
            Position position = random_position(game, 4 + static_cast<int>(random() % 9), random);
            Minimax minimax;
            CHECK(solved_score(*solver, position) == minimax.score(position));
        }
    }
}

namespace {

// Who wins by drop_rest.hpp. Sets `is_kept` to false when its move is worth less than the position.
int winner_of_rest(const Position& position, DropTable& table, Minimax& minimax, bool& is_kept) {
    DropRest rest;
    StopFlag stop;
    Watch watch({}, stop, 1);
    REQUIRE(rest.read(position));
    for (const int least : {DropRest::win, DropRest::draw}) {
        int column = DropSolution::every_move;
        if (!rest.reaches(least, table, watch, column)) continue;
        Position after = position;
        if (column != DropSolution::every_move) after.make(after.landing(column));
        is_kept = column == DropSolution::every_move || sign(-minimax.score(after)) == least;
        return least;
    }
    return DropRest::loss;
}

}  // namespace

TEST_CASE("the rest of a game: every position of small boards, and random ones of larger boards") {
    DropTable table(megabyte, 128);
    for (const Game game : {Game{3, 4, 3, true}, Game{4, 3, 3, true}, Game{5, 2, 2, true}, Game{2, 5, 3, true}, Game{6, 2, 4, true}, Game{12, 1, 3, true}}) {
        Minimax minimax;
        Position position(std::make_shared<Geometry>(game));
        std::unordered_map<std::uint64_t, bool> seen;
        int wrong = 0;
        for_every_position(position, seen, [&](Position& here) {
            bool is_kept = true;
            wrong += winner_of_rest(here, table, minimax, is_kept) != sign(minimax.score(here)) || !is_kept;
        });
        CHECK(wrong == 0);
    }
    std::mt19937 random(20261118);
    for (const Game game : {Game{5, 6, 4, true}, Game{6, 7, 4, true}, Game{7, 7, 5, true}, Game{9, 4, 4, true}, Game{12, 13, 5, true}, Game{20, 20, 7, true}}) {
        CAPTURE(game.rows);
        CAPTURE(game.k);
        for (int i = 0; i < 150; ++i) {
            Position position = random_position(game, 3 + static_cast<int>(random() % 13), random);
            Minimax minimax;
            bool is_kept = true;
            CHECK(winner_of_rest(position, table, minimax, is_kept) == sign(minimax.score(position)));
            CHECK(is_kept);
        }
    }
}

TEST_CASE("the rest of a game is not read where it does not fit into a word") {
    DropRest rest;
    CHECK(!rest.read(Position(std::make_shared<Geometry>(Game{20, 20, 10, true}))));
    CHECK(rest.read(Position(std::make_shared<Geometry>(Game{3, 32, 3, true}))));  // 128 bits with the spare ones
    CHECK(!rest.read(Position(std::make_shared<Geometry>(Game{3, 33, 3, true}))));
    CHECK(rest.read(Position(std::make_shared<Geometry>(Game{20, 20, 21, true}))));  // nothing matters
}

TEST_CASE("all processors, all numbers of threads and all sizes of the table agree") {
    std::mt19937 random(7);
    for (const Game game : {Game{6, 7, 4, true}, Game{6, 10, 4, true}, Game{7, 6, 5, true}}) {
        const auto usual = DropSolver::make(game, 8 * megabyte);
        const auto any = make_drop_solver_any(game, 1);
        for (int i = 0; i < 10; ++i) {
            const Position position = random_position(game, 20, random);
            const int score = solved_score(*usual, position);
            CHECK(solved_score(*any, position) == score);
            usual->clear();
            CHECK(solved_score(*usual, position, false, 3) == score);
        }
    }
}

TEST_CASE("limits and the stop flag leave true bounds") {
    const auto solver = DropSolver::make({6, 7, 4, true}, megabyte);
    StopFlag stop;
    Limits limits;
    limits.nodes = 20000;
    DropProgress progress;
    const DropSolution solution = solver->solve({}, limits, stop, &progress);
    CHECK(!solution.is_solved());
    CHECK(solution.lower <= 1);  // the first player wins with its last stone but three
    CHECK(solution.upper >= 1);
    CHECK(solution.nodes <= limits.nodes);
    stop.set();
    CHECK(solver->solve({}, {}, stop, nullptr).nodes < 5000);
}

TEST_CASE("a table keeps apart what differs in any bit, one word or two") {
    std::mt19937_64 random(3);
    for (const int key_bits : {2, 20, 49, 64, 70, 90}) {
        CAPTURE(key_bits);
        DropTable table(std::size_t{1} << 12, key_bits);
        const Word128 mask = (Word128{1} << key_bits) - 1;
        int found = 0;
        for (int i = 0; i < 2000; ++i) {
            const Word128 key = (Word128{random()} << 64 | random()) & mask;
            const Word128 other = key ^ (Word128{1} << random() % static_cast<unsigned>(key_bits));
            table.clear();
            table.store(table.mix(key), {-3, 5, 2}, 100);
            DropEntry entry{-100, 100, DropTable::no_move};
            CHECK(!table.probe(table.mix(other), entry));
            CHECK(entry.lower == -100);
            found += table.probe(table.mix(key), entry);
            CHECK(entry.lower == -3);
            CHECK(entry.upper == 5);
            CHECK(entry.move == 2);
        }
        CHECK(found == 2000);
    }
}

TEST_CASE("a table that grows keeps what it knows, and knows nothing else") {
    std::mt19937_64 random(4);
    for (const int key_bits : {22, 49, 54, 64, 70, 98, 120}) {
        CAPTURE(key_bits);
        DropTable table(std::size_t{1} << 25, key_bits);
        const Word128 mask = (Word128{1} << key_bits) - 1;
        std::vector<Word128> keys;
        const auto number = [](Word128 key) { return static_cast<int>(key % 20); };
        for (int i = 0; i < 3000; ++i) {
            keys.push_back((Word128{random()} << 64 | random()) & mask);
            table.store(table.mix(keys.back()), {-number(keys.back()), number(keys.back()) + 1, number(keys.back()) / 3}, i + 1);
        }
        const auto known = [&] {
            std::vector<bool> is_known;
            for (const Word128 key : keys) {
                DropEntry entry{-100, 100, DropTable::no_move};
                is_known.push_back(table.probe(table.mix(key), entry));
                if (is_known.back()) {
                    CHECK(entry.lower == -number(key));
                    CHECK(entry.upper == number(key) + 1);
                    CHECK(entry.move == number(key) / 3);
                }
            }
            return is_known;
        };
        const std::vector<bool> before = known();
        CHECK(std::count(before.begin(), before.end(), true) > 2500);
        while (table.grow()) CHECK(known() == before);
        CHECK(table.entries() == table.max_entries());
        for (int i = 0; i < 3000; ++i) {
            DropEntry entry{-100, 100, DropTable::no_move};
            const Word128 key = (Word128{random()} << 64 | random()) & mask;
            if (std::find(keys.begin(), keys.end(), key) == keys.end()) CHECK(!table.probe(table.mix(key), entry));
        }
        table.clear();
        CHECK(table.taken() == 0);
        const std::vector<bool> after = known();
        CHECK(std::count(after.begin(), after.end(), true) == 0);
    }
}

TEST_CASE("lanes of 128 bits do what words do") {
    std::mt19937_64 random(5);
    const auto word = [&] { return (Word128{random()} << 64 | random()) & (random() % 4 == 0 ? Word128{random() % 8} << 62 : ~Word128{0}); };
    for (int i = 0; i < 1000; ++i) {
        std::array<Word128, lane_count> a, b, saved;
        for (int l = 0; l < lane_count; ++l) a[static_cast<std::size_t>(l)] = word(), b[static_cast<std::size_t>(l)] = word();
        const WideLanes x = load_lanes(a.data()), y = load_lanes(b.data());
        const int by = 1 + static_cast<int>(random() % 127);
        save_lanes(x + y, saved.data());
        for (int l = 0; l < lane_count; ++l) {
            const Word128 u = a[static_cast<std::size_t>(l)], v = b[static_cast<std::size_t>(l)];
            CHECK((saved[static_cast<std::size_t>(l)] == u + v));
            CHECK((lane(x << by, l) == u << by));
            CHECK((lane(x >> by, l) == u >> by));
            CHECK((lane((x & y) | (x ^ ~y), l) == ((u & v) | (u ^ ~v))));
            CHECK((lane(is_empty(x), l) != 0) == (u == 0));
            CHECK((lane(has_two(x), l) != 0) == ((u & (u - 1)) != 0));
        }
    }
}
