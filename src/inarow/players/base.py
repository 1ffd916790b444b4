"""What a player is, and how it is asked for a move."""

import time
import traceback
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from inarow.errors import IllegalChoice, IllegalMove, InarowError, PlayerError
from inarow.game import Board, Game, Limit, Move, Seat


@contextmanager
def _players_fault() -> Iterator[None]:
    """What a player raises is a PlayerError that says what and where; inarow's own errors stay what they are."""
    try:
        yield
    except InarowError:
        raise
    except (Exception, SystemExit) as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        what = " ".join(f"{type(error).__name__}: {text_of(error)}".split())
        raise PlayerError(f"the player raised {what} ({place.filename}, line {place.lineno})") from error


def text_of(error: BaseException) -> str:
    """What an error says; a player's own may fail even at that."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - whatever it is, the player is at fault already
        return "(an error without a text)"


@dataclass(frozen=True)
class Choice:
    """A move and what the player can tell about it.

    `score` is the player's own value of the move, from its own side and in its own units; None when it has none.
    `line` is the play it expects, beginning with the move. `notes` are lines of text that it wants to be kept with the
    game.
    """

    move: Move
    nodes: int = 0
    depth: int = 0
    score: float | None = None
    seconds: float = 0.0
    line: tuple[Move, ...] = ()
    notes: tuple[str, ...] = ()


@runtime_checkable
class Player(Protocol):
    """Chooses moves. Only `choose` must be written; the rest does nothing unless it is.

    A player serves any number of games, one after the other: `start`, then `choose` at each of its turns. It may keep
    what it likes between its turns.
    """

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        """A new game begins, in which the player has this seat; `limit` is what a typical move will have."""
        return

    @abstractmethod
    def choose(self, board: Board, limit: Limit) -> Choice | Move:
        """The move to play. The board is a copy: the player may push and pop on it."""

    def stop(self) -> None:
        """Called from another thread: answer with the best move so far, at once."""
        return

    def close(self) -> None:
        """No more games."""
        return


def begin(player: Player, game: Game, seat: Seat, limit: Limit) -> None:
    """Starts a game for the player. PlayerError when it raises something."""
    with _players_fault():
        player.start(game, seat, limit)


def ask(player: Player, board: Board, limit: Limit) -> Choice:
    """The player's choice, timed and checked. PlayerError when it raises something or the move is not legal."""
    asked_at = time.perf_counter()
    with _players_fault():
        answer = player.choose(board.copy(), limit)
    seconds = time.perf_counter() - asked_at
    choice = answer if isinstance(answer, Choice) else Choice(answer)
    if not isinstance(choice.notes, tuple) or not all(isinstance(note, str) for note in choice.notes):
        raise PlayerError("a player's notes are a tuple of texts", fault="malformed answer")
    try:
        with _players_fault():
            board.copy().push(choice.move)
    except IllegalMove as error:
        raise IllegalChoice(f"illegal move: {error}") from None
    return replace(choice, seconds=seconds)
