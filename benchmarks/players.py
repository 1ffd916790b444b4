"""How fast the seed players are beside the originals in Java, and how true to their reports.

Speed: nodes a second of CPU time in one thread, over a player's own turns of seeded games in alternating seats. Faith:
what the reports promise and a game's result does not show.

    cadrega    how many nodes found their moves sorted in the tree kept from the turn before
    nisshoku   how often the table knew a position, with symmetric positions folded together and without
    markcello  nodes by budget, over turns that the budget ended
    telos      turns that ended inside an unfinished depth, and how many of them played the last finished depth's move
"""

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.matches import (
    INTERRUPTED,
    KEPT,
    Progress,
    UntilCtrlC,
    count_argument,
    in_seats,
    make_parser,
    play_game,
    print_json,
    print_table,
    seconds_argument,
    seeded,
    spec_argument,
)
from inarow import PLAYERS, Board, Choice, Game, Limit, Player, Seat, StopFlag, format_position, make_player
from inarow._core import SearchResult
from inarow.players.markcello import Markcello
from inarow.players.searching import SearchPlayer

EXAMPLE = "python -m benchmarks.players --players telos markcello --games 2 --seconds 0.5"
GAMES = 6
SECONDS = 1.0


class Faith(ABC):
    """Looks at a player's search after each of its turns."""

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:  # noqa: B027 - most have nothing to do
        """A game begins."""

    @abstractmethod
    def see(self, player: SearchPlayer, board: Board, limit: Limit, result: SearchResult) -> None:
        """The player searched this board and found this. Its searcher still stands there."""

    @abstractmethod
    def figures(self) -> dict[str, float]:
        """What was seen, by names that explain themselves."""


@dataclass
class TreeFaith(Faith):
    """The share of nodes that `cadrega` took over from its tree. A node at the horizon has no moves to take over."""

    hits: int = 0
    probes: int = 0
    nodes: int = 0

    def see(self, player: SearchPlayer, board: Board, limit: Limit, result: SearchResult) -> None:
        self.hits += result.memory_hits
        self.probes += result.memory_probes
        self.nodes += result.nodes

    def figures(self) -> dict[str, float]:
        return {
            "share of nodes with moves, taken over from the tree": share(self.hits, self.probes),
            "share of all nodes, taken over from the tree": share(self.hits, self.nodes),
        }


@dataclass
class TableFaith(Faith):
    """How often `nisshoku`'s table knew a node, deep enough; and that of a twin without symmetry on the same boards."""

    twin: SearchPlayer
    hits: int = 0
    probes: int = 0
    twin_hits: int = 0
    twin_probes: int = 0

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        self.twin.start(game, seat, limit)

    def see(self, player: SearchPlayer, board: Board, limit: Limit, result: SearchResult) -> None:
        self.hits += result.memory_hits
        self.probes += result.memory_probes
        self.twin.choose(board.copy(), limit)
        assert self.twin.found is not None
        self.twin_hits += self.twin.found.memory_hits
        self.twin_probes += self.twin.found.memory_probes

    def figures(self) -> dict[str, float]:
        return {
            "table hits by probes": share(self.hits, self.probes),
            "table hits by probes, without symmetry": share(self.twin_hits, self.twin_probes),
        }


@dataclass
class BudgetFaith(Faith):
    """How much of its budget `markcello` used in turns whose search it could not finish."""

    turns: int = 0
    unfinished: int = 0
    ended_by_clock: int = 0
    nodes: int = 0
    budget: int = 0

    def see(self, player: SearchPlayer, board: Board, limit: Limit, result: SearchResult) -> None:
        assert isinstance(player, Markcello) and player._searcher is not None
        self.turns += 1
        if not result.stopped:
            return
        self.unfinished += 1
        if result.nodes < player._budget:
            self.ended_by_clock += 1
        else:
            self.nodes += result.nodes
            self.budget += player._budget

    def figures(self) -> dict[str, float]:
        return {
            "turns": self.turns,
            "turns not finished": self.unfinished,
            "turns ended by the clock": self.ended_by_clock,
            "nodes by budget, turns ended by the budget": share(self.nodes, self.budget),
        }


