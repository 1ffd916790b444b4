"""What is known of a position without any search: by the rules, from the table of values, from a file of openings."""

from inarow.game import Board
from inarow.solver.openings import shipped_openings
from inarow.solver.solution import Solution
from inarow.solver.values import known_value

BY_RULES, FROM_OPENINGS = "rules", "book"


def known_without_search(board: Board) -> Solution | None:
    """The value of a position for the player to move; None when it is not known.

    >>> from inarow import parse_position
    >>> known_without_search(parse_position("3x3x3")).value
    'draw'
    """
    if board.outcome is not None:
        return Solution("draw" if board.outcome.winner is None else "loss", 0, method=BY_RULES)
    if board.ply == 0 and (known := known_value(board.game)) is not None:
        return Solution(known.value, known.plies, method=known.method)
    openings = shipped_openings(board.game)
    if openings is not None and (found := openings.find(board)) is not None:
        return Solution(found[0], None, [found[1]], FROM_OPENINGS)
    return None
