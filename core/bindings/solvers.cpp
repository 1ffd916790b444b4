// The solvers and their proofs, as Python sees them. As a Searcher, a solver belongs to one thread at a time.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <time.h>

#include <memory>
#include <string>

#include "checks.hpp"
#include "inarow/drop_oracle.hpp"
#include "inarow/drop_solver.hpp"
#include "inarow/free_oracle.hpp"
#include "inarow/free_solver.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace inarow;

namespace {

std::size_t checked_bytes(int memory_mb) {
    if (memory_mb < 1) throw std::invalid_argument("memory_mb must be 1 or more");
    return static_cast<std::size_t>(memory_mb) << 20;
}

void check_position(const Position& position, const Geometry& geometry) {
    if (!(position.game() == geometry.game())) throw std::invalid_argument("a position of another game");
    if (position.is_over()) throw std::invalid_argument("the game is over");
}

double thread_seconds() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// ── proofs ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const char* name_of(WalkEnd end) {
    switch (end) {
        case WalkEnd::complete: return "complete";
        case WalkEnd::stopped: return "stopped";
        case WalkEnd::too_long: return "too long";
        case WalkEnd::no_strategy: return "no strategy";
    }
    return "";
}

struct ProofRequest {
    ProofGoal goal;
    ProofLimits limits;
};

ProofRequest proof_request(int strategist, const std::string& goal, std::optional<int> plies, std::size_t max_positions) {
    checked_below("a seat", strategist, 2);
    if (goal != "win" && goal != "hold") throw std::invalid_argument("a goal is win or hold, not " + goal);
    return {{static_cast<Seat>(strategist), goal == "win", plies.value_or(any_plies)},
            {std::numeric_limits<std::size_t>::max(), max_positions}};
}

WrittenProof written(const Position& root, const ProofRequest& request, ProofOracle& oracle, const StopFlag& stop) {
    return ProofWriter(root, request.goal, oracle, request.limits, stop).write();
}

// No token is larger than a board has cells, and two.
std::vector<std::uint16_t> unpacked(const std::vector<std::uint8_t>& bytes) {
    std::vector<std::uint16_t> tokens;
    unsigned token = 0, shift = 0;
    for (const std::uint8_t byte : bytes) {
        token |= (byte & 127U) << shift;
        shift += 7;
        if (byte >= 128) continue;
        tokens.push_back(static_cast<std::uint16_t>(token));
        token = shift = 0;
    }
    return tokens;
}

void bind_proofs(nb::module_& m) {
    nb::class_<WrittenProof>(m, "WrittenProof", "A strategy as docs/proofs.md describes it.")
        .def_prop_ro("end", [](const WrittenProof& self) { return name_of(self.end); }, "complete, stopped, too long, no strategy")
        .def_prop_ro(
            "tokens",
            [](const WrittenProof& self) {
                const std::vector<std::uint16_t> tokens = unpacked(self.bytes);
                return nb::bytes(reinterpret_cast<const char*>(tokens.data()), tokens.size() * sizeof(std::uint16_t));
            },
            "Two bytes each, in the machine's order.");
}

// ── gravity ─────────────────────────────────────────────────────────────────────────────────────────────────────────

struct TimedDropSolution {
    DropSolution solution;
    double cpu_seconds;  // of the calling thread
};

class BoundDropSolver {
public:
    BoundDropSolver(int rows, int columns, int k, int memory_mb)
        : geometry_(std::make_shared<Geometry>(Game{rows, columns, k, true})),
          solver_(DropSolver::make(geometry_->game(), checked_bytes(memory_mb))) {}

    std::vector<TimedDropSolution> solve(const std::vector<std::vector<int>>& games, const StopFlag& stop, DropProgress* progress,
                                         std::optional<double> seconds, std::optional<std::int64_t> nodes, int lowest, int highest,
                                         int threads, bool forget) {
        const Limits limits = limits_from(seconds, nodes, std::nullopt);
        if (threads < 1) throw std::invalid_argument("threads must be 1 or more");
        if (lowest > highest) throw std::invalid_argument("lowest is above highest");
        for (const std::vector<int>& columns : games) check_position(played(columns), *geometry_);
        nb::gil_scoped_release release;
        std::vector<TimedDropSolution> solutions;
        for (const std::vector<int>& columns : games) {
            if (forget) solver_->clear();
            const double begin = thread_seconds();
            const DropSolution solution = solver_->solve({columns, lowest, highest, threads}, limits, stop, progress);
            solutions.push_back({solution, thread_seconds() - begin});
        }
        return solutions;
    }

