"""`engine`: inarow's own player, for every board. What it does is in `inarow.engine.engine`."""

from dataclasses import dataclass

from inarow.engine import Engine
from inarow.engine.engine import MAX_CONTEMPT
from inarow.engine.weights import FORMULA, LEARNED
from inarow.game import Board, Game, Limit, Move, Seat
from inarow.players.base import Choice, Player
from inarow.players.options import Means, option


@dataclass(frozen=True)
class EngineOptions:
    threads: int = option(1, "threads that search together", least=1, most=64, means=Means.THREADS)
    memory: int = option(128, "megabytes for its tables", least=2, means=Means.MEGABYTES)
    solver: bool = option(True, "whether the solver is asked first")
    weights: str = option(
        LEARNED,
        "the numbers of its evaluation: learned, formula, or a file",
        means=Means.FILE_OR_WORD,
        words=(LEARNED, FORMULA),
    )
    without: str = option("", "heuristics of the search to switch off, joined by +, to measure what they bring")
    contempt: int = option(
        120,
        "how much weaker it takes the other to be, in hundredths of a logit, where games are often drawn (10x10x5)",
        least=0,
        most=MAX_CONTEMPT,
    )
    ponder: bool = option(False, "whether it thinks on the other's time too", means=Means.PONDERING)


class EnginePlayer(Player):
    """The engine as a player; `engine` is what it asks, for whoever wants to know more than its moves."""

    def __init__(self, options: EngineOptions) -> None:
        without = [name for name in options.without.split("+") if name]
        self.engine = Engine(
            options.threads,
            options.memory,
            solver=options.solver,
            weights=options.weights,
            without=without,
            contempt=options.contempt,
        )
        self._ponders = options.ponder

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        self.engine.forget()
        self.engine.seat = seat
        self.engine.prepare(game)

    def choose(self, board: Board, limit: Limit) -> Choice:
        report = self.engine.search(board, limit)
        best = report.best
        if self._ponders:
            self._ponder(board, best.moves)
        return Choice(best.move, report.nodes, best.depth, best.win_probability, line=best.moves)

    def stop(self) -> None:
        self.engine.stop()

    def close(self) -> None:
        self.engine.end_pondering()

    def _ponder(self, board: Board, line: tuple[Move, ...]) -> None:
        """Goes on with the line that it expects."""
        board.push(line[0])
        if not board.is_over:
            self.engine.ponder(board, line[1] if len(line) > 1 else None)
