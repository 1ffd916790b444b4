"""How much of a limit a player may use: a time limit is a promise."""

from inarow.game import Limit

_GAME_SHARE = 1 / 25  # of the time left for the whole game goes into one move
_INCREMENT_SHARE = 0.8


def move_seconds(limit: Limit) -> float | None:
    """The seconds that this move may take, from a limit for the move, for the game, or both; None without either."""
    seconds = limit.seconds
    if limit.clock is not None:
        share = min(limit.clock * _GAME_SHARE + (limit.increment or 0) * _INCREMENT_SHARE, limit.clock / 2)
        seconds = share if seconds is None else min(seconds, share)
    return seconds


def hard_seconds(limit: Limit) -> float | None:
    """The seconds after which a search must end so that its answer is in time on a busy machine.

    A margin of 10 ms and a hundredth of the limit is kept, but never more than a third of it.
    """
    seconds = move_seconds(limit)
    if seconds is None:
        return None
    return max(seconds - min(0.01 + seconds / 100, seconds / 3), 0.0)
