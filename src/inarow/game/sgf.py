"""SGF, in and out: games with variations and comments.

    (;GM[4]FF[4]CA[UTF-8]SZ[15]PB[first]PW[second]GN[15x15x5]
    ;B[hh]C[the centre]
    (;W[ii];B[hi])
    (;W[gg]))

A cell is two letters, column and row, a…z and A…Z, from the top left corner. SGF knows neither k nor gravity: the name
of the game, GN, holds our text of it; where that is missing the game has free placement, and k is what is asked for.
With gravity too a move is written as the cell on which the stone comes to lie.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from inarow._version import __version__
from inarow.errors import FormatError, InarowError
from inarow.game.notation import cell_name, parse_game
from inarow.game.record import Record
from inarow.game.rules import Cell, Game, Outcome, Reason, Seat
from inarow.game.tree import GameTree

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
COLOURS = {Seat.FIRST: "B", Seat.SECOND: "W"}
SET_UP = ("AB", "AW", "AE")
_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]{1,32})(?=\s*\[)|\[((?:[^\\\]]|\\.)*)\])", re.DOTALL)
_SIZE = re.compile(r"(\d{1,3})(?::(\d{1,3}))?", re.ASCII)

Properties = dict[str, str]
"""Of one node, by name; where a property has a list of values, the first."""


def to_sgf(record: Record) -> str:
    """FormatError for a side over 52, which SGF's letters do not reach."""
    tree = GameTree.of_line(record.game, record.moves)
    return write_sgf(tree, record.players, record.outcome, record.date, record.version)


def write_sgf(
    tree: GameTree,
    players: tuple[str, str],
    outcome: Outcome | None = None,
    date: str = "",
    version: str = __version__,
) -> str:
    """A tree as SGF; the outcome is that of its main line. FormatError for a side over 52, or an illegal move."""
    game = tree.game
    if max(game.rows, game.columns) > len(LETTERS):
        raise FormatError(f"SGF cannot name the cells of a board with a side over {len(LETTERS)}")
    size = str(game.rows) if game.rows == game.columns else f"{game.columns}:{game.rows}"
    names = [_simple_text(name) for name in players]
    parts = [f"(;GM[4]FF[4]CA[UTF-8]AP[inarow:{version}]SZ[{size}]PB[{names[0]}]PW[{names[1]}]GN[{game}]"]
    if date:
        parts.append(f"DT[{date[:10]}]")
    if outcome is not None:
        parts.append(f"RE[{_result(outcome)}]")
    parts.append(_comment(tree[0].comment))
    stones = {number: f";{COLOURS[board.turn.other]}[{_letters(board.last_cell)}]" for number, board in tree.walk()}
    waiting = _after(tree, 0)
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
        else:
            parts.append(stones[item] + _comment(tree[item].comment))
            waiting += _after(tree, item)
    return "".join(parts) + ")\n"


def _after(tree: GameTree, number: int) -> list[int | str]:
    """What is to be written after a node, the last first: its only child, or each of them between parentheses."""
    children = tree.children(number)
    if len(children) == 1:
        return [children[0], "\n"]
    return [item for child in reversed(children) for item in (")", child, "\n(")]


@dataclass(frozen=True)
class SgfGame:
    """What an SGF file holds: a tree, and the players' names."""

    tree: GameTree
    players: tuple[str, str]


def parse_sgf(text: str, k: int = 5) -> SgfGame:
    """The first game of an SGF file. FormatError says what is wrong with it.

    >>> game = parse_sgf("(;GM[4]SZ[15]PB[a];B[hh]C[centre](;W[ii];B[hi])(;W[gg]))")
    >>> game.players, game.tree.game, len(game.tree), game.tree.main_line()
    (('a', 'second'), Game(rows=15, columns=15, k=5, gravity=False), 5, ((7, 7), (8, 8), (8, 7)))
    """
    reader: _Reader | None = None
    last, starts = 0, list[int]()
    for item in _items(text):
        if item == "(":
            starts.append(last)
        elif item == ")":
            last = starts.pop()
            if not starts:
                break
        else:
            assert isinstance(item, dict)
            if reader is None:
                reader = _Reader(item, k)
            last = reader.add(last, item)
    if reader is None:
        raise FormatError("there is no game in this SGF: it begins with (;")
    reader.check()
    return SgfGame(reader.tree, reader.players)


