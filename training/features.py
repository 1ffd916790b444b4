"""From games to what the weights see of their positions: stores and notes of `training.selfplay` become one .npz file.

A position is kept when a search would evaluate it (nobody can win at once, nor the player to move make a double) and
there is a note of it. Free placement only. With n positions the file has

    game     n        the number of the game it comes from, by which positions are held out together
    result   n        of that game, for the player to move: 1, 0.5 or 0
    score    n        of the search, for the player to move; ±DECIDED where somebody surely wins
    mask     n        the threat bits
    moving   the codes of the free cells for the player to move: `moving_code`, `moving_count`, and `moving_start` with
             n + 1 places: where each position's begin, and where the last one's end
    waiting  the same for the other
    move     the same for the candidates: `move_attack`, `move_defence`, `move_start`
    best     n        the place of the search's move in them; -1 where it is not among them

and in `about` a line of JSON: which games, how many nodes.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.matches import INTERRUPTED, KEPT, Progress, UntilCtrlC, make_parser
from numpy.typing import NDArray

from inarow import Move, Record, format_move, parse_move
from inarow._core import FreeFeatures, Position
from inarow.arena.store import Store
from inarow.engine import cell_of, geometry_of
from training.selfplay import NOTES, feature_reader

DECIDED = 100_000
"""The score of a position that is surely won."""
_SCORES = {"win": DECIDED, "loss": -DECIDED}


@dataclass
class Table:
    """Rows of different lengths, one after the other."""

    columns: tuple[list[NDArray[Any]], ...]
    lengths: list[int] = field(default_factory=list)

    def add(self, *arrays: NDArray[Any]) -> None:
        for column, part in zip(self.columns, arrays, strict=True):
            column.append(part)
        self.lengths.append(len(arrays[0]))

    @property
    def start(self) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(self.lengths)])


class Collector:
    """The arrays of the file, as they grow."""

    def __init__(self) -> None:
        self.plain: dict[str, list[float]] = {name: [] for name in ("game", "result", "score", "mask", "best")}
        self.moving, self.waiting, self.moves = (Table(([], [])) for _ in range(3))

    def add(self, game: int, result: float, score: int, best_cell: int, seen: FreeFeatures) -> None:
        moving, waiting = np.array(seen.moving, np.int16), np.array(seen.waiting, np.int16)
        places = np.array(seen.candidates, np.int64)
        cells = [seen.cells[place] for place in seen.candidates]
        best = cells.index(best_cell) if best_cell in cells else -1
        for name, value in zip(self.plain, (game, result, score, seen.threat_mask, best), strict=True):
            self.plain[name].append(value)
        for table, codes in ((self.moving, moving), (self.waiting, waiting)):
            code, count = np.unique(codes, return_counts=True)
            table.add(code, count.astype(np.uint16))
        self.moves.add(moving[places], waiting[places])

    def __len__(self) -> int:
        return len(self.plain["game"])

    def arrays(self) -> dict[str, NDArray[Any]]:
        found: dict[str, NDArray[Any]] = {
            name: np.array(values, np.float32 if name == "result" else np.int32) for name, values in self.plain.items()
        }
        tables = {
            ("moving", "code", "count"): self.moving,
            ("waiting", "code", "count"): self.waiting,
            ("move", "attack", "defence"): self.moves,
        }
        for (name, *columns), table in tables.items():
            found[f"{name}_start"] = table.start
            for column, parts in zip(columns, table.columns, strict=True):
                found[f"{name}_{column}"] = np.concatenate(parts)
        return found


def save(path: Path, about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    contents: dict[str, Any] = {"about": json.dumps(about), **arrays}
    np.savez(path, **contents)


def read_notes(store: Path) -> dict[str, tuple[str, str]]:
    """What the searches found, by position: score and move."""
    notes = {}
    for file in sorted(store.with_suffix(f".{NOTES}").glob("*.txt")):
        for line in file.read_text(encoding="utf-8").splitlines():
            words = line.split()
            if len(words) == 3:  # the last line of a file may be cut off
                notes[words[0]] = (words[1], words[2])
    return notes


def notes_of(record: Record, notes: dict[str, tuple[str, str]]) -> Iterator[tuple[int, Move] | None]:
    """For each position of a game before its last stone: what its player found, score and move; None without a note."""
    game = record.game
    text = f"{game}:"
    for ply, move in enumerate(record.moves):
        note = notes.get(text) if ply >= record.opening else None
        yield None if note is None else (_SCORES.get(note[0]) or int(note[0]), parse_move(game, note[1]))
        text += ("" if text.endswith(":") else ".") + format_move(move)


def result_for(record: Record, ply: int) -> float:
    """How a game ended for the player who was to move: 1, 0.5 or 0."""
    assert record.outcome is not None
    winner = record.outcome.winner
    return 0.5 if winner is None else float(winner == ply % 2)


def collect(record: Record, number: int, notes: dict[str, tuple[str, str]], into: Collector) -> None:
    """Adds the positions of a game."""
    game = record.game
    position = Position(geometry_of(game))
    for ply, (move, note) in enumerate(zip(record.moves, notes_of(record, notes), strict=True)):
        if note is not None:
            seen = feature_reader(game).read(position)
            score, best = note
            assert not isinstance(best, int)
            if seen.is_evaluated:
                into.add(number, result_for(record, ply), score, cell_of(game, best), seen)
        assert not isinstance(move, int)
        position.make(cell_of(game, move))


def records(stores: Iterable[Path]) -> Iterator[tuple[Record, dict[str, tuple[str, str]]]]:
    """All games, each with the notes of its store."""
    for path in stores:
        notes = read_notes(path)
        with Store.read(path) as store:
            for _, record in store.games():
                yield record, notes


def main() -> int:
    parser = make_parser(__doc__, "python -m training.features gomoku.store --out gomoku.npz")
    parser.add_argument("stores", type=Path, nargs="+", help="of training.selfplay")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    arguments = parser.parse_args()
    total = 0
    for path in arguments.stores:
        with Store.read(path) as store:
            total += len(store.outcomes())
    progress = Progress(total, "games")
    collector = Collector()
    games: dict[str, int] = {}
    with UntilCtrlC() as block:
        for number, (record, notes) in enumerate(records(arguments.stores)):
            collect(record, number, notes, collector)
            text = f"{record.game} at {record.limit.nodes} nodes"
            games[text] = games.get(text, 0) + 1
            progress.show(number + 1, f"{len(collector)} positions")
    progress.end()
    about = {"positions": len(collector), "games": games}
    save(arguments.out, about, collector.arrays())
    print(json.dumps(about))
    return INTERRUPTED if block.interrupted else KEPT


if __name__ == "__main__":
    raise SystemExit(main())
