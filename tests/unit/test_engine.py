"""The engine as Python sees it: what it chooses, says and keeps to."""

import os
import signal
import subprocess
import sys
import threading
import time
from random import Random
from typing import Any

import pytest

from inarow import _core
from inarow.engine import Engine, Report, StopFlag, Variation, cells_of, geometry_of
from inarow.engine.knowledge import Knowledge
from inarow.errors import IllegalMove, InarowError, SpecError
from inarow.game import Board, Game, Limit, Move, Seat, parse_position
from inarow.solver import solve
from inarow.solver.free import FreeSolver
from tests.reference.solving import solved

SMALL_MB = 8

WINS = [
    ("3x3x3:a1.b2.a2", None, "a block"),
    ("15x15x5:h8.a1.h9.c1.h10.e1.h11.g1", 1, "a fifth stone"),
    ("15x15x5:h8.a1.h9.c1.h10.e1", 3, "an open three becomes an open four"),
    ("6x7x4g:d.a.d.a.d.g", 1, "a fourth stone on top"),
    ("6x7x4g:d.d.e.e", 3, "an open three on the ground"),
]


@pytest.mark.parametrize(("position", "plies", "why"), WINS)
def test_it_sees_what_is_forced(position: str, plies: int | None, why: str) -> None:
    best = Engine(memory_mb=SMALL_MB, solver=False).search(parse_position(position), Limit(depth=6)).best
    assert best.plies == plies and best.value == ("undecided" if plies is None else "win"), why


@pytest.mark.parametrize("game", ["1x1x1", "1x1x1g", "1x9x3", "9x1x3g", "4x4x9", "128x128x5", "128x128x128g", "2x2x3"])
def test_it_moves_on_every_board(game: str) -> None:
    board = parse_position(game)
    engine = Engine(memory_mb=SMALL_MB)
    for _ in range(4):
        if board.is_over:
            break
        board.push(engine.choose(board, Limit(seconds=0.05)))


def test_a_game_that_is_over_is_refused() -> None:
    with pytest.raises(IllegalMove, match="over"):
        Engine(memory_mb=SMALL_MB).choose(parse_position("3x3x3:a1.a2.b1.b2.c1"), Limit(nodes=10))


@pytest.mark.parametrize("game", [Game(15, 15, 5), Game(6, 7, 4, gravity=True), Game(9, 9, 4, gravity=True)])
def test_nodes_and_depth_make_it_deterministic(game: Game) -> None:
    rng = Random(7)
    board = Board(game)
    for _ in range(6):
        board.push(rng.choice(board.legal_moves))
    for limit in (Limit(nodes=20_000), Limit(depth=7)):
        first, second = (Engine(memory_mb=SMALL_MB).search(board, limit) for _ in range(2))
        assert (first.best, first.nodes) == (second.best, second.nodes)
        assert limit.nodes is None or first.nodes <= limit.nodes


def test_a_heuristic_can_be_switched_off() -> None:
    board, limit = parse_position("15x15x5:h8.i9.h9.g7"), Limit(depth=8)
    usual, barer = Engine(memory_mb=SMALL_MB), Engine(memory_mb=SMALL_MB, without=["null_move", "reductions"])
    assert barer.search(board, limit).nodes > usual.search(board, limit).nodes


def test_an_analysis_reports_deeper_and_deeper_and_several_lines() -> None:
    board = parse_position("15x15x5:h8.i9.h9")
    reports = list(Engine(memory_mb=SMALL_MB).analyse(board, Limit(depth=6), lines=3))
    assert [report.depth for report in reports] == sorted(report.depth for report in reports)
    last = reports[-1]
    assert last.depth == 6 and len(last.variations) == 3
    assert len({variation.move for variation in last.variations}) == 3
    scores = [variation.score for variation in last.variations]
    assert scores == sorted(scores, reverse=True)
    for variation in last.variations:
        after = board.copy()
        for move in variation.moves:
            after.push(move)  # all legal


@pytest.mark.parametrize("game", [Game(4, 4, 3), Game(4, 4, 3, True), Game(3, 5, 4, True), Game(3, 3, 3)])
def test_an_analysis_of_every_move_says_what_each_is_worth(game: Game) -> None:
    rng, truth = Random(8), solved(game)
    for plies in (2, 4, 5):
        board = Board(game)
        while board.ply < plies and not board.is_over:
            board.push(rng.choice(board.legal_moves))
        if board.is_over:
            continue
        engine, moves = Engine(memory_mb=SMALL_MB), board.legal_moves
        *_, last = engine.analyse(board, Limit(seconds=1), lines=len(moves))
        worths = {move: truth.worth_of_move(board, move) for move in moves}
        chances = {move: 0.5 if worth == 0 else float(worth > 0) for move, worth in worths.items()}
        assert {each.move: each.win_probability for each in last.variations} == chances
        assert [each.win_probability for each in last.variations] == sorted(chances.values(), reverse=True)
        *_, one = engine.analyse(board, Limit(seconds=1), lines=2)
        assert one.best.win_probability == max(chances.values()) and len(one.variations) == 2


