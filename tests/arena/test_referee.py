"""Games of good players: who is started, kept, stopped and timed, and how."""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from inarow import Board, Game, Limit, Outcome, Reason, Seat
from inarow.arena.host import DEFAULT_RESOLVER
from inarow.arena.process import PlayerProcess
from inarow.arena.referee import Referee
from inarow.arena.spec import GameJob, RefereeRules
from tests.arena import zoo
from tests.arena.processes import (
    AMPLE,
    BOARD,
    GONE_SECONDS,
    QUASI_RANDOM,
    RANDOM,
    RULES,
    comes_true,
    kept_by,
    lines_in,
    processes_of,
    spec,
)

# ── what becomes of a player ────────────────────────────────────────────────────────────────────────────────────────


def test_a_player_that_died_is_started_again(notes: Path, referees: Callable[..., Referee]) -> None:
    referee = referees()
    job = GameJob("", BOARD, (spec(zoo.DiesOnce), RANDOM), AMPLE)
    first, second = referee.play(job).outcome, referee.play(job).outcome
    assert first is not None
    assert second is not None
    assert first.reason is Reason.FORFEIT
    assert second.reason is not Reason.FORFEIT
    before, after = lines_in(notes)[:2]
    assert before != after


def test_one_that_dies_between_games_is_replaced(notes: Path, referees: Callable[..., Referee]) -> None:
    referee = referees()
    job = GameJob("", BOARD, (spec(zoo.TellsItsNumber), RANDOM), AMPLE)
    referee.play(job)
    pid = int(lines_in(notes)[-1].split()[1])
    os.kill(pid, signal.SIGKILL)
    dead = next(player for player in referee._warm.values() if getattr(player, "_pid", None) == pid)
    assert comes_true(lambda: not dead.is_alive, GONE_SECONDS)
    outcome = referee.play(job).outcome
    assert outcome is not None
    assert outcome.reason is not Reason.FORFEIT
    assert lines_in(notes)[-1] != f"first {pid}"


def test_players_stay_warm_and_the_oldest_go(notes: Path, referees: Callable[..., Referee]) -> None:
    referee = referees(warm_players=3)
    one, twin = spec(zoo.TellsItsNumber), spec(zoo.TellsItsTwin)
    for _ in range(5):
        referee.play(GameJob("", BOARD, (one, RANDOM), AMPLE))
    assert len(set(lines_in(notes))) == 1
    first = int(lines_in(notes)[0].split()[1])
    referee.play(GameJob("", BOARD, (one, twin), AMPLE))
    assert len(kept_by(referee)) == 6
    referee.play(GameJob("", BOARD, (twin, RANDOM), AMPLE))
    assert len(kept_by(referee)) == 6
    assert kept_by(referee) == processes_of(os.getpid())
    assert first not in kept_by(referee)


def test_the_same_games_in_process_and_by_processes(referees: Callable[..., Referee]) -> None:
    jobs = [
        GameJob("", Game(6, 7, 4, gravity=True), ("telos", "cadrega"), Limit(nodes=200), (3, 3)),
        GameJob("", Game(6, 7, 4, gravity=True), ("telos", "cadrega"), Limit(nodes=100)),
        GameJob("", Game(8, 8, 5), ("telos", "cadrega"), Limit(nodes=200), ((4, 4),)),
        GameJob("", Game(3, 3, 3), ("telos", "cadrega"), Limit(nodes=50)),
    ]
    apart, together = referees(RULES), referees(RefereeRules(in_process=True))
    for job in jobs:
        one, other = apart.play(job), together.play(job)
        assert one.moves == other.moves
        assert one.outcome == other.outcome
        assert one.outcome is not None
        assert one.outcome.reason is not Reason.FORFEIT


# ── another installation ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def other_python(tmp_path: Path) -> Path:
    """This Python under another name, which writes down what it is started with."""
    script = tmp_path / "other-python"
    script.write_text(f'#!/bin/sh\necho "$*" >> "{tmp_path}/started"\nexec "{sys.executable}" "$@"\n')
    script.chmod(0o755)
    return script


def test_a_player_of_another_installation(other_python: Path, referees: Callable[..., Referee]) -> None:
    other = f"under:{other_python}:greedy"
    game = Game(5, 5, 4)
    referee = referees()
    with_other = referee.play(GameJob("", game, ("greedy", other), AMPLE))
    alone = referee.play(GameJob("", game, ("greedy", "greedy"), AMPLE))
    assert (with_other.moves, with_other.outcome) == (alone.moves, alone.outcome)
    assert with_other.players == ("greedy", other)
    started = lines_in(other_python.with_name("started"))
    assert len(started) == 1 and "inarow.arena.host" in started[0] and started[0].endswith(" greedy")


def test_another_installation_that_is_not_there(referees: Callable[..., Referee]) -> None:
    outcome = referees().play(GameJob("", BOARD, ("under:/nowhere/python:greedy", RANDOM), AMPLE)).outcome
    assert outcome is not None
    assert outcome.reason is Reason.FORFEIT and "/nowhere/python cannot be started" in outcome.detail


# ── time ────────────────────────────────────────────────────────────────────────────────────────────────────────────


