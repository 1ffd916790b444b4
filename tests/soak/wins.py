"""Plays the engine against itself and confirms every forced win and loss that it reports, on a plain board.

The games begin with a few random moves, on boards of many shapes, with a random number of nodes a move. Whatever the
engine calls a win or a loss "in n" must be one within n plies, over all legal replies: tests/plain_wins.py says so,
which shares no code with it. For the winner's moves it tries fours and threes, then asks an engine of its own for
hints, then the one that said so; what that leaves open the solver may settle. Besides, a win must come nearer by two
plies with every move (with few nodes a move it may not be found again).

    tools/cpp package wins && python -m tests.soak.wins --games 200 --workers 2
"""

import argparse
import math
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random

from benchmarks.matches import BROKEN, INTERRUPTED, KEPT, Progress, UntilCtrlC, count_argument, do_all

from inarow import Board, Engine, Game, Limit, format_position, parse_game, solve
from inarow._core import DropSolver, StopFlag
from inarow.engine import Variation
from inarow.solver.gravity import free_cells, score_of
from tests.plain_wins import PlainWins

GAMES = 2000
BOARDS = tuple(
    parse_game(text)
    for text in (
        *("3x3x3", "4x4x3", "5x5x4", "6x6x4", "7x7x4", "8x8x4", "7x7x5", "8x8x5", "10x10x5", "15x15x5", "20x20x5"),
        *("9x9x6", "10x10x6", "15x15x6", "12x12x7", "16x16x8", "1x15x3", "3x12x4", "5x20x5"),
        *("4x4x3g", "5x5x4g", "6x7x4g", "7x6x4g", "8x8x4g", "5x9x4g", "7x7x5g", "9x9x5g", "10x10x5g", "12x12x6g"),
    )
)
NODES = (5, 5000)  # a move, at least and at most; small numbers are as likely as large ones
ENOUGH_NODES = 100  # to find a win again: with fewer it may recede
RANDOM_PLIES = 8  # at most
MEMORY_MB = 8
HINT_NODES = 5000
QUICK_BUDGET, BUDGET, MOST_HINTS = 150_000, 8_000_000, 1000
SOLVER_MB, SOLVER_NODES, SOLVER_SECONDS = 64, 20_000_000, 20.0


@dataclass
class GameReport:
    """What one game came to."""

    number: int
    claims: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def claim(self, how: str, board: Board, said: Variation) -> None:
        """`how` a claim was settled; false and unsettled ones are problems."""
        self.claims[how] += 1
        if how in ("false", "unsettled"):
            self.problems.append(f"{how}: {said.words} in {format_position(board)}")


class HintGiver:
    """An engine that is asked for the winner's moves, so often as `left` says."""

    left = 0

    def __init__(self, game: Game, engine: Engine) -> None:
        engine.prepare(game)
        self.engine = engine

    def __call__(self, cells: Sequence[int]) -> int:
        if self.left == 0:
            return -1
        self.left -= 1
        assert self.engine._core is not None
        return self.engine._core.search(list(cells), StopFlag(), nodes=HINT_NODES, is_told=False).move


def settle(board: Board, said: Variation, wins: PlainWins, hints: Sequence[HintGiver]) -> str:
    """How the claim was settled: plain, hinted, solver; or that it is false, or unsettled."""
    value, plies = said.value, said.plies
    assert plies is not None
    for hint in hints:
        hint.left = MOST_HINTS
    ways: list[tuple[str, Callable[[], str]]] = [
        ("plain", lambda: wins.confirm(board, value, plies, QUICK_BUDGET)),
        *(("hinted", partial(wins.confirm, board, value, plies, BUDGET, hint)) for hint in hints),
        ("plain", lambda: wins.confirm(board, value, plies, BUDGET)),
        ("solver", lambda: by_solver(board, said)),
    ]
    for name, ask in ways:
        if (verdict := ask()) != "unknown":
            return name if verdict == "proven" else "false"
    return "unsettled"


