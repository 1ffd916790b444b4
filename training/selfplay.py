"""Games of the engine with itself, for training: many, quick, and unlike each other.

The arena plays them. A game begins with a few random stones near the centre; each move has a random part of the nodes;
and now and then a player has a whim: one of the better-looking moves, not the best. Beside the store of games lies a
folder of notes, in which the players write what their searches found:

    15x15x5:h8.i9.h9 -35 i8         a position, the score for the player to move, the best move
    15x15x5:h8.i9.h9.a1 win h10     where somebody surely wins: win or loss; nothing where fours alone win

Ctrl-C ends it; the same command goes on. `python -m training.features` comes next.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from benchmarks.matches import INTERRUPTED, KEPT, Progress, UntilCtrlC, count_argument, game_argument, make_parser

from inarow import Board, Engine, Game, Limit, Move, Player, Seat, Variation, format_move, format_position
from inarow._core import FreeFeatureReader
from inarow.arena.run import play_tournament
from inarow.arena.schedule import number_of_games
from inarow.arena.spec import RefereeRules, Tournament
from inarow.arena.store import Store
from inarow.engine import geometry_of, move_of, position_of
from inarow.engine.weights import LEARNED, weights_for
from inarow.executors import LocalCrew
from inarow.players.options import option, parse_options

RESOLVER = "training.selfplay:make_explorer"
NAME = "explorer"
NOTES = "notes"
MEMORY_MB = 8
LEAST_NODES, MOST_NODES = 0.5, 2.0
"""What part of its nodes a move has."""
WHIMS = 20
"""One move of so many is a whim,"""
WHIM_MOVES = 8
"""one of so many of the best-looking moves."""
LEAST_STONES, MOST_STONES = 2, 8
"""Of an opening."""
OPENING_SIDES = (0.4, 0.6, 0.8)
"""The part of the board's sides that an opening lies in."""


@dataclass(frozen=True)
class ExplorerOptions:
    seed: int = option(1, "the same seed plays the same moves")
    weights: str = option(LEARNED, "as the engine's")
    notes: str = option("", "the folder of its notes; none are written without")


def make_explorer(spec: str) -> Player:
    """The resolver of the arena's workers: explorer:seed=1,notes=FOLDER."""
    return Explorer(parse_options(NAME, ExplorerOptions, spec.partition(":")[2]))


class Explorer(Player):
    """The engine with whims. What it plays follows from its seed and the position."""

    def __init__(self, options: ExplorerOptions) -> None:
        self._options = options
        self._engine = Engine(memory_mb=MEMORY_MB, solver=False, weights=options.weights)

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        self._engine.prepare(game)

    def choose(self, board: Board, limit: Limit) -> Move:
        text = format_position(board)
        random = Random(f"{self._options.seed}/{text}")
        assert limit.nodes is not None
        best = self._engine.search(
            board, Limit(nodes=round(limit.nodes * random.uniform(LEAST_NODES, MOST_NODES)))
        ).best
        if self._options.notes and not _is_by_fours(best):
            score = best.value if best.plies is not None else best.score
            with Path(self._options.notes, f"{os.getpid()}.txt").open("a", encoding="utf-8") as file:
                file.write(f"{text} {score} {format_move(best.move)}\n")
        if best.plies is None and random.randrange(WHIMS) == 0:
            return random.choice(self._good_looking(board))
        return best.move

    def _good_looking(self, board: Board) -> list[Move]:
        game = board.game
        if game.gravity:
            return list(board.legal_moves)
        attack, defence = _order(game, self._options.weights)
        seen = feature_reader(game).read(position_of(board))
        places = sorted(seen.candidates, key=lambda i: -attack[seen.moving[i]] - defence[seen.waiting[i]])
        return [move_of(game, seen.cells[i]) for i in places[:WHIM_MOVES]]


def _is_by_fours(best: Variation) -> bool:
    """Whether it is a win that was found before the search: such positions are never evaluated."""
    return best.value == "win" and best.plies == best.depth


