"""Do the seed players beat the course's weak ones, on the course's boards?

Each player plays seeded games against each opponent, as many in either seat, on every board. Asked for is that it never
loses to random or quasi_random where its seat is not lost in theory, and that it takes at least 95 % of the course's
points against quasi_random, over the boards where draws are not the rule. Points: a win as first 2, as second 3, a draw
1; with gravity a win 3, a draw 1. A forfeit is a loss that no theory excuses.

The opponents' seeds depend on the game's number alone, so a run can be repeated; exactly so with --nodes, since what a
player finds in a limit of time is never quite the same.
"""

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field

from benchmarks.matches import (
    BROKEN,
    INTERRUPTED,
    KEPT,
    Progress,
    UntilCtrlC,
    count_argument,
    do_all,
    game_argument,
    in_seats,
    make_parser,
    play_game,
    print_json,
    print_table,
    seconds_argument,
    seeded,
    spec_argument,
)
from inarow import Game, Limit, Seat, format_position, make_player, parse_game
from inarow.arena.spec import COURSE_CONNECTX_2023, COURSE_MNK_2022

EXAMPLE = "python -m benchmarks.strength --players telos --boards 6x6x4 10x10x5 --games 5 --workers 2"
GAMES = 20
SECONDS = 0.2
LARGE_SECONDS = 0.05
LARGE_CELLS = 1600
WEAK_PLAYERS = ("random", "quasi_random")
POINTS_OPPONENT = "quasi_random"
POINTS_SHARE = 0.95


def games(*texts: str) -> tuple[Game, ...]:
    return tuple(parse_game(text) for text in texts)


DRAWISH_BOARDS = games(
    *("3x3x3", "4x4x4", "5x4x4", "5x5x5", "6x6x6", "7x5x5", "7x7x7"),
    *("4x4x4g", "5x5x5g", "4x5x5g", "4x6x5g", "4x7x5g", "5x4x5g", "6x4x5g", "7x4x5g"),
)
"""Where even a weak opponent often gets a draw: they do not count for the share of the points.

As far as is known all are drawn with best play. With gravity those with a side of 4 and k = 5 have lines in one
direction only: all are rows, or all are columns, and a column cannot be won from somebody who blocks. 4x4x4g has 10
lines, 5x5x5g has 12.
"""

PRESETS = {
    "mnk": (("cadrega", "markcello", "nisshoku", "telos"), COURSE_MNK_2022),
    "connectx": (("telos",), COURSE_CONNECTX_2023),
}

# Who wins with best play: published values of solved games. Boards that are not named here are draws or open; either
# way no loss on them is excused.
FIRST_WINS = games("4x3x3", "4x4x3", "6x5x4", "6x6x4", "7x5x4", "7x6x4", "7x7x4", "8x8x4", "6x7x4g", "7x6x4g")
SECOND_WINS = games("4x6x4g", "6x6x4g")


def lost_seat(game: Game) -> Seat | None:
    """The seat that loses with best play; None when neither is known to."""
    if game in FIRST_WINS:
        return Seat.SECOND
    return Seat.FIRST if game in SECOND_WINS else None


def win_points(game: Game, seat: Seat) -> int:
    return 3 if game.gravity or seat is Seat.SECOND else 2


@dataclass(frozen=True)
class Job:
    """One game: what is to be played."""

    player: str
    opponent: str
    game: Game
    seat: Seat
    number: int
    limit: Limit


@dataclass(frozen=True)
class Result:
    """One game: how it ended."""

    job: Job
    winner: Seat | None
    position: str
    forfeit: str | None

    @property
    def is_loss(self) -> bool:
        return self.winner is self.job.seat.other

    @property
    def is_excused(self) -> bool:
        return self.forfeit is None and lost_seat(self.job.game) is self.job.seat

    @property
    def points(self) -> int:
        if self.winner is None:
            return 1
        return 0 if self.is_loss else win_points(self.job.game, self.job.seat)

    def to_dict(self) -> dict[str, object]:
        return {
            "player": self.job.player,
            "opponent": self.job.opponent,
            "board": str(self.job.game),
            "seat": str(self.job.seat),
            "number": self.job.number,
            "winner": None if self.winner is None else str(self.winner),
            "points": self.points,
            "position": self.position,
            "forfeit": self.forfeit,
            "is_unexcused_loss": self.is_loss and not self.is_excused,
        }


def play(job: Job) -> Result:
    player = make_player(seeded(job.player, job.number))
    opponent = make_player(seeded(job.opponent, job.number))
    played = play_game(job.game, in_seats(player, opponent, job.seat), job.limit)
    assert played is not None
    player.close()
    opponent.close()
    return Result(job, played.winner, format_position(played.board), played.forfeit)


# --- the report ---


@dataclass
class Tally:
    """Some results added up."""

    results: list[Result] = field(default_factory=list)

    def of(self, **wanted: object) -> "Tally":
        """The results of jobs that have these values."""
        chosen = [one for one in self.results if all(getattr(one.job, name) == value for name, value in wanted.items())]
        return Tally(chosen)

    @property
    def points(self) -> int:
        return sum(one.points for one in self.results)

    @property
    def maximum(self) -> int:
        return sum(win_points(one.job.game, one.job.seat) for one in self.results)

    @property
    def share(self) -> float:
        return self.points / self.maximum if self.maximum else 0.0

    @property
    def unexcused(self) -> list[Result]:
        return [one for one in self.results if one.is_loss and not one.is_excused]

    @property
    def counting(self) -> "Tally":
        """Without the boards where draws are the rule."""
        return Tally([one for one in self.results if one.job.game not in DRAWISH_BOARDS])

    def wins_draws_losses(self) -> str:
        draws = sum(one.winner is None for one in self.results)
        losses = sum(one.is_loss for one in self.results)
        return f"+{len(self.results) - draws - losses} ={draws} -{losses}"


