"""`markcello`: a narrow and deep alpha-beta with a budget of nodes. Report 002, Huang and Spadaccini, (M,N,K)-game
2021/22, winner of the course's tournament.

The idea: at each node only the best q cells are looked at, and so the search is ten plies deep.
A cell's value counts, direction by direction, the windows through it that can still be won and the stones in them; a
cell that wins, or that makes two threats at once, is worth more than any sum. A move is good when the cell is worth
much to the player, to the other, or to both, and when stones are near. A position is worth the player's cells minus
the other's.

How many nodes a turn may visit is measured before the game. The first root move, which is mostly the best, gets a
quarter of them; the others share the rest in equal parts, and what one leaves goes to the next.

The report's list of improvements: `q` and `depth` are options, for `inarow tune markcello` to find; `threads` search
root moves at the same time; and values are brought up to date in O(K) a line, in one pass with a sliding maximum, not
in O(K²).
"""

import time
from dataclasses import dataclass

from inarow._core import Searcher, SearchResult, make_searcher
from inarow.engine import geometry_of
from inarow.engine.timing import move_seconds
from inarow.game import Board, Game, Limit, Seat
from inarow.players.base import Choice
from inarow.players.options import Means, option
from inarow.players.searching import SearchPlayer

ROOT_FACTOR = 3
DEFAULT_DEPTH = 10
SLOW_DEPTH = 8
UNLIMITED = 2**62
CALIBRATION_SHARE = 0.85
CALIBRATION_SECONDS = 10.0
MANY_NODES = 1_000_000
DEFAULT_BUDGET = 1_000_000


@dataclass(frozen=True)
class MarkcelloOptions:
    q: int | None = option(None, "moves looked at in a node; 7 by itself, 3 when K is 10 or more", least=1)
    depth: int | None = option(
        None, "plies looked ahead; 10 by itself, 8 when K is 10 or more and the machine slow", least=1
    )
    threads: int = option(1, "root moves searched at the same time", least=1, most=64, means=Means.THREADS)


class Markcello(SearchPlayer):
    def __init__(self, options: MarkcelloOptions) -> None:
        super().__init__()
        self._options = options
        self._budget = DEFAULT_BUDGET

    def make_searcher(self, game: Game) -> Searcher:
        q = self._options.q or (7 if game.k < 10 else 3)
        return make_searcher(geometry_of(game), evaluation="mics", order="best", width=q, root_width=ROOT_FACTOR * q)

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        """Calibrates: searches the empty board for most of a turn's time; as many nodes are the budget of a turn."""
        super().start(game, seat, limit)
        whole = move_seconds(limit)
        self._budget = DEFAULT_BUDGET
        if limit.nodes is not None:
            self._budget = limit.nodes
        elif whole is not None:
            self._budget = self._calibrated(whole)

    def _calibrated(self, whole: float) -> int:
        assert self._searcher is not None
        seconds = min(whole * CALIBRATION_SHARE, CALIBRATION_SECONDS)
        nodes, begin = 0, time.perf_counter()
        while (used := time.perf_counter() - begin) < seconds and not self._stop.is_set:
            nodes += self._shares(self._searcher, DEFAULT_DEPTH, UNLIMITED, None, seconds - used).nodes
        return max(1, round(nodes * whole * CALIBRATION_SHARE / max(used, 1e-6)))

    def search(self, searcher: Searcher, board: Board, limit: Limit, seconds: float | None) -> Choice:
        slow = board.game.k >= 10 and self._budget < MANY_NODES
        depth = self._options.depth or (SLOW_DEPTH if slow else DEFAULT_DEPTH)
        if limit.depth is not None:
            depth = min(depth, limit.depth)
        return self.answer(board, self._shares(searcher, depth, limit.nodes or self._budget, limit.nodes, seconds))

    def _shares(
        self, searcher: Searcher, depth: int, budget: int, nodes: int | None, seconds: float | None
    ) -> SearchResult:
        return searcher.shares(depth, budget, self._stop, seconds=seconds, nodes=nodes, threads=self._options.threads)
