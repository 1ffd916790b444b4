"""What a person does on the page, and sees: clicks on cells, stones, the status line."""

import re
from typing import TYPE_CHECKING

from inarow import Board, Cell, Game, Move
from inarow.game import parse_game, parse_move

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
    from playwright.sync_api._generated import LocatorAssertions

CELL = 40  # shapes.js draws a cell so large

_STONES = (
    """stones => stones.map(stone => [stone.getAttribute("transform"), stone.classList.contains("second") ? 1 : 0])"""
)
_POINT = """([x, y]) => {
  const point = new DOMPoint(x, y).matrixTransform(document.querySelector("#board .scene").getScreenCTM());
  return [point.x, point.y];
}"""


class PageDriver:
    """A page of the site."""

    def __init__(self, page: "Page", site: str) -> None:
        self.page = page
        self.site = site

    def open(self, fragment: str = "") -> None:
        """Goes to a link such as `#p=3x3x3:b2&second=random`, and waits until the game is there."""
        self.page.goto("about:blank")  # a link that differs in its fragment alone would not load the page anew
        self.page.goto(self.site + fragment)
        self.page.wait_for_selector("body[data-ready]")

    def locate(self, selector: str) -> "Locator":
        return self.page.locator(selector)

    def expect(self, selector: str) -> "LocatorAssertions":
        """Waits, as playwright's expect does. The page's policy forbids to wait for an expression."""
        from playwright.sync_api import expect

        return expect(self.page.locator(selector))

    def expect_stones(self, count: int) -> None:
        self.expect("#board .stone").to_have_count(count)

    @property
    def status(self) -> str:
        return self.page.inner_text("#status")

    def stones(self) -> dict[Cell, int]:
        """Whose stone is where, as drawn; the board is not turned round."""
        shown = {}
        for transform, seat in self.page.eval_on_selector_all("#board .stone", _STONES):
            x, y = (float(number) for number in re.findall(r"[-\d.]+", transform))
            shown[int(y // CELL), int(x // CELL)] = seat
        return shown

    def point(self, cell: Cell) -> tuple[float, float]:
        """The middle of a cell in the window."""
        x, y = self.page.evaluate(_POINT, [(cell[1] + 0.5) * CELL, (cell[0] + 0.5) * CELL])
        return x, y

    def click_move(self, board: Board, move: Move) -> None:
        """Clicks where a stone of the move would lie, and plays it on the board of the test."""
        cell = board.landing(move) if isinstance(move, int) else move
        assert cell is not None
        self.page.mouse.click(*self.point(cell))
        board.push(move)

    def click_moves(self, game: Game | str, *moves: str) -> Board:
        """Clicks on moves in turn, as two persons do who begin a game."""
        board = Board(parse_game(game) if isinstance(game, str) else game)
        for move in moves:
            self.click_move(board, parse_move(board.game, move))
        self.expect_stones(board.ply)
        return board

    def wait_for_answer(self, board: Board) -> None:
        """Waits for the opponent's stone and plays it on the board of the test."""
        self.expect_stones(board.ply + 1)
        (cell,) = self.stones().keys() - stones_of(board).keys()
        board.push(cell[1] if board.game.gravity else cell)


def stones_of(board: Board) -> dict[Cell, int]:
    return {cell: int(seat) for cell in board.game.cells if (seat := board.stone(cell)) is not None}
