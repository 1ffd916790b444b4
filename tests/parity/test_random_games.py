"""At every ply of seeded random games, the Python board and the core's position are the same game."""

from collections import Counter
from copy import copy
from random import Random

import pytest

from inarow import Board, Cell, Game, Line, Move, Seat
from inarow._core import EvaluatedPosition, Geometry, Position
from inarow.engine import cell_of, move_of, position_of
from inarow.engine.core import geometry_of
from tests.randoms import SEEDS, random_board, random_game
from tests.shapes import GAMES

BIG = 1000  # on boards with more cells, what takes long is looked at only now and then


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_ply_agrees(game: Game, seed: int) -> None:
    position = Position(geometry_of(game))
    is_big = game.rows * game.columns > BIG
    for board, _ in random_game(game, seed):
        assert board.last_cell is not None
        position.make(cell_of(game, board.last_cell))
        assert position.is_over == board.is_over
        assert position.turn == board.turn
        assert position.winner == (board.outcome.winner if board.outcome else None)
        if is_big and board.ply % 20 != 1:
            continue
        assert sorted(move_of(game, cell) for cell in position.legal_cells) == board.legal_moves
        assert {cell for cell in game.cells if board.stone(cell) is None} == {
            divmod(cell, game.columns) for cell in position.free_cells
        }
        assert position_of(board).keys == position.keys


@pytest.mark.parametrize("game", [game for game in GAMES if game.rows * game.columns <= BIG], ids=str)
def test_window_counts_equal_a_recount(game: Game) -> None:
    geometry = geometry_of(game)
    windows: list[list[Cell]] = [
        [divmod(cell, game.columns) for cell in geometry.window_cells(window)] for window in range(geometry.windows)
    ]
    assert Counter(map(tuple, windows)) == Counter(game.lines)
    for board, _ in random_game(game, seed=3, plies=40):
        counts = position_of(board).window_counts
        for line, counted in zip(windows, counts, strict=True):
            owners = [board.stone(cell) for cell in line]
            assert counted == (owners.count(Seat.FIRST), owners.count(Seat.SECOND))


@pytest.mark.parametrize("game", [game for game in GAMES if game.rows * game.columns <= BIG], ids=str)
def test_windows_through_a_cell(game: Game) -> None:
    geometry = geometry_of(game)
    through: dict[int, list[int]] = {cell: [] for cell in range(geometry.cells)}
    for window in range(geometry.windows):
        for cell in geometry.window_cells(window):
            through[cell].append(window)
    assert all(sorted(geometry.windows_through(cell)) == through[cell] for cell in through)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_unmake_restores_everything(game: Game) -> None:
    position = Position(geometry_of(game))

    def state() -> tuple[object, ...]:
        counts = position.window_counts if position.ply % 10 == 0 else None
        return position.keys, position.free_cells, position.legal_cells, position.winner, position.turn, counts

    states = []
    for board, _ in random_game(game, seed=4, plies=40):
        states.append(state())
        assert board.last_cell is not None
        position.make(cell_of(game, board.last_cell))
    for before in reversed(states):
        position.unmake()
        assert state() == before


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_symmetries_agree(game: Game) -> None:
    """The core numbers symmetries as Python does, and key s of a position is key 0 of its image under s."""
    geometry = geometry_of(game)
    assert geometry.symmetries == len(game.symmetries)
    board = random_board(game, seed=5, plies=30)
    position = position_of(board)
    for number, symmetry in enumerate(game.symmetries):
        image = board.image(symmetry)
        assert position_of(image).keys[0] == position.keys[number]
        assert position_of(image).canonical_key == position.canonical_key
        assert image.is_over == board.is_over
        for cell in Random(6).sample(game.cells, k=min(20, len(game.cells))):
            assert divmod(geometry.image(number, cell_of(game, cell)), game.columns) == symmetry.apply(game, cell)


