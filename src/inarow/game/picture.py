"""Boards as pictures: text to read and to write in tests, SVG to show."""

from collections.abc import Iterator
from html import escape

from inarow.errors import FormatError
from inarow.game.board import Board
from inarow.game.notation import column_name
from inarow.game.rules import Cell, Game, Move, Seat

_MAX_DEAD_ENDS = 50_000
STONES = {Seat.FIRST: "X", Seat.SECOND: "O", None: "."}


def text_picture(board: Board) -> str:
    """Rows of `.`, `X` (first) and `O` (second) with the names of rows and columns; parse_picture reads it back."""
    game = board.game
    names = [column_name(column) for column in range(game.columns)]
    width = max(map(len, names))
    margin = len(str(game.rows))
    lines = [" " * margin + " " + " ".join(name.rjust(width) for name in names)]
    for row in range(game.rows):
        stones = (STONES[board.stone((row, column))].rjust(width) for column in range(game.columns))
        lines.append(str(row + 1).rjust(margin) + " " + " ".join(stones))
    return "\n".join(lines)


def parse_picture(game: Game, text: str) -> Board:
    """A board that shows the picture, with moves in some order that the rules allow; FormatError when there is none.

    Names of rows and columns may stand around the stones.

    >>> board = parse_picture(Game(3, 3, 3), '''
    ...     X . O
    ...     . X .
    ...     . . .
    ... ''')
    >>> board.moves
    ((0, 0), (0, 2), (1, 1))
    """
    rows: list[str] = []
    for line in text.splitlines():
        stones = "".join(line.split()).lstrip("0123456789")
        if not stones or (stones.isalpha() and stones.islower()):
            continue  # an empty line, or the names of the columns
        if set(stones) - set(".XO"):
            raise FormatError(f"a picture is made of '.', 'X' and 'O', not {line.strip()!r}")
        rows.append(stones)
    if len(rows) != game.rows or any(len(row) != game.columns for row in rows):
        raise FormatError(f"the picture is not {game.rows} rows of {game.columns} cells")
    owners = {
        (r, c): Seat.FIRST if stone == "X" else Seat.SECOND
        for r, row in enumerate(rows)
        for c, stone in enumerate(row)
        if stone != "."
    }
    firsts = sum(owner is Seat.FIRST for owner in owners.values())
    if firsts - (len(owners) - firsts) not in (0, 1):
        raise FormatError(f"X moves first: {firsts} X and {len(owners) - firsts} O cannot be")
    return _replayed(game, owners)


def _replayed(game: Game, owners: dict[Cell, Seat]) -> Board:
    """Plays the stones in an order without a win before the last move.

    Each stone of the last mover is tried as the last one; without it any order will do.
    """
    if not owners:
        return Board(game)
    if game.gravity and any(row + 1 < game.rows and (row + 1, column) not in owners for row, column in owners):
        raise FormatError("with gravity no stone hangs in the air")
    last_mover = Seat((len(owners) - 1) % 2)
    candidates = {cell for cell, owner in owners.items() if owner is last_mover}
    for line in game.lines:
        if line[0] in owners and len({owners.get(cell) for cell in line}) == 1:
            candidates &= set(line)  # the last stone completed every line there is
    for last in sorted(candidates, reverse=True):
        if game.gravity and (last[0] - 1, last[1]) in owners:
            continue
        rest = {cell: owner for cell, owner in owners.items() if cell != last}
        order = _falling_order(game, rest) if game.gravity else _alternating_order(rest)
        if order is None:
            continue
        board = Board(game)
        for cell in [*order, last]:
            move: Move = cell[1] if game.gravity else cell
            board.push(move)
        return board
    raise FormatError("no sequence of legal moves leads to the picture")


def _alternating_order(owners: dict[Cell, Seat]) -> list[Cell]:
    by_seat = {seat: iter(sorted(cell for cell, owner in owners.items() if owner is seat)) for seat in Seat}
    return [next(by_seat[Seat(ply % 2)]) for ply in range(len(owners))]


def _falling_order(game: Game, owners: dict[Cell, Seat]) -> list[Cell] | None:
    """Depth-first search over the heights of the columns; None when the stones cannot have fallen like this.

    FormatError when the search takes too long, as it may for stones that never were a game.
    """
    order: list[Cell] = []
    heights = [0] * game.columns
    dead: set[tuple[int, ...]] = set()

    def candidates() -> Iterator[Cell]:
        seat = Seat(len(order) % 2)
        cells = ((game.rows - 1 - height, column) for column, height in enumerate(heights))
        return iter([cell for cell in cells if owners.get(cell) is seat])

    untried = [candidates()]
    while len(order) < len(owners):
        cell = next(untried[-1], None)
        if cell is not None:
            order.append(cell)
            heights[cell[1]] += 1
            untried.append(iter(()) if tuple(heights) in dead else candidates())
            continue
        dead.add(tuple(heights))
        if len(dead) > _MAX_DEAD_ENDS:
            raise FormatError("the picture is too tangled to find moves that lead to it")
        untried.pop()
        if not order:
            return None
        heights[order.pop()[1]] -= 1
    return order


_CELL = 32  # pixels


def svg_picture(board: Board) -> str:
    """The board as an SVG document: names of rows and columns, the last stone dotted, the winning line drawn."""
    game = board.game
    width, height = (game.columns + 1) * _CELL, (game.rows + 1) * _CELL
    colours = (
        {Seat.FIRST: "#d62828", Seat.SECOND: "#fcbf49"} if game.gravity else {Seat.FIRST: "#111", Seat.SECOND: "#fff"}
    )
    ground, empty = ("#2a5c9a", "#e8eef5") if game.gravity else ("#e3c28b", "#d8b377")

    def centre(cell: Cell) -> tuple[int, int]:
        return cell[1] * _CELL + _CELL * 3 // 2, cell[0] * _CELL + _CELL * 3 // 2

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="{_CELL * 2 // 5}" text-anchor="middle" dominant-baseline="central">',
        f"<title>{escape(repr(board)[1:-1])}</title>",
        f'<rect x="{_CELL}" y="{_CELL}" width="{width - _CELL}" height="{height - _CELL}" rx="4" fill="{ground}"/>',
    ]
    names = [(centre((0, column))[0], _CELL // 2, column_name(column)) for column in range(game.columns)]
    names += [(_CELL // 2, centre((row, 0))[1], str(row + 1)) for row in range(game.rows)]
    parts += [f'<text x="{x}" y="{y}" fill="#777">{name}</text>' for x, y, name in names]
    for cell in game.cells:
        x, y = centre(cell)
        owner = board.stone(cell)
        if owner is None:
            parts.append(f'<circle cx="{x}" cy="{y}" r="{_CELL * 2 // 5 if game.gravity else 3}" fill="{empty}"/>')
        else:
            parts.append(f'<circle cx="{x}" cy="{y}" r="{_CELL * 2 // 5}" fill="{colours[owner]}" stroke="#333"/>')
    if board.last_cell is not None:
        x, y = centre(board.last_cell)
        parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="#2a9d8f"/>')
    outcome = board.outcome
    if outcome is not None and outcome.line is not None:
        (x1, y1), (x2, y2) = centre(outcome.line[0]), centre(outcome.line[-1])
        parts.append(
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#2a9d8f" stroke-width="5" stroke-linecap="round"/>'
        )
    return "\n".join([*parts, "</svg>"])
