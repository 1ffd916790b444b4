"""Who is where in a tournament: the course's table, who beat whom, who is good on which board, who forfeited what.

Everything here is counted from records alone. Games that were broken off have no result and count nowhere.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from inarow.arena.spec import Tournament, course_points, plain_points
from inarow.game import Outcome, Reason, Record, Seat

KeyedGames = Iterable[tuple[str, Record]]
"""Games with the keys of their jobs, as a store gives them."""


@dataclass(frozen=True)
class TimeUse:
    """The seconds that a player's own moves took; `most` is what 95 % of them kept to, opening moves are left out.

    `worst_share` is the worst move as a share of the limit of a move; None when the tournament has no such limit.
    """

    moves: int
    mean: float
    median: float
    most: float
    worst: float
    worst_share: float | None


@dataclass(frozen=True)
class Standing:
    """A player's line in the standings.

    Each game is in exactly one of `wins_first`, `wins_second` (both over the board), `wins_forfeit` (the opponent
    forfeited), `draws` and `losses`; `own_forfeits` says how many of the losses were the player's own forfeits.
    `points` are the course's, `score` counts 1 for a win and a half for a draw. `time` is None when it is not known.
    """

    place: int
    player: str
    points: int
    wins_first: int
    wins_second: int
    wins_forfeit: int
    draws: int
    losses: int
    own_forfeits: int
    score: float
    games: int
    time: TimeUse | None


@dataclass(frozen=True)
class Score:
    """Plain points (1 for a win, a half for a draw) out of a number of games."""

    points: float = 0.0
    games: int = 0

    @property
    def share(self) -> float:
        """From 0 to 1; a half when nothing has been played."""
        return self.points / self.games if self.games else 0.5

    def __add__(self, other: "Score") -> "Score":
        return Score(self.points + other.points, self.games + other.games)


@dataclass(frozen=True)
class Forfeit:
    """A game that `player` lost by breaking a rule; `detail` says which one and how."""

    key: str
    player: str
    opponent: str
    board: str
    detail: str


def standings(tournament: Tournament, games: KeyedGames) -> list[Standing]:
    """All players of the tournament, the one with the most course points first.

    Players with as many points share a place and stand in the tournament's order.
    """
    tallies = {player: _Tally() for player in tournament.players}
    for _, record, outcome in _finished(games):
        points, scores = course_points(record.game, outcome), plain_points(outcome)
        for seat in Seat:
            tally = tallies[record.players[seat]]
            tally.points += points[seat]
            tally.score += scores[seat]
            tally.count(seat, outcome)
            tally.seconds += record.seconds[record.opening :][(seat - record.opening) % 2 :: 2]
    order = sorted(tallies, key=lambda player: -tallies[player].points)
    places: dict[int, int] = {}
    for number, player in enumerate(order, start=1):
        places.setdefault(tallies[player].points, number)
    return [_standing(places[tallies[player].points], player, tallies[player], tournament) for player in order]


def cross_table(games: KeyedGames) -> dict[tuple[str, str], Score]:
    """What each player, named first, scored against each opponent it has met."""
    table: dict[tuple[str, str], Score] = {}
    for _, record, outcome in _finished(games):
        for pair, won in zip((record.players, record.players[::-1]), plain_points(outcome), strict=True):
            table[pair] = table.get(pair, Score()) + Score(won, 1)
    return table


def by_board(games: KeyedGames) -> dict[tuple[str, str], Score]:
    """What each player scored on each board (6x7x4g) that it has played on."""
    table: dict[tuple[str, str], Score] = {}
    for _, record, outcome in _finished(games):
        board = str(record.game)
        for player, won in zip(record.players, plain_points(outcome), strict=True):
            table[player, board] = table.get((player, board), Score()) + Score(won, 1)
    return table


def forfeits(games: KeyedGames) -> list[Forfeit]:
    """The forfeited games, in the order in which they come."""
    found = []
    for key, record, outcome in _finished(games):
        if outcome.reason is Reason.FORFEIT and outcome.winner is not None:
            loser, winner = record.players[outcome.winner.other], record.players[outcome.winner]
            found.append(Forfeit(key, loser, winner, str(record.game), outcome.detail))
    return found


@dataclass
class _Tally:
    points: int = 0
    score: float = 0.0
    wins_first: int = 0
    wins_second: int = 0
    wins_forfeit: int = 0
    draws: int = 0
    losses: int = 0
    own_forfeits: int = 0
    seconds: list[float] = field(default_factory=list)

    def count(self, seat: Seat, outcome: Outcome) -> None:
        """Counts a game as won, drawn or lost for the player in this seat."""
        is_forfeit = outcome.reason is Reason.FORFEIT
        if outcome.winner is None:
            self.draws += 1
        elif outcome.winner is not seat:
            self.losses += 1
            self.own_forfeits += is_forfeit
        elif is_forfeit:
            self.wins_forfeit += 1
        elif seat is Seat.FIRST:
            self.wins_first += 1
        else:
            self.wins_second += 1


def _finished(games: KeyedGames) -> Iterator[tuple[str, Record, Outcome]]:
    for key, record in games:
        if record.outcome is not None:
            yield key, record, record.outcome


def _standing(place: int, player: str, tally: _Tally, tournament: Tournament) -> Standing:
    return Standing(
        place=place,
        player=player,
        points=tally.points,
        wins_first=tally.wins_first,
        wins_second=tally.wins_second,
        wins_forfeit=tally.wins_forfeit,
        draws=tally.draws,
        losses=tally.losses,
        own_forfeits=tally.own_forfeits,
        score=tally.score,
        games=tally.wins_first + tally.wins_second + tally.wins_forfeit + tally.draws + tally.losses,
        time=_time_use(tally.seconds, tournament.limit.seconds),
    )


def _time_use(seconds: list[float], limit: float | None) -> TimeUse | None:
    if not seconds:
        return None
    ordered = sorted(seconds)

    def quantile(share: float) -> float:
        """The least time that so large a share of the moves kept to."""
        return ordered[math.ceil(share * len(ordered)) - 1]

    return TimeUse(
        moves=len(ordered),
        mean=math.fsum(ordered) / len(ordered),
        median=quantile(0.5),
        most=quantile(0.95),
        worst=ordered[-1],
        worst_share=ordered[-1] / limit if limit else None,
    )
