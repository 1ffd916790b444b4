"""A class's work by the real command: the good ones play, the others are told what was wrong, and nobody stops it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from inarow import SpecError
from inarow.arena.store import Store
from inarow.arena.trials import quick_trials
from inarow.cli import app
from inarow.game import Seat, parse_game
from tests.arena.processes import comes_true
from tests.arena.test_sandbox import WHY_NOT

SANDBOX = [] if WHY_NOT else ["--sandbox"]
INAROW = [sys.executable, "-m", "inarow"]
CHOOSES = "class Me:\n    def choose(self, board, limit):\n        return {}\n"
GOOD = CHOOSES.format("board.legal_moves[0]")
BAD = {
    "exits": ("import sys; sys.exit(3)\n" + GOOD, "SystemExit: 3 (line 1)"),
    "forks": ("import os, time\n" + CHOOSES.format("os.fork(), time.sleep(60)"), "started another process"),
    "hangs": ("while True: pass\n" + GOOD, "started late: no answer within 1 s"),
    "illegal": (CHOOSES.format("board.moves[0] if board.moves else board.legal_moves[0]"), "illegal move: cell ("),
    "nothing": ("x = 1\n", "there is no player in it"),
    "prints": ("print('hello')\n" + GOOD, "wrote to its output: 'hello"),
}


def hand_in(folder: Path, **files: str) -> Path:
    """Writes a folder of submissions."""
    for name, source in files.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "mine.py").write_text(source)
    return folder


def command(folder: Path, *more: str) -> list[str]:
    boards = folder.parent / "boards.txt"
    boards.write_text("2x2x2\n3x3x3\n")
    options = ["--boards", str(boards), "--nodes", "50", "--start", "1", "--store", str(folder.parent / "games.db")]
    return [*INAROW, "tournament", "--submissions", str(folder), *options, *more]


def run(words: list[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        words, capture_output=True, text=True, check=False, timeout=120, env={**os.environ, "COLUMNS": "300"}
    )


def test_the_good_ones_enter_and_the_others_hear_why(tmp_path: Path) -> None:
    """In a sandbox where there is one."""
    sources = {name: source for name, (source, _) in BAD.items()}
    folder = hand_in(tmp_path / "class", ada=GOOD, bea=GOOD, **sources)
    words = command(folder, "--players", "random:seed=1", "--json", *SANDBOX)
    done = run(words)
    assert done.returncode == 0, done.stderr
    assert ("submissions run with your rights" in done.stderr) is not bool(SANDBOX)
    result = json.loads(done.stdout)
    assert result["complete"]
    assert [entry["name"] for entry in result["entered"]] == ["ada", "bea"]
    why = {refusal["name"]: "\n".join(refusal["why"]) for refusal in result["refused"]}
    assert why.keys() == BAD.keys()
    for name, (_, reason) in BAD.items():
        assert reason in why[name]
    with Store.read(tmp_path / "games.db") as store:
        assert store.tournament.players == ("random:seed=1", "ada", "bea")
        assert store.check() == []
        games = list(store.games())
    assert len(games) == 12
    assert not [record for _, record in games if record.outcome is not None and record.outcome.detail]
    again = run(words)
    assert again.returncode == 0, again.stderr
    with Store.read(tmp_path / "games.db") as store:
        assert list(store.games()) == games


def test_the_teacher_reads_a_table_and_the_store_knows_its_players(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "class", **{"ada [bold]": GOOD, "bea": GOOD, "cleo": "class Me(:\n"})
    done = run(command(folder))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "submissions run with your rights" in done.stderr
    assert lines[0] == "2 submissions enter: ada [bold], bea"
    assert lines[1].strip() == "1 do not enter"
    assert any(
        "cleo" in line and "mine.py cannot be read: SyntaxError: invalid syntax (line 1)" in line for line in lines
    )
    assert any("ada [bold]" in line and "4" in line for line in lines[-5:])
    hand_in(folder, dora=GOOD)
    later = CliRunner().invoke(app, command(folder)[len(INAROW) :])
    assert later.exit_code == 0
    assert "it was refused when the tournament began" in later.stdout
    (folder / "bea" / "mine.py").write_text(GOOD.replace("Me", "Other"))
    with pytest.raises(SpecError, match=r"bea entered .*:Me, and its folder holds .*:Other now"):
        app(command(folder)[len(INAROW) :], standalone_mode=False)


@pytest.mark.parametrize(
    ("names", "more", "words"),
    [
        (["random"], ["--players", "random"], "a sub-folder is called random, as one of --players is"),
        (["ada"], [], "a tournament needs two players or more"),
        (["ada"], ["--in-process"], "submissions play in processes of their own"),
    ],
)
def test_what_is_refused(tmp_path: Path, names: list[str], more: list[str], words: str) -> None:
    folder = hand_in(tmp_path / "class", **dict.fromkeys(names, GOOD))
    with pytest.raises(SpecError, match=words):
        app(command(folder, *more)[len(INAROW) :], standalone_mode=False)
    assert not (tmp_path / "games.db").exists()


def test_ctrl_c_while_checking(tmp_path: Path) -> None:
    started = tmp_path / "started"
    source = f"open({str(started)!r}, 'w').close()\n" + BAD["hangs"][0]
    folder = hand_in(tmp_path / "class", **{f"hangs{number}": source for number in range(9)})
    process = subprocess.Popen(
        [*command(folder), "--start", "60"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert comes_true(started.exists, 60)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in errors and "nothing has been played" in errors
    assert comes_true(lambda: not _processes_with(str(folder)), 10)


def _processes_with(word: str) -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            text = (entry / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if word in text:
            found.append(text)
    return found


def test_a_folder_is_checked_as_it_is_handed_in(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "class", ada=GOOD)
    options = ["--board", "2x2x2", "--tolerance", "10", "--json", *SANDBOX]
    done = CliRunner().invoke(app, ["check", str(folder / "ada"), *options])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["player"] == f"python:{folder / 'ada' / 'mine.py'}:Me"
    with pytest.raises(SpecError, match="there is no player in it"):
        app(["check", str(hand_in(tmp_path / "other", bea="x = 1\n"))], standalone_mode=False)


def test_quick_trials_are_few_and_of_both_placements() -> None:
    games = tuple(parse_game(text) for text in ("70x70x10", "3x3x3", "4x4x3", "5x5x4", "6x7x4g", "9x9x5", "7x7x4"))
    trials = quick_trials(games, with_clock=False)
    assert [str(trial.game) for trial in trials[::2]] == ["3x3x3", "5x5x4", "9x9x5", "6x7x4g"]
    assert [trial.own_moves for trial in trials[::2]] == [None, 4, 4, 4]
    assert [trial.seat for trial in trials] == [*Seat] * 4
    assert len(quick_trials(games[:1], with_clock=True)) == 2
