"""`inarow perft`: count all games to a depth."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from inarow.cli.common import AsJson, Columns, Gravity, InARow, Moves, Rows, board_from, print_json, run_stoppable
from inarow.engine import Perft, StopFlag
from inarow.engine import perft as count_sequences
from inarow.game import Board


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Examples: [bold]inarow perft 3 3 3 9 --positions[/bold] (255168 games, 5478 positions) · "
        "[bold]inarow perft 6 7 4 8 --gravity[/bold]"
    )(perft)


def perft(
    rows: Rows,
    columns: Columns,
    k: InARow,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, help="Plies to count.", show_default=False)],
    gravity: Gravity = False,
    moves: Moves = "",
    positions: Annotated[
        bool, typer.Option("--positions", help="Count the different positions too (slow, takes memory).")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Count all sequences of moves to a depth, and how many of them end the game."""
    board = board_from(rows, columns, k, gravity, moves)
    console = Console(highlight=False, stderr=as_json)
    stop = StopFlag()
    with console.status("counting, Ctrl-C stops"):
        counts = run_stoppable(lambda: count_sequences(board, depth, stop), stop.set)
        different = count_positions(board, depth) if positions and not counts.stopped else None
    if as_json:
        print_json(vars(counts) | {"games": counts.games} | ({"positions": different} if different is not None else {}))
    else:
        _print_table(console, counts, different)
    if counts.stopped:
        raise typer.Exit(130)


def count_positions(board: Board, depth: int) -> list[int]:
    """How many different positions are reached after 0, 1, … `depth` moves; exact, by the Python rules."""
    level = {board.key: board}
    counts = [1]
    for _ in range(depth):
        following: dict[object, Board] = {}
        for parent in level.values():
            for move in parent.legal_moves:
                parent.push(move)
                if parent.key not in following:
                    following[parent.key] = parent.copy()
                parent.pop()
        if not following:
            break
        counts.append(len(following))
        level = following  # type: ignore[assignment]
    return counts


def _print_table(console: Console, counts: Perft, positions: list[int] | None) -> None:
    table = Table(box=None, header_style="bold")
    columns: dict[str, tuple[int, ...]] = {
        "nodes": counts.nodes,
        "first wins": counts.first_wins,
        "second wins": counts.second_wins,
        "draws": counts.draws,
    }
    if positions is not None:
        columns["positions"] = (*positions, *[0] * (len(counts.nodes) - len(positions)))
    for heading in ("ply", *columns):
        table.add_column(heading, justify="right")
    for ply, row in enumerate(zip(*columns.values(), strict=True)):
        table.add_row(str(ply), *map(str, row))
    console.print(table)
    console.print(
        f"games that ended: {counts.games}" + (", stopped: the counts are incomplete" if counts.stopped else "")
    )
    if positions is not None:
        console.print(f"different positions: {sum(positions)}")