@pytest.mark.parametrize("game", [game for game in GAMES if game.rows * game.columns <= 100], ids=str)
def test_winning_and_safe_cells_equal_trying_them(game: Game) -> None:
    lines_through: dict[Cell, list[Line]] = {cell: [] for cell in game.cells}
    for line in game.lines:
        for cell in line:
            lines_through[cell].append(line)

    def winning(board: Board, seat: Seat) -> set[Move]:
        """Moves to a cell that alone is missing in a line of the seat's stones."""
        landings = {move: board.landing(move) if isinstance(move, int) else move for move in board.legal_moves}
        return {
            move
            for move, landing in landings.items()
            if landing is not None
            and any(
                all(board.stone(cell) is seat for cell in line if cell != landing) for line in lines_through[landing]
            )
        }

    def safe(board: Board) -> set[Move]:
        moves = set()
        for move in board.legal_moves:
            board.push(move)
            if not winning(board, board.turn):
                moves.add(move)
            board.pop()
        return moves

    for board, _ in random_game(game, seed=7):
        position = position_of(board)
        for seat in Seat:
            assert {move_of(game, cell) for cell in position.winning_cells(seat)} == winning(board, seat)
        if not winning(board, board.turn):  # whoever can win need not ask what is safe
            assert {move_of(game, cell) for cell in position.safe_cells()} == safe(board)


@pytest.mark.parametrize("game", [game for game in GAMES if game.rows * game.columns <= BIG], ids=str)
def test_a_window_sum_equals_a_recount(game: Game) -> None:
    random = Random(8)
    values = [random.randrange(-1000, 1000) for _ in range((game.k + 1) ** 2)]
    position = Position(geometry_of(game))
    evaluated = EvaluatedPosition(position, values)

    def recount() -> int:
        return sum(values[first + (game.k + 1) * second] for first, second in position.window_counts)

    for board, _ in random_game(game, seed=9, plies=30):
        assert board.last_cell is not None
        for one in (position, evaluated):
            one.make(cell_of(game, board.last_cell))
        assert evaluated.value == recount()
        assert EvaluatedPosition(position, values).value == recount()
    while position.ply:
        position.unmake()
        evaluated.unmake()
        assert evaluated.value == recount()


def test_a_table_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="needs 16 values, one for each code of a window, not 15"):
        EvaluatedPosition(Position(geometry_of(Game(3, 3, 3))), [0] * 15)


def test_a_copy_goes_its_own_way() -> None:
    position = Position(geometry_of(Game(3, 3, 3)))
    twin = copy(position)
    twin.make(4)
    assert (position.ply, twin.ply) == (0, 1)
    assert position.keys != twin.keys


def test_keys_of_different_games_differ() -> None:
    keys = {position_of(Board(game)).keys[0] for game in GAMES}
    assert len(keys) == len(GAMES)


def test_the_core_refuses_what_is_illegal() -> None:
    position = Position(geometry_of(Game(3, 3, 3)))
    with pytest.raises(ValueError, match="no move to take back"):
        position.unmake()
    for cell in (-1, 9, 1000):
        with pytest.raises(ValueError, match="off the board"):
            position.make(cell)
    position.make(4)
    with pytest.raises(ValueError, match="cell 4 cannot be played now"):
        position.make(4)
    for rows, columns, k in ((0, 3, 3), (3, 129, 3), (3, 3, 0), (-1, 3, 3)):
        with pytest.raises(ValueError, match="must be 1 to 128"):
            Geometry(rows, columns, k)
    falling = Position(geometry_of(Game(3, 3, 3, gravity=True)))
    with pytest.raises(ValueError, match="cell 0 cannot be played now"):
        falling.make(0)


def test_the_random_games_reach_every_kind_of_end() -> None:
    """Otherwise the tests above would prove less than they seem to."""
    ends: Counter[object] = Counter()
    for game in GAMES:
        board = random_board(game, seed=1)
        is_large = game.rows * game.columns > 128
        ends[game.gravity, is_large, board.outcome.winner if board.outcome else "open"] += 1
    for gravity in (False, True):
        assert ends[gravity, True, Seat.FIRST] >= 3 and ends[gravity, True, Seat.SECOND] >= 3, ends
        assert ends[gravity, False, None] >= 3, ends
