"""The engine: inarow's own player, and what it thinks of any position.

It asks, in this order: is there only one move; can the solver settle the position in a part of the time; what does the
search find. A position that the solver settles as a draw is still searched for the move that gives the other the most
chances to go wrong; the solver then says whether that move keeps the draw.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from inarow import _core
from inarow.engine.analysis import UNDECIDED, Report, Variation
from inarow.engine.core import StopFlag, cells_of, geometry_of, move_of
from inarow.engine.timing import hard_seconds
from inarow.engine.weights import LEARNED, weights_for
from inarow.errors import IllegalMove, SpecError
from inarow.game import Board, Game, Limit, Move
from inarow.solver.solution import OPPOSITE, UNKNOWN, Solution
from inarow.solver.solve import GameSolver, make_solver

DEFAULT_MEMORY_MB = 256
SOLVER_MEMORY_SHARE = 0.25
SOLVER_TIME_SHARE = 0.2  # of a move's time; as much again may go into checking the move that was found
SOLVER_CELLS = 64  # with more free cells the solver is not asked
_MAILBOX_SECONDS = 0.05

Result = TypeVar("Result")


class Engine:
    """Chooses and analyses moves; what it learns from one position helps with the next of the same game.

    For one thread at a time; only `stop` may be called from others. `without` names heuristics of the search that are
    switched off, to measure what they bring; SpecError for one that does not exist.

    >>> from inarow import Board, Game, Limit
    >>> engine = Engine(memory_mb=16)
    >>> board = Board(Game(3, 3, 3))
    >>> for move in [(0, 0), (1, 1), (0, 1)]:
    ...     board.push(move)
    >>> engine.choose(board, Limit(nodes=1000))
    (0, 2)
    """

    def __init__(
        self,
        threads: int = 1,
        memory_mb: int = DEFAULT_MEMORY_MB,
        *,
        solver: bool = True,
        weights: str = LEARNED,
        without: Sequence[str] = (),
    ) -> None:
        """`weights` are what `weights_for` takes: learned, formula or a file; `without`: heuristics to switch off."""
        self.threads = threads
        self.memory_mb = memory_mb
        self._uses_solver = solver
        self._weights = weights
        self._without = _checked_heuristics(without)
        self._stop = StopFlag()
        self._game: Game | None = None
        self._core: _core.Engine | None = None
        self._solver: GameSolver | None = None

    def choose(self, board: Board, limit: Limit) -> Move:
        """The move to play."""
        return self.search(board, limit).best.move

    def search(self, board: Board, limit: Limit) -> Report:
        """The move to play, and what the engine thinks of it."""
        *_, report = self._reports(board, limit, 1, self._found)
        return report

    def analyse(self, board: Board, limit: Limit | None = None, lines: int = 1) -> Iterator[Report]:
        """Reports, each better founded than the one before, until the limit comes or the position is settled.

        To leave the loop, or to close the iterator, ends the search; so does `stop`.
        """
        return self._reports(board, limit or Limit(), lines, self._followed)

    def stop(self) -> None:
        """Called from another thread: come to an end within milliseconds."""
        self._stop.set()
        solver = self._solver
        if solver is not None:
            solver.stop()

    def forget(self) -> None:
        """Forgets all it has learned."""
        self._game = self._core = self._solver = None

    def prepare(self, game: Game) -> None:
        """Gets ready for a game, so that the first move has all its time."""
        share = SOLVER_MEMORY_SHARE if self._uses_solver else 0.0
        if self._game != game:
            memory_mb = max(1, round(self.memory_mb * (1 - share)))
            self._core = _core.Engine(
                geometry_of(game),
                memory_mb=memory_mb,
                threads=self.threads,
                weights=weights_for(game, self._weights),
                without=self._without,
            )
            self._game = game
            self._solver = None
        if self._uses_solver and (self._solver is None or self._stop.is_set):
            self._solver = make_solver(game, max(1, round(self.memory_mb * share)))
        self._stop.clear()

    # --- the parts of a search ---

    def _reports(self, board: Board, limit: Limit, lines: int, search: "_Search") -> Iterator[Report]:
        if board.is_over:
            raise IllegalMove("the game is over: there is nothing to search")
        begin = time.perf_counter()
        self.prepare(board.game)
        seconds = hard_seconds(limit)
        if lines == 1 and _has_one_move(board):
            yield Report((Variation((board.legal_moves[0],)),), source="rules")
            return
        known = self._solution(board, seconds) if lines == 1 else None
        if known is not None and (known.value == "win" or (known.value == "loss" and known.plies is not None)):
            yield _solved(known, known.best_moves[0])
            return
        left = _left(seconds, begin)
        if left is not None and known is not None:
            left *= 1 - SOLVER_TIME_SHARE  # the rest is for checking what it finds
        limits = {"seconds": left, "nodes": limit.nodes, "depth": limit.depth, "lines": lines}
        report = None
        for report in search(board, limits):
            yield report
        if known is not None and known.value == "draw" and report is not None:
            yield self._checked(board, known, report, _left(seconds, begin))

    def _solution(self, board: Board, seconds: float | None) -> Solution | None:
        """What the solver can settle in its part of the time; None when it cannot, or there is no clock."""
        free = board.game.rows * board.game.columns - board.ply
        if self._solver is None or seconds is None or free > SOLVER_CELLS:
            return None
        solution = self._solver.solve(board, Limit(seconds=max(seconds * SOLVER_TIME_SHARE, 1e-3)))
        return None if solution.value == UNKNOWN or not solution.best_moves else solution

    def _checked(self, board: Board, known: Solution, report: Report, seconds: float | None) -> Report:
        """The search's move if it keeps the draw, else one of the solver's that does."""
        move = report.best.move
        if move in known.best_moves or report.best.value == "win":
            return report
        assert self._solver is not None
        after = board.copy()
        after.push(move)
        value = "draw"
        if not after.is_over:
            solution = self._solver.solve(after, Limit(seconds=max(seconds or 0.0, 1e-3)))
            value = OPPOSITE[solution.value]
        return report if value in ("draw", "win") else _solved(known, known.best_moves[0])

    def _found(self, board: Board, limits: dict[str, Any]) -> Iterator[Report]:
        """The search's last word."""
        assert self._core is not None
        yield self._report(board, self._core.search(cells_of(board), self._stop, **limits))

    def _followed(self, board: Board, limits: dict[str, Any]) -> Iterator[Report]:
        """The search's reports while it runs in a thread of its own, and its last word."""
        assert self._core is not None
        core, mailbox, cells = self._core, _core.ReportMailbox(), cells_of(board)
        thread = _Background(lambda: core.search(cells, self._stop, mailbox, **limits))
        variations: dict[int, Variation] = {}
        try:
            while True:
                found = mailbox.take(_MAILBOX_SECONDS)
                if found is not None:
                    variations[found.number] = self._variation(board.game, found.line)
                    yield Report(_ordered(variations), found.nodes, found.seconds, found.table_use / 1000)
                elif mailbox.is_closed or not thread.is_running:
                    break
        finally:
            if not mailbox.is_closed:
                self._stop.set()
            result = thread.result()
        yield self._report(board, result)

    def _report(self, board: Board, result: _core.EngineResult) -> Report:
        variations = tuple(self._variation(board.game, line) for line in result.lines)
        return Report(variations, result.nodes, result.seconds, result.table_use / 1000)

    def _variation(self, game: Game, line: _core.EngineLine) -> Variation:
        assert self._core is not None
        moves = tuple(move_of(game, cell) for cell in line.moves)
        chance = self._core.win_probability(line.score)
        variation = Variation(moves, UNDECIDED, None, line.score, chance, line.depth, line.selective_depth)
        if abs(line.score) <= _core.MAX_EVALUATION:
            return variation
        plies = _core.WON - abs(line.score)
        return replace(variation, value="win" if line.score > 0 else "loss", plies=plies)


