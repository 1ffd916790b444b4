"""`mcts`: Monte-Carlo tree search (UCT) with random play-outs. An attempt that report 002 gave up: it looked at cells
of little value, and the time was too short for enough play-outs. Here the play-outs run in the core; a node is a
play-out.
"""

import time
from dataclasses import dataclass
from random import Random

from inarow._core import Mcts as Search
from inarow.engine import StopFlag, move_of, position_of
from inarow.engine.timing import hard_seconds
from inarow.game import Board, Limit
from inarow.players.base import Choice, Player
from inarow.players.options import Means, option
from inarow.solver.gravity import free_cells

DEFAULT_PLAYOUTS = 10_000


@dataclass(frozen=True)
class MctsOptions:
    seed: int | None = option(None, "the same seed and number of nodes play the same games")
    memory_mb: int = option(256, "the size of the tree in megabytes", least=1, most=65536, means=Means.MEGABYTES)


class Mcts(Player):
    def __init__(self, options: MctsOptions) -> None:
        self._random = Random(options.seed)
        self._search = Search(options.memory_mb)
        self._stop = StopFlag()

    def choose(self, board: Board, limit: Limit) -> Choice:
        begin = time.perf_counter()
        self._stop.clear()
        seconds = hard_seconds(limit, free_cells(board))
        nodes = limit.nodes or (DEFAULT_PLAYOUTS if seconds is None else None)
        seed = self._random.getrandbits(63)
        position = position_of(board)
        if seconds is not None:
            seconds = max(0.0, seconds - (time.perf_counter() - begin))
        result = self._search.search(position, self._stop, seed, seconds=seconds, nodes=nodes)
        return Choice(move_of(board.game, result.move), result.playouts, result.depth, result.win_rate)

    def stop(self) -> None:
        self._stop.set()
