"""How fast the core and the Python board are: `make speed`, or with the built program's path as the argument.

Each figure is a median over several rounds, since the machine may be busy with something else for a moment.
"""

import argparse
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random
from statistics import median

from inarow import Board, Game, StopFlag, perft

ROUNDS = 15


def board_pairs_per_second(game: Game) -> float:
    """Push+pop pairs of the Python board: every legal move of a position in the middle of a seeded random game."""
    random = Random(1)
    board = Board(game)
    while board.ply < min(60, game.rows * game.columns // 2):
        board.push(random.choice(board.legal_moves))
        if board.is_over:
            board = Board(game)
    moves = board.legal_moves
    rates = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for _ in range(50):
            for move in moves:
                board.push(move)
                board.pop()
        rates.append(50 * len(moves) / (time.perf_counter() - begin))
    return median(rates)


def import_milliseconds() -> float:
    """What `import inarow` adds to the start of Python."""

    def run(code: str) -> float:
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - begin

    return 1000 * median(run("import inarow") - run("pass") for _ in range(ROUNDS))


def stop_milliseconds() -> list[float]:
    """From the setting of the stop flag to the return of a perft on each of several boards, sorted."""
    delays = []
    for game in (Game(15, 15, 5), Game(70, 70, 10), Game(128, 128, 5), Game(6, 7, 4, gravity=True)):
        for _ in range(ROUNDS):
            stop = StopFlag()
            returned: list[float] = []

            def count(game: Game = game, stop: StopFlag = stop, returned: list[float] = returned) -> None:
                perft(Board(game), 20, stop)
                returned.append(time.perf_counter())

            thread = threading.Thread(target=count)
            thread.start()
            time.sleep(0.05)
            begin = time.perf_counter()
            stop.set()
            thread.join()
            delays.append(1000 * (returned[0] - begin))
    return sorted(delays)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("make_unmake", type=Path, help="the program built from benchmarks/make_unmake.cpp")
    program = parser.parse_args().make_unmake
    for game in ("15 15 5", "10 10 5", "70 70 10", "6 7 4 gravity"):
        print(f"core, {game}: ", end="", flush=True)
        subprocess.run([program, *game.split()], check=True)
    for board_game in (Game(15, 15, 5), Game(6, 7, 8, gravity=True), Game(70, 70, 10)):
        rate = board_pairs_per_second(board_game)
        print(f"Python board, {board_game}: {rate / 1000:.0f} thousand push+pop pairs a second")
    print(f"import inarow: {import_milliseconds():.0f} ms")
    delays = stop_milliseconds()
    print(f"stop flag acts after: median {median(delays):.2f} ms, worst {delays[-1]:.2f} ms of {len(delays)}")


if __name__ == "__main__":
    main()
