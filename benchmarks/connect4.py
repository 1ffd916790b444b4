"""How fast, and how right, are exact scores of Connect-4 positions?

A file has one position a line: its columns from 1, as in 4453, and the score: how many moves the winner could still
have made when it completes its line, plus one; negative when the other wins; 0 for a draw. The table is emptied before
each position, and the emptying is not timed. Times are of the processor, one thread.
"""

import argparse
import sys
from pathlib import Path

from benchmarks.matches import print_json, print_table
from inarow import Game, parse_game
from inarow._core import DropSolver, StopFlag

EXAMPLE = "python -m benchmarks.connect4 middle-medium.txt begin-easy.txt --memory 128"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"example: {EXAMPLE}", formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--game", type=parse_game, default=Game(6, 7, 4, gravity=True), help="6x7x4g, unless said")
    parser.add_argument("--memory", type=int, default=128, metavar="MB", help="for the table; 128, unless said")
    parser.add_argument("--positions", type=int, default=None, metavar="N", help="only the first of each file")
    parser.add_argument("--json", action="store_true", help="print JSON for a script to read")
    arguments = parser.parse_args()
    game: Game = arguments.game
    solver = DropSolver(game.rows, game.columns, game.k, arguments.memory)
    rows = [measure(solver, path, arguments.positions) for path in arguments.files]
    if arguments.json:
        print_json(rows)
    else:
        print_table(list(rows[0]), [list(map(str, row.values())) for row in rows])
    return 0 if all(row["wrong"] == 0 for row in rows) else 1


def measure(solver: DropSolver, path: Path, count: int | None) -> dict[str, str | int | float]:
    positions = [line.split() for line in path.read_text().splitlines() if line.strip()][:count]
    games = [[int(digit, 36) - 1 for digit in moves] for moves, _ in positions]
    found = solver.solve(games, StopFlag(), forget=True)
    wrong = sum(
        (solution.lower, solution.upper) != (int(score),) * 2
        for (_, score), solution in zip(positions, found, strict=True)
    )
    nodes = sum(solution.nodes for solution in found)
    seconds = sum(solution.cpu_seconds for solution in found)
    return {
        "file": path.name,
        "positions": len(found),
        "wrong": wrong,
        "mean µs": round(seconds / len(found) * 1e6, 2),
        "worst ms": round(max(solution.cpu_seconds for solution in found) * 1e3, 2),
        "nodes": round(nodes / len(found), 1),
        "million nodes/s": round(nodes / seconds / 1e6, 2),
    }


if __name__ == "__main__":
    sys.exit(main())
