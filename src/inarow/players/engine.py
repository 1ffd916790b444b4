"""`engine`: inarow's own player, for every board. What it does is in `inarow.engine.engine`."""

from dataclasses import dataclass

from inarow.engine import Engine
from inarow.engine.weights import LEARNED
from inarow.game import Board, Game, Limit, Seat
from inarow.players.base import Choice, Player
from inarow.players.options import option


@dataclass(frozen=True)
class EngineOptions:
    threads: int = option(1, "threads that search together", least=1, most=64)
    memory: int = option(128, "megabytes for its tables", least=2)
    solver: bool = option(True, "whether the solver is asked first")
    weights: str = option(LEARNED, "the numbers of its evaluation: learned, formula, or a file")
    without: str = option("", "heuristics of the search to switch off, joined by +, to measure what they bring")


class EnginePlayer(Player):
    def __init__(self, options: EngineOptions) -> None:
        without = [name for name in options.without.split("+") if name]
        self._engine = Engine(
            options.threads, options.memory, solver=options.solver, weights=options.weights, without=without
        )

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        self._engine.forget()
        self._engine.prepare(game)

    def choose(self, board: Board, limit: Limit) -> Choice:
        report = self._engine.search(board, limit)
        best = report.best
        return Choice(best.move, report.nodes, best.depth, best.win_probability, line=best.moves)

    def stop(self) -> None:
        self._engine.stop()
