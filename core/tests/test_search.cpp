// The search kernel: what follows a position stays right on any way through it, and threads and limits are kept.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "inarow/mcts.hpp"
#include "inarow/searcher.hpp"
#include "inarow/tactics.hpp"

using namespace inarow;

namespace {

const std::vector<Game> games{{1, 1, 1, false},   {1, 9, 3, false},  {3, 3, 3, false},    {4, 4, 5, false},   {5, 4, 2, false},
                              {8, 9, 5, false},   {9, 8, 7, false},  {12, 12, 10, false}, {3, 90, 4, false},  {80, 2, 6, false},
                              {6, 7, 4, true},    {5, 9, 3, true},   {9, 9, 6, true},     {2, 100, 7, true},  {1, 5, 2, true},
                              {20, 20, 17, true}, {15, 15, 5, false}};

// A table of values by the two counts, other on each side, as an evaluation by windows wants it.
std::vector<std::int32_t> values(const Game& game, std::int32_t factor) {
    std::vector<std::int32_t> table;
    for (int second = 0; second <= game.k; ++second) {
        for (int first = 0; first <= game.k; ++first) table.push_back(factor * (first * first - second * second));
    }
    return table;
}

std::vector<Recipe> recipes(const Game& game) {
    std::vector<std::int32_t> cell_values = values(game, 1);
    for (std::int32_t& value : cell_values) value = std::abs(value);
    std::vector<Recipe> all;
    for (const char* memory : {"none", "table", "tree"}) {
        for (const char* evaluation : {"windows", "crossings"}) {
            for (const char* order : {"plain", "evaluation", "forced"}) {
                all.push_back({evaluation, order, memory, values(game, 3), cell_values, 0, 0, 1 << 16, true});
            }
        }
        all.push_back({"mics", "best", memory, {}, {}, 3, 9, 1 << 16, true});
        all.push_back({"chains", "near", memory, {}, {}, 0, 0, 1 << 16, true});
    }
    return all;
}

std::vector<Cell> random_moves(const std::shared_ptr<const Geometry>& geometry, std::mt19937& random, std::size_t count) {
    Position position(geometry);
    while (!position.is_over() && position.moves().size() < count) {
        Cells cells;
        append_playable(position, cells);
        position.make(cells[random() % cells.size()]);
    }
    if (position.is_over() && position.ply() > 0) position.unmake();
    return {position.moves().begin(), position.moves().end()};
}

}  // namespace

TEST_CASE("a searcher that went back and forth sees what a fresh one sees") {
    for (const Game& game : games) {
        const auto geometry = std::make_shared<const Geometry>(game);
        for (const Recipe& recipe : recipes(game)) {
            const unsigned seed = 7;
            CAPTURE(seed);
            CAPTURE(game.rows);
            CAPTURE(game.columns);
            CAPTURE(game.k);
            CAPTURE(recipe.evaluation);
            CAPTURE(recipe.order);
            CAPTURE(recipe.memory);
            std::mt19937 random(seed);
            const auto travelled = make_searcher(geometry, recipe);
            for (int round = 0; round < 4; ++round) {
                const std::vector<Cell> moves = random_moves(geometry, random, random() % 25);
                travelled->set_moves(moves);
                const auto fresh = make_searcher(geometry, recipe);
                fresh->set_moves(moves);
                REQUIRE(travelled->value() == fresh->value());
                REQUIRE(travelled->ordered_moves(false) == fresh->ordered_moves(false));
                REQUIRE(travelled->ordered_moves(true) == fresh->ordered_moves(true));
                const StopFlag stop;
                Limits limits;
                limits.nodes = 300;
                limits.depth = 5;
                const SearchResult found = travelled->deepen({}, limits, stop);
                REQUIRE(found.nodes <= limits.nodes);
                REQUIRE(travelled->position().is_legal(found.move));
                REQUIRE(std::equal(moves.begin(), moves.end(), travelled->position().moves().begin(), travelled->position().moves().end()));
                REQUIRE(travelled->value() == fresh->value());
            }
        }
    }
}

TEST_CASE("what a move leads to is known before it is made") {
    std::mt19937 random(6);
    const auto check = [](const Position& position, auto evaluation) {
        Model model(position, evaluation, PlainOrder());
        Cells cells;
        append_playable(position, cells);
        for (const Cell cell : cells) {
            if (position.windows().completes(cell, position.turn()) || cells.size() == 1) continue;
            const Score before = model.value_after(cell);
            model.make(cell);
            CHECK(before == -model.value());
            model.unmake();
        }
    };
    for (const Game& game : games) {
        const auto geometry = std::make_shared<const Geometry>(game);
        for (int round = 0; round < 20; ++round) {
            Position position(geometry);
            for (const Cell cell : random_moves(geometry, random, random() % 60)) position.make(cell);
            check(position, WindowsEvaluation(position, values(game, 3)));
            check(position, MicsEvaluation(position));
        }
    }
}

