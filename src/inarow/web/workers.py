"""Who gets a worker process: a cap on threads and memory, fair turns, and a new process where one has died."""

import asyncio
import itertools
import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from inarow.errors import WorkError
from inarow.web.process import Message, Order, Refused, WorkerProcess
from inarow.web.settings import WAIT_SECONDS, Settings

YIELD_SECONDS = 1.0  # who waits so long for a thread gets that of an analysis without an end

log = logging.getLogger("inarow.web")


class Slot:
    """A place for one worker process, which is started when it is needed and again when it has died.

    likes      what its worker remembers; see Order
    memory_mb  what its worker may hold
    """

    def __init__(self, memory_mb: int, stop_seconds: float, tell: Callable[[str], None]) -> None:
        self._most_memory_mb = memory_mb
        self._stop_seconds = stop_seconds
        self._tell = tell
        self._start: asyncio.Task[WorkerProcess] | None = None
        self._watch: asyncio.Task[None] | None = None
        self.order: Order | None = None
        self.likes = ""
        self.memory_mb = 0
        self.used_at = 0.0
        self._is_closed = False

    @property
    def worker(self) -> WorkerProcess | None:
        """The process, if there is one."""
        if self._start is None or not self._start.done() or self._start.cancelled() or self._start.exception():
            return None
        return self._start.result() if self._start.result().is_alive else None

    def starting(self) -> "asyncio.Task[WorkerProcess]":
        """The process, or one that is being started."""
        if self._start is None or (self._start.done() and self.worker is None):
            if self.order is None:
                self.likes, self.memory_mb = "", 0
            self._start = asyncio.create_task(WorkerProcess.start(self._most_memory_mb, self._stop_seconds))
            self._watch = asyncio.create_task(self._watch_over(self._start))
        return self._start

    def forget(self) -> None:
        if self.worker is not None:
            self.worker.forget()
        self.likes, self.memory_mb = "", 0

    async def work(self, order: Order) -> AsyncIterator[Message]:
        """What the worker says to an order; nothing when it is stopped before. Refused when it cannot be done."""
        if self._is_closed:
            raise Refused("worker", "the server is going down")
        start = self.starting()
        stopped = asyncio.create_task(order.stop.wait())
        await asyncio.wait({start, stopped}, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if order.stop.is_set():
            return
        try:
            worker = start.result()
        except WorkError as error:
            raise Refused("worker", str(error)) from None
        try:
            async for message in worker.work(order):
                yield message
        except EOFError:
            await worker.kill()  # it may still be ending, and must not be asked again
            if not worker.is_stopped_by_force:
                text = "the worker process that did this ended unexpectedly; a new one takes its place, ask again"
                raise Refused("worker", text) from None
            if order.do == "move":
                raise Refused("player", "the player did not stop in time; it was ended, and has no move") from None

    async def close(self) -> None:
        """Ends the process, and starts no other; returns when it is gone."""
        self._is_closed = True
        for task in (self._watch, self._start):
            if task is not None:
                task.cancel()
        if self._start is not None:
            await asyncio.wait([self._start])
        if self.worker is not None:
            await self.worker.kill()

    async def _watch_over(self, start: "asyncio.Task[WorkerProcess]") -> None:
        """Puts a new process in the place of one that ends, and says so unless it was ended because it did not stop."""
        try:
            worker = await asyncio.shield(start)
        except WorkError as error:
            log.error("%s", error)  # the next who needs it tries again, and is told
            return
        how = await worker.end()
        if not worker.is_stopped_by_force:
            log.warning("worker process %d ended: %s", worker.pid, how)
            self._tell(f"A worker process ended unexpectedly ({how}). A new one has taken its place.")
        self.starting()


@dataclass(eq=False)
class _Ticket:
    order: Order
    granted: "asyncio.Future[Slot]"


class Pool:
    """All worker processes of a server: as many as there are threads, and one more for what is quick.

    `tell` is called with a line for everybody when a worker has died.
    """

    def __init__(self, settings: Settings, tell: Callable[[str], None]) -> None:
        self._settings = settings
        self._slots = [Slot(settings.memory_mb, settings.stop_seconds, tell) for _ in range(settings.threads)]
        self._waiting: list[_Ticket] = []
        self._quick = Slot(settings.memory_a_thread, settings.stop_seconds, tell)
        self._quick_turn = asyncio.Lock()
        self._turns = itertools.count(1)
        self._served: WeakKeyDictionary[object, int] = WeakKeyDictionary()  # the last turn of each owner

    async def open(self) -> None:
        """Starts what the first person needs; other processes start when they are needed. WorkError if none do."""
        await asyncio.gather(self._quick.starting(), self._slots[0].starting())

    async def close(self) -> None:
        """Ends all processes; returns when they are gone."""
        await asyncio.gather(*(slot.close() for slot in (self._quick, *self._slots)))

    @property
    def pids(self) -> list[int]:
        return [slot.worker.pid for slot in (self._quick, *self._slots) if slot.worker is not None]

    async def run(self, order: Order) -> AsyncIterator[Message]:
        """What a worker says to an order, until it is done or stopped. Refused when it cannot be done."""
        slot = await self._take(order)
        if slot is None:
            return
        try:
            async for message in slot.work(order):
                yield message
        finally:
            slot.order = None
            self._grant()

    async def run_quickly(self, order: Order) -> AsyncIterator[Message]:
        """As `run`, in the process for what takes milliseconds: it waits for no search."""
        async with self._quick_turn:
            async for message in self._quick.work(order):
                yield message

    async def _take(self, order: Order) -> Slot | None:
        """A slot for an order; None when it was stopped while it waited."""
        ticket = _Ticket(order, asyncio.get_running_loop().create_future())
        self._waiting.append(ticket)
        self._grant()
        stopped = asyncio.create_task(order.stop.wait())
        waited_for: set[asyncio.Future[Any]] = {ticket.granted, stopped}
        deadline = time.monotonic() + WAIT_SECONDS
        try:
            while time.monotonic() < deadline:
                pause = min(YIELD_SECONDS, WAIT_SECONDS)
                done, _ = await asyncio.wait(waited_for, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
                if done:
                    break
                self._make_room()
        finally:
            stopped.cancel()
            if ticket in self._waiting:
                self._waiting.remove(ticket)
        if ticket.granted.done():
            return ticket.granted.result()
        if order.stop.is_set():
            return None
        raise Refused("busy", f"all {self._settings.threads} threads of the server are at work; try again soon")

    def _grant(self) -> None:
        """Gives slots to those who wait: first to whoever was given one longest ago, then in the order of their coming.

        Nobody is overtaken because of the threads that an order takes: it might wait for ever.
        """
        while self._waiting:
            running = [slot.order for slot in self._slots if slot.order is not None]
            ticket = min(self._waiting, key=lambda ticket: self._served.get(ticket.order.owner, 0))
            if ticket.order.threads > self._settings.threads - sum(order.threads for order in running):
                return
            self._waiting.remove(ticket)
            self._served[ticket.order.owner] = next(self._turns)
            ticket.granted.set_result(self._slot_for(ticket.order))

    def _slot_for(self, order: Order) -> Slot:
        """The slot that knows most of an order, else the one that was not used for longest; others give memory back."""
        idle = [slot for slot in self._slots if slot.order is None]
        slot = min(idle, key=lambda slot: (slot.likes != order.likes, slot.worker is None, slot.used_at))
        slot.order, slot.likes, slot.used_at = order, order.likes, time.monotonic()
        slot.memory_mb = order.threads * self._settings.memory_a_thread
        holders = sorted((other for other in idle if other is not slot), key=lambda other: other.memory_mb)
        while holders and sum(each.memory_mb for each in self._slots) > self._settings.memory_mb:
            holders.pop().forget()
        return slot

    def _make_room(self) -> None:
        """Ends the analysis without an end that has run for longest, since somebody waits."""
        endless = [slot for slot in self._slots if slot.order is not None and slot.order.yields]
        if endless:
            order = min(endless, key=lambda slot: slot.used_at).order
            assert order is not None
            order.has_yielded = True
            order.stop.set()
