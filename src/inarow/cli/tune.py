"""`inarow tune`: find a player's options for a board by playing."""

from itertools import product
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from inarow.cli.common import AsJson, Columns, Gravity, InARow, Rows, print_json, run_stoppable
from inarow.cli.games import play_game, points, random_opening
from inarow.errors import SpecError
from inarow.game import Game, Limit
from inarow.players import make_player


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
    as_json: AsJson = False,
) -> None:
    """Let settings of a player meet from random openings, each opening from both seats, and rank them by points."""
    if player != "markcello":
        raise SpecError(f"only markcello can be tuned, not {player!r}")
    game = Game(rows, columns, k, gravity)
    limit = Limit(seconds=seconds)
    specs = [
        f"markcello:q={width},depth={plies}" for width, plies in product(_numbers("q", q), _numbers("depth", depth))
    ]
    if len(specs) < 2:
        raise SpecError("there is nothing to compare: give two or more values")
    totals = dict.fromkeys(specs, 0.0)
    played = dict.fromkeys(specs, 0)
    console = Console(stderr=True, highlight=False)
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True

    def play_all() -> None:
        pairings = [(one, other) for i, one in enumerate(specs) for other in specs[i + 1 :]]
        rounds = [(pairing, number) for number in range(games) for pairing in pairings]
        for (one, other), number in progress.track(rounds, description="pairs of games"):
            opening = random_opening(game, number)
            for seats in ((one, other), (other, one)):
                if stopped:
                    return
                board = play_game(game, [make_player(spec) for spec in seats], limit, opening)
                for spec, won in zip(seats, points(board), strict=True):
                    played[spec] += 1
                    totals[spec] += won

    with Progress(console=console) as progress:
        run_stoppable(play_all, stop)
    ranking = sorted(specs, key=lambda spec: -totals[spec] / max(1, played[spec]))
    if as_json:
        print_json([{"player": spec, "points": totals[spec], "games": played[spec]} for spec in ranking])
    else:
        table = Table(box=None, header_style="bold")
        for heading in ("player", "points", "games"):
            table.add_column(heading, justify="left" if heading == "player" else "right")
        for spec in ranking:
            table.add_row(spec, f"{totals[spec]:g}", str(played[spec]))
        Console(highlight=False).print(table)
    if stopped:
        raise typer.Exit(130)


def _numbers(name: str, text: str) -> list[int]:
    try:
        numbers = [int(word) for word in text.split(",")]
    except ValueError:
        raise SpecError(f"{name} takes whole numbers separated by commas, not {text!r}") from None
    if min(numbers) < 1:
        raise SpecError(f"{name} must be at least 1")
    return numbers
