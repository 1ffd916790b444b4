"""The page's modules by themselves: its rules against the package's, its trees, and their types."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from inarow import Board, Game, InarowError, format_position, parse_position
from inarow.game import play_moves
from tests.browser.conftest import OpenPage
from tests.randoms import random_game

ROOT = Path(__file__).parents[2]
SHAPES = (
    *(Game(1, 1, 1), Game(3, 3, 3), Game(4, 6, 3), Game(7, 5, 5), Game(15, 15, 5), Game(20, 30, 6), Game(2, 2, 5)),
    *(
        Game(6, 7, 4, gravity=True),
        Game(1, 9, 3, gravity=True),
        Game(9, 1, 2, gravity=True),
        Game(8, 40, 5, gravity=True),
    ),
)

# Every ply of each game as the page's rules see it.
REPLAY = """async positions => {
  const { Board, parsePosition, positionText } = await import("/js/rules.js");
  return positions.map((text) => {
    const { game, moves } = parsePosition(text);
    const board = new Board(game);
    const seen = moves.map((move) => {
      const cell = board.push(move);
      const legal = [...board.stones.keys()].filter((each) => board.moveAt(each) !== null).length;
      return [cell, legal, board.outcome && [board.outcome.winner, board.outcome.line]];
    });
    const stones = [...board.stones];
    for (const _ of moves) board.pop();
    return { seen, stones, text: positionText(game, moves), isEmpty: board.stones.every((stone) => stone < 0) };
  });
}"""

TREES = """async () => {
  const { GameTree } = await import("/js/tree.js");
  const tree = GameTree.fromPosition("6x7x4g:d.e");
  tree.root.comment = "start";
  tree.addLine(["a", "b"]);
  const other = tree.addLine(["c", "b", "a"]);
  other.comment = "the other one";
  const data = tree.toData();
  const again = GameTree.fromData(data);
  const same = JSON.stringify(again.toData()) === JSON.stringify(data);
  again.promote(again.root.children[0].children[0].children[1]);
  return { data, same, promoted: again.root.end.moves };
}"""


def expected(game: Game, moves: list[Any]) -> tuple[list[Any], list[int]]:
    board = Board(game)
    seen = []
    for move in moves:
        board.push(move)
        assert board.last_cell is not None
        row, column = board.last_cell
        legal = (
            0 if board.is_over else sum(1 for cell in game.cells if board.is_legal(cell[1] if game.gravity else cell))
        )
        outcome = None
        if board.outcome is not None:
            line = board.outcome.line
            cells = None if line is None else [r * game.columns + c for r, c in line]
            outcome = [None if board.outcome.winner is None else int(board.outcome.winner), cells]
        seen.append([row * game.columns + column, legal, outcome])
    stones = [-1 if (seat := board.stone(cell)) is None else int(seat) for cell in game.cells]
    return seen, stones


def test_the_rules_of_the_page_are_those_of_the_package(open_page: OpenPage) -> None:
    games = [(game, [move for _, move in random_game(game, seed)]) for game in SHAPES for seed in range(3)]
    boards = [play_moves(game, moves) for game, moves in games]
    replays = open_page("#p=3x3x3").page.evaluate(REPLAY, [format_position(board) for board in boards])
    for (game, moves), board, replay in zip(games, boards, replays, strict=True):
        seen, stones = expected(game, moves)
        assert replay["seen"] == seen, format_position(board)
        assert replay["stones"] == stones
        assert replay["text"] == format_position(board)
        assert replay["isEmpty"]


REFUSED = {
    "3x3": "is not a game",
    "0x3x3": "rows must be 1 to 128, not 0",
    "3x3x129": "k must be 1 to 128, not 129",
    "3x3x3:b2.b2": "move 2, b2, is not possible",
    "3x3x3:d1": "move 1, d1, is not possible",
    "6x7x4g:h": "move 1, h, is not possible",
    "1x1x1g:a.a": "move 2, a, is not possible",
    "3x3x3:": "move 1, , is not possible",
}


def test_the_page_refuses_what_the_package_refuses(open_page: OpenPage) -> None:
    script = """async texts => {
      const { parsePosition } = await import("/js/rules.js");
      return texts.map((text) => {
        try { parsePosition(text); return ""; } catch (error) { return error.message; }
      });
    }"""
    answers = open_page("#p=3x3x3").page.evaluate(script, list(REFUSED))
    for (text, complaint), answer in zip(REFUSED.items(), answers, strict=True):
        assert complaint in answer
        with pytest.raises(InarowError):
            parse_position(text)


def test_trees_go_to_the_server_and_back(open_page: OpenPage) -> None:
    answer = open_page("#p=3x3x3").page.evaluate(TREES)
    assert answer["same"]
    assert answer["data"]["comment"] == "start"
    assert answer["data"]["nodes"][0] == {"move": "d", "parent": 0, "comment": ""}
    assert answer["promoted"] == ["d", "e", "c", "b", "a"]


def test_the_types_of_the_page_are_right() -> None:
    if shutil.which("tsc") is None:
        pytest.skip("there is no TypeScript (on Debian: apt-get install node-typescript)")
    checked = subprocess.run(["tsc", "-p", ROOT / "jsconfig.json"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


def test_no_module_is_too_long_or_writes_markup() -> None:
    for module in (ROOT / "src/inarow/web/static/js").glob("*.js"):
        text = module.read_text()
        assert text.count("\n") < 400, module
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert word not in text, module
