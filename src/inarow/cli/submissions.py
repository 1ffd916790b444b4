"""A class's work in a tournament: what each sub-folder holds is found, checked, and entered or refused."""

import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from inarow.adapters.reads import reads_of
from inarow.adapters.resolve import RESOLVER
from inarow.adapters.submissions import Submission, find_submissions
from inarow.arena.check import CLOCK_MOVES, Checkup, check_player
from inarow.arena.sandbox import check_sandbox
from inarow.arena.spec import Entry, RefereeRules
from inarow.arena.store import Store
from inarow.arena.trials import quick_trials
from inarow.cli import arena
from inarow.errors import InarowError, SpecError
from inarow.executors import LocalCrew
from inarow.game import Game, Limit

PATIENCE = 60.0  # seconds for a move while checking, where the tournament has no limit of time
SHOWN_FAULTS = 3
RIGHTS = (
    "submissions run with your rights: they can read and change your files and use the network; --sandbox keeps them in"
)


@dataclass(frozen=True)
class Conditions:
    """Under which the tournament is played."""

    games: tuple[Game, ...]
    limit: Limit
    rules: RefereeRules


@dataclass(frozen=True)
class Refusal:
    """A student's work that cannot enter, and why: a line for each thing."""

    name: str
    why: tuple[str, ...]


@dataclass(frozen=True)
class Entered:
    """Who of the submissions plays, and who does not."""

    entries: tuple[Entry, ...] = ()
    refusals: tuple[Refusal, ...] = ()


def enter(folder: Path, class_path: str, store: Path, conditions: Conditions, workers: int) -> Entered:
    """Finds and checks the submissions of a folder. Those of a store that is there were checked when it was made."""
    rules = conditions.rules
    if rules.in_process:
        raise SpecError("submissions play in processes of their own, without --in-process")
    if rules.sandbox:
        check_sandbox()
    else:
        arena.say(RIGHTS)
    submissions = find_submissions(folder, class_path)
    if store.exists():
        return _entered_before(submissions, store)
    return _checked(submissions, conditions, workers)


def _entered_before(submissions: list[Submission], store: Path) -> Entered:
    """The entries of a store. SpecError when one of them is another player now."""
    with Store.read(store) as opened:
        entries = opened.tournament.entries
    found = {submission.name: submission.spec for submission in submissions}
    for entry in entries:
        if found.get(entry.name) != entry.spec:
            there = found.get(entry.name) or "no player"
            raise SpecError(f"{entry.name} entered {store} as {entry.spec}, and its folder holds {there} now")
    others = found.keys() - {entry.name for entry in entries}
    why = ("it is not in the store: it was refused when the tournament began, or it came later",)
    return Entered(entries, tuple(Refusal(name, why) for name in sorted(others)))


def _checked(submissions: list[Submission], conditions: Conditions, workers: int) -> Entered:
    candidates: list[Entry] = []
    why: dict[str, tuple[str, ...]] = {}
    for submission in submissions:
        try:
            candidates.append(_candidate(submission))
        except SpecError as error:
            why[submission.name] = (str(error),)
    work = functools.partial(check_entry, conditions)
    with LocalCrew(workers) as crew, _bar() as bar:
        task = bar.add_task("checking", total=len(candidates))
        try:
            for entry, faults in crew.run(work, candidates):
                bar.advance(task)
                if faults:
                    why[entry.name] = faults
        finally:
            crew.close(at_once=True)
    entries = tuple(entry for entry in candidates if entry.name not in why)
    return Entered(entries, tuple(Refusal(name, why[name]) for name in sorted(why)))


def _candidate(submission: Submission) -> Entry:
    """A submission that can be checked. SpecError says why one cannot."""
    if submission.spec is None:
        raise SpecError(submission.wrong)
    reads = (str(submission.folder), *reads_of(submission.spec))
    return Entry(submission.name, submission.spec, tuple(dict.fromkeys(reads)))


def check_entry(conditions: Conditions, entry: Entry) -> tuple[str, ...]:
    """In a worker: what is wrong with a submission, on some of the tournament's boards; nothing when it may enter."""
    limit, rules = conditions.limit, conditions.rules
    seconds = limit.seconds or (limit.clock / CLOCK_MOVES if limit.clock else PATIENCE)
    trials = quick_trials(conditions.games, with_clock=limit.seconds is None and limit.clock is not None)
    check_limit = replace(limit, seconds=seconds, clock=None, increment=None)
    reads = entry.reads if rules.sandbox else None
    try:
        checkup = check_player(entry.spec, trials, check_limit, rules, RESOLVER, reads=reads, look_at_repetition=False)
    except InarowError as error:  # the machine's, not the player's; the others are checked all the same
        return (f"it could not be checked: {error}",)
    return tuple(_lines(checkup))


def _lines(checkup: Checkup) -> Iterator[str]:
    for finding in checkup.faults[:SHOWN_FAULTS]:
        yield f"{finding.happened} (on {finding.place}). Right: {finding.right}"
    if (more := len(checkup.faults) - SHOWN_FAULTS) > 0:
        yield f"and {more} more; inarow check tells all"


def _bar() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


def tell(console: Console, entered: Entered) -> None:
    """Who entered, and what was wrong with the rest, in words for the students."""
    names = ", ".join(entry.name for entry in entered.entries) or "nobody"
    console.print(f"{len(entered.entries)} submissions enter: {escape(names)}")
    if not entered.refusals:
        return
    table = Table(header_style="bold", title=f"{len(entered.refusals)} do not enter", title_justify="left")
    table.add_column("student", overflow="fold")
    table.add_column("what was wrong", overflow="fold")
    for refusal in entered.refusals:
        table.add_row(escape(refusal.name), escape("\n".join(refusal.why)))
    console.print(table)


def as_fields(entered: Entered) -> dict[str, Any]:
    return {
        "entered": [{"name": entry.name, "player": entry.spec} for entry in entered.entries],
        "refused": [{"name": refusal.name, "why": list(refusal.why)} for refusal in entered.refusals],
    }
