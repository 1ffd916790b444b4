"""Proofs: who wins from a position, with strategies that anyone can check.

A strategy is a sequence of numbers, its tokens. What they mean is written in docs/proofs.md, and `inarow.solver.verify`
checks them; here they are only kept. A file is one line of JSON without blanks, its fields in alphabetical order, and
then the tokens of all strategies, one after the other, each a LEB128 varint, compressed with xz:

    {"format":"inarow proof 1","game":"3x3x3","moves":["b2"],"plies":null,"sha256":"…","strategies":[
     {"goal":"hold","plies":null,"seat":"first","tokens":0},
     {"goal":"hold","plies":null,"seat":"second","tokens":27}],"value":"draw"}
    FD 37 7A 58 5A 00 …

The hash is that of the line without the field sha256, a newline and the tokens before they are compressed.
"""

import hashlib
import json
import lzma
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from inarow.errors import FormatError, InarowError
from inarow.game import Board, Game, Move, Seat, format_move, parse_game, parse_move, play_moves

FORMAT = "inarow proof 1"
VALUES = ("win", "draw", "loss")
GOALS = ("win", "hold")
MAX_TOKEN = 2**16 - 1
"""More than any token of any board has a use for; one is kept in two bytes."""
MAX_TOKENS = 2**28
"""More than anybody would wait for: a file that unpacks to more is refused before it fills the memory."""

_HEAD_FIELDS = {"format", "game", "moves", "plies", "sha256", "strategies", "value"}
_STRATEGY_FIELDS = {"goal", "plies", "seat", "tokens"}
_MAX_HEAD = 2**20
_MEMORY_TO_UNPACK = 2**27
_CHUNK = 2**20


@dataclass(frozen=True)
class Strategy:
    """What one seat, the strategist, can reach from the position on, whatever the other one, the opponent, does.

    win   the strategist completes a line, within so many plies counted from the position; None: some time
    hold  the opponent completes no line within so many plies; None: never
    """

    seat: Seat
    goal: str
    plies: int | None
    tokens: Sequence[int]

    def __post_init__(self) -> None:
        """FormatError for what could not be written."""
        if self.goal not in GOALS:
            raise FormatError(f"a strategy's goal is win or hold, not {self.goal!r}")
        _check_plies(self.plies)
        try:
            object.__setattr__(self, "tokens", array("H", self.tokens))
        except (OverflowError, TypeError):
            raise FormatError(f"a token is a whole number from 0 to {MAX_TOKEN}") from None

    def __str__(self) -> str:
        within = "" if self.plies is None else f" within {self.plies} plies"
        return f"the strategy with which {self.seat} {'wins' if self.goal == 'win' else 'holds'}{within}"


@dataclass(frozen=True)
class Proof:
    """The value of a position for the player to move, and the strategies that prove it.

    game, moves  the position
    value        win, draw or loss
    plies        how many moves the game goes on when both play their best; None: not said
    strategies   one or two; `inarow.solver.verify` knows which are needed
    """

    game: Game
    moves: tuple[Move, ...]
    value: str
    plies: int | None
    strategies: tuple[Strategy, ...]

    def __post_init__(self) -> None:
        """FormatError for what could not be written."""
        self.board()
        if self.value not in VALUES:
            raise FormatError(f"a proof's value is win, draw or loss, not {self.value!r}")
        _check_plies(self.plies)
        if len(self.strategies) not in (1, 2):
            raise FormatError(f"a proof has one or two strategies, not {len(self.strategies)}")

    def board(self) -> Board:
        """The position that the proof is about."""
        return play_moves(self.game, self.moves)

    @property
    def sha256(self) -> str:
        """The hash of everything in the proof, as it stands in the file."""
        return self._hash(self._packed_tokens())

    def to_bytes(self) -> bytes:
        """The file."""
        tokens = self._packed_tokens()
        return self._head(self._hash(tokens)) + b"\n" + lzma.compress(tokens)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Proof":
        """The inverse of to_bytes. FormatError says what is wrong with the file, not whether it proves anything."""
        line, newline, packed = data.partition(b"\n")
        if not newline or len(line) > _MAX_HEAD:
            raise FormatError("a proof begins with one line of JSON")
        fields = _read_head(line)
        counts = [strategy["tokens"] for strategy in fields["strategies"]]
        tokens = _unpack(packed, sum(counts))
        proof = _proof_of(fields, tokens, counts)
        if proof._head(fields["sha256"]) != line:
            raise FormatError("the first line is not written as a proof's is")
        if proof._hash(tokens) != fields["sha256"]:
            raise FormatError("the hash is wrong: the file was changed after it was written")
        return proof

    def write(self, path: Path) -> None:
        """Writes the file; one that is there already stays as it was until the new one is complete."""
        unfinished = path.with_name(path.name + ".part")
        unfinished.write_bytes(self.to_bytes())
        unfinished.replace(path)

    @classmethod
    def read(cls, path: Path) -> "Proof":
        """FormatError names the file and what is wrong with it."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise FormatError(f"the proof {path} cannot be read: {error.strerror}") from None
        try:
            return cls.from_bytes(data)
        except FormatError as error:
            raise FormatError(f"{path}: {error}") from None

    def _head(self, sha256: str | None) -> bytes:
        """The first line of the file, with a hash or without."""
        fields: dict[str, Any] = {
            "format": FORMAT,
            "game": str(self.game),
            "moves": [format_move(move) for move in self.moves],
            "plies": self.plies,
            "strategies": [
                {"goal": each.goal, "plies": each.plies, "seat": str(each.seat), "tokens": len(each.tokens)}
                for each in self.strategies
            ],
            "value": self.value,
        }
        if sha256 is not None:
            fields["sha256"] = sha256
        return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()

    def _hash(self, packed_tokens: bytes) -> str:
        return hashlib.sha256(self._head(None) + b"\n" + packed_tokens).hexdigest()

    def _packed_tokens(self) -> bytes:
        return b"".join(_packed(strategy.tokens) for strategy in self.strategies)


def _check_plies(plies: Any) -> None:
    if plies is not None and (type(plies) is not int or plies < 0):
        raise FormatError(f"plies are a whole number or null, not {plies!r}")


# --- the first line ---


def _read_head(line: bytes) -> dict[str, Any]:
    """The fields of the first line, all there and of their types."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"a proof begins with one line of JSON: {error}") from None
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise FormatError(f"a proof says format {FORMAT!r}")
    _check_names("a proof", fields, _HEAD_FIELDS)
    if not all(isinstance(fields[name], str) for name in ("game", "sha256", "value")):
        raise FormatError("a proof's game, sha256 and value are texts")
    for name, kind, what in (("moves", str, "texts"), ("strategies", dict, "objects")):
        if not isinstance(fields[name], list) or not all(isinstance(each, kind) for each in fields[name]):
            raise FormatError(f"a proof's {name} are a list of {what}")
    for strategy in fields["strategies"]:
        _check_names("a strategy", strategy, _STRATEGY_FIELDS)
        if strategy["seat"] not in [str(seat) for seat in Seat]:
            raise FormatError(f"a strategy's seat is first or second, not {strategy['seat']!r}")
        if type(strategy["tokens"]) is not int or not 0 <= strategy["tokens"] <= MAX_TOKENS:
            raise FormatError(f"a strategy has 0 to {MAX_TOKENS} tokens, not {strategy['tokens']!r}")
    return fields


