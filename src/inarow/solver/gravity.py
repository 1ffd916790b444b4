"""Exact values of positions with gravity, by the core's DropSolver.

Its scores: whoever completes a line with the i-th of the n moves it has left gets n - i + 1, at least 1; a draw is 0.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

from inarow._core import DropProgress, DropSolution, DropSolver, StopFlag
from inarow.game import Board, Game, Limit, Move, Seat
from inarow.solver.proof import Strategy
from inarow.solver.solution import UNKNOWN, VALUES, Progress, Solution, TableUse
from inarow.solver.written import strategy_of

METHOD = "alpha-beta"


class GravitySolver:
    """Solves positions of one game, one after another; what it learns from one helps with the next.

    For one thread at a time; `stop` and `progress` may be called from others meanwhile.
    """

    def __init__(self, game: Game, memory_mb: int) -> None:
        assert game.gravity
        self.game = game
        self._core = DropSolver(game.rows, game.columns, game.k, memory_mb)
        self._stop = StopFlag()
        self._progress = DropProgress()

    def prepare(self) -> None:
        """Forgets everything, and takes its memory now: later a move's time could be spent on that."""
        self._core.solve([[]], self._stop, nodes=1, forget=True)

    def stop(self) -> None:
        """Ends what is being solved, and everything after, until `resume`."""
        self._stop.set()

    def resume(self) -> None:
        self._stop.clear()

    def progress(self) -> Progress:
        lower, upper = self._progress.lower, self._progress.upper
        return Progress(self._progress.nodes, (value_of(lower), value_of(upper)), f"score {lower} to {upper}")

    def table(self) -> TableUse:
        return TableUse(self._core.table_bytes, self._core.table_entries, self._core.table_used)

    def solve(
        self, board: Board, limit: Limit, *, threads: int = 1, weak: bool = False, shortest: bool = False
    ) -> Solution:
        """Plies come by themselves, but for `weak`, which takes less time.

        The limit is for the value and the best moves together: those for which nothing is left of it are missing. Nodes
        and seconds of the solution are those of the value.
        """
        solution = self.solve_many([board], limit, threads=threads, weak=weak)[0]
        if solution.value == UNKNOWN:
            return solution
        best_moves = self._moves_that_keep(board, solution, limit, threads)
        return replace(solution, best_moves=best_moves)

    def solve_many(
        self, boards: Sequence[Board], limit: Limit, *, threads: int = 1, weak: bool = False
    ) -> list[Solution]:
        """As `solve`, without the best moves; the limit holds for each board."""
        most = 1 if weak else free_cells(Board(self.game))
        solutions = []
        for board, found in zip(boards, self._ask(boards, limit, threads, -most, most), strict=True):
            value, plies = UNKNOWN, None
            if found.lower == found.upper:
                value = value_of(found.lower)
                plies = None if weak and found.lower else plies_of(found.lower, free_cells(board))
            solutions.append(Solution(value, plies, [], METHOD, found.nodes, found.seconds))
        return solutions

    def settle(self, board: Board, limit: Limit, *, at_least: str = "loss", soon: float = 0.0) -> Solution:
        lowest = next(sign for sign, value in VALUES.items() if value == at_least)
        found = self._ask([board], limit, 1, lowest, 1)[0]
        if found.lower != found.upper:
            return Solution(UNKNOWN, None, [], METHOD, found.nodes, found.seconds)
        value, plies, move = value_of(found.lower), None, found.move
        if value == "draw":
            plies = free_cells(board)
        elif soon > 0 and (left := what_is_left(_part_of(limit, soon), found.seconds, found.nodes)) is not None:
            most = free_cells(board)
            exact = self._ask([board], left, 1, *((1, most) if value == "win" else (-most, -1)))[0]
            if exact.lower == exact.upper:
                plies = plies_of(exact.lower, free_cells(board))
            if exact.move is not None:  # nearer to the best; without it the first one is as good as any
                move = exact.move
        best_moves: list[Move] = board.legal_moves if move is None else [move]
        return Solution(value, plies, best_moves, METHOD, found.nodes, found.seconds)

    def strategy(self, board: Board, seat: Seat, goal: str, plies: int | None, max_positions: int) -> Strategy | None:
        columns = [move for move in board.moves if isinstance(move, int)]
        written = self._core.write_proof(columns, seat, goal, self._stop, plies=plies, max_positions=max_positions)
        return strategy_of(written, seat, goal, plies)

    def _moves_that_keep(self, board: Board, solution: Solution, limit: Limit, threads: int) -> list[Move]:
        """The moves that are worth as much as the position; without those for which the limit comes first."""
        if solution.plies is None and solution.value == "loss":
            return board.legal_moves
        score = 1 if solution.plies is None else score_of(solution.value, solution.plies, free_cells(board))
        begin = time.monotonic() - solution.seconds
        nodes = solution.nodes
        best = []
        for move in board.legal_moves:
            after = board.copy()
            after.push(move)
            if after.is_over:
                is_best = solution.value != "win" or after.outcome.winner is not None  # type: ignore[union-attr]
            else:
                left = what_is_left(limit, time.monotonic() - begin, nodes)
                if left is None:
                    break
                found = self._ask([after], left, threads, -score, -score + 1)[0]
                nodes += found.nodes
                is_best = found.upper == -score
            if is_best:
                best.append(move)
        return best

    def _ask(
        self, boards: Sequence[Board], limit: Limit, threads: int, lowest: int, highest: int
    ) -> list[DropSolution]:
        games = [[move for move in board.moves if isinstance(move, int)] for board in boards]
        return self._core.solve(
            games,
            self._stop,
            self._progress,
            seconds=limit.seconds,
            nodes=limit.nodes,
            lowest=lowest,
            highest=highest,
            threads=threads,
        )


def value_of(score: int) -> str:
    return VALUES[(score > 0) - (score < 0)]


def _part_of(limit: Limit, share: float) -> Limit:
    seconds = None if limit.seconds is None else limit.seconds * share
    return Limit(seconds=seconds, nodes=None if limit.nodes is None else max(1, int(limit.nodes * share)))


def what_is_left(limit: Limit, seconds: float, nodes: int) -> Limit | None:
    """The limit without what has been used up of it; None when nothing is left."""
    seconds_left = None if limit.seconds is None else limit.seconds - seconds
    nodes_left = None if limit.nodes is None else limit.nodes - nodes
    if (seconds_left is not None and seconds_left <= 0) or (nodes_left is not None and nodes_left < 1):
        return None
    return Limit(seconds=seconds_left, nodes=nodes_left)


def free_cells(board: Board) -> int:
    return board.game.rows * board.game.columns - board.ply


def plies_of(score: int, free: int) -> int:
    """How many moves the game goes on, with so many cells free."""
    if score == 0:
        return free
    moves = (free + 1) // 2 if score > 0 else free // 2
    nth = moves - abs(score) + 1
    return 2 * nth - 1 if score > 0 else 2 * nth


def score_of(value: str, plies: int, free: int) -> int:
    """The inverse of plies_of."""
    if value == "draw":
        return 0
    nth = (plies + 1) // 2
    return (free + 1) // 2 - nth + 1 if value == "win" else -(free // 2 - nth + 1)