class Clock:
    """One second later whenever somebody looks; `interrupt_at` is the look at which Ctrl-C is pressed."""

    def __init__(self, interrupt_at: int = -1) -> None:
        self._looks = 0
        self._interrupt_at = interrupt_at

    def __call__(self) -> float:
        self._looks += 1
        if self._looks == self._interrupt_at:
            raise KeyboardInterrupt
        return float(self._looks)


@pytest.mark.parametrize("in_process", [False, True])
def test_who_answers_late_forfeits(in_process: bool, referees: Callable[..., Referee]) -> None:
    rules = RefereeRules(start_seconds=60, tolerance=0.05, in_process=in_process)
    referee = referees(rules, clock=Clock())
    outcome = referee.play(GameJob("", BOARD, (spec(zoo.Tame), RANDOM), Limit(seconds=0.9))).outcome
    assert outcome == Outcome(Seat.SECOND, Reason.FORFEIT, detail="late: 1.000 s, 0.95 s are allowed")
    record = referee.play(GameJob("", BOARD, (spec(zoo.Tame), RANDOM), Limit(seconds=1)))
    assert record.outcome is not None
    assert record.outcome.reason is Reason.LINE
    assert set(record.seconds) == {1.0}


def test_a_clock_runs_down(notes: Path, referees: Callable[..., Referee]) -> None:
    referee = referees(clock=Clock())
    players = spec(zoo.TellsItsClock), spec(zoo.TellsItsClock)
    record = referee.play(GameJob("", Game(5, 5, 5), players, Limit(clock=2, increment=0.25), ((1, 1),)))
    assert record.outcome == Outcome(Seat.FIRST, Reason.FORFEIT, detail="late: 1.000 s, 0.55 s are allowed")
    assert record.seconds == (0.0, 1.0, 1.0, 1.0, 1.0)
    assert record.limit == Limit(clock=2, increment=0.25)
    assert lines_in(notes) == ["second 2", "first 2", "second 1.25", "first 1.25", "second 0.5"]


def test_very_long_limits(referees: Callable[..., Referee]) -> None:
    outcome = referees().play(GameJob("", BOARD, (RANDOM, RANDOM), Limit(seconds=10**9))).outcome
    assert outcome is not None
    assert outcome.reason is not Reason.FORFEIT


@pytest.mark.parametrize("look", [4, 6], ids=["while the second player starts", "while the first player thinks"])
def test_ctrl_c_leaves_nobody_half_asked(look: int, referees: Callable[..., Referee]) -> None:
    """The referee looks at its clock before and after each question."""
    referee = referees(clock=Clock(interrupt_at=look))
    job = GameJob("", BOARD, (RANDOM, QUASI_RANDOM), AMPLE)
    with pytest.raises(KeyboardInterrupt):
        referee.play(job)
    assert comes_true(lambda: not processes_of(os.getpid()), GONE_SECONDS)
    outcome = referee.play(job).outcome
    assert outcome is not None
    assert outcome.reason is not Reason.FORFEIT


# ── freezing ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_who_is_not_to_move_is_stopped(notes: Path, referees: Callable[..., Referee]) -> None:
    referee = referees(RefereeRules(start_seconds=60, freeze=True))
    job = GameJob("", BOARD, (spec(zoo.WatchesTheOther), spec(zoo.WatchesTheOther)), AMPLE)
    record = referee.play(job)
    assert record.outcome is not None
    assert record.outcome.reason is Reason.LINE
    seen = [line for line in lines_in(notes) if line.split()[0] in ("start", "choose")]
    assert seen[0] in ("start S", "start R"), "nobody is stopped while the other starts"
    assert seen[1:] == ["choose T"] * len(record.moves)
    assert referee.play(job).moves == record.moves, "who was stopped at the end of a game starts the next"


def is_stopped(pid: int) -> bool:
    """Whether all threads of a process are."""
    return all(zoo.state_of(int(thread.name)) == "T" for thread in Path(f"/proc/{pid}/task").iterdir())


@pytest.mark.parametrize("animal", [zoo.HasAnotherProcess, zoo.HasJava], ids=lambda animal: animal.__name__)
def test_the_whole_group_is_stopped(animal: type[object], notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if animal is zoo.HasJava:
        if shutil.which("javac") is None:
            pytest.skip("there is no Java")
        program = notes.with_name("Echo.java")
        program.write_text(
            "public class Echo { public static void main(String[] arguments) { "
            "var in = new java.util.Scanner(System.in); while (in.hasNextLine()) System.out.println(in.nextLine()); } }"
        )
        monkeypatch.setenv("ZOO_JAVA", str(program))
    player = PlayerProcess(spec(animal), DEFAULT_RESOLVER, RefereeRules(start_seconds=120), may_start=True)
    try:
        board = Board(BOARD)
        player.begin(board, Seat.FIRST, AMPLE)
        child = int(lines_in(notes)[-1])
        for _ in range(3):
            player.freeze()
            assert player._pid is not None
            for member in (child, player._pid):
                assert comes_true(partial(is_stopped, member), 10)
            move = player.choose(board, AMPLE).move
            assert not is_stopped(child)
            board.push(move)
        player.freeze()
    finally:
        player.close()
    assert not Path(f"/proc/{child}").exists()
