"""Numbers of the engine's evaluation with gravity, found by games: where results of equal players teach too little.

An evolution strategy. Each generation tries candidates around the numbers it has, in pairs that go opposite ways. They
play games against another player, both with a limit of nodes, from openings of two random stones, the same for all.
The numbers then move to the weighted mean of the better half: what is luck goes a different way in each, and cancels.

A number is changed by a factor, or by so much, where it is about nothing. Ctrl-C ends it early; what has been found by
then is written either way.
"""

import argparse
import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
from benchmarks.matches import (
    INTERRUPTED,
    KEPT,
    Progress,
    UntilCtrlC,
    count_argument,
    do_all,
    game_argument,
    make_parser,
    spec_argument,
)
from numpy.typing import NDArray

from inarow import Board, Game, Limit, Seat, ask, make_player
from inarow._core import EngineWeights
from inarow.engine.weights import get_numbers, read_weights, set_numbers, weights_for, write_weights
from training.gravity import LEARNED

NAMES = tuple(f"drop.{name}" for name in LEARNED)
OPENING_PLIES = 2
TELOS = (("telos", "6000"),)
ENGINE = "engine:memory=16,solver=off,weights="
COOLING = 0.97
"""How much less the candidates differ in each generation than in the one before."""
SMALL = 10
"""Numbers above this size are changed by factors, smaller ones by as much as these would be."""
MOST = 32_000

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Duel:
    """One game, to be played by a worker; the same one always begins alike."""

    candidate: int
    weights: Path
    game: Game
    opponent: str
    seat: Seat
    nodes: int
    opponent_nodes: int
    seed: int


def points(duel: Duel) -> tuple[int, float]:
    """The candidate, and its points in a game."""
    game, random, board = duel.game, Random(duel.seed), Board(duel.game)
    for _ in range(OPENING_PLIES):
        board.push(random.choice(board.legal_moves))
    players = {duel.seat: make_player(f"{ENGINE}{duel.weights}"), duel.seat.other: make_player(duel.opponent)}
    limits = {duel.seat: Limit(nodes=duel.nodes), duel.seat.other: Limit(nodes=duel.opponent_nodes)}
    for seat, player in players.items():
        player.start(game, seat, limits[seat])
    while not board.is_over:
        board.push(ask(players[board.turn], board, limits[board.turn]).move)
    assert board.outcome is not None
    won = board.outcome.winner
    return duel.candidate, 0.5 if won is None else float(won is duel.seat)


def to_vector(weights: EngineWeights) -> Vector:
    """One component for each number; steps of the same length matter about alike."""
    return np.array([math.asinh(number / SMALL) for name in NAMES for number in get_numbers(weights, name)])


def to_weights(vector: Vector) -> EngineWeights:
    weights = EngineWeights.handmade()
    furthest = math.asinh(MOST / SMALL)
    numbers = iter(np.rint(SMALL * np.sinh(np.clip(vector, -furthest, furthest))).astype(int).tolist())
    for name in NAMES:
        set_numbers(weights, name, [next(numbers) for _ in get_numbers(weights, name)])
    return weights


