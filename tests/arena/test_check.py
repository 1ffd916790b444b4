"""`inarow check`: it names every fault of the zoo, says where it happened, and lets good players in."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from inarow import Limit, Seat
from inarow.arena import process
from inarow.arena.check import KEEPS_SOMETHING, NEARLY_LATE, NOT_REPEATABLE, Checkup, check_player
from inarow.arena.faults import Kind
from inarow.arena.spec import RefereeRules
from inarow.arena.trials import all_trials, trials_on
from inarow.cli import app
from inarow.errors import InarowError
from inarow.game import parse_game, play_moves
from tests.arena.processes import GONE_SECONDS, RULES, comes_true, processes_of, spec
from tests.arena.test_zoo import ANIMALS, HARMLESS, SHORT, SLOW_STARTERS

EXAMPLE = Path(__file__).parents[2] / "examples" / "win_or_centre.py"
PLENTY = RefereeRules(tolerance=10, start_seconds=60)  # for players that are caught in another way than by the time
HEAD = "import inarow, random, time\nclass Me(inarow.Player):\n"


@pytest.fixture
def mine(tmp_path: Path) -> Callable[[str], str]:
    """Writes a player's methods into a file; its spec."""

    def write(text: str) -> str:
        file = tmp_path / "mine.py"
        file.write_text(HEAD + "".join(f"    {line}\n" for line in text.splitlines()), encoding="utf-8")
        return f"python:{file}:Me"

    return write


def checked(player: str, rules: RefereeRules = PLENTY) -> Checkup:
    checkup = check_player(player, all_trials(), Limit(seconds=0.2), rules)
    assert comes_true(lambda: not processes_of(os.getpid()), GONE_SECONDS), "nothing of it is left"
    return checkup


