"""The sets of balanced openings: what is in the files, and whether the script would make them again."""

from argparse import Namespace
from pathlib import Path

import pytest
from training.openings import GAMES, Judge, balanced, candidate, make_set, read_set

from inarow import Board, FormatError, Game, SpecError, format_move, parse_moves, solve
from inarow.arena.openings import FOLDER, balanced_file, balanced_openings, read_openings
from inarow.arena.schedule import opening
from inarow.arena.spec import Tournament
from inarow.game import Limit, play_moves
from inarow.game.book import canonical_key
from tests.unit.conftest import Run

LEAST = 100
SEED = 1
GRAVITY = Game(6, 7, 4, gravity=True)


def test_there_is_a_set_for_each_of_the_boards() -> None:
    assert {file.name for file in FOLDER.glob("*.txt")} == {f"{game}.txt" for game in GAMES}


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_openings_are_legal_undecided_and_different_up_to_symmetry(game: Game) -> None:
    boards = [play_moves(game, parse_moves(game, text)) for text in balanced_openings(game)]
    assert len(boards) >= LEAST
    assert all(board.outcome is None and not wins_at_once(board) for board in boards)
    images = [{board.image(symmetry).key for symmetry in game.symmetries} for board in boards]
    assert all(board.key not in other for number, board in enumerate(boards) for other in images[:number])


def wins_at_once(board: Board) -> bool:
    for move in board.legal_moves:
        board.push(move)
        is_won = board.outcome is not None and board.outcome.winner is not None
        board.pop()
        if is_won:
            return True
    return False


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_opening_is_the_candidate_of_its_number(game: Game) -> None:
    openings = read_set(game, balanced_file(game))
    numbers = [one.number for one in openings]
    assert numbers == sorted(set(numbers))
    assert all(candidate(game, SEED, one.number).moves == one.board.moves for one in openings)


def test_connect4_openings_are_draws() -> None:
    board = read_set(GRAVITY, balanced_file(GRAVITY))[0].board
    assert solve(board, memory_mb=16, weak=True, best_moves=False).value == "draw"


@pytest.mark.parametrize("game", [Game(15, 15, 5), Game(8, 8, 4, gravity=True)], ids=str)
def test_the_same_seed_makes_the_same_set_and_another_one_another(game: Game) -> None:
    def made(seed: int) -> list[str]:
        return [str(one) for _, one in balanced(game, seed, 1000, [], 60) if one is not None]

    assert made(1) == made(1) != made(2)
    assert len({canonical_key(one) for one in (candidate(game, 1, number) for number in range(60))}) > 50


def test_what_is_lopsided_is_not_taken() -> None:
    game = Game(15, 15, 5)
    for moves in ("h8 a1 h9 a2 h10 a15", "h8 h9 i9 a1 g7 a15 j10"):
        assert Judge(game, 5000).why_balanced(play_moves(game, parse_moves(game, moves))) is None


def test_a_set_that_was_broken_off_goes_on(tmp_path: Path) -> None:
    game = Game(8, 8, 4, gravity=True)
    arguments = Namespace(count=3, nodes=200, seed=SEED, folder=tmp_path)
    made, part = tmp_path / "8x8x4g.txt", tmp_path / "8x8x4g.txt.part"
    assert make_set(game, arguments)["openings"] == 3
    whole = made.read_text()
    made.unlink()
    part.write_text("".join(whole.splitlines(keepends=True)[:2]))
    make_set(game, arguments)
    assert made.read_text() == whole and len(read_set(game, made)) == 3
    part.write_text("# of other settings\na a a\n")
    make_set(game, arguments)
    assert made.read_text() == whole and not part.exists()


def test_a_tournament_begins_with_them_in_turn() -> None:
    texts = balanced_openings(GRAVITY)
    tournament = Tournament(("greedy", "rules"), (GRAVITY,), Limit(nodes=1), openings=texts)
    for number in (1, 2, len(texts) + 1):
        moves = opening(tournament, GRAVITY, number)
        assert " ".join(map(format_move, moves)) == texts[(number - 1) % len(texts)]


def test_a_match_from_balanced_openings(run: Run) -> None:
    words = ["match", "6", "7", "4", "--gravity", "greedy", "rules", "--games", "2", "--openings", "balanced", "--json"]
    status, printed, errors = run(*words, "--in-process")
    assert status == 0 and '"games": 2' in printed, errors


def test_where_there_are_none(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no balanced openings for 3x3x3, only for 10x10x5, 15x15x5, "):
        balanced_openings(Game(3, 3, 3))
    empty = tmp_path / "empty"
    empty.write_text("# nothing\n\n")
    with pytest.raises(FormatError, match="has no openings"):
        read_openings(empty)
