"""`inarow show`: a position as a picture."""

from typing import Annotated

import typer
from rich.console import Console

from inarow.cli.common import AsJson, print_json
from inarow.cli.view import print_board
from inarow.game import Board, format_position, parse_position


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Examples: [bold]inarow show 15x15x5:h8.i9.h9[/bold] · "
        "[bold]inarow show 6x7x4g:d.d.e --svg > board.svg[/bold]"
    )(show)


def show(
    position: Annotated[
        str, typer.Argument(metavar="POSITION", help="A game and its moves, such as 15x15x5:h8.i9 or 6x7x4g:d.d.e.")
    ],
    as_json: AsJson = False,
    svg: Annotated[bool, typer.Option("--svg", help="Print the picture as SVG.")] = False,
) -> None:
    """Show a position: the board, whose turn it is, or how the game ended."""
    board = parse_position(position)
    if as_json:
        print_json(describe(board))
    elif svg:
        print(board._repr_svg_())
    else:
        console = Console(highlight=False)
        print_board(console, board)
        console.print(str(board.outcome) if board.is_over else f"{board.turn} to move, {board.ply} moves played")


def describe(board: Board) -> dict[str, object]:
    """A position with its state, for JSON."""
    game, outcome = board.game, board.outcome
    return {
        "position": format_position(board),
        "game": {"rows": game.rows, "columns": game.columns, "k": game.k, "gravity": game.gravity},
        "moves": board.moves,
        "turn": None if board.is_over else str(board.turn),
        "outcome": outcome
        and {
            "winner": None if outcome.winner is None else str(outcome.winner),
            "reason": outcome.reason.value,
            "line": outcome.line,
        },
    }
