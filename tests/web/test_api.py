"""/api: whatever is asked, the answer is as the schema says, and never a 500."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import positive_data_acceptance

from inarow import Board, Game, Limit, Record, format_position
from inarow.arena.schedule import schedule
from inarow.arena.spec import Tournament
from inarow.arena.store import Store
from inarow.web.app import create_app
from inarow.web.settings import MAX_BODY, Settings
from tests.randoms import random_game
from tests.web.serving import Server, serving

BOARDS = (Game(3, 3, 3), Game(6, 7, 4, gravity=True))
TOURNAMENT = Tournament(("random:seed=1", "rules"), BOARDS, Limit(nodes=1), rounds=3)
EXAMPLES = 15
SCHEMA = schemathesis.openapi.from_dict(create_app(Settings()).openapi())
OPERATIONS = [result.ok() for result in SCHEMA.get_all_operations() if isinstance(result, Ok)]
Operation = APIOperation[Any, Any, Any, Any]
WITH_INPUT = [operation for operation in OPERATIONS if operation.body or operation.query]


def finished_games() -> Iterator[tuple[str, Record]]:
    for number, job in enumerate(schedule(TOURNAMENT, {})):
        board = Board(job.game)
        for _, move in random_game(job.game, seed=number):
            board.push(move)
        yield job.key, Record(job.game, job.players, board.moves, board.outcome, date="2026-02-03")


@pytest.fixture(scope="module")
def store_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with all games but two."""
    path = tmp_path_factory.mktemp("stores") / "cup.db"
    with Store.open(path, TOURNAMENT) as store:
        for key, record in list(finished_games())[:-2]:
            store.add(key, record)
    return path


@pytest.fixture(scope="module")
def api(store_file: Path) -> Iterator[Server]:
    with serving(stores=(store_file,)) as running:
        yield running


def check_answers(server: Server, operation: Operation, mode: GenerationMode) -> None:
    """What fits the schema may still be no position, so 422 is an answer to it; a 500 never is."""

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
    )
    def ask(case: Any) -> None:
        answer = case.call(base_url=server.url)
        if answer.status_code != 413:  # a body that is too large is refused before anybody looks at it
            case.validate_response(answer, excluded_checks=[positive_data_acceptance])

    ask()


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_every_answer_is_as_the_schema_says(api: Server, operation: Operation) -> None:
    check_answers(api, operation, GenerationMode.POSITIVE)


@pytest.mark.parametrize("operation", WITH_INPUT, ids=lambda operation: operation.label)
def test_what_does_not_fit_the_schema_is_refused(api: Server, operation: Operation) -> None:
    check_answers(api, operation, GenerationMode.NEGATIVE)


def test_the_api_is_described(api: Server) -> None:
    status, described = api.json("GET", "/api/openapi.json")
    assert status == 200 and {"/api/info", "/api/import", "/api/export"} <= set(described["paths"])
    assert len(OPERATIONS) == 8 and len(WITH_INPUT) == 4


def test_what_the_server_offers(api: Server) -> None:
    status, info = api.json("GET", "/api/info")
    assert status == 200 and info["limits"]["rows"] == 128 and info["tournaments"] == ["cup"]
    assert {"name": "Connect-4", "game": "6x7x4g", "group": "Well known"} in info["presets"]
    players = {player["name"]: {option["name"]: option for option in player["options"]} for player in info["players"]}
    assert "book" not in players["telos"] and "ponder" not in players["engine"]
    assert players["engine"]["weights"]["choices"] == ["learned", "formula"]
    assert players["engine"]["threads"]["most"] == 2 and players["engine"]["memory"]["default"] == 32


@pytest.mark.parametrize(
    ("text", "kind", "position", "moves"),
    [
        ("6x7x4g:d.d.e", "position", "6x7x4g", ["d", "d", "e"]),
        ("4453", "connect4", "6x7x4g", ["d", "d", "e", "c"]),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\na\nb\n-1\n", "psq", "15x15x5", ["h8", "i9"]),
        ("(;GM[4]SZ[15];B[hh];W[ii])", "sgf", "15x15x5", ["h8", "i9"]),
        (Record(Game(3, 3, 3), ("a", "b"), ((1, 1),)).to_json(), "record", "3x3x3", ["b2"]),
    ],
)
def test_every_format_is_read_and_written_again(
    api: Server, text: str, kind: str, position: str, moves: list[str]
) -> None:
    status, read = api.json("POST", "/api/import", {"text": text})
    assert status == 200 and read["format"] == kind and read["tree"]["position"] == position
    assert [node["move"] for node in read["tree"]["nodes"]] == moves
    asked = {"format": kind, "tree": read["tree"], "path": moves, "players": read["players"]}
    status, written = api.json("POST", "/api/export", asked)
    assert status == 200
    assert api.json("POST", "/api/import", {"text": written["text"]}) == (200, read)


