"""Do the players keep their time limits while other processes keep the cores busy?

Each player plays seeded games against quasi_random, in alternating seats, at every limit on every board. Only its own
moves count, by the wall clock around choose(); start() does not count. A move is late when it took longer than the
limit. Allowed is one late move in a thousand for each player, none by more than 20 ms. Of a late move it is told how
long it had a processor: a player that had one for less than its limit was held up by the machine.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from benchmarks.matches import (
    BROKEN,
    INTERRUPTED,
    KEPT,
    Progress,
    UntilCtrlC,
    count_argument,
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
from inarow import PLAYERS, Board, Choice, Game, Limit, Move, Player, Seat, format_position, make_player, parse_game

EXAMPLE = "python -m benchmarks.timing --players telos markcello --limits 0.05 0.2 --boards 10x10x5 6x7x4g --moves 50"
LIMITS = (0.05, 0.2, 1.0)
BOARDS = tuple(map(parse_game, ["3x3x3", "10x10x5", "15x15x5", "50x50x10", "70x70x10", "6x7x4g", "50x50x10g"]))
MOVES = 200
QUICK_MOVES = 15
OPPONENT = "quasi_random"
ALLOWED_LATE_SHARE = 1 / 1000
ALLOWED_LATENESS = 0.020

# Ends by itself when the script that started it is gone, however it went.
BUSY_CODE = """
import os, sys
while os.getppid() == int(sys.argv[1]):
    for _ in range(100_000):
        pass
"""


@dataclass(frozen=True)
class Combination:
    """What is measured together."""

    player: str
    seconds: float
    game: Game

    def __str__(self) -> str:
        return f"{self.player} on {self.game} at {1000 * self.seconds:g} ms"


@dataclass
class Measured:
    """The moves of a combination: the seconds that each took, by the clock and of a processor's time.

    And the games that the player could not go on with.
    """

    combination: Combination
    seconds: list[float] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)
    forfeits: list[str] = field(default_factory=list)

    @property
    def late(self) -> int:
        return sum(used > self.combination.seconds for used in self.seconds)

    @property
    def late_moves(self) -> list[tuple[float, float]]:
        """The seconds of each late move, by the clock and of a processor's time."""
        both = zip(self.seconds, self.cpu_seconds, strict=True)
        return [(used, cpu) for used, cpu in both if used > self.combination.seconds]

    @property
    def worst_ratio(self) -> float:
        return max(self.seconds, default=0.0) / self.combination.seconds

    @property
    def worst_lateness(self) -> float:
        """How long after the limit the slowest move came; negative when it came before."""
        return max(self.seconds, default=0.0) - self.combination.seconds


class CpuTimed(Player):
    """A player whose turns are timed by the processor's time of this process; the last one's is in `cpu_seconds`."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.cpu_seconds = 0.0

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        self._player.start(game, seat, limit)

    def choose(self, board: Board, limit: Limit) -> Choice | Move:
        begin = time.process_time()
        choice = self._player.choose(board, limit)
        self.cpu_seconds = time.process_time() - begin
        return choice

    def close(self) -> None:
        self._player.close()


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """While this lasts, so many processes keep a core busy each."""
    command = [sys.executable, "-c", BUSY_CODE, str(os.getpid())]
    processes = [subprocess.Popen(command, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def measure(measured: Measured, moves: int, progress: Progress, done: int) -> None:
    """Plays games until the player has made so many moves, and notes how long each took."""
    combination = measured.combination
    player = CpuTimed(make_player(seeded(combination.player, 1)))
    limit = Limit(seconds=combination.seconds)
    number = 0
    while len(measured.seconds) < moves:
        seat = Seat(number % 2)
        opponent = make_player(seeded(OPPONENT, number))

        def note(mover: Seat, choice: Choice, seat: Seat = seat) -> bool:
            if mover is seat:
                measured.seconds.append(choice.seconds)
                measured.cpu_seconds.append(player.cpu_seconds)
                progress.show(done + len(measured.seconds), str(combination))
            return len(measured.seconds) >= moves

        played = play_game(combination.game, in_seats(player, opponent, seat), limit, note)
        if played is not None and played.forfeit is not None:
            measured.forfeits.append(f"{format_position(played.board)} {played.forfeit}")
            break
        number += 1
    player.close()


def keeps_allowance(all_measured: Sequence[Measured]) -> bool:
    """Whether one player's moves, and nothing else than moves, came in time."""
    moves = sum(len(one.seconds) for one in all_measured)
    late = sum(one.late for one in all_measured)
    return (
        late <= moves * ALLOWED_LATE_SHARE
        and all(one.worst_lateness <= ALLOWED_LATENESS for one in all_measured)
        and not any(one.forfeits for one in all_measured)
    )


