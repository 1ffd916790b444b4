"""Positions with gravity whose scores are known: see tests/make_positions.py, which made them."""

from pathlib import Path

import pytest

from inarow._core import DropSolver, StopFlag
from inarow.game import Board, Limit, Move, parse_game, play_moves
from inarow.solver import solve_many
from tests.make_positions import SETS

FILES = sorted((Path(__file__).parents[1] / "data" / "solved").glob("*.txt"))
MEMORY_MB = 32


def read_set(path: Path) -> list[tuple[Board, int]]:
    """The positions of a file and their scores."""
    game = parse_game(path.stem.partition("-")[0])
    found = []
    for line in path.read_text().splitlines():
        text, score = line.split()
        moves: list[Move] = [int(digit, 36) - 1 for digit in text]
        found.append((play_moves(game, moves), int(score)))
    return found


def test_every_set_is_there() -> None:
    assert {path.stem for path in FILES} == {each.name for each in SETS}
    for each in SETS:
        boards = read_set(next(path for path in FILES if path.stem == each.name))
        assert len({board.key for board, _ in boards}) == each.count
        assert all(each.stones[0] <= board.ply <= each.stones[1] for board, _ in boards)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scores_are_exact(path: Path) -> None:
    positions = read_set(path)
    game = positions[0][0].game
    columns = [[move for move in board.moves if isinstance(move, int)] for board, _ in positions]
    solver = DropSolver(game.rows, game.columns, game.k, MEMORY_MB)
    for (board, score), found in zip(positions, solver.solve(columns, StopFlag()), strict=True):
        assert (found.lower, found.upper) == (score, score), repr(board)


@pytest.mark.parametrize("path", [path for path in FILES if "hard" not in path.stem], ids=lambda path: path.stem)
def test_plies_are_exact(path: Path) -> None:
    positions = read_set(path)
    solutions = solve_many([board for board, _ in positions], Limit(), memory_mb=MEMORY_MB)
    for (board, score), found in zip(positions, solutions, strict=True):
        assert found.plies is not None
        assert found.value == ("win" if score > 0 else "loss" if score < 0 else "draw"), repr(board)
        left = board.game.rows * board.game.columns - board.ply - found.plies
        assert abs(score) == (left // 2 + 1 if score else 0), repr(board)
