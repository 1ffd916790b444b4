"""`alphabeta` and `deepening`: what alpha-beta does without any order of moves. Attempts that report 002 gave up.

All playable cells, from the top left, evaluated at the horizon by the free cells' helpfulness to the player minus
that to the other. `alphabeta` searches to a fixed depth; `deepening` searches depth 1, 2, 3, … until the limit.
"""

from dataclasses import dataclass

from inarow._core import Searcher, make_searcher
from inarow.engine import geometry_of
from inarow.game import Board, Game, Limit
from inarow.players.base import Choice
from inarow.players.cadrega import leaf_value
from inarow.players.options import NoOptions, option
from inarow.players.searching import SearchPlayer, by_counts


@dataclass(frozen=True)
class AlphaBetaOptions:
    depth: int = option(4, "plies looked ahead", least=1)


class PlainPlayer(SearchPlayer):
    def make_searcher(self, game: Game) -> Searcher:
        values = by_counts(game, lambda first, second: leaf_value(game.k, first, second))
        return make_searcher(geometry_of(game), evaluation="windows", window_values=values, order="plain")


class AlphaBeta(PlainPlayer):
    def __init__(self, options: AlphaBetaOptions) -> None:
        super().__init__()
        self._depth = options.depth

    def search(self, searcher: Searcher, board: Board, limit: Limit, seconds: float | None) -> Choice:
        depth = min(self._depth, limit.depth or self._depth)
        return self.answer(board, searcher.fixed(depth, self._stop, seconds=seconds, nodes=limit.nodes))


class Deepening(PlainPlayer):
    def __init__(self, options: NoOptions) -> None:
        super().__init__()

    def search(self, searcher: Searcher, board: Board, limit: Limit, seconds: float | None) -> Choice:
        return self.answer(board, searcher.deepen(self._stop, seconds=seconds, nodes=limit.nodes, depth=limit.depth))
