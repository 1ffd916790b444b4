"""Fair openings: one side puts stones, the other chooses its colour. What is fair, the engine says.

empty board    three stones are put, so that neither colour is better: the other side will choose
three stones   take the better colour: SWAP for that of who does not move next, one stone for the other;
               where neither is better, two more stones, and the other side chooses
five stones    take the better colour: SWAP, or one stone
"""

import time
from collections.abc import Callable, Iterator
from random import Random

from inarow.engine import Engine
from inarow.engine.timing import hard_seconds
from inarow.errors import FormatError, IllegalMove
from inarow.game import Board, Cell, Limit

TRIALS = 24  # openings that are looked at,
FINALISTS = 4  # and how many of them again, for as long as all the others together
REACH = 4  # cells from the middle, or from a stone
UNCLEAR = 0.02  # a chance within so much of a half says nothing
LEAST_SECONDS = 0.001
LEAST_NODES = 1


class Judge:
    """Says how good positions are, all of them within one limit."""

    def __init__(self, engine: Engine, limit: Limit, is_stopped: Callable[[], bool]) -> None:
        self._engine = engine
        self._limit = limit
        self._seconds = hard_seconds(limit)
        self._end = None if self._seconds is None else time.perf_counter() + self._seconds
        self.is_stopped = is_stopped

    def look(self, board: Board, share: float) -> tuple[float, Cell]:
        """What the player to move can expect, 0 to 1, and its best move. Takes so large a part of the limit."""
        seconds = None
        if self._end is not None and self._seconds is not None:
            left = 0.0 if self.is_stopped() else self._end - time.perf_counter()
            seconds = max(LEAST_SECONDS, min(self._seconds * share, left))
        nodes = None if self._limit.nodes is None else max(LEAST_NODES, round(self._limit.nodes * share))
        best = self._engine.search(board, Limit(seconds, nodes, self._limit.depth)).best
        assert not isinstance(best.move, int)
        return best.win_probability, best.move

    def fairest(self, boards: list[Board], share: float) -> Board:
        """The one of the boards in which the player to move has the chance nearest to a half."""
        unfairness: dict[int, float] = {}
        for number, board in enumerate(boards):
            if self.is_stopped() and unfairness:
                break
            unfairness[number] = abs(self.look(board, share / 2 / len(boards))[0] - 0.5)
        finalists = sorted(unfairness, key=lambda number: unfairness[number])[:FINALISTS]
        for number in finalists:
            if self.is_stopped():
                break
            unfairness[number] = abs(self.look(boards[number], share / 2 / len(finalists))[0] - 0.5)
        return boards[min(finalists, key=lambda number: unfairness[number])]


def answer(engine: Engine, board: Board, limit: Limit, is_stopped: Callable[[], bool]) -> tuple[Cell, ...]:
    """The stones to put on a board with none, three or five of them; none: SWAP.

    The same position may get another answer the next time. FormatError for another number of stones, and for a board
    that is too small.
    """
    judge = Judge(engine, limit, is_stopped)
    random = Random()
    if board.is_over:
        raise IllegalMove(f"the game is over: {board.outcome}")
    match board.ply:
        case 0:
            return _added(judge.fairest(_trials(board, 3, random), 1.0), 3)
        case 3:
            chance, move = judge.look(board, 0.5)
            if abs(chance - 0.5) < UNCLEAR and (trials := list(_random_boards(board, 2, random))):
                return _added(judge.fairest(trials, 0.5), 2)
            return (move,) if chance >= 0.5 else ()
        case 5:
            chance, move = judge.look(board, 1.0)
            return (move,) if chance >= 0.5 else ()
    raise FormatError(f"SWAP2BOARD has no stones, three or five, not {board.ply}")


def _added(board: Board, number: int) -> tuple[Cell, ...]:
    """The last stones of a board."""
    moves = board.moves[board.ply - number :]
    return tuple(move for move in moves if not isinstance(move, int))


def _trials(board: Board, number: int, random: Random) -> list[Board]:
    trials = list(_random_boards(board, number, random))
    if not trials:
        raise FormatError(f"{board.game} is too small for a fair opening")
    return trials


def _random_boards(board: Board, number: int, random: Random) -> Iterator[Board]:
    """Boards with so many random stones more, near the others or near the middle, on which the game goes on."""
    game = board.game
    centres: list[Cell] = [move for move in board.moves if not isinstance(move, int)]
    centres = centres or [(game.rows // 2, game.columns // 2)]
    near = [
        cell
        for cell in game.cells
        if board.stone(cell) is None
        and any(max(abs(cell[0] - row), abs(cell[1] - column)) <= REACH for row, column in centres)
    ]
    if len(near) <= number:
        return
    for _ in range(TRIALS):
        trial = board.copy()
        for cell in random.sample(near, number):
            if not trial.is_over:
                trial.push(cell)
        if not trial.is_over:
            yield trial
