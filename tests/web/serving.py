"""A server for the tests, in a thread of this process, and somebody who talks to it."""

import contextlib
import http.client
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psutil
from websockets.sync.client import ClientConnection, connect

from inarow.web.server import PageServer, bind, make_server
from inarow.web.settings import Settings
from inarow.web.socket import Hub

START_SECONDS = 30.0
ANSWER_SECONDS = 20.0

Message = dict[str, Any]


@dataclass(frozen=True)
class Server:
    """A running server, and what a test may look at."""

    port: int
    server: PageServer
    settings: Settings

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def hub(self) -> Hub:
        hub: Hub = self.server.app.state.hub
        return hub

    def request(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers (in lower case) and body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
        data = body if body is None or isinstance(body, bytes | Iterator) else json.dumps(body).encode()
        sent = {"Content-Type": "application/json"} if data is not None else {}
        try:
            connection.request(method, path, data, {**sent, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def json(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        status, _, data = self.request(method, path, body)
        return status, json.loads(data)

    @contextlib.contextmanager
    def socket(self, **headers: str) -> Iterator["Socket"]:
        extra = {name.title(): value for name, value in headers.items()}
        address = f"ws://127.0.0.1:{self.port}/socket"
        with connect(address, additional_headers=extra, max_size=None, compression=None) as connection:
            yield Socket(connection)


class Socket:
    """A page's end of a socket."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def send(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def receive(self, seconds: float = ANSWER_SECONDS) -> Message:
        message: Message = json.loads(self.connection.recv(timeout=seconds))
        return message

    def until(self, *types: str, seconds: float = ANSWER_SECONDS) -> list[Message]:
        """All messages up to the first of these types, which is the last of the list."""
        messages = [self.receive(seconds)]
        while messages[-1]["type"] not in types:
            messages.append(self.receive(seconds))
        return messages

    def ask(self, **message: Any) -> list[Message]:
        """Sends a request; all messages up to its end."""
        self.send(**message)
        return self.until("moved", "done", "error")


@contextlib.contextmanager
def serving(**settings: Any) -> Iterator[Server]:
    """A server on a port that was free. A busy machine's workers have time to stop, unless a test says otherwise."""
    chosen = Settings(**{"port": 0, "threads": 2, "memory_mb": 64, "stop_seconds": 10.0, **settings})
    bound = bind(chosen)
    port = bound.getsockname()[1]
    server = make_server(chosen, port)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    try:
        assert comes_true(lambda: server.started, START_SECONDS), "the server does not start"
        yield Server(port, server, chosen)
    finally:
        server.should_exit = True
        thread.join(START_SECONDS)
        bound.close()
        assert not thread.is_alive(), "the server does not end"


def comes_true(condition: Any, seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def workers_of(pid: int | None = None) -> set[int]:
    """The worker processes of a server, by default of those in this process."""
    found = set()
    for process in psutil.Process(pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if "inarow.web.worker" in process.cmdline() and process.status() != psutil.STATUS_ZOMBIE:
                found.add(process.pid)
    return found