def test_what_the_file_of_opening_values_knows_stands_in_an_analysis_without_a_clock() -> None:
    board = Board(Game(6, 7, 4, gravity=True))
    *_, last = Engine(memory_mb=SMALL_MB).analyse(board, Limit(depth=2), lines=7)
    assert [each.words for each in last.variations] == ["win", "draw", "draw", "loss", "loss", "loss", "loss"]
    assert last.best.move == 3 and last.depth == 2
    endless = Engine(memory_mb=SMALL_MB).analyse(board)
    assert next(endless).best.value == "win"
    endless.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("position", ["9x9x5:e5.f6.d4", "15x15x5:h8.i9.h9", "6x7x4g:d.d", "6x7x4g:d.d.e.e.a.a.g.g"])
def test_wherever_a_limit_ends_it_each_line_is_of_another_move(position: str) -> None:
    board = parse_position(position)
    for nodes in range(40, 2000, 67):
        *_, last = Engine(memory_mb=SMALL_MB, solver=False).analyse(board, Limit(nodes=nodes), lines=3)
        assert len({variation.move for variation in last.variations}) == len(last.variations)
        assert len(last.variations) == 3 or last.depth <= 1
        for variation in last.variations:
            after = board.copy()
            for move in variation.moves:
                after.push(move)  # all legal


@pytest.mark.parametrize("game", [Game(15, 15, 5), Game(40, 40, 5), Game(20, 21, 6), Game(3, 3, 3)])
def test_it_begins_in_the_centre(game: Game) -> None:
    move = Engine(memory_mb=SMALL_MB, solver=False).choose(Board(game), Limit(nodes=1))
    assert isinstance(move, tuple)
    assert abs(2 * move[0] + 1 - game.rows) <= 1 and abs(2 * move[1] + 1 - game.columns) <= 1


def test_leaving_an_analysis_ends_it_at_once() -> None:
    engine = Engine(memory_mb=SMALL_MB)
    reports = engine.analyse(parse_position("15x15x5:h8.i9.h9"))
    assert isinstance(next(reports), Report)
    begin = time.perf_counter()
    reports.close()  # type: ignore[attr-defined]
    assert time.perf_counter() - begin < 1
    assert engine.choose(parse_position("15x15x5:h8"), Limit(nodes=500)), "and it can be asked again"


def test_another_question_ends_an_analysis_that_is_open() -> None:
    engine, board, other = (
        Engine(memory_mb=SMALL_MB),
        parse_position("15x15x5:h8.i9"),
        parse_position("15x15x5:h1.i1.i4"),
    )
    reports = engine.analyse(board)
    next(reports)
    for _ in range(5):
        assert engine.choose(other, Limit(seconds=0.02)) in other.legal_moves
    assert list(reports) == []
    pairs = zip(engine.analyse(board, Limit(seconds=0.3)), engine.analyse(other, Limit(seconds=0.3)), strict=False)
    assert list(pairs) == [], "the second has ended the first before it began"
    reports = engine.analyse(board)
    next(reports)
    engine.ponder(other)
    assert list(reports) == []
    engine.forget()
    assert engine.choose(parse_position("6x7x4g:d.d"), Limit(seconds=0.05)) in range(7)


def test_an_analysis_is_of_the_board_as_it_was() -> None:
    board = parse_position("9x9x5:e5.d4")
    reports = Engine(memory_mb=SMALL_MB).analyse(board, Limit(nodes=500))
    board.push((0, 0))
    for report in reports:
        assert report.variations[0].moves[0] in parse_position("9x9x5:e5.d4").legal_moves
    over = parse_position("3x3x3:a1.a2.b1.b2.c1")
    with pytest.raises(IllegalMove):
        Engine(memory_mb=SMALL_MB).analyse(over)


OPEN_TO_THE_END = """
from inarow.engine import Engine
from inarow.game import parse_position
board = parse_position("15x15x5:h8.i9")
reports = Engine(memory_mb=8).analyse(board)
next(reports)
pondering = Engine(memory_mb=8)
pondering.ponder(board)
raise SystemExit(3)
"""


