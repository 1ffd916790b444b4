#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

#include "inarow/position.hpp"
#include "inarow/window_sum.hpp"
#include "model.hpp"

using namespace inarow;
using namespace inarow::testing;

namespace {

// How many plies of a game are checked: all on most boards, a dozen on the largest.
std::int64_t checked_plies(const Geometry& geometry) {
    constexpr std::int64_t cost_a_game = 7'000'000;
    return cost_a_game / difference_cost(geometry);
}

std::shared_ptr<const Geometry> geometry_of(const Game& game) { return std::make_shared<const Geometry>(game); }

std::optional<Seat> builder_of(std::uint64_t seed) {
    constexpr std::array<std::optional<Seat>, 4> builders{std::nullopt, Seat::first, std::nullopt, Seat::second};
    return builders[seed % builders.size()];
}

// The position's image under each symmetry, played along with it, must have the key the position says it has.
void check_images(const Position& position, const std::vector<Position>& images) {
    for (std::size_t s = 0; s < images.size(); ++s) {
        CAPTURE(s);
        REQUIRE(images[s].keys()[0] == position.keys()[s]);
        REQUIRE(images[s].canonical_key() == position.canonical_key());
        REQUIRE(images[s].winner() == position.winner());
    }
}

// Plays a game, checks every ply of it, takes it back and checks that too. Returns the winner.
std::optional<Seat> check_game(const std::shared_ptr<const Geometry>& geometry, std::uint64_t seed) {
    RandomMoves moves(*geometry, seed, builder_of(seed));
    Position position(geometry);
    Model model(geometry->game());
    std::vector<Position> images(static_cast<std::size_t>(geometry->symmetries()), position);
    std::vector<Snapshot> before;

    REQUIRE(difference(position, model) == "");
    check_images(position, images);
    while (!position.is_over() && position.ply() < checked_plies(*geometry)) {
        before.emplace_back(position);
        const Cell cell = moves.next(position);
        position.make(cell);
        model.make(cell);
        for (std::size_t s = 0; s < images.size(); ++s) images[s].make(geometry->image(static_cast<int>(s), cell));
        CAPTURE(position.ply());
        REQUIRE(difference(position, model) == "");
        check_images(position, images);
    }
    const std::optional<Seat> winner = position.winner();
    while (position.ply() > 0) {
        CAPTURE(position.ply());
        position.unmake();
        const bool restored = Snapshot(position) == before.back();
        REQUIRE(restored);
        before.pop_back();
    }
    return winner;
}

// Values for WindowSum: any numbers will do, as long as different codes have different ones.
std::vector<std::int32_t> random_values(const Game& game, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::int32_t> values;
    for (int code = 0; code < (game.k + 1) * (game.k + 1); ++code) values.push_back(below(random, 2'000'000) - 1'000'000);
    return values;
}

}  // namespace

TEST_CASE("a position agrees with the plain model at every ply, and unmake restores everything") {
    std::array<std::array<int, 2>, 2> wins{};  // [gravity][seat]
    for (const Game& game : shapes()) {
        const std::string shown = name(game);
        CAPTURE(shown);
        const auto geometry = geometry_of(game);
        const bool is_large = game.cells() > 400;
        int won = 0;
        for (std::uint64_t seed = 1; seed <= (is_large ? 4u : 8u); ++seed) {
            CAPTURE(seed);
            if (const auto winner = check_game(geometry, seed)) {
                ++won;
                ++wins[game.gravity][static_cast<std::size_t>(index(*winner))];
            }
        }
        if (geometry->windows() == 0) CHECK(won == 0);
        if (is_large && !game.gravity && checked_plies(*geometry) >= 2 * game.k) CHECK(won == 2);  // those with a builder
    }
    for (const auto& by_seat : wins) {
        for (const int count : by_seat) CHECK(count > 20);  // or the test has not seen what it is for
    }
}

TEST_CASE("winning and safe cells are those that trying out every move finds") {
    int threats = 0;
    int without_safety = 0;
    for (const Game& game : shapes_up_to(64)) {
        const std::string shown = name(game);
        CAPTURE(shown);
        const auto geometry = geometry_of(game);
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            CAPTURE(seed);
            RandomMoves moves(*geometry, seed, builder_of(seed));
            Position position(geometry);
            Model model(game);
            for (;;) {
                CAPTURE(position.ply());
                for (const Seat seat : {Seat::first, Seat::second}) {
                    REQUIRE(sorted(position.winning_cells(seat)) == model.winning_cells(seat));
                }
                REQUIRE(sorted(position.safe_cells()) == model.safe_cells());
                threats += !model.winning_cells(other(model.turn())).empty();
                without_safety += !model.is_over() && model.safe_cells().empty();
                if (position.is_over()) break;
                for (const Cell cell : playable_cells(position)) {
                    const std::vector<Cell> winning = position.winning_cells(position.turn());
                    position.make(cell);
                    const bool wins = position.winner().has_value();
                    position.unmake();
                    REQUIRE(wins == (std::ranges::count(winning, cell) == 1));
                }
                const Cell cell = moves.next(position);
                position.make(cell);
                model.make(cell);
            }
        }
    }
    CHECK(threats > 100);
    CHECK(without_safety > 100);
}

