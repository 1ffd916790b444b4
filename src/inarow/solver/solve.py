"""What is true of a position: who wins, in how many moves, with which of them, and why."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from inarow.errors import FormatError, IllegalMove, ProofError
from inarow.game import Board, Game, Limit, Seat
from inarow.solver.free import FreeSolver
from inarow.solver.gravity import GravitySolver
from inarow.solver.proof import Proof, Strategy
from inarow.solver.solution import DEFAULT_MEMORY_MB, OPPOSITE, UNKNOWN, MoveValue, Progress, Solution, TableUse

MAX_PROOF_POSITIONS = 20_000_000
"""A proof of more positions is not written: it could hardly be checked."""


class GameSolver(Protocol):
    """Solves positions of one game, one after another; what it learns from one helps with the next.

    For one thread at a time; `stop` and `progress` may be called from others meanwhile.
    """

    game: Game

    def stop(self) -> None:
        """Ends what is being solved, and everything after, until `resume`."""

    def resume(self) -> None: ...

    def progress(self) -> Progress: ...

    def table(self) -> TableUse: ...

    def solve(
        self, board: Board, limit: Limit, *, threads: int = 1, weak: bool = False, shortest: bool = False
    ) -> Solution:
        """`weak` and `shortest` as in the function `solve`."""

    def solve_many(
        self, boards: Sequence[Board], limit: Limit, *, threads: int = 1, weak: bool = False
    ) -> list[Solution]:
        """As solve, with plies only where they cost nothing extra and without best moves; the limit holds for each."""

    def settle(self, board: Board, limit: Limit, *, at_least: str = "loss", soon: float = 0.0) -> Solution:
        """Who wins, with as little work as that takes, and a move that keeps the value, or all where every move does.

        A value that is known to be `at_least` so much may be found sooner. As long as less than the share `soon` of the
        limit is used up it is also asked in how many plies.
        """

    def strategy(self, board: Board, seat: Seat, goal: str, plies: int | None, max_positions: int) -> Strategy | None:
        """How a seat reaches a goal; None when it was stopped or would be longer than allowed."""


def make_solver(game: Game, memory_mb: int = DEFAULT_MEMORY_MB) -> GameSolver:
    """Who solves positions of this game with so much memory for its table."""
    return GravitySolver(game, memory_mb) if game.gravity else FreeSolver(game, memory_mb)


def solve(
    board: Board,
    limit: Limit | None = None,
    *,
    threads: int = 1,
    memory_mb: int = DEFAULT_MEMORY_MB,
    weak: bool = False,
    shortest: bool = False,
    best_moves: bool = True,
    proof: bool = False,
) -> Solution:
    """What is true of a position, for the player to move.

    weak        with gravity: only who wins, which takes less time; with free placement the weak game: a win if the
                player to move completes a line although the other only blocks, else a draw
    shortest    with free placement: also in how many plies, which takes more; with gravity plies come by themselves
    best_moves  False: with gravity without them, which takes less time
    proof       also a proof that `verify` checks; ProofError when it would be too long
    """
    if proof:
        refuse_weak_game(board.game, weak)
    solver = make_solver(board.game, memory_mb)
    if best_moves or not board.game.gravity:
        solution = solver.solve(checked(board), limit or Limit(), threads=threads, weak=weak, shortest=shortest)
    else:
        solution = solver.solve_many([checked(board)], limit or Limit(), threads=threads, weak=weak)[0]
    return with_proof(solver, board, solution) if proof and solution.value != UNKNOWN else solution


def solve_many(
    boards: Iterable[Board],
    limit: Limit | None = None,
    *,
    threads: int = 1,
    memory_mb: int = DEFAULT_MEMORY_MB,
    weak: bool = False,
) -> list[Solution]:
    """As `solve` for many positions of any games, without best moves. The limit is for each of them.

    Positions of the same game share a table, so this takes less time than to solve one after the other.
    """
    asked = [checked(board) for board in boards]
    solutions: dict[int, Solution] = {}
    for game in dict.fromkeys(board.game for board in asked):
        numbers = [number for number, board in enumerate(asked) if board.game == game]
        solver = make_solver(game, memory_mb)
        found = solver.solve_many([asked[number] for number in numbers], limit or Limit(), threads=threads, weak=weak)
        solutions.update(zip(numbers, found, strict=True))
    return [solutions[number] for number in range(len(asked))]


def solve_moves(
    board: Board,
    limit: Limit | None = None,
    *,
    threads: int = 1,
    memory_mb: int = DEFAULT_MEMORY_MB,
    weak: bool = False,
    shortest: bool = False,
    solver: GameSolver | None = None,
) -> list[MoveValue]:
    """What each legal move is worth to the player to move; the limit is for each. A solver at hand may be passed in.

    `weak` is for gravity only.
    """
    refuse_weak_game(board.game, weak)
    solver = solver or make_solver(board.game, memory_mb)
    values = []
    for move in checked(board).legal_moves:
        after = board.copy()
        after.push(move)
        if after.outcome is not None:
            values.append(MoveValue(move, "draw" if after.outcome.winner is None else "win", 1))
            continue
        solution = solver.solve(after, limit or Limit(), threads=threads, weak=weak, shortest=shortest)
        values.append(MoveValue(move, OPPOSITE[solution.value], None if solution.plies is None else solution.plies + 1))
    return values


def checked(board: Board) -> Board:
    if board.is_over:
        raise IllegalMove("the game is over: there is nothing to solve")
    return board


def refuse_weak_game(game: Game, weak: bool) -> None:
    """FormatError where the weak game has no answer: with free placement its values are not those of the game."""
    if weak and not game.gravity:
        raise FormatError("the weak game has no proof, and its moves no values: leave out weak")


def with_proof(
    solver: GameSolver, board: Board, solution: Solution, max_positions: int = MAX_PROOF_POSITIONS
) -> Solution:
    """The solution with its proof. ProofError when the proof would be too long."""
    strategies = []
    for seat, goal, plies in goals(board, solution):
        strategy = solver.strategy(board, seat, goal, plies, max_positions)
        if strategy is None:
            raise ProofError(f"no proof is written: it was stopped, or would be longer than {max_positions} positions")
        strategies.append(strategy)
    proof = Proof(board.game, board.moves, solution.value, exact_plies(solution), tuple(strategies))
    return replace(solution, proof=proof)


def exact_plies(solution: Solution) -> int | None:
    """What a proof says of the plies: nothing of a draw's."""
    return None if solution.value == "draw" else solution.plies


def goals(board: Board, solution: Solution) -> list[tuple[Seat, str, int | None]]:
    """The strategies that prove a solution: see docs/proofs.md."""
    mover, other = board.turn, board.turn.other
    plies = exact_plies(solution)
    if solution.value == "draw":
        needs_first = board.ply > 0 or board.game.gravity
        return [(seat, "hold", None) for seat in ((mover, other) if needs_first else (other,))]
    winner, loser = (mover, other) if solution.value == "win" else (other, mover)
    if plies is None:
        return [(winner, "win", None)]
    return [(winner, "win", plies), (loser, "hold", plies - 1)]