def test_a_process_may_end_while_the_engine_is_at_work() -> None:
    ended = subprocess.run([sys.executable, "-c", OPEN_TO_THE_END], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (3, "")


def test_an_analysis_hears_ctrl_c_while_the_solver_is_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()
    monkeypatch.setattr(Knowledge, "settled", lambda self, board, seconds: stopped.wait(30) and None)
    monkeypatch.setattr(Knowledge, "stop", lambda self: stopped.set())
    reports = Engine(memory_mb=SMALL_MB).analyse(parse_position("8x8x4g:d.d"), Limit(seconds=60))
    threading.Timer(1.0, os.kill, [os.getpid(), signal.SIGINT]).start()
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        for report in reports:
            assert report.source == "search", "a first look, to have something to show"
    assert stopped.is_set() and time.perf_counter() - begin < 10


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.01])
def test_a_stop_at_the_very_beginning_is_heard(seconds: float) -> None:
    engine = Engine(memory_mb=256)
    reports = engine.analyse(parse_position("15x15x5:h8.i9"))
    threading.Timer(seconds, engine.stop).start()
    begin = time.perf_counter()
    assert list(reports)
    assert time.perf_counter() - begin < 5


@pytest.mark.parametrize("heard", [0, 1])
def test_a_stop_ends_an_analysis_of_several_moves_the_solver_too(heard: int) -> None:
    engine = Engine(memory_mb=SMALL_MB)
    reports = engine.analyse(parse_position("8x8x4g:d.e"), Limit(seconds=100), lines=3)
    for _ in range(heard):
        next(reports)
    engine.stop()
    begin = time.perf_counter()
    assert list(reports) and time.perf_counter() - begin < 5, "the solver would have 20 seconds"


def test_after_a_stop_the_solver_is_asked_again() -> None:
    engine, board = Engine(memory_mb=SMALL_MB), parse_position("6x7x4g:d.d.d.d.d.d.a.b.b.a")
    assert engine.search(board, Limit(seconds=2)).source == "solver"
    engine.stop()
    assert engine.search(board, Limit(seconds=2)).source == "solver"
    for _ in engine.analyse(board, Limit(seconds=2), lines=3):
        break
    knowledge = engine._knowledge
    assert engine.search(board, Limit(seconds=2)).source == "solver" and engine._knowledge is knowledge


def test_where_there_is_one_move_it_says_how_the_game_ends() -> None:
    for text, words in [
        ("3x3x3:a1.a2.b1.b2.a3.c1.b3.c3", "draw"),
        ("3x3x3:a1.a3.a2.b3.b1.c1.c3.c2", "win in 1"),
        ("4x3x3g:b.c.c.b.c.c.b.b", "win in 3"),
        ("4x3x3g:c.c.c.b.c.a.b.b.b", "loss in 2"),
        ("4x3x3g:a.a.a.a.b.c.c.c.c", "draw"),
    ]:
        board = parse_position(text)
        best = Engine(memory_mb=SMALL_MB).search(board, Limit(nodes=1)).best
        value, plies = solved(board.game).value(board)
        assert best.value == value and best.plies == (plies if value != "draw" else None), text
        assert best.words == words, text


def test_nodes_or_depth_are_kept_with_a_time_too() -> None:
    board = parse_position("9x7x4g:" + ".".join("d" * 7 + "a" * 6 + "b" * 6))
    for limit in (Limit(seconds=60, nodes=1000), Limit(seconds=60, depth=2)):
        begin = time.perf_counter()
        Engine(memory_mb=SMALL_MB).search(board, limit)
        assert time.perf_counter() - begin < 5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"threads": 0}, "threads must be a whole number from 1 to 64, not 0"),
        ({"threads": "2"}, "threads must be a whole number"),
        ({"memory_mb": 0}, "memory_mb must be a whole number from 1 to"),
        ({"memory_mb": 10**9}, "memory_mb must be a whole number from 1 to"),
        ({"contempt": -1}, "contempt must be a whole number from 0 to 400, not -1"),
        ({"without": "null_move"}, "heuristics are given as a list"),
        ({"without": ["nothing"]}, "no heuristic is called 'nothing'"),
        ({"weights": "nowhere.weights"}, "the weights nowhere.weights cannot be read"),
    ],
)
def test_what_it_cannot_be_made_with_is_refused_at_once(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InarowError, match=words):
        Engine(**options)
    with pytest.raises(SpecError, match="lines must be a whole number from 1 on"):
        Engine(memory_mb=SMALL_MB).analyse(Board(Game(3, 3, 3)), lines=0)


