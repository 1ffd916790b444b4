"""Does the engine keep the value of boards and positions that are solved?

Games: on each board whose value is known the engine meets the solver and the seed players, in every seat that is not
lost with best play. A seat that wins must win, another must not lose. The solver plays the longest defence, or where
nobody wins any move that keeps the value; what it cannot settle in its time it counts as good. On large boards a game
ends undecided after some plies.

Positions: of each FILE (as in benchmarks/connect4.py; the game is that of the file's name, as in 6x7x4g-end-easy.txt,
or Connect-4) some are drawn by lot; the engine's move must keep the value: a win stays a win, a draw a draw.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.matches import (
    BROKEN,
    INTERRUPTED,
    KEPT,
    Progress,
    UntilCtrlC,
    count_argument,
    do_all,
    game_argument,
    in_seats,
    make_parser,
    play_game,
    print_json,
    print_table,
    seconds_argument,
    seeded,
    spec_argument,
)
from inarow import (
    PLAYERS,
    Board,
    Engine,
    Game,
    InarowError,
    Limit,
    Move,
    Player,
    Seat,
    format_position,
    make_player,
    parse_game,
)
from inarow.arena.spec import COURSE_CONNECTX_2023, COURSE_MNK_2022
from inarow.solver import known_value, solve_moves
from inarow.solver.solve import GameSolver, make_solver

EXAMPLE = "python -m benchmarks.truth --boards 5x5x4 6x6x4 --time 0.2; python -m benchmarks.truth --positions 500 *.txt"
SECONDS = 1.0
SOLVER_SECONDS = 1.0
PLIES = 120
PRESETS = {"mnk": COURSE_MNK_2022, "connectx": COURSE_CONNECTX_2023}
SOLVER = "solver"
ENGINE = "engine:memory=64"
CONNECT4 = Game(6, 7, 4, gravity=True)


class SolverPlayer(Player):
    """Plays a move of the best value; a lost game as long as it can, others by lot."""

    def __init__(self, seconds: float, seed: int) -> None:
        self.limit = Limit(seconds=seconds)
        self.random = Random(seed)
        self.solver: GameSolver | None = None

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        self.solver = make_solver(game, 64)

    def choose(self, board: Board, limit: Limit) -> Move:
        moves = board.legal_moves
        each = Limit(seconds=(self.limit.seconds or 0.0) / len(moves))
        values = solve_moves(board, each, shortest=True, solver=self.solver)
        if wins := [one for one in values if one.value == "win"]:
            return min(wins, key=lambda one: one.plies or 0).move
        if kept := [one for one in values if one.value in ("draw", "unknown")]:
            return self.random.choice(kept).move
        return max(values, key=lambda one: one.plies or 0).move


@dataclass(frozen=True)
class Job:
    """One game: the engine in a seat against somebody. `value` is the game's for the seat: win or draw."""

    game: Game
    value: str
    seat: Seat
    opponent: str
    number: int
    seconds: float
    solver_seconds: float
    plies: int


@dataclass(frozen=True)
class Played:
    """How a game ended: the engine's win, draw (also when it was not played to the end), or loss."""

    job: Job
    result: str
    position: str
    forfeit: str | None = None

    @property
    def is_kept(self) -> bool:
        return self.result == "win" or (self.result == "draw" and self.job.value == "draw")


def jobs_for(game: Game, opponents: list[str], number: int, limits: tuple[float, float, int]) -> list[Job]:
    """The games on one board; none where its value is not known."""
    known = known_value(game)
    if known is None:
        return []
    values = {"win": {Seat.FIRST: "win"}, "loss": {Seat.SECOND: "win"}, "draw": dict.fromkeys(Seat, "draw")}[
        known.value
    ]
    return [Job(game, value, seat, name, number, *limits) for seat, value in values.items() for name in opponents]


def play(job: Job) -> Played:
    engine = make_player(ENGINE)
    if job.opponent == SOLVER:
        opponent: Player = SolverPlayer(job.solver_seconds, job.number)
    else:
        opponent = make_player(seeded(job.opponent, job.number))
    moves: list[Move] = []

    def is_enough(_: Seat, choice: object) -> bool:
        moves.append(choice.move)  # type: ignore[attr-defined]
        return len(moves) >= job.plies

    played = play_game(job.game, in_seats(engine, opponent, job.seat), Limit(seconds=job.seconds), is_enough)
    if played is None:
        return Played(job, "draw", f"{job.game} after {len(moves)} plies")
    result = "draw" if played.winner is None else "win" if played.winner is job.seat else "loss"
    return Played(job, result, format_position(played.board), played.forfeit)


# --- positions ---


@dataclass
class PositionSet:
    """A file's positions: how many were tried, and where the engine's move did not keep the value."""

    name: str
    tried: int = 0
    failures: list[str] = field(default_factory=list)


def game_of(path: Path) -> Game:
    try:
        return parse_game(path.stem.partition("-")[0])
    except InarowError:
        return CONNECT4


def drawn_lines(path: Path, count: int | None, random: Random) -> list[str]:
    lines = [line for line in path.read_text().splitlines() if line.strip()]
    return lines if count is None or count >= len(lines) else random.sample(lines, count)


