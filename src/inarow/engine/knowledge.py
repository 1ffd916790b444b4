"""What the engine knows without a search of its own: who wins, by the solver or from a file of opening values."""

import math

from inarow.engine.move_values import TRIED_CELLS, MoveSolver, Values
from inarow.game import Board, Game, Limit, Move
from inarow.solver.free import FreeSolver
from inarow.solver.gravity import GravitySolver, free_cells
from inarow.solver.openings import shipped_openings
from inarow.solver.solution import UNKNOWN, Solution
from inarow.solver.solve import make_solver

TRY_SHARE = 0.2  # of a move's time, to find out whether the solver settles the position,
GRAVITY_TRY_SHARE = 0.1  # … with gravity, where it is asked about the search's move later,
HOPEFUL_SHARE = 0.85  # or so much where it mostly does
LOOKED_UP_SHARE = 0.1  # … where it is known who wins, and only how soon is not
HOPEFUL_CELLS = {4: 40}  # with gravity, by K: with so few free cells it mostly settles a position in a second, …
HOPEFUL_CELLS_BEYOND = 31  # … for larger K with these,
CELLS_FOR_TEN_TIMES = 3  # and with so many more in ten times the time
WORD_BITS = 128  # with gravity, a board with a spare row on top that has more is a large one: when it is nearly full,
LARGE_TRIED_CELLS, LARGE_HOPEFUL_CELLS = 130, 80  # … only what is left of it counts, and these are the numbers,
LARGE_TRY_SHARE = 0.25  # … since a search sees little of who will have to give way at the end
WHOLE_BITS = 99  # from here on its table does not begin small and grow, but takes all its memory at once:
LARGE_MEMORY_MB = 32  # … enough for a second's positions, and quickly taken before a game
PAIRED_K = 9  # from here on pairs keep the other from winning on any board
SOON_SHARE = 0.25  # of its time the solver may use to find out how soon a game is won or lost
FROM_BOOK = "book"
"""The method of a solution that was looked up."""

_LEAST_SECONDS = 1e-3


class Knowledge:
    """Of one game. For one thread at a time; `stop` may be called from others."""

    def __init__(self, game: Game, memory_mb: int) -> None:
        self._game = game
        takes_all = game.gravity and (game.rows + 1) * game.columns >= WHOLE_BITS
        self._solver = make_solver(game, min(memory_mb, LARGE_MEMORY_MB) if takes_all else memory_mb)
        if isinstance(self._solver, GravitySolver) and takes_all:
            self._solver.prepare()
        self._moves = MoveSolver(game, memory_mb, self._solver)
        self._openings = shipped_openings(game)

    def stop(self) -> None:
        """Ends what is being solved, and everything after, until `resume`."""
        self._moves.stop()

    def resume(self) -> None:
        """Solves again what it is asked, with all that it knows."""
        self._moves.resume()

    def of_moves(self, board: Board, seconds: float) -> Values:
        """What each move is worth, as far as that is found in so many seconds; what is known at once needs none."""
        *_, values = self._moves.values(board, seconds)
        return values

    def settled(self, board: Board, seconds: float) -> Solution | None:
        """Who wins, with a move that keeps the value, if that is found in a part of a move's time."""
        known = self._looked_up(board)
        if known is not None and known.value == "draw":
            return known
        share = LOOKED_UP_SHARE if known is not None else solver_share(self._game, free_cells(board), seconds)
        if share == 0:
            return None
        limit = Limit(seconds=max(seconds * share, _LEAST_SECONDS))
        solution = self._solver.settle(board, limit, soon=SOON_SHARE)
        return known if solution.value == UNKNOWN or not solution.best_moves else solution

    def _looked_up(self, board: Board) -> Solution | None:
        """What the file of opening values says; not how soon a game is won or lost."""
        found = self._openings.find(board) if self._openings is not None else None
        if found is None:
            return None
        value, column = found
        return Solution(value, None, [column] if value != "loss" else board.legal_moves, FROM_BOOK)

    def can_refute(self, board: Board) -> bool:
        """Whether it is worth while to ask of a move whether it loses."""
        return self._game.gravity and free_cells(board) <= tried_cells(self._game)

    def is_lost(self, after: Board, seconds: float) -> bool:
        """Whether who has just moved surely loses, as far as that is found in so many seconds."""
        if after.is_over or seconds <= 0:
            return False
        return self._solver.settle(after, Limit(seconds=seconds), at_least="draw").value == "win"

    def can_hold(self, board: Board) -> bool:
        """Whether it is worth while to ask for a `holding_move`."""
        return not self._game.gravity and self._game.k >= PAIRED_K and free_cells(board) > TRIED_CELLS

    def holding_move(self, board: Board, move: Move, seconds: float) -> Move | None:
        """A move after which pairs of cells keep the other from ever winning: this one, or the answer to its last.

        None when no pairing is found in so many seconds.
        """
        assert isinstance(self._solver, FreeSolver)
        limit = Limit(seconds=max(seconds / 2, _LEAST_SECONDS))
        other = board.turn.other
        after = board.copy()
        after.push(move)
        if self._solver.pairing(after, other, limit):
            return move
        if board.ply == 0:
            return None
        before = board.copy()
        last = before.pop()
        return self._solver.pairing(before, other, limit).get(last)

    def keeps_draw(self, board: Board, move: Move, seconds: float) -> bool:
        """Whether a move keeps a draw, as far as that is found in so many seconds; False when it is not found."""
        after = board.copy()
        after.push(move)
        if after.is_over:
            return True
        if self._openings is not None and (found := self._openings.find(after)) is not None:
            return found[0] != "win"
        limit = Limit(seconds=max(seconds, _LEAST_SECONDS))
        return self._solver.settle(after, limit, at_least="draw").value == "draw"


def is_large(game: Game) -> bool:
    """Whether it takes the solver for boards with gravity that fit into no word."""
    return game.gravity and (game.rows + 1) * game.columns > WORD_BITS


def tried_cells(game: Game) -> int:
    """With more free cells the solver is not asked."""
    return LARGE_TRIED_CELLS if is_large(game) else TRIED_CELLS


def solver_share(game: Game, free: int, seconds: float) -> float:
    """The part of a move's time that the solver gets before the search: much where it mostly settles such a position.

    >>> from inarow import Game
    >>> [solver_share(Game(6, 7, 4, gravity=True), free, seconds=1.0) for free in (36, 42)]
    [0.85, 0.1]
    >>> [solver_share(Game(20, 20, 10, gravity=True), free, seconds=1.0) for free in (80, 130, 131)]
    [0.85, 0.25, 0.0]
    """
    if free > tried_cells(game):
        return 0.0
    if not game.gravity:
        return TRY_SHARE
    if is_large(game):
        hopeful = LARGE_HOPEFUL_CELLS
    else:
        hopeful = HOPEFUL_CELLS.get(game.k, HOPEFUL_CELLS_BEYOND if game.k > max(HOPEFUL_CELLS) else TRIED_CELLS)
    hopeful += round(CELLS_FOR_TEN_TIMES * math.log10(max(seconds, _LEAST_SECONDS)))
    share = LARGE_TRY_SHARE if is_large(game) else GRAVITY_TRY_SHARE
    return HOPEFUL_SHARE if free <= hopeful else share
