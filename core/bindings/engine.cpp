// The engine, as Python sees it. An Engine belongs to one thread at a time; its StopFlag and its mailbox may be used from others.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>

#include "checks.hpp"
#include "inarow/engine.hpp"
#include "inarow/engine_table.hpp"
#include "inarow/free_model.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace inarow;

namespace {

// In the order of Heuristic.
constexpr const char* heuristic_names[] = {"aspiration",      "forcing_at_root", "forcing_in_nodes", "forcing_at_horizon", "threat_defence",
                                           "reverse_futility", "razoring",        "null_move",        "internal_reduction", "singular",
                                           "move_count",      "futility",        "reductions",       "history"};
static_assert(std::size(heuristic_names) == static_cast<std::size_t>(Heuristic::count));

Heuristics without(const std::vector<std::string>& names) {
    Heuristics heuristics;
    for (const std::string& name : names) {
        const auto found = std::find(std::begin(heuristic_names), std::end(heuristic_names), name);
        if (found == std::end(heuristic_names)) throw std::invalid_argument("no heuristic is called " + name);
        heuristics.switch_off(static_cast<Heuristic>(found - std::begin(heuristic_names)));
    }
    return heuristics;
}

template <std::size_t N>
void set_values(std::array<std::int16_t, N>& to, const std::vector<int>& values, const char* what) {
    if (values.size() != N) throw std::invalid_argument(std::string(what) + " must be " + std::to_string(N) + " numbers");
    for (std::size_t i = 0; i < N; ++i) {
        if (values[i] < -32768 || values[i] > 32767) throw std::invalid_argument(std::string(what) + " must fit into 16 bits");
        to[i] = static_cast<std::int16_t>(values[i]);
    }
}

template <std::size_t N>
std::vector<int> get_values(const std::array<std::int16_t, N>& from) {
    return {from.begin(), from.end()};
}

void bind_drop_weights(nb::module_& m) {
    nb::class_<DropWeights>(m, "DropWeights", "The numbers of the engine's evaluation under gravity; drop_weights.hpp says what each is.")
        .def_prop_rw("window", [](const DropWeights& self) { return get_values(self.window); },
                     [](DropWeights& self, const std::vector<int>& values) { set_values(self.window, values, "window"); })
        .def_prop_rw("attack", [](const DropWeights& self) { return get_values(self.attack); },
                     [](DropWeights& self, const std::vector<int>& values) { set_values(self.attack, values, "attack"); })
        .def_prop_rw("defence", [](const DropWeights& self) { return get_values(self.defence); },
                     [](DropWeights& self, const std::vector<int>& values) { set_values(self.defence, values, "defence"); })
        .def_rw("own_row", &DropWeights::own_row)
        .def_rw("others_row", &DropWeights::others_row)
        .def_rw("column", &DropWeights::column)
        .def_rw("leader_sound", &DropWeights::leader_sound)
        .def_rw("leader_unsound", &DropWeights::leader_unsound)
        .def_rw("follower_sound", &DropWeights::follower_sound)
        .def_rw("follower_unsound", &DropWeights::follower_unsound)
        .def_rw("stacked", &DropWeights::stacked)
        .def_rw("height", &DropWeights::height)
        .def_rw("turn", &DropWeights::turn)
        .def_rw("above_other", &DropWeights::above_other)
        .def_rw("not_best", &DropWeights::not_best)
        .def_rw("follower_answered", &DropWeights::follower_answered)
        .def_rw("scale", &DropWeights::scale)
        .def_rw("four", &DropWeights::four)
        .def_rw("gives_win", &DropWeights::gives_win)
        .def_rw("gives_threat", &DropWeights::gives_threat);
}

void bind_weights(nb::module_& m) {
    nb::class_<EngineWeights>(m, "EngineWeights", "The numbers of the engine's evaluation and order of moves; threats.hpp says what each is.")
        .def_static("handmade", &EngineWeights::handmade)
        .def_prop_rw("moving", [](const EngineWeights& self) { return get_values(self.moving); },
                     [](EngineWeights& self, const std::vector<int>& values) { set_values(self.moving, values, "moving"); })
        .def_prop_rw("waiting", [](const EngineWeights& self) { return get_values(self.waiting); },
                     [](EngineWeights& self, const std::vector<int>& values) { set_values(self.waiting, values, "waiting"); })
        .def_prop_rw("attack", [](const EngineWeights& self) { return get_values(self.attack); },
                     [](EngineWeights& self, const std::vector<int>& values) { set_values(self.attack, values, "attack"); })
        .def_prop_rw("defence", [](const EngineWeights& self) { return get_values(self.defence); },
                     [](EngineWeights& self, const std::vector<int>& values) { set_values(self.defence, values, "defence"); })
        .def_prop_rw("threats", [](const EngineWeights& self) { return get_values(self.threats); },
                     [](EngineWeights& self, const std::vector<int>& values) { set_values(self.threats, values, "threats"); })
        .def_rw("turn", &EngineWeights::turn)
        .def_rw("scale", &EngineWeights::scale)
        .def_rw("drop", &EngineWeights::drop, "For games with gravity.")
        .def("win_probability", &EngineWeights::win_probability, "score"_a, "gravity"_a);
    m.def(
        "patterns_of_code",
        [](int code) {
            std::vector<int> patterns;
            for (const LinePattern pattern : patterns_of(static_cast<Code>(checked_below("a code", code, codes)))) patterns.push_back(static_cast<int>(pattern));
            return patterns;
        },
        "code"_a, "The four line patterns of a code, ascending.");
    m.def(
        "engine_features",
        [](const Position& position) {
            if (position.game().gravity) throw std::invalid_argument("these are the features of free placement");
            const auto geometry = std::make_shared<const Geometry>(position.game());
            FreeModel model(geometry, std::make_shared<const ThreatTables>(position.game().k, EngineWeights::handmade()));
            for (const Cell cell : position.moves()) model.make(cell);
            std::vector<int> moving, waiting;
            for (Cell cell = 0; cell < geometry->cells(); ++cell) {
                if (!model.is_legal(cell)) continue;
                moving.push_back(model.board().code(model.turn(), cell));
                waiting.push_back(model.board().code(other(model.turn()), cell));
            }
            return std::tuple(moving, waiting, static_cast<int>(model.threat_mask()));
        },
        "position"_a, "What the evaluation sums over: each free cell's code for the player to move and for the other, and the threat bits.");
}

void bind_results(nb::module_& m) {
    nb::class_<EngineLine>(m, "EngineLine", "A line of play and its score for the player to move.")
        .def_ro("moves", &EngineLine::moves)
        .def_ro("score", &EngineLine::score)
        .def_prop_ro("is_exact", [](const EngineLine& self) { return self.bound == Bound::exact; }, "False: the score is a bound.")
        .def_ro("depth", &EngineLine::depth)
        .def_ro("selective_depth", &EngineLine::selective_depth);
    nb::class_<EngineReport>(m, "EngineReport", "How far a search is.")
        .def_ro("line", &EngineReport::line)
        .def_ro("number", &EngineReport::number, "0 for the best line.")
        .def_ro("nodes", &EngineReport::nodes)
        .def_ro("seconds", &EngineReport::seconds)
        .def_ro("table_use", &EngineReport::table_use, "In thousandths.");
    nb::class_<EngineResult>(m, "EngineResult", "What a search found.")
        .def_ro("move", &EngineResult::move)
        .def_ro("lines", &EngineResult::lines, "The best first.")
        .def_ro("depth", &EngineResult::depth, "The last that was finished.")
        .def_ro("nodes", &EngineResult::nodes)
        .def_ro("seconds", &EngineResult::seconds)
        .def_ro("stopped", &EngineResult::stopped)
        .def_ro("table_use", &EngineResult::table_use, "In thousandths.");
    nb::class_<ReportMailbox>(m, "ReportMailbox", "Reports on their way from a search to another thread. For one search.")
        .def(nb::init<>())
        .def("take", &ReportMailbox::take, "seconds"_a, nb::call_guard<nb::gil_scoped_release>(),
             "The oldest report, waiting at most so long for one; None when none came or no more will come.")
        .def_prop_ro("is_closed", &ReportMailbox::is_closed, "No more reports will come.");
}

struct BoundEngine {
    std::shared_ptr<const Geometry> geometry;
    std::unique_ptr<Engine> engine;
};

void bind_engine_class(nb::module_& m) {
    nb::class_<BoundEngine>(m, "Engine", "The strong player's search. For one thread at a time.")
        .def(
            "__init__",
            [](BoundEngine* self, std::shared_ptr<const Geometry> geometry, int memory_mb, int threads, const EngineWeights* weights,
               const std::vector<std::string>& without_heuristics) {
                if (memory_mb < 1) throw std::invalid_argument("memory_mb must be 1 or more");
                Engine::Options options;
                options.memory_bytes = static_cast<std::size_t>(memory_mb) << 20;
                options.threads = threads;
                options.heuristics = without(without_heuristics);
                auto engine = Engine::make(geometry, options, weights ? *weights : EngineWeights::handmade());
                new (self) BoundEngine{std::move(geometry), std::move(engine)};
            },
            "geometry"_a, nb::kw_only(), "memory_mb"_a = 64, "threads"_a = 1, "weights"_a.none() = nb::none(),
            "without"_a = std::vector<std::string>(), "`without`: names of heuristics to switch off.")
        .def(
            "search",
            [](BoundEngine& self, const std::vector<Cell>& cells, const StopFlag& stop, ReportMailbox* mailbox, std::optional<double> seconds,
               std::optional<std::int64_t> nodes, std::optional<int> depth, std::optional<double> soft_seconds, int lines, bool is_told,
               const std::vector<Cell>& lost) {
                if (lines < 1) throw std::invalid_argument("lines must be 1 or more");
                Limits limits = limits_from(seconds, nodes, depth);
                if (soft_seconds) limits.soft_seconds = *soft_seconds;
                nb::gil_scoped_release release;
                return self.engine->search({cells, lines, is_told, lost}, limits, stop, mailbox);
            },
            "cells"_a, "stop"_a, "mailbox"_a.none() = nb::none(), nb::kw_only(), "seconds"_a = nb::none(), "nodes"_a = nb::none(),
            "depth"_a = nb::none(), "soft_seconds"_a = nb::none(), "lines"_a = 1, "is_told"_a = true, "lost"_a = std::vector<Cell>(),
            "Searches the position after these moves until a limit, or until it is decided. `soft_seconds` is what it should take on average; "
            "when nobody `is_told` the result, only the table learns from it; moves that are `lost` are not looked at unless there is no other.")
        .def("value", [](BoundEngine& self, const std::vector<Cell>& cells) { return self.engine->value(cells); }, "cells"_a,
             "The value of the position after these moves for the player to move, without a search.")
        .def("clear", [](BoundEngine& self) { self.engine->clear(); }, "Forgets all it has learned.")
        .def("win_probability", [](const BoundEngine& self, Score score) { return self.engine->weights().win_probability(score, self.geometry->game().gravity); }, "score"_a);

    m.def("engine_heuristics", [] { return std::vector<std::string>(std::begin(heuristic_names), std::end(heuristic_names)); },
          "The names of all heuristics.");
    m.attr("MAX_EVALUATION") = max_evaluation;
}

}  // namespace

void bind_engine(nb::module_& m) {
    bind_drop_weights(m);
    bind_weights(m);
    bind_results(m);
    bind_engine_class(m);
}
