"""The seed players' searches: one literal negamax with alpha-beta, the candidates and values of each player.

A node is a position the search enters: the root and the leaves are nodes, a child that is only looked at to order the
moves is none.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypedDict, Unpack

from inarow.game import Board, Cell
from tests.reference.evaluations import (
    WON,
    cadrega_value,
    completes,
    helpfulness,
    markcello_order,
    markcello_value,
    nisshoku_value,
    occupied_neighbours,
    telos_value,
)

INFINITY = WON + 1

PROVEN = WON - 20_000
"""A score beyond it, on either side, is a won or lost game and no evaluation: no game has more than 128 × 128 plies."""

PLAYERS = ("alphabeta", "deepening", "telos", "cadrega", "markcello", "nisshoku")


class Options(TypedDict, total=False):
    """What the three searches take besides the player's name; `Settings` explains it and has the defaults."""

    crossings: bool
    q: int
    table: bool
    symmetric: bool


@dataclass(frozen=True)
class Settings:
    """crossings  telos: lines of one owner that cross count double, in values and in the order
    q          markcello: how many cells are tried at a node; three times as many at the root
    table      a transposition table, from the first depth to the last
    symmetric  the table folds a position's images together
    """

    crossings: bool = False
    q: int = 7
    table: bool = False
    symmetric: bool = True


class Result(NamedTuple):
    move: Cell
    score: int
    nodes: int


# --- moves, values and orders ---


def playable(board: Board) -> list[Cell]:
    """The cells on which the next stone can come to lie, by index; with gravity one a column."""
    if not board.game.gravity:
        return [cell for cell in board.game.cells if board.stone(cell) is None]
    landings = (board.landing(column) for column in range(board.game.columns))
    return sorted(cell for cell in landings if cell is not None)


def play(board: Board, cell: Cell) -> None:
    """Push the move that puts a stone on a playable cell."""
    board.push(cell[1] if board.game.gravity else cell)


def final_value(board: Board, ply: int) -> int | None:
    """What a finished game is worth to the side to move, `ply` moves from the root; None while it goes on."""
    if board.outcome is None:
        return None
    return 0 if board.outcome.winner is None else -(WON - ply)


def evaluate(board: Board, player: str, settings: Settings) -> int:
    """The player's value of a position that is not over."""
    if player == "telos":
        return telos_value(board, settings.crossings)
    if player == "markcello":
        return markcello_value(board)
    if player == "nisshoku":
        return nisshoku_value(board)
    assert player in ("alphabeta", "deepening", "cadrega")
    return cadrega_value(board)


def candidates(board: Board, player: str, settings: Settings, at_root: bool) -> list[Cell]:
    """The cells the player tries, in its order. Sorting keeps equals in the order of their index."""
    cells = playable(board)
    if player == "telos":
        return sorted(cells, key=lambda cell: -telos_order(board, cell, settings.crossings))
    if player == "cadrega":
        return cadrega_candidates(board, cells)
    if player == "markcello":
        wanted = 3 * settings.q if at_root else settings.q
        return sorted(cells, key=lambda cell: -markcello_order(board, cell))[:wanted]
    if player == "nisshoku":
        return [cell for cell in cells if occupied_neighbours(board, cell) > 0] or cells
    assert player in ("alphabeta", "deepening")
    return cells


def telos_order(board: Board, cell: Cell, crossings: bool) -> int:
    """The child's value for the mover. A full board without a line has its telos value here, not 0."""
    if completes(board, cell, board.turn):
        return WON
    play(board, cell)
    value = -telos_value(board, crossings)
    board.pop()
    return value


def cadrega_candidates(board: Board, cells: list[Cell]) -> list[Cell]:
    """The first win, or else the first forced block, alone; or else all by the helpfulness for both."""
    seats = (board.turn, board.turn.other)
    for seat in seats:
        for cell in cells:
            if completes(board, cell, seat):
                return [cell]
    return sorted(cells, key=lambda cell: -sum(helpfulness(board, cell, seat) for seat in seats))


