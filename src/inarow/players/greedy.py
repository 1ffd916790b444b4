"""`greedy`: the best cell by markcello's order, without a search. Report 002's greedy best-first search, which it gave
up because it does not look ahead.
"""

from inarow._core import Searcher, make_searcher
from inarow.engine import geometry_of, move_of
from inarow.game import Board, Game, Limit
from inarow.players.base import Choice
from inarow.players.options import NoOptions
from inarow.players.searching import SearchPlayer


class Greedy(SearchPlayer):
    def __init__(self, options: NoOptions) -> None:
        super().__init__()

    def make_searcher(self, game: Game) -> Searcher:
        return make_searcher(geometry_of(game), evaluation="mics", order="best", width=1, root_width=1)

    def search(self, searcher: Searcher, board: Board, limit: Limit, seconds: float | None) -> Choice:
        return Choice(move_of(board.game, searcher.ordered_moves()[0]), nodes=1, depth=1)
