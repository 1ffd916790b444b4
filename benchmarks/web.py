"""How quick the page's server is: what a stop takes, a move of an instant player, threats on a large board.

stop      an analysis without an end, from the stop to its `done`
close     the same, from the end of the socket to the worker's being free
move      a move of `random`, there and back
threats   of 128x128x5 with 300 stones
"""

import statistics
import time
from collections.abc import Callable
from random import Random

from tests.web.serving import Server, serving

from benchmarks.matches import make_parser, print_json, print_table
from inarow import Board, Game, format_position

EXAMPLE = "python -m benchmarks.web --times 50"
ANALYSIS = {"type": "analyse", "position": "19x19x5:j10", "lines": 3}
STONES = 300


def stop(server: Server) -> float:
    with server.socket() as socket:
        socket.send(**ANALYSIS, id=1)
        socket.until("report")
        time.sleep(0.05)
        begin = time.perf_counter()
        socket.send(type="stop", id=1)
        socket.until("done")
        return time.perf_counter() - begin


def close(server: Server) -> float:
    with server.socket() as socket:
        socket.send(**ANALYSIS, id=1)
        socket.until("report")
        begin = time.perf_counter()
    while any(slot.order is not None for slot in server.hub.pool._slots):
        time.sleep(0.0005)
    return time.perf_counter() - begin


def move(server: Server) -> float:
    with server.socket() as socket:
        begin = time.perf_counter()
        socket.ask(type="move", id=1, position="15x15x5:h8.i9", player="random:seed=1")
        return time.perf_counter() - begin


def threats(server: Server) -> float:
    random, board = Random(1), Board(Game(128, 128, 5))
    while board.ply < STONES:
        board.push(random.choice(board.legal_moves))
    position = format_position(board)
    with server.socket() as socket:
        begin = time.perf_counter()
        socket.ask(type="threats", id=1, position=position)
        return time.perf_counter() - begin


MEASURED: dict[str, Callable[[Server], float]] = {"stop": stop, "close": close, "move": move, "threats": threats}


def main() -> None:
    parser = make_parser(__doc__, EXAMPLE)
    parser.add_argument("--times", type=int, default=30, metavar="N", help="how often each is measured")
    arguments = parser.parse_args()
    found: dict[str, list[float]] = {}
    with serving(stop_seconds=0.09) as server:
        for name, measure in MEASURED.items():
            found[name] = sorted(1000 * measure(server) for _ in range(arguments.times))
    if arguments.json:
        print_json(found)
        return
    rows = []
    for name, times in found.items():
        figures = statistics.median(times), times[min(len(times) - 1, round(0.95 * len(times)))], times[-1]
        rows.append([name, *(f"{figure:.1f}" for figure in figures)])
    print_table(["milliseconds", "median", "95 %", "worst"], rows)


if __name__ == "__main__":
    main()