def try_position(engine: Engine, game: Game, line: str, limit: Limit) -> str | None:
    """What was wrong with the engine's move; None if nothing was."""
    columns, score = line.split()
    board = Board(game)
    for digit in columns:
        board.push(int(digit, 36) - 1)
    engine.forget()
    move = engine.choose(board, limit)
    values = {one.move: one.value for one in solve_moves(board, weak=True, memory_mb=64)}
    value = "win" if int(score) > 0 else "loss" if int(score) < 0 else "draw"
    return None if values[move] == value else f"{line}: {move + 1} makes a {value} a {values[move]}"  # type: ignore[operator]


# --- the run ---


def print_games(games: list[Played]) -> None:
    rows = []
    for game in dict.fromkeys(one.job.game for one in games):
        for seat in Seat:
            some = [one for one in games if one.job.game == game and one.job.seat is seat]
            if some:
                results = [sum(one.result == result for one in some) for result in ("win", "draw", "loss")]
                kept = sum(one.is_kept for one in some)
                value = some[0].job.value
                rows.append((str(game), str(seat), value, *map(str, results), f"{kept}/{len(some)}"))
    print_table(("board", "seat", "value", "won", "drawn", "lost", "kept"), rows)
    for one in games:
        if not one.is_kept:
            job = one.job
            print(f"{job.game} as {job.seat} against {job.opponent}: {one.result} {one.position} {one.forfeit or ''}")


def main() -> int:
    seeds = [info.name for info in PLAYERS if info.name != "engine"]
    parser = make_parser(__doc__, EXAMPLE)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="solved positions, instead of games")
    parser.add_argument("--positions", type=count_argument, help="of each file, by lot; all, unless said")
    parser.add_argument("--preset", choices=PRESETS, default="mnk", help="boards; mnk, unless said")
    parser.add_argument("--boards", nargs="+", type=game_argument, metavar="MxNxK[g]", help="instead of the preset's")
    parser.add_argument("--opponents", nargs="+", metavar="SPEC", help="the solver and all seed players, unless said")
    parser.add_argument(
        "--time", type=seconds_argument, default=SECONDS, help=f"seconds a move; {SECONDS:g}, unless said"
    )
    parser.add_argument(
        "--solver-time", type=seconds_argument, default=SOLVER_SECONDS, help=f"{SOLVER_SECONDS:g}, unless said"
    )
    parser.add_argument(
        "--plies", type=count_argument, default=PLIES, help=f"after which a game ends; {PLIES}, unless said"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=count_argument, default=1, help="processes that play; 1, unless said")
    arguments = parser.parse_args()
    opponents = arguments.opponents or [SOLVER, *seeds]
    for spec in opponents:
        if spec != SOLVER:
            spec_argument(spec)
    limits = (arguments.time, arguments.solver_time, arguments.plies)
    games: list[Played] = []
    sets: list[PositionSet] = []
    with UntilCtrlC() as until:
        if arguments.files:
            random = Random(arguments.seed)
            run_positions(arguments.files, arguments.positions, random, Limit(seconds=arguments.time), sets)
        else:
            boards = arguments.boards or PRESETS[arguments.preset]
            jobs = [job for game in boards for job in jobs_for(game, opponents, arguments.seed, limits)]
            progress = Progress(len(jobs), "games")
            for played in do_all(play, jobs, arguments.workers):
                games.append(played)
                progress.show(len(games), f"{played.job.game} against {played.job.opponent}")
            progress.end()
    report(games, sets, arguments.json, until.interrupted)
    if until.interrupted:
        print("interrupted: not everything was tried", file=sys.stderr)
        return INTERRUPTED
    return KEPT if all(one.is_kept for one in games) and not any(one.failures for one in sets) else BROKEN


def run_positions(files: list[Path], count: int | None, random: Random, limit: Limit, sets: list[PositionSet]) -> None:
    """Fills `sets`, one for each file."""
    engine = Engine(memory_mb=64)
    for path in files:
        sets.append(PositionSet(path.name))
        lines = drawn_lines(path, count, random)
        progress = Progress(len(lines), "positions")
        for line in lines:
            failure = try_position(engine, game_of(path), line, limit)
            sets[-1].tried += 1
            if failure is not None:
                sets[-1].failures.append(failure)
            progress.show(sets[-1].tried, f"{path.name}, {len(sets[-1].failures)} moves that lose something")
        progress.end()


def report(games: list[Played], sets: list[PositionSet], as_json: bool, interrupted: bool) -> None:
    if as_json:
        rows = [
            {
                "board": str(one.job.game),
                "seat": str(one.job.seat),
                "value": one.job.value,
                "opponent": one.job.opponent,
                "result": one.result,
                "kept": one.is_kept,
                "position": one.position,
                "forfeit": one.forfeit,
            }
            for one in games
        ]
        files = [{"file": one.name, "tried": one.tried, "failures": one.failures} for one in sets]
        print_json({"games": rows, "positions": files, "interrupted": interrupted})
        return
    if games:
        print_games(games)
    for one in sets:
        print(f"{one.name}: {one.tried - len(one.failures)} of {one.tried} moves keep the value")
        print("".join(f"  {failure}\n" for failure in one.failures), end="")


if __name__ == "__main__":
    sys.exit(main())
