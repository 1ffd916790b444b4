"""What all tests share."""

import signal

import pytest

CALCULATIONS = (
    "tests/golden/",
    "tests/parity/",
    "tests/property/",
    "tests/reference/",
    "tests/protocol/test_commands.py",
    *(f"tests/unit/test_{name}.py" for name in ("board", "pairings", "picture", "players", "proof", "ratings")),
    *(f"tests/unit/test_{name}.py" for name in ("record", "solved_sets", "sprt", "tactics", "threats", "verify")),
)
"""Tests that start no process and look at no clock: these may run side by side."""

PAGES = ("tests/browser/",)
"""Tests that mostly wait for a browser: two of them may run at a time."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(CALCULATIONS):
            item.add_marker("calculation")
        elif item.nodeid.startswith(PAGES):
            item.add_marker("page")


@pytest.fixture(autouse=True, scope="session")
def ctrl_c_is_heard() -> None:
    """A shell that starts the tests in the background has them ignore Ctrl-C, which some of them send."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
