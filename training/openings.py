"""Makes sets of balanced openings, from which the arena lets players meet in both seats.

Candidates are numbered; which moves one has depends on the game, the seed and its number alone: stones near each other
in the middle of the board, or with gravity any columns. A candidate is taken when it is no image of an earlier one and
nobody is far ahead: for the player to move, as the engine sees it, and for the other one after the best move. Where the
solver reaches, its word counts instead: a draw.

A set is a file that `inarow … --openings` reads, with a candidate's number and scores behind its moves. While it is
made it is kept in FILE.part, from which the same command goes on.
"""

import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.matches import (
    INTERRUPTED,
    KEPT,
    Progress,
    UntilCtrlC,
    count_argument,
    game_argument,
    make_parser,
    print_json,
)

from inarow import Board, Game, Limit, Move, StopFlag, format_move, parse_game, parse_moves, solve
from inarow._core import MAX_EVALUATION, Engine
from inarow.arena.openings import FOLDER
from inarow.engine.core import cells_of, geometry_of, move_of
from inarow.engine.weights import weights_for
from inarow.game import play_moves
from inarow.game.book import canonical_key

EXAMPLE = "python -m training.openings 15x15x5 6x7x4g --count 200"
GAMES = tuple(map(parse_game, ("15x15x5", "20x20x5", "10x10x5", "6x7x4g", "8x8x4g")))
COUNT = 200
CANDIDATES = 100  # for each opening that is wanted
FREE_PLIES, GRAVITY_PLIES = (4, 7), (7, 10)  # of an opening, from … to
NEAR = 3  # rows or columns from a stone, or from the middle of an empty board
NODES = 100_000
FAIR = 0.1  # that the chance to win may differ from a half
SHORT_LOOKS = ((0.03, 2.0), (0.2, 1.5))  # of the nodes, and of what is fair: most are lopsided at first sight
SOLVER_CELLS = 42  # gravity boards of more cells take the solver too long
SOLVER_NODES = 4_000_000
MEMORY_MB = 16
SOLVER_MEMORY_MB = 64


@dataclass(frozen=True)
class Opening:
    """A candidate that was taken, and why: in words, for whoever reads the file."""

    number: int
    board: Board
    why: str

    def __str__(self) -> str:
        return f"{' '.join(map(format_move, self.board.moves))}  # {self.number}: {self.why}"


def candidate(game: Game, seed: int, number: int) -> Board:
    """The candidate of this number, always the same; none of its moves ends the game."""
    chance = Random(f"{seed}/{game}/{number}")
    plies = chance.randint(*(GRAVITY_PLIES if game.gravity else FREE_PLIES))
    board = Board(game)
    for _ in range(plies):
        board.push(chance.choice(near_moves(board)))
        if board.is_over:
            board.pop()
    return board


