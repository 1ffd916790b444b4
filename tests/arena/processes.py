"""What the tests of the referee share: jobs, and looking at processes."""

import gc
import time
from collections.abc import Callable
from pathlib import Path

from inarow import Game, Limit
from inarow.arena.marks import MARK
from inarow.arena.process import PlayerProcess
from inarow.arena.referee import Referee
from inarow.arena.spec import RefereeRules
from tests.arena import zoo

BOARD = Game(3, 3, 3)
RANDOM, QUASI_RANDOM = "random:seed=1", "quasi_random:seed=1"
AMPLE = Limit(seconds=60)  # for whoever is caught in another way
RULES = RefereeRules(start_seconds=60, memory_bytes=300 * zoo.MIB)
GONE_SECONDS = 1.0


def spec(animal: type[object]) -> str:
    return f"python:{zoo.__file__}:{animal.__name__}"


def processes_of(referee: int) -> set[int]:
    """All that the referee in this process has started, by the mark in their environment."""
    mark = f"{MARK}={referee}:".encode()
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                if mark in (entry / "environ").read_bytes():
                    found.add(int(entry.name))
            except OSError:
                pass
    return found


def kept_by(referee: Referee) -> set[int]:
    """The processes of the players that it keeps warm: each and its launcher."""
    players = [player for player in referee._warm.values() if isinstance(player, PlayerProcess)]
    return {pid for player in players for pid in (player._pid, player._launcher.pid) if pid is not None}


def comes_true(condition: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def open_files() -> int:
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir()))


def lines_in(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []
