"""The core does today what it did when the number was written down."""

import re
import subprocess
from pathlib import Path

import pytest

from inarow.engine import StopFlag, bench

ROOT = Path(__file__).parents[2]
SIGNATURE = ROOT / "tests" / "data" / "bench.txt"


def test_bench_is_what_was_written_down() -> None:
    """After a change that is meant to change it: write the new number there and into the commit's message."""
    assert bench(StopFlag()) == int(SIGNATURE.read_text(encoding="utf-8"))


def test_the_last_commit_that_names_a_bench_names_this_one() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("no git history here, as in an unpacked sdist")
    log = subprocess.run(["git", "log", "--format=%B"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    numbers = re.findall(r"^Bench: (\d+)$", log, re.MULTILINE)
    changed = subprocess.run(["git", "diff", "--quiet", "HEAD", "--", SIGNATURE], cwd=ROOT, check=False).returncode
    if changed or not numbers:
        pytest.skip("the number is about to be committed, or the history is cut off before a commit that names one")
    assert numbers[0] == SIGNATURE.read_text(encoding="utf-8").strip()


def test_a_stopped_bench_has_no_number() -> None:
    stop = StopFlag()
    stop.set()
    assert bench(stop) is None
