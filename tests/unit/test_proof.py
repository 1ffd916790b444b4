"""Proof files: there and back, and every kind of damage."""

import hashlib
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inarow.errors import FormatError
from inarow.game import Game, Seat
from inarow.solver.proof import Proof, Strategy

BIG = Game(20, 20, 5)
PROOF = Proof(
    BIG,
    ((9, 9), (0, 0)),
    "win",
    5,
    (Strategy(Seat.FIRST, "win", 5, [0, 1, 127, 128, 399, 16383, 16384, 65535]), Strategy(Seat.SECOND, "hold", 4, [])),
)
SMALL = Proof(Game(3, 3, 3), (), "draw", None, (Strategy(Seat.SECOND, "hold", None, [4, 0, 9]),))
"""What they say is not true; only the file is of interest here."""


def file_of(fields: Any, tokens: bytes) -> bytes:
    """A file with the right hash, whatever its fields are."""

    def line(value: Any) -> bytes:
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()

    digest = hashlib.sha256(line(fields) + b"\n" + tokens).hexdigest()
    return line(fields | {"sha256": digest}) + b"\n" + lzma.compress(tokens)


def fields_of(proof: Proof) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(proof.to_bytes().split(b"\n")[0])
    del fields["sha256"]
    return fields


@pytest.mark.parametrize("proof", [PROOF, SMALL])
def test_a_proof_reads_back(tmp_path: Path, proof: Proof) -> None:
    proof.write(tmp_path / "proof")
    assert Proof.read(tmp_path / "proof") == proof
    assert [file.name for file in tmp_path.iterdir()] == ["proof"]


def test_the_file_is_as_described() -> None:
    line, _, packed = SMALL.to_bytes().partition(b"\n")
    assert lzma.decompress(packed, lzma.FORMAT_XZ) == bytes([4, 0, 9])
    bare = (
        b'{"format":"inarow proof 1","game":"3x3x3","moves":[],"plies":null,'
        b'"strategies":[{"goal":"hold","plies":null,"seat":"second","tokens":3}],"value":"draw"}'
    )
    digest = hashlib.sha256(bare + b"\n" + bytes([4, 0, 9])).hexdigest()
    assert line == bare.replace(b'"strategies"', f'"sha256":"{digest}","strategies"'.encode())
    assert SMALL.sha256 == digest
    assert file_of(fields_of(PROOF), lzma.decompress(PROOF.to_bytes().split(b"\n", 1)[1])) == PROOF.to_bytes()


@pytest.mark.parametrize("proof", [PROOF, SMALL])
def test_every_flipped_bit_is_found(proof: Proof) -> None:
    data = proof.to_bytes()
    for position in range(len(data)):
        for bit in range(8):
            damaged = data[:position] + bytes([data[position] ^ 1 << bit]) + data[position + 1 :]
            with pytest.raises(FormatError):
                Proof.from_bytes(damaged)


@pytest.mark.parametrize("proof", [PROOF, SMALL])
def test_every_missing_byte_and_every_cut_is_found(proof: Proof) -> None:
    data = proof.to_bytes()
    for position in range(len(data)):
        for damaged in (
            data[:position],
            data[:position] + data[position + 1 :],
            data[:position] + b"\n" + data[position:],
        ):
            with pytest.raises(FormatError):
                Proof.from_bytes(damaged)
    for more in (b"\0", b"\0\0\0\0", b"x", lzma.compress(b""), lzma.compress(b"\0")):
        with pytest.raises(FormatError, match="bytes follow"):
            Proof.from_bytes(data + more)