def by_player(all_measured: Sequence[Measured]) -> dict[str, list[Measured]]:
    players: dict[str, list[Measured]] = {}
    for one in all_measured:
        if one.seconds or one.forfeits:
            players.setdefault(one.combination.player, []).append(one)
    return players


def print_report(all_measured: Sequence[Measured]) -> None:
    rows = []
    for player, ones in by_player(all_measured).items():
        worst = max(ones, key=lambda one: one.worst_ratio)
        rows.append(
            (
                player,
                str(sum(len(one.seconds) for one in ones)),
                str(sum(one.late for one in ones)),
                f"{1000 * max(0.0, *(one.worst_lateness for one in ones)):.1f} ms",
                f"{worst.worst_ratio:.3f}",
                f"{worst.combination.game} at {1000 * worst.combination.seconds:g} ms",
                "yes" if keeps_allowance(ones) else "NO",
            )
        )
    print_table(("player", "moves", "late", "worst lateness", "worst used/limit", "where", "in time"), rows)
    for one in all_measured:
        for used, cpu in one.late_moves:
            print(f"{one.combination}: {1000 * used:.1f} ms, of which {1000 * cpu:.1f} ms on a processor")
        for forfeit in one.forfeits:
            print(f"{one.combination}: forfeit in {forfeit}")


def report_dict(one: Measured) -> dict[str, object]:
    return {
        "player": one.combination.player,
        "board": str(one.combination.game),
        "limit": one.combination.seconds,
        "moves": len(one.seconds),
        "late": one.late,
        "late_moves": [{"seconds": used, "cpu_seconds": cpu} for used, cpu in one.late_moves],
        "worst_seconds": max(one.seconds, default=None),
        "worst_ratio": one.worst_ratio,
        "forfeits": one.forfeits,
    }


def main() -> int:
    parser = make_parser(__doc__, EXAMPLE)
    names = [info.name for info in PLAYERS]
    parser.add_argument(
        "--players", nargs="+", metavar="SPEC", type=spec_argument, default=names, help="all, unless said"
    )
    parser.add_argument("--limits", nargs="+", metavar="SECONDS", type=seconds_argument, default=LIMITS)
    parser.add_argument("--boards", nargs="+", metavar="MxNxK[g]", type=game_argument, default=BOARDS)
    parser.add_argument(
        "--moves", type=count_argument, default=MOVES, help=f"of each combination; {MOVES}, unless said"
    )
    parser.add_argument("--quick", action="store_true", help=f"a small sample: {QUICK_MOVES} moves of each combination")
    parser.add_argument("--load", type=int, default=1, metavar="N", help="busy processes beside; 1, unless said")
    arguments = parser.parse_args()
    moves = QUICK_MOVES if arguments.quick else arguments.moves

    all_measured = [
        Measured(Combination(player, seconds, game))
        for player in arguments.players
        for seconds in arguments.limits
        for game in arguments.boards
    ]
    progress = Progress(moves * len(all_measured), "moves")
    with UntilCtrlC() as until, busy_processes(arguments.load):
        for i, one in enumerate(all_measured):
            measure(one, moves, progress, i * moves)
    progress.end()

    kept = all(keeps_allowance(ones) for ones in by_player(all_measured).values())
    if arguments.json:
        results = [report_dict(one) for one in all_measured if one.seconds or one.forfeits]
        print_json({"results": results, "in_time": kept, "interrupted": until.interrupted, "load": arguments.load})
    else:
        print_report(all_measured)
    if until.interrupted:
        print("interrupted: not all moves were measured", file=sys.stderr)
        return INTERRUPTED
    return KEPT if kept else BROKEN


if __name__ == "__main__":
    sys.exit(main())
