"""Exact values of positions, and proofs of them that anyone can check."""

from inarow.solver.proof import Proof, Strategy

__all__ = ["Proof", "Strategy"]
