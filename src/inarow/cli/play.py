"""`inarow play`: a game in the terminal."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from inarow.adapters.resolve import resolve
from inarow.cli.common import (
    DEFAULT_SECONDS,
    Columns,
    Gravity,
    InARow,
    Moves,
    Rows,
    SeatName,
    board_from,
    run_stoppable,
)
from inarow.cli.view import glyph, print_board
from inarow.errors import InarowError
from inarow.game import Board, Limit, Record, Seat, format_move, format_position, parse_move
from inarow.players import Choice, Player, ask, begin


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Examples: [bold]inarow play 3 3 3[/bold] · [bold]inarow play 6 7 4 --gravity --as second[/bold] · "
        "[bold]inarow play 15 15 5 --against quasi_random --time 5[/bold]"
    )(play)


def play(
    rows: Rows,
    columns: Columns,
    k: InARow,
    gravity: Gravity = False,
    against: Annotated[
        str, typer.Option("--against", "-a", metavar="PLAYER", help="The opponent; see inarow players.")
    ] = "telos",
    seat: Annotated[SeatName, typer.Option("--as", help="Your seat.")] = SeatName.FIRST,
    seconds: Annotated[
        float, typer.Option("--time", "-t", metavar="S", help="Seconds a move for the opponent.")
    ] = DEFAULT_SECONDS,
    moves: Moves = "",
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Append the game to this file, as one line of JSON.")
    ] = None,
) -> None:
    """Play a game in the terminal. Type a move (h8, or a column such as d with gravity), undo, hint, help or quit."""
    board = board_from(rows, columns, k, gravity, moves)
    own_seat = Seat[seat.name]
    limit = Limit(seconds=seconds)
    opponent, adviser = resolve(against), resolve(against)
    table = PlayTable(Console(highlight=False), board, own_seat, opponent, adviser, against, limit)
    with record.open("a", encoding="utf-8") if record is not None else nullcontext() as file:
        try:
            table.play()
        finally:
            opponent.close()
            adviser.close()
            if file is not None and board.ply > 0:
                names = ("person", against) if own_seat is Seat.FIRST else (against, "person")
                file.write(Record.of(board, names, limit=limit).to_json() + "\n")


class PlayTable:
    """One game between the person at the keyboard and a player."""

    def __init__(
        self,
        console: Console,
        board: Board,
        own_seat: Seat,
        opponent: Player,
        adviser: Player,
        opponent_name: str,
        limit: Limit,
    ) -> None:
        self._console = console
        self._board = board
        self._own_seat = own_seat
        self._opponent = opponent
        self._adviser = adviser
        self._opponent_name = opponent_name
        self._limit = limit
        self._has_advised = False

    def play(self) -> None:
        """Until the game is over or the person leaves."""
        board, console = self._board, self._console
        console.print(
            f"{board.game.k} in a row on {board.game.rows} × {board.game.columns}. You are {self._own_seat} "
            f"{glyph(console, self._own_seat)}, {self._opponent_name} is {glyph(console, self._own_seat.other)}."
        )
        self._help()
        print_board(console, board)
        self._start(self._opponent, self._own_seat.other)
        while not board.is_over:
            if board.turn is self._own_seat:
                if not self._person_acts():
                    console.print(f"Left at [bold]{format_position(board)}[/bold]")
                    return
            else:
                choice = self._think(self._opponent)
                board.push(choice.move)
                console.print(
                    f"{self._opponent_name} plays [bold]{format_move(choice.move)}[/bold] ({_details(choice)})"
                )
                print_board(console, board)
        outcome = board.outcome
        assert outcome is not None
        verdict = (
            "A draw."
            if outcome.winner is None
            else "You win!"
            if outcome.winner is self._own_seat
            else f"{self._opponent_name} wins."
        )
        console.print(f"[bold]{verdict}[/bold]  {format_position(board)}")

    def _person_acts(self) -> bool:
        """One line from the keyboard; False when the person leaves."""
        try:
            line = self._console.input("your move: ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            self._console.print()
            return False
        match line:
            case "":
                return True
            case "quit":
                return False
            case "help":
                self._help()
            case "undo":
                self._undo()
            case "hint":
                if not self._has_advised:
                    self._start(self._adviser, self._own_seat)
                    self._has_advised = True
                choice = self._think(self._adviser)
                self._console.print(
                    f"{self._opponent_name} would play [bold]{format_move(choice.move)}[/bold] ({_details(choice)})"
                )
            case _:
                try:
                    self._board.push(parse_move(self._board.game, line))
                except InarowError as error:
                    self._console.print(str(error), style="red", markup=False)
                else:
                    print_board(self._console, self._board)
        return True

    def _undo(self) -> None:
        """Back to the person's last turn."""
        board = self._board
        if board.ply < 2:
            self._console.print("There is no move of yours to take back.")
            return
        board.pop()
        board.pop()
        print_board(self._console, board)

    def _start(self, player: Player, seat: Seat) -> None:
        with self._console.status(f"{self._opponent_name} gets ready"):
            run_stoppable(lambda: begin(player, self._board.game, seat, self._limit), player.stop)

    def _think(self, player: Player) -> Choice:
        with self._console.status(f"{self._opponent_name} is thinking, Ctrl-C makes it move"):
            return run_stoppable(lambda: ask(player, self._board, self._limit), player.stop)

    def _help(self) -> None:
        what = "a column (d)" if self._board.game.gravity else "a cell (h8: column h, row 8)"
        self._console.print(f"Type {what}, or: undo, hint, help, quit.", style="dim")


def _details(choice: Choice) -> str:
    parts = [f"{choice.seconds:.1f} s"]
    if choice.depth:
        parts.append(f"depth {choice.depth}")
    if choice.nodes:
        parts.append(f"{choice.nodes} nodes")
    return ", ".join(parts)
