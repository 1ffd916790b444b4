"""What is to be played: the referee's rules, a game, a tournament, and the course's points."""

from dataclasses import dataclass, field
from enum import Enum

from inarow.errors import SpecError
from inarow.game import Game, Limit, Move, Outcome, Reason, Seat, parse_game

MAX_SECONDS = 10**6
MEBIBYTE = 2**20
UNDER = "under:"


@dataclass(frozen=True)
class RefereeRules:
    """How strict the referee is.

    tolerance      seconds that a move may take beyond its limit before the game is forfeited
    start_seconds  what starting a player's process, and each of its games, may take beyond the limit of a move
    memory_bytes   what a player and all it has started may have in memory; None: as much as there is
    freeze         stop a player's processes while it is not its turn
    in_process     play in the referee's own process: faster, but a player that hangs or crashes takes the referee along
    sandbox        players that were entered with what they may read run in bubblewrap; the user's own do not
    """

    tolerance: float = 0.05
    start_seconds: float = 10.0
    memory_bytes: int | None = None
    freeze: bool = False
    in_process: bool = False
    sandbox: bool = False

    def __post_init__(self) -> None:
        for name in ("tolerance", "start_seconds"):
            seconds = getattr(self, name)
            if not 0 <= seconds < MAX_SECONDS:
                raise SpecError(f"{name} is a number of seconds from 0 on, not {seconds}")
        if self.memory_bytes is not None and self.memory_bytes < 1:
            raise SpecError(f"memory_bytes is at least 1, not {self.memory_bytes}")


@dataclass(frozen=True)
class GameJob:
    """One game that is to be played. `key` tells it apart from all others of its tournament.

    `players` are the specs in the order of the seats; `opening` the moves that are already on the board.
    """

    key: str
    game: Game
    players: tuple[str, str]
    limit: Limit
    opening: tuple[Move, ...] = ()


def installation_of(spec: str) -> tuple[str | None, str]:
    """The Python that a player runs under, None for this one, and the spec by which that one knows it.

    In the arena `under:PYTHON:SPEC` is a player of another installation of inarow, an older one for instance.

    >>> installation_of("under:build/base/bin/python:engine:threads=2")
    ('build/base/bin/python', 'engine:threads=2')
    >>> installation_of("engine")
    (None, 'engine')
    """
    if not spec.startswith(UNDER):
        return None, spec
    python, _, there = spec.removeprefix(UNDER).partition(":")
    if not python or not there:
        raise SpecError(f"a player of another installation is written {UNDER}PYTHON:SPEC, not {spec!r}")
    return python, there


@dataclass(frozen=True)
class Entry:
    """A player that appears under a name of its own, in standings and records; its spec says how to make it.

    `reads` are the files and folders that it can read in a sandbox.
    """

    name: str
    spec: str
    reads: tuple[str, ...] = ()


class Style(Enum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"  # everybody everybody
    GAUNTLET = "gauntlet"  # the first player everybody else
    SWISS = "swiss"  # round by round, whoever has about as many points


@dataclass(frozen=True)
class Tournament:
    """A whole tournament. Two that are equal have the same games under the same keys.

    players   specs, or the names of entries
    rounds    how often two players meet on each board, each time in both seats from the same opening; in a Swiss
              tournament the number of rounds, in each of which a player has one opponent, on all boards
    openings  "" (the empty board), "random:P" (P random plies, the same for both seats), or positions' moves as texts,
              which are used one after the other
    entries   who stands behind those of the players that are names
    """

    players: tuple[str, ...]
    games: tuple[Game, ...]
    limit: Limit
    style: Style = Style.ROUND_ROBIN
    rounds: int = 1
    openings: str | tuple[str, ...] = ""
    seed: int = 1
    rules: RefereeRules = field(default_factory=RefereeRules)
    entries: tuple[Entry, ...] = ()

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise SpecError("a tournament needs two players or more")
        for player in self.players:
            if self.players.count(player) > 1:
                raise SpecError(f"{player} is named twice; give one of them an option, a seed for instance")
        if unknown := [entry.name for entry in self.entries if entry.name not in self.players]:
            raise SpecError(f"{unknown[0]} is entered, and not among the players")
        if not self.games:
            raise SpecError("a tournament needs a board")
        if self.rounds < 1:
            raise SpecError(f"a tournament has at least one round, not {self.rounds}")


def course_points(game: Game, outcome: Outcome) -> tuple[int, int]:
    """What the course gives the two seats for a game.

    Without gravity a win is worth 2 as first and 3 as second, 2 by forfeit; with gravity 3. A draw is 1 for each.
    """
    if outcome.winner is None:
        return 1, 1
    if game.gravity:
        won = 3
    elif outcome.reason is Reason.FORFEIT or outcome.winner is Seat.FIRST:
        won = 2
    else:
        won = 3
    return (won, 0) if outcome.winner is Seat.FIRST else (0, won)


def plain_points(outcome: Outcome) -> tuple[float, float]:
    """1 for a win, a half for a draw."""
    if outcome.winner is None:
        return 0.5, 0.5
    return (1.0, 0.0) if outcome.winner is Seat.FIRST else (0.0, 1.0)


def _games(*texts: str) -> tuple[Game, ...]:
    return tuple(parse_game(text) for text in texts)


COURSE_MNK_2022 = _games(
    *("3x3x3", "4x3x3", "4x4x3", "4x4x4", "5x4x4", "5x5x4", "5x5x5", "6x4x4", "6x5x4", "6x6x4", "6x6x5", "6x6x6"),
    *("7x4x4", "7x5x4", "7x6x4", "7x7x4", "7x5x5", "7x6x5", "7x7x5", "7x7x6", "7x7x7", "8x8x4", "10x10x5"),
    *("50x50x10", "70x70x10"),
)
COURSE_CONNECTX_2023 = (
    *(Game(rows, columns, 4, gravity=True) for rows in range(4, 8) for columns in range(4, 8)),
    *(Game(rows, columns, 5, gravity=True) for rows in range(4, 8) for columns in range(4, 8) if rows + columns > 8),
    *(Game(side, side, 10, gravity=True) for side in (20, 30, 40, 50)),
)
QUICK = _games("4x4x3", "6x6x4", "6x7x4g", "10x10x5")
PRESETS = {"course-mnk-2022": COURSE_MNK_2022, "course-connectx-2023": COURSE_CONNECTX_2023, "quick": QUICK}


def parse_boards(text: str) -> tuple[Game, ...]:
    """The boards of a file: one a line, as 6x7x4g or "6 7 4 g"; # begins a comment. SpecError names a bad line."""
    games = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            games.append(parse_game("x".join(words[:3]) + "".join(words[3:])))
        except ValueError as error:
            raise SpecError(f"line {number} of the boards: {error}") from None
    return tuple(games)
