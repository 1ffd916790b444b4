"""The subcommands, as a person or a script calls them."""

import json
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from inarow import Record, __version__
from inarow.cli.common import run_stoppable
from tests.unit.conftest import Run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", "0", "3", "3"], "rows must be 1 to 128, not 0"),
        (["move", "3", "3", "0", "--player", "random"], "k must be 1 to 128, not 0"),
        (["perft", "129", "3", "3", "1"], "rows must be 1 to 128, not 129"),
        (["move", "3", "3", "3", "--moves", "3,0", "--player", "random"], "cell (3, 0) is off the board"),
        (["move", "3", "3", "3", "--moves", "1,1 1,1", "--player", "random"], "cell (1, 1) is taken"),
        (["move", "2", "3", "3", "-g", "--moves", "0 0 0", "--player", "random"], "column 0 is full"),
        (["move", "1", "3", "1", "--moves", "a1", "--player", "random"], "the game is over: first wins"),
        (["move", "1", "3", "1", "--moves", "a1 b1", "--player", "random"], "move 2 of the position: the game is over"),
        (["move", "3", "3", "3", "--player", "nobody"], "no player is called 'nobody'"),
        (["move", "3", "3", "3", "--player", "random:tempo=1"], "random has no option 'tempo'"),
        (["move", "3", "3", "3", "--player", "random", "--time", "0"], "seconds must be more than 0"),
        (["move", "3", "3", "3", "--player", "random", "--nodes", "0"], "nodes must be a whole number of at least 1"),
        (["show", "3x3"], "'3x3' is not a game"),
        (["show", "3x3x3:z9"], "move 1 of the position"),
        (["play", "3", "3", "3", "--against", "nobody"], "no player is called 'nobody'"),
    ],
)
def test_an_error_is_one_line_and_status_2(run: Run, arguments: list[str], message: str) -> None:
    status, out, err = run(*arguments)
    assert status == 2
    assert message in err and err.startswith("inarow: ") and err.count("\n") == 1
    assert out == ""


