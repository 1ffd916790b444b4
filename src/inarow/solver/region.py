"""The region around a position: what can happen in its next plies, as one graph whose values are put together.

Positions that are images of each other are one node. Each node has bounds for what it is worth to the player to move:

    FAR - p    a win, completed at ply p counted from the region's position; in a weak region 1, whenever it comes
    0          a draw
    p - FAR    a loss in the same way; in a weak region -1

The bounds of a node follow from those of its children (negamax), and narrow when a position of the region has been
solved, by whomever. A position is worth solving while that could still change the bounds at the top (alpha-beta).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from inarow.errors import WorkError
from inarow.game import Board, Move, format_position
from inarow.game.book import canonical_key
from inarow.solver.solution import UNKNOWN, Solution

FAR = 10**6


@dataclass(eq=False)
class Node:
    """A position of the region, `depth` plies from the top; `board` shows one of its images.

    key       what `position_key` says of it
    children  by the moves that lead there, those in the middle first
    """

    board: Board
    key: str
    depth: int
    low: int
    high: int
    children: dict[Move, "Node"] = field(default_factory=dict)
    parents: list["Node"] = field(default_factory=list)


def position_key(board: Board) -> str:
    """The same for all images of a position of a game, and for no others."""
    first, second = canonical_key(board)
    return f"{first:x}-{second:x}"


class Region:
    """All positions of up to so many plies from a board. Those at the edge that are not over are its jobs.

    exact  whether the number of plies is wanted too; otherwise the region is weak, and less has to be solved
    """

    def __init__(self, board: Board, plies: int, exact: bool = True) -> None:
        self.exact = exact
        self.board = board.copy()
        self._nodes, self._seconds = 0, 0.0  # of all that has been solved
        self._last = board.game.rows * board.game.columns - board.ply  # the ply at which the board is full
        self.top = self._node(board.copy(), position_key(board), 0)
        self._levels: list[list[Node]] = [[self.top]]
        for _ in range(plies):
            self._levels.append(self._next_level(self._levels[-1]))
        self._by_key = {node.key: node for level in self._levels for node in level}
        for level in reversed(self._levels):
            for node in level:
                self._tighten(node, node.low, node.high)
        self._done = {node.key for level in self._levels for node in level if node.board.is_over}

    # --- what is to be solved ---

    @property
    def size(self) -> int:
        """How many jobs there are when none is spared."""
        return sum(not node.board.is_over for node in self._levels[-1])

    @property
    def left(self) -> int:
        """How many of the jobs are not solved yet."""
        return sum(node.key not in self._done for node in self._levels[-1])

    @property
    def is_decided(self) -> bool:
        return self.top.low >= self.top.high

    @property
    def bounds(self) -> tuple[str, str]:
        """The least and the most that the board can be worth, in words."""
        return self._in_words(self.top.low), self._in_words(self.top.high)

    def jobs(self) -> Iterator[str]:
        """Positions to solve, as texts. Results may come in meanwhile: what cannot matter any more is left out."""
        handed_out: set[Node] = set()
        while (node := self._next_job(self.top, -FAR, FAR, handed_out, {})) is not None:
            handed_out.add(node)
            yield format_position(node.board)

    def add(self, key: str, solution: Solution) -> None:
        """What is known of a position: nothing happens if it is not in the region, or if its value is unknown."""
        node = self._by_key.get(key)
        if node is None or solution.value == UNKNOWN:
            return
        if key not in self._done:
            self._done.add(key)
            self._nodes += solution.nodes
            self._seconds += solution.seconds
        low, high = self._bounds(node.depth, solution)
        self._tighten(node, low, high)

    def solution(self) -> Solution:
        """What follows for the board from all that is known; the value is unknown while too little is."""
        low, high = self.top.low, self.top.high
        value = "win" if low > 0 else "loss" if high < 0 else "draw" if low == high == 0 else UNKNOWN
        plies = None
        if value == "draw":
            plies = self._last
        elif self.exact and low == high:
            plies = FAR - abs(low)
        best = [move for move, child in self.top.children.items() if -child.high >= low]
        best = best if value != UNKNOWN else []
        return Solution(value, plies, best, "split", self._nodes, self._seconds)

    def _in_words(self, worth: int) -> str:
        value = "draw" if worth == 0 else "win" if worth > 0 else "loss"
        return f"{value} in {FAR - abs(worth)} plies" if worth and self.exact else value

    # --- bounds ---

    def _win(self, ply: int) -> int:
        return FAR - ply if self.exact else 1

    def _bounds(self, depth: int, solution: Solution) -> tuple[int, int]:
        """Of a position in this depth, from its solution."""
        if solution.value == "draw":
            return 0, 0
        if solution.plies is not None:
            low = high = self._win(depth + solution.plies)
        else:
            low, high = self._win(self._last), self._win(depth + 1)
        return (low, high) if solution.value == "win" else (-high, -low)

    def _tighten(self, node: Node, low: int, high: int) -> None:
        """Narrows the bounds of a node by what is given and by its children's, and then those above it."""
        changed = [(node, low, high)]
        while changed:
            node, low, high = changed.pop()
            if node.children:
                low = max(low, *(-child.high for child in node.children.values()))
                high = min(high, max(-child.low for child in node.children.values()))
            low, high = max(low, node.low), min(high, node.high)
            if (low, high) != (node.low, node.high):
                if low > high:
                    raise WorkError(
                        f"the values of what follows from {format_position(node.board)} contradict each other"
                    )
                node.low, node.high = low, high
                changed += [(parent, parent.low, parent.high) for parent in node.parents]

    def _next_job(
        self, node: Node, alpha: int, beta: int, handed_out: set[Node], visited: dict[Node, tuple[int, int]]
    ) -> Node | None:
        """The first job below a node whose value could still make a difference between alpha and beta.

        All that follows from one move comes before the next move, as alpha-beta would have it.
        """
        alpha, beta = max(alpha, node.low), min(beta, node.high)
        before = visited.get(node, (0, 0))
        if alpha >= beta or (before[0] <= alpha and beta <= before[1]):
            return None
        visited[node] = alpha, beta
        if node.depth == len(self._levels) - 1:
            return None if node in handed_out or node.key in self._done else node
        for child in node.children.values():
            if (found := self._next_job(child, -beta, -alpha, handed_out, visited)) is not None:
                return found
        return None

    # --- the graph ---

    def _node(self, board: Board, key: str, depth: int) -> Node:
        outcome = board.outcome
        if outcome is None:
            return Node(board, key, depth, -self._win(depth + 2), self._win(depth + 1))
        worth = 0 if outcome.winner is None else -self._win(depth)
        return Node(board, key, depth, worth, worth)

    def _next_level(self, level: list[Node]) -> list[Node]:
        found: dict[str, Node] = {}
        for node in level:
            for move in sorted(node.board.legal_moves, key=self._from_the_middle):
                board = node.board.copy()
                board.push(move)
                key = position_key(board)
                if key not in found:
                    found[key] = self._node(board, key, node.depth + 1)
                node.children[move] = found[key]
                if node not in found[key].parents:
                    found[key].parents.append(node)
        return list(found.values())

    def _from_the_middle(self, move: Move) -> int:
        game = self.board.game
        if isinstance(move, int):
            return abs(2 * move + 1 - game.columns)
        return abs(2 * move[0] + 1 - game.rows) + abs(2 * move[1] + 1 - game.columns)
