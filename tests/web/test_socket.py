"""What the socket answers: every kind of request, and what is wrong with a bad one."""

import pytest

from inarow import Board, format_move, parse_position
from inarow.web.settings import MAX_REQUESTS
from tests.web.serving import Message, Server, Socket

ENDLESS = {"type": "analyse", "position": "19x19x5:j10", "lines": 3}


def error_of(messages: list[Message]) -> tuple[str, str]:
    (error,) = messages
    assert error["type"] == "error"
    return error["kind"], error["text"]


@pytest.mark.parametrize("player", ["random:seed=1", "rules", "engine", "telos:memory=on", "mcts:seed=1", "cadrega"])
@pytest.mark.parametrize("position", ["3x3x3:b2", "6x7x4g:d.d", "15x15x5:h8.i9"])
def test_a_player_moves(socket: Socket, player: str, position: str) -> None:
    (moved,) = socket.ask(type="move", id=1, position=position, player=player, seconds=0.1)
    board = parse_position(position)
    assert moved["type"] == "moved" and moved["id"] == 1
    assert moved["move"] in [format_move(move) for move in board.legal_moves]
    assert set(moved) == {"type", "id", "move", "seconds", "nodes", "depth", "score", "line", "notes"}


def test_a_whole_game_is_played_and_the_winning_move_found(socket: Socket) -> None:
    board = parse_position("6x7x4g:d.c.d.c.d.c")
    (moved,) = socket.ask(type="move", id=1, position="6x7x4g:d.c.d.c.d.c", player="engine", seconds=0.2)
    assert moved["move"] == "d" and moved["line"] == ["d"]
    board.push(3)
    assert board.is_over


def test_two_players_meet(socket: Socket) -> None:
    board = Board(parse_position("4x4x3").game)
    names: list[str] = []
    seats = ("nisshoku", "quasi_random:seed=3")
    while not board.is_over:
        position = str(board.game) + (":" + ".".join(names) if names else "")
        request = {"type": "move", "id": board.ply, "position": position, "player": seats[board.turn]}
        (moved,) = socket.ask(**request, seconds=0.05)
        names.append(moved["move"])
        board = parse_position(f"{board.game}:{'.'.join(names)}")
    assert board.outcome is not None


def test_analysis_reports_and_ends(socket: Socket) -> None:
    *reports, done = socket.ask(type="analyse", id=2, position="15x15x5:h8.i9", lines=3, seconds=2)
    assert done == {"type": "done", "id": 2}
    assert reports and all(report["type"] == "report" and report["id"] == 2 for report in reports)
    last = reports[-1]
    assert len(last["variations"]) == 3 and last["depth"] > 0 and last["nodes"] > 0
    assert last["variations"][0].keys() == {*("moves", "value", "plies", "score", "win_probability", "depth", "words")}


def test_analysis_without_an_end_is_stopped(socket: Socket) -> None:
    socket.send(**ENDLESS, id=3)
    socket.until("report")
    socket.send(type="stop", id=3)
    assert socket.until("done")[-1] == {"type": "done", "id": 3, "stopped": True}


def test_a_stopped_move_is_the_best_so_far(socket: Socket) -> None:
    socket.send(type="move", id=4, position="15x15x5:h8.i9.h9", player="engine:solver=off", seconds=30)
    socket.send(**ENDLESS, id=5)
    socket.until("report")  # so that both have begun
    socket.send(type="stop", id=4)
    moved = socket.until("moved")[-1]
    assert moved["id"] == 4 and moved["seconds"] < 20
    socket.send(type="stop", id=5)
    socket.until("done")


def test_moves_are_solved_exactly(socket: Socket) -> None:
    *_, values, done = socket.ask(type="solve", id=6, position="3x3x3:b2", seconds=10)
    assert done["type"] == "done"
    found = {each["move"]: (each["value"], each["plies"]) for each in values["moves"]}
    assert found == {
        **dict.fromkeys(("a1", "c1", "a3", "c3"), ("draw", 8)),
        **dict.fromkeys(("b1", "a2", "c2", "b3"), ("loss", 6)),
    }


def test_moves_of_connect4_are_known_at_once(socket: Socket) -> None:
    values = socket.ask(type="solve", id=6, position="6x7x4g:d.d.d.d.d.b", seconds=0.5)[0]
    assert len(values["moves"]) == 7


def test_of_large_boards_only_wins_are_told(socket: Socket) -> None:
    values, _ = socket.ask(type="solve", id=7, position="128x128x3:a1.b9.b1.d9", seconds=5)
    assert values["moves"] == [{"move": "c1", "value": "win", "plies": 1}]


def test_threats_of_both(socket: Socket) -> None:
    threats, done = socket.ask(type="threats", id=8, position="6x7x4g:d.a.e.a.f.a")
    assert threats["first"]["wins"] == ["c6", "g6"] and threats["second"]["wins"] == ["a3"]
    assert {"move": "c", "cell": "c6"} not in threats["first"]["forced"]
    assert done == {"type": "done", "id": 8}


