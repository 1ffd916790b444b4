"""Games written as files for other programs: complete or not at all, and over nothing that is there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from inarow import Board, Game, Record, parse_position
from inarow.arena.export import KINDS, export
from inarow.arena.schedule import schedule
from inarow.errors import SpecError, StoreError
from tests.unit.test_store import TOURNAMENT, played


def exported_games() -> list[tuple[str, Record]]:
    return [(job.key, played(job)) for job in schedule(TOURNAMENT, {})]


def test_json_lines_and_pgn_are_one_file(tmp_path: Path) -> None:
    games = exported_games()
    result = export(games, "jsonl", tmp_path / "out.jsonl")
    assert (result.written, result.skipped) == (12, {})
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [Record.from_json(line) for line in lines] == [record for _, record in games]
    assert export(games, "pgn", tmp_path / "out.pgn").written == 12
    text = (tmp_path / "out.pgn").read_text(encoding="utf-8")
    assert text.count('[Event "inarow"]\n') == text.count("\n\n[Event ") + 1 == 12
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out.jsonl", "out.pgn"]


def test_psq_and_sgf_are_directories(tmp_path: Path) -> None:
    (tmp_path / "sgf").mkdir()  # empty: as good as none
    assert export(exported_games(), "sgf", tmp_path / "sgf").written == 12
    names = sorted(file.name for file in (tmp_path / "sgf").iterdir())
    assert names[:2] == ["000001-3x3x3_telos_random_seed=1_1.sgf", "000002-3x3x3_random_seed=1_telos_1.sgf"]
    assert len(names) == 12
    assert (tmp_path / "sgf" / names[0]).read_text(encoding="utf-8").startswith("(;GM[4]")
    result = export(exported_games(), "psq", tmp_path / "psq")
    assert (result.written, result.skipped) == (6, {"PSQ has no gravity": 6})
    assert len(list((tmp_path / "psq").iterdir())) == 6
    assert sorted(file.name for file in tmp_path.iterdir()) == ["psq", "sgf"]


def test_boards_that_sgf_cannot_hold_are_counted(tmp_path: Path) -> None:
    large = Record.of(Board(Game(53, 53, 5)), ("a", "b"))
    result = export([("a", large), ("b", large)], "sgf", tmp_path / "sgf")
    assert (result.written, sum(result.skipped.values())) == (0, 2)
    assert "a side over 52" in next(iter(result.skipped))


def test_names_of_files_are_safe(tmp_path: Path) -> None:
    record = Record.of(parse_position("3x3x3:a1"), ("a", "b"))
    keys = ["../../etc/passwd", "-rf", ".", "", "a\0b\nc", "你" * 300, "x" * 300, "x" * 300]
    export([(key, record) for key in keys], "psq", tmp_path / "psq")
    names = sorted(file.name for file in (tmp_path / "psq").iterdir())
    assert len(names) == len(keys)
    assert all(re.fullmatch(r"\d{6}-[A-Za-z0-9._=+-]{0,100}\.psq", name) for name in names), names


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_there_is_not_overwritten(tmp_path: Path, kind: str) -> None:
    out = tmp_path / "out"
    out.write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError, match="exists already; name another or remove it"):
        export(exported_games(), kind, out)
    assert out.read_text(encoding="utf-8") == "mine"
    with pytest.raises(FileExistsError):
        export(exported_games(), kind, tmp_path)
    with pytest.raises(NotADirectoryError, match="create it first"):
        export(exported_games(), kind, tmp_path / "no" / "out")
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("kind", KINDS)
def test_an_export_that_fails_leaves_nothing(tmp_path: Path, kind: str) -> None:
    def games() -> Iterator[tuple[str, Record]]:
        yield from exported_games()
        raise StoreError("damaged")

    with pytest.raises(StoreError, match="damaged"):
        export(games(), kind, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", KINDS)
def test_somebody_who_was_quicker_keeps_the_place(tmp_path: Path, kind: str) -> None:
    def games() -> Iterator[tuple[str, Record]]:
        yield from exported_games()
        (tmp_path / "out").write_text("mine", encoding="utf-8")

    with pytest.raises(FileExistsError):
        export(games(), kind, tmp_path / "out")
    assert (tmp_path / "out").read_text(encoding="utf-8") == "mine"


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="exported as jsonl, pgn, psq, sgf, not as 'xml'"):
        export([], "xml", tmp_path / "out")
