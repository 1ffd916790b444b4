"""From positions to weights: fits the engine's evaluation and its order of moves to the features of many games.

Evaluation. A position's value is a sum over its free cells plus a number for its threat bits, and 1 / (1 + exp(-value /
320)) should be what the player to move can expect: a mixture of the game's result and of what the search said. A code's
weight is the formula's, plus what each of its patterns and its threat add, plus a number of its own. What is added is
pulled to zero, so that a code that is hardly ever seen keeps nearly the formula's weight.

Order. Among the candidates of a position, exp(attack + defence) should be the share of positions in which the search
chooses this one. The numbers are written in the formula's units, for which the search's other ranks are made.

One game in ten is held out; the losses of those are printed.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.matches import KEPT, count_argument, make_parser

from inarow._core import EngineWeights
from inarow.engine.weights import FREE_NUMBERS, write_weights
from training.evaluation import EvaluationFit, fitted_scale
from training.features import DECIDED
from training.learned import Arrays, sigmoid
from training.order import OrderFit

HELD_OUT = 10
"""One game of so many."""


def load(paths: list[Path]) -> tuple[Arrays, list[Any]]:
    """The files' arrays, one after the other, and what they say about themselves."""
    files = [np.load(path) for path in paths]
    data: Arrays = {}
    for name in files[0].files:
        if name == "about":
            continue
        parts = [file[name] for file in files]
        if name.endswith("_start"):
            offsets = np.cumsum([0, *(part[-1] for part in parts)])
            parts = [part[:-1] + offset for part, offset in zip(parts, offsets, strict=False)] + [offsets[-1:]]
        elif name == "game":
            offsets = np.cumsum([0, *(part.max() + 1 for part in parts)])
            parts = [part + offset for part, offset in zip(parts, offsets, strict=False)]
        data[name] = np.concatenate(parts)
    return data, [json.loads(str(file["about"])) for file in files]


def main() -> int:
    parser = make_parser(__doc__, "python -m training.fit gomoku.npz --out free-5.weights")
    parser.add_argument("features", type=Path, nargs="+", help="of training.features")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    parser.add_argument(
        "--search", type=float, default=0.5, help="the search's part in what is to be said (default: 0.5)"
    )
    parser.add_argument("--prior", type=float, default=20, help="how far codes may be from the formula (default: 20)")
    parser.add_argument("--order-prior", type=float, default=40, help="the same for the order (default: 40)")
    parser.add_argument("--alike", type=float, default=5, help="positions of a game that count as one (default: 5)")
    parser.add_argument(
        "--stretch", type=float, default=0.3, help="from logits to ranks, in the formula's units (default: 0.3)"
    )
    parser.add_argument("--iterations", type=count_argument, default=150, help="of each fit (default: 150)")
    parser.add_argument("--formula-order", action="store_true", help="learn the evaluation only")
    arguments = parser.parse_args()
    data, about = load(arguments.features)
    results = data["result"].astype(float)
    scores = data["score"].astype(float)
    trains = data["game"] % HELD_OUT != 0
    is_open = np.abs(scores) < DECIDED
    scale = fitted_scale(scores[is_open], results[is_open])
    print(f"{len(results)} positions of {len(np.unique(data['game']))} games; the scores' scale is {scale:.0f}")

    weights = EngineWeights.handmade()
    weights.scale = scale
    targets = arguments.search * sigmoid(scores / scale) + (1 - arguments.search) * results
    evaluation = EvaluationFit(data, targets, trains)
    evaluation.put_into(weights, evaluation.run(arguments.prior, 1 / arguments.alike, arguments.iterations))
    if not arguments.formula_order:
        order = OrderFit(data, trains)
        place = order.run(arguments.order_prior, 1 / arguments.alike, arguments.iterations)
        order.put_into(weights, place, arguments.stretch)
    write_weights(arguments.out, weights, FREE_NUMBERS, {"learned from": about})
    print(f"{arguments.out} written")
    return KEPT


if __name__ == "__main__":
    raise SystemExit(main())
