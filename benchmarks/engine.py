"""How fast the engine is and how deep it sees, on middle-game positions of 15 x 15, five in a row.

    python -m benchmarks.engine                 one second a position, then five
    python -m benchmarks.engine --threads 2     how much sooner two threads reach the depth that one reaches in so long
    python -m benchmarks.engine --make          writes the positions anew: seeded games of the engine with itself

One thread, unless said; every position begins with an empty table. The positions are in engine_positions.txt, none of
them decided.
"""

import argparse
from pathlib import Path
from random import Random
from statistics import median

from inarow import Board, Game, StopFlag, format_position, parse_position
from inarow._core import WON, Engine, EngineResult
from inarow.engine.core import cells_of, geometry_of, move_of
from inarow.engine.weights import weights_for

GAME = Game(15, 15, 5)
POSITIONS = Path(__file__).with_name("engine_positions.txt")
COUNT = 30
BALANCED = 150  # in the engine's units, after BALANCE_NODES
BALANCE_NODES = 50_000
UNDECIDED_NODES = 10_000_000  # after which nobody is known to win: more than five seconds of one thread
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
    engine = Engine(geometry_of(GAME), memory_mb=64, weights=weights_for(GAME))
    stop = StopFlag()
    plies = random.randint(10, 26)
    while board.ply < plies:
        board.push(move_of(GAME, engine.search(cells_of(board), stop, nodes=MOVE_NODES).move))
        if board.is_over:
            return None
    score = engine.search(cells_of(board), stop, nodes=BALANCE_NODES).lines[0].score
    if abs(score) >= BALANCED:
        return None
    score = engine.search(cells_of(board), stop, nodes=UNDECIDED_NODES).lines[0].score
    return board if abs(score) < DECIDED else None


def make_positions() -> None:
    """Writes POSITIONS."""
    boards: list[Board] = []
    seed = 0
    while len(boards) < COUNT:
        board = middle_game(Random(seed))
        seed += 1
        if board is not None:
            boards.append(board)
            print(f"\r{len(boards)} of {COUNT} positions", end="", flush=True)
    POSITIONS.write_text("".join(f"{format_position(board)}\n" for board in boards))
    print(f"\r{COUNT} positions of {seed} games written to {POSITIONS.name}")


def measure(boards: list[Board], seconds: float, memory_mb: int) -> None:
    """Searches every position for so long and prints what came of it."""
    depths: list[int] = []
    rates: list[float] = []
    decided = 0
    for board in boards:
        result = search(board, memory_mb, 1, seconds=seconds)
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


def compare(boards: list[Board], seconds: float, memory_mb: int, threads: int) -> None:
    """How long several threads need to the depth that one thread has reached after so many seconds, as a share."""
    shares: list[float] = []
    for board in boards:
        alone = search(board, memory_mb, 1, seconds=seconds)
        if abs(alone.lines[0].score) > DECIDED:
            continue
        depth = alone.depth - 1  # the last may not have been finished
        one, several = (search(board, memory_mb, number, depth=depth) for number in (1, threads))
        shares.append(several.seconds / one.seconds)
        print(f"  depth {depth}: {one.seconds:.2f} s, {several.seconds:.2f} s", flush=True)
    print(
        f"{threads} threads need {median(shares):.2f} of the time of one "
        f"({min(shares):.2f} to {max(shares):.2f}, {len(shares)} positions)"
    )


def search(
    board: Board, memory_mb: int, threads: int, seconds: float | None = None, depth: int | None = None
) -> EngineResult:
    """Of a position, from an empty table."""
    engine = Engine(geometry_of(GAME), memory_mb=memory_mb, threads=threads, weights=weights_for(GAME))
    return engine.search(cells_of(board), StopFlag(), seconds=seconds, depth=depth)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--make", action="store_true", help="write the positions anew")
    parser.add_argument("--seconds", type=float, nargs="+", default=[1.0, 5.0], help="for each position (default: 1 5)")
    parser.add_argument("--memory-mb", type=int, default=64, help="of the engine's table (default: 64)")
    parser.add_argument("--threads", type=int, default=1, help="compare so many with one")
    arguments = parser.parse_args()
    if arguments.make:
        make_positions()
        return
    boards = [parse_position(line) for line in POSITIONS.read_text().split()]
    for seconds in arguments.seconds:
        if arguments.threads > 1:
            compare(boards, seconds, arguments.memory_mb, arguments.threads)
        else:
            measure(boards, seconds, arguments.memory_mb)


if __name__ == "__main__":
    main()