def _check_names(what: str, fields: dict[str, Any], names: set[str]) -> None:
    if missing := sorted(names - set(fields)):
        raise FormatError(f"{what} has a field {missing[0]!r}")
    if unknown := sorted(set(fields) - names):
        raise FormatError(f"{what} has no field {unknown[0]!r}")


def _proof_of(fields: dict[str, Any], packed: bytes, counts: list[int]) -> Proof:
    numbers = _tokens(packed)
    if len(numbers) != sum(counts):
        raise FormatError(f"the first line says {sum(counts)} tokens, there are {len(numbers)}")
    try:
        game = parse_game(fields["game"])
        moves = tuple(parse_move(game, move) for move in fields["moves"])
    except InarowError as error:
        raise FormatError(str(error)) from None
    strategies = []
    begin = 0
    for entry, count in zip(fields["strategies"], counts, strict=True):
        seat = Seat[entry["seat"].upper()]
        strategies.append(Strategy(seat, entry["goal"], entry["plies"], numbers[begin : begin + count]))
        begin += count
    return Proof(game, moves, fields["value"], fields["plies"], tuple(strategies))


# --- the tokens ---


@cache
def _varint(number: int) -> bytes:
    """LEB128: seven bits a byte, the lowest first; all bytes but the last have the highest bit set."""
    low, high = number & 0x7F, number >> 7
    return bytes([low]) if not high else bytes([low | 0x80]) + _varint(high)


def _packed(tokens: Sequence[int]) -> bytes:
    if max(tokens, default=0) < 0x80:  # every token is a byte: this is much faster
        return bytes(iter(tokens))
    return b"".join(map(_varint, tokens))


def _tokens(packed: bytes) -> "array[int]":
    """The numbers of a sequence of varints, each of which must be as short as it can be."""
    if packed.isascii():
        return array("H", iter(packed))
    tokens = array("H")
    number = shift = 0
    for byte in packed:
        number |= (byte & 0x7F) << shift
        if byte & 0x80:
            shift += 7
            if shift > 14:
                raise FormatError("a token is too large")
        elif number > MAX_TOKEN:
            raise FormatError("a token is too large")
        elif shift and not byte:
            raise FormatError("a token is longer than it need be")
        else:
            tokens.append(number)
            number = shift = 0
    if shift:
        raise FormatError("the last token is cut off")
    return tokens


def _unpack(packed: bytes, tokens: int) -> bytes:
    """What was compressed: so many tokens, so never more than three times as many bytes, whatever a file may hold."""
    if tokens > MAX_TOKENS:
        raise FormatError(f"a proof has at most {MAX_TOKENS} tokens, not {tokens}")
    unpacked = bytearray()
    try:
        unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, _MEMORY_TO_UNPACK)
        unpacked += unpacker.decompress(packed, _CHUNK)
        while not unpacker.eof and not unpacker.needs_input and len(unpacked) <= 3 * tokens:
            unpacked += unpacker.decompress(b"", _CHUNK)
    except (lzma.LZMAError, MemoryError) as error:
        raise FormatError(f"the tokens cannot be unpacked: {error}") from None
    if len(unpacked) > 3 * tokens:
        raise FormatError(f"there are more than the {tokens} tokens that the first line says")
    if not unpacker.eof:
        raise FormatError("the tokens cannot be unpacked: the file is cut off")
    if unpacker.unused_data:
        raise FormatError(f"{len(unpacker.unused_data)} bytes follow after the tokens")
    return bytes(unpacked)
