"""The rules, short and slow: a board on which moves are played and taken back.

A player's stones are one Python int, one bit a cell, so that any size works. Every row has one spare bit that is never
set: it keeps runs from going round the edge. The bits of 3 rows and 4 columns (stride 5, spare bits in brackets):

     0  1  2  3 [ 4]
     5  6  7  8 [ 9]
    10 11 12 13 [14]

A step right is +1, down +5, down-right +6, down-left +4. So `stones & stones >> 6` has a bit wherever two stones stand
on a diagonal, and after `runs & runs >> 12` wherever four do: a run of k takes about log2(k) such steps.
"""

from __future__ import annotations

from functools import lru_cache

from inarow.errors import IllegalMove
from inarow.game.rules import Cell, Game, Line, Move, Outcome, Reason, Seat, Symmetry

BoardKey = tuple[Game, int, int]


@lru_cache(maxsize=256)
def _run_shifts(game: Game) -> tuple[tuple[int, ...], ...]:
    """For each direction the shifts that leave a bit where a run of k begins: 1, 2, 4, … steps and what is missing."""
    doublings: list[int] = []
    length = 1
    while length < game.k:
        doublings.append(min(length, game.k - length))
        length += doublings[-1]
    stride = game.columns + 1
    return tuple(
        tuple(n * (row_step * stride + column_step) for n in doublings) for row_step, column_step in game.directions
    )


