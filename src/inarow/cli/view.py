"""A board in the terminal."""

from rich.console import Console
from rich.text import Text

from inarow.game import Board, Seat
from inarow.game.notation import column_name

_GLYPHS = {Seat.FIRST: "●", Seat.SECOND: "○", None: "·"}
_PLAIN_GLYPHS = {Seat.FIRST: "X", Seat.SECOND: "O", None: "."}
_STYLES = {Seat.FIRST: "bold red", Seat.SECOND: "bold yellow", None: "dim"}
_CELL_WIDTH = 3
_MARGIN = 4


def glyph(console: Console, seat: Seat) -> str:
    """The sign of a seat's stones, as this terminal can show it."""
    return (_GLYPHS if console.encoding.startswith("utf") else _PLAIN_GLYPHS)[seat]


def print_board(console: Console, board: Board) -> None:
    """Shows the board: the last stone in [brackets], the winning line in (parentheses).

    In a terminal that is too small for the board it shows the part around the last stone.
    """
    game = board.game
    glyphs = _GLYPHS if console.encoding.startswith("utf") else _PLAIN_GLYPHS
    outcome = board.outcome
    winning = set(outcome.line) if outcome is not None and outcome.line is not None else set()
    last = board.last_cell
    focus = last if last is not None else (game.rows // 2, game.columns // 2)
    rows, columns = range(game.rows), range(game.columns)
    if console.is_terminal:
        rows = _part(game.rows, max(5, console.height - 6), focus[0])
        columns = _part(game.columns, max(5, (console.width - _MARGIN) // _CELL_WIDTH), focus[1])

    names = Text(" " * _MARGIN + "".join(column_name(column).center(_CELL_WIDTH) for column in columns), "dim")
    console.print(names, no_wrap=True, crop=False, overflow="ignore")
    for row in rows:
        line = Text(f"{row + 1:>{_MARGIN - 1}} ", "dim")
        for column in columns:
            cell = row, column
            owner = board.stone(cell)
            style = "bold green" if cell in winning else _STYLES[owner]
            left, right = "[]" if cell == last else "()" if cell in winning else "  "
            line.append(f"{left}{glyphs[owner]}{right}", style)
        console.print(line, no_wrap=True, crop=False, overflow="ignore")
    if len(rows) < game.rows or len(columns) < game.columns:
        shown = f"rows {rows[0] + 1}–{rows[-1] + 1}, columns {column_name(columns[0])}–{column_name(columns[-1])}"
        console.print(f"({shown} of {game.rows} × {game.columns})", style="dim")


def _part(size: int, room: int, focus: int) -> range:
    """As many of 0…size−1 as there is room for, around the focus."""
    if room >= size:
        return range(size)
    start = min(max(focus - room // 2, 0), size - room)
    return range(start, start + room)
