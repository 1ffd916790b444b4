"""How strong players are, from the results of their games.

The model is Davidson's: Bradley and Terry's, with a term for draws and one for the first move, on the Elo scale.

    d = elo(first) + first_move − elo(second)        x = 10^(d/800)        Z = x + ν + 1/x

    P(first wins) = x / Z        P(draw) = ν / Z        P(second wins) = (1/x) / Z

It is preferred to Rao and Kupper's because its log-likelihood is concave in (elo, first_move, ln ν), so that Newton's
method finds the one maximum, and because a draw tells as much as half a win and half a loss. P(first wins) is always
10^(d/400) times P(second wins): d is the usual Elo difference where nobody draws. The more draws there are, the nearer
to a half is the mean score that goes with the same d, and the wider are the intervals: only wins tell players apart.
`elo_difference` and the SPRT speak of the mean score itself, so they give smaller figures for the same games.

Virtual games keep everything finite, whoever won or drew all games or none: each player has half a win and half a loss
against an opponent in the middle (a game without draws and without a first move), and two equal players have played one
game, a half of which was drawn and a quarter won by each seat. Estimates from a single match count half a win and half
a loss as well.
"""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from inarow.errors import SpecError

Array = npt.NDArray[np.float64]

Pairs = tuple[int, int, int, int, int]
"""How many pairs of games (both seats, the same opening) brought 0, ½, 1, 1½ and 2 points."""

PAIR_SCORES: Array = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""The mean score of a game in each kind of pair."""

ELO_UNIT = math.log(10) / 400
"""One Elo in natural units: odds grow by a factor e where a difference grows by 1 / ELO_UNIT."""

SCORES = (1.0, 0.5, 0.0)
MAX_NAMES = 5
WIDE = 1e-6
"""One over the variance of a very wide normal distribution, in natural units."""

PRECISION = 1e-12
"""What a step must gain for each game, lest it is lost in rounding errors. One standard error is worth 1 in all."""


@dataclass(frozen=True)
class Result:
    """A finished game. `score` is the first seat's: 1, a half or 0."""

    first: str
    second: str
    board: str
    score: float

    def __post_init__(self) -> None:
        if self.score not in SCORES:
            raise SpecError(f"a game's score is 1, 0.5 or 0, not {self.score!r}")


@dataclass(frozen=True)
class Estimate:
    """A value and its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Rating:
    """A player's Elo with its confidence interval; `score` is the sum of the scores of its `games`."""

    name: str
    elo: float
    low: float
    high: float
    games: int
    score: float


@dataclass(frozen=True)
class Ratings:
    """The players, best first; the mean of their Elo is 0.

    first_move      what the first seat is worth, in Elo
    draw_rate_even  how often two equal players draw when the first move is worth nothing: ν / (2 + ν)
    warning         what the ratings cannot tell, in one line; empty when all is well
    """

    players: tuple[Rating, ...]
    first_move: Estimate
    draw_rate_even: Estimate
    warning: str


# --- tournaments ---


def rate(results: Sequence[Result], *, players: Sequence[str] = (), confidence: float = 0.95) -> Ratings:
    """The most likely ratings, given the virtual games, of all who have played and of `players`.

    The intervals come from the curvature of the log-likelihood at its maximum and speak of a player's distance to the
    mean of all. They are symmetric, hence rough for whoever won or lost nearly everything. A player's games against
    itself tell about the first move and about draws only.
    """
    z = _normal_quantile(confidence)
    names = sorted({*players, *(result.first for result in results), *(result.second for result in results)})
    counts = _count(results, names)
    fit = _fit(counts)

    size = counts.shape[1]
    centring = np.eye(size) - 1 / size
    elos = centring @ fit.values[:size] / ELO_UNIT
    variances = np.diag(centring @ fit.covariance[:size, :size] @ centring)
    errors = z * np.sqrt(variances.clip(min=0)) / ELO_UNIT  # a single player's may come out just below 0
    games = counts.sum(axis=(0, 2)) + counts.sum(axis=(0, 1))
    points = np.tensordot(SCORES, counts.sum(axis=2), 1) + np.tensordot(SCORES[::-1], counts.sum(axis=1), 1)
    rated = [  # as many as there are names; where there are none, the unnamed player is left out
        Rating(name, float(elo), float(elo - error), float(elo + error), int(played), float(score))
        for name, elo, error, played, score in zip(names, elos, errors, games, points, strict=False)
    ]

    first_move, log_nu = (float(value) for value in fit.values[size:])
    move_error, nu_error = (z * math.sqrt(variance) for variance in np.diag(fit.covariance)[size:])
    return Ratings(
        players=tuple(sorted(rated, key=lambda player: (-player.elo, player.name))),
        first_move=Estimate(*(value / ELO_UNIT for value in _around(first_move, move_error))),
        draw_rate_even=Estimate(*(_logistic(value - math.log(2)) for value in _around(log_nu, nu_error))),
        warning=_warning(names, counts),
    )


