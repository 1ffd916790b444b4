"""A game, its seats and its ends: what holds before a stone is played."""

import operator
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cached_property
from typing import SupportsIndex

from inarow.errors import InvalidGame

MAX_SIDE = 128

Cell = tuple[int, int]
"""(row, column); row 0 is on top."""

Move = Cell | int
"""A cell, or with gravity a column."""

Line = tuple[Cell, ...]
"""K cells in a row; whoever fills one wins."""

DIRECTIONS: tuple[Cell, ...] = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Right, down, down-right, down-left: every line is walked once."""


class Seat(IntEnum):
    """Who moves first, who second."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> "Seat":
        return Seat(1 - self)

    def __str__(self) -> str:
        return self.name.lower()


class Reason(Enum):
    """Why a game is over."""

    LINE = "line"
    FULL = "full"
    FORFEIT = "forfeit"


@dataclass(frozen=True)
class Outcome:
    """The end of a game. `winner` is None for a draw; `line` is the winning line, None without one.

    `detail` says what the loser of a forfeited game did: a few words for the kind of thing, a colon, the particulars.
    """

    winner: Seat | None
    reason: Reason
    line: Line | None = None
    detail: str = ""

    def __str__(self) -> str:
        if self.reason is Reason.FORFEIT:
            return f"{self.winner} wins by forfeit: {self.detail}"
        if self.winner is None:
            return "draw: the board is full"
        return f"{self.winner} wins with a line"


@dataclass(frozen=True)
class Symmetry:
    """A way to turn or mirror a board onto itself: mirror the columns, then flip the rows, then transpose."""

    mirror: bool
    flip: bool
    transpose: bool

    def apply(self, game: "Game", cell: Cell) -> Cell:
        """Where `cell` goes."""
        row, column = cell
        if self.mirror:
            column = game.columns - 1 - column
        if self.flip:
            row = game.rows - 1 - row
        return (column, row) if self.transpose else (row, column)


@dataclass(frozen=True)
class Game:
    """K in a row on a board of `rows` × `columns`, with free placement or with gravity.

    Sides and k go from 1 to 128. A run longer than k wins too. k may exceed one side (then some directions are dead) or
    both (then nobody can win, and the game is drawn when the board is full).

    >>> Game(6, 7, 4, gravity=True)
    Game(rows=6, columns=7, k=4, gravity=True)
    >>> Game(0, 3, 3)
    Traceback (most recent call last):
    inarow.errors.InvalidGame: rows must be 1 to 128, not 0
    """

    rows: int
    columns: int
    k: int
    gravity: bool = False

    def __post_init__(self) -> None:
        for name in ("rows", "columns", "k"):
            object.__setattr__(self, name, _checked_size(name, getattr(self, name)))
        if not isinstance(self.gravity, bool):
            raise InvalidGame(f"gravity must be True or False, not {self.gravity!r}")

    def __str__(self) -> str:
        """The game's text form: 15x15x5, or 6x7x4g with gravity."""
        return f"{self.rows}x{self.columns}x{self.k}" + ("g" if self.gravity else "")

    def contains(self, cell: Cell) -> bool:
        row, column = cell
        return 0 <= row < self.rows and 0 <= column < self.columns

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row from the top."""
        return tuple((row, column) for row in range(self.rows) for column in range(self.columns))

    @cached_property
    def directions(self) -> tuple[Cell, ...]:
        """The directions in which a line fits on the board; only one when k is 1, where every cell is a line."""
        if self.k == 1:
            return DIRECTIONS[:1]
        reach = self.k - 1
        return tuple(step for step in DIRECTIONS if reach * step[0] < self.rows and reach * abs(step[1]) < self.columns)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every run of k cells, each once."""
        return tuple(self._lines())

    def _lines(self) -> Iterator[Line]:
        for row_step, column_step in self.directions:
            for row, column in self.cells:
                line = tuple((row + i * row_step, column + i * column_step) for i in range(self.k))
                if self.contains(line[-1]):
                    yield line

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The identity first, then the others: 8 on a square, 4 on other boards, identity and mirror with gravity."""
        both = (False, True)
        flips = (False,) if self.gravity else both
        transposes = both if self.rows == self.columns and not self.gravity else (False,)
        return tuple(Symmetry(mirror, flip, transpose) for transpose in transposes for flip in flips for mirror in both)


def _checked_size(name: str, value: SupportsIndex) -> int:
    try:
        size = operator.index(value)
    except TypeError:
        raise InvalidGame(f"{name} must be a whole number, not {value!r}") from None
    if isinstance(value, bool):
        raise InvalidGame(f"{name} must be a whole number, not {value!r}")
    if not 1 <= size <= MAX_SIDE:
        raise InvalidGame(f"{name} must be 1 to {MAX_SIDE}, not {size}")
    return size
