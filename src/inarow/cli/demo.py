"""`inarow demo`: what there is to see in a minute."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from inarow.arena.run import MemoryStore
from inarow.arena.spec import QUICK, Tournament
from inarow.arena.standings import Standing, cross_table, standings
from inarow.cli.arena import INTERRUPTED, play_all, standings_table
from inarow.cli.view import print_board
from inarow.game import Limit

PLAYERS = ("markcello", "nisshoku", "cadrega", "telos", "helpfulness", "rules")
LIMIT = Limit(nodes=10_000)  # and not a time, so that everybody sees the same games


def register(app: typer.Typer) -> None:
    app.command(epilog="Example: [bold]inarow demo[/bold]")(demo)


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Where the report goes.")] = Path(
        "inarow-demo"
    ),
) -> None:
    """Let the players of the reports meet on a few boards, each pair in both seats, and report on it."""
    from inarow.arena.report import write_report  # here, since it loads numpy

    console = Console(highlight=False)
    console.print(f"{len(PLAYERS)} players on {', '.join(map(str, QUICK))}, {LIMIT.nodes} nodes a move")
    tournament = Tournament(PLAYERS, QUICK, LIMIT)
    store = MemoryStore()
    is_whole = play_all(tournament, store, store.records.items, workers=2)
    games = list(store.records.items())
    lines = standings(tournament, games)
    console.print(standings_table(lines))
    console.print(_cross_table(lines, tournament, store))
    if games:
        console.print("The last game; its last stone in [brackets], a winning line in (parentheses):", markup=False)
        print_board(console, games[-1][1].board())
    console.print(f"All games, to look at and replay: {write_report(tournament, games, out)}", soft_wrap=True)
    console.print("Your turn: [bold]inarow play 6 7 4 --gravity --against telos[/bold]")
    if not is_whole:
        raise typer.Exit(INTERRUPTED)


def _cross_table(lines: list[Standing], tournament: Tournament, store: MemoryStore) -> Table:
    """In each row what a player took from the others, who stand in the same order."""
    cross = cross_table(store.records.items())
    table = Table(title=f"points against each, of {2 * len(tournament.games)}", header_style="bold")
    table.add_column("player")
    for number in range(1, len(lines) + 1):
        table.add_column(str(number), justify="right")
    for number, line in enumerate(lines, start=1):
        cells = [cross.get((line.player, other.player)) for other in lines]
        table.add_row(f"{number} {line.player}", *("·" if cell is None else f"{cell.points:g}" for cell in cells))
    return table
