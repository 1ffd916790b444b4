"""`inarow players`: who can be asked to play."""

import typer
from rich.console import Console
from rich.table import Table

from inarow.cli.common import AsJson, print_json
from inarow.players import PLAYERS, PlayerInfo


def register(app: typer.Typer) -> None:
    app.command(epilog="Example: [bold]inarow players --json[/bold]")(players)


def players(as_json: AsJson = False) -> None:
    """List the players, with their options."""
    if as_json:
        print_json([_describe(info) for info in PLAYERS])
        return
    table = Table(box=None, header_style="bold")
    for heading in ("player", "what it does", "options"):
        table.add_column(heading)
    for info in PLAYERS:
        options = (f"{option.name} ({option.type}): {option.help}" for option in info.options)
        table.add_row(info.name, info.summary, "\n".join(options))
    console = Console(highlight=False)
    console.print(table)
    console.print(
        "\nA player is named by a spec: random, random:seed=7, or python:FILE.py:Class for your own.", style="dim"
    )


def _describe(info: PlayerInfo) -> dict[str, object]:
    return {"name": info.name, "summary": info.summary, "options": [vars(option) for option in info.options]}
