"""Every example in README, in docs/ and in a docstring does what it shows."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import inarow

ROOT = Path(__file__).parents[2]
MODULES = [module.name for module in pkgutil.walk_packages(inarow.__path__, "inarow.")]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize(
    "file", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda file: file.name
)
def test_documents(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # an example may write files
    names = {"DOCUMENT": str(file)}  # so that a document can use the files it shows
    assert doctest.testfile(str(file), module_relative=False, encoding="utf-8", extraglobs=names).failed == 0


def test_the_examples_are_found() -> None:
    parser = doctest.DocTestParser()
    for name in ("README.md", "docs/adding-a-player.md", "docs/formats.md", "docs/frameworks.md"):
        assert parser.get_examples((ROOT / name).read_text(encoding="utf-8")), name
