"""`inarow solve`: exact values."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.live import Live
from rich.text import Text

from inarow.cli.arena import INTERRUPTED, say
from inarow.cli.common import AsJson, Columns, Gravity, InARow, Moves, Rows, board_from, print_json, run_stoppable
from inarow.errors import FormatError
from inarow.game import Board, Limit, format_move, format_position
from inarow.solver.solution import DEFAULT_MEMORY_MB, UNKNOWN, MoveValue, Solution
from inarow.solver.solve import GameSolver, checked, make_solver, solve_moves, with_proof


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Examples: [bold]inarow solve 3 3 3[/bold] · "
        "[bold]inarow solve 6 7 4 --gravity --pons 4453 --all-moves[/bold] · "
        "[bold]inarow solve 6 5 4 --shortest --proof win.proof[/bold], then [bold]inarow verify win.proof[/bold]"
    )(solve)


def solve(
    rows: Rows,
    columns: Columns,
    k: InARow,
    gravity: Gravity = False,
    moves: Moves = "",
    pons: Annotated[
        str,
        typer.Option(metavar="DIGITS", help="With gravity: the columns already played, counted from 1, as in 4453."),
    ] = "",
    all_moves: Annotated[bool, typer.Option("--all-moves", help="Also what each legal move is worth.")] = False,
    weak: Annotated[
        bool,
        typer.Option(
            "--weak", help="Gravity: only who wins. Free placement: the weak game, where the other only blocks."
        ),
    ] = False,
    shortest: Annotated[
        bool, typer.Option("--shortest", help="Free placement: also in how many moves, which takes longer.")
    ] = False,
    seconds: Annotated[
        float | None, typer.Option("--time", "-t", metavar="S", help="Give up after so many seconds; never by itself.")
    ] = None,
    threads: Annotated[
        int, typer.Option("--threads", metavar="T", min=1, help="With gravity: threads that work together.")
    ] = 1,
    memory_mb: Annotated[int, typer.Option("--memory", metavar="MB", min=1, help="For the table.")] = DEFAULT_MEMORY_MB,
    proof: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write a proof, for inarow verify.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find out what is true of a position: who wins, in how many moves, and with which of them."""
    board = checked(board_from(rows, columns, k, gravity, moves_from(gravity, moves, pons)))
    if proof is not None:
        if weak and not gravity:
            raise FormatError("a weak game has no proof: leave out --weak or --proof")
        proof.touch()  # before the work, not after it, is the time to find out that this cannot be done
    solver = make_solver(board.game, memory_mb)
    limit = Limit(seconds=seconds)
    found: list[MoveValue] = []
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True
        solver.stop()

    def work() -> Solution:
        solution = solver.solve(board, limit, threads=threads, weak=weak, shortest=shortest)
        if all_moves and not stopped:
            found.extend(solve_moves(board, limit, threads=threads, weak=weak, shortest=shortest, solver=solver))
        if proof is not None and solution.value != UNKNOWN and not stopped:
            solution = with_proof(solver, board, solution)
        return solution

    with progress_line(solver):
        solution = run_stoppable(work, stop)
    if proof is not None and solution.proof is not None:
        solution.proof.write(proof)
    known = "" if solution.value != UNKNOWN else solver.progress().known
    if as_json:
        print_json(as_fields(board, solution, found, proof, known, all_moves))
    else:
        print_solution(board, solution, found, known)
        if solution.proof is not None:
            say(f"the proof is in {proof}: check it with inarow verify {proof}")
    if stopped:
        raise typer.Exit(INTERRUPTED)


def moves_from(gravity: bool, moves: str, pons: str) -> str:
    """The text of the moves; --pons counts columns from 1, one digit each."""
    if not pons:
        return moves
    if moves or not gravity:
        raise FormatError("--pons is for gravity, and instead of --moves")
    if not pons.isdigit() or "0" in pons:
        raise FormatError(f"--pons takes columns from 1 to 9, one digit each, not {pons!r}")
    return " ".join(str(int(digit) - 1) for digit in pons)


@contextlib.contextmanager
def progress_line(solver: GameSolver) -> Iterator[None]:
    """What the solver is doing, on stderr while it works."""
    with Live(ProgressLine(solver), console=Console(stderr=True), refresh_per_second=4, transient=True) as live:
        yield
        live.update("")  # lets go of the solver


class ProgressLine:
    """Nodes, speed, and what is known so far."""

    def __init__(self, solver: GameSolver) -> None:
        self._solver = solver
        self._begin = time.monotonic()

    def __rich__(self) -> Text:
        progress = self._solver.progress()
        seconds = time.monotonic() - self._begin
        speed = progress.nodes / seconds / 1e6 if seconds else 0
        return Text(f"{progress.nodes:,} nodes · {speed:.1f} million a second · {progress.known} · {seconds:.0f} s")


def as_fields(
    board: Board, solution: Solution, found: list[MoveValue], proof: Path | None, known: str, all_moves: bool
) -> dict[str, Any]:
    """What --json prints: the names of Solution."""
    fields: dict[str, Any] = {
        "position": format_position(board),
        "value": solution.value,
        "plies": solution.plies,
        "best_moves": [format_move(move) for move in solution.best_moves],
        "method": solution.method,
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
        "proof": str(proof) if solution.proof is not None else None,
    }
    if known:
        fields["known"] = known
    if all_moves:
        fields["moves"] = [
            {"move": format_move(value.move), "value": value.value, "plies": value.plies} for value in found
        ]
    return fields


def print_solution(board: Board, solution: Solution, found: list[MoveValue], known: str) -> None:
    print(sentence(board, solution) + (f" ({known})" if known else ""))
    if solution.best_moves:
        print("best: " + " ".join(map(format_move, solution.best_moves)))
    rate = f" ({solution.nodes / solution.seconds / 1e6:.1f} million a second)" if solution.seconds > 0.01 else ""
    print(f"by {solution.method}: {solution.nodes:,} nodes in {solution.seconds:.2f} s{rate}")
    for value in sorted(found, key=rank, reverse=True):
        plies = "" if value.plies is None else f" in {value.plies}"
        print(f"  {format_move(value.move):>4}  {value.value}{plies}")


def sentence(board: Board, solution: Solution) -> str:
    """Who wins, and when."""
    winner = {"win": board.turn, "loss": board.turn.other}.get(solution.value)
    if winner is None:
        return f"{board.game}: {'a draw' if solution.value == 'draw' else 'not known yet'}"
    if solution.plies is None:
        return f"{board.game}: {winner} wins"
    return f"{board.game}: {winner} wins in {solution.plies} plies, with move {board.ply + solution.plies}"


def rank(value: MoveValue) -> tuple[int, int]:
    """Wins first, the quickest of them; then draws; then losses, the slowest."""
    plies = value.plies or 0
    return {"win": (3, -plies), "draw": (2, 0), UNKNOWN: (1, 0), "loss": (0, plies)}[value.value]
