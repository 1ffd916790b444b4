"""One socket: the page's requests come in, each is a task, and what its worker says goes out."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from inarow.errors import InarowError
from inarow.game import parse_game
from inarow.web import models
from inarow.web.catalogue import checked_spec
from inarow.web.models import REQUEST, AnalyseRequest, FollowRequest, MoveRequest, ReviewRequest, StopRequest
from inarow.web.process import Message, Order, Refused
from inarow.web.settings import (
    MAX_ANALYSIS_SECONDS,
    MAX_ID,
    MAX_MESSAGE,
    MAX_REQUESTS,
    MESSAGES_A_SECOND,
    MESSAGES_AT_ONCE,
    REPORT_SECONDS,
    Settings,
)
from inarow.web.stores import Tournaments
from inarow.web.workers import Pool

POLICY_VIOLATION, TRY_AGAIN_LATER = 1008, 1013  # the codes with which a socket is closed
SEND_SECONDS = 10.0  # who does not take a message for so long is gone
MAX_UNSENT = 1000  # messages
GRACE_SECONDS = 5.0  # what a request may take beyond the time it was given
log = logging.getLogger("inarow.web")
CONFLATED = ("report", "values")  # of these only the latest counts


class Hub:
    """All sessions of a server, and what they share."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tournaments = Tournaments(settings.stores)
        self.pool = Pool(settings, self.tell_everybody)
        self._sessions: set[Session] = set()

    def tell_everybody(self, text: str) -> None:
        for session in self._sessions:
            session.say({"type": "notice", "text": text})

    async def serve(self, socket: WebSocket) -> None:
        """Lets a socket in, and stays until it is closed."""
        await socket.accept()
        if len(self._sessions) >= self.settings.sessions:
            text = f"all {self.settings.sessions} sessions of this server are taken; try again later"
            await socket.send_json({"type": "error", "id": None, "kind": "busy", "text": text})
            await socket.close(TRY_AGAIN_LATER, "all sessions are taken")
            return
        session = Session(self, socket)
        self._sessions.add(session)
        try:
            await session.run()
        finally:
            self._sessions.discard(session)


