"""Records in the formats of other programs: PSQ (Gomocup's Piskvork) in and out, PGN out; SGF is in sgf.py.

PSQ counts cells as x,y from 1, x being the column; it knows neither k nor gravity. An example, with the players behind
the moves and a code for the end behind the players (-1: nothing went wrong; inarow writes it for forfeited games too,
whose loser PSQ cannot name):

    Piskvorky 20x20, 11:11, 0
    10,10,0
    11,11,312
    first player
    second player
    -1

The last number of the head tells which of the two named players moved first: 0 or 1.
"""

import re
import textwrap

from inarow.errors import FormatError
from inarow.game.notation import format_move, play_moves
from inarow.game.record import Record
from inarow.game.rules import Game, Move, Outcome, Reason, Seat

_PSQ_HEAD = re.compile(r"Piskvorky (\d{1,9})x(\d{1,9}),\s*\d+:\d+,\s*([01])", re.ASCII)
_PSQ_MOVE = re.compile(r"(\d{1,9}),(\d{1,9})(?:,(\d{1,12}))?", re.ASCII)
_NUMBERS = re.compile(r"-?\d+(,.*)?")


def to_psq(record: Record) -> str:
    """FormatError for a game with gravity, which PSQ cannot hold."""
    if record.game.gravity:
        raise FormatError("PSQ has no gravity")
    seconds = record.seconds or (0.0,) * len(record.moves)
    lines = [f"Piskvorky {record.game.columns}x{record.game.rows}, 11:11, 0"]
    for move, used in zip(record.moves, seconds, strict=True):
        assert not isinstance(move, int)
        lines.append(f"{move[1] + 1},{move[0] + 1},{round(used * 1000)}")
    names = [_one_line(name) for name in record.players]
    names = [f"player {name}" if _NUMBERS.fullmatch(name) else name for name in names]  # or it would be read as a move
    return "\n".join([*lines, *names, "-1", ""])


def from_psq(text: str, k: int = 5) -> Record:
    """Reads a game of `k` in a row; FormatError says which line is wrong."""
    lines = [line.strip() for line in text.splitlines()]
    head = _PSQ_HEAD.match(lines[0]) if lines else None
    if head is None:
        raise FormatError("a PSQ file begins with 'Piskvorky COLUMNSxROWS, 11:11, 0'")
    game = Game(rows=int(head[2]), columns=int(head[1]), k=k)
    moves: list[Move] = []
    seconds: list[float] = []
    rest = iter(lines[1:])
    names: list[str] = []
    for line in rest:
        match = _PSQ_MOVE.fullmatch(line)
        if match is None:
            names = [line, *rest]
            break
        moves.append((int(match[2]) - 1, int(match[1]) - 1))
        seconds.append(int(match[3] or 0) / 1000)
    names = [_one_line(name) for name in names if name and _NUMBERS.fullmatch(name) is None][:2]
    if len(names) < 2:
        names = ["first", "second"]
    elif head[3] == "1":
        names.reverse()
    board = play_moves(game, moves)
    return Record(game, (names[0], names[1]), board.moves, board.outcome, tuple(seconds))


def to_pgn(record: Record) -> str:
    """The tags that rating tools read, and the moves as a comment, for PGN has none of this game; first is White.

    >>> print(to_pgn(Record(Game(3, 3, 3), ("a", "b"), ((1, 1), (0, 0)))))
    [Event "inarow"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "a"]
    [Black "b"]
    [Result "*"]
    [Board "3x3x3"]
    [Termination "unterminated"]
    <BLANKLINE>
    {b2 a1}
    *
    <BLANKLINE>
    """
    result, termination = _pgn_end(record.outcome)
    tags = {
        "Event": "inarow",
        "Site": "?",
        "Date": record.date[:10].replace("-", ".") or "????.??.??",
        "Round": "?",
        "White": record.players[0],
        "Black": record.players[1],
        "Result": result,
        "Board": str(record.game),
        "Termination": termination,
    }
    lines = [f'[{name} "{_pgn_text(value)}"]' for name, value in tags.items()]
    comment = "{" + " ".join(format_move(move) for move in record.moves) + "}"
    return "\n".join([*lines, "", textwrap.fill(comment, width=79), result, ""])


def _pgn_end(outcome: Outcome | None) -> tuple[str, str]:
    """The values of the tags Result and Termination."""
    if outcome is None:
        return "*", "unterminated"
    result = {None: "1/2-1/2", Seat.FIRST: "1-0", Seat.SECOND: "0-1"}[outcome.winner]
    if outcome.reason is not Reason.FORFEIT:
        return result, "normal"
    return result, f"forfeit: {outcome.detail}" if outcome.detail else "forfeit"


def _pgn_text(text: str) -> str:
    """What can stand between quotes."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return re.sub(r'([\\"])', r"\\\1", _one_line(printable))


def _one_line(name: str) -> str:
    return " ".join(name.split()) or "?"
