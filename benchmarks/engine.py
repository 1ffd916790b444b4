"""How fast the engine is and how deep it sees, on middle-game positions of 15 x 15, five in a row.

    python -m benchmarks.engine                 one second a position, then five
    python -m benchmarks.engine --make          writes the positions anew: seeded games of the engine with itself

One thread; every position begins with an empty table. The positions are in engine_positions.txt, none of them decided.
"""

import argparse
from pathlib import Path
from random import Random
from statistics import median

from inarow import Board, Game, StopFlag, format_position, parse_position
from inarow._core import WON, Engine
from inarow.engine.core import cells_of, geometry_of, move_of
from inarow.engine.weights import weights_for

GAME = Game(15, 15, 5)
POSITIONS = Path(__file__).with_name("engine_positions.txt")
COUNT = 30
BALANCED = 150  # in the engine's units, after BALANCE_NODES
BALANCE_NODES = 50_000
MOVE_NODES = 5_000
DECIDED = WON - GAME.rows * GAME.columns - 1


def opening(random: Random) -> Board:
    """A few stones near the centre, at random."""
    board = Board(GAME)
    stones = random.randint(4, 6)
    while board.ply < stones:
        move = (random.randint(4, 10), random.randint(4, 10))
        if board.is_legal(move):
            board.push(move)
    return board


def middle_game(random: Random) -> Board | None:
    """A position of a game of the engine with itself; None when it is over or decided too early, or too unequal."""
    board = opening(random)
    engine = Engine(geometry_of(GAME), memory_mb=16, weights=weights_for(GAME))
    stop = StopFlag()
    plies = random.randint(10, 26)
    while board.ply < plies:
        board.push(move_of(GAME, engine.search(cells_of(board), stop, nodes=MOVE_NODES).move))
        if board.is_over:
            return None
    score = engine.search(cells_of(board), stop, nodes=BALANCE_NODES).lines[0].score
    return board if abs(score) < BALANCED else None


def make_positions() -> None:
    """Writes POSITIONS."""
    boards: list[Board] = []
    seed = 0
    while len(boards) < COUNT:
        board = middle_game(Random(seed))
        seed += 1
        if board is not None:
            boards.append(board)
    POSITIONS.write_text("".join(f"{format_position(board)}\n" for board in boards))
    print(f"{COUNT} positions of {seed} games written to {POSITIONS.name}")


def measure(boards: list[Board], seconds: float, memory_mb: int) -> None:
    """Searches every position for so long and prints what came of it."""
    depths: list[int] = []
    rates: list[float] = []
    decided = 0
    for board in boards:
        engine = Engine(geometry_of(GAME), memory_mb=memory_mb, weights=weights_for(GAME))
        result = engine.search(cells_of(board), StopFlag(), seconds=seconds)
        if abs(result.lines[0].score) > DECIDED:
            decided += 1
            continue
        depths.append(result.depth)
        rates.append(result.nodes / result.seconds)
    print(
        f"{seconds:g} s: depth {sum(depths) / len(depths):.1f} ({min(depths)} to {max(depths)}), "
        f"{median(rates) / 1e6:.2f} million nodes a second ({min(rates) / 1e6:.2f} to {max(rates) / 1e6:.2f}); "
        f"{decided} of {len(boards)} positions decided"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--make", action="store_true", help="write the positions anew")
    parser.add_argument("--seconds", type=float, nargs="+", default=[1.0, 5.0], help="for each position (default: 1 5)")
    parser.add_argument("--memory-mb", type=int, default=64, help="of the engine's table (default: 64)")
    arguments = parser.parse_args()
    if arguments.make:
        make_positions()
        return
    boards = [parse_position(line) for line in POSITIONS.read_text().split()]
    for seconds in arguments.seconds:
        measure(boards, seconds, arguments.memory_mb)


if __name__ == "__main__":
    main()
