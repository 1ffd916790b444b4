"""Game trees: what is written as SGF is read again, whatever the board, the variations and the comments."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inarow import Board, FormatError, Game, Record
from inarow.game import GameTree, parse_sgf, play_moves, to_sgf, write_sgf
from inarow.game.exchange import from_psq, to_psq

games = st.builds(Game, st.integers(1, 20), st.integers(1, 20), st.integers(1, 20), st.booleans())
comments = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=20)
names = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)


@st.composite
def trees(draw: st.DrawFn) -> GameTree:
    """Random games that branch off from any earlier position."""
    tree = GameTree(draw(games), draw(comments))
    for _ in range(draw(st.integers(0, 12))):
        parent = draw(st.integers(0, len(tree) - 1))
        moves = play_moves(tree.game, tree.line(parent)).legal_moves
        if moves:
            tree.add(parent, draw(st.sampled_from(moves)), draw(comments))
    return tree


@given(trees(), names, names)
def test_trees_survive_sgf(tree: GameTree, first: str, second: str) -> None:
    read = parse_sgf(write_sgf(tree, (first, second)))
    assert read.tree == tree
    assert read.players == (" ".join(first.split()) or "?", " ".join(second.split()) or "?")


@given(trees())
def test_a_walk_visits_every_node_with_its_board(tree: GameTree) -> None:
    visited = [0]
    for number, board in tree.walk():
        assert tree[number].parent in visited and board.moves == tree.line(number)
        visited.append(number)
    assert sorted(visited) == list(range(len(tree)))


@given(trees())
def test_a_record_is_its_main_line(tree: GameTree) -> None:
    record = Record.of(play_moves(tree.game, tree.main_line()), ("a", "b"))
    assert parse_sgf(to_sgf(record)).tree.main_line() == record.moves
    if not tree.game.gravity:
        assert from_psq(to_psq(record), tree.game.k).moves == record.moves


@given(st.text(st.sampled_from("();BWC[]\\ab1:SZGN \n"), max_size=60))
def test_no_text_makes_the_reader_stumble(text: str) -> None:
    for start in ("", "(;SZ[3]", "(;GN[6x7x4g]"):
        try:
            parse_sgf(start + text).tree.check()
        except (FormatError, ValueError) as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "begins with"),
        ("(;SZ[15]", "a ) is missing"),
        ("(;SZ[15];B[hh]))", None),
        ("(;B[hh])", "size of its board"),
        ("(;SZ[15];B[hh];B[ii])", "should be of W"),
        ("(;SZ[15];B[hh]W[ii])", "is of B and W"),
        ("(;SZ[15];B[])", "two letters"),
        ("(;SZ[15];B[zz])", "off the board"),
        ("(;SZ[15];B[hh];W[hh])", "is taken"),
        ("(;SZ[15]AB[hh];W[ii])", "set up"),
        ("(;GN[6x7x4g];B[da])", "falls to d6"),
        ("(;SZ[15];B[hh] nonsense)", "cannot be read at"),
        ("[x]", "a value without a property"),
    ],
)
def test_what_is_wrong_is_told(text: str, words: str | None) -> None:
    if words is None:
        assert len(parse_sgf(text).tree) == 2
        return
    with pytest.raises(FormatError, match=re.escape(words)):
        parse_sgf(text)


def test_files_of_other_programs() -> None:
    """Spaces and line ends anywhere, long names of properties, comments in nodes without a move, a move in the root."""
    head = "some mail\n( ; GaMe [4] SZ[ 19 ]\nPlayerBlack[A \\] B]C[one\\\ntwo]B[dd]; C[three] "
    game = parse_sgf(head + ";W [ qq ](;B[ab]) ( ;B[ba] ) ) (;SZ[3])")
    assert game.players == ("A ] B", "second") and game.tree.game == Game(19, 19, 5)
    assert game.tree[1].comment == "onetwo\nthree" and len(game.tree) == 5


def test_trees_say_what_is_wrong() -> None:
    tree = GameTree.of_line(Game(3, 3, 3), ((1, 1), (1, 1)))
    with pytest.raises(FormatError, match=re.escape("node 2 of the game tree, move 2: cell (1, 1) is taken")):
        tree.check()
    with pytest.raises(FormatError, match="comes after node 7"):
        tree.add(7, (0, 0))
    assert tree != GameTree(Game(3, 3, 3)) and tree != Board(Game(3, 3, 3))
