"""`inarow serve` as a process: it starts, it ends, and nothing of it is left whatever ends it."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import psutil
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from inarow.cli.serve import serve
from inarow.errors import MissingPackage
from tests.web.serving import comes_true, workers_of

COMMAND = [sys.executable, "-m", "inarow", "serve", "--port", "0", "--threads", "2", "--memory", "64"]


def hear_hangups() -> None:
    """Even when the tests are run with nohup, whose children do not."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@contextmanager
def started(*options: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """The process, and the link that it prints."""
    # A session of its own, as a terminal gives one: Ctrl-C reaches the server and not these tests.
    process = subprocess.Popen(
        [*COMMAND, *options], stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=hear_hangups
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.match(r"inarow is at (http://\S+) \(Ctrl-C ends it\)", line)
        assert found, line
        yield process, found[1]
    finally:
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()  # and not read to its end: a worker that was left over would keep it open


def is_up(link: str) -> bool:
    try:
        with urlopen(f"{link}api/info", timeout=5) as answer:
            return bool(json.load(answer)["version"])
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP])
def test_nothing_is_left_whatever_ends_it(number: signal.Signals) -> None:
    with started() as (process, link):
        assert comes_true(lambda: is_up(link), 30)
        with connect(link.replace("http", "ws") + "socket") as socket:
            for identity in range(2):
                request = {"type": "analyse", "id": identity, "position": "19x19x5", "lines": 1}
                socket.send(json.dumps(request))
                socket.recv(timeout=30)
            workers = workers_of(process.pid)
            assert len(workers) == 3
            if number == signal.SIGINT:  # as a terminal does: to the whole group
                os.killpg(process.pid, number)
            else:
                process.send_signal(number)
            told: list[str] = []
            with pytest.raises(ConnectionClosed):
                while True:
                    told.append(json.loads(socket.recv(timeout=30))["type"])
            assert number in (signal.SIGKILL, signal.SIGHUP) or "notice" in told
        assert process.wait(30) == {signal.SIGINT: 0}.get(number, -number)
        assert comes_true(lambda: not any(psutil.pid_exists(pid) for pid in workers))


def test_a_hung_worker_does_not_outlive_the_server() -> None:
    with started() as (process, link):
        assert comes_true(lambda: is_up(link), 30)
        workers = workers_of(process.pid)
        for pid in workers:
            os.kill(pid, signal.SIGSTOP)
        process.kill()
        assert comes_true(lambda: not any(psutil.pid_exists(pid) for pid in workers))


def test_a_port_that_is_taken_is_told_in_a_line() -> None:
    with started() as (_, link):
        port = link.rstrip("/").rpartition(":")[2]
        done = subprocess.run([*COMMAND[:-6], "--port", port], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2 and done.stderr == f"inarow: 127.0.0.1:{port}: Address already in use\n"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "nowhere.invalid"], "nowhere.invalid:0"),
        (["--token", "x"], "a token has at least 8"),
        (["--threads", "100", "--memory", "64"], "100 threads need at least"),
        (["--store", "missing.db"], "missing.db does not exist"),
    ],
)
def test_what_cannot_be_served_is_told_in_a_line(tmp_path: Path, options: list[str], words: str) -> None:
    command = [*COMMAND, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)
    assert done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1


def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inarow.cli.serve.find_spec", lambda name: None if name == "uvicorn" else object())
    with pytest.raises(MissingPackage, match=r"needs uvicorn: pip install 'inarow\[web\]'"):
        serve()


def test_others_get_a_link_with_a_token() -> None:
    with started("--host", "0.0.0.0") as (_, link):
        token = link.partition("?token=")[2]
        assert len(token) >= 20
