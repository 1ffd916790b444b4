"""Games between the page and the formats of the world: what /api/import and /api/export do."""

import re
from collections.abc import Callable

from inarow.errors import FormatError
from inarow.game import (
    Board,
    GameTree,
    Move,
    Record,
    format_connect4,
    format_move,
    format_position,
    from_psq,
    parse_connect4,
    parse_game,
    parse_move,
    parse_position,
    parse_sgf,
    play_moves,
    to_pgn,
    to_psq,
    write_sgf,
)
from inarow.web.models import ExportAnswer, ExportRequest, ImportAnswer, Tree, TreeNode

CONNECT4 = parse_game("6x7x4g")
PLAYERS = ("first", "second")
SUFFIXES = {"position": "txt", "connect4": "txt", "psq": "psq", "sgf": "sgf", "record": "jsonl", "pgn": "pgn"}


def read_game(text: str, k: int) -> ImportAnswer:
    """A game in any format that is known by its first letters. FormatError says what is wrong with it."""
    text = text.removeprefix("\ufeff").strip()
    if not text:
        raise FormatError("there is nothing to read")
    if text.startswith("{"):
        record = Record.from_json(text.splitlines()[0])
        return _answer("record", GameTree.of_line(record.game, record.moves), record.players)
    if text.startswith("Piskvorky"):
        record = from_psq(text, k)
        return _answer("psq", GameTree.of_line(record.game, record.moves), record.players)
    if text.startswith("("):
        game = parse_sgf(text, k)
        return _answer("sgf", game.tree, game.players)
    if re.fullmatch(r"[1-9]+", text):
        return _answer("connect4", _line_of(parse_connect4(CONNECT4, text)), PLAYERS)
    return _answer("position", _line_of(parse_position(text)), PLAYERS)


def write_game(request: ExportRequest) -> ExportAnswer:
    """SGF has the whole tree, every other format the line that is shown. FormatError when a format cannot hold it."""
    tree = tree_from(request.tree)
    players = (request.players[0], request.players[1])
    line = play_moves(tree.game, [*_start(request.tree), *(parse_move(tree.game, text) for text in request.path)])
    writers: dict[str, Callable[[], str]] = {
        "position": lambda: format_position(line),
        "connect4": lambda: format_connect4(line),
        "psq": lambda: to_psq(Record.of(line, players)),
        "record": lambda: Record.of(line, players).to_json() + "\n",
        "pgn": lambda: to_pgn(Record.of(line, players)),
        "sgf": lambda: write_sgf(tree, players, play_moves(tree.game, tree.main_line()).outcome),
    }
    return ExportAnswer(text=writers[request.format](), filename=f"{tree.game}.{SUFFIXES[request.format]}")


def tree_from(fields: Tree) -> GameTree:
    """The tree that a page sends; every move in it is legal. FormatError when it is none."""
    start = _start(fields)
    game = parse_position(fields.position).game
    tree = GameTree.of_line(game, start)
    first = len(tree) - 1  # the page's root, when its position has moves already
    tree[first].comment = fields.comment
    for node in fields.nodes:
        if node.parent >= len(tree) - first:
            raise FormatError(f"node {len(tree) - first} of the game tree says that it comes after node {node.parent}")
        tree.add(first + node.parent, parse_move(game, node.move), node.comment.replace("\r\n", "\n"))
    tree.check()
    return tree


def _start(fields: Tree) -> tuple[Move, ...]:
    return parse_position(fields.position).moves


def _line_of(board: Board) -> GameTree:
    return GameTree.of_line(board.game, board.moves)


def _answer(kind: str, tree: GameTree, players: tuple[str, str]) -> ImportAnswer:
    nodes = []
    for number in range(1, len(tree)):
        node = tree[number]
        assert node.move is not None
        nodes.append(TreeNode.model_construct(move=format_move(node.move), parent=node.parent, comment=node.comment))
    fields = Tree.model_construct(position=str(tree.game), comment=tree[0].comment, nodes=nodes)
    return ImportAnswer.model_construct(format=kind, tree=fields, players=players)
