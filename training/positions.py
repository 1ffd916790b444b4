"""Games of the engine with itself, for the network: as many as possible, each move with its score, in plain arrays.

The core plays them, without processes or a store. A game begins with a few random stones near the centre,
most often such that nobody is far ahead, and ends when somebody surely wins. One move in twenty is a whim. And since a
search also evaluates what no sensible player plays, after three moves of five another one that looks well is searched
too, without being played.

A folder has one file for each hundred games, `SEED-NUMBER.npz`; the same command goes on with the next number. With n
games and m positions:

    plies   n      how many stones each game has
    cells             of all games' stones, one game after the other: row * columns + column
    result  n      for the first seat: 1, 0 or -1
    game    m      which game a position comes from
    ply     m      how many of its stones there are
    aside   m      one more stone that was not played there, or -1
    score   m      for the player to move; ±DECIDED when somebody surely wins

and the file `tables.npz` what a position means for the network, so that `training.network` needs nothing else.
"""

import multiprocessing
import time
from argparse import Namespace
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from benchmarks.matches import INTERRUPTED, KEPT, Progress, UntilCtrlC, count_argument, game_argument, make_parser

from inarow import Game, StopFlag
from inarow._core import CODES, MAX_EVALUATION, Engine, FreeFeatureReader, Position, codes_of_quads, line_patterns
from inarow.engine.core import geometry_of
from inarow.engine.weights import LEARNED, weights_for
from training.features import DECIDED
from training.learned import code_features

GAMES_OF_A_FILE = 100
LEAST_NODES, MOST_NODES = 0.5, 2.0
"""What part of its nodes a move has."""
ASIDE, ASIDE_NODES = 0.6, 0.6
"""So many moves have one beside them that is not played, with this part of the nodes."""
ASIDE_RANK = 5.0
"""Its mean place among the moves, by how well they look."""
WHIMS, WHIM_MOVES = 20, 8
"""One move of so many is a whim, one of so many of the best-looking ones."""
MOST_STONES = 8
"""Of an opening."""
OPENING_SIDES = (0.3, 0.4, 0.6, 0.8)
"""The part of the board's sides that an opening lies in."""
OPENING_NODES, OPENING_LEAD = 600, 300
"""Openings in which somebody leads by more, as a short search sees it, are"""
KEPT_IF_LED, KEPT_IF_DECIDED = 0.15, 0.005
"""… kept so often only."""
MEMORY_MB, ASIDE_MEMORY_MB = 8, 1
MAX_TABLE_K = 6
"""As the core's."""


@dataclass
class Games:
    """The arrays of a file, as they grow."""

    plies: list[int] = field(default_factory=list)
    cells: list[int] = field(default_factory=list)
    result: list[int] = field(default_factory=list)
    positions: list[tuple[int, int, int, int]] = field(default_factory=list)

    def save(self, path: Path) -> None:
        game, ply, aside, score = np.array(self.positions, np.int32).reshape(-1, 4).T
        arrays: dict[str, Any] = {
            "plies": np.array(self.plies, np.int16),
            "cells": np.array(self.cells, np.int16),
            "result": np.array(self.result, np.int16),
            "game": game,
            "ply": ply.astype(np.int16),
            "aside": aside.astype(np.int16),
            "score": score,
        }
        part = path.with_suffix(".part")  # a file that is there is whole
        with part.open("wb") as file:
            np.savez_compressed(file, **arrays)
        part.replace(path)


