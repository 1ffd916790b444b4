"""A tournament by the real command: killed and continued, broken off, refused."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from inarow.arena.schedule import schedule
from inarow.arena.store import Store
from tests.soak.kills import Plan, played, store_of, survive

INAROW = [sys.executable, "-m", "inarow"]


def inarow(line: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Runs the command in a folder."""
    command = [*INAROW, *line.split()]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, cwd=folder)


def quick(store: str, more: str = "") -> str:
    return f"tournament --preset quick --players greedy,helpfulness --nodes 50 --store {store} {more}"


@pytest.mark.parametrize("freeze", [False, True])
def test_killed_and_continued_nothing_is_lost_twice_or_left_over(tmp_path: Path, freeze: bool) -> None:
    seed = random.randrange(10**6)
    plan = Plan(rounds=1, freeze=freeze, seconds=0.02)
    problems = survive(plan, 3, tmp_path, random.Random(seed), longest=2.5)
    assert not problems, f"seed {seed}"


def test_the_same_command_again_changes_nothing(tmp_path: Path) -> None:
    first = inarow(quick("games.db", "--json"), tmp_path)
    assert first.returncode == 0, first.stderr
    with Store.read(tmp_path / "games.db") as opened:
        games = list(opened.games())
        assert {key for key, _ in games} == {job.key for job in schedule(opened.tournament, {})}
    second = inarow(quick("games.db", "--json --resume"), tmp_path)
    assert json.loads(second.stdout)["complete"]
    with Store.read(tmp_path / "games.db") as opened:
        assert list(opened.games()) == games


def test_ctrl_c_keeps_what_is_played(tmp_path: Path) -> None:
    plan = Plan(rounds=50, freeze=False)
    process = subprocess.Popen(plan.command(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while played(tmp_path) < 5:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in errors and "the same command goes on" in errors
    with Store.read(store_of(tmp_path)) as store:
        assert store.check() == [] and store.count() >= 5


def test_in_process_and_by_processes_the_same_games_are_played(tmp_path: Path) -> None:
    found = []
    for number, words in enumerate(("", "--in-process")):
        assert inarow(quick(f"{number}.db", f"--workers 2 {words}"), tmp_path).returncode == 0
        with Store.read(tmp_path / f"{number}.db") as opened:
            found.append({key: (record.moves, record.outcome) for key, record in opened.games()})
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "tournament --preset quick --players greedy,gredy --store S",
            "no player is called 'gredy'; did you mean greedy?",
        ),
        ("tournament --preset quick --players greedy --store S", "a tournament needs two players or more"),
        ("tournament --preset quick --players greedy,python:no.py:P --store S", "there is no file no.py"),
        ("tournament --players greedy,rules --store S", "say --preset or --boards, one of them"),
        ("tournament --boards B --players greedy,rules --store S", "line 2 of the boards: "),
        ("tournament --boards missing --players greedy,rules --store S", "missing: No such file or directory"),
        ("tournament --preset quick --players greedy,rules --store missing/S", "missing"),
        ("tournament --preset quick --players greedy,rules --store T", "T is not"),
        ("tournament --preset quick --players greedy,rules --store N --resume", "there is no store N to go on with"),
        (
            "tournament --preset quick --players greedy,rules --store S --openings random:x",
            "openings are a file or random",
        ),
        ("match 3 3 3 greedy nobody", "no player is called 'nobody'"),
        ("match 3 3 0 greedy rules", "k must be 1 to 128, not 0"),
        ("sprt greedy rules --elo0 5 --elo1 5", "elo"),
        ("sprt greedy under:/nowhere/python:greedy", "/nowhere/python cannot be started: No such file"),
        (
            f"sprt greedy under:{sys.executable}:gredy",
            "cannot make gredy: inarow.errors.SpecError: no player is called",
        ),
        (f"sprt greedy under:{sys.executable}:greedy --in-process", "cannot play in the referee's process"),
        ("sprt greedy under:greedy", "a player of another installation is written under:PYTHON:SPEC"),
        ("sprt greedy rules --board 3 3 3 --openings balanced", "there are no balanced openings for 3x3x3, only for "),
        ("tournament --preset quick --players greedy,rules --store S --openings balanced", "those of one board"),
        ("report missing.db --out R", "missing.db"),
        ("report T", "say where the report goes"),
    ],
)
def test_what_cannot_be_done_is_one_line(tmp_path: Path, words: str, message: str) -> None:
    (tmp_path / "B").write_text("3x3x3\n3x3\n")
    (tmp_path / "T").write_text("this is no store, but a text that somebody may want to keep")
    done = inarow(words, tmp_path)
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1 and message in done.stderr
    assert (tmp_path / "T").read_text().startswith("this is no store")


