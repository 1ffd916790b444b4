"""What the unit tests share."""

import sys
from collections.abc import Callable
from io import StringIO

import pytest

from inarow.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Calls `inarow` with these arguments and this text on stdin: exit status, stdout, stderr."""
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["inarow", *arguments])
        monkeypatch.setattr(sys, "stdin", StringIO(stdin))
        status = 0
        try:
            main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call
