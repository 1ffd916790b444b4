"""`inarow tune`: find a player's options for a board by playing."""

from itertools import product
from typing import Annotated

import typer
from rich.console import Console

from inarow.arena.run import MemoryStore
from inarow.arena.spec import Tournament
from inarow.arena.standings import standings
from inarow.cli.arena import INTERRUPTED, Workers, play_all, standings_table
from inarow.cli.common import AsJson, Columns, Gravity, InARow, Rows, print_json
from inarow.errors import SpecError
from inarow.game import Game, Limit

OPENINGS = "random:2"


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Example: [bold]inarow tune markcello 10 10 5 --q 5,7,9 --depth 8,10 --time 0.2 --games 10[/bold]"
    )(tune)


def tune(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="markcello, the player with numbers to tune.")],
    rows: Rows,
    columns: Columns,
    k: InARow,
    gravity: Gravity = False,
    q: Annotated[str, typer.Option("--q", help="Widths to try, separated by commas.")] = "4,7,10",
    depth: Annotated[str, typer.Option("--depth", help="Depths to try, separated by commas.")] = "6,10",
    games: Annotated[int, typer.Option("--games", min=1, help="Pairs of games between each two settings.")] = 5,
    seconds: Annotated[float, typer.Option("--time", "-t", metavar="S", help="Seconds a move.")] = 0.1,
    workers: Workers = 1,
    as_json: AsJson = False,
) -> None:
    """Let settings of a player meet from random openings, each opening from both seats, and rank them by score."""
    if player != "markcello":
        raise SpecError(f"only markcello can be tuned, not {player!r}")
    specs = tuple(
        f"markcello:q={width},depth={plies}" for width, plies in product(_numbers("q", q), _numbers("depth", depth))
    )
    if len(specs) < 2:
        raise SpecError("there is nothing to compare: give two or more values")
    board = Game(rows, columns, k, gravity)
    tournament = Tournament(specs, (board,), Limit(seconds=seconds), rounds=games, openings=OPENINGS)
    store = MemoryStore()
    is_whole = play_all(tournament, store, store.records.items, workers)
    ranking = sorted(standings(tournament, store.records.items()), key=lambda line: -line.score / max(1, line.games))
    if as_json:
        print_json([{"player": line.player, "points": line.score, "games": line.games} for line in ranking])
    else:
        Console(highlight=False).print(standings_table(ranking))
    if not is_whole:
        raise typer.Exit(INTERRUPTED)


def _numbers(name: str, text: str) -> list[int]:
    try:
        numbers = [int(word) for word in text.split(",")]
    except ValueError:
        raise SpecError(f"{name} takes whole numbers separated by commas, not {text!r}") from None
    if min(numbers) < 1:
        raise SpecError(f"{name} must be at least 1")
    return numbers
