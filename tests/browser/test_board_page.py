"""The board on the page: all sizes, keyboard, touch, zoom; quick on the largest board."""

import random

import pytest

from inarow import Board, Game, format_position, parse_position
from inarow.game import cell_name
from tests.browser.conftest import OpenPage
from tests.browser.page_driver import PageDriver, stones_of
from tests.randoms import random_game

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

LARGEST = Game(128, 128, 5)

# The stone that a click makes is drawn in the second frame after it at the latest.
CLICK_TO_FRAME = """async ([x, y]) => {
  const grid = document.querySelector("[role=grid]");
  const count = document.querySelectorAll("#board .stone").length;
  const given = { clientX: x, clientY: y, pointerId: 1, pointerType: "mouse", button: 0, bubbles: true };
  const frame = () => new Promise(requestAnimationFrame);
  grid.setPointerCapture = () => {};
  await frame();
  const start = performance.now();
  grid.dispatchEvent(new PointerEvent("pointerdown", given));
  grid.dispatchEvent(new PointerEvent("pointerup", given));
  if (document.querySelectorAll("#board .stone").length !== count + 1) return Infinity;
  await frame();
  await frame();
  return performance.now() - start;
}"""


def position_without_end(game: Game, plies: int, seed: int) -> Board:
    """Random stones, none of which ends the game."""
    board = Board(game)
    cells = list(game.cells)
    random.Random(seed).shuffle(cells)
    for cell in cells:
        board.push(cell)
        if board.is_over:
            board.pop()
        if board.ply == plies:
            break
    return board


SHAPES = (
    *(Game(1, 1, 1), Game(1, 128, 4), Game(128, 1, 3), Game(19, 19, 5), Game(4, 3, 3)),
    *(Game(9, 30, 4, gravity=True), Game(128, 128, 3, gravity=True)),
)


def test_boards_of_all_shapes_show_their_stones(open_page: OpenPage) -> None:
    driver = open_page()
    for game in SHAPES:
        board = Board(game)
        for _, move in random_game(game, seed=5):
            board.push(move)
        driver.open(f"#p={format_position(board)}")
        assert driver.stones() == stones_of(board)
        assert driver.page.evaluate("document.documentElement.scrollWidth") == 1280
        assert driver.page.evaluate("document.querySelector('#board .ground').getBoundingClientRect().height") > 8


def test_the_largest_board_answers_a_click_at_once(open_page: OpenPage) -> None:
    board = position_without_end(LARGEST, 300, seed=7)
    driver = open_page(f"#p={format_position(board)}")
    driver.expect_stones(300)
    assert driver.page.evaluate("document.querySelectorAll('#board *').length") < 2000
    free = [
        cell for cell in ((row, column) for row in range(60, 70) for column in range(60, 70)) if not board.stone(cell)
    ]
    driver.page.keyboard.press("0")
    for _ in range(8):
        driver.page.keyboard.press("+")
    times = [driver.page.evaluate(CLICK_TO_FRAME, list(driver.point(cell))) for cell in free[:5]]
    driver.expect_stones(305)
    assert sorted(times)[2] < 100, times


def test_zoom_and_pan(open_page: OpenPage) -> None:
    driver = open_page("#p=128x128x5")
    page = driver.page

    def size() -> float:
        return float(page.evaluate("document.querySelector('#board .ground').getBoundingClientRect().width")) / 128

    def names() -> list[str]:
        return [name for name in page.locator("#board .names text").all_text_contents() if name.isalpha()]

    assert round(size()) == 26  # large enough to play, around the middle
    assert "bm" in names()
    page.click("#zoom-in")
    assert size() > 30
    page.click("#zoom-fit")
    whole = size()
    assert whole < 6
    assert 5 < len(names()) < 30  # every few columns, so that names do not overlap
    page.keyboard.press("+")
    assert size() > whole
    page.keyboard.press("0")
    page.mouse.move(*driver.point((10, 10)))
    page.mouse.wheel(0, -800)
    page.mouse.wheel(0, -800)
    page.wait_for_timeout(100)
    assert size() > whole * 1.5
    before = driver.point((10, 10))
    page.mouse.move(500, 400)
    page.mouse.down()
    page.mouse.move(460, 380, steps=3)
    page.mouse.up()
    after = driver.point((10, 10))
    assert after != before
    driver.expect_stones(0)  # a drag is no click
    names_box = page.locator("#board .names text").first.bounding_box()
    assert names_box is not None
    assert names_box["y"] < 90  # in sight, wherever the board is
    for corner, position in (((127, 127), 105), ((0, 0), 2)):
        page.click(".minimap", position={"x": position, "y": position})
        x, y = driver.point(corner)
        assert 0 < x < 880
        assert 50 < y < 800


