"""Fuzzes what a Gomocup manager may send. Whatever the bytes, the brain answers with lines that the protocol knows, and
its moves are legal. Needs the `fuzz` extra; runs as any atheris script:

    python tests/fuzz/fuzz_gomocup.py -max_total_time=60 NEW_INPUTS_FOLDER tests/fuzz/gomocup_corpus

libFuzzer writes what it finds into the first folder. The first byte says into how many pieces the others are cut. The
brain's player moves at random; what asks the engine (YXNBEST, SWAP2BOARD) is left out, for it takes its time.
"""

import sys

import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]  # comes with an extra

from inarow import Board, IllegalMove
from inarow.adapters.gomocup.brain import Brain
from inarow.adapters.gomocup.commands import Command, CommandReader, Lines, NBest, Swap2, parse_cell
from inarow.players import make_player

MAX_COMMANDS = 100
ANSWERS = ("OK", "ERROR ", "UNKNOWN ", 'name="')


def commands_of(data: bytes, size: int) -> list[Command]:
    lines, reader = Lines(), CommandReader()
    pieces = [data[begin : begin + size] for begin in range(0, len(data), size)]
    return [command for piece in pieces for line in lines.feed(piece) for command in reader.feed(line)]


def check_answers(command: Command, before: Board | None, said: list[str]) -> None:
    """One answer at most; a move goes on a free cell of the board."""
    assert len(said) <= 1, f"{command}: {said}"
    for line in said:
        assert line.isprintable(), f"{command}: {line!r}"
        cell = parse_cell(line)
        if cell is None:
            assert line.startswith(ANSWERS), f"{command}: {line!r}"
        else:
            assert before is not None and before.game.contains(cell), f"{command}: {line!r}"


def check_bytes(data: bytes) -> None:
    size, rest = (data[0] or 256, data[1:]) if data else (1, b"")
    commands = commands_of(rest, size)
    assert commands == commands_of(rest, max(1, len(rest))), "how the bytes are cut matters"
    said: list[str] = []
    brain = Brain(make_player("random:seed=1"), said.append)
    for command in commands[:MAX_COMMANDS]:
        if isinstance(command, NBest | Swap2):
            continue
        before = brain._board
        said.clear()
        brain.answer(command, 0.0, hurry=True)
        check_answers(command, before, said)
        board = brain._board
        if said and parse_cell(said[0]) is not None:
            assert board is not None and board.moves[-1] == parse_cell(said[0])
            again = Board(board.game)
            try:
                for move in board.moves:
                    again.push(move)
            except IllegalMove as error:
                raise AssertionError(f"{command}: {said[0]} is not legal: {error}") from error


if __name__ == "__main__":
    atheris.instrument_all()  # instrument_imports does not see through the loader of an editable install
    atheris.Setup(sys.argv, check_bytes)
    atheris.Fuzz()