TEST_CASE("parts that do not go together are refused") {
    const auto geometry = std::make_shared<const Geometry>(Game{3, 3, 3, false});
    const std::vector<Recipe> wrong{{"windows", "near", "none", values({3, 3, 3, false}, 1), {}, 0, 0, 0, true},
                                    {"mics", "plain", "none", {}, {}, 1, 1, 0, true},
                                    {"mics", "best", "none", {}, {}, 0, 1, 0, true},
                                    {"chains", "near", "notebook", {}, {}, 0, 0, 0, true},
                                    {"guess", "plain", "none", {}, {}, 0, 0, 0, true},
                                    {"windows", "plain", "none", {1, 2, 3}, {}, 0, 0, 0, true},
                                    {"windows", "forced", "none", values({3, 3, 3, false}, 1), values({3, 3, 3, false}, 1), 0, 0, 0, true}};
    for (const Recipe& recipe : wrong) CHECK_THROWS_AS(make_searcher(geometry, recipe), std::invalid_argument);
}

TEST_CASE("a table of one bucket mixes up no positions") {
    // Every entry is soon replaced; what is found must still be the position's own.
    const Game game{4, 4, 3, false};
    const auto geometry = std::make_shared<const Geometry>(game);
    const StopFlag stop;
    Limits limits;
    limits.depth = 5;
    Recipe recipe{"windows", "evaluation", "table", values(game, 3), {}, 0, 0, 1, true};
    std::mt19937 random(11);
    for (int round = 0; round < 5; ++round) {
        const std::vector<Cell> moves = random_moves(geometry, random, 4);
        std::vector<Score> scores;
        for (const char* memory : {"none", "table"}) {
            recipe.memory = memory;
            const auto searcher = make_searcher(geometry, recipe);
            searcher->set_moves(moves);
            scores.push_back(searcher->deepen({}, limits, stop).score);
        }
        CHECK(scores[0] == scores[1]);
    }
}

TEST_CASE("a table gives scores of won games back as seen from where it is asked") {
    Table table(1 << 12);
    table.store(42, 3, won - 7, 4, Bound::exact);  // a win 4 plies from the node
    CHECK(table.probe(42, 3).score == won - 7);
    CHECK(table.probe(42, 1).score == won - 5);
    table.store(43, 2, -(won - 6), 9, Bound::lower);
    CHECK(table.probe(43, 4).score == -(won - 8));
    CHECK(table.probe(43, 4).bound == Bound::lower);
    CHECK(table.probe(43, 4).depth == 9);
    CHECK(table.probe(44, 0).bound == Bound::none);
    table.store(45, 5, 1234, 1, Bound::upper);
    CHECK(table.probe(45, 0).score == 1234);
}

TEST_CASE("threads share root moves, and a flag from outside stops them all") {
    const auto geometry = std::make_shared<const Geometry>(Game{10, 10, 5, false});
    const auto searcher = make_searcher(geometry, {"mics", "best", "none", {}, {}, 5, 15, 0, true});
    const std::vector<Cell> moves{44, 55, 45};
    searcher->set_moves(moves);
    StopFlag stop;
    const SearchResult alone = searcher->shares(4, 1'000'000'000, 1, {}, stop);
    const SearchResult together = searcher->shares(4, 1'000'000'000, 4, {}, stop);
    CHECK(alone.score == together.score);
    CHECK_FALSE(alone.stopped);
    CHECK_FALSE(together.stopped);
    CHECK(searcher->shares(4, 100, 1, {}, stop).stopped);  // by the budget
    CHECK(searcher->shares(4, 100, 4, {}, stop).stopped);
    std::thread stopper([&] { stop.set(); });
    const SearchResult stopped = searcher->shares(40, 1'000'000'000'000, 4, {}, stop);  // would not end by itself
    stopper.join();
    CHECK(stopped.stopped);
    CHECK(searcher->position().is_legal(stopped.move));
}

TEST_CASE("Monte-Carlo tree search finds a win, keeps its limits and its memory") {
    const StopFlag stop;
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1} << 20}) {
        for (const Game& game : games) {
            const auto geometry = std::make_shared<const Geometry>(game);
            std::mt19937 random(5);
            Position position(geometry);
            for (const Cell cell : random_moves(geometry, random, 6)) position.make(cell);
            Limits limits;
            limits.nodes = 50;
            const MctsResult found = Mcts(bytes).search(position, 3, limits, stop);
            CHECK(found.playouts == 50);
            CHECK(position.is_legal(found.move));
        }
    }
    Position position(std::make_shared<const Geometry>(Game{3, 3, 3, false}));
    for (const Cell cell : {0, 1, 3, 4}) position.make(cell);
    Limits limits;
    limits.nodes = 2000;
    CHECK(Mcts(1 << 20).search(position, 1, limits, stop).move == 6);
}
