"""Which games a tournament has, and in which order.

Two players meet on a board in pairs of games: the same opening, each player first once. A game's key says all of it:

    6x7x4g/telos/cadrega/2       board, first, second, and the round

so that a schedule can be made again at any time and finds the games that are already played. In a Swiss tournament who
meets in a round follows from the results of the rounds before it: a schedule is asked again when a round is over.
"""

import itertools
import random
from collections.abc import Iterator, Mapping

from inarow.arena.spec import GameJob, Style, Tournament, plain_points
from inarow.errors import SpecError
from inarow.game import Board, Game, Move, Outcome, parse_moves, play_moves

RANDOM = "random:"
MAX_TRIES = 10_000


def schedule(tournament: Tournament, outcomes: Mapping[str, Outcome]) -> list[GameJob]:
    """The games that can be played now, those of `outcomes` (by key) left out. Empty when the tournament is over."""
    if tournament.style is not Style.SWISS:
        return [job for job in _all_against_all(tournament) if job.key not in outcomes]
    points = dict.fromkeys(tournament.players, 0.0)
    met: set[frozenset[str]] = set()
    for number in range(1, tournament.rounds + 1):
        pairs = _swiss_pairs(tournament, points, met)
        jobs = [job for pair in pairs for job in _meetings(tournament, pair, number)]
        missing = [job for job in jobs if job.key not in outcomes]
        if missing:
            return missing
        for job in jobs:
            for player, won in zip(job.players, plain_points(outcomes[job.key]), strict=True):
                points[player] += won
        for pair in pairs:
            met.add(frozenset(pair))
        for player in set(tournament.players) - set(itertools.chain(*pairs)):
            points[player] += len(tournament.games)  # whoever has no opponent wins as often as it loses
            met.add(frozenset([player]))
    return []


def number_of_games(tournament: Tournament) -> int:
    players = len(tournament.players)
    if tournament.style is Style.SWISS:
        pairs = players // 2
    elif tournament.style is Style.GAUNTLET:
        pairs = players - 1
    else:
        pairs = players * (players - 1) // 2
    return 2 * pairs * tournament.rounds * len(tournament.games)


def _all_against_all(tournament: Tournament) -> Iterator[GameJob]:
    """Round after round, so that a tournament that is broken off has met everybody about as often."""
    for number in range(1, tournament.rounds + 1):
        for pair in itertools.combinations(tournament.players, 2):
            if tournament.style is Style.ROUND_ROBIN or pair[0] == tournament.players[0]:
                yield from _meetings(tournament, pair, number)


def _meetings(tournament: Tournament, pair: tuple[str, str], number: int) -> Iterator[GameJob]:
    for game in tournament.games:
        moves = opening(tournament, game, number)
        for first, second in (pair, pair[::-1]):
            yield GameJob(f"{game}/{first}/{second}/{number}", game, (first, second), tournament.limit, moves)


def _swiss_pairs(
    tournament: Tournament, points: Mapping[str, float], met: set[frozenset[str]]
) -> list[tuple[str, str]]:
    """Neighbours in the standings who have not met; whoever is left over when the number is odd has a free round.

    Players who have met meet again only when no other way to pair everybody is found.
    """
    left = sorted(tournament.players, key=lambda player: (-points[player], tournament.players.index(player)))
    if len(left) % 2:
        left.remove(next((player for player in reversed(left) if frozenset([player]) not in met), left[-1]))
    tries = itertools.repeat(None, MAX_TRIES)
    return _paired(left, met, tries) or list(zip(left[::2], left[1::2], strict=True))


def _paired(left: list[str], met: set[frozenset[str]], tries: Iterator[None]) -> list[tuple[str, str]] | None:
    """Pairs of players who have not met, the first with the nearest that leaves pairs for the rest.

    None when there are none, or when they are not found in so many tries.
    """
    if not left:
        return []
    for other in left[1:]:
        if frozenset((left[0], other)) in met:
            continue
        if next(tries, 0) == 0:
            return None
        rest = _paired([player for player in left[1:] if player != other], met, tries)
        if rest is not None:
            return [(left[0], other), *rest]
    return None


def opening(tournament: Tournament, game: Game, number: int) -> tuple[Move, ...]:
    """The moves that the games of a round on a board begin with."""
    openings = tournament.openings
    if not openings:
        return ()
    if isinstance(openings, str):
        return _random_opening(tournament, game, number)
    return play_moves(game, parse_moves(game, openings[(number - 1) % len(openings)])).moves


def _random_opening(tournament: Tournament, game: Game, number: int) -> tuple[Move, ...]:
    """Random plies, the same for the same seed, board and round; fewer where they would end the game."""
    assert isinstance(tournament.openings, str)
    plies = tournament.openings.removeprefix(RANDOM)
    if not tournament.openings.startswith(RANDOM) or not plies.isdecimal():
        raise SpecError(f"openings are a file or random:PLIES, not {tournament.openings!r}")
    chance = random.Random(f"{tournament.seed}/{game}/{number}")
    board = Board(game)
    for _ in range(int(plies)):
        board.push(chance.choice(board.legal_moves))
        if board.is_over:
            board.pop()
            break
    return board.moves
