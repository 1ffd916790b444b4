"""Plays the engine on random boards at 20 ms a move, and looks whether it crashes, breaks a rule or comes late.

Shapes from 1x1 to 128x128, both placements, any k, from the empty board or from a random position, with one thread
against two, at most MOST_PLIES moves a game. Each player has a process of its own, and time is what the referee
measures: from before the question to after the answer. A busy process beside takes its part of the machine. Allowed is
one late move in a thousand, none by more than 20 ms. A move for whose whole lateness a core of the machine stood still
(witness.py) is told of, and is not the player's. Ctrl-C ends it and shows what was seen.

Game number n of a seed is always the same board and position: --first 17 --games 1 plays one again.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

from benchmarks.matches import (
    BROKEN,
    INTERRUPTED,
    KEPT,
    Progress,
    UntilCtrlC,
    count_argument,
    make_parser,
    print_json,
    seconds_argument,
    spec_argument,
)
from benchmarks.timing import ALLOWED_LATE_SHARE, ALLOWED_LATENESS, busy_processes

from inarow import Board, Game, IllegalMove, Limit, Seat, format_position
from inarow.arena.faults import Fault
from inarow.arena.host import DEFAULT_RESOLVER
from inarow.arena.process import PlayerProcess
from inarow.arena.spec import RefereeRules
from inarow.game.rules import MAX_SIDE
from tests.soak.witness import Witness, witness

EXAMPLE = "python -m tests.soak.engine --games 2000"
SPECS = ("engine:memory=16", "engine:memory=16,threads=2")
SECONDS = 0.02
GAMES = 2000
MOST_PLIES = 40
MOST_STONES = 400  # to begin with: a player that is shown thousands at once takes a while to put them on its own board
RULES = RefereeRules(tolerance=5.0, start_seconds=30.0)  # late moves are counted here, not forfeited
SHOWN_CHARACTERS = 300  # of the position of a fault
SHOWN_LATE = 20


@dataclass
class Timed:
    """The moves of a player: how many, and of those that came late by how many seconds, and where.

    Those `held_up` would have come in time on a machine that had not stood still.
    """

    moves: int = 0
    late: list[tuple[float, str]] = field(default_factory=list)
    held_up: list[tuple[float, str]] = field(default_factory=list)

    @property
    def worst(self) -> float:
        return max((lateness for lateness, _ in self.late), default=0.0)

    @property
    def is_kept(self) -> bool:
        return len(self.late) <= self.moves * ALLOWED_LATE_SHARE and self.worst <= ALLOWED_LATENESS

    def __str__(self) -> str:
        share = 1000 * len(self.late) / max(1, self.moves)
        return (
            f"{self.moves} moves, {len(self.late)} late ({share:.2f} in a thousand), the latest by "
            f"{1000 * self.worst:.1f} ms: {'in time' if self.is_kept else 'NOT in time'}; "
            f"{len(self.held_up)} more late by the machine"
        )


@dataclass
class Seen:
    """What was seen so far."""

    seconds: float
    players: dict[str, Timed]
    games: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def is_kept(self) -> bool:
        return not self.faults and all(timed.is_kept for timed in self.players.values())

    def report(self) -> str:
        late = [
            (lateness, f"{spec} {where}")
            for spec, timed in self.players.items()
            for lateness, where in timed.late + timed.held_up
        ]
        lines = [f"late by {1000 * lateness:.1f} ms: {where}" for lateness, where in sorted(late)[-SHOWN_LATE:]]
        lines += self.faults
        lines += [f"{spec}: {timed}" for spec, timed in self.players.items()]
        verdict = "as promised" if self.is_kept else "NOT as promised"
        lines.append(f"{self.games} games at {1000 * self.seconds:g} ms a move, {len(self.faults)} faults: {verdict}")
        return "\n".join(lines)


def random_game(chance: Random) -> Game:
    """Any shape; small numbers are as likely as large ones."""

    def size(most: int) -> int:
        return min(most, int((most + 1) ** chance.random()))

    rows, columns = size(MAX_SIDE), size(MAX_SIDE)
    return Game(rows, columns, size(min(MAX_SIDE, max(rows, columns) + 1)), chance.random() < 0.5)


def random_board(chance: Random) -> Board:
    """A board of any shape, with nothing on it or with random stones, not yet over."""
    board = Board(random_game(chance))
    moves = board.legal_moves
    if board.game.gravity:
        moves = [column for column in moves for _ in range(board.game.rows)]
    chance.shuffle(moves)
    for move in moves[: min(MOST_STONES, chance.choice((0, 0, len(moves) // 2, len(moves) - 1)))]:
        board.push(move)
        if board.is_over:
            board.pop()
            break
    return board


class Team:
    """The two players, each in its process; one that is dead is started again."""

    def __init__(self) -> None:
        self._players: dict[str, PlayerProcess] = {}

    def player(self, spec: str) -> PlayerProcess:
        if spec not in self._players or not self._players[spec].is_alive:
            self._players[spec] = PlayerProcess(spec, DEFAULT_RESOLVER, RULES)
        return self._players[spec]

    def close(self) -> None:
        for player in self._players.values():
            player.close()


@contextmanager
def team() -> Iterator[Team]:
    players = Team()
    try:
        yield players
    finally:
        players.close()


def waited(pid: int | None) -> float:
    """Seconds that the threads of a process were ready to run and had no processor, as far as they still live."""
    nanoseconds = 0
    for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with suppress(OSError):  # a thread that has just ended
            nanoseconds += int(file.read_text().split()[1])
    return nanoseconds / 1e9


def stolen() -> float:
    """Seconds for which this machine, being a guest, was ready to run and its host did something else."""
    with suppress(OSError, IndexError):
        return int(Path("/proc/stat").read_text().split(maxsplit=9)[8]) / os.sysconf("SC_CLK_TCK")
    return 0.0


def play(number: int, seed: int, players: Team, seen: Seen, watching: Witness) -> None:
    """One game; what happens in it goes into `seen`."""
    chance = Random(f"{seed}/{number}")
    board = random_board(chance)
    specs = list(seen.players)
    if chance.random() < 0.5:
        specs.reverse()
    limit = Limit(seconds=seen.seconds)
    begun_at = board.ply
    try:
        for seat in Seat:
            players.player(specs[seat]).begin(board, seat, limit)
        while not board.is_over and board.ply < begun_at + MOST_PLIES:
            player = players.player(specs[board.turn])
            pids = (player._pid, os.getpid())
            waited_before, stolen_before = [waited(pid) for pid in pids], stolen()
            asked_at = time.perf_counter()
            choice = player.choose(board, limit)
            move, seconds = choice.move, choice.seconds
            timed = seen.players[player.spec]
            timed.moves += 1
            if seconds > seen.seconds:
                lateness, stood_still = seconds - seen.seconds, watching.held_up(asked_at, asked_at + seconds)
                waits = [1000 * (waited(pid) - before) for pid, before in zip(pids, waited_before, strict=True)]
                where = (
                    f"game {number}, {board.game}, ply {board.ply}; ready, but without a processor: "
                    f"{waits[0]:.1f} ms, the referee {waits[1]:.1f} ms, the whole machine "
                    f"{1000 * (stolen() - stolen_before):.0f} ms; a core stood still for {1000 * stood_still:.1f} ms"
                )
                (timed.held_up if stood_still >= lateness else timed.late).append((lateness, where))
            board.push(move)
    except (Fault, IllegalMove) as error:
        where = format_position(board)[:SHOWN_CHARACTERS]
        seen.faults.append(f"game {number}, {specs[board.turn]}: {error}; {where}")
    seen.games += 1


def main() -> int:
    parser = make_parser(__doc__, EXAMPLE)
    parser.add_argument("--games", type=count_argument, default=GAMES, help=f"{GAMES}, unless said")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the number of the first game")
    parser.add_argument("--seconds", type=seconds_argument, default=SECONDS, help=f"a move; {SECONDS}, unless said")
    parser.add_argument("--seed", type=int, default=1, help="1, unless said")
    parser.add_argument("--load", type=int, default=1, metavar="N", help="busy processes beside; 1, unless said")
    parser.add_argument(
        "--players", nargs=2, metavar="SPEC", type=spec_argument, default=SPECS, help=f"{' '.join(SPECS)}, unless said"
    )
    arguments = parser.parse_args()
    seen = Seen(arguments.seconds, {spec: Timed() for spec in arguments.players})
    progress = Progress(arguments.games, "games")
    with UntilCtrlC() as until, busy_processes(arguments.load), witness() as watching, team() as players:
        for number in range(arguments.first, arguments.first + arguments.games):
            play(number, arguments.seed, players, seen, watching)
            late = sum(len(timed.late) + len(timed.held_up) for timed in seen.players.values())
            progress.show(seen.games, f"{late} moves late, {len(seen.faults)} faults")
        stood_still = watching.report()
    progress.end()
    if arguments.json:
        players_seen = {spec: asdict(timed) for spec, timed in seen.players.items()}
        counts = {"games": seen.games, "players": players_seen, "faults": seen.faults, "machine": stood_still}
        print_json({**counts, "as_promised": seen.is_kept, "interrupted": until.interrupted})
    else:
        print(f"{seen.report()}\n{stood_still}")
    if until.interrupted:
        print("interrupted: not all games were played", file=sys.stderr)
        return INTERRUPTED
    return KEPT if seen.is_kept else BROKEN


if __name__ == "__main__":
    sys.exit(main())
