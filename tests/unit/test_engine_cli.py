"""`inarow analyse` and `inarow review`."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from inarow.engine import Engine
from inarow.engine.review import review
from inarow.game import Limit, Record, parse_position
from tests.unit.conftest import Run

SMALL = ("--memory", "8")


def test_an_analysis_as_lines_of_json(run: Run) -> None:
    status, printed, _ = run(
        "analyse", "15", "15", "5", "-m", "h8 i9", "--depth", "5", "--lines", "2", "--json", *SMALL
    )
    reports = [json.loads(line) for line in printed.splitlines()]
    assert status == 0 and [report["depth"] for report in reports] == sorted(report["depth"] for report in reports)
    last = reports[-1]
    assert last["depth"] == 5 and len(last["variations"]) == 2 and last["nodes"] > 0
    assert all(0 < variation["win_probability"] < 1 for variation in last["variations"])


def test_an_analysis_for_people(run: Run) -> None:
    status, printed, _ = run("analyse", "6", "7", "4", "-g", "-m", "d d e e", "--depth", "6", *SMALL)
    assert status == 0 and "win in 3" in printed and "depth" in printed


def test_a_finished_game_is_not_analysed(run: Run) -> None:
    status, printed, errors = run("analyse", "3", "3", "3", "-m", "a1 a2 b1 b2 c1", *SMALL)
    assert (status, printed) == (2, "") and "the game is over" in errors


def test_ctrl_c_leaves_what_there_is() -> None:
    command = [sys.executable, "-c", "from inarow.cli import main; main()", "analyse", "15", "15", "5", *SMALL]
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=plain)
    assert process.stdout is not None
    first = os.read(process.stdout.fileno(), 1 << 16)  # it is at work
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate(timeout=20)
    assert process.returncode == 130 and b"nodes" in first + printed and b"Traceback" not in errors
    assert len(first) < 4096, "each report is there when it is made"


LOST = "15x15x5:h8.a1.h9.a3.h10.a5.a7"  # three in an open row were not made four


def test_a_review_names_a_missed_win(run: Run) -> None:
    status, printed, _ = run("review", LOST, "--time", "0.05", "--json", *SMALL)
    moves = json.loads(printed)["moves"]
    assert status == 0 and len(moves) == 7
    assert moves[-1]["verdict"] == "missed win" and moves[-1]["best_value"] == "win"
    assert "missed win: better" in run("review", LOST, "--time", "0.05", *SMALL)[1]


def test_a_review_of_a_record(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(Record.of(parse_position("3x3x3:b2.a1.c1.a3.a2.c2"), ("x", "y")).to_json() + "\n")
    status, printed, _ = run("review", str(file), "--time", "0.05", "--json", *SMALL)
    assert status == 0 and [move["move"] for move in json.loads(printed)["moves"]] == [
        "b2",
        "a1",
        "c1",
        "a3",
        "a2",
        "c2",
    ]
    assert run("review", str(file), "--game", "2", *SMALL)[2] == f"inarow: {file} has 1 records: there is no number 2\n"


def test_a_review_that_is_stopped_begins_no_other_search() -> None:
    engine, board = Engine(memory_mb=8), parse_position(LOST)
    steps = review(board.game, board.moves, engine, Limit(nodes=100), lambda: True)
    assert list(steps) == []
    answers = iter([False, False, True])
    assert [step.ply for step in review(board.game, board.moves, engine, Limit(nodes=100), lambda: next(answers))] == [
        0,
        1,
    ]


def test_a_file_that_is_not_there_is_said_to_be_none(run: Run) -> None:
    errors = run("review", "games/none.jsonl", *SMALL)[2]
    assert errors.startswith("inarow: games/none.jsonl is no file that is there, and no position: ")


@pytest.mark.parametrize("text", ["nothing", "3x3x3:z9"])
def test_what_is_no_game_is_refused(run: Run, text: str) -> None:
    status, printed, errors = run("review", text, *SMALL)
    assert (status, printed) == (2, "") and errors.startswith("inarow: ")
