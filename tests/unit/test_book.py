"""Books: there and back, mirror images, broken files."""

from pathlib import Path

import pytest

from inarow import Board, FormatError, Game, parse_position
from inarow.game.book import Book


def test_a_book_reads_back(tmp_path: Path) -> None:
    book = Book(Game(5, 5, 4))
    book.add(Board(book.game), (2, 2))
    book.add(parse_position("5x5x4:a1"), (2, 2), score=-7, depth=9)
    book.write(tmp_path / "book")
    again = Book.read(tmp_path / "book")
    assert again.game == book.game and list(again) == list(book) and len(again) == 2


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
