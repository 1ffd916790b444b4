"""Books: there and back, mirror images, broken files."""

import json
from pathlib import Path

import pytest

from inarow import Board, FormatError, Game, parse_position
from inarow.game.book import Book
from tests.reference.solving import solved
from tests.unit.conftest import Run


def test_a_book_reads_back(tmp_path: Path) -> None:
    book = Book(Game(5, 5, 4))
    book.add(Board(book.game), (2, 2))
    book.add(parse_position("5x5x4:a1"), (2, 2), score=-7, depth=9)
    book.write(tmp_path / "book")
    again = Book.read(tmp_path / "book")
    assert again.game == book.game and list(again) == list(book) and len(again) == 2


def test_exact_values_read_back_and_belong_to_every_image(tmp_path: Path) -> None:
    book = Book(Game(6, 7, 4, gravity=True))
    book.add(Board(book.game), 3, value="win", plies=41)
    book.add(parse_position("6x7x4g:a"), 3, value="win")
    book.add(parse_position("6x7x4g:c"), 3, score=1, depth=2)
    book.write(tmp_path / "book")
    again = Book.read(tmp_path / "book")
    assert list(again) == list(book) and (tmp_path / "book").read_text().count("value") == 2
    entry = again.entry(parse_position("6x7x4g:g"))
    assert entry is not None and (entry.move, entry.value, entry.plies) == (3, "win", None)


def test_every_image_of_a_position_is_known() -> None:
    game = Game(5, 5, 4)
    book = Book(game)
    board = parse_position("5x5x4:b1.c1")
    book.add(board, (0, 0))
    for symmetry in game.symmetries:
        image = board.image(symmetry)
        assert book.move(image) == symmetry.apply(game, (0, 0))
    assert book.move(parse_position("5x5x4:c1.b1")) is None
    assert book.move(Board(game)) is None


def test_an_image_replaces_what_was_known() -> None:
    book = Book(Game(6, 7, 4, gravity=True))
    book.add(parse_position("6x7x4g:a"), 1)
    book.add(parse_position("6x7x4g:g"), 3)
    assert len(book) == 1 and book.move(parse_position("6x7x4g:a")) == 3


HEAD = '{"format": "inarow-book-1", "game": "3x3x3"}\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: a book begins with its format"),
        ("{}", "line 1: a book begins with its format"),
        ("nonsense", "line 1: "),
        ('{"format": "inarow-book-1", "game": "3x3"}', "line 1: '3x3' is not a game"),
        ('{"format": "inarow-book-1", "game": 7}', "line 1: "),
        (HEAD + "x", "line 2: "),
        (HEAD + "{}", "line 2: 'position'"),
        (HEAD + '{"position": "4x4x3", "move": "a1"}', "line 2: a position of 4x4x3 in a book of 3x3x3"),
        (HEAD + '{"position": "3x3x3:a1", "move": "a1"}', "line 2: a1 is not legal in 3x3x3:a1"),
        (HEAD + '{"position": "3x3x3", "move": "z"}', "line 2: 'z' is not a cell"),
        (HEAD + '{"position": "3x3x3", "move": "a1", "value": "won"}', "line 2: a value is win, draw or loss"),
        (HEAD + '{"position": "3x3x3", "move": "a1", "value": "win", "plies": 0}', "line 2: plies are"),
        (HEAD + '{"position": "3x3x3", "move": "a1", "value": "win", "plies": "5"}', "line 2: plies are"),
        (HEAD + '{"position": "3x3x3", "move": "a1", "plies": 5}', "line 2: plies are"),
        (HEAD + "[]", "line 2: "),
        (HEAD + '{"position": 3, "move": "a1"}', "line 2: "),
        (HEAD + '{"position": "3x3x3", "move": 1}', "line 2: "),
        (HEAD + "[" * 100_000, "line 2: "),
    ],
)
def test_a_broken_book_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "book").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        Book.read(tmp_path / "book")


def test_a_missing_book_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        Book.read(tmp_path / "nowhere")


@pytest.mark.parametrize("game", [Game(3, 3, 3), Game(3, 4, 3, gravity=True)], ids=str)
def test_a_book_with_exact_values_is_built_and_used(run: Run, tmp_path: Path, game: Game) -> None:
    file = tmp_path / "exact.book"
    shape = [str(game.rows), str(game.columns), str(game.k), *(["--gravity"] if game.gravity else [])]
    build = ["book", "build", *shape, "--plies", "2", "--depth", "1", "--memory", "4", "--json", "--out", str(file)]
    first = json.loads(run(*build)[1])
    assert first["exact"] == 0 and first["positions"] > 3
    status, printed, _ = run(*build, "--exact", "10")
    second = json.loads(printed)
    assert status == 0 and second["exact"] == second["positions"] == first["positions"]
    known = solved(game)
    for entry in Book.read(file):
        board = parse_position(entry.position)
        assert (entry.value, entry.plies) == known.value(board), entry
        worth = known.worth_of_move(board, entry.move)
        assert {"win": worth > 0, "draw": worth == 0, "loss": worth < 0}[entry.value or ""], entry
    answer = json.loads(run("move", *shape, "--player", f"telos:book={file}", "--json")[1])
    move = answer["move"] if game.gravity else tuple(answer["move"])
    assert move == Book.read(file).move(Board(game))


def test_what_is_not_solved_in_time_is_searched(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mixed.book"
    arguments = ["book", "build", "6", "7", "4", "-g", "--plies", "0", "--depth", "1", "--exact", "0.05"]
    status, printed, _ = run(*arguments, "--memory", "4", "--json", "--out", str(file))
    assert status == 0 and json.loads(printed)["exact"] == 0 and json.loads(printed)["positions"] == 1
    assert Book.read(file).move(Board(Game(6, 7, 4, gravity=True))) == 3
