"""The engine on the other's time."""

import signal
import subprocess
import sys
import threading
import time

from inarow.engine import Engine
from inarow.game import Board, Game, Limit, Seat, parse_position
from inarow.players import ask, make_player

SMALL_MB = 8


def test_what_it_ponders_helps_when_the_reply_is_the_expected_one() -> None:
    board, reply = parse_position("4x4x4:b2"), (2, 2)
    expected = board.copy()
    expected.push(reply)
    fresh = Engine(memory_mb=SMALL_MB, solver=False).search(expected, Limit(depth=7))
    engine = Engine(memory_mb=SMALL_MB, solver=False)
    engine.ponder(board, reply)
    while engine.is_pondering:  # the board is small: it comes to the end of the game
        time.sleep(0.001)
    assert engine.search(expected, Limit(depth=7)).nodes < fresh.nodes


def test_pondering_ends_with_the_next_question_and_by_stop() -> None:
    engine = Engine(memory_mb=SMALL_MB)
    board = parse_position("15x15x5:h8.i9.h9")
    engine.ponder(board)
    assert engine.is_pondering
    assert engine.choose(board, Limit(nodes=500)) in board.legal_moves and not engine.is_pondering
    engine.ponder(board)
    engine.stop()
    engine.end_pondering()
    assert not engine.is_pondering
    assert engine.search(board, Limit(nodes=500)).nodes == 500, "and stop is forgotten"


PONDERING = """
import time
from inarow import Engine, Limit, parse_position
engine, board = Engine(memory_mb=8, solver=False), parse_position("15x15x5:h8.i9.h9")
engine.prepare(board.game)
engine.ponder(board)
print("pondering", flush=True)
input()
begin = time.perf_counter()
engine.choose(board, Limit(seconds=1))
print(time.perf_counter() - begin)
"""


def test_whoever_was_suspended_while_it_pondered_takes_its_time_afterwards() -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", PONDERING], **pipes) as process:  # type: ignore[call-overload]
        assert process.stdout.readline() == "pondering\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGSTOP)
        time.sleep(1.5)
        process.send_signal(signal.SIGCONT)
        used = float(process.communicate("\n", timeout=60)[0])
    assert used > 0.4, "it would leave a fifth if it took that for a busy machine"


def test_a_player_ponders_when_it_is_told_to() -> None:
    player = make_player("engine:ponder=on,memory=8")
    threads = threading.active_count()
    board = Board(Game(15, 15, 5))
    player.start(board.game, Seat.FIRST, Limit(nodes=200))
    for reply in ((0, 0), (0, 14)):
        board.push(ask(player, board, Limit(nodes=200)).move)
        assert threading.active_count() == threads + 1
        board.push(reply)
    player.close()
    assert threading.active_count() == threads
