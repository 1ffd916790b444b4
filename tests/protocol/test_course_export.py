"""Our players in a course's tester: the exported class plays, in time, and leaves no process behind."""

import contextlib
import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from inarow import Board, Limit, Move, Player, SpecError, make_player
from inarow.adapters import course_export
from inarow.adapters.course_export import CourseGame, export
from inarow.adapters.jdk import compile_sources
from inarow.cli import app
from tests.arena.processes import GONE_SECONDS, comes_true

PLAYER_FILE = """
import inarow, time

class {name}(inarow.Player):
    def choose(self, board, limit):
        {body}
        return board.legal_moves[-1]
"""


def servers(marker: Path) -> list[int]:
    """The programs that serve the player in this file."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdecimal():
                words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
                if "course-serve" in words and any(str(marker) in word for word in words):
                    found.append(int(entry.name))
    return found


@pytest.fixture(scope="module")
def players_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("players") / "players.py"
    prints = "print('move 0,0', flush=True)"
    file.write_text(
        "".join(
            PLAYER_FILE.format(name=name, body=body)
            for name, body in {
                "Prints": prints,
                "Sleeps": "time.sleep(limit.seconds + 60)",
                "ThinksToTheEnd": "time.sleep(limit.seconds)",
                "Raises": "raise RuntimeError('no idea')",
                "Exits": "import os; board.ply < 4 or os._exit(3)",
            }.items()
        )
    )
    return file


@pytest.fixture
def players(players_file: Path) -> Iterator[Path]:
    """A file of players whose programs are told apart by its path; at the end none may be left."""
    yield players_file
    assert comes_true(lambda: not servers(players_file), 10 * GONE_SECONDS)


@pytest.fixture(scope="module")
def exported(classes: Path, players_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with a class ours.NAME of each player that does what it should not, compiled all at once."""
    out = tmp_path_factory.mktemp("exported")
    for name in ("Sleeps", "ThinksToTheEnd", "Raises", "Exits"):
        export(f"python:{players_file}:{name}", CourseGame.MNK, out, f"ours.{name}")
    compile_sources(sorted(out.rglob("*.java")), out, class_path=str(classes))
    return out


def command_of(classes: Path, out: Path, game: CourseGame, *arguments: object) -> list[str]:
    package = "mnkgame" if game is CourseGame.MNK else "connectx"
    return ["java", "-cp", f"{out}:{classes}", f"{package}.Tester", *map(str, arguments)]


def played(command: list[str]) -> tuple[list[str], str]:
    """What a tester prints, and its stderr."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize("game", CourseGame)
def test_the_exported_class_plays_both_seats_again_and_again(
    game: CourseGame, classes: Path, tmp_path: Path, players: Path
) -> None:
    spec = f"python:{players}:Prints"
    export(spec, game, tmp_path, "some.where.Ours", class_path=str(classes))
    size = (3, 3, 3) if game is CourseGame.MNK else (4, 5, 3)
    careful = f"{'mnkgame' if game is CourseGame.MNK else 'connectx'}.Zoo$Careful"
    for both in (("some.where.Ours", careful), (careful, "some.where.Ours")):
        lines, errors = played(command_of(classes, tmp_path, game, *size, 5, 3, *both))
        assert f"inarow {spec}" in lines or both[0] == careful
        assert len([line for line in lines if " after " in line]) == 3
        assert len(set(lines[-3:])) == 1  # neither player ever plays anything else
        assert "no move in time" not in errors


def test_a_player_that_uses_all_its_time_is_in_time(classes: Path, exported: Path, players: Path) -> None:
    both = "ours.ThinksToTheEnd", "mnkgame.Zoo$Careful"
    lines, errors = played(command_of(classes, exported, CourseGame.MNK, 2, 2, 2, 2, 1, *both))
    assert lines[1:] == ["WINP1 after 3"]
    assert "no move in time" not in errors


@pytest.mark.parametrize(
    ("name", "seconds", "words"),
    [("Sleeps", 1, "inarow: no move in time"), ("Raises", 5, "RuntimeError: no idea"), ("Exits", 5, "inarow: ended")],
)
def test_whatever_its_player_does_the_class_goes_on(
    name: str, seconds: int, words: str, classes: Path, exported: Path, players: Path
) -> None:
    both = f"ours.{name}", "mnkgame.Zoo$Careful"
    lines, errors = played(command_of(classes, exported, CourseGame.MNK, 2, 3, 3, seconds, 1, *both))
    assert lines[1:] == ["DRAW after 6"]
    assert words in errors


def test_its_program_ends_when_the_tester_is_killed(classes: Path, exported: Path, players: Path) -> None:
    command = command_of(classes, exported, CourseGame.MNK, 3, 3, 3, 60, 1, "ours.Sleeps", "mnkgame.Zoo$Careful")
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        assert comes_true(lambda: bool(servers(players)), 60)
        process.kill()
    assert comes_true(lambda: not servers(players), 10 * GONE_SECONDS)


# ── the command and the lines ───────────────────────────────────────────────────────────────────────────────────────


def test_the_command_writes_the_source(tmp_path: Path) -> None:
    arguments = ["course-export", "--player", "telos:memory=on", "--game", "connectx", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0
    source = (tmp_path / "inarow" / "Telos.java").read_text(encoding="utf-8")
    assert "class inarow.Telos" in " ".join(done.stdout.split())
    assert "package inarow;" in source
    assert '"--player", "telos:memory=on"' in source
    assert sys.executable in source


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"class_name": "no name"}, "'no name' is not the name of a Java class"),
        ({"margin": 1.0}, "the margin is more than 0 and less than 1 s, not 1"),
        ({"class_path": "nowhere"}, "there is no folder or jar 'nowhere'"),
    ],
    ids=["class", "margin", "class path"],
)
def test_what_cannot_be_exported_is_refused_before_it_is_written(
    settings: dict[str, object], words: str, tmp_path: Path
) -> None:
    with pytest.raises(SpecError, match=words):
        export("telos", CourseGame.MNK, tmp_path / "out", **settings)  # type: ignore[arg-type]
    assert not (tmp_path / "out").exists()


def test_the_lines() -> None:
    requests = ["init 1 4 2 1 second", "choose 1 0,1", "choose 1 0,1", "choose 1 0", "init 1 1", "go", ""]
    answers = io.StringIO()
    course_export.serve(make_player("rules"), CourseGame.MNK, io.StringIO("\n".join(requests)), answers)
    lines = answers.getvalue().splitlines()
    assert lines[:2] == ["ready", "ok"]
    assert lines[2].startswith("move 0,")
    assert lines[3] == "threw cell (0, 1) is taken"
    assert lines[4].startswith("threw a move is")
    assert lines[5:] == ["threw no request: 'init 1 1'", "threw no request: 'go'"]


def test_the_player_is_stopped_and_closed_when_the_lines_end() -> None:
    class NotesIt(Player):
        def __init__(self) -> None:
            self.notes: list[str] = []

        def choose(self, board: Board, limit: Limit) -> Move:
            return board.legal_moves[0]

        def stop(self) -> None:
            self.notes.append("stop")

        def close(self) -> None:
            self.notes.append("close")

    player = NotesIt()
    course_export.serve(player, CourseGame.CONNECTX, io.StringIO("init 4 4 3 1 first\n"), io.StringIO())
    assert player.notes == ["stop", "close"]
