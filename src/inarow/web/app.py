"""The server as an ASGI application: the page's files, /api, /socket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, WebSocket
from fastapi.staticfiles import StaticFiles

from inarow._version import __version__
from inarow.game.rules import MAX_SIDE
from inarow.web import catalogue
from inarow.web.models import InfoAnswer, LimitFields
from inarow.web.settings import (
    MAX_ANALYSIS_SECONDS,
    MAX_BODY,
    MAX_LINES,
    MAX_MESSAGE,
    MAX_REQUESTS,
    MAX_SECONDS,
    Settings,
)
from inarow.web.socket import Hub

STATIC = Path(__file__).with_name("static")


def create_app(settings: Settings) -> FastAPI:
    """The application; its worker processes run from its start-up to its shut-down."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        hub = app.state.hub = Hub(settings)
        await hub.pool.open()
        try:
            yield
        finally:
            await hub.pool.close()

    app = FastAPI(
        title="inarow",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )

    @app.get("/api/info")
    def info() -> InfoAnswer:
        """What this server offers and what it allows."""
        return InfoAnswer(
            version=__version__,
            limits=LimitFields(
                rows=MAX_SIDE,
                columns=MAX_SIDE,
                lines=MAX_LINES,
                seconds=MAX_SECONDS,
                analysis_seconds=MAX_ANALYSIS_SECONDS,
                requests=MAX_REQUESTS,
                message_bytes=MAX_MESSAGE,
                body_bytes=MAX_BODY,
                threads=settings.threads,
                memory_mb=settings.memory_mb,
                sessions=settings.sessions,
            ),
            presets=catalogue.presets(),
            players=catalogue.players(settings),
            tournaments=app.state.hub.tournaments.names,
        )

    @app.websocket("/socket")
    async def socket(websocket: WebSocket) -> None:
        await app.state.hub.serve(websocket)

    app.mount("/", StaticFiles(directory=STATIC, html=True))
    return app
