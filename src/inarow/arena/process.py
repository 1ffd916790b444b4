"""A player in a process of its own, as the referee sees it: asked over a pipe, timed from here, killed if need be.

referee ──requests──▶ host.py (the player)        one line of JSON a message
        ◀──answers───
        ◀──output────  what the player prints: nothing may come
        ◀──errors────  its stderr: the end of it explains a crash
        ──control───▶ launcher.py                 its end, or the referee's, is the end of all
        ◀──status────
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from inarow.arena.faults import Fault, Kind
from inarow.arena.host import as_move
from inarow.arena.spec import RefereeRules
from inarow.game import Board, Limit, Move, Seat

LAUNCHER = Path(__file__).with_name("launcher.py")
OWNER = "INAROW_REFEREE"  # in the environment of all that a referee starts: who that is
KILL_SECONDS = 1.0
PATIENCE = 600.0  # seconds for a move that has no limit of time
KEPT_ERRORS = 4000  # bytes of stderr
MAX_ANSWER = 100_000  # bytes


class PlayerProcess:
    """A player that plays any number of games, one after the other. Every method may raise a Fault; then it is dead.

    `clock` is what the referee measures with; a test may bring its own.
    """

    def __init__(
        self, spec: str, resolver: str, rules: RefereeRules, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.spec = spec
        self._rules = rules
        self._clock = clock
        self._number = 0
        self._ply = 0
        self._pid: int | None = None
        self._answers = bytearray()
        self._errors = bytearray()
        self._status = bytearray()
        self._is_frozen = False
        self._control = -1
        self._owner = ""
        self._launcher = self._spawn(resolver)
        self._receive(rules.start_seconds, Kind.START_LATE)

    def begin(self, board: Board, seat: Seat, limit: Limit) -> None:
        """A new game, with an opening on the board."""
        self._ply = board.ply
        message = {"do": "start", "game": str(board.game), "seat": int(seat), "moves": board.moves}
        self._ask(message, limit, self._rules.start_seconds, Kind.START_LATE)

    def choose(self, board: Board, limit: Limit) -> tuple[Move, float]:
        """The player's move, legal or not, and the seconds it took."""
        message = {"do": "choose", "moves": board.moves[self._ply :]}
        answer, seconds = self._ask(message, limit, self._rules.tolerance, Kind.LATE)
        self._ply = board.ply + 1
        try:
            return as_move(answer["move"]), seconds
        except (KeyError, TypeError, IndexError):
            raise self._fault(Kind.MALFORMED, f"{answer!r} has no move") from None

    def close(self) -> None:
        """Lets the player end by itself for a moment, then kills it."""
        if self._launcher.poll() is None:
            self.thaw()
            with contextlib.suppress(OSError):
                os.write(self._requests, b'{"id": 0, "do": "close"}\n')
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._launcher.wait(KILL_SECONDS / 4)
        self.kill()

    def freeze(self) -> None:
        """Stops the player's processes until thaw()."""
        if self._pid is not None and not self._is_frozen:
            self._is_frozen = True
            self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        if self._is_frozen:
            self._is_frozen = False
            self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """Ends the player and all it has started; returns when they are gone."""
        if self._control < 0:
            return
        os.close(self._control)
        self._control = -1
        try:
            self._launcher.wait(KILL_SECONDS)
        except subprocess.TimeoutExpired:  # a player may have stopped the launcher
            self._launcher.kill()
            self._launcher.wait()
            kill_owned_by(self._owner)
        for pipe in (self._requests, self._answer_pipe, self._output_pipe, self._error_pipe, self._status_pipe):
            os.close(pipe)

    @property
    def is_alive(self) -> bool:
        return self._control >= 0

    # ── underneath ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _spawn(self, resolver: str) -> "subprocess.Popen[bytes]":
        request_end, self._requests = os.pipe()
        self._answer_pipe, answer_end = os.pipe()
        self._output_pipe, output_end = os.pipe()
        self._error_pipe, error_end = os.pipe()
        self._status_pipe, status_end = os.pipe()
        control_end, self._control = os.pipe()
        self._owner = f"{os.getpid()}:{start_time(os.getpid())}:{self._control}"
        ends = (control_end, status_end, request_end, answer_end)
        host = [sys.executable, "-m", "inarow.arena.host", str(request_end), str(answer_end), resolver, self.spec]
        switches = [str(self._rules.memory_bytes or 0), "0", f"{request_end},{answer_end}"]
        try:
            launcher = subprocess.Popen(
                [sys.executable, "-S", "-E", str(LAUNCHER), str(control_end), str(status_end), *switches, *host],
                stdin=subprocess.DEVNULL,
                stdout=output_end,
                stderr=error_end,
                pass_fds=ends,
                start_new_session=True,  # Ctrl-C is the referee's business
                env={**os.environ, OWNER: self._owner, "PYTHONUNBUFFERED": "1"},
            )
        finally:
            for pipe in (*ends, output_end, error_end):
                os.close(pipe)
        self._poll = select.poll()
        for pipe in (self._answer_pipe, self._output_pipe, self._error_pipe, self._status_pipe):
            os.set_blocking(pipe, False)
            self._poll.register(pipe, select.POLLIN)
        os.set_blocking(self._requests, False)
        return launcher

    def _ask(self, message: Mapping[str, Any], limit: Limit, extra: float, late: Kind) -> tuple[dict[str, Any], float]:
        """Sends a request and waits for its answer, as long as the limit and something extra allow."""
        self._look()  # something that came when nothing was asked
        self._number += 1
        data = (json.dumps({"id": self._number, **message, "limit": limit.to_dict()}) + "\n").encode()
        allowed = move_seconds(limit)
        begin = self._clock()
        self.thaw()
        deadline = time.monotonic() + (PATIENCE if allowed is None else allowed) + extra
        self._send(data, deadline)
        answer = self._receive(deadline - time.monotonic(), late)
        seconds = self._clock() - begin
        if allowed is not None and seconds > allowed + extra:
            raise self._fault(late, f"{seconds:.3f} s, the limit is {allowed:g} s")
        return answer, seconds

    def _send(self, data: bytes, deadline: float) -> None:
        writable = select.poll()
        writable.register(self._requests, select.POLLOUT)
        while data:
            left = deadline - time.monotonic()
            if left <= 0 or not writable.poll(left * 1000):
                raise self._fault(Kind.LATE, "it does not read what it is asked")
            try:
                data = data[os.write(self._requests, data) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self._ended() from None

    def _receive(self, seconds: float, late: Kind) -> dict[str, Any]:
        """The answer to the last request. It must come in time, alone, and be one."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._answers:
            left = deadline - time.monotonic()
            if left <= 0:
                raise self._fault(late, f"no answer after {seconds:.3f} s")
            self._wait(left)
        line, _, rest = bytes(self._answers).partition(b"\n")
        self._answers = bytearray(rest)
        self._look()
        try:
            answer = json.loads(line)
            number = answer["id"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise self._fault(Kind.MALFORMED, repr(line[:200].decode(errors="replace"))) from None
        if number != self._number:
            raise self._fault(Kind.TWICE, f"answer {number}, asked was {self._number}")
        if "fault" in answer:
            kind = next((kind for kind in Kind if kind.value == answer["fault"]), Kind.MALFORMED)
            raise self._fault(kind, str(answer.get("text")))
        assert isinstance(answer, dict)
        return answer

    def _look(self) -> None:
        """Takes in what is there without waiting; a second answer is a fault."""
        self._wait(0)
        if self._answers:
            raise self._fault(Kind.TWICE, repr(bytes(self._answers[:200]).decode(errors="replace")))

    def _wait(self, seconds: float) -> None:
        """Waits until something arrives, and takes it in; raises what it means if that is a fault."""
        events = {pipe for pipe, _ in self._poll.poll(max(0.0, seconds) * 1000)}
        if self._error_pipe in events:
            self._errors += self._read(self._error_pipe)
            del self._errors[:-KEPT_ERRORS]
        if self._output_pipe in events and (printed := self._read(self._output_pipe)):
            raise self._fault(Kind.PRINTED, repr(printed[:200].decode(errors="replace")))
        if self._status_pipe in events:
            self._status += self._read(self._status_pipe)
            self._take_status()
        if self._answer_pipe in events:
            data = self._read(self._answer_pipe)
            self._answers += data
            if not data:
                raise self._ended()
            if len(self._answers) > MAX_ANSWER:
                raise self._fault(Kind.MALFORMED, f"over {MAX_ANSWER} bytes")

    def _read(self, pipe: int) -> bytes:
        """What is in a pipe; at its end nothing, and the pipe is not looked at any more."""
        try:
            data = os.read(pipe, 65536)
        except BlockingIOError:
            return b""
        if not data:
            self._poll.unregister(pipe)
        return data

    def _take_status(self) -> None:
        """What the launcher tells; the faults among it are raised."""
        *lines, rest = bytes(self._status).decode().split("\n")
        self._status = bytearray(rest.encode())
        for line in lines:
            word, _, number = line.partition(" ")
            match word:
                case "pid":
                    self._pid = int(number)
                case "exit":
                    raise self._fault(Kind.EXITED, f"with status {number}" + self._last_error())
                case "signal":
                    raise self._fault(Kind.CRASHED, f"by {signal.Signals(int(number)).name}" + self._last_error())
                case "memory":
                    raise self._fault(Kind.MEMORY, f"{int(number) / 2**20:.0f} MiB")
                case "child":
                    raise self._fault(Kind.FORKED, f"process {number}")

    def _ended(self) -> Fault:
        """The player closed its end of a pipe: by ending, if the launcher says so within a moment."""
        deadline = time.monotonic() + KILL_SECONDS / 4
        try:
            while (left := deadline - time.monotonic()) > 0:
                self._wait(left)
        except Fault as fault:
            return fault
        return self._fault(Kind.CLOSED, "it goes on, but nothing can be heard from it")

    def _last_error(self) -> str:
        """The last line on stderr, which says most."""
        with contextlib.suppress(Fault):
            self._errors += self._read(self._error_pipe)
        lines = bytes(self._errors).decode(errors="replace").strip().splitlines()
        return f" ({lines[-1][:300]})" if lines else ""

    def _fault(self, kind: Kind, text: str) -> Fault:
        self.kill()
        return Fault(kind, text)

    def _signal(self, number: signal.Signals) -> None:
        assert self._pid is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._pid, number)


def move_seconds(limit: Limit) -> float | None:
    """What a move may take: the limit of the move, or what is left of the game's, whichever is less."""
    bounds = [seconds for seconds in (limit.seconds, limit.clock) if seconds is not None]
    return min(bounds) if bounds else None


def start_time(pid: int) -> str | None:
    """When a process was started, in the kernel's ticks: together with its number a name for ever. None: it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return stat.rpartition(")")[2].split()[19]


def kill_owned_by(owner: str) -> None:
    """Kills every process that carries this owner's mark."""
    for pid, mark in _marked():
        if mark == owner:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def kill_left_overs() -> int:
    """Kills what referees that are gone have left, should there be any; how many."""
    killed = 0
    for pid, mark in _marked():
        owner, _, rest = mark.partition(":")
        if owner.isdecimal() and start_time(int(owner)) != rest.partition(":")[0]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                killed += 1
    return killed


def _marked() -> list[tuple[int, str]]:
    """The processes of this user that a referee has started, with the mark of who that was."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        for variable in environment.split(b"\0"):
            name, _, value = variable.partition(b"=")
            if name == OWNER.encode():
                found.append((int(entry.name), value.decode(errors="replace")))
    return found
