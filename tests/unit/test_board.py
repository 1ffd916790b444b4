"""Playing and taking back; what the rules forbid."""

from typing import Any

import pytest

from inarow import Board, Game, IllegalMove, Outcome, Reason, Seat, parse_position
from tests.randoms import random_game
from tests.shapes import GAMES


@pytest.mark.parametrize(
    ("position", "move", "message"),
    [
        ("3x3x3", (3, 0), r"cell \(3, 0\) is off the board: rows go from 0 to 2, columns from 0 to 2"),
        ("3x3x3", (0, -1), r"cell \(0, -1\) is off the board"),
        ("3x3x3:b2", (1, 1), r"cell \(1, 1\) is taken"),
        ("3x3x3:a1.b1.a2.b2.a3", (2, 2), "the game is over: first wins with a line"),
        ("1x1x2:a1", (0, 0), "the game is over: draw: the board is full"),
        ("3x3x3", 4, r"a move is a pair of whole numbers \(row, column\), not 4"),
        ("3x3x3", [1, 1], r"a move is a pair of whole numbers \(row, column\), not \[1, 1\]"),
        ("3x3x3", (1, 1.0), "a move is a pair of whole numbers"),
        ("3x3x3", (1, True), "a move is a pair of whole numbers"),
        ("3x3x3", None, "not None"),
        ("2x3x3g:a.a", 0, "column 0 is full"),
        ("2x3x3g", 3, "column 3 is off the board: columns go from 0 to 2"),
        ("2x3x3g", -1, "column -1 is off the board"),
        ("2x3x3g", (1, 1), r"with gravity a move is a column, a whole number, not \(1, 1\)"),
        ("2x3x3g", 1.0, "not 1.0"),
        ("2x3x3g", True, "not True"),
        ("4x4x2g:a.b.a", 3, "the game is over"),
    ],
)
def test_an_illegal_move_is_refused_and_changes_nothing(position: str, move: Any, message: str) -> None:
    board = parse_position(position)
    before = board.key, board.moves
    with pytest.raises(IllegalMove, match=message):
        board.push(move)
    assert not board.is_legal(move)
    assert (board.key, board.moves) == before


def test_legal_moves() -> None:
    assert parse_position("2x2x2:b1").legal_moves == [(0, 0), (1, 0), (1, 1)]
    assert parse_position("2x3x3g:b.b").legal_moves == [0, 2]
    assert parse_position("2x2x2:a1.b1.a2").legal_moves == []


def test_a_longer_run_wins_too() -> None:
    board = parse_position("3x7x3:a1.a3.b1.b3.d1.d3.e1.e3.c1")
    assert board.outcome == Outcome(Seat.FIRST, Reason.LINE, ((0, 0), (0, 1), (0, 2)))


@pytest.mark.parametrize("game", [game for game in GAMES if game.rows * game.columns <= 1000], ids=str)
def test_the_outcome_is_what_the_lines_say(game: Game) -> None:
    for board, _ in random_game(game, seed=11):
        full = {
            line: board.stone(line[0])
            for line in game.lines
            if board.stone(line[0]) is not None and len({board.stone(cell) for cell in line}) == 1
        }
        outcome = board.outcome
        if full:
            assert outcome is not None and outcome.reason is Reason.LINE and outcome.line in full
            assert set(full.values()) == {outcome.winner} == {board.turn.other}
        elif board.ply == len(game.cells):
            assert outcome == Outcome(None, Reason.FULL)
        else:
            assert outcome is None


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_pop_restores_everything(game: Game) -> None:
    states = []
    board = Board(game)
    for board, move in random_game(game, seed=12, plies=30):
        states.append((move, board.key, board.moves, board.outcome, board.last_cell))
    for move, key, moves, outcome, last_cell in reversed(states):
        assert (board.key, board.moves, board.outcome, board.last_cell) == (key, moves, outcome, last_cell)
        assert board.pop() == move
    assert board == Board(game)
    with pytest.raises(IndexError, match="no move to take back"):
        board.pop()


def test_boards_are_equal_by_position_and_have_a_key() -> None:
    one, other = parse_position("3x3x3:a1.b1.c1"), parse_position("3x3x3:c1.b1.a1")
    assert one == other and one.key == other.key and one.moves != other.moves
    assert one != parse_position("3x3x3:a1.c1.b1")
    assert Board(Game(3, 3, 3)) != Board(Game(3, 3, 2))
    assert one != "3x3x3"
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_a_copy_goes_its_own_way() -> None:
    board = parse_position("6x7x4g:d.d")
    twin = board.copy()
    twin.push(3)
    assert board.moves == (3, 3) and twin.moves == (3, 3, 3)
    board.push(0)
    assert board.last_cell == (5, 0) and twin.last_cell == (3, 3)


def test_gravity_lands_on_the_lowest_free_cell() -> None:
    board = parse_position("3x3x3g:b.b")
    assert board.landing(1) == (0, 1) and board.landing(0) == (2, 0)
    board.push(1)
    assert board.landing(1) is None
    assert [board.stone((row, 1)) for row in range(3)] == [Seat.FIRST, Seat.SECOND, Seat.FIRST]


def test_repr_is_the_position() -> None:
    assert repr(parse_position("6x7x4g:d.d")) == "<Board 6x7x4g:d.d>"
