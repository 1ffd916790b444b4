"""Exact values: brute force agrees, moves agree with positions, limits are kept, proofs are accepted."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from inarow.errors import FormatError, IllegalMove, InarowError, ProofError
from inarow.game import Board, Game, Limit, parse_game, parse_position
from inarow.game.book import canonical_key, move_image
from inarow.solver import solve, solve_many, solve_moves, verify
from inarow.solver.proof import Proof, Strategy
from inarow.solver.solution import UNKNOWN
from inarow.solver.solve import GameSolver, make_solver, with_proof
from tests.reference.solving import solved

MEMORY_MB = 4
SMALL = [(1, 1), (1, 4), (4, 1), (2, 3), (3, 2), (3, 3)]
GAMES = [
    *(f"{m}x{n}x{k}{placement}" for m, n in SMALL for k in range(1, max(m, n) + 2) for placement in ("", "g")),
    *("1x7x3", "2x4x3", "2x4x2", "5x2x3g", "2x5x4g", "3x4x3g", "4x3x3g"),
]
RANDOM_GAMES = ["4x4x3", "4x4x4", "3x5x3", "3x5x4", "4x5x5", "4x4x3g", "4x4x4g", "4x5x4g", "5x4x4g", "5x4x3g", "3x6x5g"]


@cache
def solver_of(game: Game) -> GameSolver:
    """One for all tests of a game: making a table for each position would take most of the time."""
    return make_solver(game, MEMORY_MB)


def reachable(game: Game) -> list[Board]:
    """Every position in which a move is to be made, one of each set of images."""
    level, found = [Board(game)], [Board(game)]
    while level:
        following: dict[tuple[int, int], Board] = {}
        for board in level:
            for move in board.legal_moves:
                after = board.copy()
                after.push(move)
                if not after.is_over:
                    following.setdefault(canonical_key(after), after)
        level = list(following.values())
        found += level
    return found


def random_boards(game: Game, number: int, free: int) -> Iterator[Board]:
    """Positions of random games with at most so many free cells; none that is over."""
    random = Random(f"{game} {free}")
    while number:
        board = Board(game)
        stones = max(0, game.rows * game.columns - random.randrange(1, free + 1))
        while board.ply < stones and not board.is_over:
            board.push(random.choice(board.legal_moves))
        if not board.is_over:
            number -= 1
            yield board


@pytest.mark.parametrize("text", GAMES)
def test_brute_force_agrees_on_every_position(text: str) -> None:
    game = parse_game(text)
    for board in reachable(game):
        check_position(board)


@pytest.mark.parametrize("text", RANDOM_GAMES)
def test_brute_force_agrees_on_random_positions(text: str) -> None:
    for board in random_boards(parse_game(text), 20, 9):
        check_position(board)


def check_position(board: Board) -> None:
    """Value, plies and best moves are what minimax says."""
    known, solver = solved(board.game), solver_of(board.game)
    value, plies = known.value(board)
    found = solver.solve(board, Limit())
    assert found.value == value and found.plies in (None, plies), repr(board)
    assert found.best_moves, repr(board)
    worths = {move: known.worth_of_move(board, move) for move in board.legal_moves}
    if board.game.gravity:
        assert found.plies == plies, repr(board)
        assert found.best_moves == [move for move in worths if worths[move] == known.worth(board)], repr(board)
    else:
        signs = {"win": 1, "draw": 0, "loss": -1}
        for move in found.best_moves:
            assert (worths[move] > 0) - (worths[move] < 0) == signs[value], repr(board)
        shortest = solver.solve(board, Limit(), shortest=True)
        assert (shortest.value, shortest.plies) == (value, plies), repr(board)


@pytest.mark.parametrize("text", ["3x3x3", "2x4x3", "4x4x4", "3x4x3g", "4x4x4g", "5x4x3g", "1x1x1", "2x2x3g"])
def test_moves_are_worth_what_the_positions_after_them_are(text: str) -> None:
    opposite = {"win": "loss", "draw": "draw", "loss": "win"}
    game = parse_game(text)
    for board in random_boards(game, 8, min(10, game.rows * game.columns)):
        values = solve_moves(board, memory_mb=MEMORY_MB, shortest=True)
        assert [value.move for value in values] == board.legal_moves
        for value in values:
            after = board.copy()
            after.push(value.move)
            if after.outcome is not None:
                assert (value.value, value.plies) == ("draw" if after.outcome.winner is None else "win", 1)
                continue
            found = solve(after, memory_mb=MEMORY_MB, shortest=True)
            assert found.plies is not None
            assert (value.value, value.plies) == (opposite[found.value], found.plies + 1), repr(after)


@pytest.mark.parametrize("text", ["4x4x3", "3x5x4", "4x4x4g", "4x6x4g", "5x4x3g"])
def test_images_of_a_position_agree(text: str) -> None:
    game = parse_game(text)
    for board in random_boards(game, 5, 12):
        found = solve(board, memory_mb=MEMORY_MB)
        for symmetry in game.symmetries:
            image = board.image(symmetry)
            again = solve(image, memory_mb=MEMORY_MB)
            assert (again.value, again.plies) == (found.value, found.plies), repr(board)
            if game.gravity:
                assert set(again.best_moves) == {move_image(game, symmetry, move) for move in found.best_moves}


def mixed_boards() -> list[Board]:
    """Positions of several games, the games one after another again and again."""
    games = [list(random_boards(parse_game(text), 5, 11)) for text in ("4x4x4g", "3x5x3", "5x5x4g", "4x4x3")]
    return [board for boards in zip(*games, strict=True) for board in boards]


@pytest.mark.parametrize("threads", [1, 2])
def test_many_at_once_are_what_each_is_alone(threads: int) -> None:
    boards = mixed_boards()
    found = solve_many(boards, memory_mb=MEMORY_MB, threads=threads)
    assert len(found) == len(boards)
    for board, solution in zip(boards, found, strict=True):
        alone = solve(board, memory_mb=MEMORY_MB, threads=threads)
        assert solution.value == alone.value == solve(board, memory_mb=MEMORY_MB).value, repr(board)
        if board.game.gravity:
            assert solution.plies == alone.plies is not None, repr(board)
    assert solve_many([]) == []


@pytest.mark.parametrize("game", [Game(6, 7, 4, gravity=True), Game(10, 10, 5)], ids=str)
@pytest.mark.parametrize("limit", [Limit(nodes=1000), Limit(seconds=0.1)], ids=str)
def test_a_limit_ends_it(game: Game, limit: Limit) -> None:
    begin = time.monotonic()
    solution = solve(Board(game), limit, memory_mb=MEMORY_MB)
    assert (solution.value, solution.plies, solution.proof) == ("unknown", None, None)
    assert time.monotonic() - begin < 20
    assert solve(Board(game), limit, memory_mb=MEMORY_MB, proof=True).proof is None
    assert [found.value for found in solve_many([Board(game)] * 2, limit, memory_mb=MEMORY_MB)] == ["unknown"] * 2


def test_best_moves_are_found_within_the_limit() -> None:
    board = parse_position("6x7x4g:d.d.d.d.d.b.b.c")
    value = solve_many([board], memory_mb=MEMORY_MB)[0]
    assert value.nodes > 1000
    for limit in (Limit(nodes=value.nodes + 1), Limit(seconds=1000)):
        found = solve(board, limit, memory_mb=MEMORY_MB)
        assert (found.value, found.plies) == (value.value, value.plies)
        assert bool(found.best_moves) == (limit.nodes is None)


@pytest.mark.parametrize("game", [Game(6, 7, 4, gravity=True), Game(10, 10, 5)], ids=str)
def test_a_stopped_solver_stops_and_stays_so(game: Game) -> None:
    solver = make_solver(game, MEMORY_MB)
    timer = threading.Timer(0.3, solver.stop)
    timer.start()
    assert solver.solve(Board(game), Limit(seconds=300)).value == "unknown"
    progress, table = solver.progress(), solver.table()
    assert progress.nodes > 0 and progress.known
    assert progress.bounds == (("loss", "win") if game.gravity else ("draw", "win")), (
        "second never wins on an empty board"
    )
    assert 0 < table.used <= table.entries and 2**20 < table.bytes <= MEMORY_MB * 2**20
    begin = time.monotonic()
    assert solver.solve(Board(game), Limit()).value == "unknown"
    with pytest.raises(ProofError, match="no proof is written"):
        with_proof(solver, Board(game), replace(solve(Board(Game(3, 3, 3))), value="draw"))
    assert time.monotonic() - begin < 20


@pytest.mark.parametrize("text", ["3x4x3g", "4x4x4g", "4x5x4g", "5x4x3g"])
def test_weak_with_gravity_is_who_wins(text: str) -> None:
    known = solved(parse_game(text))
    for board in random_boards(known.game, 20, 9):
        found = solver_of(known.game).solve(board, Limit(), weak=True)
        value, plies = known.value(board)
        assert (found.value, found.plies) == (value, plies if value == "draw" else None), repr(board)
        worths = [known.worth_of_move(board, move) for move in board.legal_moves]
        keeping = [(value != "win" and (value == "loss" or worth == 0)) or worth > 0 for worth in worths]
        assert found.best_moves == [move for move, is_kept in zip(board.legal_moves, keeping, strict=True) if is_kept]


def test_weak_with_free_placement_is_the_weak_game() -> None:
    known = solved(Game(3, 3, 3))
    lost = 0
    for board in random_boards(known.game, 40, 9):
        found = solve(board, memory_mb=MEMORY_MB, weak=True)
        value, _ = known.value(board)
        lost += value == "loss"
        assert found.value == "win" or (found.value, found.plies) == ("draw", None), repr(board)
        assert value != "win" or found.value == "win", "whoever wins also wins when the other only blocks"
    assert lost
    board = Board(known.game)
    for call in (solve_moves, lambda board, weak: solve(board, weak=weak, proof=True)):
        with pytest.raises(FormatError, match="weak game"):
            call(board, weak=True)


def test_a_finished_game_is_refused() -> None:
    over = parse_position("3x3x3:a1.a2.b1.b2.c1")
    full = parse_position("1x2x3g:a.b")
    for board in (over, full):
        for call in (solve, solve_moves, lambda board: solve_many([board])):
            with pytest.raises(IllegalMove, match="the game is over"):
                call(board)


@pytest.mark.parametrize(
    "text", ["3x3x3", "1x7x3", "2x5x3", "4x4x4", "4x4x3", "3x5x4", "3x3x3g", "4x4x4g", "4x5x4g", "5x4x3g", "2x6x3g"]
)
def test_proofs_are_accepted_and_their_damage_refused(text: str) -> None:
    game = parse_game(text)
    random = Random(f"damage {text}")
    solver = make_solver(game, MEMORY_MB)
    seen = set()
    for board in [Board(game), *random_boards(game, 12, 12)]:
        for shortest in (True, False):
            solution = solver.solve(board, Limit(), weak=game.gravity and not shortest, shortest=shortest)
            proof = with_proof(solver, board, solution).proof
            assert proof is not None
            verdict = verify(Proof.from_bytes(proof.to_bytes()))
            plies = None if solution.value == "draw" else solution.plies
            assert (verdict.value, verdict.plies) == (solution.value, plies), repr(board)
            seen.add(verdict.value)
            for damaged in damages(proof, random):
                with pytest.raises(InarowError):
                    verify(damaged)
    assert len(seen) > 1


def damages(proof: Proof, random: Random) -> Iterator[Proof]:
    """Proofs without a token, with one too many, or without a strategy, and with another value."""
    for number, strategy in enumerate(proof.strategies):
        tokens = list(strategy.tokens)
        changes = [[*tokens, 0]]
        if tokens:
            changes.append(tokens[:-1])
            at = random.randrange(len(tokens))
            changes.append([*tokens[:at], 2**16 - 1, *tokens[at + 1 :]])
        for changed in changes:
            strategies = list(proof.strategies)
            strategies[number] = Strategy(strategy.seat, strategy.goal, strategy.plies, changed)
            yield replace(proof, strategies=tuple(strategies))
    if len(proof.strategies) > 1:
        yield replace(proof, strategies=proof.strategies[1:])
    for value in {"win", "draw", "loss"} - {proof.value}:
        yield replace(proof, value=value)


@pytest.mark.parametrize("text", RANDOM_GAMES)
def test_settling_says_who_wins_and_gives_a_move_that_keeps_it(text: str) -> None:
    game = parse_game(text)
    solver = solver_of(game)
    for board in random_boards(game, 12, 14):
        truth = solver.solve(board, Limit(), shortest=True)
        moves = {one.move: one.value for one in solve_moves(board, solver=solver)}
        for settled in (solver.settle(board, Limit()), solver.settle(board, Limit(seconds=60), soon=0.9)):
            assert settled.value == truth.value
            assert settled.best_moves and all(moves[move] == truth.value for move in settled.best_moves)
            assert settled.plies is None or settled.plies == truth.plies
        if truth.value != "loss":
            assert solver.settle(board, Limit(), at_least="draw").value == truth.value


def test_the_end_of_a_large_board_comes_as_it_was_settled() -> None:
    """Boards that fit into no word, with more free cells than trying everything could settle: against any moves."""
    seen = set()
    for number, text in enumerate(["12x13x6g", "20x20x9g", "9x40x6g"] * 8):
        game, random = parse_game(text), Random(number)
        solver, board = solver_of(game), late_board(game, 36, random)
        value = solver.settle(board, Limit(nodes=20_000)).value
        seen.add(value)
        if value == UNKNOWN:
            continue
        keeper = board.turn.other if value == "loss" else board.turn
        while not board.is_over:
            if board.turn != keeper:
                board.push(random.choice(board.legal_moves))
                continue
            settled = solver.settle(board, Limit())
            assert settled.value in ({"win", "draw"} if value == "draw" else {"win"}), repr(board)
            board.push(settled.best_moves[0])
        assert board.outcome is not None
        assert board.outcome.winner in ((keeper,) if value != "draw" else (keeper, None)), repr(board)
    assert seen >= {"win", "draw", "loss"}


def late_board(game: Game, free: int, random: Random) -> Board:
    """A random position with so many free cells in which nobody has won."""
    while True:
        board = Board(game)
        while not board.is_over and game.rows * game.columns - board.ply > free:
            moves = board.legal_moves
            random.shuffle(moves)
            for move in moves:
                board.push(move)
                if board.outcome is None:
                    break
                board.pop()
            else:
                break
        if game.rows * game.columns - board.ply == free and not board.is_over:
            return board