@dataclass(frozen=True)
class Verdict:
    """What was asked of a player, and whether it holds; None when no game was about it."""

    unexcused_losses: int
    points_share: float | None

    @property
    def is_kept(self) -> bool:
        return self.unexcused_losses == 0 and (self.points_share is None or self.points_share >= POINTS_SHARE)


def verdict_on(tally: Tally) -> Verdict:
    """On one player's results."""
    weak = [one for one in tally.unexcused if one.job.opponent.partition(":")[0] in WEAK_PLAYERS]
    counting = tally.of(opponent=POINTS_OPPONENT).counting
    return Verdict(len(weak), counting.share if counting.results else None)


def print_pair(tally: Tally) -> None:
    """The table of one player against one opponent."""
    job = tally.results[0].job
    boards = dict.fromkeys(one.job.game for one in tally.results)
    rows = [table_row(str(game), tally.of(game=game)) for game in boards]
    rows.append(table_row("all", tally))
    if len(tally.counting.results) < len(tally.results):
        rows.append(table_row("all but the drawish", tally.counting))
    print(f"\n{job.player} against {job.opponent}")
    print_table(("board", "as first", "as second", "points", "maximum", "share"), rows)


def table_row(name: str, tally: Tally) -> tuple[str, ...]:
    seats = (tally.of(seat=seat).wins_draws_losses() for seat in Seat)
    return (name, *seats, str(tally.points), str(tally.maximum), f"{100 * tally.share:.1f} %")


def print_report(everything: Tally) -> None:
    jobs = [one.job for one in everything.results]
    for player, opponent in dict.fromkeys((job.player, job.opponent) for job in jobs):
        print_pair(everything.of(player=player, opponent=opponent))
    print()
    for player in dict.fromkeys(job.player for job in jobs):
        tally = everything.of(player=player)
        verdict = verdict_on(tally)
        share = "" if verdict.points_share is None else f", {100 * verdict.points_share:.1f} % of the points that count"
        kept = "as asked" if verdict.is_kept else "NOT as asked"
        print(f"{player}: {verdict.unexcused_losses} losses without excuse to the weak players{share}: {kept}")
        for one in tally.unexcused:
            why = f" forfeit, {one.forfeit}" if one.forfeit else ""
            print(f"  lost as {one.job.seat} to {one.job.opponent}, game {one.job.number}: {one.position}{why}")


# --- the run ---


def make_jobs(
    players: Iterable[str], opponents: Iterable[str], boards: Iterable[Game], count: int, limits: tuple[Limit, Limit]
) -> list[Job]:
    """All games, with the limit for ordinary or that for large boards. Even numbers are the first seat's games."""
    return [
        Job(player, opponent, game, seat, 2 * i + seat, limits[game.rows * game.columns >= LARGE_CELLS])
        for player in players
        for opponent in opponents
        for game in boards
        for i in range(count)
        for seat in Seat
    ]


def main() -> int:
    parser = make_parser(__doc__, EXAMPLE)
    parser.add_argument("--preset", choices=PRESETS, default="mnk", help="boards and players; mnk, unless said")
    parser.add_argument("--players", nargs="+", metavar="SPEC", type=spec_argument, help="instead of the preset's")
    parser.add_argument("--opponents", nargs="+", metavar="SPEC", type=spec_argument, default=WEAK_PLAYERS)
    parser.add_argument("--boards", nargs="+", metavar="MxNxK[g]", type=game_argument, help="instead of the preset's")
    parser.add_argument("--games", type=count_argument, default=GAMES, help=f"a board and seat; {GAMES}, unless said")
    parser.add_argument(
        "--seconds",
        type=seconds_argument,
        help=f"a move; {SECONDS}, unless said, and {LARGE_SECONDS} on boards of {LARGE_CELLS} cells or more",
    )
    parser.add_argument("--nodes", type=count_argument, help="a move, instead of seconds")
    parser.add_argument("--workers", type=count_argument, default=1, help="processes that play; 1, unless said")
    arguments = parser.parse_args()

    preset_players, preset_boards = PRESETS[arguments.preset]
    if arguments.nodes is not None:
        limits = (Limit(seconds=arguments.seconds, nodes=arguments.nodes),) * 2
    else:
        limits = (Limit(seconds=arguments.seconds or SECONDS), Limit(seconds=arguments.seconds or LARGE_SECONDS))
    players, boards = arguments.players or preset_players, arguments.boards or preset_boards
    jobs = make_jobs(players, arguments.opponents, boards, arguments.games, limits)
    tally = Tally()
    progress = Progress(len(jobs), "games")
    with UntilCtrlC() as until:
        for result in do_all(play, jobs, arguments.workers):
            tally.results.append(result)
            job = result.job
            progress.show(len(tally.results), f"{job.player} against {job.opponent} on {job.game}")
    progress.end()

    kept = all(verdict_on(tally.of(player=player)).is_kept for player in players)
    if arguments.json:
        print_json(
            {"games": [one.to_dict() for one in tally.results], "as_asked": kept, "interrupted": until.interrupted}
        )
    else:
        print_report(tally)
    if until.interrupted:
        print("interrupted: not all games were played", file=sys.stderr)
        return INTERRUPTED
    return KEPT if kept else BROKEN


if __name__ == "__main__":
    sys.exit(main())
