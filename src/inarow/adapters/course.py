"""The course's Java players, unchanged: `java:CLASSPATH#package.Class` is an MNKPlayer or a CXPlayer.

The class path holds the player and the course's framework (the package mnkgame or connectx). A Java program of ours,
java/Host.java, loads both and answers lines; one object serves all games, and is initialised again for each.

                                     ready mnk NAME             by itself, or: ready connectx NAME
    init 6 7 4 10 first              ok                         M, N, K, the seconds for a move, first or second
    choose 1,1 0,2                   move 2,2                   the moves since the last line, everybody's; now choose
    choose 3 3                       move 4                     with gravity a move is a column
    (the end)                        it ends

Other answers are `null` (the player chose nothing), `threw WHAT` (an exception), `refused WHY` (no player).

The lines have two pipes of their own. Standard output and error belong to the player: what it prints there, from
whichever thread and from native code too, goes to this process's stderr, where it can be read but is no answer.
"""

import contextlib
import math
import os
import select
import signal
import subprocess
import time
from pathlib import Path

from inarow.adapters.jdk import check_class_path, compiled_once, find_tool
from inarow.errors import IllegalChoice, PlayerError, SpecError
from inarow.game import Board, Game, Limit, Move, Seat
from inarow.players import Player

HOST = Path(__file__).with_name("java") / "Host.java"
HOST_CLASS = "inarow.course.Host"
STDERR = 2

COURSE_SECONDS = 10  # what the course's tester gives a move unless it is told otherwise
MOVES_IN_A_GAME = 30  # a clock for the whole game is shared among so many
START_SECONDS = 120.0  # until a player is made
GRACE_SECONDS = 30.0  # a referee that times the player itself is sooner
PATIENCE = 600.0  # seconds for a move that has no limit of time


def make_player(text: str) -> Player:
    """The player that `CLASSPATH#package.Class` names. SpecError when it cannot be made, with the reason."""
    class_path, hash_sign, class_name = text.rpartition("#")
    if not hash_sign or not class_path or not class_name:
        raise SpecError(f"a Java player is written java:CLASSPATH#package.Class, not 'java:{text}'")
    check_class_path(class_path)
    return CoursePlayer(class_path, class_name)


class CoursePlayer(Player):
    """A player of the course in a Java program of its own, which is started again should it have ended.

    The interface tells a player its time only once a game, in whole seconds; who plays for less must know. What is not
    in it cannot be asked for: `stop` ends the program, and a move is taken back by beginning the game anew.
    """

    def __init__(self, class_path: str, class_name: str) -> None:
        self._class_path = class_path
        self._class_name = class_name
        self._program: JavaProgram | None = None
        self._board: Board | None = None  # what the player knows; None: nothing, it must be initialised
        self._seat = Seat.FIRST
        self._is_stopped = False
        self._launch()

    @property
    def name(self) -> str:
        """What playerName() says."""
        return self._name

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        if game.gravity != self._gravity:
            plays, wanted = ("with", "without") if self._gravity else ("without", "with")
            raise SpecError(f"{self._class_name} plays {plays} gravity, and this game is {wanted}")
        self._is_stopped = False
        if self._program is None:
            self._launch()
        self._board = None
        side = "first" if seat is Seat.FIRST else "second"
        line = f"init {game.rows} {game.columns} {game.k} {whole_seconds(limit)} {side}"
        answer = self._ask(line, limit)
        if answer != "ok":
            raise self._fault_of(answer)
        self._board, self._seat = Board(game), seat

    def choose(self, board: Board, limit: Limit) -> Move:
        known = self._board
        if known is None or not _continues(known, board) or self._seat is not board.turn:
            self.start(board.game, board.turn, limit)
            known = Board(board.game)
        new_moves = board.moves[known.ply :]
        self._board = board
        answer = self._ask(" ".join(["choose", *map(move_text, new_moves)]), limit)
        word, _, rest = answer.partition(" ")
        if word != "move":
            raise self._fault_of(answer)
        return parse_move(rest)

    def stop(self) -> None:
        self._is_stopped = True
        if self._program is not None:
            self._program.end()

    def close(self) -> None:
        if self._program is not None:
            self._program.end()
            self._program = None

    # ── underneath ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _launch(self) -> None:
        program = JavaProgram(self._class_path, self._class_name)
        try:
            word, _, rest = program.receive(START_SECONDS).partition(" ")
        except BaseException:
            program.end()
            raise
        if word != "ready":
            program.end()
            what = f"{self._class_name} cannot be made: it threw {rest}" if word == "threw" else rest
            raise SpecError(what)
        game, _, self._name = rest.partition(" ")
        self._gravity = game == "connectx"
        self._program = program

    def _ask(self, line: str, limit: Limit) -> str:
        """The answer to a line. When none comes the program is ended, for the next game to start another."""
        assert self._program is not None
        allowed = _move_seconds(limit)
        try:
            self._program.send(line)
            return self._program.receive(PATIENCE if allowed is None else allowed + GRACE_SECONDS)
        except PlayerError:
            self.close()
            self._board = None
            if self._is_stopped:
                raise PlayerError(f"{self._class_name} was stopped before it had chosen a move") from None
            raise

    def _fault_of(self, answer: str) -> PlayerError:
        """What an answer means that is none of those that were hoped for."""
        self._board = None
        word, _, rest = answer.partition(" ")
        if word == "null":
            return IllegalChoice("illegal move: selectCell returned null, which is no cell")
        if word == "threw":
            return PlayerError(f"the player threw {rest}")
        return PlayerError(f"the Java host answered {answer!r}, which it never does")


