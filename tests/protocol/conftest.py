"""Brains that are gone when a test is over."""

from collections.abc import Callable, Iterator

import pytest

from tests.protocol.manager import InProcess, Process


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