def test_variations_and_comments_survive_sgf(api: Server) -> None:
    nodes = [
        {"move": "h8", "parent": 0, "comment": "the centre [of it]"},
        {"move": "i9", "parent": 1, "comment": "a \\ and\na new line"},
        {"move": "g7", "parent": 1, "comment": ""},
        {"move": "a1", "parent": 0, "comment": "not this"},
    ]
    tree = {"position": "15x15x5", "comment": "root", "nodes": nodes}
    asked = {"format": "sgf", "tree": tree, "path": [], "players": ["x", "y"]}
    text = api.json("POST", "/api/export", asked)[1]["text"]
    assert api.json("POST", "/api/import", {"text": text}) == (
        200,
        {"format": "sgf", "tree": tree, "players": ["x", "y"]},
    )


def one_node(move: str, parent: int) -> dict[str, object]:
    return {"position": "3x3x3", "nodes": [{"move": move, "parent": parent}]}


def test_a_tree_may_begin_in_the_middle_of_a_game(api: Server) -> None:
    tree = {"position": "6x7x4g:d", "nodes": [{"move": "d", "parent": 0}, {"move": "e", "parent": 1}]}
    answer = api.json("POST", "/api/export", {"format": "position", "tree": tree, "path": ["d", "e"]})[1]
    assert answer == {"text": "6x7x4g:d.d.e", "filename": "6x7x4g.txt"}


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/api/import", {"text": ""}, "nothing to read"),
        ("/api/import", {"text": "3x3x3:b2.b2"}, "taken"),
        ("/api/import", {"text": "(;SZ[3];B[bb];B[aa])"}, "should be of W"),
        ("/api/import", {"text": "(;SZ[3];B[bb]"}, "missing"),
        ("/api/import", {"text": "{}"}, "format"),
        ("/api/import", {"text": "3x3x3", "k": 0}, "k"),
        ("/api/import", {"text": "3x3x3", "file": "/etc/passwd"}, "file"),
        ("/api/export", {"format": "psq", "tree": {"position": "6x7x4g"}}, "PSQ has no gravity"),
        ("/api/export", {"format": "sgf", "tree": {"position": "60x60x5"}}, "side over 52"),
        ("/api/export", {"format": "connect4", "tree": {"position": "3x3x3"}}, "gravity"),
        (
            "/api/export",
            {"format": "sgf", "tree": {"position": "3x3x3", "nodes": [{"move": "a1", "parent": 1}]}},
            "after",
        ),
        (
            "/api/export",
            {"format": "sgf", "tree": {"position": "3x3x3", "nodes": [{"move": "a9", "parent": 0}]}},
            "off",
        ),
        ("/api/export", {"format": "position", "tree": {"position": "3x3x3"}, "path": ["a1", "a1"]}, "taken"),
        ("/api/export", {"format": "exe", "tree": {"position": "3x3x3"}}, "format"),
    ],
)
def test_bad_games_are_refused_in_a_line(api: Server, path: str, body: dict[str, object], words: str) -> None:
    status, answer = api.json("POST", path, body)
    assert status == 422 and words in answer["error"] and "\n" not in answer["error"]