TEST_CASE("a stone right below a cell that wins for the opponent is not safe") {
    // . . . . . . .
    // O O O * . . .      the second seat wins on *, once somebody has played below it
    // X O X . . X X
    Position position(geometry_of({6, 7, 4, true}));
    for (const int column : {0, 1, 2, 0, 5, 1, 6, 2}) position.make(position.landing(column));
    CHECK(position.winning_cells(Seat::second).empty());
    std::vector<int> safe_columns;
    for (const Cell cell : position.safe_cells()) safe_columns.push_back(cell % 7);
    CHECK(safe_columns == std::vector<int>{0, 1, 2, 4, 5, 6});

    position.make(position.landing(3));
    CHECK(position.winning_cells(Seat::second) == std::vector<Cell>{4 * 7 + 3});
}

TEST_CASE("playable cells may be tried in the loop that visits them") {
    for (const Game& game : {Game{3, 4, 3, false}, Game{3, 4, 3, true}}) {
        Position position(geometry_of(game));
        std::vector<Cell> visited;
        position.for_each_playable([&](Cell cell) {
            position.make(cell);
            position.for_each_playable([&](Cell answer) {
                position.make(answer);
                position.unmake();
            });
            position.unmake();
            visited.push_back(cell);
        });
        CHECK(sorted(visited) == Model(game).playable_cells());
    }
}

TEST_CASE("a run longer than k wins") {
    Position position(geometry_of({2, 7, 3, false}));
    for (const Cell cell : {0, 7, 1, 8, 3, 10, 4, 11}) position.make(cell);
    REQUIRE_FALSE(position.is_over());
    position.make(2);  // joins 0, 1 and 3, 4
    CHECK(position.winner() == Seat::first);
    CHECK(position.is_over());
    CHECK_FALSE(position.is_legal(5));
}

TEST_CASE("a copy goes its own way") {
    const auto geometry = geometry_of({6, 7, 4, true});
    Position original(geometry);
    original.make(original.landing(3));
    const Snapshot before(original);
    Position copy = original;
    copy.make(copy.landing(3));
    copy.make(copy.landing(0));
    const bool untouched = Snapshot(original) == before;
    CHECK(untouched);
    CHECK(copy.ply() == 3);
}

TEST_CASE("the window sum equals a recount after every make and after every unmake") {
    for (const Game& game : shapes_up_to(400)) {
        const std::string shown = name(game);
        CAPTURE(shown);
        const auto geometry = geometry_of(game);
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            CAPTURE(seed);
            const std::vector<std::int32_t> values = random_values(game, seed);
            RandomMoves moves(*geometry, seed, builder_of(seed));
            Position position(geometry);
            Model model(game);
            WindowSum sum(*geometry, position.windows(), values);
            REQUIRE(sum.value() == recounted_sum(*geometry, model, values));
            while (!position.is_over()) {
                const Cell cell = moves.next(position);
                sum.mark(*geometry, position.windows(), cell, position.turn());
                position.make(cell);
                model.make(cell);
                CAPTURE(position.ply());
                REQUIRE(sum.value() == recounted_sum(*geometry, model, values));
                REQUIRE(WindowSum(*geometry, position.windows(), values).value() == sum.value());
            }
            while (position.ply() > 0) {
                position.unmake();
                model.unmake();
                sum.unmark();
                CAPTURE(position.ply());
                REQUIRE(sum.value() == recounted_sum(*geometry, model, values));
            }
        }
    }
}

TEST_CASE("a window sum needs one value for each code") {
    const auto geometry = geometry_of({6, 7, 4, false});
    const Position position(geometry);
    for (const std::size_t size : {0, 1, 5, 24, 26, 50}) {
        CAPTURE(size);
        const std::vector<std::int32_t> values(size, 1);
        CHECK_THROWS_AS(WindowSum(*geometry, position.windows(), values), std::invalid_argument);
    }
    CHECK_NOTHROW(WindowSum(*geometry, position.windows(), std::vector<std::int32_t>(25, 1)));
}
