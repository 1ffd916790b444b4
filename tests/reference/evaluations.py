"""What a position is worth to the side to move, as each seed player sees it.

Everything is recounted from the board at every call: these functions are read, not raced. Each follows the definition
of PLAYERS.md word for word; a fast version must return the same integers.
"""

from dataclasses import dataclass
from functools import lru_cache

from inarow.game import DIRECTIONS, Board, Cell, Game, Line, Seat

WON = 2**30
"""A won game is worth WON less its distance from the root."""

LARGEST = WON - 2**20
"""No evaluation is larger, so that none is taken for a won game."""

LARGEST_LINE = 2**30
"""No line counts for more in Telos' sum."""

GAME_END = 1_000_000  # markcello: a stone here completes a line
DOUBLE_PLAY = 10_000  # markcello: a stone here leaves two ways to complete one

THREAT_WEIGHT = 150  # nisshoku: one point of threat against one of check


def clamp(value: int, largest: int = LARGEST) -> int:
    return max(-largest, min(largest, value))


# --- lines and cells ---


@lru_cache(maxsize=16)
def lines_through(game: Game) -> dict[Cell, list[Line]]:
    """For every cell the lines that contain it, in the order of `game.lines`."""
    through: dict[Cell, list[Line]] = {cell: [] for cell in game.cells}
    for line in game.lines:
        for cell in line:
            through[cell].append(line)
    return through


def direction_of(line: Line) -> Cell:
    """Which of DIRECTIONS the line runs along; a line of one cell counts as horizontal, as in `game.directions`."""
    if len(line) == 1:
        return DIRECTIONS[0]
    return line[1][0] - line[0][0], line[1][1] - line[0][1]


def count(board: Board, line: Line, seat: Seat) -> int:
    """How many stones of the seat stand on the line."""
    return sum(board.stone(cell) is seat for cell in line)


def is_alive(board: Board, line: Line, seat: Seat) -> bool:
    """The other has no stone in it: the seat could still fill it."""
    return count(board, line, seat.other) == 0


def owns(board: Board, cell: Cell, seat: Seat) -> bool:
    """A stone of the seat is there; never true off the board."""
    return board.game.contains(cell) and board.stone(cell) is seat


def is_free(board: Board, cell: Cell) -> bool:
    """On the board and empty."""
    return board.game.contains(cell) and board.stone(cell) is None


def free_cells(board: Board) -> list[Cell]:
    """By index. With gravity also those on which no stone can land yet."""
    return [cell for cell in board.game.cells if is_free(board, cell)]


