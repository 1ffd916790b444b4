"""Games on the page, played as a person plays them."""

from typing import TYPE_CHECKING

import pytest

from inarow import Board, Limit, parse_position
from inarow.game import parse_game
from inarow.players.base import ask
from inarow.players.registry import make_player
from tests.browser.conftest import OpenPage
from tests.browser.page_driver import PageDriver, stones_of

if TYPE_CHECKING:
    from playwright.sync_api import WebSocketRoute

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


def play_against(driver: PageDriver, person: str, board: Board, plies: int = 10_000) -> None:
    """Plays on until the game is over or so many stones lie; the person's moves are those of a player."""
    chooser = make_player(person)
    while not board.is_over and board.ply < plies:
        driver.click_move(board, ask(chooser, board, Limit(seconds=0.05)).move)
        if not board.is_over:
            driver.wait_for_answer(board)


@pytest.mark.parametrize("game", ["3x3x3", "6x7x4g"])
def test_a_game_is_won_against_random(open_page: OpenPage, game: str) -> None:
    driver = open_page(f"#p={game}&second=random:seed=1")
    board = Board(parse_game(game))
    assert driver.status == "Your move"
    play_against(driver, "rules", board)
    assert board.outcome is not None
    assert board.outcome.winner == 0
    driver.expect("#status").to_have_text(f"You win: {board.game.k} in a row")
    driver.expect("#board .win:not(.halo)").to_have_count(1)
    driver.expect(".seat.winner strong").to_have_text("You")
    driver.expect("#live").to_contain_text("You win")
    assert driver.stones() == stones_of(board)


def test_a_game_is_drawn(open_page: OpenPage) -> None:
    driver = open_page("#p=3x3x3&second=engine")
    board = Board(parse_game("3x3x3"))
    play_against(driver, "engine", board)
    driver.expect("#status").to_have_text("Draw: the board is full")
    assert driver.stones() == stones_of(board)
    driver.expect("#board .win").to_have_count(0)


def test_ten_moves_of_gomoku_against_the_engine(open_page: OpenPage) -> None:
    driver = open_page()  # a first visit: gomoku against the engine
    assert driver.page.inner_text("#game-title") == "Gomoku 15 × 15 · 5 in a row"
    board = Board(parse_game("15x15x5"))
    play_against(driver, "engine", board, plies=10)
    assert board.ply == 10
    assert driver.stones() == stones_of(board)
    driver.expect("#tree .move").to_have_count(10)


def test_a_new_game_from_the_dialog(open_page: OpenPage) -> None:
    driver = open_page()
    page = driver.page
    page.click("#new-game")
    page.click("#presets >> text=Tic-tac-toe")
    assert page.input_value("#rows") == "3"
    page.fill("#rows", "5")
    page.fill("#columns", "4")
    assert page.locator("#presets [aria-pressed=true]").count() == 0
    page.select_option("#seat-0-player", "random")
    page.click("#seat-0 summary")
    page.fill("#seat-0-seed", "7")
    page.select_option("#seat-1-player", "")
    page.fill("#seconds", "0.2")
    page.click("#start")
    driver.expect_stones(1)
    assert page.inner_text("#game-title") == "5 × 4 · 3 in a row"
    assert page.locator(".seat strong").all_inner_texts() == ["random", "You"]
    driver.expect("#status").to_have_text("Your move")
    driver.page.wait_for_url("**first=random*seed*7")


def test_bad_numbers_are_refused_in_the_dialog(open_page: OpenPage) -> None:
    driver = open_page("#p=3x3x3")
    driver.page.click("#new-game")
    driver.page.fill("#rows", "129")
    driver.page.click("#start")
    assert driver.locate("#new-game-dialog").is_visible()
    driver.page.click("#new-game-cancel")
    assert driver.page.inner_text("#game-title").startswith("Tic-tac-toe")


def test_take_back_and_rematch_with_seats_swapped(open_page: OpenPage) -> None:
    driver = open_page("#p=6x7x4g&second=rules")
    board = Board(parse_game("6x7x4g"))
    driver.click_move(board, 3)
    driver.wait_for_answer(board)
    driver.page.click("#take-back")
    driver.expect_stones(0)  # the answer and the person's own move
    driver.expect("#status").to_have_text("Your move")
    driver.page.click("#step-last")
    driver.expect_stones(2)  # they are still in the tree
    driver.page.click("#rematch")
    driver.expect_stones(1)  # rules begins now
    assert driver.page.locator(".seat strong").all_inner_texts() == ["rules", "You"]
    driver.expect("#status").to_have_text("Your move")


