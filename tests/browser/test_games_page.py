"""The game as a tree, and games in and out of the page: import, export, links, pictures."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from inarow import parse_position
from tests.browser.conftest import OpenPage
from tests.browser.page_driver import PageDriver, stones_of

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

LINE = "15x15x5:h8.i9.i8.g8.h9"
SVG = "{http://www.w3.org/2000/svg}"


def import_text(driver: PageDriver, text: str, k: int = 5) -> None:
    driver.page.click("#tab-games")
    driver.page.click("#open-import")
    driver.page.fill("#import-text", text)
    driver.page.fill("#import-k", str(k))
    driver.page.click("#import-open")


def export_text(driver: PageDriver, kind: str) -> str:
    driver.page.click("#tab-games")
    driver.page.click("#open-export")
    driver.page.select_option("#export-format", kind)
    driver.expect("#export-save").to_be_enabled()
    text = driver.page.input_value("#export-text")
    driver.page.click("#export-close")
    return text


def test_undo_and_redo_through_the_tree(open_page: OpenPage) -> None:
    driver = open_page(f"#p={LINE}")
    page = driver.page
    for button, count in (("back", 4), ("back", 3), ("first", 0), ("forward", 1), ("last", 5), ("back", 4)):
        page.click(f"#step-{button}")
        driver.expect_stones(count)
    page.click("#tree .move >> nth=1")
    driver.expect_stones(2)
    assert driver.stones() == stones_of(parse_position("15x15x5:h8.i9"))
    driver.expect("#tree [aria-current]").to_have_text("2.i9")
    driver.expect("#status-note").to_contain_text("Move 2 of 5")


def test_a_variation_is_played_commented_made_main_and_deleted(open_page: OpenPage) -> None:
    driver = open_page(f"#p={LINE}")
    page = driver.page
    page.click("#tree .move >> nth=1")
    page.mouse.click(*driver.point((6, 6)))
    driver.expect("#tree .variation .move").to_have_text(["3.g7"])
    page.fill("#comment", "a second <b>idea</b>")
    driver.expect("#tree .comment").to_have_text("a second <b>idea</b>")
    assert driver.stones() == stones_of(parse_position("15x15x5:h8.i9.g7"))
    page.click("#promote")
    driver.expect("#tree > .line > .move").to_have_text(["1.h8", "2.i9", "3.g7"])
    driver.expect("#tree .variation .move").to_have_text(["3.i8", "4.g8", "5.h9"])
    page.keyboard.press("ArrowDown")
    driver.expect("#tree [aria-current]").to_have_text("3.i8")
    page.click("#remove")
    driver.expect("#tree .move").to_have_text(["1.h8", "2.i9", "3.g7"])
    driver.expect_stones(2)


def test_what_is_exported_is_imported_again(open_page: OpenPage) -> None:
    driver = open_page(f"#p={LINE}")
    texts = {kind: export_text(driver, kind) for kind in ("position", "sgf", "psq", "record")}
    assert len(set(texts.values())) == len(texts)
    for text in texts.values():
        import_text(driver, "1x1x1")
        driver.expect_stones(0)
        import_text(driver, text)
        driver.expect_stones(5)
        assert driver.stones() == stones_of(parse_position(LINE))
        driver.expect("#tree .move").to_have_text(["1.h8", "2.i9", "3.i8", "4.g8", "5.h9"])


def test_sgf_keeps_variations_and_comments(open_page: OpenPage) -> None:
    driver = open_page(f"#p={LINE}")
    driver.page.click("#tree .move >> nth=1")
    driver.page.mouse.click(*driver.point((6, 6)))
    driver.page.fill("#comment", "an [idea]: 50% \\ more")
    text = export_text(driver, "sgf")
    driver.open("#p=3x3x3")
    import_text(driver, text)
    driver.expect("#tree .variation .move").to_have_text(["3.g7"])
    driver.expect("#tree .comment").to_have_text("an [idea]: 50% \\ more")


def test_a_connect4_string(open_page: OpenPage) -> None:
    driver = open_page()
    import_text(driver, "4453")
    driver.expect_stones(4)
    assert driver.stones() == stones_of(parse_position("6x7x4g:d.d.e.c"))
    assert export_text(driver, "connect4").strip() == "4453"


def test_a_text_that_is_no_game_is_refused_in_words(open_page: OpenPage) -> None:
    driver = open_page("#p=3x3x3:b2", allow_errors=True)
    for text in ("", "hello", "3x3x3:b2.b2", "999x3x3", "(;GM[4]SZ[15];B[zz"):
        import_text(driver, text)
        driver.expect("#import-problem").not_to_have_text("")
        assert driver.locate("#import-dialog").is_visible()
        driver.page.click("#import-cancel")
    driver.expect_stones(1)


def test_a_file_is_imported_and_saved(open_page: OpenPage, tmp_path: Path) -> None:
    driver = open_page(f"#p={LINE}")
    driver.page.click("#tab-games")
    driver.page.click("#open-export")
    driver.page.select_option("#export-format", "sgf")
    driver.expect("#export-save").to_be_enabled()
    with driver.page.expect_download() as download:
        driver.page.click("#export-save")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.suffix == ".sgf"
    driver.open("#p=3x3x3")
    driver.page.click("#tab-games")
    driver.page.click("#open-import")
    driver.page.set_input_files("#import-file", file)
    driver.expect("#import-text").to_have_value(file.read_text())
    driver.page.click("#import-open")
    driver.expect_stones(5)


def test_a_file_is_dropped_on_the_page(open_page: OpenPage) -> None:
    driver = open_page("#p=3x3x3")
    drop = """text => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "game.txt"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }"""
    driver.page.evaluate(drop, LINE)
    driver.expect("#import-text").to_have_value(LINE)
    driver.page.click("#import-open")
    driver.expect_stones(5)


def test_a_link_opens_the_same_position_in_a_new_tab(open_page: OpenPage) -> None:
    driver = open_page("#p=6x7x4g:d.d&second=random:seed=5", permissions=["clipboard-read", "clipboard-write"])
    driver.page.mouse.click(*driver.point((5, 4)))
    driver.expect_stones(4)
    shown = driver.stones()
    driver.page.click("#tab-games")
    driver.page.click("#copy-link")
    driver.expect("#toast").to_contain_text("link is copied")
    link = driver.page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(driver.site + "#p=6x7x4g:d.d.e.")
    tab = PageDriver(driver.page.context.new_page(), driver.site)
    tab.open(link.removeprefix(driver.site))
    assert tab.stones() == shown
    assert tab.page.locator(".seat strong").all_inner_texts() == ["You", "random"]
    driver.page.wait_for_url(link)


def test_a_broken_link_is_survived(open_page: OpenPage) -> None:
    driver = open_page()
    for fragment in ("#p=3x3x3:b2.b2", "#p=0x0x0", "#p=%E0%A4%A", "#x", "#p=3x3x3:b2&first=nobody:x=1"):
        driver.open(fragment)
        assert driver.status.endswith("move")


def test_a_picture_is_saved_as_svg_and_png(open_page: OpenPage, tmp_path: Path) -> None:
    driver = open_page("#p=6x7x4g:d.d.e.e.c.c.b")
    driver.page.click("#tab-games")
    for kind in ("svg", "png"):
        with driver.page.expect_download() as download:
            driver.page.click(f"#save-{kind}")
        assert download.value.suggested_filename == f"inarow-6x7x4g-7.{kind}"
        download.value.save_as(tmp_path / f"board.{kind}")
    picture = ElementTree.fromstring((tmp_path / "board.svg").read_text())
    assert len([group for group in picture.iter(f"{SVG}g") if "stone " in group.get("class", "")]) == 7
    assert {text.text for text in picture.iter(f"{SVG}text")} >= {"a", "g", "1", "6"}
    assert not [element for element in picture.iter() if element.get("style")]
    png = (tmp_path / "board.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") == 1600
