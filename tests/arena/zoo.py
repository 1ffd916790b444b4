"""Players that misbehave, each in its own way, and a few that only look as if they did.

They play as `python:tests/arena/zoo.py:NAME`; test_zoo.py says what the referee makes of each. Those that write
something down for a test do so in the file that the environment variable ZOO_NOTES names.
"""

import ctypes
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, NoReturn

from inarow import Board, Game, Limit, Move, Player, Seat

MIB = 2**20
PR_SET_PDEATHSIG = 1


def wait_for_ever() -> NoReturn:
    while True:
        time.sleep(3600)


def note(text: object) -> None:
    """Adds a line to the notes, at once and as a whole."""
    with Path(os.environ["ZOO_NOTES"]).open("a") as notes:
        notes.write(f"{text}\n")


def daemonise() -> None:
    """Starts a process that is in no way the player's child any more, and lives on."""
    if child := os.fork():
        os.waitpid(child, 0)
        return
    os.setsid()
    if grandchild := os.fork():
        if "ZOO_NOTES" in os.environ:
            note(grandchild)
        os._exit(0)
    wait_for_ever()


def stop_launcher() -> None:
    """Returns when it has stopped: on a busy machine that takes a while."""
    os.kill(os.getppid(), signal.SIGSTOP)
    while Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[0] != "T":
        time.sleep(0.001)


class Tame(Player):
    """Plays the first legal move; the others are like it but for one thing."""

    def choose(self, board: Board, limit: Limit) -> Move:
        return board.legal_moves[0]


class Untyped(Player):
    """One that returns what it likes: `answer`."""

    answer: Any

    def choose(self, board: Board, limit: Limit) -> Move:
        move: Move = self.answer
        return move


# ── that do not answer ──────────────────────────────────────────────────────────────────────────────────────────────


class Sleeps(Player):
    def choose(self, board: Board, limit: Limit) -> Move:
        wait_for_ever()


class SleepsInStart(Tame):
    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        wait_for_ever()


class SleepsWhenMade(Tame):
    def __init__(self) -> None:
        wait_for_ever()


class HoldsTheInterpreter(Tame):
    """In one call that takes years, and lets no other thread of Python run meanwhile."""

    def choose(self, board: Board, limit: Limit) -> Move:
        re.match(r"(a+)+$", "a" * 80 + "b")
        return super().choose(board, limit)


class IgnoresSigterm(Player):
    def choose(self, board: Board, limit: Limit) -> Move:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        wait_for_ever()


class StopsItself(Tame):
    def choose(self, board: Board, limit: Limit) -> Move:
        os.kill(os.getpid(), signal.SIGSTOP)
        return super().choose(board, limit)


# ── that end ────────────────────────────────────────────────────────────────────────────────────────────────────────


class Exits(Player):
    def choose(self, board: Board, limit: Limit) -> Move:
        sys.exit(3)


class ExitsAtOnce(Player):
    def choose(self, board: Board, limit: Limit) -> Move:
        os._exit(3)


class ExitsWhenMade(Tame):
    def __init__(self) -> None:
        sys.exit("I will not play")


class ExitsAtOnceWhenMade(Tame):
    def __init__(self) -> None:
        os.write(2, b"something first\nthe last words\n")
        os._exit(4)


class Segfaults(Tame):
    def choose(self, board: Board, limit: Limit) -> Move:
        ctypes.string_at(0)
        return super().choose(board, limit)


class KillsItself(Tame):
    def choose(self, board: Board, limit: Limit) -> Move:
        os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(board, limit)


class DiesOfRealTimeSignal(Tame):
    """By one of the signals that have no name."""

    def choose(self, board: Board, limit: Limit) -> Move:
        os.kill(os.getpid(), 40)
        return super().choose(board, limit)


class DiesOnce(Tame):
    """In its first life; the notes tell it which one it is in."""

    def choose(self, board: Board, limit: Limit) -> Move:
        notes = Path(os.environ["ZOO_NOTES"])
        is_first = not notes.exists()
        note(os.getpid())
        if is_first:
            os._exit(3)
        return super().choose(board, limit)


# ── that raise ──────────────────────────────────────────────────────────────────────────────────────────────────────


class RaisesInStart(Tame):
    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        raise RuntimeError("no game today")


class RaisesWhenMade(Tame):
    def __init__(self) -> None:
        raise RuntimeError("not born")


class RaisesOddly(Player):
    """With a message that no record, and no terminal, should get as it is."""

    def choose(self, board: Board, limit: Limit) -> Move:
        raise ValueError("first line\n\n\tsecond ∞ line\x1b[2J \ud800 " + "and so on " * 100_000)


class CannotSayWhat(Player):
    """Raises an exception whose message is another one."""

    def choose(self, board: Board, limit: Limit) -> Move:
        class Wordless(Exception):
            def __str__(self) -> str:
                raise ValueError("no words for it")

        raise Wordless


