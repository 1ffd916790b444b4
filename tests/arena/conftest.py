"""What the tests of the referee start with, and what must be true at their end."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inarow.arena.referee import Referee
from inarow.arena.spec import RefereeRules
from tests.arena.processes import GONE_SECONDS, RULES, comes_true, processes_of


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which animals write something down."""
    monkeypatch.setenv("ZOO_NOTES", str(tmp_path / "notes"))
    return tmp_path / "notes"


@pytest.fixture
def referees() -> Iterator[Callable[..., Referee]]:
    """Makes referees, and closes them at the end."""
    made: list[Referee] = []

    def make(rules: RefereeRules = RULES, **settings: object) -> Referee:
        made.append(Referee(rules, **settings))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for referee in made:
        referee.close()
    assert comes_true(lambda: not processes_of(os.getpid()), GONE_SECONDS)
