"""The core's incremental evaluations and orders are what the reports define, at every ply of random games."""

from collections.abc import Callable

import pytest

from inarow import Board, Game
from inarow.engine import cells_of
from tests.parity.recipes import searcher
from tests.randoms import random_game
from tests.reference.evaluations import cadrega_value, markcello_value, nisshoku_value, telos_value
from tests.reference.searches import Settings, candidates
from tests.shapes import GAMES

SMALL = [game for game in GAMES if game.rows * game.columns <= 170]
WIDE = [
    Game(14, 14, 10),
    Game(4, 90, 7),
    Game(90, 3, 4),
    Game(25, 25, 16, gravity=True),
    Game(20, 20, 10, gravity=True),
]

VALUES: dict[str, Callable[[Board], int]] = {
    "telos": telos_value,
    "cadrega": cadrega_value,
    "markcello": markcello_value,
    "nisshoku": nisshoku_value,
    "alphabeta": cadrega_value,
}


def open_boards(game: Game, seed: int, every: int) -> list[Board]:
    """Copies of the boards of a random game that are not over, one in so many plies."""
    boards = [Board(game)]
    boards += [board.copy() for board, _ in random_game(game, seed) if not board.is_over and board.ply % every == 0]
    return boards


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("game", SMALL + WIDE, ids=str)
def test_values(game: Game, name: str) -> None:
    core = searcher(name, game)
    for board in open_boards(game, seed=31, every=1 if len(game.cells) < 60 else 9):
        core.set_moves(cells_of(board))
        assert core.value == VALUES[name](board), board
    core.set_moves([])
    assert core.value == VALUES[name](Board(game)), "after taking everything back"


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("game", SMALL + WIDE, ids=str)
def test_orders(game: Game, name: str) -> None:
    core = searcher(name, game)
    for board in open_boards(game, seed=32, every=2 if len(game.cells) < 60 else 31):
        core.set_moves(cells_of(board))
        for is_root in (False, True):
            expected = candidates(board, name, Settings(), is_root)
            assert [divmod(cell, game.columns) for cell in core.ordered_moves(is_root)] == expected, board


@pytest.mark.parametrize("game", [game for game in SMALL if len(game.cells) <= 64], ids=str)
def test_telos_with_crossings(game: Game) -> None:
    core = searcher("telos", game, crossings=True)
    for board in open_boards(game, seed=33, every=5):
        core.set_moves(cells_of(board))
        assert core.value == telos_value(board, crossings=True), board
        expected = candidates(board, "telos", Settings(crossings=True), False)
        assert [divmod(cell, game.columns) for cell in core.ordered_moves()] == expected, board
