"""The report: files that read back, a page that has every game, needs no network and believes no name."""

import csv
import io
import json
import random
import re
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from inarow import Game, Limit, Outcome, Reason, Record, Seat
from inarow.arena import report
from inarow.arena.report import report_dict, standings_csv, write_report
from inarow.arena.schedule import schedule
from inarow.arena.spec import COURSE_MNK_2022, Tournament
from inarow.arena.standings import standings
from tests.randoms import random_board

HOSTILE = ("<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "a & \"b\", 'c'", "__proto__ $title")
BOARDS = (Game(3, 3, 3), Game(6, 7, 4, gravity=True), Game(9, 8, 5), Game(70, 70, 10), Game(1, 100, 9, gravity=True))


def tournament(*players: str) -> Tournament:
    return Tournament(players or HOSTILE, BOARDS, Limit(seconds=1), rounds=2, openings="random:2")


def games_of(planned: Tournament) -> list[tuple[str, Record]]:
    """Random games with times; the ones that are not over after 60 plies are forfeited, two are broken off."""
    games = []
    for number, job in enumerate(schedule(planned, {})):
        board = random_board(job.game, seed=number)
        seconds = tuple(round(random.Random(number + ply).random(), 4) for ply in range(board.ply))
        outcome = board.outcome or Outcome(Seat.FIRST, Reason.FORFEIT, detail="late: </script><b>1.2 s</b>")
        outcome_or_none = None if number in (3, 50) else outcome
        record = Record(
            job.game, job.players, board.moves, outcome_or_none, seconds, job.limit, "2026-02-03", opening=2
        )
        games.append((job.key, record))
    games[0] = ("a key of its own", games[0][1])
    return games


