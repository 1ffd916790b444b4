"""The searchers of the seed players, as the players make them, by the names that the reference uses."""

from inarow import Board, Game
from inarow._core import Searcher
from inarow.engine import cells_of
from inarow.players.cadrega import Cadrega, CadregaOptions
from inarow.players.markcello import Markcello, MarkcelloOptions
from inarow.players.nisshoku import Nisshoku, NisshokuOptions
from inarow.players.plain import AlphaBeta, AlphaBetaOptions
from inarow.players.searching import SearchPlayer
from inarow.players.telos import Telos, TelosOptions


def player(
    name: str, *, table: bool = False, symmetric: bool = True, crossings: bool = False, q: int = 7
) -> SearchPlayer:
    """A player with the options that the reference calls by these names."""
    match name:
        case "alphabeta":
            return AlphaBeta(AlphaBetaOptions())
        case "telos":
            return Telos(TelosOptions(memory=table, crossings=crossings, memory_mb=4))
        case "cadrega":
            return Cadrega(CadregaOptions(tree=table, memory_mb=4))
        case "markcello":
            return Markcello(MarkcelloOptions(q=q))
        case "nisshoku":
            return Nisshoku(NisshokuOptions(table=table, symmetry=symmetric, memory_mb=4))
    raise ValueError(name)


def searcher(name: str, game: Game, **options: bool) -> Searcher:
    return player(name, **options).make_searcher(game)


def searcher_at(name: str, board: Board, **options: bool) -> Searcher:
    made = searcher(name, board.game, **options)
    made.set_moves(cells_of(board))
    return made
