"""What the engine says of a position."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from inarow import _core
from inarow.game import Board, Move
from inarow.solver.solution import UNKNOWN, MoveValue

UNDECIDED = "undecided"
"""The value of a variation that was searched to some depth only."""


@dataclass(frozen=True)
class Variation:
    """A line of play, and what it is worth to the player to move before it.

    moves            the play expected of both, beginning with the move it is about
    value            win, draw or loss where it is certain, else undecided
    plies            where it is a win or a loss: the number of moves to the end; None where it is not known how soon
    score            in hundredths, about as much as a stone's advantage; beyond all others where it is a win or a loss,
                     and the further the sooner the end is known to come
    win_probability  0 to 1: what the player can expect of the game, a draw counted as half
    depth            plies that were searched, not counting those beyond in forced lines
    selective_depth  with those
    """

    moves: tuple[Move, ...]
    value: str = UNDECIDED
    plies: int | None = None
    score: int = 0
    win_probability: float = 0.5
    depth: int = 0
    selective_depth: int = 0

    @property
    def move(self) -> Move:
        return self.moves[0]

    @property
    def words(self) -> str:
        """
        >>> Variation((3,), "win", 7, 1073741817, 1.0).words
        'win in 7'
        >>> Variation((3,), score=-42, win_probability=0.4).words
        '-0.42 (40 %)'
        """
        if self.value in ("win", "loss") and self.plies is not None:
            return f"{self.value} in {self.plies}"
        if self.value != UNDECIDED:
            return self.value
        return f"{self.score / 100:+.2f} ({self.win_probability * 100:.0f} %)"


@dataclass(frozen=True)
class Report:
    """How far an analysis is.

    variations   the best first, one for each move that was asked for
    nodes        positions that the search, or the solver, has looked at for this
    seconds      the time that took; asking one first is not counted with the other
    table_share  how much of the table is in use, 0 to 1
    source       who found it: search, solver, book, or rules where there is only one move
    """

    variations: tuple[Variation, ...]
    nodes: int = 0
    seconds: float = 0.0
    table_share: float = 0.0
    source: str = "search"

    @property
    def best(self) -> Variation:
        return self.variations[0]

    @property
    def depth(self) -> int:
        return self.best.depth

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


def certain(variation: Variation, value: str, plies: int | None, free_cells: int) -> Variation:
    """The variation as one whose value is certain; the game ends when no cells are free, if it is not known how soon.

    >>> certain(Variation((3,)), "loss", 4, 30).words
    'loss in 4'
    """
    sign = {"win": 1, "draw": 0, "loss": -1}[value]
    score = sign * (_core.WON - (free_cells if plies is None else plies))
    return replace(variation, value=value, plies=plies if sign else None, score=score, win_probability=(1 + sign) / 2)


def with_values(
    variations: Iterable[Variation], values: Iterable[MoveValue], lines: int, free_cells: int
) -> tuple[Variation, ...]:
    """So many of the best variations, with what is known of each move; moves known to be better come in, too.

    >>> found = [Variation((3,), score=10, win_probability=0.6), Variation((2,), score=5, win_probability=0.55)]
    >>> values = [MoveValue(1, "win", None), MoveValue(2, "loss", 8), MoveValue(3, "unknown", None)]
    >>> [(each.move, each.words) for each in with_values(found, values, 3, 30)]
    [(1, 'win'), (3, '+0.10 (60 %)'), (2, 'loss in 8')]
    """
    by_move = {variation.move: variation for variation in variations}
    deepest = max(by_move.values(), key=lambda variation: variation.depth)
    for each in values:
        if each.value == UNKNOWN:
            continue
        found = by_move.get(each.move) or replace(deepest, moves=(each.move,), value=UNDECIDED)
        if found.value == UNDECIDED:
            by_move[each.move] = certain(found, each.value, each.plies, free_cells)
    best_first = sorted(by_move.values(), key=lambda each: (-each.win_probability, -each.score))
    return tuple(best_first[:lines])


def ordered(variations: dict[int, Variation]) -> tuple[Variation, ...]:
    """By number; one that begins as a better one does is from an earlier depth, and left out."""
    by_move: dict[Move, Variation] = {}
    for number in sorted(variations):
        by_move.setdefault(variations[number].move, variations[number])
    return tuple(by_move.values())


def has_one_move(board: Board) -> bool:
    """Whether there is one legal move; on a large board to list them all would take a part of the time."""
    game = board.game
    return len(board.legal_moves) == 1 if game.gravity else game.rows * game.columns - board.ply == 1


def forced(board: Board) -> Variation:
    """The only move, and how the game ends: there is one move from here on, too."""
    after = board.copy()
    while not after.is_over:
        after.push(after.legal_moves[0])
    variation = Variation(after.moves[board.ply :])
    assert after.outcome is not None
    winner, plies = after.outcome.winner, after.ply - board.ply
    value = "draw" if winner is None else "win" if winner is board.turn else "loss"
    return certain(variation, value, plies, plies)
