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
#include "inarow/drop_model.hpp"
#include "inarow/engine.hpp"
#include "inarow/engine_table.hpp"
#include "inarow/free_model.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace inarow;

namespace {

// In the order of Heuristic.
constexpr const char* heuristic_names[] = {"aspiration",      "forcing_at_root", "threes_at_root", "forcing_in_nodes", "forcing_at_horizon", "threat_defence",
                                           "reverse_futility", "razoring",        "null_move",        "internal_reduction", "singular",
                                           "table_value",     "move_count",      "futility",         "reductions",         "history"};
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
        .def_rw("zugzwang", &DropWeights::zugzwang)
        .def_rw("zugzwang_decay", &DropWeights::zugzwang_decay)
        .def_rw("scale", &DropWeights::scale)
        .def_rw("four", &DropWeights::four)
        .def_rw("gives_win", &DropWeights::gives_win)
        .def_rw("gives_threat", &DropWeights::gives_threat);
}

void set_rows(std::vector<std::int16_t>& to, const std::vector<int>& values, std::size_t size, const char* what) {
    if (!values.empty() && values.size() != size) throw std::invalid_argument(std::string(what) + " must be " + std::to_string(size) + " numbers, or none");
    to.clear();
    for (const int value : values) {
        if (value < -32768 || value > 32767) throw std::invalid_argument(std::string(what) + " must fit into 16 bits");
        to.push_back(static_cast<std::int16_t>(value));
    }
}

void bind_network(nb::module_& m) {
    using W = NetworkWeights;
    const auto get = [](const std::vector<std::int16_t>& from) { return std::vector<int>(from.begin(), from.end()); };
    nb::class_<W> network(m, "NetworkWeights", "The numbers of a network over the cells; cell_network.hpp says what they are for. No numbers at all: no network.");
    network.attr("CELL_UNIT") = W::cell_unit;
    network.attr("MATRIX_UNIT") = W::matrix_unit;
    network.attr("THREATS_UNIT") = W::threats_unit;
    network.attr("OUTPUT_UNIT") = W::output_unit;
    network.attr("DRAWS_UNIT") = W::draws_unit;
    network.attr("DRAWS_REST_UNIT") = W::draws_rest_unit;
    network.def(nb::init<>())
        .def_prop_rw("moving", [get](const W& self) { return get(self.moving); },
                     [](W& self, const std::vector<int>& values) { set_rows(self.moving, values, codes * W::channels, "moving"); })
        .def_prop_rw("waiting", [get](const W& self) { return get(self.waiting); },
                     [](W& self, const std::vector<int>& values) { set_rows(self.waiting, values, codes * W::channels, "waiting"); })
        .def_prop_rw("matrix", [get](const W& self) { return get(self.matrix); },
                     [](W& self, const std::vector<int>& values) { set_rows(self.matrix, values, W::channels * W::hidden, "matrix"); })
        .def_prop_rw("threats", [get](const W& self) { return get(self.threats); },
                     [](W& self, const std::vector<int>& values) { set_rows(self.threats, values, threat_masks * W::hidden, "threats"); })
        .def_prop_rw("output", [get](const W& self) { return get(self.output); },
                     [](W& self, const std::vector<int>& values) { set_rows(self.output, values, W::hidden, "output"); })
        .def_prop_rw("draws", [get](const W& self) { return get(self.draws); },
                     [](W& self, const std::vector<int>& values) { set_rows(self.draws, values, W::channels + 2, "draws"); });
}

void check_network(const NetworkWeights& weights) {
    for (const auto* part : {&weights.moving, &weights.waiting, &weights.matrix, &weights.threats}) {
        if (part->empty() == weights.is_there()) throw std::invalid_argument("a network needs all of its numbers, or none");
    }
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
        .def_rw("network", &EngineWeights::network)
        .def_rw("drop", &EngineWeights::drop, "For games with gravity.")
        .def("win_probability", &EngineWeights::win_probability, "score"_a, "gravity"_a);
}

// A position as the weights of free placement see it.
struct FreeFeatures {
    std::vector<int> cells, moving, waiting;  // the free cells, and the code of each for the player to move and for the other
    std::vector<int> candidates;              // the places in these lists of the moves that a search looks at
    int threat_mask;
    bool is_evaluated;  // a search asks for the value of such a position: nobody can win at once, nor the player to move make a double
};

