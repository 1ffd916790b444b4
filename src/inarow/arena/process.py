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
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from inarow.arena.faults import Fault, Kind
from inarow.arena.host import DEFAULT_RESOLVER, as_move, may_start_processes
from inarow.arena.launcher import ANY_NUMBER, descendants_of
from inarow.arena.marks import MARK, kill_marked, new_mark
from inarow.arena.sandbox import MAX_PROCESSES, OWN_PROCESSES, environment, in_sandbox
from inarow.arena.spec import RefereeRules, installation_of
from inarow.errors import InarowError
from inarow.game import Board, Limit, Seat
from inarow.players import Choice

MEMORY = "INAROW_MEMORY"  # in the environment of a player: the bytes that it and all it starts may have
LAUNCHER = Path(__file__).with_name("launcher.py")
KILL_SECONDS = 0.5  # what the launcher has to end everything
CLOSE_SECONDS = 0.25  # what a player has to end by itself
EXPLAIN_SECONDS = 1.0  # what the launcher has to say why a player is not heard of any more
PATIENCE = 600.0  # seconds for a move that has no limit of time
MAX_WAIT = 3600.0  # seconds of one wait; a longer one is several
KEPT_ERRORS = 4000  # bytes of stderr
MAX_ANSWER = 100_000  # bytes
SIGNALLED = 128  # bubblewrap, as a shell, ends with so much more than the signal that ended the player


