"""Plays a tournament: the schedule's games, by a crew of workers, into a store. Workers return records, one writes."""

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from inarow.arena.host import DEFAULT_RESOLVER
from inarow.arena.marks import kill_left_overs
from inarow.arena.referee import Referee
from inarow.arena.schedule import schedule
from inarow.arena.spec import Entry, GameJob, RefereeRules, Tournament
from inarow.executors import Crew
from inarow.game import Outcome, Record

IDLE_SECONDS = 30.0


class GameStore(Protocol):
    """Where finished games go."""

    def add(self, key: str, record: Record) -> bool:
        """Keeps a game; False when one of that key is there already."""

    def outcomes(self) -> dict[str, Outcome]: ...


@dataclass
class MemoryStore:
    """Games that are only kept until the process ends."""

    records: dict[str, Record] = field(default_factory=dict)

    def add(self, key: str, record: Record) -> bool:
        if key in self.records:
            return False
        self.records[key] = record
        return True

    def outcomes(self) -> dict[str, Outcome]:
        return {key: record.outcome for key, record in self.records.items() if record.outcome is not None}


def play_tournament(
    tournament: Tournament,
    store: GameStore,
    crew: Crew,
    resolver: str = DEFAULT_RESOLVER,
    at_most: int | None = None,
) -> Iterator[tuple[GameJob, Record]]:
    """Plays what is missing in the store, and yields each game when it is in there; with `at_most`, the first so many.

    Whoever breaks it off loses the games that are being played at that moment, and no others.
    """
    kill_left_overs()
    work = functools.partial(play_job, tournament.rules, resolver, tournament.entries)
    while jobs := schedule(tournament, outcomes := store.outcomes()):
        if at_most is not None:
            jobs = jobs[: max(0, at_most - len(outcomes))]
            if not jobs:
                return
        for job, record in crew.run(work, jobs):
            if store.add(job.key, record):
                yield job, record


def play_job(rules: RefereeRules, resolver: str, entries: tuple[Entry, ...], job: GameJob) -> Record:
    """In a worker: plays one game. Its players stay warm for the next."""
    with _DESKS.of_this_thread((rules, resolver, entries)).working() as referee:
        return referee.play(job)


class _Desk:
    """A thread's referee. Its players are ended when it has had no game for a while."""

    def __init__(self, make: Callable[[], Referee]) -> None:
        self._referee = make()
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    @contextlib.contextmanager
    def working(self) -> Iterator[Referee]:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            try:
                yield self._referee
            finally:
                self._timer = threading.Timer(IDLE_SECONDS, self._clear)
                self._timer.daemon = True
                self._timer.start()

    def _clear(self) -> None:
        with self._lock:
            self._referee.close()


class _Desks(threading.local):
    """The referees of a worker process: one for a thread and set of rules, since a player serves one game at a time."""

    def __init__(self) -> None:
        self._desks: dict[tuple[RefereeRules, str, tuple[Entry, ...]], _Desk] = {}

    def of_this_thread(self, key: tuple[RefereeRules, str, tuple[Entry, ...]]) -> _Desk:
        if key not in self._desks:
            rules, resolver, entries = key
            self._desks[key] = _Desk(lambda: Referee(rules, resolver, entries=entries))
        return self._desks[key]


_DESKS = _Desks()
