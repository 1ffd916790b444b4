// The free-placement solver: agrees with trying everything, knows the known values, keeps its limits, and its strategies check out.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "inarow/free_oracle.hpp"
#include "inarow/free_solver.hpp"
#include "plain_game.hpp"
#include "position_text.hpp"

using namespace inarow;

namespace {

constexpr std::size_t some_bytes = std::size_t{8} << 20;

std::shared_ptr<const Geometry> free_geometry(int rows, int columns, int k) {
    return std::make_shared<const Geometry>(Game{rows, columns, k, false});
}

// Some game that leads to this board: the order of the moves does not matter, as nobody had won before.
Position position_of(const std::shared_ptr<const Geometry>& geometry, const std::string& board) {
    std::vector<Cell> stones[2];
    for (std::size_t i = 0; i < board.size(); ++i) {
        if (board[i] != '.') stones[board[i] == 'o'].push_back(static_cast<Cell>(i));
    }
    Position position(geometry);
    for (std::size_t i = 0; i < stones[0].size(); ++i) {
        position.make(stones[0][i]);
        if (i < stones[1].size()) position.make(stones[1][i]);
    }
    return position;
}

FreeSolution solved(FreeSolver& solver, const Position& position, FreeOptions options = {}) {
    const StopFlag stop;
    return solver.solve(position, {}, stop, options);
}

// Compares value, plies and move with what trying everything says.
void compare(FreeSolver& solver, plain::Exhaustive& truth, const Position& position) {
    const std::string board = text(position);
    INFO(position.game().rows, "x", position.game().columns, ",", position.game().k, " ", board);
    const plain::Exhaustive::Result expected = truth.solve(board);
    const FreeSolution quick = solved(solver, position);
    REQUIRE(quick.is_known());
    REQUIRE(static_cast<int>(quick.value()) == expected.value);
    const FreeSolution exact = solved(solver, position, {false, true});
    REQUIRE(exact.is_known());
    REQUIRE(static_cast<int>(exact.value()) == expected.value);
    if (expected.value != 0) REQUIRE(exact.plies == expected.plies);
    for (const FreeSolution& solution : {quick, exact}) {
        REQUIRE(position.is_legal(solution.move));
        std::string next = board;
        next[static_cast<std::size_t>(solution.move)] = position.turn() == Seat::first ? 'x' : 'o';
        Position after = position;
        after.make(solution.move);
        if (after.winner()) {
            REQUIRE(expected.value == 1);
        } else if (!after.is_over()) {
            const plain::Exhaustive::Result reply = truth.solve(next);
            REQUIRE(-reply.value == expected.value);
            if (&solution == &exact && expected.value != 0) REQUIRE(reply.plies + 1 == expected.plies);
        }
    }
}

std::vector<std::uint64_t> decoded(const WrittenProof& proof) {
    std::vector<std::uint64_t> tokens;
    std::uint64_t value = 0;
    int shift = 0;
    for (const std::uint8_t byte : proof.bytes) {
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        shift += 7;
        if (byte & 0x80) continue;
        tokens.push_back(value);
        value = 0;
        shift = 0;
    }
    return tokens;
}

// Writes a strategy and follows it.
std::size_t check_strategy(FreeSolver& solver, const Position& root, const ProofGoal& goal) {
    const Game& game = root.game();
    INFO(game.rows, "x", game.columns, ",", game.k, " ", text(root), goal.is_win ? " win " : " hold ", goal.plies);
    const StopFlag stop;
    FreeOracle oracle(solver, root, {}, stop);
    const WrittenProof proof = ProofWriter(root, goal, oracle, {}, stop).write();
    REQUIRE(proof.end == WalkEnd::complete);
    const std::vector<std::uint64_t> tokens = decoded(proof);
    REQUIRE(tokens.size() == proof.tokens);
    plain::StrategyChecker checker({game.rows, game.columns, game.k}, goal.strategist == Seat::first ? 'x' : 'o', goal.is_win,
                                   goal.plies == any_plies ? -1 : goal.plies);
    CHECK_NOTHROW(checker.check(text(root), tokens));
    return proof.tokens;
}

// All strategies that belong to a position's value: with and without a number of plies.
void check_strategies(FreeSolver& solver, const Position& root) {
    const FreeSolution solution = solved(solver, root, {false, true});
    REQUIRE(solution.is_known());
    const Seat mover = root.turn();
    if (solution.value() == FreeValue::draw) {
        check_strategy(solver, root, {other(mover), false});
        check_strategy(solver, root, {mover, false});
        return;
    }
    const Seat winner = solution.value() == FreeValue::win ? mover : other(mover);
    check_strategy(solver, root, {winner, true});
    check_strategy(solver, root, {winner, true, solution.plies});
    check_strategy(solver, root, {other(winner), false, solution.plies - 1});
}

// Knows the strategy by trying everything; for any placement, without a limit of plies.
class ExhaustiveOracle final : public ProofOracle {
public:
    explicit ExhaustiveOracle(plain::Exhaustive& truth) : truth_(truth) {}

