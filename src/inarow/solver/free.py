"""Exact values of positions with free placement, by the core's FreeSolver."""

from collections.abc import Sequence

from inarow import _core
from inarow.game import Board, Game, Limit, Move, Seat
from inarow.solver.proof import Strategy
from inarow.solver.solution import UNKNOWN, VALUES, Progress, Solution, TableUse
from inarow.solver.written import strategy_of


class FreeSolver:
    """Solves positions of one game, one after another; what it learns from one helps with the next.

    For one thread at a time; `stop` and `progress` may be called from others meanwhile.
    """

    def __init__(self, game: Game, memory_mb: int) -> None:
        assert not game.gravity
        self.game = game
        self._core = _core.FreeSolver(game.rows, game.columns, game.k, memory_mb)
        self._stop = _core.StopFlag()
        self._progress = _core.FreeProgress()

    def stop(self) -> None:
        """Ends what is being solved, and everything after, until `resume`."""
        self._stop.set()

    def resume(self) -> None:
        self._stop.clear()

    def progress(self) -> Progress:
        now = self._progress
        least, most = VALUES[now.lower], VALUES[now.upper]
        known = f"{least} to {most}, proof number {now.proof}, disproof number {now.disproof}"
        return Progress(now.nodes, (least, most), known)

    def table(self) -> TableUse:
        return TableUse(self._core.table_bytes, self._core.table_entries, self._core.table_used)

    def solve(
        self, board: Board, limit: Limit, *, threads: int = 1, weak: bool = False, shortest: bool = False
    ) -> Solution:
        """One thread works, whatever `threads` says. `weak`: the weak game, in which the other only blocks."""
        found = self._core.solve(
            self._cells(board),
            self._stop,
            self._progress,
            seconds=limit.seconds,
            nodes=limit.nodes,
            weak=weak,
            shortest=shortest,
        )
        value = VALUES[found.lower] if found.lower == found.upper else UNKNOWN
        plies = found.plies if found.plies > 0 else None
        if value == "draw" and not weak:
            plies = self.game.rows * self.game.columns - board.ply
        best_moves: list[Move] = [divmod(found.move, self.game.columns)] if found.move >= 0 else []
        method = found.method if value != UNKNOWN else "search"
        return Solution(value, plies, best_moves, method, found.nodes, found.seconds)

    def solve_many(
        self, boards: Sequence[Board], limit: Limit, *, threads: int = 1, weak: bool = False
    ) -> list[Solution]:
        return [self.solve(board, limit, weak=weak) for board in boards]

    def settle(self, board: Board, limit: Limit, *, at_least: str = "loss", soon: float = 0.0) -> Solution:
        return self.solve(board, limit)

    def strategy(self, board: Board, seat: Seat, goal: str, plies: int | None, max_positions: int) -> Strategy | None:
        cells = self._cells(board)
        written = self._core.write_proof(cells, seat, goal, self._stop, plies=plies, max_positions=max_positions)
        return strategy_of(written, seat, goal, plies)

    def pairing(self, board: Board, attacking: Seat, limit: Limit) -> dict[Move, Move]:
        """Each cell of a pairing with its partner: who answers there keeps a seat from ever completing a line.

        Empty when none was found in time. It holds whoever is to move, and outlives every stone of the one who answers.
        """
        cells = self._core.pairing(self._cells(board), attacking, self._stop, seconds=limit.seconds)
        moves: list[Move] = [divmod(cell, self.game.columns) for cell in cells]
        return dict(zip(moves[::2], moves[1::2], strict=True)) | dict(zip(moves[1::2], moves[::2], strict=True))

    def _cells(self, board: Board) -> list[int]:
        return [move[0] * self.game.columns + move[1] for move in board.moves if not isinstance(move, int)]
