"""`python:FILE.py:Class`: classes of one's own, and what is said of those that are none."""

from pathlib import Path

import pytest

from inarow import Board, Game, Limit, Player, Seat, SpecError, ask, begin, make_player, parse_position
from tests.shapes import GAMES

LIMIT = Limit(seconds=0.02)
EXAMPLE = Path(__file__).parents[2] / "examples" / "win_or_centre.py"
LAST = "    def choose(self, board, limit):\n        return board.legal_moves[-1]\n"


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("header", ["import inarow\n\nclass Last(inarow.Player):\n", "class Last:\n"])
def test_a_class_with_choose_is_a_player(tmp_path: Path, header: str) -> None:
    file = write(tmp_path / "mine.py", header + LAST)
    player = make_player(f"python:{file}:Last")
    assert isinstance(player, Player)
    game = Game(3, 3, 3)
    begin(player, game, Seat.FIRST, LIMIT)
    assert ask(player, Board(game), LIMIT).move == (2, 2)
    player.stop()
    player.close()


def test_a_class_may_have_the_other_methods(tmp_path: Path) -> None:
    text = "calls = []\nclass Tells:\n" + LAST
    for name, arguments in (("start", "game, seat, limit"), ("stop", ""), ("close", "")):
        text += f"    def {name}(self{', ' if arguments else ''}{arguments}):\n        calls.append('{name}')\n"
    text += "class Last(Tells):\n    def choose(self, board, limit):\n        return calls\n"
    player = make_player(f"python:{write(tmp_path / 'tells.py', text)}:Last")
    player.start(Game(3, 3, 3), Seat.FIRST, LIMIT)
    player.stop()
    player.close()
    calls: object = player.choose(Board(Game(3, 3, 3)), LIMIT)
    assert calls == ["start", "stop", "close"]


def test_a_file_may_import_its_neighbours(tmp_path: Path) -> None:
    write(tmp_path / "neighbour_of_mine.py", "answer = (1, 1)\n")
    text = "class Me:\n    def choose(self, board, limit):\n        import neighbour_of_mine as n\n"
    text += "        return n.answer\n"
    player = make_player(f"python:{write(tmp_path / 'mine.py', text)}:Me")
    assert ask(player, Board(Game(3, 3, 3)), LIMIT).move == (1, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("class Me:\n    pass\n", "the class Me is not a player: it has no method choose(self, board, limit)"),
        ("import inarow\nclass Me(inarow.Player): pass\n", "it has no method choose(self, board, limit)"),
        ("class Me:\n    choose = 3\n", "it has no method choose(self, board, limit)"),
        (
            "class Me:\n    def choose(self, board): return 0\n",
            "its method is choose(self, board), it should be choose(self, board, limit)",
        ),
        (f"class Me:\n{LAST}    def __init__(self): raise RuntimeError('no')\n", "made: RuntimeError: no (line 4)"),
        (f"class Me:\n{LAST}    def __init__(self, depth): pass\n", "missing 1 required positional argument: 'depth'"),
        ("class You: pass\nclass They: pass\n", "bad.py has no class Me; there are You, They"),
        ("class Mee: pass\n", "did you mean Mee?"),
        ("from inarow import Board\ndef Me(): pass\n", "bad.py has no class Me; there is no class in it"),
        ("\ndef broken(:\n", "bad.py cannot be loaded: SyntaxError: invalid syntax (line 2)"),
        ("\n\nraise ValueError('a\\nb')\n", "bad.py cannot be loaded: ValueError: a b (line 3)"),
        ("import nothing_of_this_name\n", "No module named 'nothing_of_this_name' (line 1)"),
        ("import sys\nsys.exit('never')\n", "SystemExit: never (line 2)"),
    ],
)
def test_a_class_that_is_no_player_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = write(tmp_path / "bad.py", text)
    with pytest.raises(SpecError) as error:
        make_player(f"python:{file}:Me")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"its name must end in \.py"):
        make_player(f"python:{write(tmp_path / 'mine.txt', 'class Me: pass')}:Me")


@pytest.mark.parametrize("game", [game for game in GAMES if game.rows * game.columns <= 50], ids=str)
def test_the_example_plays_legal_games(game: Game) -> None:
    player, opponent = make_player(f"python:{EXAMPLE}:WinOrCentre"), make_player("random:seed=1")
    board = Board(game)
    while not board.is_over:
        board.push(ask(player if board.turn is Seat.FIRST else opponent, board, LIMIT).move)


def test_the_example_wins_when_it_can() -> None:
    player = make_player(f"python:{EXAMPLE}:WinOrCentre")
    assert ask(player, parse_position("6x7x4g:a.d.a.d.a.d"), Limit(seconds=5)).move == 0
    assert len(EXAMPLE.read_text().split('"""\n\n', 1)[1].strip().splitlines()) <= 17
