"""The table of values: who wins on an empty board, as far as it is known.

A file has a head and one line for each game, in the order of placement, k, rows and columns:

    {"format": "inarow-values-1"}
    {"game": "3x3x3", "value": "draw", "plies": 9, "method": "search", "proof_sha256": null, "seconds": 0.1, "nodes": 9}

`values.jsonl` beside this module comes with the package; docs/values.md is made from it.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from inarow.errors import FormatError, InarowError
from inarow.game import Game, parse_game
from inarow.solver.proof import VALUES

FORMAT = "inarow-values-1"
SHIPPED = Path(__file__).with_name("values.jsonl")
_FIELDS = ("game", "value", "plies", "method", "proof_sha256", "seconds", "nodes")


@dataclass(frozen=True)
class Value:
    """What is known of a game: its value for first, and how that was found.

    plies         the number of the last move when both play their best; None: not known
    method        how it was found, in a word
    proof_sha256  the hash of a proof that was written; None: none was
    seconds       what it took, and in how many positions
    """

    game: Game
    value: str
    plies: int | None
    method: str
    proof_sha256: str | None = None
    seconds: float = 0.0
    nodes: int = 0

    def to_json(self) -> str:
        """One line, without its end."""
        return json.dumps({name: getattr(self, name) for name in _FIELDS} | {"game": str(self.game)})

    @classmethod
    def from_json(cls, line: str) -> "Value":
        """The inverse of to_json. FormatError says what is wrong."""
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"a value is one line of JSON: {error}") from None
        if not isinstance(fields, dict) or sorted(fields) != sorted(_FIELDS):
            raise FormatError(f"a value has the fields {', '.join(_FIELDS)}")
        _check(isinstance(fields["game"], str), "game", fields)
        _check(fields["value"] in VALUES, "value", fields)
        _check(fields["plies"] is None or _is_count(fields["plies"]), "plies", fields)
        _check(isinstance(fields["method"], str), "method", fields)
        _check(fields["proof_sha256"] is None or isinstance(fields["proof_sha256"], str), "proof_sha256", fields)
        _check(type(fields["seconds"]) in (int, float) and 0 <= fields["seconds"] < 1e9, "seconds", fields)
        _check(_is_count(fields["nodes"]), "nodes", fields)
        return cls(**fields | {"game": parse_game(fields["game"])})


def _check(is_right: bool, name: str, fields: dict[str, Any]) -> None:
    if not is_right:
        raise FormatError(f"a value's {name} cannot be {fields[name]!r}")


def _is_count(number: Any) -> bool:
    return type(number) is int and number >= 0


class ValueTable:
    """Values by game."""

    def __init__(self, values: Iterable[Value] = ()) -> None:
        self._values: dict[Game, Value] = {}
        for value in values:
            self.add(value)

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Value]:
        """In the order of placement, k, rows and columns."""
        return iter(sorted(self._values.values(), key=lambda each: _order(each.game)))

    def add(self, value: Value) -> None:
        """Adds a value. Plies and proof that are known stay known. FormatError when it contradicts what is there."""
        known = self._values.get(value.game)
        if known is not None:
            plies = {known.plies, value.plies} - {None}
            if known.value != value.value or len(plies) > 1:
                raise FormatError(f"{value.game} is a {_said(known)} and a {_said(value)}: one of them is wrong")
            proof_sha256 = value.proof_sha256 or known.proof_sha256
            value = replace(value, plies=plies.pop() if plies else None, proof_sha256=proof_sha256)
        self._values[value.game] = value

    def get(self, game: Game) -> Value | None:
        """What is known of a game; without gravity also when it is known with rows and columns exchanged.

        Nothing follows from larger or smaller boards: a win of the first player does not carry over to either.
        """
        found = self._values.get(game)
        if found is None and not game.gravity:
            turned = self._values.get(Game(game.columns, game.rows, game.k))
            found = turned and replace(turned, game=game)
        return found

    def write(self, path: Path) -> None:
        """Writes the values, with those that are in the file already. The file is always whole."""
        merged = ValueTable.read(path) if path.exists() else ValueTable()
        for value in self:
            merged.add(value)
        lines = [json.dumps({"format": FORMAT}), *(value.to_json() for value in merged)]
        unfinished = path.with_name(path.name + ".part")
        unfinished.write_text("\n".join(lines) + "\n", encoding="utf-8")
        unfinished.replace(path)

    @classmethod
    def read(cls, path: Path) -> "ValueTable":
        """FormatError names the file and the line that cannot be read."""
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise FormatError(f"the values in {path} cannot be read: {error}") from None
        if not lines or lines[0] != json.dumps({"format": FORMAT}):
            raise FormatError(f"{path}, line 1: a table of values begins with its format, {FORMAT!r}")
        table = cls()
        for number, line in enumerate(lines[1:], start=2):
            try:
                table.add(Value.from_json(line))
            except InarowError as error:
                raise FormatError(f"{path}, line {number}: {error}") from None
        return table


def _order(game: Game) -> tuple[bool, int, int, int]:
    return game.gravity, game.k, game.rows, game.columns


def _said(value: Value) -> str:
    return value.value if value.plies is None else f"{value.value} in {value.plies} plies"


@cache
def shipped_values() -> ValueTable:
    """The values that come with the package. Not to be changed."""
    return ValueTable.read(SHIPPED)


def known_value(game: Game) -> Value | None:
    """What the package knows of a game, without any search."""
    return shipped_values().get(game)


def games_up_to(
    cells: int | None, sides: tuple[int, int] | None, ks: Iterable[int] | None, placements: Iterable[bool]
) -> list[Game]:
    """The games of a range, the smaller boards first; a board and its turned image are one where that is the same game.

    cells       the most cells a board may have
    sides       the most rows and columns
    ks          those that are wanted; None: from 3 to the board's larger side
    placements  whether with gravity: True, False or both
    """
    rows_end, columns_end = sides or (cells or 0, cells or 0)
    games = []
    for rows in range(1, min(rows_end, 128) + 1):
        for columns in range(1, min(columns_end, 128) + 1):
            if cells is not None and rows * columns > cells:
                break
            for k in range(3, max(rows, columns) + 1) if ks is None else ks:
                for gravity in placements:
                    is_turned = columns < rows <= columns_end and columns <= rows_end and not gravity
                    if not is_turned:
                        games.append(Game(rows, columns, k, gravity))
    return sorted(set(games), key=lambda game: (game.rows * game.columns, *_order(game)))
