"""`inarow book`: opening books."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from inarow.adapters.resolve import resolve
from inarow.cli.common import AsJson, Columns, Gravity, InARow, Rows, SeatName, limit_from, print_json, run_stoppable
from inarow.errors import FormatError
from inarow.game import Board, Game, Limit, Move, Seat
from inarow.game.book import Book, canonical_key
from inarow.players import ask, begin
from inarow.solver.openings import VALUES, Openings, value_from_replies
from inarow.solver.solution import DEFAULT_MEMORY_MB, UNKNOWN
from inarow.solver.solve import GameSolver, make_solver


def register(app: typer.Typer) -> None:
    books = typer.Typer(help="Make opening books.", no_args_is_help=True)
    books.command(
        epilog="Example: [bold]inarow book build 6 7 4 --gravity --plies 3 --time 5 --out connect4.book[/bold], then "
        "[bold]inarow play 6 7 4 --gravity --against telos:book=connect4.book[/bold] · "
        "[bold]inarow book build 4 5 4 --gravity --plies 4 --exact 1 --out small.book[/bold]"
    )(build)
    books.command(
        epilog="Example: [bold]inarow book values 4 5 4 --plies 3 --out 4x5x4g.values[/bold] · those that come with "
        "inarow: [bold]inarow book values 6 7 4 --plies 7 --out src/inarow/solver/6x7x4g.values[/bold] and "
        "[bold]inarow book values 7 7 4 --plies 16 --seat first --out src/inarow/solver/7x7x4g.values[/bold]"
    )(values)
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
    exact: Annotated[
        float | None,
        typer.Option(
            "--exact", metavar="S", help="First solve each position, for so many seconds; what is solved is exact."
        ),
    ] = None,
    memory_mb: Annotated[
        int, typer.Option("--memory", metavar="MB", min=1, help="With --exact: for the solver's table.")
    ] = DEFAULT_MEMORY_MB,
    as_json: AsJson = False,
) -> None:
    """Build a book with a deeper search than a game has time for. Ctrl-C keeps what there is, to go on with later."""
    game = Game(rows, columns, k, gravity)
    limit = limit_from(seconds, nodes, depth)
    exact_limit = None if exact is None else Limit(seconds=exact)
    book = Book.read(out) if out.exists() else Book(game)
    if book.game != game:
        raise FormatError(f"{out} is a book of {book.game}, not of {game}")
    book.write(out)  # before the work, not after it, is the time to find out that this cannot be done
    missing = [board for board in positions(game, plies) if lacks(book, board, exact is not None)]
    asked = resolve(player)
    solver = make_solver(game, memory_mb)
    console = Console(stderr=True, highlight=False)
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True
        solver.stop()
        asked.stop()

    def search() -> None:
        begin(asked, game, Board(game).turn, limit)
        for board in progress.track(missing, description="positions"):
            if exact_limit is not None:
                solution = solver.solve(board, exact_limit, shortest=True)
                if solution.value != UNKNOWN and solution.best_moves:
                    book.add(board, solution.best_moves[0], value=solution.value, plies=solution.plies)
                    continue
            if book.entry(board) is None and not stopped:
                choice = ask(asked, board, limit)
                if not stopped:
                    book.add(board, choice.move, choice.score, choice.depth)
            if stopped:
                return

    try:
        with Progress(console=console) as progress:
            run_stoppable(search, stop)
    finally:
        book.write(out)
        asked.close()
    solved = sum(entry.value is not None for entry in book)
    if as_json:
        counts = {"positions": len(book), "exact": solved}
        print_json({"game": str(game), "file": str(out), **counts, "stopped": stopped})
    else:
        console.print(
            f"{len(book)} positions in {out}, {solved} of them exact"
            + (", stopped: run it again to go on" if stopped else "")
        )
    if stopped:
        raise typer.Exit(130)


def values(
    rows: Rows,
    columns: Columns,
    k: InARow,
    plies: Annotated[int, typer.Option("--plies", min=0, help="Every position of up to so many plies.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Where to write it. What is there already is kept.")
    ],
    memory_mb: Annotated[
        int, typer.Option("--memory", metavar="MB", min=1, help="For the solver's table.")
    ] = DEFAULT_MEMORY_MB,
    seat: Annotated[
        SeatName | None,
        typer.Option("--seat", help="Only what this seat needs: it plays by the file, the other makes no mistake."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write who wins the first positions of a game with gravity, for the engine to look up.

    Only those of the last ply are solved; the others follow from them. With --seat each position is solved in which
    that seat is to move. Ctrl-C keeps what there is, to go on with later.
    """
    game = Game(rows, columns, k, gravity=True)
    openings = Openings.read(out) if out.exists() else Openings(game, {})
    if openings.game != game:
        raise FormatError(f"{out} has values of {openings.game}, not of {game}")
    openings.write(out)  # before the work, not after it, is the time to find out that this cannot be done
    boards = positions(game, plies) if seat is None else []
    solver = make_solver(game, memory_mb)
    maker = ValuesMaker(openings, solver)
    console = Console(stderr=True, highlight=False)
    is_whole = False
    try:
        with Progress(console=console) as progress:
            last = [board for board in boards if board.ply == plies]
            solve = partial(maker.solve, last) if seat is None else partial(maker.solve_own, Seat[seat.name], plies)
            is_whole = run_stoppable(partial(solve, progress), solver.stop)
    finally:
        openings = openings.with_more(maker.found)
        for ply in range(plies - 1, -1, -1):
            openings = openings.with_more(following_values(openings, [board for board in boards if board.ply == ply]))
        openings.write(out)
    if as_json:
        print_json({"game": str(game), "file": str(out), "positions": len(openings), "stopped": not is_whole})
    else:
        console.print(f"{len(openings)} positions in {out}" + ("" if is_whole else ", stopped: run it again to go on"))
    if not is_whole:
        raise typer.Exit(130)


