"""The seed players: worked examples of the reports, limits, options."""

import threading
from pathlib import Path

import pytest

from inarow import (
    PLAYERS,
    Board,
    Choice,
    Game,
    Limit,
    Move,
    Seat,
    SpecError,
    ask,
    make_player,
    parse_picture,
    parse_position,
)
from inarow.engine import position_of
from inarow.game.book import Book
from inarow.players.cadrega import optimized_depth

SEARCHERS = ("cadrega", "telos", "markcello", "nisshoku", "deepening")
NODES = Limit(nodes=20_000)


def answer(spec: str, board: Board, limit: Limit = NODES) -> Choice:
    player = make_player(spec)
    player.start(board.game, board.turn, limit)
    choice = ask(player, board, limit)
    player.close()
    return choice


TRAP = parse_picture(Game(3, 3, 3), "X..\n.O.\n..X")


def test_the_trap_of_report_000() -> None:
    """The helpful cells are the corners, and both lose; cadrega's search sees it and plays an edge."""
    corners, edges = {(0, 2), (2, 0)}, {(0, 1), (1, 0), (1, 2), (2, 1)}
    assert answer("helpfulness", TRAP).move in corners
    for name in SEARCHERS:
        assert answer(name, TRAP).move in edges, name


@pytest.mark.parametrize("name", ["helpfulness", "greedy", "rules", *SEARCHERS])
def test_the_double_play_of_reports_002_and_003(name: str) -> None:
    """K = 4: two stones with room on both sides become three, which win in two ways; or they are stopped in time."""
    attack = parse_position("7x7x4:c4.a1.d4.g7")
    assert answer(name, attack).move in {(3, 1), (3, 4)}
    if name in ("helpfulness", "rules", *SEARCHERS):
        defence = parse_position("7x7x4:c4.a1.d4")
        board = defence.copy()
        board.push(answer(name, defence).move)
        assert not any(_is_open_three(board, cell) for cell in board.legal_moves), board


def _is_open_three(board: Board, move: Move) -> bool:
    board.push(move)
    position = position_of(board)
    forked = len(position.winning_cells(board.turn.other)) >= 2
    board.pop()
    return forked


def test_the_mirrored_position_of_report_001() -> None:
    """The best move of a mirrored position is the mirrored best move, whatever the table holds already."""
    board = parse_position("6x7x4g:d.e.d.e")
    mirrored = board.image(board.game.symmetries[1])
    player = make_player("telos:memory=on")
    player.start(board.game, board.turn, NODES)
    for limit in (Limit(depth=6), Limit(depth=7)):
        scores = {ask(player, one, limit).score for one in (board, mirrored)}
        assert len(scores) == 1
    assert position_of(board).canonical_key == position_of(mirrored).canonical_key


def test_the_symmetric_keys_of_report_004() -> None:
    """X in a corner and O on an edge: the eight images have eight keys in some order, and one in common."""
    board = parse_position("3x3x3:a1.b1")
    images = [board.image(symmetry) for symmetry in board.game.symmetries]
    assert len({position_of(image).keys[0] for image in images}) == 8
    assert len({position_of(image).canonical_key for image in images}) == 1
    assert len({frozenset(position_of(image).keys) for image in images}) == 1


def test_the_report_s_optimized_depth() -> None:
    assert optimized_depth(3, 9, 0) == 3
    assert optimized_depth(3, 5, 1e9) == 7 - 2, "the whole tree when the free cells run out: depth counts on to 5"
    assert optimized_depth(3, 100, 1_000_000) == 5
    assert optimized_depth(3, 4900, 1000) == 3
    assert optimized_depth(3, 1, 1e9) == 3


@pytest.mark.parametrize("name", [info.name for info in PLAYERS if info.name not in ("random", "quasi_random", "mcts")])
def test_a_node_limit_makes_a_player_deterministic(name: str) -> None:
    for board in (parse_position("10x10x5:e5.f6.e6"), parse_position("6x7x4g:d.d.e")):
        choices = [answer(name, board, Limit(nodes=5000)) for _ in range(2)]
        first, second = [(choice.move, choice.nodes, choice.depth, choice.score) for choice in choices]
        assert first == second
        assert choices[0].nodes <= 5000


