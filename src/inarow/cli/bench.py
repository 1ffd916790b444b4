"""`inarow bench`: the core's signature and speed."""

import time

import typer
from rich.console import Console

from inarow.cli.common import AsJson, print_json, run_stoppable
from inarow.engine import BENCH_POSITIONS, StopFlag
from inarow.engine import bench as run_bench


def register(app: typer.Typer) -> None:
    app.command(epilog="Example: [bold]inarow bench --json[/bold]")(bench)


def bench(as_json: AsJson = False) -> None:
    """Run a fixed amount of work on one thread: its node count is the signature of what the core does."""
    console = Console(stderr=True, highlight=False)
    stop = StopFlag()

    def report(position: str, depth: int, nodes: int) -> None:
        console.print(f"  {position} to depth {depth}: {nodes} nodes")

    console.print(f"{len(BENCH_POSITIONS)} positions")
    begin = time.perf_counter()
    nodes = run_stoppable(lambda: run_bench(stop, report), stop.set)
    seconds = time.perf_counter() - begin
    if nodes is None:
        console.print("stopped")
        raise typer.Exit(130)
    if as_json:
        print_json({"bench": nodes, "seconds": round(seconds, 6), "nodes_per_second": round(nodes / seconds)})
    else:
        console.print(f"{seconds:.2f} s, {nodes / seconds / 1e6:.1f} million nodes a second")
        print(f"Bench: {nodes}")