def test_a_tap_on_cells_too_small_zooms_in(open_page: OpenPage) -> None:
    driver = open_page("#p=128x128x5")
    driver.page.click("#zoom-fit")
    driver.page.mouse.click(*driver.point((64, 64)))
    driver.expect_stones(0)
    driver.page.mouse.click(*driver.point((64, 64)))
    driver.expect_stones(1)


COUNT_ANIMATIONS = """() => {
    window.animations = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        window.animations += this.matches("#board .stone") ? 1 : 0;
        return animate.apply(this, how);
    };
}"""


def test_a_stone_falls_and_the_column_is_marked(open_page: OpenPage) -> None:
    driver = open_page("#p=6x7x4g")
    driver.page.evaluate(COUNT_ANIMATIONS)  # one may be over before a question about it arrives
    driver.page.mouse.move(*driver.point((1, 3)))
    driver.expect("#board .column-hover").to_have_count(1)
    driver.expect("#board .ghost-stone").to_have_count(1)
    driver.page.mouse.click(*driver.point((1, 3)))
    driver.expect_stones(1)
    assert driver.stones() == {(5, 3): 0}
    assert driver.page.evaluate("window.animations") == 1
    driver.page.emulate_media(reduced_motion="reduce")
    driver.page.mouse.click(*driver.point((1, 3)))
    driver.expect_stones(2)
    assert driver.page.evaluate("window.animations") == 1


def test_move_numbers_and_the_last_move(open_page: OpenPage) -> None:
    driver = open_page("#p=15x15x5:h8.i9.i8")
    driver.expect("#board .last").to_have_count(1)
    driver.page.check("#show-numbers")
    driver.expect("#board .number").to_have_text(["1", "2", "3"])
    driver.page.keyboard.press("n")
    driver.expect("#board .number").to_have_count(0)


def test_the_board_is_turned_round(open_page: OpenPage) -> None:
    driver = open_page("#p=6x7x4g:a")
    driver.page.keyboard.press("f")
    assert driver.stones() == {(5, 6): 0}  # where it is drawn: left and right have changed
    driver.page.mouse.click(*driver.point((3, 6)))  # above it: column a again
    driver.expect("#tree .move").to_have_text(["1.a", "2.a"])
    driver.open("#p=15x15x5:a1")
    driver.page.check("#flip")
    assert driver.stones() == {(14, 14): 0}


def cursor(driver: PageDriver) -> str:
    return driver.page.get_attribute("#board [role=gridcell]", "aria-label") or ""


