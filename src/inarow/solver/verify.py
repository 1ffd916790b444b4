"""Checks proofs. It needs nothing but the rules of the game; docs/proofs.md says what is checked and why it is enough.

A strategy's tokens are read during a walk through all the positions that the strategist lets happen. A position is a
tuple of integers, in most of which a bit is a cell:

    ply       how many moves have been played since the position that the proof is about
    playable  where a stone can be placed now: the free cells, with gravity the lowest free cell of each column
    mine      where one stone more completes a line of the strategist's (those that are playable matter)
    theirs    where one stone more completes a line of the opponent's
    alive     the opponent's living lines, those without a stone of the strategist's; here a bit is a line
    images    the stones of first, and those of second shifted left by the number of cells, as each of the game's
              symmetries shows them: as they are comes first, and the smallest is the same for all images of a position
    stone     the last stone's cell, plus the number of cells if it is second's; what it changes in mine, theirs and
              images is worked out only if the position turns out to be new. NO_STONE when that has been done.

Cells are numbered in the order in which moves are looked at: row by row, with gravity column by column and upwards.

    free placement    0  1  2  3        gravity    2  5  8 11
                      4  5  6  7                   1  4  7 10
                      8  9 10 11                   0  3  6  9
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from typing import NoReturn, TypeVar

from inarow.errors import ProofError
from inarow.game import Board, Cell, Game, Seat, format_move
from inarow.solver.proof import Proof, Strategy

Position = tuple[int, int, int, int, int, tuple[int, ...], int]
NO_STONE = -1

Progress = Callable[[int, int], None]
"""Called now and then with the number of tokens that have been read, and how many there are."""

TICK = 2**14
"""After so many positions progress is reported."""


@dataclass(frozen=True)
class Verdict:
    """What a proof has proven: the value for the player to move, and in how many plies if that was claimed.

    nodes  the positions that were looked at
    """

    value: str
    plies: int | None
    nodes: int


def verify(proof: Proof, progress: Progress = lambda read, total: None) -> Verdict:
    """Checks everything that a proof claims. ProofError says where it fails."""
    board = proof.board()
    if board.is_over:
        raise ProofError(f"there is nothing to prove, the game is over: {board.outcome}")
    check_claim(board, proof)
    total = sum(len(strategy.tokens) for strategy in proof.strategies)
    nodes = read = 0

    def report(tokens: int) -> None:
        progress(read + tokens, total)

    for strategy in proof.strategies:
        nodes += check_strategy(board, strategy, report)
        read += len(strategy.tokens)
    return Verdict(proof.value, proof.plies, nodes)


def check_strategy(board: Board, strategy: Strategy, progress: Callable[[int], None] = lambda read: None) -> int:
    """Checks one strategy for a game that is not over: the number of positions looked at. ProofError if it fails.

    progress  called now and then with the number of tokens that have been read
    """
    walk = _Walk(board, strategy)
    for _ in walk.run():
        progress(walk.read)
    progress(walk.read)
    return walk.nodes


def check_claim(board: Board, proof: Proof) -> None:
    """ProofError when the strategies, even if each of them is right, do not prove the value and the plies."""
    needed: list[tuple[Seat, str, int | None]]
    found = [(strategy.seat, strategy.goal, strategy.plies) for strategy in proof.strategies]
    if proof.value == "draw":
        needed = [(seat, "hold", None) for seat in Seat]
        # Without gravity the first player holds from the empty board: a stone more never harms, so if the second
        # player had a way to win, the first would play anywhere and then win in that same way.
        if not board.moves and not board.game.gravity and needed[0] not in found:
            del needed[0]
        left = board.game.rows * board.game.columns - board.ply
        if proof.plies not in (None, left):
            raise ProofError(f"a draw ends when the board is full, after {left} plies, not after {proof.plies}")
    else:
        winner = board.turn if proof.value == "win" else board.turn.other
        needed = [(winner, "win", proof.plies)]
        if proof.plies is not None:
            needed.append((winner.other, "hold", proof.plies - 1))
    if sorted(found, key=str) != sorted(needed, key=str):
        named = " and ".join(_strategy_name(*each) for each in needed)
        within = "" if proof.plies is None else f" in {proof.plies} plies"
        raise ProofError(f"a {proof.value}{within} needs {named}, and nothing else")


def _strategy_name(seat: Seat, goal: str, plies: int | None) -> str:
    return f"{seat}'s strategy to {goal}" + ("" if plies is None else f" for {plies} plies")


class _Walk:
    """The walk through one strategy. The steps are numbered as in docs/proofs.md."""

    def __init__(self, board: Board, strategy: Strategy) -> None:
        self.grid = _Grid(board.game)
        self.board = board
        self.name = _strategy_name(strategy.seat, strategy.goal, strategy.plies)
        self.seat = strategy.seat
        self.own_stones = self.grid.cells * strategy.seat  # what the numbers of the strategist's stones begin with
        self.opponent_stones = self.grid.cells - self.own_stones
        self.parity = int(board.turn != strategy.seat)  # of the plies at which the strategist is to move
        self.holds = strategy.goal == "hold"
        self.has_leaves = self.holds and not board.game.gravity
        self.end = self.grid.cells + 1 if strategy.plies is None else strategy.plies
        self.tokens = strategy.tokens
        self.read = 0  # so many tokens
        self.nodes = 0
        self.seen: set[int] = set()
        self.path = [0] * self.grid.cells  # the bits of the moves that lead to the position at hand

    def run(self) -> Iterator[None]:
        """Walks; yields every now and then. ProofError says where the strategy fails."""
        moves, position = self.enter(self.root())
        waiting: list[tuple[int, Position]] = []
        while moves or waiting:
            if not moves:
                moves, position = waiting.pop()
            move = moves & -moves
            if moves != move:
                waiting.append((moves ^ move, position))
            moves, position = self.enter(self.after(position, move))
            if not self.nodes % TICK:
                yield
        if self.read < len(self.tokens):
            raise ProofError(f"{self.name} is over after {self.read} of its {len(self.tokens)} tokens")

    def root(self) -> Position:
        """The position that the proof is about."""
        grid = self.grid
        playable, alive = grid.playable, grid.lines if self.holds else 1
        images = grid.pieces[NO_STONE]
        stones = []
        replay = Board(grid.game)
        for move in self.board.moves:
            seat = replay.turn
            replay.push(move)
            assert replay.last_cell is not None
            cell = grid.number[replay.last_cell]
            stones.append(cell + grid.cells * seat)
            playable ^= 1 << cell | grid.above[cell]
            images = tuple(map(or_, images, grid.pieces[stones[-1]]))
            if self.holds and seat is self.seat:
                alive &= ~grid.lines_through[cell]
        completing = [grid.all_cells if grid.game.k == 1 else 0] * 2
        for stone in stones:
            completing[stone // grid.cells] |= grid.completing(stone, images[0])
        return 0, playable, completing[self.seat], completing[self.seat.other], alive, images, NO_STONE

    def after(self, position: Position, move: int) -> Position:
        """The position in which the player to move has placed a stone on the cell whose bit is given."""
        ply, playable, mine, theirs, alive, images, _ = position
        self.path[ply] = move
        cell = move.bit_length() - 1
        playable ^= move | self.grid.above[cell]
        if ply & 1 != self.parity:
            return ply + 1, playable, mine, theirs, alive, images, cell + self.opponent_stones
        if self.holds:
            alive &= ~self.grid.lines_through[cell]
        return ply + 1, playable, mine, theirs, alive, images, cell + self.own_stones

    def enter(self, position: Position) -> tuple[int, Position]:
        """The bits of the moves with which the walk goes on, none where nothing is left to be shown; the position."""
        self.nodes += 1
        ply, playable, mine, theirs, alive, images, stone = position
        is_turn = ply & 1 == self.parity
        if not playable:
            return 0 if self.holds else self.fail(ply, "the board is full"), position
        if self.holds and ply >= self.end:  # 1
            return 0, position
        if is_turn:
            if mine & playable:  # 2
                return 0 if ply < self.end else self.fail(ply, "the line comes too late"), position
            if ply >= self.end:  # 3
                self.fail(ply, "there is no line in time")
        elif theirs & playable:  # 2
            self.fail(ply, "the opponent completes a line")
        if not alive:  # 4, or 3 where the opponent is to move
            return 0, position
        images = tuple(map(or_, images, self.grid.pieces[stone]))
        key = min(images)
        if key in self.seen:  # 5, or 4
            return 0, position
        self.seen.add(key)
        completing = self.grid.completing(stone, images[0])
        if is_turn:
            position = ply, playable, mine, theirs | completing, alive, images, NO_STONE
            return self.reply(position), position
        position = ply, playable, mine | completing, theirs, alive, images, NO_STONE
        return self.moves_to_look_at(position), position

    def reply(self, position: Position) -> int:
        """The strategist's move, or none where a leaf shows that none is needed."""
        ply, playable, *_ = position
        token = self.next_token(ply)  # 6
        if token < len(self.grid.spots):
            return playable & self.grid.spots[token] or self.fail(ply, "the strategist's move is not legal")
        return self.check_leaf(position, token - len(self.grid.spots), 2)

    def moves_to_look_at(self, position: Position) -> int:
        """The opponent's moves to which the strategist must have an answer."""
        ply, playable, mine, *_ = position
        threats = mine & playable if self.holds or ply + 2 <= self.end else 0  # 5
        if threats:
            return 0 if threats & (threats - 1) else threats
        if self.has_leaves and (token := self.next_token(ply)):  # 6
            return self.check_leaf(position, token - 1, 1)
        return playable  # 7

    def next_token(self, ply: int) -> int:
        if self.read == len(self.tokens):
            self.fail(ply, "the tokens are at their end")
        self.read += 1
        return self.tokens[self.read - 1]

    def check_leaf(self, position: Position, kind: int, bound: int) -> int:
        """A pairing (0) or a potential (1) shows at once that the opponent completes no line; no moves follow."""
        ply, playable, _, _, alive, images, _ = position
        if not self.has_leaves or kind > 1:
            self.fail(ply, "there is no such token")
        if kind == 0:
            self.check_pairing(ply, playable, alive)
            return 0
        # The sum of 2^-(free cells) over the living lines is below 1 when the strategist is to move, below 1/2 when
        # the opponent is. Here it is 2^k times as large: what is not free in a living line is the opponent's.
        theirs = images[0] >> self.opponent_stones & self.grid.all_cells
        limit = bound << self.grid.game.k - 1
        if alive.bit_count() >= limit:
            self.fail(ply, "the potential is too large")
        potential = sum(1 << (self.grid.line_cells[line] & theirs).bit_count() for line in _bits(alive))
        return 0 if potential < limit else self.fail(ply, "the potential is too large")

    def check_pairing(self, ply: int, free: int, alive: int) -> None:
        """Pairs of free cells, no cell twice, so that every living line of the opponent's contains both of a pair."""
        through = self.grid.lines_through
        for _ in range(self.next_token(ply)):
            one, other = self.next_token(ply), self.next_token(ply)
            for cell in one, other:
                if cell >= self.grid.cells or not free >> cell & 1:
                    self.fail(ply, "a cell of a pair is not free")
                free ^= 1 << cell
            alive &= ~(through[one] & through[other])
        if alive:
            self.fail(ply, "a living line contains no pair")

    def fail(self, ply: int, why: str) -> NoReturn:
        """ProofError with the moves that lead to the position at which the strategy failed."""
        cells = [self.grid.order[move.bit_length() - 1] for move in self.path[:ply]]
        moves = [format_move(column if self.grid.game.gravity else (row, column)) for row, column in cells]
        where = f"after {' '.join(moves)}" if moves else "at the beginning"
        raise ProofError(f"{self.name} fails {where}, token {self.read}: {why}")


