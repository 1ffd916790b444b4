"""What several subcommands share: their arguments, JSON, and work that Ctrl-C can stop."""

import json
import threading
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any, TypeVar

import typer

from inarow.game import Board, Game, Limit, parse_moves, play_moves

Result = TypeVar("Result")

Rows = Annotated[int, typer.Argument(metavar="M", help="Rows, 1 to 128.", show_default=False)]
Columns = Annotated[int, typer.Argument(metavar="N", help="Columns, 1 to 128.", show_default=False)]
InARow = Annotated[int, typer.Argument(metavar="K", help="How many in a row win, 1 to 128.", show_default=False)]
Gravity = Annotated[bool, typer.Option("--gravity", "-g", help="Stones fall, as in Connect-4; a move is a column.")]
Moves = Annotated[
    str,
    typer.Option(
        "--moves",
        "-m",
        help='Moves already played: "7,7 7,8" (row,column from 0) or "h8 i8"; with gravity "3 3 4" or "d d e".',
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a script to read.")]

DEFAULT_SECONDS = 1.0


class SeatName(StrEnum):
    FIRST = "first"
    SECOND = "second"


def board_from(rows: int, columns: int, k: int, gravity: bool, moves: str) -> Board:
    game = Game(rows, columns, k, gravity)
    return play_moves(game, parse_moves(game, moves))


def limit_from(
    seconds: float | None,
    nodes: int | None,
    depth: int | None,
    clock: float | None = None,
    increment: float | None = None,
) -> Limit:
    """The limit the user gave, or a second a move when none was given."""
    if seconds is nodes is depth is clock is None:
        seconds = DEFAULT_SECONDS
    return Limit(seconds, nodes, depth, clock, increment)


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False), flush=True)  # whoever reads a stream of them reads each at once


def run_stoppable(work: Callable[[], Result], stop: Callable[[], None]) -> Result:
    """The result of `work`, which runs in a thread of its own so that Ctrl-C is heard meanwhile.

    The first Ctrl-C calls `stop` and waits for what the work has until then; a second one gives up.
    """
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - it is raised again below
            errors.append(error)
        finally:
            done.set()

    done = threading.Event()
    try:
        threading.Thread(target=run, daemon=True).start()
        done.wait()
    except KeyboardInterrupt:
        stop()
        done.wait()
    if errors:
        raise errors[0]
    return results[0]