@dataclass
class DepthFaith(Faith):
    """Where `telos` was when its time was up, and whether it played what the last finished depth said.

    A turn that finished no depth at all has no such move, and does not count.
    """

    turns: int = 0
    unfinished: int = 0
    kept: int = 0

    def see(self, player: SearchPlayer, board: Board, limit: Limit, result: SearchResult) -> None:
        assert player._searcher is not None
        self.turns += 1
        if not result.stopped or result.depth == 0:
            return
        self.unfinished += 1
        finished = player._searcher.deepen(StopFlag(), depth=result.depth)
        self.kept += finished.move == result.move

    def figures(self) -> dict[str, float]:
        return {
            "turns": self.turns,
            "turns ended inside an unfinished depth": self.unfinished,
            "of these, with the last finished depth's move": self.kept,
        }


def table_faith() -> Faith:
    twin = make_player("nisshoku:symmetry=off")
    assert isinstance(twin, SearchPlayer)
    return TableFaith(twin)


@dataclass(frozen=True)
class Trial:
    """A player on a board, with what the original in Java reaches there: nodes a second, or milliseconds a move."""

    player: str
    game: Game
    java_nodes_per_second: int | None = None
    java_milliseconds: float | None = None
    make_faith: Callable[[], Faith] | None = None

    def __str__(self) -> str:
        return f"{self.player} on {self.game}"


TRIALS = (
    Trial("cadrega", Game(10, 10, 5), 25_000, make_faith=TreeFaith),
    Trial("markcello", Game(10, 10, 5), 165_000, make_faith=BudgetFaith),
    Trial("nisshoku", Game(10, 10, 5), 200_000, make_faith=table_faith),
    Trial("telos", Game(6, 7, 4, gravity=True), 360_000, make_faith=DepthFaith),
    Trial("telos", Game(10, 10, 5, gravity=True), 150_000, make_faith=DepthFaith),
    Trial("helpfulness", Game(10, 10, 5), java_milliseconds=3),
)


class WatchedPlayer(Player):
    """The player of a trial; each of its turns is measured, and then looked at for its faith."""

    def __init__(self, trial: Trial) -> None:
        self.player = make_player(seeded(trial.player, 1))
        self.faith = trial.make_faith and trial.make_faith()
        self.moves = 0
        self.nodes = 0
        self.cpu_seconds = 0.0

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        self.player.start(game, seat, limit)
        if self.faith is not None:
            self.faith.start(game, seat, limit)

    def choose(self, board: Board, limit: Limit) -> Choice:
        searcher = self.player if isinstance(self.player, SearchPlayer) else None
        if searcher is not None:
            searcher.found = None  # an opening move is played without a search
        begin = time.thread_time()
        answer = self.player.choose(board.copy(), limit)
        self.cpu_seconds += time.thread_time() - begin
        choice = answer if isinstance(answer, Choice) else Choice(answer)
        self.moves += 1
        self.nodes += choice.nodes
        if self.faith is not None and searcher is not None and searcher.found is not None:
            self.faith.see(searcher, board, limit, searcher.found)
        return choice


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def run_trial(trial: Trial, watched: WatchedPlayer, number: int, opponent: str, limit: Limit) -> None:
    """One game of a trial. The seats alternate with its number, which is the opponent's seed too."""
    players = in_seats(watched, make_player(seeded(opponent, number)), Seat(number % 2))
    played = play_game(trial.game, players, limit)
    if played is not None and played.forfeit is not None:
        raise SystemExit(f"{trial}: forfeit in {format_position(played.board)}: {played.forfeit}")