def test_a_store_of_another_tournament_is_refused(tmp_path: Path) -> None:
    assert inarow(quick("games.db"), tmp_path).returncode == 0
    other = inarow(quick("games.db", "--seed 2"), tmp_path)
    assert other.returncode == 2 and "seed" in other.stderr


def test_a_match_in_json(tmp_path: Path) -> None:
    done = inarow("match 3 3 3 quasi_random:seed=1 random:seed=1 --games 4 --json", tmp_path)
    summary = json.loads(done.stdout)
    assert summary["games"] == 4 and summary["complete"]
    assert [player["name"] for player in summary["players"]] == ["quasi_random:seed=1", "random:seed=1"]
    for player in summary["players"]:
        assert player["wins"] + player["draws"] + player["losses"] == 4
        assert set(player) >= {"forfeits", "points"}


def test_sprt_stops_by_itself(tmp_path: Path) -> None:
    done = inarow("sprt greedy random:seed=1 --board 4 4 3 --nodes 5 --elo1 100 --json", tmp_path)
    found = json.loads(done.stdout)
    assert done.returncode == 0 and found["decision"] == "accept H1" and found["games"] < 400
    assert found["forfeits"] == {} and found["command"].startswith("inarow sprt greedy random:seed=1 --board 4 4 3")
    undecided = inarow("sprt random:seed=1 random:seed=2 --board 3 3 3 --nodes 5 --elo1 1 --games 10 --json", tmp_path)
    assert undecided.returncode == 1 and json.loads(undecided.stdout)["games"] == 10


def test_sprt_against_another_installation_and_its_line_for_the_results(tmp_path: Path) -> None:
    (tmp_path / "openings").write_text("b2\na1\n")
    command = f"sprt greedy under:{sys.executable}:greedy --board 4 4 3 --nodes 5 --openings openings"
    done = inarow(command, tmp_path)
    assert done.returncode == 1, done.stderr
    assert "2 openings, and no clock: at most 4 games, none played twice" in done.stderr
    line = done.stdout.splitlines()[-1]
    assert line.startswith(f"- `inarow {command}`: go on: LLR ")
    assert "for 0 or 5 Elo; Elo +0.0 (" in line and line.endswith("in 4 games; pairs 0, 0, 2, 0, 0")


def test_report_and_exports_of_a_store(tmp_path: Path) -> None:
    assert inarow(quick("games.db"), tmp_path).returncode == 0
    done = inarow("report games.db --out report", tmp_path)
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "report").glob("*.html"))
    assert len(inarow("report games.db --csv", tmp_path).stdout.splitlines()) == 3
    for kind in ("jsonl", "pgn", "psq", "sgf"):
        done = inarow(f"export games.db --format {kind} --out games.{kind}", tmp_path)
        assert done.returncode == 0 and (tmp_path / f"games.{kind}").exists(), done.stderr


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk."""
    command = quick("games.db", "--rounds 200 --openings random:2")
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f 200; exec {' '.join(INAROW)} {command}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=tmp_path,
    )
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1 and "games.db" in done.stderr
    with Store.read(tmp_path / "games.db") as store:
        kept = store.count()
        assert kept > 3 and store.check() == []
    process = subprocess.Popen([*INAROW, *command.split()], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while played(tmp_path) <= kept and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert played(tmp_path) > kept


def test_a_tournament_on_a_cluster_that_is_there(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        done = inarow(quick("games.db", f"--cluster {cluster.scheduler_address} --json"), tmp_path)
    assert done.returncode == 0, done.stderr
    with Store.read(tmp_path / "games.db") as store:
        assert store.check() == [] and store.count() == 8
