"""`inarow move`: one move of a player, for scripts."""

import sys
from contextlib import redirect_stdout
from typing import Annotated

import typer

from inarow.adapters.resolve import resolve
from inarow.cli.common import (
    AsJson,
    Columns,
    Gravity,
    InARow,
    Moves,
    Rows,
    board_from,
    limit_from,
    print_json,
    run_stoppable,
)
from inarow.errors import IllegalMove
from inarow.game import format_move, format_position
from inarow.players import ask, begin


def register(app: typer.Typer) -> None:
    app.command(
        epilog='Examples: [bold]inarow move 15 15 5 --moves "7,7 7,8" --player quasi_random --json[/bold] · '
        '[bold]inarow move 6 7 4 --gravity --moves "3 3 4" --player random:seed=1[/bold]'
    )(move)


def move(
    rows: Rows,
    columns: Columns,
    k: InARow,
    player: Annotated[str, typer.Option("--player", "-p", metavar="SPEC", help="Who is asked; see inarow players.")],
    gravity: Gravity = False,
    moves: Moves = "",
    seconds: Annotated[
        float | None,
        typer.Option("--time", "-t", metavar="S", help="Seconds to think; 1 unless another limit is given."),
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", "-n", metavar="N", help="Positions to look at.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", "-d", metavar="D", help="Plies to look ahead.")] = None,
    as_json: AsJson = False,
) -> None:
    """Ask a player for its move in a position."""
    board = board_from(rows, columns, k, gravity, moves)
    if board.is_over:
        raise IllegalMove(f"the game is over: {board.outcome}")
    limit = limit_from(seconds, nodes, depth)
    with redirect_stdout(sys.stderr):  # what a player prints is not the answer
        asked = resolve(player)
        try:
            begin(asked, board.game, board.turn, limit)
            choice = run_stoppable(lambda: ask(asked, board, limit), asked.stop)
        finally:
            asked.close()
    if as_json:
        print_json(
            {
                "move": choice.move,
                "name": format_move(choice.move),
                "player": player,
                "position": format_position(board),
                "nodes": choice.nodes,
                "depth": choice.depth,
                "score": choice.score,
                "seconds": round(choice.seconds, 6),
                "line": choice.line,
            }
        )
    else:
        print(format_move(choice.move))
