"""`inarow demo`: what there is to see in a few seconds."""

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from inarow.cli.view import print_board
from inarow.game import Board, Game, Limit, Seat
from inarow.players import Player, ask, make_player

PLAYERS = ("quasi_random:seed=1", "random:seed=2")
GAMES = (Game(3, 3, 3), Game(4, 4, 3), Game(6, 7, 4, gravity=True), Game(10, 10, 5))
GAMES_A_SEAT = 25
LIMIT = Limit(seconds=0.1)


def register(app: typer.Typer) -> None:
    app.command(epilog="Example: [bold]inarow demo[/bold]")(demo)


def demo() -> None:
    """Let two players meet on a few boards, and print the cross table."""
    console = Console(highlight=False)
    players = [make_player(spec) for spec in PLAYERS]
    table = Table(title=f"{PLAYERS[0]} against {PLAYERS[1]}", header_style="bold")
    for heading in ("board", "as first", "as second", "points"):
        table.add_column(heading, justify="left" if heading == "board" else "right")
    total = 0.0
    board = Board(GAMES[0])
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=not console.is_terminal) as progress:
        task = progress.add_task("playing", total=2 * GAMES_A_SEAT * len(GAMES))
        for game in GAMES:
            cells, points = [], 0.0
            for seat in Seat:
                results: dict[Seat | None, int] = {Seat.FIRST: 0, Seat.SECOND: 0, None: 0}
                for _ in range(GAMES_A_SEAT):
                    board = play_game(game, players if seat is Seat.FIRST else players[::-1])
                    assert board.outcome is not None
                    results[board.outcome.winner] += 1
                    progress.advance(task)
                wins, draws, losses = results[seat], results[None], results[seat.other]
                cells.append(f"+{wins} ={draws} -{losses}")
                points += wins + draws / 2
            table.add_row(str(game), *cells, f"{points:g} of {2 * GAMES_A_SEAT}")
            total += points
    table.add_section()
    table.add_row("all", "", "", f"{total:g} of {2 * GAMES_A_SEAT * len(GAMES)}")
    console.print(table)
    console.print(
        "The last game, with the last stone in [brackets] and the winning line in (parentheses):", markup=False
    )
    print_board(console, board)
    console.print("Your turn: [bold]inarow play 6 7 4 --gravity[/bold]")


def play_game(game: Game, players: list[Player]) -> Board:
    """A whole game; the board at its end."""
    board = Board(game)
    for seat, player in zip(Seat, players, strict=True):
        player.start(game, seat, LIMIT)
    while not board.is_over:
        board.push(ask(players[board.turn], board, LIMIT).move)
    return board
