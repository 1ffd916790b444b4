"""The players by name, and the spec text that makes one:

telos                     a registered player
telos:memory=on,book=F    with options
python:FILE.py:Class      a class of your own; docs/adding-a-player.md shows one
"""

import difflib
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inarow.errors import SpecError
from inarow.players.base import Player
from inarow.players.cadrega import Cadrega, CadregaOptions
from inarow.players.markcello import Markcello, MarkcelloOptions
from inarow.players.nisshoku import Nisshoku, NisshokuOptions
from inarow.players.options import OptionInfo, option_infos, parse_options
from inarow.players.quasi_random import QuasiRandomPlayer
from inarow.players.random import RandomOptions, RandomPlayer
from inarow.players.telos import Telos, TelosOptions


@dataclass(frozen=True)
class PlayerInfo:
    """A registered player."""

    name: str
    summary: str
    options_class: type
    create: Callable[[Any], Player]

    @property
    def options(self) -> tuple[OptionInfo, ...]:
        return option_infos(self.options_class)


PLAYERS: tuple[PlayerInfo, ...] = (
    PlayerInfo(
        "cadrega", "alpha-beta to a depth that fits the time, with a tree kept between turns", CadregaOptions, Cadrega
    ),
    PlayerInfo("telos", "iterative deepening by window scores; made for gravity", TelosOptions, Telos),
    PlayerInfo("markcello", "narrow and deep alpha-beta with a budget of nodes", MarkcelloOptions, Markcello),
    PlayerInfo("nisshoku", "iterative deepening with a symmetric transposition table", NisshokuOptions, Nisshoku),
    PlayerInfo("random", "any legal move", RandomOptions, RandomPlayer),
    PlayerInfo(
        "quasi_random", "wins or prevents a loss when one move does it, else any move", RandomOptions, QuasiRandomPlayer
    ),
)


def make_player(spec: str) -> Player:
    """The player that a spec names. SpecError when there is none.

    >>> make_player("random:sead=1")
    Traceback (most recent call last):
    inarow.errors.SpecError: random has no option 'sead'; it has seed
    """
    name, _, rest = spec.partition(":")
    if name == "python":
        return _load_python_player(rest)
    for info in PLAYERS:
        if info.name == name:
            return info.create(parse_options(name, info.options_class, rest))
    names = [info.name for info in PLAYERS]
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(names)}, and python:FILE.py:Class"
    raise SpecError(f"no player is called {name!r}; {hint}")


def _load_python_player(text: str) -> Player:
    """The class of a `FILE.py:Class`, made without arguments."""
    file, colon, class_name = text.rpartition(":")
    if not colon or not file or not class_name:
        raise SpecError(f"a Python player is written python:FILE.py:Class, not 'python:{text}'")
    path = Path(file)
    if not path.is_file():
        raise SpecError(f"there is no file {file}")
    module_name = f"inarow_player_{path.stem}"
    module_spec = importlib.util.spec_from_file_location(module_name, path)
    if module_spec is None or module_spec.loader is None:
        raise SpecError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[module_name] = module  # dataclasses and pickle look a class's module up here
    try:
        module_spec.loader.exec_module(module)
        player = getattr(module, class_name)()
    except Exception as error:
        raise SpecError(f"{file}:{class_name} cannot be made: {type(error).__name__}: {error}") from error
    if not isinstance(player, Player):
        missing = [name for name in ("start", "choose", "stop", "close") if not hasattr(player, name)]
        raise SpecError(f"{file}:{class_name} is not a player: it has no {', '.join(missing)} (subclass inarow.Player)")
    return player
