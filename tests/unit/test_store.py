"""A tournament's games on disk: kept once they are added, whatever happens."""

import json
import re
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from inarow import Board, FormatError, Game, Limit, Outcome, Reason, Record, Seat, parse_position
from inarow.arena import store as store_module
from inarow.arena.schedule import number_of_games, schedule
from inarow.arena.spec import GameJob, RefereeRules, Style, Tournament
from inarow.arena.spec_json import FORMAT, tournament_from_json, tournament_to_json
from inarow.arena.store import Store
from inarow.errors import StoreError

TOURNAMENT = Tournament(("telos", "random:seed=1", "cmd:/usr/bin/x -a"), (Game(3, 3, 3), Game(4, 4, 3, True)), Limit(1))


def played(job: GameJob, *, late: bool = False) -> Record:
    """The job's game: the first legal move, time and again; forfeited after two moves when `late`."""
    board = Board(job.game)
    for move in job.opening:
        board.push(move)
    while not board.is_over and not (late and board.ply == 2):
        board.push(board.legal_moves[0])
    seconds = tuple(0.1 * (ply % 2 + 1) for ply in range(board.ply))
    record = replace(Record.of(board, job.players, seconds, job.limit), opening=len(job.opening))
    return replace(record, outcome=Outcome(Seat.SECOND, Reason.FORFEIT, detail="late: 2 s of 1 s")) if late else record


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def filled(path: Path, tournament: Tournament = TOURNAMENT) -> dict[str, Record]:
    """Plays a whole tournament into a store, one game of it forfeited, and closes it."""
    records: dict[str, Record] = {}
    with Store.open(path, tournament) as store:
        for number, job in enumerate(schedule(tournament, {})):
            records[job.key] = played(job, late=number == 3)
            assert store.add(job.key, records[job.key])
    return records


def run_sql(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_games_come_back_in_order(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "PAGE", 5)
    records = filled(path)
    assert len(records) == number_of_games(TOURNAMENT) == 12
    with Store.read(path) as store:
        assert list(store.games()) == list(records.items())
        assert store.count() == 12
        assert store.tournament == TOURNAMENT
        assert store.check() == []
        outcomes = store.outcomes()
    assert list(outcomes) == list(records)
    for key, record in records.items():
        assert record.outcome is not None
        assert outcomes[key] == replace(record.outcome, line=None)
    assert Reason.FORFEIT in {outcome.reason for outcome in outcomes.values()}


def test_the_columns_are_for_people(path: Path) -> None:
    records = filled(path)
    key = list(records)[3]
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    row = dict(connection.execute("SELECT * FROM games WHERE reason = 'forfeit'").fetchone())
    connection.close()
    assert Record.from_json(row.pop("record")) == records[key]
    assert list(row.values()) == [
        *(4, key, "4x4x3g", "random:seed=1", "telos", "second", "forfeit", "late: 2 s of 1 s"),
        *(2, 0.1, 0.2, records[key].date),
    ]


def test_times_that_are_not_known_and_draws_are_null(path: Path) -> None:
    drawn = Record.of(parse_position("1x1x2:a1"), ("telos", "random:seed=1"))
    with Store.open(path, TOURNAMENT) as store:
        store.add("1x1x2/telos/random:seed=1/1", drawn)
        assert store.outcomes() == {"1x1x2/telos/random:seed=1/1": Outcome(None, Reason.FULL)}
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT winner, first_seconds, second_seconds FROM games").fetchall() == [(None,) * 3]
    connection.close()


def test_a_second_copy_changes_nothing(path: Path) -> None:
    job = schedule(TOURNAMENT, {})[0]
    with Store.open(path, TOURNAMENT) as store:
        assert store.add(job.key, played(job))
        assert not store.add(job.key, played(job, late=True))
        assert list(store.games()) == [(job.key, played(job))]


def test_a_game_that_was_broken_off_is_refused(path: Path) -> None:
    with Store.open(path, TOURNAMENT) as store:
        with pytest.raises(StoreError, match="was broken off"):
            store.add("x", Record.of(parse_position("3x3x3:a1"), ("a", "b")))
        assert store.count() == 0


@pytest.mark.parametrize("style", Style)
def test_a_tournament_is_continued_where_it_was_left(path: Path, style: Style) -> None:
    tournament = replace(TOURNAMENT, style=style, rounds=2, openings="random:2")
    total = number_of_games(tournament)
    keys: list[str] = []
    while len(keys) < total:
        with Store.open(path, tournament) as store:  # again and again, three games each time
            missing = schedule(store.tournament, store.outcomes())
            assert missing
            for job in missing[:3]:
                assert store.add(job.key, played(job))
                keys.append(job.key)
    with Store.read(path) as store:
        assert schedule(tournament, store.outcomes()) == []
        assert [key for key, _ in store.games()] == keys
        assert len(set(keys)) == store.count() == total
        assert store.check() == []


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"players": ("telos", "cadrega", "cmd:/usr/bin/x -a")}, "player 2: random:seed=1 there, cadrega here"),
        ({"players": (*TOURNAMENT.players, "plain")}, "player 4: none there, plain here"),
        ({"games": TOURNAMENT.games[:1]}, "board 2: 4x4x3g there, none here"),
        ({"limit": Limit(seconds=1, nodes=5)}, "nodes of the limit: none there, 5 here"),
        ({"limit": Limit(seconds=1.5), "seed": 2}, "seconds of the limit: 1 there, 1.5 here"),
        ({"style": Style.SWISS}, "style: round-robin there, swiss here"),
        ({"rounds": 7}, "rounds: 1 there, 7 here"),
        ({"openings": "random:2"}, "openings: none there, random:2 here"),
        ({"openings": ("b2", "a1")}, "openings: none there, 2 positions here"),
        ({"seed": 2}, "seed: 1 there, 2 here"),
        ({"rules": RefereeRules(in_process=True)}, "in_process of the rules: False there, True here"),
        ({"rules": RefereeRules(memory_bytes=10**9)}, "memory_bytes of the rules: none there, 1000000000 here"),
    ],
)
def test_another_tournament_is_refused(path: Path, change: dict[str, object], difference: str) -> None:
    Store.open(path, TOURNAMENT).close()
    with pytest.raises(StoreError, match=f"games.db holds another tournament: {re.escape(difference)}$"):
        Store.open(path, replace(TOURNAMENT, **change))  # type: ignore[arg-type]
    with Store.open(path, TOURNAMENT) as store:  # which the refused one has neither changed nor locked
        assert store.tournament == TOURNAMENT