    WrittenProof write_proof(const std::vector<int>& columns, int strategist, const std::string& goal, const StopFlag& stop,
                             std::optional<int> plies, std::size_t max_positions) {
        const ProofRequest request = proof_request(strategist, goal, plies, max_positions);
        const Position root = played(columns);
        check_position(root, *geometry_);
        nb::gil_scoped_release release;
        DropOracle oracle(*solver_, {}, stop);
        return written(root, request, oracle, stop);
    }

    DropSolver::TableUse table_use() const { return solver_->table_use(); }

private:
    Position played(const std::vector<int>& columns) const {
        Position position(geometry_);
        for (const int column : columns) {
            checked_below("a column", column, geometry_->game().columns);
            check_legal(position, position.landing(column));
            position.make(position.landing(column));
        }
        return position;
    }

    std::shared_ptr<const Geometry> geometry_;
    std::unique_ptr<DropSolver> solver_;
};

void bind_drop_solver(nb::module_& m) {
    nb::class_<DropProgress>(m, "DropProgress", "How far a DropSolver is; may be read while it works.")
        .def(nb::init<>())
        .def_prop_ro("nodes", [](const DropProgress& self) { return self.nodes.load(); })
        .def_prop_ro("lower", [](const DropProgress& self) { return self.lower.load(); })
        .def_prop_ro("upper", [](const DropProgress& self) { return self.upper.load(); });
    nb::class_<TimedDropSolution>(m, "DropSolution", "Bounds of a score; core/include/inarow/drop_solver.hpp says what a score is.")
        .def_prop_ro("lower", [](const TimedDropSolution& self) { return self.solution.lower; })
        .def_prop_ro("upper", [](const TimedDropSolution& self) { return self.solution.upper; })
        .def_prop_ro("move", [](const TimedDropSolution& self) {
            return self.solution.move == DropSolution::every_move ? std::nullopt : std::optional<int>(self.solution.move);
        }, "A column that is worth at least the lower bound; None: all are.")
        .def_prop_ro("nodes", [](const TimedDropSolution& self) { return self.solution.nodes; })
        .def_prop_ro("seconds", [](const TimedDropSolution& self) { return self.solution.seconds; })
        .def_ro("cpu_seconds", &TimedDropSolution::cpu_seconds, "Of the calling thread alone.");
    nb::class_<BoundDropSolver>(m, "DropSolver", "Exact scores of positions with gravity. For one thread at a time.")
        .def(nb::init<int, int, int, int>(), "rows"_a, "columns"_a, "k"_a, "memory_mb"_a)
        .def("solve", &BoundDropSolver::solve, "games"_a, "stop"_a, "progress"_a.none() = nb::none(), nb::kw_only(),
             "seconds"_a = nb::none(), "nodes"_a = nb::none(), "lowest"_a = -max_cells, "highest"_a = max_cells, "threads"_a = 1,
             "forget"_a = false,
             "Solves the position after each of these lists of columns; the limits hold for each. Scores below `lowest` or above "
             "`highest` count as these. `forget`: what was learned from one position is forgotten before the next.")
        .def("write_proof", &BoundDropSolver::write_proof, "columns"_a, "strategist"_a, "goal"_a, "stop"_a, nb::kw_only(),
             "plies"_a = nb::none(), "max_positions"_a, "Writes a strategy of a seat (0 or 1) for a goal (win or hold).")
        .def_prop_ro("table_bytes", [](const BoundDropSolver& self) { return self.table_use().bytes; })
        .def_prop_ro("table_entries", [](const BoundDropSolver& self) { return self.table_use().entries; })
        .def_prop_ro("table_used", [](const BoundDropSolver& self) { return self.table_use().taken; }, "About so many entries.");
}

// ── free placement ──────────────────────────────────────────────────────────────────────────────────────────────────

const char* name_of(FreeMethod method) {
    switch (method) {
        case FreeMethod::none: return "none";
        case FreeMethod::trivial: return "trivial";
        case FreeMethod::potential: return "potential";
        case FreeMethod::pairing: return "pairing";
        case FreeMethod::weak_game: return "weak game";
        case FreeMethod::search: return "search";
        case FreeMethod::distance: return "distance";
    }
    return "";
}

class BoundFreeSolver {
public:
    BoundFreeSolver(int rows, int columns, int k, int memory_mb)
        : geometry_(std::make_shared<Geometry>(Game{rows, columns, k, false})), solver_(geometry_, checked_bytes(memory_mb)) {}

    FreeSolution solve(const std::vector<int>& cells, const StopFlag& stop, FreeProgress* progress, std::optional<double> seconds,
                       std::optional<std::int64_t> nodes, bool weak, bool shortest) {
        const Limits limits = limits_from(seconds, nodes, std::nullopt);
        const Position position = played(cells);
        check_position(position, *geometry_);
        nb::gil_scoped_release release;
        return solver_.solve(position, limits, stop, {weak, shortest}, progress);
    }

