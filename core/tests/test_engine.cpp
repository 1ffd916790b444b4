// The engine: what it claims is true, what it is told it keeps.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "defences.hpp"
#include "inarow/engine.hpp"
#include "inarow/engine_search.hpp"
#include "inarow/engine_shared.hpp"
#include "inarow/free_model.hpp"
#include "inarow/free_solver.hpp"
#include "model.hpp"
#include "some_game.hpp"

using namespace inarow;
using namespace inarow::testing;

namespace {

std::unique_ptr<Engine> engine_for(const std::shared_ptr<const Geometry>& geometry, int threads = 1, Heuristics heuristics = {}) {
    Engine::Options options;
    options.memory_bytes = std::size_t{1} << 20;
    options.threads = threads;
    options.heuristics = heuristics;
    return Engine::make(geometry, options, EngineWeights::handmade());
}

Limits nodes(std::int64_t count) {
    Limits limits;
    limits.nodes = count;
    return limits;
}

}  // namespace

TEST_CASE("what the engine calls decided is what the solver finds, whatever is switched off") {
    const StopFlag stop;
    int decided = 0;
    for (const Game& game : {Game{3, 3, 3, false}, Game{4, 4, 3, false}, Game{4, 4, 4, false}, Game{5, 5, 4, false}, Game{6, 5, 4, false}, Game{6, 6, 5, false}, Game{1, 9, 3, false}}) {
        CAPTURE(name(game));
        const auto geometry = std::make_shared<const Geometry>(game);
        FreeSolver solver(geometry, std::size_t{1} << 22);
        Random random(5);
        for (int round = 0; round < 40; ++round) {
            const std::vector<Cell> moves = some_game(geometry, random, 2 + below(random, game.cells() / 2));
            CAPTURE(moves);
            Heuristics heuristics;
            if (round % 2 == 1) {
                for (unsigned h = 0; h < static_cast<unsigned>(Heuristic::count); ++h) {
                    if (below(random, 2) == 0) heuristics.switch_off(static_cast<Heuristic>(h));
                }
            }
            const EngineResult result = engine_for(geometry, 1, heuristics)->search({moves, 1}, nodes(20 << below(random, 9)), stop);
            const Score score = result.lines.front().score;
            REQUIRE(after(geometry, moves).is_legal(result.move));
            if (!is_decided(score)) continue;
            ++decided;
            const FreeSolution truth = solver.solve(after(geometry, moves), {}, stop, {false, true}, nullptr);
            REQUIRE(static_cast<int>(truth.lower) == (score > 0 ? 1 : -1));
            REQUIRE(static_cast<int>(truth.upper) == (score > 0 ? 1 : -1));
            CHECK(won - std::abs(score) >= truth.plies);
        }
    }
    CHECK(decided > 60);
}

TEST_CASE("a win comes nearer with every move, whoever defends") {
    const StopFlag stop;
    int wins = 0;
    for (const Game& game : {Game{9, 9, 5, false}, Game{15, 15, 5, false}, Game{8, 8, 4, false}, Game{12, 12, 6, false}, Game{10, 10, 7, false}}) {
        CAPTURE(name(game));
        const auto geometry = std::make_shared<const Geometry>(game);
        for (unsigned seed = 0; seed < 6; ++seed) {
            CAPTURE(seed);
            Random random(seed);
            const auto attacker = engine_for(geometry), defender = engine_for(geometry);
            std::vector<Cell> moves = some_game(geometry, random, 8 + below(random, 6));
            int plies = max_cells;
            for (int turn = 0; turn < 20 || plies < max_cells; ++turn) {
                CAPTURE(moves);
                const EngineResult found = attacker->search({moves, 1}, nodes(6000), stop);
                const Score score = found.lines.front().score;
                if (plies < max_cells) {
                    REQUIRE(is_won(score));
                    REQUIRE(won - score <= plies - 2);
                }
                if (is_won(score)) plies = won - score;
                moves.push_back(found.move);
                if (after(geometry, moves).is_over()) break;
                if (plies < max_cells && seed % 2 == 0) {  // anything, now and then
                    const Position position = after(geometry, moves);
                    const auto free = position.free_cells().cells();
                    moves.push_back(free[static_cast<std::size_t>(below(random, static_cast<int>(free.size())))]);
                } else {
                    moves.push_back(defender->search({moves, 1}, nodes(plies < max_cells ? 3000 : 300), stop).move);
                }
                if (after(geometry, moves).is_over()) break;
            }
            if (plies == max_cells) continue;
            ++wins;
            REQUIRE(after(geometry, moves).winner() == (moves.size() % 2 == 1 ? Seat::first : Seat::second));
            REQUIRE(plies == 1);
        }
    }
    CHECK(wins > 12);
}

