"""Forced wins that the engine must find, with a number of nodes: the same everywhere. benchmarks.tactics tries all."""

from collections import Counter
from pathlib import Path

import pytest
from benchmarks.tactics import Tactic, read_tactics

from inarow import Engine, Limit

TACTICS = read_tactics(Path(__file__).parent.parent / "data" / "tactics.txt")
EVERY = 6  # of which one is tried here
NODES = 400_000
SMALL_MB = 8


def test_the_set_is_as_large_and_as_varied_as_it_should_be() -> None:
    assert len({tactic.position for tactic in TACTICS}) == len(TACTICS) >= 300
    assert all(tactic.plies >= 5 and tactic.plies % 2 == 1 for tactic in TACTICS)
    games = [tactic.board.game for tactic in TACTICS]
    assert {4, 5, 6} <= {game.k for game in games if not game.gravity}
    assert {4, 5, 6} <= {game.k for game in games if game.gravity}
    assert min(Counter(tactic.kind for tactic in TACTICS).values()) >= 30
    assert sum(tactic.plies >= 11 for tactic in TACTICS) >= 60 and sum(tactic.plies >= 15 for tactic in TACTICS) >= 20


@pytest.mark.parametrize("tactic", TACTICS[::EVERY], ids=lambda tactic: f"{tactic.group}-{tactic.plies}")
def test_a_forced_win_is_found(tactic: Tactic) -> None:
    best = Engine(memory_mb=SMALL_MB, solver=False).search(tactic.board, Limit(nodes=NODES)).best
    assert best.value == "win", tactic.position