def near_moves(board: Board) -> list[Move]:
    """The columns that are not full, or the free cells near a stone or the middle."""
    game = board.game
    if game.gravity:
        return board.legal_moves
    centres = board.moves or ((game.rows // 2, game.columns // 2),)
    steps = range(-NEAR, NEAR + 1)
    near = {(row + down, column + right) for row, column in centres for down in steps for right in steps}  # type: ignore[misc]
    return sorted(cell for cell in near if board.is_legal(cell))


class Judge:
    """Says which candidates are balanced. What it says depends on the candidate alone."""

    def __init__(self, game: Game, nodes: int) -> None:
        self._game = game
        self._nodes = nodes
        self._engine = Engine(geometry_of(game), memory_mb=MEMORY_MB, weights=weights_for(game))
        self._uses_solver = game.gravity and game.rows * game.columns <= SOLVER_CELLS

    def why_balanced(self, board: Board) -> str | None:
        """Why a candidate is taken; None when it is not."""
        if any(self._score(board, round(part * self._nodes), times * FAIR) is None for part, times in SHORT_LOOKS):
            return None
        if self._uses_solver:
            found = solve(board, Limit(nodes=SOLVER_NODES), memory_mb=SOLVER_MEMORY_MB, weak=True, best_moves=False)
            return "draw" if found.value == "draw" else None
        here = self._score(board, self._nodes, FAIR)
        if here is None:
            return None
        after = board.copy()
        after.push(here[1])
        there = self._score(after, self._nodes, FAIR)
        return None if there is None else f"{here[0]:+} {there[0]:+}"

    def _score(self, board: Board, nodes: int, fair: float) -> tuple[int, Move] | None:
        """The score for the player to move and its best move; None when the chances are not fair."""
        self._engine.clear()
        found = self._engine.search(cells_of(board), StopFlag(), nodes=nodes)
        score = found.lines[0].score
        if abs(score) > MAX_EVALUATION or abs(self._engine.win_probability(score) - 0.5) > fair:
            return None
        return score, move_of(self._game, found.move)


def balanced(
    game: Game, seed: int, nodes: int, known: list[Opening], most: int
) -> Iterator[tuple[int, Opening | None]]:
    """Candidates after those of `known`, below number `most`: each one's number, and the opening if it was taken."""
    seen = {canonical_key(opening.board) for opening in known}
    judge = Judge(game, nodes)
    for number in range(known[-1].number + 1 if known else 0, most):
        board = candidate(game, seed, number)
        key = canonical_key(board)
        why = None if key in seen else judge.why_balanced(board)
        if why is not None:
            seen.add(key)
        yield number, None if why is None else Opening(number, board, why)


def read_set(game: Game, path: Path) -> list[Opening]:
    """The openings of a file that was made here."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        moves, _, remark = line.partition("#")
        if moves:
            number, _, why = remark.strip().partition(": ")
            found.append(Opening(int(number), play_moves(game, parse_moves(game, moves)), why))
    return found


def make_set(game: Game, arguments: Namespace) -> dict[str, object]:
    """Makes the set of a game, or goes on with it, and says what came of it."""
    path = arguments.folder / f"{game}.txt"
    part = path.with_name(path.name + ".part")
    settings = f"--count {arguments.count} --nodes {arguments.nodes} --seed {arguments.seed}"
    head = f"# Balanced openings of {game}, made by: python -m training.openings {game} {settings}\n"
    if not part.exists() or not part.read_text(encoding="utf-8").startswith(head):
        part.write_text(head, encoding="utf-8")
    found = read_set(game, part)
    progress = Progress(arguments.count, "openings")
    with part.open("a", encoding="utf-8") as file:
        for number, opening in balanced(game, arguments.seed, arguments.nodes, found, CANDIDATES * arguments.count):
            progress.show(len(found), f"{game}, candidate {number}")
            if opening is not None:
                found.append(opening)
                print(opening, file=file, flush=True)
            if len(found) == arguments.count:
                break
    progress.end()
    part.replace(path)
    return {"game": str(game), "openings": len(found), "candidates": number + 1, "file": str(path)}


def main() -> int:
    parser = make_parser(__doc__, EXAMPLE)
    parser.add_argument("games", nargs="*", metavar="MxNxK[g]", type=game_argument, help=", ".join(map(str, GAMES)))
    parser.add_argument("--count", type=count_argument, default=COUNT, help=f"of a set; {COUNT}, unless said")
    parser.add_argument("--nodes", type=count_argument, default=NODES, help=f"of a search; {NODES}, unless said")
    parser.add_argument("--seed", type=int, default=1, help="1, unless said")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="the package's own, unless said")
    arguments = parser.parse_args()
    made = []
    with UntilCtrlC() as until:
        for game in arguments.games or GAMES:
            made.append(make_set(game, arguments))
            if not arguments.json:
                print("{file}: {openings} openings of {candidates} candidates".format(**made[-1]))
    if arguments.json:
        print_json(made)
    if until.interrupted:
        print("interrupted; the same command goes on", file=sys.stderr)
        return INTERRUPTED
    return KEPT


if __name__ == "__main__":
    sys.exit(main())
