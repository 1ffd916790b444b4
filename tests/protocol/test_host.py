"""Brains as players: what they are told, what is made of their answers, what they forfeit."""

import os
import pickle
import shlex
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from inarow import Board, Game, Limit, PlayerError, Reason, Record, Seat, SpecError, ask, begin
from inarow.adapters.gomocup.host import BrainOptions, GomocupPlayer, parse_brain
from inarow.adapters.resolve import RESOLVER, may_start_processes, resolve
from inarow.arena.faults import Kind
from inarow.arena.referee import Referee
from inarow.arena.spec import GameJob, RefereeRules
from inarow.cli.tournament import split_specs
from tests.arena.processes import comes_true, processes_of
from tests.protocol import fake_brain
from tests.protocol.manager import BRAIN

FAKE = shlex.join([sys.executable, str(fake_brain.__file__)])
AMPLE = Limit(seconds=60)
RULES = RefereeRules(start_seconds=60)
RANDOM = "random:seed=1"
BOARD = Game(7, 7, 5)


def fake(mode: str = "", log: Path | None = None) -> str:
    return f"gomocup:{FAKE}{'' if log is None else f' --log {shlex.quote(str(log))}'} {mode}"


def told(log: Path) -> list[str]:
    return log.read_text().splitlines()


@pytest.fixture
def referee() -> Iterator[Referee]:
    made = Referee(RULES, RESOLVER)
    yield made
    made.close()
    assert comes_true(lambda: not processes_of(os.getpid()), 5)


def play(referee: Referee, spec: str, game: Game = BOARD, limit: Limit = AMPLE) -> Record:
    return referee.play(GameJob("", game, (spec, RANDOM), limit))