@cache
def feature_reader(game: Game) -> FreeFeatureReader:
    """The game's, made once: its tables take a while."""
    return FreeFeatureReader(geometry_of(game))


@cache
def _order(game: Game, weights: str) -> tuple[list[int], list[int]]:
    """How good moves look, by the codes of their cells."""
    found = weights_for(game, weights)
    return found.attack, found.defence


def random_openings(game: Game, count: int, seed: int) -> Iterator[str]:
    """A few stones at random, near the centre; with gravity in any column."""
    random = Random(f"{seed}/{game}")
    for _ in range(count):
        board = Board(game)
        part = random.choice(OPENING_SIDES)
        stones = min(random.randint(LEAST_STONES, MOST_STONES), game.rows * game.columns // 3)
        while board.ply < stones:
            moves = [move for move in board.legal_moves if game.gravity or _is_central(game, move, part)]
            board.push(random.choice(moves or board.legal_moves))
            if board.is_over:
                board.pop()
                break
        yield " ".join(format_move(move) for move in board.moves)


def _is_central(game: Game, move: Move, part: float) -> bool:
    assert not isinstance(move, int)
    return all(
        abs(place - (side - 1) / 2) <= max(1.0, part * side / 2)
        for place, side in zip(move, (game.rows, game.columns), strict=True)
    )


def selfplay_tournament(
    game: Game, pairs: int, nodes: int, weights: tuple[str, str], seed: int, notes: Path
) -> Tournament:
    """Two explorers with weights and seeds of their own; each pair of games begins with another opening."""
    players = [f"{NAME}:seed={2 * seed + i},weights={weights[i]},notes={notes}" for i in range(2)]
    return Tournament(
        players=(players[0], players[1]),
        games=(game,),
        limit=Limit(nodes=nodes),
        rounds=pairs,
        openings=tuple(random_openings(game, pairs, seed)),
        seed=seed,
        rules=RefereeRules(in_process=True),
    )


def main() -> int:
    parser = make_parser(__doc__, "python -m training.selfplay 15x15x5 --games 4000 --nodes 3000 --store gomoku.store")
    parser.add_argument("game", type=game_argument, help="the board, as 15x15x5 or 6x7x4g")
    parser.add_argument("--store", type=Path, required=True, help="the games; the notes lie beside it")
    parser.add_argument("--games", type=count_argument, default=1000, help="how many (default: 1000)")
    parser.add_argument("--nodes", type=count_argument, default=3000, help="of a move, half to twice (default: 3000)")
    parser.add_argument("--weights", default=LEARNED, help="learned, formula, or a file (default: learned)")
    parser.add_argument("--against", help="the weights of the other player (default: the same)")
    parser.add_argument("--seed", type=int, default=1, help="other games with another one (default: 1)")
    parser.add_argument("--workers", type=count_argument, default=1, help="processes (default: 1)")
    arguments = parser.parse_args()
    notes = arguments.store.with_suffix(f".{NOTES}")
    notes.mkdir(exist_ok=True)
    weights = (arguments.weights, arguments.against or arguments.weights)
    tournament = selfplay_tournament(
        arguments.game, (arguments.games + 1) // 2, arguments.nodes, weights, arguments.seed, notes
    )
    progress = Progress(number_of_games(tournament), "games")
    plies = 0
    ends = {None: 0, Seat.FIRST: 0, Seat.SECOND: 0}
    with UntilCtrlC() as block, Store.open(arguments.store, tournament) as store, LocalCrew(arguments.workers) as crew:
        before = len(store.outcomes())
        for number, (_, record) in enumerate(play_tournament(tournament, store, crew, RESOLVER), start=1):
            assert record.outcome is not None
            plies += len(record.moves)
            ends[record.outcome.winner] += 1
            progress.show(before + number, f"{plies} moves")
        crew.close(at_once=True)  # nothing is left to do for them
    progress.end()
    print(f"{plies} moves; first won {ends[Seat.FIRST]}, second {ends[Seat.SECOND]}, drawn {ends[None]}")
    return INTERRUPTED if block.interrupted else KEPT


if __name__ == "__main__":
    raise SystemExit(main())
