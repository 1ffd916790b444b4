"""Exact values of positions, and proofs of them that anyone can check."""

from inarow.solver.proof import Proof, Strategy
from inarow.solver.solution import MoveValue, Solution
from inarow.solver.solve import solve, solve_many, solve_moves
from inarow.solver.values import Value, known_value
from inarow.solver.verify import Verdict, verify

__all__ = [
    "MoveValue",
    "Proof",
    "Solution",
    "Strategy",
    "Value",
    "Verdict",
    "known_value",
    "solve",
    "solve_many",
    "solve_moves",
    "verify",
]