class FreeFeatureReader {
public:
    explicit FreeFeatureReader(const std::shared_ptr<const Geometry>& geometry)
        : model_(geometry, std::make_shared<const ThreatTables>(geometry->game().k, EngineWeights::handmade())) {
        if (geometry->game().gravity) throw std::invalid_argument("these are the features of free placement");
    }

    FreeFeatures read(const Position& position) {
        if (position.game() != model_.board().geometry().game()) throw std::invalid_argument("the position is one of another game");
        while (!model_.moves().empty()) model_.unmake();
        for (const Cell cell : position.moves()) model_.make(cell);
        const Seat us = model_.turn(), them = other(us);
        FreeFeatures features;
        std::vector<int> places(static_cast<std::size_t>(model_.cells()));
        for (Cell cell = 0; cell < model_.cells(); ++cell) {
            if (!model_.is_legal(cell)) continue;
            places[static_cast<std::size_t>(cell)] = static_cast<int>(features.cells.size());
            features.cells.push_back(cell);
            features.moving.push_back(model_.board().code(us, cell));
            features.waiting.push_back(model_.board().code(them, cell));
        }
        RankedMoves moves;
        model_.append_moves(moves);
        for (const RankedMove& move : moves) features.candidates.push_back(places[static_cast<std::size_t>(move.cell)]);
        features.threat_mask = static_cast<int>(model_.threat_mask());
        features.is_evaluated = model_.wins(us) + model_.wins(them) == 0 && !model_.has_double(us);
        return features;
    }

private:
    FreeModel model_;
};

// Games with gravity, as they are evaluated with one set of weights or another.
class DropValues {
public:
    // A game is the cells of its stones; of each, the positions before the last stone are looked at.
    DropValues(std::shared_ptr<const Geometry> geometry, std::vector<std::vector<Cell>> games) : geometry_(std::move(geometry)), games_(std::move(games)) {
        if (!geometry_->game().gravity) throw std::invalid_argument("these are values of games with gravity");
        for (const std::vector<Cell>& game : games_) {
            Position position(geometry_);
            for (const Cell cell : game) {
                check_legal(position, cell);
                position.make(cell);
            }
        }
    }

    // Whether a search asks for the value of a position; see FreeFeatures.
    std::vector<bool> are_evaluated() const {
        std::vector<bool> found;
        for_each_position(EngineWeights::handmade(), [&](const DropModel& model) {
            const Seat us = model.turn();
            found.push_back(model.wins(us) + model.wins(other(us)) == 0 && !model.has_double(us));
        });
        return found;
    }

    // For the player to move.
    std::vector<Score> with(const EngineWeights& weights) const {
        std::vector<Score> found;
        for_each_position(weights, [&](const DropModel& model) { found.push_back(model.value()); });
        return found;
    }

private:
    template <class Visit>
    void for_each_position(const EngineWeights& weights, Visit&& visit) const {
        DropModel model(geometry_, std::make_shared<const DropTables>(geometry_->game().k, weights));
        for (const std::vector<Cell>& game : games_) {
            for (const Cell cell : game) {
                visit(model);
                model.make(cell);
            }
            for (std::size_t i = 0; i < game.size(); ++i) model.unmake();
        }
    }

    std::shared_ptr<const Geometry> geometry_;
    std::vector<std::vector<Cell>> games_;
};

