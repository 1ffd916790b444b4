"""Names of cells and moves, texts of games and positions."""

import pytest

from inarow import (
    Board,
    FormatError,
    Game,
    InarowError,
    cell_name,
    format_connect4,
    format_position,
    parse_connect4,
    parse_game,
    parse_move,
    parse_moves,
    parse_position,
)


def test_cells_have_names() -> None:
    assert [cell_name(cell) for cell in ((0, 0), (7, 7), (2, 25), (0, 26), (127, 127))] == [
        "a1",
        "h8",
        "z3",
        "aa1",
        "dx128",
    ]


def test_moves_are_read_by_name_and_by_number() -> None:
    free, falling = Game(128, 128, 5), Game(128, 128, 5, gravity=True)
    assert parse_moves(free, " 7,7  H8 aa1 127,127 ") == [(7, 7), (7, 7), (0, 26), (127, 127)]
    assert parse_moves(falling, "3 d aa 127") == [3, 3, 26, 127]
    assert parse_moves(free, "") == []


@pytest.mark.parametrize("text", ["", "h", "8", "h0", "h08", "7,", "7;7", "-1,3", "7,7,7", "h8x", "ä1", "٣,٣"])
def test_what_is_not_a_cell_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="is not a cell: write a name such as h8"):
        parse_move(Game(15, 15, 5), text)


@pytest.mark.parametrize("text", ["", "d4", "-1", "3,3", "3.0", "abcd", "é"])
def test_what_is_not_a_column_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="is not a column: write a name such as d"):
        parse_move(Game(6, 7, 4, gravity=True), text)


@pytest.mark.parametrize("game", [Game(3, 3, 3), Game(128, 1, 7, gravity=True), Game(15, 20, 5)])
def test_games_read_back(game: Game) -> None:
    assert parse_game(str(game)) == game


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a game"),
        ("3x3", "'3x3' is not a game: write ROWSxCOLUMNSxK, with a g at the end for gravity"),
        ("3x3x3x3", "is not a game"),
        ("3x3x3f", "is not a game"),
        ("0x3x3", "rows must be 1 to 128, not 0"),
        ("3x3x129", "k must be 1 to 128, not 129"),
        ("3x3x3:", "ends with a colon but names no moves"),
        ("3x3x3:a1..b1", "'' is not a cell"),
        ("3x3x3:a1 b1", "'a1 b1' is not a cell"),
        ("3x3x3:d1", r"move 1 of the position: cell \(0, 3\) is off the board"),
        ("3x3x3:a1.a1", r"move 2 of the position: cell \(0, 0\) is taken"),
        ("3x3x3:a1.b1.a2.b2.a3.b3", "move 6 of the position: the game is over: first wins with a line"),
        ("2x2x3g:a.a.a", "move 3 of the position: column 0 is full"),
        ("x" * 1000, "xxx…' is not a game"),
        ("3x3x3\n:a1", "is not a game"),
    ],
)
def test_a_broken_position_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InarowError, match=message) as caught:
        parse_position(text)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 200


def test_the_order_of_moves_is_kept() -> None:
    text = "15x15x5:h8.i9.g7"
    assert format_position(parse_position(text)) == text
    assert parse_position(f" {text}\n").moves == ((7, 7), (8, 8), (6, 6))


def test_connect4_strings() -> None:
    game = Game(6, 7, 4, gravity=True)
    assert parse_connect4(game, "4453").moves == (3, 3, 4, 2)
    assert format_connect4(parse_connect4(game, "4453")) == "4453"
    assert parse_connect4(game, "") == Board(game)
    for text, message in (("0", "columns are digits from 1"), ("4x", "columns are digits"), ("8", "column 7 is off")):
        with pytest.raises(FormatError, match=message):
            parse_connect4(game, text)
    for other in (Game(6, 7, 4), Game(6, 10, 4, gravity=True)):
        with pytest.raises(FormatError, match="needs a game with gravity and at most 9 columns"):
            parse_connect4(other, "1")