def test_contempt_counts_where_games_are_often_drawn_and_for_whom_it_plays() -> None:
    def score(position: str, contempt: int, seat: Seat | None) -> int:
        engine = Engine(memory_mb=SMALL_MB, solver=False, contempt=contempt)
        engine.seat = seat
        return engine.search(parse_position(position), Limit(depth=3)).best.score

    drawish, other = "10x10x5:b2.i8.e5.f6", "15x15x5:b2.i8.e5.f6"
    plain = score(drawish, 0, Seat.FIRST)
    assert score(drawish, 120, Seat.FIRST) > plain > score(drawish, 120, Seat.SECOND)
    assert score(drawish, 120, None) == plain, "who only asks what a position is worth is not told of hopes"
    assert score(other, 120, Seat.FIRST) == score(other, 0, Seat.FIRST)
    engine = Engine(memory_mb=SMALL_MB, solver=False, contempt=120)
    for seat in (Seat.SECOND, Seat.FIRST, None):
        engine.seat = seat
        found = engine.search(parse_position(drawish), Limit(depth=3)).best.score
        assert found == score(drawish, 120, seat), "it begins anew for another seat"


@pytest.mark.parametrize(
    "position",
    [
        "7x7x4:c4.g6.d5.b5.a4.d4.e1.f4.g4.d1.b4",
        "7x7x4:f4.a1.g3.e4.d1",
        "7x7x4:f2.f1.a4.c5.g4.b1.a7.e7",
        "7x7x4:e2.c4.b2.c3.g3.b4.e5.c7",
        "7x7x4:f4.e4.e7.a7.g5",
        "7x7x4:a7.b1.f4.e3.b4.b3",
    ],
)
def test_no_loss_is_claimed_before_all_moves_are_searched(position: str) -> None:
    """Won positions in which the first moves that are looked at lose: a search may end after any of them."""
    board = parse_position(position)
    assert solve(board).value == "win"
    engine = Engine(memory_mb=SMALL_MB, solver=False)
    for nodes in (*range(1, 130), *range(130, 1000, 10)):
        engine.forget()
        assert engine.search(board, Limit(nodes=nodes)).best.value != "loss", nodes


def test_stop_ends_a_search_from_another_thread() -> None:
    engine = Engine(memory_mb=SMALL_MB)
    board = parse_position("15x15x5:h8.i9.h9")
    timer = threading.Timer(0.2, engine.stop)
    timer.start()
    begin = time.perf_counter()
    move = engine.choose(board, Limit(seconds=60))
    assert move in board.legal_moves and time.perf_counter() - begin < 5
    assert engine.choose(board, Limit(nodes=1000)) in board.legal_moves


@pytest.mark.parametrize("game", [Game(4, 4, 3), Game(5, 4, 4, True), Game(4, 5, 3, True), Game(3, 5, 3)])
def test_what_it_says_is_certain_is_true(game: Game) -> None:
    """Wins and losses, with and without the solver's help, in random positions."""
    rng = Random(3)
    engines = [Engine(memory_mb=SMALL_MB), Engine(memory_mb=SMALL_MB, solver=False), Engine(2, SMALL_MB, solver=False)]
    said = 0
    for _ in range(25):
        board = Board(game)
        for _ in range(rng.randrange(2, 7)):
            if not board.is_over:
                board.push(rng.choice(board.legal_moves))
        if board.is_over:
            continue
        truth = solve(board, memory_mb=4, shortest=True)
        for engine in engines:
            best = engine.search(board, Limit(depth=rng.randrange(1, 9))).best
            if best.value in ("win", "loss"):
                said += 1
                assert best.value == truth.value, board
                if best.value == "win" and truth.plies is not None and best.plies is not None:
                    assert best.plies >= truth.plies, board
    assert said > 0


def test_a_win_comes_nearer_with_every_move() -> None:
    engine = Engine(memory_mb=SMALL_MB, solver=False)
    board = parse_position("15x15x5:h8.a1.h9.c1.h10.e1")
    left = engine.search(board, Limit(depth=8)).best.plies
    assert left is not None
    while not board.is_over:
        best = engine.search(board, Limit(depth=8)).best
        assert best.plies is not None and best.plies <= left
        left = best.plies - 1
        board.push(best.move)
    assert left == 0