class Page(HTMLParser):
    """What a browser would see: the elements, and the texts of the scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.scripts: list[str] = []
        self.title = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "script":
            self.scripts.append(data)
        if self.tags and self.tags[-1] == "title" and not self.title:
            self.title = data

    @property
    def data(self) -> dict[str, Any]:
        entries = json.loads(self.scripts[0])
        assert isinstance(entries, dict)
        return entries


def written(planned: Tournament, games: list[tuple[str, Record]], folder: Path) -> Page:
    return Page(write_report(planned, games, folder).read_text(encoding="utf-8"))


def numbers_in(text: str, width: int) -> list[int]:
    numbers = []
    for start in range(0, len(text), width):
        number = 0
        for digit in text[start : start + width]:
            number = number * len(report.DIGITS) + report.DIGITS.index(digit)
        numbers.append(number)
    return numbers


def read_back(data: dict[str, Any], entry: list[Any]) -> tuple[str, Record]:
    """A record from its compact form, in other words than the page's script has."""
    number, board, first, second, end, opening, moves, times, line, detail = entry
    planned = data["tournament"]
    game = BOARDS[board]
    players = (planned["players"][first], planned["players"][second])
    key = number if isinstance(number, str) else "/".join([str(game), *players, str(number)])
    cells = game.rows * game.columns
    width = next(width for width in (1, 2, 3) if 64**width >= (game.columns if game.gravity else cells))
    cell_width = next(width for width in (1, 2, 3) if 64**width >= cells)
    played = [move if game.gravity else divmod(move, game.columns) for move in numbers_in(moves, width)]
    outcome = None
    if end:
        winner, reason = next(ending for ending, letter in report.END_LETTERS.items() if letter == end)
        outcome = Outcome(winner, reason, detail=detail)
        if line:
            head, tail = (divmod(cell, game.columns) for cell in numbers_in(line, cell_width))
            steps = max(1, game.k - 1)
            path = [
                (head[0] + (tail[0] - head[0]) * i // steps, head[1] + (tail[1] - head[1]) * i // steps)
                for i in range(game.k)
            ]
            outcome = Outcome(winner, reason, tuple(path), detail)
    seconds = tuple(units * data["time_unit"] for units in numbers_in(times, data["time_digits"]))
    limit = Limit(**planned["limit"])
    return key, Record(game, players, tuple(played), outcome, seconds, limit, "2026-02-03", opening=opening)


def test_the_page_has_every_game_once(tmp_path: Path) -> None:
    games = games_of(tournament())
    data = written(tournament(), games, tmp_path).data
    found = [read_back(data, entry) for entry in data["records"]]
    assert [key for key, _ in found] == [key for key, _ in games]
    assert found == games
    assert {record.outcome.reason for _, record in games if record.outcome} == set(Reason)


def test_no_name_becomes_an_element(tmp_path: Path) -> None:
    page = written(tournament(), games_of(tournament()), tmp_path / "hostile")
    harmless = written(tournament("a", "b", "c", "d"), games_of(tournament("a", "b", "c", "d")), tmp_path / "harmless")
    assert page.tags == harmless.tags
    assert page.attributes == harmless.attributes
    assert page.data["tournament"]["players"] == list(HOSTILE)


def test_only_the_page_s_own_script_may_run(tmp_path: Path) -> None:
    page = written(tournament(), games_of(tournament()), tmp_path)
    policy = next(value for name, value in page.attributes if name == "content" and value and "default-src" in value)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert not [name for name, _ in page.attributes if name.startswith("on") or name == "style"]


def test_the_page_needs_nothing_from_anywhere(tmp_path: Path) -> None:
    text = write_report(tournament(), games_of(tournament()), tmp_path).read_text(encoding="utf-8")
    text = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.findall(r"https?:|//cdn|@import|url\((?!#)|\bsrc=\"|fetch\(|import\(", text)


def test_the_title_says_what_was_played(tmp_path: Path) -> None:
    assert written(tournament(), [], tmp_path).title == "4 players on 5 boards, 1 s a move"
    single = Tournament(("a", "b"), BOARDS[:1], Limit(nodes=50, depth=3))
    assert written(single, [], tmp_path).title == "2 players on 3x3x3, 50 nodes a move, depth 3"


def test_files_read_back(tmp_path: Path) -> None:
    planned, games = tournament(), games_of(tournament())
    write_report(planned, games, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "report.json", "standings.csv"]
    entries = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert entries == json.loads(json.dumps(report_dict(planned, iter(games))))
    assert entries["games"] == {"played": 120, "planned": 120}
    assert entries["dates"] == ["2026-02-03", "2026-02-03"]
    assert [line["player"] for line in entries["standings"]] == [line.player for line in standings(planned, games)]
    assert sum(line["score"] for line in entries["cross_table"]) == 118
    assert entries["forfeits"][0]["detail"] == "late: </script><b>1.2 s</b>"

    lines = list(csv.DictReader(io.StringIO((tmp_path / "standings.csv").read_text(encoding="utf-8"))))
    assert {line["player"] for line in lines} == set(HOSTILE)
    for line, standing in zip(lines, standings(planned, games), strict=True):
        assert standing.time is not None
        assert (int(line["place"]), int(line["points"]), float(line["score"])) == (
            standing.place,
            standing.points,
            standing.score,
        )
        assert float(line["seconds_worst"]) == pytest.approx(standing.time.worst)
        assert float(line["worst_share_of_limit"]) == pytest.approx(standing.time.worst_share)


def test_ratings_of_a_board_need_enough_games() -> None:
    planned = Tournament(("a", "b", "c"), BOARDS[:2], Limit(seconds=1), rounds=3)
    games = games_of(planned)
    assert [rated["board"] for rated in report_dict(planned, games)["ratings"]] == [None, "3x3x3", "6x7x4g"]
    rated = report_dict(planned, games[: len(games) // 2])["ratings"]
    assert [ratings["board"] for ratings in rated] == [None]
    assert {player["name"] for player in rated[0]["players"]} == {"a", "b", "c"}


def test_a_tournament_without_games_has_a_report(tmp_path: Path) -> None:
    data = written(tournament(), [], tmp_path).data
    assert data["records"] == []
    assert data["dates"] == []
    assert [line["place"] for line in data["standings"]] == [1, 1, 1, 1]
    assert standings_csv(standings(tournament(), [])).splitlines()[1].endswith(",0,0,0,0,0,0,0,0,0,,,,,")


def test_a_report_that_fails_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_report(tournament(), [], tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    def full(path: Path, target: Path) -> Path:
        raise OSError("the disk is full")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="the disk is full"):
        write_report(tournament(), games_of(tournament()), tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_large_tournament_is_written_in_seconds(tmp_path: Path) -> None:
    planned = Tournament(tuple(f"player {i}" for i in range(29)), COURSE_MNK_2022, Limit(seconds=10))
    chance = random.Random(7)
    endings = {game: [random_board(game, seed) for seed in range(3)] for game in planned.games}
    games = []
    for job in schedule(planned, {}):
        board = chance.choice(endings[job.game])
        outcome = board.outcome or Outcome(Seat.SECOND, Reason.FORFEIT, detail="late: 10.2 s, the limit is 10 s")
        seconds = tuple(chance.random() * 10 for _ in board.moves)
        games.append((job.key, Record(job.game, job.players, board.moves, outcome, seconds, job.limit, "2026-02-03")))
    assert len(games) > 20_000

    begin = time.process_time()
    page = write_report(planned, games, tmp_path)
    assert time.process_time() - begin < 15
    moves = sum(len(record.moves) for _, record in games)
    assert page.stat().st_size < 6 * moves + 100 * len(games) + 500_000
