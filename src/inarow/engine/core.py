"""From boards to the core's positions and back.

The core names a move by its cell, row * columns + column, with gravity too.
"""

from functools import lru_cache

from inarow._core import Geometry, Position, StopFlag
from inarow.game import Board, Cell, Game, Move

__all__ = ["StopFlag", "cell_of", "cells_of", "geometry_of", "move_of", "position_of"]


@lru_cache(maxsize=16)
def geometry_of(game: Game) -> Geometry:
    """The core's tables for a game; they never change, so all its positions share them."""
    return Geometry(game.rows, game.columns, game.k, game.gravity)


def cell_of(game: Game, cell: Cell) -> int:
    """The core's number of a cell."""
    return cell[0] * game.columns + cell[1]


def move_of(game: Game, cell: int) -> Move:
    """The move that puts a stone on the core's cell."""
    row, column = divmod(cell, game.columns)
    return column if game.gravity else (row, column)


def cells_of(board: Board) -> list[int]:
    """The cells of the board's moves, in order."""
    rows, columns = board.game.rows, board.game.columns
    if not board.game.gravity:
        return [row * columns + column for row, column in board.moves]  # type: ignore[misc]
    landing = [(rows - 1) * columns + column for column in range(columns)]
    cells = []
    for column in board.moves:
        assert isinstance(column, int)
        cells.append(landing[column])
        landing[column] -= columns
    return cells


def position_of(board: Board) -> Position:
    """A position of the core with the board's moves played on it."""
    position = Position(geometry_of(board.game))
    for cell in cells_of(board):
        position.make(cell)
    return position
