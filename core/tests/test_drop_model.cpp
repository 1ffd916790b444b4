// The engine under gravity: its model against a plain board, its decided scores against the solver's.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "defences.hpp"
#include "inarow/drop_model.hpp"
#include "inarow/drop_solver.hpp"
#include "inarow/engine.hpp"
#include "inarow/engine_search.hpp"
#include "model.hpp"

using namespace inarow;
using namespace inarow::testing;
using Plain = inarow::testing::Model;

namespace {

std::shared_ptr<const DropTables> tables_for(const Game& game) { return std::make_shared<const DropTables>(game.k, EngineWeights::handmade()); }

// A plain board on which either seat may be the one to put a stone.
class Stones {
public:
    explicit Stones(const Plain& plain) : game_(plain.game()) {
        for (Cell cell = 0; cell < game_.cells(); ++cell) stones_.push_back(plain.stone(cell));
    }

    void put(Cell cell, Seat seat) { stones_[static_cast<std::size_t>(cell)] = seat; }
    void take(Cell cell) { stones_[static_cast<std::size_t>(cell)].reset(); }

    bool is_playable(Cell cell) const { return !at(cell) && (cell + game_.columns >= game_.cells() || at(cell + game_.columns)); }

    bool wins(Cell cell, Seat seat) const {
        return std::ranges::any_of(directions, [&](const Direction& step) {
            int run = 1;
            for (const int sign : {-1, 1}) {
                int row = cell / game_.columns + sign * step.row_step, column = cell % game_.columns + sign * step.column_step;
                for (; 0 <= row && row < game_.rows && 0 <= column && column < game_.columns && at(row * game_.columns + column) == seat; ++run) {
                    row += sign * step.row_step;
                    column += sign * step.column_step;
                }
            }
            return run >= game_.k;
        });
    }

    std::vector<Cell> winning_cells(Seat seat) const {
        std::vector<Cell> found;
        for (Cell cell = 0; cell < game_.cells(); ++cell) {
            if (is_playable(cell) && wins(cell, seat)) found.push_back(cell);
        }
        return found;
    }

    // What a stone makes: nothing, a four, or a double, by trying every reply.
    enum class Makes { nothing, four, double_four };
    Makes makes(Cell cell, Seat seat) {
        put(cell, seat);
        const Cell above = cell - game_.columns;
        Makes made = Makes::nothing;
        const std::vector<Cell> winning = winning_cells(seat);
        if (!(above >= 0 && wins(above, other(seat))) && !winning.empty()) {
            made = Makes::double_four;
            for (const Cell reply : winning) {  // any other reply loses at once
                put(reply, other(seat));
                if (winning_cells(seat).empty()) made = Makes::four;
                take(reply);
            }
        }
        take(cell);
        return made;
    }

private:
    std::optional<Seat> at(Cell cell) const { return stones_[static_cast<std::size_t>(cell)]; }

