"""`inarow book`: opening books."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from inarow.cli.common import AsJson, Columns, Gravity, InARow, Rows, limit_from, print_json, run_stoppable
from inarow.errors import FormatError
from inarow.game import Board, Game
from inarow.game.book import Book, canonical_key
from inarow.players import ask, begin, make_player


def register(app: typer.Typer) -> None:
    books = typer.Typer(help="Make opening books.", no_args_is_help=True)
    books.command(
        epilog="Example: [bold]inarow book build 6 7 4 --gravity --plies 3 --time 5 --out connect4.book[/bold], then "
        "[bold]inarow play 6 7 4 --gravity --against telos:book=connect4.book[/bold]"
    )(build)
    app.add_typer(books, name="book")


def build(
    rows: Rows,
    columns: Columns,
    k: InARow,
    plies: Annotated[int, typer.Option("--plies", min=0, help="The book holds every position of up to so many plies.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Where to write it. What is there already is kept.")
    ],
    gravity: Gravity = False,
    player: Annotated[
        str, typer.Option("--player", "-p", metavar="SPEC", help="Who finds the moves.")
    ] = "telos:memory=on",
    seconds: Annotated[
        float | None, typer.Option("--time", "-t", metavar="S", help="Seconds a position; 1 by itself.")
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", metavar="N", help="Nodes a position.")] = None,
    depth: Annotated[
        int | None, typer.Option("--depth", "-d", metavar="D", help="Plies to look ahead from a position.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Build a book with a deeper search than a game has time for. Ctrl-C keeps what there is, to go on with later."""
    game = Game(rows, columns, k, gravity)
    limit = limit_from(seconds, nodes, depth)
    book = Book.read(out) if out.exists() else Book(game)
    if book.game != game:
        raise FormatError(f"{out} is a book of {book.game}, not of {game}")
    book.write(out)  # before the work, not after it, is the time to find out that this cannot be done
    missing = [board for board in positions(game, plies) if book.entry(board) is None]
    asked = make_player(player)
    console = Console(stderr=True, highlight=False)
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True
        asked.stop()

    def search() -> None:
        begin(asked, game, Board(game).turn, limit)
        for board in progress.track(missing, description="positions"):
            choice = ask(asked, board, limit)
            if stopped:
                return
            book.add(board, choice.move, choice.score, choice.depth)

    try:
        with Progress(console=console) as progress:
            run_stoppable(search, stop)
    finally:
        book.write(out)
        asked.close()
    if as_json:
        print_json({"game": str(game), "file": str(out), "positions": len(book), "stopped": stopped})
    else:
        console.print(f"{len(book)} positions in {out}" + (", stopped: run it again to go on" if stopped else ""))
    if stopped:
        raise typer.Exit(130)


def positions(game: Game, plies: int) -> list[Board]:
    """Every position of up to so many plies in which a move is to be made, one of each set of mirror images."""
    level = [Board(game)]
    found = list(level)
    for _ in range(plies):
        following: dict[tuple[int, int], Board] = {}
        for board in level:
            for move in board.legal_moves:
                child = board.copy()
                child.push(move)
                if not child.is_over:
                    following.setdefault(canonical_key(child), child)
        level = list(following.values())
        found += level
    return found
