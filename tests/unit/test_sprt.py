"""The SPRT: ratios known from elsewhere, symmetries, degenerate matches, and the promised error rates."""

import math

import numpy as np
import pytest
from benchmarks.sprt_simulation import PairModel, find, simulate

from inarow import SpecError
from inarow.arena.ratings import PAIR_SCORES, Pairs, elo_from_pairs, expected_score
from inarow.arena.sprt import Decision, Sprt

TEST = Sprt(0, 10)
SOME_PAIRS: list[Pairs] = [(3, 20, 51, 22, 4), (0, 1, 7, 3, 0), (0, 0, 0, 0, 5), (0, 0, 9, 0, 0), (400, 0, 1, 0, 420)]


def test_bounds_by_hand() -> None:
    assert TEST.bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(0, 5, alpha=0.1, beta=0.2).bounds == pytest.approx((math.log(0.2 / 0.9), math.log(0.8 / 0.1)))


@pytest.mark.parametrize(
    ("test", "pairs", "llr"),
    [
        (Sprt(0.5, 2.5), (223, 9863, 21279, 10037, 246), -3.07),
        (Sprt(0, 2), (871, 26175, 55983, 26678, 821), -4.98),
    ],
)
def test_ratios_that_fastchess_finds(test: Sprt, pairs: Pairs, llr: float) -> None:
    assert test.llr(pairs) == pytest.approx(llr, abs=0.005)


def test_near_the_hypotheses_the_ratio_is_that_of_normal_means() -> None:
    pairs = (900, 5000, 9000, 5300, 1000)
    number = sum(pairs)
    mean = np.array(pairs) @ PAIR_SCORES / number
    variance = np.array(pairs) @ (PAIR_SCORES - mean) ** 2 / number
    score0, score1 = expected_score(0), expected_score(10)
    normal = number * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)
    assert TEST.llr(pairs) == pytest.approx(normal, rel=0.01)


def test_a_ratio_by_hand() -> None:
    """Of wins and losses only, a mean is a chance, and the ratio that of two coins."""
    score0, score1 = expected_score(0), expected_score(10)
    by_hand = 70 * math.log(score1 / score0) + 50 * math.log((1 - score1) / (1 - score0))
    assert TEST.llr((50, 0, 0, 0, 70)) == pytest.approx(by_hand, abs=1e-3)


@pytest.mark.parametrize("pairs", SOME_PAIRS)
def test_mirrored_pairs_and_hypotheses_mirror_the_ratio(pairs: Pairs) -> None:
    losses, losing, even, winning, wins = pairs
    mirrored = Sprt(-10, 0).llr((wins, winning, even, losing, losses))
    assert mirrored == pytest.approx(-TEST.llr(pairs), abs=1e-9)


@pytest.mark.parametrize("pairs", SOME_PAIRS)
def test_two_steps_add_up(pairs: Pairs) -> None:
    assert Sprt(-5, 3).llr(pairs) + Sprt(3, 12).llr(pairs) == pytest.approx(Sprt(-5, 12).llr(pairs), abs=1e-9)


def test_a_better_pair_makes_a_higher_ratio() -> None:
    for i in range(4):
        counts = [20, 60, 100, 60, 20]
        before = TEST.llr((counts[0], counts[1], counts[2], counts[3], counts[4]))
        counts[i] -= 1
        counts[i + 1] += 1
        assert TEST.llr((counts[0], counts[1], counts[2], counts[3], counts[4])) > before


def test_many_at_once_are_the_same_as_one_by_one() -> None:
    ratios = TEST.llrs(np.array([*SOME_PAIRS, (0, 0, 0, 0, 0)], np.float64))
    assert ratios.tolist() == pytest.approx([*map(TEST.llr, SOME_PAIRS), 0], abs=1e-12)


def test_what_has_not_come_yet_counts_for_a_thousandth() -> None:
    assert TEST.llr((0, 3, 9, 0, 0)) == TEST.llrs(np.array([[0.001, 3, 9, 0.001, 0.001]]))[0]


def test_no_pairs() -> None:
    assert TEST.llr((0, 0, 0, 0, 0)) == 0
    assert TEST.decide((0, 0, 0, 0, 0)) is Decision.GO_ON


def test_one_pair_decides_nothing() -> None:
    for i in range(5):
        pairs = np.eye(5, dtype=int)[i]
        assert abs(TEST.llr(tuple(pairs.tolist()))) < 0.1