    ProofStep strategist_step(const Position& position, const ProofGoal& goal, int) override {
        const std::string board = text(position);
        for (Cell cell = 0; cell < position.geometry().cells(); ++cell) {
            if (!position.is_legal(cell)) continue;
            std::string next = board;
            next[static_cast<std::size_t>(cell)] = position.turn() == Seat::first ? 'x' : 'o';
            const int value = next.find('.') == std::string::npos ? 0 : -truth_.solve(next).value;
            if (value >= (goal.is_win ? 1 : 0)) return {ProofStep::Kind::move, cell};
        }
        return {};
    }
    ProofStep opponent_step(const Position&, const ProofGoal&, int) override { return {ProofStep::Kind::all_moves}; }

private:
    plain::Exhaustive& truth_;
};

Position random_position(const std::shared_ptr<const Geometry>& geometry, std::mt19937& random, int free) {
    for (;;) {
        Position position(geometry);
        while (!position.is_over() && position.free_cells().count() > free) {
            const auto cells = position.geometry().cells();
            Cell cell = static_cast<Cell>(random() % static_cast<unsigned>(cells));
            while (!position.is_free(cell)) cell = (cell + 1) % cells;
            position.make(cell);
        }
        if (!position.is_over()) return position;
    }
}

}  // namespace

TEST_CASE("every position of small boards has the value that trying everything gives") {
    for (const auto& [rows, columns] : std::vector<std::pair<int, int>>{{1, 1}, {1, 5}, {1, 8}, {2, 2}, {2, 3}, {2, 4}, {3, 3}}) {
        for (int k = 1; k <= std::max(rows, columns) + 1; ++k) {
            const auto geometry = free_geometry(rows, columns, k);
            FreeSolver solver(geometry, some_bytes);
            plain::Exhaustive truth({rows, columns, k});
            truth.solve(std::string(static_cast<std::size_t>(rows * columns), '.'));
            std::vector<std::string> boards;
            for (const auto& [board, result] : truth.known()) boards.push_back(board);
            for (const std::string& board : boards) compare(solver, truth, position_of(geometry, board));
        }
    }
}

TEST_CASE("random positions of larger boards have the value that trying everything gives") {
    for (const auto& [rows, columns, k, free] : std::vector<std::array<int, 4>>{
             {3, 4, 3, 10}, {4, 3, 4, 11}, {4, 4, 3, 10}, {4, 4, 4, 11}, {5, 4, 4, 10}, {5, 5, 4, 11}, {6, 6, 4, 10},
             {5, 5, 5, 11}, {7, 4, 4, 11}, {2, 7, 3, 10}, {1, 13, 3, 10}, {9, 8, 5, 10}, {12, 12, 5, 10}, {17, 17, 6, 10}}) {
        const auto geometry = free_geometry(rows, columns, k);
        for (unsigned seed = 1; seed <= 10; ++seed) {
            std::mt19937 random(seed);
            CAPTURE(seed);
            FreeSolver solver(geometry, some_bytes);
            plain::Exhaustive truth({rows, columns, k});
            compare(solver, truth, random_position(geometry, random, free));
        }
    }
}

