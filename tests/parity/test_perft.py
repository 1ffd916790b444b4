"""The core counts what the Python rules count."""

import pytest

from inarow import Board, Game, StopFlag, parse_position, perft
from tests.parity.perft import python_perft
from tests.shapes import GAMES

NODES = 20_000


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_perft_agrees(game: Game) -> None:
    """To the deepest depth that Python can count quickly."""
    board = Board(game)
    moves = game.columns if game.gravity else game.rows * game.columns
    depth = 1
    while moves ** (depth + 1) <= NODES and depth < game.rows * game.columns:
        depth += 1
    assert perft(board, depth) == python_perft(board, depth)


def test_whole_games_of_small_boards_agree() -> None:
    for game in (Game(3, 3, 3), Game(3, 2, 2), Game(4, 2, 3), Game(2, 4, 5), Game(4, 3, 3, True), Game(2, 4, 3, True)):
        assert perft(Board(game), 12) == python_perft(Board(game), 12), game


def test_perft_agrees_in_the_middle_of_a_game() -> None:
    for text in ("6x7x4g:d.d.d.d.e.c.a", "15x15x5:h8.i9.h9.i8.h7.h10", "5x5x4:a1.b1.a2.b2.a3.b3", "33x65x6:a1.bm33"):
        board = parse_position(text)
        depth = 2 if board.game.columns < 20 else 1
        assert perft(board, depth) == python_perft(board, depth), text


def test_tic_tac_toe() -> None:
    counts = perft(Board(Game(3, 3, 3)), 9)
    assert counts.nodes == (1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)
    assert (sum(counts.first_wins), sum(counts.second_wins), sum(counts.draws)) == (131184, 77904, 46080)
    assert counts.games == 255168


def test_perft_of_a_finished_game_is_its_end() -> None:
    counts = perft(parse_position("3x3x3:a1.b1.a2.b2.a3"), 4)
    assert counts.nodes == (1, 0, 0, 0, 0)
    assert counts.games == 1


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="depth must be 0 or more, not -1"):
        perft(Board(Game(3, 3, 3)), -1)


def test_a_set_stop_flag_stops() -> None:
    stop = StopFlag()
    stop.set()
    assert perft(Board(Game(15, 15, 5)), 20, stop).stopped