Entry = TypeVar("Entry")


class _Lazy(dict[int, Entry]):
    """A table whose entries are made when they are first asked for."""

    def __init__(self, make: Callable[[int], Entry]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, key: int) -> Entry:
        entry = self[key] = self.make(key)
        return entry


class _Grid:
    """A game's cells and lines as numbers and bits. Lines are numbered by direction, then by their first cells.

    order, number  the cells in their order, and the number of each
    spots          what a token that names a move can mean: a cell, with gravity the cells of a column
    playable       where the first stone can be placed
    above          the bit of the cell that a stone in a cell makes playable; 0 where there is none
    pieces         for a stone (a cell's number, for second plus the number of cells) its bit in each image
    tables         for a stone and each direction: the cells around it, and a table that says, for its owner's stones
                   on these, where one more completes a line through it
    lines          the bits of all lines
    lines_through  the bits of the lines through a cell
    line_cells     the bits of a line's cells
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.cells = game.rows * game.columns
        self.all_cells = self.playable = (1 << self.cells) - 1
        self.order = game.cells
        self.spots = [1 << number for number in range(self.cells)]
        self.above = [0] * self.cells
        if game.gravity:
            self.order = tuple((row, column) for column in range(game.columns) for row in reversed(range(game.rows)))
            self.spots = [((1 << game.rows) - 1) << column * game.rows for column in range(game.columns)]
            self.above = [2 << number if row else 0 for number, (row, _) in enumerate(self.order)]
            self.playable = _mask(column * game.rows for column in range(game.columns))
        self.number = {cell: number for number, cell in enumerate(self.order)}
        directions = range(len(game.directions))
        self.lines = _mask(line for direction in directions for line in self._lines_from(game.cells, direction))
        self.pieces = _Lazy(self._images_of_stone)
        self.tables = _Lazy(self._tables_of_stone)
        self.pieces[NO_STONE] = (0,) * len(game.symmetries)
        self.tables[NO_STONE] = []
        self.lines_through = _Lazy(self._lines_through_cell)
        self.line_cells = _Lazy(self._cells_of_line)

    def completing(self, stone: int, stones: int) -> int:
        """Where one stone more completes a line through one that is there, for its owner."""
        cells = 0
        for around, table in self.tables[stone]:
            cells |= table[stones & around]
        return cells

    def _lines_from(self, heads: Iterable[Cell], direction: int) -> Iterator[int]:
        """The numbers of the lines in a direction that begin in these cells, where there is one."""
        row_step, column_step = self.game.directions[direction]
        reach = self.game.k - 1
        for row, column in heads:
            tail = row + reach * row_step, column + reach * column_step
            if (row, column) in self.number and tail in self.number:
                yield direction * self.cells + self.number[row, column]

    def _cells_of_line(self, line: int) -> int:
        direction, head = divmod(line, self.cells)
        row, column = self.order[head]
        row_step, column_step = self.game.directions[direction]
        return _mask(self.number[row + i * row_step, column + i * column_step] for i in range(self.game.k))

    def _lines_by_direction(self, cell: int) -> Iterator[list[int]]:
        """The numbers of the lines through a cell, for each direction."""
        row, column = self.order[cell]
        for direction, (row_step, column_step) in enumerate(self.game.directions):
            heads = ((row - i * row_step, column - i * column_step) for i in range(self.game.k))
            yield list(self._lines_from(heads, direction))

    def _lines_through_cell(self, cell: int) -> int:
        return _mask(line for lines in self._lines_by_direction(cell) for line in lines)

    def _images_of_stone(self, stone: int) -> tuple[int, ...]:
        second, cell = divmod(stone, self.cells)
        images = [symmetry.apply(self.game, self.order[cell]) for symmetry in self.game.symmetries]
        return tuple(1 << self.number[image] + second * self.cells for image in images)

    def _tables_of_stone(self, stone: int) -> list[tuple[int, "_Lazy[int]"]]:
        second, cell = divmod(stone, self.cells)
        shift = second * self.cells
        tables = []
        for numbers in self._lines_by_direction(cell):
            lines = [self.line_cells[line] << shift for line in numbers]
            tables.append((reduce(or_, lines, 0), _Lazy(partial(self._completes, lines, shift))))
        return tables

    def _completes(self, lines: list[int], shift: int, own: int) -> int:
        """Where a line lacks one stone only; all is shifted. The cell may be taken: it is not playable then."""
        missing = [line & ~own for line in lines]
        return reduce(or_, (rest >> shift for rest in missing if not rest & (rest - 1)), 0)


def _mask(numbers: Iterable[int]) -> int:
    """The integer in which these bits are set."""
    bits = bytearray()
    for number in numbers:
        if number >= 8 * len(bits):
            bits.extend(bytes(number // 8 + 1 - len(bits)))
        bits[number // 8] |= 1 << number % 8
    return int.from_bytes(bits, "little")


def _bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
