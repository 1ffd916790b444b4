"""Does the engine keep what a position is worth? Asked of positions with gravity, one thread, each by itself.

A file has one position a line: its columns from 1, as in 4453, and whatever comes after a blank. `--random N` asks of N
seeded random positions with 4 to 13 stones instead, in which the game is not over. After each answer the solver says
who wins before and after the move: it is wrong when the value has changed.
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.matches import (
    BROKEN,
    INTERRUPTED,
    KEPT,
    Progress,
    UntilCtrlC,
    count_argument,
    game_argument,
    make_parser,
    print_json,
    seconds_argument,
)
from inarow import Board, Engine, Game, Limit, format_position
from inarow.solver.solution import OPPOSITE
from inarow.solver.solve import GameSolver, make_solver

EXAMPLE = "python -m benchmarks.keeps_value begin-easy.txt middle-medium.txt --seconds 1 --count 100"
STONES = (4, 13)


def from_file(game: Game, path: Path) -> Iterator[Board]:
    for line in path.read_text().splitlines():
        if line.strip():
            board = Board(game)
            for digit in line.split()[0]:
                board.push(int(digit, 36) - 1)
            yield board


def at_random(game: Game, count: int, seed: int) -> Iterator[Board]:
    random = Random(seed)
    while count:
        board = Board(game)
        stones = random.randint(*STONES)
        while board.ply < stones and not board.is_over:
            board.push(random.choice(board.legal_moves))
        if not board.is_over:
            count -= 1
            yield board


def value_after(solver: GameSolver, board: Board) -> str:
    """What a position is worth to the player who has just moved."""
    if board.outcome is not None:
        return "draw" if board.outcome.winner is None else "win"
    return OPPOSITE[solver.settle(board, Limit()).value]


def main() -> int:
    parser = make_parser(__doc__, EXAMPLE)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--game", type=game_argument, default=Game(6, 7, 4, gravity=True), help="6x7x4g, unless said")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="so many random positions besides")
    parser.add_argument("--seed", type=int, default=1, help="for them; 1, unless said")
    parser.add_argument("--seconds", type=seconds_argument, default=1.0, help="a move; 1, unless said")
    parser.add_argument("--count", type=count_argument, default=None, help="only the first of each file")
    parser.add_argument("--memory", type=count_argument, default=128, metavar="MB", help="for the engine")
    arguments = parser.parse_args()
    game: Game = arguments.game
    boards = [board for path in arguments.files for board in list(from_file(game, path))[: arguments.count]]
    boards += at_random(game, arguments.random, arguments.seed)
    solver, engine = make_solver(game, memory_mb=1024), Engine(memory_mb=arguments.memory)
    limit = Limit(seconds=arguments.seconds)
    wrong: list[str] = []
    late = asked = 0
    progress = Progress(len(boards), "positions")
    with UntilCtrlC() as until:
        for board in boards:
            engine.forget()
            engine.prepare(game)
            begin = time.perf_counter()
            move = engine.choose(board, limit)
            late += time.perf_counter() - begin > arguments.seconds
            after = board.copy()
            after.push(move)
            if value_after(solver, after) != solver.settle(board, Limit()).value:
                wrong.append(f"{format_position(board)} {move}")
            asked += 1
            progress.show(asked, f"{len(wrong)} wrong")
    progress.end()
    if arguments.json:
        print_json({"positions": asked, "wrong": wrong, "late": late, "interrupted": until.interrupted})
    else:
        print(f"{asked} positions, {len(wrong)} moves that change the value, {late} late")
        print("\n".join(wrong), end="\n" if wrong else "")
    return INTERRUPTED if until.interrupted else BROKEN if wrong else KEPT


if __name__ == "__main__":
    sys.exit(main())