class _Reader:
    """Makes a tree of the nodes of a file. Nodes without a move add their comment to the one before."""

    def __init__(self, root: Properties, k: int) -> None:
        self.tree = GameTree(_game(root, k))
        self.players = (_one_line(root.get("PB", "")) or "first", _one_line(root.get("PW", "")) or "second")
        self._depths = [0]
        self._cells: list[Cell] = [(-1, -1)]

    def add(self, parent: int, properties: Properties) -> int:
        """The number of the node, or of the one before."""
        for name in SET_UP:
            if name in properties:
                raise FormatError(f"stones that are set up ({name}) cannot be read: a game is its moves in their order")
        comment = _plain(properties.get("C", ""))
        colours = [colour for colour in COLOURS.values() if colour in properties]
        if not colours:
            node = self.tree[parent]
            node.comment = "\n".join(filter(None, [node.comment, comment]))
            return parent
        depth = self._depths[parent] + 1
        colour = COLOURS[Seat((depth - 1) % 2)]
        if colours != [colour]:
            raise FormatError(f"move {depth} of this SGF is of {' and '.join(colours)}, it should be of {colour}")
        cell = _cell(self.tree.game, properties[colour], depth)
        self._depths.append(depth)
        self._cells.append(cell)
        return self.tree.add(parent, cell[1] if self.tree.game.gravity else cell, comment)

    def check(self) -> None:
        """FormatError names the first move that is illegal, or a stone that would come to lie on another cell."""
        for number, board in self.tree.walk():
            cell = self._cells[number]
            if board.last_cell != cell:
                assert board.last_cell is not None
                text = f"move {board.ply} of this SGF is {cell_name(cell)}, the stone falls to"
                raise FormatError(f"{text} {cell_name(board.last_cell)}")


def _items(text: str) -> Iterator[str | Properties]:
    """Parentheses, and the properties of each node. FormatError at what is neither, or at a missing end."""
    place = max(0, text.find("("))
    properties: Properties | None = None
    name, depth = "", 0
    while match := _TOKEN.match(text, place):
        place = match.end()
        mark, word, value = match.groups()
        if word is not None:
            name = "".join(filter(str.isupper, word))
        elif value is not None:
            if properties is None or not name:
                raise FormatError(f"a value without a property in this SGF: {value[:20]!r}")
            properties.setdefault(name, value)
        else:
            if properties is not None:
                yield properties
            properties, name = ({}, "") if mark == ";" else (None, "")
            if depth == 0 and mark != "(":
                break
            if mark != ";":
                depth += 1 if mark == "(" else -1
                yield mark
            if depth == 0:
                return
    if rest := text[place:].strip():
        raise FormatError(f"this SGF cannot be read at {rest[:20]!r}")
    raise FormatError("this SGF ends before its game does: a ) is missing" if depth else "SGF begins with (;")


def _game(root: Properties, k: int) -> Game:
    """By its name, where that is one of ours; else by its size."""
    try:
        return parse_game(_one_line(root.get("GN", "")))
    except InarowError:
        size = _SIZE.fullmatch(root.get("SZ", "").strip())
    if size is None:
        raise FormatError("this SGF does not say the size of its board: SZ[15], or SZ[columns:rows]")
    columns = int(size[1])
    return Game(int(size[2]) if size[2] else columns, columns, k)


def _cell(game: Game, value: str, depth: int) -> Cell:
    letters = value.strip()
    if len(letters) != 2 or not all(letter in LETTERS for letter in letters):
        raise FormatError(f"move {depth} of this SGF is {value[:20]!r}, it should be two letters, column and row")
    column, row = (LETTERS.index(letter) for letter in letters)
    if not game.contains((row, column)):
        raise FormatError(f"move {depth} of this SGF, {letters}, is off the board")
    return row, column


def _letters(cell: Cell | None) -> str:
    assert cell is not None
    return LETTERS[cell[1]] + LETTERS[cell[0]]


def _result(outcome: Outcome) -> str:
    if outcome.winner is None:
        return "0"
    return COLOURS[outcome.winner] + "+" + ("F" if outcome.reason is Reason.FORFEIT else "")


def _comment(text: str) -> str:
    return f"C[{_escaped(text)}]" if text else ""


def _simple_text(text: str) -> str:
    return _escaped(" ".join(text.split()) or "?")


def _escaped(text: str) -> str:
    return re.sub(r"([\\\]:])", r"\\\1", text)


def _plain(value: str) -> str:
    """A value without its escapes; a line that goes on after a backslash is one."""
    lines = value.replace("\r\n", "\n").replace("\r", "\n")
    return re.sub(r"\\(.)", lambda match: match[1].removeprefix("\n"), lines, flags=re.DOTALL)


def _one_line(value: str) -> str:
    return " ".join(_plain(value).split())
