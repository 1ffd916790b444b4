"""Makes the sets of solved positions with gravity in tests/data/solved: `python -m tests.make_positions [SET...]`.

A line of a set is a position and its score, as in benchmarks/connect4.py: columns from 1 in base 36 (a is column 10),
and how many moves the winner could still have made when it completes its line, plus one; negative when the other wins;
0 for a draw. Positions come from seeded random games. Every score is proven twice: by the core's solver from an empty
table, and by a proof that `verify`, which shares no code with it, has accepted. A position whose proof would be longer
than the set allows is left out.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from inarow._core import DropSolver, StopFlag
from inarow.errors import ProofError
from inarow.game import Board, parse_game
from inarow.solver.gravity import free_cells, plies_of
from inarow.solver.solution import Solution
from inarow.solver.solve import make_solver, with_proof
from inarow.solver.verify import verify

FOLDER = Path(__file__).parent / "data" / "solved"
DIGITS = "123456789abcdefghijklmnopqrstuvwxyz"
MEMORY_MB = 64


@dataclass(frozen=True)
class PositionSet:
    """Which positions a set has.

    name     also of the file; it begins with the game
    count    how many
    stones   the least and the most
    nodes    the least and the most that the solver needs
    longest  positions that a strategy of a proof may have
    """

    name: str
    count: int
    stones: tuple[int, int]
    nodes: tuple[int, int]
    longest: int = 200_000


SETS = [
    PositionSet("6x7x4g-end-easy", 60, (28, 38), (1, 10_000)),
    PositionSet("6x7x4g-middle-easy", 60, (16, 27), (20, 2_000)),
    PositionSet("6x7x4g-middle-medium", 40, (16, 24), (2_000, 500_000)),
    PositionSet("6x7x4g-begin-easy", 40, (6, 13), (20, 20_000)),
    PositionSet("6x7x4g-begin-hard", 20, (8, 12), (300_000, 20_000_000), 2_000_000),
    PositionSet("5x9x4g", 30, (16, 30), (20, 200_000)),
    PositionSet("6x10x4g", 30, (26, 46), (20, 200_000)),
    PositionSet("6x7x5g", 30, (20, 34), (20, 200_000)),
    PositionSet("7x6x3g", 30, (1, 8), (1, 200_000)),
    PositionSet("8x8x5g-late", 30, (44, 58), (20, 200_000)),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", help="all, unless said")
    wanted = parser.parse_args().sets
    if unknown := set(wanted) - {each.name for each in SETS}:
        parser.error(f"there is no set {min(unknown)}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in SETS:
        if not wanted or each.name in wanted:
            lines = []
            for line in solved_positions(each):
                lines.append(line)
                print(f"\r{each.name}: {len(lines)} of {each.count}", end="", file=sys.stderr, flush=True)
            (FOLDER / f"{each.name}.txt").write_text("\n".join(sorted(lines, key=len)) + "\n")
            print(file=sys.stderr)


def solved_positions(each: PositionSet) -> Iterator[str]:
    """The lines of a set, one after another."""
    game = parse_game(each.name.partition("-")[0])
    random = Random(each.name)
    solver = DropSolver(game.rows, game.columns, game.k, MEMORY_MB)
    seen: set[tuple[object, ...]] = set()
    while len(seen) < each.count:
        board = random_board(Board(game), random.randint(*each.stones), random)
        if board is None or board.key in seen:
            continue
        columns = [move for move in board.moves if isinstance(move, int)]
        found = solver.solve([columns], StopFlag(), nodes=each.nodes[1], forget=True)[0]
        if found.lower != found.upper or found.nodes < each.nodes[0]:
            continue
        score = proven_score(board, found.lower, each.longest)
        if score is None:
            continue
        assert score == found.lower, f"{board!r}: {found.lower} by search, {score} by proof"
        seen.add(board.key)
        yield "".join(DIGITS[column] for column in columns) + f" {score}"


def random_board(board: Board, stones: int, random: Random) -> Board | None:
    """The board after so many random moves; None if the game ends before, or a move could end it now."""
    while board.ply < stones and not board.is_over:
        board.push(random.choice(board.legal_moves))
    if board.is_over:
        return None
    for move in board.legal_moves:
        board.push(move)
        is_end = board.is_over
        board.pop()
        if is_end:
            return None
    return board


def proven_score(board: Board, score: int, longest: int) -> int | None:
    """The score that follows from a verified proof of what the solver claims; None if the proof would be too long."""
    value = "win" if score > 0 else "loss" if score < 0 else "draw"
    claim = Solution(value, plies_of(score, free_cells(board)))
    try:
        proof = with_proof(make_solver(board.game, MEMORY_MB), board, claim, longest).proof
    except ProofError:
        return None
    assert proof is not None
    verdict = verify(proof)
    if verdict.value == "draw":
        return 0
    assert verdict.plies is not None
    left = board.game.rows * board.game.columns - board.ply - verdict.plies
    return (left // 2 + 1) * (1 if verdict.value == "win" else -1)


if __name__ == "__main__":
    main()
