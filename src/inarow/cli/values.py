"""`inarow values`: who wins on empty boards."""

import re
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import inarow.solver
from inarow.cli.arena import INTERRUPTED, say
from inarow.cli.common import AsJson, print_json
from inarow.errors import SpecError
from inarow.executors import LocalCrew
from inarow.game import Game, Limit, parse_game
from inarow.solver.solution import DEFAULT_MEMORY_MB, Effort, Solver
from inarow.solver.tabulate import Grid, fill, grids, missing, page
from inarow.solver.values import ValueTable, games_up_to, shipped_values


class Placement(Enum):
    """Which games are meant."""

    FREE = "free"
    GRAVITY = "gravity"
    BOTH = "both"


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Examples: [bold]inarow values[/bold] · "
        "[bold]inarow values 6x8x4g 7x7x4g --memory 4096 --time 600 --out values.jsonl[/bold] · "
        "[bold]inarow values --up-to 6x6 --k 3-5 --placement free --time 60 --out values.jsonl --proofs proofs[/bold]"
    )(values)


def values(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME…", help="Solve these, as 6x7x4g; or give --up-to.")
    ] = None,
    up_to: Annotated[
        str,
        typer.Option(
            "--up-to", metavar="CELLS|MxN", help="Solve the boards of up to so many cells, or rows and columns."
        ),
    ] = "",
    k: Annotated[
        str, typer.Option("--k", metavar="K,K-K,…", help="Which k; by itself from 3 to the board's larger side.")
    ] = "",
    placement: Annotated[Placement, typer.Option(help="Free placement, gravity or both.")] = Placement.BOTH,
    seconds: Annotated[
        float | None, typer.Option("--time", "-t", metavar="S", help="Seconds a game; no limit by itself.")
    ] = None,
    memory_mb: Annotated[
        int, typer.Option("--memory", metavar="MB", min=1, help="For the table of each.")
    ] = DEFAULT_MEMORY_MB,
    shortest: Annotated[
        bool, typer.Option("--shortest", help="Also find how long the game lasts, everywhere.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where values are kept. What is there stays.")
    ] = None,
    proofs: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where a proof of each value is written, for inarow verify.")
    ] = None,
    docs: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the table as a page, as docs/values.md is.")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", "-w", metavar="W", min=1, help="Games solved at a time.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Print the table of values; with games or --up-to first solve what is missing. Ctrl-C keeps what there is."""
    effort = Effort(Limit(seconds=seconds), memory_mb, shortest, proof=proofs is not None)
    wanted = [parse_game(game) for game in games or []] + parse_range(up_to, k, placement)
    if out is None:
        table = ValueTable(shipped_values())
    else:
        table = ValueTable.read(out) if out.exists() else ValueTable()
        table.write(out)  # before the work is the time to find out that this cannot be done
    if proofs is not None:
        proofs.mkdir(parents=True, exist_ok=True)
    unknown, stopped = _solve(table, missing(table, wanted, effort), effort, workers, out, proofs)
    if docs is not None:
        docs.write_text(page(table), encoding="utf-8")
    if as_json:
        entries = [vars(value) | {"game": str(value.game)} for value in table]
        print_json({"values": entries, "unknown": [str(game) for game in unknown], "stopped": stopped})
    else:
        console = Console(highlight=False)
        for grid in grids(table):
            console.print(f"[bold]{grid.title}[/bold]")
            console.print(_table(grid))
            console.print(_legend(grid), end="\n\n")
        if unknown:
            say(f"{len(unknown)} not solved in this time: {' '.join(map(str, unknown))}")
    if stopped:
        say("stopped; the same command goes on" if out else "stopped; with --out the same command would go on")
        raise typer.Exit(INTERRUPTED)


def _solve(
    table: ValueTable, games: list[Game], effort: Effort, workers: int, out: Path | None, proofs: Path | None
) -> tuple[list[Game], bool]:
    """Solves games into the table and its file: those that stay unknown, and whether Ctrl-C ended it."""
    unknown: list[Game] = []
    if not games:
        return unknown, False
    solve: Solver = inarow.solver.solve
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with LocalCrew(workers) as crew:
        try:
            with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
                task = progress.add_task("games", total=len(games))
                for game, value in fill(table, games, solve, effort, crew, proofs):
                    if value is None:
                        unknown.append(game)
                    elif out is not None:
                        table.write(out)
                    progress.update(task, advance=1, description=f"games, last {game}")
        except KeyboardInterrupt:
            crew.close(at_once=True)
            return unknown, True
    return unknown, False


def parse_range(up_to: str, k: str, placement: Placement) -> list[Game]:
    """The games that --up-to, --k and --placement name.

    >>> [str(game) for game in parse_range("2x3", "2-3", Placement.FREE)]
    ['1x1x2', '1x1x3', '1x2x2', '1x2x3', '1x3x2', '1x3x3', '2x2x2', '2x2x3', '2x3x2', '2x3x3']
    """
    if not up_to:
        return []
    match = re.fullmatch(r"(\d{1,5})|(\d{1,3})x(\d{1,3})", up_to, re.ASCII)
    if match is None:
        raise SpecError(f"--up-to is a number of cells, or ROWSxCOLUMNS, not {up_to!r}")
    cells = int(match[1]) if match[1] else None
    sides = None if match[1] else (int(match[2]), int(match[3]))
    placements = {Placement.FREE: [False], Placement.GRAVITY: [True], Placement.BOTH: [False, True]}[placement]
    return games_up_to(cells, sides, _parse_ks(k) if k else None, placements)


def _parse_ks(text: str) -> list[int]:
    ks: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", part.strip(), re.ASCII)
        if match is None:
            raise SpecError(f"--k is a list such as 3,4 or 3-5, not {text!r}")
        ks += range(int(match[1]), int(match[2] or match[1]) + 1)
    return ks


def _table(grid: Grid) -> Table:
    table = Table(box=None, header_style="bold")
    for heading in ("rows", *map(str, grid.columns)):
        table.add_column(heading, justify="right", no_wrap=True)
    for rows, line in zip(grid.rows, grid.lines, strict=True):
        table.add_row(str(rows), *line)
    return table


def _legend(grid: Grid) -> str:
    return ", ".join(f"{letter} {method}" for method, letter in sorted(grid.methods.items()))
