#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "inarow/contempt.hpp"
#include "inarow/engine_table.hpp"
#include "inarow/free_model.hpp"
#include "some_game.hpp"

using namespace inarow;
using namespace inarow::testing;

namespace {

NetworkWeights random_network(Random& random) {
    const auto numbers = [&](std::size_t count, int most) {
        std::vector<std::int16_t> found(count);
        for (std::int16_t& number : found) number = static_cast<std::int16_t>(below(random, 2 * most + 1) - most);
        return found;
    };
    NetworkWeights weights;
    weights.moving = numbers(codes * NetworkWeights::channels, 150);
    weights.waiting = numbers(codes * NetworkWeights::channels, 150);
    weights.matrix = numbers(NetworkWeights::channels * NetworkWeights::hidden, 3000);
    weights.threats = numbers(threat_masks * NetworkWeights::hidden, 2000);
    weights.output = numbers(NetworkWeights::hidden, 300);
    weights.draws = numbers(NetworkWeights::channels + 2, 200);
    return weights;
}

EngineWeights only_network(const NetworkWeights& network) {
    EngineWeights weights = EngineWeights::handmade();
    weights.moving = weights.waiting = {};
    weights.threats = {};
    weights.network = network;
    return weights;
}

// As cell_network.hpp draws it, in double precision.
double plain_value(const NetworkWeights& weights, const FreeModel& model) {
    const Seat us = model.turn(), them = other(us);
    static const std::vector<bool> has_stones = codes_with_stones();
    std::vector<double> layer(NetworkWeights::hidden);
    for (std::size_t j = 0; j < layer.size(); ++j) {
        layer[j] = weights.threats[NetworkWeights::hidden * model.threat_mask() + j] / double{NetworkWeights::threats_unit};
    }
    for (Cell cell = 0; cell < model.cells(); ++cell) {
        if (!model.is_legal(cell)) continue;
        const auto row = [&](const std::vector<std::int16_t>& table, Seat seat, std::size_t i) {
            const Code code = model.board().code(seat, cell);
            return has_stones[code] ? table[NetworkWeights::channels * code + i] : 0;
        };
        for (std::size_t i = 0; i < NetworkWeights::channels; ++i) {
            const int brings = std::clamp(row(weights.moving, us, i) + row(weights.waiting, them, i), 0, int{CellNetwork::most});
            for (std::size_t j = 0; j < layer.size(); ++j) layer[j] += brings * (weights.matrix[NetworkWeights::hidden * i + j] / double{NetworkWeights::matrix_unit});
        }
    }
    double value = 0;
    for (std::size_t j = 0; j < layer.size(); ++j) value += std::max(layer[j], 0.0) * (weights.output[j] / double{NetworkWeights::output_unit});
    return std::clamp<double>(value, -max_evaluation, max_evaluation);
}

}  // namespace

TEST_CASE("the network's value is that of all cells together, on the way there and back") {
    for (const Game& game : {Game{9, 9, 5, false}, Game{15, 15, 5, false}, Game{8, 11, 4, false}, Game{9, 10, 7, false}}) {
        CAPTURE(game.k);
        Random random(7);
        const NetworkWeights network = random_network(random);
        const auto geometry = std::make_shared<const Geometry>(game);
        FreeModel model(geometry, std::make_shared<const ThreatTables>(game.k, only_network(network)));
        for (int round = 0; round < 4; ++round) {
            for (const Cell cell : some_game(geometry, random, 40)) {
                model.make(cell);
                if (below(random, 3) == 0) continue;  // several stones at once
                REQUIRE(std::abs(model.value() - plain_value(network, model)) < 1);
                model.pass();
                REQUIRE(std::abs(model.value() - plain_value(network, model)) < 1);
                model.unpass();
            }
            const int left = below(random, 20);
            while (static_cast<int>(model.moves().size()) > left) {
                model.unmake();
                if (below(random, 3) > 0) REQUIRE(std::abs(model.value() - plain_value(network, model)) < 1);
            }
            while (!model.moves().empty()) model.unmake();
        }
    }
}

