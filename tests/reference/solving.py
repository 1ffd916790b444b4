"""Solving and proving, slow and plain: minimax over every position, and the walk of docs/proofs.md word by word.

Nothing here is shared with what it is compared with: the rules come from `Board`, lines are looked at cell by cell.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random

from inarow.game import Board, Cell, Game, Limit, Line, Move, Seat
from inarow.game.book import canonical_key
from inarow.solver.proof import Proof, Strategy
from inarow.solver.solution import Solution

FAR = 10**6
"""More than any number of plies: FAR - n is the worth of a win in n plies, n - FAR that of a loss, 0 of a draw."""

Key = tuple[int, int]


@dataclass
class Solved:
    """Values of the positions of one game, kept once they are known."""

    game: Game
    worths: dict[Key, int] = field(default_factory=dict)

    def worth(self, board: Board) -> int:
        """For the player to move. Plays on the board, and takes everything back."""
        key = board.key[1:]
        if key not in self.worths:
            if board.is_over:
                assert board.outcome is not None
                self.worths[key] = 0 if board.outcome.winner is None else -FAR
            else:
                best = max(self.worth_of_move(board, move) for move in board.legal_moves)
                self.worths[key] = best
        return self.worths[key]

    def worth_of_move(self, board: Board, move: Move) -> int:
        """For the player who makes it."""
        board.push(move)
        worth = -self.worth(board)
        board.pop()
        return worth - 1 if worth > 0 else worth + 1 if worth < 0 else 0

    def value(self, board: Board) -> tuple[str, int]:
        """win, draw or loss for the player to move, and after how many plies the game ends."""
        worth = self.worth(board)
        if worth == 0:
            return "draw", self.game.rows * self.game.columns - board.ply
        return ("win", FAR - worth) if worth > 0 else ("loss", FAR + worth)


@cache
def solved(game: Game) -> Solved:
    return Solved(game)


def solve(
    board: Board,
    limit: Limit | None = None,
    *,
    threads: int = 1,
    memory_mb: int = 0,
    weak: bool = False,
    shortest: bool = False,
    best_moves: bool = True,
    proof: bool = False,
) -> Solution:
    """As `inarow.solver.solve`, but a limit of nodes is one of free cells: what has more is not looked at."""
    left = board.game.rows * board.game.columns - board.ply
    if limit is not None and limit.nodes is not None and left > limit.nodes:
        return Solution("unknown")
    known = solved(board.game)
    value, plies = known.value(board)
    best = [move for move in board.legal_moves if known.worth_of_move(board, move) == known.worth(board)]
    proven = prove(known, board, not weak) if proof else None
    return Solution(value, None if weak else plies, best, "minimax", len(known.worths), 0.5, proven)


def prove(known: Solved, board: Board, plies: bool, random: Random | None = None) -> Proof:
    """A proof of a position's value, with its plies or without. Chance chooses among what would do."""
    value, distance = known.value(board)
    if value == "draw":
        stolen = not board.moves and not board.game.gravity
        goals: list[tuple[Seat, str, int | None]] = [(seat, "hold", None) for seat in Seat if seat or not stolen]
    else:
        winner = board.turn if value == "win" else board.turn.other
        goals = [(winner, "win", distance if plies else None)]
        if plies:
            goals.append((winner.other, "hold", distance - 1))
    strategies = tuple(Strategy(*goal, Maker(known, board, *goal, random).run()) for goal in goals)
    return Proof(board.game, board.moves, value, distance if plies else None, strategies)


