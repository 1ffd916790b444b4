"""`inarow report` and `inarow export`: what a store holds, for people and for other programs."""

import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from inarow.arena.export import export as export_games
from inarow.arena.standings import standings
from inarow.arena.store import Store
from inarow.cli.arena import say
from inarow.cli.common import AsJson, print_json
from inarow.errors import SpecError

StoreFile = Annotated[Path, typer.Argument(metavar="STORE", help="What inarow tournament wrote.", show_default=False)]


class Kind(Enum):
    """The formats that games can be written in."""

    JSONL = "jsonl"
    PSQ = "psq"
    SGF = "sgf"
    PGN = "pgn"


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Examples: [bold]inarow report course.db --out report[/bold] · "
        "[bold]inarow report course.db --csv[/bold]"
    )(report)
    app.command(
        epilog="Examples: [bold]inarow export course.db --format pgn --out games.pgn[/bold] · "
        "[bold]inarow export course.db --format sgf --out games/[/bold]"
    )(export)


def report(
    store: StoreFile,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="DIR", help="Where the page is written.")] = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the standings as CSV.")] = False,
) -> None:
    """Write a tournament's report: one page with standings, ratings, boards, times, forfeits, and every game to replay.

    It can be written while the tournament is still being played.
    """
    from inarow.arena.report import report_dict, standings_csv, write_report  # here, since it loads numpy

    if out is None and not as_json and not as_csv:
        raise SpecError("say where the report goes with --out DIR, or --json or --csv")
    with Store.read(store) as opened:
        tournament, games = opened.tournament, list(opened.games())
    if out is not None:
        page = write_report(tournament, games, out)
        say(f"{len(games)} games: {page}")
    if as_json:
        print_json(report_dict(tournament, games))
    if as_csv:
        sys.stdout.write(standings_csv(standings(tournament, games)))


def export(
    store: StoreFile,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="PATH", help="A file; for PSQ and SGF a folder.")],
    kind: Annotated[Kind, typer.Option("--format", "-f", help="One file of all games, or one a game.")] = Kind.JSONL,
) -> None:
    """Write a store's games in another format. What a format cannot hold is left out, and said so."""
    with Store.read(store) as opened:
        done = export_games(opened.games(), kind.value, out)
    say(f"{done.written} games: {out}")
    for reason, number in done.skipped.items():
        say(f"{number} left out: {reason}")
