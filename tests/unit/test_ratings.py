"""Ratings: known strengths are found again, intervals cover, degenerate results stay finite."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.ratings_simulation import TournamentModel, contains, shares
from benchmarks.sprt_simulation import PairModel

from inarow import SpecError
from inarow.arena.ratings import (
    PAIR_SCORES,
    Ratings,
    Result,
    _fit,
    _likelihood,
    elo_difference,
    elo_from_pairs,
    expected_score,
    los,
    outcome_chances,
    rate,
    rate_by_board,
    share,
)

MODEL = TournamentModel(players=6, rounds=10, width=500, first_move=80, draw_rate=0.25)


def simulated(seed: int, model: TournamentModel = MODEL) -> list[Result]:
    return model.play(np.random.default_rng(seed))


def games(first: str, second: str, *, wins: int = 0, draws: int = 0, losses: int = 0, board: str = "") -> list[Result]:
    scores = [1.0] * wins + [0.5] * draws + [0.0] * losses
    return [Result(first, second, board, score) for score in scores]


def elos(ratings: Ratings) -> dict[str, float]:
    return {player.name: player.elo for player in ratings.players}


# --- the model ---


def test_chances_by_hand() -> None:
    assert outcome_chances(0, 0.3) == pytest.approx([0.35, 0.3, 0.35])
    assert outcome_chances(400, 0) == pytest.approx([10 / 11, 0, 1 / 11])
    assert outcome_chances(800, 0.5) == pytest.approx([10 / 12.1, 2 / 12.1, 0.1 / 12.1])  # ν is 2


def test_known_values_are_found_again() -> None:
    model = replace(MODEL, rounds=400)
    ratings = rate(simulated(1, model))
    assert [player.name for player in ratings.players] == ["5", "4", "3", "2", "1", "0"]
    for player in ratings.players:
        assert player.elo == pytest.approx(model.strengths[int(player.name)], abs=20)
        assert player.high - player.low < 40
        assert player.games == 2 * 5 * 400
    assert ratings.first_move.value == pytest.approx(80, abs=15)
    assert ratings.draw_rate_even.value == pytest.approx(0.25, abs=0.02)
    assert ratings.warning == ""


def test_intervals_cover_the_true_values() -> None:
    rng = np.random.default_rng(2)
    tournaments = 150
    covered = sum((MODEL.covered(rate(MODEL.play(rng))) for _ in range(tournaments)), MODEL.covered(rate([])))
    coverage = shares(covered, MODEL, tournaments)
    assert set(coverage) == {"players", "first move", "draw rate"}
    for what, one in coverage.items():
        assert 0.90 <= one.value <= 0.99, what


def test_the_fit_expects_the_points_and_draws_that_were_made() -> None:
    results = games("a", "b", wins=9, draws=5, losses=3) + games("b", "a", wins=4, draws=2, losses=6)
    ratings = rate(results)
    a, b = ratings.players
    draw_rate = ratings.draw_rate_even.value
    as_first, as_second, equals = (
        outcome_chances(difference + ratings.first_move.value, draw_rate)
        for difference in (a.elo - b.elo, b.elo - a.elo, 0)
    )
    points = np.array([1, 0.5, 0])
    # Real and virtual games: a is half a point better off, equals have half a draw and half a point for the first seat.
    assert 17 * as_first @ points + 12 * (1 - as_second @ points) + expected_score(a.elo) == pytest.approx(18.5 + 0.5)
    assert 17 * as_first @ points + 12 * as_second @ points + equals @ points == pytest.approx(11.5 + 5 + 0.5)
    assert 17 * as_first[1] + 12 * as_second[1] + equals[1] == pytest.approx(7 + 0.5)
    assert a.score == 11.5 + 7 and a.games == b.games == 29


def test_the_derivatives_are_those_of_the_log_likelihood() -> None:
    rng = np.random.default_rng(10)
    counts, values, tiny = rng.integers(0, 9, (3, 4, 4)).astype(float), rng.normal(size=6), 1e-5
    here = _likelihood(counts, values)
    for i, step in enumerate(tiny * np.eye(6)):
        before, after = _likelihood(counts, values - step), _likelihood(counts, values + step)
        assert here.gradient[i] == pytest.approx((after.value - before.value) / (2 * tiny), abs=1e-5)
        assert here.information[i] == pytest.approx((before.gradient - after.gradient) / (2 * tiny), abs=1e-5)


def test_an_interval_by_hand() -> None:
    """Of n decisive games between two, ln(odds) has the error 1 / sqrt(n p q), and each is half of it off the mean."""
    ratings = rate(games("a", "b", wins=6000, losses=4000) + games("b", "a", wins=4000, losses=6000))
    best = ratings.players[0]
    error = 1.959964 / math.sqrt(20_000 * 0.6 * 0.4) / 2 * 400 / math.log(10)
    assert best.name == "a"
    assert best.elo == pytest.approx(200 * math.log10(1.5), abs=0.02)
    assert best.high - best.elo == pytest.approx(error, rel=1e-3)
    assert best.elo - best.low == pytest.approx(error, rel=1e-3)
    assert ratings.first_move.value == pytest.approx(0, abs=1e-6)
    assert ratings.first_move.high == pytest.approx(2 * error, rel=1e-3)


def test_the_mean_is_0_and_only_distances_to_it_are_uncertain() -> None:
    ratings = rate(simulated(3))
    assert sum(player.elo for player in ratings.players) == pytest.approx(0, abs=1e-9)
    two = rate(games("a", "b", wins=5, draws=1, losses=5))
    assert two.players[0].high == pytest.approx(-two.players[1].low)  # one is as far above the mean as the other below
    alone = rate(games("a", "a", wins=5, losses=2)).players
    assert (alone[0].low, alone[0].high, alone[0].games, alone[0].score) == (0, 0, 14, 7)


def test_more_confidence_makes_wider_intervals() -> None:
    results = simulated(4)
    narrow, wide = rate(results, confidence=0.5), rate(results, confidence=0.99)
    for few, many in zip(narrow.players, wide.players, strict=True):
        assert few.elo == many.elo
        assert many.high - many.elo == pytest.approx((few.high - few.elo) * 2.575829 / 0.6744898)
    assert wide.draw_rate_even.low < narrow.draw_rate_even.low < narrow.draw_rate_even.value


# --- invariances ---


def test_the_order_of_the_results_does_not_matter() -> None:
    results = simulated(5)
    shuffled = random.Random(5).sample(results, len(results))
    assert shuffled != results
    assert rate(shuffled) == rate(results)


def test_names_do_not_matter() -> None:
    results = simulated(6)
    renamed = rate([replace(one, first=f"{5 - int(one.first)}", second=f"{5 - int(one.second)}") for one in results])
    assert {f"{5 - int(name)}": elo for name, elo in elos(renamed).items()} == pytest.approx(elos(rate(results)))
    assert renamed.first_move.value == pytest.approx(rate(results).first_move.value)


def test_seats_swapped_turn_the_first_move_around() -> None:
    results = simulated(7)
    ratings = rate(results)
    swapped = rate([Result(one.second, one.first, one.board, 1 - one.score) for one in results])
    assert elos(swapped) == pytest.approx(elos(ratings))
    assert swapped.first_move.value == pytest.approx(-ratings.first_move.value)
    assert swapped.draw_rate_even.value == pytest.approx(ratings.draw_rate_even.value)


# --- degenerate results ---

CONTRADICTIONS = [
    [("b", "a", 0, 10_000, 1), ("a", "c", 0, 1, 0), ("b", "c", 100, 0, 0)],
    [("b", "a", 1, 100, 0), ("c", "b", 100, 101, 10_000), ("a", "c", 0, 0, 100), ("c", "a", 10_000, 0, 100)],
    [("a", "b", 10_000, 10_000, 1), ("a", "a", 0, 0, 100_000)],
    [("a", "a", 0, 100_000, 1)],
]
"""First, second, wins, draws and losses that the model explains badly: whole steps of Newton's method lead astray."""


