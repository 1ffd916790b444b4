"""`python:FILE.py:Class`: a class of your own, loaded from a file. docs/adding-a-player.md shows one.

The class has a method `choose(self, board, limit)`; it may be a subclass of inarow.Player or have just that.
"""

import difflib
import importlib.util
import inspect
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from inarow.errors import SpecError
from inarow.game import Board, Game, Limit, Move, Seat
from inarow.players.base import Choice, Player, text_of

CHOOSE = "choose(self, board, limit)"


class OnlyChooses(Player):
    """A player of an object that has `choose`, and of the other methods those it likes."""

    def __init__(self, chooser: Any) -> None:
        self._chooser = chooser

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        if hasattr(self._chooser, "start"):
            self._chooser.start(game, seat, limit)

    def choose(self, board: Board, limit: Limit) -> Choice | Move:
        choice: Choice | Move = self._chooser.choose(board, limit)
        return choice

    def stop(self) -> None:
        if hasattr(self._chooser, "stop"):
            self._chooser.stop()

    def close(self) -> None:
        if hasattr(self._chooser, "close"):
            self._chooser.close()


def make_player(text: str) -> Player:
    """The player of a `FILE.py:Class`, made without arguments. SpecError says what is wrong, and in which line."""
    file, colon, class_name = text.rpartition(":")
    if not colon or not file or not class_name:
        raise SpecError(f"a Python player is written python:FILE.py:Class, not 'python:{text}'")
    module = load_file(file)
    kind = getattr(module, class_name, None)
    if not inspect.isclass(kind):
        raise SpecError(f"{file} has no class {class_name}; {_classes_of(module, class_name)}")
    _check_choose(f"{file}: the class {class_name}", kind)
    try:
        player = kind()
    except (Exception, SystemExit) as error:
        raise SpecError(f"{file}: {class_name}() cannot be made: {describe(error, file)}") from error
    return player if isinstance(player, Player) else OnlyChooses(player)


def load_file(file: str) -> ModuleType:
    """The module in a file. It may import others that lie beside it. SpecError when it cannot be loaded."""
    path = Path(file)
    if not path.is_file():
        raise SpecError(f"there is no file {file}")
    module_name = f"inarow_player_{path.stem}"
    module_spec = importlib.util.spec_from_file_location(module_name, path)
    if module_spec is None or module_spec.loader is None:
        raise SpecError(f"{file} is not a Python file: its name must end in .py")
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[module_name] = module  # dataclasses and pickle look a class's module up here
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # at the end: a file there replaces no module that anybody else means
    try:
        module_spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise SpecError(f"{file} cannot be loaded: {describe(error, file)}") from error
    return module


def describe(error: BaseException, file: str) -> str:
    """An error's kind, its words, and the line of the file in which it came up, where that is known."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg} (line {error.lineno})"
    path = Path(file).resolve()
    lines = [each.lineno for each in traceback.extract_tb(error.__traceback__) if Path(each.filename).resolve() == path]
    place = f" (line {lines[-1]})" if lines else ""
    return " ".join(f"{type(error).__name__}: {text_of(error)}".split()) + place


def _classes_of(module: ModuleType, wanted: str) -> str:
    """What to say to somebody who wanted a class that is not there."""
    classes = {name: kind for name, kind in vars(module).items() if inspect.isclass(kind)}
    names = [name for name, kind in classes.items() if kind.__module__ == module.__name__]  # not what it imports
    if not names:
        return "there is no class in it"
    close = difflib.get_close_matches(wanted, names, n=1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(names)}"


def _check_choose(who: str, kind: type) -> None:
    """SpecError unless the class can be asked for a move."""
    choose = getattr(kind, "choose", None)
    if not callable(choose) or choose is Player.choose:
        raise SpecError(f"{who} is not a player: it has no method {CHOOSE}")
    is_bound = isinstance(inspect.getattr_static(kind, "choose"), staticmethod | classmethod)
    try:
        signature = inspect.signature(choose)
        signature.bind(*((None,) if not is_bound else ()), None, None)
    except TypeError:
        raise SpecError(f"{who} is not a player: its method is choose{signature}, it should be {CHOOSE}") from None
    except ValueError:
        return  # a method that is not written in Python tells nothing about itself
