"""A Gomocup brain as a player: `gomocup:COMMAND`, or `gomocup:COMMAND,k=any,memory=350,folder=FOLDER`.

COMMAND is written as in a shell, without its variables and wildcards: quotes hold together what has spaces. Options
stand behind it; a comma that no option follows belongs to the command. The brain's process lasts for several games, if
the brain knows RESTART. Whatever it does wrong is a PlayerError.
"""

import contextlib
import os
import re
import select
import shlex
import shutil
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from inarow.adapters.gomocup.commands import Lines, excerpt, format_cell, parse_cell
from inarow.adapters.gomocup.settings import DEFAULT_K, MEBIBYTE, NO_LIMIT
from inarow.errors import PlayerError, SpecError
from inarow.game import Board, Cell, Game, Limit, Move, Seat
from inarow.players import Choice, Player
from inarow.players.options import option, parse_options

MEMORY_VARIABLE = "INAROW_MEMORY"  # the referee's limit in bytes, of this process and all it starts
OPPONENT_IS_A_BRAIN = 1  # INFO game_type
STOP_SECONDS = 1.0  # what a brain has to move after YXSTOP
END_SECONDS = 0.1  # what it has to end after END
LOOK_SECONDS = 0.1
MAX_NOTES = 20  # of what a brain says beside a move the last so many lines are kept
LEAST_MEMORY = MEBIBYTE


@dataclass(frozen=True)
class BrainOptions:
    k: str = option("", "any: it plays every K, whatever its ABOUT says")
    memory: int | None = option(None, "megabytes it is told it may have; without, what the referee allows", least=1)
    folder: str = option("", "where it may keep files; without, the system's temporary folder")


_OPTIONS = re.compile(r"((?:,(?:k|memory|folder)=[^,]*)*)\Z")


def parse_brain(text: str) -> tuple[list[str], BrainOptions]:
    """The words of a command, and the options behind it. SpecError when it cannot be started.

    >>> parse_brain("sh -c 'echo a,b',k=any")
    (['sh', '-c', 'echo a,b'], BrainOptions(k='any', memory=None, folder=''))
    """
    match = _OPTIONS.search(text)
    assert match is not None
    options: BrainOptions = parse_options("gomocup", BrainOptions, match[1])
    if options.k not in ("", "any"):
        raise SpecError(f"gomocup: k takes any, not {options.k!r}")
    try:
        words = shlex.split(text[: match.start()])
    except ValueError as error:
        raise SpecError(f"gomocup:{text} is not a command: {error}") from None
    if not words:
        raise SpecError("a Gomocup brain is written gomocup:COMMAND")
    if shutil.which(words[0]) is None:
        raise SpecError(f"there is no program {words[0]!r}")
    return words, options