    Game game_;
    std::vector<std::optional<Seat>> stones_;
};

bool is_dead(const Geometry& geometry, const Plain& plain) {
    for (int window = 0; window < geometry.windows(); ++window) {
        const int code = recounted_code(geometry, plain, window), base = geometry.game().k + 1;
        if (code % base == 0 || code / base == 0) return false;
    }
    return true;
}

std::vector<Cell> cells_of(const RankedMoves& moves) {
    std::vector<Cell> cells;
    for (const RankedMove& move : moves) cells.push_back(move.cell);
    return sorted(cells);
}

// The first answer of the model that is not the plain board's, in words. The game must not be over.
std::string difference(const DropModel& model, const Geometry& geometry, const Plain& plain) {
    Stones stones(plain);
    if (model.turn() != plain.turn()) return "turn";
    if (model.key() != recomputed_keys(geometry, plain)[0]) return "key";
    if (model.is_drawn() != is_dead(geometry, plain)) return "is_drawn";
    const std::vector<Cell> playable = plain.playable_cells();
    if (model.legal_moves() != std::ssize(playable)) return "legal_moves";
    if (model.free_cells() != plain.game().cells() - std::ssize(plain.moves())) return "free_cells";
    for (Cell cell = -1; cell <= geometry.cells(); ++cell) {
        if (model.is_legal(cell) != plain.is_playable(cell)) return "is_legal of cell " + std::to_string(cell);
    }
    for (const Seat seat : {Seat::first, Seat::second}) {
        const std::vector<Cell> winning = stones.winning_cells(seat);
        if (model.wins(seat) != std::ssize(winning)) return "wins";
        if (winning.empty() != (model.winning_cell(seat) == no_cell)) return "winning_cell";
        if (!winning.empty() && std::ranges::find(winning, model.winning_cell(seat)) == winning.end()) return "winning_cell";
        std::vector<Cell> fours, doubles;
        for (const Cell cell : playable) {
            if (seat == plain.turn() && model.wins_at(cell) != stones.wins(cell, seat)) return "wins_at";
            const Stones::Makes makes = stones.makes(cell, seat);
            if (makes != Stones::Makes::nothing) fours.push_back(cell);
            if (makes == Stones::Makes::double_four) doubles.push_back(cell);
            if (seat == plain.turn() && model.makes_four(cell) != (makes != Stones::Makes::nothing)) return "makes_four";
            if (seat == plain.turn() && makes != Stones::Makes::nothing && !model.makes_threat(cell)) return "makes_threat";
        }
        if (model.fours(seat) != std::ssize(fours)) return "fours";
        if (model.has_double(seat) != !doubles.empty()) return "has_double";
        if (!doubles.empty() && std::ranges::find(doubles, model.double_cell(seat)) == doubles.end()) return "double_cell";
        if (seat != plain.turn()) continue;
        RankedMoves moves;
        model.append_fours(moves, false);
        if (cells_of(moves) != fours) return "append_fours";
        moves.clear();
        model.append_moves(moves);
        if (cells_of(moves) != playable) return "append_moves";
        const auto best = std::ranges::max_element(moves, {}, &RankedMove::rank);
        const std::vector<Cell> safe = plain.safe_cells();
        if (winning.empty() && stones.winning_cells(other(seat)).empty() && !safe.empty() && std::ranges::find(safe, best->cell) == safe.end()) {
            return "the best ranked move lets the other win on top of it";
        }
    }
    return "";
}

std::vector<Game> gravity_shapes() {
    std::vector<Game> games;
    for (int k = 2; k <= 6; ++k) {
        for (const auto& [rows, columns] : {std::pair{2, 3}, {4, 4}, {6, 7}, {7, 6}, {5, 9}, {8, 8}, {10, 10}}) games.push_back({rows, columns, k, true});
    }
    for (const Game& game : shapes()) {
        if (game.gravity) games.push_back(game);
    }
    return games;
}

}  // namespace

TEST_CASE("the model of gravity says what a plain board says, forward and back") {
    for (const Game& game : gravity_shapes()) {
        CAPTURE(name(game));
        const auto geometry = std::make_shared<const Geometry>(game);
        const bool is_large = game.cells() > 150;
        for (unsigned seed = 0; seed < (is_large ? 2u : 12u); ++seed) {
            CAPTURE(seed);
            Random random(seed);
            DropModel model(geometry, tables_for(game));
            Plain plain(game);
            std::vector<Score> values;
            while (!plain.is_over() && std::ssize(plain.moves()) < (is_large ? 40 : 100)) {
                if (!is_large || plain.moves().size() % 8 == 0) REQUIRE(difference(model, *geometry, plain) == "");
                values.push_back(model.value());
                const std::vector<Cell> playable = plain.playable_cells();
                Cell cell = playable[static_cast<std::size_t>(below(random, static_cast<int>(playable.size())))];
                if (seed % 3 > 0 && playable.size() > 1) {  // towards the middle, and keeping off wins: longer games with more threats
                    const Cell another = playable[static_cast<std::size_t>(below(random, static_cast<int>(playable.size())))];
                    if (plain.in_run(cell, plain.turn())) cell = another;
                }
                plain.make(cell);
                model.make(cell);
            }
            while (!plain.moves().empty()) {
                plain.unmake();
                model.unmake();
                if (!is_large) REQUIRE(difference(model, *geometry, plain) == "");
                if (!values.empty()) REQUIRE(model.value() == values[plain.moves().size()]);
            }
        }
    }
}