def test_the_trials_are_open_positions_in_both_seats() -> None:
    trials = all_trials()
    for trial in trials:
        assert not play_moves(trial.game, trial.opening).is_over
    games = {str(trial.game) for trial in trials}
    assert games >= {"1x1x1", "1x1x1g", "1x7x3", "7x1x3g", "3x3x5", "4x4x4g", "70x70x10", "70x70x10g"}
    assert [trial.seat for trial in trials] == [*Seat] * (len(trials) // 2)
    assert any(trial.with_clock for trial in trials)


@pytest.mark.parametrize("animal", ANIMALS, ids=lambda animal: animal.__name__)
def test_every_fault_of_the_zoo_is_named(animal: type[object], monkeypatch: pytest.MonkeyPatch) -> None:
    case = ANIMALS[animal]
    kinds = case.kind if isinstance(case.kind, tuple) else (case.kind,)
    if kinds == (Kind.CLOSED,):
        monkeypatch.setattr(process, "EXPLAIN_SECONDS", 0.1)  # it goes on: there is nothing that could be explained
    limit = Limit(seconds=SHORT.seconds) if Kind.LATE in kinds else Limit(seconds=10)
    checkup = check_player(spec(animal), all_trials(), limit, RULES, only_first=True)
    assert not checkup.may_enter
    (finding,) = checkup.findings
    assert finding.is_fault
    assert finding.kind in {kind.value for kind in kinds}
    assert case.text in finding.happened
    assert finding.right
    assert "{" not in finding.right
    assert str(finding.trial.game) in finding.place
    assert comes_true(lambda: not processes_of(os.getpid()), GONE_SECONDS)


@pytest.mark.parametrize("animal", SLOW_STARTERS, ids=lambda animal: animal.__name__)
def test_who_never_starts_is_not_waited_for_again(animal: type[object]) -> None:
    checkup = check_player(spec(animal), all_trials(), Limit(seconds=0.2), RefereeRules(start_seconds=0.4))
    assert [finding.kind for finding in checkup.findings] == [Kind.START_LATE.value]
    assert checkup.played == 1
    assert "within 0.4 s (--start)" in checkup.findings[0].right


@pytest.mark.parametrize("animal", HARMLESS, ids=lambda animal: animal.__name__)
def test_who_does_nothing_wrong_may_enter(animal: type[object]) -> None:
    checkup = check_player(spec(animal), all_trials()[:2], Limit(seconds=10), RULES)
    assert checkup.may_enter, checkup.findings
    assert checkup.repeats


@pytest.mark.parametrize("player", ["random:seed=1", "quasi_random:seed=1", f"python:{EXAMPLE}:WinOrCentre"])
def test_good_players_may_enter(player: str) -> None:
    checkup = checked(player)
    assert checkup.may_enter, checkup.findings
    assert checkup.played == checkup.trials == len(all_trials())
    assert checkup.repeats


def test_a_fault_on_one_kind_of_board_is_found_there(mine: Callable[[str], str]) -> None:
    checkup = checked(
        mine(
            "def choose(self, board, limit):\n"
            "    if board.game.gravity and board.ply > 3 and board.game.rows > 1: 1 // (board.game.columns - 1)\n"
            "    return board.legal_moves[-1]"
        )
    )
    (finding,) = checkup.findings
    assert not checkup.may_enter
    assert finding.kind == Kind.RAISED.value
    assert "ZeroDivisionError" in finding.happened and "line 4" in finding.happened
    assert finding.place == "one column: 7x1x3g as first, after a.a.a.a"
    assert len(finding.others) == 1 and "7x1x3g as second" in finding.others[0]
    assert checkup.played == checkup.trials, "the other boards are tried all the same"


def test_what_is_left_of_the_last_game_is_told_apart(mine: Callable[[str], str]) -> None:
    checkup = checked(
        mine(
            "count = 0\n"
            "def choose(self, board, limit):\n"
            "    self.count += 1\n"
            "    return board.legal_moves[0] if self.count <= board.game.rows * board.game.columns else None"
        )
    )
    assert [finding.kind for finding in checkup.findings] == [Kind.ILLEGAL.value]
    (finding,) = checkup.findings
    assert "a fresh one does not fail there" in finding.happened
    assert "start must set back what is left" in finding.right


def test_a_clock_instead_of_seconds(mine: Callable[[str], str]) -> None:
    checkup = checked(mine("def choose(self, board, limit):\n    limit.seconds / 2\n    return board.legal_moves[0]"))
    (finding,) = checkup.findings
    assert "TypeError" in finding.happened
    assert finding.trial.with_clock
    assert finding.place.startswith("a clock for the whole game: 4x4x4 as first")


def test_notes_keep_nobody_out(mine: Callable[[str], str]) -> None:
    nearly_late = "def choose(self, board, limit):\n    time.sleep(1.2 * (limit.seconds or 0))\n"
    player = mine(nearly_late + "    return random.choice(board.legal_moves)")
    checkup = check_player(player, trials_on((parse_game("3x3x3"),)), Limit(seconds=0.02), PLENTY)
    assert checkup.may_enter
    assert checkup.repeats is False
    notes = {finding.kind: finding for finding in checkup.findings}
    assert set(notes) == {NEARLY_LATE, NOT_REPEATABLE}
    assert not any(finding.is_fault for finding in checkup.findings)
    assert "0.02 s are allowed" in notes[NEARLY_LATE].happened
    assert "what the clock decides is not repeated" in notes[NOT_REPEATABLE].right


def test_a_second_game_that_is_another_one(mine: Callable[[str], str]) -> None:
    player = mine(
        "games = 0\ndef start(self, game, seat, limit):\n    self.games += 1\n"
        "def choose(self, board, limit):\n    return board.legal_moves[self.games % len(board.legal_moves)]"
    )
    checkup = checked(player)
    assert checkup.may_enter and checkup.repeats
    assert [finding.kind for finding in checkup.findings] == [KEEPS_SOMETHING]
    assert checkup.findings[0].happened == "with 1000 nodes it played b1 at first, c3 in a later game"


# ── the command ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_command_for_a_script() -> None:
    runner = CliRunner()
    good = runner.invoke(app, ["check", "random:seed=1", "--board", "3x3x3", "--json", "--tolerance", "10"])
    assert good.exit_code == 0
    result = json.loads(good.stdout)
    assert (result["may_enter"], result["played"], result["repeats"]) == (True, 4, True)
    bad = runner.invoke(
        app, ["check", spec(_animal("MovesOffTheBoard")), "--json", "--placement", "gravity", "--first"]
    )
    assert bad.exit_code == 1
    result = json.loads(bad.stdout)
    assert (result["may_enter"], result["played"]) == (False, 1)
    (finding,) = result["findings"]
    assert (finding["kind"], finding["game"], finding["seat"], finding["fault"]) == (
        "illegal move",
        "6x7x4g",
        "first",
        True,
    )


def test_the_command_for_a_person() -> None:
    result = CliRunner().invoke(
        app, ["check", spec(_animal("ReturnsNone")), "--board", "3x3x3"], env={"COLUMNS": "200"}
    )
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith("fault  illegal move: a move is a pair of whole numbers (row, column), not None")
    assert lines[1].strip() == "on a whole game: 3x3x3 as first, on the empty board"
    assert lines[2].strip().startswith("right: return one of board.legal_moves")
    assert lines[-1].endswith("ReturnsNone has one kind of fault.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody"], "no player is called 'nobody'"),
        (["python:nowhere.py:Me"], "there is no file nowhere.py"),
        (["random", "--board", "3x3"], "'3x3' is not a game"),
        (["random", "--time", "0"], "seconds must be more than 0"),
        (["random", "--board", "3x3x3", "--placement", "gravity"], "none of the boards has gravity placement"),
    ],
)
def test_bad_input_is_refused(arguments: list[str], message: str) -> None:
    with pytest.raises(InarowError, match=message):
        app(["check", *arguments], standalone_mode=False)


def _animal(name: str) -> type[object]:
    return next(animal for animal in ANIMALS if animal.__name__ == name)
