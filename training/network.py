"""The network of free placement, fitted to what `training.positions` has found. Needs PyTorch; uses a GPU if it can.

What it is, cell_network.hpp says: for each free cell a row by its code for the player to move and one by its code for
the other, cut off and added up over the cells; a hidden layer; a value. Beside it the plain sum over cells is fitted
anew, which the network corrects. 1 / (1 + exp(-value)) should be what the player to move can expect: a mixture of the
game's result and of what the search said, or the latter alone where a move was not played. A code's row is a sum of
rows for its patterns and its threat, and one of its own.

With `--start` it goes on from an earlier fit: to the games of a later generation, or of another board. Ctrl-C ends it,
and what is learned so far is written.

One game in twenty is held out; the losses of those are printed. The numbers are written as they are;
`python -m training.network_weights` makes a file of weights of them.
"""

import math
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import embedding, embedding_bag, pad, softplus

from training.cell_sums import CellSums

EXAMPLE = "python -m training.network gomoku --out gomoku.npz"
HELD_OUT = 20
"""One game of so many."""
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
FREE, OWN, OTHER, OFF_BOARD = range(4)
FIRST_WITH_STONES, PATTERNS, MASKS, MASK_BITS = 4, 14, 256, 8
OPEN_THREE, DOUBLE_OPEN_THREE, FOUR, FOUR_THREE, FOUR_OPEN_THREE, OPEN_FOUR, WIN = range(4, 11)
"""Threats, as threats.hpp numbers them."""
CHANNELS, HIDDEN = 64, 32
UNIT = 64
"""Rows are whole numbers, so much times what they are here,"""
MOST = 127 / UNIT
"""and what a cell brings is cut off here."""
MOST_SCORE = 8000.0
BATCH, WARM_UP, LAST_RATE = 8192, 100, 0.02
CHUNK = 1 << 16


