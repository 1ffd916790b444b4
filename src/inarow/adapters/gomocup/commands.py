"""The Gomocup protocol as text: bytes → lines → commands.

A cell is written x,y: x is the column and y the row, both from 0 at the top left; inarow says (row, column).
"""

import re
from dataclasses import dataclass

from inarow.game import Cell

MAX_LINE = 4096  # bytes; what is beyond them is not looked at
MAX_STONES = 128 * 128
MAX_ECHO = 80  # characters of a line that an answer repeats

_LINE_ENDS = re.compile(rb"[\r\n]+")
_CELL = re.compile(r"(\d{1,6})\s*,\s*(\d{1,6})(?:\s*,\s*(\d{1,6}))?(?!\d)", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d{1,18}(?!\d)", re.ASCII)


class Lines:
    """Puts lines together from pieces. They may end with CR, LF or CRLF; empty ones are left out.

    >>> lines = Lines()
    >>> lines.feed(b"START 15\\r\\nBEG"), lines.feed(b"IN\\rEND")
    (['START 15'], ['BEGIN'])
    """

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        """The lines that are complete now."""
        *lines, rest = _LINE_ENDS.split(self._rest + data)
        self._rest = rest[:MAX_LINE]
        texts = (line[:MAX_LINE].decode(errors="replace").strip() for line in lines)
        return [text for text in texts if text]


def format_cell(cell: Cell) -> str:
    """
    >>> format_cell((2, 7))
    '7,2'
    """
    return f"{cell[1]},{cell[0]}"


def parse_cell(text: str) -> Cell | None:
    """The cell that a text begins with; None without one.

    >>> parse_cell("7,2"), parse_cell("7")
    ((2, 7), None)
    """
    match = _CELL.match(text)
    return (int(match[2]), int(match[1])) if match else None


def excerpt(text: str) -> str:
    """The beginning of a line, fit to be repeated."""
    shown = "".join(character if character.isprintable() else "?" for character in text[:MAX_ECHO])
    return shown + ("…" if len(text) > MAX_ECHO else "")


# ── commands ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Start:
    """START n, or RECTSTART columns,rows. The numbers may be any."""

    rows: int
    columns: int


@dataclass(frozen=True)
class Restart:
    pass


@dataclass(frozen=True)
class Begin:
    pass


@dataclass(frozen=True)
class Turn:
    cell: Cell


@dataclass(frozen=True)
class TakeBack:
    cell: Cell


OWN, OPPONENT = 1, 2


@dataclass(frozen=True)
class SetBoard:
    """BOARD or YXBOARD: all stones, each with the number that says whose it is. Only BOARD wants a move."""

    stones: tuple[tuple[Cell, int], ...]
    wants_move: bool


@dataclass(frozen=True)
class Swap2:
    """SWAP2BOARD: the stones of an opening, in the order of play."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Info:
    """INFO key value; the key in small letters."""

    key: str
    value: str


@dataclass(frozen=True)
class About:
    pass


@dataclass(frozen=True)
class NBest:
    """YXNBEST n: move, and tell the best n lines."""

    number: int


@dataclass(frozen=True)
class Stop:
    """YXSTOP: move now."""


@dataclass(frozen=True)
class End:
    pass


@dataclass(frozen=True)
class Wrong:
    """A command that cannot be understood; the answer is ERROR and the text."""

    text: str


@dataclass(frozen=True)
class Unknown:
    """A command that there is not; the answer is UNKNOWN and the text."""

    text: str


Command = (
    Start | Restart | Begin | Turn | TakeBack | SetBoard | Swap2 | Info | About | NBest | Stop | End | Wrong | Unknown
)

PLAIN: dict[str, Command] = {
    "RESTART": Restart(),
    "BEGIN": Begin(),
    "ABOUT": About(),
    "YXSTOP": Stop(),
    "END": End(),
}
BLOCKS = ("BOARD", "YXBOARD", "SWAP2BOARD")
DONE = "DONE"


def parse_number(text: str) -> int | None:
    """The whole number that a text begins with; None without one."""
    match = _NUMBER.match(text)
    return int(match[0]) if match else None


class CommandReader:
    """Makes commands of lines, one line after the other.

    A block, such as BOARD, goes on until DONE. Another command in the middle of it breaks the block off and counts.
    """

    def __init__(self) -> None:
        self._block = ""
        self._stones: list[tuple[Cell, int]] = []
        self._wrong: str | None = None

    def feed(self, line: str) -> list[Command]:
        """The commands that are complete with this line, mostly one."""
        word, _, rest = line.strip().partition(" ")
        word, rest = word.upper(), rest.strip()
        if not self._block:
            return self._open(word) if word in BLOCKS else [_parse(word, rest, line)]
        if word == DONE:
            return [self._close()]
        if word[:1].isalpha():
            block, self._block = self._block, ""
            return [Wrong(f"{block} ended by {excerpt(word)} instead of {DONE}"), *self.feed(line)]
        self._add_stone(line)
        return []

    def _open(self, word: str) -> list[Command]:
        self._block, self._stones, self._wrong = word, [], None
        return []

    def _add_stone(self, line: str) -> None:
        match = _CELL.match(line.strip())
        if match is None or (match[3] is None and self._block != "SWAP2BOARD"):
            form = "x,y" if self._block == "SWAP2BOARD" else "x,y,1 or x,y,2"
            self._wrong = self._wrong or f"{self._block} has lines {form}, not {excerpt(line)}"
        elif len(self._stones) < MAX_STONES:
            self._stones.append(((int(match[2]), int(match[1])), int(match[3] or OWN)))
        else:
            self._wrong = f"{self._block} has more stones than any board"

    def _close(self) -> Command:
        block, self._block = self._block, ""
        if self._wrong is not None:
            return Wrong(self._wrong)
        if block == "SWAP2BOARD":
            return Swap2(tuple(cell for cell, _ in self._stones))
        return SetBoard(tuple(self._stones), wants_move=block == "BOARD")


def _parse(word: str, rest: str, line: str) -> Command:
    """A command of one line."""
    if word in PLAIN:
        return PLAIN[word]
    cell, number = parse_cell(rest), parse_number(rest)
    match word:
        case "START":
            return Wrong("START takes a size: START 15") if number is None else Start(number, number)
        case "RECTSTART":
            return Wrong("RECTSTART takes columns and rows: RECTSTART 20,15") if cell is None else Start(*cell)
        case "TURN":
            return Wrong("TURN takes a cell: TURN 7,7") if cell is None else Turn(cell)
        case "TAKEBACK":
            return Wrong("TAKEBACK takes a cell: TAKEBACK 7,7") if cell is None else TakeBack(cell)
        case "YXNBEST":
            return Wrong("YXNBEST takes a number: YXNBEST 3") if number is None else NBest(number)
        case "INFO":
            key, _, value = rest.partition(" ")
            return Info(key.lower(), value.strip())
        case "DONE":
            return Wrong("DONE without BOARD before it")
    return Unknown(excerpt(line))