@pytest.mark.parametrize("tables", CONTRADICTIONS)
def test_the_maximum_is_found_whatever_the_results(tables: list[tuple[str, str, int, int, int]]) -> None:
    counts = np.zeros((3, 3, 3))
    for first, second, *numbers in tables:
        counts[:, "abc".index(first), "abc".index(second)] = numbers
    fit = _fit(counts)
    assert np.diag(fit.covariance).min() > 0
    for i in range(len(fit.values)):  # each value by itself, a tenth of its error up and down
        step = 0.1 * math.sqrt(fit.covariance[i, i]) * np.eye(len(fit.values))[i]
        best, *others = (_likelihood(counts, fit.values + way * step).value for way in (0, 1, -1))
        assert best > max(others)


def is_finite(ratings: Ratings) -> bool:
    numbers = [number for one in ratings.players for number in (one.elo, one.low, one.high)]
    for estimate in (ratings.first_move, ratings.draw_rate_even):
        assert estimate.low < estimate.value < estimate.high
        numbers += [estimate.low, estimate.high]
    return all(math.isfinite(number) and abs(number) < 3000 for number in numbers)


def test_no_games() -> None:
    nothing = rate([])
    assert nothing.players == () and nothing.warning == "no games" and is_finite(nothing)
    named = rate([], players=["b", "a"])
    assert [player.name for player in named.players] == ["a", "b"]
    assert {player.elo for player in named.players} == {0} and is_finite(named)


