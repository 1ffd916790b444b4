// Wins by threats: what is found is confirmed on a plain board, and is found again after every reply.
#include <doctest/doctest.h>

#include "inarow/drop_model.hpp"
#include "inarow/engine_threes.hpp"
#include "inarow/free_model.hpp"
#include "model.hpp"
#include "plain_wins.hpp"
#include "some_game.hpp"

using namespace inarow;
using namespace inarow::testing;

namespace {

constexpr std::int64_t some_nodes = 20000;
constexpr double all_the_time = 1;

// Searches seeded positions for wins by threats; how many are found that are not by fours alone.
template <class Model>
int confirmed_wins(const Game& game, int rounds, int stones) {
    const auto geometry = std::make_shared<const Geometry>(game);
    const auto tables = std::make_shared<const typename Model::Tables>(game.k, EngineWeights::handmade());
    const StopFlag stop;
    plain::WinProver prover({game.rows, game.columns, game.k, game.gravity});
    int found = 0;
    for (int seed = 0; seed < rounds; ++seed) {
        CAPTURE(seed);
        Random random(static_cast<unsigned>(seed));
        const std::vector<Cell> moves = some_game(geometry, random, stones + below(random, stones));
        CAPTURE(moves);
        Model model(geometry, tables);
        for (const Cell cell : moves) model.make(cell);
        const std::uint64_t key = model.key();
        Watch watch({}, stop, 64);
        ForcingSearch<Model> forcing(model, watch);
        if (forcing.search(some_nodes, 41, false) > 0) continue;
        ThreesTable table;
        ThreesSearch<Model> threes(model, forcing, watch, table);
        const int plies = threes.search(some_nodes, all_the_time);
        REQUIRE(model.key() == key);
        if (plies == 0) continue;
        ++found;
        REQUIRE(plies % 2 == 1);
        REQUIRE(model.is_legal(threes.line().front()));
        const auto hint = [&](const std::vector<int>& now) {
            for (std::size_t i = moves.size(); i < now.size(); ++i) model.make(now[i]);
            ThreesSearch<Model> again(model, forcing, watch, table);
            const Cell cell = again.search(some_nodes, all_the_time) > 0 ? again.line().front() : no_cell;
            for (std::size_t i = moves.size(); i < now.size(); ++i) model.unmake();
            return cell;
        };
        CHECK(prover.prove_win({moves.begin(), moves.end()}, plies, plain::WinProver::Width::threes, 4'000'000, hint) == plain::Verdict::proven);

        model.make(threes.line().front());
        for (Cell reply = 0; reply < model.cells(); ++reply) {
            if (!model.is_legal(reply)) continue;
            CAPTURE(reply);
            model.make(reply);
            int after = 0;
            for (int most = 1; after == 0 && most <= 41; most += 4) after = forcing.search(some_nodes, most, false);
            ThreesSearch<Model> again(model, forcing, watch, table);
            if (after == 0 || after > plies - 2) after = again.search(some_nodes, all_the_time);
            CHECK(after > 0);
            CHECK(after <= plies - 2);
            model.unmake();
        }
        model.unmake();
    }
    return found;
}

}  // namespace

TEST_CASE("a win by threats is one, and comes nearer after every reply") {
    CHECK(confirmed_wins<FreeModel>({11, 11, 5, false}, 60, 8) > 5);
    CHECK(confirmed_wins<FreeModel>({10, 10, 6, false}, 600, 16) > 0);
    CHECK(confirmed_wins<FreeModel>({7, 7, 4, false}, 40, 4) > 5);
    CHECK(confirmed_wins<FreeModel>({11, 11, 7, false}, 1500, 24) > 0);
    CHECK(confirmed_wins<DropModel>({6, 7, 4, true}, 200, 8) > 1);
    CHECK(confirmed_wins<DropModel>({8, 9, 4, true}, 200, 10) > 1);
    CHECK(confirmed_wins<DropModel>({9, 9, 5, true}, 600, 20) > 1);
}

TEST_CASE("the search for wins by threats ends when its nodes are used up, and leaves the model as it was") {
    const auto geometry = std::make_shared<const Geometry>(Game{15, 15, 5, false});
    const auto tables = std::make_shared<const ThreatTables>(5, EngineWeights::handmade());
    const StopFlag stop;
    Random random(1);
    FreeModel model(geometry, tables);
    for (const Cell cell : some_game(geometry, random, 30)) model.make(cell);
    const std::uint64_t key = model.key();
    for (const std::int64_t nodes : {1, 10, 100}) {
        Limits limits;
        limits.nodes = nodes;
        Watch watch(limits, stop, 64);
        ForcingSearch<FreeModel> forcing(model, watch);
        ThreesTable table;
        ThreesSearch<FreeModel> threes(model, forcing, watch, table);
        threes.search(some_nodes, all_the_time);
        CHECK(watch.nodes() <= nodes);
        CHECK(model.key() == key);
    }
}
