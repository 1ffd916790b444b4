"""The table of values: its file, what follows from it, and the command that fills it."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import inarow.solver
from inarow.errors import FormatError, ProofError, SpecError
from inarow.executors import LocalCrew
from inarow.game import Board, Game, Limit, parse_game
from inarow.solver.proof import Proof
from inarow.solver.solution import Effort, Solution
from inarow.solver.tabulate import fill, grids, missing, page, solve_empty
from inarow.solver.values import FORMAT, Value, ValueTable, games_up_to, known_value, shipped_values
from inarow.solver.verify import verify
from tests.reference.solving import solve
from tests.unit.conftest import Run

HEAD = json.dumps({"format": FORMAT}) + "\n"
TIC_TAC_TOE = Value(Game(3, 3, 3), "draw", 9, "search", "ab" * 32, 0.25, 1000)


def test_a_table_reads_back_in_order(tmp_path: Path) -> None:
    games = ["6x7x4g", "4x3x3", "3x3x3", "3x3x4", "3x3x3g", "3x4x3"]
    table = ValueTable(Value(parse_game(game), "win", None, "search") for game in games)
    table.write(tmp_path / "values")
    again = ValueTable.read(tmp_path / "values")
    assert list(again) == list(table)
    assert [str(value.game) for value in again] == ["3x3x3", "3x4x3", "4x3x3", "3x3x4", "3x3x3g", "6x7x4g"]
    assert (tmp_path / "values").read_text().startswith(HEAD)


def test_writing_keeps_what_others_have_written(tmp_path: Path) -> None:
    one, other = ValueTable([TIC_TAC_TOE]), ValueTable([Value(Game(1, 1, 1), "win", 1, "search")])
    one.write(tmp_path / "values")
    other.write(tmp_path / "values")
    assert {value.game for value in ValueTable.read(tmp_path / "values")} == {Game(3, 3, 3), Game(1, 1, 1)}
    assert [file.name for file in tmp_path.iterdir()] == ["values"]


def test_what_is_known_stays_known() -> None:
    table = ValueTable([TIC_TAC_TOE])
    table.add(Value(Game(3, 3, 3), "draw", None, "pairing"))
    found = table.get(Game(3, 3, 3))
    assert found is not None and (found.plies, found.proof_sha256, found.method) == (9, "ab" * 32, "pairing")


@pytest.mark.parametrize(("value", "plies"), [("win", 9), ("draw", 8), ("loss", None)])
def test_contradictions_are_refused(value: str, plies: int | None) -> None:
    with pytest.raises(FormatError, match=r"3x3x3 is a draw in 9 plies and a .*: one of them is wrong"):
        ValueTable([TIC_TAC_TOE]).add(Value(Game(3, 3, 3), value, plies, "search"))


def test_a_turned_board_is_known_without_gravity_only() -> None:
    table = ValueTable([Value(Game(8, 4, 4), "draw", 32, "search"), Value(Game(4, 5, 4, True), "draw", 20, "search")])
    turned = table.get(Game(4, 8, 4))
    assert turned == Value(Game(4, 8, 4), "draw", 32, "search")
    assert table.get(Game(5, 4, 4, True)) is None
    for game in (Game(8, 5, 4), Game(7, 4, 4), Game(8, 4, 5), Game(8, 4, 4, True)):
        assert table.get(game) is None


def test_the_shipped_table_can_be_read() -> None:
    assert all(known_value(value.game) == value for value in shipped_values())
    assert known_value(Game(127, 128, 5)) is None


LINE = TIC_TAC_TOE.to_json()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: a table of values begins with its format"),
        (LINE, "line 1: a table of values begins with its format"),
        (HEAD.replace("-1", "-2"), "line 1: a table of values begins with its format"),
        (HEAD + "x", "line 2: a value is one line of JSON"),
        (HEAD + "[]", "line 2: a value has the fields game, value"),
        (HEAD + "[" * 100_000, "line 2: a value is one line of JSON"),
        (HEAD + LINE.replace('"nodes"', '"knots"'), "line 2: a value has the fields"),
        (HEAD + LINE.replace("3x3x3", "3x3"), "line 2: '3x3' is not a game"),
        (HEAD + LINE.replace('"draw"', '"unknown"'), "line 2: a value's value cannot be 'unknown'"),
        (HEAD + LINE.replace("9", "true"), "line 2: a value's plies cannot be True"),
        (HEAD + LINE.replace("0.25", "NaN"), "line 2: a value's seconds cannot be nan"),
        (HEAD + LINE.replace("1000", "-1"), "line 2: a value's nodes cannot be -1"),
        (HEAD + LINE.replace('"search"', "null"), "line 2: a value's method cannot be None"),
        (HEAD + LINE + "\n" + LINE.replace("draw", "win"), "line 3: 3x3x3 is a draw in 9 plies and a win"),
    ],
)
def test_a_broken_table_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "values").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        ValueTable.read(tmp_path / "values")


def test_ranges_of_games() -> None:
    def names(*arguments: object) -> list[str]:
        return [str(game) for game in games_up_to(*arguments)]  # type: ignore[arg-type]

    assert names(4, None, None, [False]) == ["1x3x3", "1x4x3", "1x4x4"]
    assert names(3, None, None, [True]) == ["1x3x3g", "3x1x3g"]
    assert names(None, (2, 3), [2], [False]) == ["1x1x2", "1x2x2", "1x3x2", "2x2x2", "2x3x2"]
    assert names(None, (3, 2), [2], [False]) == ["1x1x2", "1x2x2", "3x1x2", "2x2x2", "3x2x2"]
    assert names(None, (2, 2), [2], [True, False]) == [
        *("1x1x2", "1x1x2g", "1x2x2", "1x2x2g", "2x1x2g", "2x2x2", "2x2x2g"),
    ]
    for cells in (6, 9):
        free = games_up_to(cells, None, None, [False])
        sides = {(game.rows, game.columns) for game in free}
        assert all((columns, rows) not in sides or rows == columns for rows, columns in sides)


def test_filling_a_table_and_its_page(tmp_path: Path) -> None:
    games = games_up_to(6, None, [2, 3], [False, True])
    table = ValueTable()
    effort = Effort(shortest=True, proof=True)
    with LocalCrew(1) as crew:
        found = dict(fill(table, games, solve, effort, crew, tmp_path))
    assert set(found) == set(games) and missing(table, games, effort) == []
    for game in games:
        expected = solve(Board(game))
        value = table.get(game)
        assert value is not None and (value.value, value.plies) == (expected.value, expected.plies)
        proof = Proof.read(tmp_path / f"{game}.proof")
        assert proof.sha256 == value.proof_sha256 and verify(proof).plies == value.plies
    text = page(table)
    assert (
        "## Free placement, k = 2\n\n| rows \\ columns | 1 | 2 | 3 | 4 | 5 | 6 |\n|---|---|---|---|---|---|---|\n"
        in text
    )
    assert "| 2 | D a* | 1(3) a* | 1(3) a* |  |  |  |" in text and "\na minimax\n" in text
    assert [grid.title for grid in grids(table)][:2] == ["Free placement, k = 2", "Free placement, k = 3"]


def test_a_value_whose_proof_is_too_long_comes_without() -> None:
    def solve(board: Board, limit: Limit | None = None, *, proof: bool = False, **_: object) -> Solution:
        if proof:
            raise ProofError("too long")
        return Solution("draw", 9)

    effort = Effort(proof=True)
    assert solve_empty(solve, effort, Game(3, 3, 3)).value == "draw"


def test_what_is_missing() -> None:
    table = ValueTable(
        [Value(Game(2, 3, 2), "win", None, "search"), Value(Game(3, 3, 3), "draw", None, "search", "00")]
    )
    games = [Game(3, 2, 2), Game(3, 3, 3), Game(3, 3, 4)]
    assert missing(table, games, Effort()) == [Game(3, 3, 4)]
    assert missing(table, games, Effort(shortest=True)) == [Game(3, 2, 2), Game(3, 3, 4)]
    assert missing(table, games, Effort(proof=True)) == [Game(3, 2, 2), Game(3, 3, 4)]


def test_what_is_not_solved_in_time_stays_unknown() -> None:
    table = ValueTable()
    with LocalCrew(1) as crew:
        found = dict(fill(table, [Game(2, 2, 2), Game(3, 3, 3)], solve, Effort(Limit(nodes=4)), crew))
    assert found[Game(3, 3, 3)] is None and [value.game for value in table] == [Game(2, 2, 2)]


def test_the_command_fills_a_file_and_goes_on(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inarow.solver, "solve", solve, raising=False)
    out, proofs, docs = tmp_path / "values.jsonl", tmp_path / "proofs", tmp_path / "values.md"
    status, printed, _ = run("values", "--up-to", "4", "--out", str(out), "--proofs", str(proofs), "--json")
    assert status == 0
    entries = json.loads(printed)["values"]
    with_gravity = ["1x3x3g", "1x4x3g", "3x1x3g", "4x1x3g", "1x4x4g", "4x1x4g"]
    assert [entry["game"] for entry in entries] == ["1x3x3", "1x4x3", "1x4x4", *with_gravity]
    assert len(list(proofs.iterdir())) == 9
    monkeypatch.setattr(inarow.solver, "solve", None)  # nothing is done again
    status, printed, _ = run("values", "--up-to", "4", "--out", str(out), "--docs", str(docs))
    assert status == 0 and "Free placement, k = 3" in printed and "D a*" in printed
    assert docs.read_text() == page(ValueTable.read(out))
    assert run("values")[0] == 0


def test_games_by_name(run: Run, tmp_path: Path) -> None:
    out = str(tmp_path / "values.jsonl")
    status, printed, _ = run("values", "3x3x3", "4x4x4g", "--out", out, "--memory", "16", "--json")
    assert status == 0
    assert [entry["game"] for entry in json.loads(printed)["values"]] == ["3x3x3", "4x4x4g"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["3x3"], "3x3"),
        (["--up-to", "3x"], "--up-to is a number of cells, or ROWSxCOLUMNS, not '3x'"),
        (["--up-to", "9", "--k", "3-"], "--k is a list such as 3,4 or 3-5"),
        (["--up-to", "9", "--k", "0"], "k must be 1 to 128"),
    ],
)
def test_ranges_that_cannot_be_read(run: Run, arguments: list[str], message: str) -> None:
    status, _, errors = run("values", *arguments)
    assert status == 2 and message in errors


COMMAND = """
import signal, sys, time
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the tests before have left
import inarow.solver
from tests.reference import solving
from tests.unit.test_values import slow_solve
inarow.solver.solve = slow_solve
from inarow.cli import main
main()
"""


def slow_solve(board: Board, *arguments: object, **options: object) -> object:
    """Never done with boards of more than three cells."""
    if board.game.rows * board.game.columns > 3:
        time.sleep(1000)
    return solve(board)


def test_ctrl_c_keeps_what_there_is(tmp_path: Path) -> None:
    out = tmp_path / "values.jsonl"
    command = [sys.executable, "-c", COMMAND, "values", "--up-to", "4", "--placement", "free", "--out", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while time.monotonic() < end and not (out.exists() and "1x3x3" in out.read_text()):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    try:
        printed, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130 and "the same command goes on" in errors, errors
    assert [value.game for value in ValueTable.read(out)] == [Game(1, 3, 3)] and "k = 3" in printed


def test_a_missing_solver_is_not_needed_to_look(run: Run) -> None:
    status, printed, _ = run("values", "--json")
    assert status == 0 and set(json.loads(printed)) == {"values", "unknown", "stopped"}


def test_spec_errors_are_named() -> None:
    from inarow.cli.values import Placement, parse_range

    with pytest.raises(SpecError):
        parse_range("x", "", Placement.BOTH)


def test_the_page_is_made_from_the_shipped_table() -> None:
    file = Path(__file__).parents[2] / "docs" / "values.md"
    assert file.read_text(encoding="utf-8") == page(shipped_values()), "inarow values --docs docs/values.md makes it"