def test_a_game_is_reviewed(socket: Socket) -> None:
    *steps, done = socket.ask(type="review", id=9, position="3x3x3:b2.b1.a1.a2", seconds=0.05)
    assert [step["move"] for step in steps] == ["b2", "b1", "a1", "a2"]
    assert steps[1]["verdict"] == "blunder" and steps[1]["seat"] == "second" and steps[1]["win_probability"] == 1.0
    assert done == {"type": "done", "id": 9}


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"position": "3x3x3:b2.b2", "player": "random"}, "cell (1, 1) is taken"),
        ({"position": "3x3x3:a1.a2.b1.b2.c1", "player": "random"}, "the game is over"),
        ({"position": "129x3x3", "player": "random"}, "rows must be 1 to 128"),
        ({"position": "3x3x3", "player": "nobody"}, "no player is called 'nobody'"),
        ({"position": "3x3x3", "player": "python:players.py:Mine"}, "no player is called 'python'"),
        ({"position": "3x3x3", "player": "gomocup:./brain"}, "no player is called 'gomocup'"),
        ({"position": "3x3x3", "player": "java:x#y"}, "no player is called 'java'"),
        ({"position": "3x3x3", "player": "kaggle:x.py"}, "no player is called 'kaggle'"),
        ({"position": "3x3x3", "player": "under:/bin/sh:engine"}, "no player is called 'under'"),
        ({"position": "3x3x3", "player": "telos:book=/etc/passwd"}, "book cannot be set from here"),
        ({"position": "3x3x3", "player": "engine:weights=/etc/passwd"}, "weights is learned or formula here"),
        ({"position": "3x3x3", "player": "engine:ponder=on"}, "ponder cannot be set from here"),
        ({"position": "3x3x3", "player": "engine:threads=3"}, "threads must be at most 2 here"),
        ({"position": "3x3x3", "player": "engine:memory=4096"}, "memory must be at most 32 here"),
        ({"position": "3x3x3", "player": "random", "seconds": 61}, "seconds"),
        ({"position": "3x3x3", "player": "random", "seconds": 0}, "seconds"),
        ({"position": "3x3x3", "player": "random", "seconds": 1e999}, "seconds"),
        ({"position": "3x3x3", "player": "random", "file": "x"}, "file"),
        ({"position": "3x3x3"}, "player"),
        ({"player": "random"}, "position"),
    ],
)
def test_a_bad_move_request_is_told_what_is_wrong(socket: Socket, request_: Message, words: str) -> None:
    kind, text = error_of(socket.ask(type="move", id=1, **request_))
    assert kind in ("bad message", "player") and words in text and "\n" not in text


def test_what_is_no_request_is_refused_and_the_socket_goes_on(socket: Socket) -> None:
    for text in (
        "",
        "x",
        "null",
        "[]",
        '"move"',
        '{"type": 3}',
        '{"type": "move"',
        "[" * 5000,
        '{"type":"stop","id":-1}',
    ):
        socket.connection.send(text)
        assert socket.receive()["kind"] == "bad message"
    socket.connection.send(b"\x00\xff")
    assert socket.receive()["kind"] == "bad message"
    socket.send(type="stop", id=99)  # of nothing: nothing to say
    assert socket.ask(type="threats", id=1, position="3x3x3")[-1]["type"] == "done"


def test_an_id_is_used_once_at_a_time(socket: Socket) -> None:
    socket.send(**ENDLESS, id=1)
    socket.send(type="threats", id=1, position="3x3x3")
    error = socket.until("error")[-1]
    assert error["id"] is None and "id 1" in error["text"]
    socket.send(type="stop", id=1)
    assert socket.until("done")[-1]["id"] == 1


def test_no_more_than_a_few_requests_at_a_time(socket: Socket) -> None:
    for number in range(MAX_REQUESTS + 1):
        socket.send(**ENDLESS, id=number)
    error = socket.until("error")[-1]
    assert error["id"] == MAX_REQUESTS and error["kind"] == "limit"
    for number in range(MAX_REQUESTS):
        socket.send(type="stop", id=number)
    ended = {socket.until("done")[-1]["id"] for _ in range(MAX_REQUESTS)}
    assert ended == set(range(MAX_REQUESTS))


def test_an_unknown_tournament_is_not_followed(socket: Socket) -> None:
    assert "no tournament" in error_of(socket.ask(type="follow", id=1, tournament="nix"))[1]


def test_a_socket_of_another_site_is_refused(server: Server) -> None:
    from websockets.exceptions import InvalidStatus

    with pytest.raises(InvalidStatus, match="403"), server.socket(origin="http://example.org"):
        pass
    with server.socket(origin=server.url) as own:
        assert own.ask(type="threats", id=1, position="3x3x3")[-1]["type"] == "done"


def test_an_id_is_free_as_soon_as_its_request_has_ended(socket: Socket) -> None:
    for number in range(30):
        kind = {"type": "move", "player": "random"} if number % 2 else {"type": "threats"}
        assert socket.ask(**kind, id=1, position="3x3x3")[-1]["type"] in ("moved", "done")
