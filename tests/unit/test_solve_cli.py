"""`inarow solve` and `inarow verify`, as a person or a script calls them."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from inarow.errors import ProofError
from inarow.solver.jobs import JobStore
from tests.arena.processes import comes_true
from tests.unit.conftest import Run

SMALL = ("--memory", "4")
TABLE = re.compile(r"^table: [1-9][\d,]* of [1-9][\d,]* entries in use \([\d.]+%\), [1-4]\.\d MB$", re.MULTILINE)


def test_text_says_who_wins_and_how(run: Run) -> None:
    status, printed, _ = run("solve", "3", "3", "3", *SMALL)
    assert status == 0 and printed.startswith("3x3x3: a draw\nbest: ")
    status, printed, _ = run("solve", "4", "4", "3", "--gravity", "--moves", "a b", *SMALL)
    assert status == 0 and printed.startswith("4x4x3g: first wins in ") and "by alpha-beta: " in printed
    status, printed, _ = run("solve", "1", "4", "2", "--shortest", *SMALL)
    assert status == 0 and printed.startswith("1x4x2: first wins in 3 plies, with move 3\n")


def test_json_has_the_names_of_a_solution(run: Run) -> None:
    status, printed, _ = run("solve", "4", "4", "3", "-g", "--pons", "12", "--json", *SMALL)
    fields = json.loads(printed)
    assert status == 0 and fields["position"] == "4x4x3g:a.b"
    assert (fields["value"], fields["plies"], fields["best_moves"]) == ("win", 7, ["a"])
    assert fields["method"] == "alpha-beta" and fields["nodes"] >= 0 and fields["proof"] is None
    assert set(fields) == {"position", "value", "plies", "best_moves", "method", "nodes", "seconds", "proof"}
    weak = json.loads(run("solve", "4", "4", "3", "-g", "--pons", "12", "--weak", "--json", *SMALL)[1])
    assert (weak["value"], weak["plies"]) == ("win", None) and "a" in weak["best_moves"]
    maker = json.loads(run("solve", "3", "3", "3", "--weak", "--json", *SMALL)[1])
    assert (maker["value"], maker["plies"]) == ("win", None), "first completes a line when second only blocks"


def test_all_moves_come_with_their_values(run: Run) -> None:
    arguments = ("solve", "4", "4", "3", "--gravity", "--pons", "1212", "--all-moves", *SMALL)
    fields = json.loads(run(*arguments, "--json")[1])
    assert [move["move"] for move in fields["moves"]] == ["a", "b", "c", "d"]
    assert fields["moves"][0] == {"move": "a", "value": "win", "plies": 1}
    lines = run(*arguments)[1].splitlines()[3:]
    assert len(lines) == 4 and lines[0].split() == ["a", "win", "in", "1"]


def test_time_that_is_over_leaves_what_is_known(run: Run, tmp_path: Path) -> None:
    proof = tmp_path / "none.proof"
    for game in (("6", "7", "4", "--gravity"), ("10", "10", "5")):
        status, printed, _ = run("solve", *game, "--time", "0.1", "--proof", str(proof), *SMALL)
        assert status == 0 and ": not known yet (" in printed and not proof.exists()
        assert TABLE.search(printed), printed
    for game, bounds, known in (
        (("6", "7", "4", "--gravity"), ["loss", "win"], "score "),
        (("10", "10", "5"), ["draw", "win"], "draw to win, proof number "),
    ):
        fields = json.loads(run("solve", *game, "--time", "0.1", "--json", *SMALL)[1])
        assert fields["value"] == "unknown" and fields["bounds"] == bounds and fields["known"].startswith(known)
        table = fields["table"]
        assert set(table) == {"bytes", "entries", "used", "share"}
        assert 2**20 < table["bytes"] <= 4 * 2**20 and 0 < table["used"] <= table["entries"]
        assert table["share"] == pytest.approx(table["used"] / table["entries"], abs=1e-6)


@pytest.mark.parametrize("game", [("3", "3", "3"), ("4", "4", "4", "--gravity"), ("3", "4", "3", "--shortest")])
def test_a_proof_is_written_and_verified(run: Run, tmp_path: Path, game: tuple[str, ...]) -> None:
    file = tmp_path / "a.proof"
    status, printed, errors = run("solve", *game, "--proof", str(file), "--json", *SMALL)
    assert status == 0 and json.loads(printed)["proof"] == str(file), errors
    status, checked, _ = run("verify", str(file), "--json")
    assert status == 0 and json.loads(checked)["value"] == json.loads(printed)["value"]
    file.write_bytes(file.read_bytes()[:-1])
    assert run("verify", str(file))[0] != 0
    assert "inarow verify" in run("solve", *game, "--proof", str(file), *SMALL)[2]


@pytest.mark.parametrize(("game", "is_by_pairing"), [("7 7 7", True), ("50 50 10", True), ("3 3 3", False)])
def test_a_draw_by_a_pairing_is_called_so(run: Run, tmp_path: Path, game: str, is_by_pairing: bool) -> None:
    file = tmp_path / "a.proof"
    printed = run("solve", *game.split(), "--proof", str(file), *SMALL)[1]
    assert ("by pairing: " in printed) == is_by_pairing
    assert ("is a draw, by a pairing (1 positions" in run("verify", str(file))[1]) == is_by_pairing
    assert json.loads(run("verify", str(file), "--json")[1])["by_pairing"] == is_by_pairing


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["6", "7", "4", "--gravity", "--pons", "408"], "'408' is not a Connect-4 move string"),
        (["6", "7", "4", "--gravity", "--pons", "4²"], "'4²' is not a Connect-4 move string"),
        (["6", "10", "4", "--gravity", "--pons", "1"], "at most 9 columns"),
        (["6", "7", "4", "--gravity", "--pons", "48"], "move 2 of the position"),
        (["6", "7", "4", "--pons", "44"], "--pons is for gravity"),
        (["6", "7", "4", "--gravity", "--pons", "44", "--moves", "a"], "instead of --moves"),
        (["6", "7", "4", "--gravity", "--pons", "1212121"], "the game is over"),
        (["3", "3", "3", "--weak", "--proof", "x.proof"], "the weak game has no proof"),
        (["3", "3", "3", "--weak", "--all-moves"], "the weak game has no proof"),
        (["3", "3", "3", "--weak", "--store", "x.jobs"], "the weak game has no proof"),
        (["3", "3", "3", "--store", "x.jobs", "--all-moves"], "--store is without --proof and --all-moves"),
        (["3", "3", "3", "--time", "0"], "seconds must be more than 0"),
        (["3", "3", "3", "--proof", "nowhere/x.proof"], "nowhere/x.proof"),
        (["3", "3", "3", "--store", "nowhere/x.jobs"], "nowhere/x.jobs"),
    ],
)
def test_errors_are_one_line(
    run: Run, arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, printed, errors = run("solve", *arguments, *SMALL)
    assert (status, printed) == (2, "") and message in errors and errors.count("\n") == 1, errors
    assert list(tmp_path.iterdir()) == []


def test_a_proof_that_is_too_long_leaves_the_value(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_long(*_: object) -> None:
        raise ProofError("no proof is written")

    monkeypatch.setattr("inarow.cli.solve.with_proof", too_long)
    status, printed, errors = run("solve", "3", "3", "3", "--proof", str(tmp_path / "a.proof"), *SMALL)
    assert status == 2 and "a draw" in printed and "no proof is written" in errors and not list(tmp_path.iterdir())


def interrupted(arguments: list[str], is_time: Callable[[int], bool]) -> tuple[int, str, str]:
    """Status, stdout and stderr of a command that gets Ctrl-C when it is time, which its process number may tell.

    As in a terminal, all its processes get it; and they are gone soon after.
    """
    process = started(arguments, is_time)
    os.killpg(process.pid, signal.SIGINT)
    printed, errors = process.communicate(timeout=60)
    assert comes_true(lambda: not members(process.pid), 3), "a process is left over"
    return process.returncode, printed, errors


def members(group: int) -> dict[int, str]:
    """The processes of a group that live, each with its command line."""
    found = {}
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if folder.name.isdecimal():
                state, _, its_group = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
                if int(its_group) == group and state != "Z":
                    found[int(folder.name)] = (folder / "cmdline").read_text()
    return found


def started(arguments: list[str], is_time: Callable[[int], bool]) -> "subprocess.Popen[str]":
    """A command that has worked until it is time."""
    command = [str(Path(sys.executable).with_name("inarow")), "solve", *arguments]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert comes_true(lambda: is_time(process.pid), 60)
    return process


def workers_of(group: int) -> list[int]:
    return [pid for pid, command in members(group).items() if "spawn_main" in command]


def number_of_jobs(path: Path) -> int:
    if not path.exists():
        return 0
    try:
        with JobStore.read(path) as store:
            return len(store.solutions())
    except Exception:  # noqa: BLE001 - it is being made
        return 0


@pytest.mark.parametrize(
    ("game", "known"), [(["6", "8", "4", "--gravity"], "score -"), (["10", "10", "5"], "draw to win, proof number ")]
)
def test_ctrl_c_leaves_what_is_known(game: list[str], known: str, tmp_path: Path) -> None:
    proof = tmp_path / "a.proof"
    end = time.monotonic() + 3
    status, printed, errors = interrupted([*game, "--proof", str(proof), *SMALL], lambda _: time.monotonic() > end)
    assert status == 130 and f": not known yet ({known}" in printed, errors
    assert re.search(r"[1-9][\d,]* nodes in [1-9]\.\d+ s", printed) and TABLE.search(printed), printed
    assert "Traceback" not in errors and not proof.exists()


# --- split into jobs ---


@pytest.mark.parametrize(
    "game", [["3", "3", "3"], ["3", "4", "3", "--shortest"], ["4", "4", "3", "-g"], ["4", "5", "4", "-g", "--weak"]]
)
def test_jobs_give_what_one_search_gives(run: Run, tmp_path: Path, game: list[str]) -> None:
    alone = json.loads(run("solve", *game, "--json", *SMALL)[1])
    store = str(tmp_path / "a.jobs")
    status, printed, errors = run("solve", *game, "--store", store, "--split", "2", "--json", *SMALL)
    found = json.loads(printed)
    assert status == 0, errors
    assert (found["value"], found["method"], found["stopped"]) == (alone["value"], "split", False)
    assert found["plies"] == alone["plies"] and found["best_moves"] and found["left"] < found["jobs"]
    again = json.loads(run("solve", *game, "--store", store, "--split", "2", "--json", *SMALL)[1])
    assert again == found, "all of it is in the store"


def test_a_store_of_something_else_is_refused(run: Run, tmp_path: Path) -> None:
    store = str(tmp_path / "a.jobs")
    assert run("solve", "2", "3", "2", "--store", store, "--split", "0", *SMALL)[0] == 0
    for arguments, message in (
        (["2", "3", "3"], "is about 2x3x2, not about 2x3x3"),
        (["2", "3", "2", "--moves", "a1"], "is about 2x3x2, not about 2x3x2:a1"),
        (["2", "3", "2", "--shortest"], "holds values only"),
    ):
        status, printed, errors = run("solve", *arguments, "--store", store, *SMALL)
        assert (status, printed) == (2, "") and message in errors


def test_jobs_without_enough_time_are_left(run: Run, tmp_path: Path) -> None:
    arguments = ("solve", "6", "7", "4", "-g", "--store", str(tmp_path / "a.jobs"), "--split", "0", *SMALL)
    status, printed, errors = run(*arguments, "--time", "0.1")
    assert status == 0 and "not known yet (loss in 2 plies to win in 1 plies)" in printed
    assert "1 of 1 jobs are left" in errors


CREWS = {"alone": [], "processes": ["--workers", "2"], "cluster": ["--cluster", "local", "--workers", "2"]}


@pytest.mark.parametrize("crew", CREWS)
def test_ctrl_c_keeps_the_jobs_that_are_done(tmp_path: Path, crew: str) -> None:
    store = tmp_path / "a.jobs"
    arguments = ["6", "6", "4", "-g", "--store", str(store), "--split", "5", *SMALL, *CREWS[crew]]
    done = 0
    for _ in range(2):  # the second time it goes on with what the first has kept
        before = done
        status, printed, errors = interrupted(arguments, lambda _: number_of_jobs(store) > before)  # noqa: B023
        assert status == 130 and "not known yet" in printed and "the same command goes on" in errors, errors
        assert "Traceback" not in errors
        done = number_of_jobs(store)
        assert done > before


@pytest.mark.parametrize("crew", list(CREWS)[1:])
def test_ctrl_c_before_the_first_job(tmp_path: Path, crew: str) -> None:
    """Also workers that are only starting leave nothing behind; what dask's may say of it is theirs."""
    arguments = ["5", "6", "4", "-g", "--store", str(tmp_path / "a.jobs"), "--split", "0", *SMALL, *CREWS[crew]]
    status, printed, errors = interrupted(arguments, lambda group: len(workers_of(group)) > 0)
    said = "1 of 1 jobs are left; the same command goes on\n"
    assert status == 130 and "not known yet" in printed and (said in errors if crew == "cluster" else errors == said), (
        errors
    )


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    store = tmp_path / "a.jobs"
    arguments = ["7", "5", "4", "-g", "--store", str(store), "--split", "5", "--json", *SMALL, *CREWS["processes"]]
    process = started(arguments, lambda _: number_of_jobs(store) > 0)
    os.kill(workers_of(process.pid)[0], signal.SIGKILL)
    printed, errors = process.communicate(timeout=120)
    found = json.loads(printed)
    assert (process.returncode, found["value"], found["plies"]) == (0, "draw", 35), errors
