"""What the engine has learned, in small files: the numbers of its evaluation and of its order of moves.

A file is two lines of text and the numbers:

    inarow-weights-1 1f0a…e9            the format, and the SHA-256 of all that follows this line
    {"numbers": [["moving", 2380], …    JSON: which numbers, how many of each, the scale, and where they come from
    …                                   the numbers: 16 bits each, the low byte first, compressed by zlib

The files in `learned/` come with the package. SETS says which games each is for; a file is read when the first such
game is played. A game that none is for is played by the core's formula.
"""

import hashlib
import json
import sys
import zlib
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from inarow._core import NETWORK_CELLS, EngineWeights
from inarow.errors import FormatError
from inarow.game import Game, Seat
from inarow.game.rules import MAX_SIDE

FORMAT = "inarow-weights-1"
SHIPPED = Path(__file__).with_name("learned")
LEARNED, FORMULA = "learned", "formula"

FREE_NUMBERS = ("moving", "waiting", "attack", "defence", "threats", "turn")
DROP_NUMBERS = (
    *("window", "attack", "defence", "own_row", "others_row", "column", "leader_sound", "leader_unsound"),
    *("follower_sound", "follower_unsound", "stacked", "height", "turn", "above_other", "not_best"),
    *("follower_answered", "zugzwang", "zugzwang_decay", "four", "gives_win", "gives_threat"),
)
NETWORK_NUMBERS = ("moving", "waiting", "matrix", "threats", "output")
KNOWN_NUMBERS = (
    *FREE_NUMBERS,
    *(f"network.{name}" for name in (*NETWORK_NUMBERS, "draws")),
    *(f"drop.{name}" for name in DROP_NUMBERS),
)
"""All that a file may hold, by name; those of the network and of gravity begin with `network.` and `drop.`."""


@dataclass(frozen=True)
class WeightSet:
    """A file that comes with the package, and the games it is for: their placement, their k and their cells.

    With `leads` it is only for who plays a whole game as its leader: the seat that does not get the board's last cell.
    Under gravity the follower gets the better of quiet play, so the leader plays for other things.
    """

    file: str
    gravity: bool
    least_k: int
    most_k: int
    least_cells: int = 1
    most_cells: int = MAX_SIDE**2
    leads: bool = False

    def is_for(self, game: Game, seat: Seat | None = None) -> bool:
        cells = game.rows * game.columns
        leader = Seat.FIRST if cells % 2 == 0 else Seat.SECOND
        return (
            self.gravity == game.gravity
            and (not self.leads or seat is leader)
            and self.least_k <= game.k <= self.most_k
            and self.least_cells <= cells <= self.most_cells
        )


SETS = (
    WeightSet("free-5.weights", gravity=False, least_k=5, most_k=5, most_cells=NETWORK_CELLS),
    WeightSet("free-5-large.weights", gravity=False, least_k=5, most_k=5),
    WeightSet("gravity-4.weights", gravity=True, least_k=1, most_k=4),
    WeightSet("gravity-5.weights", gravity=True, least_k=5, most_k=6),
    WeightSet("gravity-7-leader.weights", gravity=True, least_k=7, most_k=MAX_SIDE, least_cells=900, leads=True),
    WeightSet("gravity-7-largest.weights", gravity=True, least_k=7, most_k=MAX_SIDE, least_cells=1600),
    WeightSet("gravity-7.weights", gravity=True, least_k=7, most_k=MAX_SIDE),
)
"""The first that is for a game is taken."""


OFTEN_DRAWN_CELLS = range(100, 151)
"""Of five in a row. Smaller boards are drawn with best play, so that risks do not pay; larger ones are seldom drawn."""


def is_often_drawn(game: Game) -> bool:
    """Whether so many games are drawn that a player does well to know which ones are likely to be."""
    return not game.gravity and game.k == 5 and game.rows * game.columns in OFTEN_DRAWN_CELLS


def set_for(game: Game, seat: Seat | None) -> WeightSet | None:
    """What comes with the package for a game. Without a seat: for who wants to know what positions are worth."""
    return next((each for each in SETS if each.is_for(game, seat)), None)


