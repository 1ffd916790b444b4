"""What `match`, `tournament`, `sprt`, `tune` and `demo` share: their options, the crew, the live view."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from inarow.adapters.resolve import RESOLVER, resolve
from inarow.arena.openings import BALANCED, balanced_openings, read_openings
from inarow.arena.process import move_seconds
from inarow.arena.run import GameStore, play_tournament
from inarow.arena.schedule import RANDOM, number_of_games, schedule
from inarow.arena.spec import MEBIBYTE, GameJob, RefereeRules, Tournament, installation_of
from inarow.arena.standings import Standing, standings
from inarow.errors import SpecError
from inarow.executors import ClusterCrew, LocalCrew
from inarow.game import Game, Limit, Record

INTERRUPTED = 130
SANDBOX_MEMORY = 1024  # MiB
SHOWN_PLAYERS = 20
VIEW_COST = 50  # so many times as long as it takes to count the standings they stay as they are

Seconds = Annotated[
    float | None, typer.Option("--time", "-t", metavar="S", help="Seconds for a move; 1 unless another limit is given.")
]
Nodes = Annotated[int | None, typer.Option("--nodes", metavar="N", help="Positions to look at for a move.")]
Depth = Annotated[int | None, typer.Option("--depth", metavar="D", help="Plies to look ahead.")]
Clock = Annotated[float | None, typer.Option(metavar="S", help="Seconds a player has for all its moves of a game.")]
Increment = Annotated[float | None, typer.Option(metavar="S", help="With --clock: seconds that each move adds to it.")]
Openings = Annotated[
    str,
    typer.Option(
        metavar="FILE|balanced|random:PLIES",
        help="What both seats begin from: a file with the moves of an opening a line, the balanced ones that come "
        "with inarow for the board, or so many random plies.",
    ),
]
Workers = Annotated[int, typer.Option("--workers", "-w", metavar="W", min=1, help="Games played at the same time.")]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on a dask cluster: its scheduler's address, or local for one here."),
]
Seed = Annotated[int, typer.Option(metavar="N", help="For random openings.")]
Tolerance = Annotated[
    float, typer.Option(metavar="S", min=0, help="Seconds that a move may be late before the game is forfeited.")
]
StartSeconds = Annotated[
    float, typer.Option("--start", metavar="S", min=0, help="Seconds that a player may take to start, beside a move's.")
]
Memory = Annotated[int | None, typer.Option(metavar="MIB", min=1, help="MiB of memory that a player may have.")]
Freeze = Annotated[bool, typer.Option("--freeze", help="Stop a player's processes while it is not its turn.")]
InProcess = Annotated[
    bool, typer.Option("--in-process", help="Players share the referee's process: faster, for players you trust.")
]


Sandbox = Annotated[
    bool,
    typer.Option("--sandbox", help="In bubblewrap: no network, no files but its own, limits of memory and processes."),
]


def rules_from(
    tolerance: float, start_seconds: float, memory: int | None, freeze: bool, in_process: bool, sandbox: bool = False
) -> RefereeRules:
    """A sandbox has a limit of memory, whether one is given or not."""
    if memory is None and sandbox:
        memory = SANDBOX_MEMORY
    return RefereeRules(tolerance, start_seconds, memory * MEBIBYTE if memory else None, freeze, in_process, sandbox)


def openings_from(openings: str, games: Sequence[Game]) -> str | tuple[str, ...]:
    """What --openings means: random:PLIES as it is, the balanced ones of the only board, or the lines of a file."""
    if not openings or openings.startswith(RANDOM):
        return openings
    if openings == BALANCED:
        if len(games) != 1:
            raise SpecError(f"{BALANCED} openings are those of one board; here are {len(games)}")
        return balanced_openings(games[0])
    return read_openings(Path(openings))


def rounds_from(games: int, limit: Limit, openings: str | tuple[str, ...]) -> int:
    """How many pairs of games a test has at most: without a clock the same opening would be the same games again."""
    pairs = (games + 1) // 2
    if move_seconds(limit) is None and isinstance(openings, tuple) and len(openings) < pairs:
        say(f"{len(openings)} openings, and no clock: at most {2 * len(openings)} games, none played twice")
        return len(openings)
    return pairs


def check(tournament: Tournament) -> None:
    """SpecError for a player that cannot be made, FormatError for an opening that cannot be read."""
    names = {entry.name for entry in tournament.entries}
    for player in tournament.players:
        if player not in names:
            check_spec(player, tournament.rules.in_process)
    schedule(tournament, {})


def check_spec(spec: str, in_process: bool = False) -> None:
    """SpecError for a player that cannot be made.

    A file of Python is loaded by the player's own process first: whatever it does there is its own fault.
    """
    python, there = installation_of(spec)
    if python is not None:
        if in_process:
            raise SpecError(f"{spec} cannot play in the referee's process, which is another installation's")
        _check_elsewhere(python, there)
    elif spec.startswith(("python:", "kaggle:")):
        file = spec.split(":")[1]
        if not Path(file).is_file():
            raise SpecError(f"there is no file {file}")
    else:
        resolve(spec).close()


def _check_elsewhere(python: str, spec: str) -> None:
    """SpecError when another installation's Python cannot make a player."""
    code = "import sys; from inarow.players import make_player; make_player(sys.argv[1]).close()"
    try:
        done = subprocess.run([python, "-I", "-c", code, spec], capture_output=True, text=True, check=False)
    except OSError as error:
        raise SpecError(f"{python} cannot be started: {error.strerror}") from None
    if done.returncode != 0:
        last_line = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        raise SpecError(f"{python} cannot make {spec}: {last_line}")


