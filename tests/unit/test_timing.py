"""What a player may use of its time."""

from random import Random

import pytest

from inarow.engine.timing import allot, hard_seconds, move_seconds
from inarow.game import Limit


def test_a_limit_for_the_move_may_be_used_up_but_for_a_margin() -> None:
    allotted = allot(Limit(seconds=1), 40)
    assert allotted.soft is None and allotted.hard == pytest.approx(0.98)
    assert hard_seconds(Limit(seconds=0.01)) == pytest.approx(0.01 * 2 / 3)


def test_without_a_clock_there_is_no_limit() -> None:
    assert move_seconds(Limit(nodes=5)) is None
    assert allot(Limit(depth=3), 40).hard is None


def test_a_clock_is_divided_and_a_move_may_take_more_than_its_share() -> None:
    allotted = allot(Limit(clock=50), 100)
    assert allotted.soft == pytest.approx(2, rel=0.01) and allotted.hard is not None and 4 < allotted.hard < 10
    with_increment = allot(Limit(clock=50, increment=1), 100)
    assert with_increment.soft == pytest.approx(2.8)


def test_the_last_moves_get_what_is_left() -> None:
    assert move_seconds(Limit(clock=50), 10) == pytest.approx(10, rel=0.01)
    assert move_seconds(Limit(clock=50), 1) == pytest.approx(25, rel=0.01)


def test_of_two_limits_the_nearer_counts() -> None:
    assert move_seconds(Limit(seconds=1, clock=50)) == 1
    allotted = allot(Limit(seconds=3, clock=50), 100)
    assert allotted.soft == pytest.approx(2, rel=0.01) and allotted.hard == pytest.approx(2.96)


@pytest.mark.parametrize("increment", [0, 0.01, 1])
@pytest.mark.parametrize("clock", [0.0, 0.05, 1, 300])
def test_a_clock_never_runs_out(clock: float, increment: float) -> None:
    """Even when every move takes all it may, and a little more."""
    rng = Random(1)
    for free in range(225, 0, -2):
        allotted = allot(Limit(clock=clock, increment=increment), free)
        assert allotted.hard is not None and allotted.soft is not None and allotted.soft <= allotted.hard
        clock -= allotted.hard * rng.uniform(1, 1.2)
        assert clock >= 0
        clock += increment


@pytest.mark.parametrize(("cells", "clock"), [(225, 2), (400, 4), (900, 5), (900, 20), (2500, 30)])
def test_a_clock_lasts_for_a_game_that_fills_the_board(cells: int, clock: float) -> None:
    """A move costs more than its search."""
    for free in range(cells, 0, -2):
        allotted = allot(Limit(clock=clock), free)
        assert allotted.soft is not None
        clock -= allotted.soft + 0.004
        assert clock > 0.001
