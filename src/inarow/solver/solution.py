"""What solving a position gives, and what can be called to solve one."""

from dataclasses import dataclass, field
from typing import Protocol

from inarow.game import Board, Limit, Move
from inarow.solver.proof import Proof

VALUES = {-1: "loss", 0: "draw", 1: "win"}
"""Values by their signs."""

UNKNOWN = "unknown"
"""The value of a position that was not solved within its limit."""

OPPOSITE = {"win": "loss", "draw": "draw", "loss": "win", UNKNOWN: UNKNOWN}
"""A value as the other player sees it."""

DEFAULT_MEMORY_MB = 256


@dataclass(frozen=True)
class Solution:
    """What is true of a position, for the player to move.

    value       win, draw or loss; unknown when the limit came first
    plies       how many moves the game goes on when both play their best; None where the method does not tell
    best_moves  moves that keep the value, and with plies also the distance
    method      how it was found, in a word
    proof       what `inarow verify` checks, where it was asked for
    """

    value: str
    plies: int | None = None
    best_moves: list[Move] = field(default_factory=list)
    method: str = ""
    nodes: int = 0
    seconds: float = 0.0
    proof: Proof | None = None


@dataclass(frozen=True)
class MoveValue:
    """What a move is worth to the player who makes it: value and plies as in Solution, counted before the move."""

    move: Move
    value: str
    plies: int | None


@dataclass(frozen=True)
class Progress:
    """How far a solver is.

    nodes   positions looked at
    bounds  the least and the most that the position can be worth: loss, draw or win
    known   what is known so far, in its own words
    """

    nodes: int
    bounds: tuple[str, str]
    known: str


@dataclass(frozen=True)
class TableUse:
    """How full a solver's table is.

    bytes, entries  what it has room for; memory that is not used yet is not taken
    used            how many entries hold something, with gravity about
    """

    bytes: int
    entries: int
    used: int

    @property
    def share(self) -> float:
        return self.used / self.entries

    def __str__(self) -> str:
        return f"{self.used:,} of {self.entries:,} entries in use ({self.share:.1%}), {self.bytes / 2**20:.1f} MB"


class Solver(Protocol):
    """What `inarow.solver.solve` can be called with. It must pickle to be given to a crew."""

    def __call__(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        threads: int = 1,
        memory_mb: int = DEFAULT_MEMORY_MB,
        weak: bool = False,
        shortest: bool = False,
        best_moves: bool = True,
        proof: bool = False,
    ) -> Solution: ...


@dataclass(frozen=True)
class Effort:
    """What may be done for each of many positions: see `Solver`."""

    limit: Limit | None = None
    memory_mb: int = DEFAULT_MEMORY_MB
    shortest: bool = False
    proof: bool = False
