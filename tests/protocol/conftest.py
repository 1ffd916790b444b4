"""Brains that are gone when a test is over; a framework of Java classes with the course's names, and players for it."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inarow.adapters.jdk import compile_sources
from inarow.adapters.resolve import RESOLVER
from inarow.arena.referee import Referee
from inarow.arena.spec import RefereeRules
from tests.arena.processes import GONE_SECONDS, comes_true, processes_of
from tests.protocol.manager import InProcess, Process

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "tests" / "data" / "java"


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache of this run's own: what is compiled there is compiled from the sources as they are now."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder


@pytest.fixture(scope="session")
def classes(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the compiled framework, players and testers."""
    if shutil.which("javac") is None:
        pytest.skip("there is no javac (on Debian: apt-get install default-jdk-headless)")
    folder = tmp_path_factory.mktemp("classes")
    compile_sources(sorted(SOURCES.rglob("*.java")), folder)
    return folder


@pytest.fixture
def referee(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Referee]]:
    """Makes referees that know Java players, and closes them at the end; then no process may be left."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    made: list[Referee] = []

    def make(**rules: object) -> Referee:
        settings = RefereeRules(**{"start_seconds": 60, **rules})  # type: ignore[arg-type]
        made.append(Referee(settings, RESOLVER))
        return made[-1]

    yield make
    for each in made:
        each.close()
    assert comes_true(lambda: not processes_of(os.getpid()), GONE_SECONDS)


@pytest.fixture
def brain() -> Iterator[InProcess]:
    talk = InProcess()
    yield talk
    talk.finish()


@pytest.fixture
def processes() -> Iterator[Callable[..., Process]]:
    made: list[Process] = []

    def make(*arguments: str) -> Process:
        made.append(Process(*arguments))
        return made[-1]

    yield make
    for process in made:
        process.finish()