def occupied_neighbours(board: Board, cell: Cell) -> int:
    """How many of the 8 cells around carry a stone."""
    around = [(cell[0] + r, cell[1] + c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]
    return sum(board.game.contains(near) and board.stone(near) is not None for near in around)


def completes(board: Board, cell: Cell, seat: Seat) -> bool:
    """Would a stone of the seat on this free cell complete a line? Whether it can land there is not asked."""
    assert is_free(board, cell)
    return any(count(board, line, seat) == board.game.k - 1 for line in lines_through(board.game)[cell])


# --- telos ---


def telos_value(board: Board, crossings: bool = False) -> int:
    """The sum of the lines' values; with `crossings` some of them count double."""
    return clamp(sum(telos_line(board, line, crossings) for line in board.game.lines))


def telos_line(board: Board, line: Line, crossings: bool = False) -> int:
    """(mine − theirs), times 2 to the number of stones when they are all of one seat."""
    mine, theirs = count(board, line, board.turn), count(board, line, board.turn.other)
    value = mine - theirs
    if theirs == 0:
        value *= 2**mine
    if mine == 0:
        value *= 2**theirs
    if crossings and is_crossed(board, line):
        value *= 2
    return clamp(value, LARGEST_LINE)


def owner(board: Board, line: Line) -> Seat | None:
    """The seat that has stones in the line while the other has none."""
    for seat in Seat:
        if count(board, line, seat) > 0 and is_alive(board, line, seat):
            return seat
    return None


def is_crossed(board: Board, line: Line) -> bool:
    """The line has an owner, and shares a cell, free or not, with a line of the same owner in another direction."""
    seat = owner(board, line)
    if seat is None:
        return False
    others = [other for cell in line for other in lines_through(board.game)[cell]]
    return any(direction_of(other) != direction_of(line) and owner(board, other) is seat for other in others)


# --- helpfulness and cadrega ---


def helpfulness(board: Board, cell: Cell, seat: Seat) -> int:
    """Each line through the free cell that is alive for the seat gives 1 and the seat's stones in it."""
    assert is_free(board, cell)
    through = lines_through(board.game)[cell]
    return sum(1 + count(board, line, seat) for line in through if is_alive(board, line, seat))


def cadrega_value(board: Board) -> int:
    """Own helpfulness minus the opponent's, over all free cells. Also the value for `alphabeta` and `deepening`."""
    mine = sum(helpfulness(board, cell, board.turn) for cell in free_cells(board))
    theirs = sum(helpfulness(board, cell, board.turn.other) for cell in free_cells(board))
    return clamp(mine - theirs)


# --- markcello ---


def markcello_cell(board: Board, cell: Cell, seat: Seat) -> int:
    """What the free cell is worth to the seat: the largest special value, or else the sum over the directions."""
    assert is_free(board, cell)
    game = board.game
    total = 0
    missings: list[int] = []
    doubles = False
    for direction in DIRECTIONS:
        windows = [
            line
            for line in lines_through(game)[cell]
            if direction_of(line) == direction and is_alive(board, line, seat)
        ]
        if not windows:
            continue
        reached = {other for line in windows for other in line if board.stone(other) is seat}
        fullest = max(count(board, line, seat) for line in windows)
        missing = game.k - fullest  # the cell itself is one of the missing stones
        with_fewest_missing = sum(count(board, line, seat) == fullest for line in windows)
        total += len(windows) + 10 * len(reached)
        missings.append(missing)
        doubles = doubles or (missing == 2 and with_fewest_missing >= 2)
    if 1 in missings:
        return GAME_END
    if doubles or missings.count(2) >= 2:
        return DOUBLE_PLAY
    return total


def markcello_value(board: Board) -> int:
    """Own cell values minus the opponent's over all free cells; 0 when no line is alive for anybody."""
    if not any(is_alive(board, line, seat) for line in board.game.lines for seat in Seat):
        return 0
    mine = sum(markcello_cell(board, cell, board.turn) for cell in free_cells(board))
    theirs = sum(markcello_cell(board, cell, board.turn.other) for cell in free_cells(board))
    return clamp(mine - theirs)


def markcello_order(board: Board, cell: Cell) -> int:
    """How early the mover should try the cell: larger is earlier. Own special values weigh double."""
    mine = markcello_cell(board, cell, board.turn)
    theirs = markcello_cell(board, cell, board.turn.other)
    if mine >= DOUBLE_PLAY:
        mine *= 2
    return mine + theirs + 5 * occupied_neighbours(board, cell)


# --- nisshoku ---


@dataclass(frozen=True)
class Figures:
    """What a threat counts: for a chain of k−1 or more and for one of k−2 stones, open and half-open."""

    long_open: int
    long_half: int
    short_open: int
    short_half: int


MOVERS = Figures(long_open=250, long_half=80, short_open=150, short_half=60)
OTHERS = Figures(long_open=5020, long_half=1500, short_open=1200, short_half=1000)


@dataclass(frozen=True)
class Chain:
    """Stones of one seat along one direction, first to last, with at most one empty cell among them."""

    stones: tuple[Cell, ...]
    gap: bool


def ahead(cell: Cell, direction: Cell, distance: int) -> Cell:
    """The cell so many steps away; a negative distance goes backward."""
    return cell[0] + distance * direction[0], cell[1] + distance * direction[1]


def nisshoku_value(board: Board) -> int:
    mover, other = board.turn, board.turn.other
    threats = seat_threats(board, mover, MOVERS) - seat_threats(board, other, OTHERS)
    check = seat_check(board, mover) - seat_check(board, other)
    return clamp(THREAT_WEIGHT * threats + check)


def seat_threats(board: Board, seat: Seat, figures: Figures) -> int:
    """All four directions, also those in which no line fits."""
    return sum(
        chain_figure(board, chain, direction, figures)
        for direction in DIRECTIONS
        for chain in chains(board, seat, direction)
    )


def chains(board: Board, seat: Seat, direction: Cell) -> list[Chain]:
    """Two neighbouring blocks of fewer than k−1 stones with one empty cell between them are a chain with a gap.

    A block that is in no such chain is one by itself. `X . X . X` is two chains, which share the stone in the middle.
    """
    found: list[Chain] = []
    alone = blocks(board, seat, direction)
    for block in list(alone):
        next_cell, beyond = ahead(block[-1], direction, 1), ahead(block[-1], direction, 2)
        if not is_free(board, next_cell) or not owns(board, beyond, seat):
            continue
        neighbour = next(other for other in blocks(board, seat, direction) if other[0] == beyond)
        if max(len(block), len(neighbour)) < board.game.k - 1:
            found.append(Chain((*block, *neighbour), gap=True))
            alone = [other for other in alone if other not in (block, neighbour)]
    return found + [Chain(block, gap=False) for block in alone]


def blocks(board: Board, seat: Seat, direction: Cell) -> list[tuple[Cell, ...]]:
    """The seat's stones side by side along the direction, as many as there are together."""
    found = []
    for start in board.game.cells:
        if owns(board, start, seat) and not owns(board, ahead(start, direction, -1), seat):
            block = [start]
            while owns(board, ahead(block[-1], direction, 1), seat):
                block.append(ahead(block[-1], direction, 1))
            found.append(tuple(block))
    return found


def chain_figure(board: Board, chain: Chain, direction: Cell, figures: Figures) -> int:
    """What the chain counts; 0 for a shorter one, or one that cannot be completed any more."""
    k = board.game.k
    before, after = ahead(chain.stones[0], direction, -1), ahead(chain.stones[-1], direction, 1)
    is_open = not chain.gap and is_free(board, before) and is_free(board, after)
    if not is_open and not is_completable(board, chain, direction):
        return 0
    if len(chain.stones) >= k - 1:
        return figures.long_open if is_open else figures.long_half
    if len(chain.stones) == k - 2:  # at least 1, since a chain has a stone
        return figures.short_open if is_open else figures.short_half
    return 0


def is_completable(board: Board, chain: Chain, direction: Cell) -> bool:
    """The stretch around the chain without a stone of the other's is at least k cells long."""
    seat = board.stone(chain.stones[0])

    def is_passable(cell: Cell) -> bool:
        return board.game.contains(cell) and board.stone(cell) in (None, seat)

    first, last = 0, 0  # distances from the chain's first stone
    while is_passable(ahead(chain.stones[0], direction, first - 1)):
        first -= 1
    while is_passable(ahead(chain.stones[0], direction, last + 1)):
        last += 1
    return last - first + 1 >= board.game.k


def seat_check(board: Board, seat: Seat) -> int:
    stones = [cell for cell in board.game.cells if owns(board, cell, seat)]
    return sum(stone_check(board, stone, direction) for stone in stones for direction in DIRECTIONS)


def stone_check(board: Board, stone: Cell, direction: Cell) -> int:
    """One stone along one direction: company +1, an opponent in the way −1, room for a line +2; no room, no praise."""
    seat = board.stone(stone)
    assert seat is not None
    value, reachable = 0, 1  # the stone's own cell
    for side in (-1, 1):
        for distance in range(1, board.game.k):
            cell = ahead(stone, direction, side * distance)
            if not board.game.contains(cell):
                break
            if owns(board, cell, seat.other):
                value -= 1
                break
            reachable += 1
            value += owns(board, cell, seat)
    return value + 2 if reachable >= board.game.k else min(value, 0)
