"""`greedy`: the best cell by markcello's order, without a search. Report 002's greedy best-first search, which it
gave up because it does not look ahead."""

from inarow._core import make_searcher
from inarow.engine import cells_of, geometry_of, move_of
from inarow.game import Board, Limit
from inarow.players.base import Choice, Player
from inarow.players.options import NoOptions


class Greedy(Player):
    def __init__(self, options: NoOptions) -> None:
        pass

    def choose(self, board: Board, limit: Limit) -> Choice:
        searcher = make_searcher(geometry_of(board.game), evaluation="mics", order="best", width=1, root_width=1)
        searcher.set_moves(cells_of(board))
        return Choice(move_of(board.game, searcher.ordered_moves()[0]), nodes=1, depth=1)
