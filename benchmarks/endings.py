"""From how many free cells on does the solver know who wins?

Takes games, a line of JSON each as `inarow export STORE --format jsonl` writes them, and looks at each when so many
cells were free: how many of these positions are settled within the time, and what that took. Every position begins
with an empty table.
"""

from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.matches import INTERRUPTED, KEPT, Progress, UntilCtrlC, make_parser, print_json, print_table
from inarow import Board, Limit, Record
from inarow.solver.solution import UNKNOWN
from inarow.solver.solve import make_solver

LEFT = (50, 60, 70, 80, 90)


def boards_with(records: list[Record], free: int) -> list[Board]:
    """The positions of these games in which so many cells are free."""
    boards = []
    for record in records:
        board = record.board()
        plies = record.game.rows * record.game.columns - free
        while board.ply > max(plies, 0):
            board.pop()
        if board.ply == plies and not board.is_over:
            boards.append(board)
    return boards


def main() -> int:
    parser = make_parser(__doc__, "python -m benchmarks.endings games.jsonl --left 60 70 --time 0.2")
    parser.add_argument("file", type=Path, help="the games")
    parser.add_argument("--left", type=int, nargs="+", default=LEFT, help="free cells (default: 50 60 70 80 90)")
    parser.add_argument("--time", type=float, default=1.0, help="seconds for a position (default: 1)")
    parser.add_argument("--memory", type=int, default=64, help="megabytes for the table (default: 64)")
    arguments = parser.parse_args()
    records = [Record.from_json(line) for line in arguments.file.read_text(encoding="utf-8").splitlines()]
    asked = {free: boards_with(records, free) for free in arguments.left}
    progress = Progress(sum(map(len, asked.values())), "positions")
    rows: list[dict[str, Any]] = []
    with UntilCtrlC() as block:
        for free, boards in asked.items():
            values: Counter[str] = Counter()
            seconds = []
            for board in boards:
                found = make_solver(board.game, arguments.memory).settle(board, Limit(seconds=arguments.time))
                values[found.value] += 1
                seconds.append(found.seconds)
                progress.show(sum(row["positions"] for row in rows) + len(seconds), f"{free} cells free")
            rows.append(
                {
                    "free cells": free,
                    "positions": len(boards),
                    "settled": len(boards) - values[UNKNOWN],
                    **{value: values[value] for value in ("win", "draw", "loss")},
                    "mean s": round(sum(seconds) / max(1, len(seconds)), 4),
                }
            )
    progress.end()
    if arguments.json:
        print_json(rows)
    elif rows:
        print_table(list(rows[0]), [list(map(str, row.values())) for row in rows])
    return INTERRUPTED if block.interrupted else KEPT


if __name__ == "__main__":
    raise SystemExit(main())