TEST_CASE("a mirrored position is worth as much") {
    for (const Game& game : {Game{6, 7, 4, true}, Game{8, 8, 4, true}, Game{5, 5, 3, true}, Game{9, 7, 5, true}}) {
        const auto geometry = std::make_shared<const Geometry>(game);
        Random random(7);
        for (int round = 0; round < 20; ++round) {
            Position position(geometry);
            DropModel model(geometry, tables_for(game)), image(geometry, tables_for(game));
            RandomMoves moves(*geometry, random());
            while (!position.is_over()) {
                REQUIRE(model.value() == image.value());
                const Cell cell = moves.next(position);
                position.make(cell);
                model.make(cell);
                image.make(geometry->image(mirror_bit, cell));
            }
        }
    }
}

TEST_CASE("under gravity no move outside the defences stops a line of fours") {
    const StopFlag stop;
    Watch watch({}, stop, 64);
    DefenceCounts counts;
    for (const Game& game : {Game{6, 7, 4, true}, Game{8, 8, 4, true}, Game{5, 12, 4, true}, Game{4, 6, 3, true}, Game{9, 9, 5, true}}) {
        CAPTURE(name(game));
        const auto geometry = std::make_shared<const Geometry>(game);
        for (unsigned seed = 0; seed < 500; ++seed) {
            CAPTURE(seed);
            Random random(seed);
            Position position(geometry);
            DropModel model(geometry, tables_for(game));
            const int plies = below(random, game.cells());
            RandomMoves choice(*geometry, seed);
            while (position.ply() < plies) {
                const Cell cell = choice.next(position);
                position.make(cell);
                if (position.is_over()) break;
                model.make(cell);
            }
            if (position.is_over() || model.wins(Seat::first) + model.wins(Seat::second) > 0) continue;
            check_defences(model, watch, counts);
        }
    }
    CHECK(counts.threatened > 100);
    CHECK(counts.vain > 300);
}

TEST_CASE("what the engine calls decided under gravity is what the solver finds, whatever is switched off") {
    const StopFlag stop;
    int decided = 0;
    for (const Game& game : {Game{3, 3, 3, true}, Game{4, 4, 3, true}, Game{4, 5, 4, true}, Game{5, 4, 4, true}, Game{5, 5, 4, true}, Game{6, 6, 4, true},
                             Game{6, 7, 4, true}, Game{4, 9, 4, true}, Game{6, 6, 5, true}, Game{3, 8, 3, true}, Game{4, 3, 2, true}, Game{7, 5, 3, true}}) {
        CAPTURE(name(game));
        const auto geometry = std::make_shared<const Geometry>(game);
        const auto solver = DropSolver::make(game, std::size_t{1} << 22);
        Random random(11);
        for (int round = 0; round < 60; ++round) {
            const int least = game.cells() > 30 ? game.cells() / 2 : 0;
            const int plies = least + below(random, game.cells() - least);
            Position position(geometry);
            for (int tries = 0; position.ply() < plies && tries < 500; ++tries) {
                const Cell cell = position.landing(below(random, game.columns));
                if (cell == no_cell) continue;
                position.make(cell);
                if (position.is_over()) position.unmake();
            }
            const std::vector<Cell> moves(position.moves().begin(), position.moves().end());
            CAPTURE(moves);
            Engine::Options options;
            options.memory_bytes = std::size_t{1} << 20;
            options.threads = round % 5 == 0 ? 2 : 1;
            if (round % 2 == 1) {
                for (unsigned h = 0; h < static_cast<unsigned>(Heuristic::count); ++h) {
                    if (below(random, 2) == 0) options.heuristics.switch_off(static_cast<Heuristic>(h));
                }
            }
            Limits limits;
            limits.nodes = 20 << below(random, 11);
            if (round % 3 == 0) limits.depth = 1 + below(random, 12);
            const EngineResult result = Engine::make(geometry, options, EngineWeights::handmade())->search({moves, 1}, limits, stop);
            REQUIRE(position.is_legal(result.move));
            const Score score = result.lines.front().score;
            if (!is_decided(score)) continue;
            ++decided;
            std::vector<int> columns;
            for (const Cell cell : moves) columns.push_back(cell % game.columns);
            const int truth = solver->solve({columns, -max_cells, max_cells, 1}, {}, stop, nullptr).lower;
            REQUIRE(truth != 0);
            REQUIRE((truth > 0) == (score > 0));
            // The solver counts the winner's stones from the end, the engine plies from here.
            const int free = game.cells() - position.ply();
            const int stones = truth > 0 ? (free + 1) / 2 - truth + 1 : free / 2 + truth + 1;
            CHECK(won - std::abs(score) >= (truth > 0 ? 2 * stones - 1 : 2 * stones));
        }
    }
    CHECK(decided > 250);
}

