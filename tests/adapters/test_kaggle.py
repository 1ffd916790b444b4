"""Kaggle's ConnectX: agents hosted strictly, and our players as agents."""

from pathlib import Path
from typing import Any

import pytest

from inarow import Board, Game, IllegalChoice, Limit, Player, PlayerError, Seat, SpecError, ask, begin, parse_position
from inarow.adapters import kaggle
from inarow.arena.check import check_player
from inarow.arena.spec import RefereeRules
from inarow.arena.trials import trials_on
from tests.shapes import GAMES

GAME = Game(6, 7, 4, gravity=True)
LIMIT = Limit(seconds=1.5)


def hosted(folder: Path, text: str) -> Player:
    file = folder / "agent.py"
    file.write_text(text, encoding="utf-8")
    return kaggle.make_player(str(file))


def answer_of(folder: Path, text: str, board: Board | None = None) -> Any:
    return ask(hosted(folder, text), Board(GAME) if board is None else board, LIMIT).move


@pytest.mark.parametrize(
    "text",
    [
        "def first(a, b): return 1\ndef agent(observation, configuration): return 3\n",
        "def agent(observation): return 3\n",
        "def agent(observation, configuration, depth=4): return 3\n",
        "def agent(*everything): return len(everything) + 1\n",
        "import random\nclass Agent:\n    def __call__(self, observation, configuration): return 3\nagent = Agent()\n",
        "print('hello')\ndef agent(o, c):\n    print('thinking')\n    return 3\nNOT_CALLABLE = 7\n",
    ],
)
def test_the_last_callable_plays(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer_of(tmp_path, text) == 3
    assert capsys.readouterr().out == ""


def test_what_an_agent_is_shown() -> None:
    observation, configuration = kaggle.question(parse_position("6x7x4g:d.d.a"), LIMIT)
    assert observation.board == observation["board"]
    assert [observation.board[column + 5 * 7] for column in range(7)] == [1, 0, 0, 1, 0, 0, 0]
    assert [observation.board[column + 4 * 7] for column in range(7)] == [0, 0, 0, 2, 0, 0, 0]
    assert sum(observation.board) == 4
    assert (observation.mark, observation.step, observation.remainingOverageTime) == (2, 3, 0.0)
    assert (configuration.columns, configuration["rows"], configuration.inarow) == (7, 6, 4)
    assert configuration.actTimeout == configuration["actTimeout"] == 1.5
    assert not hasattr(configuration, "weather")


@pytest.mark.parametrize(
    ("limit", "times"),
    [
        (Limit(), (2.0, 60.0)),
        (Limit(nodes=100), (2.0, 60.0)),
        (Limit(seconds=3), (3, 0.0)),
        (Limit(clock=100.0, increment=1.0), (6.0, 94.0)),
        (Limit(clock=0.5, increment=1.0), (0.5, 0.0)),
    ],
)
def test_times(limit: Limit, times: tuple[float, float]) -> None:
    observation, configuration = kaggle.question(Board(GAME), limit)
    assert (configuration.actTimeout, observation.remainingOverageTime) == times


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        ("'3'", "an agent returns a column, an int, not '3' of type str: Kaggle calls it INVALID"),
        ("__import__('numpy').int64(3)", "of type int64: Kaggle calls other numbers INVALID; use int"),
        ("3.0", "not 3.0 of type float: Kaggle calls it INVALID or breaks on it; use int"),
        ("None", "not None of type NoneType: Kaggle plays column 0 then, without a word"),
        ("True", "not True of type bool: Kaggle calls other numbers INVALID"),
        ("[3]", "of type list: Kaggle calls it INVALID"),
        ("7", "column 7 is off the board: columns go from 0 to 6"),
        ("-1", "column -1 is off the board"),
        ("0", "column 0 is full"),
    ],
)
def test_everything_but_a_column_with_room_is_illegal(tmp_path: Path, answer: str, rule: str) -> None:
    board = parse_position("6x7x4g:a.a.a.a.a.a")
    with pytest.raises(IllegalChoice) as error:
        answer_of(tmp_path, f"def agent(observation, configuration): return {answer}\n", board)
    assert rule in str(error.value)


