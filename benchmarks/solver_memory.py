"""Do the solvers keep to the memory they are given?

Each run is a process of its own. Its baseline is its peak after a small board has been solved; then a board that fills
the table is solved for some seconds. The peak above the baseline may be the memory asked for and a tenth more.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.matches import print_json, print_table
from inarow import Board, Game, Limit, parse_game
from inarow.solver.solve import make_solver

EXAMPLE = "python -m benchmarks.solver_memory --memory 16,64 --games 10x4x4"
GAMES = "6x7x4g,6x8x4g,10x4x4,10x10x5"
SECONDS = {16: 5.0, 64: 10.0, 256: 20.0, 1024: 90.0}
"""By the megabytes asked for: long enough to fill a table, or most of it."""

TOLERANCE = 0.1


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"example: {EXAMPLE}", formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--games", default=GAMES, help=f"{GAMES}, unless said")
    parser.add_argument("--memory", default=",".join(map(str, SECONDS)), metavar="MB,MB", help="for the tables")
    parser.add_argument("--seconds", type=float, help="for each run, instead of more for more memory")
    parser.add_argument("--json", action="store_true", help="print JSON for a script to read")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        game, memory_mb, seconds = arguments.child
        print(json.dumps(measure(game, int(memory_mb), float(seconds))))
        return 0
    rows = []
    for game in arguments.games.split(","):
        for memory_mb in map(int, arguments.memory.split(",")):
            seconds = arguments.seconds or next((SECONDS[mb] for mb in SECONDS if mb >= memory_mb), SECONDS[1024])
            rows.append(measure_in_child(game, memory_mb, seconds))
            print(f"{game}, {memory_mb} MB: {rows[-1]['above baseline']} MB", file=sys.stderr)
    if arguments.json:
        print_json(rows)
    else:
        print_table(list(rows[0]), [list(map(str, row.values())) for row in rows])
    return 0 if all(row["kept"] == "yes" for row in rows) else 1


def measure_in_child(game: str, memory_mb: int, seconds: float) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.solver_memory", "--child", game, str(memory_mb), str(seconds)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds + 120)
    row: dict[str, Any] = json.loads(done.stdout)
    return row


def measure(text: str, memory_mb: int, seconds: float) -> dict[str, Any]:
    """In a child: what a solver takes above what is there without it, in megabytes."""
    game = parse_game(text)
    make_solver(Game(2, 2, 2, game.gravity), 1).solve(Board(Game(2, 2, 2, game.gravity)), Limit())
    baseline = peak_mb()
    solver = make_solver(game, memory_mb)
    solution = solver.solve(Board(game), Limit(seconds=seconds))
    table = solver.table()
    above = peak_mb() - baseline
    return {
        "game": text,
        "memory MB": memory_mb,
        "baseline MB": round(baseline, 1),
        "above baseline": round(above, 1),
        "share": round(above / memory_mb, 3),
        "table MB": round(table.bytes / 2**20, 1),
        "table in use": f"{table.share:.0%}",
        "nodes": solution.nodes,
        "kept": "yes" if above <= memory_mb * (1 + TOLERANCE) else "NO",
    }


def peak_mb() -> float:
    """The most memory that this process ever had, as Linux counts it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024


if __name__ == "__main__":
    sys.exit(main())
