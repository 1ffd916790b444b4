"""Threats, held against trying every move on the board of the rules."""

from random import Random

import pytest

from inarow import Board, Cell, Game, Seat
from inarow.engine.threats import MAX_FORCING, Threats, threats_of

FALLING = ((6, 7, 4), (5, 4, 3), (4, 4, 2), (2, 2, 1))
GAMES = (
    *(Game(3, 3, 3), Game(4, 5, 4), Game(1, 7, 3), Game(4, 4, 1), Game(4, 4, 2), Game(5, 6, 5), Game(3, 3, 4)),
    *(Game(*numbers, gravity=True) for numbers in FALLING),
)


class Stones:
    """The stones of a board, to which more are added in any order."""

    def __init__(self, board: Board) -> None:
        self.game = board.game
        self.owners = {cell: board.stone(cell) for cell in board.game.cells}

    def with_stone(self, cell: Cell, seat: Seat) -> "Stones":
        twin = object.__new__(Stones)
        twin.game, twin.owners = self.game, {**self.owners, cell: seat}
        return twin

    def has_line(self, seat: Seat) -> bool:
        return any(all(self.owners[cell] is seat for cell in line) for line in self.game.lines)

    def free(self) -> list[Cell]:
        return [cell for cell in self.game.cells if self.owners[cell] is None]

    def playable(self) -> list[Cell]:
        return [cell for cell in self.free() if not self.game.gravity or (cell[0] + 1, cell[1]) not in self.free()]

    def wins(self, seat: Seat, cells: list[Cell]) -> tuple[Cell, ...]:
        return tuple(cell for cell in cells if self.with_stone(cell, seat).has_line(seat))


def by_trying(board: Board, seat: Seat) -> Threats:
    stones = Stones(board)
    wins = stones.wins(seat, stones.playable())
    later = stones.wins(seat, [cell for cell in stones.free() if cell not in stones.playable()])
    forced = []
    for cell in stones.playable():
        if cell not in wins:
            after = stones.with_stone(cell, seat)
            if replies := tuple(reply for reply in after.wins(seat, after.playable()) if reply not in wins):
                forced.append((cell, replies))
    return Threats(wins, later, tuple(forced))


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_threats_are_those_that_trying_finds(game: Game, seed: int) -> None:
    random, board = Random(seed), Board(game)
    while not board.is_over:
        for seat in Seat:
            assert threats_of(board, seat) == by_trying(board, seat), repr(board)
        board.push(random.choice(board.legal_moves))
    assert threats_of(board, Seat.FIRST) == Threats((), (), ())


def test_large_boards_have_an_end() -> None:
    board = Board(Game(128, 128, 2))
    board.push((64, 64))
    assert len(threats_of(board, Seat.FIRST).wins) == 8
    assert len(threats_of(board, Seat.SECOND).forced) == MAX_FORCING
