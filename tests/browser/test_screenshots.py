"""Pictures of the page for the documentation: `make screenshots` writes them, the tests do not."""

from pathlib import Path

import pytest

from tests.browser.conftest import OpenPage

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

GOMOKU = "15x15x5:h8.i9.i8.g8.h9.h10.j8.k8.g7.f6.i7.h7.g9.k5"
CONNECT4 = "6x7x4g:d.d.e.c.e.f.e.e.c.c.b.d.d.b"


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
    pictures.mkdir(parents=True, exist_ok=True)
    driver.page.screenshot(path=pictures / f"{name}.png")
