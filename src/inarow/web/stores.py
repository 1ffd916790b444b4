"""Tournament stores, opened to read only: those that were named when the server was started, and no others.

What is known of a store is kept, so that only the games that are new have to be read; a tournament may go on meanwhile.
"""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from inarow.arena.schedule import number_of_games
from inarow.arena.spec import Tournament, plain_points
from inarow.arena.standings import standings
from inarow.arena.store import GameResult, Store
from inarow.errors import InarowError, StoreError
from inarow.game import Record, Seat
from inarow.storage import is_being_written
from inarow.web.models import (
    GameFields,
    GamesAnswer,
    RecordFields,
    StandingFields,
    TournamentFields,
)

if TYPE_CHECKING:
    from inarow.arena.ratings import Rating

LOOK_SECONDS = 0.5  # from one look at a store that is followed to the next, or
LOOK_COST = 20  # so many times as long as a look takes


class UnknownTournament(InarowError):
    """There is none of this name."""


class Tournaments:
    """The stores by their names: a file's name without its suffix, with a number where two would be the same."""

    def __init__(self, paths: tuple[Path, ...]) -> None:
        self._watched: dict[str, WatchedStore] = {}
        for path in paths:
            name, number = path.stem, 2
            while name in self._watched:
                name, number = f"{path.stem}-{number}", number + 1
            self._watched[name] = WatchedStore(name, path)

    @property
    def names(self) -> list[str]:
        return list(self._watched)

    def __getitem__(self, name: str) -> "WatchedStore":
        try:
            return self._watched[name]
        except KeyError:
            raise UnknownTournament(f"there is no tournament {name[:40]!r} here") from None

    async def follow(self, name: str, stop: asyncio.Event) -> AsyncIterator[TournamentFields]:
        """A tournament's state at once and after each change, until it is stopped. StoreError when it is damaged."""
        watched = self[name]
        last: TournamentFields | None = None
        while not stop.is_set():
            begin = time.monotonic()
            state = await asyncio.to_thread(watched.state)
            pause = max(LOOK_SECONDS, LOOK_COST * (time.monotonic() - begin))
            if state != last:
                yield state
                last = state
            try:
                async with asyncio.timeout(pause):
                    await stop.wait()
            except TimeoutError:
                pass


class WatchedStore:
    """A store and what has been read of it so far. May be used by several threads."""

    def __init__(self, name: str, path: Path) -> None:
        self._name = name
        self._path = path
        self._lock = threading.Lock()
        self._tournament: Tournament | None = None
        self._results: list[GameResult] = []
        self._standings: tuple[int, list[StandingFields]] = (-1, [])  # and of how many games

    def state(self) -> TournamentFields:
        with self._lock:
            tournament = self._look()
            played = len(self._results)
            if self._standings[0] != played:
                self._standings = played, list(_standings(tournament, self._results))
            return TournamentFields(
                name=self._name,
                games_played=played,
                games_planned=number_of_games(tournament),
                is_running=is_being_written(self._path),
                standings=self._standings[1],
                boards=[str(game) for game in tournament.games],
            )

    def games(self, offset: int, limit: int, player: str = "") -> GamesAnswer:
        """Of all players, or of one."""
        with self._lock:
            self._look()
            found = [each for each in self._results if player in each.players] if player else self._results
            return GamesAnswer(total=len(found), games=[_game_fields(each) for each in found[offset : offset + limit]])

    def record(self, number: int) -> RecordFields | None:
        """The game of this number; None when there is none."""
        with Store.read(self._path) as store:
            record = store.game(number)
        fields: RecordFields | None = None if record is None else json.loads(record.to_json())
        return fields

    def _look(self) -> Tournament:
        """Reads what is new."""
        with Store.read(self._path, check=self._tournament is None) as store:
            if self._tournament != store.tournament:  # another file under the same name
                self._tournament, self._results = store.tournament, []
            after = self._results[-1].number if self._results else 0
            self._results += store.results(after)
            return store.tournament


def _standings(tournament: Tournament, results: list[GameResult]) -> Iterator[StandingFields]:
    # To count points takes no moves, so the records that are counted have none.
    games = [(str(each.number), Record(each.game, each.players, (), each.outcome)) for each in results]
    try:
        lines = standings(tournament, games)
    except KeyError as error:
        raise StoreError(f"a game in the store is of {error}, who is not in the tournament") from None
    elos = _elos(tournament, results)
    for line in lines:
        elo = elos.get(line.player)
        yield StandingFields(
            player=line.player,
            points=line.points,
            games=line.games,
            wins=line.wins_first + line.wins_second + line.wins_forfeit,
            draws=line.draws,
            losses=line.losses,
            elo=None if elo is None else round(elo.elo, 1),
            interval=None if elo is None else (round(elo.low, 1), round(elo.high, 1)),
            forfeits=line.own_forfeits,
        )


def _elos(tournament: Tournament, results: list[GameResult]) -> dict[str, "Rating"]:
    """The ratings by player; nobody's before the first game."""
    if not results:
        return {}
    from inarow.arena.ratings import Result, rate  # here, since it loads numpy

    scores = [Result(*each.players, str(each.game), plain_points(each.outcome)[Seat.FIRST]) for each in results]
    return {rating.name: rating for rating in rate(scores, players=tournament.players).players}


def _game_fields(result: GameResult) -> GameFields:
    winner = result.outcome.winner
    return GameFields(
        number=result.number,
        game=str(result.game),
        players=result.players,
        winner=None if winner is None else "first" if winner is Seat.FIRST else "second",
        reason=result.outcome.reason.value,
        detail=result.outcome.detail,
        plies=result.plies,
    )
