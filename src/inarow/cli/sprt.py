"""`inarow sprt`: is A better than B? As many games as that takes, and no more."""

import shlex
import sys
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from inarow.arena.run import MemoryStore
from inarow.arena.spec import GameJob, Tournament
from inarow.arena.standings import forfeits
from inarow.cli import arena
from inarow.cli.common import AsJson, Gravity, limit_from, print_json
from inarow.game import Game, Record

if TYPE_CHECKING:  # they load numpy
    from inarow.arena.ratings import Pairs
    from inarow.arena.sprt import Sprt

UNDECIDED = 1


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Examples: [bold]inarow sprt markcello:q=9 markcello --board 10 10 5 --time 0.1 --elo1 20[/bold] · "
        "[bold]inarow sprt engine engine:without=null_move --nodes 20000 --openings balanced[/bold] · "
        "[bold]inarow sprt engine under:OTHER/bin/python:engine --time 0.1[/bold], the engine of another installation"
    )(sprt)


def sprt(
    one: Annotated[str, typer.Argument(metavar="A", help="The player that may be better.", show_default=False)],
    other: Annotated[str, typer.Argument(metavar="B", help="The one it is compared with.", show_default=False)],
    board: Annotated[tuple[int, int, int], typer.Option("--board", "-b", metavar="M N K", help="The board.")] = (
        *(15, 15, 5),
    ),
    gravity: Gravity = False,
    elo0: Annotated[float, typer.Option(metavar="E", help="A is no better than this …")] = 0.0,
    elo1: Annotated[float, typer.Option(metavar="E", help="… or at least so much better: which?")] = 5.0,
    alpha: Annotated[float, typer.Option(metavar="P", help="How often elo1 may be said wrongly.")] = 0.05,
    beta: Annotated[float, typer.Option(metavar="P", help="How often elo0 may be said wrongly.")] = 0.05,
    games: Annotated[int, typer.Option("--games", metavar="G", min=2, help="Give up after so many.")] = 40_000,
    seconds: arena.Seconds = None,
    nodes: arena.Nodes = None,
    depth: arena.Depth = None,
    clock: arena.Clock = None,
    increment: arena.Increment = None,
    openings: arena.Openings = "random:4",
    seed: arena.Seed = 1,
    workers: arena.Workers = 1,
    cluster: arena.Cluster = None,
    tolerance: arena.Tolerance = 0.05,
    start: arena.StartSeconds = 10.0,
    memory: arena.Memory = None,
    freeze: arena.Freeze = False,
    in_process: arena.InProcess = False,
    as_json: AsJson = False,
) -> None:
    """Test whether A is better than B, by pairs of games from the same opening, until it is decided.

    Exit status 0 when a side is accepted, 1 when the games did not suffice.
    """
    from inarow.arena.sprt import Decision, PairCounts, Sprt  # here, since it loads numpy

    test = Sprt(elo0, elo1, alpha, beta)
    game = Game(*board, gravity)
    limit = limit_from(seconds, nodes, depth, clock, increment)
    begin_from = arena.openings_from(openings, [game])
    tournament = Tournament(
        players=(one, other),
        games=(game,),
        limit=limit,
        rounds=arena.rounds_from(games, limit, begin_from),
        openings=begin_from,
        seed=seed,
        rules=arena.rules_from(tolerance, start, memory, freeze, in_process),
    )
    arena.check(tournament)
    store = MemoryStore()
    pairs = PairCounts(one)

    def until(job: GameJob, record: Record) -> bool:
        pairs.add(job.key, record)
        return test.decide(pairs.counts) is not Decision.GO_ON

    is_whole = arena.play_all(tournament, store, store.records.items, workers, cluster, until)
    finding = _finding(test, pairs.counts, store)
    if as_json:
        print_json(finding)
    else:
        _print_finding(finding, test)
    if not is_whole:
        raise typer.Exit(arena.INTERRUPTED)
    if test.decide(pairs.counts) is Decision.GO_ON:
        raise typer.Exit(UNDECIDED)


def _finding(test: "Sprt", pairs: "Pairs", store: MemoryStore) -> dict[str, Any]:
    from inarow.arena.ratings import elo_from_pairs

    elo = elo_from_pairs(pairs)
    forfeited = Counter(forfeit.player for forfeit in forfeits(store.records.items()))
    return {
        "decision": test.decide(pairs).value,
        "llr": test.llr(pairs),
        "bounds": list(test.bounds),
        "pairs": list(pairs),
        "games": len(store.records),
        "elo": {"value": elo.value, "low": elo.low, "high": elo.high},
        "forfeits": dict(forfeited),
        "command": shlex.join(["inarow", *sys.argv[1:]]),
    }


def _print_finding(finding: dict[str, Any], test: "Sprt") -> None:
    """What was found; the last line is one for a list of results, as benchmarks/RESULTS.md has it."""
    low, high = finding["bounds"]
    elo, games, counts = finding["elo"], finding["games"], ", ".join(map(str, finding["pairs"]))
    verdict = f"{finding['decision']}: LLR {finding['llr']:.2f} (bounds {low:.2f}, {high:.2f})"
    difference = f"Elo {elo['value']:+.1f} ({elo['low']:+.1f} … {elo['high']:+.1f}) in {games} games"
    forfeited = "; ".join(f"{count} forfeited by {player}" for player, count in finding["forfeits"].items())
    console = Console(highlight=False, soft_wrap=True, markup=False)
    console.print(verdict)
    console.print(f"pairs with 0, ½, 1, 1½, 2 points: {counts}")
    console.print(difference)
    if forfeited:
        console.print(f"FORFEITS: {forfeited}")
    hypotheses = f"{test.elo0:g} or {test.elo1:g} Elo"
    console.print(
        f"\n- `{finding['command']}`: {verdict} for {hypotheses}; {difference}; pairs {counts}"
        + (f"; {forfeited}" if forfeited else "")
    )