STRATEGY = {"goal": "hold", "plies": None, "seat": "second", "tokens": 3}
CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"format": "inarow proof 2"}, "a proof says format 'inarow proof 1'"),
    ({"format": 1}, "a proof says format"),
    ({"extra": 1}, "a proof has no field 'extra'"),
    ({"game": 3}, "are texts"),
    ({"game": "3x3"}, "'3x3' is not a game"),
    ({"game": "3x3x999"}, "k must be 1 to 128"),
    ({"game": "03x3x3"}, "not written as a proof's is"),
    ({"value": "unknown"}, "value is win, draw or loss, not 'unknown'"),
    ({"value": None}, "are texts"),
    ({"plies": -1}, "plies are a whole number or null, not -1"),
    ({"plies": 1.0}, "plies are a whole number or null, not 1.0"),
    ({"plies": True}, "plies are a whole number or null, not True"),
    ({"moves": "b2"}, "moves are a list of texts"),
    ({"moves": [4]}, "moves are a list of texts"),
    ({"moves": ["z"]}, "'z' is not a cell"),
    ({"moves": ["a4"]}, "move 1 of the position: cell .* is off the board"),
    ({"moves": ["1,1"]}, "not written as a proof's is"),
    ({"strategies": {}}, "strategies are a list of objects"),
    ({"strategies": [3]}, "strategies are a list of objects"),
    ({"strategies": []}, "more than the 0 tokens|one or two strategies, not 0"),
    ({"strategies": [STRATEGY | {"tokens": 1}] * 3}, "one or two strategies, not 3"),
    ({"strategies": [{"goal": "hold"}]}, "a strategy has a field 'plies'"),
    ({"strategies": [STRATEGY | {"extra": 0}]}, "a strategy has no field 'extra'"),
    ({"strategies": [STRATEGY | {"goal": "draw"}]}, "goal is win or hold, not 'draw'"),
    ({"strategies": [STRATEGY | {"goal": []}]}, "goal is win or hold, not"),
    ({"strategies": [STRATEGY | {"seat": "third"}]}, "seat is first or second, not 'third'"),
    ({"strategies": [STRATEGY | {"seat": 1}]}, "seat is first or second, not 1"),
    ({"strategies": [STRATEGY | {"plies": "3"}]}, "plies are a whole number or null, not '3'"),
    ({"strategies": [STRATEGY | {"tokens": 2}]}, "says 2 tokens, there are 3"),
    ({"strategies": [STRATEGY | {"tokens": 4}]}, "says 4 tokens, there are 3"),
    ({"strategies": [STRATEGY | {"tokens": 0}]}, "more than the 0 tokens"),
    ({"strategies": [STRATEGY | {"tokens": -1}]}, "tokens, not -1"),
    ({"strategies": [STRATEGY | {"tokens": 10**12}]}, "tokens, not 1000000000000"),
    ({"strategies": [STRATEGY | {"tokens": 2**28}] * 2}, "at most 268435456 tokens"),
]


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_wrong_fields_are_refused_even_with_the_right_hash(change: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Proof.from_bytes(file_of(fields_of(SMALL) | change, bytes([4, 0, 9])))


@pytest.mark.parametrize("name", ["game", "moves", "plies", "strategies", "value"])
def test_a_missing_field_is_named(name: str) -> None:
    fields = fields_of(SMALL)
    del fields[name]
    with pytest.raises(FormatError, match=f"a proof has a field '{name}'"):
        Proof.from_bytes(file_of(fields, bytes([4, 0, 9])))


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (b"\x80\x80\x80\x01", "too large"),
        (b"\xff\xff\x7f", "too large"),
        (b"\x80\x80\x04", "too large"),
        (b"\x80\x00", "longer than it need be"),
        (b"\x01\x80", "cut off"),
    ],
)
def test_damaged_varints_are_refused(tokens: bytes, message: str) -> None:
    for count in (1, 2, 3):
        fields = fields_of(SMALL) | {"strategies": [STRATEGY | {"tokens": count}]}
        with pytest.raises(FormatError, match=f"{message}|more than the"):
            Proof.from_bytes(file_of(fields, tokens))


def test_a_first_line_that_is_no_json_is_refused() -> None:
    packed = SMALL.to_bytes().split(b"\n", 1)[1]
    for line in (b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"format":"inarow proof 1"}'):
        with pytest.raises(FormatError):
            Proof.from_bytes(line + b"\n" + packed)
    with pytest.raises(FormatError, match="one line of JSON"):
        Proof.from_bytes(b" " * 2_000_000 + b"\n" + packed)


def test_two_fields_of_one_name_are_refused() -> None:
    data = SMALL.to_bytes().replace(b'"moves":[],', b'"moves":[],"moves":[],')
    with pytest.raises(FormatError, match="not written as a proof's is"):
        Proof.from_bytes(data)


def test_a_file_that_unpacks_to_more_than_it_says_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred megabytes in a small file: only the first chunk of it may be made."""
    compressor = lzma.LZMACompressor(preset=0)
    bomb = b"".join(compressor.compress(bytes(2**20)) for _ in range(100)) + compressor.flush()
    made = 0
    real = lzma.LZMADecompressor

    class Counting:
        def __init__(self, *arguments: Any) -> None:
            self.inner = real(*arguments)

        def decompress(self, data: bytes, length: int) -> bytes:
            nonlocal made
            chunk = self.inner.decompress(data, length)
            made += len(chunk)
            return chunk

        def __getattr__(self, name: str) -> Any:
            return getattr(self.inner, name)

    monkeypatch.setattr(lzma, "LZMADecompressor", Counting)
    line = SMALL.to_bytes().split(b"\n")[0]
    with pytest.raises(FormatError, match="more than the 3 tokens"):
        Proof.from_bytes(line + b"\n" + bomb)
    assert 0 < made <= 2**20


@pytest.mark.parametrize(
    "make",
    [
        lambda: Strategy(Seat.FIRST, "win", None, [-1]),
        lambda: Strategy(Seat.FIRST, "win", None, [2**16]),
        lambda: Strategy(Seat.FIRST, "lose", None, []),
        lambda: Strategy(Seat.FIRST, "win", -1, []),
        lambda: Proof(BIG, ((0, 0), (0, 0)), "win", None, PROOF.strategies),
        lambda: Proof(BIG, (), "won", None, PROOF.strategies),
        lambda: Proof(BIG, (), "win", None, ()),
    ],
)
def test_what_could_not_be_written_is_refused(make: Callable[[], Any]) -> None:
    with pytest.raises(FormatError):
        make()


def test_a_missing_or_damaged_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="nowhere cannot be read: No such file"):
        Proof.read(tmp_path / "nowhere")
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(FormatError, match=r"empty: a proof begins"):
        Proof.read(tmp_path / "empty")
