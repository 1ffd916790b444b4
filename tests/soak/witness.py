"""Who held a move up: the player, or the machine?

On each core a process of the highest priority does nothing but sleep for a millisecond at a time. Whatever a player
does, such a process is woken in time; when it is not, nobody on that core was: the machine was stopped from outside,
as a guest is by its host, or its system was busy with itself. Where such a priority may not be had there is no
witness, and then it never was the machine.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

NAP = 0.001
"""Seconds that a process sleeps."""
LATE_WAKE = 0.002
"""It tells of naps that took so much longer."""
TELLING_SECONDS = 0.01
"""What it needs to tell."""

# Ends by itself when the script that started it is gone, however it went.
NAPPING_CODE = """
import os, sys, time
core, parent, nap, late = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
os.sched_setaffinity(0, {core})
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
before = time.perf_counter()
while os.getppid() == parent:
    time.sleep(nap)
    now = time.perf_counter()
    if now - before > nap + late:
        os.write(1, f"{before + nap} {now}\\n".encode())
    before = now
"""


@dataclass(frozen=True)
class HoldUp:
    """A core on which nobody ran for a while, by time.perf_counter()."""

    core: int
    begin: float
    end: float

    def seconds_within(self, begin: float, end: float) -> float:
        return max(0.0, min(self.end, end) - max(self.begin, begin))


class Witness:
    """What the napping processes, one a core, have told."""

    def __init__(self, processes: dict[int, "subprocess.Popen[bytes]"]) -> None:
        self.processes = processes
        self._told = dict.fromkeys(processes, b"")
        self.hold_ups: list[HoldUp] = []

    @property
    def is_there(self) -> bool:
        return bool(self.processes) and all(nap.poll() is None for nap in self.processes.values())

    def held_up(self, begin: float, end: float) -> float:
        """For how many seconds between these times nobody ran on the core on which it was worst."""
        time.sleep(TELLING_SECONDS)
        self._listen()
        by_core = dict.fromkeys(self.processes, 0.0)
        for hold_up in self.hold_ups:
            by_core[hold_up.core] += hold_up.seconds_within(begin, end)
        return max(by_core.values(), default=0.0) if self.is_there else 0.0

    def _listen(self) -> None:
        for core, nap in self.processes.items():
            assert nap.stdout is not None
            *lines, self._told[core] = (self._told[core] + (nap.stdout.read() or b"")).split(b"\n")
            self.hold_ups += [HoldUp(core, *map(float, line.split())) for line in lines]

    def report(self) -> str:
        self._listen()
        if not self.is_there:
            return "nobody watched the machine: the highest priority may not be had here"
        longest = max((hold_up.end - hold_up.begin for hold_up in self.hold_ups), default=0.0)
        return (
            f"the machine itself was held up {len(self.hold_ups)} times for more than {1000 * LATE_WAKE:g} ms, "
            f"the longest for {1000 * longest:.1f} ms"
        )


@contextmanager
def witness() -> Iterator[Witness]:
    """Watches every core while this lasts."""
    naps: dict[int, subprocess.Popen[bytes]] = {}
    try:
        for core in os.sched_getaffinity(0):
            command = [sys.executable, "-I", "-c", NAPPING_CODE, *map(str, (core, os.getpid(), NAP, LATE_WAKE))]
            naps[core] = nap = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
            )
            assert nap.stdout is not None
            os.set_blocking(nap.stdout.fileno(), False)
        time.sleep(0.5)  # until they run, or were refused
        yield Witness(naps)
    finally:
        for nap in naps.values():
            nap.kill()
            nap.wait()
