"""The report's page in a real browser: Debian's chromium, driven by playwright."""

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from inarow import Board, Game, Limit, Outcome, Reason, Record
from inarow.arena.report import write_report
from inarow.arena.schedule import schedule
from inarow.arena.spec import Tournament
from inarow.game import play_moves
from tests.randoms import random_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CELL = 24  # board.js draws a cell so large

EVIL = "<img src=x onerror=\"document.title='hacked'\"></script><script>document.title='hacked'</script>"
PLAYERS = ("telos", EVIL, 'a & b\'s "best"')
BOARDS = (
    *(Game(3, 3, 3), Game(6, 7, 4, gravity=True), Game(10, 10, 5), Game(1, 1, 1)),
    *(Game(128, 128, 5), Game(70, 128, 6, gravity=True), Game(1, 128, 4)),
)
TOURNAMENT = Tournament(PLAYERS, BOARDS, Limit(seconds=1), rounds=2, openings="random:2")
LATE = "late: 1.2 s, the limit is 1 s"

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


def tournament_games() -> dict[str, Record]:
    """Random games by key. What is not over after 60 plies is forfeited by whoever is to move."""
    games = {}
    for number, job in enumerate(schedule(TOURNAMENT, {})):
        board = play_moves(job.game, job.opening)
        for _, move in random_game(job.game, seed=number):
            if board.is_legal(move):
                board.push(move)
        outcome = board.outcome or Outcome(board.turn.other, Reason.FORFEIT, detail=LATE)
        seconds = tuple(ply / 100 for ply in range(board.ply))
        games[job.key] = Record(
            job.game, job.players, board.moves, outcome, seconds, job.limit, "2026-02-03", opening=len(job.opening)
        )
    return games


GAMES = tournament_games()
LONGEST = max(GAMES, key=lambda key: len(GAMES[key].moves) if GAMES[key].game == Game(10, 10, 5) else 0)


def link(key: str, ply: int | None = None) -> str:
    return "#" + urlencode({"game": key} if ply is None else {"game": key, "ply": ply})


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_report(TOURNAMENT, GAMES.items(), tmp_path_factory.mktemp("report")).as_uri()


@pytest.fixture
def page(browser: "Browser", address: str) -> Iterator["Page"]:
    """The open report. Whatever the console says, and every request to anywhere, makes the test fail."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(10_000)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith("file:") else complaints.append(request.url))
    page.goto(address)
    page.wait_for_selector("#moves li")
    yield page
    assert page.title() == "3 players on 7 boards, 1 s a move"
    context.close()
    assert complaints == []


def expect_count(page: "Page", selector: str, count: int) -> None:
    """Waits until so many elements are there. The page's policy forbids playwright to wait for an expression."""
    sync_api.expect(page.locator(selector)).to_have_count(count)


