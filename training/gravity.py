"""From games with gravity to weights: finds the numbers of the engine's evaluation that say best how games end.

The games and notes are those of `training.selfplay`. A position counts when a search would evaluate it and there is a
note of it. 1 / (1 + exp(-value / 160)) should be what the player to move can expect: a mixture of the game's result and
of what the search said. The value is no sum (one threat answers another), so the numbers are tried one after the other:
a step up or down stays if the loss is less; where neither helps, the next steps of this number are half as long.

One game in ten is held out; the losses of those are printed.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmarks.matches import INTERRUPTED, KEPT, UntilCtrlC, count_argument, make_parser
from numpy.typing import NDArray

from inarow import Game
from inarow._core import DropValues, EngineWeights
from inarow.engine import cells_of, geometry_of
from inarow.engine.weights import get_numbers, set_numbers, write_weights
from training.evaluation import fitted_scale
from training.features import DECIDED, notes_of, records, result_for
from training.fit import HELD_OUT
from training.learned import cross_entropy, sigmoid

LEARNED = (
    *(
        "window",
        "own_row",
        "others_row",
        "column",
        "leader_sound",
        "leader_unsound",
        "follower_sound",
        "follower_unsound",
        "stacked",
        "height",
        "turn",
    ),
    *("above_other", "not_best", "follower_answered", "zugzwang", "zugzwang_decay"),
)
FIRST_STEP = 0.25
"""Of a number's size,"""
LEAST_FIRST_STEP = 4
"""and at least this."""
LONGER, SHORTER = 1.5, 0.45
"""A step that helped, and one that did not either way; one that changes nothing is never tried again."""


@dataclass(frozen=True)
class Positions:
    """Of one game, as M x N: what their values should say, and which are held out."""

    values: DropValues
    counted: NDArray[np.bool_]
    targets: NDArray[np.float64]
    trains: NDArray[np.bool_]

    def losses(self, weights: EngineWeights) -> tuple[float, float]:
        """The sum over the positions to learn from, and over those held out."""
        logits = np.array(self.values.with_weights(weights), float)[self.counted] / weights.drop.scale
        each = cross_entropy(logits, self.targets)
        return float(each[self.trains].sum()), float(each[~self.trains].sum())


class Numbers:
    """The numbers to be learned, each by its name and its place in a list, with the step to try next."""

    def __init__(self, weights: EngineWeights, names: tuple[str, ...]) -> None:
        self.weights = weights
        self.steps: dict[tuple[str, int], int] = {}
        for name in names:
            for place, number in enumerate(get_numbers(weights, name)):
                self.steps[name, place] = max(LEAST_FIRST_STEP, round(FIRST_STEP * abs(number)))

    def changed(self, name: str, place: int, by: int) -> None:
        numbers = get_numbers(self.weights, name)
        numbers[place] += by
        set_numbers(self.weights, name, numbers)

    def improve(self, positions: list[Positions], best: float) -> float:
        """Tries every number once; the new loss."""
        for (name, place), step in self.steps.items():
            losses = []
            for by in (step, -step):
                self.changed(name, place, by)
                losses.append(total_losses(positions, self.weights)[0])
                if losses[-1] < best:
                    break
                self.changed(name, place, -by)
            if losses[-1] < best:
                self.steps[name, place] = round(LONGER * by)
            else:
                self.steps[name, place] = 0 if losses == [best, best] else round(SHORTER * step)
            best = min(best, losses[-1])
        self.steps = {key: step for key, step in self.steps.items() if step != 0}
        return best


def total_losses(positions: list[Positions], weights: EngineWeights) -> tuple[float, float]:
    trained, held_out = zip(*(each.losses(weights) for each in positions), strict=True)
    return sum(trained), sum(held_out)


def load(stores: list[Path], search_share: float) -> tuple[list[Positions], dict[str, int]]:
    """The positions of all stores, by game; and how many games there are, by game and nodes."""
    numbers: dict[str, int] = {}
    found: dict[Game, list[tuple[list[int], list[tuple[float, float] | None]]]] = {}
    for record, notes in records(stores):
        said = [note and (result_for(record, ply), float(note[0])) for ply, note in enumerate(notes_of(record, notes))]
        text = f"{record.game} at {record.limit.nodes} nodes"
        numbers[text] = numbers.get(text, 0) + 1
        found.setdefault(record.game, []).append((cells_of(record.board()), said))
    positions = []
    for game, games in found.items():
        values = DropValues(geometry_of(game), [cells for cells, _ in games])
        noted = [each for _, said in games for each in said]
        number = np.repeat(np.arange(len(games)), [len(cells) for cells, _ in games])
        counted = np.array(values.are_evaluated()) & np.array([each is not None for each in noted])
        results, scores = np.array([each or (0.0, 0.0) for each in noted]).T
        is_open = counted & (np.abs(scores) < DECIDED)
        scale = fitted_scale(scores[is_open], results[is_open])
        print(f"{game}: {counted.sum()} positions of {len(games)} games; the scores' scale is {scale:.0f}")
        targets = search_share * sigmoid(scores / scale) + (1 - search_share) * results
        positions.append(Positions(values, counted, targets[counted], number[counted] % HELD_OUT != 0))
    return positions, numbers


def main() -> int:
    parser = make_parser(__doc__, "python -m training.gravity connect4.store --out gravity-4.weights")
    parser.add_argument("stores", type=Path, nargs="+", help="of training.selfplay, with gravity")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    parser.add_argument(
        "--search", type=float, default=0.5, help="the search's part in what is to be said (default: 0.5)"
    )
    parser.add_argument(
        "--then", nargs="*", default=[], metavar="NAME=NUMBER", help="numbers that matches found better: zugzwang=1500"
    )
    parser.add_argument("--rounds", type=count_argument, default=40, help="through all the numbers (default: 40)")
    arguments = parser.parse_args()
    positions, games = load(arguments.stores, arguments.search)
    names = tuple(f"drop.{name}" for name in LEARNED)
    weights = EngineWeights.handmade()
    trained, held_out = (sum(int(sum(each.trains == which)) for each in positions) for which in (True, False))
    numbers = Numbers(weights, names)
    losses = total_losses(positions, weights)
    print(f"the formula's loss {losses[0] / trained:.5f}, held out {losses[1] / held_out:.5f}")
    with UntilCtrlC() as block:
        best = losses[0]
        for number in range(1, arguments.rounds + 1):
            if not numbers.steps:
                break
            best = numbers.improve(positions, best)
            losses = total_losses(positions, weights)
            print(f"  round {number}: loss {losses[0] / trained:.5f}, held out {losses[1] / held_out:.5f}", flush=True)
    for name, _, given in (text.partition("=") for text in arguments.then):
        set_numbers(weights, f"drop.{name}", [int(given)])
    for name in names:
        print(f"  {name} {get_numbers(weights, name)}")
    about = {"positions": trained + held_out, "games": games}
    write_weights(arguments.out, weights, names, {"learned from": [about], "found by matches": arguments.then})
    print(f"{arguments.out} written")
    return INTERRUPTED if block.interrupted else KEPT


if __name__ == "__main__":
    raise SystemExit(main())
