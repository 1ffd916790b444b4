"""Games as files that other programs read.

jsonl  records, one a line       one file
pgn    results for rating tools  one file
psq    Piskvork's games          a directory, one file a game
sgf    game trees                a directory, one file a game
"""

import errno
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from inarow.errors import FormatError, SpecError
from inarow.game import Record, to_psq, to_sgf
from inarow.game.exchange import to_pgn

FILE_KINDS: dict[str, Callable[[Record], str]] = {"jsonl": Record.to_json, "pgn": to_pgn}
DIRECTORY_KINDS: dict[str, Callable[[Record], str]] = {"psq": to_psq, "sgf": to_sgf}
KINDS = (*FILE_KINDS, *DIRECTORY_KINDS)
MAX_NAME = 100


@dataclass
class Exported:
    """How many games were written, and how many were not, by the reason."""

    written: int = 0
    skipped: Counter[str] = field(default_factory=Counter)


def export(games: Iterable[tuple[str, Record]], kind: str, out: Path) -> Exported:
    """Writes games, given with their keys, to the file or the directory `out`; skips those that the format cannot hold.

    `out` is complete or not there at all. What is there already is never overwritten (FileExistsError), unless it is an
    empty file or an empty directory.
    """
    if kind not in KINDS:
        raise SpecError(f"games are exported as {', '.join(KINDS)}, not as {kind!r}")
    out = Path(os.path.realpath(out))
    _check_place(out, kind)
    exported = Exported()
    with tempfile.TemporaryDirectory(prefix=".inarow-export-", dir=out.parent) as scratch:  # so that renaming is enough
        unfinished = Path(scratch) / "games"
        if kind in FILE_KINDS:
            _write_file(unfinished, _texts(games, FILE_KINDS[kind], exported))
        else:
            _write_directory(unfinished, _texts(games, DIRECTORY_KINDS[kind], exported), kind)
        _check_place(out, kind)  # somebody may have been quicker
        unfinished.replace(out)
    return exported


def _check_place(out: Path, kind: str) -> None:
    if not out.parent.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "is not a directory; create it first", str(out.parent))
    if not out.exists():
        return
    if kind in FILE_KINDS:
        free = out.is_file() and out.stat().st_size == 0
    else:
        free = out.is_dir() and next(out.iterdir(), None) is None
    if not free:
        raise FileExistsError(errno.EEXIST, "exists already; name another or remove it", str(out))


def _texts(
    games: Iterable[tuple[str, Record]], convert: Callable[[Record], str], exported: Exported
) -> Iterator[tuple[str, str]]:
    """Each game's name, which is safe as a file's and like no other, and text; counts them in `exported`."""
    for number, (key, record) in enumerate(games, start=1):
        try:
            text = convert(record)
        except FormatError as error:
            exported.skipped[str(error)] += 1
            continue
        exported.written += 1
        yield f"{number:06}-{re.sub(r'[^A-Za-z0-9.=+-]+', '_', key)[:MAX_NAME]}", text


def _write_file(path: Path, texts: Iterable[tuple[str, str]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for _, text in texts:
            file.write(f"{text}\n")  # ends a record's line, and parts PGN's games with an empty one


def _write_directory(path: Path, texts: Iterable[tuple[str, str]], kind: str) -> None:
    path.mkdir()
    for name, text in texts:
        (path / f"{name}.{kind}").write_text(text, encoding="utf-8")
