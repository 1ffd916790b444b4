"""The soak of the engine would see what it looks for: late moves, crashes, illegal moves."""

import os
import signal
import time
from collections.abc import Iterator
from random import Random

import pytest

from inarow.game.rules import MAX_SIDE
from tests.arena import zoo
from tests.arena.processes import RANDOM, spec
from tests.soak.engine import Seen, Team, Timed, play, random_board, team
from tests.soak.witness import HoldUp, Witness, witness

AMPLE_SECONDS = 60.0
NOBODY = Witness({})
"""Watches nothing, so that the machine is never to blame."""


@pytest.fixture
def players() -> Iterator[Team]:
    with team() as started:
        yield started


def seen_of(*specs: str, seconds: float = AMPLE_SECONDS) -> Seen:
    return Seen(seconds, {one: Timed() for one in specs})


def test_boards_are_of_all_kinds_and_never_over() -> None:
    boards = [random_board(Random(f"1/{number}")) for number in range(150)]
    games = [board.game for board in boards]
    assert not any(board.is_over for board in boards)
    assert {game.gravity for game in games} == {False, True}
    assert min(game.rows * game.columns for game in games) <= 2 and max(game.columns for game in games) > MAX_SIDE / 2
    assert any(game.k > max(game.rows, game.columns) for game in games) and any(game.k == 1 for game in games)
    assert any(board.ply == 0 for board in boards) and any(board.ply > 100 for board in boards)


def test_good_players_are_as_promised(players: Team) -> None:
    seen = seen_of(RANDOM, "greedy")
    for number in range(6):
        play(number, 1, players, seen, NOBODY)
    assert seen.games == 6 and seen.is_kept and "as promised" in seen.report()
    assert all(timed.moves > 3 for timed in seen.players.values())


def test_a_late_move_is_counted(players: Team) -> None:
    seen = seen_of(RANDOM, "greedy", seconds=1e-6)
    play(0, 1, players, seen, NOBODY)
    assert all(len(timed.late) == timed.moves > 0 for timed in seen.players.values())
    assert not seen.is_kept and "NOT as promised" in seen.report()


def test_one_in_a_thousand_may_be_late_and_none_by_much() -> None:
    assert Timed(1000, [(0.019, "")]).is_kept
    assert not Timed(999, [(0.001, "")]).is_kept
    assert not Timed(10_000, [(0.021, "")]).is_kept


@pytest.mark.parametrize("animal", [zoo.Segfaults, zoo.MovesOffTheBoard])
def test_a_crash_or_an_illegal_move_is_seen(animal: type[object], players: Team) -> None:
    seen = seen_of(spec(animal), RANDOM)
    for number in range(4):
        play(number, 1, players, seen, NOBODY)
    assert seen.games == 4 and seen.faults and not seen.is_kept
    assert all(animal.__name__ in fault for fault in seen.faults)


def test_a_machine_that_stands_still_is_seen() -> None:
    with witness() as watching:
        if not watching.is_there:
            pytest.skip("processes of the highest priority are not allowed here")
        nap = next(iter(watching.processes.values()))
        begin = time.perf_counter()
        os.kill(nap.pid, signal.SIGSTOP)
        time.sleep(0.1)
        os.kill(nap.pid, signal.SIGCONT)
        time.sleep(0.02)
        end = time.perf_counter()
        assert 0.09 < watching.held_up(begin, end) < end - begin
        assert watching.held_up(begin - 10, begin - 9) == 0.0 < len(watching.hold_ups)
    assert not watching.is_there and watching.held_up(begin, end) == 0.0


def test_only_what_lies_within_a_move_counts() -> None:
    hold_up = HoldUp(0, 5.0, 7.0)
    assert [hold_up.seconds_within(*move) for move in ((0, 4), (0, 6), (5.5, 6), (6, 9), (4, 8))] == [0, 1, 0.5, 1, 2]


def test_a_move_late_by_the_machine_is_not_the_players(players: Team) -> None:
    class Still(Witness):
        def held_up(self, begin: float, end: float) -> float:
            return end - begin

    seen = seen_of(RANDOM, "greedy", seconds=1e-6)
    play(0, 1, players, seen, Still({}))
    assert seen.is_kept and all(
        len(timed.held_up) == timed.moves > 0 == len(timed.late) for timed in seen.players.values()
    )
    assert "late by" in seen.report() and "more late by the machine" in seen.report()
