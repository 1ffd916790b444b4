"""A worker process, as the server sees it. What happens inside is worker.py."""

import asyncio
import contextlib
import itertools
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from inarow.errors import WorkError
from inarow.web.settings import MIB

START_SECONDS = 30.0
MAX_ANSWER = 16 * MIB
OWN_MEMORY_MB = 512  # what a worker may have beside its tables: Python, threads, a board's tables

Message = dict[str, Any]


class Refused(Exception):
    """A request that is not answered; `kind` as in docs/web.md."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text


@dataclass(eq=False)
class Order:
    """A piece of work.

    do, fields  what a worker is told
    owner       who asked: who has had its turn waits for the others
    threads     what it takes of the server's
    likes       the same text prefers the same worker, which remembers
    yields      it has no end of its own, and ends when others wait
    stop        set to end it
    """

    do: str
    fields: Message
    owner: object
    threads: int = 1
    likes: str = ""
    yields: bool = False
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    has_yielded: bool = False


class WorkerProcess:
    """One process, with one job at a time."""

    def __init__(self, process: asyncio.subprocess.Process, stop_seconds: float) -> None:
        self._process = process
        self._stop_seconds = stop_seconds
        self._jobs = itertools.count(1)
        self.is_stopped_by_force = False

    @classmethod
    async def start(cls, memory_mb: int, stop_seconds: float) -> "WorkerProcess":
        """WorkError when none can be started."""
        command = [sys.executable, "-P", "-m", "inarow.web.worker", str(os.getpid()), str(memory_mb + OWN_MEMORY_MB)]
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, limit=MAX_ANSWER, start_new_session=True
            )
        except OSError as error:
            raise WorkError(f"no worker process can be started: {error}") from error
        worker = cls(process, stop_seconds)
        try:
            async with asyncio.timeout(START_SECONDS):
                await worker._read()
        except (TimeoutError, EOFError):
            await worker.kill()
            raise WorkError("a worker process did not start; what it said is in the server's log") from None
        except asyncio.CancelledError:
            await worker.kill()
            raise
        return worker

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None

    async def end(self) -> str:
        """Waits until it has ended; how, in a word or two."""
        status = await self._process.wait()
        return signal.Signals(-status).name if status < 0 else f"status {status}"

    async def work(self, order: Order) -> AsyncIterator[Message]:
        """What the worker says to an order. Refused as it says; EOFError when it dies."""
        job = next(self._jobs)
        self._send({"job": job, "do": order.do, **order.fields})
        stopping = asyncio.create_task(self._stop_when(order.stop, job))
        try:
            while True:
                message = await self._read()
                if "say" in message:
                    yield message["say"]
                elif message["end"] is None:
                    return
                else:
                    raise Refused(**message["end"])
        finally:
            stopping.cancel()

    def forget(self) -> None:
        """It gives the memory of its last job back."""
        self._send({"forget": True})

    async def kill(self) -> None:
        """Ends the process; returns when it is gone."""
        self._send_kill()
        if self._process.stdin is not None:
            self._process.stdin.close()
        await self._process.wait()

    async def _stop_when(self, stop: asyncio.Event, job: int) -> None:
        await stop.wait()
        self._send({"stop": job})
        await asyncio.sleep(self._stop_seconds)
        self.is_stopped_by_force = True
        self._send_kill()

    def _send_kill(self) -> None:
        """Not by Process.kill(), which may take the status of a dead process from asyncio's own thread."""
        if self.is_alive:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def _send(self, message: Message) -> None:
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():  # a dead worker is noticed where it should answer
            self._process.stdin.write((json.dumps(message) + "\n").encode())

    async def _read(self) -> Message:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        message: Message = json.loads(line)
        return message
