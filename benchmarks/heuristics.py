"""What is each heuristic of the engine's search worth? The engine meets itself with one of them switched off.

Pairs of games from the same openings, with a limit of nodes, in the arena; every heuristic is met equally often, and
its worth is the Elo of the whole engine against the one without it. With --store every game is kept, and the same
command goes on where it was broken off.
"""

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path

from benchmarks.matches import (
    INTERRUPTED,
    KEPT,
    Progress,
    UntilCtrlC,
    count_argument,
    game_argument,
    make_parser,
    print_json,
    print_table,
    seconds_argument,
)
from inarow import Game, InarowError, Limit, Record
from inarow._core import engine_heuristics
from inarow.arena.ratings import Estimate, elo_from_pairs
from inarow.arena.run import MemoryStore, play_tournament
from inarow.arena.schedule import number_of_games
from inarow.arena.spec import RefereeRules, Style, Tournament
from inarow.arena.sprt import PairCounts
from inarow.arena.store import Store
from inarow.cli.arena import openings_from, rounds_from
from inarow.executors import LocalCrew

EXAMPLE = "python -m benchmarks.heuristics null_move singular --board 15x15x5 --games 200 --nodes 20000 --store h.db"
ENGINE = "engine:memory=16"
GAMES = 200
NODES = 20_000


def without(name: str) -> str:
    return f"{ENGINE},without={name}"


def plan(names: list[str], game: Game, limit: Limit, games: int, openings: str) -> Tournament:
    """The engine against itself without each of the heuristics, round after round."""
    begin_from = openings_from(openings, [game])
    return Tournament(
        players=(ENGINE, *map(without, names)),
        games=(game,),
        limit=limit,
        style=Style.GAUNTLET,
        rounds=rounds_from(games, limit, begin_from),
        openings=begin_from,
        rules=RefereeRules(in_process=True),
    )


class Worths:
    """The pairs of games about each heuristic so far."""

    def __init__(self, names: list[str]) -> None:
        self._names = {without(name): name for name in names}
        self._pairs = {spec: PairCounts(ENGINE) for spec in self._names}

    def add(self, key: str, record: Record) -> None:
        opponent = next(player for player in record.players if player != ENGINE)
        self._pairs[opponent].add(key, record)

    def table(self) -> list[tuple[str, tuple[int, ...], Estimate]]:
        """Name, pairs by their points, and Elo of each heuristic; the one that is worth most first."""
        found = [(self._names[spec], one.counts, elo_from_pairs(one.counts)) for spec, one in self._pairs.items()]
        return sorted(found, key=lambda line: -line[2].value)

    def to_list(self) -> list[dict[str, object]]:
        return [{"name": name, "pairs": list(pairs), "elo": asdict(elo)} for name, pairs, elo in self.table()]

    def print(self) -> None:
        rows = [
            (name, f"{elo.value:+.0f}", f"{elo.low:+.0f} … {elo.high:+.0f}", str(2 * sum(pairs)), counts_text(pairs))
            for name, pairs, elo in self.table()
        ]
        print_table(("heuristic", "Elo", "95 % interval", "games", "pairs with 0, ½, 1, 1½, 2 points"), rows)


def counts_text(pairs: tuple[int, ...]) -> str:
    return ", ".join(map(str, pairs))


def play(tournament: Tournament, store: MemoryStore | Store, worths: Worths, workers: int) -> bool:
    """Plays what is missing; whether Ctrl-C ended it."""
    done = len(store.outcomes())
    progress = Progress(number_of_games(tournament), "games")
    with UntilCtrlC() as until, LocalCrew(workers) as crew:
        for job, record in play_tournament(tournament, store, crew):
            worths.add(job.key, record)
            done += 1
            progress.show(done, job.players[job.players[0] == ENGINE])
        crew.close(at_once=True)  # its players need no time to end
    progress.end()
    return until.interrupted


def arguments_from(parser: ArgumentParser, known: list[str]) -> Namespace:
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}; all, unless said")
    parser.add_argument("--board", metavar="MxNxK[g]", type=game_argument, default=Game(15, 15, 5), help="15x15x5")
    parser.add_argument("--games", type=count_argument, default=GAMES, help=f"for each; {GAMES}, unless said")
    parser.add_argument("--nodes", type=count_argument, help=f"a move; {NODES}, unless said")
    parser.add_argument("--time", type=seconds_argument, metavar="SECONDS", help="a move, instead of nodes")
    parser.add_argument("--openings", default="balanced", metavar="FILE|random:PLIES", help="balanced, unless said")
    parser.add_argument("--workers", type=count_argument, default=1, help="games played at the same time; 1")
    parser.add_argument("--store", type=Path, metavar="FILE", help="keep the games, and go on with those it has")
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.names) - set(known)):
        parser.error(f"no heuristic is called {unknown[0]}; there are {', '.join(known)}")
    if arguments.nodes is None and arguments.time is None:
        arguments.nodes = NODES
    return arguments


def main() -> int:
    parser = make_parser(__doc__, EXAMPLE)
    known = engine_heuristics()
    arguments = arguments_from(parser, known)
    names = list(dict.fromkeys(arguments.names)) or known
    limit = Limit(seconds=arguments.time, nodes=arguments.nodes)
    worths = Worths(names)
    try:
        tournament = plan(names, arguments.board, limit, arguments.games, arguments.openings)
        if arguments.store is None:
            interrupted = play(tournament, MemoryStore(), worths, arguments.workers)
        else:
            with Store.open(arguments.store, tournament) as store:
                for key, record in store.games():
                    worths.add(key, record)
                interrupted = play(tournament, store, worths, arguments.workers)
    except InarowError as error:
        parser.error(str(error))

    if arguments.json:
        print_json({"board": str(arguments.board), "limit": limit.to_dict(), "heuristics": worths.to_list()})
    else:
        worths.print()
    if interrupted:
        print("interrupted: not all games were played", file=sys.stderr)
        return INTERRUPTED
    return KEPT


if __name__ == "__main__":
    sys.exit(main())
