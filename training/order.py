"""The fit of the order of moves: a softmax over the candidates. `training.fit` says of what."""

import numpy as np
from numpy.typing import NDArray

from inarow._core import CODES, EngineWeights
from training.descent import Vector, minimise
from training.learned import SHARED_PRIOR, Arrays, Learned, code_features, rounded, show_losses, sums_by, with_penalty


class OrderFit:
    """The numbers of attack and defence. Positions whose best move is not among the candidates do not count."""

    def __init__(self, data: Arrays, trains: NDArray[np.bool_]) -> None:
        formula = EngineWeights.handmade()
        codes = code_features()
        self.starts = data["move_start"][:-1]
        self.lengths = np.diff(data["move_start"])
        self.codes = (data["move_attack"], data["move_defence"])
        self.best = self.starts + np.maximum(data["best"], 0)
        counts = data["best"] >= 0
        self.trains, self.held_out = trains & counts, ~trains & counts
        self.formula = (np.array(formula.attack, float), np.array(formula.defence, float))
        self.unit = self._best_unit()
        self.learned = tuple(Learned(numbers / self.unit, codes) for numbers in self.formula)

    def _ranks(self, numbers: tuple[Vector, ...]) -> Vector:
        return np.asarray(sum(each[codes] for each, codes in zip(numbers, self.codes, strict=True)))

    def _log_shares(self, ranks: Vector) -> Vector:
        """The logarithm of each candidate's probability."""
        ranks = ranks - np.repeat(np.maximum.reduceat(ranks, self.starts), self.lengths)
        return np.asarray(ranks - np.repeat(np.log(np.add.reduceat(np.exp(ranks), self.starts)), self.lengths))

    def _best_unit(self) -> float:
        """The divisor with which the formula's ranks say the moves best."""
        units = np.geomspace(5, 320, 13)
        losses = [-self._log_shares(self._ranks(self.formula) / unit)[self.best][self.trains].mean() for unit in units]
        return float(units[int(np.argmin(losses))])

    def numbers(self, place: Vector) -> tuple[Vector, ...]:
        parts = np.split(place, [self.learned[0].size])
        return tuple(each.numbers(part) for each, part in zip(self.learned, parts, strict=True))

    def loss(self, place: Vector) -> tuple[float, Vector]:
        log_shares = self._log_shares(self._ranks(self.numbers(place)))
        counts = np.repeat(self.trains, self.lengths)
        errors = np.where(counts, np.exp(log_shares), 0.0)
        errors[self.best[self.trains]] -= 1
        gradient = [
            each.gradient(sums_by(codes, errors, CODES)) for each, codes in zip(self.learned, self.codes, strict=True)
        ]
        return float(-log_shares[self.best][self.trains].sum()), np.concatenate(gradient)

    def run(self, own_prior: float, weight: float, iterations: int) -> Vector:
        """The priors are in the formula's units, as those of the evaluation."""
        shared, own = SHARED_PRIOR / self.unit, own_prior / self.unit
        penalties = np.concatenate([each.penalties(shared, own) for each in self.learned])
        start = np.zeros(len(penalties))
        print(f"order: {self.trains.sum()} positions; the formula's {self.losses(start)}")

        return minimise(with_penalty(self.loss, penalties / weight), start, iterations, show_losses(self.losses))

    def losses(self, place: Vector) -> str:
        ranks = self._ranks(self.numbers(place))
        each = -self._log_shares(ranks)[self.best]
        is_first = ranks[self.best] >= np.maximum.reduceat(ranks, self.starts)
        return (
            f"loss {each[self.trains].mean():.4f}, held out {each[self.held_out].mean():.4f}, "
            f"the best move first in {100 * is_first[self.held_out].mean():.1f} %"
        )

    def put_into(self, weights: EngineWeights, place: Vector, stretch: float) -> None:
        """Times the unit of the formula and this number."""
        attack, defence = self.numbers(place)
        weights.attack = rounded(attack * self.unit * stretch)
        weights.defence = rounded(defence * self.unit * stretch)
