"""`cadrega`: alpha-beta to a depth that fits the time, with a tree kept from turn to turn. Report 000, Goretti and
Mariano, (M,N,K)-game 2021/22, 4th of 48 in the course's tournament.

The idea: a free cell is helpful to a player by the windows through it that the other has no stone in, 1 for each and
1 more for each stone already in it. A node's moves are tried by their helpfulness to both players together; but when
a move wins, or else when one must be stopped, it is the only one. At the horizon a position is worth its free cells'
helpfulness to the player minus that to the other.

The depth is fixed for a turn: as deep as the square root of all sequences of moves, which is what alpha-beta visits
when the order is good, fits into the number of nodes that earlier turns managed on average. The visited tree is kept,
and the next turn begins in the part of it that was played, with the moves there already sorted.
"""

import math
import time
from dataclasses import dataclass

from inarow._core import Searcher, SearchResult, make_searcher
from inarow.engine import geometry_of
from inarow.engine.timing import move_seconds
from inarow.game import Board, Game, Limit, Seat
from inarow.players.base import Choice
from inarow.players.options import Means, option
from inarow.players.searching import SearchPlayer, by_counts

MINIMUM_DEPTH = 3


@dataclass(frozen=True)
class CadregaOptions:
    tree: bool = option(True, "keep the visited tree from turn to turn")
    memory_mb: int = option(256, "the size of the tree in megabytes", least=1, most=65536, means=Means.MEGABYTES)


def helpfulness(own: int, other: int) -> int:
    """Of a window to the player with `own` stones in it, for each of its free cells."""
    return 1 + own if other == 0 else 0


def both_helpfulness(first: int, second: int) -> int:
    return helpfulness(first, second) + helpfulness(second, first)


def leaf_value(k: int, first: int, second: int) -> int:
    """A window's share in the sum over free cells of the first seat's helpfulness minus the second's."""
    return (k - first - second) * (helpfulness(first, second) - helpfulness(second, first))


def optimized_depth(starting_depth: int, free_cells: int, nodes: float) -> int:
    """How deep to search when about `nodes` nodes can be visited: the report's optimizedDepth."""
    depth = starting_depth
    visited = math.sqrt(free_cells)
    for _ in range(starting_depth - 1):
        free_cells = max(free_cells - 1, 0)
        visited *= math.sqrt(free_cells)
    while visited < nodes:
        free_cells -= 1
        if free_cells <= 0:
            return depth
        visited *= math.sqrt(free_cells)
        depth += 1
    return max(starting_depth, depth - 2)


class Cadrega(SearchPlayer):
    def __init__(self, options: CadregaOptions) -> None:
        super().__init__()
        self._options = options
        self._average_nodes = 0.0

    def make_searcher(self, game: Game) -> Searcher:
        return make_searcher(
            geometry_of(game),
            evaluation="windows",
            window_values=by_counts(game, lambda first, second: leaf_value(game.k, first, second)),
            order="forced",
            cell_values=by_counts(game, both_helpfulness),
            memory="tree" if self._options.tree else "none",
            memory_mb=self._options.memory_mb,
        )

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        """Plays a dummy turn on the empty board, to learn how many nodes a turn can visit."""
        super().start(game, seat, limit)
        assert self._searcher is not None
        seconds = move_seconds(limit)
        self._average_nodes = 0.0
        if seconds is not None and limit.nodes is None:
            dummy_seconds = seconds - 2 * margin(seconds)
            _, self._average_nodes = self._search_to_depth(self._searcher, MINIMUM_DEPTH, limit, dummy_seconds)
            self._searcher = self.make_searcher(game)  # the dummy turn's tree is not part of the game

    def search(self, searcher: Searcher, board: Board, limit: Limit, seconds: float | None) -> Choice:
        free_cells = board.game.rows * board.game.columns - board.ply
        whole = move_seconds(limit)
        if limit.nodes is not None:
            depth = optimized_depth(MINIMUM_DEPTH, free_cells, limit.nodes)
        elif whole is not None:
            depth = optimized_depth(MINIMUM_DEPTH, free_cells, self._average_nodes)
        else:
            depth = limit.depth or MINIMUM_DEPTH
        if limit.depth is not None:
            depth = min(depth, limit.depth)
        if whole is not None and seconds is not None:
            seconds = min(seconds, whole - margin(whole))
        result, nodes = self._search_to_depth(searcher, depth, limit, seconds)
        self._average_nodes = (self._average_nodes + nodes) / 2
        return self.answer(board, result)

    def _search_to_depth(
        self, searcher: Searcher, depth: int, limit: Limit, seconds: float | None
    ) -> tuple[SearchResult, float]:
        """The search, and how many nodes it would have visited in the whole time."""
        begin = time.perf_counter()
        result = searcher.fixed(depth, self._stop, seconds=seconds, nodes=limit.nodes)
        used = max(time.perf_counter() - begin, 1e-6)
        whole = move_seconds(limit)
        scale = whole / used if whole is not None and not result.stopped else 1.0
        return result, result.nodes * scale


def margin(seconds: float) -> float:
    """The report keeps half a second; that would be all of a short limit."""
    return min(0.5, seconds / 10)
