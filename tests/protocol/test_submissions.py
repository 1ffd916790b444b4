"""Java players and brains as students hand them in: found, and checked in a sandbox where there is one."""

import os
import shutil
import sys
import zipfile
from pathlib import Path

from inarow import Limit
from inarow.adapters.reads import reads_of
from inarow.adapters.resolve import RESOLVER
from inarow.adapters.submissions import find_submission
from inarow.arena.check import Checkup, check_player
from inarow.arena.spec import RefereeRules
from inarow.arena.trials import trials_on
from inarow.game import parse_game
from tests.arena.processes import GONE_SECONDS, comes_true, processes_of
from tests.arena.test_sandbox import WHY_NOT

PLENTY = RefereeRules(tolerance=10, start_seconds=60, sandbox=not WHY_NOT)


def checked(folder: Path, class_path: str, game: str) -> Checkup:
    submission = find_submission(folder, class_path)
    assert submission.spec is not None, submission.wrong
    reads = None if WHY_NOT else (str(folder), *reads_of(submission.spec))
    trials = trials_on((parse_game(game),))[:2]
    limit = Limit(seconds=10)
    checkup = check_player(submission.spec, trials, limit, PLENTY, RESOLVER, reads=reads, look_at_repetition=False)
    assert comes_true(lambda: not processes_of(os.getpid()), GONE_SECONDS)
    return checkup


def test_a_jar_and_the_framework_of_the_course(classes: Path, tmp_path: Path) -> None:
    framework, folder = tmp_path / "framework", tmp_path / "ada"
    shutil.copytree(classes, framework, ignore=shutil.ignore_patterns("Zoo*", "Tester*"))
    folder.mkdir()
    with zipfile.ZipFile(folder / "mine.jar", "w") as jar:
        for name in ("Zoo", "Zoo$Careful"):
            jar.write(classes / "connectx" / f"{name}.class", f"connectx/{name}.class")
    checkup = checked(folder, str(framework), "4x5x3g")
    assert checkup.may_enter, checkup.findings
    assert checkup.spec.endswith("#connectx.Zoo$Careful")


def test_classes_in_folders_and_a_fault_of_theirs(classes: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bea"
    shutil.copytree(classes, folder / "out", ignore=shutil.ignore_patterns("Zoo$*", "Tester*", "connectx"))
    for name in ("Careful", "Exits"):  # the one is made from the other
        shutil.copy(classes / "mnkgame" / f"Zoo${name}.class", folder / "out" / "mnkgame")
    checkup = checked(folder, "", "3x3x3")
    assert [finding.happened for finding in checkup.faults] == [
        "exited: the Java program ended with status 3, as by System.exit(3)"
    ]


def test_a_brain(tmp_path: Path) -> None:
    folder = tmp_path / "cleo"
    folder.mkdir()
    brain = folder / "pbrain-cleo"
    brain.write_text(f"#!/bin/sh\nexec {Path(sys.executable).parent / 'pbrain-inarow'} --player random:seed=1\n")
    brain.chmod(0o755)
    checkup = checked(folder, "", "4x6x3")
    assert checkup.may_enter, checkup.findings
    assert checkup.moves > 4