class Session:
    """One page's socket."""

    def __init__(self, hub: Hub, socket: WebSocket) -> None:
        self._hub = hub
        self._socket = socket
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._stops: dict[int, asyncio.Event] = {}
        self._unsent: deque[Message] = deque()
        self._has_unsent = asyncio.Event()
        self._sending: asyncio.Task[None] | None = None
        self._close_code: int | None = None
        self._bucket = Bucket(MESSAGES_A_SECOND, MESSAGES_AT_ONCE)

    async def run(self) -> None:
        """Until either side closes the socket; then all of its searches are stopped."""
        listening = asyncio.create_task(self._listen())
        sending = self._sending = asyncio.create_task(self._send_all())
        try:
            await asyncio.wait({listening, sending}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (listening, sending):
                task.cancel()
            for stop in self._stops.values():
                stop.set()
            await asyncio.gather(listening, sending, *self._tasks.values(), return_exceptions=True)

    def say(self, message: Message) -> None:
        """Sends a message as soon as the other side takes it. Who takes none for long is left alone."""
        self._unsent.append(message)
        self._has_unsent.set()
        if len(self._unsent) > MAX_UNSENT and self._sending is not None:
            self._sending.cancel()

    # --- in ---

    async def _listen(self) -> None:
        try:
            while self._close_code is None:
                frame = await self._socket.receive()
                if frame["type"] == "websocket.disconnect":
                    return
                self._take(frame.get("text"))
        except WebSocketDisconnect:
            return
        await asyncio.sleep(SEND_SECONDS)  # the sender closes the socket when it has said why

    def _take(self, text: str | None) -> None:
        if not self._bucket.take():
            self._refuse_and_close(f"more than {MESSAGES_A_SECOND:g} messages a second")
        elif text is None:
            self._refuse(None, "bad message", "messages are text, not bytes")
        elif len(text) > MAX_MESSAGE or len(text.encode(errors="replace")) > MAX_MESSAGE:
            self._refuse_and_close(f"a message of more than {MAX_MESSAGE} bytes")
        else:
            self._take_text(text)

    def _take_text(self, text: str) -> None:
        try:
            request = REQUEST.validate_json(text)
        except ValidationError as error:
            errors = error.errors(include_url=False, include_context=False)
            self._refuse(_id_in(errors), "bad message", one_line(errors))
            return
        if isinstance(request, StopRequest):
            if request.id in self._stops:
                self._stops[request.id].set()
        elif request.id in self._tasks:
            self._refuse(None, "bad message", f"a request with the id {request.id} is being answered already")
        elif len(self._tasks) >= MAX_REQUESTS:
            self._refuse(request.id, "limit", f"{MAX_REQUESTS} requests are being answered; stop one of them first")
        else:
            stop = self._stops[request.id] = asyncio.Event()
            self._tasks[request.id] = asyncio.create_task(self._answer(request, stop))

    def _refuse_and_close(self, what: str) -> None:
        if self._close_code is None:
            self._refuse(None, "limit", f"{what} is too much: the socket is closed")
            self._close_code = POLICY_VIOLATION
            self._has_unsent.set()

    # --- answers ---

    async def _answer(self, request: models.WorkRequest | FollowRequest, stop: asyncio.Event) -> None:
        """Answers a request. Its last message is said when the id is free again: the page may use it at once."""
        throttle = Throttle(self)
        try:
            last = await self._answered(request, stop, throttle)
        finally:
            throttle.close()
            del self._tasks[request.id], self._stops[request.id]
        self.say({"type": last["type"], "id": request.id, **last})

    async def _answered(
        self, request: models.WorkRequest | FollowRequest, stop: asyncio.Event, throttle: "Throttle"
    ) -> Message:
        """The last message of a request, when all others have been said."""
        try:
            if isinstance(request, FollowRequest):
                return await self._follow(request, stop)
            return await self._work(request, stop, throttle)
        except Refused as refusal:
            return _error(refusal.kind, refusal.text)
        except InarowError as error:
            return _error("bad message", str(error))
        except Exception:
            log.exception("a request of type %s was not answered", request.type)
            return _error("worker", "the server made a mistake, which is in its log")
        finally:
            throttle.flush()

    async def _work(self, request: models.WorkRequest, stop: asyncio.Event, throttle: "Throttle") -> Message:
        order = self._order(request, stop)
        pool = self._hub.pool
        timer = asyncio.get_running_loop().call_later(_most_seconds(request), stop.set)
        moved: Message | None = None
        try:
            async for message in pool.run_quickly(order) if order.do == "threats" else pool.run(order):
                if message["type"] == "moved":
                    moved = message
                else:
                    throttle.offer({"type": message["type"], "id": request.id, **message})
        finally:
            timer.cancel()
        return moved or _done(stop.is_set(), "others were waiting" if order.has_yielded else "")

    def _order(self, request: models.WorkRequest, stop: asyncio.Event) -> Order:
        settings = self._hub.settings
        parse_game(request.position.partition(":")[0])  # the rest is the worker's to read: it may take a while
        fields: dict[str, Any] = request.model_dump(exclude={"type", "id"})
        threads, likes, yields = 1, f"{id(self)} {request.type}", False
        if isinstance(request, MoveRequest):
            fields["player"], threads = checked_spec(request.player, settings)
            likes = f"{id(self)} move {fields['player']}"
        elif isinstance(request, AnalyseRequest | ReviewRequest):
            threads, likes = settings.analysis_threads, f"{id(self)} analysis"
            yields = isinstance(request, AnalyseRequest) and request.seconds is None
        fields |= {"threads": threads, "memory": threads * settings.memory_a_thread}
        return Order(request.type, fields, self, threads, likes, yields, stop)

    async def _follow(self, request: FollowRequest, stop: asyncio.Event) -> Message:
        async for state in self._hub.tournaments.follow(request.tournament, stop):
            self.say({"type": "tournament", "id": request.id, **state.model_dump()})
        return _done(stop.is_set())

    def _refuse(self, number: int | None, kind: str, text: str) -> None:
        self.say({"id": number, **_error(kind, text)})

    # --- out ---

    async def _send_all(self) -> None:
        while True:
            await self._has_unsent.wait()
            self._has_unsent.clear()
            while self._unsent:
                try:
                    async with asyncio.timeout(SEND_SECONDS):
                        await self._socket.send_json(self._unsent.popleft())
                except (TimeoutError, WebSocketDisconnect, RuntimeError):  # starlette: RuntimeError after a close
                    return
            if self._close_code is not None:
                await self._socket.close(self._close_code)
                return


class Bucket:
    """Lets so many through a second, and a burst."""

    def __init__(self, a_second: float, at_once: float) -> None:
        self._a_second, self._at_once = a_second, at_once
        self._left, self._looked = at_once, time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self._left = min(self._at_once, self._left + (now - self._looked) * self._a_second)
        self._looked = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Throttle:
    """Of the messages of a kind that replace each other, lets one through in a while, and the last in any case."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._held: Message | None = None
        self._timer: asyncio.TimerHandle | None = None

    def offer(self, message: Message) -> None:
        if message["type"] not in CONFLATED:
            self.flush()
            self._session.say(message)
        elif self._timer is not None:
            self._held = message
        else:
            self._session.say(message)
            self._timer = asyncio.get_running_loop().call_later(REPORT_SECONDS, self._again)

    def flush(self) -> None:
        if self._held is not None:
            self._session.say(self._held)
            self._held = None

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _again(self) -> None:
        self._timer = None
        if self._held is not None:
            held, self._held = self._held, None
            self.offer(held)


def _done(is_stopped: bool, why: str = "") -> Message:
    stopped = {"stopped": True} if is_stopped else {}
    return {"type": "done", **stopped, **({"why": why} if why else {})}


def _error(kind: str, text: str) -> Message:
    return {"type": "error", "kind": kind, "text": text}


def _most_seconds(request: models.WorkRequest) -> float:
    """When a request is stopped though nobody asks for it."""
    if isinstance(request, AnalyseRequest) and request.seconds is None:
        return MAX_ANALYSIS_SECONDS
    if isinstance(request, ReviewRequest):
        return min(MAX_ANALYSIS_SECONDS, (request.position.count(".") + 2) * request.seconds * 2 + GRACE_SECONDS)
    seconds: float = getattr(request, "seconds", 0.0)
    return seconds + GRACE_SECONDS


def one_line(errors: Sequence[Any]) -> str:
    """The first thing that is wrong, of what pydantic says."""
    first = errors[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    return f"{where}: {first['msg']}" if where else str(first["msg"])


def _id_in(errors: Sequence[Any]) -> int | None:
    """The id of a message that is wrong in something else."""
    for detail in errors:
        given = detail.get("input")
        number = given.get("id") if isinstance(given, dict) else None
        if type(number) is int and 0 <= number <= MAX_ID:
            return number
    return None