def test_bodies_have_a_size(api: Server) -> None:
    status, _, data = api.request("POST", "/api/import", b"x" * (MAX_BODY + 1))
    assert status == 413 and "too much" in json.loads(data)["error"]
    pieces = (b"x" * 65536 for _ in range(MAX_BODY // 65536 + 1))  # whose number the head does not say
    status, _, data = api.request("POST", "/api/import", pieces)
    assert status == 413 and "too much" in json.loads(data)["error"]
    status, _, data = api.request("POST", "/api/import", b"", {"Content-Length": "-1"})
    assert 400 <= status < 500


def test_a_game_of_many_moves_is_no_deep_structure(api: Server) -> None:
    text = format_position(longest_game(Game(40, 40, 41)))
    status, read = api.json("POST", "/api/import", {"text": text})
    assert status == 200 and len(read["tree"]["nodes"]) == 1600
    path = [node["move"] for node in read["tree"]["nodes"]]
    for kind in ("sgf", "position"):
        status, written = api.json("POST", "/api/export", {"format": kind, "tree": read["tree"], "path": path})
        assert status == 200 and api.json("POST", "/api/import", {"text": written["text"]})[1]["tree"] == read["tree"]


def longest_game(game: Game) -> Board:
    board = Board(game)
    for cell in game.cells:
        board.push(cell)
    return board


@pytest.mark.parametrize(
    ("position", "value", "method"),
    [
        ("3x3x3", "draw", "search"),
        ("6x7x4g:d", "loss", "book"),
        ("3x3x3:a1.a2.b1.b2.c1", "loss", "rules"),
        ("20x20x5:a1", None, ""),
    ],
)
def test_what_is_known_without_a_search(api: Server, position: str, value: str | None, method: str) -> None:
    status, answer = api.json("GET", f"/api/values?position={position}")
    assert status == 200 and answer["value"] == value
    assert method == "search" or answer["method"] == method


# --- tournaments ---


def test_a_tournament_and_its_games(api: Server) -> None:
    assert api.json("GET", "/api/tournaments") == (200, ["cup"])
    status, cup = api.json("GET", "/api/tournaments/cup")
    assert status == 200 and cup["games_played"] == 10 and cup["games_planned"] == 12
    assert not cup["is_running"] and cup["boards"] == ["3x3x3", "6x7x4g"]
    assert sum(line["wins"] + line["draws"] + line["losses"] for line in cup["standings"]) == 20
    status, games = api.json("GET", "/api/tournaments/cup/games?offset=8&limit=5")
    assert games["total"] == 10 and [game["number"] for game in games["games"]] == [9, 10]
    player = cup["standings"][0]["player"]
    status, own = api.json("GET", f"/api/tournaments/cup/games?player={player}")
    assert own["total"] == cup["standings"][0]["games"] and all(player in game["players"] for game in own["games"])
    status, record = api.json("GET", "/api/tournaments/cup/games/10")
    assert status == 200 and Record.from_json(json.dumps(record)) == list(finished_games())[9][1]


@pytest.mark.parametrize("path", ["/nix", "/nix/games", "/cup/games/11", "/cup/games/0", f"/cup/games/{10**30}"])
def test_what_is_not_there(api: Server, path: str) -> None:
    status, answer = api.json("GET", f"/api/tournaments{path}")
    assert status == 404 and "no " in answer["error"]


def test_a_running_tournament_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "live.db"
    games = dict(finished_games())
    with Store.open(path, TOURNAMENT) as store, serving(stores=(path,)) as server, server.socket() as socket:
        socket.send(type="follow", id=1, tournament="live")
        assert socket.receive()["games_played"] == 0
        for number, (key, record) in enumerate(games.items(), start=1):
            store.add(key, record)
            if number in (1, 5, 12):
                played = 0
                while played < number:
                    state = socket.receive()
                    assert state["type"] == "tournament" and state["id"] == 1
                    played = state["games_played"]
        socket.send(type="stop", id=1)
        assert socket.until("done")[-1]["stopped"]


def test_a_store_that_is_damaged_is_an_error_in_words(tmp_path: Path) -> None:
    path = tmp_path / "bad.db"
    path.write_bytes(b"no database" * 1000)
    with serving(stores=(path, tmp_path / "missing.db")) as server, server.socket() as socket:
        for name in ("bad", "missing"):
            status, answer = server.json("GET", f"/api/tournaments/{name}")
            assert status == 422 and name in answer["error"]
            (error,) = socket.ask(type="follow", id=1, tournament=name)
            assert error["type"] == "error" and name in error["text"]


def test_whether_a_tournament_is_running_is_told(store_file: Path, api: Server) -> None:
    code = (
        "import sys; from pathlib import Path; from inarow.arena.store import Store\n"
        "path = Path(sys.argv[1]); tournament = Store.read(path).tournament\n"
        "with Store.open(path, tournament): print('open', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(store_file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as player:
        assert player.stdout is not None and player.stdout.readline() == b"open\n"
        assert api.json("GET", "/api/tournaments/cup")[1]["is_running"]
        player.communicate()
    assert not api.json("GET", "/api/tournaments/cup")[1]["is_running"]
