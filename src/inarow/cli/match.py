"""`inarow match`: two players, some games, one board."""

from typing import Annotated, Any

import typer
from rich.console import Console

from inarow.arena.run import MemoryStore
from inarow.arena.spec import Tournament
from inarow.arena.standings import Standing, forfeits, standings
from inarow.cli import arena
from inarow.cli.common import AsJson, Columns, Gravity, InARow, Rows, limit_from, print_json
from inarow.game import Game


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Examples: [bold]inarow match 6 7 4 --gravity telos cadrega --games 20 --time 0.2[/bold] · "
        "[bold]inarow match 15 15 5 markcello python:mine.py:Mine --openings random:4 --json[/bold]"
    )(match)


def match(
    rows: Rows,
    columns: Columns,
    k: InARow,
    one: Annotated[str, typer.Argument(metavar="A", help="A player; see inarow players.", show_default=False)],
    other: Annotated[str, typer.Argument(metavar="B", help="The other one.", show_default=False)],
    gravity: Gravity = False,
    games: Annotated[int, typer.Option("--games", "-n", metavar="G", min=1, help="An even number is fair.")] = 10,
    seconds: arena.Seconds = None,
    nodes: arena.Nodes = None,
    depth: arena.Depth = None,
    clock: arena.Clock = None,
    increment: arena.Increment = None,
    openings: arena.Openings = "",
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
    """Let two players meet: each opening twice, each player first once. Ctrl-C ends it and shows what there is."""
    game = Game(rows, columns, k, gravity)
    tournament = Tournament(
        players=(one, other),
        games=(game,),
        limit=limit_from(seconds, nodes, depth, clock, increment),
        rounds=(games + 1) // 2,
        openings=arena.openings_from(openings, [game]),
        seed=seed,
        rules=arena.rules_from(tolerance, start, memory, freeze, in_process),
    )
    arena.check(tournament)
    store = MemoryStore()
    is_whole = arena.play_all(tournament, store, store.records.items, workers, cluster, at_most=games)
    lines = standings(tournament, store.records.items())
    summary = _summary(tournament, lines, store, is_whole)
    if as_json:
        print_json(summary)
    else:
        console = Console(highlight=False)
        console.print(arena.standings_table(lines))
        elo = summary["elo"]
        console.print(
            f"{one} against {other}: Elo {elo['value']:+.0f} ({elo['low']:+.0f} … {elo['high']:+.0f}), "
            f"the better one with {summary['los']:.0%}"
        )
        for forfeit in forfeits(store.records.items()):
            console.print(f"{forfeit.player} forfeited {forfeit.key}: {forfeit.detail}", markup=False)
    if not is_whole:
        raise typer.Exit(arena.INTERRUPTED)


def _results(line: Standing) -> tuple[int, int, int]:
    return line.wins_first + line.wins_second + line.wins_forfeit, line.draws, line.losses


def _summary(tournament: Tournament, lines: list[Standing], store: MemoryStore, is_whole: bool) -> dict[str, Any]:
    from inarow.arena.ratings import elo_difference, los  # here, since it loads numpy

    players = []
    results = {line.player: _results(line) for line in lines}
    for name in tournament.players:
        line = next(line for line in lines if line.player == name)
        wins, draws, losses = results[name]
        players.append(
            {
                "name": name,
                "wins": wins,
                "draws": draws,
                "losses": losses,
                "forfeits": line.own_forfeits,
                "points": line.points,
                "score": line.score,
            }
        )
    wins, draws, losses = results[tournament.players[0]]
    elo = elo_difference(wins, draws, losses)
    return {
        "game": str(tournament.games[0]),
        "games": len(store.records),
        "complete": is_whole,
        "players": players,
        "elo": {"value": elo.value, "low": elo.low, "high": elo.high},
        "los": los(wins, draws, losses),
        "forfeits": [
            {"player": forfeit.player, "key": forfeit.key, "reason": forfeit.detail}
            for forfeit in forfeits(store.records.items())
        ],
    }