TEST_CASE("all processors come to the same value") {
    Random random(11);
    const NetworkWeights weights = random_network(random);
    const CellNetwork any(weights, false), wide(weights);
    CellNetwork::Sums sums, other_sums;
    std::vector<CellNetwork::Change> changes;
    const auto some_code = [&] { return static_cast<Code>(below(random, codes)); };
    for (int i = 0; i < 200; ++i) {
        changes.push_back({CellNetwork::no_code, {some_code(), some_code()}});
        any.update(sums, changes);
        wide.update(other_sums, changes);
        changes = {{changes.back().now, CellNetwork::no_code}, {CellNetwork::no_code, {some_code(), some_code()}}};
        REQUIRE(sums.of == other_sums.of);
        for (const Seat seat : {Seat::first, Seat::second}) {
            const auto mask = static_cast<unsigned>(below(random, threat_masks));
            REQUIRE(any.value(sums, seat, mask) == wide.value(other_sums, seat, mask));
        }
    }
}

TEST_CASE("a board whose sums would not fit is valued without the network") {
    Random random(3);
    const auto geometry = std::make_shared<const Geometry>(Game{23, 23, 5, false});
    FreeModel model(geometry, std::make_shared<const ThreatTables>(5, only_network(random_network(random))));
    for (const Cell cell : some_game(geometry, random, 20)) {
        model.make(cell);
        CHECK(model.value() == 0);
    }
}

TEST_CASE("contempt moves who is better, and leaves how likely a draw is") {
    for (const double a : {0.01, 0.5, 2.0, 6.0}) {
        const auto expected = [a](double x) {  // as a logit
            const double win = 1 / (1 + std::exp(a - x)), loss = 1 / (1 + std::exp(a + x));
            return std::log((1 + win - loss) / (1 - win + loss));
        };
        const double drawishness = std::log(std::cosh(a) - 1);
        for (const double x : {-6.0, -1.5, -0.1, 0.0, 0.7, 3.0}) {
            CHECK(with_contempt(expected(x), drawishness, 0) == doctest::Approx(expected(x)));
            for (const double d : {-2.0, 0.6, 3.0}) CHECK(with_contempt(expected(x), drawishness, d) == doctest::Approx(expected(x + d)));
        }
    }
    for (const double value : {-30.0, 30.0}) CHECK(std::abs(with_contempt(value, 50, 4)) < 13);
}

TEST_CASE("a player with contempt fears draws where the network sees them coming") {
    Random random(5);
    EngineWeights weights = only_network(random_network(random));
    const auto geometry = std::make_shared<const Geometry>(Game{10, 10, 5, false});
    const auto game = some_game(geometry, random, 30);
    const auto values_with = [&](int contempt) {
        FreeModel model(geometry, std::make_shared<const ThreatTables>(5, weights));
        model.set_contempt(contempt);
        std::vector<Score> values;
        for (const Cell cell : game) {
            values.push_back(model.turn() == Seat::first ? model.value() : -model.value());
            model.make(cell);
        }
        return values;
    };
    std::vector<std::vector<Score>> seen;
    for (const std::int16_t drawish : {-30000, 0, 10000}) {
        weights.network.draws.assign(NetworkWeights::channels + 2, 0);
        weights.network.draws.back() = drawish;
        const std::vector<Score> plain = values_with(0), first = values_with(100), second = values_with(-100);
        seen.emplace_back();
        for (std::size_t i = 0; i < plain.size(); ++i) {
            if (std::abs(plain[i]) > 2000) continue;
            CHECK(first[i] > plain[i]);
            CHECK(second[i] < plain[i]);
            seen.back().push_back(first[i] - plain[i]);
        }
    }
    REQUIRE(seen[0].size() > 5);
    for (std::size_t i = 0; i < seen[0].size(); ++i) {
        CHECK(seen[0][i] == doctest::Approx(1000).epsilon(0.01));  // no draws: all values move alike
        CHECK(seen[1][i] < seen[0][i]);
        CHECK(seen[2][i] < seen[1][i]);
    }
}