@dataclass
class ValuesMaker:
    """Solves positions that `openings` does not know; what it has `found` is kept when it is stopped."""

    openings: Openings
    solver: GameSolver
    found: list[tuple[Board, str, Move]] = field(default_factory=list)

    def value(self, board: Board) -> tuple[str, Move] | None:
        """With a move that keeps it; None when it was stopped."""
        if (known := self.openings.find(board)) is not None:
            return known
        solution = self.solver.settle(board, Limit())
        if solution.value == UNKNOWN:
            return None
        self.found.append((board, solution.value, solution.best_moves[0]))
        return solution.value, solution.best_moves[0]

    def solve(self, boards: list[Board], progress: Progress) -> bool:
        """Whether it solved all of them, and was not stopped."""
        return all(self.value(board) is not None for board in progress.track(boards, description="positions"))

    def solve_own(self, own: Seat, plies: int, progress: Progress) -> bool:
        """A seat's positions, ply by ply: after its moves by the file and all replies that keep the value."""
        level = [board for board in positions(self.openings.game, own) if board.turn is own]
        value = None
        for ply in range(own, plies + 1, 2):
            moved: dict[str, list[Board]] = {}
            for board in progress.track(level, description=f"after {ply} plies"):
                if (known := self.value(board)) is None:
                    return False
                after = board.copy()
                after.push(known[1])
                moved.setdefault(known[0], []).append(after)
            if not moved:
                break
            value = value or min(moved, key=VALUES.index)  # the other's best first move
            level = list(
                {canonical_key(child): child for board in moved.get(value, []) for child in children(board)}.values()
            )
        return True


def following_values(openings: Openings, boards: list[Board]) -> Iterator[tuple[Board, str, Move]]:
    """Those of the boards that follow from what is known."""
    for board in boards:
        if (found := value_from_replies(board, openings.find)) is not None:
            yield board, *found


def lacks(book: Book, board: Board, exact: bool) -> bool:
    """Whether a position is still to be looked at: the book does not know it, or not its value when that is wanted."""
    entry = book.entry(board)
    return entry is None or (exact and entry.value is None)


def positions(game: Game, plies: int) -> list[Board]:
    """Every position of up to so many plies in which a move is to be made, one of each set of mirror images."""
    level = [Board(game)]
    found = list(level)
    for _ in range(plies):
        following: dict[tuple[int, int], Board] = {}
        for board in level:
            for child in children(board):
                following.setdefault(canonical_key(child), child)
        level = list(following.values())
        found += level
    return found


def children(board: Board) -> Iterator[Board]:
    """The positions after each move, without those in which the game is over."""
    for move in [] if board.is_over else board.legal_moves:
        child = board.copy()
        child.push(move)
        if not child.is_over:
            yield child