@dataclass
class Maker:
    """Writes the tokens of a strategy that reaches its goal; it must be one that can be reached."""

    solved: Solved
    board: Board
    seat: Seat
    goal: str
    plies: int | None
    random: Random | None = None
    tokens: list[int] = field(default_factory=list)
    seen: set[Key] = field(default_factory=set)

    def run(self) -> list[int]:
        self.begin = self.board.ply
        self.board = self.board.copy()
        self.visit()
        return self.tokens

    @property
    def ply(self) -> int:
        return self.board.ply - self.begin

    def visit(self) -> None:
        if self.board.turn is self.seat:
            self.visit_strategist()
        else:
            self.visit_opponent()

    def visit_strategist(self) -> None:
        if self.goal == "hold" and self.plies is not None and self.ply >= self.plies:
            return
        if completing_moves(self.board, self.seat):
            assert self.goal == "hold" or self.plies is None or self.ply + 1 <= self.plies
            return
        assert self.goal == "hold" or self.plies is None or self.ply < self.plies
        if self.goal == "hold" and not living_lines(self.board, self.seat.other):
            return
        if self.is_seen():
            return
        leaf = self.leaf()
        if leaf is not None:
            game = self.board.game
            self.tokens += [game.rows * game.columns + leaf[0], *leaf[1:]]
            return
        move = self.choose()
        self.tokens.append(token_of(self.board.game, move))
        self.play(move)

    def visit_opponent(self) -> None:
        if self.goal == "hold" and self.plies is not None and self.ply >= self.plies:
            return
        assert not completing_moves(self.board, self.seat.other)
        if self.goal == "hold" and not living_lines(self.board, self.seat.other):
            return
        if self.is_seen():
            return
        threats = completing_moves(self.board, self.seat)
        if self.goal == "win" and self.plies is not None and self.ply + 2 > self.plies:
            threats = []
        if len(threats) >= 2:
            return
        moves = threats or self.board.legal_moves
        if self.goal == "hold" and not self.board.game.gravity and not threats:
            leaf = self.leaf()
            if leaf is not None:
                self.tokens += [1 + leaf[0], *leaf[1:]]
                return
            self.tokens.append(0)
        for move in moves:
            self.play(move)

    def play(self, move: Move) -> None:
        self.board.push(move)
        if self.board.is_over:
            assert self.goal == "hold" and self.board.outcome is not None and self.board.outcome.winner is None
        else:
            self.visit()
        self.board.pop()

    def is_seen(self) -> bool:
        key = canonical_key(self.board)
        if key in self.seen:
            return True
        self.seen.add(key)
        return False

    def choose(self) -> Move:
        """A move that keeps the goal in reach: one of the best, or with chance any that will do."""
        worths = {move: self.solved.worth_of_move(self.board, move) for move in self.board.legal_moves}
        least = max(worths.values())
        if self.random is None:
            return next(move for move, worth in worths.items() if worth == least)
        if self.goal == "win":
            least = 1 if self.plies is None else FAR - (self.plies - self.ply)
        else:
            least = 0 if self.plies is None else min(0, self.plies + 1 - self.ply - FAR)
        return self.random.choice([move for move, worth in worths.items() if worth >= least])

    def leaf(self) -> list[int] | None:
        """A pairing (0, its count, its cells) or a potential (1), where there is one and chance does not pass it by."""
        board = self.board
        if self.goal != "hold" or board.game.gravity or (self.random is not None and self.random.random() < 0.3):
            return None
        lines = [[cell for cell in line if board.stone(cell) is None] for line in living_lines(board, self.seat.other)]
        found: list[list[int]] = []
        if sum(Fraction(1, 2 ** len(line)) for line in lines) < Fraction(1 + (board.turn is self.seat), 2):
            found.append([1])
        pairs = pairing(lines)
        if pairs is not None:
            cells = [token_of(board.game, cell) for pair in pairs for cell in pair]
            found.append([0, len(pairs), *cells])
        if not found:
            return None
        return found[0] if self.random is None else self.random.choice(found)


def token_of(game: Game, move: Move) -> int:
    return move if isinstance(move, int) else move[0] * game.columns + move[1]


def living_lines(board: Board, seat: Seat) -> list[Line]:
    """The lines that a seat could still fill: none of the other's stones is on them."""
    return [line for line in board.game.lines if all(board.stone(cell) is not seat.other for cell in line)]


def completing_moves(board: Board, seat: Seat) -> list[Move]:
    """The moves with which a seat would complete a line if it were its turn, in the order of the legal moves."""
    found: list[Move] = []
    for move in board.legal_moves:
        cell = board.landing(move) if isinstance(move, int) else move
        for line in board.game.lines:
            if cell in line and all(other == cell or board.stone(other) is seat for other in line):
                found.append(move)
                break
    return found


def pairing(lines: list[list[Cell]], tries: int = 200) -> list[tuple[Cell, Cell]] | None:
    """Disjoint pairs of cells so that every line contains one; None when a short search finds none."""
    chosen: list[tuple[Cell, Cell]] = []

    def search() -> bool:
        nonlocal tries
        tries -= 1
        if tries < 0:
            return False
        used = {cell for pair in chosen for cell in pair}
        open_lines = [line for line in lines if not any(set(pair) <= set(line) for pair in chosen)]
        if not open_lines:
            return True
        line = min(open_lines, key=lambda line: len(set(line) - used))
        for pair in combinations([cell for cell in line if cell not in used], 2):
            chosen.append(pair)
            if search():
                return True
            chosen.pop()
        return False

    return chosen if search() else None
