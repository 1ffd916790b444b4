"""Players in bubblewrap: what a hostile one tries there comes to nothing, and a good one plays as it does outside."""

import os
import shutil
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from inarow import Board, Game, Limit, Reason, Seat, SpecError
from inarow.arena import sandbox
from inarow.arena.faults import Fault, Kind
from inarow.arena.process import PlayerProcess
from inarow.arena.referee import Referee
from inarow.arena.spec import MEBIBYTE, Entry, GameJob, RefereeRules
from tests.arena.processes import GONE_SECONDS, comes_true, processes_of

BOARD = Game(3, 3, 3)
AMPLE = Limit(seconds=30)
RULES = RefereeRules(start_seconds=60, memory_bytes=300 * MEBIBYTE)
SECRET = "a secret of the teacher"
HEAD = "import ctypes, os, signal, socket, time\nclass Me:\n    def choose(self, board, limit):\n"


def why_there_is_none() -> str:
    """Why there is no sandbox on this machine; nothing when there is one."""
    try:
        sandbox.check_sandbox()
    except SpecError as error:
        return str(error)
    return ""


WHY_NOT = why_there_is_none()
needs_bubblewrap = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The player's own, beside the teacher's file."""
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "data.txt").write_text("its own data")
    return tmp_path / "own"


@pytest.fixture
def does(folder: Path) -> Callable[..., str]:
    """What comes of a body of choose in the sandbox: what it raises at the end, or the referee's reason."""

    def answer(body: str, rules: RefereeRules = RULES, limit: Limit = AMPLE) -> str:
        file = folder / "me.py"
        file.write_text(HEAD + "".join(f"        {line}\n" for line in body.splitlines()))
        with pytest.raises(Fault) as raised:
            player = PlayerProcess(
                f"python:{file}:Me", "inarow.players:make_player", rules, reads=(str(folder),), may_start=False
            )
            board = Board(BOARD)
            player.begin(board, Seat.FIRST, limit)
            player.choose(board, limit)
        assert comes_true(lambda: not processes_of(os.getpid()), GONE_SECONDS), "nothing of it is left"
        return str(raised.value)

    return answer


@pytest.fixture
def tries(does: Callable[..., str]) -> Callable[..., list[str]]:
    """What each of some expressions comes to in the sandbox: its value, or what it raises."""

    def answers(*expressions: str) -> list[str]:
        body = "found = []\n"
        for expression in expressions:
            body += f"try: found.append(str({expression}))\n"
            body += "except OSError as error: found.append(f'{type(error).__name__} {error.strerror}')\n"
        return does(body + "raise RuntimeError(';'.join(found))").partition("RuntimeError: ")[2].split(";")

    return answers


@needs_bubblewrap
def test_it_sees_its_own_folder_and_no_other(tries: Callable[..., list[str]], folder: Path) -> None:
    own, secret, beside, passwords, ssh = tries(
        f"open({str(folder / 'data.txt')!r}).read()",
        f"open({str(folder.parent / 'secret.txt')!r}).read()",
        f"os.listdir({str(folder.parent)!r})",
        "open('/etc/passwd').read()",
        f"os.path.exists({str(Path.home() / '.bashrc')!r}) or os.path.exists({str(Path.home() / '.ssh')!r})",
    )
    assert own == "its own data"
    assert secret == "FileNotFoundError No such file or directory"
    assert beside == "['own']"
    assert passwords.startswith("FileNotFoundError")
    assert ssh.startswith("False")


@needs_bubblewrap
def test_it_writes_nowhere_but_into_a_folder_that_is_gone_with_it(
    tries: Callable[..., list[str]], folder: Path
) -> None:
    name = f"/tmp/{folder.parent.name}-mine"
    paths = (folder / "data.txt", folder / "new.txt", "/new.txt", "/dev/shm/x", "/usr/x", "/proc/sys/kernel/hostname")
    *refused, small, large = tries(
        *(f"open({str(path)!r}, 'w').write('mine')" for path in paths),
        f"open({name!r}, 'w').write('mine')",
        f"open({name!r}, 'wb').write(bytes({2 * sandbox.TEMPORARY_BYTES}))",
    )
    assert refused == ["OSError Read-only file system"] * len(paths)
    assert (folder / "data.txt").read_text() == "its own data"
    assert small == "4"
    assert not Path(name).exists()
    assert large.startswith("OSError No space left on device")


