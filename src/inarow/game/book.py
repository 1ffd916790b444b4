"""A book: the moves to play in the first positions of one game, each position standing for all its mirror images.

A file has a head, which names the game, and one line for each position:

    {"format": "inarow-book-1", "game": "6x7x4g"}
    {"position": "6x7x4g:d", "move": "d", "score": 12, "depth": 14}
    {"position": "6x7x4g:a", "move": "d", "score": null, "depth": null, "value": "win", "plies": 39}
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from inarow.errors import FormatError, InarowError
from inarow.game.board import Board
from inarow.game.notation import format_move, format_position, parse_game, parse_move, parse_position
from inarow.game.rules import Game, Move, Symmetry

FORMAT = "inarow-book-1"
VALUES = ("win", "draw", "loss")
_UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, RecursionError, InarowError)


@dataclass(frozen=True)
class BookEntry:
    """What the book says of a position.

    score, depth  how a search found the move; None where none did
    value, plies  what is true: win, draw or loss for the player to move, and how many moves the game goes on when both
                  play their best; None where that is not known
    """

    position: str
    move: Move
    score: float | None = None
    depth: int | None = None
    value: str | None = None
    plies: int | None = None

    def __post_init__(self) -> None:
        """FormatError for a value that there is not."""
        if self.value is not None and self.value not in VALUES:
            raise FormatError(f"a value is win, draw or loss, not {self.value!r}")
        if self.plies is not None and (self.value is None or type(self.plies) is not int or self.plies < 1):
            raise FormatError(f"plies are a whole number from 1 on, of a value, not {self.plies!r}")

    def to_json(self) -> str:
        """Its line in the file."""
        fields = {"position": self.position, "move": format_move(self.move), "score": self.score, "depth": self.depth}
        return json.dumps(fields if self.value is None else fields | {"value": self.value, "plies": self.plies})


@dataclass
class Book:
    """Positions of one game and the move to play in each."""

    game: Game
    _entries: dict[tuple[int, int], BookEntry] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._entries)

    def add(
        self,
        board: Board,
        move: Move,
        score: float | None = None,
        depth: int | None = None,
        value: str | None = None,
        plies: int | None = None,
    ) -> None:
        """Adds a position, or replaces what is known of it or of one of its images."""
        entry = BookEntry(format_position(board), move, score, depth, value, plies)
        self._entries[canonical_key(board)] = entry

    def entry(self, board: Board) -> BookEntry | None:
        """What the book says of a position or of an image of it, with the move as it is on this board."""
        found = self._entries.get(canonical_key(board))
        if found is None:
            return None
        known = parse_position(found.position)
        for symmetry in self.game.symmetries:
            if known.image(symmetry) == board:
                return replace(found, position=format_position(board), move=move_image(self.game, symmetry, found.move))
        return None

    def move(self, board: Board) -> Move | None:
        """The move to play; None when the book does not know the position."""
        entry = self.entry(board)
        return None if entry is None else entry.move

    def write(self, path: Path) -> None:
        """Writes the whole book; a file that is there already stays as it was until the new one is complete."""
        lines = [json.dumps({"format": FORMAT, "game": str(self.game)})]
        lines += [entry.to_json() for entry in self._entries.values()]
        unfinished = path.with_name(path.name + ".part")
        unfinished.write_text("\n".join(lines) + "\n", encoding="utf-8")
        unfinished.replace(path)

    @classmethod
    def read(cls, path: Path) -> "Book":
        """FormatError names the file and the line that cannot be read."""
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise FormatError(f"the book {path} cannot be read: {error}") from None
        try:
            head = json.loads(lines[0]) if lines else None
            if not isinstance(head, dict) or head.get("format") != FORMAT:
                raise FormatError(f"a book begins with its format, {FORMAT!r}, and its game")
            book = cls(parse_game(head.get("game", "")))
        except _UNREADABLE as error:
            raise FormatError(f"{path}, line 1: {error}") from None
        for number, line in enumerate(lines[1:], start=2):
            try:
                book._read_entry(json.loads(line))
            except _UNREADABLE as error:
                raise FormatError(f"{path}, line {number}: {error}") from None
        return book

    def _read_entry(self, fields: dict[str, Any]) -> None:
        board = parse_position(fields["position"])
        if board.game != self.game:
            raise FormatError(f"a position of {board.game} in a book of {self.game}")
        move = parse_move(self.game, fields["move"])
        if not board.is_legal(move):
            raise FormatError(f"{fields['move']} is not legal in {fields['position']}")
        self.add(board, move, *(fields.get(name) for name in ("score", "depth", "value", "plies")))

    def __iter__(self) -> Iterator[BookEntry]:
        return iter(self._entries.values())


def canonical_key(board: Board) -> tuple[int, int]:
    """The same for all images of a position."""
    return min(board.image(symmetry).key[1:] for symmetry in board.game.symmetries)


def move_image(game: Game, symmetry: Symmetry, move: Move) -> Move:
    if isinstance(move, int):
        return symmetry.apply(game, (0, move))[1]
    return symmetry.apply(game, move)
