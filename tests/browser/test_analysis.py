"""Analysis on the page: lines that follow the position, preview and adoption, exact results, threats, the review."""

import json
import re
from typing import Any

import pytest

from inarow import Board, Game, format_position
from tests.browser.conftest import OpenPage
from tests.browser.page_driver import PageDriver
from tests.browser.test_access_page import complaints
from tests.randoms import random_board

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

GOMOKU = "#p=15x15x5:h8.i9.i8.g8.h9.h10"
WIN_IN_ONE = "#p=6x7x4g:d.c.d.c.d.c"  # d wins; c wins for the other one
THROWN_AWAY = "#p=6x7x4g:d.c.d.c.d.c.a.c"  # the third c does not stop d, a does not play it
FIRST_LINE = ".pv >> nth=0"


class Talk:
    """What a page says to the server, and hears."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.heard: list[dict[str, Any]] = []

    def listen(self, driver: PageDriver) -> None:
        """From the next time on that the page is opened."""

        def on_socket(socket: Any) -> None:
            socket.on("framesent", lambda text: self.sent.append(json.loads(text)))
            socket.on("framereceived", lambda text: self.heard.append(json.loads(text)))

        driver.page.on("websocket", on_socket)

    def asked(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.sent if message["type"] == kind]


def open_analysis(open_page: OpenPage, fragment: str, *switches: str, **more: Any) -> PageDriver:
    driver = open_page(fragment, **more)
    driver.page.click("#tab-analysis")
    for switch in switches:
        driver.page.check(f"#{switch}")
    return driver


def test_analysis_starts_shows_lines_follows_and_stops(open_page: OpenPage) -> None:
    driver = open_page(WIN_IN_ONE)
    talk = Talk()
    talk.listen(driver)
    driver.open(WIN_IN_ONE)
    driver.page.click("#tab-analysis")
    driver.expect("#evaluation").to_be_hidden()
    driver.page.check("#analysis-live")
    driver.expect(".pv").to_have_count(3)
    driver.expect(f"{FIRST_LINE} >> .worth").to_have_text("win in 1")
    driver.expect("#evaluation").to_have_attribute("aria-valuetext", "Red: 100 %")
    driver.expect(".figures dd >> nth=0").not_to_have_text("–")
    driver.page.select_option("#analysis-lines", "5")
    driver.expect(".pv").to_have_count(5)
    driver.page.keyboard.press("Escape")
    driver.page.click("#step-first")
    driver.expect("#evaluation").not_to_have_attribute("aria-valuetext", "Red: 100 %")
    driver.expect(f"{FIRST_LINE} >> .worth").not_to_have_text("win in 1")
    driver.page.click("#step-last")
    driver.expect(f"{FIRST_LINE} >> .worth").to_have_text("win in 1")
    driver.page.click("#step-first")
    driver.expect(".pv").to_have_count(5)
    driver.page.uncheck("#analysis-live")
    driver.expect(".pv").to_have_count(0)
    driver.expect("#evaluation").to_be_hidden()
    driver.page.wait_for_timeout(300)
    begun = {message["id"] for message in talk.asked("analyse")}
    assert begun == {message["id"] for message in talk.heard if message["type"] == "done"}


def test_a_line_is_previewed_and_adopted(open_page: OpenPage) -> None:
    driver = open_analysis(open_page, GOMOKU, "analysis-live")
    page = driver.page
    driver.expect(f"{FIRST_LINE} >> .step >> nth=2").to_be_visible()
    page.hover(f"{FIRST_LINE} >> .step >> nth=2")  # while it is pointed at, the list stands still
    moves = page.locator(FIRST_LINE).locator(".step").all_inner_texts()
    driver.expect("#board .preview-stone").to_have_count(3)
    assert page.locator("#board .overlay.preview .number").all_text_contents() == ["1", "2", "3"]
    page.hover(f"{FIRST_LINE} >> .step >> nth=1")
    driver.expect("#board .preview-stone").to_have_count(2)
    page.hover(f"{FIRST_LINE} >> .worth")
    page.click(f"{FIRST_LINE} >> .worth")
    driver.expect("#toast").to_contain_text(f"{len(moves)} moves after move 6")
    driver.expect("#tree .move").to_have_count(6 + len(moves))
    driver.expect_stones(6)
    page.mouse.move(0, 0)
    driver.expect("#board .preview-stone").to_have_count(0)
    page.hover(f"{FIRST_LINE} >> .step >> nth=1")
    moves = page.locator(FIRST_LINE).locator(".step").all_inner_texts()[:2]
    page.click(f"{FIRST_LINE} >> .step >> nth=1")
    driver.expect_stones(8)
    driver.expect("#tree [aria-current]").to_contain_text(moves[-1])


def test_a_line_is_walked_along_by_keyboard(open_page: OpenPage) -> None:
    driver = open_page(GOMOKU)
    page = driver.page
    page.keyboard.press("a")
    driver.expect("#panel-analysis").to_be_visible()
    driver.expect(f"{FIRST_LINE} >> .step >> nth=2").to_be_visible()
    page.focus(f"{FIRST_LINE} >> .step >> nth=0")
    driver.expect("#board .preview-stone").to_have_count(1)
    page.keyboard.press("ArrowRight")
    driver.expect("#board .preview-stone").to_have_count(2)
    page.keyboard.press("Enter")
    driver.expect_stones(8)
    driver.expect("#tree").to_be_focused()
    page.keyboard.press("ArrowLeft")
    driver.expect_stones(7)
    page.keyboard.press("a")
    driver.expect("#evaluation").to_be_hidden()


def test_candidates_are_mapped_with_numbers_on_demand(open_page: OpenPage) -> None:
    driver = open_analysis(open_page, GOMOKU, "show-heat")
    driver.expect("#analysis-live").to_be_checked()
    driver.expect("#board circle.heat").to_have_count(10)
    assert driver.locate("#board .heat-number").count() == 0
    driver.page.check("#show-heat-numbers")
    driver.expect("#board .heat-number").to_have_count(10)
    driver.expect(".pv").to_have_count(3)
    driver.page.keyboard.press("m")
    driver.expect("#board .heat").to_have_count(0)


def test_exact_results_stand_above_columns_and_on_cells(open_page: OpenPage) -> None:
    driver = open_analysis(open_page, WIN_IN_ONE, "show-exact")
    driver.expect("#exact-words").to_have_text("With best play the side to move wins in 1 move.")
    columns: list[str | re.Pattern[str]] = [
        "L2",
        "L2",
        re.compile("."),
        "W1",
        "L2",
        "L2",
        "L2",
    ]  # c stops the other one, and the game goes on
    driver.expect("#board .names .label-text").to_have_text(columns)
    driver.open("#p=3x3x3:b2")
    driver.page.click("#tab-analysis")
    driver.page.check("#show-exact")
    driver.expect("#exact-words").to_have_text("With best play the side to move draws.")
    driver.expect("#board rect.is-draw").to_have_count(4)  # the corners
    driver.expect("#board rect.is-loss").to_have_count(4)
    driver.page.uncheck("#show-exact")
    driver.expect("#board rect.exact").to_have_count(0)


def test_threats_of_either_side_are_drawn_and_said(open_page: OpenPage) -> None:
    driver = open_analysis(open_page, "#p=6x7x4g:d.c.d.c.d", "show-threats")
    driver.expect("#threat-words").to_contain_text("Red: wins at d3")
    driver.expect("#threat-words").to_contain_text("Yellow: forces with")
    driver.expect("#board .threat.now").to_have_count(1)
    driver.expect("#board .threat.now.first").to_have_count(1)
    assert driver.locate("#board .threat.force.second").count() > 0
    driver.page.keyboard.press("ArrowLeft")
    driver.expect("#board .threat.now").to_have_count(0)
    driver.expect("#threat-words").to_contain_text("Red: forces with")
    driver.page.keyboard.press("t")
    driver.expect("#board .threat").to_have_count(0)


def test_a_game_is_reviewed(open_page: OpenPage) -> None:
    driver = open_analysis(open_page, THROWN_AWAY, "show-heat")
    page = driver.page
    page.select_option("#review-pace", "0.1")
    page.click("#review")
    driver.expect(".review-summary").to_contain_text("The game turned most at move 7, a.")
    driver.expect(".review-summary").to_contain_text("missed win")
    driver.expect("#analysis-live").to_be_checked()  # again
    missed = page.locator("#tree .move >> nth=6").locator(".glyph")
    assert missed.inner_text() == "??"
    title = missed.get_attribute("title")
    assert title is not None
    assert title.startswith("missed win")
    assert "better was d (win in 1)" in title
    assert driver.locate(".chart-mark.missed-win").count() > 0
    slider = page.locator(".chart")
    assert slider.get_attribute("aria-valuenow") == "8"
    slider.focus()
    page.keyboard.press("Home")
    driver.expect_stones(0)
    page.keyboard.press("PageDown")
    driver.expect("#tree [aria-current] .glyph").to_have_count(1)
    page.keyboard.press("ArrowRight")
    box = slider.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 3 / 8, box["y"] + 20)
    driver.expect_stones(3)
    driver.expect(".chart-words").to_contain_text("3. d")
    page.click("#tree .move >> nth=6")
    driver.expect(".review-better .worth").to_have_text("win in 1")
    page.click(".review-better .step >> nth=0")
    driver.expect("#tree .variation .move").to_have_text(["7.d"])
    driver.expect("#status").to_contain_text("Red wins")


def test_a_game_goes_on_while_it_is_analysed(open_page: OpenPage) -> None:
    switches = ("analysis-live", "show-exact", "show-threats")
    driver = open_analysis(open_page, "#p=10x10x5&second=engine", *switches)
    board = Board(Game(10, 10, 5))
    for _ in range(2):
        driver.click_move(board, next(move for move in ((4, 4), (5, 3), (2, 2)) if board.is_legal(move)))
        driver.wait_for_answer(board)
    driver.expect(".pv").to_have_count(3)


def test_somebody_in_a_hurry_asks_no_more_than_can_be_answered(open_page: OpenPage) -> None:
    position = format_position(random_board(Game(15, 15, 5), 1, 40))
    driver = open_page("#p=3x3x3")
    talk = Talk()
    talk.listen(driver)
    driver.open(f"#p={position}")
    driver.page.click("#tab-analysis")
    for switch in ("analysis-live", "show-exact", "show-threats"):
        driver.page.check(f"#{switch}")
    driver.page.focus("#step-back")
    for key in ("ArrowLeft", "ArrowRight"):
        for _ in range(30):
            driver.page.keyboard.press(key)
    driver.page.keyboard.press("Home")
    driver.expect(".pv").to_have_count(3)
    driver.expect("#connection").to_be_hidden()
    assert [message for message in talk.heard if message["type"] == "error"] == []
    assert len(talk.sent) < 120


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing_in_an_analysis(open_page: OpenPage, scheme: str, width: int) -> None:
    driver = open_analysis(open_page, WIN_IN_ONE, "show-exact", "show-threats", color_scheme=scheme, width=width)
    driver.page.select_option("#review-pace", "0.1")
    driver.page.click("#review")
    driver.expect(".review-summary").to_contain_text("Red:")
    driver.page.check("#analysis-live")
    driver.expect(".pv-list .pv").to_have_count(3)  # the review may show one more, of a better move
    driver.page.wait_for_timeout(200)  # the switch has slid
    assert complaints(driver) == []
