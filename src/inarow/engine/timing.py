"""How much of a limit a player may use: a time limit is a promise."""

import time
from dataclasses import dataclass

from inarow.game import Limit

_GAME_MOVES = 25  # a game's time is divided as if so many moves of the player's were to come,
_LAST_MOVES = 2  # or the moves there are cells left for, but never fewer than these
_INCREMENT_SHARE = 0.8
_MOST_SHARE = 4.0  # a move may take so many times its share of the game's time
_MOVE_COST = 0.006  # seconds of a move that are no search: for the moves to come they are put by,
_LEAST_SHARE = 0.1  # … but a move has at least this part of what each would have if all had as much


@dataclass(frozen=True)
class Allotment:
    """The seconds that a search gets; None where there is no such limit.

    hard  after these it must end, so that its answer is in time on a busy machine
    soft  so many on average, more when it is not sure of its move: only where the time is that of a whole game
    """

    hard: float | None
    soft: float | None = None


def move_seconds(limit: Limit, free_cells: int | None = None) -> float | None:
    """The seconds that this move may take, from a limit for the move, for the game, or both; None without either.

    A game's time is divided better when it is known how many cells are free: no long game runs out of it, and the last
    moves may use up what is left.
    """
    seconds = limit.seconds
    if limit.clock is not None:
        clock, moves = limit.clock, _GAME_MOVES
        if free_cells is not None:
            own_moves = max(1, (free_cells + 1) // 2)
            put_by = own_moves * max(0.0, _MOVE_COST - (limit.increment or 0))
            moves = max(_LAST_MOVES, min(moves, own_moves))
            clock = max(clock - put_by, _LEAST_SHARE * clock * moves / own_moves)
        share = min(clock / moves + (limit.increment or 0) * _INCREMENT_SHARE, limit.clock / _LAST_MOVES)
        seconds = share if seconds is None else min(seconds, share)
    return seconds


def hard_seconds(limit: Limit, free_cells: int | None = None) -> float | None:
    """The seconds after which a search must end so that its answer is in time on a busy machine."""
    seconds = move_seconds(limit, free_cells)
    return None if seconds is None else _without_margin(seconds)


def allot(limit: Limit, free_cells: int) -> Allotment:
    """What a search gets that can tell when it is sure of its move."""
    share = move_seconds(limit, free_cells)
    if limit.clock is None or share is None:
        return Allotment(hard_seconds(limit))
    most = min(share * _MOST_SHARE, limit.clock / _LAST_MOVES)
    hard = _without_margin(most if limit.seconds is None else min(most, limit.seconds))
    return Allotment(hard, min(share, hard))


def _without_margin(seconds: float) -> float:
    """A margin of 10 ms and a hundredth of the limit is kept, but never more than a third of it."""
    return max(seconds - min(0.01 + seconds / 100, seconds / 3), 0.0)


def seconds_left(seconds: float | None, begin: float) -> float | None:
    """Of so many that began then."""
    return None if seconds is None else max(0.0, seconds - (time.perf_counter() - begin))


@dataclass(frozen=True)
class Plan:
    """How the time is divided between searches and checks of what they find; by time.perf_counter()."""

    seconds: float
    soft_seconds: float | None
    for_checks: float
    deadline: float

    @property
    def search_limits(self) -> dict[str, float | None]:
        return {"seconds": max(0.0, self.seconds - self.for_checks), "soft_seconds": self.soft_seconds}

    @property
    def check_seconds(self) -> float:
        return min(self.for_checks, self._left())

    def for_another(self) -> "Plan":
        """For one more search and check: half of what is left."""
        left = self._left()
        soft = None if self.soft_seconds is None else self.soft_seconds / 2
        return Plan(left / 2, soft, min(self.for_checks, left) / 4, self.deadline)

    def _left(self) -> float:
        return max(0.0, self.deadline - time.perf_counter())