def test_an_agent_that_raises(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match=r"the agent raised ZeroDivisionError: division by zero \(line 2\), an ERROR"):
        answer_of(tmp_path, "def agent(observation):\n    return 1 / 0\n")


def test_free_placement_is_refused(tmp_path: Path) -> None:
    player = hosted(tmp_path, "def agent(observation): return 0\n")
    with pytest.raises(PlayerError, match="plays games with gravity, not 3x3x3"):
        begin(player, Game(3, 3, 3), Seat.FIRST, LIMIT)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 3\n", "holds no agent: the last callable of the file is taken, and there is none"),
        ("def agent(): return 3\n", r"its last callable is agent\(\), it should take \(observation, configuration\)"),
        ("def agent(a, b, c): return 3\n", r"its last callable is agent\(a, b, c\)"),
        ("\ndef agent(:\n", r"cannot be loaded: SyntaxError: .* \(line 2\)"),
    ],
)
def test_a_file_without_an_agent_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        hosted(tmp_path, text)


def test_a_spec_without_a_file_is_refused() -> None:
    with pytest.raises(SpecError, match=r"written kaggle:FILE\.py"):
        kaggle.make_player("")
    with pytest.raises(SpecError, match=r"there is no file nowhere\.py"):
        kaggle.make_player("nowhere.py")


def test_the_submission_is_hosted(tmp_path: Path) -> None:
    file = tmp_path / "submission.py"
    file.write_text(kaggle.submission(), encoding="utf-8")
    player = kaggle.make_player(str(file))
    assert ask(player, parse_position("6x7x4g:a.d.a.d.a.d"), Limit(seconds=0.2)).move == 0


@pytest.mark.parametrize("game", [game for game in GAMES if game.gravity and game.rows * game.columns <= 100], ids=str)
@pytest.mark.parametrize("seat", Seat)
def test_our_players_are_agents(game: Game, seat: Seat) -> None:
    """Two episodes with one agent: it sees stones only, and always knows what board they are."""
    ours, theirs = kaggle.agent("random:seed=1"), kaggle.agent("quasi_random:seed=2")
    for _ in range(2):
        board = Board(game)
        while not board.is_over:
            column = (ours if board.turn is seat else theirs)(*kaggle.question(board, Limit(seconds=0.05)))
            assert type(column) is int
            board.push(column)


def test_our_agent_joins_a_game_in_its_middle() -> None:
    play = kaggle.agent("engine:memory=16")
    assert play(*kaggle.question(parse_position("6x7x4g:a.d.a.d.a.d"), Limit(seconds=0.1))) == 0
    assert play(*kaggle.question(parse_position("6x7x4g:d.a.d.a.d"), Limit(seconds=0.1))) == 3


@pytest.mark.parametrize(
    ("answer", "fault"),
    [("3 if max(o.board) == 0 else '3'", "illegal move: an agent returns a column, an int, not '3'"), ("0", "")],
)
def test_an_agent_in_the_arena(tmp_path: Path, answer: str, fault: str) -> None:
    """In a process of its own: what it prints is no fault there, what it returns may be one."""
    file = tmp_path / "agent.py"
    file.write_text(f"print('loaded')\ndef agent(o, c):\n    print('thinking')\n    return {answer}\n")
    trials = trials_on((Game(6, 1, 4, gravity=True),) if not fault else (GAME,))
    resolver = "inarow.adapters.kaggle:make_player"
    checkup = check_player(str(file), trials, Limit(seconds=2), RefereeRules(start_seconds=60), resolver)
    assert [finding.happened[: len(fault)] for finding in checkup.findings] == ([fault] if fault else [])