class Board:
    """A game in progress.

    >>> board = Board(Game(3, 3, 3))
    >>> for move in [(1, 1), (0, 0), (0, 2), (0, 1), (2, 0)]:
    ...     board.push(move)
    >>> board.outcome
    Outcome(winner=<Seat.FIRST: 0>, reason=<Reason.LINE: 'line'>, line=((0, 2), (1, 1), (2, 0)), detail='')
    >>> board.pop()
    (2, 0)
    >>> board.outcome is None, str(board.turn)
    (True, 'first')

    Two boards are equal when they show the same position of the same game, whatever the order of the moves. A board
    changes, so it has no hash; its `key` is what to put into a set or a dict.
    """

    __slots__ = ("_heights", "_moves", "_shifts", "_stones", "_stride", "_won", "game")

    def __init__(self, game: Game) -> None:
        self.game = game
        self._stones = [0, 0]
        self._moves: list[Move] = []
        self._heights = [0] * game.columns  # stones in each column; used with gravity only
        self._won = False
        self._stride = game.columns + 1
        self._shifts = _run_shifts(game)

    # --- playing ---

    def push(self, move: Move) -> None:
        """Play a move for the player whose turn it is. IllegalMove says what is wrong with it; nothing changes then."""
        row, column = self._cell_for(move)
        seat = len(self._moves) & 1
        self._stones[seat] |= 1 << (row * self._stride + column)
        self._moves.append(move)
        if self.game.gravity:
            self._heights[column] += 1
        self._won = self._has_run(self._stones[seat])

    def pop(self) -> Move:
        """Take the last move back and return it. IndexError on an empty board."""
        if not self._moves:
            raise IndexError("there is no move to take back")
        row, column = self.last_cell  # type: ignore[misc]
        move = self._moves.pop()
        self._stones[len(self._moves) & 1] ^= 1 << (row * self._stride + column)
        if self.game.gravity:
            self._heights[column] -= 1
        self._won = False
        return move

    def is_legal(self, move: Move) -> bool:
        try:
            self._cell_for(move)
        except IllegalMove:
            return False
        return True

    def landing(self, column: int) -> Cell | None:
        """The cell on which a stone in this column would land; None when the column is full. For games with gravity."""
        row = self.game.rows - 1 - self._heights[column]
        return (row, column) if row >= 0 else None

    # --- looking ---

    @property
    def turn(self) -> Seat:
        """Whose move it is; after the end, whose it would be."""
        return Seat(len(self._moves) & 1)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far, in order."""
        return tuple(self._moves)

    @property
    def ply(self) -> int:
        """How many moves have been played."""
        return len(self._moves)

    @property
    def is_over(self) -> bool:
        return self._won or len(self._moves) == self.game.rows * self.game.columns

    @property
    def legal_moves(self) -> list[Move]:
        """Row by row from the top, or columns from the left; empty when the game is over."""
        if self.is_over:
            return []
        if self.game.gravity:
            return [column for column, height in enumerate(self._heights) if height < self.game.rows]
        # A character a bit: on a large board, shifting the whole number for each cell takes ten times as long.
        taken = f"{self._stones[0] | self._stones[1]:0{self.game.rows * self._stride}b}"[::-1]
        return [(row, column) for row, column in self.game.cells if taken[row * self._stride + column] == "0"]

    @property
    def outcome(self) -> Outcome | None:
        """None while the game is open. Only the player who just moved can have won."""
        if self._won:
            return Outcome(self.turn.other, Reason.LINE, self._winning_line())
        if self.is_over:
            return Outcome(None, Reason.FULL)
        return None

    def stone(self, cell: Cell) -> Seat | None:
        """Whose stone is on a cell of the board; None when it is free."""
        bit = 1 << (cell[0] * self._stride + cell[1])
        if self._stones[0] & bit:
            return Seat.FIRST
        return Seat.SECOND if self._stones[1] & bit else None

    @property
    def last_cell(self) -> Cell | None:
        """Where the last stone is; None on an empty board."""
        if not self._moves:
            return None
        move = self._moves[-1]
        if isinstance(move, int):
            return self.game.rows - self._heights[move], move
        return move

    @property
    def key(self) -> BoardKey:
        """Hashable, and equal exactly for equal boards."""
        return self.game, self._stones[0], self._stones[1]

    def copy(self) -> Board:
        """A board of its own, with the same moves."""
        twin = Board(self.game)
        twin._stones = self._stones.copy()
        twin._moves = self._moves.copy()
        twin._heights = self._heights.copy()
        twin._won = self._won
        return twin

    def image(self, symmetry: Symmetry) -> Board:
        """The board as a symmetry of its game shows it: the same moves, each at its new place."""
        twin = Board(self.game)
        for move in self._moves:
            if isinstance(move, int):
                twin.push(symmetry.apply(self.game, (0, move))[1])
            else:
                twin.push(symmetry.apply(self.game, move))
        return twin

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, Board) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        from inarow.game.picture import text_picture

        return text_picture(self)

    def __repr__(self) -> str:
        from inarow.game.notation import format_position

        return f"<Board {format_position(self)}>"

    def _repr_svg_(self) -> str:
        from inarow.game.picture import svg_picture

        return svg_picture(self)

    # --- the rules themselves ---

    def _cell_for(self, move: Move) -> Cell:
        """The cell on which a legal move puts its stone."""
        game = self.game
        if self._won or len(self._moves) == game.rows * game.columns:
            raise IllegalMove(f"the game is over: {self.outcome}")
        if game.gravity:
            if type(move) is not int:
                raise IllegalMove(f"with gravity a move is a column, a whole number, not {move!r}")
            if not 0 <= move < game.columns:
                raise IllegalMove(f"column {move} is off the board: columns go from 0 to {game.columns - 1}")
            cell = self.landing(move)
            if cell is None:
                raise IllegalMove(f"column {move} is full")
            return cell
        if not isinstance(move, tuple) or len(move) != 2 or type(move[0]) is not int or type(move[1]) is not int:
            raise IllegalMove(f"a move is a pair of whole numbers (row, column), not {move!r}")
        row, column = move
        if not (0 <= row < game.rows and 0 <= column < game.columns):
            raise IllegalMove(
                f"cell {move} is off the board: rows go from 0 to {game.rows - 1}, columns from 0 to {game.columns - 1}"
            )
        if (self._stones[0] | self._stones[1]) >> (row * self._stride + column) & 1:
            raise IllegalMove(f"cell {move} is taken")
        return move

    def _has_run(self, stones: int) -> bool:
        for shifts in self._shifts:
            runs = stones
            for shift in shifts:
                runs &= runs >> shift
            if runs:
                return True
        return False

    def _winning_line(self) -> Line | None:
        """A line of the winner's through the last stone: the first in the order of directions, from the top or left."""
        last = self.last_cell
        if last is None:
            return None
        winner = self.turn.other
        for row_step, column_step in self.game.directions:
            for before in reversed(range(self.game.k)):
                head = last[0] - before * row_step, last[1] - before * column_step
                line = tuple((head[0] + i * row_step, head[1] + i * column_step) for i in range(self.game.k))
                if all(self.game.contains(cell) and self.stone(cell) is winner for cell in line):
                    return line
        return None
