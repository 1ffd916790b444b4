"""Specs, options, and the players of the course."""

from collections.abc import Callable
from typing import Any

import pytest

from inarow import (
    PLAYERS,
    Board,
    Choice,
    Game,
    Limit,
    Move,
    Player,
    PlayerError,
    Seat,
    SpecError,
    ask,
    begin,
    make_player,
    parse_position,
)
from tests.shapes import GAMES

LIMIT = Limit(seconds=1)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nobody", "no player is called 'nobody'; there are "),
        ("quasirandom", "did you mean quasi_random?"),
        ("", "no player is called ''"),
        ("random:seed", "random: 'seed' is not of the form option=value"),
        ("random:speed=1", "random has no option 'speed'; it has seed"),
        ("random:seed=one", "random: seed takes whole number, not 'one'"),
        ("telos:memory_mb=-1", "telos: memory_mb must be at least 1, not -1"),
        ("markcello:threads=65", "markcello: threads must be at most 64, not 65"),
        ("markcello:q=0", "markcello: q must be at least 1, not 0"),
        ("engine:without=null_move+luck", "no heuristic is called 'luck'; there are aspiration, "),
        ("random:seed=1,seed=2", "random: option 'seed' is given twice"),
        ("python:", "a Python player is written python:FILE.py:Class"),
        ("python:nowhere.py:Me", "there is no file nowhere.py"),
        ("python:player.py", "a Python player is written python:FILE.py:Class"),
    ],
)
def test_a_wrong_spec_is_refused(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message.replace("?", r"\?")):
        make_player(spec)


def test_every_registered_player_is_made_by_its_name() -> None:
    for info in PLAYERS:
        assert isinstance(make_player(info.name), Player)
        assert info.summary
        assert all(option.help and option.type for option in info.options)


@pytest.mark.parametrize("name", [info.name for info in PLAYERS])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_player_moves_legally_on_every_board(game: Game, name: str) -> None:
    limit = Limit(nodes=100, depth=3)
    player, opponent = make_player(name), make_player("random:seed=3")
    board = Board(game)
    player.start(game, Seat.FIRST, limit)
    for _ in range(4):
        for one in (player, opponent):
            if not board.is_over:
                board.push(ask(one, board, limit).move)


def play(game: Game, specs: tuple[str, str]) -> Board:
    board = Board(game)
    players = [make_player(spec) for spec in specs]
    for seat, player in zip(Seat, players, strict=True):
        player.start(game, seat, LIMIT)
    while not board.is_over:
        board.push(ask(players[board.turn], board, LIMIT).move)
    return board


@pytest.mark.parametrize("name", ["random", "quasi_random"])
def test_the_same_seed_plays_the_same_game(name: str) -> None:
    game = Game(6, 7, 4, gravity=True)
    moves = [play(game, (f"{name}:seed={seed}", f"{name}:seed=9")).moves for seed in (1, 1, 2)]
    assert moves[0] == moves[1] != moves[2]


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        ("3x3x3:a1.b1.a2.b2", {(2, 0)}),  # wins, rather than block b3
        ("3x3x3:a1.b1.a2", {(2, 0)}),  # blocks
        ("6x7x4g:d.a.d.a.d", {3}),  # blocks the column
        ("6x7x4g:a.d.a.d.a.d", {0}),  # wins
        ("4x4x3g:a.a.b.b", {2}),  # both sides have two in a row: wins with c, below the other's c
    ],
)
def test_quasi_random_sees_one_move_ahead(position: str, moves: set[Move]) -> None:
    board = parse_position(position)
    for seed in range(20):
        assert ask(make_player(f"quasi_random:seed={seed}"), board, LIMIT).move in moves


def test_quasi_random_does_not_give_a_win_away() -> None:
    """As long as it has a move after which the opponent cannot win at once, it plays one."""
    game = Game(6, 7, 4, gravity=True)
    moves_seen = 0
    for seed in range(30):
        player, opponent = make_player(f"quasi_random:seed={seed}"), make_player(f"random:seed={seed}")
        board = Board(game)
        while not board.is_over:
            can_win = any(_wins(board, move) for move in board.legal_moves)
            safe = [move for move in board.legal_moves if not _loses_at_once(board, move)]
            if board.turn is Seat.FIRST:
                move = ask(player, board, LIMIT).move
                assert _wins(board, move) if can_win else not safe or move in safe, f"seed {seed}: {board!r}"
                moves_seen += len(safe) < len(board.legal_moves)
            else:
                move = ask(opponent, board, LIMIT).move
            board.push(move)
    assert moves_seen > 20, "too few positions in which it mattered"


def _loses_at_once(board: Board, move: Move) -> bool:
    board.push(move)
    loses = any(_wins(board, reply) for reply in board.legal_moves)
    board.pop()
    return loses


def _wins(board: Board, move: Move) -> bool:
    board.push(move)
    outcome = board.outcome
    board.pop()
    return outcome is not None and outcome.winner is not None


class Scripted(Player):
    def __init__(self, answer: Callable[[Board], Choice | Move]) -> None:
        self.answer = answer

    def choose(self, board: Board, limit: Limit) -> Choice | Move:
        return self.answer(board)


def test_a_bare_move_is_accepted_and_timed() -> None:
    choice = ask(Scripted(lambda board: (0, 0)), Board(Game(3, 3, 3)), LIMIT)
    assert choice.move == (0, 0) and choice.seconds > 0
    choice = ask(Scripted(lambda board: Choice((1, 1), nodes=7)), Board(Game(3, 3, 3)), LIMIT)
    assert (choice.move, choice.nodes) == ((1, 1), 7)


@pytest.mark.parametrize("answer", [(3, 3), None, 4, "b2", Choice(None)])  # type: ignore[arg-type]
def test_an_illegal_answer_is_the_players_fault(answer: Move) -> None:
    with pytest.raises(PlayerError, match="illegal move: "):
        ask(Scripted(lambda board: answer), Board(Game(3, 3, 3)), LIMIT)


def test_what_a_player_raises_is_its_fault() -> None:
    def broken(board: Board) -> Move:
        raise ZeroDivisionError("oh\nno")

    board = Board(Game(3, 3, 3))
    with pytest.raises(
        PlayerError, match=r"the player raised ZeroDivisionError: oh no \(.*test_players.py, line \d+\)"
    ):
        ask(Scripted(broken), board, LIMIT)

    class Sulking(Scripted):
        def start(self, game: Game, seat: Seat, limit: Limit) -> None:
            raise RuntimeError("not today")

    with pytest.raises(PlayerError, match="the player raised RuntimeError: not today"):
        begin(Sulking(broken), board.game, Seat.FIRST, LIMIT)


def test_a_player_cannot_change_the_board() -> None:
    def cheat(board: Board) -> Move:
        board.push((0, 0))
        return (0, 1)

    board = Board(Game(3, 3, 3))
    assert ask(Scripted(cheat), board, LIMIT).move == (0, 1)
    assert board.ply == 0


def test_notes_are_texts() -> None:
    board = Board(Game(3, 3, 3))
    assert ask(Scripted(lambda board: Choice((0, 0), notes=("hello",))), board, LIMIT).notes == ("hello",)
    wrong: tuple[Any, ...] = ((1,), ["hello"], "hello", None)
    for notes in wrong:
        choice = Choice((0, 0), notes=notes)
        with pytest.raises(PlayerError, match="notes"):
            ask(Scripted(lambda board, choice=choice: choice), board, LIMIT)  # type: ignore[misc]
