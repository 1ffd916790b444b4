"""`nisshoku`: iterative deepening with a transposition table, over the cells next to stones. Report 004, Testa and
Sami, (M,N,K)-game 2021/22, 14th of 48 in the course's tournament.

The idea: only free cells next to a stone are candidates. Positions are kept in a table under one key for all their
mirror images and rotations, with how deep they were searched and whether the value is exact or a bound. The
evaluation counts threats, chains of K-1 and K-2 stones with at most one gap, weighted by whether both ends are open
and by who is to move, and besides, for every stone, its neighbours of the same colour and whether a line still fits
around it.

A proven win is played at once; when every move loses, the choice of the depth before stands, to lose as late as
possible. How much of the time limit is used adapts to how close to it earlier turns came.
"""

import time
from dataclasses import dataclass

from inarow._core import Searcher, make_searcher
from inarow.engine import geometry_of
from inarow.engine.timing import move_seconds
from inarow.game import Board, Game, Limit, Move, Seat
from inarow.players.base import Choice
from inarow.players.options import Means, option
from inarow.players.searching import SearchPlayer, centre

LARGEST_SHARE = 0.99
SMALLEST_SHARE = 0.80
SHARE_STEP_DOWN = 0.03
SHARE_STEP_UP = 0.005
DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))


@dataclass(frozen=True)
class NisshokuOptions:
    table: bool = option(True, "keep positions in a table")
    symmetry: bool = option(True, "one table entry for all mirror images and rotations of a position")
    memory_mb: int = option(256, "the size of the table in megabytes", least=1, most=65536, means=Means.MEGABYTES)


class Nisshoku(SearchPlayer):
    def __init__(self, options: NisshokuOptions) -> None:
        super().__init__()
        self._options = options
        self._share = LARGEST_SHARE

    def make_searcher(self, game: Game) -> Searcher:
        return make_searcher(
            geometry_of(game),
            evaluation="chains",
            order="near",
            memory="table" if self._options.table else "none",
            memory_mb=self._options.memory_mb,
            folds_symmetries=self._options.symmetry,
        )

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        super().start(game, seat, limit)
        self._share = LARGEST_SHARE

    def opening(self, board: Board) -> Move | None:
        """The centre; as second, when it is taken, a free cell diagonally next to it, or else beside it."""
        middle = centre(board.game)
        if board.ply > 1:
            return None
        if isinstance(middle, int):
            return middle if board.is_legal(middle) else None
        steps = ((0, 0), *DIAGONALS, *SIDES)
        cells = ((middle[0] + row, middle[1] + column) for row, column in steps)
        return next((cell for cell in cells if board.is_legal(cell)), None)

    def search(self, searcher: Searcher, board: Board, limit: Limit, seconds: float | None) -> Choice:
        begin = time.perf_counter()
        whole = move_seconds(limit)
        if whole is not None and seconds is not None:
            seconds = min(seconds, whole * self._share)
        result = searcher.deepen(
            self._stop,
            seconds=seconds,
            nodes=limit.nodes,
            depth=limit.depth,
            trusts_first_depth=True,
            loses_late=True,
        )
        if whole is not None:
            self._adapt_share(whole, time.perf_counter() - begin)
        return self.answer(board, result)

    def _adapt_share(self, whole: float, used: float) -> None:
        """The report's estimateTime: less when a turn ended close to the limit, slowly more when it did not."""
        if used > whole - min(0.06, whole * 0.05):
            self._share = max(SMALLEST_SHARE, self._share - SHARE_STEP_DOWN)
        else:
            self._share = min(LARGEST_SHARE, self._share + SHARE_STEP_UP)
