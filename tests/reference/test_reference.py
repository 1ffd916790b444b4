"""The reference itself, on positions small enough to count by hand."""

from collections.abc import Callable

import pytest

from inarow.game import Board, Cell, Game, Seat, parse_picture
from tests.randoms import random_game
from tests.reference.evaluations import (
    DOUBLE_PLAY,
    GAME_END,
    LARGEST,
    LARGEST_LINE,
    MOVERS,
    OTHERS,
    WON,
    cadrega_value,
    chain_figure,
    chains,
    completes,
    helpfulness,
    lines_through,
    markcello_cell,
    markcello_order,
    markcello_value,
    nisshoku_value,
    stone_check,
    telos_line,
    telos_value,
)
from tests.reference.searches import (
    PLAYERS,
    Settings,
    candidates,
    deepening,
    fixed_depth,
    plain_minimax,
    telos_order,
)

X, O = Seat  # noqa: E741
RIGHT = (0, 1)


def position(k: int, picture: str, gravity: bool = False) -> Board:
    """Rows separated by blanks, the game's size being the picture's."""
    rows = picture.split()
    return parse_picture(Game(len(rows), len(rows[0]), k, gravity), picture.replace(" ", "\n"))


def row_position(k: int, row: str) -> Board:
    """The row on top; below it as many lonely O's as the count of stones needs."""
    missing = row.count("X") - row.count("O")
    picture = [row, "." * len(row)]
    while missing > 0:
        stones = min(missing, (len(row) + 1) // 2)
        picture += ["".join("O" if c % 2 == 0 and c < 2 * stones else "." for c in range(len(row))), "." * len(row)]
        missing -= stones
    return position(k, " ".join(picture))


TRAP = "X.. .O. ..X"  # report 000: O moves, and the two free corners look best although they lose
FORK = "..XX.. ...... O....O"  # reports 002 and 003, k = 4: X doubles on either side of its two stones


# --- telos ---


def test_telos() -> None:
    trap = position(3, TRAP)
    assert trap.turn is O
    assert telos_value(trap) == 3 * 2 - 4 * 2 + (1 - 2)
    assert telos_value(trap, crossings=True) == 2 * (3 * 2) - 2 * (4 * 2) + (1 - 2)
    assert telos_value(Board(Game(3, 3, 3))) == 0


def test_only_lines_of_one_owner_in_two_directions_cross() -> None:
    assert telos_value(position(3, "X....")) == telos_value(position(3, "X...."), crossings=True) == -2
    assert telos_value(position(3, ".X. .O. ...")) == 2 - 3 * 2
    assert telos_value(position(3, ".X. .O. ..."), crossings=True) == 2 - 2 * (3 * 2)
    on_a_free_cell = position(3, ".X. XO. ..O")
    assert telos_value(on_a_free_cell) == 2 * 2 - (3 * 2 + 2 * 2**2)
    assert telos_value(on_a_free_cell, crossings=True) == 2 * (2 * 2) - 2 * (3 * 2 + 2 * 2**2)


def test_telos_saturates() -> None:
    rows = ["X" * 36 + "." * 28, *["O." * 18 + "." * 28] * 2]
    board = position(40, " ".join(rows))
    assert telos_line(board, board.game.lines[10]) == LARGEST_LINE < 26 * 2**26
    assert telos_line(board, board.game.lines[11]) == 25 * 2**25 < LARGEST_LINE
    assert telos_value(board) == LARGEST
    board.push((2, 63))
    assert telos_value(board) == -LARGEST


# --- helpfulness and cadrega ---


def test_helpfulness_of_the_trap() -> None:
    trap = position(3, TRAP)
    both = {cell: helpfulness(trap, cell, X) + helpfulness(trap, cell, O) for cell in candidates_of(trap, "alphabeta")}
    assert both == {(0, 1): 4, (0, 2): 6, (1, 0): 4, (1, 2): 4, (2, 0): 6, (2, 1): 4}
    assert helpfulness(trap, (0, 2), X) == 4
    assert cadrega_value(trap) == -2 * 2


def test_helpfulness_counts_each_line_and_stone() -> None:
    board = position(3, "XX... ..... O.O..")
    assert len(lines_through(board.game)[2, 1]) == 2 + 1 + 1 + 0
    assert helpfulness(board, (0, 2), X) == (1 + 2) + (1 + 1) + 1 + 1  # its row's three lines; a diagonal
    assert helpfulness(board, (2, 1), O) == (1 + 2) + (1 + 1) + 1


def test_completes() -> None:
    board = position(4, "XX.X. ..... O.O.O")
    assert completes(board, (0, 2), X)
    assert not completes(board, (0, 2), O)
    assert not completes(board, (0, 4), X)
    assert completes(Board(Game(2, 2, 1)), (0, 0), O)
    assert not completes(Board(Game(2, 2, 3)), (0, 0), O)


# --- markcello ---


def test_markcello_sums_windows_and_stones() -> None:
    board = position(4, FORK)
    assert [markcello_cell(board, (1, column), X) for column in range(6)] == [1, 2, 3, 3, 2, 1]
    assert markcello_cell(board, (0, 0), X) == 1 + 10 * 2  # one window: no double play
    assert markcello_cell(board, (0, 0), O) == 0
    assert markcello_cell(board, (2, 2), O) == 3 + 10 * 2
    assert markcello_cell(position(4, "..X..."), (0, 1), X) == 2 + 10  # in both windows, but one stone
    assert markcello_value(board) == (2 * DOUBLE_PLAY + 2 * 21 + 12 + 4) - (12 + 12 + 23 + 23 + 12)


def test_markcello_special_values() -> None:
    fork = position(4, FORK)
    assert [markcello_cell(fork, (0, column), X) for column in (1, 4)] == [DOUBLE_PLAY] * 2
    two_directions = position(3, "..X .O. X..")
    assert markcello_cell(two_directions, (0, 0), X) == DOUBLE_PLAY
    assert markcello_cell(two_directions, (0, 0), O) == 1 + 10
    the_larger_wins = position(3, "..... ..... .X... ..X.O O.X.O")
    assert markcello_cell(the_larger_wins, (2, 2), X) == GAME_END
    assert markcello_cell(position(4, "XX.XO ..... O.O.."), (0, 2), X) == GAME_END


def test_markcello_is_drawn_without_a_living_line() -> None:
    assert markcello_value(position(3, "XOX OO. XX.")) == GAME_END - (GAME_END + 1 + 10)
    assert markcello_value(position(3, "XOX XOO OX.")) == 0
    assert markcello_value(position(4, "X.. ... ...")) == 0


def test_markcello_order() -> None:
    assert markcello_order(position(4, FORK), (0, 1)) == 2 * DOUBLE_PLAY + 5
    assert markcello_order(position(4, "..OO.. ...... X....X"), (0, 1)) == DOUBLE_PLAY + 5
    assert markcello_order(position(4, FORK), (1, 1)) == 2 + 2 + 5 * 2


# --- nisshoku ---


@pytest.mark.parametrize(
    ("k", "row", "expected", "figure"),
    [
        (4, "..XX....", [[2, 3]], MOVERS.short_open),
        (4, "XX......", [[0, 1]], MOVERS.short_half),  # the edge
        (4, "......XX", [[6, 7]], MOVERS.short_half),
        (4, ".XXX....", [[1, 2, 3]], MOVERS.long_open),
        (4, "OXXX....", [[1, 2, 3]], MOVERS.long_half),
        (4, ".X......", [[1]], 0),
        (3, ".X......", [[1]], MOVERS.short_open),
        (2, ".X......", [[1]], MOVERS.long_open),
        (4, ".X.XX...", [[1, 3, 4]], MOVERS.long_half),  # a gap
        (4, ".X..X...", [[1], [4]], 0),
        (4, ".XOX....", [[1], [3]], 0),
        (4, "OXXO....", [[1, 2]], 0),  # blocked on both sides
        (4, "OXX.O...", [[1, 2]], 0),
        (4, "OXX..O..", [[1, 2]], MOVERS.short_half),
        (4, "OX.XXO..", [[1, 3, 4]], MOVERS.long_half),
        (5, "..XX.XX.", [[2, 3, 5, 6]], MOVERS.long_half),
        (4, "..XX.XX.", [[2, 3, 5, 6]], MOVERS.long_half),
        (4, ".X.X.X..", [[1, 3], [3, 5]], 2 * MOVERS.short_half),
        (4, ".X.XXX..", [[1], [3, 4, 5]], MOVERS.long_open),  # the open chain needs no gap
        (4, "X.XXX.X.", [[0], [2, 3, 4], [6]], MOVERS.long_open),
        (5, ".XXX.XX.", [[1, 2, 3, 5, 6]], MOVERS.long_half),
        (5, ".X.XX.X.", [[1, 3, 4], [3, 4, 6]], 2 * MOVERS.short_half),
        (3, ".XX.XX", [[1, 2], [4, 5]], MOVERS.long_open + MOVERS.long_half),
        (3, "XX.XX.", [[0, 1], [3, 4]], MOVERS.long_open + MOVERS.long_half),
    ],
)
def test_chains(k: int, row: str, expected: list[list[int]], figure: int) -> None:
    board = row_position(k, row)
    found = chains(board, X, RIGHT)
    assert [[column for _, column in chain.stones] for chain in found] == expected
    assert sum(chain_figure(board, chain, RIGHT, MOVERS) for chain in found) == figure


def test_chains_run_in_every_direction() -> None:
    board = position(4, ".O..X ..OX. ..X.. ..O..")
    assert [chain.stones for chain in chains(board, X, (1, -1))] == [((0, 4), (1, 3), (2, 2))]
    assert [len(chain.stones) for chain in chains(board, X, (1, 0))] == [1, 1, 1]
    assert [chain.stones for chain in chains(board, O, (1, 0))] == [((0, 1),), ((1, 2),), ((3, 2),)]
    assert [chain.stones for chain in chains(board, O, (1, 1))] == [((0, 1), (1, 2)), ((3, 2),)]


def test_check() -> None:
    board = position(4, "XX.O...")
    assert [stone_check(board, (0, column), RIGHT) for column in (0, 1, 3)] == [0, 0, -1 + 2]
    assert stone_check(board, (0, 3), (1, 0)) == 0
    roomy = row_position(4, ".XX.X.")
    assert [stone_check(roomy, (0, column), RIGHT) for column in (1, 2, 4)] == [2 + 2, 2 + 2, 2 + 2]
    assert stone_check(row_position(4, "O.XX.O.."), (0, 2), RIGHT) == -1 + 1 - 1 + 2  # just room enough
    assert stone_check(row_position(4, "X...O..X"), (0, 0), RIGHT) == 2  # the opponent is too far to be met
    cramped = position(4, "XX. ..O")
    assert stone_check(cramped, (0, 0), RIGHT) == 0  # company, but no room
    assert stone_check(cramped, (0, 1), (1, 1)) == -1


def test_nisshoku() -> None:
    board = position(4, "..XX.OO..")
    assert board.turn is X
    assert nisshoku_value(board) == 150 * (MOVERS.short_open - OTHERS.short_open) + (2 + 2) - (2 + 2)
    assert nisshoku_value(position(4, "XX.O...")) == 1


# --- orders and searches ---


def candidates_of(board: Board, player: str, at_root: bool = False, q: int = 7) -> list[Cell]:
    return candidates(board, player, Settings(q=q), at_root)


def test_telos_order() -> None:
    empty = Board(Game(1, 5, 3))
    assert candidates_of(empty, "telos") == [(0, column) for column in (2, 1, 3, 0, 4)]
    assert candidates_of(position(3, "OO. XX. ..."), "telos")[:2] == [(1, 2), (0, 2)]
    assert telos_order(position(3, "OO. XX. ..."), (1, 2), crossings=False) == WON
    assert telos_order(position(3, "X.O"), (0, 1), crossings=False) == 1


def test_cadrega_candidates() -> None:
    assert candidates_of(position(3, "OO. XX. ..."), "cadrega") == [(1, 2)]
    assert candidates_of(position(3, "OO. X.. ..X"), "cadrega") == [(0, 2)]
    assert candidates_of(position(3, TRAP), "cadrega") == [(0, 2), (2, 0), (0, 1), (1, 0), (1, 2), (2, 1)]
    hanging = position(4, "..... XXX.. OXO.O", gravity=True)  # X would win on (1, 3), where no stone can land yet
    assert completes(hanging, (1, 3), X)
    assert candidates_of(hanging, "cadrega") == [(0, 1), (0, 2), (1, 4), (0, 0), (2, 3)]


def test_markcello_candidates() -> None:
    assert candidates_of(position(4, FORK), "markcello", q=1) == [(0, 1)]
    assert candidates_of(position(4, FORK), "markcello", at_root=True, q=1) == [(0, 1), (0, 4), (2, 2)]


def test_nisshoku_candidates() -> None:
    assert candidates_of(Board(Game(2, 2, 2)), "nisshoku") == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert candidates_of(position(3, "X... .... ...."), "nisshoku") == [(0, 1), (1, 0), (1, 1)]
    assert candidates_of(position(3, "... ... X..", gravity=True), "nisshoku") == [(1, 0), (2, 1)]


def test_fixed_depth_by_hand() -> None:
    """1×3, two in a row. Left leads to a draw (5 nodes), the middle wins (5), right is cut as not better (3)."""
    board = Board(Game(1, 3, 2))
    assert fixed_depth(board, 3, "alphabeta") == ((0, 1), WON - 3, 1 + 5 + 5 + 3)
    assert plain_minimax(board, 3, "alphabeta") == WON - 3
    assert fixed_depth(position(3, "XX. OO. ..."), 2, "cadrega") == ((0, 2), WON - 1, 2)
    assert fixed_depth(position(3, "XX. XO. .O."), 4, "alphabeta")[:2] == ((0, 2), -(WON - 2))


def test_deepening_stops() -> None:
    board = Board(Game(1, 3, 2))
    nodes = [fixed_depth(board, depth, "telos").nodes for depth in (1, 2, 3)]
    assert deepening(board, 2, "telos").nodes == sum(nodes[:2])
    assert deepening(board, 9, "telos") == ((0, 1), WON - 3, sum(nodes))
    assert deepening(position(3, "XX. OO. ..."), 9, "deepening") == ((0, 2), WON - 1, 1 + 5)
    assert deepening(position(4, "XOX OXO X.."), 9, "alphabeta") == ((2, 1), 0, (1 + 2) + (1 + 2 + 2))


SIDES_AND_K = [(3, 3, 3), (3, 4, 3), (4, 4, 3), (2, 9, 3), (3, 3, 4), (1, 7, 2), (5, 4, 4)]
SHAPES = [Game(*sides_and_k, gravity) for gravity in (False, True) for sides_and_k in SIDES_AND_K]
SHAPES += [Game(5, 5, 4, gravity=True)]


def open_boards(game: Game) -> list[Board]:
    """A late position of each of two seeded random games, so that the trees are small."""
    boards: list[Board] = []
    for seed in (1, 2):
        positions = [board.copy() for board, _ in random_game(game, seed) if not board.is_over]
        boards.append(next((board for board in positions if free(board) <= 6), positions[-1]))
    return boards


def free(board: Board) -> int:
    return board.game.rows * board.game.columns - board.ply


@pytest.mark.parametrize("game", SHAPES, ids=str)
def test_cuts_change_no_value(game: Game) -> None:
    for board in open_boards(game):
        key = board.key
        for player in PLAYERS[1:]:  # `alphabeta` is `deepening` at a fixed depth
            for depth in (2, 3) if free(board) <= 7 else (2,):
                result = fixed_depth(board, depth, player, q=2)
                assert result.score == plain_minimax(board, depth, player, q=2), (board, player, depth)
        assert board.key == key


@pytest.mark.parametrize("game", SHAPES, ids=str)
def test_the_table_changes_neither_move_nor_score(game: Game) -> None:
    for board in open_boards(game):
        depth = 4 if free(board) <= 7 else 2
        for crossings in (False, True):
            plain = fixed_depth(board, depth, "telos", crossings=crossings)
            for symmetric in (False, True):
                found = fixed_depth(board, depth, "telos", crossings=crossings, table=True, symmetric=symmetric)
                assert found[:2] == plain[:2]
        for symmetric in (False, True):
            found = fixed_depth(board, depth, "nisshoku", table=True, symmetric=symmetric)
            assert found[:2] == fixed_depth(board, depth, "nisshoku")[:2]


def test_the_table_keeps_bounds_apart_from_values() -> None:
    board = position(3, "..X .O. X..")  # found by trying: to take a bound for a value is to see a win here
    found = fixed_depth(board, 5, "nisshoku", table=True, symmetric=False)
    assert found[:2] == fixed_depth(board, 5, "nisshoku")[:2]
    assert found.score == plain_minimax(board, 5, "nisshoku")


def test_the_table_saves_nodes() -> None:
    board = position(3, "... .X. O..")
    nodes = [
        fixed_depth(board, 4, "telos", **options).nodes
        for options in ({}, {"table": True, "symmetric": False}, {"table": True})
    ]
    assert nodes[0] > nodes[1] > nodes[2]


@pytest.mark.parametrize("game", SHAPES, ids=str)
@pytest.mark.parametrize("value", [telos_value, cadrega_value, markcello_value, nisshoku_value])
def test_images_have_the_same_value(value: Callable[[Board], int], game: Game) -> None:
    for board in open_boards(game):
        assert {value(board.image(symmetry)) for symmetry in game.symmetries} == {value(board)}
