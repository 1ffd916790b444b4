"""Whatever comes in through the socket, the server answers in its own words or closes, and goes on."""

import json
import socket as sockets
import threading
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from tests.web.serving import Message, Server, comes_true, workers_of

POSITIONS = (
    "3x3x3",
    "3x3x3:b2.b2",
    "6x7x4g:d.d.e",
    "128x128x128",
    "0x0x0",
    "3x3x3:a1.a2.b1.b2.c1",
    "9" * 500,
    "3x3x3:",
)
PLAYERS = ("random", "engine:threads=2", "telos:book=x", "python:x.py:Y", "", "random:seed=" + "9" * 100, "a" * 300)
TYPES = ("move", "analyse", "solve", "threats", "review", "follow", "stop", "nix")
SECONDS = (0.01, 0.05, 0, -1, 1e300, 61, None, "1", True)

numbers = st.integers() | st.integers(0, 5) | st.just(2**53) | st.just(10**400)
anything = st.recursive(
    st.none() | st.booleans() | numbers | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
messages = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(TYPES) | anything,
        "id": st.integers(0, 5) | anything,
        "position": st.sampled_from(POSITIONS) | anything,
        "player": st.sampled_from(PLAYERS) | anything,
        "seconds": st.sampled_from(SECONDS) | anything,
        "lines": st.integers(1, 3) | anything,
        "tournament": st.text(max_size=5) | anything,
        "more": anything,
    },
)
frames = messages.map(json.dumps) | st.text(max_size=50) | st.binary(max_size=50)
relaxed = settings(
    max_examples=40, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), derandomize=True
)


def check_message(message: Message) -> None:
    """That it is one that docs/web.md knows."""
    known = {"moved", "report", "values", "threats", "reviewed", "tournament", "done", "error", "notice"}
    assert message["type"] in known
    if message["type"] == "error":
        assert message["kind"] in ("bad message", "busy", "limit", "player", "worker")
        assert message["text"] and "\n" not in message["text"] and "Traceback" not in message["text"]


def test_garbage_is_answered(server: Server) -> None:
    threads = threading.active_count()
    workers = workers_of()

    @given(st.lists(frames, max_size=8))
    @relaxed
    def send(sent: list[str | bytes]) -> None:
        with server.socket() as socket:
            for frame in sent:
                socket.connection.send(frame)
            for number in range(6):
                socket.send(type="stop", id=number)
            socket.send(type="threats", id=99, position="3x3x3:b2")
            while True:
                message = socket.receive()
                check_message(message)
                if message.get("id") == 99:
                    assert message["type"] in ("threats", "error")  # an error: four others are being answered
                    break

    send()
    assert comes_true(lambda: all(slot.order is None for slot in server.hub.pool._slots))
    assert comes_true(lambda: not server.hub._sessions)
    assert len(workers_of()) <= max(len(workers), 3) + 3  # those of this server, and of no more
    assert comes_true(lambda: threading.active_count() <= threads + 45)  # the server's own pool of threads


def test_stops_and_requests_in_any_order(server: Server) -> None:
    """Many requests are begun and stopped at random moments; each has exactly one end, and every worker obeys."""
    pids = set(server.hub.pool.pids)
    kinds: list[dict[str, Any]] = [
        {"type": "analyse", "position": "15x15x5:h8", "lines": 2},
        {"type": "move", "position": "15x15x5:h8", "player": "engine:solver=off", "seconds": 5},
        {"type": "solve", "position": "6x7x4g:d", "seconds": 5},
        {"type": "review", "position": "3x3x3:b2.a1.c3", "seconds": 1},
        {"type": "threats", "position": "6x7x4g:d.d"},
    ]

    @given(st.lists(st.tuples(st.sampled_from(kinds), st.integers(0, 30)), min_size=1, max_size=4))
    @settings(relaxed, max_examples=25)
    def mix(chosen: list[tuple[dict[str, Any], int]]) -> None:
        with server.socket() as socket:
            for number, (request, pause) in enumerate(chosen):
                socket.send(**request, id=number)
                time.sleep(pause / 1000)
            for number in reversed(range(len(chosen))):
                socket.send(type="stop", id=number)
            ends: list[int] = []
            while len(ends) < len(chosen):
                message = socket.receive()
                check_message(message)
                if message["type"] in ("moved", "done", "error"):
                    ends.append(message["id"])
            assert sorted(ends) == list(range(len(chosen)))

    mix()
    assert comes_true(lambda: all(slot.order is None for slot in server.hub.pool._slots))
    assert pids <= set(server.hub.pool.pids), "a worker did not hear a stop, and was killed"


def test_half_open_sockets_and_broken_handshakes(server: Server) -> None:
    """Connections that say nothing, half of something, or no HTTP at all."""
    head = b"GET /socket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    starts = (
        b"",
        b"GET",
        head,
        head + b"\r\n",
        b"\x16\x03\x01\x02\x00",
        b"GET /socket HTTP/1.1\r\n\r\n",
        b"\x00" * 5000,
    )
    opened = []
    for start in starts * 5:
        connection = sockets.create_connection(("127.0.0.1", server.port))
        connection.sendall(start)
        opened.append(connection)
    with server.socket() as socket:
        assert socket.ask(type="move", id=1, position="3x3x3", player="random")[-1]["type"] == "moved"
    for connection in opened:
        connection.close()
    assert comes_true(lambda: not server.hub._sessions)


def test_who_does_not_read_is_no_burden(server: Server) -> None:
    """A page that asks and never reads an answer; another goes on meanwhile, and nothing of the first is left."""
    with server.socket() as other:
        with server.socket() as deaf:
            for number in range(150):  # the client takes in a few messages by itself, and then no more
                deaf.send(type="threats", id=number, position="128x128x2:a1")
            assert other.ask(type="move", id=1, position="3x3x3", player="random")[-1]["type"] == "moved"
            deaf.connection.socket.shutdown(sockets.SHUT_RDWR)
        assert comes_true(lambda: len(server.hub._sessions) == 1)


def test_frames_that_break_the_protocol_close_the_socket(server: Server) -> None:
    for frame in (b"\xff" * 50, b"\x81\x05hello", b"\x83\x85" + b"0" * 50):
        with server.socket() as socket:
            socket.connection.socket.sendall(frame)  # with bits that mean nothing, unmasked, of no kind
            with pytest.raises(ConnectionClosed):
                for _ in range(3):
                    socket.receive()