class JavaProgram:
    """The Java program that hosts a player; lines go in and out. PlayerError when it is gone."""

    def __init__(self, class_path: str, class_name: str) -> None:
        java, host = find_tool("java"), compiled_once(HOST)
        requests, answers = os.pipe(), os.pipe()  # each a reading and a writing end
        # Opened as files, so that they are closed, and the Java program ends, even when nobody closes the player.
        self._requests = open(requests[1], "wb", buffering=0)  # noqa: SIM115, PTH123
        self._answers = open(answers[0], "rb", buffering=0)  # noqa: SIM115, PTH123
        theirs = requests[0], answers[1]
        classes = os.pathsep.join((str(host), class_path))
        try:
            self._process = subprocess.Popen(
                [java, "-cp", classes, HOST_CLASS, *map(str, theirs), class_name],
                stdin=subprocess.DEVNULL,
                stdout=STDERR,
                pass_fds=theirs,
            )
        except OSError as error:
            raise SpecError(f"{java} cannot be started: {error.strerror}") from None
        finally:
            for end in theirs:
                os.close(end)
        self._unread = b""

    def send(self, line: str) -> None:
        data = f"{line}\n".encode()
        try:
            while data:
                data = data[self._requests.write(data) :]
        except (BrokenPipeError, ValueError):
            raise self._ended() from None

    def receive(self, seconds: float) -> str:
        """The next line, which must come within so many seconds."""
        deadline = time.monotonic() + seconds
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        while b"\n" not in self._unread:
            left = deadline - time.monotonic()
            if left <= 0 or not poll.poll(1000 * left):
                raise PlayerError(f"the Java player does not answer within {seconds:g} s")
            data = self._answers.read(65536)
            if not data:
                raise self._ended()
            self._unread += data
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode(errors="replace")

    def end(self) -> None:
        """Ends it at once; ending it again does nothing."""
        self._process.kill()
        self._process.wait()
        self._requests.close()

    def _ended(self) -> PlayerError:
        """It closed its pipes, which only its end does."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE_SECONDS)
        status = self._process.poll()
        if status is None:
            return PlayerError("the Java program closed its pipes", fault="exited")
        if status < 0:
            return PlayerError(f"the Java program was ended by a signal: {signal.strsignal(-status)}", fault="exited")
        return PlayerError(f"the Java program ended with status {status}, as by System.exit({status})", fault="exited")


def whole_seconds(limit: Limit) -> int:
    """What a player of the course is told: whole seconds, at least one.

    >>> whole_seconds(Limit(seconds=2.5)), whole_seconds(Limit(seconds=0.1)), whole_seconds(Limit(nodes=1000))
    (3, 1, 10)
    """
    if limit.seconds is not None:
        seconds = limit.seconds
    elif limit.clock is not None:
        seconds = limit.clock / MOVES_IN_A_GAME + (limit.increment or 0)
    else:
        seconds = COURSE_SECONDS
    return max(1, math.ceil(seconds))


def _move_seconds(limit: Limit) -> float | None:
    """What a move may take at most; None: as long as it likes."""
    bounds = [seconds for seconds in (limit.seconds, limit.clock) if seconds is not None]
    return min(bounds) if bounds else None


def _continues(known: Board, board: Board) -> bool:
    """Whether a board is a known one on which more was played."""
    return known.game == board.game and known.moves == board.moves[: known.ply]


def move_text(move: Move) -> str:
    """A move in the lines: a cell as "1,2", a column as "3"."""
    return str(move) if isinstance(move, int) else f"{move[0]},{move[1]}"


def parse_move(text: str) -> Move:
    """The move of such a text; ValueError when it is none."""
    row, comma, column = text.partition(",")
    return (int(row), int(column)) if comma else int(row)
