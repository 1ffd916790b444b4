"""How likely a draw is, fitted to games of `training.positions` and added to a file of weights with a network.

contempt.hpp has the formulas: who is better is known from the network's value, here multiplied by a number that is
fitted, too; how much better one has to be to win is a sum over what the cells bring to the network's channels, so much
for each free cell, and so much more. Needs PyTorch.

Positions with few free cells are left out: those of long drawn games would count most. One game in twenty is held out.
"""

from pathlib import Path

import torch
from benchmarks.matches import KEPT, count_argument, make_parser
from torch import Tensor, nn

from inarow._core import NetworkWeights
from inarow.engine.weights import FREE_NUMBERS, NETWORK_NUMBERS, about_weights, read_weights, write_weights
from training.evaluation import VALUE_SCALE
from training.network import BATCH, CHANNELS, HELD_OUT, UNIT, Network, Positions, Seen
from training.network_weights import numbers_of, with_draws

MOST_VALUE, MOST_DRAWISHNESS, LEAST_CHANCE = 7.8, 10.0, 1e-6
STEPS = 200
DECAY = 1e-6
"""How strongly the channels' numbers are held at nothing."""
SUMS_SIZE, FREE_SIZE = 1000.0, 100.0
"""Of the sums over cells and of the number of free cells, so that all numbers are fitted alike."""


class Draws(nn.Module):
    """From the network's values, channels and the number of free cells to the chances of a win, a draw and a loss."""

    def __init__(self) -> None:
        super().__init__()
        self.channels = nn.Parameter(torch.zeros(CHANNELS))
        self.free, self.rest = nn.Parameter(torch.zeros(())), nn.Parameter(torch.zeros(()))
        self.sureness = nn.Parameter(torch.ones(()))

    def drawishness(self, sums: Tensor, free: Tensor) -> Tensor:
        found: Tensor = sums @ self.channels / SUMS_SIZE + self.free * free / FREE_SIZE + self.rest
        return found

    def forward(self, values: Tensor, sums: Tensor, free: Tensor) -> Tensor:
        c = 1 + torch.exp(self.drawishness(sums, free).clamp(-MOST_DRAWISHNESS, MOST_DRAWISHNESS))
        t = torch.tanh((self.sureness * values).clamp(-MOST_VALUE, MOST_VALUE) / 2)
        exp_x = (t * c + torch.sqrt(t * t * c * c + 1 - t * t)) / (1 - t)
        exp_a = c + torch.sqrt(c * c - 1)
        win, loss = exp_x / (exp_x + exp_a), 1 / (1 + exp_x * exp_a)
        return torch.stack((loss, 1 - win - loss, win), 1).clamp_min(LEAST_CHANCE)

    def numbers(self) -> list[int]:
        """As a file of weights has them."""
        channels = self.channels.detach() / SUMS_SIZE * NetworkWeights.DRAWS_UNIT
        rest = torch.stack((self.free / FREE_SIZE, self.rest)).detach() * NetworkWeights.DRAWS_REST_UNIT
        return [round(number) for number in (*channels.tolist(), *rest.tolist())]


def seen_by(network: Network, positions: Positions) -> tuple[Tensor, Tensor]:
    """The network's values, and what the cells bring to its channels, in whole numbers' units."""
    with torch.no_grad():
        parts = [
            (network(own, other, mask), network.sums(own, other) * UNIT)
            for own, other, mask in zip(
                positions.own.split(BATCH), positions.other.split(BATCH), positions.mask.split(BATCH), strict=True
            )
        ]
    return torch.cat([values for values, _ in parts]), torch.cat([sums for _, sums in parts])


def fitted(positions: Positions, network: Network, least_free: int) -> tuple[Draws, str]:
    """What is learned, and what from."""
    values, sums = seen_by(network, positions)
    kept = positions.played & (positions.free >= least_free)
    held_out = kept & (positions.game % HELD_OUT == 0)
    ends = (2 * positions.result).long()  # 0 a loss, 1 a draw, 2 a win

    def loss(chosen: Tensor) -> Tensor:
        chances = draws(values[chosen], sums[chosen], positions.free[chosen].float())
        return -chances.gather(1, ends[chosen, None]).log().mean()

    def closure() -> Tensor:
        optimizer.zero_grad()
        found = loss(kept & ~held_out) + DECAY * (draws.channels**2).sum()
        found.backward()
        return found

    draws = Draws().to(values.device)
    optimizer = torch.optim.LBFGS(draws.parameters(), max_iter=STEPS, line_search_fn="strong_wolfe")
    with torch.no_grad():
        before = loss(held_out)
    optimizer.step(closure)
    with torch.no_grad():
        print(f"held out {before:.4f} before and {loss(held_out):.4f} after")
    print(f"a value's unit is {VALUE_SCALE / draws.sureness.item():.0f} on this board")
    return draws, f"{int(kept.sum())} positions of {len(positions.game[kept].unique())} games"


def main() -> int:
    parser = make_parser(__doc__, "python -m training.draws small --weights free-5.weights --out new.weights")
    parser.add_argument("folders", type=Path, nargs="+", help="of training.positions")
    parser.add_argument("--weights", type=Path, required=True, help="a file with a network")
    parser.add_argument("--least-free", type=count_argument, default=40, help="cells of a position (default: 40)")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    arguments = parser.parse_args()
    weights = read_weights(arguments.weights)
    if not weights.network.output:
        parser.error(f"{arguments.weights} has no network")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    network = Network(Seen(arguments.folders[0], device)).to(device)
    network.start(numbers_of(weights))
    draws, learned_from = fitted(Positions(arguments.folders, device), network, arguments.least_free)
    earlier = str(about_weights(arguments.weights).get("learned from", "")).partition("; draws: ")[0]
    weights.network = with_draws(weights.network, draws.numbers())
    names = (*FREE_NUMBERS, *(f"network.{name}" for name in (*NETWORK_NUMBERS, "draws")))
    write_weights(arguments.out, weights, names, {"learned from": f"{earlier}; draws: {learned_from}"})
    print(f"{arguments.out} written")
    return KEPT


if __name__ == "__main__":
    raise SystemExit(main())