TEST_CASE("strategies of small boards check out") {
    for (const auto& [rows, columns, k] : std::vector<std::array<int, 3>>{
             {3, 3, 3}, {3, 4, 3}, {4, 4, 3}, {4, 4, 4}, {1, 7, 2}, {2, 2, 2}, {5, 4, 4}, {7, 7, 7}, {3, 3, 4}, {1, 1, 1}}) {
        const auto geometry = free_geometry(rows, columns, k);
        FreeSolver solver(geometry, some_bytes);
        check_strategies(solver, Position(geometry));
    }
    // The loser's strategy to hold for ten plies is large; the winner's is small.
    const auto geometry = free_geometry(6, 5, 4);
    FreeSolver solver(geometry, some_bytes);
    CHECK(check_strategy(solver, Position(geometry), {Seat::first, true}) < 10000);
    CHECK(check_strategy(solver, Position(geometry), {Seat::first, true, 11}) < 10000);
}

TEST_CASE("strategies of random positions check out") {
    for (const auto& [rows, columns, k, free] : std::vector<std::array<int, 4>>{
             {3, 3, 3, 7}, {4, 4, 3, 12}, {4, 4, 4, 13}, {5, 5, 4, 18}, {6, 6, 4, 24}, {5, 5, 5, 20}, {7, 7, 5, 24}, {9, 8, 5, 20}}) {
        const auto geometry = free_geometry(rows, columns, k);
        for (unsigned seed = 1; seed <= 6; ++seed) {
            std::mt19937 random(seed);
            CAPTURE(seed);
            FreeSolver solver(geometry, some_bytes);
            check_strategies(solver, random_position(geometry, random, free));
        }
    }
}

TEST_CASE("strategies of games with gravity check out") {
    for (const auto& [rows, columns, k] : std::vector<std::array<int, 3>>{{3, 4, 3}, {4, 3, 3}, {3, 3, 3}, {2, 5, 2}, {4, 4, 4}}) {
        INFO(rows, "x", columns, ",", k);
        const Position root(std::make_shared<const Geometry>(Game{rows, columns, k, true}));
        plain::Exhaustive truth({rows, columns, k, true});
        const bool is_win = truth.solve(text(root)).value > 0;
        const ProofGoal goal{is_win ? Seat::first : Seat::second, is_win};
        ExhaustiveOracle oracle(truth);
        const StopFlag stop;
        const WrittenProof proof = ProofWriter(root, goal, oracle, {}, stop).write();
        REQUIRE(proof.end == WalkEnd::complete);
        plain::StrategyChecker checker({rows, columns, k, true}, is_win ? 'x' : 'o', is_win, -1);
        CHECK_NOTHROW(checker.check(text(root), decoded(proof)));
    }
}

TEST_CASE("a walk keeps its limits") {
    const auto geometry = free_geometry(5, 4, 4);
    FreeSolver solver(geometry, some_bytes);
    const StopFlag stop;
    FreeOracle oracle(solver, Position(geometry), {}, stop);
    const ProofGoal goal{Seat::second, false};
    CHECK(ProofWriter(Position(geometry), goal, oracle, {100}, stop).write().end == WalkEnd::too_long);
    CHECK(ProofWriter(Position(geometry), goal, oracle, {1 << 20, 10}, stop).write().end == WalkEnd::too_long);
    StopFlag set;
    set.set();
    CHECK(ProofWriter(Position(geometry), goal, oracle, {}, set).write().end == WalkEnd::stopped);
    CHECK(ProofWriter(Position(geometry), {Seat::second, true}, oracle, {}, stop).write().end == WalkEnd::no_strategy);
}