# ── specs ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_commands_and_options() -> None:
    assert parse_brain("sh") == (["sh"], BrainOptions())
    assert parse_brain("sh 'a b' c,k=any,memory=80") == (["sh", "a b", "c"], BrainOptions("any", 80))
    assert parse_brain("sh a,b,x=1") == (["sh", "a,b,x=1"], BrainOptions())
    assert parse_brain("sh a,b,k=any,folder=/var/tmp") == (["sh", "a,b"], BrainOptions("any", None, "/var/tmp"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is written gomocup:COMMAND"),
        (",k=any", "is written gomocup:COMMAND"),
        ("no-such-brain-here", "no program 'no-such-brain-here'"),
        ("sh,k=4", "k takes any"),
        ("sh,memory=x", "memory takes whole number"),
        ("sh 'a", "is not a command"),
    ],
)
def test_what_is_no_brain(text: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        resolve(f"gomocup:{text}")


def test_brains_in_a_list_of_players() -> None:
    assert split_specs("gomocup:brain 'a,b',k=any,random,gomocup:other") == (
        "gomocup:brain 'a,b',k=any",
        "random",
        "gomocup:other",
    )


def test_the_resolver() -> None:
    assert pickle.loads(pickle.dumps(resolve)) is resolve
    assert type(resolve("random")).__name__ == "RandomPlayer"
    assert may_start_processes("gomocup:sh") and not may_start_processes("python:gomocup:sh")


# ── good brains ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("mode", ["", "plain", "suggest", "unknown_info", "cr", "crlf", "chatty", "greets", "family"])
def test_good_brains(referee: Referee, mode: str) -> None:
    for _ in range(2):
        outcome = play(referee, fake(mode)).outcome
        assert outcome is not None and outcome.reason is not Reason.FORFEIT


def test_what_a_brain_is_told(referee: Referee, tmp_path: Path) -> None:
    log = tmp_path / "log"
    play(referee, f"{fake(log=log)},folder=/var/tmp", limit=Limit(seconds=2, clock=30, nodes=1000))
    lines = told(log)
    assert "START 7" in lines
    for info in ("timeout_turn 2000", "timeout_match 30000", "max_memory 0", "game_type 1", "rule 0", "max_node 1000"):
        assert f"INFO {info}" in lines
    assert "INFO folder /var/tmp" in lines and not any(line.startswith("INFO k") for line in lines)
    assert "BEGIN" in lines and not any(line.startswith("BOARD") for line in lines)
    lefts = [int(line.split()[2]) for line in lines if line.startswith("INFO time_left")]
    assert lefts[0] == 30_000 and lefts == sorted(lefts, reverse=True) and lefts[-1] < 30_000


def test_limits_that_there_are_not(referee: Referee, tmp_path: Path) -> None:
    log = tmp_path / "log"
    play(referee, fake(log=log), limit=Limit(depth=3))
    lines = told(log)
    assert {"INFO timeout_turn 2147483647", "INFO timeout_match 0", "INFO time_left 2147483647"} <= set(lines)
    assert "INFO max_depth 3" in lines


def test_the_referees_memory_is_told(tmp_path: Path) -> None:
    log = tmp_path / "log"
    referee = Referee(RefereeRules(start_seconds=60, memory_bytes=300 * 2**20), RESOLVER)
    try:
        play(referee, fake(log=log))
    finally:
        referee.close()
    (memory,) = {int(line.split()[2]) for line in told(log) if line.startswith("INFO max_memory")}
    assert 100 * 2**20 < memory < 300 * 2**20


def test_rectangles_and_openings(referee: Referee, tmp_path: Path) -> None:
    log = tmp_path / "log"
    game = Game(6, 9, 5)
    record = referee.play(GameJob("", game, (RANDOM, fake(log=log)), AMPLE, ((0, 8), (5, 0), (1, 1))))
    assert record.outcome is not None and record.outcome.reason is not Reason.FORFEIT
    lines = told(log)
    assert "RECTSTART 9,6" in lines
    begin_at = lines.index("BOARD")
    assert lines[begin_at : begin_at + 5] == ["BOARD", "8,0,2", "0,5,1", "1,1,2", "DONE"]
    assert any(line.startswith("TURN") for line in lines[begin_at:])


def test_the_same_process_serves_the_next_game(referee: Referee, tmp_path: Path) -> None:
    log = tmp_path / "log"
    for _ in range(3):
        play(referee, fake(log=log))
    assert told(log).count("RESTART") == 2
    assert len([line for line in told(log) if line.startswith("process")]) == 1
    play(referee, fake(log=log), Game(8, 8, 5))
    play(referee, fake(log=log), Game(8, 8, 5), Limit(depth=1))
    assert len([line for line in told(log) if line.startswith("process")]) == 3


def test_a_brain_without_restart_is_started_again(referee: Referee, tmp_path: Path) -> None:
    log = tmp_path / "log"
    for _ in range(2):
        outcome = play(referee, fake("plain", log)).outcome
        assert outcome is not None and outcome.reason is not Reason.FORFEIT
    assert len({line for line in told(log) if line.startswith("process")}) == 2


def test_what_it_says_is_kept_in_the_record(referee: Referee) -> None:
    record = play(referee, fake("chatty"))
    own = range(0, len(record.moves), 2)
    assert record.notes[0] == (0, "MESSAGE a new game")
    assert record.notes[1:] == tuple((ply, text) for ply in own for text in ("DEBUG thinking", "MESSAGE I like it"))
    assert Record.from_json(record.to_json()) == record


# ── K ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_who_plays_other_ks(referee: Referee, tmp_path: Path) -> None:
    game = Game(5, 5, 4)
    outcome = play(referee, fake(), game).outcome
    assert outcome is not None and outcome.detail.startswith(Kind.START.value) and ",k=any" in outcome.detail
    log = tmp_path / "log"
    for spec in (fake("any_k", log), f"{fake(log=log)},k=any"):
        log.unlink(missing_ok=True)
        outcome = play(referee, spec, game).outcome
        assert outcome is not None and outcome.reason is not Reason.FORFEIT
        assert "INFO k 4" in told(log)


def test_no_gravity(referee: Referee) -> None:
    outcome = play(referee, fake(), Game(6, 7, 4, gravity=True)).outcome
    assert outcome is not None and "no gravity" in outcome.detail


# ── bad brains ──────────────────────────────────────────────────────────────────────────────────────────────────────

SHORT = Limit(seconds=0.3)


@pytest.mark.parametrize(
    ("mode", "kind", "text", "limit"),
    [
        ("silent", Kind.LATE, "", SHORT),
        ("immortal", Kind.LATE, "", SHORT),
        ("slow", Kind.LATE, "", SHORT),
        ("exits", Kind.EXITED, "status 3 (its last words: MESSAGE goodbye)", AMPLE),
        ("crashes", Kind.CRASHED, "signal 11", AMPLE),
        ("closes", Kind.CLOSED, "closed its pipe", AMPLE),
        ("off", Kind.ILLEGAL, "off the board", AMPLE),
        ("taken", Kind.ILLEGAL, "is taken", AMPLE),
        ("nonsense", Kind.MALFORMED, "what a nice game", AMPLE),
        ("error", Kind.MALFORMED, "ERROR I do not feel well", AMPLE),
        ("twice", Kind.TWICE, "0,1 when it was not asked", AMPLE),
        ("refuses", Kind.START, "ERROR the size is not mine", AMPLE),
    ],
)
def test_bad_brains_forfeit(referee: Referee, mode: str, kind: Kind, text: str, limit: Limit) -> None:
    outcome = play(referee, fake(mode), limit=limit).outcome
    assert outcome is not None and outcome.reason is Reason.FORFEIT and outcome.winner is Seat.SECOND
    assert outcome.detail.startswith(f"{kind.value}: ") and text in outcome.detail
    outcome = play(referee, fake()).outcome
    assert outcome is not None and outcome.reason is not Reason.FORFEIT, "the next game is played"


def test_one_that_never_starts() -> None:
    referee = Referee(RefereeRules(start_seconds=1.0), RESOLVER)
    try:
        outcome = play(referee, fake("silent_start"), limit=Limit(seconds=0.1)).outcome
    finally:
        referee.close()
    assert outcome is not None and outcome.detail.startswith(Kind.START_LATE.value)


def test_one_that_takes_too_much_memory() -> None:
    referee = Referee(RefereeRules(start_seconds=60, memory_bytes=150 * 2**20), RESOLVER)
    try:
        outcome = play(referee, fake("eats")).outcome
    finally:
        referee.close()
    assert outcome is not None and outcome.detail.startswith(Kind.MEMORY.value)


def test_unknown_commands_without_another_way(referee: Referee) -> None:
    outcome = play(referee, fake("plain"), Game(6, 9, 5)).outcome
    assert outcome is not None and "RECTSTART 9,6 with UNKNOWN RECTSTART" in outcome.detail
    job = GameJob("", BOARD, (fake("unknown_board"), RANDOM), AMPLE, ((0, 0), (1, 1)))
    outcome = referee.play(job).outcome
    assert outcome is not None and "UNKNOWN BOARD" in outcome.detail


# ── processes ───────────────────────────────────────────────────────────────────────────────────────────────────────


def is_gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("is_in_arena", [False, True])
def test_nothing_of_a_brain_is_left(is_in_arena: bool, tmp_path: Path) -> None:
    log = tmp_path / "log"
    referee = Referee(RefereeRules(start_seconds=60, in_process=not is_in_arena), RESOLVER)
    outcome = play(referee, fake("family", log)).outcome
    assert outcome is not None and outcome.reason is not Reason.FORFEIT
    referee.close()
    pids = [int(line.split()[1]) for line in told(log) if line.split()[0] in ("process", "child")]
    assert len(pids) == 2
    assert comes_true(lambda: all(is_gone(pid) for pid in pids), 5)


def test_a_brain_is_stopped_while_it_is_not_its_turn(tmp_path: Path) -> None:
    log = tmp_path / "log"
    referee = Referee(RefereeRules(start_seconds=60, freeze=True), RESOLVER)
    try:
        outcome = play(referee, fake(log=log)).outcome
        assert outcome is not None and outcome.reason is not Reason.FORFEIT
        (pid,) = [int(line.split()[1]) for line in told(log) if line.startswith("process")]
        assert comes_true(lambda: psutil.Process(pid).status() == psutil.STATUS_STOPPED, 5)
    finally:
        referee.close()
    assert is_gone(pid)


def test_boards_that_do_not_follow_from_the_last_one(tmp_path: Path) -> None:
    """As when moves are taken back, or an opening is given."""
    log = tmp_path / "log"
    player = GomocupPlayer(fake(log=log).removeprefix("gomocup:"))
    try:
        begin(player, BOARD, Seat.FIRST, AMPLE)
        board = Board(BOARD)
        assert ask(player, board, AMPLE).move == (0, 0)
        assert ask(player, board, AMPLE).move == (0, 0)
        board.push((0, 0))
        assert ask(player, board, AMPLE).move == (0, 1)
    finally:
        player.close()
    commands = [line for line in told(log) if line.split()[0] in ("BEGIN", "TURN", "BOARD")]
    assert commands == ["BEGIN", "BOARD", "BOARD"]


def test_one_that_will_not_end_is_killed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = GomocupPlayer(fake("immortal", log).removeprefix("gomocup:"))
    begin(player, BOARD, Seat.FIRST, AMPLE)
    ask(player, Board(BOARD), AMPLE)
    player.close()
    (pid,) = [int(line.split()[1]) for line in told(log) if line.startswith("process")]
    assert is_gone(pid)
    player.close()


def test_stopping_one_that_does_not_know_how() -> None:
    player = GomocupPlayer(fake("silent").removeprefix("gomocup:"))
    try:
        begin(player, BOARD, Seat.FIRST, AMPLE)
        board = Board(BOARD)
        board.push(ask(player, board, AMPLE).move)
        board.push((6, 6))
        threading.Timer(0.2, player.stop).start()
        with pytest.raises(PlayerError, match="after YXSTOP"):
            ask(player, board, AMPLE)
    finally:
        player.close()


def test_stopping_our_own() -> None:
    player = GomocupPlayer(shlex.join(BRAIN))
    try:
        begin(player, Game(15, 15, 5), Seat.FIRST, Limit(seconds=1000))
        threading.Timer(0.3, player.stop).start()
        begun = time.monotonic()
        ask(player, Board(Game(15, 15, 5)), Limit(seconds=1000))
        assert time.monotonic() - begun < 100
    finally:
        player.close()


@pytest.mark.parametrize("game", [Game(15, 15, 5), Game(6, 6, 4), Game(5, 8, 3)])
def test_our_brain_in_our_arena(referee: Referee, game: Game) -> None:
    """Both sides of the protocol meet."""
    spec = f"gomocup:{shlex.join(BRAIN)}"
    for opening in ((), ((2, 2), (3, 3), (1, 1))):
        record = referee.play(GameJob("", game, (spec, "quasi_random:seed=1"), Limit(seconds=0.2), opening))
        assert record.outcome is not None and record.outcome.reason is not Reason.FORFEIT, record.outcome
