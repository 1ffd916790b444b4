"""Tournaments on the page: standings, games by player, replay, and one that is being played."""

from pathlib import Path

import pytest

from inarow.arena.standings import standings
from inarow.arena.store import Store
from inarow.game import Record
from tests.browser.conftest import OpenPage
from tests.browser.cup import CUP, PLANNED, play_on
from tests.browser.page_driver import PageDriver, stones_of
from tests.browser.test_access_page import complaints

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


def games_of(cup: Path) -> list[tuple[str, Record]]:
    with Store.read(cup) as store:
        return list(store.games())


def open_cup(open_page: OpenPage, cup: Path, **more: int) -> PageDriver:
    driver = open_page("#p=3x3x3", **more)
    driver.page.click("#tab-games")
    driver.expect(".game").to_have_count(len(games_of(cup)))
    return driver


def open_game(driver: PageDriver, number: int) -> None:
    driver.page.click(f".game:has(.quiet:text-is('{number}'))")
    driver.expect(".game[aria-current=true] > .quiet >> nth=0").to_have_text(str(number))


def test_standings_are_those_of_the_arena(open_page: OpenPage, cup: Path) -> None:
    driver = open_cup(open_page, cup)
    games = games_of(cup)
    driver.expect("#tournament-state").to_have_text(f"Paused: {len(games)} of {PLANNED} games on 4x4x3, 6x7x4g")
    rows = driver.locate(".standings tbody tr")
    expected = standings(CUP, games)
    assert rows.count() == len(expected)
    for row, line in zip(rows.all(), expected, strict=True):
        wins = line.wins_first + line.wins_second + line.wins_forfeit
        shown = [cell.inner_text() for cell in row.locator("th, td").all()]
        assert shown[1:6] == [line.player, str(line.points), str(wins), str(line.draws), str(line.losses)]


def test_axe_finds_nothing_in_a_tournament(open_page: OpenPage, cup: Path) -> None:
    assert complaints(open_cup(open_page, cup)) == []


def test_a_game_is_replayed_under_its_players_names_and_analysed(open_page: OpenPage, cup: Path) -> None:
    driver = open_cup(open_page, cup)
    record = games_of(cup)[2][1]
    open_game(driver, 3)
    driver.expect_stones(0)
    assert driver.locate(".seat strong").all_inner_texts() == list(record.players)
    driver.expect("#tree .comment").to_have_text("The first move was given.")
    driver.page.keyboard.press("End")
    driver.expect_stones(len(record.moves))
    assert driver.stones() == stones_of(record.board())
    assert record.outcome is not None
    winner = record.outcome.winner
    driver.expect("#status").to_contain_text("Draw" if winner is None else f"{record.players[winner]} wins")
    driver.page.keyboard.press("ArrowLeft")
    driver.page.click("#tab-analysis")
    driver.page.check("#analysis-live")
    driver.expect(".pv >> nth=0").to_be_visible()


def test_games_are_chosen_by_player(open_page: OpenPage, cup: Path) -> None:
    driver = open_cup(open_page, cup)
    own = [number for number, (_, record) in enumerate(games_of(cup), 1) if "greedy" in record.players]
    driver.page.select_option("#player-filter", "greedy")
    driver.expect(".game").to_have_count(len(own))
    shown = [int(number) for number in driver.locate(".game > .quiet:first-child").all_inner_texts()]
    assert shown == own[::-1]


def test_a_running_tournament_is_followed_and_its_newest_game_watched(open_page: OpenPage, cup: Path) -> None:
    driver = open_cup(open_page, cup)
    played = len(games_of(cup))
    with Store.open(cup, CUP) as store:
        driver.expect("#tournament-state").to_contain_text(f"Running: {played} of {PLANNED}")
        driver.page.check("#watch-newest")
        driver.expect(".game[aria-current=true] > .quiet >> nth=0").to_have_text(str(played))
        driver.page.uncheck("#watch-newest")
        play_on(store, 1)
        driver.expect("#tournament-state").to_contain_text(f"Running: {played + 1} of {PLANNED}")
        driver.expect(".game").to_have_count(played + 1)
        driver.page.check("#watch-newest")
        watched = f".game[aria-current=true]:has(.quiet:text-is('{played + 1}'))"
        driver.expect(watched).to_have_count(1)
        driver.expect_stones(2)  # it is played through by itself
        play_on(store, 1)
        driver.expect("#tournament-state").to_contain_text(f"Running: {played + 2} of {PLANNED}")
        driver.expect(watched).to_have_count(1)  # to its end, whatever is new meanwhile
        driver.page.keyboard.press("Home")
        driver.expect("#watch-newest").not_to_be_checked()
        driver.expect_stones(0)
    driver.expect("#tournament-state").to_contain_text("Paused")
    totals = driver.locate(".standings tbody tr td:nth-child(n+4):nth-child(-n+6)").all_inner_texts()
    assert sum(int(number) for number in totals) == 2 * (played + 2)
