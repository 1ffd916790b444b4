"""The committed stub of the core is what nanobind writes for it."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_stub_is_up_to_date(tmp_path: Path) -> None:
    pinned = {
        name: number
        for name, _, number in (line.partition("==") for line in (ROOT / "constraints.txt").read_text().splitlines())
    }
    if version("nanobind") != pinned["nanobind"] or sys.version_info[:2] != (3, 11):
        pytest.skip("another nanobind or Python than the pinned ones may write the stub otherwise")
    stub = tmp_path / "_core.pyi"
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "inarow._core", "-o", stub], check=True)
    assert stub.read_text() == (ROOT / "src" / "inarow" / "_core.pyi").read_text(), "run: make stub"
