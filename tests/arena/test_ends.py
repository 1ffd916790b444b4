"""Referees and launchers that are killed, starts that are cut short, machines without processes: nothing is left."""

import itertools
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from inarow import InarowError
from inarow.arena import process
from inarow.arena.faults import Fault
from inarow.arena.host import DEFAULT_RESOLVER
from inarow.arena.marks import kill_left_overs
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
    lines_in,
    open_files,
    processes_of,
    spec,
)

PLAYS_ON_AND_ON = """
import os, sys, time
from inarow.arena.referee import Referee
from inarow.arena.spec import GameJob, RefereeRules
from inarow.game import Game, Limit
first, second, mode = sys.argv[1:]
referee = Referee(RefereeRules(start_seconds=60, freeze=mode == "freeze"))
print("begins", flush=True)
while True:
    referee.play(GameJob("", Game(9, 9, 5), (first, second), Limit(seconds=60)))
    print("has played", flush=True)
    if mode == "fork":
        mode = ""
        if (child := os.fork()) == 0:
            time.sleep(60)
            os._exit(0)
        print(child, flush=True)
"""


def start_referee(first: str, second: str, mode: str = "") -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", PLAYS_ON_AND_ON, first, second, mode], stdout=subprocess.PIPE)


@pytest.mark.parametrize("mode", ["freeze", ""])
@pytest.mark.parametrize("seed", range(4))
def test_nothing_outlives_a_killed_referee(seed: int, mode: str) -> None:
    """Killed at any moment: half of them while the players start, half of them while they play."""
    chance = random.Random(f"{seed} {mode}")
    starting = seed % 2 == 0
    with start_referee(QUASI_RANDOM, RANDOM, mode) as referee:
        assert referee.stdout is not None
        for _ in range(1 if starting else 2):
            referee.stdout.readline()
        time.sleep(chance.uniform(0, 0.5 if starting else 0.05))
        referee.kill()
        assert comes_true(lambda: not processes_of(referee.pid), GONE_SECONDS)


def test_nothing_outlives_a_referee_that_has_forked() -> None:
    """Its child keeps all pipes open, and goes on."""
    with start_referee(QUASI_RANDOM, RANDOM, "fork") as referee:
        assert referee.stdout is not None
        child = int(next(itertools.islice(referee.stdout, 2, None)))
        referee.kill()
        try:
            assert comes_true(lambda: not processes_of(referee.pid), GONE_SECONDS)
        finally:
            os.kill(child, signal.SIGKILL)


def test_what_a_killed_launcher_left_is_found(notes: Path) -> None:
    with start_referee(spec(zoo.HidesADaemon), RANDOM) as referee:
        assert comes_true(lambda: len(lines_in(notes)) == 2, 60)
        launcher, daemon = map(int, lines_in(notes))
        kill_left_overs()
        assert daemon in processes_of(referee.pid), "its referee is alive"
        referee.kill()
        os.kill(launcher, signal.SIGKILL)
        assert comes_true(lambda: processes_of(referee.pid) == {daemon}, GONE_SECONDS)
        assert kill_left_overs() >= 1
        assert comes_true(lambda: not processes_of(referee.pid), GONE_SECONDS)


@pytest.mark.parametrize("frozen", [False, True])
def test_the_launcher_kills_and_ends_by_itself(frozen: bool) -> None:
    player = PlayerProcess(spec(zoo.Tame), DEFAULT_RESOLVER, RULES)
    if frozen:
        player.freeze()
    player.kill()
    assert player._launcher.returncode == 0, "whatever it could not do is done by others"
    assert not processes_of(os.getpid())


@pytest.mark.parametrize("seconds", [0, 0.01, 0.02, 0.04, 0.08, 0.16])
def test_nothing_is_left_of_a_start_that_is_cut_short(seconds: float) -> None:
    with pytest.raises(Fault, match="started late"):
        PlayerProcess(spec(zoo.SleepsWhenMade), DEFAULT_RESOLVER, RefereeRules(start_seconds=seconds))
    assert comes_true(lambda: not processes_of(os.getpid()), GONE_SECONDS)


def test_a_machine_without_processes_is_nobodys_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, referees: Callable[..., Referee]
) -> None:
    referee = referees()
    files = open_files()
    job = GameJob("", BOARD, (RANDOM, QUASI_RANDOM), AMPLE)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(24, "Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "Popen", refuse)
        with pytest.raises(InarowError, match=r"no process can be started for 'random:seed=1': .*Too many open files"):
            referee.play(job)
    with monkeypatch.context() as patch:
        (tmp_path / "launcher.py").write_text("raise BlockingIOError(11, 'Resource temporarily unavailable')")
        patch.setattr(process, "LAUNCHER", tmp_path / "launcher.py")
        with pytest.raises(InarowError, match=r"no process .*Resource temporarily unavailable\)"):
            referee.play(job)
    assert open_files() == files
    assert referee.play(job).outcome is not None
