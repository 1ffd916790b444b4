"""The course's Java players in our arena: the good ones play, and the others lose with a plain reason."""

import os
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from inarow import Board, Game, Limit, Move, PlayerError, Reason, Seat, SpecError, ask, begin
from inarow.adapters import course, jdk
from inarow.arena.launcher import descendants_of
from inarow.arena.referee import Referee
from inarow.arena.spec import GameJob
from tests.arena.processes import AMPLE, GONE_SECONDS, comes_true, processes_of

MNK, CONNECTX = Game(3, 3, 3), Game(6, 7, 4, gravity=True)
SHORT = Limit(seconds=0.3)  # for whoever never answers
SECOND = Limit(seconds=1)
RANDOM = "random:seed=1"

Player = Callable[[str], course.CoursePlayer]


@pytest.fixture
def java(classes: Path) -> Iterator[Player]:
    """Makes Java players, and closes them at the end; then none of their programs may be left."""
    made: list[course.CoursePlayer] = []

    def make(class_name: str) -> course.CoursePlayer:
        player = course.make_player(f"{classes}#{class_name}")
        assert isinstance(player, course.CoursePlayer)
        made.append(player)
        return player

    yield make
    for player in made:
        player.close()
    assert not java_programs()


def java_programs() -> list[int]:
    """The Java programs that this process has started."""
    names = {pid: Path(f"/proc/{pid}/comm").read_text() for pid in descendants_of(os.getpid())}
    return [pid for pid, name in names.items() if name == "java\n"]


def pushed(board: Board, *moves: Move) -> Board:
    for move in moves:
        board.push(move)
    return board


# ── in the arena ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["Careful", "Prints"])
@pytest.mark.parametrize(
    "games", [(MNK, Game(4, 7, 3)), (CONNECTX, Game(4, 5, 3, gravity=True))], ids=["mnk", "connectx"]
)
def test_good_players_play_to_the_end(
    games: tuple[Game, Game], name: str, classes: Path, referee: Callable[..., Referee]
) -> None:
    """They throw when anything that they are given is wrong; in a seat all games are one object's."""
    java = f"java:{classes}#{'connectx' if games[0].gravity else 'mnkgame'}.Zoo${name}"
    judge = referee()
    for game in games:
        for players in ((java, RANDOM), (RANDOM, java), (java, "random:seed=2")):
            outcome = judge.play(GameJob("", game, players, AMPLE)).outcome
            assert outcome is not None
            assert outcome.reason is not Reason.FORFEIT, outcome.detail


@dataclass(frozen=True)
class Case:
    """What a player loses by, and the limit under which it is found out."""

    detail: str
    limit: Limit = AMPLE
    seat: Seat = Seat.FIRST


