// How the time of each operation of the core grows: one CSV line for each operation and setting, in nanoseconds.
//
// An operation is measured along sweeps. In each of them one thing grows and the rest stays, as far as it can:
//
//     k        K from 3 to 48 on 128 x 128, always with the same cells, so far from the edges that all their windows exist
//     cells    boards of K = 5 (or as the operation says) from 12 x 12 to 128 x 128, one cell in 32 with a stone
//     stones   the same boards with 16 stones on each
//     free     48 x 48 with K = 8, from almost full to almost empty
//     q        64 x 64 with K = 5, q from 1 to 512
//     line     lines of 72 to 128 cells, K = 5
//     columns  boards of 32 rows with gravity, K = 5
//
// No position has a cell that wins at once, so that no order stops early. All measurements of a round follow each other, round
// after round, and the median over the rounds is printed: what disturbs the machine for a moment disturbs no operation in particular.
// The time is the processor's, so that waiting for it does not count.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "inarow/chains.hpp"
#include "inarow/orders.hpp"
#include "inarow/tactics.hpp"

using namespace inarow;

namespace {

constexpr int rounds = 19;
constexpr std::clock_t shortest_measurement = CLOCKS_PER_SEC / 1000;
constexpr std::size_t cells_tried = 64;
constexpr int cells_a_stone = 32;
constexpr int few_stones = 16;
constexpr int usual_q = 7;

// What a measurement is made on. Only cells at least `margin` away from the edges are tried.
struct Setting {
    Game game;
    int free;
    int margin;
    int q = usual_q;
};

// A position of a setting, and the free cells on which moves are tried.
struct Start {
    Position position;
    Cells cells;
    int q;
};

// Runs itself for a while; the nanoseconds that one operation took.
using Measurement = std::function<double()>;

// Makes the compiler believe that a value is used.
template <class Value>
void keep(const Value& value) {
    asm volatile("" : : "r,m"(value) : "memory");
}

// Repeats a pass of so many operations until the clock can tell its length.
template <class Pass>
double nanoseconds(std::size_t operations, Pass&& pass) {
    pass();  // brings back to the caches what the other measurements drove out
    for (std::size_t passes = 1;; passes *= 2) {
        const std::clock_t begin = std::clock();
        for (std::size_t i = 0; i < passes; ++i) pass();
        const std::clock_t elapsed = std::clock() - begin;
        if (elapsed >= shortest_measurement) {
            return 1e9 / CLOCKS_PER_SEC * static_cast<double>(elapsed) / static_cast<double>(passes * operations);
        }
    }
}

// --- Positions ---------------------------------------------------------------------------------------------------------------------

Position position_with(const std::shared_ptr<const Geometry>& geometry, int free, std::mt19937& random) {
    Position position(geometry);
    Cells playable;
    const int wanted = geometry->cells() - free;
    for (int refused = 0; position.ply() < wanted && refused < 100 * geometry->cells();) {
        playable.clear();
        position.for_each_playable([&](Cell cell) { playable.push_back(cell); });
        position.make(playable[random() % playable.size()]);
        if (position.winner() || winning_cell(position, other(position.turn())) != no_cell) {
            position.unmake();
            ++refused;
        }
    }
    if (position.ply() < wanted) {
        std::fprintf(stderr, "no position with %d free cells was found\n", free);
        std::exit(1);
    }
    return position;
}

Start start_of(const Setting& setting) {
    std::mt19937 random(20260101);
    const Game& game = setting.game;
    Position position = position_with(std::make_shared<const Geometry>(game), setting.free, random);
    Cells cells;
    position.for_each_playable([&](Cell cell) {
        const int row = cell / game.columns, column = cell % game.columns;
        const int from_edge = std::min({row, column, game.rows - 1 - row, game.columns - 1 - column});
        if (game.gravity || from_edge >= setting.margin) cells.push_back(cell);
    });
    std::shuffle(cells.begin(), cells.end(), random);
    if (cells.size() > cells_tried) cells.resize(cells_tried);
    return {std::move(position), std::move(cells), setting.q};
}

// --- Operations --------------------------------------------------------------------------------------------------------------------

// Values of windows by their code; `value` sees first's and second's stones.
template <class Value>
std::vector<std::int32_t> by_counts(const Position& position, Value&& value) {
    std::vector<std::int32_t> values;
    const int side = position.game().k + 1;
    for (int code = 0; code < side * side; ++code) values.push_back(value(code % side, code / side));
    return values;
}

std::vector<std::int32_t> differences(const Position& position) {
    return by_counts(position, [](int first, int second) { return first - second; });
}

std::vector<std::int32_t> helpfulness(const Position& position) {
    return by_counts(position, [](int first, int second) { return (second ? 0 : 1 + first) + (first ? 0 : 1 + second); });
}

Measurement mark_and_unmark(const Start& start) {
    return [windows = start.position.windows(), seat = start.position.turn(), cells = start.cells]() mutable {
        return nanoseconds(cells.size(), [&] {
            for (const Cell cell : cells) {
                keep(windows.mark(cell, seat));
                windows.unmark(cell, seat);
            }
        });
    };
}

// A move and its taking back, with something that follows the position.
template <class Following>
Measurement moves_with(const Start& start, Following following) {
    return [position = start.position, cells = start.cells, following]() mutable {
        return nanoseconds(cells.size(), [&] {
            for (const Cell cell : cells) {
                following.before_make(position, cell);
                position.make(cell);
                following.after_make(position, cell);
                keep(position.is_over());
                position.unmake();
                following.after_unmake(position, cell);
            }
        });
    };
}

// The same without the move, for what works before a stone is put and after it is taken off.
template <class Following>
Measurement update_of(const Start& start, Following following) {
    return [position = start.position, cells = start.cells, following]() mutable {
        return nanoseconds(cells.size(), [&] {
            for (const Cell cell : cells) {
                following.before_make(position, cell);
                keep(following);
                following.after_unmake(position, cell);
            }
        });
    };
}

template <class Order, class Evaluation>
Measurement moves_by(const Start& start, Order order, Evaluation evaluation) {
    return [position = start.position, order, evaluation, moves = Cells()]() mutable {
        const StopFlag stop;
        Watch watch({}, stop, look_interval(position.geometry().cells()));  // without limits
        return nanoseconds(1, [&] {
            moves.clear();
            order.append(position, evaluation, false, moves, watch);
            keep(moves.data());
        });
    };
}

Measurement recount(const Start& start) {
    return [position = start.position, evaluation = CrossingsEvaluation(start.position, differences(start.position))] {
        return nanoseconds(1, [&] { keep(evaluation.value(position)); });
    };
}

Measurement reports_of_cells(const Start& start) {
    return [position = start.position] { return nanoseconds(1, [&] { keep(cell_reports(position).data()); }); };
}

struct Operation {
    const char* name;
    std::vector<const char*> sweeps;
    std::function<Measurement(const Start&)> prepare;
    int smallest_k = 3;
    int largest_k = max_side;
    int largest_side = max_side;
    int cells_k = 5;  // K where M x N grows
};

std::vector<Operation> all_operations() {
    using S = const Start&;
    const auto windows = [](S s) { return WindowsEvaluation(s.position, differences(s.position)); };
    const auto forced = [](S s) { return ForcedOrder(s.position, helpfulness(s.position)); };
    const auto chains = [](S s) { return update_of(s, ChainsEvaluation(s.position)); };
    const auto by_evaluation = [=](S s) { return moves_by(s, EvaluationOrder(), windows(s)); };
    const auto mics = [](S s) { return moves_with(s, MicsEvaluation(s.position)); };
    return {
        {"windows mark+unmark", {"k", "cells", "free"}, mark_and_unmark},
        {"position make+unmake", {"k", "cells", "free"}, [](S s) { return moves_with(s, Follower()); }},
        {"window sum update", {"k", "cells", "free"}, [=](S s) { return update_of(s, windows(s)); }},
        {"cell sums update", {"k", "cells", "free"}, [=](S s) { return update_of(s, forced(s)); }},
        {"mics update by table", {"k", "cells"}, mics, 3, 5},
        {"mics update by sliding", {"k", "cells", "free"}, mics, 6, max_side, max_side, 8},
        {"chains update remembered", {"cells", "free"}, chains, 3, max_side, 64},
        {"chains update computed", {"k", "line"}, chains},
        {"crossings recount", {"k", "cells", "free"}, recount},
        {"near cells update", {"cells", "free"}, [](S s) { return moves_with(s, NearOrder(s.position)); }},
        {"cell reports", {"k", "cells", "free"}, reports_of_cells},
        {"plain order", {"cells", "free"}, [=](S s) { return moves_by(s, PlainOrder(), 0); }},
        {"near order", {"cells", "stones", "free"}, [=](S s) { return moves_by(s, NearOrder(s.position), 0); }},
        {"forced order", {"k", "cells", "free"}, [=](S s) { return moves_by(s, forced(s), 0); }},
        {"evaluation order", {"k", "cells", "free"}, by_evaluation},
        {"evaluation order with gravity", {"columns"}, by_evaluation},
        {"best order", {"k", "cells", "free", "q"},
         [](S s) { return moves_by(s, MicsOrder(s.position, s.q, s.q), MicsEvaluation(s.position)); }},
    };
}

// --- Sweeps ------------------------------------------------------------------------------------------------------------------------

std::vector<Setting> settings_of(const std::string& sweep, int cells_k) {
    const auto square = [](int side, int k) { return Game{side, side, k, false}; };
    const auto usual_free = [](const Game& game) { return game.cells() - game.cells() / cells_a_stone; };
    std::vector<Setting> settings;
    if (sweep == "k") {
        for (const int k : {3, 4, 5, 6, 8, 12, 16, 24, 32, 48}) settings.push_back({square(128, k), usual_free(square(128, k)), 47});
    } else if (sweep == "cells" || sweep == "stones") {
        for (const int side : {12, 16, 24, 32, 48, 64, 96, 128}) {
            const Game game = square(side, cells_k);
            const int free = sweep == "cells" ? usual_free(game) : game.cells() - few_stones;
            settings.push_back({game, free, std::min(cells_k - 1, side / 2 - 2)});
        }
    } else if (sweep == "free") {
        for (const int free : {64, 128, 256, 512, 1024, 2048}) settings.push_back({square(48, 8), free, 7});
    } else if (sweep == "q") {
        for (int q = 1; q <= 512; q *= 2) settings.push_back({square(64, 5), usual_free(square(64, 5)), 4, q});
    } else if (sweep == "line") {
        for (int side = 72; side <= 128; side += 8) settings.push_back({square(side, 5), usual_free(square(side, 5)), side / 2 - 4});
    } else if (sweep == "columns") {
        for (const int columns : {8, 12, 16, 24, 32, 48, 64, 96, 128}) {
            const Game game{32, columns, 5, true};
            settings.push_back({game, usual_free(game), 0});
        }
    }
    return settings;
}

struct Case {
    const char* operation;
    const char* sweep;
    Setting setting;
    Measurement measurement;
    std::vector<double> times;
};

std::vector<Case> all_cases() {
    std::map<std::tuple<int, int, int, int, int, int>, Start> starts;  // several operations share a setting
    std::vector<Case> cases;
    for (const Operation& operation : all_operations()) {
        for (const char* sweep : operation.sweeps) {
            for (const Setting& setting : settings_of(sweep, operation.cells_k)) {
                const Game& game = setting.game;
                if (game.k < operation.smallest_k || game.k > operation.largest_k || game.columns > operation.largest_side) continue;
                const std::tuple key{game.rows, game.columns, game.k, setting.free, setting.margin, setting.q};
                auto found = starts.find(key);
                if (found == starts.end()) found = starts.emplace(key, start_of(setting)).first;
                cases.push_back({operation.name, sweep, setting, operation.prepare(found->second), {}});
            }
        }
    }
    return cases;
}

}  // namespace

int main() {
    std::vector<Case> cases = all_cases();
    for (int round = 0; round < rounds; ++round) {
        for (Case& one : cases) one.times.push_back(one.measurement());
    }
    std::printf("operation,sweep,rows,columns,k,free,q,nanoseconds\n");
    for (Case& one : cases) {
        const auto middle = one.times.begin() + rounds / 2;
        std::nth_element(one.times.begin(), middle, one.times.end());
        const Game& game = one.setting.game;
        std::printf("%s,%s,%d,%d,%d,%d,%d,%.1f\n", one.operation, one.sweep, game.rows, game.columns, game.k, one.setting.free,
                    one.setting.q, *middle);
    }
    return 0;
}
