"""`inarow tournament`: many players, many boards, into a store."""

import re
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from inarow.arena.spec import PRESETS, Style, Tournament, parse_boards
from inarow.arena.standings import standings
from inarow.arena.store import Store
from inarow.cli import arena, submissions
from inarow.cli.common import AsJson, limit_from, print_json
from inarow.errors import SpecError
from inarow.game import Game

Preset = Enum("Preset", {name: name for name in PRESETS})  # type: ignore[misc]


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Examples: [bold]inarow tournament --preset course-mnk-2022 --players telos,cadrega,markcello "
        "--time 0.1 --store course.db --workers 2[/bold] · [bold]inarow tournament --boards boards.txt "
        "--players random:seed=1,python:mine.py:Mine --style swiss --rounds 5 --store swiss.db[/bold] · "
        "[bold]inarow tournament --submissions class/ --sandbox --players random --preset quick --store class.db[/bold]"
    )(tournament)


def tournament(
    store: Annotated[Path, typer.Option("--store", "-s", metavar="FILE", help="Where every finished game is kept.")],
    players: Annotated[
        str, typer.Option("--players", "-p", metavar="A,B,…", help="Specs, separated by commas.", show_default=False)
    ] = "",
    folder: Annotated[
        Path | None,
        typer.Option("--submissions", metavar="DIR", help="A class's work: one sub-folder a student; the good enter."),
    ] = None,
    sandbox: arena.Sandbox = False,
    class_path: Annotated[
        str,
        typer.Option(
            "--class-path", metavar="PATH", help="The course's framework, for Java submissions.", show_default=False
        ),
    ] = "",
    preset: Annotated[Preset | None, typer.Option(help="The boards of a course's tournament, or a few.")] = None,
    boards: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A board a line: 6x7x4g, or 6 7 4 g; # begins a comment.")
    ] = None,
    style: Annotated[Style, typer.Option(help="Who meets whom.")] = Style.ROUND_ROBIN,
    rounds: Annotated[
        int, typer.Option(metavar="R", min=1, help="How often two players meet on a board, in both seats each time.")
    ] = 1,
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
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a store that must be there; without it, a new one is made.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Play a tournament. Ctrl-C keeps every finished game; the same command again goes on where it stopped."""
    games = _boards(preset, boards)
    limit = limit_from(seconds, nodes, depth, clock, increment)
    rules = arena.rules_from(tolerance, start, memory, freeze, in_process, sandbox)
    if resume and not store.exists():
        raise SpecError(f"there is no store {store} to go on with")
    specs, entered = split_specs(players), submissions.Entered()
    if folder is not None:
        conditions = submissions.Conditions(games, limit, rules)
        try:
            entered = submissions.enter(folder, class_path, store, conditions, workers)
        except KeyboardInterrupt:
            arena.say("stopped; nothing has been played")
            raise typer.Exit(arena.INTERRUPTED) from None
        _tell_entered(specs, entered, as_json)
    elif sandbox:
        raise SpecError("--sandbox is for --submissions; other players are your own")
    planned = Tournament(
        players=(*specs, *(entry.name for entry in entered.entries)),
        games=games,
        limit=limit,
        style=style,
        rounds=rounds,
        openings=arena.openings_from(openings, games),
        seed=seed,
        rules=rules,
        entries=entered.entries,
    )
    arena.check(planned)
    with Store.open(store, planned) as opened:
        if opened.message:
            arena.say(opened.message)
        is_whole = arena.play_all(planned, opened, opened.games, workers, cluster)
        played = list(opened.games())
    if as_json:
        from inarow.arena.report import report_dict  # here, since it loads numpy

        print_json({"complete": is_whole, **submissions.as_fields(entered), **report_dict(planned, played)})
    else:
        Console(highlight=False).print(arena.standings_table(standings(planned, played)))
        arena.say(f"{len(played)} games in {store}; see them with: inarow report {store} --out DIR")
    if not is_whole:
        arena.say("stopped; the same command goes on")
        raise typer.Exit(arena.INTERRUPTED)


def _tell_entered(specs: tuple[str, ...], entered: submissions.Entered, as_json: bool) -> None:
    """SpecError when a student's folder is called as another player is."""
    if not as_json:
        submissions.tell(Console(highlight=False), entered)
    for entry in entered.entries:
        if entry.name in specs:
            raise SpecError(f"a sub-folder is called {entry.name}, as one of --players is; give it another name")


def _boards(preset: "Preset | None", boards: Path | None) -> tuple[Game, ...]:
    if (preset is None) == (boards is None):
        raise SpecError("say --preset or --boards, one of them")
    if boards is not None:
        return parse_boards(boards.read_text(encoding="utf-8"))
    assert preset is not None
    return PRESETS[preset.value]


def split_specs(text: str) -> tuple[str, ...]:
    """The specs of a list. A comma may also separate options: what looks like one belongs to the spec before it.

    A comma between quotes separates nothing.

    >>> split_specs("telos:memory=on,crossings=on,random")
    ('telos:memory=on,crossings=on', 'random')
    >>> split_specs("gomocup:brain 'a,b',k=any,random")
    ("gomocup:brain 'a,b',k=any", 'random')
    """
    specs: list[str] = []
    for word in re.findall(r"""(?:"[^"]*"|'[^']*'|[^,])+""", text):
        name = word.partition("=")[0]
        if specs and ":" in specs[-1] and "=" in word and ":" not in name:
            specs[-1] += f",{word}"
        else:
            specs.append(word.strip())
    return tuple(spec for spec in specs if spec)
