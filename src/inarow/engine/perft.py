"""Counting all games of a position to a depth: what the two implementations of the rules are compared by."""

from dataclasses import dataclass

from inarow._core import perft as core_perft
from inarow.engine.core import StopFlag, position_of
from inarow.game import Board


@dataclass(frozen=True)
class Perft:
    """Counts by ply, from ply 0 (the position itself) on."""

    nodes: tuple[int, ...]
    """Sequences of exactly so many moves."""
    first_wins: tuple[int, ...]
    """Of these, how many the first seat has won."""
    second_wins: tuple[int, ...]
    draws: tuple[int, ...]
    stopped: bool
    """The stop flag ended the count early; the counts are incomplete."""

    @property
    def games(self) -> int:
        """How many sequences ended the game."""
        return sum(self.first_wins) + sum(self.second_wins) + sum(self.draws)


def perft(board: Board, depth: int, stop: StopFlag | None = None) -> Perft:
    """Counts in the core, without the GIL. ValueError for a negative depth.

    >>> from inarow.game import Game
    >>> perft(Board(Game(3, 3, 3)), 9).games
    255168
    """
    counts = core_perft(position_of(board), depth, stop or StopFlag())
    return Perft(
        nodes=tuple(counts.nodes),
        first_wins=tuple(counts.first_wins),
        second_wins=tuple(counts.second_wins),
        draws=tuple(counts.draws),
        stopped=counts.stopped,
    )
