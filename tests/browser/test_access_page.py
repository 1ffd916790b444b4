"""The page for everybody: labels, roles, contrast, shapes; and its manners: no script or request from elsewhere."""

import re

import pytest

from tests.browser.conftest import OpenPage
from tests.browser.page_driver import PageDriver

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

ENOUGH_FOR_TEXT = 4.5
ENOUGH_FOR_SHAPES = 3.0
SEVENTH_STONE = "#p=6x7x4g:d.d.e.e.c.c.b"


def complaints(driver: PageDriver) -> list[str]:
    """What axe-core finds wrong with the page as it is shown now."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    results = axe.Axe().run(driver.page).response
    return [f"{found['id']}: {node['html'][:160]}" for found in results["violations"] for node in found["nodes"]]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing(open_page: OpenPage, scheme: str, width: int) -> None:
    driver = open_page(SEVENTH_STONE, width=width, color_scheme=scheme, reduced_motion="reduce")
    page = driver.page
    found = {"over": complaints(driver)}
    page.click("#step-back")
    for tab in ("play", "analysis", "games"):
        page.click(f"#tab-{tab}")
        found[tab] = complaints(driver)
    for opener, close in (
        ("new-game", "new-game-cancel"),
        ("show-keys", "keys-close"),
        ("open-import", "import-cancel"),
    ):
        page.click(f"#{opener}")
        found[opener] = complaints(driver)
        page.click(f"#{close}")
    page.click("#new-game")
    page.select_option("#seat-0-player", "engine")
    page.click("#seat-0 summary")
    found["options"] = complaints(driver)
    assert {where: what for where, what in found.items() if what} == {}


def luminance(colour: str) -> float:
    """Relative luminance of a computed colour, by WCAG's formula."""
    channels = [float(number) / 255 for number in re.findall(r"[\d.]+", colour)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("position", ["15x15x5:h8.i9", "6x7x4g:d.e", "3x3x3:b2.a1"])
def test_stones_and_names_can_be_told_apart(open_page: OpenPage, position: str, scheme: str) -> None:
    driver = open_page(f"#p={position}", color_scheme=scheme)

    def colour(selector: str, name: str = "fill") -> str:
        return str(driver.page.eval_on_selector(selector, f"found => getComputedStyle(found).{name}"))

    assert contrast(colour("#board .names text"), colour("body", "backgroundColor")) >= ENOUGH_FOR_TEXT
    ground = colour("#board .ground")
    shapes = driver.page.eval_on_selector_all(
        "#board .stone",
        "all => all.map(stone => [...stone.children].map(part => [part.tagName, part.getAttribute('r')].join()))",
    )
    assert shapes[0] != shapes[1]
    if position.startswith("3x3"):
        strokes = [colour(f"#board .stone.{seat} .stroke", "stroke") for seat in ("first", "second")]
        assert all(contrast(stroke, ground) >= ENOUGH_FOR_SHAPES for stroke in strokes)
        return
    for seat in ("first", "second"):
        body = colour(f"#board .stone.{seat} .body")
        if "g" in position[:6]:  # a disc differs from the other one, and from its hole, by what is drawn on it
            assert contrast(colour(f"#board .stone.{seat} .emblem", "stroke"), body) >= ENOUGH_FOR_SHAPES
        else:
            edge = colour(f"#board .stone.{seat} .body", "stroke")
            assert max(contrast(body, ground), contrast(edge, ground)) >= ENOUGH_FOR_SHAPES
        driver.page.check("#show-numbers")
        assert contrast(colour(f"#board .number.{seat}"), body) >= ENOUGH_FOR_TEXT
        driver.page.uncheck("#show-numbers")


def test_colours_follow_the_system_until_the_switch_is_used(open_page: OpenPage) -> None:
    driver = open_page("#p=3x3x3", color_scheme="dark")

    def background() -> float:
        return luminance(driver.page.evaluate("getComputedStyle(document.body).backgroundColor"))

    assert background() < 0.1
    driver.page.emulate_media(color_scheme="light")
    driver.expect("#theme").to_have_attribute("aria-pressed", "false")
    assert background() > 0.8
    driver.page.click("#theme")
    driver.expect("#theme").to_have_attribute("aria-pressed", "true")
    assert background() < 0.1
    assert '"theme":"dark"' in driver.page.evaluate("localStorage.getItem('inarow-settings')")


def test_what_happens_is_said(open_page: OpenPage) -> None:
    driver = open_page(SEVENTH_STONE)
    assert driver.page.get_attribute("#live", "aria-live") == "polite"
    driver.expect("#live").to_contain_text("Red wins: 4 in a row")
    driver.page.keyboard.press("u")
    driver.expect("#live").to_contain_text("Taken back to move 6")
    driver.page.mouse.click(*driver.point((2, 4)))
    driver.expect("#live").to_contain_text("Red: e.")
    grid = driver.locate("[role=grid]")
    assert grid.get_attribute("aria-label") == "Board: 6 rows, 7 columns, 4 in a row win, stones fall"
    described = grid.get_attribute("aria-activedescendant")
    assert driver.locate(f"#{described}").get_attribute("role") == "gridcell"


def test_the_policy_holds_and_foreign_text_stays_text(open_page: OpenPage) -> None:
    driver = open_page("#p=3x3x3:b2")
    evil = "<img src=x onerror=\"document.title='hacked'\"><script>document.title='hacked'</script>"
    driver.page.fill("#comment", evil)
    driver.expect("#tree .comment").to_have_text(evil)
    assert driver.page.locator("#tree img").count() == 0
    response = driver.page.request.get(driver.site)
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert " style=" not in response.text()
    assert "hacked" not in driver.page.title()