void bind_features(nb::module_& m) {
    nb::class_<DropValues>(m, "DropValues", "The positions of games with gravity and their values, for training programs.")
        .def(nb::init<std::shared_ptr<const Geometry>, std::vector<std::vector<Cell>>>(), "geometry"_a, "games"_a,
             "A game is the cells of its stones; the positions are those before each stone, game after game.")
        .def("are_evaluated", &DropValues::are_evaluated, "Of each position whether a search asks for its value.")
        .def("with_weights", &DropValues::with, "weights"_a, "The value of each position for the player to move.");
    nb::class_<FreeFeatures>(m, "FreeFeatures", "A position as the weights of free placement see it.")
        .def_ro("cells", &FreeFeatures::cells, "The free cells.")
        .def_ro("moving", &FreeFeatures::moving, "The code of each for the player to move,")
        .def_ro("waiting", &FreeFeatures::waiting, "and for the other.")
        .def_ro("candidates", &FreeFeatures::candidates, "The places in these lists of the moves that a search looks at.")
        .def_ro("threat_mask", &FreeFeatures::threat_mask)
        .def_ro("is_evaluated", &FreeFeatures::is_evaluated,
                "A search asks for the value of such a position: nobody can win at once, nor the player to move make a double.");
    nb::class_<FreeFeatureReader>(m, "FreeFeatureReader", "Finds the features of positions of one game, for training programs.")
        .def(nb::init<std::shared_ptr<const Geometry>>(), "geometry"_a)
        .def("read", &FreeFeatureReader::read, "position"_a);
    m.def(
        "patterns_of_code",
        [](int code) {
            std::vector<int> patterns;
            for (const LinePattern pattern : patterns_of(static_cast<Code>(checked_below("a code", code, codes)))) patterns.push_back(static_cast<int>(pattern));
            return patterns;
        },
        "code"_a, "The four line patterns of a code, ascending.");
    m.def(
        "threat_of_code", [](int code) { return static_cast<int>(threat_of(patterns_of(static_cast<Code>(checked_below("a code", code, codes))))); },
        "code"_a, "The number of the threat that a code is.");
    m.def(
        "line_patterns",
        [](int k) {
            if (k < 1 || k > max_table_k) throw std::invalid_argument("k must be 1 to " + std::to_string(max_table_k));
            const PatternTable table(k);
            return std::vector<int>(table.data(), table.data() + (std::size_t{1} << 4 * (k - 1)));
        },
        "k"_a, "By all that can lie around a cell in a line, as line_patterns.hpp says: the first seat's pattern and 16 times the second's.");
    m.def(
        "codes_of_quads",
        [] {
            const ThreatTables tables(1, EngineWeights::handmade());
            return std::vector<int>(tables.code_data(), tables.code_data() + (std::size_t{1} << 16));
        },
        "By four patterns, four bits each: their code.");
    m.attr("NETWORK_CELLS") = CellNetwork::most_cells;
    m.attr("CODES") = codes;
    m.attr("LINE_PATTERNS") = line_patterns;
    m.attr("THREATS") = threat_classes;
    m.attr("THREAT_MASKS") = static_cast<int>(threat_masks);
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
                if (weights) check_network(weights->network);
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
               const std::vector<Cell>& lost, int contempt) {
                if (lines < 1) throw std::invalid_argument("lines must be 1 or more");
                Limits limits = limits_from(seconds, nodes, depth);
                if (soft_seconds) limits.soft_seconds = *soft_seconds;
                nb::gil_scoped_release release;
                return self.engine->search({cells, lines, is_told, lost, contempt}, limits, stop, mailbox);
            },
            "cells"_a, "stop"_a, "mailbox"_a.none() = nb::none(), nb::kw_only(), "seconds"_a = nb::none(), "nodes"_a = nb::none(),
            "depth"_a = nb::none(), "soft_seconds"_a = nb::none(), "lines"_a = 1, "is_told"_a = true, "lost"_a = std::vector<Cell>(),
            "contempt"_a = 0,
            "Searches the position after these moves until a limit, or until it is decided. `soft_seconds` is what it should take on average; "
            "when nobody `is_told` the result, only the table learns from it; moves that are `lost` are not looked at unless there is no other. "
            "`contempt`: how much weaker the second seat is believed to be than the first, in hundredths of a logit; it counts where the network knows of draws.")
        .def("value", [](BoundEngine& self, const std::vector<Cell>& cells, int contempt) { return self.engine->value(cells, contempt); }, "cells"_a, nb::kw_only(), "contempt"_a = 0,
             "The value of the position after these moves for the player to move, without a search.")
        .def("clear", [](BoundEngine& self) { self.engine->clear(); }, "Forgets all it has learned.")
        .def("take_memory", [](BoundEngine& self, double seconds) { return self.engine->take_memory(seconds); }, "seconds"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Has the system provide the table's memory now, as much as it does in so many seconds; False when it has provided all. Not while it searches.")
        .def("win_probability", [](const BoundEngine& self, Score score) { return self.engine->weights().win_probability(score, self.geometry->game().gravity); }, "score"_a);

    m.def("engine_heuristics", [] { return std::vector<std::string>(std::begin(heuristic_names), std::end(heuristic_names)); },
          "The names of all heuristics.");
    m.attr("MAX_EVALUATION") = max_evaluation;
}

}  // namespace

void bind_engine(nb::module_& m) {
    bind_drop_weights(m);
    bind_network(m);
    bind_weights(m);
    bind_features(m);
    bind_results(m);
    bind_engine_class(m);
}