TEST_CASE("known values") {
    struct Known {
        int rows, columns, k;
        FreeValue value;
    };
    for (const Known& known : std::vector<Known>{
             {3, 3, 3, FreeValue::draw}, {4, 3, 3, FreeValue::win}, {4, 4, 3, FreeValue::win}, {4, 4, 4, FreeValue::draw},
             {5, 4, 4, FreeValue::draw}, {5, 5, 4, FreeValue::draw}, {6, 5, 4, FreeValue::win}, {6, 6, 4, FreeValue::win},
             {6, 4, 4, FreeValue::draw}, {6, 6, 5, FreeValue::draw}, {7, 7, 6, FreeValue::draw}, {7, 7, 7, FreeValue::draw},
             {7, 5, 4, FreeValue::win}, {7, 5, 5, FreeValue::draw}, {128, 128, 9, FreeValue::draw}, {50, 50, 10, FreeValue::draw},
             {128, 3, 128, FreeValue::draw}, {100, 3, 101, FreeValue::draw}, {1, 128, 1, FreeValue::win}}) {
        INFO(known.rows, "x", known.columns, ",", known.k);
        FreeSolver solver(free_geometry(known.rows, known.columns, known.k), some_bytes);
        const FreeSolution solution = solved(solver, Position(free_geometry(known.rows, known.columns, known.k)));
        REQUIRE(solution.is_known());
        CHECK(solution.value() == known.value);
    }
}

TEST_CASE("shortest wins") {
    for (const auto& [rows, columns, k, plies] :
         std::vector<std::array<int, 4>>{{4, 3, 3, 7}, {4, 4, 3, 5}, {6, 5, 4, 11}, {6, 6, 4, 11}}) {
        INFO(rows, "x", columns, ",", k);
        FreeSolver solver(free_geometry(rows, columns, k), some_bytes);
        CHECK(solved(solver, Position(free_geometry(rows, columns, k)), {false, true}).plies == plies);
    }
}

TEST_CASE("the weak game") {
    struct Known {
        int rows, columns, k;
        FreeValue value;
    };
    for (const Known& known : std::vector<Known>{{3, 3, 3, FreeValue::win}, {4, 4, 4, FreeValue::draw}, {5, 5, 4, FreeValue::win}}) {
        INFO(known.rows, "x", known.columns, ",", known.k);
        FreeSolver solver(free_geometry(known.rows, known.columns, known.k), some_bytes);
        const FreeSolution solution = solved(solver, Position(free_geometry(known.rows, known.columns, known.k)), {true, false});
        REQUIRE(solution.is_known());
        CHECK(solution.value() == known.value);
    }
}

TEST_CASE("a solver keeps its limits, and is the same each time") {
    const auto geometry = free_geometry(8, 4, 4);
    const StopFlag stop;
    const Limits limits{20000, 1e9, 1 << 20, 0};
    FreeSolver one(geometry, some_bytes), two(geometry, some_bytes);
    const FreeSolution first = one.solve(Position(geometry), limits, stop);
    const FreeSolution second = two.solve(Position(geometry), limits, stop);
    CHECK(first.nodes <= 20000);
    CHECK(first.nodes == second.nodes);
    CHECK(first.lower == FreeValue::draw);
    StopFlag set;
    set.set();
    const auto large = free_geometry(15, 15, 5);
    CHECK(FreeSolver(large, some_bytes).solve(Position(large), {}, set).nodes < 1000);
}

TEST_CASE("a solver stops when it is told to, on any board") {
    for (const auto& [rows, columns, k] :
         std::vector<std::array<int, 3>>{{8, 8, 5}, {10, 10, 5}, {15, 15, 5}, {19, 19, 6}, {128, 128, 5}}) {
        const auto geometry = free_geometry(rows, columns, k);
        FreeSolver solver(geometry, some_bytes);
        StopFlag stop;
        FreeProgress progress;
        FreeSolution solution;
        std::thread thread([&] { solution = solver.solve(Position(geometry), {}, stop, {}, &progress); });
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop.set();
        thread.join();
        CHECK(solution.upper >= solution.lower);
    }
}
