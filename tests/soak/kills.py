"""Kills a tournament again and again, and looks whether anything is lost, played twice, or left over.

A tournament of the real command is started, and after a random time its coordinator or one of its workers is killed
with SIGKILL. After the death of a coordinator no player's process may remain, stopped ones included; a worker's death
the tournament must survive by itself. In the end the store must hold each scheduled game exactly once. A worker of a
cluster that is only just starting finds out that its coordinator is gone when it has started; it gets more time.

    python -m tests.soak.kills --kills 30 --games 200 --freeze
"""

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from inarow.arena.schedule import schedule
from inarow.arena.store import Store
from inarow.errors import StoreError

PLAYERS = "random:seed=1,quasi_random:seed=2,helpfulness,greedy,telos"
BOARDS = "3x3x3\n5x5x4\n"  # of which five players play 40 games a round
GONE_SECONDS = 5.0
STARTED_SECONDS = 60.0
MARK = "INAROW_SOAK"


@dataclass(frozen=True)
class Plan:
    """How the tournament is played: `rounds` of 40 games; `cluster` is what --cluster gets, if anything."""

    rounds: int
    freeze: bool
    cluster: str | None = None
    seconds: float = 0.05

    def command(self, folder: Path) -> list[str]:
        boards = folder / "boards.txt"
        boards.write_text(BOARDS)
        command = [sys.executable, "-m", "inarow", "tournament", "--players", PLAYERS, "--boards", str(boards)]
        command += [
            "--rounds",
            str(self.rounds),
            "--openings",
            "random:2",
            "--time",
            str(self.seconds),
            "--workers",
            "2",
        ]
        command += ["--store", str(store_of(folder)), "--tolerance", "5"]
        if self.freeze:
            command.append("--freeze")
        if self.cluster is not None:
            command += ["--cluster", self.cluster]
        return command


def store_of(folder: Path) -> Path:
    return folder / "games.db"


def processes_of(mark: str) -> list[int]:
    """The processes that carry a mark."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                variables = (entry / "environ").read_bytes().split(b"\0")
                is_zombie = (entry / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
            except OSError:
                continue
            if not is_zombie and f"{MARK}={mark}".encode() in variables:
                found.append(int(entry.name))
    return found


def children_of(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task")
    return [int(word) for task in tasks.iterdir() for word in (task / "children").read_text().split()]


def marked(number: int) -> dict[str, str]:
    """An environment by which all that a run starts is known."""
    return {**os.environ, MARK: f"{os.getpid()}-{number}"}


def left_over(environment: dict[str, str], has_cluster: bool) -> list[int]:
    """The processes of a run that are not gone within the time that is allowed."""
    begin = time.monotonic()
    while left := processes_of(environment[MARK]):
        waited = time.monotonic() - begin
        if waited > GONE_SECONDS and not (has_cluster and waited < STARTED_SECONDS and not any(map(is_player, left))):
            break
        time.sleep(0.01)
    return left


def is_player(pid: int) -> bool:
    """Whether a process hosts a player, or starts one that does."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return b"inarow.arena.host" in command or b"arena/launcher.py" in command


def survive(plan: Plan, kills: int, folder: Path, chance: random.Random, longest: float) -> list[str]:
    """Kills so often, then lets the tournament end; the problems that were found."""
    problems: list[str] = []
    for number in range(kills):
        environment = marked(number)
        nothing = subprocess.DEVNULL
        with subprocess.Popen(plan.command(folder), env=environment, stdout=nothing, stderr=nothing) as process:
            time.sleep(chance.uniform(0.0, longest))
            victims = children_of(process.pid) if process.poll() is None else []
            kills_worker = bool(victims) and chance.random() < 0.3
            if kills_worker:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(chance.choice(victims), signal.SIGKILL)
                time.sleep(chance.uniform(0.0, longest))
                if process.poll() not in (None, 0):
                    problems.append(
                        f"kill {number}: the tournament ended with {process.poll()} when a worker was killed"
                    )
            process.kill()
        if left := left_over(environment, plan.cluster is not None):
            problems.append(f"kill {number}: processes are left over: {left}")
        print(f"kill {number + 1} of {kills}: {played(folder)} games", file=sys.stderr)
    environment = marked(kills)
    done = subprocess.run(plan.command(folder), env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        problems.append(f"the last run ended with {done.returncode}: {done.stderr[-500:]}")
    with Store.read(store_of(folder)) as store:
        problems += store.check()
        keys = [key for key, _ in store.games()]
        wanted = {job.key for job in schedule(store.tournament, {})}
    if len(keys) != len(set(keys)) or set(keys) != wanted:
        problems.append(f"{len(keys)} games, {len(set(keys))} different ones, {len(wanted)} were scheduled")
    if left := left_over(environment, plan.cluster is not None):
        problems.append(f"processes are left over: {left}")
    return problems


def played(folder: Path) -> int:
    """How many games are in the store, if there is one."""
    try:
        with Store.read(store_of(folder)) as store:
            return store.count()
    except StoreError:
        return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--games", type=int, default=200, help="a multiple of 40")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--longest", type=float, default=4.0, help="seconds before a kill, at most")
    parser.add_argument("--freeze", action="store_true", help="with players stopped while it is not their turn")
    parser.add_argument("--cluster", help="play on a dask cluster, for instance local")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", file=sys.stderr)
    plan = Plan(arguments.games // 40, arguments.freeze, arguments.cluster)
    with TemporaryDirectory() as folder:
        problems = survive(plan, arguments.kills, Path(folder), random.Random(arguments.seed), arguments.longest)
    for problem in problems:
        print(problem)
    print("nothing lost, nothing played twice, nothing left over" if not problems else f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