@pytest.mark.parametrize(
    "spec", ["markcello", "markcello:threads=3", "cadrega", "telos:crossings=on", "nisshoku", "mcts"]
)
@pytest.mark.parametrize("nodes", [1, 10, 1000])
def test_a_node_limit_is_kept(spec: str, nodes: int) -> None:
    choice = answer(spec, parse_position("10x10x5:e5.e6.f5"), Limit(nodes=nodes))
    assert 0 <= choice.nodes <= max(nodes, 3 if "threads" in spec else 1)


def test_mcts_with_a_seed_is_deterministic() -> None:
    board = parse_position("6x7x4g:d.d.e")
    assert len({answer("mcts:seed=5", board, Limit(nodes=2000)).move for _ in range(3)}) == 1
    assert answer("mcts:seed=5", board, Limit(nodes=2000)).nodes == 2000


@pytest.mark.parametrize("name", [info.name for info in PLAYERS if info.name != "random"])
def test_every_player_takes_a_win_and_stops_one(name: str) -> None:
    wins: dict[str, set[Move]] = {
        "3x3x3:a1.b1.a2.b2": {(2, 0)},
        "6x7x4g:a.b.a.b.a.b": {0},
        "10x10x5:a1.a2.b1.b2.c1.c2.d1.d2": {(0, 4)},
    }
    blocks: dict[str, set[Move]] = {
        "3x3x3:a1.b1.a2": {(2, 0)},
        "6x7x4g:d.a.d.a.d": {3},
        "10x10x5:a1.a10.b1.j1.c1.j9.d1": {(0, 4)},
    }
    for position, moves in (wins | blocks).items():
        if name == "greedy" and position in blocks:
            continue  # a win and a block may be worth the same to it
        assert answer(name, parse_position(position)).move in moves, position


@pytest.mark.parametrize("name", SEARCHERS)
def test_a_proven_win_is_found_and_named(name: str) -> None:
    choice = answer(name, parse_position("6x7x4g:d.a.e.a.c"), Limit(nodes=50_000))
    assert choice.score is not None and choice.score < 0, "the opponent wins on b or f"


@pytest.mark.parametrize("name", [*SEARCHERS, "mcts"])
def test_stop_ends_a_search_without_a_limit(name: str) -> None:
    player = make_player(name)
    board = Board(Game(15, 15, 5))
    board.push((7, 7))
    board.push((7, 8))
    limit = Limit(nodes=10**15) if name in ("markcello", "mcts") else Limit(depth=100)
    player.start(board.game, Seat.FIRST, limit)
    choices: list[Choice] = []
    thread = threading.Thread(target=lambda: choices.append(ask(player, board, limit)))
    thread.start()
    while thread.is_alive():
        player.stop()
        thread.join(timeout=0.05)
    assert board.is_legal(choices[0].move)


def test_a_player_goes_from_game_to_game() -> None:
    for name in SEARCHERS:
        player = make_player(name)
        for game in (Game(5, 5, 4), Game(6, 7, 4, gravity=True), Game(5, 5, 4)):
            board = Board(game)
            player.start(game, Seat.FIRST, Limit(nodes=500))
            while not board.is_over and board.ply < 6:
                board.push(ask(player, board, Limit(nodes=500)).move)
        other = Board(Game(4, 4, 3))
        assert other.is_legal(ask(player, other, Limit(nodes=500)).move), "without a start"


def test_a_book_is_used_also_for_mirror_images(tmp_path: Path) -> None:
    game = Game(6, 7, 4, gravity=True)
    file = tmp_path / "book"
    book = Book(game)
    book.add(parse_position("6x7x4g:a"), 6, score=1, depth=2)
    book.write(file)
    spec = f"telos:book={file}"
    assert answer(spec, parse_position("6x7x4g:a")).move == 6
    assert answer(spec, parse_position("6x7x4g:g")).move == 0
    with pytest.raises(SpecError, match="is for 6x7x4g, not for 6x7x4"):
        answer(spec, Board(Game(6, 7, 4)))
