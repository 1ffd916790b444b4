"""An agent for Kaggle's ConnectX in one file: alpha-beta in plain Python, for any rows, columns and inarow.

It needs nothing but Python's standard library. The last callable of the file is the agent.

A side's stones are one int, column after column from the bottom, with a spare bit above each column that is never set,
so that no run goes round the edge. The bits of 3 rows and 4 columns, spare bits in brackets:

    [ 3] [ 7] [11] [15]
      2    6   10   14
      1    5    9   13
      0    4    8   12

A step up is +1, right +4, right and up +5, right and down +3.
"""

from time import perf_counter
from typing import Any

WIN = 1_000_000  # less the number of stones on the board when the line is there: a sooner win is worth more
PROVEN = WIN // 2  # a score beyond it is a forced win, below its negative a forced loss
THREAT = 12  # what a cell that would complete a line is worth, in lines that can still be completed
TABLE_SIZE = 200_000  # positions that are remembered; about 60 MB
DEEPEST = 300  # plies; Python's own stack ends at a thousand calls
EXACT, LOWER, UPPER = 0, 1, 2


class OutOfTime(Exception):
    """The search ends here: the clock says so."""


class Geometry:
    """What never changes while a game is played."""

    def __init__(self, rows: int, columns: int, inarow: int) -> None:
        self.height = rows + 1
        self.inarow = inarow
        self.cells = rows * columns
        self.bottom = sum(1 << column * self.height for column in range(columns))
        self.board = self.bottom * ((1 << rows) - 1)
        self.steps = (1, self.height, self.height + 1, self.height - 1)
        self.columns_from_the_centre = sorted(range(columns), key=lambda column: abs(2 * column - columns + 1))
        self.column_masks = [((1 << rows) - 1) << column * self.height for column in range(columns)]

    def completing(self, stones: int) -> int:
        """The cells, taken or not, that have `inarow` - 1 stones beside them in one line."""
        cells = 0
        for step in self.steps:
            stones_after = [self.board]  # [n]: the cells that n stones follow
            for _ in range(self.inarow - 1):
                stones_after.append((stones_after[-1] & stones) >> step)
            before = self.board
            for after in reversed(stones_after):
                cells |= before & after
                before = (before & stones) << step
                if not before:
                    break
        return cells & self.board

    def open_lines(self, without: int) -> int:
        """How many lines have no stone of `without`."""
        count = 0
        for step in self.steps:
            runs, length = self.board & ~without, 1
            while length < self.inarow:
                more = min(length, self.inarow - length)
                runs &= runs >> more * step
                length += more
            count += runs.bit_count()
        return count


class Search:
    """Alpha-beta, deeper and deeper, from one position. Scores are for whoever is to move, and fail-soft."""

    def __init__(self, geometry: Geometry, deadline: float) -> None:
        self.geometry = geometry
        self.deadline = deadline
        self.table: dict[tuple[int, int], tuple[int, int, int, int]] = {}  # depth, bound, score, best move

    def best_move(self, own: int, other: int, max_depth: int) -> tuple[int, int]:
        """The best cell and its score, by the deepest search that there is time for. The game must not be over."""
        geometry = self.geometry
        possible = ((own | other) + geometry.bottom) & geometry.board
        stones = (own | other).bit_count()
        if wins := geometry.completing(own) & possible:
            return wins & -wins, WIN - stones - 1
        moves = self.in_order(geometry.completing(other) & possible or possible)
        best, best_score = moves[0], 0
        try:
            for depth in range(1, min(max_depth, geometry.cells - stones) + 1):
                best, best_score = self.search_root(own, other, moves, depth)
                if abs(best_score) > PROVEN:
                    break
                moves.remove(best)
                moves.insert(0, best)
        except OutOfTime:
            pass  # the last depth that was finished says what to play
        return best, best_score

    def search_root(self, own: int, other: int, moves: list[int], depth: int) -> tuple[int, int]:
        best, best_score = moves[0], -WIN
        for move in moves:
            score = -self.search(other, own | move, depth - 1, -WIN, -best_score)
            if score > best_score:
                best, best_score = move, score
        return best, best_score

    def search(self, own: int, other: int, depth: int, alpha: int, beta: int) -> int:
        """The score of a position in which `own` is to move and nobody has a line yet."""
        if perf_counter() > self.deadline:
            raise OutOfTime
        geometry = self.geometry
        taken = own | other
        possible = (taken + geometry.bottom) & geometry.board
        if not possible:
            return 0

        # 1. A line that can be completed, and lines that must be prevented.
        own_threats, other_threats = geometry.completing(own), geometry.completing(other)
        if own_threats & possible:
            return WIN - taken.bit_count() - 1
        forced = other_threats & possible
        moves = (forced or possible) & ~(other_threats >> 1)  # not below a cell where the other completes a line
        if forced & (forced - 1) or not moves:
            return taken.bit_count() + 2 - WIN
        if depth <= 0:
            return self.evaluate(own, other, own_threats & ~taken, other_threats & ~taken)

        # 2. What is remembered of the position.
        remembered = self.table.get((own, other))
        first = 0
        if remembered is not None:
            known_depth, bound, score, first = remembered
            if known_depth >= depth and (
                bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha)
            ):
                return score

        # 3. The moves, one by one.
        best, best_score, old_alpha = 0, -WIN, alpha
        for move in self.in_order(moves, first):
            score = -self.search(other, own | move, depth - 1, -beta, -alpha)
            if score > best_score:
                best, best_score = move, score
                alpha = max(alpha, score)
                if alpha >= beta:
                    break
        if len(self.table) >= TABLE_SIZE:
            self.table.clear()
        bound = LOWER if best_score >= beta else EXACT if best_score > old_alpha else UPPER
        self.table[own, other] = depth, bound, best_score, best
        return best_score

    def in_order(self, moves: int, first: int = 0) -> list[int]:
        """The single bits of `moves`, the best guess first, then from the centre outwards."""
        masks = self.geometry.column_masks
        cells = [first] if first & moves else []
        for column in self.geometry.columns_from_the_centre:
            cell = moves & masks[column]
            if cell and cell != first:
                cells.append(cell)
        return cells

    def evaluate(self, own: int, other: int, own_threats: int, other_threats: int) -> int:
        """Lines that can still be completed, and free cells that would complete one."""
        lines = self.geometry.open_lines(other) - self.geometry.open_lines(own)
        return lines + THREAT * (own_threats.bit_count() - other_threats.bit_count())


def thinking_time(act_timeout: float) -> float:
    """What is used of the time for a move, in seconds: the rest is for what the machine does meanwhile."""
    return max(0.7 * act_timeout - 0.1, 0.3 * act_timeout)


def stones_of(observation: Any, configuration: Any) -> tuple[int, int]:
    """The stones of the player to move and of the other; Kaggle's board is a list, row by row from the top."""
    columns, rows = configuration["columns"], configuration["rows"]
    stones = {1: 0, 2: 0}
    for place, mark in enumerate(observation["board"]):
        if mark:
            row, column = divmod(place, columns)
            stones[mark] |= 1 << column * (rows + 1) + rows - 1 - row
    mark = observation["mark"]
    return stones[mark], stones[3 - mark]


def agent(observation: Any, configuration: Any) -> int:
    """The column to play."""
    deadline = perf_counter() + thinking_time(configuration["actTimeout"])
    geometry = Geometry(configuration["rows"], configuration["columns"], configuration["inarow"])
    own, other = stones_of(observation, configuration)
    move, _ = Search(geometry, deadline).best_move(own, other, DEEPEST)
    return (move.bit_length() - 1) // geometry.height