def test_other_openings_are_named(path: Path) -> None:
    tournament = replace(TOURNAMENT, openings=("b2", "a1"))
    Store.open(path, tournament).close()
    with pytest.raises(StoreError, match="opening 2: a1 there, c3 here"):
        Store.open(path, replace(tournament, openings=("b2", "c3")))


def test_a_number_is_the_same_with_a_point(path: Path) -> None:
    Store.open(path, TOURNAMENT).close()
    Store.open(path, replace(TOURNAMENT, limit=Limit(seconds=1.0))).close()


def test_a_store_is_read_while_it_is_written(path: Path) -> None:
    jobs = schedule(TOURNAMENT, {})
    with Store.open(path, TOURNAMENT) as writer, Store.read(path) as reader:
        for number, job in enumerate(jobs, start=1):
            writer.add(job.key, played(job))
            assert reader.count() == number
        games = reader.games()
        next(games)
        assert not writer.add(jobs[0].key, played(jobs[0])), "a reader in the middle does not keep the writer waiting"
        with pytest.raises(StoreError, match="is being written by another process"):
            Store.open(path, TOURNAMENT)
        with pytest.raises(StoreError, match="cannot be written"):
            reader.add("x", played(jobs[0]))


def test_a_store_whose_tournament_has_not_begun(path: Path) -> None:
    Store.open(path, TOURNAMENT).close()
    run_sql(path, "DELETE FROM tournament")
    with pytest.raises(StoreError, match="is empty: its tournament has not begun"):
        Store.read(path)
    Store.open(path, TOURNAMENT).close()
    with Store.read(path) as store:
        assert store.tournament == TOURNAMENT


def test_a_tournament_that_cannot_be_read(path: Path) -> None:
    Store.open(path, TOURNAMENT).close()
    run_sql(path, "UPDATE tournament SET spec = '{}'")
    for open_store in (Store.read, lambda path: Store.open(path, TOURNAMENT)):
        with pytest.raises(StoreError, match=f"games.db is damaged: a tournament says format '{FORMAT}'"):
            open_store(path)