def _checked_heuristics(names: Sequence[str]) -> list[str]:
    """The names, which must be known. SpecError says which there are."""
    known = _core.engine_heuristics()
    for name in names:
        if name not in known:
            raise SpecError(f"no heuristic is called {name!r}; there are {', '.join(known)}")
    return list(names)


_Search = Callable[[Board, dict[str, Any]], Iterator[Report]]


class _Background(Generic[Result]):
    """Work in a thread of its own."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._results: list[Result] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def result(self) -> Result:
        """Waits for it. Raises what the work has raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._results[0]

    def _run(self) -> None:
        try:
            self._results.append(self._work())
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is waited for
            self._error = error


def _ordered(variations: dict[int, Variation]) -> tuple[Variation, ...]:
    """By number; one that begins as a better one does is from an earlier depth, and left out."""
    by_move: dict[Move, Variation] = {}
    for number in sorted(variations):
        by_move.setdefault(variations[number].move, variations[number])
    return tuple(by_move.values())


def _has_one_move(board: Board) -> bool:
    """Whether there is one legal move; on a large board to list them all would take a part of the time."""
    game = board.game
    return len(board.legal_moves) == 1 if game.gravity else game.rows * game.columns - board.ply == 1


def _left(seconds: float | None, begin: float) -> float | None:
    return None if seconds is None else max(0.0, seconds - (time.perf_counter() - begin))


def _solved(solution: Solution, move: Move) -> Report:
    chance = {"win": 1.0, "draw": 0.5, "loss": 0.0}[solution.value]
    variation = Variation((move,), solution.value, solution.plies if solution.value != "draw" else None, 0, chance)
    return Report((variation,), solution.nodes, solution.seconds, source="solver")
