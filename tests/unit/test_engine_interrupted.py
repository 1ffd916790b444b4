"""The engine when something comes in between: Ctrl-C, a stop, no memory, or nobody who still wants it."""

import gc
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from inarow import _core
from inarow.engine import Engine, engine
from inarow.engine.background import Background, interruptible
from inarow.errors import SpecError
from inarow.game import Board, Game, Limit, parse_position

SMALL_MB = 8

INTERRUPTED = """
import signal, sys
from random import Random
from inarow import Engine, Limit, parse_position
boards = [parse_position(text) for text in ("15x15x5:h8.i9", "6x7x4g:d.d.d.d.d.d.a.b.b.a")]
engine, random = Engine(memory_mb=8), Random(1)
def interrupt(*_):
    raise KeyboardInterrupt
signal.signal(signal.SIGALRM, interrupt)
interrupts = 0
for number in range(60):
    board = boards[number % 2]
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0002, 0.03))
            for report in engine.analyse(board, lines=1 + number % 3):
                pass
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        interrupts += 1
    assert engine.search(board, Limit(nodes=500)).best.move in board.legal_moves
print(interrupts)
"""


def test_whenever_ctrl_c_comes_the_engine_is_whole() -> None:
    """Nothing goes on in the dark: two searches at once on the same tables would end the process."""
    ended = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert int(ended.stdout) > 10


def test_ctrl_c_while_a_thread_is_started_leaves_none_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    start = threading.Thread.start

    def interrupted(thread: threading.Thread) -> None:
        start(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    told = threading.Event()
    with pytest.raises(KeyboardInterrupt):
        interruptible(told.wait, told.set)
    assert told.is_set()


def test_a_thread_that_the_system_does_not_give_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    background = Background(lambda: 1, lambda: None)
    with pytest.raises(RuntimeError):
        background.start()
    background.end()
    assert not background.is_running


def test_a_stop_ends_what_memory_is_taken_before_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MEMORY_SECONDS", 1000.0)
    stopped = Engine(memory_mb=SMALL_MB)
    steps: list[float] = []

    class Endless:
        def take_memory(self, seconds: float) -> bool:
            steps.append(seconds)
            if len(steps) == 3:
                stopped.stop()
            return True

    monkeypatch.setattr(stopped, "_prepare", lambda game: setattr(stopped, "_core", Endless()))
    stopped.prepare(Game(15, 15, 5))
    assert len(steps) == 3 and max(steps) < 0.01


def test_a_stop_costs_nothing_that_the_solver_knows() -> None:
    stopped, board = Engine(memory_mb=SMALL_MB), Board(Game(40, 40, 10, gravity=True))
    stopped.prepare(board.game)
    knowledge = stopped._knowledge
    stopped.stop()
    stopped.search(board, Limit(seconds=0.02))
    assert knowledge is not None and stopped._knowledge is knowledge, "its memory is not taken anew in a move's time"


@pytest.mark.parametrize("name", ["10x10x5g", "9x11x4g", "20x20x10g"])
def test_a_solver_whose_table_begins_whole_takes_little_memory_and_before_the_game(name: str) -> None:
    game = parse_position(name).game
    prepared = Engine(memory_mb=1024)
    prepared.prepare(game)
    assert prepared._knowledge is not None
    assert prepared._knowledge._solver.table().bytes <= 32 << 20


@pytest.mark.parametrize("setting", [{"memory_mb": 2**20}, {"memory_mb": 0}, {"threads": 0}, {"memory_mb": 16.5}])
def test_a_setting_that_cannot_be_had_is_refused_and_the_next_is_taken(setting: dict[str, Any]) -> None:
    board = parse_position("15x15x5:h8.i9")
    changed = Engine(memory_mb=SMALL_MB)
    changed.search(board, Limit(nodes=100))
    for name, value in setting.items():
        setattr(changed, name, value)
    with pytest.raises(SpecError):
        changed.search(board, Limit(nodes=100))
    changed.memory_mb, changed.threads = SMALL_MB, 1
    assert changed.search(board, Limit(nodes=100)).nodes == 100


def test_no_memory_for_the_solver_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(game: Game, memory_mb: int) -> None:
        raise MemoryError

    monkeypatch.setattr(engine, "Knowledge", refused)
    with pytest.raises(SpecError, match="8 MB"):
        Engine(memory_mb=SMALL_MB).search(parse_position("15x15x5:h8.i9"), Limit(nodes=100))


def test_an_engine_that_nobody_holds_any_more_ends_its_pondering() -> None:
    dropped = Engine(memory_mb=SMALL_MB)
    dropped.ponder(parse_position("15x15x5:h8.i9"))
    pondering = dropped._pondering
    assert pondering is not None and pondering.is_running
    del dropped
    gc.collect()
    begin = time.perf_counter()
    while pondering.is_running:
        assert time.perf_counter() - begin < 10
        time.sleep(0.001)


WON = [  # a game's cells, the nodes of a move, the reply to the move that wins, and in how many plies it does
    ("6x7x4g", "38.39.31.37.24.17.10.36.3.41.29.22.30.32.25.18.23.34.15.8.35.28", 100, 21, 17),
    ("6x7x4g", "35.28.37.41.39.36.29.40.32.30.21.34.23.22.16.14.38.27.20.31", 100, 2, 19),
    ("6x7x4g", "35.28.37.41.39.36.29.40.32.30.21.34.23.22.16.14.38.27.20.31", 150, 2, 19),
]


@pytest.mark.parametrize(("game", "cells", "nodes", "reply", "plies"), WON)
def test_a_win_does_not_recede_with_few_nodes(game: str, cells: str, nodes: int, reply: int, plies: int) -> None:
    """Looking for fours at the root leaves enough of them for the search."""
    core = core_of(parse_position(game).game)
    moves = [int(cell) for cell in cells.split(".")]
    found = core.search(moves, _core.StopFlag(), nodes=nodes)
    assert _core.WON - found.lines[0].score == plies
    found = core.search([*moves, found.move, reply], _core.StopFlag(), nodes=nodes)
    assert _core.WON - found.lines[0].score <= plies - 2


def core_of(game: Game, memory_mb: int = 64) -> _core.Engine:
    made = Engine(memory_mb=memory_mb, solver=False)
    made.prepare(game)
    assert made._core is not None
    return made._core


def test_many_fours_do_not_take_the_search_all_its_nodes() -> None:
    """Closed threes all over the board: none of their fours leads anywhere, and there are too many orders to try."""
    first, second = [], []
    for row in range(0, 20, 3):
        for column in (0, 10):
            second.append(20 * row + column)
            first += [20 * row + column + step for step in (1, 2, 3)]
    free = [20 * row + column for row in range(1, 20, 3) for column in (7, 8, 17, 18)]
    second += free[: len(first) - len(second)]
    cells = [cell for pair in zip(first, second, strict=False) for cell in pair]
    found = core_of(Game(20, 20, 5)).search(cells, _core.StopFlag(), nodes=20_000)
    assert found.depth > 0 and _core.WON - found.lines[0].score == 7
    assert found.nodes < 5000, "with a budget for each length of a line the fours alone would take more"


def test_of_several_lines_one_that_was_searched_comes_first() -> None:
    found = core_of(Game(15, 15, 5), memory_mb=1).search(
        [145, 113, 81, 83, 70, 139], _core.StopFlag(), nodes=300, lines=3
    )
    assert len(found.lines) > 1 and found.lines[0].depth > 0
