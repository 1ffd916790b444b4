"""`inarow analyse`: what the engine thinks of a position, while it thinks."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from inarow.cli.arena import INTERRUPTED
from inarow.cli.common import AsJson, Columns, Gravity, InARow, Moves, Rows, board_from, print_json
from inarow.engine import Engine, Report, Variation
from inarow.engine.engine import DEFAULT_MEMORY_MB
from inarow.game import Limit, format_move

SHOWN_MOVES = 12

Threads = Annotated[int, typer.Option("--threads", metavar="T", min=1, max=64, help="Threads that search together.")]
Memory = Annotated[int, typer.Option("--memory", metavar="MB", min=2, help="For its tables.")]


def register(app: typer.Typer) -> None:
    app.command(
        epilog='Examples: [bold]inarow analyse 15 15 5 --moves "h8 i9" --lines 3 --time 10[/bold] · '
        "[bold]inarow analyse 6 7 4 --gravity --json[/bold]"
    )(analyse)


def analyse(
    rows: Rows,
    columns: Columns,
    k: InARow,
    gravity: Gravity = False,
    moves: Moves = "",
    lines: Annotated[int, typer.Option("--lines", "-l", metavar="L", min=1, help="So many of the best moves.")] = 1,
    seconds: Annotated[
        float | None, typer.Option("--time", "-t", metavar="S", help="Seconds; by itself it goes on until Ctrl-C.")
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", metavar="N", help="Positions to look at.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", metavar="D", help="Plies to look ahead.")] = None,
    threads: Threads = 1,
    memory_mb: Memory = DEFAULT_MEMORY_MB,
    as_json: AsJson = False,
) -> None:
    """Watch the engine think about a position. With --json every report is a line."""
    board = board_from(rows, columns, k, gravity, moves)
    limit = Limit(seconds=seconds, nodes=nodes, depth=depth)
    engine = Engine(threads, memory_mb)
    reports: Iterator[Report] = iter(())
    last: Report | None = None
    stopped = False
    with Live(console=Console(stderr=True), refresh_per_second=8, transient=True) as live:
        try:
            engine.prepare(board.game)  # else a short search would spend its time on taking memory
            reports = engine.analyse(board, limit, lines)
            for last in reports:
                if as_json:
                    print_json(as_fields(last))
                else:
                    live.update(picture_of(last))
        except KeyboardInterrupt:
            stopped = True
        finally:
            close(reports)
    if last is not None and not as_json:
        Console(highlight=False).print(picture_of(last))
    if stopped:
        raise typer.Exit(INTERRUPTED)


def close(reports: Iterator[Report]) -> None:
    """Ends an analysis that may still run."""
    getattr(reports, "close", lambda: None)()


def picture_of(report: Report) -> Group:
    """A line about the search, over the lines that it found; without what there was none of."""
    parts = []
    if report.depth:
        parts.append(f"depth {report.depth}/{report.best.selective_depth}")
    if report.nodes:
        parts += [f"{report.nodes:,} nodes", f"{report.nodes_per_second / 1e6:.2f} million a second"]
    if report.table_share:
        parts.append(f"table {report.table_share:.0%}")
    about = " · ".join([*parts, f"{report.seconds:.1f} s", f"by {report.source}"])
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("line")
    for variation in report.variations:
        table.add_row(variation.words, line_of(variation))
    return Group(Text(about, style="italic"), table)


def line_of(variation: Variation) -> str:
    shown = " ".join(format_move(move) for move in variation.moves[:SHOWN_MOVES])
    return shown + (" …" if len(variation.moves) > SHOWN_MOVES else "")


def as_fields(report: Report) -> dict[str, Any]:
    return {
        "depth": report.depth,
        "variations": [
            {
                "moves": [format_move(move) for move in variation.moves],
                "value": variation.value,
                "plies": variation.plies,
                "score": variation.score,
                "win_probability": round(variation.win_probability, 4),
                "depth": variation.depth,
                "selective_depth": variation.selective_depth,
            }
            for variation in report.variations
        ],
        "nodes": report.nodes,
        "seconds": round(report.seconds, 6),
        "table_share": report.table_share,
        "source": report.source,
    }
