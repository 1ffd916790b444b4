"""From the numbers of `training.network` to a file of weights: whole numbers, in the units of the search.

The order of moves, which the network does not know, is that of another file.
"""

from pathlib import Path

import numpy as np
from benchmarks.matches import KEPT, make_parser

from inarow._core import EngineWeights, NetworkWeights
from inarow.engine.weights import FREE_NUMBERS, NETWORK_NUMBERS, read_weights, write_weights
from training.evaluation import VALUE_SCALE
from training.learned import rounded


def weights_of(numbers: dict[str, np.ndarray], order: EngineWeights) -> EngineWeights:
    """These numbers, with the other weights' order of moves. ValueError when one does not fit into 16 bits."""
    weights = EngineWeights.handmade()
    weights.attack, weights.defence = order.attack, order.defence
    weights.scale = float(numbers["scale"])
    weights.moving = rounded(VALUE_SCALE * numbers["plain_moving"])
    weights.waiting = rounded(VALUE_SCALE * numbers["plain_waiting"])
    weights.threats = rounded(VALUE_SCALE * numbers["plain_threats"])
    weights.turn = 0  # the threats say it
    units = {
        "moving": NetworkWeights.CELL_UNIT,
        "waiting": NetworkWeights.CELL_UNIT,
        "matrix": NetworkWeights.MATRIX_UNIT / NetworkWeights.CELL_UNIT,
        "threats": NetworkWeights.THREATS_UNIT,
        "output": NetworkWeights.OUTPUT_UNIT * VALUE_SCALE,
    }
    network = NetworkWeights()
    for name in NETWORK_NUMBERS:
        whole = np.rint(units[name] * numbers[name].astype(float)).astype(int)
        if np.abs(whole).max() > np.iinfo(np.int16).max:
            raise ValueError(f"{name} does not fit into 16 bits")
        setattr(network, name, whole.ravel().tolist())
    weights.network = network
    return weights


def main() -> int:
    parser = make_parser(
        __doc__, "python -m training.network_weights gomoku.npz --order free-5.weights --out new.weights"
    )
    parser.add_argument("numbers", type=Path, help="of training.network")
    parser.add_argument("--order", type=Path, required=True, help="the weights whose order of moves is taken")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    arguments = parser.parse_args()
    numbers = dict(np.load(arguments.numbers))
    weights = weights_of(numbers, read_weights(arguments.order))
    names = (*FREE_NUMBERS, *(f"network.{name}" for name in NETWORK_NUMBERS))
    write_weights(arguments.out, weights, names, {"learned from": str(numbers.get("about", ""))})
    print(f"{arguments.out} written")
    return KEPT


if __name__ == "__main__":
    raise SystemExit(main())
