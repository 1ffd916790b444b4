#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <future>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "inarow/perft.hpp"
#include "model.hpp"

using namespace inarow;
using namespace inarow::testing;

namespace {

using Counts = std::vector<std::uint64_t>;

Position start(const Game& game) { return Position(std::make_shared<const Geometry>(game)); }

Perft counted(const Position& position, int depth) { return perft(position, depth, StopFlag{}); }

std::uint64_t total(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}); }

std::uint64_t factorial(int n) { return n == 0 ? 1 : static_cast<std::uint64_t>(n) * factorial(n - 1); }

// The same counts by the plain model; the vectors of `result` have depth + 1 entries.
void count_naively(Model& model, std::size_t ply, std::size_t depth, Perft& result) {
    ++result.nodes[ply];
    const auto winner = model.winner();
    if (winner) {
        ++(*winner == Seat::first ? result.first_wins : result.second_wins)[ply];
    } else if (model.is_over()) {
        ++result.draws[ply];
    } else if (ply < depth) {
        for (const Cell cell : model.playable_cells()) {
            model.make(cell);
            count_naively(model, ply + 1, depth, result);
            model.unmake();
        }
    }
}

void check_against_model(const Position& position, int depth) {
    Model model(position.game());
    for (const Cell cell : position.moves()) model.make(cell);
    const Counts zeros(static_cast<std::size_t>(depth) + 1, 0);
    Perft expected{zeros, zeros, zeros, zeros};
    count_naively(model, 0, static_cast<std::size_t>(depth), expected);

    const Perft result = counted(position, depth);
    CHECK_FALSE(result.stopped);
    CHECK(result.nodes == expected.nodes);
    CHECK(result.first_wins == expected.first_wins);
    CHECK(result.second_wins == expected.second_wins);
    CHECK(result.draws == expected.draws);
}

}  // namespace

TEST_CASE("all 255168 games of tic-tac-toe") {
    const Perft result = counted(start({3, 3, 3, false}), 9);
    CHECK(result.nodes == Counts{1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872});
    CHECK(result.first_wins == Counts{0, 0, 0, 0, 0, 1440, 0, 47952, 0, 81792});
    CHECK(result.second_wins == Counts{0, 0, 0, 0, 0, 0, 5328, 0, 72576, 0});
    CHECK(result.draws == Counts{0, 0, 0, 0, 0, 0, 0, 0, 0, 46080});
    CHECK(total(result.first_wins) + total(result.second_wins) + total(result.draws) == 255168);
    CHECK_FALSE(result.stopped);
}

TEST_CASE("connect-4 to the first wins") {
    check_against_model(start({6, 7, 4, true}), 7);
}

TEST_CASE("every shape, as deep as is quick") {
    for (const Game& game : shapes_up_to(225)) {
        const std::string shown = name(game);
        CAPTURE(shown);
        const int width = game.gravity ? game.columns : game.cells();
        int depth = 1;
        while (depth < game.cells() && std::pow(width, depth + 1) < 60'000) ++depth;
        check_against_model(start(game), depth);
    }
}

TEST_CASE("perft from the middle and from the end of a game") {
    for (const Game& game : {Game{3, 3, 3, false}, Game{4, 4, 3, true}}) {
        const std::string shown = name(game);
        CAPTURE(shown);
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            CAPTURE(seed);
            Position position = start(game);
            RandomMoves moves(position.geometry(), seed);
            while (!position.is_over()) {
                position.make(moves.next(position));
                CAPTURE(position.ply());
                check_against_model(position, std::min(5, position.free_cells().count()));
            }
        }
    }
}

TEST_CASE("no ply is counted beyond the depth, nor beyond the last free cell") {
    CHECK(counted(start({15, 15, 5, false}), 0).nodes == Counts{1});
    CHECK(counted(start({15, 15, 5, false}), 2).nodes == Counts{1, 225, 225 * 224});
    CHECK(counted(start({1, 2, 3, false}), 100).nodes == Counts{1, 2, 2});
}

TEST_CASE("where nobody can win, every order of the cells is a drawn game") {
    for (const Game& game : {Game{1, 1, 2, false}, Game{1, 5, 6, false}, Game{2, 3, 4, false}, Game{2, 4, 128, false}}) {
        const std::string shown = name(game);
        CAPTURE(shown);
        const int n = game.cells();
        const Perft result = counted(start(game), n);
        for (int ply = 0; ply <= n; ++ply) {
            CAPTURE(ply);
            CHECK(result.nodes[static_cast<std::size_t>(ply)] == factorial(n) / factorial(n - ply));
        }
        CHECK(result.draws.back() == factorial(n));
        CHECK(total(result.draws) == factorial(n));
        CHECK(total(result.first_wins) + total(result.second_wins) == 0);
    }
    // With gravity only the columns can be ordered.
    CHECK(counted(start({3, 3, 4, true}), 9).draws.back() == factorial(9) / (6 * 6 * 6));
}

TEST_CASE("a flag that is already set stops at once") {
    StopFlag stop;
    stop.set();
    const Perft stopped = perft(start({3, 3, 3, false}), 9, stop);
    CHECK(stopped.stopped);
    CHECK(total(stopped.nodes) == 0);
    stop.clear();
    CHECK_FALSE(perft(start({3, 3, 3, false}), 9, stop).stopped);
}

// There is no stopwatch here: if the flag went unheard, the test would not end in this universe.
TEST_CASE("a flag set by another thread stops a count") {
    StopFlag stop;
    std::promise<void> started;
    auto result = std::async(std::launch::async, [&] {
        started.set_value();
        return perft(start({15, 15, 5, false}), 225, stop);
    });
    started.get_future().wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // so that it is most likely deep in the tree by now
    stop.set();
    CHECK(result.get().stopped);
}
