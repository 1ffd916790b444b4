"""The soak of the engine would see what it looks for: late moves, crashes, illegal moves."""

from collections.abc import Iterator
from random import Random

import pytest

from inarow.game.rules import MAX_SIDE
from tests.arena import zoo
from tests.arena.processes import RANDOM, spec
from tests.soak.engine import Seen, Team, Timed, play, random_board, team

AMPLE_SECONDS = 60.0


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
        play(number, 1, players, seen)
    assert seen.games == 6 and seen.is_kept and "as promised" in seen.report()
    assert all(timed.moves > 3 for timed in seen.players.values())


def test_a_late_move_is_counted(players: Team) -> None:
    seen = seen_of(RANDOM, "greedy", seconds=1e-6)
    play(0, 1, players, seen)
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
        play(number, 1, players, seen)
    assert seen.games == 4 and seen.faults and not seen.is_kept
    assert all(animal.__name__ in fault for fault in seen.faults)