class Seen:
    """How the network sees boards: the tables of a folder."""

    def __init__(self, folder: Path, device: str) -> None:
        tables = np.load(folder / "tables.npz")
        self.rows, self.columns, self.k = map(int, tables["shape"])
        self.patterns = torch.from_numpy(tables["patterns"].astype(np.int64)).to(device)
        self.codes = torch.from_numpy(tables["codes"].astype(np.int64)).to(device)
        self.features = torch.from_numpy(tables["features"]).to(device)
        self.threat = self.features[:, PATTERNS:].argmax(1)
        self.has_stones = self.features[:, FIRST_WITH_STONES:PATTERNS].sum(1) > 0

    def codes_of(self, boards: Tensor) -> tuple[Tensor, Tensor]:
        """The cells' codes for the player to move and for the other; that of nothing for taken cells."""
        reach = self.k - 1
        cells = boards.view(-1, self.rows, self.columns).long()
        padded = pad(cells, (reach,) * 4, value=OFF_BOARD)
        own, other = torch.zeros_like(cells), torch.zeros_like(cells)
        for number, (down, right) in enumerate(STEPS):
            key = torch.zeros_like(cells)
            offsets = [offset for offset in range(-reach, reach + 1) if offset != 0]
            for place, offset in enumerate(offsets):
                row, column = reach + down * offset, reach + right * offset
                key += padded[:, row : row + self.rows, column : column + self.columns] << 2 * place
            found = self.patterns[key]
            own += (found & 15) << 4 * number
            other += (found >> 4) << 4 * number
        free = cells == FREE
        codes = [(self.codes[quads] * free).flatten(1).to(torch.int16) for quads in (own, other)]
        return codes[0], codes[1]

    def without_empty(self, own: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
        """The same cells, without most of those that bring nothing."""
        counts = self.has_stones[own.long()] | self.has_stones[other.long()]
        order = counts.byte().argsort(1, descending=True)[:, : int(counts.sum(1).max())]
        return own.gather(1, order), other.gather(1, order)

    def masks_of(self, own: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
        """The threat bits, and whether a search would evaluate the position."""
        ours, theirs = self.threat[own.long()], self.threat[other.long()]
        bits = (
            *(
                (ours, threats)
                for threats in ((FOUR, FOUR_THREE), (FOUR_OPEN_THREE,), (OPEN_THREE,), (DOUBLE_OPEN_THREE,))
            ),
            *(
                (theirs, threats)
                for threats in ((FOUR, FOUR_THREE), (FOUR_OPEN_THREE,), (OPEN_FOUR,), (DOUBLE_OPEN_THREE,))
            ),
        )
        mask = sum(_has(cells, *threats).long() << bit for bit, (cells, threats) in enumerate(bits))
        assert isinstance(mask, Tensor)
        return mask, ~(_has(ours, WIN, OPEN_FOUR) | _has(theirs, WIN))


def _has(cells: Tensor, *threats: int) -> Tensor:
    found = torch.zeros(len(cells), dtype=torch.bool, device=cells.device)
    for threat in threats:
        found |= (cells == threat).any(1)
    return found


class Positions:
    """All positions of some folders that a search would evaluate."""

    def __init__(self, folders: list[Path], device: str) -> None:
        parts: list[tuple[Tensor, ...]] = []
        games = 0
        for folder in folders:
            seen = Seen(folder, device)
            for path in sorted(folder.glob("*-*.npz")):
                boards, result, score, played, game = boards_of(path, seen.rows * seen.columns)
                free = (boards == FREE).sum(1)
                for i in range(0, len(boards), CHUNK):
                    own, other = seen.codes_of(boards[i : i + CHUNK].to(device))
                    mask, is_evaluated = seen.masks_of(own, other)
                    kept = is_evaluated.cpu()
                    rest = (
                        each[i : i + CHUNK][kept].to(device) for each in (result, score, played, free, game + games)
                    )
                    parts.append(
                        (*seen.without_empty(own[is_evaluated], other[is_evaluated]), mask[is_evaluated], *rest)
                    )
                games += int(game.max()) + 1
        if not parts:
            raise SystemExit(f"there are no positions in {', '.join(map(str, folders))}: training.positions makes some")
        width = max(part[0].shape[1] for part in parts)
        self.own, self.other = (
            torch.cat([pad(part[i], (0, width - part[i].shape[1])) for part in parts]) for i in range(2)
        )
        self.mask, self.result, self.score, self.played, self.free, self.game = (
            torch.cat([part[i] for part in parts]) for i in range(2, 8)
        )

    def scale(self) -> float:
        """With which 1 / (1 + exp(-score / scale)) says the results best."""
        kept = self.played & (self.score.abs() < MOST_SCORE)
        score, result = self.score[kept], self.result[kept]
        return min(range(100, 1000, 5), key=lambda scale: cross_entropy(score / scale, result).mean().item())

    def targets(self, scale: float, search: float) -> Tensor:
        said = torch.sigmoid(self.score.clamp(-MOST_SCORE, MOST_SCORE) / scale)
        return torch.where(self.played, search * said + (1 - search) * self.result, said)


def boards_of(path: Path, cells: int) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Of each position of a file: the board as its player sees it, result, score, whether it was played, game."""
    file = {name: torch.from_numpy(np.asarray(array, np.int64)) for name, array in np.load(path).items()}
    plies, game, ply, aside = file["plies"], file["game"], file["ply"], file["aside"]
    starts = torch.cumsum(plies, 0) - plies
    when = torch.full((len(plies), cells), 1 << 14, dtype=torch.int64)
    owner = torch.repeat_interleave(torch.arange(len(plies)), plies)
    when[owner, file["cells"]] = torch.arange(len(owner)) - starts[owner]
    played = aside < 0
    mover = (ply + ~played) % 2
    stones = when[game]
    boards = torch.where(stones % 2 == mover[:, None], OWN, OTHER) * (stones < ply[:, None])
    boards[~played, aside[~played]] = OTHER
    result = file["result"][game].float() * (1 - 2 * mover) / 2 + 0.5
    return boards.to(torch.uint8), result, file["score"].float(), played, game


class Learned(nn.Module):
    """Rows of numbers: a sum over features that are shared, plus each row's own. Those without features are zeros."""

    def __init__(self, features: Tensor, size: int, width: float) -> None:
        super().__init__()
        self.features: Tensor
        self.has_row: Tensor
        self.register_buffer("features", features)
        self.register_buffer("has_row", (features != 0).any(1).byte())
        self.own = nn.Parameter(torch.zeros(len(features), size, device=features.device))
        self.shared = nn.Parameter(torch.randn(features.shape[1], size, device=features.device) * width)

    def forward(self) -> Tensor:
        return (self.features @ self.shared + self.own) * self.has_row[:, None]

    def start(self, numbers: Tensor) -> None:
        self.own.data = numbers.reshape(self.own.shape)
        self.shared.data.zero_()


class Network(nn.Module):
    """The sum over cells, and the network that corrects it."""

    def __init__(self, seen: Seen) -> None:
        super().__init__()
        codes = seen.features * seen.has_stones[:, None]
        bits = (torch.arange(MASKS)[:, None] >> torch.arange(MASK_BITS) & 1).float()
        masks = torch.cat([bits, torch.ones(MASKS, 1)], 1).to(codes.device)  # the last one is there whatever threatens
        self.plain_moving, self.plain_waiting = Learned(codes, 1, 0.01), Learned(codes, 1, 0.01)
        self.plain_threats = Learned(masks, 1, 0.0)
        self.moving, self.waiting = Learned(codes, CHANNELS, 0.15), Learned(codes, CHANNELS, 0.15)
        self.matrix = nn.Parameter(torch.randn(CHANNELS, HIDDEN) * 0.05)
        self.threats = Learned(masks, HIDDEN, 0.05)
        self.output = nn.Parameter(torch.randn(HIDDEN) * 0.1)

    def forward(self, own: Tensor, other: Tensor, mask: Tensor) -> Tensor:
        plain = embedding_bag(own.int(), self.plain_moving(), mode="sum") - embedding_bag(
            other.int(), self.plain_waiting(), mode="sum"
        )
        sums = self.sums(own, other)
        layer = torch.relu(sums @ self.matrix + self.threats()[mask])
        value: Tensor = (plain + self.plain_threats()[mask])[:, 0] + layer @ self.output
        return value

    def sums(self, own: Tensor, other: Tensor) -> Tensor:
        """The codes' rows, cut off and added up."""
        moving, waiting = self.moving(), self.waiting()
        if own.is_cuda:
            return (embedding(own.int(), moving) + embedding(other.int(), waiting)).clamp(0, MOST).sum(1)
        sums: Tensor = CellSums.apply(own, other, self.moving.has_row, moving, waiting, MOST)
        return sums

    def start(self, numbers: Mapping[str, np.ndarray]) -> None:
        """With what `numbers` was."""
        for name, rows in numbers.items():
            if name in self.numbers():
                part = getattr(self, name)
                if isinstance(part, nn.Parameter):
                    part.data = torch.from_numpy(rows).reshape(part.shape).to(part.device)
                else:
                    part.start(torch.from_numpy(rows).to(part.own.device))

    def numbers(self) -> dict[str, np.ndarray]:
        found = {
            "plain_moving": self.plain_moving()[:, 0],
            "plain_waiting": self.plain_waiting()[:, 0],
            "plain_threats": self.plain_threats()[:, 0],
            "moving": self.moving(),
            "waiting": self.waiting(),
            "matrix": self.matrix,
            "threats": self.threats(),
            "output": self.output,
        }
        return {name: numbers.detach().cpu().numpy() for name, numbers in found.items()}


def cross_entropy(values: Tensor, targets: Tensor) -> Tensor:
    return softplus(values) - targets * values


class Fit:
    """Learns, and says how well on games that are held out."""

    def __init__(self, network: Network, positions: Positions, targets: Tensor) -> None:
        self.network, self.positions, self.targets = network, positions, targets
        is_held_out = positions.game % HELD_OUT == 0
        self.trains, self.held_out = (~is_held_out).nonzero()[:, 0], is_held_out.nonzero()[:, 0]

    def values(self, chosen: Tensor) -> Tensor:
        positions = self.positions
        found: Tensor = self.network(positions.own[chosen], positions.other[chosen], positions.mask[chosen])
        return found

    def losses(self) -> str:
        with torch.no_grad():
            values = torch.cat([self.values(chosen) for chosen in self.held_out.split(BATCH)])
        played = self.positions.played[self.held_out]
        loss = cross_entropy(values, self.targets[self.held_out]).mean()
        results = cross_entropy(values[played], self.positions.result[self.held_out][played]).mean()
        return f"held out {loss:.5f}, results alone {results:.5f}"

    def run(self, epochs: int, rate: float, decay: float) -> None:
        own = [numbers for name, numbers in self.network.named_parameters() if name.endswith(".own")]
        first = [numbers.detach().clone() for numbers in own]
        optimizer = torch.optim.Adam(self.network.parameters(), lr=rate)
        steps, step, begin = epochs * (len(self.trains) // BATCH), 0, time.monotonic()
        for epoch in range(1, epochs + 1):
            order = self.trains[torch.randperm(len(self.trains), device=self.trains.device)]
            total = 0.0
            for chosen in order.split(BATCH)[: len(order) // BATCH]:
                wave = (1 + math.cos(math.pi * step / steps)) / 2
                for group in optimizer.param_groups:
                    group["lr"] = rate * min(1.0, (step + 1) / WARM_UP) * (LAST_RATE + (1 - LAST_RATE) * wave)
                loss = cross_entropy(self.values(chosen), self.targets[chosen]).mean()
                penalty = sum(((now - then) ** 2).sum() for now, then in zip(own, first, strict=True))
                optimizer.zero_grad()
                (loss + decay * penalty).backward()
                optimizer.step()
                step += 1
                total += loss.detach()
            if epoch % max(1, epochs // 6) == 0 or epoch == epochs:
                mean = float(total) / max(1, len(order) // BATCH)
                print(f"epoch {epoch}: loss {mean:.5f}, {self.losses()}, {time.monotonic() - begin:.0f} s", flush=True)


def main() -> int:
    parser = ArgumentParser(
        description=__doc__, epilog=f"example: {EXAMPLE}", formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+", help="of training.positions, all of one k")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    parser.add_argument(
        "--search", type=float, default=0.7, help="the search's part in what is to be said (default: 0.7)"
    )
    parser.add_argument("--epochs", type=int, default=24, help="times that each position is seen (default: 24)")
    parser.add_argument("--rate", type=float, default=3e-3, help="of learning (default: 0.003)")
    parser.add_argument("--decay", type=float, default=1e-6, help="how strongly codes are held where they begin")
    parser.add_argument("--start", type=Path, help="an earlier --out to go on from")
    parser.add_argument("--seed", type=int, default=1, help="of the first numbers (default: 1)")
    arguments = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(arguments.seed)
    positions = Positions(arguments.folders, device)
    scale = positions.scale()
    games = len(positions.game.unique())
    print(
        f"{len(positions.mask)} positions of {games} games, on {device}; the scores' scale is {scale:.0f}", flush=True
    )
    network = Network(Seen(arguments.folders[0], device)).to(device)
    if arguments.start is not None:
        network.start(np.load(arguments.start))
    fit = Fit(network, positions, positions.targets(scale, arguments.search))
    print(f"to begin with: {fit.losses()}", flush=True)
    try:
        fit.run(arguments.epochs, arguments.rate, arguments.decay)
    except KeyboardInterrupt:
        print("stopped: what is learned so far is kept")
    about = f"{len(positions.mask)} positions of {games} games; {fit.losses()}"
    np.savez_compressed(arguments.out, scale=scale, about=about, **network.numbers())
    print(f"{arguments.out} written")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
