"""Fuzzes everything that reads text. Whatever the text, it is either read, and then survives being written and read
again, or refused with an InarowError whose message is one line. Needs the `fuzz` extra; runs as any atheris script:

    python tests/fuzz/fuzz_notation.py -max_total_time=60 NEW_INPUTS_FOLDER tests/fuzz/corpus

libFuzzer writes what it finds into the first folder. A text is read as a game, a position, a record and a PSQ file.
When its first line is a game, what follows is read as a move, a picture and a Connect-4 string of that game too.
"""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]  # comes with an extra

import inarow
from inarow import Board, Game, InarowError, Record


class Format(NamedTuple):
    """A reader and the writer that it is the inverse of."""

    name: str
    parse: Callable[[str], Any]
    write: Callable[[Any], str]


def formats_of(game: Game) -> Iterator[Format]:
    """The formats that need to know the game."""
    yield Format("move", partial(inarow.parse_move, game), inarow.format_move)
    yield Format("picture", partial(inarow.parse_picture, game), str)
    yield Format("connect4", partial(inarow.parse_connect4, game), inarow.format_connect4)


FORMATS = (
    Format("game", inarow.parse_game, str),
    Format("position", inarow.parse_position, inarow.format_position),
    Format("record", Record.from_json, Record.to_json),
    Format("psq", inarow.from_psq, inarow.to_psq),
)


def read(form: Format, text: str) -> Any:
    """What the text says; None when it is refused as it should be."""
    try:
        return form.parse(text)
    except InarowError as error:
        message = str(error)
        assert len(message.splitlines()) == 1, f"{form.name}: the message is not one line: {message!r}"
        return None


def comparable(value: Any) -> Any:
    """A value in a form whose equality overlooks nothing: boards alone are equal whatever the order of their moves."""
    return (value.key, value.moves) if isinstance(value, Board) else value


def check(form: Format, text: str) -> None:
    value = read(form, text)
    if value is None:
        return
    written = form.write(value)
    again = form.parse(written)
    assert comparable(again) == comparable(value), f"{form.name}: {value!r} is written {written!r}, read as {again!r}"


def check_bytes(data: bytes) -> None:
    # As Python reads a command line: bytes that are not UTF-8 come through as lone surrogates.
    text = data.decode("utf-8", errors="surrogateescape")
    for form in FORMATS:
        check(form, text)
    first_line, _, rest = text.partition("\n")
    game = read(FORMATS[0], first_line)
    if game is not None:
        for form in formats_of(game):
            check(form, rest)


if __name__ == "__main__":
    atheris.instrument_all()  # instrument_imports does not see through the loader of an editable install
    atheris.Setup(sys.argv, check_bytes)
    atheris.Fuzz()