class NotAPlayer:
    """Has no choose, among others."""


# ── that take too much ──────────────────────────────────────────────────────────────────────────────────────────────


class EatsMemory(Player):
    def choose(self, board: Board, limit: Limit) -> Move:
        eaten = []
        while True:
            eaten.append(b"x" * (16 * MIB))


class RunsOutOfMemory(Player):
    def choose(self, board: Board, limit: Limit) -> Move:
        raise MemoryError


# ── that return something else than a move ──────────────────────────────────────────────────────────────────────────


class MovesOnAStone(Tame):
    def choose(self, board: Board, limit: Limit) -> Move:
        return board.moves[0] if board.moves else super().choose(board, limit)


class MovesOffTheBoard(Untyped):
    answer = (9, -1)


class ReturnsNone(Untyped):
    answer = None


class ReturnsText(Untyped):
    answer = "b2"


class ReturnsFloat(Untyped):
    answer = (1.0, 1.0)


class ReturnsSomethingHuge(Untyped):
    answer = "x" * 10_000_000


class NumberLike:
    """As numpy's integers are: a whole number, but no int."""

    def __index__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return "np.int64(1)"


class ReturnsNumberLike(Untyped):
    answer = (NumberLike(), NumberLike())


class Unprintable:
    def __repr__(self) -> str:
        raise ValueError("it cannot be shown")


class ReturnsUnprintable(Untyped):
    answer = Unprintable()


# ── that write where they should not ────────────────────────────────────────────────────────────────────────────────


class Prints(Tame):
    def choose(self, board: Board, limit: Limit) -> Move:
        print("I am thinking")
        return super().choose(board, limit)


class WritesToStdout(Tame):
    def choose(self, board: Board, limit: Limit) -> Move:
        os.write(1, b"\xff raw bytes")
        return super().choose(board, limit)


class PrintsOutOfTurn(Tame):
    """In a thread, which begins when the move is made; the next move waits until it has."""

    def __init__(self) -> None:
        self._printer: threading.Timer | None = None

    def choose(self, board: Board, limit: Limit) -> Move:
        if self._printer is None:
            self._printer = threading.Timer(0.01, print, ["it is not my turn"])
            self._printer.start()
        else:
            self._printer.join()
        return super().choose(board, limit)


class Writes(Tame):
    """Writes `data` where its host writes the answers, before it makes its move. ID stands for the request's number."""

    data: bytes

    def __init__(self) -> None:
        self._requests = 0

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        self._requests += 1

    def choose(self, board: Board, limit: Limit) -> Move:
        self._requests += 1
        data = self.data.replace(b"ID", str(self._requests).encode())
        while data:
            data = data[os.write(int(sys.argv[2]), data) :]
        return super().choose(board, limit)


class AnswersTwice(Writes):
    data = b'{"id": ID, "move": [2, 2]}\n'


class AnswersSomethingElse(Writes):
    data = b'{"id": 77, "move": [2, 2]}\n'


class AnswersOffTheBoard(Writes):
    data = b'{"id": ID, "move": [9, 9]}\n'

    def choose(self, board: Board, limit: Limit) -> Move:
        super().choose(board, limit)
        wait_for_ever()


class AnswersNoMove(AnswersOffTheBoard):
    data = b'{"id": ID, "ok": true}\n'


class AnswersUnknownFault(AnswersOffTheBoard):
    data = b'{"id": ID, "fault": "headache", "text": "it hurts"}\n'


class WritesGarbage(Writes):
    data = b"garbage\n"


class WritesBadUtf8(Writes):
    data = b'{"id": \xff\xfe}\n'


class WritesDeepNesting(Writes):
    data = b"[" * 50_000 + b"\n"


class WritesNoObject(Writes):
    data = b"[2]\n"


class WritesHalfALine(Writes):
    data = b'{"id": ID,'


class WritesWithoutEnd(Writes):
    data = b"x" * 1_000_000


# ── that start processes ────────────────────────────────────────────────────────────────────────────────────────────


class Forks(Player):
    def choose(self, board: Board, limit: Limit) -> Move:
        os.fork()
        wait_for_ever()


class ForksTwice(Player):
    def choose(self, board: Board, limit: Limit) -> Move:
        daemonise()
        wait_for_ever()


class ForksStopped(Player):
    """A child that ignores what can be ignored, and is stopped."""

    def choose(self, board: Board, limit: Limit) -> Move:
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.kill(os.getpid(), signal.SIGSTOP)
        wait_for_ever()


class ForksOnAndOn(Player):
    """Processes that never live long enough to be looked at, each in a session of its own."""

    def choose(self, board: Board, limit: Limit) -> Move:
        if os.fork() == 0:
            for _ in range(10_000):
                if os.fork():
                    os._exit(0)
                os.setsid()
        wait_for_ever()


class ForksAndExits(Player):
    """What it leaves behind is nobody's child."""

    def choose(self, board: Board, limit: Limit) -> Move:
        daemonise()
        os._exit(3)