def stones(page: "Page") -> dict[tuple[int, int], str]:
    """The seats of the stones on the board that is shown, by cell."""
    circles = page.eval_on_selector_all(
        "#board .stone", "stones => stones.map(s => [s.cy.baseVal.value, s.cx.baseVal.value, s.classList[1]])"
    )
    return {(int(y // CELL), int(x // CELL)): seat for y, x, seat in circles}


def stones_of(board: Board) -> dict[tuple[int, int], str]:
    return {cell: str(seat) for cell in board.game.cells if (seat := board.stone(cell)) is not None}


def test_all_parts_are_shown(page: "Page") -> None:
    assert page.locator("h1").inner_text() == "3 players on 7 boards"
    assert "84 games" in page.locator("#facts").inner_text()
    rows = page.locator("#standings tbody tr")
    assert rows.count() == len(PLAYERS)
    assert set(page.locator("#standings tbody th").all_inner_texts()) == set(PLAYERS)
    assert rows.first.locator("td").first.inner_text() == "1"
    assert page.locator("#cross-table .heat").count() == len(PLAYERS) * (len(PLAYERS) - 1)
    assert page.locator("#by-board .heat").count() == len(PLAYERS) * (len(BOARDS) + 1)
    assert page.locator("#ratings tbody .dot").count() == len(PLAYERS)
    assert page.locator("#time tbody .box").count() == len(PLAYERS)
    forfeits = sum(record.outcome is not None and bool(record.outcome.detail) for record in GAMES.values())
    assert page.locator("#forfeits tbody tr").count() == forfeits > 0
    assert page.locator("#forfeits tbody tr").first.locator(".wide").inner_text() == LATE


def test_a_game_is_stepped_through_with_the_keyboard(page: "Page") -> None:
    number = list(GAMES).index(LONGEST)
    page.locator("#game-list tbody tr").nth(number).click()
    record = GAMES[LONGEST]
    last = len(record.moves)
    expect_count(page, "#moves li", last)
    assert stones(page) == stones_of(record.board())
    for key, ply in (("ArrowLeft", last - 1), ("Home", 0), ("ArrowLeft", 0), ("ArrowRight", 1), ("ArrowRight", 2)):
        page.keyboard.press(key)
        assert stones(page) == stones_of(play_moves(record.game, record.moves[:ply]))
    assert page.locator("#board .stone.given").count() == 2
    assert page.locator("#moves [aria-current]").inner_text().split()[0] == "2"
    page.keyboard.press("End")
    assert len(stones(page)) == last
    page.wait_for_url(lambda url: url.endswith(link(LONGEST, last)))


def test_buttons_slider_and_move_list_step_too(page: "Page", address: str) -> None:
    page.goto(address + link(LONGEST, 0))
    expect_count(page, "#board .stone", 0)
    page.click("#step-forward")
    page.click("#step-forward")
    page.click("#step-back")
    assert len(stones(page)) == 1
    page.locator("#step-slider").fill("7")
    assert len(stones(page)) == 7
    assert "Move 7 of" in page.locator("#viewer-move").inner_text()
    assert "(0.060 s)" in page.locator("#viewer-move").inner_text()
    page.locator("#moves button").nth(4).click()
    assert len(stones(page)) == 5
    page.click("#step-last")
    page.click("#step-first")
    assert len(stones(page)) == 0
    page.check("#show-numbers")
    page.click("#step-forward")
    assert page.locator("#board .marks text").all_text_contents() == ["1"]


def test_a_game_plays_by_itself(page: "Page", address: str) -> None:
    key = next(key for key, record in GAMES.items() if record.game == Game(3, 3, 3) and record.outcome)
    page.goto(address + link(key))
    plies = len(GAMES[key].moves)
    page.click("#step-play")
    expect_count(page, "#board .stone", 3)
    expect_count(page, "#step-play[aria-pressed=false]", 1)
    assert len(stones(page)) == plies


@pytest.mark.parametrize("game", BOARDS, ids=str)
def test_boards_of_all_sizes_show_their_stones(page: "Page", address: str, game: Game) -> None:
    key = next(key for key, record in GAMES.items() if record.game == game)
    record = GAMES[key]
    page.goto(address + link(key))
    expect_count(page, "#moves li", len(record.moves))
    assert stones(page) == stones_of(record.board())
    assert page.locator("#board .win").count() == (record.outcome is not None and record.outcome.line is not None)
    assert page.locator("#board svg").evaluate("board => board.clientWidth > 30 && board.clientHeight > 10")
    if max(game.rows, game.columns) > 20:
        page.uncheck("#zoom")
        assert stones(page) == stones_of(record.board())


def test_the_winning_line_goes_through_its_cells(page: "Page", address: str) -> None:
    key, record = next((key, record) for key, record in GAMES.items() if record.outcome and record.outcome.line)
    assert record.outcome is not None
    assert record.outcome.line is not None
    page.goto(address + link(key))
    ends = page.locator("#board .win").evaluate("line => ['y1', 'x1', 'y2', 'x2'].map(n => +line.getAttribute(n))")
    cells = [int(end // CELL) for end in ends]
    assert cells == [*record.outcome.line[0], *record.outcome.line[-1]]
    page.keyboard.press("ArrowLeft")
    assert page.locator("#board .win").count() == 0


def test_a_link_opens_a_game_at_a_ply(page: "Page", address: str) -> None:
    page.goto(address + "#game=nothing")
    page.reload()
    expect_count(page, "#moves li", len(next(iter(GAMES.values())).moves))
    page.goto(address + link(LONGEST, 4))
    page.reload()
    expect_count(page, "#board .stone", 4)
    first, second = GAMES[LONGEST].players
    assert page.locator("#viewer-title").inner_text() == f"{first} against {second}"
    for nonsense in ("#game=nothing&ply=x", link(LONGEST) + "&ply=x", "#%E0%A4%A", link(LONGEST, 10**6)):
        page.goto(address + nonsense)
    expect_count(page, "#board .stone", len(GAMES[LONGEST].moves))


def test_filters(page: "Page") -> None:
    def shown() -> int:
        return int(page.locator("#filter-count").inner_text().split()[0])

    def expected(*, player: str = "", board: str = "", forfeited: bool = False) -> int:
        return sum(
            (not player or player in record.players)
            and (not board or str(record.game) == board)
            and (not forfeited or (record.outcome is not None and record.outcome.reason is Reason.FORFEIT))
            for record in GAMES.values()
        )

    assert shown() == len(GAMES) == 84
    page.select_option("#filter-player", EVIL)
    assert shown() == expected(player=EVIL) < 84
    page.select_option("#filter-board", "10x10x5")
    assert shown() == expected(player=EVIL, board="10x10x5")
    assert page.locator("#game-list tbody tr").count() == shown()
    won = sum(
        record.outcome is not None
        and record.outcome.winner is not None
        and record.players[record.outcome.winner] == EVIL
        and record.game == Game(10, 10, 5)
        for record in GAMES.values()
    )
    page.select_option("#filter-result", "won")
    assert shown() == won
    page.click("#filters [type=reset]")
    sync_api.expect(page.locator("#filter-count")).to_have_text("84 of 84 games")
    page.select_option("#filter-result", "forfeit")
    assert shown() == expected(forfeited=True)
    page.click("#filters [type=reset]")
    page.fill("#filter-text", "TELOS 3x3x3")
    assert shown() == expected(player="telos", board="3x3x3")
    page.fill("#filter-text", "nobody")
    assert shown() == 0


def test_a_cell_of_the_tables_shows_its_games(page: "Page") -> None:
    page.locator("#by-board .heat button").nth(2).click()
    assert page.locator("#filter-board").input_value() == "6x7x4g"
    assert page.locator("#filter-count").inner_text().startswith("8 of")
    page.locator("#cross-table .heat button").first.click()
    assert page.locator("#filter-opponent").input_value() in PLAYERS
    assert page.locator("#filter-count").inner_text().startswith("28 of")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(page: "Page", address: str, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": 360, "height": 740})
    for key in ("", link(LONGEST)):
        page.goto(address + key)
        assert page.evaluate("document.documentElement.scrollWidth") == 360