@pytest.mark.parametrize("seat", [0, 1])
def test_a_drawn_board_is_not_lost(seat: int) -> None:
    rng = Random(seat)
    for _ in range(4):
        engine, board = Engine(memory_mb=SMALL_MB), Board(Game(3, 3, 3))
        while not board.is_over:
            mine = board.ply % 2 == seat
            board.push(engine.choose(board, Limit(seconds=0.05)) if mine else rng.choice(board.legal_moves))
        assert board.outcome is not None
        assert board.outcome.winner is None or board.outcome.winner == seat


def test_moves_that_are_known_to_lose_are_left_out_while_there_are_others() -> None:
    board = parse_position("6x7x4g:d.d")
    core = _core.Engine(geometry_of(board.game), memory_mb=1)
    cells = [35 + column for column in range(7)]
    cells[3] -= 14
    others = cells[:3] + cells[4:]
    assert core.search(cells_of(board), StopFlag(), depth=4, lost=others).move == cells[3]
    assert core.search(cells_of(board), StopFlag(), depth=4, lost=cells).move in cells


def test_a_move_that_the_solver_refutes_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    board = parse_position("7x7x5g:d.d")
    monkeypatch.setattr(Knowledge, "settled", lambda self, board, seconds: None)
    refuted: list[Move] = []
    monkeypatch.setattr(Knowledge, "is_lost", lambda self, after, seconds: after.moves[-1] in refuted)
    for _ in range(3):
        move = Engine(memory_mb=SMALL_MB).choose(board, Limit(seconds=0.2))
        assert move in board.legal_moves and move not in refuted
        refuted.append(move)


def test_a_pairing_holds_a_drawn_board_against_any_move() -> None:
    game, random = Game(14, 20, 9), Random(1)
    knowledge, solver, board = Knowledge(game, SMALL_MB), FreeSolver(game, SMALL_MB), Board(game)
    while len(board.legal_moves) > 150:
        board.push(random.choice(board.legal_moves))
        held = knowledge.holding_move(board, random.choice(board.legal_moves), seconds=20.0)
        assert held is not None, "who answered by pairs from the start always can"
        board.push(held)
    partners = solver.pairing(board, Seat.FIRST, Limit(seconds=20.0))
    for line in game.lines:
        if all(board.stone(cell) != Seat.SECOND for cell in line):
            free = {cell for cell in line if board.stone(cell) is None}
            assert any(partners.get(cell) in free for cell in free), f"nothing holds {line}"


@pytest.mark.parametrize("is_behind", [False, True])
def test_a_pairing_is_used_by_who_is_behind(monkeypatch: pytest.MonkeyPatch, is_behind: bool) -> None:
    monkeypatch.setattr(Knowledge, "holding_move", lambda self, board, move, seconds: (19, 19))
    found = Report((Variation(((9, 9),), score=-5 if is_behind else 5),))
    monkeypatch.setattr(Engine, "_found", lambda self, board, limits: iter([found]))
    board = parse_position("20x20x9:j10.a1.j9.a3.j8.a5.j7.a7.j6")
    assert Engine(memory_mb=SMALL_MB).choose(board, Limit(seconds=1)) == ((19, 19) if is_behind else (9, 9))


def test_what_is_only_prepared_is_not_forgotten() -> None:
    """So that a game can be begun twice at the price of once; other threads or memory make the engine anew."""
    engine = Engine(memory_mb=4)
    board = Board(Game(9, 9, 5))
    engine.prepare(board.game)
    prepared = engine._core
    engine.forget()
    engine.prepare(board.game)
    assert engine._core is prepared
    engine.search(board, Limit(nodes=100))
    engine.forget()
    engine.prepare(board.game)
    assert engine._core is not prepared
    prepared = engine._core
    engine.memory_mb = 8
    engine.prepare(board.game)
    assert engine._core is not prepared


def test_a_win_at_once_is_taken_where_the_opening_values_only_say_who_wins() -> None:
    board = parse_position("6x7x4g:d.a.d.b.d.c")
    best = Engine(memory_mb=SMALL_MB).search(board, Limit(seconds=1.0)).best
    assert (best.move, best.value, best.plies) == (3, "win", 1)


def test_a_win_that_goes_on_with_a_block_does_not_recede() -> None:
    board = parse_position("6x7x4g:d.d.d.d.d.e.e.e.e.g.e.b.d.b.b.g.e.f.f.f.f.g.g.f.f.b.b.a.a.a.a.a")
    engine = Engine(memory_mb=1, solver=False)
    said = engine.search(board, Limit(nodes=1000)).best
    assert said.words == "win in 5"
    board.push(said.move)
    board.push(2)  # threatens to win above it, where the attacker's next stone makes the double
    assert engine.search(board, Limit(nodes=1000)).best.words == "win in 3"
