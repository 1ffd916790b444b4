"""What the arena costs: games a minute of instant players, the referee's share of a game, what a second worker brings.

overhead   two random players on 3x3x3 through processes
share      two players that sleep for a second a move: all else is the referee's
workers    a tournament of players that use 200 ms a move, by one worker and by two: local ones, and a dask cluster's
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.matches import BROKEN, KEPT, make_parser, print_json, print_table
from inarow import Game, Limit
from inarow.arena.referee import Referee
from inarow.arena.run import MemoryStore, play_tournament
from inarow.arena.spec import GameJob, RefereeRules, Tournament
from inarow.executors import ClusterCrew, Crew, LocalCrew

EXAMPLE = "python -m benchmarks.arena --only overhead share"
WANTED_GAMES = 1200
WANTED_SHARE = 0.01
WANTED_SPEED_UP = 1.8
SLEEP = 1.0

SLEEPER = f"""
import time
import inarow

class Sleeper(inarow.Player):
    def choose(self, board, limit):
        time.sleep({SLEEP})
        return board.legal_moves[0]
"""


def overhead() -> dict[str, Any]:
    """Games a minute, the start of the processes not counted."""
    referee = Referee(RefereeRules())
    job = GameJob("", Game(3, 3, 3), ("random:seed=1", "random:seed=2"), Limit(seconds=1))
    referee.play(job)
    begin, games = time.perf_counter(), 0
    while time.perf_counter() - begin < 5:
        referee.play(job)
        games += 1
    rate = 60 * games / (time.perf_counter() - begin)
    referee.close()
    return {"what": "games a minute", "value": rate, "wanted": WANTED_GAMES, "kept": rate >= WANTED_GAMES}


def share() -> dict[str, Any]:
    """The part of a game's time in which no player sleeps."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "sleeper.py"
        file.write_text(SLEEPER)
        referee = Referee(RefereeRules())
        job = GameJob("", Game(3, 3, 3), (f"python:{file}:Sleeper",) * 2, Limit(seconds=2))
        referee.play(job)
        begin = time.perf_counter()
        record = referee.play(job)
        whole = time.perf_counter() - begin
        referee.close()
    part = 1 - SLEEP * len(record.moves) / whole
    return {"what": "referee's share at 1 s", "value": part, "wanted": WANTED_SHARE, "kept": part < WANTED_SHARE}


def workers(name: str, make: Callable[[int], Crew], games: int) -> dict[str, Any]:
    """How many times as fast two workers are, once they are there."""
    seconds = []
    for number in (1, 2):
        players = tuple(f"mcts:seed={seed},memory_mb=16" for seed in range(2))
        tournament = Tournament(players, (Game(6, 7, 4, gravity=True),), Limit(seconds=0.2), rounds=games // 2)
        with make(number) as crew:
            warm = Tournament(players, (Game(1, 1, 1),), Limit(nodes=1), rounds=number)
            list(play_tournament(warm, MemoryStore(), crew))
            begin = time.perf_counter()
            plies = sum(len(record.moves) for _, record in play_tournament(tournament, MemoryStore(), crew))
            seconds.append((time.perf_counter() - begin) / plies)  # games differ in length
    factor = seconds[0] / seconds[1]
    return {
        "what": f"two {name} workers",
        "value": factor,
        "wanted": WANTED_SPEED_UP,
        "kept": factor >= WANTED_SPEED_UP,
    }


def main() -> int:
    parser = make_parser(__doc__, EXAMPLE)
    parser.add_argument("--only", nargs="+", choices=("overhead", "share", "workers"), help="a part of it")
    parser.add_argument("--games", type=int, default=12, help="of each tournament by one and two workers")
    arguments = parser.parse_args()
    wanted = arguments.only or ("overhead", "share", "workers")
    results = []
    if "overhead" in wanted:
        results.append(overhead())
    if "share" in wanted:
        results.append(share())
    if "workers" in wanted:
        results.append(workers("local", LocalCrew, arguments.games))
        results.append(workers("dask", lambda number: ClusterCrew("local", number), arguments.games))
    if arguments.json:
        print_json(results)
    else:
        rows = [
            (one["what"], f"{one['value']:.4g}", f"{one['wanted']:g}", "yes" if one["kept"] else "NO")
            for one in results
        ]
        print_table(("", "measured", "wanted", "kept"), rows)
    return KEPT if all(one["kept"] for one in results) else BROKEN


if __name__ == "__main__":
    sys.exit(main())
