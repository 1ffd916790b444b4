"""Runs the application with uvicorn, on a socket that is bound before anything is said."""

import asyncio
import secrets
import socket
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path
from types import FrameType

import uvicorn
from fastapi import FastAPI

from inarow.arena.store import Store
from inarow.web.app import create_app
from inarow.web.settings import MIB, Settings, default_threads, is_loopback

SHUTDOWN_SECONDS = 2
MAX_CONNECTIONS = 1000


def settings_from(
    host: str, port: int, stores: tuple[Path, ...], threads: int | None, memory_mb: int, sessions: int, token: str
) -> Settings:
    """With a token made up where one is needed and none was given."""
    if not token and not is_loopback(host):
        token = secrets.token_urlsafe(24)
    return Settings(host, port, stores, threads or default_threads(), memory_mb, sessions, token)


def serve(settings: Settings, open_page: bool = False) -> None:
    """Serves until Ctrl-C or SIGTERM. OSError when the address cannot be had."""
    for path in settings.stores:
        Store.read(path).close()  # now, not when somebody looks
    bound = bind(settings)
    link = link_to(settings, bound.getsockname()[1])
    print(f"inarow is at {link} (Ctrl-C ends it)", file=sys.stderr, flush=True)
    if open_page:
        webbrowser.open(link)
    try:
        make_server(settings, bound.getsockname()[1]).run(sockets=[bound])
    except KeyboardInterrupt:  # uvicorn raises it again when everything is closed
        return
    finally:
        bound.close()


def bind(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio sends at once only if it knows TCP
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((settings.host, settings.port))
        bound.listen()  # so that who comes as soon as the address is printed waits, and is not refused
    except OSError as error:
        bound.close()
        raise OSError(error.errno, error.strerror, f"{settings.host}:{settings.port}") from None
    return bound


def link_to(settings: Settings, port: int) -> str:
    """What to open; with the token, which the page keeps in a cookie."""
    host = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(settings.host, settings.host)
    host = f"[{host}]" if ":" in host else host
    return f"http://{host}:{port}/" + (f"?token={settings.token}" if settings.token else "")


def make_server(settings: Settings, port: int) -> "PageServer":
    app = create_app(replace(settings, port=port))
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=MIB,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        limit_concurrency=MAX_CONNECTIONS,
    )
    return PageServer(config, app)


class PageServer(uvicorn.Server):
    """Tells the open pages before it goes down."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self.app = app
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        hub = getattr(self.app.state, "hub", None)
        if hub is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(hub.tell_everybody, "The server is going down.")
        super().handle_exit(sig, frame)
