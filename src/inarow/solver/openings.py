"""Who wins the first positions of a game with gravity, from a file: what takes longer to solve than a move may.

A file is read at once and looked up in by halving, so it is no text: a head, the positions' keys in ascending order,
and a byte for each of them. Positions that are mirror images of each other have one key.

    head   8 bytes "inarow-o", then rows, columns and k, 1 byte each, 1 byte 0, and the number of positions, 4 bytes
    key    8 bytes: each column's stones from the bottom, 0 for the first seat's, 1 for the second's, after a 1
    byte   3 * (a column that keeps the value, of the image whose key it is) + 0 for a loss, 1 for a draw, 2 for a win

All numbers have the least byte first.
"""

import struct
import sys
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path

from inarow.errors import FormatError
from inarow.game import Board, Game, Move
from inarow.solver.solution import OPPOSITE

VALUES = ("loss", "draw", "win")
_HEAD = struct.Struct("<8sBBBxI")
_MARK = b"inarow-o"
_KEY_BITS = 64

Found = tuple[str, int]
"""A value for the player to move, and a column that keeps it."""


class Openings:
    """Exact values of positions of one game.

    >>> openings = Openings(Game(6, 7, 4, gravity=True), {})
    >>> board = Board(openings.game)
    >>> board.push(2)
    >>> openings.find(board) is None
    True
    >>> other = openings.with_more([(board, "win", 3)])
    >>> board.pop(), board.push(4), other.find(board)
    (2, None, ('win', 3))
    """

    def __init__(self, game: Game, values: dict[int, int]) -> None:
        self.game = game
        self._keys = array("Q", sorted(values))
        self._bytes = bytes(values[key] for key in self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def find(self, board: Board) -> Found | None:
        """What is known of a position; None when it is not there."""
        key, is_mirrored = key_of(board)
        place = bisect_left(self._keys, key)
        if place == len(self._keys) or self._keys[place] != key:
            return None
        column, value = divmod(self._bytes[place], len(VALUES))
        return VALUES[value], self.game.columns - 1 - column if is_mirrored else column

    def with_more(self, found: Iterable[tuple[Board, str, Move]]) -> "Openings":
        """These values and more."""
        values = dict(zip(self._keys, self._bytes, strict=True))
        for board, value, move in found:
            assert isinstance(move, int)
            key, is_mirrored = key_of(board)
            column = self.game.columns - 1 - move if is_mirrored else move
            values[key] = len(VALUES) * column + VALUES.index(value)
        return Openings(self.game, values)

    def write(self, path: Path) -> None:
        """A file that is there already stays as it was until the new one is complete."""
        keys = array("Q", self._keys)
        if sys.byteorder == "big":
            keys.byteswap()
        head = _HEAD.pack(_MARK, self.game.rows, self.game.columns, self.game.k, len(keys))
        unfinished = path.with_name(path.name + ".part")
        unfinished.write_bytes(head + keys.tobytes() + self._bytes)
        unfinished.replace(path)

    @classmethod
    def read(cls, path: Path) -> "Openings":
        """FormatError when the file is none, or not whole."""
        data = path.read_bytes()
        mark, rows, columns, k, count = _HEAD.unpack_from(data) if len(data) >= _HEAD.size else (b"", 0, 0, 0, 0)
        if mark != _MARK or len(data) != _HEAD.size + count * (_KEY_BITS // 8 + 1):
            raise FormatError(f"{path} is no file of opening values, or not all of one")
        found = cls(Game(rows, columns, k, gravity=True), {})
        found._keys.frombytes(data[_HEAD.size : len(data) - count])
        if sys.byteorder == "big":
            found._keys.byteswap()
        found._bytes = data[len(data) - count :]
        return found


def key_of(board: Board) -> tuple[int, bool]:
    """The key of a position and its mirror image, and whether it is that of the image."""
    game = board.game
    if (game.rows + 1) * game.columns > _KEY_BITS:
        raise FormatError(f"{game} is too large for a file of opening values")
    columns = [1] * game.columns
    for ply, move in enumerate(board.moves):
        assert isinstance(move, int)
        columns[move] = columns[move] << 1 | ply & 1
    plain, mirrored = (_joined(words, game.rows + 1) for words in (columns, columns[::-1]))
    return min(plain, mirrored), mirrored < plain


def _joined(words: Sequence[int], bits: int) -> int:
    key = 0
    for word in words:
        key = key << bits | word
    return key


def value_from_replies(board: Board, find: Callable[[Board], Found | None]) -> Found | None:
    """The value of a position from those after each of its moves; None where too little is known of them."""
    best: Found | None = None
    is_certain = True
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        if after.outcome is not None:
            value = "draw" if after.outcome.winner is None else "win"
        elif (found := find(after)) is not None:
            value = OPPOSITE[found[0]]
        else:
            is_certain = False
            continue
        assert isinstance(move, int)
        if best is None or VALUES.index(value) > VALUES.index(best[0]):
            best = value, move
    return best if best is not None and (is_certain or best[0] == "win") else None


@cache
def shipped_openings(game: Game) -> Openings | None:
    """What comes with inarow for a game; None for most. `inarow book values` has made it."""
    file = resources.files("inarow.solver").joinpath(f"{game}.values")
    if not file.is_file():
        return None
    with resources.as_file(file) as path:
        return Openings.read(path)
