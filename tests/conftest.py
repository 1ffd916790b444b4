"""What all tests share."""

import signal

import pytest


@pytest.fixture(autouse=True, scope="session")
def ctrl_c_is_heard() -> None:
    """A shell that starts the tests in the background has them ignore Ctrl-C, which some of them send."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
