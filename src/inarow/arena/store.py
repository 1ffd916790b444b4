"""Where a tournament's games are kept: one SQLite file, in which a game is safe as soon as it is added.

A store belongs to one tournament, whose games it holds under the keys of the schedule. What is still missing after a
crash, a Ctrl-C or a power cut is `schedule(store.tournament, store.outcomes())`. docs/formats.md describes the tables.
"""

import math
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, fields
from itertools import zip_longest
from pathlib import Path
from typing import Any

from inarow.arena.spec import RefereeRules, Style, Tournament
from inarow.arena.spec_json import tournament_from_json, tournament_to_json
from inarow.errors import InarowError, StoreError
from inarow.game import Game, Limit, Outcome, Reason, Record, Seat, parse_game
from inarow.storage import Database, Row, open_database, read_database

APPLICATION_ID = int.from_bytes(b"inar", "big")
VERSION = 1
SCHEMA = """
CREATE TABLE tournament (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    spec TEXT NOT NULL           -- JSON
);
CREATE TABLE games (
    number INTEGER PRIMARY KEY,  -- in the order in which they were finished
    key TEXT NOT NULL UNIQUE,    -- board/first/second/round
    board TEXT NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    winner TEXT CHECK (winner IN ('first', 'second')),  -- NULL: a draw
    reason TEXT NOT NULL,        -- line, full, forfeit
    detail TEXT NOT NULL,        -- what the loser of a forfeited game did
    plies INTEGER NOT NULL,
    first_seconds REAL,          -- what all moves of a seat took; NULL: not known
    second_seconds REAL,
    finished TEXT NOT NULL,      -- UTC, ISO 8601
    record TEXT NOT NULL         -- JSON, which has everything
)
"""
_COLUMNS = (
    *("key", "board", "first", "second", "winner", "reason", "detail"),
    *("plies", "first_seconds", "second_seconds", "finished"),
)
"""Those that follow from a game's key and record; `_values` has what stands in them."""

_ONE_OF = {"players": "player", "games": "board", "openings": "opening"}

_RESULT = ("number", "board", "first", "second", "winner", "reason", "detail", "plies")

PAGE = 500
"""How many games are read at a time."""


@dataclass(frozen=True)
class GameResult:
    """How a game ended, without its moves; `number` counts the games in the order in which they were finished."""

    number: int
    game: Game
    players: tuple[str, str]
    outcome: Outcome
    plies: int


