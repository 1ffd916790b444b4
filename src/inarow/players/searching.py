"""What players that search with the core share: the searcher of the game, the clock, the stop flag."""

import time
from abc import abstractmethod
from collections.abc import Callable

from inarow._core import Searcher, SearchResult
from inarow.engine import StopFlag, cells_of, move_of
from inarow.engine.timing import hard_seconds
from inarow.game import Board, Game, Limit, Move, Seat
from inarow.players.base import Choice, Player
from inarow.solver.gravity import free_cells


class SearchPlayer(Player):
    """A player that is a recipe: `make_searcher` says of what parts, `search` how they are used in a turn."""

    def __init__(self) -> None:
        self._stop = StopFlag()
        self._game: Game | None = None
        self._searcher: Searcher | None = None
        self.found: SearchResult | None = None

    @abstractmethod
    def make_searcher(self, game: Game) -> Searcher:
        """The search for a game; it is kept until the next one begins."""

    @abstractmethod
    def search(self, searcher: Searcher, board: Board, limit: Limit, seconds: float | None) -> Choice:
        """One turn. `seconds` are what is left of the time, with a safe margin taken off; None without a limit."""

    def opening(self, board: Board) -> Move | None:
        """A move that is played without a search; None when the search decides."""
        return None

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        self._stop.clear()
        self._game = game
        self._searcher = self.make_searcher(game)

    def choose(self, board: Board, limit: Limit) -> Choice:
        begin = time.perf_counter()
        self._stop.clear()
        if self._searcher is None or self._game != board.game:
            self.start(board.game, board.turn, limit)
        assert self._searcher is not None
        move = self.opening(board)
        if move is not None:
            return Choice(move)
        self._searcher.set_moves(cells_of(board))
        seconds = hard_seconds(limit, free_cells(board))
        if seconds is not None:
            seconds = max(0.0, seconds - (time.perf_counter() - begin))
        return self.search(self._searcher, board, limit, seconds)

    def answer(self, board: Board, result: SearchResult) -> Choice:
        """What the core found, as the player's choice; the core's own report stays in `found`."""
        self.found = result
        return Choice(move_of(board.game, result.move), result.nodes, result.depth, result.score)

    def stop(self) -> None:
        self._stop.set()


def by_counts(game: Game, value: Callable[[int, int], int]) -> list[int]:
    """A table for the core: value(first's stones, second's stones) of a window, at the window's code."""
    side = game.k + 1
    limit = 2**30  # the core's sums stay within 64 bits
    values = (value(first, second) for second in range(side) for first in range(side))
    return [max(-limit, min(limit, one)) for one in values]


def centre(game: Game) -> Move:
    """The middle cell, or the middle column with gravity."""
    return game.columns // 2 if game.gravity else (game.rows // 2, game.columns // 2)
