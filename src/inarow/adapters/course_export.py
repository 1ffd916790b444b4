"""inarow's players in a course's own tester: a Java class that asks a player here, and what answers it.

The class is written by `export`. It starts `inarow course-serve`, and both speak lines:

                                     ready                by itself
    init 6 7 4 10 first              ok                   M, N, K, the tester's seconds for a move, first or second
    choose 9.75 1,1 0,2              move 2,2             seconds to think, and everybody's moves since the last line
    choose 9.75 3 3                  move 4               with gravity a move is a column
    (the end)                        it ends

An answer `threw WHAT` says that a request failed.
"""

import json
import queue
import re
import string
import sys
import threading
from enum import Enum
from pathlib import Path
from typing import TextIO

from inarow.adapters.course import move_text, parse_move
from inarow.adapters.jdk import check_class_path, compile_sources
from inarow.errors import FormatError, InarowError, SpecError
from inarow.game import Board, Game, Limit, Seat
from inarow.players import Player, ask, begin

TEMPLATES = Path(__file__).with_name("java")
MARGIN = 0.25
STOP_SECONDS = 1.0  # what a player has to stop thinking when nobody listens any more


class CourseGame(Enum):
    """The two games of the course."""

    MNK = "mnk"
    CONNECTX = "connectx"

    @property
    def gravity(self) -> bool:
        return self is CourseGame.CONNECTX


_TEMPLATE = {CourseGame.MNK: "ExportedMNK.java.in", CourseGame.CONNECTX: "ExportedCX.java.in"}


def class_name_for(spec: str) -> str:
    """What the class of a player is called unless the user says otherwise.

    >>> class_name_for("quasi_random:seed=1")
    'inarow.QuasiRandom'
    """
    words = re.findall("[A-Za-z0-9]+", spec.partition(":")[0])
    return "inarow." + "".join(word.capitalize() for word in words)


def export(
    spec: str,
    game: CourseGame,
    folder: Path,
    class_name: str | None = None,
    margin: float = MARGIN,
    class_path: str | None = None,
) -> Path:
    """Writes the class of a player into a folder, by its package, and compiles it when a class path is given.

    `margin` are the seconds of each move that the player does not get, so that the tester has its answer in time. The
    class starts this installation's Python; the source's path is returned. SpecError says what cannot be.
    """
    full_name = class_name or class_name_for(spec)
    if not re.fullmatch(r"([A-Za-z_]\w*\.)*[A-Za-z_]\w*", full_name, re.ASCII):
        raise SpecError(f"{full_name!r} is not the name of a Java class, as inarow.Telos is")
    if not 0 < margin < 1:
        raise SpecError(f"the margin is more than 0 and less than 1 s, not {margin:g}")
    if class_path is not None:
        check_class_path(class_path)
    package, _, short_name = full_name.rpartition(".")
    source = folder.joinpath(*package.split("."), f"{short_name}.java")
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(_java_source(spec, game, package, short_name, margin), encoding="utf-8")
    if class_path is not None:
        compile_sources([source], folder, class_path)
    return source


def _java_source(spec: str, game: CourseGame, package: str, short_name: str, margin: float) -> str:
    serve = ["-P", "-m", "inarow", "course-serve", "--game", game.value, "--player", spec]
    return _filled(
        _TEMPLATE[game],
        package=f"package {package};\n\n" if package else "",
        class_name=short_name,
        name=json.dumps(f"inarow {spec}"),
        connection=_filled(
            "Connection.java.in", command=", ".join(map(json.dumps, [sys.executable, *serve])), margin=repr(margin)
        ),
    )


def _filled(template: str, **values: str) -> str:
    return string.Template((TEMPLATES / template).read_text(encoding="utf-8")).substitute(values)


def serve(player: Player, game: CourseGame, requests: TextIO, answers: TextIO) -> None:
    """Answers lines until they end, and ends then even if the player thinks."""
    session = _Session(player, game)
    waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def answer_all() -> None:
        try:
            print("ready", file=answers, flush=True)
            while (line := waiting.get()) is not None:
                print(session.answer(line), file=answers, flush=True)
        except BrokenPipeError:
            return  # the other side is gone, which its requests tell too

    thread = threading.Thread(target=answer_all, daemon=True)
    thread.start()
    for line in requests:
        waiting.put(line)
    waiting.put(None)
    player.stop()
    thread.join(STOP_SECONDS)
    player.close()


class _Session:
    """A player, and the game that it is in."""

    def __init__(self, player: Player, game: CourseGame) -> None:
        self._player = player
        self._gravity = game.gravity
        self._board: Board | None = None

    def answer(self, line: str) -> str:
        words = line.split()
        try:
            match words:
                case ["init", rows, columns, k, seconds, ("first" | "second") as side]:
                    game = Game(int(rows), int(columns), int(k), self._gravity)
                    self._board = Board(game)
                    seat = Seat.FIRST if side == "first" else Seat.SECOND
                    begin(self._player, game, seat, Limit(seconds=float(seconds)))
                    return "ok"
                case ["choose", seconds, *moves] if self._board is not None:
                    for move in moves:
                        self._board.push(parse_move(move))
                    return f"move {move_text(ask(self._player, self._board, Limit(seconds=float(seconds))).move)}"
                case _:
                    raise FormatError(f"no request: {line.strip()!r}")
        except (InarowError, ValueError) as error:
            return f"threw {' '.join(str(error).split())}"
