"""`inarow review`: a finished game with its mistakes."""

import threading
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track

from inarow.cli.analyse import Memory, Threads, line_of
from inarow.cli.common import AsJson, print_json, run_stoppable
from inarow.engine import Engine
from inarow.engine.engine import DEFAULT_MEMORY_MB
from inarow.engine.review import ReviewedMove, review
from inarow.errors import FormatError
from inarow.game import Board, Limit, Record, format_move, parse_position


def register(app: typer.Typer) -> None:
    app.command(
        name="review",
        epilog="Examples: [bold]inarow review game.jsonl --time 0.5[/bold] · "
        "[bold]inarow review 15x15x5:h8.i9.h9.h7 --json[/bold]",
    )(review_game)


def review_game(
    record: Annotated[
        str, typer.Argument(metavar="RECORD", help="A file with a record, or a position such as 15x15x5:h8.i9.")
    ],
    number: Annotated[int, typer.Option("--game", metavar="N", min=1, help="Which record of the file.")] = 1,
    seconds: Annotated[float, typer.Option("--time", "-t", metavar="S", help="Seconds for each position.")] = 0.5,
    threads: Threads = 1,
    memory_mb: Memory = DEFAULT_MEMORY_MB,
    as_json: AsJson = False,
) -> None:
    """Look at a game again: mistakes, missed wins, and what would have been better. Ctrl-C shows what there is."""
    board = board_of(record, number)
    engine = Engine(threads, memory_mb)
    reviewed: list[ReviewedMove] = []
    stopped = threading.Event()
    steps = review(board.game, board.moves, engine, Limit(seconds=seconds), stopped.is_set)

    def look() -> None:
        engine.prepare(board.game)  # the first moves have as much time as the others
        for step in track(steps, "moves", total=board.ply, console=Console(stderr=True), transient=True):
            if stopped.is_set():  # the search behind this step was cut short
                return
            reviewed.append(step)

    def stop() -> None:
        stopped.set()
        engine.stop()

    run_stoppable(look, stop)
    if as_json:
        print_json({"moves": [as_fields(step) for step in reviewed]})
    else:
        console = Console(highlight=False)
        for step in reviewed:
            console.print(sentence(step), soft_wrap=True)
    if len(reviewed) < board.ply:
        raise typer.Exit(130)


def board_of(record: str, number: int) -> Board:
    """The board at the end of the game that is meant."""
    path = Path(record)
    try:
        is_there = path.exists()
    except OSError:  # a long game is too long a name
        is_there = False
    if not is_there:
        try:
            return parse_position(record)
        except FormatError as error:
            raise FormatError(f"{record} is no file that is there, and no position: {error}") from None
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{record} is no file with records: {error}") from None
    lines = [line for line in text.splitlines() if line.strip()]
    if number > len(lines):
        raise FormatError(f"{record} has {len(lines)} records: there is no number {number}")
    return Record.from_json(lines[number - 1]).board()


def sentence(step: ReviewedMove) -> str:
    text = f"{step.ply + 1:>4}. {step.seat!s:<6} {format_move(step.move):<6} {step.after.words:<16}"
    if step.verdict:
        text += f" [bold]{step.verdict}[/bold]: better {line_of(step.best)} ({step.best.words})"
    return text.rstrip()


def as_fields(step: ReviewedMove) -> dict[str, Any]:
    return {
        "ply": step.ply,
        "seat": str(step.seat),
        "move": format_move(step.move),
        "value": step.after.value,
        "win_probability": round(step.after.win_probability, 4),
        "loss": round(step.loss, 4),
        "verdict": step.verdict,
        "best": [format_move(move) for move in step.best.moves],
        "best_value": step.best.value,
        "best_plies": step.best.plies,
        "best_win_probability": round(step.best.win_probability, 4),
    }