def test_resigning_ends_the_game(open_page: OpenPage) -> None:
    driver = open_page("#p=3x3x3&second=random")
    board = Board(parse_game("3x3x3"))
    driver.click_move(board, (1, 1))
    driver.wait_for_answer(board)
    driver.page.click("#resign")
    driver.expect("#status").to_have_text("You resigned: random wins")
    driver.page.mouse.click(*driver.point((2, 2) if board.stone((2, 2)) is None else (2, 1)))
    driver.expect("#toast").to_contain_text("This game is over")
    driver.expect_stones(2)


def test_two_persons_at_one_screen(open_page: OpenPage) -> None:
    driver = open_page("#p=3x3x3")
    assert driver.status == "Crosses to move"
    board = driver.click_moves("3x3x3", "b2", "a1", "a3", "c1", "b1", "b3", "c2", "a2", "c3")
    driver.expect("#status").to_have_text("Draw: the board is full")
    assert driver.stones() == stones_of(board)


def test_two_players_are_watched_and_paused(open_page: OpenPage) -> None:
    driver = open_page("#p=7x7x5&first=random:seed=3&second=random:seed=4")
    driver.locate("#board .stone").nth(1).wait_for()
    driver.page.click("#pause")
    driver.expect("#pause").to_have_text("Go on")
    count = len(driver.stones())
    driver.page.wait_for_timeout(600)
    assert len(driver.stones()) == count
    driver.page.click("#pause")
    driver.locate("#board .stone").nth(count + 1).wait_for()


def test_a_hint_is_a_move_that_wins(open_page: OpenPage) -> None:
    driver = open_page("#p=6x7x4g:d.d.e.e.c.c")
    driver.page.click("#hint")
    driver.expect("#board .hint-ring").to_have_count(1)
    driver.expect("#live").to_contain_text("Hint: ")
    driver.page.mouse.click(*driver.point((5, 1)))
    driver.expect("#board .hint-ring").to_have_count(0)
    driver.expect("#status").to_have_text("Red wins: 4 in a row")


def test_the_engine_moves_for_a_person_and_moves_now(open_page: OpenPage) -> None:
    driver = open_page("#p=15x15x5:h8", seconds=30)
    driver.page.keyboard.press("Space")
    driver.expect("#status").to_have_text("The engine is thinking")
    driver.page.wait_for_timeout(200)
    driver.page.keyboard.press("Space")
    driver.expect_stones(2)


def test_a_player_stops_when_the_person_looks_elsewhere(open_page: OpenPage) -> None:
    driver = open_page("#p=15x15x5:h8&second=engine", seconds=30)
    driver.page.keyboard.press("Space")
    driver.expect("#status").to_have_text("engine is thinking")
    driver.page.keyboard.press("ArrowLeft")
    driver.expect("#status").to_have_text("Your move")
    driver.expect_stones(0)
    driver.page.keyboard.press("End")
    driver.expect_stones(1)
    driver.expect("#status-note").to_have_text("Let it move, or move for it.")


def test_a_move_on_a_taken_cell_does_nothing(open_page: OpenPage) -> None:
    driver = open_page("#p=3x3x3:b2")
    driver.page.mouse.click(*driver.point((1, 1)))
    driver.expect_stones(1)
    driver.page.mouse.click(*driver.point((0, 0)))
    driver.expect_stones(2)
    assert driver.stones() == stones_of(parse_position("3x3x3:b2.a1"))


def test_a_lost_connection_is_said_and_made_again(open_page: OpenPage) -> None:
    driver = open_page("#p=3x3x3")
    sockets: list[WebSocketRoute] = []

    def watch(route: "WebSocketRoute") -> None:
        route.connect_to_server()
        sockets.append(route)

    driver.page.route_web_socket("**/socket", watch)
    driver.open("#p=3x3x3&second=random")
    sockets[-1].close(code=1012, reason="The server starts anew.")
    driver.expect("#connection").to_contain_text("The server starts anew. The page connects again by itself")
    driver.page.mouse.click(*driver.point((1, 1)))
    driver.expect_stones(2)  # random answers when the connection stands again
    driver.expect("#connection").to_be_hidden()
    assert len(sockets) == 2
