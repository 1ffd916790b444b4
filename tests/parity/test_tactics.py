"""What the core says of single moves is what the definitions say, at every ply of random games."""

import pytest

from inarow import Board, Cell, Game, Line, Seat
from inarow._core import cell_reports, fork_cells
from inarow.engine import position_of
from tests.randoms import random_game
from tests.reference.evaluations import completes, is_alive, is_free, lines_through
from tests.reference.searches import playable
from tests.shapes import GAMES

SMALL = [game for game in GAMES if game.rows * game.columns <= 90]


def open_boards(game: Game, seed: int) -> list[Board]:
    every = 1 if game.rows * game.columns < 40 else 5
    return [board.copy() for board, _ in random_game(game, seed) if not board.is_over and board.ply % every == 0]


def stones_in(board: Board, line: Line, seat: Seat) -> int:
    return sum(board.stone(cell) is seat for cell in line)


def is_double_play(board: Board, cell: Cell, seat: Seat) -> bool:
    """As report 003 says: in a line with k−2 stones of the seat's alone, a stone on `cell` leaves two cells that win.

    Looked at are the line's other free cell, the cell before the line and the cell behind it.
    """
    k = board.game.k
    if k < 3:
        return False
    for line in lines_through(board.game)[cell]:
        if not is_alive(board, line, seat) or stones_in(board, line, seat) != k - 2:
            continue
        row_step, column_step = line[1][0] - line[0][0], line[1][1] - line[0][1]
        other = next(free for free in line if free != cell and is_free(board, free))
        before = line[0][0] - row_step, line[0][1] - column_step
        behind = line[-1][0] + row_step, line[-1][1] + column_step
        own = {stone for stone in line if board.stone(stone) is seat} | {cell}
        winning = {other}
        for end, rest in ((before, line[:-1]), (behind, line[1:])):
            if board.game.contains(end) and is_free(board, end) and set(rest) <= own:
                winning.add(end)
        if len(winning) >= 2:
            return True
    return False


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_cell_reports(game: Game) -> None:
    through = lines_through(game)
    for board in open_boards(game, seed=51):
        reports = cell_reports(position_of(board))
        assert [divmod(report.cell, game.columns) for report in reports] == sorted(playable(board))
        own, other = board.turn, board.turn.other
        for report in reports:
            cell = divmod(report.cell, game.columns)
            own_lines = [line for line in through[cell] if is_alive(board, line, own)]
            other_lines = [line for line in through[cell] if is_alive(board, line, other)]
            assert (report.wins, report.other_wins) == (completes(board, cell, own), completes(board, cell, other))
            assert (report.windows, report.other_windows) == (len(own_lines), len(other_lines))
            assert report.stones == sum(stones_in(board, line, own) for line in own_lines)
            assert report.other_stones == sum(stones_in(board, line, other) for line in other_lines)
            assert report.doubles == is_double_play(board, cell, own), (board, cell)
            assert report.other_doubles == is_double_play(board, cell, other), (board, cell)


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_fork_cells(game: Game) -> None:
    through = lines_through(game)
    for board in open_boards(game, seed=52):
        position = position_of(board)
        moves = sorted(playable(board))
        for seat in Seat:
            own = {cell for cell in game.cells if board.stone(cell) is seat}
            expected = []
            for move in moves:
                after = own | {move}
                cells = {cell for cell in moves if cell != move}
                if game.gravity and move[0] > 0:
                    cells.add((move[0] - 1, move[1]))
                winning = [cell for cell in cells if any(set(line) - after == {cell} for line in through[cell])]
                if len(winning) >= 2:
                    expected.append(move)
            assert [divmod(cell, game.columns) for cell in fork_cells(position, seat)] == expected, (board, seat)