def rate_by_board(results: Sequence[Result], *, confidence: float = 0.95) -> dict[str, Ratings]:
    """The ratings of each board by itself, of those who played there; boards in the order of their first results."""
    by_board: dict[str, list[Result]] = {}
    for result in results:
        by_board.setdefault(result.board, []).append(result)
    return {board: rate(chosen, confidence=confidence) for board, chosen in by_board.items()}


def outcome_chances(difference: float | Array, draw_rate_even: float) -> Array:
    """The chances that the first seat wins, draws and loses, along axis 0, where it is better by `difference` Elo.

    The first move is part of the difference; 0 ≤ draw_rate_even < 1.
    """
    log_nu = math.log(2 * draw_rate_even / (1 - draw_rate_even)) if draw_rate_even else -math.inf
    return np.exp(_log_chances(np.asarray(difference) * ELO_UNIT, log_nu))


def _log_chances(differences: Array, log_nu: float) -> Array:
    """The logarithms of the chances of a win, a draw and a loss, for differences in natural units."""
    weights = np.stack([differences / 2, np.full_like(differences, log_nu), -differences / 2])
    return np.asarray(weights - np.logaddexp.reduce(weights, axis=0))


def _count(results: Sequence[Result], names: Sequence[str]) -> Array:
    """The numbers of games by (score as in SCORES, first, second).

    There is always one player, if an unnamed one, so that the virtual games have a place.
    """
    index = {name: i for i, name in enumerate(names)}
    size = max(1, len(names))
    counts = np.zeros((len(SCORES), size, size))
    for (first, second, score), number in Counter((one.first, one.second, one.score) for one in results).items():
        counts[SCORES.index(score), index[first], index[second]] = number
    return counts


# --- the fit ---


class _Fit(NamedTuple):
    """(elo of each player, first move, ln ν), all in natural units, and the inverse of the information about them."""

    values: Array
    covariance: Array


class _Likelihood(NamedTuple):
    """The log-likelihood at some values, its gradient, and the information: minus the matrix of second derivatives."""

    value: float
    gradient: Array
    information: Array


def _fit(counts: Array) -> _Fit:
    """Newton's method. A step that does not lead upward is halved; the log-likelihood is concave, so this ends."""
    size = counts.shape[1]
    values = np.zeros(size + 2)
    here = _likelihood(counts, values)
    while True:
        step = np.linalg.solve(here.information, here.gradient)
        if here.gradient @ step < PRECISION * (1 + counts.sum()):
            return _Fit(values + step, np.asarray(np.linalg.inv(here.information), np.float64))
        while (there := _likelihood(counts, values + step)).value <= here.value:
            step = step / 2
            assert step.any()
        values, here = values + step, there


def _likelihood(counts: Array, values: Array) -> _Likelihood:
    """Of the results and of the virtual games."""
    size = counts.shape[1]
    equals = np.array([0.25, 0.5, 0.25])[:, None, None] * np.eye(size) / size
    counts = counts + equals  # on the diagonal, where both players are the same, whoever they are
    strengths, first_move, log_nu = values[:size], values[size], float(values[size + 1])
    logs = _log_chances(strengths[:, None] - strengths[None, :] + first_move, log_nu)
    wins, draws, losses = np.exp(logs)
    games = counts.sum(axis=0)
    lean = (wins - losses) / 2

    # Derivatives by the difference d and by ln ν, for each (first, second); the second ones without their minus.
    by_difference = (counts[0] - counts[2]) / 2 - games * lean
    by_draws = counts[1] - games * draws
    difference_twice = games * (wins * losses + draws * (wins + losses) / 4)
    difference_and_draws = -games * lean * draws
    draws_twice = games * draws * (wins + losses)

    gradient = np.array([*_first_minus_second(by_difference), by_difference.sum(), by_draws.sum()])
    information = np.zeros((size + 2, size + 2))
    both_seats = difference_twice + difference_twice.T
    information[:size, :size] = np.diag(both_seats.sum(axis=1)) - both_seats
    information[:size, size] = information[size, :size] = _first_minus_second(difference_twice)
    information[:size, -1] = information[-1, :size] = _first_minus_second(difference_and_draws)
    information[size, size] = difference_twice.sum()
    information[size, -1] = information[-1, size] = difference_and_draws.sum()
    information[-1, -1] = draws_twice.sum()

    tanh = np.tanh(strengths / 2)
    gradient[:size] -= tanh / 2
    information[np.arange(size), np.arange(size)] += (1 - tanh**2) / 4
    value = float((counts * logs).sum() - np.logaddexp(strengths / 2, -strengths / 2).sum())

    # Far out even the virtual games tell nothing: a normal distribution, very wide, keeps the information invertible.
    value -= WIDE / 2 * float(values @ values)
    gradient -= WIDE * values
    information += WIDE * np.eye(size + 2)
    return _Likelihood(value, gradient, information)


def _first_minus_second(by_pair: Array) -> Array:
    """A player's sum over its games as first less that over its games as second."""
    return np.asarray(by_pair.sum(axis=1) - by_pair.sum(axis=0))


# --- what cannot be told ---