def test_nothing_but_drawn_pairs() -> None:
    assert TEST.decide((0, 0, 500, 0, 0)) is Decision.H0
    assert Sprt(-10, 0).decide((0, 0, 500, 0, 0)) is Decision.H1
    assert Sprt(-5, 5).llr((0, 0, 10_000, 0, 0)) == pytest.approx(0, abs=1e-6)


def test_one_sided_matches_are_decided() -> None:
    assert TEST.decide((0, 0, 0, 0, 1000)) is Decision.H1
    assert TEST.decide((1000, 0, 0, 0, 0)) is Decision.H0
    assert TEST.decide((0, 0, 0, 0, 5)) is Decision.GO_ON


def test_a_decision_needs_the_bound() -> None:
    """More and more of the same pairs: undecided until the ratio reaches a bound, decided from then on."""
    better: list[Pairs] = [(i, 5 * i, 9 * i, 6 * i, 2 * i) for i in range(60)]
    worse: list[Pairs] = [(2 * i, 6 * i, 9 * i, 5 * i, i) for i in range(60)]
    for pairs, accepted in ((better, Decision.H1), (worse, Decision.H0)):
        decisions = [TEST.decide(one) for one in pairs]
        assert set(decisions) == {Decision.GO_ON, accepted}
        is_reached = [abs(TEST.llr(one)) >= math.log(19) for one in pairs]
        assert [decision is accepted for decision in decisions] == is_reached


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0 < elo1"),
        ({"elo0": 5, "elo1": 0}, "elo0 < elo1"),
        ({"elo0": float("nan"), "elo1": 0}, "elo0 < elo1"),
        ({"elo0": 0, "elo1": float("inf")}, "elo0 < elo1"),
        ({"elo0": 0, "elo1": 1e9}, "differences that can be"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "alpha is between 0 and 0.5, not 0"),
        ({"elo0": 0, "elo1": 5, "alpha": 0.5}, "alpha is between 0 and 0.5"),
        ({"elo0": 0, "elo1": 5, "beta": -0.1}, "beta is between 0 and 0.5"),
        ({"elo0": 0, "elo1": 5, "beta": float("nan")}, "beta is between 0 and 0.5"),
    ],
)
def test_a_senseless_test_is_refused(fields: dict[str, float], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Sprt(**fields)


def test_senseless_pairs_are_refused() -> None:
    with pytest.raises(SpecError, match="0 or more, not -3"):
        TEST.llr((0, 0, -3, 0, 0))
    with pytest.raises(SpecError, match="5 counts, not 3"):
        TEST.llr((1, 2, 3))  # type: ignore[arg-type]


# --- simulated tests ---


@pytest.mark.parametrize("model", [PairModel(), PairModel(draw_rate=0, first_move=300, spread=0)])
@pytest.mark.parametrize("elo", [-300, 0, 10])
def test_the_simulated_pairs_have_the_mean_that_was_asked_for(model: PairModel, elo: float) -> None:
    chances = model.pair_chances(elo)
    assert chances.sum() == pytest.approx(1) and chances.min() >= 0
    assert chances @ PAIR_SCORES == pytest.approx(expected_score(elo))


def test_openings_make_the_games_of_a_pair_depend_on_each_other() -> None:
    def variance(spread: float) -> float:
        return float(PairModel(first_move=0, spread=spread).pair_chances(0) @ (PAIR_SCORES - 0.5) ** 2)

    assert variance(300) < 0.8 * variance(0)


@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.2, 0.1)])
def test_error_rates_are_as_promised(alpha: float, beta: float) -> None:
    test, model, rng = Sprt(0, 30, alpha, beta), PairModel(), np.random.default_rng(1)
    for elo, promised in ((test.elo0, alpha), (test.elo1, beta)):
        finding = find(test, elo, model.pair_chances(elo), 500, rng)
        assert finding.wrong is not None and finding.promised == promised and finding.is_kept
        assert 0.6 * promised <= finding.wrong.value <= 1.25 * promised


def test_far_from_the_hypotheses_tests_are_short_and_right() -> None:
    test, model, rng = Sprt(0, 30), PairModel(), np.random.default_rng(2)
    between, above, far_above, below = (simulate(test, model.pair_chances(elo), 150, rng) for elo in (15, 60, 120, -60))
    assert 50 < between.accepted_h1 < 100
    assert (above.accepted_h1, far_above.accepted_h1, below.accepted_h1) == (150, 150, 0)
    assert between.mean_pairs > 2 * above.mean_pairs > 2 * far_above.mean_pairs


def test_a_decision_agrees_with_the_interval() -> None:
    pairs = (20, 150, 330, 240, 60)
    assert TEST.decide(pairs) is Decision.H1
    assert elo_from_pairs(pairs).low > 10
