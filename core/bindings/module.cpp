// Python's view of the core. Only this folder knows of Python: it checks what comes in (the core itself asserts),
// releases the GIL around perft and every search, and hands out copies, never views. A Searcher belongs to one thread at a time;
// what may be called from another while it searches is its StopFlag.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "checks.hpp"
#include "inarow/mcts.hpp"
#include "inarow/perft.hpp"
#include "inarow/position.hpp"
#include "inarow/searcher.hpp"
#include "inarow/tactics.hpp"
#include "inarow/window_sum.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace inarow;

void bind_solvers(nb::module_& m);  // solvers.cpp
void bind_engine(nb::module_& m);   // engine.cpp

namespace {

void checked_make(Position& position, int cell) {
    check_legal(position, cell);
    position.make(cell);
}

void checked_unmake(Position& position) {
    if (position.ply() == 0) throw std::invalid_argument("there is no move to take back");
    position.unmake();
}

std::optional<int> index_or_none(std::optional<Seat> seat) {
    if (!seat) return std::nullopt;
    return index(*seat);
}

template <class Range>
std::vector<typename Range::value_type> copied(const Range& range) {
    return {range.begin(), range.end()};
}

// A position with an evaluation that follows it, for tests and for trying out tables of values.
class EvaluatedPosition {
public:
    EvaluatedPosition(const Position& position, const std::vector<std::int32_t>& values)
        : position_(position), sum_(position_.geometry(), position_.windows(), values) {}

    std::int64_t value() const { return sum_.value(); }

    void make(int cell) {
        check_legal(position_, cell);
        sum_.mark(position_.geometry(), position_.windows(), cell, position_.turn());
        position_.make(cell);
    }