def test_one_game() -> None:
    ratings = rate([Result("a", "b", "3x3x3", 0.0)])
    assert [player.name for player in ratings.players] == ["b", "a"]
    assert ratings.players[0].low < 0 < ratings.players[0].elo
    assert is_finite(ratings)


def test_who_wins_everything_is_rated_the_higher_the_more_it_played() -> None:
    def best(number: int) -> float:
        ratings = rate(games("a", "b", wins=number) + games("b", "a", losses=number))
        assert is_finite(ratings)
        assert "a stand above b" in ratings.warning
        return elos(ratings)["a"]

    assert 100 < best(5) < best(50) < best(500) < 1000


def test_a_player_without_games_is_in_the_middle() -> None:
    ratings = rate(games("a", "b", wins=30, losses=10) + games("b", "a", wins=10, losses=30), players=["idle"])
    assert [player.name for player in ratings.players] == ["a", "idle", "b"]
    idle = ratings.players[1]
    assert idle.elo == pytest.approx(0, abs=1e-9) and idle.games == idle.score == 0
    assert idle.high > 400 and is_finite(ratings)
    assert ratings.warning == "ratings of different groups cannot be compared, they never met: a, b | idle"


def test_no_draws_and_nothing_but_draws() -> None:
    decisive = rate(games("a", "b", wins=50, losses=50))
    assert 0 < decisive.draw_rate_even.value < 0.01 and is_finite(decisive)
    drawn = rate(games("a", "b", draws=100))
    assert 0.99 < drawn.draw_rate_even.value < 1 and is_finite(drawn)
    assert elos(drawn) == pytest.approx({"a": 0, "b": 0}, abs=1e-6)


def test_who_was_always_first_may_be_good_or_only_first() -> None:
    ratings = rate(games("a", "b", wins=90, losses=10))
    assert ratings.players[0].name == "a" and is_finite(ratings)
    assert ratings.players[0].low < 0 and ratings.first_move.low < 0 < ratings.first_move.value
    both_seats = rate(games("a", "b", wins=45, losses=5) + games("b", "a", wins=5, losses=45))
    assert both_seats.players[0].low > 0


def test_groups_that_never_met() -> None:
    results = games("d", "c", wins=3, losses=3) + games("a", "b", draws=2) + games("b", "e", draws=1)
    assert rate(results).warning.endswith("they never met: a, b, e | c, d")
    assert rate([*results, Result("a", "c", "", 0.5)]).warning == ""
    many = rate([one for i in range(10, 24, 2) for one in games(f"{i}", f"{i + 1}", draws=1)])
    assert many.warning.endswith(": 10, 11 | 12, 13 | 14, 15 | 16, 17 | 18, 19 | 2 more")


def test_a_group_that_never_took_a_point() -> None:
    circle = games("a", "b", wins=1) + games("b", "c", wins=1) + games("c", "a", wins=1)
    assert rate(circle).warning == ""
    beaten = [*circle, *games("x", "a", losses=2), *games("b", "y", wins=2), *games("x", "y", draws=1)]
    assert rate(beaten).warning == "how far a, b, c stand above x, y cannot be told: they gave no point"
    assert rate([*beaten, Result("y", "c", "", 0.5)]).warning == ""


def test_many_players_and_games() -> None:
    model = TournamentModel(players=100, rounds=2)
    ratings = rate(simulated(8, model))
    assert len(ratings.players) == 100
    covered = sum(one.low <= model.strengths[int(one.name)] <= one.high for one in ratings.players)
    assert 88 <= covered <= 100
    assert contains(ratings.first_move, model.first_move)


@pytest.mark.parametrize("confidence", [0, 1, -0.5, float("nan")])
def test_a_senseless_confidence_is_refused(confidence: float) -> None:
    with pytest.raises(SpecError, match="between 0 and 1"):
        rate([], confidence=confidence)


@pytest.mark.parametrize("score", [2, -1, 0.25, float("nan")])
def test_a_senseless_score_is_refused(score: float) -> None:
    with pytest.raises(SpecError, match=r"1, 0\.5 or 0"):
        Result("a", "b", "3x3x3", score)


def test_boards_are_rated_by_themselves() -> None:
    small = games("a", "b", wins=8, losses=2, board="3x3x3")
    large = games("b", "c", wins=8, losses=2, board="9x9x5")
    ratings = rate_by_board([large[0], *small, *large[1:]], confidence=0.8)
    assert list(ratings) == ["9x9x5", "3x3x3"]
    assert ratings == {"3x3x3": rate(small, confidence=0.8), "9x9x5": rate(large, confidence=0.8)}


