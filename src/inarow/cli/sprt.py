"""`inarow sprt`: is A better than B? As many games as that takes, and no more."""

from typing import Annotated

import typer
from rich.console import Console

from inarow.arena.run import MemoryStore
from inarow.arena.spec import GameJob, Tournament, plain_points
from inarow.cli import arena
from inarow.cli.common import AsJson, Gravity, limit_from, print_json
from inarow.game import Game, Record

UNDECIDED = 1


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Example: [bold]inarow sprt markcello:q=9 markcello --board 10 10 5 --time 0.1 --elo1 20[/bold]"
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
    from inarow.arena.ratings import elo_from_pairs  # here, since they load numpy
    from inarow.arena.sprt import Decision, Sprt

    test = Sprt(elo0, elo1, alpha, beta)
    tournament = Tournament(
        players=(one, other),
        games=(Game(*board, gravity),),
        limit=limit_from(seconds, nodes, depth, clock, increment),
        rounds=(games + 1) // 2,
        openings=arena.read_openings(openings),
        seed=seed,
        rules=arena.rules_from(tolerance, start, memory, freeze, in_process),
    )
    arena.check(tournament)
    store = MemoryStore()
    pairs = PairCounts(one)

    def until(job: GameJob, record: Record) -> bool:
        pairs.add(job, record)
        return test.decide(pairs.counts) is not Decision.GO_ON

    is_whole = arena.play_all(tournament, store, store.records.items, workers, cluster, until)
    decision = test.decide(pairs.counts)
    elo = elo_from_pairs(pairs.counts)
    low, high = test.bounds
    if as_json:
        print_json(
            {
                "decision": decision.value,
                "llr": test.llr(pairs.counts),
                "bounds": [low, high],
                "pairs": list(pairs.counts),
                "games": len(store.records),
                "elo": {"value": elo.value, "low": elo.low, "high": elo.high},
            }
        )
    else:
        console = Console(highlight=False)
        console.print(f"{decision.value}: LLR {test.llr(pairs.counts):.2f} (bounds {low:.2f}, {high:.2f})")
        console.print(f"pairs with 0, ½, 1, 1½, 2 points: {', '.join(map(str, pairs.counts))}")
        console.print(f"Elo {elo.value:+.1f} ({elo.low:+.1f} … {elo.high:+.1f}) in {len(store.records)} games")
    if not is_whole:
        raise typer.Exit(arena.INTERRUPTED)
    if decision is Decision.GO_ON:
        raise typer.Exit(UNDECIDED)


class PairCounts:
    """How many pairs of games gave a player 0, ½, 1, 1½ and 2 points."""

    def __init__(self, player: str) -> None:
        self._player = player
        self._open: dict[str, float] = {}
        self._counts = [0] * 5

    @property
    def counts(self) -> tuple[int, int, int, int, int]:
        a, b, c, d, e = self._counts
        return a, b, c, d, e

    def add(self, job: GameJob, record: Record) -> None:
        """Counts a game; the two of a pair have the same round, the last part of their keys."""
        assert record.outcome is not None
        points = plain_points(record.outcome)[record.players.index(self._player)]
        pair = job.key.rpartition("/")[2]
        if pair in self._open:
            self._counts[round(2 * (self._open.pop(pair) + points))] += 1
        else:
            self._open[pair] = points
