"""What every move of a position is worth, as far as that is found in some seconds: first who wins, then how soon."""

import time
from collections.abc import Callable, Iterator

from inarow.engine.threats import threats_of
from inarow.game import Board, Game, Limit, Move
from inarow.solver.gravity import free_cells
from inarow.solver.openings import shipped_openings
from inarow.solver.solution import OPPOSITE, UNKNOWN, MoveValue, Solution
from inarow.solver.solve import GameSolver, checked, make_solver

TRIED_CELLS = 64  # with more free cells a solver is not asked
WHO_SHARE = 0.6  # of the time, for who wins; the rest for how soon
LEAST_SECONDS = 1e-3

Values = list[MoveValue]


class MoveSolver:
    """Of one game; what it learns from one position helps with the next. `stop` may be called from other threads."""

    def __init__(self, game: Game, memory_mb: int, solver: GameSolver | None = None) -> None:
        """With a solver of somebody else's a stop counts until `resume`; without, until it is asked the next time."""
        self._game = game
        self._has_own_solver = solver is None
        self._memory_mb = memory_mb
        self._openings = shipped_openings(game)
        self._solver = solver
        self._is_stopped = False

    def stop(self) -> None:
        self._is_stopped = True
        solver = self._solver
        if solver is not None:
            solver.stop()

    def resume(self) -> None:
        """Solves again after a stop, with all that it knows."""
        self._is_stopped = False
        if self._solver is not None:
            self._solver.resume()

    def values(self, board: Board, seconds: float, threads: int = 1) -> Iterator[Values]:
        """Lists of all moves, each better known than in the one before; the last is all that was found in the time.

        With more free cells than a solver is asked about, only the moves that win at once are in the list.
        """
        begin = time.monotonic()
        known = self._known_at_once(checked(board))
        yield list(known.values())
        if free_cells(board) > TRIED_CELLS:
            return
        solver = self._solver = self._solver or make_solver(self._game, self._memory_mb)
        if self._has_own_solver:
            self.resume()
        if self._is_stopped:
            return

        def who_wins(after: Board, limit: Limit) -> Solution:
            return solver.settle(after, limit)

        def how_soon(after: Board, limit: Limit) -> Solution:
            if self._game.gravity:
                return solver.solve_many([after], limit, threads=threads)[0]
            return solver.solve(after, limit, threads=threads, shortest=True)

        open_moves = [move for move, value in known.items() if value.value == UNKNOWN]
        yield from self._improved(board, known, open_moves, who_wins, begin + WHO_SHARE * seconds)
        open_moves = [move for move, value in known.items() if value.plies is None]
        yield from self._improved(board, known, open_moves, how_soon, begin + seconds)

    def _known_at_once(self, board: Board) -> dict[Move, MoveValue]:
        wins = {cell[1] if self._game.gravity else cell for cell in threats_of(board, board.turn).wins}
        known = {move: MoveValue(move, "win", 1) for move in sorted(wins)}
        if free_cells(board) > TRIED_CELLS:
            return known
        for move in board.legal_moves:
            if move not in wins:
                known[move] = MoveValue(move, UNKNOWN, None)
                if free_cells(board) == 1:
                    known[move] = MoveValue(move, "draw", 1)
                elif self._openings is not None and (found := self._openings.find(_after(board, move))) is not None:
                    known[move] = MoveValue(move, OPPOSITE[found[0]], None)
        return {move: known[move] for move in board.legal_moves}

    def _improved(
        self,
        board: Board,
        known: dict[Move, MoveValue],
        moves: list[Move],
        ask: Callable[[Board, Limit], Solution],
        deadline: float,
    ) -> Iterator[Values]:
        """Asks about one move after another; what time one leaves over is for those behind it."""
        for number, move in enumerate(moves):
            left = (deadline - time.monotonic()) / (len(moves) - number)
            if self._is_stopped or left <= 0:
                return
            solution = ask(_after(board, move), Limit(seconds=max(left, LEAST_SECONDS)))
            if solution.value != UNKNOWN:
                plies = None if solution.plies is None else solution.plies + 1
                known[move] = MoveValue(move, OPPOSITE[solution.value], plies)
                yield list(known.values())


def _after(board: Board, move: Move) -> Board:
    after = board.copy()
    after.push(move)
    return after