TEST_CASE("what parity says without a search is true") {
    const StopFlag stop;
    int never_wins = 0, loses = 0;
    for (const Game& game : {Game{4, 4, 3, true}, Game{4, 5, 4, true}, Game{5, 5, 4, true}, Game{6, 7, 4, true}, Game{7, 6, 4, true}, Game{5, 7, 4, true}, Game{6, 6, 5, true}}) {
        CAPTURE(name(game));
        const auto geometry = std::make_shared<const Geometry>(game);
        const auto solver = DropSolver::make(game, std::size_t{1} << 22);
        Random random(3);
        for (int round = 0; round < 200; ++round) {
            Position position(geometry);
            DropModel model(geometry, tables_for(game));
            std::vector<int> columns;
            const int plies = game.cells() / 2 + below(random, game.cells() / 2);
            for (int tries = 0; position.ply() < plies && tries < 300; ++tries) {
                const int column = below(random, game.columns);
                const Cell cell = position.landing(column);
                if (cell == no_cell) continue;
                position.make(cell);
                if (position.is_over()) {
                    position.unmake();
                } else {
                    model.make(cell);
                    columns.push_back(column);
                }
            }
            const Outlook outlook = model.outlook();
            if (model.wins(model.turn()) > 0 || outlook.may_win) continue;
            CAPTURE(columns);
            ++never_wins;
            const int truth = solver->solve({columns, -max_cells, max_cells, 1}, {}, stop, nullptr).lower;
            REQUIRE(truth <= 0);
            if (outlook.loses_in == 0) continue;
            ++loses;
            REQUIRE(truth < 0);
            CHECK(outlook.loses_in >= 2 * (model.free_cells() / 2 + truth + 1));
        }
    }
    CHECK(never_wins > 100);
    CHECK(loses > 20);
}

TEST_CASE("under gravity a win comes nearer with every move, whoever defends") {
    const StopFlag stop;
    int wins = 0;
    for (const Game& game : {Game{6, 7, 4, true}, Game{8, 8, 4, true}, Game{5, 5, 3, true}, Game{7, 7, 4, true}, Game{9, 12, 5, true}}) {
        CAPTURE(name(game));
        const auto geometry = std::make_shared<const Geometry>(game);
        for (unsigned seed = 0; seed < 8; ++seed) {
            CAPTURE(seed);
            Random random(seed);
            Engine::Options options;
            options.memory_bytes = std::size_t{1} << 20;
            const auto engine = Engine::make(geometry, options, EngineWeights::handmade());
            Limits limits;
            limits.nodes = 4000;
            Position position(geometry);
            int plies = max_cells;
            while (!position.is_over()) {
                const std::vector<Cell> moves(position.moves().begin(), position.moves().end());
                CAPTURE(moves);
                if (position.turn() == Seat::second) {
                    const std::vector<Cell> playable = playable_cells(position);
                    position.make(playable[static_cast<std::size_t>(below(random, static_cast<int>(playable.size())))]);
                    continue;
                }
                const EngineResult found = engine->search({moves, 1}, limits, stop);
                const Score score = found.lines.front().score;
                if (plies < max_cells) {
                    REQUIRE(is_won(score));
                    REQUIRE(won - score <= plies - 2);
                }
                if (is_won(score)) plies = won - score;
                position.make(found.move);
            }
            if (plies == max_cells) continue;
            ++wins;
            CHECK(position.winner() == Seat::first);
        }
    }
    CHECK(wins > 30);
}
