"""The worker processes: stopped, killed, frozen, fought over; and none is left behind."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.arena.processes import open_files
from tests.web.serving import Server, Socket, comes_true, serving, workers_of

ENDLESS = {"type": "analyse", "position": "19x19x5:j10", "lines": 2}
LONG_MOVE = {"type": "move", "position": "15x15x5:h8", "player": "engine:solver=off", "seconds": 50}


def busy_workers(server: Server) -> int:
    return sum(slot.order is not None for slot in server.hub.pool._slots)


def pid_at_work(server: Server) -> int:
    (slot,) = [slot for slot in server.hub.pool._slots if slot.order is not None]
    assert slot.worker is not None
    return slot.worker.pid


def begin(socket: Socket, number: int) -> None:
    socket.send(**ENDLESS, id=number)
    socket.until("report")


def test_closing_the_socket_stops_its_search(server: Server) -> None:
    with server.socket() as socket:
        begin(socket, 1)
        assert busy_workers(server) == 1
    assert comes_true(lambda: busy_workers(server) == 0)


def test_a_socket_that_breaks_off_stops_its_search(server: Server) -> None:
    with server.socket() as socket:
        begin(socket, 1)
        socket.connection.socket.shutdown(2)  # no goodbye: the other end has gone away
        assert comes_true(lambda: busy_workers(server) == 0)


def test_a_killed_worker_is_replaced_and_the_person_is_told(server: Server) -> None:
    with server.socket() as socket, server.socket() as other:
        begin(socket, 1)
        before = set(server.hub.pool.pids)
        killed = pid_at_work(server)
        os.kill(killed, signal.SIGKILL)
        told = [message for message in socket.until("error", "done") if message["type"] != "report"]
        told += socket.until("notice") if told[-1]["type"] != "notice" and len(told) < 2 else []
        by_type = {message["type"]: message for message in told}
        assert by_type["error"]["kind"] == "worker" and by_type["error"]["id"] == 1
        assert "ended unexpectedly" in by_type["error"]["text"] and "ask again" in by_type["error"]["text"]
        assert "SIGKILL" in by_type["notice"]["text"] and "taken its place" in by_type["notice"]["text"]
        assert other.until("notice")[-1]["text"] == by_type["notice"]["text"]
        assert comes_true(lambda: len(server.hub.pool.pids) >= len(before))
        assert killed not in server.hub.pool.pids
        assert socket.ask(type="move", id=2, position="3x3x3", player="random")[-1]["type"] == "moved"


def test_an_idle_worker_that_dies_is_replaced(server: Server) -> None:
    with server.socket() as socket:
        socket.ask(type="threats", id=1, position="3x3x3")
        pids = server.hub.pool.pids
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        for _ in pids:
            assert "taken its place" in socket.until("notice")[-1]["text"]
        assert comes_true(lambda: len(server.hub.pool.pids) == len(pids) and not set(server.hub.pool.pids) & set(pids))
        assert socket.ask(type="threats", id=2, position="3x3x3")[-1]["type"] == "done"


def test_a_worker_that_does_not_stop_is_killed() -> None:
    with serving(threads=1, stop_seconds=0.09) as server, server.socket() as socket:
        begin(socket, 1)
        frozen = pid_at_work(server)
        os.kill(frozen, signal.SIGSTOP)
        socket.send(type="stop", id=1)
        assert socket.until("done")[-1] == {"type": "done", "id": 1, "stopped": True}
        assert comes_true(lambda: not Path(f"/proc/{frozen}").exists())
        socket.send(**LONG_MOVE, id=2)
        assert comes_true(lambda: busy_workers(server) == 1 and server.hub.pool._slots[0].worker is not None)
        os.kill(pid_at_work(server), signal.SIGSTOP)
        socket.send(type="stop", id=2)
        error = socket.until("error", "moved", "done")[-1]
        assert error["type"] == "error" and error["kind"] == "player" and "did not stop" in error["text"]
        assert socket.ask(type="move", id=3, position="3x3x3", player="random")[-1]["type"] == "moved"


def test_a_game_goes_on_beside_an_analysis_of_the_only_thread() -> None:
    """An analysis without an end gives way."""
    with serving(threads=1) as server, server.socket() as socket:
        begin(socket, 1)
        socket.send(type="move", id=2, position="3x3x3", player="random")
        done, *_, moved = [each for each in socket.until("moved") if each["type"] != "report"]
        assert done == {"type": "done", "id": 1, "stopped": True, "why": "others were waiting"}
        assert moved["id"] == 2


def test_who_waits_too_long_is_told_that_all_are_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inarow.web.workers.WAIT_SECONDS", 0.2)
    with serving(threads=1) as server, server.socket() as socket, server.socket() as other:
        socket.send(**LONG_MOVE, id=1)
        assert comes_true(lambda: busy_workers(server) == 1)
        (error,) = other.ask(type="move", id=1, position="3x3x3", player="random")
        assert error["kind"] == "busy" and "try again" in error["text"]
        assert other.ask(type="threats", id=2, position="3x3x3")[-1]["type"] == "done"  # which waits for nobody


def test_whoever_has_nothing_running_comes_first() -> None:
    with serving(threads=1) as server, server.socket() as greedy, server.socket() as modest:
        for number in range(4):
            greedy.send(type="move", id=number, position="15x15x5", player="engine:solver=off", seconds=0.4)
        assert comes_true(lambda: busy_workers(server) == 1 and len(server.hub.pool._waiting) == 3)
        modest.send(type="move", id=1, position="3x3x3", player="random")
        assert modest.until("moved")
        assert len(server.hub.pool._waiting) >= 1, "one that asked for four moves was served before"


def test_a_burst_of_messages_closes_the_socket(server: Server) -> None:
    with server.socket() as socket:
        with pytest.raises(ConnectionClosed):  # the server may be quicker than this loop
            for _ in range(2000):
                socket.send(type="stop", id=1)
            while True:
                socket.receive()
        assert socket.connection.close_code == 1008


def test_a_message_that_is_too_large_closes_the_socket(server: Server) -> None:
    for size in (70_000, 2_000_000):
        with server.socket() as socket:
            with pytest.raises(ConnectionClosed):
                socket.send(type="threats", id=1, position="x" * size)
                error = socket.receive()
                assert error["kind"] == "limit" and "65536 bytes" in error["text"]
                socket.receive()
            # Or the connection is cut off, where more is still on the way when the server closes it.
            assert socket.connection.close_code in (1006, 1008, 1009)


def test_two_hundred_sockets_at_once_while_a_game_goes_on() -> None:
    with serving(sessions=32) as server, server.socket() as player, ExitStack() as stack:
        ends: list[str] = []

        def come_and_ask() -> None:
            try:
                with server.socket() as socket:
                    message = socket.ask(type="threats", id=1, position="3x3x3:b2")[-1]
                    ends.append(str(message.get("kind", message["type"])))
                    gate.wait(60)
            except ConnectionClosed as closed:
                ends.append(str(closed.rcvd.code if closed.rcvd else None))

        gate = threading.Event()
        stack.callback(gate.set)
        threads = [threading.Thread(target=come_and_ask) for _ in range(200)]
        for thread in threads:
            thread.start()
        position = "6x7x4g"
        for number in range(6):
            (moved,) = player.ask(type="move", id=number, position=position, player="random:seed=1", seconds=1)
            position += (":" if number == 0 else ".") + moved["move"]
        assert comes_true(lambda: len(ends) == 200, 60)
        gate.set()
        for thread in threads:
            thread.join(60)
        assert ends.count("done") == 31 and ends.count("busy") + ends.count("1013") == 169
        assert player.ask(type="move", id=9, position=position, player="random", seconds=1)[-1]["type"] == "moved"


def test_nothing_is_left_behind() -> None:
    """Neither a process nor a thread nor an open file, after searches, deaths and broken sockets."""
    others = workers_of()
    threads, files = threading.active_count(), open_files()
    with serving() as server:
        for _ in range(5):
            with server.socket() as socket:
                begin(socket, 1)
                socket.send(**LONG_MOVE, id=2)
        with server.socket() as socket:
            begin(socket, 1)
            os.kill(server.hub.pool.pids[-1], signal.SIGKILL)
            socket.until("notice")
            assert len(workers_of() - others) <= 3
    assert comes_true(lambda: workers_of() == others)
    assert comes_true(lambda: threading.active_count() <= threads)
    assert comes_true(lambda: open_files() <= files)


def test_stops_are_prompt(server: Server) -> None:
    """Within a time that is long even for a busy machine; benchmarks/web.py measures how long it takes."""
    with server.socket() as socket:
        for number in range(5):
            begin(socket, number)
            begun = time.monotonic()
            socket.send(type="stop", id=number)
            socket.until("done")
            assert time.monotonic() - begun < 5


def test_a_stop_is_heard_before_its_job_begins() -> None:
    """Three searches without an end are waiting, and all three are stopped: none may go on for ever."""
    fields = {"do": "analyse", "position": "9x9x5", "lines": 1, "seconds": None, "threads": 1, "memory": 8}
    lines = [{"job": job, **fields} for job in (1, 2, 3)] + [{"stop": job} for job in (3, 2, 1)]
    command = [sys.executable, "-m", "inarow.web.worker", str(os.getpid()), "600"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdin is not None and worker.stdout is not None
        alarm = threading.Timer(30, worker.kill)
        alarm.start()
        worker.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
        worker.stdin.flush()
        ends = []
        for line in worker.stdout:
            if "end" in (message := json.loads(line)):
                ends.append(message["job"])
            if len(ends) == 3:
                break
        alarm.cancel()
        assert ends == [1, 2, 3]
        worker.stdin.close()  # which ends it
        assert worker.wait(30) == 0
