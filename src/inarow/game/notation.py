"""Games, moves and positions as text.

cell        h8            column h, row 8; columns a…z, aa, ab, …; rows count from 1 at the top
move        h8 or 7,7     a name, or numbers from 0 as in the API; with gravity a column: d or 3
game        15x15x5       rows × columns × k; 6x7x4g with gravity
position    15x15x5:h8.i9 the game, then its moves; fits into a link and on a command line as it is
Connect-4   4453          columns from 1, one digit each: for gravity boards of up to 9 columns
"""

import re
from collections.abc import Iterable

from inarow.errors import FormatError, IllegalMove
from inarow.game.board import Board
from inarow.game.rules import Cell, Game, Move

_GAME = re.compile(r"(\d{1,9})x(\d{1,9})x(\d{1,9})(g?)", re.ASCII)
_CELL = re.compile(r"([a-z]{1,3})([1-9]\d{0,3})", re.ASCII)
_CELL_NUMBERS = re.compile(r"(\d{1,3}),(\d{1,3})", re.ASCII)
_COLUMN = re.compile(r"[a-z]{1,3}", re.ASCII)
_COLUMN_NUMBER = re.compile(r"\d{1,3}", re.ASCII)


def column_name(column: int) -> str:
    """a…z, then aa, ab, … as in a spreadsheet."""
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("a") + letter) + name
    return name


def cell_name(cell: Cell) -> str:
    """
    >>> cell_name((7, 7)), cell_name((0, 27))
    ('h8', 'ab1')
    """
    return f"{column_name(cell[1])}{cell[0] + 1}"


def _column_index(name: str) -> int:
    index = 0
    for letter in name:
        index = index * 26 + ord(letter) - ord("a") + 1
    return index - 1


def format_move(move: Move) -> str:
    """A move's name: `h8`, or `d` with gravity."""
    return column_name(move) if isinstance(move, int) else cell_name(move)


def parse_move(game: Game, text: str) -> Move:
    """A move from its name or its numbers. Whether it is legal is the board's business.

    >>> parse_move(Game(15, 15, 5), "h8"), parse_move(Game(15, 15, 5), "7,7"), parse_move(Game(6, 7, 4, True), "d")
    ((7, 7), (7, 7), 3)
    """
    text = text.strip().lower()
    if game.gravity:
        if _COLUMN.fullmatch(text):
            return _column_index(text)
        if _COLUMN_NUMBER.fullmatch(text):
            return int(text)
        raise FormatError(f"{_shown(text)} is not a column: write a name such as d, or a number from 0")
    if match := _CELL.fullmatch(text):
        return int(match[2]) - 1, _column_index(match[1])
    if match := _CELL_NUMBERS.fullmatch(text):
        return int(match[1]), int(match[2])
    raise FormatError(f"{_shown(text)} is not a cell: write a name such as h8, or row,column from 0")


def parse_moves(game: Game, text: str) -> list[Move]:
    """Moves separated by blanks: `7,7 7,8`, `h8 i8`, or with gravity `3 3 4`."""
    return [parse_move(game, word) for word in text.split()]


def parse_game(text: str) -> Game:
    """A game from its text form; the inverse of `str(game)`."""
    match = _GAME.fullmatch(text)
    if match is None:
        raise FormatError(f"{_shown(text)} is not a game: write ROWSxCOLUMNSxK, with a g at the end for gravity")
    return Game(int(match[1]), int(match[2]), int(match[3]), gravity=bool(match[4]))


def format_position(board: Board) -> str:
    """The game and its moves: `15x15x5:h8.i9`, or the game alone while the board is empty."""
    if not board.moves:
        return str(board.game)
    return f"{board.game}:" + ".".join(format_move(move) for move in board.moves)


def parse_position(text: str) -> Board:
    """The inverse of format_position. FormatError when it cannot be read or a move in it is illegal.

    >>> parse_position("6x7x4g:d.d.e").moves
    (3, 3, 4)
    >>> parse_position("3x3x3:b2.b2")
    Traceback (most recent call last):
    inarow.errors.FormatError: move 2 of the position: cell (1, 1) is taken
    """
    game_text, colon, moves_text = text.strip().partition(":")
    game = parse_game(game_text)
    if colon and not moves_text:
        raise FormatError(f"{_shown(text)} ends with a colon but names no moves")
    return play_moves(game, (parse_move(game, word) for word in moves_text.split(".")) if colon else [])


def play_moves(game: Game, moves: Iterable[Move]) -> Board:
    """A board with these moves played. FormatError names the first that is illegal."""
    board = Board(game)
    for move in moves:
        try:
            board.push(move)
        except IllegalMove as error:
            raise FormatError(f"move {board.ply + 1} of the position: {error}") from None
    return board


def format_connect4(board: Board) -> str:
    """The columns played, counted from 1, as one string of digits.

    >>> format_connect4(parse_position("6x7x4g:d.d.e.c"))
    '4453'
    """
    _check_connect4(board.game)
    return "".join(str(move + 1) for move in board.moves if isinstance(move, int))


def parse_connect4(game: Game, text: str) -> Board:
    """The inverse of format_connect4."""
    _check_connect4(game)
    text = text.strip()
    if re.fullmatch(r"[1-9]*", text) is None:
        raise FormatError(f"{_shown(text)} is not a Connect-4 move string: columns are digits from 1")
    return play_moves(game, (int(digit) - 1 for digit in text))


def _check_connect4(game: Game) -> None:
    if not game.gravity or game.columns > 9:
        raise FormatError("a Connect-4 move string needs a game with gravity and at most 9 columns")


def _shown(text: str) -> str:
    """A text as an error message quotes it: on one line, and not longer than needed."""
    return repr(text if len(text) <= 40 else text[:37] + "…")