def mirrored(random: np.random.Generator, count: int, size: int) -> NDArray[np.float64]:
    """Directions to try, each followed by its opposite."""
    drawn = random.standard_normal((count // 2, size))
    return np.stack((drawn, -drawn), axis=1).reshape(-1, size)


def better_half(directions: NDArray[np.float64], shares: Sequence[float]) -> Vector:
    """The mean of the directions that got more points, the best one weighing most."""
    count = len(shares) // 2
    best = sorted(range(len(shares)), key=lambda i: -shares[i])[:count]
    weights = math.log(count + 0.5) - np.log(np.arange(1, count + 1))
    mean: Vector = weights @ directions[best] / weights.sum()
    return mean


def duels_of(
    generation: int, files: Sequence[Path], opponents: Sequence[tuple[str, int]], arguments: argparse.Namespace
) -> list[Duel]:
    """The same openings for all candidates, others in each generation; the longest games first."""
    seats = {"first": [Seat.FIRST], "second": [Seat.SECOND], "both": list(Seat)}[arguments.seat]
    first_seed = (arguments.seed * arguments.generations + generation) * arguments.duels
    return [
        Duel(
            candidate=number,
            weights=file,
            game=game,
            opponent=opponent,
            seat=seats[i % len(seats)],
            nodes=arguments.nodes,
            opponent_nodes=opponent_nodes,
            seed=first_seed + i,
        )
        for game in sorted(arguments.games, key=lambda game: -game.rows * game.columns)
        for i in range(arguments.duels)
        for opponent, opponent_nodes in opponents
        for number, file in enumerate(files)
    ]


def main() -> int:
    parser = make_parser(
        __doc__, "python -m training.duels 20x20x10g 40x40x10g --against telos 6000 --seat first --out new.weights"
    )
    parser.add_argument("games", type=game_argument, nargs="+", help="the boards, with gravity; each counts alike")
    parser.add_argument(
        "--against",
        nargs=2,
        action="append",
        metavar=("SPEC", "NODES"),
        help="another player and the limit of its moves, for as many as you like (default: telos 6000)",
    )
    parser.add_argument("--seat", choices=("first", "second", "both"), default="both", help="the engine's")
    parser.add_argument("--start", type=Path, help="a file of weights to begin with (default: the package's)")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    parser.add_argument("--generations", type=count_argument, default=20, help="how many (default: 20)")
    parser.add_argument("--pairs", type=count_argument, default=8, help="of candidates in each (default: 8)")
    parser.add_argument(
        "--duels", type=count_argument, default=8, help="of a candidate with each player on each board (default: 8)"
    )
    parser.add_argument("--nodes", type=count_argument, default=1000, help="of the engine's moves (default: 1000)")
    parser.add_argument(
        "--change",
        type=float,
        default=0.3,
        help="of the candidates at first: the standard deviation of their numbers' logarithms (default: 0.3)",
    )
    parser.add_argument("--seed", type=int, default=1, help="other games with another one (default: 1)")
    parser.add_argument("--workers", type=count_argument, default=1, help="processes (default: 1)")
    arguments = parser.parse_args()
    if not all(game.gravity for game in arguments.games):
        parser.error("these are the numbers of boards with gravity: 20x20x10g")
    try:
        opponents = [(spec_argument(spec), count_argument(nodes)) for spec, nodes in arguments.against or TELOS]
    except (argparse.ArgumentTypeError, ValueError) as error:
        parser.error(f"--against: {error}")
    about: Mapping[str, object] = {
        "duels with": [f"{spec} at {nodes} nodes" for spec, nodes in opponents],
        "games": [f"{game} at {arguments.nodes} nodes" for game in arguments.games],
    }
    vector = to_vector(read_weights(arguments.start) if arguments.start else weights_for(arguments.games[0]))
    random = np.random.default_rng(arguments.seed)
    duels_each = len(arguments.games) * len(opponents) * arguments.duels
    progress = Progress(arguments.generations * 2 * arguments.pairs * duels_each, "duels")
    found = 0
    with UntilCtrlC() as block, tempfile.TemporaryDirectory() as folder:
        for generation in range(arguments.generations):
            change = arguments.change * COOLING**generation
            directions = mirrored(random, 2 * arguments.pairs, len(vector))
            files = [Path(folder, f"{generation}-{number}.weights") for number in range(len(directions))]
            for file, direction in zip(files, directions, strict=True):
                write_weights(file, to_weights(vector + change * direction), NAMES, about)
            shares = [0.0] * len(files)
            jobs = duels_of(generation, files, opponents, arguments)
            for done, (number, won) in enumerate(do_all(points, jobs, arguments.workers), 1):
                shares[number] += won / duels_each
                progress.show(generation * len(jobs) + done, f"generation {generation + 1}")
            vector = vector + change * better_half(directions, shares)
            write_weights(arguments.out, to_weights(vector), NAMES, {"learned from": [about]})
            found = generation + 1
            print(f"generation {found}: the mean got {np.mean(shares):.3f}, the best {max(shares):.3f}", flush=True)
    progress.end()
    print(f"{arguments.out} written" if found else "ended before the first generation: nothing written")
    return INTERRUPTED if block.interrupted else KEPT


if __name__ == "__main__":
    raise SystemExit(main())
