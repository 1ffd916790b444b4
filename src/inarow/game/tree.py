"""A game with variations and comments.

The nodes are a list in which each stands behind its parent, so that nothing here goes round in circles or is as deep as
a game is long. Node 0 is the root, the position before the first move:

    0 ── 1 h8 ── 2 i9 ── 4 h9        a node's first child goes on with the main line: h8 i9 h9
            └─── 3 g7                here g7 is a variation
"""

from collections.abc import Iterator
from dataclasses import dataclass

from inarow.errors import FormatError, IllegalMove
from inarow.game.board import Board
from inarow.game.notation import format_move
from inarow.game.rules import Game, Move


@dataclass
class Node:
    """A move, after the move of the node `parent`; the root has none."""

    move: Move | None
    parent: int
    comment: str = ""


class GameTree:
    """
    >>> tree = GameTree(Game(3, 3, 3), "the beginning")
    >>> b2 = tree.add(0, (1, 1))
    >>> tree.add(tree.add(b2, (0, 0)), (0, 2)), tree.add(b2, (0, 1), "too weak")
    (3, 4)
    >>> tree.main_line(), tree.line(4)
    (((1, 1), (0, 0), (0, 2)), ((1, 1), (0, 1)))
    """

    def __init__(self, game: Game, comment: str = "") -> None:
        self.game = game
        self._nodes = [Node(None, 0, comment)]
        self._children: list[list[int]] = [[]]

    def __len__(self) -> int:
        """How many nodes there are, with the root."""
        return len(self._nodes)

    def __getitem__(self, number: int) -> Node:
        return self._nodes[number]

    def __eq__(self, other: object) -> bool:
        """Trees are equal when they show the same, whatever the numbers of their nodes."""
        if not isinstance(other, GameTree):
            return NotImplemented
        return self.game == other.game and list(self._shown()) == list(other._shown())

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def of_line(cls, game: Game, moves: tuple[Move, ...]) -> "GameTree":
        """A game without variations."""
        tree, last = cls(game), 0
        for move in moves:
            last = tree.add(last, move)
        return tree

    def add(self, parent: int, move: Move, comment: str = "") -> int:
        """The number of a new node. Whether the move is legal is what `check` says, of all of them at once."""
        if not 0 <= parent < len(self._nodes):
            raise FormatError(f"node {len(self._nodes)} of the game tree says that it comes after node {parent}")
        number = len(self._nodes)
        self._nodes.append(Node(move, parent, comment))
        self._children.append([])
        self._children[parent].append(number)
        return number

    def children(self, number: int) -> tuple[int, ...]:
        """The first goes on with the main line."""
        return tuple(self._children[number])

    def line(self, number: int) -> tuple[Move, ...]:
        """The moves from the root to a node."""
        moves: list[Move] = []
        while number:
            node = self._nodes[number]
            assert node.move is not None
            moves.append(node.move)
            number = node.parent
        return tuple(reversed(moves))

    def main_line(self) -> tuple[Move, ...]:
        number = 0
        while self._children[number]:
            number = self._children[number][0]
        return self.line(number)

    def walk(self) -> Iterator[tuple[int, Board]]:
        """Every node but the root, a parent before its children and the main line first, with the board after its move.

        The board is one and the same, which goes on with the walk. FormatError names the first move that is illegal.
        """
        board = Board(self.game)
        waiting = list(reversed(self._children[0]))
        path = [0]
        while waiting:
            number = waiting.pop()
            node = self._nodes[number]
            while path[-1] != node.parent:
                path.pop()
                board.pop()
            assert node.move is not None
            try:
                board.push(node.move)
            except IllegalMove as error:
                raise FormatError(f"node {number} of the game tree, move {board.ply + 1}: {error}") from None
            path.append(number)
            yield number, board
            waiting.extend(reversed(self._children[number]))

    def check(self) -> None:
        """FormatError names the first move that is illegal."""
        for _ in self.walk():
            pass

    def _shown(self) -> Iterator[tuple[int, str, str]]:
        """What can be seen: how deep a node is, its move, its comment."""
        yield 0, "", self._nodes[0].comment
        waiting = [(1, number) for number in reversed(self._children[0])]
        while waiting:
            depth, number = waiting.pop()
            node = self._nodes[number]
            assert node.move is not None
            yield depth, format_move(node.move), node.comment
            waiting.extend((depth + 1, child) for child in reversed(self._children[number]))
