"""The engine: inarow's own player, and what it thinks of any position.

It asks, in this order: is there only one move; is it known who wins, or can the solver settle that in a part of the
time (knowledge.py); what does the search find. A position that is known to be lost or drawn is still searched for the
move that gives the other the most chances to go wrong; of a draw the solver then says whether that move keeps it.
"""

import time
import weakref
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from inarow import _core
from inarow.engine.analysis import UNDECIDED, Report, Variation, certain, forced, has_one_move, ordered, with_values
from inarow.engine.background import Asker, Background, at_once, interruptible
from inarow.engine.core import StopFlag, cells_of, geometry_of, move_of
from inarow.engine.knowledge import FROM_BOOK, Knowledge, tried_cells
from inarow.engine.move_values import TRIED_CELLS, Values
from inarow.engine.timing import Plan, allot, seconds_left
from inarow.engine.weights import FORMULA, LEARNED, WeightSet, is_often_drawn, set_for, weights_for
from inarow.errors import IllegalMove, SpecError
from inarow.game import Board, Game, Limit, Move, Seat
from inarow.solver.gravity import free_cells
from inarow.solver.solution import Solution

DEFAULT_MEMORY_MB = 256
SOLVER_MEMORY_SHARE = 0.25
CHECK_SHARE = 0.3  # of the time that is left, for checking that the move found keeps a draw,
HOLD_SHARE = 0.3  # … of that, where only a pairing may keep it
VALUES_SHARE = 0.2  # of the time of an analysis of several moves, for what the solver knows of each
ENDLESS_SECONDS = 2.0  # an analysis without an end asks the solver as one of so many seconds does
FIRST_LOOK_SECONDS = 0.05  # of an analysis, so that there is something to see before the solver is asked
MAX_THREADS = 64
MAX_MEMORY_MB = 2**20
MAX_CONTEMPT = 400
MEMORY_SECONDS = 0.5  # to take memory before a game; what is left comes during the search
_MEMORY_STEP_SECONDS = 0.005
_MAILBOX_SECONDS = 0.05


