"""Dialogues with the brain: every answer is the right one, and every move legal."""

import random
import threading
import time
from collections.abc import Iterator
from statistics import median

import pytest

from inarow import Board, Engine, Game, Limit, Seat
from inarow.adapters.gomocup.brain import MOST_MEMORY_MB, Brain
from inarow.adapters.gomocup.commands import Info, Start, Turn, format_cell, parse_cell
from inarow.adapters.gomocup.settings import PROCESS_MB
from inarow.adapters.resolve import resolve
from inarow.players.engine import EnginePlayer
from tests.protocol.manager import PATIENCE, InProcess

QUICK = "INFO timeout_turn 20"
LONG = "INFO timeout_turn 1000000"


def board_lines(board: Board, brain: Seat) -> str:
    lines = ["BOARD"]
    for ply, move in enumerate(board.moves):
        assert not isinstance(move, int)
        lines.append(f"{format_cell(move)},{1 if ply % 2 == brain else 2}")
    return "\n".join([*lines, "DONE"])


def random_board(game: Game, plies: int, seed: int) -> Board:
    source = random.Random(seed)
    board = Board(game)
    while board.ply < plies and not board.is_over:
        board.push(source.choice(board.legal_moves))
        if board.is_over:
            board.pop()
    return board


def test_who_it_is(brain: InProcess) -> None:
    about = brain.ask("ABOUT")
    assert 'name="inarow"' in about and 'version="' in about and 'k="any"' in about


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_a_game_with_every_line_end(brain: InProcess, end: str) -> None:
    brain.send(f"start 15\n{QUICK}\nbegin", end)
    assert brain.hear() == "OK"
    first = parse_cell(brain.hear() or "")
    assert first is not None
    board = Board(Game(15, 15, 5))
    board.push(first)
    for seed in range(3):
        reply = random.Random(seed).choice(board.legal_moves)
        assert not isinstance(reply, int)
        board.push(reply)
        brain.send(f"Turn {format_cell(reply)}", end)
        cell = parse_cell(brain.hear() or "")
        assert cell is not None
        board.push(cell)


def test_a_byte_at_a_time(brain: InProcess) -> None:
    for byte in f"START 15\r\n{QUICK}\r\nTURN 7,7\r\n".encode():
        brain.send(bytes([byte]))
    assert brain.hear() == "OK"
    board = Board(Game(15, 15, 5))
    board.push((7, 7))
    board.push(parse_cell(brain.hear() or "") or (7, 7))


