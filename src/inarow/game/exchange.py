"""Records in the formats of other programs: PSQ (Gomocup's Piskvork) in and out, SGF out.

PSQ counts cells as x,y from 1, x being the column; it knows neither k nor gravity. An example, with the players behind
the moves and a code for the end (-1: nothing went wrong) behind the players:

    Piskvorky 20x20, 11:11, 0
    10,10,0
    11,11,312
    first player
    second player
    -1

The last number of the head tells which of the two named players moved first: 0 or 1.
"""

import re

from inarow.errors import FormatError
from inarow.game.notation import play_moves
from inarow.game.record import Record
from inarow.game.rules import Game, Move, Seat

_PSQ_HEAD = re.compile(r"Piskvorky (\d{1,9})x(\d{1,9}),\s*\d+:\d+,\s*([01])", re.ASCII)
_PSQ_MOVE = re.compile(r"(\d{1,9}),(\d{1,9})(?:,(\d{1,12}))?", re.ASCII)
_NUMBERS = re.compile(r"-?\d+(,.*)?")
_SGF_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


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


def to_sgf(record: Record) -> str:
    """FormatError for a side over 52, which SGF's letters do not reach. With gravity the moves are cells too."""
    game = record.game
    if max(game.rows, game.columns) > len(_SGF_LETTERS):
        raise FormatError(f"SGF cannot name the cells of a board with a side over {len(_SGF_LETTERS)}")
    size = str(game.rows) if game.rows == game.columns else f"{game.columns}:{game.rows}"
    names = [_sgf_text(name) for name in record.players]
    parts = [f"GM[4]FF[4]CA[UTF-8]AP[inarow:{record.version}]SZ[{size}]PB[{names[0]}]PW[{names[1]}]GN[{game}]"]
    if record.date:
        parts.append(f"DT[{record.date[:10]}]")
    if record.outcome is not None:
        winner = record.outcome.winner
        parts.append("RE[0]" if winner is None else f"RE[{'B' if winner is Seat.FIRST else 'W'}+]")
    board = play_moves(game, ())
    for move in record.moves:
        colour = "B" if board.turn is Seat.FIRST else "W"
        board.push(move)
        assert board.last_cell is not None
        row, column = board.last_cell
        parts.append(f"\n;{colour}[{_SGF_LETTERS[column]}{_SGF_LETTERS[row]}]")
    return "(;" + "".join(parts) + ")\n"


def _one_line(name: str) -> str:
    return " ".join(name.split()) or "?"


def _sgf_text(text: str) -> str:
    return re.sub(r"([\\\]:])", r"\\\1", _one_line(text))
