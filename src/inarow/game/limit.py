"""How long a player may think about a move."""

from dataclasses import dataclass, fields

from inarow.errors import InvalidLimit

MAX_SECONDS = 10**9
MAX_COUNT = {"nodes": 2**62, "depth": 2**30}


@dataclass(frozen=True)
class Limit:
    """Any combination; a player stops at whichever is reached first, and `Limit()` means no limit at all.

    seconds    wall-clock time for this move
    nodes      positions the search may enter for this move
    depth      plies the search may look ahead
    clock      time left for the whole game, in seconds
    increment  what each move adds to the clock, in seconds; only with a clock
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: float | None = None
    increment: float | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "clock", "increment"):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # the last is NaN
                raise InvalidLimit(f"{name} must be a number, not {value!r}")
            if value > MAX_SECONDS:
                raise InvalidLimit(f"{name} must be at most {MAX_SECONDS}")
            if value < 0 or (value == 0 and name == "seconds"):
                raise InvalidLimit(f"{name} must be {'more than 0' if name == 'seconds' else '0 or more'}, not {value}")
        for name in ("nodes", "depth"):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InvalidLimit(f"{name} must be a whole number of at least 1, not {value!r}")
            if value > MAX_COUNT[name]:
                raise InvalidLimit(f"{name} must be at most {MAX_COUNT[name]}")
        if self.increment is not None and self.clock is None:
            raise InvalidLimit("an increment needs a clock")

    def to_dict(self) -> dict[str, float | int]:
        """The limits that are set, by name."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name)) is not None}
