"""Makes tests/data/tactics.txt: positions with a forced win, proven without the engine: `python -m tests.make_tactics`.

A line has a position, the plies of the win, and the kind of moves that reach it: *fours* alone; *threes*, where fours
alone do not; or *solved*, where neither was found. The first two are proven on a plain board over all legal replies
(plain_wins.py), with the fewest plies that moves of the kind allow; the third, with gravity, by the solver, with the
fewest plies there are. No win is nearer than five plies.

Positions come from seeded games between players of all kinds that think little, after a few random moves. Ctrl-C keeps
what was found.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from inarow import Board, Game, Limit, ask, format_position, make_player, parse_game
from inarow._core import DropSolver, StopFlag
from inarow.solver.gravity import free_cells, plies_of
from tests.plain_wins import PlainWins

FILE = Path(__file__).parent / "data" / "tactics.txt"
PLAYERS = ("engine:memory=4", "markcello", "nisshoku", "telos", "rules", "helpfulness")
NODES = (100, 2000)  # a move, at least and at most
RANDOM_PLIES = (2, 5)
LEAST_PLIES = 5
FOURS_PLIES, FOURS_BUDGET = 41, 40_000
THREES_PLIES, THREES_BUDGET = 25, 400_000
SOLVER_MB, SOLVER_NODES = 64, 1_000_000
FROM_ONE_GAME = 3
SHORT_PLIES = 9  # a win that is nearer is short
SHORT_SHARE, LONG_SHARE = 0.12, 0.3  # of a set may have the same number of plies
GAMES_WITHOUT_ANY = 60  # after so many in a row a set is what it is


@dataclass
class TacticSet:
    """The positions of one game and kind: how many are wanted, and which there are."""

    game: Game
    kind: str
    count: int
    lines: list[str] = field(default_factory=list)
    lengths: Counter[int] = field(default_factory=Counter)

    @property
    def is_full(self) -> bool:
        return len(self.lines) >= self.count

    def takes(self, plies: int) -> bool:
        share = SHORT_SHARE if plies < SHORT_PLIES else LONG_SHARE
        return plies >= LEAST_PLIES and not self.is_full and self.lengths[plies] < max(1, share * self.count)

    def add(self, board: Board, plies: int) -> None:
        self.lines.append(f"{format_position(board)} {plies} {self.kind}")
        self.lengths[plies] += 1


def wanted_sets() -> list[TacticSet]:
    counts = {
        "15x15x5": {"fours": 30, "threes": 50},
        "20x20x5": {"fours": 15, "threes": 25},
        "10x10x5": {"fours": 10, "threes": 15},
        "10x10x6": {"fours": 15, "threes": 20},
        "15x15x6": {"fours": 10, "threes": 15},
        "8x8x4": {"fours": 5, "threes": 10},
        "6x6x4": {"fours": 5, "threes": 10},
        "12x12x7": {"fours": 8, "threes": 4},
        "13x13x5": {"fours": 10, "threes": 20},
        "6x7x4g": {"fours": 15, "threes": 10, "solved": 30},
        "8x8x4g": {"fours": 15, "threes": 10, "solved": 10},
        "9x9x5g": {"fours": 10, "threes": 5},
        "9x9x6g": {"fours": 5},
    }
    return [TacticSet(parse_game(game), kind, count) for game, kinds in counts.items() for kind, count in kinds.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=FILE, help="tests/data/tactics.txt, unless said")
    parser.add_argument("--games", nargs="*", type=parse_game, help="only of these games, for instance 15x15x5")
    arguments = parser.parse_args()
    sets = [each for each in wanted_sets() if not arguments.games or each.game in arguments.games]
    try:
        with PlainWins() as wins:
            for game in dict.fromkeys(each.game for each in sets):
                fill([each for each in sets if each.game == game], wins)
                write(sets, arguments.out)
    except KeyboardInterrupt:
        print("\ninterrupted: not all positions were found", file=sys.stderr)
        write(sets, arguments.out)


def write(sets: list[TacticSet], path: Path) -> None:
    lines = [line for each in sets for line in sorted(each.lines, key=lambda line: int(line.split()[1]))]
    path.write_text("".join(f"{line}\n" for line in lines))


def fill(sets: list[TacticSet], wins: PlainWins) -> None:
    """Finds the positions of one game's sets."""
    game = sets[0].game
    by_kind = {each.kind: each for each in sets}
    seen: set[tuple[object, ...]] = set()
    number = in_vain = 0
    have = ""
    while in_vain < GAMES_WITHOUT_ANY and not all(each.is_full for each in sets):
        found = 0
        for board in last_first(play(game, Random(f"{game} {number}"))):
            if found == FROM_ONE_GAME or board.key in seen:
                break
            kind, plies = forced_win(board, by_kind, wins)
            if plies == 0:
                break  # before that, who won in the end had not won yet
            if kind in by_kind and by_kind[kind].takes(plies):
                by_kind[kind].add(board, plies)
                seen.add(board.key)
                found += 1
        number += 1
        in_vain = 0 if found else in_vain + 1
        have = ", ".join(f"{len(each.lines)} of {each.count} {each.kind}" for each in sets)
        if sys.stderr.isatty():
            print(f"\r{game}: {have}, {number} games ", end="", file=sys.stderr, flush=True)
    print(f"\r{game}: {have}, {number} games ", file=sys.stderr)


def play(game: Game, random: Random) -> Board:
    """A seeded game."""
    limit = Limit(nodes=random.randint(*NODES))
    players = [make_player(random.choice(PLAYERS)) for _ in range(2)]
    board = Board(game)
    opening = random.randint(*RANDOM_PLIES)
    while not board.is_over:
        if board.ply < opening:
            board.push(random_move(board, random))
        else:
            board.push(ask(players[board.turn], board, limit).move)
    return board


def random_move(board: Board, random: Random) -> int | tuple[int, int]:
    """Any column; or any cell of the middle."""
    game = board.game
    if game.gravity:
        return random.choice(board.legal_moves)
    while True:
        row, column = (side // 4 + random.randrange((side + 1) // 2) for side in (game.rows, game.columns))
        if (row, column) in board.legal_moves:
            return row, column


def last_first(board: Board) -> Iterator[Board]:
    """The positions of a won game in which the winner is to move, from the end back."""
    if board.outcome is None or board.outcome.winner is None:
        return
    winner = board.outcome.winner
    while board.ply > 0:
        board.pop()
        if board.turn is winner:
            yield board


def forced_win(board: Board, sets: dict[str, TacticSet], wins: PlainWins) -> tuple[str, int]:
    """The kind of the win of the player to move, and its plies; no plies if there is none, or none that is proven."""
    if plies := wins.find(board, "fours", FOURS_PLIES, FOURS_BUDGET):
        return "fours", plies
    if plies := wins.find(board, "threes", THREES_PLIES, THREES_BUDGET):
        return "threes", plies
    return ("solved", solved_win(board)) if "solved" in sets else ("", 0)


@cache
def solver_of(game: Game) -> DropSolver:
    return DropSolver(game.rows, game.columns, game.k, SOLVER_MB)


def solved_win(board: Board) -> int:
    columns = [move for move in board.moves if isinstance(move, int)]
    found = solver_of(board.game).solve([columns], StopFlag(), nodes=SOLVER_NODES, forget=True)[0]
    return plies_of(found.lower, free_cells(board)) if found.lower == found.upper and found.lower > 0 else 0


if __name__ == "__main__":
    main()
