"""Pictures: text there and back, SVG that is a document."""

import xml.etree.ElementTree as ElementTree

import pytest

from inarow import Board, FormatError, Game, Outcome, Reason, Seat, parse_picture, parse_position
from tests.randoms import random_game
from tests.shapes import GAMES


@pytest.mark.parametrize("game", [game for game in GAMES if game.rows * game.columns <= 200], ids=str)
def test_a_picture_reads_back(game: Game) -> None:
    for board, _ in random_game(game, seed=21):
        assert parse_picture(game, str(board)) == board


def test_names_stand_around_the_stones() -> None:
    assert str(parse_position("2x3x3:b1.c2")).splitlines() == ["  a b c", "1 . X .", "2 . . O"]


def test_a_finished_picture_ends_with_the_winning_move() -> None:
    board = parse_picture(Game(3, 3, 3), "XXX\nOO.\n...")
    assert board.outcome == Outcome(Seat.FIRST, Reason.LINE, ((0, 0), (0, 1), (0, 2)))


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        (Game(2, 2, 2), "X.", "the picture is not 2 rows of 2 cells"),
        (Game(2, 2, 2), "X..\n...", "the picture is not 2 rows of 2 cells"),
        (Game(2, 2, 2), "X#\n..", "made of '.', 'X' and 'O', not 'X#'"),
        (Game(2, 2, 3), "XX\n..", "2 X and 0 O cannot be"),
        (Game(2, 2, 3), "O.\n..", "0 X and 1 O cannot be"),
        (Game(3, 3, 3), "XXX\nOOO\n...", "no sequence of legal moves"),
        (Game(2, 2, 3, gravity=True), "X.\n..", "no stone hangs in the air"),
        (Game(2, 2, 3, gravity=True), "X.\nO.", "no sequence of legal moves"),
    ],
)
def test_an_impossible_picture_is_refused(game: Game, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse_picture(game, text)


@pytest.mark.parametrize("position", ["3x3x3", "15x15x5:h8.i9", "6x7x4g:d.d.e", "3x3x3:a1.b1.a2.b2.a3", "1x1x1:a1"])
def test_svg_is_a_document_with_all_stones(position: str) -> None:
    board = parse_position(position)
    root = ElementTree.fromstring(board._repr_svg_())
    namespace = {"svg": "http://www.w3.org/2000/svg"}
    stones = root.findall("svg:circle[@stroke]", namespace)
    assert len(stones) == board.ply
    assert len(root.findall("svg:line", namespace)) == (1 if board.is_over else 0)


def test_an_empty_picture_is_an_empty_board() -> None:
    assert parse_picture(Game(2, 2, 2), "..\n..") == Board(Game(2, 2, 2))
