"""Boards and moves as the frameworks of reinforcement learning want them: actions are numbers, boards are arrays.

With gravity an action is a column, otherwise a cell's number, row by row from the top: row * columns + column.
"""

from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from inarow.errors import MissingPackage
from inarow.game import Board, Game, Move, Seat


def number_of_actions(game: Game) -> int:
    return game.columns if game.gravity else game.rows * game.columns


def action_of(game: Game, move: Move) -> int:
    """
    >>> action_of(Game(3, 4, 3), (1, 2)), action_of(Game(3, 4, 3, gravity=True), 2)
    (6, 2)
    """
    return move if isinstance(move, int) else move[0] * game.columns + move[1]


def move_of(game: Game, action: SupportsIndex) -> Move:
    """The move of an action; it need not be legal."""
    number = int(action)
    return number if game.gravity else divmod(number, game.columns)


def planes(board: Board, seat: Seat) -> NDArray[np.int8]:
    """An array of (rows, columns, 2): 1 where the seat's stones are, and in the second plane where the other's are."""
    game = board.game
    stones = np.array([-1 if (owner := board.stone(cell)) is None else owner for cell in game.cells], dtype=np.int8)
    grid = stones.reshape(game.rows, game.columns)
    return np.stack([grid == seat, grid == seat.other], axis=2).astype(np.int8)


def action_mask(board: Board) -> NDArray[np.int8]:
    """1 for each legal action; all 0 when the game is over."""
    mask = np.zeros(number_of_actions(board.game), dtype=np.int8)
    mask[[action_of(board.game, move) for move in board.legal_moves]] = 1
    return mask


def missing(error: ModuleNotFoundError, extra: str, *packages: str) -> ImportError:
    """What to raise when a package of an extra cannot be imported: how to get it. Other errors stay what they are."""
    if error.name is None or error.name.partition(".")[0] not in packages:
        return error
    return MissingPackage(f"{error.name} is not installed: pip install 'inarow[{extra}]'")
