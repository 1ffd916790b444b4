"""Games, seats and symmetries."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from inarow import Board, Game, InvalidGame, Outcome, Reason, Seat, parse_picture


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 3, 3), "rows must be 1 to 128, not 0"),
        ((3, 3, 0), "k must be 1 to 128, not 0"),
        ((129, 3, 3), "rows must be 1 to 128, not 129"),
        ((3, -1, 3), "columns must be 1 to 128, not -1"),
        ((3, 3, 129), "k must be 1 to 128, not 129"),
        ((3.0, 3, 3), "rows must be a whole number, not 3.0"),
        (("3", 3, 3), "rows must be a whole number, not '3'"),
        ((3, True, 3), "columns must be a whole number, not True"),
        ((3, 3, None), "k must be a whole number, not None"),
        ((3, 3, 3, 1), "gravity must be True or False, not 1"),
    ],
)
def test_a_game_that_does_not_exist_is_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InvalidGame, match=message):
        Game(*arguments)


def test_a_game_is_frozen_and_hashable() -> None:
    game = Game(6, 7, 4, gravity=True)
    with pytest.raises(FrozenInstanceError):
        game.rows = 7  # type: ignore[misc]
    assert {game: 1}[Game(6, 7, 4, True)] == 1
    assert game != Game(6, 7, 4)


def test_the_number_of_lines_is_what_a_formula_says() -> None:
    for rows, columns, k in ((3, 3, 3), (6, 7, 4), (15, 15, 5), (4, 9, 5), (9, 4, 5), (2, 2, 3), (128, 1, 3)):
        across, down = max(0, columns - k + 1), max(0, rows - k + 1)
        expected = rows * across + columns * down + 2 * across * down
        lines = Game(rows, columns, k).lines
        assert len(lines) == len(set(map(frozenset, lines))) == expected


def test_with_k_1_each_cell_is_one_line() -> None:
    assert len(Game(3, 4, 1).lines) == 12


def test_directions_without_lines_are_dead() -> None:
    assert Game(3, 9, 5).directions == ((0, 1),)
    assert Game(9, 3, 5).directions == ((1, 0),)
    assert Game(3, 3, 5).directions == ()


@pytest.mark.parametrize(("game", "count"), [(Game(5, 5, 3), 8), (Game(4, 5, 3), 4), (Game(5, 5, 3, gravity=True), 2)])
def test_symmetries(game: Game, count: int) -> None:
    """Different permutations of the cells that take lines to lines, the identity first, each with an inverse."""
    assert len(game.symmetries) == count
    images = [tuple(symmetry.apply(game, cell) for cell in game.cells) for symmetry in game.symmetries]
    assert images[0] == game.cells
    assert len(set(images)) == count
    lines = {frozenset(line) for line in game.lines}
    for symmetry, image in zip(game.symmetries, images, strict=True):
        assert sorted(image) == list(game.cells)
        assert {frozenset(symmetry.apply(game, cell) for cell in line) for line in lines} == lines
        assert any(
            all(inverse.apply(game, symmetry.apply(game, cell)) == cell for cell in game.cells)
            for inverse in game.symmetries
        )


def test_a_symmetry_mirrors_then_flips_then_transposes() -> None:
    board = parse_picture(Game(3, 3, 3), "X..  O..  ...".replace("  ", "\n"))
    pictures = [str(board.image(symmetry)) for symmetry in board.game.symmetries]
    assert pictures[1] == str(parse_picture(board.game, "..X\n..O\n..."))
    assert pictures[2] == str(parse_picture(board.game, "...\nO..\nX.."))
    assert pictures[4] == str(parse_picture(board.game, "XO.\n...\n..."))
    assert pictures[5] == str(parse_picture(board.game, "...\n...\nXO."))


def test_seats_and_outcomes_read_well() -> None:
    assert (str(Seat.FIRST), str(Seat.FIRST.other), Seat.SECOND.other) == ("first", "second", Seat.FIRST)
    assert str(Outcome(Seat.SECOND, Reason.LINE)) == "second wins with a line"
    assert str(Outcome(None, Reason.FULL)) == "draw: the board is full"


def test_k_over_both_sides_is_drawn_when_the_board_is_full() -> None:
    board = Board(Game(2, 2, 3))
    for move in list(board.legal_moves):
        assert board.outcome is None
        board.push(move)
    assert board.outcome == Outcome(None, Reason.FULL)
