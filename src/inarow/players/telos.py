"""`telos`: iterative deepening over alpha-beta, for gravity above all. Report 001, Giarrusso, ConnectX 2022/23.

The idea: a window of K cells is worth the difference of the stones in it, and much more when only one side has stones
there, 2 to the power of their number. The evaluation is the sum over all windows. A move changes only the at most 4K
windows through its cell, so a child's value is known before it is searched: children are tried in its order. Depth 1,
2, 3, … is searched until the time is up; the last depth that was finished decides.

The first move is the centre. The report's ideas for improvement are options: windows that cross one of the same owner
count double (4.2), positions already seen and their mirror images are looked up (4.3), and the first moves come from
a book (4.4).
"""

from dataclasses import dataclass
from pathlib import Path

from inarow._core import Searcher, make_searcher
from inarow.engine import geometry_of
from inarow.errors import SpecError
from inarow.game import Board, Game, Limit, Move, Seat
from inarow.game.book import Book
from inarow.players.base import Choice
from inarow.players.options import Means, option
from inarow.players.searching import SearchPlayer, by_counts, centre

TIME_SHARE = 0.95


@dataclass(frozen=True)
class TelosOptions:
    memory: bool = option(False, "look positions and their mirror images up in a table (4.3)")
    crossings: bool = option(False, "count windows that cross one of the same owner double (4.2)")
    book: str | None = option(None, "a file with the first moves, made by `inarow book build` (4.4)", means=Means.FILE)
    memory_mb: int = option(256, "the size of the table in megabytes", least=1, most=65536, means=Means.MEGABYTES)


def window_score(first: int, second: int) -> int:
    """What a window is worth to the first seat."""
    score = first - second
    if second == 0:
        score *= 2**first
    if first == 0:
        score *= 2**second
    return score


class Telos(SearchPlayer):
    def __init__(self, options: TelosOptions) -> None:
        super().__init__()
        self._options = options
        self._book = Book.read(Path(options.book)) if options.book else None

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        if self._book is not None and self._book.game != game:
            raise SpecError(f"the book {self._options.book} is for {self._book.game}, not for {game}")
        super().start(game, seat, limit)

    def make_searcher(self, game: Game) -> Searcher:
        return make_searcher(
            geometry_of(game),
            evaluation="crossings" if self._options.crossings else "windows",
            window_values=by_counts(game, window_score),
            order="evaluation",
            memory="table" if self._options.memory else "none",
            memory_mb=self._options.memory_mb,
        )

    def opening(self, board: Board) -> Move | None:
        if self._book is not None and (move := self._book.move(board)) is not None:
            return move
        return centre(board.game) if board.ply <= 1 and board.is_legal(centre(board.game)) else None

    def search(self, searcher: Searcher, board: Board, limit: Limit, seconds: float | None) -> Choice:
        seconds = seconds and seconds * TIME_SHARE
        return self.answer(board, searcher.deepen(self._stop, seconds=seconds, nodes=limit.nodes, depth=limit.depth))
