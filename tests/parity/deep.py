"""`make parity`: Python's perft against the core's, each shape to the deepest that takes Python about a minute."""

import argparse
import time

from inarow import Board, Game, perft
from tests.parity.perft import python_perft

GAMES = [
    Game(3, 3, 3), Game(4, 3, 3), Game(4, 4, 4), Game(5, 5, 4), Game(6, 7, 4), Game(15, 15, 5), Game(19, 19, 6),
    Game(70, 70, 10), Game(128, 128, 5),
    Game(6, 7, 4, gravity=True), Game(4, 4, 4, gravity=True), Game(8, 9, 5, gravity=True), Game(9, 8, 3, gravity=True),
    Game(20, 20, 10, gravity=True), Game(128, 128, 5, gravity=True),
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for Python, a shape")
    seconds = parser.parse_args().seconds
    for game in GAMES:
        board, depth, used = Board(game), 0, 0.0
        while True:
            depth += 1
            expected = perft(board, depth)
            branching = expected.nodes[-1] / max(1, expected.nodes[-2])
            if used * branching > seconds or len(expected.nodes) <= depth:
                break  # the next depth would take too long, or the longest game is shorter
            begin = time.perf_counter()
            counted = python_perft(board, depth)
            used = time.perf_counter() - begin
            if counted != expected:
                raise SystemExit(f"{game}, depth {depth}: Python {counted}, core {expected}")
            print(f"\r{game}: depth {depth}, {counted.nodes[-1]} nodes agree, {used:.1f} s", end="", flush=True)
        print()


if __name__ == "__main__":
    main()
