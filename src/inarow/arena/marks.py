"""All that a referee starts carries a mark in its environment, so that it is found whatever becomes of the referee.

INAROW_REFEREE=1234:567890:8f3a…      the referee's process, when that was started, and a number for the player
"""

import contextlib
import os
import secrets
import signal
import time
from collections.abc import Callable
from pathlib import Path

MARK = "INAROW_REFEREE"
KILL_SECONDS = 0.5


def new_mark() -> str:
    return f"{os.getpid()}:{start_time(os.getpid())}:{secrets.token_hex(8)}"


def start_time(pid: int) -> str | None:
    """When a process was started, in the kernel's ticks: together with its number a name for ever. None: it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]


def kill_marked(mark: str) -> None:
    """Kills every process that carries a mark."""
    _kill(lambda found: found == mark)


def kill_left_overs() -> int:
    """Kills what referees that are gone have left, should there be any; how many."""
    return _kill(_is_orphaned)


def _is_orphaned(mark: str) -> bool:
    pid, _, rest = mark.partition(":")
    return pid.isdecimal() and start_time(int(pid)) != rest.partition(":")[0]


def _kill(is_meant: Callable[[str], bool]) -> int:
    """Kills the processes whose mark is meant until there are none, for a moment at most; how many."""
    killed: set[int] = set()
    deadline = time.monotonic() + KILL_SECONDS
    while (pids := [pid for pid, mark in _marked() if is_meant(mark)]) and time.monotonic() < deadline:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        killed.update(pids)
        time.sleep(0.001)
    return len(killed)


def _marked() -> list[tuple[int, str]]:
    """The processes of this user that a referee has started, with the mark of who that was.

    Those of containers are left out: the numbers in their marks are not the numbers seen from here.
    """
    found = []
    ours = Path("/proc/self/ns/pid").stat().st_ino
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            environment = (entry / "environ").read_bytes()
            if (entry / "ns/pid").stat().st_ino != ours:
                continue
        except OSError:
            continue
        for variable in environment.split(b"\0"):
            name, _, value = variable.partition(b"=")
            if name == MARK.encode():
                found.append((int(entry.name), value.decode(errors="replace")))
    return found
