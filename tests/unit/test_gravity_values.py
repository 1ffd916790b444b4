"""What positions with gravity are worth without a search."""

from collections.abc import Iterator
from random import Random

import pytest

from inarow import Board, Game, Seat, solve
from inarow._core import DropValues, Engine, EngineWeights
from inarow.engine import cells_of, geometry_of
from inarow.engine.weights import DROP_NUMBERS, get_numbers, set_numbers, weights_for

SMALL_MB = 1


def random_game(game: Game, random: Random) -> Board:
    board = Board(game)
    while not board.is_over:
        board.push(random.choice(board.legal_moves))
    return board


@pytest.mark.parametrize(
    "game", [Game(6, 7, 4, gravity=True), Game(9, 8, 6, gravity=True), Game(20, 21, 18, gravity=True)]
)
def test_a_games_values_are_those_of_its_positions(game: Game) -> None:
    random = Random(1)
    games = [cells_of(random_game(game, random)) for _ in range(3)]
    weights = weights_for(game)
    engine = Engine(geometry_of(game), memory_mb=SMALL_MB, weights=weights)
    values = DropValues(geometry_of(game), games)
    one_by_one = [engine.value(cells[:ply]) for cells in games for ply in range(len(cells))]
    assert values.with_weights(weights) == one_by_one
    assert len(values.are_evaluated()) == len(one_by_one)


def test_what_is_no_game_has_no_values() -> None:
    with pytest.raises(ValueError, match="cannot be played"):
        DropValues(geometry_of(Game(6, 7, 4, gravity=True)), [[0]])
    with pytest.raises(ValueError, match="gravity"):
        DropValues(geometry_of(Game(6, 7, 4)), [])


def only_threats_are_left(board: Board) -> bool:
    """Whether every line that somebody can fill lacks one stone, which cannot be put yet; and there is such a line."""
    playable = {board.landing(column) for column in range(board.game.columns)}
    found = False
    for line in board.game.lines:
        stones = [board.stone(cell) for cell in line]
        if Seat.FIRST in stones and Seat.SECOND in stones:
            continue
        if stones.count(None) != 1 or line[stones.index(None)] in playable:
            return False
        found = True
    return found


def positions_with_only_threats(game: Game, count: int) -> Iterator[Board]:
    random = Random(1)
    while count > 0:
        board = random_game(game, random)
        while board.ply > game.rows * game.columns // 2:
            board.pop()
            if not board.is_over and only_threats_are_left(board):
                yield board
                count -= 1
                break


def test_who_wins_by_zugzwang_is_right_where_no_more_threats_can_come() -> None:
    game = Game(7, 7, 5, gravity=True)
    weights = EngineWeights.handmade()
    for name in DROP_NUMBERS:
        set_numbers(weights, f"drop.{name}", [0] * len(get_numbers(weights, f"drop.{name}")))
    weights.drop.zugzwang = 1000
    engine = Engine(geometry_of(game), memory_mb=SMALL_MB, weights=weights)
    seen = set()
    for board in positions_with_only_threats(game, 100):
        value = {1000: "win", 0: "draw", -1000: "loss"}[engine.value(cells_of(board))]
        assert value == solve(board).value, board
        seen.add(value)
    assert seen == {"win", "draw", "loss"}