def test_damaged_pages_are_refused(path: Path) -> None:
    filled(path, replace(TOURNAMENT, rounds=5))
    content = bytearray(path.read_bytes())
    page = 4096
    assert len(content) > 8 * page
    content[5 * page : 5 * page + 200] = b"\xa5" * 200
    path.write_bytes(content)
    for open_store in (Store.read, lambda path: Store.open(path, replace(TOURNAMENT, rounds=5))):
        with pytest.raises(StoreError, match="is damaged") as caught:
            open_store(path)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE games SET winner = 'second' WHERE number = 1", "winner is 'second', the record says 'first'"),
        ("UPDATE games SET plies = plies + 1 WHERE number = 2", "plies is "),
        ("UPDATE games SET first_seconds = 9 WHERE number = 2", "first_seconds is 9.0, the record says "),
        ("UPDATE games SET record = '{}' WHERE number = 3", "a record says format"),
        ("UPDATE games SET record = 7.5 WHERE number = 3", "a record says format"),
        ("UPDATE games SET record = x'ff' WHERE number = 3", "a record is one line of JSON"),
        ("UPDATE games SET key = '4x4x3/telos/x/1' WHERE number = 1", "4x4x3/telos/x/1 is a game of telos and"),
        ("UPDATE games SET key = '3x3x3/telos/random:seed=1/one' WHERE number = 1", "/one is a game of telos and"),
    ],
)
def test_a_check_finds_what_was_changed_by_hand(path: Path, statement: str, problem: str) -> None:
    filled(path)
    run_sql(path, statement)
    with Store.read(path) as store:
        (found,) = store.check()
    assert problem in found
    assert "\n" not in found


def test_a_check_finds_a_game_that_was_broken_off(path: Path) -> None:
    filled(path)
    broken_off = Record.of(parse_position("3x3x3:a1"), ("telos", "random:seed=1")).to_json()
    run_sql(path, f"UPDATE games SET record = '{broken_off}' WHERE number = 1")
    with Store.read(path) as store:
        assert [problem.rpartition(": ")[2] for problem in store.check()] == ["it was broken off"]


def test_a_check_finds_games_of_others_and_games_that_are_there_twice(path: Path) -> None:
    filled(path)
    with Store.open(path, TOURNAMENT) as store:
        store.add(
            "5x5x3/telos/random:seed=1/1", Record.of(parse_position("5x5x3:a1.a2.b1.b2.c1"), ("telos", "random:seed=1"))
        )
        store.add("3x3x3/telos/plain/1", Record.of(parse_position("3x3x3:a1.a2.b1.b2.c1"), ("telos", "plain")))
        assert [problem.partition(" ")[0] for problem in store.check()] == [
            "5x5x3/telos/random:seed=1/1",
            "3x3x3/telos/plain/1",
        ]
    run_sql(
        path,
        "CREATE TABLE copies AS SELECT * FROM games WHERE number <= 12",
        "INSERT INTO copies SELECT number + 100, key, board, first, second, winner, reason, detail, plies, "
        "first_seconds, second_seconds, finished, record FROM games WHERE number = 1",
        "DROP TABLE games",
        "ALTER TABLE copies RENAME TO games",
    )
    with Store.read(path) as store:
        assert store.check() == ["3x3x3/telos/random:seed=1/1 is there twice"]