class Store:
    """A tournament's games on disk, for one thread. Leaving its `with` closes it.

    tournament  what is played
    message     what the user should know of the disk, or nothing
    """

    def __init__(self, database: Database, tournament: Tournament) -> None:
        """Made by `open` and `read`."""
        self._database = database
        self.tournament = tournament
        self.message = database.message

    @classmethod
    def open(cls, path: Path, tournament: Tournament) -> "Store":
        """Creates the tournament's store, or continues it: one process at a time.

        StoreError when it holds another tournament. The referee's rules must be equal too, all of them: each can decide
        a game (memory, freezing and the process do by the time they take), and one table should be judged in one way.
        """
        spec = tournament_to_json(tournament)
        database = open_database(path, application_id=APPLICATION_ID, version=VERSION, schema=SCHEMA)
        with ExitStack() as unfinished:
            unfinished.callback(database.close)
            database.check_pages()
            database.change("INSERT INTO tournament VALUES (1, ?) ON CONFLICT DO NOTHING", (spec,))
            stored = _stored_tournament(database)
            if stored != tournament:
                raise StoreError(f"{path} holds another tournament: {_difference(stored, tournament)}")
            unfinished.pop_all()
        return cls(database, tournament)

    @classmethod
    def read(cls, path: Path, check: bool = True) -> "Store":
        """Opens a store to read only; a tournament may be played into it meanwhile.

        `check`: that the file is not damaged, which takes longer the larger it is; once is enough for one that is
        looked at again and again.
        """
        database = read_database(path, application_id=APPLICATION_ID, version=VERSION)
        with ExitStack() as unfinished:
            unfinished.callback(database.close)
            if check:
                database.check_pages()
            tournament = _stored_tournament(database)
            unfinished.pop_all()
        return cls(database, tournament)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._database.close()

    def add(self, key: str, record: Record) -> bool:
        """Adds a finished game, which survives whatever comes once this returns.

        False, and nothing changes, when there is a game with this key. Whether the key is one of the tournament's is
        the caller's business.
        """
        if record.outcome is None:
            raise StoreError(f"{key} was broken off; a store holds finished games")
        values = (*_values(key, record), record.to_json())
        sql = f"INSERT INTO games ({', '.join(_COLUMNS)}, record) VALUES ({', '.join('?' * len(values))})"
        return self._database.change(f"{sql} ON CONFLICT (key) DO NOTHING", values) == 1

    def count(self) -> int:
        number: int = self._database.rows("SELECT count(*) FROM games")[0][0]
        return number

    def outcomes(self) -> dict[str, Outcome]:
        """How the games ended, by key, in the order in which they did. The winning lines are left out."""
        outcomes = {}
        for key, winner, reason, detail in self._pages("key", "winner", "reason", "detail"):
            try:
                seat = None if winner is None else Seat[winner.upper()]
                outcomes[key] = Outcome(seat, Reason(reason), detail=detail)
            except (KeyError, ValueError):
                raise self._damaged(key, f"it cannot have ended with {winner!r} and {reason!r}") from None
        return outcomes

    def games(self) -> Iterator[tuple[str, Record]]:
        """The keys and games in the order in which they were finished. StoreError for a record that cannot be read."""
        for key, text in self._pages("key", "record"):
            yield key, self._record(key, text)

    def results(self, after: int = 0) -> Iterator[GameResult]:
        """What is known of the games without their records, from the number after this one on, in order."""
        for number, game, first, second, winner, reason, detail, plies in self._pages(*_RESULT, after=after):
            try:
                seat = None if winner is None else Seat[winner.upper()]
                outcome = Outcome(seat, Reason(reason), detail=detail)
                yield GameResult(number, parse_game(game), (first, second), outcome, plies)
            except (KeyError, ValueError):
                raise self._damaged(f"number {number}", "its columns contradict themselves") from None

    def game(self, number: int) -> Record | None:
        """The game of this number; None when there is none."""
        rows = self._database.rows("SELECT key, record FROM games WHERE number = ?", (number,))
        return self._record(*rows[0]) if rows else None

    def check(self) -> list[str]:
        """What is wrong with the store, a line for each thing; nothing when all is well. Replays every game."""
        problems: list[str] = []
        try:
            pages = self._database.rows("PRAGMA integrity_check")
            problems += [_one_line(text) for (text,) in pages if text != "ok"]
            keys: set[str] = set()
            for text, *found in self._pages("record", *_COLUMNS):
                key = found[0]
                if key in keys:
                    problems.append(f"{key} is there twice")
                keys.add(key)
                problems += self._problems_of_game(key, text, found)
        except StoreError as error:
            problems.append(str(error))
        return problems

    def _problems_of_game(self, key: str, text: str, found: list[Any]) -> Iterator[str]:
        try:
            record = self._record(key, text)
        except StoreError as error:
            yield str(error)
            return
        for name, value, expected in zip(_COLUMNS, found, _values(key, record), strict=True):
            if value != expected:
                yield f"{key}: {name} is {value!r}, the record says {expected!r}"
        names, _, number = str(key).rpartition("/")
        if names != "/".join([str(record.game), *record.players]) or not number.isdecimal():
            yield f"{key} is a game of {' and '.join(record.players)} on {record.game}"
        if record.game not in self.tournament.games or not set(record.players) <= set(self.tournament.players):
            yield f"{key} is not a game of this tournament"

    def _record(self, key: str, text: str) -> Record:
        try:
            record = Record.from_json(text)
        except InarowError as error:
            raise self._damaged(key, str(error)) from None
        if record.outcome is None:
            raise self._damaged(key, "it was broken off")
        return record

    def _damaged(self, key: str, why: str) -> StoreError:
        return StoreError(f"{self._database.path} is damaged at game {key}: {why}")

    def _pages(self, *names: str, after: int = 0) -> Iterator[Row]:
        """These columns of all games, in order. Page by page, so that nobody waits while the caller thinks."""
        sql = f"SELECT number, {', '.join(names)} FROM games WHERE number > ? ORDER BY number LIMIT {PAGE}"
        last = after
        while rows := self._database.rows(sql, (last,)):
            last = rows[-1][0]
            for row in rows:
                yield row[1:]


def _values(key: str, record: Record) -> Row:
    """What stands in the _COLUMNS of a finished game."""
    outcome = record.outcome
    assert outcome is not None
    seconds = [round(math.fsum(record.seconds[seat::2]), 6) if record.seconds else None for seat in Seat]
    return (
        *(key, str(record.game), *record.players),
        *(None if outcome.winner is None else str(outcome.winner), outcome.reason.value, outcome.detail),
        *(len(record.moves), *seconds, record.date),
    )


def _stored_tournament(database: Database) -> Tournament:
    rows = database.rows("SELECT spec FROM tournament")
    if not rows:
        raise StoreError(f"{database.path} is empty: its tournament has not begun")
    try:
        return tournament_from_json(rows[0][0])
    except InarowError as error:
        raise StoreError(f"{database.path} is damaged: {error}") from None


def _difference(stored: Tournament, asked: Tournament) -> str:
    """The first thing in which two tournaments differ."""
    name = next(each.name for each in fields(Tournament) if getattr(stored, each.name) != getattr(asked, each.name))
    there, here = getattr(stored, name), getattr(asked, name)
    if isinstance(there, tuple) and isinstance(here, tuple):
        pairs = enumerate(zip_longest(there, here), start=1)
        number, (there, here) = next((number, pair) for number, pair in pairs if pair[0] != pair[1])
        name = f"{_ONE_OF[name]} {number}"
    elif isinstance(there, Limit | RefereeRules):
        setting = next(each.name for each in fields(there) if getattr(there, each.name) != getattr(here, each.name))
        there, here = getattr(there, setting), getattr(here, setting)
        name = f"{setting} of the {name}"
    return f"{name}: {_shown(there)} there, {_shown(here)} here"


def _shown(value: Any) -> str:
    if isinstance(value, Style):
        return value.value
    if isinstance(value, tuple):
        return f"{len(value)} positions"
    return "none" if value in (None, "") else str(value)


def _one_line(text: str) -> str:
    return " ".join(text.split())
