"""The submission for Kaggle: legal everywhere, right where the truth is known, in time."""

import ast
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from inarow import Board, Game, Limit, Seat, ask, make_player, parse_game, parse_position, solve_many
from inarow.adapters import kaggle_submission
from inarow.adapters.kaggle import question, submission
from inarow.adapters.kaggle_submission import PROVEN, WIN, Geometry, Search, agent, stones_of, thinking_time
from tests.randoms import random_board
from tests.shapes import GAMES

DROP_GAMES = [game for game in GAMES if game.gravity]
QUICK = Limit(seconds=0.01)
FOR_EVER = float("inf")


def column_of(board: Board, seconds: float = 0.01) -> int:
    return agent(*question(board, Limit(seconds=seconds)))


def searched(board: Board, depth: int) -> tuple[int, int]:
    """The column and the score of a search to a depth, however long it takes."""
    observation, configuration = question(board, Limit())
    geometry = Geometry(board.game.rows, board.game.columns, board.game.k)
    move, score = Search(geometry, FOR_EVER).best_move(*stones_of(observation, configuration), depth)
    return (move.bit_length() - 1) // geometry.height, score


@pytest.mark.parametrize("game", DROP_GAMES, ids=str)
def test_it_moves_legally_on_every_board(game: Game) -> None:
    for seed in (1, 2):
        board = random_board(game, seed, plies=30)
        while board.is_over:
            board.pop()
        column = column_of(board)
        assert type(column) is int
        assert board.is_legal(column)


@pytest.mark.parametrize("game", [game for game in DROP_GAMES if game.rows * game.columns <= 42], ids=str)
def test_it_finds_every_win_in_one_and_every_block(game: Game) -> None:
    for seed in range(20):
        board = random_board(game, seed, plies=game.rows * game.columns)
        outcome = board.outcome
        if outcome is None or outcome.winner is None:
            continue
        winning = board.pop()
        board.push(column_of(board))
        assert board.outcome is not None and board.outcome.winner is outcome.winner, (seed, repr(board))
        board.pop()
        if board.ply == 0:
            continue
        board.pop()  # now the other is to move, and the winning move threatens, unless another move was before it
        threats = [move for move in board.legal_moves if _wins_for_the_other(board, move)]
        if threats == [winning] and not any(_wins(board, move) for move in board.legal_moves):
            assert column_of(board) == winning, (seed, repr(board))


def _wins(board: Board, move: Any) -> bool:
    board.push(move)
    outcome = board.outcome
    board.pop()
    return outcome is not None and outcome.winner is not None


def _wins_for_the_other(board: Board, move: Any) -> bool:
    """Whether the player who is not to move would win with it: asked of the stones alone."""
    game = board.game
    cell = board.landing(move)
    assert cell is not None
    other = board.turn.other
    for line in game.lines:
        if cell in line and all(place == cell or board.stone(place) is other for place in line):
            return True
    return False


@pytest.mark.parametrize(
    ("game", "plies"),
    [
        ("3x3x3g", 2),
        ("4x4x3g", 3),
        ("4x4x4g", 3),
        ("4x5x4g", 4),
        ("5x4x4g", 6),
        ("3x6x3g", 4),
        ("2x8x3g", 3),
        ("6x3x4g", 5),
    ],
)
def test_at_full_depth_it_agrees_with_the_solver(game: str, plies: int) -> None:
    shape = parse_game(game)
    boards = [random_board(shape, seed, plies) for seed in range(12)]
    boards = [board for board in boards if not board.is_over]
    assert boards
    for board, solution in zip(boards, solve_many(boards, memory_mb=16), strict=True):
        column, score = searched(board, shape.rows * shape.columns)
        value = "win" if score > PROVEN else "loss" if score < -PROVEN else "draw"
        assert value == solution.value, repr(board)
        if value != "draw":
            assert WIN - abs(score) - board.ply == solution.plies, f"in how many plies: {board!r}"
        if value == "win":
            board.push(column)
            assert board.is_over or solve_many([board], memory_mb=16)[0].value == "loss", repr(board)


@pytest.mark.parametrize(
    ("position", "column"),
    [
        ("6x7x4g:d.a.e.a", {2, 5}),  # an open three: a win in three plies
        ("6x7x4g:d.d.e.e", {2, 5}),
        ("5x6x4g:c.c.d.d", {1, 4}),
    ],
)
def test_it_plays_a_forced_win(position: str, column: set[int]) -> None:
    found, score = searched(parse_position(position), 5)
    assert found in column
    assert score > PROVEN


def test_it_beats_random_in_every_game() -> None:
    game = Game(6, 7, 4, gravity=True)
    for number in range(100):
        opponent = make_player(f"random:seed={number}")
        ours = Seat(number % 2)
        board = Board(game)
        while not board.is_over:
            board.push(searched(board, 4)[0] if board.turn is ours else ask(opponent, board, QUICK).move)
        assert board.outcome is not None and board.outcome.winner is ours, (number, repr(board))


def test_it_keeps_a_margin() -> None:
    for timeout in (0.01, 0.1, 0.5, 2.0, 10.0):
        assert 0 < thinking_time(timeout) <= 0.7 * timeout
    assert 2.0 - thinking_time(2.0) > 0.5


@pytest.mark.parametrize("game", ["6x7x4g", "20x20x5g", "128x128x40g"])
def test_it_stops_at_its_deadline(game: str) -> None:
    """No stopwatch for speed: the time that it promises to keep is what is looked at."""
    asked = perf_counter()
    column_of(Board(parse_game(game)), 1.0)
    assert perf_counter() - asked < 1.0


def test_the_file_needs_nothing_and_ends_with_the_agent(tmp_path: Path) -> None:
    text = submission()
    assert text == Path(str(kaggle_submission.__file__)).read_text(encoding="utf-8")
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(text))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= set(sys.stdlib_module_names)
    names: dict[str, Any] = {}
    exec(compile(text, "submission.py", "exec"), names)  # as Kaggle does it
    assert [name for name, value in names.items() if callable(value)][-1] == "agent"
    assert (
        names["agent"](
            {"board": [0] * 6 + [1, 1, 0], "mark": 2}, {"columns": 3, "rows": 3, "inarow": 3, "actTimeout": 0.1}
        )
        == 2
    )
