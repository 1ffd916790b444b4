"""From the numbers of `training.network` to a file of weights: whole numbers, in the units of the search.

The order of moves, which the network does not know, is that of another file. With `--back` it goes from a file of
weights to numbers, for `training.network --start`.
"""

from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.matches import KEPT, make_parser

from inarow._core import EngineWeights, NetworkWeights
from inarow.engine.weights import FREE_NUMBERS, NETWORK_NUMBERS, read_weights, write_weights
from training.evaluation import VALUE_SCALE
from training.learned import rounded

PLAIN_NUMBERS = ("moving", "waiting", "threats")
"""Of the sum that the network corrects."""
UNITS = {
    "moving": NetworkWeights.CELL_UNIT,
    "waiting": NetworkWeights.CELL_UNIT,
    "matrix": NetworkWeights.MATRIX_UNIT / NetworkWeights.CELL_UNIT,
    "threats": NetworkWeights.THREATS_UNIT,
    "output": NetworkWeights.OUTPUT_UNIT * VALUE_SCALE,
}
"""A file's numbers are so many times those of the fit."""


def weights_of(numbers: dict[str, np.ndarray], order: EngineWeights) -> EngineWeights:
    """These numbers, with the other weights' order of moves. ValueError when one does not fit into 16 bits."""
    weights = EngineWeights.handmade()
    weights.attack, weights.defence = order.attack, order.defence
    weights.scale = float(numbers["scale"])
    for name in PLAIN_NUMBERS:
        setattr(weights, name, rounded(VALUE_SCALE * numbers[f"plain_{name}"]))
    weights.turn = 0  # the threats say it
    network = NetworkWeights()
    for name in NETWORK_NUMBERS:
        whole = np.rint(UNITS[name] * numbers[name].astype(float)).astype(int)
        if np.abs(whole).max() > np.iinfo(np.int16).max:
            raise ValueError(f"{name} does not fit into 16 bits")
        setattr(network, name, whole.ravel().tolist())
    weights.network = network
    return weights


def with_draws(network: NetworkWeights, draws: list[int]) -> NetworkWeights:
    """The network, and how likely it takes draws to be."""
    network.draws = draws  # of a copy: what weights give is not what they have
    return network


def numbers_of(weights: EngineWeights) -> dict[str, Any]:
    """The other way round, as exactly as whole numbers can say it."""
    found = {f"plain_{name}": np.array(getattr(weights, name)) / VALUE_SCALE for name in PLAIN_NUMBERS}
    found["plain_threats"] += weights.turn / VALUE_SCALE
    for name in NETWORK_NUMBERS:
        found[name] = np.array(getattr(weights.network, name)) / UNITS[name]
    return {name: array.astype(np.float32) for name, array in found.items()}


def main() -> int:
    parser = make_parser(
        __doc__, "python -m training.network_weights gomoku.npz --order free-5.weights --out new.weights"
    )
    parser.add_argument("file", type=Path, help="of training.network, or with --back a file of weights")
    parser.add_argument("--order", type=Path, help="the weights whose order of moves is taken")
    parser.add_argument("--back", action="store_true", help="from weights to numbers")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    arguments = parser.parse_args()
    if arguments.back:
        weights = read_weights(arguments.file)
        if not weights.network.output:
            parser.error(f"{arguments.file} has no network")
        np.savez_compressed(arguments.out, scale=weights.scale, **numbers_of(weights))
    elif arguments.order is None:
        parser.error("--order is missing: the weights whose order of moves is taken")
    else:
        numbers = dict(np.load(arguments.file))
        weights = weights_of(numbers, read_weights(arguments.order))
        names = (*FREE_NUMBERS, *(f"network.{name}" for name in NETWORK_NUMBERS))
        write_weights(arguments.out, weights, names, {"learned from": str(numbers.get("about", ""))})
    print(f"{arguments.out} written")
    return KEPT


if __name__ == "__main__":
    raise SystemExit(main())
