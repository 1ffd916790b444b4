"""What a player can do wrong. Each loses the game, with its kind and the particulars as the reason."""

from dataclasses import dataclass
from enum import Enum

from inarow.errors import IllegalChoice, InarowError


class Kind(Enum):
    """The kinds of faults, in the words that records and reports use."""

    LATE = "late"
    ILLEGAL = "illegal move"
    MALFORMED = "malformed answer"
    TWICE = "answered out of turn"
    RAISED = "raised an exception"
    START = "failed to start"
    START_LATE = "started late"
    EXITED = "exited"
    CRASHED = "crashed"
    MEMORY = "out of memory"
    PRINTED = "wrote to its output"
    FORKED = "started another process"
    CLOSED = "closed its pipe"


@dataclass
class Fault(InarowError):
    """A player did something wrong, and loses the game it is in."""

    kind: Kind
    text: str

    def __str__(self) -> str:
        return f"{self.kind.value}: {self.text}"


def fault_of(error: InarowError, while_starting: bool) -> Fault:
    """The fault of a player that raised an error, or made inarow raise one."""
    if isinstance(error, Fault):
        return error
    if isinstance(error.__cause__, MemoryError):
        kind = Kind.MEMORY
    elif while_starting:
        kind = Kind.START
    elif isinstance(error, IllegalChoice):
        kind = Kind.ILLEGAL
    else:
        kind = Kind.RAISED
    return Fault(kind, str(error).removeprefix(f"{kind.value}: "))