class GomocupPlayer(Player):
    """Hosts one brain. Its process is started with the first game."""

    def __init__(self, text: str) -> None:
        self._command, self._options = parse_brain(text)
        self._process: BrainProcess | None = None
        self._serves: tuple[Game, Limit] | None = None  # what the process was started for
        self._known: tuple[Move, ...] = ()  # the moves that the brain knows of

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        if game.gravity:
            raise PlayerError("the Gomocup protocol has no gravity")
        if not self._restart(game, limit):
            self.close()
            self._process = BrainProcess(self._command)
            self._check_k(game)
            self._inform(game, limit)
            self._start_board(game)
            self._serves = game, limit
        self._known = ()

    def choose(self, board: Board, limit: Limit) -> Choice:
        process = self._running
        process.drop_out_of_turn()
        self._tell_time(limit)
        if board.ply == 0 and not self._known:
            process.send("BEGIN")
        elif board.ply > 0 and board.moves[:-1] == self._known:
            process.send(f"TURN {format_cell(_cell(board.moves[-1]))}")
        else:
            process.send(*_board_lines(board))
        cell = process.move()
        self._known = (*board.moves, cell)
        return Choice(cell, notes=process.take_notes())

    def stop(self) -> None:
        if self._process is not None:
            self._process.hurry()

    def close(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None

    # ── the beginning of a game ─────────────────────────────────────────────────────────────────────────────────────

    def _restart(self, game: Game, limit: Limit) -> bool:
        """Whether the brain of the last game goes on with a new one, which it can if that is of the same kind."""
        if self._process is None or self._serves != (game, limit):
            return False
        try:
            self._process.drop_out_of_turn()
            self._process.send("RESTART")
            return _first_word(self._process.verdict()) == "OK"
        except PlayerError:  # a fresh process may do better, and says why if not
            return False

    def _check_k(self, game: Game) -> None:
        if game.k == DEFAULT_K or self._options.k == "any":
            return
        self._running.send("ABOUT")
        about = self._running.answer()
        if re.search(r"""\bk\s*=\s*["']?any\b""", about, re.IGNORECASE) is None:
            raise PlayerError(f"the brain does not say that it plays {game.k} in a row; if it does, add ,k=any")

    def _start_board(self, game: Game) -> None:
        is_square = game.rows == game.columns
        command = f"START {game.rows}" if is_square else f"RECTSTART {game.columns},{game.rows}"
        self._running.send(command)
        answer = self._running.verdict()
        if _first_word(answer) != "OK":
            raise PlayerError(f"the brain answered {command} with {excerpt(answer)}, not with OK")

    def _inform(self, game: Game, limit: Limit) -> None:
        """Before START, so that what follows from it is not done in the time of the first move."""
        turn, match = _milliseconds(limit.seconds), _milliseconds(limit.clock)
        infos: dict[str, int | str] = {
            "timeout_turn": min(turn, match),
            "timeout_match": 0 if match == NO_LIMIT else match,
            "max_memory": self._memory(),
            "game_type": OPPONENT_IS_A_BRAIN,
            "rule": 0,
            "folder": self._options.folder or tempfile.gettempdir(),
        }
        if game.k != DEFAULT_K:
            infos["k"] = game.k
        if limit.nodes is not None:
            infos["max_node"] = limit.nodes
        if limit.depth is not None:
            infos["max_depth"] = limit.depth
        self._running.inform(infos)

    def _tell_time(self, limit: Limit) -> None:
        left = _milliseconds(limit.clock)
        self._running.inform({"timeout_turn": min(_milliseconds(limit.seconds), left), "time_left": left})

    def _memory(self) -> int:
        """Bytes that the brain may have; 0: no limit. This process is a part of what the referee allows."""
        if self._options.memory is not None:
            return self._options.memory * MEBIBYTE
        allowed = os.environ.get(MEMORY_VARIABLE, "")
        if not allowed.isdecimal():
            return 0
        import psutil  # here, since few need it

        used: int = psutil.Process().memory_info().rss
        return max(LEAST_MEMORY, int(allowed) - used)

    @property
    def _running(self) -> "BrainProcess":
        if self._process is None:
            raise PlayerError("the brain's game was not started")
        return self._process


class BrainProcess:
    """A brain's process and its pipes. It can be asked by one thread; another one may call `hurry`."""

    def __init__(self, command: list[str]) -> None:
        # A session's leader, which a player of the arena is, shares its group with the brain: both are stopped together
        # when it is not their turn. Elsewhere Ctrl-C is not meant for the brain.
        group = None if os.getsid(0) == os.getpid() else 0
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, process_group=group
            )
        except OSError as error:
            raise PlayerError(f"{command[0]} cannot be started: {error.strerror}") from None
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN)
        self._lines = Lines()
        self._heard: deque[str] = deque()
        self._notes: deque[str] = deque(maxlen=MAX_NOTES)
        self._asked = ""  # the last command that is to be answered
        self._unanswered = 0  # commands that need no answer, but may get an UNKNOWN
        self._is_thinking = threading.Event()
        self._hurry_until: float | None = None

    def send(self, *lines: str) -> None:
        """Sends a command, which may be a block of lines, and remembers what is to be answered."""
        self._asked = lines[0].partition(" ")[0]
        self._write(lines)

    def inform(self, infos: dict[str, int | str]) -> None:
        self._unanswered += len(infos)
        self._write([f"INFO {key} {value}" for key, value in infos.items()])

    def answer(self) -> str:
        """The next line that is an answer. An ERROR is an answer, an UNKNOWN too; what is said beside is kept."""
        for line in self._answers():
            if _first_word(line) == "UNKNOWN" and not self._is_about_asked(line):
                continue
            return line
        raise AssertionError("answers do not end by themselves")

    def verdict(self) -> str:
        """OK, ERROR or UNKNOWN with what stands behind it. Whatever else comes before, a greeting say, is kept."""
        while _first_word(answer := self.answer()) not in ("OK", "ERROR", "UNKNOWN"):
            self._notes.append(answer)
        return answer

    def move(self) -> Cell:
        """The cell that the brain answers."""
        self._hurry_until = None
        self._is_thinking.set()
        try:
            return self._read_move()
        finally:
            self._is_thinking.clear()

    def take_notes(self) -> tuple[str, ...]:
        """What was said beside the answers since the last time."""
        notes = tuple(self._notes)
        self._notes.clear()
        return notes

    def drop_out_of_turn(self) -> None:
        """PlayerError when an answer came that nobody asked for."""
        while self._hear(0.0):
            pass
        for line in self._heard:
            if parse_cell(line) is not None:
                raise PlayerError(f"the brain said {excerpt(line)} when it was not asked", fault="answered out of turn")
        for line in self._heard:
            self._notes.append(line)
        self._heard.clear()

    def hurry(self) -> None:
        """Called from another thread: the brain shall move now. It knows YXSTOP, or it has a second."""
        if self._is_thinking.is_set():
            self._unanswered += 1
            self._hurry_until = time.monotonic() + STOP_SECONDS
            with contextlib.suppress(PlayerError):  # the thread that waits for the answer will notice
                self._write(["YXSTOP"])

    def end(self) -> None:
        """Lets the brain end by itself for a moment, then kills it with all that it has started."""
        family = _family(self._process.pid)
        with contextlib.suppress(PlayerError):  # it is gone already
            self._write(["END"])
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)
        _kill(family | _family(self._process.pid))
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    # ── underneath ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _read_move(self) -> Cell:
        for line in self._answers():
            cell, word = parse_cell(line), _first_word(line)
            if cell is not None:
                return cell
            if word == "SUGGEST" and (cell := parse_cell(line[len(word) :].strip())) is not None:
                self._write([f"PLAY {format_cell(cell)}"])
            elif word == "UNKNOWN" and not self._is_about_asked(line):
                continue
            else:
                raise PlayerError(f"the brain answered {excerpt(line)}, which is no move", fault="malformed answer")
        raise AssertionError("answers do not end by themselves")

    def _answers(self) -> Iterator[str]:
        """Lines but those that are said beside. PlayerError when the brain ends, or does not move after YXSTOP."""
        while True:
            while self._heard:
                line = self._heard.popleft()
                if _first_word(line) in ("MESSAGE", "DEBUG"):
                    self._notes.append(line)
                else:
                    yield line
            if not self._hear(LOOK_SECONDS) and self._hurry_until is not None and time.monotonic() > self._hurry_until:
                raise PlayerError(f"the brain did not move within {STOP_SECONDS:g} s after YXSTOP", fault="late")

    def _hear(self, seconds: float) -> bool:
        """Takes in what the brain says, waiting at most so long; whether it said something."""
        if not self._poll.poll(1000 * seconds):
            return False
        data = os.read(self._output, 65536)
        if not data:
            raise self._ended()
        self._heard.extend(self._lines.feed(data))
        return True

    def _is_about_asked(self, line: str) -> bool:
        """Whether an UNKNOWN means what was asked: it says so, or there is nothing else that it could mean."""
        says_so = re.search(rf"\b{self._asked}\b", line, re.IGNORECASE) is not None
        if self._unanswered > 0 and not says_so:
            self._unanswered -= 1
            return False
        return True

    def _write(self, lines: list[str] | tuple[str, ...]) -> None:
        data = "".join(f"{line}\r\n" for line in lines).encode(errors="replace")
        try:
            while data:
                data = data[os.write(self._input, data) :]
        except BrokenPipeError:
            raise self._ended() from None

    def _ended(self) -> PlayerError:
        """Why a brain is not heard of any more."""
        last_words = f" (its last words: {excerpt(self._notes[-1])})" if self._notes else ""
        try:
            status = self._process.wait(LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            return PlayerError(f"the brain closed its pipe{last_words}", fault="closed its pipe")
        if status < 0:
            return PlayerError(f"the brain was ended by signal {-status}{last_words}", fault="crashed")
        return PlayerError(f"the brain ended with status {status}{last_words}", fault="exited")


def _family(pid: int) -> set[object]:
    """A process and all that it has started; empty when it is gone."""
    import psutil  # here, since few need it

    try:
        process = psutil.Process(pid)
        return {process, *process.children(recursive=True)}
    except psutil.NoSuchProcess:
        return set()


def _kill(processes: set[object]) -> None:
    import psutil

    for process in processes:
        assert isinstance(process, psutil.Process)
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()


def _board_lines(board: Board) -> list[str]:
    """BOARD with all stones in the order of play; those of who is to move are the brain's own."""
    lines = ["BOARD"]
    for ply, move in enumerate(board.moves):
        lines.append(f"{format_cell(_cell(move))},{1 if ply % 2 == board.turn else 2}")
    return [*lines, "DONE"]


def _milliseconds(seconds: float | None) -> int:
    return NO_LIMIT if seconds is None else min(NO_LIMIT, int(seconds * 1000))


def _first_word(line: str) -> str:
    return line.partition(" ")[0].upper()


def _cell(move: Move) -> Cell:
    assert not isinstance(move, int), "the protocol has no gravity"
    return move
