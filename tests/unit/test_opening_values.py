"""Values of first positions: there and back, mirror images, broken files, and those that are shipped."""

import json
from pathlib import Path
from random import Random

import pytest

from inarow.errors import FormatError
from inarow.game import Board, Game, Seat, parse_game, parse_position
from inarow.solver import solve, solve_moves
from inarow.solver.openings import VALUES, Openings, key_of, shipped_openings, value_from_replies
from tests.unit.conftest import Run

SMALL = Game(4, 5, 4, gravity=True)
CONNECT4 = Game(6, 7, 4, gravity=True)


def after(board: Board, move: int) -> Board:
    board = board.copy()
    board.push(move)
    return board


def test_they_read_back_and_belong_to_both_images(tmp_path: Path) -> None:
    board, image = parse_position("4x5x4g:a.b.b"), parse_position("4x5x4g:e.d.d")
    openings = Openings(SMALL, {}).with_more([(board, "win", 1), (Board(SMALL), "draw", 2)])
    openings.write(tmp_path / "values")
    again = Openings.read(tmp_path / "values")
    assert again.game == SMALL and len(again) == 2
    assert (again.find(board), again.find(image)) == (("win", 1), ("win", 3))
    assert again.find(Board(SMALL)) == ("draw", 2)
    assert again.find(parse_position("4x5x4g:b.b.a")) is None


@pytest.mark.parametrize("cut", [0, 5, 16, 30])
def test_a_broken_file_is_refused(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "values"
    Openings(SMALL, {}).with_more([(Board(SMALL), "draw", 2), (parse_position("4x5x4g:a"), "win", 2)]).write(path)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(FormatError, match="not all of one"):
        Openings.read(path)


def test_a_board_that_is_too_large_is_refused() -> None:
    game = Game(9, 9, 4, gravity=True)
    with pytest.raises(FormatError, match="9x9x4g is too large"):
        Openings(game, {}).find(Board(game))


def test_the_command_writes_true_values_and_goes_on(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "values"
    for plies, positions in ((1, 4), (3, 66), (3, 66)):
        arguments = ("book", "values", "4", "5", "4", "--plies", str(plies), "--out", str(path), "--json")
        found = json.loads(run(*arguments)[1])
        assert found == {"game": "4x5x4g", "file": str(path), "positions": positions, "stopped": False}
    openings = Openings.read(path)
    for text in ("4x5x4g", "4x5x4g:b", "4x5x4g:a.c.c", "4x5x4g:e.e.d"):
        board = parse_position(text)
        value = solve(board, memory_mb=4).value
        found_value, column = openings.find(board) or ("unknown", -1)
        values = {one.move: one.value for one in solve_moves(board, memory_mb=4)}
        assert found_value == value == values[column]


def test_what_one_seat_needs_is_there_while_the_other_makes_no_mistake(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "values"
    for seat, positions in (("second", 36), ("first", 101), ("first", 101)):
        arguments = ("book", "values", "4", "5", "4", "--plies", "7", "--seat", seat, "--out", str(path), "--json")
        assert json.loads(run(*arguments)[1])["positions"] == positions
    openings = Openings.read(path)
    for own in Seat:
        level = [Board(SMALL)] if own is Seat.FIRST else replies_to(Board(SMALL))
        while level and level[0].ply <= 7:
            following: list[Board] = []
            for board in level:
                found = openings.find(board)
                assert found is not None and found[0] == solve(board, memory_mb=4).value, board
                if found[0] == "draw":  # as the whole game: the other has made no mistake
                    moved = after(board, found[1])
                    assert solve(moved, memory_mb=4).value == "draw", "the column keeps it"
                    following += replies_to(moved)
            level = following


def test_another_game_is_not_mixed_in(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "values"
    Openings(SMALL, {}).write(path)
    status, _, said = run("book", "values", "4", "4", "4", "--plies", "1", "--out", str(path))
    assert status != 0 and "has values of 4x5x4g, not of 4x4x4g" in said


def test_what_is_shipped_agrees_with_itself_and_with_what_everybody_knows() -> None:
    openings = shipped_openings(CONNECT4)
    assert openings is not None
    empty = Board(CONNECT4)
    assert openings.find(empty) == ("win", 3)
    assert [openings.find(after(empty, column))[0] for column in range(7)] == [  # type: ignore[index]
        *("win", "win", "draw", "loss", "draw", "win", "win")
    ]
    level = [empty]
    for _ in range(3):
        for board in level:
            found, replies = openings.find(board), value_from_replies(board, openings.find)
            assert found is not None and replies is not None and found[0] == replies[0], board
            reply = openings.find(after(board, found[1]))
            assert reply is not None and VALUES.index(reply[0]) == 2 - VALUES.index(found[0])
        level = [after(board, move) for board in level for move in range(7)]


@pytest.mark.parametrize(
    ("name", "seat", "value", "plies"),
    [("7x7x4g", Seat.FIRST, "draw", 16), ("7x7x4g", Seat.SECOND, "draw", 13), ("7x6x4g", Seat.FIRST, "win", 8)],
)
def test_what_is_shipped_of_larger_boards_is_all_that_a_seat_needs(
    name: str, seat: Seat, value: str, plies: int
) -> None:
    game = parse_game(name)
    openings = shipped_openings(game)
    assert openings is not None
    level = {key_of(board)[0]: board for board in ([Board(game)] if seat is Seat.FIRST else replies_to(Board(game)))}
    last: list[Board] = []
    while level and (ply := next(iter(level.values())).ply) <= plies:
        following: dict[int, Board] = {}
        for board in level.values():
            found = openings.find(board)
            assert found is not None and VALUES.index(found[0]) >= VALUES.index(value), board
            if found[0] == value:
                following |= {key_of(reply)[0]: reply for reply in replies_to(after(board, found[1]))}
        last = list(level.values())
        level = following
    assert ply >= plies and last
    for board in Random(1).sample(last, 8):
        found_value, column = openings.find(board) or ("unknown", -1)
        values = {one.move: one.value for one in solve_moves(board, weak=True, memory_mb=64)}
        best = max(values.values(), key=VALUES.index)
        assert found_value == values[column] == best, board


def replies_to(board: Board) -> list[Board]:
    replies = [after(board, move) for move in ([] if board.is_over else board.legal_moves)]  # type: ignore[arg-type]
    return [reply for reply in replies if not reply.is_over]


def test_most_games_have_none() -> None:
    assert shipped_openings(parse_game("5x5x4g")) is None
    assert shipped_openings(parse_game("9x9x9")) is None