# --- two players ---


def test_expected_score_by_hand() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(200) == pytest.approx(1 / (1 + 10**-0.5))
    assert expected_score(-200) == pytest.approx(1 - expected_score(200))


def test_elo_difference_by_hand() -> None:
    estimate = elo_difference(60, 0, 40)  # with the virtual half win and half loss: 60.5 of 101
    error = 1.959964 / math.sqrt(101 * (60.5 / 101) * (40.5 / 101)) * 400 / math.log(10)
    assert estimate.value == pytest.approx(400 * math.log10(60.5 / 40.5))
    assert estimate.high - estimate.value == pytest.approx(error)
    assert estimate.value - estimate.low == pytest.approx(error)
    drawn = elo_difference(30, 60, 10)
    assert drawn.value == pytest.approx(400 * math.log10(60.5 / 40.5))
    assert drawn.high - drawn.low < 0.8 * 2 * error


def test_elo_from_pairs_by_hand() -> None:
    estimate = elo_from_pairs((10, 20, 40, 20, 10))  # 10.5 at either end: variance (21/4 + 40/16) / 101
    error = 1.959964 * math.sqrt(7.75) / 101 * 4 * 400 / math.log(10)
    assert estimate.value == pytest.approx(0, abs=1e-9)
    assert estimate.high == pytest.approx(error) and estimate.low == pytest.approx(-error)


def test_pairs_know_more_than_games_where_the_first_seat_wins() -> None:
    by_games = elo_difference(55, 0, 45)
    by_pairs = elo_from_pairs((0, 0, 45, 0, 5))
    assert by_pairs.high - by_pairs.low < 0.5 * (by_games.high - by_games.low)
    assert by_pairs.value == pytest.approx(by_games.value, abs=1)


def test_an_interval_from_pairs_covers() -> None:
    rng = np.random.default_rng(9)
    chances = PairModel().pair_chances(50)
    assert chances @ PAIR_SCORES == pytest.approx(expected_score(50))
    matches = rng.multinomial(100, chances, size=1000).tolist()
    assert 0.93 <= np.mean([contains(elo_from_pairs(pairs), 50) for pairs in matches]) <= 0.97


@pytest.mark.parametrize("number", [0, 1, 20, 100_000])
def test_one_sided_matches_stay_finite(number: int) -> None:
    for won, lost in (
        (elo_difference(number, 0, 0), elo_difference(0, 0, number)),
        (elo_from_pairs((0, 0, 0, 0, number)), elo_from_pairs((number, 0, 0, 0, 0))),
    ):
        assert (won.value, won.low, won.high) == pytest.approx((-lost.value, -lost.high, -lost.low), abs=1e-6)
        assert won.low < won.value < won.high < 5000
    drawn = elo_difference(0, number, 0)
    assert drawn.value == 0 and 0 < drawn.high == -drawn.low


def test_elo_grows_with_each_win() -> None:
    values = [elo_difference(wins, 0, 20 - wins).value for wins in range(21)]
    assert values == sorted(set(values))


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (1, 0), (0, 3), (7, 4), (60, 40), (300, 310)])
def test_los_is_near_the_exact_one(wins: int, losses: int) -> None:
    """Exact: that a chance is above a half, when any was as likely before; a sum of a binomial distribution."""
    number = wins + losses + 1
    exact = sum(math.comb(number, i) for i in range(wins + 1)) / 2**number
    assert los(wins, 0, losses) == pytest.approx(exact, abs=0.015)
    assert los(wins, 50, losses) == los(wins, 0, losses)
    assert los(wins, 0, losses) + los(losses, 0, wins) == pytest.approx(1)


def test_los_by_hand() -> None:
    assert los(0, 9, 0) == 0.5
    assert los(60, 0, 40) == pytest.approx(0.976709, abs=1e-6)  # Φ(20 / sqrt(101))


def test_share_by_hand() -> None:
    half = share(5, 10)
    assert (half.value, half.low, half.high) == pytest.approx((0.5, 0.2366, 0.7634), abs=1e-4)
    none = share(0, 10)
    assert (none.value, none.low, none.high) == pytest.approx((0, 0, 0.2775), abs=1e-4)
    assert (share(0, 0).low, share(0, 0).high) == (0, 1)


def test_senseless_counts_are_refused() -> None:
    for refused in (lambda: elo_difference(-1, 0, 0), lambda: los(0, -1, 0), lambda: elo_from_pairs((0, 0, 0, 0, -1))):
        with pytest.raises(SpecError, match="0 or more, not -1"):
            refused()
    with pytest.raises(SpecError, match="a part is 0 to 2, not 3"):
        share(3, 2)