class Engine:
    """Chooses and analyses moves; what it learns from one position helps with the next of the same game.

    For one thread at a time; only `stop` may be called from others. To ask it anything ends an analysis that is still
    open. Ctrl-C in the main thread ends an analysis, too; a search is only heard of when it is over.

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
        contempt: int = 0,
    ) -> None:
        """`weights` are what `weights_for` takes: learned, formula or a file; `without` names heuristics of the search
        that are switched off, to measure what they bring; `contempt` is how much weaker the other player is taken to be
        where games are often drawn (`is_often_drawn`), in hundredths of a logit of its chances, when the engine plays
        a `seat`. SpecError for what there is not.
        """
        _check_number("threads", threads, 1, MAX_THREADS)
        _check_number("memory_mb", memory_mb, 1, MAX_MEMORY_MB)
        _check_number("contempt", contempt, 0, MAX_CONTEMPT)
        if weights not in (LEARNED, FORMULA):
            weights_for(Game(15, 15, 5), weights)  # it can be read
        self.threads = threads
        self.memory_mb = memory_mb
        self._uses_solver = solver
        self._weights = weights
        self._without = _checked_heuristics(without)
        self._contempt = contempt
        self._stop = StopFlag()
        self._stop_pondering = StopFlag()
        weakref.finalize(self, self._stop_pondering.set)  # nobody is there any more to think for
        self._pondering: Background[_core.EngineResult] | None = None
        self._stop_following = StopFlag()
        self._following: Background[_core.EngineResult] | None = None
        self._ask: Asker = at_once
        self._questions = 0  # searches and analyses so far: whoever goes on with an earlier one finds it ended
        self._game: Game | None = None
        self.seat: Seat | None = None
        """Whose games it plays; None: it says what positions are worth, whoever is to move."""
        self._made_with: tuple[int, int, WeightSet | None] | None = None
        """Threads, memory and set of weights of the core."""
        self._hopes = 0
        """The contempt with which it has thought."""
        self._has_thought = False
        self._core: _core.Engine | None = None
        self._knowledge: Knowledge | None = None

    def choose(self, board: Board, limit: Limit) -> Move:
        """The move to play. Getting ready for another game takes a part of the time, unless it was prepared for."""
        return self.search(board, limit).best.move

    def search(self, board: Board, limit: Limit) -> Report:
        """The move to play, and what the engine thinks of it."""
        asked_at = time.perf_counter()
        self._begin(board)
        *_, report = self._reports(board, limit, 1, self._found, asked_at)
        return report

    def analyse(self, board: Board, limit: Limit | None = None, lines: int = 1) -> Iterator[Report]:
        """Reports, each better founded than the one before, until the limit comes or the position is settled.

        To leave the loop, or to close the iterator, ends the search; so does `stop`.
        """
        _check_number("lines", lines, 1, None)
        self._begin(board)
        self._prepare(board.game)
        reports = self._reports(board.copy(), limit or Limit(), min(lines, free_cells(board)), self._followed)
        return self._while_asked(reports, self._questions)

    def ponder(self, board: Board, reply: Move | None = None) -> None:
        """Goes on thinking while the other is to move, until the next search, `end_pondering` or `stop`.

        With the reply that is expected it thinks about the position after it.
        """
        self._end_all()
        self._prepare(board.game)
        self._has_thought = True
        expected = board.copy()
        if reply is not None:
            expected.push(reply)
        assert self._core is not None
        if not expected.is_over:
            core, cells, stop = self._core, cells_of(expected), self._stop_pondering
            search = partial(core.search, cells, stop, is_told=False, contempt=self._hopes)
            self._pondering = Background(search, stop.set)
            self._pondering.start()

    @property
    def is_pondering(self) -> bool:
        """False also when it has nothing more to find out."""
        return self._pondering is not None and self._pondering.is_running

    def end_pondering(self) -> None:
        """Comes back within milliseconds; what was found stays in the table."""
        if self._pondering is not None:
            self._pondering.end()
            self._pondering = None
        self._stop_pondering.clear()

    def stop(self) -> None:
        """Called from another thread: what has been asked comes to an end within milliseconds, with the best so far."""
        self._stop.set()
        self._stop_following.set()
        self._stop_pondering.set()
        knowledge = self._knowledge
        if knowledge is not None:
            knowledge.stop()

    def forget(self) -> None:
        """Forgets all it has learned; what has only been prepared stays."""
        self._end_all()
        if self._has_thought:
            self._game = self._core = self._knowledge = None

    def prepare(self, game: Game) -> None:
        """Gets ready for a game, so that the first move has all its time; with the threads, memory and seat it has now.

        For another game, or with another of these, it begins anew and knows nothing. `stop` ends it early: what memory
        it has not taken by then comes during the search.
        """
        self._stop.clear()
        self._end_all()
        self._prepare(game)
        assert self._core is not None
        until = time.perf_counter() + MEMORY_SECONDS
        while time.perf_counter() < until and not self._stop.is_set and self._core.take_memory(_MEMORY_STEP_SECONDS):
            pass

    # --- the parts of a search ---

    def _prepare(self, game: Game) -> None:
        share = SOLVER_MEMORY_SHARE if self._uses_solver else 0.0
        made_with = (self.threads, self.memory_mb, set_for(game, self.seat))
        if self._game != game or self._made_with != made_with:
            _check_number("threads", self.threads, 1, MAX_THREADS)
            _check_number("memory_mb", self.memory_mb, 1, MAX_MEMORY_MB)
            self._game = self._core = self._knowledge = None  # before there is memory for others
            with self._needs_memory():
                self._core = _core.Engine(
                    geometry_of(game),
                    memory_mb=max(1, round(self.memory_mb * (1 - share))),
                    threads=self.threads,
                    weights=weights_for(game, self._weights, self.seat),
                    without=self._without,
                )
            self._game = game
            self._made_with = made_with
            self._has_thought = False
        assert self._core is not None
        if self._has_thought and self._hopes != self._contempt_of_first(game):
            self._core.clear()
            self._has_thought = False
        self._hopes = self._contempt_of_first(game)
        if self._uses_solver:
            if self._knowledge is None:
                with self._needs_memory():
                    self._knowledge = Knowledge(game, max(1, round(self.memory_mb * share)))
            self._knowledge.resume()
            if self._stop.is_set:  # in the meantime
                self._knowledge.stop()

    @contextmanager
    def _needs_memory(self) -> Iterator[None]:
        try:
            yield
        except MemoryError:
            raise SpecError(f"there are no {self.memory_mb} MB of memory to be had for the engine") from None

    def _contempt_of_first(self, game: Game) -> int:
        """How much weaker than the first seat it takes the second to be."""
        if self.seat is None or not is_often_drawn(game):
            return 0
        return self._contempt if self.seat is Seat.FIRST else -self._contempt

    def _begin(self, board: Board) -> None:
        """A new question. A stop from now on is one for it."""
        if board.is_over:
            raise IllegalMove("the game is over: there is nothing to search")
        self._stop.clear()
        self._end_all()

    def _end_all(self) -> None:
        """What is still running from earlier questions."""
        self._questions += 1
        self.end_pondering()
        if self._following is not None:
            self._following.end()
            self._following = None

    def _while_asked(self, reports: Generator[Report], question: int) -> Iterator[Report]:
        """The reports until something else is asked."""
        try:
            while question == self._questions and (report := next(reports, None)) is not None:
                yield report
        finally:
            reports.close()

    def _reports(
        self, board: Board, limit: Limit, lines: int, search: "_Search", asked_at: float | None = None
    ) -> Generator[Report]:
        """The time counts from when it was asked, or from when the first report is."""
        begin = time.perf_counter() if asked_at is None else asked_at
        is_followed = search == self._followed
        self._ask = interruptible if is_followed else at_once
        self._prepare(board.game)
        self._has_thought = True
        allotted = allot(limit, free_cells(board))
        if lines == 1 and has_one_move(board):
            yield Report((forced(board),), source="rules")
            return
        is_timed = limit.nodes is None and limit.depth is None  # else the solver would go beyond these
        seconds = (allotted.soft or allotted.hard) if is_timed else None
        limits = {"nodes": limit.nodes, "depth": limit.depth, "lines": lines, "contempt": self._hopes}
        if is_followed and seconds is not None and free_cells(board) <= tried_cells(board.game):
            yield from search(board, limits | {"seconds": min(FIRST_LOOK_SECONDS, seconds / 10)})
        if lines > 1 or limit == Limit():
            values = self._values(board, ENDLESS_SECONDS if limit == Limit() else seconds)
            timed = {"seconds": seconds_left(allotted.hard, begin), "soft_seconds": seconds_left(allotted.soft, begin)}
            for report in search(board, limits | timed):
                yield replace(report, variations=with_values(report.variations, values, lines, free_cells(board)))
            return
        known = self._known(board, seconds)
        if known is not None and (known.value == "win" or (known.value == "loss" and known.plies is not None)):
            yield _solved(board, known)
            return
        left, soft = seconds_left(allotted.hard, begin), seconds_left(allotted.soft, begin)
        if self._knowledge is None or seconds is None or (known is not None and known.value == "loss"):
            yield from search(board, limits | {"seconds": left, "soft_seconds": soft})
            return
        assert left is not None
        for_checks = CHECK_SHARE * (left if soft is None else soft)
        plan = Plan(left, soft, for_checks, time.perf_counter() + left)
        if known is not None:
            yield from self._kept_draw(board, known, search, limits, plan)
        elif self._knowledge.can_hold(board):
            yield from self._held(board, search, limits, replace(plan, for_checks=HOLD_SHARE * for_checks))
        else:
            yield from self._not_refuted(board, search, limits, plan)

    def _known(self, board: Board, seconds: float | None) -> Solution | None:
        """Who wins, if that is known or soon settled; None also when there is no clock."""
        if self._knowledge is None or seconds is None:
            return None
        knowledge = self._knowledge
        return self._ask(partial(knowledge.settled, board, seconds), knowledge.stop)

    def _values(self, board: Board, seconds: float | None) -> Values:
        """What each move is worth, as far as that is known or found in a part of so many seconds."""
        knowledge, share = self._knowledge, VALUES_SHARE * (seconds or 0.0)
        if knowledge is None or free_cells(board) > TRIED_CELLS:  # more than the search knows is not to be had then
            return []
        return self._ask(partial(knowledge.of_moves, board, share), knowledge.stop)

    def _kept_draw(
        self, board: Board, known: Solution, search: "_Search", limits: dict[str, Any], plan: Plan
    ) -> Iterator[Report]:
        """The search's move if it keeps the draw, else one of the solver's that does."""
        knowledge, report = self._knowledge, None
        assert knowledge is not None
        for report in search(board, limits | plan.search_limits):
            yield report
        assert report is not None
        move = report.best.move
        if move in known.best_moves:
            return
        if not self._ask(partial(knowledge.keeps_draw, board, move, plan.check_seconds), knowledge.stop):
            yield _solved(board, known)

    def _not_refuted(self, board: Board, search: "_Search", limits: dict[str, Any], plan: Plan) -> Iterator[Report]:
        """The search's move, unless the solver finds that it loses: then the search goes on without it."""
        knowledge = self._knowledge
        assert knowledge is not None
        if not knowledge.can_refute(board):
            plan = replace(plan, for_checks=0.0)
        lost: list[int] = []
        while True:
            report = None
            for report in search(board, limits | plan.search_limits | {"lost": lost}):
                yield report
            assert report is not None
            after = board.copy()
            after.push(report.best.move)
            cell = cells_of(after)[-1]
            if report.best.value != UNDECIDED or cell in lost:
                return
            if not self._ask(partial(knowledge.is_lost, after, plan.check_seconds), knowledge.stop):
                return
            lost.append(cell)
            plan = plan.for_another()

    def _held(self, board: Board, search: "_Search", limits: dict[str, Any], plan: Plan) -> Iterator[Report]:
        """The search's move, unless it finds the other ahead and a pairing holds the game with another one."""
        knowledge, report = self._knowledge, None
        assert knowledge is not None
        for report in search(board, limits | plan.search_limits):
            yield report
        assert report is not None
        best = report.best
        if best.value == UNDECIDED and best.score < 0:
            find = partial(knowledge.holding_move, board, best.move, plan.check_seconds)
            move = self._ask(find, knowledge.stop)
            if move is not None and move != best.move:
                yield Report((Variation((move,)),), report.nodes, report.seconds, source="solver")

    def _found(self, board: Board, limits: dict[str, Any]) -> Iterator[Report]:
        """The search's last word."""
        assert self._core is not None
        yield self._report(board, self._core.search(cells_of(board), self._stop, **limits))

    def _followed(self, board: Board, limits: dict[str, Any]) -> Iterator[Report]:
        """The search's reports while it runs in a thread of its own, and its last word."""
        assert self._core is not None
        core, mailbox, cells, stop = self._core, _core.ReportMailbox(), cells_of(board), StopFlag()
        self._stop_following = stop
        if self._stop.is_set:
            stop.set()
        thread = self._following = Background(lambda: core.search(cells, stop, mailbox, **limits), stop.set)
        variations: dict[int, Variation] = {}
        try:
            thread.start()
            while True:
                found = mailbox.take(_MAILBOX_SECONDS)
                if found is not None:
                    variations[found.number] = self._variation(board.game, found.line)
                    yield Report(ordered(variations), found.nodes, found.seconds, found.table_use / 1000)
                elif mailbox.is_closed or not thread.is_running:
                    break
        finally:
            thread.end()
        yield self._report(board, thread.result())

    def _report(self, board: Board, result: _core.EngineResult) -> Report:
        variations = tuple(self._variation(board.game, line) for line in result.lines)
        return Report(variations, result.nodes, result.seconds, result.table_use / 1000)

    def _variation(self, game: Game, line: _core.EngineLine) -> Variation:
        assert self._core is not None
        moves = tuple(move_of(game, cell) for cell in line.moves)
        chance = self._core.win_probability(line.score)
        deepest = max(line.depth, line.selective_depth)
        variation = Variation(moves, UNDECIDED, None, line.score, chance, line.depth, deepest)
        if abs(line.score) <= _core.MAX_EVALUATION:
            return variation
        plies = _core.WON - abs(line.score)
        return replace(variation, value="win" if line.score > 0 else "loss", plies=plies)


def _check_number(name: str, number: int, least: int, most: int | None) -> None:
    """SpecError when it is none from the least on."""
    if type(number) is not int or number < least or (most is not None and number > most):
        upper = f" to {most}" if most else " on"
        raise SpecError(f"{name} must be a whole number from {least}{upper}, not {number!r}")


def _checked_heuristics(names: Sequence[str]) -> list[str]:
    """The names, which must be known. SpecError says which there are."""
    known = _core.engine_heuristics()
    for name in [names] if isinstance(names, str) else names:
        if name not in known:
            raise SpecError(f"no heuristic is called {name!r}; there are {', '.join(known)}")
    if isinstance(names, str):
        raise SpecError(f"heuristics are given as a list: [{names!r}]")
    return list(names)


_Search = Callable[[Board, dict[str, Any]], Iterator[Report]]


def _solved(board: Board, solution: Solution) -> Report:
    variation = certain(Variation((solution.best_moves[0],)), solution.value, solution.plies, free_cells(board))
    source = "book" if solution.method == FROM_BOOK else "solver"
    return Report((variation,), solution.nodes, solution.seconds, source=source)
