"""The fit of the evaluation: logistic regression. `training.fit` says of what."""

import numpy as np
from numpy.typing import NDArray

from inarow._core import CODES, THREAT_MASKS, EngineWeights
from training.descent import Vector, minimise
from training.learned import (
    SHARED_PRIOR,
    Arrays,
    Learned,
    code_features,
    cross_entropy,
    has_stones,
    mask_features,
    rounded,
    show_losses,
    sigmoid,
    sums_by,
    with_penalty,
)

VALUE_SCALE = 320.0
"""The search's margins are made for values that are so much times a logit."""


def fitted_scale(scores: Vector, results: Vector) -> float:
    """The scale with which 1 / (1 + exp(-score / scale)) says the results best."""

    def loss(log_scale: Vector) -> tuple[float, Vector]:
        logits = scores / np.exp(log_scale[0])
        return float(cross_entropy(logits, results).mean()), np.array([-((sigmoid(logits) - results) * logits).mean()])

    return float(np.exp(minimise(loss, np.log([VALUE_SCALE]), 50)[0]))


class CellCounts:
    """How often each position has each code, for one side, as a sparse matrix; without codes that are worth nothing."""

    def __init__(self, data: Arrays, name: str, kept: NDArray[np.bool_]) -> None:
        lengths = np.diff(data[f"{name}_start"])
        self.positions = len(lengths)
        keeps = kept[data[f"{name}_code"]]
        self.rows = np.repeat(np.arange(self.positions), lengths)[keeps]
        self.codes = data[f"{name}_code"][keeps].astype(np.int64)
        self.counts = data[f"{name}_count"][keeps].astype(float)

    def by_position(self, numbers: Vector) -> Vector:
        return sums_by(self.rows, numbers[self.codes] * self.counts, self.positions)

    def by_code(self, errors: Vector) -> Vector:
        return sums_by(self.codes, errors[self.rows] * self.counts, CODES)


class EvaluationFit:
    """The values of moving, waiting, threats and turn."""

    def __init__(self, data: Arrays, targets: Vector, trains: NDArray[np.bool_]) -> None:
        formula = EngineWeights.handmade()
        codes, masks = code_features(), mask_features()
        free = has_stones(codes)  # all others together would say how many cells are free
        assert not np.any(np.array(formula.moving)[~free]) and not np.any(np.array(formula.waiting)[~free])
        self.mask, self.targets, self.trains = data["mask"], targets, trains
        self.moving = Learned(np.array(formula.moving) / VALUE_SCALE, codes, free)
        self.waiting = Learned(np.array(formula.waiting) / VALUE_SCALE, codes, free)
        self.threats = Learned(np.array(formula.threats) / VALUE_SCALE, masks)
        self.turn = formula.turn / VALUE_SCALE
        self.cuts = np.cumsum([self.moving.size, self.waiting.size, self.threats.size])
        self.own_cells, self.other_cells = CellCounts(data, "moving", free), CellCounts(data, "waiting", free)

    def parts(self, place: Vector) -> list[Vector]:
        return np.split(place, self.cuts)

    def logits(self, place: Vector) -> Vector:
        moving, waiting, threats, turn = self.parts(place)
        own = self.own_cells.by_position(self.moving.numbers(moving))
        other = self.other_cells.by_position(self.waiting.numbers(waiting))
        return own - other + self.threats.numbers(threats)[self.mask] + (self.turn + float(turn[0]))

    def loss(self, place: Vector) -> tuple[float, Vector]:
        logits = self.logits(place)
        errors = np.where(self.trains, sigmoid(logits) - self.targets, 0.0)
        gradient = np.concatenate(
            [
                self.moving.gradient(self.own_cells.by_code(errors)),
                self.waiting.gradient(-self.other_cells.by_code(errors)),
                self.threats.gradient(sums_by(self.mask, errors, THREAT_MASKS)),
                [errors.sum()],
            ]
        )
        return float(cross_entropy(logits, self.targets)[self.trains].sum()), gradient

    def run(self, own_prior: float, weight: float, iterations: int) -> Vector:
        """`weight`: how many independent ones a position counts for; those of one game are much alike."""
        shared, own = SHARED_PRIOR / VALUE_SCALE, own_prior / VALUE_SCALE
        learned = (self.moving, self.waiting, self.threats)
        penalties = np.concatenate([*(each.penalties(shared, own) for each in learned), [1 / (2 * shared**2)]])
        print(f"evaluation: {self.trains.sum()} positions; the formula's {self.losses(np.zeros(len(penalties)))}")

        return minimise(
            with_penalty(self.loss, penalties / weight), np.zeros(len(penalties)), iterations, show_losses(self.losses)
        )

    def losses(self, place: Vector) -> str:
        each = cross_entropy(self.logits(place), self.targets)
        return f"loss {each[self.trains].mean():.5f}, held out {each[~self.trains].mean():.5f}"

    def put_into(self, weights: EngineWeights, place: Vector) -> None:
        moving, waiting, threats, turn = self.parts(place)
        weights.moving = rounded(VALUE_SCALE * self.moving.numbers(moving))
        weights.waiting = rounded(VALUE_SCALE * self.waiting.numbers(waiting))
        weights.threats = rounded(VALUE_SCALE * self.threats.numbers(threats))
        weights.turn = rounded(VALUE_SCALE * (self.turn + turn))[0]