@pytest.mark.parametrize(
    ("start", "rows", "columns"),
    [(f"START {side}", side, side) for side in (1, 5, 6, 9, 15, 19, 20, 25, 30, 128)]
    + [(f"RECTSTART {columns},{rows}", rows, columns) for columns, rows in ((5, 9), (20, 15), (30, 5), (7, 30))],
)
def test_sizes_and_rectangles(brain: InProcess, start: str, rows: int, columns: int) -> None:
    assert brain.ask(start) == "OK"
    brain.send(QUICK)
    game = Game(rows, columns, 5)
    brain.move("BEGIN", Board(game))
    if rows * columns < 9:
        return
    assert brain.ask("RESTART") == "OK"
    corner = Board(game)
    corner.push((rows - 1, columns - 1))
    brain.move(f"TURN {columns - 1},{rows - 1}", corner)
    for plies in (0, 1, 8, min(300, rows * columns // 3)):
        board = random_board(game, plies, plies)
        brain.move(board_lines(board, board.turn), board)


def test_a_whole_game_with_itself(brain: InProcess) -> None:
    game = Game(9, 9, 5)
    board = Board(game)
    assert brain.ask("START 9") == "OK"
    brain.send(QUICK)
    while not board.is_over:
        brain.move(board_lines(board, board.turn), board)


def test_it_takes_a_win_and_stops_one(brain: InProcess) -> None:
    assert brain.ask("START 15") == "OK"
    brain.send("INFO timeout_turn 500")
    own_four = "BOARD\n3,7,1\n3,9,2\n4,7,1\n4,9,2\n5,7,1\n5,9,2\n6,7,1\n12,12,2\nDONE"
    assert brain.ask(own_four) in ("2,7", "7,7")
    their_four = "BOARD\n3,7,2\n3,9,1\n4,7,2\n0,0,1\n5,7,2\n14,0,1\n6,7,2\n2,7,1\n9,9,2\nDONE"
    assert brain.ask(their_four) == "7,7"


def test_empty_and_full_and_won_boards(brain: InProcess) -> None:
    assert brain.ask("START 5") == "OK"
    brain.send(QUICK)
    brain.move("BOARD\nDONE", Board(Game(5, 5, 5)))
    full = random_board(Game(5, 5, 6), 24, 1)
    cells = [cell for cell in full.game.cells if full.stone(cell) is None]
    brain.send("INFO k 6")
    brain.move(board_lines(full, full.turn), full.copy())
    full.push(cells[0])
    assert full.is_over
    assert brain.ask(board_lines(full, full.turn)).startswith("ERROR the game is over")
    brain.send("INFO k 5")
    won = "BOARD\n0,0,2\n0,1,1\n1,0,2\n1,1,1\n2,0,2\n2,1,1\n3,0,2\n3,1,1\n4,0,2\nDONE"
    assert brain.ask(won).startswith("ERROR the game is over")
    assert brain.ask("ABOUT").startswith("name=")


def test_boards_that_cannot_be(brain: InProcess) -> None:
    assert brain.ask("START 15") == "OK"
    brain.send(QUICK)
    for stones in ("1,1,1", "1,1,2\n2,2,2", "1,1,1\n1,1,2", "99,1,1\n1,1,2", "1,1,3", "*", "1,1"):
        assert brain.ask(f"BOARD\n{stones}\nDONE").startswith("ERROR"), stones
    brain.move("BEGIN", Board(Game(15, 15, 5)))


def test_yxboard_sets_and_says_nothing(brain: InProcess) -> None:
    assert brain.ask("START 15") == "OK"
    brain.send(f"{QUICK}\nYXBOARD\n7,7,1\n8,8,2\nDONE")
    assert brain.is_quiet()
    board = Board(Game(15, 15, 5))
    for cell in ((7, 7), (8, 8), (0, 0)):
        board.push(cell)
    assert brain.ask("TURN 7,7").startswith("ERROR")
    brain.move("TURN 0,0", board)


def test_taking_back(brain: InProcess) -> None:
    assert brain.ask("START 15") == "OK"
    brain.send(QUICK)
    board = Board(Game(15, 15, 5))
    board.push((7, 7))
    answer = brain.move("TURN 7,7", board)
    assert brain.ask("TAKEBACK 7,7").startswith("ERROR")
    assert brain.ask(f"TAKEBACK {format_cell(answer)}") == "OK"
    assert brain.ask("TAKEBACK 7,7") == "OK"
    assert brain.ask("TAKEBACK 7,7").startswith("ERROR")
    brain.move("BEGIN", Board(Game(15, 15, 5)))


def test_commands_at_the_wrong_time(brain: InProcess) -> None:
    for command in ("BEGIN", "TURN 7,7", "TAKEBACK 1,1", "RESTART", "BOARD\nDONE", "SWAP2BOARD\nDONE", "YXNBEST 2"):
        assert brain.ask(command).startswith("ERROR there is no board yet"), command
    brain.send("YXSTOP\nYXBOARD\nDONE")
    assert (brain.hear() or "").startswith("ERROR there is no board yet")
    for size in ("0", "-3", "129", "99999999999", "x", ""):
        assert brain.ask(f"START {size}").startswith("ERROR"), size
    assert brain.ask("RECTSTART 0,5").startswith("ERROR")
    assert brain.ask("START 15") == "OK"
    brain.send(QUICK)
    brain.move("BEGIN", Board(Game(15, 15, 5)))
    assert brain.ask("BEGIN").startswith("ERROR")
    assert brain.ask("TURN 15,0").startswith("ERROR")


def test_unknown_commands(brain: InProcess) -> None:
    assert brain.ask("HELLO there") == "UNKNOWN HELLO there"
    assert brain.ask("\x01\x02") == "UNKNOWN ??"
    brain.send("INFO\nINFO evaluate 1,1\nINFO game_type 2\nINFO folder /tmp\nINFO nothing")
    assert brain.is_quiet()


@pytest.mark.parametrize("rule", [1, 2, 4, 5, 8, -1])
def test_other_rules_are_refused(brain: InProcess, rule: int) -> None:
    assert brain.ask("START 15") == "OK"
    assert brain.ask(f"INFO rule {rule}").startswith(f"ERROR rule {rule}")
    assert brain.ask("BEGIN").startswith("ERROR rule")
    assert brain.ask("START 15").startswith("ERROR rule")
    brain.send(f"INFO rule 0\n{QUICK}")
    brain.move("BEGIN", Board(Game(15, 15, 5)))


@pytest.mark.parametrize("info", ["k 3\nSTART 7", "k 3\nSTART 9\nINFO k 3"])
def test_any_k(brain: InProcess, info: str) -> None:
    """The engine wins at once where three in a row do."""
    assert brain.ask(f"INFO {info}") == "OK"
    assert brain.ask("INFO timeout_turn 300\nBOARD\n1,1,1\n5,5,2\n2,1,1\n5,6,2\nDONE") in ("0,1", "3,1")


@pytest.mark.parametrize(
    "infos",
    [
        "timeout_turn 0",
        "timeout_turn -5",
        "timeout_turn 1",
        "timeout_turn 1000000\nINFO time_left -100",
        "timeout_turn 1000000\nINFO time_left 0",
        "timeout_turn 1000000\nINFO timeout_match 100\nINFO time_left 50",
        "timeout_turn 2147483647\nINFO time_left 2147483647\nINFO max_depth 2",
        "timeout_turn 2147483647\nINFO timeout_match 0\nINFO max_node 500",
        "timeout_turn 20\nINFO max_memory 0",
        "timeout_turn 20\nINFO max_memory 83886080",
        "timeout_turn 20\nINFO max_memory 1\nINFO thread_num 2\nINFO hash_size 1024",
        "timeout_turn 20\nINFO thread_num 1000000\nINFO thread_num 1",
    ],
)
def test_a_move_comes_under_every_limit(brain: InProcess, infos: str) -> None:
    assert brain.ask(f"INFO {infos}\nSTART 20") == "OK"
    board = Board(Game(20, 20, 5))
    brain.move("BEGIN", board)
    for cell in ((0, 0), (19, 19)):
        if board.stone(cell) is None:
            board.push(cell)
            brain.move(f"TURN {format_cell(cell)}", board)


def brain_of(spec: str) -> tuple[Brain, Engine]:
    player = resolve(spec)
    assert isinstance(player, EnginePlayer)
    return Brain(player, lambda _: None), player.engine


@pytest.mark.parametrize(
    ("spec", "infos", "memory_mb"),
    [
        ("engine", [], 128),
        ("engine", [("max_memory", 350 << 20)], 350 - PROCESS_MB),
        ("engine", [("max_memory", 350 << 20), ("hash_size", 64 << 10)], 64),
        ("engine", [("max_memory", 1 << 40)], MOST_MEMORY_MB),
        ("engine", [("max_memory", 0)], 128),
        ("engine:memory=64", [("max_memory", 350 << 20)], 64),
        ("engine:memory=64", [("max_memory", 80 << 20)], 80 - PROCESS_MB),
    ],
)
def test_it_takes_the_memory_that_it_may_have(spec: str, infos: list[tuple[str, int]], memory_mb: int) -> None:
    brain, engine = brain_of(spec)
    for key, value in infos:
        brain.answer(Info(key, str(value)), time.perf_counter())
    assert engine.memory_mb == memory_mb


def test_what_was_prepared_for_one_seat_serves_the_other() -> None:
    """It may be a move's time when the seat becomes known."""
    brain, engine = brain_of("engine:memory=8")
    for command in (Info("timeout_turn", "50"), Start(10, 10)):
        brain.answer(command, time.perf_counter())
    core = engine._core
    assert core is not None
    brain.answer(Turn((5, 5)), time.perf_counter())
    assert engine._core is core
    assert engine.seat is Seat.SECOND


def test_stop_in_the_middle_of_a_thought(brain: InProcess) -> None:
    assert brain.ask(f"{LONG}\nINFO k 7\nSTART 20") == "OK"
    board = Board(Game(20, 20, 7))  # with five in a row the replies below lose so fast that there is nothing to stop
    brain.send("BEGIN")
    assert brain.is_quiet(0.2)
    brain.move("YXSTOP", board)
    board.push((0, 0))
    brain.move("TURN 0,0\nYXSTOP", board)
    brain.send("YXSTOP\nYXSTOP")
    assert brain.is_quiet()
    reply = next(cell for cell in board.game.cells if board.stone(cell) is None)
    board.push(reply)
    brain.send(f"TURN {format_cell(reply)}")
    assert brain.is_quiet(0.2), "an old stop stops nothing new"
    brain.move("YXSTOP", board)


def test_commands_in_the_middle_of_a_thought_wait(brain: InProcess) -> None:
    assert brain.ask("INFO timeout_turn 300\nSTART 15") == "OK"
    brain.send("BEGIN\nABOUT\nFOO\nRESTART")
    answers = [brain.hear() for _ in range(4)]
    assert parse_cell(answers[0] or "") is not None
    assert [(answer or "").split()[0][:5] for answer in answers[1:]] == ["name=", "UNKNO", "OK"]


def test_the_best_lines(brain: InProcess) -> None:
    assert brain.ask("INFO timeout_turn 300\nSTART 15") == "OK"
    brain.send("YXBOARD\n7,7,1\n8,8,2\nDONE\nYXNBEST 3")
    answers = [brain.hear() or "" for _ in range(4)]
    assert [answer[:10] for answer in answers[:3]] == ["MESSAGE 1.", "MESSAGE 2.", "MESSAGE 3."]
    best = answers[0].rpartition(": ")[2].split()[0]
    assert best == answers[3]
    assert parse_cell(best) not in (None, (7, 7), (8, 8))
    assert brain.ask(f"TAKEBACK {best}") == "OK"
    brain.send(f"{LONG}\nYXNBEST 1000")
    assert brain.is_quiet(0.2)
    brain.send("YXSTOP")
    while (answer := brain.hear() or "").startswith("MESSAGE"):
        pass
    assert parse_cell(answer) is not None


# ── swap2 ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def cells_of(answer: str) -> list[tuple[int, int]]:
    cells = [parse_cell(word) for word in answer.split()]
    return [cell for cell in cells if cell is not None]


def chance(cells: list[tuple[int, int]]) -> float:
    board = Board(Game(15, 15, 5))
    for cell in cells:
        board.push(cell)
    return Engine(memory_mb=8).search(board, Limit(nodes=30_000)).best.win_probability


def swap2(brain: InProcess, cells: list[tuple[int, int]]) -> str:
    return brain.ask("\n".join(["SWAP2BOARD", *map(format_cell, cells), "DONE"]))


@pytest.fixture
def opener(brain: InProcess) -> Iterator[InProcess]:
    assert brain.ask("INFO max_node 60000\nSTART 15") == "OK"
    yield brain


def test_three_stones_that_are_fair(opener: InProcess) -> None:
    """Fairer than three stones beside each other, by far, and not always the same.

    They are drawn at random, and a longer look may find one less fair: most of them must be.
    """
    openings = [cells_of(swap2(opener, [])) for _ in range(5)]
    assert all(len(set(cells)) == 3 for cells in openings)
    assert len({tuple(cells) for cells in openings}) > 1
    assert median(abs(chance(cells) - 0.5) for cells in openings) < 0.3


BLACK_AHEAD = [(7, 7), (0, 0), (8, 8)]
WHITE_AHEAD = [(0, 0), (7, 7), (0, 14)]


def test_the_better_colour_of_three_stones(opener: InProcess) -> None:
    assert chance(BLACK_AHEAD) < 0.4 and chance(WHITE_AHEAD) > 0.6
    assert swap2(opener, BLACK_AHEAD) == "SWAP"
    (cell,) = cells_of(swap2(opener, WHITE_AHEAD))
    assert cell not in WHITE_AHEAD


def test_the_better_colour_of_five_stones(opener: InProcess) -> None:
    assert swap2(opener, [*BLACK_AHEAD, (14, 14), (7, 8)]) == "SWAP"
    (cell,) = cells_of(swap2(opener, [*WHITE_AHEAD, (7, 8), (14, 0)]))
    assert cell not in WHITE_AHEAD


def test_two_stones_where_nobody_is_ahead(brain: InProcess) -> None:
    """Nobody can ever make 10 in a row on 9 × 9: whatever is on the board, it is a draw."""
    assert brain.ask("INFO max_node 2000\nINFO k 10\nSTART 9") == "OK"
    cells = cells_of(swap2(brain, [(4, 4), (4, 5), (5, 4)]))
    assert len(set(cells) - {(4, 4), (4, 5), (5, 4)}) == 2


def test_openings_that_cannot_be(opener: InProcess) -> None:
    for cells in ([(7, 7)], [(7, 7), (8, 8)], [(7, 7)] * 3, [(0, 99), (1, 1), (2, 2)]):
        assert swap2(opener, cells).startswith("ERROR")
    assert opener.ask("START 1") == "OK"
    assert swap2(opener, []).startswith("ERROR")


def test_an_opening_can_be_stopped(brain: InProcess) -> None:
    assert brain.ask(f"{LONG}\nSTART 15") == "OK"
    brain.send("SWAP2BOARD\nDONE")
    assert brain.is_quiet(0.2)
    assert len(cells_of(brain.ask("YXSTOP"))) == 3


# ── other players ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("spec", ["random:seed=1", "markcello", "telos", "mcts"])
def test_any_player_sits_behind_it(spec: str) -> None:
    brain = InProcess(spec)
    try:
        assert brain.ask(f"{QUICK}\nSTART 15") == "OK"
        board = Board(Game(15, 15, 5))
        brain.move("BEGIN", board)
        for cell in ((0, 0), (14, 14)):
            if board.stone(cell) is None:
                board.push(cell)
                brain.move(f"TURN {format_cell(cell)}", board)
        assert len(cells_of(swap2(brain, []))) == 3
        brain.send("YXNBEST 2")
        assert (brain.hear() or "").startswith("MESSAGE 1.")
    finally:
        brain.finish()


def test_when_a_move_is_asked_for_the_engine_does_not_get_ready_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Taking memory would take the move's time."""
    brain, engine = brain_of("engine")
    brain.answer(Start(10, 10), time.perf_counter())
    for command in (Info("timeout_turn", "50"), Info("max_memory", str(300 << 20))):
        brain.answer(command, time.perf_counter())
    monkeypatch.setattr(engine, "prepare", lambda game: pytest.fail("it takes memory"))
    brain.answer(Turn((5, 5)), time.perf_counter())
    assert engine.memory_mb > 128 and engine._core is not None


def test_nobody_waits_until_the_engine_has_got_ready(brain: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    assert brain.ask("START 15") == "OK"
    begun = threading.Event()
    was_stopped: list[bool] = []

    def prepare(engine: Engine, game: Game) -> None:
        engine._stop.clear()
        begun.set()
        until = time.monotonic() + 5
        while not engine._stop.is_set and time.monotonic() < until:
            time.sleep(0.001)
        was_stopped.append(engine._stop.is_set)

    monkeypatch.setattr(Engine, "prepare", prepare)
    brain.send("INFO hash_size 2048")
    assert begun.wait(PATIENCE) and not was_stopped
    assert brain.ask("ABOUT").startswith("name=") and was_stopped == [True]
    assert parse_cell(brain.ask("INFO timeout_turn 50\nBEGIN")) is not None, "and is not hurried"
