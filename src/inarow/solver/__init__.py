"""Exact values of positions, and proofs of them that anyone can check."""

from inarow.solver.proof import Proof, Strategy
from inarow.solver.solution import Solution
from inarow.solver.values import Value, known_value
from inarow.solver.verify import Verdict, verify

__all__ = ["Proof", "Solution", "Strategy", "Value", "Verdict", "known_value", "verify"]
