"""What a manager has told with INFO, and the limit of a move that follows from it."""

from dataclasses import dataclass

from inarow.adapters.gomocup.commands import excerpt, parse_number
from inarow.errors import FormatError
from inarow.game import Limit
from inarow.game.limit import MAX_COUNT, MAX_SECONDS

NO_LIMIT = 2**31 - 1  # as milliseconds: as long as it likes
DEFAULT_K = 5
DEFAULT_SECONDS = 5.0  # a move, when nothing is told
AT_ONCE = 0.01  # seconds a move for "as fast as possible"
SHORTEST = 0.001  # seconds; a limit has to be more than none
MAX_K = 128
MAX_THREADS = 64
MEBIBYTE = 2**20
PROCESS_MB = 44  # what Python, inarow and the tables of a game's lines take beside the engine's own
LEAST_MEMORY_MB = 2

NUMBERS = {
    "timeout_turn": "turn_ms",
    "timeout_match": "match_ms",
    "time_left": "left_ms",
    "max_memory": "memory_bytes",
    "rule": "rule",
    "thread_num": "threads",
    "hash_size": "table_kb",
    "max_depth": "depth",
    "max_node": "nodes",
    "k": "k",
}
"""The keys that have a meaning here. game_type and folder are understood and not needed, others are ignored."""


@dataclass
class Settings:
    """None where nothing was told, or where the number that was told means "no limit"."""

    turn_ms: int | None = None
    match_ms: int | None = None
    left_ms: int | None = None
    memory_bytes: int | None = None
    rule: int = 0
    threads: int | None = None
    table_kb: int | None = None
    depth: int | None = None
    nodes: int | None = None
    k: int = DEFAULT_K
    used: float = 0.0  # seconds of the game's time since left_ms was told, or since the game began

    def tell(self, key: str, value: str) -> bool:
        """Takes an INFO; False for a key that is ignored. FormatError when the value makes no sense."""
        if key not in NUMBERS:
            return False
        number = parse_number(value)
        if number is None:
            raise FormatError(f"INFO {key} takes a whole number, not {excerpt(value)}")
        if key == "k" and not 1 <= number <= MAX_K:
            raise FormatError(f"INFO k takes 1 to {MAX_K}, not {number}")
        setattr(self, NUMBERS[key], number)
        if key == "time_left":
            self.used = 0.0
        if key == "rule":
            self.check_rule()
        return True

    def check_rule(self) -> None:
        """FormatError for rules that inarow does not play."""
        if self.rule != 0:
            raise FormatError(f"rule {self.rule} is not supported, only rule 0: five or more in a row win")

    def new_game(self) -> None:
        """The match's time begins anew, unless the time left has just been told."""
        if self.used > 0:
            self.left_ms, self.used = None, 0.0

    def limit(self, waited: float) -> Limit:
        """What a move may take from now on, when it was asked for `waited` seconds ago.

        A margin is kept for what the manager measures beside: the processes' turns on a busy machine, the pipes.
        """
        seconds, clock = self._turn_seconds(), self._clock_seconds()
        depth, nodes = _positive(self.depth, MAX_COUNT["depth"]), _positive(self.nodes, MAX_COUNT["nodes"])
        if seconds is clock is depth is nodes is None:
            seconds = DEFAULT_SECONDS
        if seconds is not None:
            seconds = max(SHORTEST, seconds - min(0.01 + seconds / 200, seconds / 5) - waited)
        if clock is not None:
            clock = max(0.0, clock - waited)
        return Limit(seconds, nodes, depth, clock)

    @property
    def most_memory_mb(self) -> int | None:
        """What the engine's tables may take; None when that was not told."""
        bounds = []
        if self.memory_bytes is not None and self.memory_bytes > 0:
            bounds.append(self.memory_bytes // MEBIBYTE - PROCESS_MB)
        if self.table_kb is not None and self.table_kb > 0:
            bounds.append(self.table_kb // 1024)
        return max(LEAST_MEMORY_MB, min(bounds)) if bounds else None

    @property
    def wanted_threads(self) -> int | None:
        return _positive(self.threads, MAX_THREADS)

    def _turn_seconds(self) -> float | None:
        if self.turn_ms is None or self.turn_ms >= NO_LIMIT:
            return None
        return self.turn_ms / 1000 if self.turn_ms > 0 else AT_ONCE

    def _clock_seconds(self) -> float | None:
        """Of the game; a time_left that is negative is none at all, a match of 0 has no limit."""
        if self.left_ms is not None:
            left: float | None = None if self.left_ms >= NO_LIMIT else self.left_ms / 1000
        else:
            left = self.match_ms / 1000 if self.match_ms is not None and 0 < self.match_ms < NO_LIMIT else None
        return None if left is None else min(max(0.0, left - self.used), MAX_SECONDS)


def _positive(number: int | None, most: int) -> int | None:
    return min(number, most) if number is not None and number > 0 else None
