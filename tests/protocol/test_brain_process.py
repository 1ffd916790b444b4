"""The brain as a process: how it ends, what it survives, what memory it takes."""

import os
import random
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from inarow.adapters.gomocup.commands import parse_cell
from tests.protocol.manager import BRAIN, PATIENCE, Process

Brains = Callable[..., Process]
LONG = "INFO timeout_turn 1000000\nSTART 20\nBEGIN"


def thinking(processes: Brains, *arguments: str) -> Process:
    brain = processes(*arguments)
    assert brain.ask(LONG) == "OK"
    assert brain.is_quiet(0.2)
    return brain


def test_end_in_the_middle_of_a_thought_says_nothing(processes: Brains) -> None:
    brain = thinking(processes)
    brain.send("END")
    assert brain.wait() == 0
    assert brain.hear() is None


def test_the_end_of_the_input_in_the_middle_of_a_thought(processes: Brains) -> None:
    """What was asked is answered at once."""
    brain = thinking(processes)
    brain.close_input()
    assert brain.wait() == 0
    assert parse_cell(brain.hear() or "") is not None
    assert brain.hear() is None


def test_a_player_that_does_not_stop_does_not_hold_the_brain_back(processes: Brains, tmp_path: Path) -> None:
    file = tmp_path / "sleeper.py"
    file.write_text(
        "import time, inarow\n"
        "class Sleeper(inarow.Player):\n"
        "    def choose(self, board, limit):\n"
        "        print('this is no answer')\n"
        "        time.sleep(1000)\n"
    )
    brain = thinking(processes, "--player", f"python:{file}:Sleeper")
    brain.send("YXSTOP")
    assert brain.is_quiet(0.2)
    brain.send("END")
    assert brain.wait() == 1
    assert brain.hear() is None


def test_a_player_that_fails_is_an_error_and_no_more(processes: Brains, tmp_path: Path) -> None:
    file = tmp_path / "failing.py"
    file.write_text(
        "import inarow\n"
        "class Failing(inarow.Player):\n"
        "    def choose(self, board, limit):\n"
        "        return (0, 0) if board.ply else 1 / 0\n"
    )
    brain = processes("--player", f"python:{file}:Failing")
    assert brain.ask("START 15") == "OK"
    assert brain.ask("BEGIN").startswith("ERROR the player raised ZeroDivisionError")
    assert brain.ask("TURN 7,7") == "0,0"
    for _ in range(2):  # nothing has changed
        assert brain.ask("TURN 8,8").startswith("ERROR illegal move")
    brain.send("END")
    assert brain.wait() == 0


def test_ctrl_c_ends_it(processes: Brains) -> None:
    brain = thinking(processes)
    brain.process.send_signal(signal.SIGINT)
    assert brain.wait() == 0


def test_a_player_that_there_is_not(processes: Brains) -> None:
    done = subprocess.run([*BRAIN, "--player", "nobody"], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2 and "nobody" in done.stderr and not done.stdout


def test_the_command_of_inarow() -> None:
    done = subprocess.run(
        [BRAIN[0], "-m", "inarow", "gomocup", "--player", "random"],
        input="START 15\r\nTURN 7,7\r\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    ok, move = done.stdout.splitlines()
    assert done.returncode == 0 and ok == "OK" and parse_cell(move) is not None


def test_a_megabyte_of_garbage(processes: Brains) -> None:
    source = random.Random(1)
    brain = processes()
    garbage = bytes(byte for byte in source.randbytes(1_100_000) if byte not in b"\r\n")
    assert len(garbage) > 10**6
    brain.send(garbage)
    brain.send("")
    assert (brain.hear() or "").startswith("UNKNOWN")
    for _ in range(200):
        brain.send(source.randbytes(500).replace(b"\n", b" ").replace(b"\r", b" ") + b"\n")
        assert (brain.hear() or "").startswith("UNKNOWN")
    assert brain.ask("START 15") == "OK"
    brain.send("END")
    assert brain.wait() == 0


DIALOGUE = b"INFO timeout_turn 10\r\nSTART 9\r\nBOARD\r\n4,4,2\r\nDONE\r\nTURN 0,0\r\nFOO\r\nEND\r\n"


@pytest.mark.parametrize("length", [0, 1, 5, 21, 22, 30, 38, 40, 45, 52, 56, 65, 70, 75, 79, len(DIALOGUE)])
def test_the_end_of_the_input_at_any_byte(length: int) -> None:
    done = subprocess.run(BRAIN, input=DIALOGUE[:length], capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0 and done.stderr == b""
    for line in done.stdout.decode().splitlines():
        assert line == "OK" or line.startswith(("UNKNOWN", "ERROR")) or parse_cell(line) is not None


def test_nobody_listens(processes: Brains) -> None:
    brain = processes()
    assert brain.process.stdout is not None
    brain.process.stdout.close()
    brain.send("ABOUT\nSTART 15\nEND")
    assert brain.wait() == 0
    brain.process.stdout = open(os.devnull, "rb", buffering=0)  # noqa: SIM115, PTH123 - so that the end can close it


def test_it_keeps_to_its_memory(processes: Brains) -> None:
    brain = processes()
    assert brain.ask("INFO max_memory 83886080\nINFO timeout_turn 1500\nSTART 20") == "OK"
    assert parse_cell(brain.ask("TURN 10,10")) is not None
    assert parse_cell(brain.ask("BOARD\n9,9,1\n10,10,2\n8,9,1\n11,10,2\nDONE")) is not None
    assert psutil.Process(brain.process.pid).memory_info().rss < 83_886_080