@needs_bubblewrap
def test_it_reaches_no_network_no_process_of_others_and_no_secret(
    tries: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_TOKEN", SECRET)
    with socket.create_server(("127.0.0.1", 0)) as server:
        here, elsewhere, killed, processes, rights, token, home = tries(
            f"socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 5)",
            "socket.create_connection(('192.0.2.1', 80), 5)",
            f"os.kill({os.getpid()}, signal.SIGKILL)",
            "len([name for name in os.listdir('/proc') if name.isdecimal()])",
            "open('/proc/self/status').read().partition('CapEff:')[2].split()[0]",
            "'A_TOKEN' in os.environ",
            "os.environ['HOME']",
        )
    assert here.startswith("ConnectionRefusedError")
    assert elsewhere == "OSError Network is unreachable"
    assert killed.startswith("ProcessLookupError")
    assert processes == "2"  # bubblewrap's first one and itself
    assert int(rights, 16) == 0
    assert token == "False"
    assert home.startswith("/tmp")


@needs_bubblewrap
def test_its_processes_and_its_memory_are_limited(does: Callable[..., str]) -> None:
    many = "for number in range(300):\n    if os.fork() == 0: os.setsid(); time.sleep(60)\ntime.sleep(60)"
    assert does(many).startswith(Kind.FORKED.value)
    assert does("if os.fork() == 0: time.sleep(60)\ntime.sleep(60)").startswith(Kind.FORKED.value)
    eats = "held = []\nwhile True: held.append(b'x' * 2**20); time.sleep(0.0002)"
    assert does(eats).startswith(Kind.MEMORY.value)
    assert does("signal.pause()", limit=Limit(seconds=0.2)).startswith(Kind.LATE.value)


@needs_bubblewrap
def test_its_ends_are_told_as_outside(does: Callable[..., str]) -> None:
    assert does("os._exit(3)") == "exited: with status 3"
    assert does("ctypes.string_at(0)") == "crashed: by SIGSEGV"
    assert does("os.kill(os.getpid(), signal.SIGKILL)") == "crashed: by SIGKILL"


@needs_bubblewrap
@pytest.mark.parametrize("freeze", [False, True])
def test_a_good_player_plays_in_it_under_its_name(folder: Path, freeze: bool) -> None:
    (folder / "me.py").write_text(HEAD + "        return board.legal_moves[0]\n")
    mine = Entry("Ada", f"python:{folder / 'me.py'}:Me", (str(folder),))
    rules = RefereeRules(start_seconds=60, freeze=freeze, sandbox=True)
    referee = Referee(rules, entries=(mine,))
    try:
        for players in (("Ada", "random:seed=1"), ("random:seed=1", "Ada")):
            record = referee.play(GameJob("", BOARD, players, AMPLE))
            assert record.players == players
            assert record.outcome is not None
            assert record.outcome.reason is not Reason.FORFEIT, record.outcome.detail
    finally:
        referee.close()
    assert comes_true(lambda: not processes_of(os.getpid()), GONE_SECONDS)


@needs_bubblewrap
def test_who_is_frozen_does_not_think(folder: Path) -> None:
    counts = (
        "import threading, time\n"
        "class Me:\n"
        "    count = 0\n"
        "    def start(self, game, seat, limit):\n"
        "        threading.Thread(target=self.go_on, daemon=True).start()\n"
        "    def go_on(self):\n"
        "        while True:\n"
        "            time.sleep(0.01)\n"
        "            self.count += 1\n"
        "    def choose(self, board, limit):\n"
        "        return divmod(min(self.count // 5, 8), 3)\n"
    )
    (folder / "me.py").write_text(counts)
    player = PlayerProcess(f"python:{folder / 'me.py'}:Me", "inarow.players:make_player", RULES, reads=(str(folder),))
    board = Board(BOARD)
    player.begin(board, Seat.FIRST, AMPLE)
    player.freeze()
    time.sleep(0.5)
    choice = player.choose(board, AMPLE)
    player.close()
    assert choice.move in ((0, 0), (0, 1)), "fifty counts would be the last cell"


def test_without_bubblewrap_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SpecError, match=r"there is no bwrap \(on Debian: apt-get install bubblewrap\)"):
        sandbox.check_sandbox()


def test_a_bubblewrap_that_cannot_work_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{Path(shutil.which('sh') or '/bin/sh').parent}")
    with pytest.raises(SpecError, match="makes no sandbox here: bwrap: No permissions to create a new namespace"):
        sandbox.check_sandbox()
