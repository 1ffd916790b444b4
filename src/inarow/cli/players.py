"""`inarow players`: who can be asked to play."""

import inspect
import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from inarow.cli.common import AsJson, print_json
from inarow.players import PLAYERS, PlayerInfo, find_player


def register(app: typer.Typer) -> None:
    app.command(epilog="Examples: [bold]inarow players[/bold] · [bold]inarow players telos[/bold]")(players)


def players(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Tell this player's story.", show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the players, or tell one player's story: the idea, where it comes from, its options, what it is good at."""
    if name is not None:
        info = find_player(name)
        if as_json:
            print_json(_describe(info) | {"story": _story(info), "costs": info.costs, "strength": info.strength})
        else:
            _tell(info)
    elif as_json:
        print_json([_describe(info) for info in PLAYERS])
    else:
        _list()


def _list() -> None:
    table = Table(box=None, header_style="bold")
    for heading in ("player", "what it does", "options"):
        table.add_column(heading)
    for info in PLAYERS:
        table.add_row(info.name, info.summary, ", ".join(option.name for option in info.options))
    console = Console(highlight=False)
    console.print(table)
    console.print(
        "\nA player is named by a spec: telos, telos:memory=on, python:FILE.py:Class for your own, or gomocup:COMMAND "
        "for a Gomocup brain.",
        style="dim",
    )
    console.print("inarow players NAME tells more.", style="dim")


def _tell(info: PlayerInfo) -> None:
    console = Console(highlight=False, width=min(100, Console().width))
    console.print(_story(info), markup=False)
    console.print(f"\n[bold]Costs[/bold]     {info.costs}")
    console.print(f"[bold]Strength[/bold]  {info.strength}")
    if info.options:
        table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
        for heading in ("option", "takes", "default", "what for"):
            table.add_column(heading)
        for option in info.options:
            table.add_row(option.name, option.type, _as_typed(option.default), option.help)
        console.print()
        console.print(table)


def _as_typed(value: object) -> str:
    """An option's value as a person types it; 1 is not True here."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None else str(value)


def _story(info: PlayerInfo) -> str:
    """What the player's module says of itself."""
    paragraphs = inspect.cleandoc(sys.modules[info.create.__module__].__doc__ or "").split("\n\n")
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)


def _describe(info: PlayerInfo) -> dict[str, object]:
    return {"name": info.name, "summary": info.summary, "options": [vars(option) for option in info.options]}
