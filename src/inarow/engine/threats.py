"""Which cells win at once, and which moves make the other answer."""

from dataclasses import dataclass

from inarow.engine.core import geometry_of, position_of
from inarow.game import Board, Cell, Seat

MAX_FORCING = 500
"""Only where K is 2 are there more moves that threaten to win; then the rest is left out."""


@dataclass(frozen=True)
class Threats:
    """What a seat could do if it were to move.

    wins    cells on which it completes a line
    later   with gravity: cells that would complete one, but cannot be reached yet
    forced  other cells that make new wins, each with the cells of these, on which the other must answer; where they are
            two or more, it can close only one of them
    """

    wins: tuple[Cell, ...]
    later: tuple[Cell, ...]
    forced: tuple[tuple[Cell, tuple[Cell, ...]], ...]


def threats_of(board: Board, seat: Seat) -> Threats:
    """What a seat threatens, whoever is to move. All cells are sorted; nothing when the game is over.

    A line in which the seat lacks one stone and the other has none is a win; one in which it lacks two makes each of
    their cells a forcing move that is answered on the other.

    >>> from inarow import parse_position
    >>> threats = threats_of(parse_position("1x5x3:b1.e1.c1"), Seat.FIRST)
    >>> threats.wins, threats.forced
    (((0, 0), (0, 3)), ())
    """
    if board.is_over:
        return Threats((), (), ())
    game, geometry = board.game, geometry_of(board.game)
    wins: set[Cell] = set()
    pairs: list[tuple[Cell, Cell]] = []
    for window, counts in enumerate(position_of(board).window_counts):
        missing = game.k - counts[seat]
        if missing > 2 or counts[seat.other]:
            continue
        cells = (divmod(cell, game.columns) for cell in geometry.window_cells(window))
        free = [cell for cell in cells if board.stone(cell) is None]
        if missing == 1:
            wins.add(free[0])
        else:
            pairs.append((free[0], free[1]))
    now = {cell for cell in wins if _is_playable(board, cell)}
    replies: dict[Cell, set[Cell]] = {}
    for one, other in pairs:
        for move, reply in ((one, other), (other, one)):
            if not {move, reply} & now and _is_playable(board, move) and _is_playable_after(board, reply, move):
                replies.setdefault(move, set()).add(reply)
    if game.gravity:  # a stone may also make a win reachable that lies above it
        for row, column in wins - now:
            below = row + 1, column
            if below not in now and _is_playable(board, below):
                replies.setdefault(below, set()).add((row, column))
    forced = tuple((cell, tuple(sorted(replies[cell]))) for cell in sorted(replies)[:MAX_FORCING])
    return Threats(tuple(sorted(now)), tuple(sorted(wins - now)), forced)


def _is_playable(board: Board, cell: Cell) -> bool:
    """Of a free cell."""
    return not board.game.gravity or board.landing(cell[1]) == cell


def _is_playable_after(board: Board, cell: Cell, move: Cell) -> bool:
    return _is_playable(board, cell) or (cell[0] + 1, cell[1]) == move
