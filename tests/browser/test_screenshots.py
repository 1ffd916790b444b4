"""Pictures of the page for the documentation: `make screenshots` writes them, the tests do not."""

from pathlib import Path

import pytest

from inarow.arena.store import Store
from tests.browser.conftest import OpenPage
from tests.browser.cup import CUP, PLANNED, play_on
from tests.browser.page_driver import PageDriver

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

GOMOKU = "15x15x5:h8.i9.i8.g8.h9.h10.j8.k8.g7.f6.i7.h7.g9.k5"
CONNECT4 = "6x7x4g:d.d.e.c.e.f.e.e.c.c.b.d.d.b"
SIZES = {"": {"width": 1280, "height": 800}, "-phone": {"width": 390, "height": 844, "is_mobile": True}}
SCHEMES = {"": "light", "-dark": "dark"}


def picture(driver: PageDriver, folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    driver.page.screenshot(path=folder / f"{name}.png")


@pytest.mark.parametrize(
    ("name", "fragment", "width", "height", "scheme"),
    [
        ("play", f"#p={GOMOKU}&second=engine", 1280, 800, "light"),
        ("play-dark", f"#p={CONNECT4}&second=engine", 1280, 800, "dark"),
        ("play-phone", f"#p={CONNECT4}&second=engine", 390, 844, "light"),
        ("play-phone-dark", f"#p={GOMOKU}&second=engine", 390, 844, "dark"),
    ],
)
def test_playing(
    open_page: OpenPage, pictures: Path | None, name: str, fragment: str, width: int, height: int, scheme: str
) -> None:
    if pictures is None:
        pytest.skip("pictures are written by `make screenshots`")
    driver = open_page(fragment, seconds=1, width=width, height=height, color_scheme=scheme, is_mobile=width < 600)
    driver.page.click("#hint")
    driver.expect("#board .hint-ring").to_have_count(1)
    driver.page.mouse.move(0, 0)
    picture(driver, pictures, name)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_analysing(open_page: OpenPage, pictures: Path | None, size: str, scheme: str) -> None:
    if pictures is None:
        pytest.skip("pictures are written by `make screenshots`")
    driver = open_page(f"#p={CONNECT4 if scheme else GOMOKU}", **SIZES[size], color_scheme=SCHEMES[scheme])
    page = driver.page
    page.click("#tab-analysis")
    page.click("#review")
    driver.expect(".review-summary").not_to_be_empty(timeout=20_000)
    page.click("#tree .move >> nth=5")
    page.check("#show-exact" if scheme else "#show-heat")
    page.check("#show-threats" if scheme else "#show-heat-numbers")
    page.check("#analysis-live")
    page.wait_for_timeout(6000)  # the engine has something to say
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    picture(driver, pictures, f"analysis{size}{scheme}")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_replaying(open_page: OpenPage, pictures: Path | None, cup: Path, size: str, scheme: str) -> None:
    if pictures is None:
        pytest.skip("pictures are written by `make screenshots`")
    with Store.open(cup, CUP) as store:
        play_on(store, PLANNED)
        records = [record for _, record in store.games()]
    number = 1 + max(range(PLANNED), key=lambda index: (records[index].game.gravity, len(records[index].moves)))
    driver = open_page(**SIZES[size], color_scheme=SCHEMES[scheme])
    driver.page.click("#tab-games")
    driver.page.click(f".game:has(.quiet:text-is('{number}'))")
    driver.page.click("#step-last")
    driver.expect_stones(len(records[number - 1].moves))
    driver.page.mouse.move(0, 0)
    driver.page.evaluate("document.querySelector('#panel-games').scrollTop = 90; scrollTo(0, 0)")
    driver.page.wait_for_timeout(700)  # the last stone has fallen
    picture(driver, pictures, f"replay{size}{scheme}")