TEST_CASE("no move outside the defences stops a line of fours") {
    const auto geometry = std::make_shared<const Geometry>(Game{11, 11, 5, false});
    const auto tables = std::make_shared<const ThreatTables>(5, EngineWeights::handmade());
    const StopFlag stop;
    Watch watch({}, stop, 64);
    DefenceCounts counts;
    for (unsigned seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        FreeModel model(geometry, tables);
        for (const Cell cell : some_game(geometry, random, 10 + below(random, 24))) model.make(cell);
        if (model.wins(Seat::first) + model.wins(Seat::second) == 0) check_defences(model, watch, counts);
    }
    CHECK(counts.threatened > 30);
}

TEST_CASE("one thread and a number of nodes give one answer") {
    const auto geometry = std::make_shared<const Geometry>(Game{15, 15, 5, false});
    const StopFlag stop;
    Random random(3);
    const std::vector<Cell> moves = some_game(geometry, random, 9);
    const EngineResult once = engine_for(geometry)->search({moves, 1}, nodes(20000), stop);
    const EngineResult again = engine_for(geometry)->search({moves, 1}, nodes(20000), stop);
    CHECK(once.move == again.move);
    CHECK(once.nodes == again.nodes);
    CHECK(once.lines.front().score == again.lines.front().score);
    CHECK(once.lines.front().moves == again.lines.front().moves);
    const auto engine = engine_for(geometry);
    engine->search({moves, 1}, nodes(5000), stop);
    engine->clear();
    CHECK(engine->search({moves, 1}, nodes(20000), stop).nodes == once.nodes);
}

TEST_CASE("every shape of board is played to its end") {
    const StopFlag stop;
    for (const Game& game : shapes()) {
        CAPTURE(name(game));
        const auto geometry = std::make_shared<const Geometry>(game);
        const auto engine = engine_for(geometry);
        std::vector<Cell> moves;
        for (int ply = 0; ply < (game.cells() > 400 ? 4 : 30) && !after(geometry, moves).is_over(); ++ply) {
            const EngineResult found = engine->search({moves, 1}, nodes(60), stop);
            REQUIRE(after(geometry, moves).is_legal(found.move));
            REQUIRE(found.lines.front().moves.front() == found.move);
            moves.push_back(found.move);
        }
    }
}

TEST_CASE("several lines begin with different moves, the best first") {
    const auto geometry = std::make_shared<const Geometry>(Game{15, 15, 5, false});
    const StopFlag stop;
    Limits limits;
    limits.depth = 6;
    const std::vector<Cell> moves{112, 97, 98};
    const EngineResult result = engine_for(geometry)->search({moves, 4}, limits, stop);
    REQUIRE(result.lines.size() == 4);
    for (std::size_t i = 1; i < 4; ++i) {
        CHECK(result.lines[i].score <= result.lines[i - 1].score);
        for (std::size_t j = 0; j < i; ++j) CHECK(result.lines[i].moves.front() != result.lines[j].moves.front());
    }
    // On a tiny board there may be fewer moves than lines.
    const auto tiny = std::make_shared<const Geometry>(Game{2, 2, 2, false});
    const std::vector<Cell> first{0};
    CHECK(engine_for(tiny)->search({first, 9}, limits, stop).lines.size() == 3);
}

TEST_CASE("threads share a table, report, and stop when told to") {
    const auto geometry = std::make_shared<const Geometry>(Game{15, 15, 5, false});
    const auto engine = engine_for(geometry, 3);
    StopFlag stop;
    ReportMailbox mailbox;
    const std::vector<Cell> moves{112, 97};
    std::atomic<int> reports = 0;
    std::thread reader([&] {
        while (true) {
            const auto report = mailbox.take(60);
            if (!report) break;
            CHECK(report->line.moves.size() > 0);
            if (++reports == 4) stop.set();
        }
    });
    const EngineResult result = engine->search({moves, 1}, {}, stop, &mailbox);
    reader.join();
    CHECK(result.stopped);
    CHECK(reports >= 4);
    CHECK(mailbox.is_closed());
    CHECK(after(geometry, moves).is_legal(result.move));
}