def test_a_game_with_the_keyboard_only(open_page: OpenPage) -> None:
    driver = open_page("#p=3x3x3")
    press = driver.page.keyboard.press
    for _ in range(12):
        if driver.page.evaluate("document.activeElement.getAttribute('role')") == "grid":
            break
        press("Tab")
    assert cursor(driver) == "b2, empty"
    press("Enter")
    driver.expect("#live").to_contain_text("Crosses: b2.")
    assert cursor(driver) == "b2, first player's stone, last move"
    press("ArrowUp")
    press("ArrowLeft")
    press("ArrowLeft")
    assert cursor(driver) == "a1, empty"
    press("Enter")
    press("End")
    press("Enter")  # c1
    press("PageDown")
    press("Home")
    assert cursor(driver) == "a3, empty"
    press("ArrowRight")
    press("Enter")  # b3
    press("ArrowLeft")
    press("Enter")  # a3
    driver.expect("#status").to_have_text("Crosses win: 3 in a row")
    assert driver.stones() == stones_of(parse_position("3x3x3:b2.a1.c1.b3.a3"))
    press("u")
    driver.expect_stones(4)
    press("[")
    driver.expect_stones(3)
    press("]")
    driver.expect_stones(4)
    press("g")
    while driver.page.evaluate("document.activeElement.id") != "start":
        press("Tab")
    press("Enter")
    driver.expect_stones(0)


def test_keys_outside_the_board(open_page: OpenPage) -> None:
    driver = open_page("#p=15x15x5:h8.i9.i8")
    press = driver.page.keyboard.press
    for key, count in (
        ("ArrowLeft", 2),
        ("Home", 0),
        ("ArrowRight", 1),
        ("End", 3),
        ("u", 2),
        ("End", 3),
        ("Space", 4),
    ):
        press(key)
        driver.expect_stones(count)
    press("h")
    driver.expect("#board .hint-ring").to_have_count(1)
    press("?")
    assert driver.locate("#keys-dialog").is_visible()
    press("u")  # a dialog is open: the keys are not the game's
    press("Escape")
    driver.expect_stones(4)
    driver.page.focus("#comment")
    driver.page.keyboard.type("hunt")
    driver.expect("#comment").to_have_value("hunt")
    driver.expect_stones(4)


def test_the_cursor_moves_a_large_board_along(open_page: OpenPage) -> None:
    driver = open_page("#p=128x128x5")
    driver.page.keyboard.press("b")
    driver.page.keyboard.press("Home")
    driver.page.keyboard.press("PageUp")
    assert cursor(driver) == f"{cell_name((0, 0))}, empty"
    x, y = driver.point((0, 0))
    assert 0 < x < 200
    assert 50 < y < 200


def test_a_phone(open_page: OpenPage) -> None:
    driver = open_page("#p=15x15x5&second=random", width=390, height=844, has_touch=True, is_mobile=True)
    assert driver.page.evaluate("document.documentElement.scrollWidth") == 390
    driver.page.touchscreen.tap(*driver.point((7, 7)))
    driver.expect_stones(2)
    assert driver.stones()[7, 7] == 0
    for name in ("analysis", "games", "play"):
        driver.page.tap(f"#tab-{name}")
        assert driver.page.evaluate("document.documentElement.scrollWidth") == 390
    driver.page.tap("#new-game")
    box = driver.locate("#new-game-dialog").bounding_box()
    assert box is not None
    assert box["width"] <= 390
    driver.page.tap("#new-game-cancel")
    small = driver.page.eval_on_selector_all(
        "button:not(.move)",
        "all => all.filter(b => b.offsetParent && (b.offsetHeight < 34 || b.offsetWidth < 24)).map(b => b.id)",
    )
    assert small == []  # everything can be hit with a finger


def test_two_fingers_zoom(open_page: OpenPage) -> None:
    driver = open_page("#p=128x128x5", width=390, height=844, has_touch=True, is_mobile=True)
    driver.page.tap("#zoom-fit")
    before = driver.page.evaluate("document.querySelector('#board .ground').getBoundingClientRect().width")
    session = driver.page.context.new_cdp_session(driver.page)
    for kind, spread in (("touchStart", 20), ("touchMove", 60), ("touchMove", 120)):
        points = [{"x": 195 - spread / 2, "y": 280, "id": 0}, {"x": 195 + spread / 2, "y": 280, "id": 1}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    after = driver.page.evaluate("document.querySelector('#board .ground').getBoundingClientRect().width")
    assert after > 3 * before
    driver.expect_stones(0)
