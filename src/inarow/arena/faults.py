"""What a player can do wrong. Each loses the game, with its kind and the particulars as the reason."""

from dataclasses import dataclass
from enum import Enum

from inarow.errors import IllegalChoice, InarowError, PlayerError

MAX_TEXT = 500


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
    TAMPERED = "tampered with the referee"


@dataclass(eq=False)
class Fault(InarowError):
    """A player did something wrong, and loses the game it is in. The text becomes one that any record can hold."""

    kind: Kind
    text: str

    def __post_init__(self) -> None:
        self.text = presentable(self.text)

    def __str__(self) -> str:
        return f"{self.kind.value}: {self.text}"


def fault_of(error: InarowError, while_starting: bool) -> Fault:
    """The fault of a player that raised an error, or made inarow raise one."""
    if isinstance(error, Fault):
        return error
    if isinstance(error.__cause__, MemoryError):
        kind = Kind.MEMORY
    elif isinstance(error, PlayerError) and error.fault:
        kind = Kind(error.fault)
    elif while_starting:
        kind = Kind.START
    elif isinstance(error, IllegalChoice):
        kind = Kind.ILLEGAL
    else:
        kind = Kind.RAISED
    return Fault(kind, str(error).removeprefix(f"{kind.value}: "))


def presentable(text: str) -> str:
    """One line, not too long, of nothing but printable characters: a player's words are shown in terminals too."""
    line = " ".join(text[: 2 * MAX_TEXT].split())
    if len(line) > MAX_TEXT:
        line = line[: MAX_TEXT - 1] + "…"
    return "".join(character if character.isprintable() else "?" for character in line)
