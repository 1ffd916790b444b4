"""Does the engine find forced wins?

A file has one position a line, the plies of its win, and the kind of moves that reach it: tests/data/tactics.txt, which
tests/make_tactics.py makes. A win is found when the engine says within its limit that it is one, in however many plies.
It gets each position as if it had never seen another, and uses one thread.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.matches import (
    BROKEN,
    INTERRUPTED,
    KEPT,
    Progress,
    UntilCtrlC,
    count_argument,
    make_parser,
    print_json,
    print_table,
    seconds_argument,
)
from inarow import Board, Engine, Limit, parse_position

EXAMPLE = "python -m benchmarks.tactics tests/data/tactics.txt --time 1"
SECONDS = 1.0
MEMORY_MB = 64


@dataclass(frozen=True)
class Tactic:
    """A position with a forced win, and in how many plies by moves of which kind it is known."""

    position: str
    plies: int
    kind: str

    @property
    def board(self) -> Board:
        return parse_position(self.position)

    @property
    def group(self) -> tuple[str, str]:
        return self.position.partition(":")[0], self.kind


def read_tactics(path: Path) -> list[Tactic]:
    fields = (line.split() for line in path.read_text().splitlines() if line.strip())
    return [Tactic(position, int(plies), kind) for position, plies, kind in fields]


@dataclass(frozen=True)
class Answer:
    """What the engine said of a position."""

    tactic: Tactic
    words: str
    is_found: bool
    plies: int | None
    source: str
    nodes: int
    seconds: float


def answers(tactics: list[Tactic], limit: Limit, solver: bool) -> Iterator[Answer]:
    engine = Engine(memory_mb=MEMORY_MB, solver=solver)
    for tactic in tactics:
        board = tactic.board
        engine.forget()
        engine.prepare(board.game)
        begin = time.perf_counter()
        report = engine.search(board, limit)
        best = report.best
        seconds = time.perf_counter() - begin
        yield Answer(tactic, best.words, best.value == "win", best.plies, report.source, report.nodes, seconds)


def print_groups(found: list[Answer]) -> None:
    groups: dict[tuple[str, str], list[Answer]] = {}
    for answer in found:
        groups.setdefault(answer.tactic.group, []).append(answer)
    groups["all", ""] = found
    rows = []
    for (game, kind), group in groups.items():
        plies = [answer.tactic.plies for answer in group]
        milliseconds = [1000 * answer.seconds for answer in group]
        right = sum(answer.is_found for answer in group)
        mean, most = sum(milliseconds) / len(group), max(milliseconds)
        rows.append(
            (f"{game} {kind}", f"{min(plies)}-{max(plies)}", str(len(group)), str(right), f"{mean:.0f}", f"{most:.0f}")
        )
    print_table(("positions", "plies", "count", "found", "mean ms", "worst ms"), rows)
    for answer in found:
        if not answer.is_found:
            tactic = answer.tactic
            print(f"missed: {tactic.position} win in {tactic.plies} ({tactic.kind}): {answer.words}")


def main() -> int:
    parser = make_parser(__doc__, EXAMPLE)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--time", type=seconds_argument, help=f"seconds; {SECONDS:g}, unless --nodes is said")
    parser.add_argument("--nodes", type=count_argument, help="instead of a time")
    parser.add_argument("--no-solver", action="store_true", help="by the engine's search alone")
    parser.add_argument("--positions", type=count_argument, help="only the first so many")
    arguments = parser.parse_args()
    seconds = SECONDS if arguments.time is None and arguments.nodes is None else arguments.time
    limit = Limit(seconds=seconds, nodes=arguments.nodes)
    tactics = read_tactics(arguments.file)[: arguments.positions]
    found: list[Answer] = []
    progress = Progress(len(tactics), "positions")
    with UntilCtrlC() as until:
        for answer in answers(tactics, limit, not arguments.no_solver):
            found.append(answer)
            progress.show(len(found), answer.tactic.position)
    progress.end()
    if arguments.json:
        rows = [
            {
                "position": one.tactic.position,
                "known_plies": one.tactic.plies,
                "kind": one.tactic.kind,
                "found": one.is_found,
                "plies": one.plies,
                "source": one.source,
                "nodes": one.nodes,
                "seconds": one.seconds,
            }
            for one in found
        ]
        print_json({"positions": rows, "interrupted": until.interrupted})
    elif found:
        print_groups(found)
    if until.interrupted:
        print("interrupted: not all positions were tried", file=sys.stderr)
        return INTERRUPTED
    return KEPT if all(answer.is_found for answer in found) else BROKEN


if __name__ == "__main__":
    sys.exit(main())
