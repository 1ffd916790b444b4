"""One finished or broken-off game, as one line of JSON. docs/formats.md describes each field."""

import json
import math
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any

from inarow._version import __version__
from inarow.errors import FormatError, InarowError
from inarow.game.board import Board
from inarow.game.limit import Limit
from inarow.game.notation import format_position, parse_position, play_moves
from inarow.game.rules import Game, Move, Outcome, Reason, Seat

FORMAT = "inarow-record-1"


@dataclass(frozen=True)
class Record:
    """A game that was played.

    `players` are the names in the order of the seats; `seconds` the time each move took, or empty when it is not known;
    the first `opening` moves were given, not chosen; `outcome` is None for a game that was broken off. `notes` is what
    the players said: each line with the number of moves that were on the board.
    """

    game: Game
    players: tuple[str, str]
    moves: tuple[Move, ...]
    outcome: Outcome | None = None
    seconds: tuple[float, ...] = ()
    limit: Limit = field(default_factory=Limit)
    date: str = ""
    version: str = __version__
    opening: int = 0
    notes: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        """Times are kept to the microsecond, as they are written. FormatError for what could not be written."""
        if not all(math.isfinite(seconds) for seconds in self.seconds):
            raise FormatError("the time of a move is a number")
        object.__setattr__(self, "seconds", tuple(round(seconds, 6) for seconds in self.seconds))
        detail = self.outcome.detail if self.outcome else ""
        for text in (*self.players, self.date, self.version, detail, *(text for _, text in self.notes)):
            try:
                text.encode()
            except UnicodeEncodeError:
                raise FormatError(f"{text!a} is not a text that can be written") from None

    @classmethod
    def of(
        cls, board: Board, players: tuple[str, str], seconds: tuple[float, ...] = (), limit: Limit | None = None
    ) -> "Record":
        """The record of what is on a board, dated now."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(board.game, players, board.moves, board.outcome, seconds, limit or Limit(), now)

    def board(self) -> Board:
        """The board at the end of the game."""
        return play_moves(self.game, self.moves)

    def to_json(self) -> str:
        """One line, without its end."""
        entries: dict[str, Any] = {
            "format": FORMAT,
            "position": format_position(self.board()),
            "players": list(self.players),
            "outcome": _outcome_fields(self.outcome),
        }
        if self.opening:
            entries["opening"] = self.opening
        if self.seconds:
            entries["seconds"] = list(self.seconds)
        if limit := self.limit.to_dict():
            entries["limit"] = limit
        if self.notes:
            entries["notes"] = [list(note) for note in self.notes]
        if self.date:
            entries["date"] = self.date
        entries["version"] = self.version
        return json.dumps(entries, ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> "Record":
        """The inverse of to_json. FormatError when the line is no record or contradicts itself."""
        try:
            entries = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"a record is one line of JSON: {error}") from None
        if not isinstance(entries, dict) or entries.get("format") != FORMAT:
            raise FormatError(f"a record says format {FORMAT!r}")
        players = entries.get("players")
        if not isinstance(players, list) or len(players) != 2 or not all(isinstance(name, str) for name in players):
            raise FormatError("a record names two players")
        board = parse_position(_text(entries, "position"))
        return cls(
            game=board.game,
            players=(players[0], players[1]),
            moves=board.moves,
            outcome=_checked_outcome(board, entries.get("outcome")),
            seconds=_checked_seconds(board, entries.get("seconds", [])),
            limit=_checked_limit(entries.get("limit", {})),
            date=_text(entries, "date", ""),
            version=_text(entries, "version", ""),
            opening=_checked_opening(board, entries.get("opening", 0)),
            notes=_checked_notes(board, entries.get("notes", [])),
        )


def _text(entries: dict[str, Any], name: str, default: str | None = None) -> str:
    value = entries.get(name, default)
    if not isinstance(value, str):
        raise FormatError(f"a record's {name} is a text, not {value!r}")
    return value


def _outcome_fields(outcome: Outcome | None) -> dict[str, str | None] | None:
    if outcome is None:
        return None
    entries = {"winner": None if outcome.winner is None else str(outcome.winner), "reason": outcome.reason.value}
    if outcome.detail:
        entries["detail"] = outcome.detail
    return entries


def _checked_outcome(board: Board, claimed: Any) -> Outcome | None:
    """The board's own outcome, which the record must not contradict; a game that is not over may be forfeited."""
    true = board.outcome
    if true is None and isinstance(claimed, dict) and claimed.get("reason") == Reason.FORFEIT.value:
        winner = next((seat for seat in Seat if str(seat) == claimed.get("winner")), None)
        if winner is None:
            raise FormatError("a forfeited game has a winner")
        return Outcome(winner, Reason.FORFEIT, detail=_text(claimed, "detail", ""))
    expected = _outcome_fields(true)
    if claimed != expected:
        raise FormatError(f"the record's outcome is {claimed!r}, its moves say {expected!r}")
    return true


def _checked_seconds(board: Board, seconds: Any) -> tuple[float, ...]:
    if not isinstance(seconds, list) or not all(type(value) in (int, float) and 0 <= value < 1e9 for value in seconds):
        raise FormatError("a record's seconds are a list of numbers")
    if seconds and len(seconds) != board.ply:
        raise FormatError(f"a record has one time a move: {board.ply} moves, {len(seconds)} times")
    return tuple(float(value) for value in seconds)


def _checked_opening(board: Board, opening: Any) -> int:
    if type(opening) is not int or not 0 <= opening <= board.ply:
        raise FormatError(f"a record's opening is a number of moves, at most {board.ply}, not {opening!r}")
    return opening


def _checked_notes(board: Board, notes: Any) -> tuple[tuple[int, str], ...]:
    if not isinstance(notes, list):
        raise FormatError("a record's notes are a list")
    checked = []
    for note in notes:
        match note:
            case [int(ply), str(text)] if type(ply) is int and 0 <= ply <= board.ply:
                checked.append((ply, text))
            case _:
                raise FormatError(f"a note is a number of moves, at most {board.ply}, and a text, not {note!r}")
    return tuple(checked)


def _checked_limit(limit: Any) -> Limit:
    names = [field.name for field in fields(Limit)]
    if not isinstance(limit, dict) or not set(limit) <= set(names):
        raise FormatError(f"a record's limit has {', '.join(names)}, not {str(limit)!r}")
    try:
        return Limit(**limit)
    except (OverflowError, InarowError) as error:
        raise FormatError(f"a record's limit cannot be read: {error}") from None
