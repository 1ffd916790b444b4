"""`random`: any legal move, each as likely as the other. The course's level 0."""

from dataclasses import dataclass
from random import Random

from inarow.game import Board, Limit, Move
from inarow.players.base import Player
from inarow.players.options import option


@dataclass(frozen=True)
class RandomOptions:
    seed: int | None = option(None, "the same seed plays the same games")


class RandomPlayer(Player):
    def __init__(self, options: RandomOptions) -> None:
        self._random = Random(options.seed)

    def choose(self, board: Board, limit: Limit) -> Move:
        return self._random.choice(board.legal_moves)