    WrittenProof write_proof(const std::vector<int>& cells, int strategist, const std::string& goal, const StopFlag& stop,
                             std::optional<int> plies, std::size_t max_positions) {
        const ProofRequest request = proof_request(strategist, goal, plies, max_positions);
        const Position root = played(cells);
        check_position(root, *geometry_);
        nb::gil_scoped_release release;
        FreeOracle oracle(solver_, root, {}, stop);
        return written(root, request, oracle, stop);
    }

    std::vector<Cell> pairing(const std::vector<int>& cells, int attacking, const StopFlag& stop, std::optional<double> seconds) {
        Watch watch(limits_from(seconds, std::nullopt, std::nullopt), stop, 1);
        const Position position = played(cells);
        check_position(position, *geometry_);
        nb::gil_scoped_release release;
        return solver_.pairing(position, attacking == 0 ? Seat::first : Seat::second, watch);
    }

    const FreeTable& table() const { return solver_.table(); }

private:
    Position played(const std::vector<int>& cells) const {
        Position position(geometry_);
        for (const int cell : cells) {
            check_legal(position, cell);
            position.make(cell);
        }
        return position;
    }

    std::shared_ptr<const Geometry> geometry_;
    FreeSolver solver_;
};

void bind_free_solver(nb::module_& m) {
    nb::class_<FreeProgress>(m, "FreeProgress", "How far a FreeSolver is; may be read while it works.")
        .def(nb::init<>())
        .def_prop_ro("nodes", [](const FreeProgress& self) { return self.nodes.load(); })
        .def_prop_ro("proof", [](const FreeProgress& self) { return self.proof.load(); })
        .def_prop_ro("disproof", [](const FreeProgress& self) { return self.disproof.load(); })
        .def_prop_ro("lower", [](const FreeProgress& self) { return self.lower.load(); }, "-1 loss, 0 draw, 1 win: at least")
        .def_prop_ro("upper", [](const FreeProgress& self) { return self.upper.load(); }, "at most");
    nb::class_<FreeSolution>(m, "FreeSolution", "What is known of a position with free placement.")
        .def_prop_ro("lower", [](const FreeSolution& self) { return static_cast<int>(self.lower); }, "-1 loss, 0 draw, 1 win: at least")
        .def_prop_ro("upper", [](const FreeSolution& self) { return static_cast<int>(self.upper); }, "at most")
        .def_ro("plies", &FreeSolution::plies, "Until the winning stone; -1: not known, or a draw.")
        .def_ro("move", &FreeSolution::move, "A cell that keeps the value; -1 when none is known.")
        .def_prop_ro("method", [](const FreeSolution& self) { return name_of(self.method); })
        .def_ro("nodes", &FreeSolution::nodes)
        .def_ro("seconds", &FreeSolution::seconds);
    nb::class_<BoundFreeSolver>(m, "FreeSolver", "Who wins with free placement. For one thread at a time.")
        .def(nb::init<int, int, int, int>(), "rows"_a, "columns"_a, "k"_a, "memory_mb"_a)
        .def("solve", &BoundFreeSolver::solve, "cells"_a, "stop"_a, "progress"_a.none() = nb::none(), nb::kw_only(),
             "seconds"_a = nb::none(), "nodes"_a = nb::none(), "weak"_a = false, "shortest"_a = false,
             "Solves the position after these moves. `weak`: does the player to move complete a line when the other only blocks? "
             "`shortest`: also in how many plies.")
        .def("write_proof", &BoundFreeSolver::write_proof, "cells"_a, "strategist"_a, "goal"_a, "stop"_a, nb::kw_only(),
             "plies"_a = nb::none(), "max_positions"_a, "Writes a strategy of a seat (0 or 1) for a goal (win or hold).")
        .def("pairing", &BoundFreeSolver::pairing, "cells"_a, "attacking"_a, "stop"_a, nb::kw_only(), "seconds"_a = nb::none(),
             "Pairs of free cells, two after each other, that keep a seat (0 or 1) from completing a line; empty when none was found in time.")
        .def_prop_ro("table_bytes", [](const BoundFreeSolver& self) { return self.table().bytes(); })
        .def_prop_ro("table_entries", [](const BoundFreeSolver& self) { return self.table().entries(); })
        .def_prop_ro("table_used", [](const BoundFreeSolver& self) { return self.table().used(); });
}

}  // namespace

void bind_solvers(nb::module_& m) {
    bind_proofs(m);
    bind_drop_solver(m);
    bind_free_solver(m);
}
