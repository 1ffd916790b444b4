"""What a spec's player must be able to read, for a sandbox in which there is nothing else."""

import os
from pathlib import Path

from inarow.adapters import course
from inarow.adapters.gomocup.host import parse_brain
from inarow.adapters.jdk import check_class_path, compiled_once, find_tool
from inarow.adapters.resolve import GOMOCUP, JAVA, KAGGLE
from inarow.errors import SpecError

PYTHON = "python:"


def reads_of(spec: str) -> tuple[str, ...]:
    """Files and folders by their full paths; none for a player that comes with inarow. SpecError for what is not there.

    Nothing of the player is run. Java's host is compiled now, should it not be.
    """
    if spec.startswith((PYTHON, KAGGLE)):
        text = spec.partition(":")[2]
        return (_folder_of(text.rpartition(":")[0] if spec.startswith(PYTHON) else text),)
    if spec.startswith(GOMOCUP):
        words, _ = parse_brain(spec.removeprefix(GOMOCUP))
        return (_folder_of(words[0]),) if os.sep in words[0] else ()
    if spec.startswith(JAVA):
        class_path = spec.removeprefix(JAVA).rpartition("#")[0]
        check_class_path(class_path)
        parts = [Path(part.removesuffix("*") or ".").absolute() for part in class_path.split(os.pathsep)]
        java = Path(find_tool("java")).absolute()
        programs = [folder for folder in (java.parent, java.resolve().parents[1]) if not folder.is_relative_to("/usr")]
        return tuple(dict.fromkeys(str(path) for path in (*parts, compiled_once(course.HOST), *programs)))
    return ()


def _folder_of(file: str) -> str:
    path = Path(file).absolute()
    if not path.is_file():
        raise SpecError(f"there is no file {file}")
    return str(path.parent)