TEST_CASE("a search that has changed its mind takes longer, one that has not ends sooner") {
    Unrest unrest;
    unrest.note(7, 20);
    const double changed = unrest.factor();
    for (int i = 0; i < 20; ++i) unrest.note(7, 20);
    const double settled = unrest.factor();
    CHECK(settled < 1);
    CHECK(changed > 1);
    unrest.note(7, 20 - tuned::unrest_fall);
    CHECK(unrest.factor() > settled);
    unrest.note(7, 20 - tuned::unrest_fall);
    CHECK(unrest.factor() == settled);
    unrest.note(8, 20);
    CHECK(unrest.factor() == changed);
}

TEST_CASE("threads that race for a depth stop at the depth that was asked for") {
    const auto geometry = std::make_shared<const Geometry>(Game{15, 15, 5, false});
    const StopFlag stop;
    const auto engine = engine_for(geometry, 3);
    std::vector<Cell> moves{112, 113};
    for (Limits limits; moves.size() < 12; ++limits.depth) {
        if (moves.size() == 2) limits.depth = 3;
        const EngineResult result = engine->search({moves}, limits, stop);
        const EngineLine& best = result.lines.front();
        CHECK((result.depth == limits.depth || is_decided(best.score)));
        CHECK(best.moves.front() == result.move);
        CHECK(std::ranges::find(moves, result.move) == moves.end());
        moves.push_back(result.move);
    }
}

TEST_CASE("of finished iterations the last search's deepest is kept") {
    FinishedIterations finished;
    const auto tell = [&](std::uint32_t search, int depth, Cell move) {
        finished.tell(FinishedIterations::number(search, depth), {{move}, 0, Bound::exact, depth, depth});
    };
    const auto read = [&] {
        std::uint64_t number = 0;
        EngineLine line;
        REQUIRE(finished.read(number, line));
        CHECK(number == finished.last());
        return line.moves.front();
    };
    tell(1, 5, 50);
    tell(1, 4, 40);
    CHECK(read() == 50);
    tell(1, 5, 51);
    CHECK(read() == 50);
    tell(2, 1, 10);
    CHECK(read() == 10);
    tell(1, 9, 90);  // by a thread that has not heard of the new search yet
    CHECK(read() == 10);
}

TEST_CASE("a search that is overtaken can go on, one that has ended cannot") {
    StopFlag stop;
    Watch watch({}, stop, 1);
    std::atomic<std::uint64_t> reached = 6;
    watch.race(reached, 7);
    CHECK(watch.enter());
    reached = 7;
    CHECK(!watch.enter());
    CHECK(watch.is_overtaken());
    watch.go_on();
    watch.race(reached, 8);
    CHECK(watch.enter());
    CHECK(!watch.is_overtaken());
    stop.set();
    reached = 8;
    CHECK(!watch.enter());
    CHECK(!watch.is_overtaken());
}

TEST_CASE("a soft limit ends a search after an iteration") {
    const auto geometry = std::make_shared<const Geometry>(Game{15, 15, 5, false});
    const std::vector<Cell> moves{112, 113, 98};
    const StopFlag stop;
    Limits limits;
    limits.depth = 4;
    CHECK(engine_for(geometry)->search({moves}, limits, stop).depth == 4);
    limits.soft_seconds = 0;
    const EngineResult result = engine_for(geometry)->search({moves}, limits, stop);
    CHECK(result.depth == 1);
    CHECK(!result.stopped);
}

TEST_CASE("a single defence needs no time where the time is a whole game's") {
    const auto geometry = std::make_shared<const Geometry>(Game{15, 15, 5, false});
    const std::vector<Cell> moves{112, 0, 113, 3, 114, 111, 115};
    const StopFlag stop;
    Limits limits;
    limits.soft_seconds = 3600;
    const EngineResult result = engine_for(geometry)->search({moves}, limits, stop);
    CHECK(result.move == 116);
    CHECK(result.depth == 1);
}

TEST_CASE("what cannot be asked of an engine") {
    const auto geometry = std::make_shared<const Geometry>(Game{3, 3, 3, false});
    const StopFlag stop;
    const auto engine = engine_for(geometry);
    const std::vector<Cell> twice{0, 0}, over{0, 3, 1, 4, 2};
    CHECK_THROWS_AS(engine->search({twice, 1}, {}, stop), std::invalid_argument);
    CHECK_THROWS_AS(engine->search({over, 1}, {}, stop), std::invalid_argument);
    CHECK_THROWS_AS(engine_for(geometry, 0), std::invalid_argument);
}