def weights_for(game: Game, source: str = LEARNED, seat: Seat | None = None) -> EngineWeights:
    """The numbers to play a game with: LEARNED (what comes with the package), FORMULA, or those of a file."""
    if source == FORMULA:
        return EngineWeights.handmade()
    if source != LEARNED:
        return read_weights(Path(source))
    found = set_for(game, seat)
    return _shipped(found.file if found else None)


@cache
def _shipped(file: str | None) -> EngineWeights:
    return EngineWeights.handmade() if file is None else read_weights(SHIPPED / file)


def read_weights(path: Path) -> EngineWeights:
    """The formula's numbers with the file's in their place. FormatError when it is damaged or not such a file."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FormatError(f"the weights {path} cannot be read: {error.strerror}") from None
    first, _, rest = content.partition(b"\n")
    name, _, digest = first.partition(b" ")
    if name != FORMAT.encode():
        raise FormatError(f"{path} is not a file of weights: it does not begin with {FORMAT}")
    if hashlib.sha256(rest).hexdigest().encode() != digest:
        raise FormatError(f"the weights {path} are damaged: their hash is not the one in their first line")
    head, _, body = rest.partition(b"\n")
    try:
        return _filled(json.loads(head), zlib.decompress(body))
    except (ValueError, KeyError, IndexError, TypeError, zlib.error) as error:
        raise FormatError(f"the weights {path} cannot be used: {error}") from None


def about_weights(path: Path) -> dict[str, Any]:
    """What the second line of a file of weights says."""
    read_weights(path)
    about: dict[str, Any] = json.loads(path.read_bytes().split(b"\n", 2)[1])
    return about


def write_weights(path: Path, weights: EngineWeights, names: tuple[str, ...], about: Mapping[str, Any]) -> None:
    """Writes the numbers of these names; `about` says where they come from."""
    values = {name: get_numbers(weights, name) for name in names}
    head = {
        "numbers": [[name, len(numbers)] for name, numbers in values.items()],
        "scale": round(_scaled(weights, names[0]).scale, 3),
    }
    numbers = array("h", [number for each in values.values() for number in each])
    body = zlib.compress(_low_byte_first(numbers).tobytes(), level=9)
    rest = json.dumps({**head, **about}).encode() + b"\n" + body
    path.write_bytes(f"{FORMAT} {hashlib.sha256(rest).hexdigest()}\n".encode() + rest)


def _filled(head: dict[str, Any], body: bytes) -> EngineWeights:
    weights = EngineWeights.handmade()
    _scaled(weights, head["numbers"][0][0]).scale = head["scale"]
    numbers = array("h")
    numbers.frombytes(body)
    left = _low_byte_first(numbers).tolist()
    for name, count in head["numbers"]:
        if name not in KNOWN_NUMBERS:
            raise ValueError(f"this version knows no numbers called {name!r}")
        set_numbers(weights, name, left[:count])
        left = left[count:]
    if left:
        raise ValueError(f"there are {len(left)} numbers too many")
    if len({not get_numbers(weights, f"network.{name}") for name in NETWORK_NUMBERS}) > 1:
        raise ValueError("a network needs all of its numbers, or none")
    return weights


def _low_byte_first(numbers: "array[int]") -> "array[int]":
    """As the file has them, on any machine."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers


def _owner(weights: EngineWeights, name: str) -> tuple[Any, str]:
    """Whose attribute it is: the weights' own, the network's, or those of gravity."""
    part, dot, rest = name.partition(".")
    return (getattr(weights, part), rest) if dot else (weights, part)


def _scaled(weights: EngineWeights, name: str) -> Any:
    """Whose scale a file is about that begins with this name."""
    return weights.drop if name.startswith("drop.") else weights


def get_numbers(weights: EngineWeights, name: str) -> list[int]:
    """Those of a name of KNOWN_NUMBERS."""
    owner, attribute = _owner(weights, name)
    value = getattr(owner, attribute)
    return [value] if isinstance(value, int) else list(value)


def set_numbers(weights: EngineWeights, name: str, numbers: list[int]) -> None:
    owner, attribute = _owner(weights, name)
    if isinstance(getattr(owner, attribute), int):
        if len(numbers) != 1:
            raise ValueError(f"{name} is one number, not {len(numbers)}")
        setattr(owner, attribute, numbers[0])
    else:
        setattr(owner, attribute, numbers)
