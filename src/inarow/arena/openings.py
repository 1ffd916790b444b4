"""Sets of openings: a file with the moves of an opening on each line, # begins a comment.

For some boards a set of balanced openings comes with the package: short, no two the same up to symmetry, and checked
to give neither seat much of an advantage. `training/openings.py` makes them.
"""

from pathlib import Path

from inarow.errors import FormatError, SpecError
from inarow.game import Game

BALANCED = "balanced"
FOLDER = Path(__file__).with_name("opening_sets")


def read_openings(path: Path) -> tuple[str, ...]:
    """The openings of a file, as texts of moves. FormatError when there are none."""
    lines = [line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    found = tuple(line for line in lines if line)
    if not found:
        raise FormatError(f"{path} has no openings: write the moves of one on each line")
    return found


def balanced_file(game: Game) -> Path:
    """Where the balanced openings of a game are, if there are any."""
    return FOLDER / f"{game}.txt"


def balanced_openings(game: Game) -> tuple[str, ...]:
    """The balanced openings that come with the package. SpecError where there are none."""
    path = balanced_file(game)
    if not path.exists():
        there = ", ".join(sorted(file.stem for file in FOLDER.glob("*.txt")))
        raise SpecError(f"there are no balanced openings for {game}, only for {there}: name a file, or random:PLIES")
    return read_openings(path)
