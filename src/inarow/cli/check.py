"""`inarow check`: is a player fit for the arena?"""

from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.padding import Padding

from inarow.adapters.reads import reads_of
from inarow.adapters.resolve import RESOLVER
from inarow.adapters.submissions import find_submission
from inarow.arena.check import Checkup, Finding, check_player
from inarow.arena.sandbox import check_sandbox
from inarow.arena.trials import Trial, all_trials, trials_on
from inarow.cli import arena
from inarow.cli.common import AsJson, print_json
from inarow.errors import SpecError
from inarow.game import Game, Limit, parse_game

DEFAULT_SECONDS = 0.2
DEFAULT_MEMORY = 1024
SHOWN_EXAMPLES = 3
HAS_FAULTS = 1


class Placement(Enum):
    """Which trials there are."""

    BOTH = "both"
    FREE = "free"
    GRAVITY = "gravity"


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Examples: [bold]inarow check python:mine.py:Mine[/bold] · "
        "[bold]inarow check python:mine.py:Mine --placement gravity --time 1 --json[/bold] · "
        "[bold]inarow check class/alice --sandbox[/bold]"
    )(check)


def check(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A player; see inarow players.", show_default=False)],
    seconds: Annotated[float, typer.Option("--time", "-t", metavar="S", help="Seconds for a move.")] = DEFAULT_SECONDS,
    placement: Annotated[Placement, typer.Option(help="What the player is made for.")] = Placement.BOTH,
    board: Annotated[
        list[str] | None, typer.Option(metavar="MxNxK[g]", help="Try these boards only; may be given several times.")
    ] = None,
    only_first: Annotated[bool, typer.Option("--first", help="Stop at the first fault.")] = False,
    tolerance: arena.Tolerance = 0.05,
    start: arena.StartSeconds = 10.0,
    memory: Annotated[int, typer.Option(metavar="MIB", min=1, help="MiB of memory that it may have.")] = DEFAULT_MEMORY,
    sandbox: arena.Sandbox = False,
    as_json: AsJson = False,
) -> None:
    """Play a player through what players fail at: odd boards, both seats, time, second games. Tell every fault.

    SPEC may also be a folder, as a student hands it in: what it holds is found. The exit status is 0 when the player
    may enter a tournament, 1 when it has faults.
    """
    trials = trials_from(placement, tuple(parse_game(text) for text in board or ()))
    limit = Limit(seconds=seconds)
    if Path(spec).is_dir():
        spec = spec_in(Path(spec))
    reads = None
    if sandbox:
        check_sandbox()
        reads = reads_of(spec)
    else:
        arena.check_spec(spec)
    rules = arena.rules_from(tolerance, start, memory, freeze=False, in_process=False)
    try:
        with Console(stderr=True).status("") as status:

            def watch(trial: Trial) -> None:
                status.update(f"{trial.title}: {trial.game} as {trial.seat}")

            checkup = check_player(spec, trials, limit, rules, RESOLVER, only_first, watch, reads)
    except KeyboardInterrupt:
        raise typer.Exit(arena.INTERRUPTED) from None
    if as_json:
        print_json(as_fields(checkup))
    else:
        tell(Console(highlight=False), checkup, seconds)
    if not checkup.may_enter:
        raise typer.Exit(HAS_FAULTS)


def spec_in(folder: Path) -> str:
    """The spec of the player that a folder holds. SpecError when it holds none, or several."""
    submission = find_submission(folder)
    if submission.spec is None:
        raise SpecError(f"{folder}: {submission.wrong}")
    return submission.spec


def trials_from(placement: Placement, games: tuple[Game, ...]) -> tuple[Trial, ...]:
    """The trials that are wanted. SpecError when there are none."""
    trials = trials_on(games) if games else all_trials()
    if placement is not Placement.BOTH:
        trials = tuple(trial for trial in trials if trial.game.gravity == (placement is Placement.GRAVITY))
    if not trials:
        raise SpecError(f"none of the boards has {placement.value} placement")
    return trials


def tell(console: Console, checkup: Checkup, seconds: float) -> None:
    """The whole result, for a person."""
    for finding in checkup.findings:
        _tell_finding(console, finding)
    games = f"{checkup.played} of {checkup.trials} games"
    console.print(f"{games}, {checkup.moves} moves, the slowest {checkup.slowest:.3f} s of {seconds:g} s")
    if checkup.repeats:
        console.print("Under a limit of nodes it plays the same game again.")
    if checkup.may_enter:
        console.print(f"[bold green]{_escaped(checkup.spec)} may enter.[/bold green]")
    else:
        count = len(checkup.faults)
        kinds = "one kind of fault" if count == 1 else f"{count} kinds of faults"
        console.print(f"[bold red]{_escaped(checkup.spec)} has {kinds}.[/bold red]")


def _tell_finding(console: Console, finding: Finding) -> None:
    console.print(f"[bold]{'fault' if finding.is_fault else 'note'}[/bold]  {_escaped(finding.happened)}")
    lines = [f"on {finding.place}", f"right: {finding.right}"]
    lines += [f"also on {example}" for example in finding.others[:SHOWN_EXAMPLES]]
    if (more := len(finding.others) - SHOWN_EXAMPLES) > 0:
        lines.append(f"and {more} more")
    for line in lines:
        console.print(Padding(_escaped(line), (0, 0, 0, 7), expand=False))
    console.print()


def _escaped(text: str) -> str:
    """A text that is no markup."""
    return text.replace("[", r"\[")


def as_fields(checkup: Checkup) -> dict[str, Any]:
    return {
        "player": checkup.spec,
        "may_enter": checkup.may_enter,
        "trials": checkup.trials,
        "played": checkup.played,
        "moves": checkup.moves,
        "slowest": round(checkup.slowest, 4),
        "repeats": checkup.repeats,
        "findings": [
            {
                "kind": finding.kind,
                "fault": finding.is_fault,
                "trial": finding.trial.title,
                "game": str(finding.trial.game),
                "seat": str(finding.trial.seat),
                "position": finding.position,
                "happened": finding.happened,
                "right": finding.right,
                "others": list(finding.others),
            }
            for finding in checkup.findings
        ],
    }
