"""Strategies as the core writes them."""

from array import array

from inarow._core import WrittenProof
from inarow.game import Seat
from inarow.solver.proof import Strategy


def strategy_of(written: WrittenProof, seat: Seat, goal: str, plies: int | None) -> Strategy | None:
    """None when it was stopped or would have become too long. There must be such a strategy."""
    assert written.end != "no strategy", f"{seat} has no strategy to {goal}"
    if written.end != "complete":
        return None
    tokens = array("H")
    tokens.frombytes(written.tokens)
    return Strategy(seat, goal, plies, tokens)