# ── that close pipes ────────────────────────────────────────────────────────────────────────────────────────────────


class ClosesItsPipe(Player):
    def choose(self, board: Board, limit: Limit) -> Move:
        os.close(int(sys.argv[2]))
        wait_for_ever()


class ClosesItsEars(Tame):
    def choose(self, board: Board, limit: Limit) -> Move:
        os.close(int(sys.argv[1]))
        return super().choose(board, limit)


class ClosesEverything(Player):
    def choose(self, board: Board, limit: Limit) -> Move:
        os.closerange(0, 1000)
        wait_for_ever()


class ClosesEverythingAndMoves(Tame):
    def choose(self, board: Board, limit: Limit) -> Move:
        os.closerange(0, 1000)
        return super().choose(board, limit)


# ── that lay hands on the referee ───────────────────────────────────────────────────────────────────────────────────


class StopsLauncher(Tame):
    def choose(self, board: Board, limit: Limit) -> Move:
        stop_launcher()
        return super().choose(board, limit)


class KillsLauncher(Player):
    def choose(self, board: Board, limit: Limit) -> Move:
        os.kill(os.getppid(), signal.SIGKILL)
        wait_for_ever()


class KillsLauncherAndLives(Player):
    """Does not want the signal that comes when the launcher dies, and leaves somebody behind besides."""

    def choose(self, board: Board, limit: Limit) -> Move:
        stop_launcher()
        daemonise()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)
        os.kill(os.getppid(), signal.SIGKILL)
        wait_for_ever()


class HidesADaemon(Player):
    """Stops the launcher first, so that it sees nothing; the daemon's number is in the notes."""

    def choose(self, board: Board, limit: Limit) -> Move:
        stop_launcher()
        note(os.getppid())
        daemonise()
        wait_for_ever()


# ── that do nothing wrong ───────────────────────────────────────────────────────────────────────────────────────────


class Chatty(Tame):
    """A lot on stderr, in its turn and, from a thread, when it is the other's."""

    def __init__(self) -> None:
        self._talker: threading.Thread | None = None

    def choose(self, board: Board, limit: Limit) -> Move:
        self._talk()
        if self._talker is not None:
            self._talker.join()
        self._talker = threading.Thread(target=self._talk, daemon=True)
        self._talker.start()
        return super().choose(board, limit)

    def _talk(self) -> None:
        for _ in range(10):
            os.write(2, b"words " * 5000)


class ChangesDirectory(Tame):
    def choose(self, board: Board, limit: Limit) -> Move:
        os.chdir("/")
        os.environ.clear()
        return super().choose(board, limit)


class StartsSlowly(Tame):
    def __init__(self) -> None:
        time.sleep(0.1)

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        time.sleep(0.1)


class TellsItsNumber(Tame):
    """Notes the number of its process at the start of each game."""

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        note(f"{seat} {os.getpid()}")


class TellsItsTwin(TellsItsNumber):
    """As the other: a second player where two are needed."""


class TellsItsClock(Tame):
    def choose(self, board: Board, limit: Limit) -> Move:
        note(f"{board.turn} {limit.clock}")
        return super().choose(board, limit)


class WatchesTheOther(Tame):
    """Looks, whenever it is asked something, what the other player of its kind does: notes whether that is stopped."""

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        note(f"{seat} {os.getpid()}")
        others = [pid for name, pid in self._noted() if name != str(seat)]
        if others:
            note(f"start {state_of(others[-1])}")
        self._seat = seat

    def choose(self, board: Board, limit: Limit) -> Move:
        other = [pid for name, pid in self._noted() if name == str(self._seat.other)][-1]
        give_up = time.monotonic() + 10
        while (state := state_of(other)) != "T" and time.monotonic() < give_up:
            time.sleep(0.001)  # a signal is sent at once, but received when the kernel finds the time
        note(f"choose {state}")
        return super().choose(board, limit)

    def _noted(self) -> list[tuple[str, int]]:
        lines = Path(os.environ["ZOO_NOTES"]).read_text().splitlines()
        words = [line.split() for line in lines]
        return [(name, int(pid)) for name, pid in words if name in ("first", "second")]


def state_of(pid: int) -> str:
    """The letter of /proc: T is stopped."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


class HasAnotherProcess(Tame):
    """As the player of a foreign program does: asks it, over pipes, before each move."""

    command: tuple[str, ...] = (sys.executable, "-c", "while True: print(input(), flush=True)")

    def __init__(self) -> None:
        self._process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._ask()
        note(self._process.pid)

    def choose(self, board: Board, limit: Limit) -> Move:
        self._ask()
        return super().choose(board, limit)

    def _ask(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(b"hello\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == b"hello\n"


class HasJava(HasAnotherProcess):
    """The same with a Java virtual machine, which has many threads; its program's file is in ZOO_JAVA."""

    command = ("java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", os.environ.get("ZOO_JAVA", ""))
