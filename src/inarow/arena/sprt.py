"""The sequential probability ratio test: is one player better than another by elo1, or only by elo0?

Pairs of games (both seats, the same opening) are played until the log-likelihood ratio of the two hypotheses leaves its
bounds. Games of a pair are not independent, pairs are, so the ratio is that of the five kinds of pairs. How often each
kind comes is not known: each hypothesis gets the frequencies p that make the observed ones most likely among all whose
mean score is the hypothesis's (a generalised test, as in Michel Van den Bergh's notes on fishtest). With the observed
frequencies f, the score x of each kind, and a hypothesis's mean score s,

    p = f / (1 + t (x − s))        where t is chosen so that the mean score of p is s

which maximises Σ f ln(1 + t (x − s)) over t. That maximum is what the hypothesis costs for each pair, and

    LLR = pairs · (cost of elo0 − cost of elo1)

An Elo difference here is the logistic one of the mean score of a game: s = 1 / (1 + 10^(−elo/400)).
"""

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np

from inarow.arena.ratings import PAIR_SCORES, Array, Pairs, expected_score, pair_counts
from inarow.arena.spec import plain_points
from inarow.errors import SpecError
from inarow.game import Record

EMPTY_COUNT = 1e-3
"""What stands for a kind of pair that has not come yet: without it a mean might be out of reach."""

BISECTIONS = 27
"""The cost is flat at its maximum: an error of 2^-25 in t makes one of 2^-50 in the cost."""


class Decision(Enum):
    """What a test says."""

    GO_ON = "go on"
    H0 = "accept H0"
    H1 = "accept H1"


@dataclass(frozen=True)
class Sprt:
    """A test of H0, the difference is elo0, against H1, it is elo1.

    Where H0 is true, H1 is accepted with a chance of about `alpha`; where H1 is true, H0 with one of about `beta`.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < expected_score(self.elo0) < expected_score(self.elo1) < 1:
            raise SpecError(f"a test needs elo0 < elo1, two differences that can be, not {self.elo0} and {self.elo1}")
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise SpecError(f"{name} is between 0 and 0.5, not {chance}")

    @property
    def bounds(self) -> tuple[float, float]:
        """H0 is accepted at the first or below, H1 at the second or above."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Pairs) -> float:
        """The logarithm of how much more likely the pairs are under H1 than under H0; 0 without pairs."""
        return float(self.llrs(pair_counts(pairs)[None, :])[0])

    def llrs(self, counts: Array) -> Array:
        """The same for many tests at once: one row of counts each."""
        filled = np.where(counts > 0, counts, EMPTY_COUNT)
        pairs = filled.sum(axis=1)
        frequencies = filled / pairs[:, None]
        costs = [_cost(frequencies, expected_score(elo)) for elo in (self.elo0, self.elo1)]
        return np.where(counts.any(axis=1), pairs * (costs[0] - costs[1]), 0.0)

    def decide(self, pairs: Pairs) -> Decision:
        lower, upper = self.bounds
        llr = self.llr(pairs)
        if llr <= lower:
            return Decision.H0
        return Decision.H1 if llr >= upper else Decision.GO_ON


def _cost(frequencies: Array, mean: float) -> Array:
    """By how much the frequencies are likelier, in logarithms for each pair, than the nearest that have this mean.

    The derivative by t falls all the way between the two ends, where p would need a kind to be infinitely frequent.
    """
    distances = PAIR_SCORES - mean
    low = np.full(len(frequencies), -1 / distances[-1])
    high = np.full(len(frequencies), -1 / distances[0])
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        slope = (frequencies * distances / (1 + middle[:, None] * distances)).sum(axis=1)
        low, high = np.where(slope > 0, middle, low), np.where(slope > 0, high, middle)
    return np.asarray((frequencies * np.log1p(low[:, None] * distances)).sum(axis=1))


class PairCounts:
    """How many pairs of games with one opponent gave a player 0, ½, 1, 1½ and 2 points."""

    def __init__(self, player: str) -> None:
        self._player = player
        self._open: dict[str, float] = {}
        self._counts = [0] * 5

    @property
    def counts(self) -> tuple[int, int, int, int, int]:
        a, b, c, d, e = self._counts
        return a, b, c, d, e

    def add(self, key: str, record: Record) -> None:
        """Counts a game by its key in the schedule; the two of a pair have the same round, the last part of it."""
        assert record.outcome is not None
        points = plain_points(record.outcome)[record.players.index(self._player)]
        pair = key.rpartition("/")[2]
        if pair in self._open:
            self._counts[round(2 * (self._open.pop(pair) + points))] += 1
        else:
            self._open[pair] = points