class Explorer:
    """Plays games with itself. Which ones follows from the seed."""

    def __init__(self, game: Game, weights: str, nodes: int, seed: str) -> None:
        self._game, self._nodes = game, nodes
        geometry = geometry_of(game)
        found = weights_for(game, weights)
        self._attack, self._defence = found.attack, found.defence
        self._geometry = geometry
        self._engine = Engine(geometry, memory_mb=MEMORY_MB, weights=found)
        self._aside = Engine(geometry, memory_mb=ASIDE_MEMORY_MB, weights=found)
        self._reader = FreeFeatureReader(geometry)
        self._random = Random(seed)
        self._stop = StopFlag()

    def play(self, games: Games) -> None:
        """Another game, added to these."""
        random, number = self._random, len(games.plies)
        cells = self._opening()
        self._engine.clear()
        winner = None
        while winner is None:
            found = self._engine.search(
                cells, self._stop, nodes=round(self._nodes * random.uniform(LEAST_NODES, MOST_NODES))
            )
            score = _clipped(found.lines[0].score)
            games.positions.append((number, len(cells), -1, score))
            mover = 1 - len(cells) % 2 * 2
            if abs(score) == DECIDED:
                winner = mover if score > 0 else -mover
                break
            if random.random() < ASIDE:
                self._look_aside(games, cells)
            move = found.move
            if random.randrange(WHIMS) == 0:
                move = random.choice(self._good_looking(cells)[:WHIM_MOVES])
            cells.append(move)
            winner = self._end(cells)
        games.plies.append(len(cells))
        games.cells += cells
        games.result.append(winner)

    def _opening(self) -> list[int]:
        random, (rows, columns) = self._random, (self._game.rows, self._game.columns)
        while True:
            part = random.choice(OPENING_SIDES)
            near = [
                row * columns + column
                for row in range(rows)
                for column in range(columns)
                if abs(row - (rows - 1) / 2) <= max(1.0, part * rows / 2)
                and abs(column - (columns - 1) / 2) <= max(1.0, part * columns / 2)
            ]
            cells = random.sample(near, min(random.randint(1, MOST_STONES), len(near)))
            if self._end(cells) is not None:
                continue
            score = abs(self._aside.search(cells, self._stop, nodes=OPENING_NODES).lines[0].score)
            kept = KEPT_IF_DECIDED if score > MAX_EVALUATION else KEPT_IF_LED if score > OPENING_LEAD else 1.0
            if random.random() < kept:
                return cells

    def _look_aside(self, games: Games, cells: list[int]) -> None:
        moves = self._good_looking(cells)
        aside = [*cells, moves[min(int(self._random.expovariate(1 / ASIDE_RANK)), len(moves) - 1)]]
        if self._end(aside) is None:
            found = self._aside.search(aside, self._stop, nodes=round(ASIDE_NODES * self._nodes))
            games.positions.append((len(games.plies), len(cells), aside[-1], _clipped(found.lines[0].score)))

    def _good_looking(self, cells: list[int]) -> list[int]:
        """The moves that a search looks at, those first that look best."""
        seen = self._reader.read(self._position(cells))
        places = sorted(seen.candidates, key=lambda i: -self._attack[seen.moving[i]] - self._defence[seen.waiting[i]])
        return [seen.cells[i] for i in places]

    def _position(self, cells: list[int]) -> Position:
        """After these moves, or as many as it takes to end the game."""
        position = Position(self._geometry)
        for cell in cells:
            if position.is_over:
                break
            position.make(cell)
        return position

    def _end(self, cells: list[int]) -> int | None:
        """Who has won, as 1 for the first seat and -1 for the second, 0 for a draw; None while the game goes on."""
        position = self._position(cells)
        if not position.is_over:
            return None
        return 0 if position.winner is None else 1 - 2 * position.winner


def _clipped(score: int) -> int:
    return score if abs(score) <= MAX_EVALUATION else DECIDED if score > 0 else -DECIDED


def save_tables(game: Game, path: Path) -> None:
    """All that is needed to see a position as the network does."""
    features = code_features()
    np.savez_compressed(
        path,
        shape=np.array([game.rows, game.columns, game.k]),
        patterns=np.array(line_patterns(game.k), np.uint8),
        codes=np.array(codes_of_quads(), np.int16),
        features=features.astype(np.float32),
    )
    assert len(features) == CODES


def work(arguments: Namespace, worker: int, until: float) -> None:
    seed = arguments.seed * arguments.workers + worker
    number = len(list(arguments.out.glob(f"{seed}-*.npz")))
    explorer = Explorer(arguments.game, arguments.weights, arguments.nodes, f"{seed}/{number}/{arguments.game}")
    parent = multiprocessing.parent_process()
    with UntilCtrlC():
        while time.monotonic() < until and parent is not None and parent.is_alive():
            games = Games()
            for _ in range(GAMES_OF_A_FILE):
                explorer.play(games)
            games.save(arguments.out / f"{seed}-{number}.npz")
            number += 1


def main() -> int:
    parser = make_parser(__doc__, "python -m training.positions 15x15x5 --minutes 60 --workers 2 --out gomoku")
    parser.add_argument("game", type=game_argument, help="the board, as 15x15x5: free placement, k up to 6")
    parser.add_argument("--out", type=Path, required=True, help="the folder")
    parser.add_argument("--minutes", type=float, default=60, help="how long (default: 60)")
    parser.add_argument("--nodes", type=count_argument, default=3000, help="of a move, half to twice (default: 3000)")
    parser.add_argument("--weights", default=LEARNED, help="learned, formula, or a file (default: learned)")
    parser.add_argument("--seed", type=int, default=1, help="other games with another one (default: 1)")
    parser.add_argument("--workers", type=count_argument, default=1, help="processes (default: 1)")
    arguments = parser.parse_args()
    if arguments.game.gravity or arguments.game.k > MAX_TABLE_K:
        parser.error(f"{arguments.game}: only free placement with k up to {MAX_TABLE_K} is seen by codes of lines")
    tables = arguments.out / "tables.npz"
    shape = [arguments.game.rows, arguments.game.columns, arguments.game.k]
    if tables.exists() and np.load(tables)["shape"].tolist() != shape:
        parser.error(f"{arguments.out} has the games of another board")
    arguments.out.mkdir(parents=True, exist_ok=True)
    save_tables(arguments.game, tables)
    begin = time.monotonic()
    until = begin + 60 * arguments.minutes
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=work, args=(arguments, i, until)) for i in range(arguments.workers)]
    progress = Progress(round(60 * arguments.minutes), "seconds")
    with UntilCtrlC() as block:
        for worker in workers:
            worker.start()
        while any(worker.is_alive() for worker in workers):
            time.sleep(1)
            files = len(list(arguments.out.glob("*-*.npz")))
            progress.show(round(time.monotonic() - begin), f"{files * GAMES_OF_A_FILE} games in {arguments.out}")
    for worker in workers:
        worker.join()
    progress.end()
    return INTERRUPTED if block.interrupted else KEPT


if __name__ == "__main__":
    raise SystemExit(main())