    void unmake() {
        checked_unmake(position_);
        sum_.unmark();
    }

private:
    Position position_;
    WindowSum sum_;
};

void bind_position(nb::module_& m) {
    nb::class_<Geometry>(m, "Geometry", "What does not change during a game; shared by its positions.")
        .def(
            "__init__",
            [](Geometry* self, int rows, int columns, int k, bool gravity) { new (self) Geometry(Game{rows, columns, k, gravity}); },
            "rows"_a, "columns"_a, "k"_a, "gravity"_a = false)
        .def_prop_ro("cells", &Geometry::cells)
        .def_prop_ro("windows", &Geometry::windows)
        .def_prop_ro("symmetries", &Geometry::symmetries)
        .def(
            "window_cells",
            [](const Geometry& self, int window) {
                checked_below("a window", window, self.windows());
                std::vector<Cell> cells;
                for (int i = 0; i < self.game().k; ++i) cells.push_back(self.window_cell(window, i));
                return cells;
            },
            "window"_a, "The cells of a window, in order.")
        .def(
            "windows_through",
            [](const Geometry& self, int cell) {
                std::vector<int> windows;
                for (const Span& span : self.spans(checked_cell(self, cell))) {
                    for (int i = 0; i < span.count; ++i) windows.push_back(span.first + i);
                }
                return windows;
            },
            "cell"_a, "The windows that contain a cell.")
        .def(
            "image",
            [](const Geometry& self, int symmetry, int cell) {
                return self.image(checked_below("a symmetry", symmetry, self.symmetries()), checked_cell(self, cell));
            },
            "symmetry"_a, "cell"_a, "Where a symmetry takes a cell.");

    nb::class_<Position>(m, "Position", "A game in progress. Moves are cells: row * columns + column, with gravity too.")
        .def(nb::init<std::shared_ptr<const Geometry>>(), "geometry"_a)
        .def("__copy__", [](const Position& self) { return Position(self); })
        .def("make", &checked_make, "cell"_a, "Play on a cell. ValueError when that is not legal.")
        .def("unmake", &checked_unmake, "Take the last move back.")
        .def("is_legal", [](const Position& self, int cell) { return self.is_legal(cell); }, "cell"_a)
        .def_prop_ro("turn", [](const Position& self) { return index(self.turn()); }, "Seat 0 (first) or 1 (second).")
        .def_prop_ro("ply", &Position::ply)
        .def_prop_ro("moves", [](const Position& self) { return copied(self.moves()); })
        .def_prop_ro("is_over", &Position::is_over)
        .def_prop_ro("winner", [](const Position& self) { return index_or_none(self.winner()); })
        .def(
            "stone", [](const Position& self, int cell) { return index_or_none(self.stone(checked_cell(self.geometry(), cell))); },
            "cell"_a, "The seat whose stone is on a cell; None when it is free.")
        .def_prop_ro("free_cells", [](const Position& self) { return copied(self.free_cells().cells()); })
        .def_prop_ro(
            "legal_cells",
            [](const Position& self) {
                std::vector<Cell> cells;
                if (!self.is_over()) self.for_each_playable([&](Cell cell) { cells.push_back(cell); });
                return cells;
            },
            "The cells that can be played now.")
        .def(
            "winning_cells",
            [](const Position& self, int seat) { return self.winning_cells(static_cast<Seat>(checked_below("a seat", seat, 2))); },
            "seat"_a, "Playable cells on which a seat would win at once.")
        .def("safe_cells", &Position::safe_cells, "Playable cells after which the opponent cannot win at once.")
        .def_prop_ro("keys", [](const Position& self) { return copied(self.keys()); }, "One key for each symmetry of the board.")
        .def_prop_ro("canonical_key", &Position::canonical_key, "The same for all images of the position.")
        .def_prop_ro(
            "window_counts",
            [](const Position& self) {
                std::vector<std::pair<int, int>> counts;
                for (int window = 0; window < self.geometry().windows(); ++window) {
                    counts.emplace_back(self.windows().stones(window, Seat::first), self.windows().stones(window, Seat::second));
                }
                return counts;
            },
            "For each window, how many stones the first and the second seat have in it.");

    nb::class_<EvaluatedPosition>(m, "EvaluatedPosition", "A copy of a position with a sum over its windows, kept move by move.")
        .def(nb::init<const Position&, const std::vector<std::int32_t>&>(), "position"_a, "values"_a,
             "values[first + (k + 1) * second] is what a window with so many stones of each seat is worth.")
        .def("make", &EvaluatedPosition::make, "cell"_a)
        .def("unmake", &EvaluatedPosition::unmake)
        .def_prop_ro("value", &EvaluatedPosition::value);
}

void bind_perft(nb::module_& m) {
    nb::class_<StopFlag>(m, "StopFlag", "Set it from any thread to stop the work that was given it.")
        .def(nb::init<>())
        .def("set", &StopFlag::set)
        .def("clear", &StopFlag::clear)
        .def_prop_ro("is_set", &StopFlag::is_set);

    nb::class_<Perft>(m, "Perft", "Counts by ply, from ply 0 (the position itself) on.")
        .def_ro("nodes", &Perft::nodes, "Sequences of exactly so many moves.")
        .def_ro("first_wins", &Perft::first_wins, "Of these, how many the first seat has won.")
        .def_ro("second_wins", &Perft::second_wins, "How many the second seat has won.")
        .def_ro("draws", &Perft::draws, "How many filled the board.")
        .def_ro("stopped", &Perft::stopped, "The stop flag ended the count early.");

    m.def(
        "perft",
        [](const Position& position, int depth, const StopFlag& stop) {
            if (depth < 0) throw std::invalid_argument("depth must be 0 or more, not " + std::to_string(depth));
            Position copy(position);  // while the GIL is held: the caller may go on with the original
            nb::gil_scoped_release release;
            return perft(std::move(copy), depth, stop);
        },
        "position"_a, "depth"_a, "stop"_a, "Count all sequences of up to `depth` moves.");
}

void check_open(const Searcher& searcher) {
    if (searcher.position().is_over()) throw std::invalid_argument("the game is over");
}

void bind_searcher(nb::module_& m) {
    nb::class_<SearchResult>(m, "SearchResult", "What a search found.")
        .def_ro("move", &SearchResult::move, "The cell to play.")
        .def_ro("score", &SearchResult::score, "Its value for the player to move; WON - n is a win in n plies.")
        .def_ro("depth", &SearchResult::depth, "The last depth that was finished.")
        .def_ro("nodes", &SearchResult::nodes)
        .def_ro("seconds", &SearchResult::seconds)
        .def_ro("stopped", &SearchResult::stopped, "A limit or the stop flag ended it.")
        .def_prop_ro("memory_probes", [](const SearchResult& self) { return self.memory.probes; })
        .def_prop_ro("memory_hits", [](const SearchResult& self) { return self.memory.hits; });

    nb::class_<Searcher>(m, "Searcher", "A search made of parts by name; core/include/inarow/searcher.hpp lists them.")
        .def("set_moves", [](Searcher& self, const std::vector<Cell>& moves) { self.set_moves(moves); }, "cells"_a,
             "The moves of the game so far.")
        .def_prop_ro(
            "value",
            [](const Searcher& self) {
                check_open(self);
                return self.value();
            },
            "The evaluation of the position, for the player to move.")
        .def(
            "ordered_moves",
            [](Searcher& self, bool is_root) {
                check_open(self);
                return self.ordered_moves(is_root);
            },
            "is_root"_a = false, "The cells a node would look at, best first.")
        .def(
            "fixed",
            [](Searcher& self, int depth, const StopFlag& stop, std::optional<double> seconds, std::optional<std::int64_t> nodes) {
                check_open(self);
                const Limits limits = limits_from(seconds, nodes, depth);
                nb::gil_scoped_release release;
                return self.fixed(depth, limits, stop);
            },
            "depth"_a, "stop"_a, "seconds"_a = nb::none(), "nodes"_a = nb::none(), "Search to one depth.")
        .def(
            "deepen",
            [](Searcher& self, const StopFlag& stop, std::optional<double> seconds, std::optional<std::int64_t> nodes,
               std::optional<int> depth, bool trusts_first_depth, bool loses_late) {
                check_open(self);
                const Limits limits = limits_from(seconds, nodes, depth);
                nb::gil_scoped_release release;
                return self.deepen({trusts_first_depth, loses_late}, limits, stop);
            },
            "stop"_a, "seconds"_a = nb::none(), "nodes"_a = nb::none(), "depth"_a = nb::none(), "trusts_first_depth"_a = false,
            "loses_late"_a = false, "Search depth after depth.")
        .def(
            "shares",
            [](Searcher& self, int depth, std::int64_t budget, const StopFlag& stop, std::optional<double> seconds,
               std::optional<std::int64_t> nodes, int threads) {
                check_open(self);
                const Limits limits = limits_from(seconds, nodes, depth);
                nb::gil_scoped_release release;
                return self.shares(depth, budget, threads, limits, stop);
            },
            "depth"_a, "budget"_a, "stop"_a, "seconds"_a = nb::none(), "nodes"_a = nb::none(), "threads"_a = 1,
            "Search to one depth with a budget of nodes, shared by the root moves.");

    m.def(
        "make_searcher",
        [](std::shared_ptr<const Geometry> geometry, const std::string& evaluation, const std::string& order, const std::string& memory,
           std::vector<std::int32_t> window_values, std::vector<std::int32_t> cell_values, int width, int root_width, int memory_mb,
           bool folds_symmetries) {
            if (memory_mb < 0) throw std::invalid_argument("memory_mb must be 0 or more");
            return make_searcher(std::move(geometry),
                                 {evaluation, order, memory, std::move(window_values), std::move(cell_values), width, root_width,
                                  static_cast<std::size_t>(memory_mb) << 20, folds_symmetries});
        },
        "geometry"_a, nb::kw_only(), "evaluation"_a, "order"_a, "memory"_a = "none", "window_values"_a = std::vector<std::int32_t>(),
        "cell_values"_a = std::vector<std::int32_t>(), "width"_a = 0, "root_width"_a = 0, "memory_mb"_a = 0, "folds_symmetries"_a = true);
    m.attr("WON") = won;
}

void bind_tactics(nb::module_& m) {
    nb::class_<CellReport>(m, "CellReport", "A playable cell as the player to move sees it, and as the opponent would.")
        .def_ro("cell", &CellReport::cell)
        .def_ro("wins", &CellReport::wins)
        .def_ro("other_wins", &CellReport::other_wins)
        .def_ro("doubles", &CellReport::doubles, "A stone here makes a double play.")
        .def_ro("other_doubles", &CellReport::other_doubles)
        .def_ro("windows", &CellReport::windows, "Windows through the cell without a stone of the opponent.")
        .def_ro("stones", &CellReport::stones, "Own stones in those windows.")
        .def_ro("other_windows", &CellReport::other_windows)
        .def_ro("other_stones", &CellReport::other_stones);
    m.def(
        "cell_reports",
        [](const Position& position) {
            if (position.is_over()) throw std::invalid_argument("the game is over");
            return cell_reports(position);
        },
        "position"_a, "Every playable cell, in ascending order.");
    m.def(
        "fork_cells",
        [](const Position& position, int seat) {
            if (position.is_over()) throw std::invalid_argument("the game is over");
            return fork_cells(position, static_cast<Seat>(checked_below("a seat", seat, 2)));
        },
        "position"_a, "seat"_a, "Playable cells on which a stone of the seat would leave it two playable cells that win.");

    nb::class_<MctsResult>(m, "MctsResult", "What Monte-Carlo tree search found.")
        .def_ro("move", &MctsResult::move)
        .def_ro("win_rate", &MctsResult::win_rate)
        .def_ro("depth", &MctsResult::depth)
        .def_ro("playouts", &MctsResult::playouts)
        .def_ro("stopped", &MctsResult::stopped);
    nb::class_<Mcts>(m, "Mcts", "Monte-Carlo tree search; its memory is kept from one search to the next.")
        .def(
            "__init__",
            [](Mcts* self, int memory_mb) {
                if (memory_mb < 0) throw std::invalid_argument("memory_mb must be 0 or more");
                new (self) Mcts(static_cast<std::size_t>(memory_mb) << 20);
            },
            "memory_mb"_a)
        .def(
            "search",
            [](Mcts& self, const Position& position, const StopFlag& stop, std::uint64_t seed, std::optional<double> seconds,
               std::optional<std::int64_t> nodes) {
                if (position.is_over()) throw std::invalid_argument("the game is over");
                const Limits limits = limits_from(seconds, nodes, std::nullopt);
                Position copy(position);
                nb::gil_scoped_release release;
                return self.search(std::move(copy), seed, limits, stop);
            },
            "position"_a, "stop"_a, "seed"_a, "seconds"_a = nb::none(), "nodes"_a = nb::none(), "Searches until a limit.");
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The native core of inarow.";
    bind_position(m);
    bind_perft(m);
    bind_searcher(m);
    bind_tactics(m);
    bind_solvers(m);
    bind_engine(m);
}