def test_a_file_that_cannot_be_written_is_one_line(run: Run, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere" / "file")
    for arguments in (
        ["play", "3", "3", "3", "--moves", "a1", "--record", nowhere],
        ["book", "build", "3", "3", "3", "--plies", "0", "--depth", "1", "--out", nowhere],
    ):
        status, _, err = run(*arguments)
        assert status == 2 and err.splitlines()[-1].startswith(f"inarow: {nowhere}")
        assert err.splitlines()[-1].endswith("No such file or directory")
        assert "Traceback" not in err


def test_a_player_that_raises_is_one_line(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import inarow\nclass Me(inarow.Player):\n    def choose(self, board, limit):\n        return 1 / 0\n"
    )
    status, out, err = run("move", "3", "3", "3", "--player", f"python:{file}:Me")
    assert (status, out) == (2, "")
    assert err == f"inarow: the player raised ZeroDivisionError: division by zero ({file}, line 4)\n"
    file.write_text(file.read_text().replace("return 1 / 0", "raise SystemExit(0)"))
    status, out, err = run("move", "3", "3", "3", "--player", f"python:{file}:Me")
    assert status == 2 and "the player raised SystemExit" in err
    file.write_text(file.read_text().replace("raise SystemExit(0)", "print('hm'); return 0, 0"))
    assert json.loads(run("move", "3", "3", "3", "--player", f"python:{file}:Me", "--json")[1])["move"] == [0, 0]


@pytest.mark.parametrize("arguments", [["perft", "3", "3", "3", "-1"], ["play", "three", "3", "3"], ["nothing"]])
def test_wrong_usage_is_status_2_without_a_traceback(run: Run, arguments: list[str]) -> None:
    status, _, err = run(*arguments)
    assert status == 2 and "Traceback" not in err and err


def test_the_installed_command_reports_errors_the_same_way() -> None:
    command = Path(sys.executable).with_name("inarow")
    result = subprocess.run([command, "show", "0x3x3"], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", "inarow: rows must be 1 to 128, not 0\n")


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"inarow {__version__}\n", "")


def test_every_command_has_help_with_an_example(run: Run) -> None:
    _, out, _ = run("--help")
    commands = ("play", "show", "move", "players", "tune", "perft", "bench", "demo")
    assert all(command in out for command in commands)
    for command in commands:
        status, text, _ = run(command, "--help")
        assert status == 0 and f"inarow {command}" in text and "Example" in text


def test_move_json(run: Run) -> None:
    status, out, _ = run("move", "15", "15", "5", "--moves", "7,7 7,8", "--player", "random:seed=1", "--json")
    answer = json.loads(out)
    assert status == 0
    assert answer["player"] == "random:seed=1" and answer["position"] == "15x15x5:h8.i8"
    assert len(answer["move"]) == 2 and answer["move"] not in ([7, 7], [7, 8])
    assert {"nodes", "depth", "seconds", "score", "line", "name"} <= set(answer)


def test_move_with_gravity_is_a_column(run: Run) -> None:
    arguments = ["move", "6", "7", "4", "--gravity", "--moves", "3 0 3 0 3", "--player", "quasi_random"]
    assert json.loads(run(*arguments, "--json")[1])["move"] == 3
    assert run(*arguments)[1] == "d\n"


def test_players(run: Run) -> None:
    players = json.loads(run("players", "--json")[1])
    assert {"name", "summary", "options"} <= set(players[0])
    assert {"random", "quasi_random"} <= {player["name"] for player in players}
    assert [option["name"] for player in players if player["name"] == "random" for option in player["options"]] == [
        "seed"
    ]
    assert "quasi_random" in run("players")[1]


def test_perft(run: Run) -> None:
    counts = json.loads(run("perft", "3", "3", "3", "9", "--positions", "--json")[1])
    assert counts["games"] == 255168 and sum(counts["positions"]) == 5478
    out = run("perft", "3", "3", "3", "9", "--positions")[1]
    assert "games that ended: 255168" in out and "different positions: 5478" in out


def test_different_positions_of_connect4(run: Run) -> None:
    """The numbers that Tromp published."""
    counts = json.loads(run("perft", "6", "7", "4", "6", "--gravity", "--positions", "--json")[1])
    assert counts["positions"] == [1, 7, 49, 238, 1120, 4263, 16422]


def test_show(run: Run) -> None:
    status, out, _ = run("show", "3x3x3:a1.b1.a2.b2.a3")
    assert status == 0 and "first wins with a line" in out and "[●]" in out and "(●)" in out
    described = json.loads(run("show", "3x3x3:a1.b1.a2.b2.a3", "--json")[1])
    assert described["outcome"] == {"winner": "first", "reason": "line", "line": [[0, 0], [1, 0], [2, 0]]}
    assert run("show", "6x7x4g:d", "--svg")[1].startswith("<svg")


def test_play_to_the_end_with_every_command(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    lines = "help\nhint\nundo\nb2\nb2\nwhat?\nundo\n" + "\n".join(f"{column}{row}" for row in "123" for column in "abc")
    arguments = ["play", "3", "3", "3", "--against", "quasi_random:seed=1", "--record", str(file)]
    status, out, err = run(*arguments, stdin=lines + "\nquit\n")
    assert (status, err) == (0, "")
    assert "There is no move of yours to take back." in out
    assert "would play" in out and "'what?' is not a cell" in out and "cell (1, 1) is taken" in out
    assert any(verdict in out for verdict in ("You win!", "A draw.", "quasi_random:seed=1 wins."))
    record = Record.from_json(file.read_text(encoding="utf-8"))
    assert record.players == ("person", "quasi_random:seed=1") and record.outcome is not None


def test_leaving_a_game_tells_the_position_and_keeps_it(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    arguments = ["play", "6", "7", "4", "-g", "--as", "second", "--moves", "d", "--record", str(file)]
    for _ in range(2):
        status, out, _ = run(*arguments, stdin="")
        assert status == 0 and "Left at 6x7x4g:d" in out
    assert len(file.read_text(encoding="utf-8").splitlines()) == 2


def test_ctrl_c_stops_the_work_and_keeps_what_it_has() -> None:
    stopped = threading.Event()
    main_thread = threading.main_thread().ident
    assert main_thread is not None

    def work() -> str:
        signal.pthread_kill(main_thread, signal.SIGINT)
        stopped.wait()
        return "so far"

    assert run_stoppable(work, stopped.set) == "so far"


def test_an_error_in_the_work_is_raised_where_it_was_asked_for() -> None:
    def work() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_stoppable(work, lambda: None)


def test_demo_shows_what_the_readme_says(run: Run, tmp_path: Path) -> None:
    status, out, _ = run("demo", "--out", str(tmp_path / "demo"))
    assert status == 0 and "points against each, of 8" in out
    assert (tmp_path / "demo" / "report.html").is_file()
    lines = re.findall(r" \d  (\w+) +((?:\d+ +){7}[\d.]+/40)", out)
    assert len(lines) == 6
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert re.findall(r" \d  (\w+) +((?:\d+ +){7}[\d.]+/40)", readme) == lines


def test_a_player_s_story(run: Run) -> None:
    out = run("players", "telos")[1]
    assert "Giarrusso" in out and "crossings" in out and "Costs" in out and "Strength" in out
    story = json.loads(run("players", "markcello", "--json")[1])
    options = run("players", "engine")[1]
    assert re.search(r"threads +whole number +1 ", options) and re.search(r"solver +on or off +on ", options)
    assert "Huang" in story["story"] and {"name", "summary", "options", "costs", "strength"} <= set(story)
    status, _, err = run("players", "telus")
    assert status == 2 and "did you mean telos?" in err


def test_a_book_is_built_kept_and_used(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "small.book"
    arguments = ["book", "build", "4", "5", "3", "--gravity", "--out", str(file), "--depth", "3", "--json"]
    built = json.loads(run(*arguments, "--plies", "1")[1])
    assert built["positions"] == 4, "the empty board and three columns, the others being mirror images"
    lines = file.read_text(encoding="utf-8")
    assert json.loads(run(*arguments, "--plies", "1")[1])["positions"] == 4
    assert file.read_text(encoding="utf-8") == lines
    answer = json.loads(run("move", "4", "5", "3", "-g", "--player", f"telos:book={file}", "--json")[1])
    assert answer["nodes"] == 0
    status, _, err = run("book", "build", "4", "4", "3", "--out", str(file), "--plies", "1")
    assert status == 2 and "is a book of 4x5x3g, not of 4x4x3" in err
    status, _, err = run("move", "4", "4", "3", "--player", f"telos:book={file}")
    assert status == 2 and "is for 4x5x3g, not for 4x4x3" in err
    status, _, err = run("move", "4", "4", "3", "--player", f"telos:book={tmp_path}")
    assert status == 2 and "cannot be read" in err


def test_tune(run: Run) -> None:
    arguments = ["tune", "markcello", "4", "4", "3", "--q", "1,3", "--depth", "2", "--games", "1", "--time", "0.01"]
    ranking = json.loads(run(*arguments, "--json")[1])
    assert {entry["player"] for entry in ranking} == {"markcello:q=1,depth=2", "markcello:q=3,depth=2"}
    assert sum(entry["points"] for entry in ranking) == 2 and all(entry["games"] == 2 for entry in ranking)
    assert "markcello:q=3,depth=2" in run(*arguments)[1]
    for wrong in (["tune", "telos", "4", "4", "3"], ["tune", "markcello", "4", "4", "3", "--q", "x"]):
        assert run(*wrong)[0] == 2