THREW = "raised an exception: the player threw java.lang."
LATE = "late: no answer within 0.35 s"
CASES = {
    "mnkgame.Zoo$Throws": Case(
        THREW + "IllegalStateException: no idea at all (mnkgame.Zoo$Throws.selectCell(Zoo.java:"
    ),
    "mnkgame.Zoo$ThrowsDeeply": Case(THREW + "IndexOutOfBoundsException: Index 5 out of bounds"),
    "mnkgame.Zoo$Overflows": Case(THREW + "StackOverflowError (mnkgame.Zoo$Overflows.selectCell(Zoo.java:"),
    "mnkgame.Zoo$ThrowsInInit": Case(
        "failed to start: the player threw java.lang.UnsupportedOperationException: not today (mnkgame.Zoo$Throws"
    ),
    "mnkgame.Zoo$ThrowsWhenMade": Case(
        "failed to start: mnkgame.Zoo$ThrowsWhenMade cannot be made: it threw java.lang.IllegalArgumentException: "
    ),
    "mnkgame.Zoo$NeedsArguments": Case(
        "failed to start: mnkgame.Zoo$NeedsArguments cannot be made: it has no constructor without arguments"
    ),
    "mnkgame.Zoo$Missing": Case("failed to start: there is no class mnkgame.Zoo$Missing on the class path"),
    "mnkgame.Zoo$Sleeps": Case(LATE, SHORT),
    "mnkgame.Zoo$ReturnsNull": Case("illegal move: selectCell returned null, which is no cell"),
    "mnkgame.Zoo$ReturnsMarked": Case("illegal move: cell (", seat=Seat.SECOND),
    "mnkgame.Zoo$ReturnsOff": Case("illegal move: cell (-1, 99) is off the board"),
    "mnkgame.Zoo$Exits": Case("exited: the Java program ended with status 3, as by System.exit(3)"),
    "mnkgame.Zoo$ExitsWhenMade": Case("exited: the Java program ended with status 4, as by System.exit(4)"),
    "connectx.Zoo$Throws": Case(THREW + "IndexOutOfBoundsException: 0,-1 (connectx.CXBoard.cellState(CXBoard.java:"),
    "connectx.Zoo$Sleeps": Case(LATE, SHORT),
    "connectx.Zoo$PlaysTheFullColumn": Case("illegal move: column 0 is full"),
    "connectx.Zoo$ReturnsOff": Case("illegal move: column 7 is off the board"),
    "connectx.Zoo$Exits": Case("exited: the Java program ended with status 0, as by System.exit(0)"),
    "connectx.Zoo$NoPlayer": Case(
        "failed to start: connectx.Zoo$NoPlayer implements neither mnkgame.MNKPlayer nor connectx.CXPlayer"
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_fault_is_a_forfeit_with_its_reason(name: str, classes: Path, referee: Callable[..., Referee]) -> None:
    case = CASES[name]
    spec = f"java:{classes}#{name}"
    # On this board a column is full before anybody has a line.
    game = Game(6, 7, 7, gravity=True) if name.startswith("connectx") else MNK
    players = (spec, RANDOM) if case.seat is Seat.FIRST else (RANDOM, spec)
    outcome = referee().play(GameJob("", game, players, case.limit)).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (case.seat.other, Reason.FORFEIT)
    assert outcome.detail.startswith(case.detail)


def test_a_player_is_frozen_and_goes_on(classes: Path, referee: Callable[..., Referee]) -> None:
    players = f"java:{classes}#connectx.Zoo$Careful", f"java:{classes}#connectx.Zoo$Prints"
    outcome = referee(freeze=True).play(GameJob("", CONNECTX, players, AMPLE)).outcome
    assert outcome is not None
    assert outcome.reason is not Reason.FORFEIT, outcome.detail


def test_a_player_that_plays_the_other_game_says_so(classes: Path, referee: Callable[..., Referee]) -> None:
    outcome = referee().play(GameJob("", CONNECTX, (f"java:{classes}#mnkgame.Zoo$Careful", RANDOM), AMPLE)).outcome
    assert outcome is not None
    reason = "failed to start: mnkgame.Zoo$Careful plays without gravity, and this game is with"
    assert outcome.detail == reason


def test_the_whole_tree_ends_with_a_late_player(classes: Path, referee: Callable[..., Referee]) -> None:
    judge = referee()
    judge.play(GameJob("", MNK, (f"java:{classes}#mnkgame.Zoo$Careful", f"java:{classes}#mnkgame.Zoo$Sleeps"), SHORT))
    left = [pid for pid in processes_of(os.getpid()) if Path(f"/proc/{pid}/comm").read_text() == "java\n"]
    assert len(left) == 1  # the careful one stays warm; the sleeper is gone
    judge.close()
    assert comes_true(lambda: not processes_of(os.getpid()), GONE_SECONDS)


# ── what a player is told ───────────────────────────────────────────────────────────────────────────────────────────


def test_the_name_is_the_players(java: Player) -> None:
    assert java("mnkgame.Zoo$Careful").name == "Careful è"


@pytest.mark.parametrize(
    ("limit", "seconds"),
    [(Limit(seconds=1.2), 2), (Limit(seconds=0.05), 1), (Limit(seconds=3), 3), (Limit(depth=3), 10)],
    ids=str,
)
def test_the_time_is_told_in_whole_seconds(limit: Limit, seconds: int, java: Player) -> None:
    player = java("mnkgame.Zoo$Tells")
    begin(player, MNK, Seat.FIRST, limit)
    assert player.choose(Board(MNK), limit) == (seconds, 11)


def test_one_object_serves_all_games_and_is_initialised_for_each(java: Player) -> None:
    player = java("mnkgame.Zoo$Tells")
    begin(player, MNK, Seat.FIRST, SECOND)
    assert player.choose(Board(MNK), SECOND) == (1, 11)
    begin(player, MNK, Seat.SECOND, SECOND)
    assert player.choose(pushed(Board(MNK), (1, 1)), SECOND) == (1, 20)


def test_a_move_that_was_taken_back_begins_the_game_anew(java: Player) -> None:
    player = java("mnkgame.Zoo$Tells")
    begin(player, MNK, Seat.FIRST, SECOND)
    board = pushed(Board(MNK), (1, 1), (0, 0))
    assert player.choose(board.copy(), SECOND) == (1, 11)
    assert player.choose(pushed(board.copy(), (0, 1), (0, 2)), SECOND) == (1, 11)
    assert player.choose(board.copy(), SECOND) == (1, 21)  # two moves fewer
    assert player.choose(pushed(board.copy(), (2, 2)), SECOND) == (1, 30)  # the other seat's turn


def test_a_position_can_be_asked_for_at_once(java: Player) -> None:
    board = pushed(Board(CONNECTX), 3, 3, 0, 4, 0)
    assert ask(java("connectx.Zoo$Careful"), board, SECOND).move == 0


# ── ends ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_stop_ends_a_player_that_thinks_and_the_next_game_has_another(java: Player) -> None:
    player = java("mnkgame.Zoo$Sleeps")
    begin(player, MNK, Seat.FIRST, AMPLE)
    timer = threading.Timer(0.2, player.stop)
    timer.start()
    with pytest.raises(PlayerError, match="was stopped before it had chosen a move"):
        ask(player, Board(MNK), AMPLE)
    timer.join()
    assert not java_programs()
    begin(player, MNK, Seat.FIRST, AMPLE)
    assert len(java_programs()) == 1


def test_who_does_not_answer_is_ended_without_a_referee_too(java: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course, "GRACE_SECONDS", 0.1)
    player = java("mnkgame.Zoo$Sleeps")
    begin(player, MNK, Seat.FIRST, AMPLE)
    with pytest.raises(PlayerError, match=r"does not answer within 0\.2 s"):
        ask(player, Board(MNK), Limit(seconds=0.1))
    assert not java_programs()


def test_a_program_that_is_killed_is_started_again(java: Player) -> None:
    player = java("mnkgame.Zoo$Careful")
    begin(player, MNK, Seat.FIRST, SECOND)
    os.kill(java_programs()[0], 9)
    with pytest.raises(PlayerError, match="was ended by a signal: Killed"):
        ask(player, Board(MNK), SECOND)
    assert ask(player, Board(MNK), SECOND).move == (0, 0)


def test_the_program_ends_when_its_starter_is_killed(classes: Path) -> None:
    code = (
        "import sys, time; from inarow import *; from inarow.adapters import course\n"
        "player = course.make_player(sys.argv[1]); player.start(Game(3, 3, 3), Seat.FIRST, Limit(seconds=60))\n"
        "print(player._program._process.pid, flush=True); player.choose(Board(Game(3, 3, 3)), Limit(seconds=60))"
    )
    command = [sys.executable, "-c", code, f"{classes}#mnkgame.Zoo$Sleeps"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        program = int(starter.stdout.readline())
        starter.kill()
    assert comes_true(lambda: not Path(f"/proc/{program}").exists(), 10 * GONE_SECONDS)


# ── specs and the cache ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_jar_will_do(classes: Path, tmp_path: Path) -> None:
    jar = tmp_path / "player.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for file in classes.rglob("*.class"):
            archive.write(file, file.relative_to(classes))
    player = course.make_player(f"{jar}#connectx.Zoo$Careful")
    assert ask(player, Board(CONNECTX), SECOND).move == 0
    player.close()


@pytest.mark.parametrize("text", ["", "#", "classes", "classes#", "#mnkgame.Some"])
def test_a_text_that_names_nobody(text: str) -> None:
    with pytest.raises(SpecError, match=r"is written java:CLASSPATH#package\.Class"):
        course.make_player(text)


def test_a_class_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"there is no folder or jar 'nowhere\.jar'"):
        course.make_player(f"{tmp_path}:nowhere.jar#mnkgame.Some")


def test_without_java_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(SpecError, match=r"there is no java: Java players need a JDK.*default-jdk-headless"):
        course.make_player(f"{tmp_path}#mnkgame.Some")


def test_the_host_is_compiled_once_even_by_two_at_once(
    classes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    code = "import sys; from inarow.adapters import course, jdk; print(jdk.compiled_once(course.HOST))"
    both = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = [process.communicate()[0].strip() for process in both]
    assert answers[0] == answers[1]
    assert [str(path) for path in (tmp_path / "inarow" / "java").iterdir()] == [answers[0]]
    monkeypatch.setattr(jdk, "compile_sources", lambda *_: pytest.fail("it is there already"))
    assert str(jdk.compiled_once(course.HOST)) == answers[0]


def test_what_cannot_be_compiled_is_told_and_not_kept(
    classes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    source = tmp_path / "Broken.java"
    source.write_text("class Broken { int }")
    with pytest.raises(SpecError, match=r"Broken\.java cannot be compiled: .*<identifier> expected"):
        jdk.compiled_once(source)
    assert not list((tmp_path / "inarow" / "java").iterdir())


def test_java_home_goes_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "bin" / "java"
    tool.parent.mkdir()
    shutil.copy("/bin/true", tool)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert jdk.find_tool("java") == str(tool)
