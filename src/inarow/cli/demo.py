"""`inarow demo`: what there is to see in half a minute."""

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from inarow.cli.games import play_game, points
from inarow.cli.view import print_board
from inarow.game import Board, Game, Limit
from inarow.players import make_player

PLAYERS = ("markcello", "nisshoku", "cadrega", "telos", "helpfulness", "quasi_random:seed=1")
GAMES = (Game(4, 4, 3), Game(6, 6, 4), Game(6, 7, 4, gravity=True), Game(10, 10, 5))
LIMIT = Limit(nodes=10_000)  # and not a time, so that everybody sees the same games


def register(app: typer.Typer) -> None:
    app.command(epilog="Example: [bold]inarow demo[/bold]")(demo)


def demo() -> None:
    """Let the players of the reports meet on a few boards, each pair in both seats, and print the cross table."""
    console = Console(highlight=False)
    console.print(f"{len(PLAYERS)} players on {', '.join(map(str, GAMES))}, {LIMIT.nodes} nodes a move")
    pairings = [(one, other) for one in PLAYERS for other in PLAYERS if one != other]
    cross = dict.fromkeys(pairings, 0.0)
    board = Board(GAMES[0])
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console) as progress:
        for first, second in progress.track(pairings, description="pairings"):
            for game in GAMES:
                board = play_game(game, [make_player(first), make_player(second)], LIMIT)
                won = points(board)
                cross[first, second] += won[0]
                cross[second, first] += won[1]
    _print_cross_table(console, cross)
    console.print("The last game; its last stone in [brackets], a winning line in (parentheses):", markup=False)
    print_board(console, board)
    console.print("Your turn: [bold]inarow play 6 7 4 --gravity --against telos[/bold]")


def _print_cross_table(console: Console, cross: dict[tuple[str, str], float]) -> None:
    """The players by points, and in each row what a player took from the others."""
    totals = {player: sum(won for (one, _), won in cross.items() if one == player) for player in PLAYERS}
    ranking = sorted(PLAYERS, key=lambda player: -totals[player])
    games = 2 * len(GAMES)
    table = Table(title=f"points against each, of {games}", header_style="bold")
    table.add_column("player")
    for place in range(1, len(ranking) + 1):
        table.add_column(str(place), justify="right")
    table.add_column("points", justify="right")
    for place, player in enumerate(ranking, start=1):
        cells = ["·" if other == player else f"{cross[player, other]:g}" for other in ranking]
        table.add_row(f"{place} {player}", *cells, f"{totals[player]:g} of {games * (len(ranking) - 1)}")
    console.print(table)