def play_all(
    tournament: Tournament,
    store: GameStore,
    games: Callable[[], Iterable[tuple[str, Record]]],
    workers: int,
    cluster: str | None = None,
    until: Callable[[GameJob, Record], bool] = lambda job, record: False,
    at_most: int | None = None,
) -> bool:
    """Plays what is missing, with a live view on stderr; False when Ctrl-C ended it. `until` may end it early."""
    total = number_of_games(tournament) if at_most is None else at_most
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    progress = Progress(*columns, TextColumn("left"), TimeRemainingColumn(), console=Console(stderr=True))
    task = progress.add_task("games", total=total, completed=len(store.outcomes()))
    console = Console(stderr=True, highlight=False)
    played: list[tuple[str, Record]] = list(games())
    table, next_look = Table(), 0.0

    def view() -> Group:
        """The standings are counted anew so seldom that it costs next to nothing, however many games there are."""
        nonlocal table, next_look
        begin = time.monotonic()
        if begin >= next_look:
            table = standings_table(standings(tournament, played[:])[:SHOWN_PLAYERS])
            next_look = time.monotonic() + VIEW_COST * (time.monotonic() - begin)
        return Group(table, progress)

    with LocalCrew(workers) if cluster is None else ClusterCrew(cluster, workers) as crew:
        try:
            with Live(console=console, get_renderable=view, refresh_per_second=2, transient=True):
                for job, record in play_tournament(tournament, store, crew, RESOLVER, at_most):
                    played.append((job.key, record))
                    progress.advance(task)
                    if until(job, record):
                        break
        except KeyboardInterrupt:
            return False
        finally:
            crew.close(at_once=True)  # nobody waits for games that are still being played
    return True


def standings_table(lines: list[Standing]) -> Table:
    """The standings as the course prints them."""
    table = Table(header_style="bold", box=None, caption="won as first, as second, by the other's forfeit (ff)")
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("player", overflow="fold", min_width=12)
    for heading in ("points", "1st", "2nd", "ff", "drawn", "lost", "by ff", "score", "slowest"):
        table.add_column(heading, justify="right", no_wrap=True)
    for line in lines:
        counts = (line.points, line.wins_first, line.wins_second, line.wins_forfeit, line.draws, line.losses)
        slowest = f"{line.time.worst:.2f} s" if line.time is not None else ""
        score = f"{line.score:g}/{line.games}"
        table.add_row(str(line.place), escape(line.player), *map(str, counts), str(line.own_forfeits), score, slowest)
    return table


def say(text: str) -> None:
    print(text, file=sys.stderr)