# --- the transposition table ---


class Bound(Enum):
    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"


class Entry(NamedTuple):
    """`value` counts won and lost games from the entry's own position, not from the root."""

    depth: int
    value: int
    bound: Bound


TableKey = tuple[int, int]


def table_key(board: Board, symmetric: bool) -> TableKey:
    """The smallest key over the position's images, or its own. Whose turn it is follows from the stones."""
    images = [board.image(symmetry) for symmetry in board.game.symmetries] if symmetric else [board]
    return min(image.key[1:] for image in images)


def from_node(value: int, ply: int) -> int:
    """A value with distances from the root as one with distances from a node at `ply`; `-ply` goes the other way."""
    if value > PROVEN:
        return value + ply
    if value < -PROVEN:
        return value - ply
    return value


# --- searching ---


@dataclass
class Search:
    """One player's search; nodes and table go on from depth to depth."""

    player: str
    settings: Settings
    nodes: int = 0
    best_move: Cell | None = None
    table: dict[TableKey, Entry] = field(default_factory=dict)

    def search(self, board: Board, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Fail-soft: a result ≤ alpha is an upper bound of the true value, one ≥ beta a lower bound."""
        # 1. Ends and leaves.
        self.nodes += 1
        value = final_value(board, ply)
        if value is not None:
            return value
        if depth == 0:
            return evaluate(board, self.player, self.settings)

        # 2. What the table knows.
        first_alpha = alpha
        key = table_key(board, self.settings.symmetric) if self.settings.table else None
        known = self.table.get(key) if key is not None and ply > 0 else None
        if known is not None and known.depth >= depth:
            value = from_node(known.value, -ply)
            if known.bound is Bound.EXACT:
                return value
            if known.bound is Bound.LOWER:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                return value

        # 3. The moves.
        best = -INFINITY
        for cell in candidates(board, self.player, self.settings, at_root=ply == 0):
            play(board, cell)
            value = -self.search(board, depth - 1, -beta, -alpha, ply + 1)
            board.pop()
            if value > best:
                best = value
                if ply == 0:
                    self.best_move = cell
            alpha = max(alpha, best)
            if alpha >= beta:
                break

        # 4. What the table learns.
        if key is not None:
            bound = Bound.UPPER if best <= first_alpha else Bound.LOWER if best >= beta else Bound.EXACT
            self.table[key] = Entry(depth, from_node(best, ply), bound)
        return best

    def root(self, board: Board, depth: int) -> Result:
        assert depth > 0 and not board.is_over
        score = self.search(board, depth, -INFINITY, INFINITY, ply=0)
        assert self.best_move is not None
        return Result(self.best_move, score, self.nodes)


def fixed_depth(board: Board, depth: int, player: str, **options: Unpack[Options]) -> Result:
    """The first move with the highest value, that value, and the nodes it took; the board is left as it was."""
    return Search(player, Settings(**options)).root(board, depth)


def deepening(board: Board, max_depth: int, player: str, **options: Unpack[Options]) -> Result:
    """Depth 1, 2, … to `max_depth`, a proven end or the last free cell: the last depth's result, the nodes of all."""
    search = Search(player, Settings(**options))
    assert max_depth > 0
    for depth in range(1, max_depth + 1):
        result = search.root(board, depth)
        if abs(result.score) > PROVEN or depth == board.game.rows * board.game.columns - board.ply:
            break
    return result


def plain_minimax(board: Board, depth: int, player: str, **options: Unpack[Options]) -> int:
    """The value of the whole tree over the same candidates, without a cut or a table."""
    settings = Settings(**options)

    def value_of(depth: int, ply: int) -> int:
        value = final_value(board, ply)
        if value is not None:
            return value
        if depth == 0:
            return evaluate(board, player, settings)
        values: list[int] = []
        for cell in candidates(board, player, settings, at_root=ply == 0):
            play(board, cell)
            values.append(-value_of(depth - 1, ply + 1))
            board.pop()
        return max(values)

    return value_of(depth, 0)
