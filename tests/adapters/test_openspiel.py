"""OpenSpiel and our boards agree; skipped where pyspiel is not installed."""

import importlib.util
import subprocess
import sys

import pytest

from inarow import FormatError, Game
from inarow.adapters import openspiel
from tests.adapters.openspiel_games import GAMES, compare

IS_INSTALLED = importlib.util.find_spec("pyspiel") is not None
NEEDS_PYSPIEL = pytest.mark.skipif(not IS_INSTALLED, reason="pyspiel is not installed: pip install 'inarow[openspiel]'")


@NEEDS_PYSPIEL
@pytest.mark.parametrize("name", GAMES)
def test_random_games_are_the_same(name: str) -> None:
    assert compare(name, games=20) > 20


@NEEDS_PYSPIEL
def test_another_game_is_refused() -> None:
    import pyspiel

    with pytest.raises(FormatError, match="OpenSpiel's hex is none of our games"):
        openspiel.game_of(pyspiel.load_game("hex"))


def test_rows_and_columns_are_not_mixed_up() -> None:
    """With a stand-in that says what pyspiel's games say, so that it is checked everywhere."""

    class Says:
        def __init__(self, name: str, **parameters: int) -> None:
            self.short_name = name
            self._parameters = parameters

        def get_type(self) -> "Says":
            return self

        def get_parameters(self) -> dict[str, int]:
            return self._parameters

    assert openspiel.game_of(Says("mnk", m=7, n=6, k=4)) == Game(6, 7, 4)
    assert openspiel.game_of(Says("mnk")) == Game(15, 15, 5)
    assert openspiel.game_of(Says("connect_four", rows=5, columns=8, x_in_row=3)) == Game(5, 8, 3, gravity=True)
    assert openspiel.game_of(Says("connect_four")) == Game(6, 7, 4, gravity=True)
    assert openspiel.game_of(Says("tic_tac_toe")) == Game(3, 3, 3)
    with pytest.raises(FormatError, match="chess is none of our games"):
        openspiel.game_of(Says("chess"))


def test_a_missing_package_is_named_with_its_extra() -> None:
    code = """
import sys, inarow
from inarow.adapters import openspiel
sys.modules["pyspiel"] = None  # as if it were not installed
try:
    openspiel.state_of(inarow.Board(inarow.Game(3, 3, 3)))
except inarow.InarowError as error:
    print(error)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "pyspiel is not installed: pip install 'inarow[openspiel]'\n"
