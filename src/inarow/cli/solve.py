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

import inarow.solver
from inarow.cli.arena import INTERRUPTED, say
from inarow.cli.common import AsJson, Columns, Gravity, InARow, Moves, Rows, board_from, print_json, run_stoppable
from inarow.errors import FormatError, ProofError
from inarow.executors import ClusterCrew, LocalCrew
from inarow.game import Board, Game, Limit, format_move, format_position, parse_connect4
from inarow.solver.jobs import JobStore, solve_region
from inarow.solver.region import Region
from inarow.solver.solution import DEFAULT_MEMORY_MB, UNKNOWN, Effort, MoveValue, Progress, Solution, Solver
from inarow.solver.solve import GameSolver, checked, make_solver, refuse_weak_game, solve_moves, with_proof


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Examples: [bold]inarow solve 3 3 3[/bold] · "
        "[bold]inarow solve 6 7 4 --gravity --pons 4453 --all-moves[/bold] · "
        "[bold]inarow solve 6 5 4 --shortest --proof win.proof[/bold], then [bold]inarow verify win.proof[/bold] · "
        "[bold]inarow solve 6 7 4 --gravity --store connect4.jobs --split 4 --workers 2[/bold]"
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
    store: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Split the position into jobs, and keep what they find here, to go on with."),
    ] = None,
    split: Annotated[
        int, typer.Option(metavar="PLIES", min=0, help="With --store: a job is a position so many plies ahead.")
    ] = 2,
    workers: Annotated[
        int, typer.Option("--workers", "-w", metavar="W", min=1, help="With --store: jobs done at a time.")
    ] = 1,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="With --store: a dask cluster's scheduler, or local for one here."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find out what is true of a position: who wins, in how many moves, and with which of them."""
    if pons and (moves or not gravity):
        raise FormatError("--pons is for gravity, and instead of --moves")
    if pons:
        board = checked(parse_connect4(Game(rows, columns, k, gravity), pons))
    else:
        board = checked(board_from(rows, columns, k, gravity, moves))
    if proof is not None or all_moves or store is not None:
        refuse_weak_game(board.game, weak)
    limit = Limit(seconds=seconds)
    if store is None:
        effort = Effort(limit, memory_mb, shortest, proof is not None)
        solve_here(board, effort, all_moves, weak, threads, proof, as_json)
    elif proof is not None or all_moves:
        raise FormatError("--store is without --proof and --all-moves")
    else:
        exact = shortest or (gravity and not weak)
        solve_split(board, Effort(limit, memory_mb), exact, store, split, workers, cluster, as_json)


def solve_here(
    board: Board, effort: Effort, all_moves: bool, weak: bool, threads: int, proof: Path | None, as_json: bool
) -> None:
    """Solves a position in this process, and prints what came out."""
    has_begun_file = proof is not None and not proof.exists()
    if proof is not None:
        proof.touch()  # before the work, not after it, is the time to find out that this cannot be done
    solver = make_solver(board.game, effort.memory_mb)
    limit = effort.limit or Limit()
    found: list[MoveValue] = []
    progress: Progress | None = None
    refused: ProofError | None = None
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True
        solver.stop()

    def work() -> Solution:
        nonlocal progress, refused
        solution = solver.solve(board, limit, threads=threads, weak=weak, shortest=effort.shortest)
        if solution.value == UNKNOWN:
            progress = solver.progress()
        if all_moves and not stopped:
            shortest = effort.shortest
            found.extend(solve_moves(board, limit, threads=threads, weak=weak, shortest=shortest, solver=solver))
        if effort.proof and solution.value != UNKNOWN and not stopped:
            try:
                solution = with_proof(solver, board, solution)
            except ProofError as error:
                refused = error
        return solution

    try:
        with progress_line(solver):
            solution = run_stoppable(work, stop)
        if proof is not None and solution.proof is not None:
            solution.proof.write(proof)
            has_begun_file = False
    finally:
        if proof is not None and has_begun_file:
            proof.unlink()
    if as_json:
        fields = as_fields(board, solution, found, proof, all_moves)
        if progress is not None:
            table = solver.table()
            fields |= {"known": progress.known, "bounds": list(progress.bounds)}
            fields["table"] = vars(table) | {"share": round(table.share, 6)}
        print_json(fields)
    else:
        print_solution(board, solution, found, progress.known if progress is not None else "")
        if progress is not None:
            print(f"table: {solver.table()}")
        if solution.proof is not None:
            say(f"the proof is in {proof}: check it with inarow verify {proof}")
    if stopped:
        raise typer.Exit(INTERRUPTED)
    if refused is not None:
        raise refused


def solve_split(
    board: Board,
    effort: Effort,
    exact: bool,
    path: Path,
    split: int,
    workers: int,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Solves the jobs of a position that its store does not know yet, and prints what follows. Ctrl-C keeps them."""
    solve_one: Solver = inarow.solver.solve
    stopped = False
    with JobStore.open(path, board, exact) as store:
        if store.message:
            say(store.message)
        region = Region(board, split, exact)
        try:
            with LocalCrew(workers) if cluster is None else ClusterCrew(cluster, workers) as crew:
                line = JobsLine(region)
                with Live(line, console=Console(stderr=True), refresh_per_second=2, transient=True):
                    for _ in solve_region(region, solve_one, effort, crew, store):
                        line.done += 1
                crew.close(at_once=True)  # what is still being done cannot matter any more
        except KeyboardInterrupt:
            stopped = True
    solution = region.solution()
    least, most = region.bounds
    known = f"{least} to {most}" if solution.value == UNKNOWN else ""
    if as_json:
        fields = as_fields(board, solution, [], None, all_moves=False)
        if known:
            fields["known"] = known
        print_json(fields | {"jobs": region.size, "left": region.left, "bounds": [least, most], "stopped": stopped})
    else:
        print_solution(board, solution, [], known)
    if solution.value == UNKNOWN:
        again = "the same command goes on" if stopped else "with more time a job the same command goes on"
        say(f"{region.left} of {region.size} jobs are left; {again}")
    if stopped:
        raise typer.Exit(INTERRUPTED)


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


class JobsLine:
    """Jobs done in this run and left, and what the position is worth as far as they tell."""

    def __init__(self, region: Region) -> None:
        self.done = 0
        self._region = region
        self._begin = time.monotonic()

    def __rich__(self) -> Text:
        least, most = self._region.bounds
        seconds = time.monotonic() - self._begin
        return Text(f"{self.done} jobs done · at most {self._region.left} left · {least} to {most} · {seconds:.0f} s")


def as_fields(
    board: Board, solution: Solution, found: list[MoveValue], proof: Path | None, all_moves: bool
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
