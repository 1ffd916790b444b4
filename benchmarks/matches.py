"""What the scripts about players share: whole games, seeds, arguments, a progress line and tables."""

import argparse
import json
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self, TypeVar

from inarow import PLAYERS, Board, Choice, Game, InarowError, Limit, Player, Seat, ask, make_player, parse_game

Value = TypeVar("Value")
Job = TypeVar("Job")
Result = TypeVar("Result")

KEPT, BROKEN, INTERRUPTED = 0, 1, 130
"""Exit statuses: what was asked for holds, does not hold, or Ctrl-C came first."""


@dataclass(frozen=True)
class PlayedGame:
    """A game at its end: by the rules, or because the player to move gave no legal move."""

    board: Board
    forfeit: str | None = None

    @property
    def winner(self) -> Seat | None:
        if self.forfeit is not None:
            return self.board.turn.other
        assert self.board.outcome is not None
        return self.board.outcome.winner


def play_game(
    game: Game,
    players: Sequence[Player],
    limit: Limit,
    on_turn: Callable[[Seat, Choice], bool] | None = None,
) -> PlayedGame | None:
    """A whole game, the first seat's player first. None when `on_turn`, which hears of each move, said True: enough."""
    board = Board(game)
    for seat, player in zip(Seat, players, strict=True):
        player.start(game, seat, limit)
    while not board.is_over:
        seat = board.turn
        try:
            choice = ask(players[seat], board, limit)
        except Exception as error:  # noqa: BLE001 - whatever a player raises, it forfeits the game and is reported
            return PlayedGame(board, f"{type(error).__name__}: {error}")
        board.push(choice.move)
        if on_turn is not None and on_turn(seat, choice):
            return None
    return PlayedGame(board)


def in_seats(player: Player, opponent: Player, seat: Seat) -> list[Player]:
    """The two in the order of their seats, the player in `seat`."""
    return [player, opponent] if seat is Seat.FIRST else [opponent, player]


def seeded(spec: str, seed: int) -> str:
    """The spec with this seed, if the player takes one and the spec does not say which.

    >>> seeded("random", 7), seeded("random:seed=1", 7), seeded("telos", 7)
    ('random:seed=7', 'random:seed=1', 'telos')
    """
    name, _, options = spec.partition(":")
    takes_seed = any(info.name == name and any(one.name == "seed" for one in info.options) for info in PLAYERS)
    if not takes_seed or "seed=" in options:
        return spec
    return f"{name}:" + ",".join(filter(None, (options, f"seed={seed}")))


# --- arguments ---


def argument(parse: Callable[[str], Value]) -> Callable[[str], Value]:
    """`parse` for argparse, which then shows what inarow says about a bad value."""

    def parsed(text: str) -> Value:
        try:
            return parse(text)
        except InarowError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parsed


def _spec(text: str) -> str:
    make_player(text).close()
    return text


def _seconds(text: str) -> float:
    limit = Limit(seconds=float(text))
    assert limit.seconds is not None
    return limit.seconds


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {count}")
    return count


game_argument = argument(parse_game)
spec_argument = argument(_spec)
seconds_argument = argument(_seconds)
count_argument = argument(_count)


def make_parser(description: str | None, example: str) -> argparse.ArgumentParser:
    """A parser with `--json`, whose help shows the module's docstring as it is written and an example."""
    parser = argparse.ArgumentParser(
        description=description, epilog=f"example: {example}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print JSON for a script to read")
    return parser


# --- Ctrl-C ---


class UntilCtrlC:
    """A block that Ctrl-C leaves; `interrupted` tells. Later ones are ignored, so that the report gets printed."""

    interrupted = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        ignore_ctrl_c()
        self.interrupted = kind is KeyboardInterrupt
        return self.interrupted


def ignore_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# --- work in processes ---


def do_all(work: Callable[[Job], Result], jobs: Sequence[Job], workers: int) -> Iterator[Result]:
    """The results in the order in which they come. Ctrl-C is this process's business, not the workers'."""
    if workers == 1:
        yield from map(work, jobs)
        return
    with ProcessPoolExecutor(workers, initializer=ignore_ctrl_c) as executor:
        try:
            for future in as_completed([executor.submit(work, job) for job in jobs]):
                yield future.result()
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()  # what they are at would take a while
            raise


# --- what is printed ---


@dataclass
class Progress:
    """A line on stderr that says how far the work is: rewritten on a terminal, a new one now and then elsewhere."""

    total: int
    unit: str
    begin: float = field(default_factory=time.monotonic)
    shown: float = float("-inf")
    width: int = 0

    def show(self, done: int, what: str) -> None:
        now = time.monotonic()
        is_terminal = sys.stderr.isatty()
        if now - self.shown < (0.2 if is_terminal else 20):
            return
        self.shown = now
        used = now - self.begin
        left = f", about {_clock(used / done * (self.total - done))} left" if done and used > 1 else ""
        line = f"{done}/{self.total} {self.unit}, {_clock(used)}{left}: {what}"
        print("\r" + line.ljust(self.width) if is_terminal else line, end="" if is_terminal else "\n", file=sys.stderr)
        sys.stderr.flush()
        self.width = len(line)

    def end(self) -> None:
        """Takes the line away."""
        if sys.stderr.isatty() and self.width:
            print("\r" + " " * self.width + "\r", end="", file=sys.stderr, flush=True)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns as wide as they must be; the first is flush left, the others right."""
    widths = [max(len(row[i]) for row in (headings, *rows)) for i in range(len(headings))]
    for row in (headings, *rows):
        cells = (
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join(cells).rstrip())


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False))