def test_a_check_finds_a_broken_index(path: Path) -> None:
    filled(path)
    connection = sqlite3.connect(path)
    (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE type = 'index'").fetchone()
    connection.close()
    content = bytearray(path.read_bytes())
    at = content.index(b"3x3x3/telos", (page - 1) * 4096)
    content[at : at + 5] = b"9x9x9"
    path.write_bytes(content)
    with Store.read(path) as store:
        assert "missing from index" in store.check()[0]


def test_games_that_cannot_be_read_are_named(path: Path) -> None:
    filled(path)
    run_sql(
        path,
        "UPDATE games SET reason = 'boredom' WHERE number = 2",
        "UPDATE games SET record = '{}' WHERE number = 3",
    )
    with Store.read(path) as store:
        with pytest.raises(
            StoreError, match=r"is damaged at game 3x3x3/.*/1: it cannot have ended with 'first' and 'boredom'"
        ):
            store.outcomes()
        with pytest.raises(StoreError, match=r"is damaged at game .*/1: a record says format"):
            list(store.games())


WRITER = """
import sys
from pathlib import Path
from inarow.arena.schedule import schedule
from inarow.arena.store import Store
from tests.unit.test_store import LONG, played
with Store.open(Path(sys.argv[1]), LONG) as store:
    for job in schedule(LONG, store.outcomes()):
        store.add(job.key, played(job))
        print(job.key, flush=True)
"""
LONG = replace(TOURNAMENT, rounds=500)
KILLS = 5
ROOT = Path(__file__).parents[2]


def test_a_killed_writer_has_lost_nothing(path: Path) -> None:
    reported: list[str] = []
    for kill in range(KILLS):
        command = [sys.executable, "-c", WRITER, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as writer:
            assert writer.stdout is not None
            reported += [writer.stdout.readline().strip() for _ in range(20 + 7 * kill)]
            writer.kill()
            reported += writer.stdout.read().splitlines()
        with Store.open(path, LONG) as store:
            kept = list(store.outcomes())
            assert store.check() == []
        assert set(reported) <= set(kept)
        assert len(kept) - len(reported) <= kill + 1, "at most the game that was committed but not reported"
    assert len(reported) == len(set(reported)) > 100


UNUSUAL = Tournament(
    ("ä", "你", 'c"d'),
    (Game(128, 1, 1), Game(6, 7, 4, True)),
    Limit(nodes=2**62, depth=3, clock=0, increment=0.1),
    Style.GAUNTLET,
    rounds=10**6,
    openings=("", "a1 b2"),
    seed=-(10**30),
    rules=RefereeRules(0, 1.5, 2**40, True, True),
)


@pytest.mark.parametrize("tournament", [TOURNAMENT, UNUSUAL])
def test_a_tournament_reads_back(tournament: Tournament) -> None:
    text = tournament_to_json(tournament)
    assert tournament_from_json(text) == tournament
    assert "\n" not in text
    entries = json.loads(text)
    assert list(entries) == sorted(entries)


def test_equal_tournaments_have_equal_texts() -> None:
    rules = RefereeRules(tolerance=0, start_seconds=10)
    one = replace(TOURNAMENT, limit=Limit(seconds=2), rules=rules)
    other = replace(TOURNAMENT, limit=Limit(seconds=2.0), rules=RefereeRules(tolerance=0.0))
    assert one == other
    assert tournament_to_json(one) == tournament_to_json(other)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "x"}, "a tournament says format"),
        ({"players": "ab"}, "its players are a list of texts, not 'ab'"),
        ({"players": ["a"]}, "needs two players"),
        ({"games": ["3x3"]}, "is not a game"),
        ({"games": [3]}, "its games are a list of texts"),
        ({"limit": {"hours": 1}}, "hours"),
        ({"limit": {"seconds": -1}}, "seconds must be more than 0"),
        ({"limit": {"seconds": "1"}}, "its limit has numbers by name"),
        ({"limit": []}, "its limit has numbers by name"),
        ({"rules": {"hours": 1}}, "hours"),
        ({"style": "chaos"}, "chaos"),
        ({"style": None}, "None is not a valid Style"),
        ({"rounds": 1.5}, "its rounds must be a whole number, not 1.5"),
        ({"rounds": True}, "its rounds must be a whole number"),
        ({"seed": None}, "its seed must be a whole number, not None"),
        ({"openings": None}, "its openings are a list of texts"),
    ],
)
def test_a_tournament_that_is_wrong_is_refused(change: dict[str, object], message: str) -> None:
    entries = json.loads(tournament_to_json(TOURNAMENT)) | change
    with pytest.raises(FormatError, match=message) as caught:
        tournament_from_json(json.dumps(entries))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000])
def test_what_is_not_a_tournament_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="a tournament"):
        tournament_from_json(text)


def test_a_player_whose_name_is_no_text_is_refused(path: Path) -> None:
    with pytest.raises(FormatError, match="is not a text that can be written"):
        Store.open(path, replace(TOURNAMENT, players=("\ud800", "b")))
    assert not path.exists()
