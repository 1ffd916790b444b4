"""`quasi_random`: wins when it can, does not let the opponent win at once when it can help it, else plays at random.
The course's level 1.
"""

from random import Random

from inarow.engine import move_of, position_of
from inarow.game import Board, Limit, Move
from inarow.players.base import Player
from inarow.players.random import RandomOptions


class QuasiRandomPlayer(Player):
    def __init__(self, options: RandomOptions) -> None:
        self._random = Random(options.seed)

    def choose(self, board: Board, limit: Limit) -> Move:
        position = position_of(board)
        cells = position.winning_cells(board.turn) or position.safe_cells() or position.legal_cells
        return move_of(board.game, self._random.choice(sorted(cells)))