def by_solver(board: Board, said: Variation) -> str:
    """As PlainWins.confirm."""
    assert said.plies is not None
    game = board.game
    if not game.gravity:
        truth = solve(board, Limit(seconds=SOLVER_SECONDS), memory_mb=SOLVER_MB, shortest=True)
        if truth.value == "unknown":
            return "unknown"
        return "proven" if truth.value == said.value and (truth.plies or 0) <= said.plies else "refuted"
    claimed = score_of(said.value, said.plies, free_cells(board))
    lowest, highest = (claimed - 1, claimed) if said.value == "win" else (claimed, claimed + 1)
    solver = DropSolver(game.rows, game.columns, game.k, SOLVER_MB)
    columns = [move for move in board.moves if isinstance(move, int)]
    found = solver.solve([columns], StopFlag(), nodes=SOLVER_NODES, lowest=lowest, highest=highest)[0]
    if said.value == "win":
        return "proven" if found.lower >= claimed else "refuted" if found.upper < claimed else "unknown"
    return "proven" if found.upper <= claimed else "refuted" if found.lower > claimed else "unknown"


def play(number: int, seed: int, boards: Sequence[Game], threads: int) -> GameReport:
    """A game, and what was said in it."""
    random = Random(f"{seed} {number}")
    report = GameReport(number)
    game = random.choice(boards)
    board = Board(game)
    for _ in range(random.randint(0, RANDOM_PLIES)):
        if not board.is_over:
            board.push(random.choice(board.legal_moves))
    engines = [Engine(threads, MEMORY_MB, solver=False) for _ in range(2)]
    limits = [Limit(nodes=round(math.exp(random.uniform(*map(math.log, NODES))))) for _ in range(2)]
    within: list[int | None] = [None, None]  # by seat: the plies of a win that was reported
    stranger = HintGiver(game, Engine(memory_mb=MEMORY_MB, solver=False))
    itself = [HintGiver(game, engine) for engine in engines]
    with PlainWins() as wins:
        while not board.is_over:
            found = engines[board.turn].search(board, limits[board.turn])
            said, least = found.best, within[board.turn]
            if found.source == "rules":  # the only move, of which it says nothing
                within[board.turn] = None if least is None else least - 2
                board.push(said.move)
                continue
            has_enough = (limits[board.turn].nodes or 0) >= ENOUGH_NODES
            if (
                has_enough
                and least is not None
                and (said.value != "win" or said.plies is None or said.plies > least - 2)
            ):
                report.problems.append(f"receded: win in {least}, then {said.words} in {format_position(board)}")
            within[board.turn] = said.plies if said.value == "win" else None
            if said.value in ("win", "loss"):
                report.claim(settle(board, said, wins, (stranger, itself[board.turn])), board, said)
            board.push(said.move)
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=count_argument, default=GAMES, help=f"{GAMES}, unless said")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin with this game, to see it again")
    parser.add_argument("--boards", nargs="+", type=parse_game, default=BOARDS, metavar="MxNxK[g]")
    parser.add_argument("--threads", type=count_argument, default=1, help="of each engine; 1, unless said")
    parser.add_argument("--workers", type=count_argument, default=1, help="processes that play; 1, unless said")
    arguments = parser.parse_args()
    numbers = range(arguments.first, arguments.first + arguments.games)
    one_game = partial(play, seed=arguments.seed, boards=arguments.boards, threads=arguments.threads)
    claims: Counter[str] = Counter()
    problems = games = 0
    progress = Progress(arguments.games, "games")
    with UntilCtrlC() as until:
        for report in do_all(one_game, numbers, arguments.workers):
            games += 1
            claims += report.claims
            problems += len(report.problems)
            for problem in report.problems:
                print(f"game {report.number}: {problem}", flush=True)
            progress.show(games, f"{claims.total()} claims, {problems} problems")
    progress.end()
    settled = ", ".join(f"{count} {how}" for how, count in claims.most_common())
    print(f"{games} games, {claims.total()} forced wins and losses reported ({settled}), {problems} problems")
    if until.interrupted:
        return INTERRUPTED
    return BROKEN if problems else KEPT


if __name__ == "__main__":
    sys.exit(main())