def _warning(names: Sequence[str], counts: Array) -> str:
    """Groups that never met; else a group that never took a point off the others, the smallest."""
    if not counts.any():
        return "no games"
    wins, draws, losses = counts > 0
    took_points = wins | draws | (losses | draws).T
    groups = np.unique(_reachable(took_points | took_points.T), axis=0)
    if len(groups) > 1:
        largest_first = sorted(groups, key=lambda group: (-group.sum(), group.argmax()))
        texts = _cut([_listed(names, group) for group in largest_first], " | ")
        return f"ratings of different groups cannot be compared, they never met: {texts}"
    below = min(_reachable(took_points), key=lambda group: int(group.sum()))
    if not below.all():
        return (
            f"how far {_listed(names, ~below)} stand above {_listed(names, below)} cannot be told: they gave no point"
        )
    return ""


def _reachable(linked: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Who can be reached from whom over any number of links, none included."""
    reached = linked | np.eye(len(linked), dtype=np.bool_)
    while True:
        further = reached.astype(np.float64) @ reached > 0
        if (further == reached).all():
            return reached
        reached = further


def _listed(names: Sequence[str], group: npt.NDArray[np.bool_]) -> str:
    return _cut(list(itertools.compress(names, group)), ", ")


def _cut(texts: Sequence[str], separator: str) -> str:
    """The texts, or the first few and how many more there are."""
    more = [f"{len(texts) - MAX_NAMES} more"] if len(texts) > MAX_NAMES else []
    return separator.join([*texts[:MAX_NAMES], *more])


# --- two players ---


def expected_score(elo: float) -> float:
    """The mean score of a game that goes with an Elo difference.

    >>> expected_score(0), round(expected_score(400), 4)
    (0.5, 0.9091)
    """
    return _logistic(elo * ELO_UNIT)


def elo_difference(wins: int, draws: int, losses: int, confidence: float = 0.95) -> Estimate:
    """The Elo difference that goes with the mean score of a match, its games taken as independent of each other."""
    return _elo_of_scores(_checked_counts((losses, draws, wins)), np.array([0.0, 0.5, 1.0]), confidence)


def elo_from_pairs(pairs: Pairs, confidence: float = 0.95) -> Estimate:
    """The same from pairs of games, which is the more exact: what the opening gives one seat, it takes from the other.

    The pairs are taken as independent of each other, the two games of a pair are not.
    """
    return _elo_of_scores(pair_counts(pairs), PAIR_SCORES, confidence)


def los(wins: int, draws: int, losses: int) -> float:
    """The likelihood of superiority: how sure it is that the mean score is above a half. Draws do not matter."""
    _checked_counts((wins, draws, losses))
    return NormalDist().cdf((wins - losses) / math.sqrt(wins + losses + 1))


def share(part: int, whole: int, confidence: float = 0.95) -> Estimate:
    """A share of independent cases, with Wilson's interval; of no cases, a half that may be anything."""
    if not 0 <= part <= whole:
        raise SpecError(f"a part is 0 to {whole}, not {part}")
    if whole == 0:
        return Estimate(0.5, 0.0, 1.0)
    z = _normal_quantile(confidence)
    centre = (part + z * z / 2) / (whole + z * z)
    error = z * math.sqrt(part * (whole - part) / whole + z * z / 4) / (whole + z * z)
    return Estimate(part / whole, max(0.0, centre - error), min(1.0, centre + error))


def pair_counts(pairs: Sequence[int]) -> Array:
    """The counts as an array. SpecError when they are not five counts."""
    if len(pairs) != len(PAIR_SCORES):
        raise SpecError(f"pairs are counted by 0, ½, 1, 1½ and 2 points: {len(PAIR_SCORES)} counts, not {len(pairs)}")
    return _checked_counts(pairs)


def _checked_counts(counts: Sequence[int]) -> Array:
    for count in counts:
        if count < 0:
            raise SpecError(f"a number of games is 0 or more, not {count}")
    return np.array(counts, dtype=np.float64)


def _elo_of_scores(counts: Array, scores: Array, confidence: float) -> Estimate:
    """The Elo of the scores' mean, with an interval that is symmetric in Elo; scores go from 0 to 1.

    The virtual win and loss keep the mean off 0 and 1 and the variance off 0.
    """
    counts = counts.copy()
    counts[[0, -1]] += 0.5
    number = float(counts.sum())
    mean = float(counts @ scores) / number
    error = math.sqrt(counts @ (scores - mean) ** 2) / number
    log_odds = math.log(mean / (1 - mean))
    log_odds_error = _normal_quantile(confidence) * error / (mean * (1 - mean))
    return Estimate(*(value / ELO_UNIT for value in _around(log_odds, log_odds_error)))


def _normal_quantile(confidence: float) -> float:
    """How many standard errors an interval reaches to either side."""
    if not 0 < confidence < 1:
        raise SpecError(f"a confidence is between 0 and 1, not {confidence}")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def _around(value: float, error: float) -> tuple[float, float, float]:
    return value, value - error, value + error


def _logistic(log_odds: float) -> float:
    return (1 + math.tanh(log_odds / 2)) / 2