def times_as_fast(trial: Trial, watched: WatchedPlayer) -> float:
    if trial.java_nodes_per_second is not None:
        return share(watched.nodes, watched.cpu_seconds) / trial.java_nodes_per_second
    assert trial.java_milliseconds is not None
    return share(trial.java_milliseconds * watched.moves, 1000 * watched.cpu_seconds)


def trial_dict(trial: Trial, watched: WatchedPlayer) -> dict[str, object]:
    return {
        "player": trial.player,
        "board": str(trial.game),
        "moves": watched.moves,
        "nodes": watched.nodes,
        "cpu_seconds": watched.cpu_seconds,
        "nodes_per_second": share(watched.nodes, watched.cpu_seconds),
        "milliseconds_a_move": 1000 * share(watched.cpu_seconds, watched.moves),
        "java_nodes_per_second": trial.java_nodes_per_second,
        "java_milliseconds_a_move": trial.java_milliseconds,
        "times_as_fast": times_as_fast(trial, watched),
        "faith": watched.faith and watched.faith.figures(),
    }


def print_report(results: list[tuple[Trial, WatchedPlayer]]) -> None:
    rows = []
    for trial, watched in results:
        if trial.java_nodes_per_second is not None:
            rate = share(watched.nodes, watched.cpu_seconds)
            ours, java = f"{rate / 1000:.0f} thousand nodes/s", f"{trial.java_nodes_per_second / 1000:g} thousand"
        else:
            ours = f"{1000 * share(watched.cpu_seconds, watched.moves):.3f} ms/move"
            java = f"{trial.java_milliseconds:g} ms"
        row = (trial.player, str(trial.game), str(watched.moves), ours, java, f"{times_as_fast(trial, watched):.1f}")
        rows.append(row)
    print_table(("player", "board", "moves", "here, by CPU time", "original", "times as fast"), rows)
    for trial, watched in results:
        if watched.faith is None:
            continue
        print(f"\n{trial}")
        for name, value in watched.faith.figures().items():
            print(f"  {name}: {value if isinstance(value, int) else f'{100 * value:.1f} %'}")


def main() -> int:
    registered = {info.name for info in PLAYERS}
    trials = [trial for trial in TRIALS if trial.player in registered]
    names = list(dict.fromkeys(trial.player for trial in trials))
    parser = make_parser(__doc__, EXAMPLE)
    parser.add_argument("--players", nargs="+", choices=names, default=names, help="all, unless said")
    parser.add_argument("--opponent", type=spec_argument, default="quasi_random", metavar="SPEC")
    parser.add_argument("--games", type=count_argument, default=GAMES, help=f"of each trial; {GAMES}, unless said")
    parser.add_argument("--seconds", type=seconds_argument, help=f"a move; {SECONDS:g}, unless --nodes is said")
    parser.add_argument("--nodes", type=count_argument, help="a move")
    arguments = parser.parse_args()
    if arguments.seconds is None and arguments.nodes is None:
        arguments.seconds = SECONDS
    limit = Limit(seconds=arguments.seconds, nodes=arguments.nodes)

    trials = [trial for trial in trials if trial.player in arguments.players]
    results: list[tuple[Trial, WatchedPlayer]] = []
    progress = Progress(len(trials) * arguments.games, "games")
    with UntilCtrlC() as until:
        for i, trial in enumerate(trials):
            results.append((trial, WatchedPlayer(trial)))
            for number in range(arguments.games):
                progress.show(i * arguments.games + number, str(trial))
                run_trial(trial, results[-1][1], number, arguments.opponent, limit)
    progress.end()

    if arguments.json:
        print_json({"trials": [trial_dict(*result) for result in results], "interrupted": until.interrupted})
    else:
        print_report(results)
    if until.interrupted:
        print("interrupted: not all games were played", file=sys.stderr)
        return INTERRUPTED
    return KEPT


if __name__ == "__main__":
    sys.exit(main())