class PlayerProcess:
    """A player that plays any number of games, one after the other.

    Making it, begin and choose raise a Fault when it breaks a rule; then it is dead, with all that it has started. Any
    other InarowError is not the player's: the machine has no process to give. `clock` is what the referee measures
    with; a test may bring its own. `may_start`: whether it may start processes; unless said, what the resolver's module
    says of such players. `reads`: it runs in a sandbox, where it can read these files and folders; None: it does not.
    """

    def __init__(
        self,
        spec: str,
        resolver: str,
        rules: RefereeRules,
        clock: Callable[[], float] = time.perf_counter,
        may_start: bool | None = None,
        reads: tuple[str, ...] | None = None,
    ) -> None:
        self.spec = spec
        self._rules = rules
        self._clock = clock
        self._number = 0
        self._ply = 0
        self._pid: int | None = None
        self._reads = reads
        self._answers = bytearray()
        self._errors = bytearray()
        self._status = bytearray()
        self._is_frozen = False
        self._control = -1
        self._mark = new_mark()
        self._launcher = self._spawn(resolver, may_start)
        try:
            self._receive(time.monotonic(), rules.start_seconds, Kind.START_LATE)
        except BaseException:
            self.kill()
            raise

    def begin(self, board: Board, seat: Seat, limit: Limit) -> None:
        """A new game, with an opening on the board."""
        self._ply = board.ply
        message = {"do": "start", "game": str(board.game), "seat": int(seat), "moves": board.moves}
        self._ask(message, limit, self._rules.start_seconds, Kind.START_LATE)

    def choose(self, board: Board, limit: Limit) -> Choice:
        """The player's move, legal or not, the seconds it took, and what the player says."""
        message = {"do": "choose", "moves": board.moves[self._ply :]}
        answer, seconds = self._ask(message, limit, self._rules.tolerance, Kind.LATE)
        self._ply = board.ply + 1
        try:
            move, notes = as_move(answer["move"]), answer.get("notes", [])
        except (KeyError, TypeError, IndexError):
            raise self._fault(Kind.MALFORMED, "there is no move in it") from None
        if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
            raise self._fault(Kind.MALFORMED, "its notes are not a list of texts")
        return Choice(move, seconds=seconds, notes=tuple(notes))

    def close(self) -> None:
        """Lets the player end by itself for a moment, then kills it."""
        if self._control >= 0:
            self.thaw()
            with contextlib.suppress(OSError):
                os.write(self._requests, b'{"id": 0, "do": "close"}\n')
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._launcher.wait(CLOSE_SECONDS)
        self.kill()

    def freeze(self) -> None:
        """Stops the player's processes until thaw()."""
        if not self._is_frozen:
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
        self._launcher.send_signal(signal.SIGCONT)  # the player may have stopped it
        try:
            self._launcher.wait(KILL_SECONDS)
        except subprocess.TimeoutExpired:
            self._launcher.kill()
            self._launcher.wait()
        if self._launcher.returncode != 0:  # it could not do its work to the end
            kill_marked(self._mark)
        _close((self._requests, self._answer_pipe, self._output_pipe, self._error_pipe, self._status_pipe))

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked; one that broke a rule since its last answer, when nothing was asked, is dead."""
        if self._control >= 0:
            with contextlib.suppress(InarowError):
                self._look()
        return self._control >= 0

    # ── underneath ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _spawn(self, resolver: str, may_start: bool | None) -> "subprocess.Popen[bytes]":
        elsewhere, there = installation_of(self.spec)
        if may_start is None:
            may_start = may_start_processes(resolver, there)
        python = [sys.executable, "-u", "-P"] if elsewhere is None else [elsewhere, "-u", "-I"]
        if elsewhere is not None:
            resolver = DEFAULT_RESOLVER  # an older installation may not have this one
        pipes: list[tuple[int, int]] = []
        try:
            pipes.extend(os.pipe() for _ in range(6))
            requests, answers, output, errors, status, control = pipes  # each a reading and a writing end
            theirs = (control[0], status[1], requests[0], answers[1])
            switches = [self._rules.memory_bytes or 0, self._most_children(may_start), f"{requests[0]},{answers[1]}"]
            host = [*python, "-m", "inarow.arena.host", str(requests[0]), str(answers[1]), resolver, there]
            if self._reads is not None:
                host = in_sandbox(host, self._reads)
            memory = {MEMORY: str(self._rules.memory_bytes)} if self._rules.memory_bytes else {}
            command = [sys.executable, "-I", "-S", LAUNCHER, control[0], status[1], *switches]
            launcher = subprocess.Popen(
                [*map(str, command), *host],
                stdin=subprocess.DEVNULL,
                stdout=output[1],
                stderr=errors[1],
                pass_fds=theirs,
                start_new_session=True,  # Ctrl-C is the referee's business
                env={**(os.environ if self._reads is None else environment()), MARK: self._mark, **memory},
            )
        except BaseException as error:
            for pipe in pipes:
                _close(pipe)
            if isinstance(error, OSError | ValueError):
                raise InarowError(f"no process can be started for {self.spec!r}: {error}") from error
            raise
        _close((*theirs, output[1], errors[1]))
        self._requests: int = requests[1]
        self._answer_pipe: int = answers[0]
        self._output_pipe: int = output[0]
        self._error_pipe: int = errors[0]
        self._status_pipe: int = status[0]
        self._control = control[1]
        self._poll = select.poll()
        for end in (self._answer_pipe, self._output_pipe, self._error_pipe, self._status_pipe):
            os.set_blocking(end, False)
            self._poll.register(end, select.POLLIN)
        os.set_blocking(self._requests, False)
        return launcher

    def _most_children(self, may_start: bool) -> int:
        if self._reads is None:
            return ANY_NUMBER if may_start else 0
        return OWN_PROCESSES + (MAX_PROCESSES if may_start else 0)

    def _ask(self, message: Mapping[str, Any], limit: Limit, extra: float, late: Kind) -> tuple[dict[str, Any], float]:
        """Sends a request and waits for its answer, as long as the limit and something extra allow."""
        self._look()  # something that came when nothing was asked
        self._number += 1
        data = (json.dumps({"id": self._number, **message, "limit": limit.to_dict()}) + "\n").encode()
        allowed = move_seconds(limit)
        most = (PATIENCE if allowed is None else allowed) + extra
        begin, asked_at = self._clock(), time.monotonic()
        self.thaw()
        self._send(data, asked_at + most, late)
        answer, arrived = self._receive(asked_at, most, late)
        seconds = arrived - begin
        if seconds > most:
            raise self._fault(late, f"{seconds:.3f} s, {most:g} s are allowed")
        return answer, seconds

    def _send(self, data: bytes, deadline: float, late: Kind) -> None:
        writable = select.poll()
        writable.register(self._requests, select.POLLOUT)
        while data:
            if not writable.poll(_milliseconds_until(deadline)) and time.monotonic() >= deadline:
                raise self._fault(late, "it does not read what it is asked")
            try:
                data = data[os.write(self._requests, data) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self._unheard() from None

    def _receive(self, asked_at: float, most: float, late: Kind) -> tuple[dict[str, Any], float]:
        """The answer to the last request, and when it came. It must be in time, alone, and an answer."""
        while b"\n" not in self._answers:
            if time.monotonic() >= asked_at + most:
                raise self._fault(late, f"no answer within {most:g} s")
            self._wait(asked_at + most)
        arrived = self._clock()
        line, _, self._answers = self._answers.partition(b"\n")
        try:
            answer = json.loads(line)
            number, fault, text = answer["id"], answer.get("fault"), str(answer.get("text"))
        except (ValueError, TypeError, KeyError, RecursionError):
            raise self._fault(Kind.MALFORMED, _excerpt(line)) from None
        if number != self._number:
            raise self._fault(Kind.TWICE, f"{_excerpt(line)}, asked was {self._number}")
        self._look()
        if fault is not None:
            kind = next((kind for kind in Kind if kind.value == fault), Kind.MALFORMED)
            raise self._fault(kind, text)
        assert isinstance(answer, dict)
        return answer, arrived

    def _look(self) -> None:
        """Takes in what is there without waiting; a second answer is a fault."""
        self._wait(0.0)
        if self._answers:
            raise self._fault(Kind.TWICE, _excerpt(self._answers))
        if self._launcher_has(os.WSTOPPED):
            raise self._fault(Kind.TAMPERED, "the launcher was stopped")

    def _wait(self, deadline: float) -> None:
        """Waits until something arrives, or for MAX_WAIT, and takes it in; raises what it means if that is a fault."""
        events = {pipe for pipe, _ in self._poll.poll(_milliseconds_until(deadline))}
        if self._error_pipe in events:
            self._read_errors()
        if self._output_pipe in events and (printed := self._read(self._output_pipe)):
            raise self._fault(Kind.PRINTED, _excerpt(printed))
        if self._status_pipe in events:
            data = self._read(self._status_pipe)
            if not data:
                raise self._launcher_ended()
            self._status += data
            self._take_status()
        if self._answer_pipe in events:
            data = self._read(self._answer_pipe)
            if not data:
                raise self._unheard()
            self._answers += data
            if len(self._answers) > MAX_ANSWER:
                raise self._fault(Kind.MALFORMED, f"over {MAX_ANSWER} bytes")

    def _read(self, pipe: int) -> bytes:
        """What is in a pipe that has something; at its end nothing, and the pipe is not looked at any more."""
        data = os.read(pipe, 65536)
        if not data:
            self._poll.unregister(pipe)
        return data

    def _read_errors(self) -> None:
        self._errors += self._read(self._error_pipe)
        del self._errors[:-KEPT_ERRORS]

    def _take_status(self) -> None:
        """What the launcher tells; the faults among it are raised."""
        *lines, self._status = self._status.split(b"\n")
        for line in lines:
            word, _, number = line.decode(errors="replace").partition(" ")
            match word:
                case "pid" if self._pid is None:
                    self._pid = int(number)
                case "exit" if self._reads is not None and int(number) > SIGNALLED:
                    raise self._fault(Kind.CRASHED, f"by {_signal_name(str(int(number) - SIGNALLED))}")
                case "exit":
                    raise self._fault(Kind.EXITED, f"with status {number}" + self._last_error())
                case "signal":
                    raise self._fault(Kind.CRASHED, f"by {_signal_name(number)}" + self._last_error())
                case "memory":
                    raise self._fault(Kind.MEMORY, f"{number} bytes, {self._rules.memory_bytes} are allowed")
                case "child":
                    raise self._fault(Kind.FORKED, f"process {number}")
                case _:  # the launcher never says this
                    raise self._fault(Kind.TAMPERED, _excerpt(line))

    def _unheard(self) -> Fault:
        """The player closed its end of a pipe: by ending, if the launcher says so within a moment."""
        deadline = time.monotonic() + EXPLAIN_SECONDS
        try:
            while time.monotonic() < deadline:
                self._wait(deadline)
        except Fault as fault:
            return fault
        return self._fault(Kind.CLOSED, "it goes on, but nothing can be heard from it")

    def _launcher_ended(self) -> InarowError:
        """The launcher went without a word. It was killed, or it could not start the player."""
        last_error = self._last_error()
        self.kill()
        if self._launcher.returncode > 0:
            return InarowError(f"no process can be started for {self.spec!r}{last_error}")
        return Fault(Kind.TAMPERED, f"the launcher was ended by {_signal_name(str(-self._launcher.returncode))}")

    def _launcher_has(self, event: int) -> bool:
        """Whether the launcher has stopped (os.WSTOPPED) or ended (os.WEXITED)."""
        try:
            return os.waitid(os.P_PID, self._launcher.pid, event | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return event == os.WEXITED

    def _last_error(self) -> str:
        """The last line on stderr, which says most."""
        with contextlib.suppress(BlockingIOError, KeyError):  # nothing there, or its end was there before
            self._read_errors()
        lines = self._errors.decode(errors="replace").strip().splitlines()
        return f" ({lines[-1][:300]})" if lines else ""

    def _fault(self, kind: Kind, text: str) -> Fault:
        self.kill()
        return Fault(kind, text)

    def _signal(self, number: signal.Signals) -> None:
        """Sends a signal to the player's processes, unless their number may be somebody else's by now."""
        assert self._pid is not None
        if self._launcher_has(os.WEXITED):
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._pid, number)
        if self._reads is not None:  # in the sandbox they have a session of their own
            for pid in descendants_of(self._pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)


def move_seconds(limit: Limit) -> float | None:
    """What a move may take: the limit of the move, or what is left of the game's, whichever is less."""
    bounds = [seconds for seconds in (limit.seconds, limit.clock) if seconds is not None]
    return min(bounds) if bounds else None


def _close(pipes: Iterable[int]) -> None:
    for pipe in pipes:
        os.close(pipe)


def _milliseconds_until(deadline: float) -> float:
    """What poll may wait, by time.monotonic(); at most MAX_WAIT, because it knows no longer times than weeks."""
    return 1000 * min(max(0.0, deadline - time.monotonic()), MAX_WAIT)


def _excerpt(data: bytes | bytearray) -> str:
    return repr(data[:200].decode(errors="replace"))


def _signal_name(number: str) -> str:
    try:
        return signal.Signals(int(number)).name
    except ValueError:  # a real-time signal
        return f"signal {number}"
