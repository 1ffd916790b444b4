"""The core's searches are the reports' searches: same value, same move, same number of nodes as a literal one."""

from itertools import product
from random import Random

import pytest

from inarow import Board, Game, StopFlag
from inarow._core import WON
from inarow.engine import cells_of
from tests.parity.recipes import player, searcher_at
from tests.randoms import random_board, random_game
from tests.reference.searches import deepening, fixed_depth, plain_minimax

NAMES = ("alphabeta", "telos", "cadrega", "markcello", "nisshoku")
GAMES = [
    Game(3, 3, 3), Game(4, 4, 3), Game(4, 5, 4), Game(5, 5, 4), Game(4, 4, 2), Game(3, 6, 5), Game(5, 3, 1),
    Game(4, 5, 4, gravity=True), Game(6, 7, 4, gravity=True), Game(5, 6, 3, gravity=True),
]  # fmt: skip


def positions(count: int) -> list[Board]:
    """Positions of random games that are not over, the games in turn."""
    random = Random(41)
    boards: list[Board] = []
    seed = 0
    while len(boards) < count:
        game = GAMES[len(boards) % len(GAMES)]
        seed += 1
        wanted = random.randrange(len(game.cells))
        found = [board.copy() for board, _ in random_game(game, seed, wanted)]
        board = found[-1] if found else Board(game)
        if not board.is_over:
            boards.append(board)
    return boards


POSITIONS = positions(20)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("board", POSITIONS, ids=repr)
def test_nodes_moves_and_scores_equal_a_literal_search(board: Board, name: str) -> None:
    for depth in (1, 2, 3, 4):
        if depth == 4 and len(board.legal_moves) > 12 and name == "alphabeta":
            continue  # a hundred thousand nodes in Python
        expected = fixed_depth(board, depth, name)
        found = searcher_at(name, board).fixed(depth, StopFlag())
        assert divmod(found.move, board.game.columns) == expected.move, (board, depth)
        assert (found.score, found.nodes) == (expected.score, expected.nodes), (board, depth)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("board", POSITIONS, ids=repr)
def test_scores_equal_plain_minimax(board: Board, name: str) -> None:
    """For every option on and off, from a fresh table."""
    depth = 3 if len(board.legal_moves) <= 5 else 2
    expected = {crossings: plain_minimax(board, depth, name, crossings=crossings) for crossings in (False, True)}
    for crossings, table, symmetric in product((False, True), (False, True), (False, True)):
        if crossings and name != "telos":
            continue
        core = searcher_at(name, board, crossings=crossings, table=table, symmetric=symmetric)
        assert core.fixed(depth, StopFlag()).score == expected[crossings], (board, crossings, table, symmetric)


@pytest.mark.parametrize("board", POSITIONS, ids=repr)
def test_a_table_saves_nodes_and_changes_nothing_else(board: Board) -> None:
    for name, depth in product(("telos", "nisshoku"), (3, 4, 5)):
        plain = searcher_at(name, board).deepen(StopFlag(), depth=depth)
        for symmetric in (False, True):
            found = searcher_at(name, board, table=True, symmetric=symmetric).deepen(StopFlag(), depth=depth)
            assert (found.score, found.depth) == (plain.score, plain.depth), (board, name, depth, symmetric)
            assert found.nodes <= plain.nodes


@pytest.mark.parametrize("board", POSITIONS, ids=repr)
def test_deepening_of_telos(board: Board) -> None:
    for depth in (1, 3):
        expected = deepening(board, depth, "telos")
        found = searcher_at("telos", board).deepen(StopFlag(), depth=depth)
        assert divmod(found.move, board.game.columns) == expected.move
        assert (found.score, found.nodes) == (expected.score, expected.nodes)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_nodes_give_the_same_search(name: str) -> None:
    for board in POSITIONS[:10]:
        for nodes in (1, 7, 100, 3000):
            results = [searcher_at(name, board).deepen(StopFlag(), nodes=nodes) for _ in range(2)]
            assert len({(r.move, r.score, r.depth, r.nodes) for r in results}) == 1
            assert results[0].nodes <= nodes
            assert board.is_legal(_move(board, results[0].move))


def _move(board: Board, cell: int) -> int | tuple[int, int]:
    row, column = divmod(cell, board.game.columns)
    return column if board.game.gravity else (row, column)


def test_a_forced_win_is_scored_by_its_distance() -> None:
    """Solved to the end, every search says the same: who wins, and when."""
    for board in POSITIONS:
        free = len(board.game.cells) - board.ply
        if free > 7:
            continue
        scores = {name: searcher_at(name, board).fixed(free, StopFlag()).score for name in ("alphabeta", "telos")}
        assert scores["alphabeta"] == scores["telos"]
        assert scores["telos"] == 0 or abs(scores["telos"]) > WON - 8


def test_the_kept_tree_is_taken_over_and_changes_nothing() -> None:
    board = Board(Game(6, 6, 4))
    keeping = player("cadrega", table=True).make_searcher(board.game)
    taken_over = 0
    opponent = player("markcello").make_searcher(board.game)
    while not board.is_over:
        keeping.set_moves(cells_of(board))
        kept = keeping.fixed(4, StopFlag())
        fresh = searcher_at("cadrega", board).fixed(4, StopFlag())
        assert (kept.move, kept.score, kept.nodes) == (fresh.move, fresh.score, fresh.nodes)
        taken_over += kept.memory_hits
        board.push(divmod(kept.move, 6))
        if not board.is_over:
            opponent.set_moves(cells_of(board))
            board.push(divmod(opponent.fixed(4, StopFlag()).move, 6))
    assert taken_over > 50


def test_a_full_tree_is_searched_all_the_same() -> None:
    board = POSITIONS[3]
    tiny = player("cadrega", table=True)
    tiny._options = type(tiny._options)(memory_mb=0)  # type: ignore[attr-defined]
    core = tiny.make_searcher(board.game)
    core.set_moves(cells_of(board))
    fresh = searcher_at("cadrega", board).fixed(4, StopFlag())
    found = core.fixed(4, StopFlag())
    assert (found.move, found.score, found.nodes, found.memory_hits) == (fresh.move, fresh.score, fresh.nodes, 0)


@pytest.mark.parametrize("board", POSITIONS, ids=repr)
def test_shares_with_a_large_budget_are_a_plain_search(board: Board) -> None:
    core = searcher_at("markcello", board)
    plain, shared = core.fixed(4, StopFlag()), core.shares(4, 10**9, StopFlag())
    assert (plain.move, plain.score, plain.nodes) == (shared.move, shared.score, shared.nodes)
    threaded = core.shares(4, 10**9, StopFlag(), threads=3)
    assert threaded.score == plain.score


def test_shares_use_the_budget() -> None:
    """All of it, give or take a fiftieth, unless the whole tree is smaller."""
    unfinished = 0
    for seed in range(8):
        board = random_board(Game(10, 10, 5), seed, plies=seed)
        core = searcher_at("markcello", board)
        budget = 20_000
        used = core.shares(8, budget, StopFlag()).nodes
        assert used <= budget * 1.02
        if core.fixed(8, StopFlag()).nodes > budget * 2:
            unfinished += 1
            assert used >= budget * 0.98, board
    assert unfinished >= 3
