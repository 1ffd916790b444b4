"""What the fits of the evaluation and of the order of moves share: numbers by code that start from the formula's."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inarow._core import CODES, LINE_PATTERNS, THREAT_MASKS, THREATS, patterns_of_code, threat_of_code
from training.descent import Vector

THREAT_BITS = 8
FIRST_WITH_STONES = 4
"""The lowest pattern, two, that needs a stone besides the one that makes it."""
SHARED_PRIOR = 100.0
"""How far what is shared by many codes may well be from the formula, in its units."""
SHOWN_STEPS = 20
INT16 = np.iinfo(np.int16)

Arrays = dict[str, NDArray[Any]]
"""Those of a features file, by name."""


def code_features() -> NDArray[np.float64]:
    """By code: how often it has each pattern, and which threat it is."""
    features = np.zeros((CODES, LINE_PATTERNS + THREATS))
    for code in range(CODES):
        for pattern in patterns_of_code(code):
            features[code, pattern] += 1
        features[code, LINE_PATTERNS + threat_of_code(code)] = 1
    return features


def mask_features() -> NDArray[np.float64]:
    """By threat mask: its bits."""
    return np.array([[mask >> bit & 1 for bit in range(THREAT_BITS)] for mask in range(THREAT_MASKS)], float)


def has_stones(codes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """By code, of its features: whether a stone there is not the first of its seat in every direction."""
    return np.asarray(codes[:, FIRST_WITH_STONES:LINE_PATTERNS].sum(axis=1) > 0)


class Learned:
    """Numbers by code (or by mask): given ones, plus a sum over shared features, plus each one's own.

    Those that are not `free` stay as they are given.
    """

    def __init__(self, given: Vector, features: NDArray[np.float64], free: NDArray[np.bool_] | None = None) -> None:
        self.given = given
        self.free = np.ones(len(given)) if free is None else free.astype(float)
        self.features = features * self.free[:, None]
        self.size = features.shape[1] + features.shape[0]

    def numbers(self, part: Vector) -> Vector:
        shared = self.features.shape[1]
        return self.given + self.features @ part[:shared] + self.free * part[shared:]

    def gradient(self, by_number: Vector) -> Vector:
        return np.concatenate([self.features.T @ by_number, self.free * by_number])

    def penalties(self, shared: float, own: float) -> Vector:
        """The weights of the squares in the sum that is minimised, for priors of these widths."""
        widths = np.repeat([shared, own], [self.features.shape[1], self.features.shape[0]])
        return 1 / (2 * widths**2)


def sigmoid(logits: Vector) -> Vector:
    return 1 / (1 + np.exp(-np.clip(logits, -50, 50)))


def sums_by(indices: NDArray[Any], values: Vector, size: int) -> Vector:
    """The sum of the values of each index."""
    return np.bincount(indices, values, size).astype(float)


def cross_entropy(logits: Vector, targets: Vector) -> Vector:
    return np.logaddexp(0, logits) - targets * logits


def with_penalty(
    loss: Callable[[Vector], tuple[float, Vector]], penalties: Vector
) -> Callable[[Vector], tuple[float, Vector]]:
    def total(place: Vector) -> tuple[float, Vector]:
        value, gradient = loss(place)
        return value + float(penalties @ place**2), gradient + 2 * penalties * place

    return total


def show_losses(losses: Callable[[Vector], str]) -> Callable[[int, float, Vector], None]:
    """For `minimise`: prints them now and then."""

    def show(number: int, value: float, place: Vector) -> None:
        if number % SHOWN_STEPS == 0:
            print(f"  step {number}: {losses(place)}", flush=True)

    return show


def rounded(numbers: Vector) -> list[int]:
    return [int(number) for number in np.clip(np.rint(numbers), INT16.min, INT16.max)]
