"""The server as an ASGI application: the page's files, /api, /socket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from inarow._version import __version__
from inarow.errors import InarowError
from inarow.game import parse_position
from inarow.game.rules import MAX_SIDE
from inarow.solver.known import known_without_search
from inarow.web import catalogue
from inarow.web.games import read_game, write_game
from inarow.web.guard import Guard
from inarow.web.models import (
    MAX_NAME,
    Error,
    ExportAnswer,
    ExportRequest,
    GamesAnswer,
    ImportAnswer,
    ImportRequest,
    InfoAnswer,
    LimitFields,
    RecordFields,
    ShortPosition,
    TournamentFields,
    ValuesAnswer,
)
from inarow.web.settings import (
    MAX_ANALYSIS_SECONDS,
    MAX_BODY,
    MAX_ID,
    MAX_LINES,
    MAX_MESSAGE,
    MAX_REQUESTS,
    MAX_SECONDS,
    Settings,
)
from inarow.web.socket import Hub, one_line
from inarow.web.stores import UnknownTournament

STATIC = Path(__file__).with_name("static")
MAX_GAMES = 500  # of a list
MAX_HANDLERS = 4  # of /api at the same time, in threads: more would keep the sockets waiting

Responses = dict[int | str, dict[str, Any]]
BAD_INPUT: Responses = {422: {"model": Error, "description": "What is wrong with the request"}}
BAD_BODY: Responses = {
    400: {"model": Error, "description": "The body is no JSON text"},
    413: {"model": Error, "description": "The body is too large"},
    **BAD_INPUT,
}
NOT_THERE: Responses = {404: {"model": Error, "description": "There is no such thing"}, **BAD_INPUT}


def create_app(settings: Settings) -> FastAPI:
    """The application; its worker processes run from its start-up to its shut-down."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = MAX_HANDLERS
        hub = app.state.hub = Hub(settings)
        await hub.pool.open()
        try:
            yield
        finally:
            await hub.pool.close()

    app = FastAPI(
        title="inarow",
        version=__version__,
        description="Play, study and replay k-in-a-row games. The socket, /socket, is described in docs/web.md.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.include_router(_info_routes(settings))
    app.include_router(_game_routes())
    app.include_router(_tournament_routes())
    app.add_api_websocket_route("/socket", _socket)
    app.router.default = Files(directory=STATIC, html=True)  # not mounted at /, which would hide wrong methods of /api
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(UnknownTournament, _not_there)
    app.add_exception_handler(InarowError, _refused)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_middleware(Guard, settings=settings)
    return app


class Files(StaticFiles):
    """The page's files. A socket at another address than /socket is turned away."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await super().__call__(scope, receive, send)


async def _socket(websocket: WebSocket) -> None:
    await _hub(websocket).serve(websocket)


def _hub(connection: Request | WebSocket) -> Hub:
    hub: Hub = connection.app.state.hub
    return hub


# --- /api ---


def _info_routes(settings: Settings) -> APIRouter:
    router = APIRouter(prefix="/api")

    @router.get("/info")
    def info(request: Request) -> InfoAnswer:
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
            tournaments=_hub(request).tournaments.names,
        )

    return router


def _game_routes() -> APIRouter:
    router = APIRouter(prefix="/api", responses=BAD_INPUT)

    @router.post("/import", responses=BAD_BODY)
    def import_game(body: ImportRequest) -> ImportAnswer:
        """Reads a game, whatever its format. `k` is for formats that do not say it."""
        return read_game(body.text, body.k)

    @router.post("/export", responses=BAD_BODY)
    def export_game(body: ExportRequest) -> ExportAnswer:
        """Writes a game. SGF has the whole tree, every other format the line that is shown."""
        return write_game(body)

    @router.get("/values")
    def values(position: Annotated[ShortPosition, Query()]) -> ValuesAnswer:
        """What is known of a position without a search, for the player to move."""
        found = known_without_search(parse_position(position))
        if found is None:
            return ValuesAnswer(value=None, plies=None, method="")
        return ValuesAnswer.model_validate({"value": found.value, "plies": found.plies, "method": found.method})

    return router


def _tournament_routes() -> APIRouter:
    router = APIRouter(prefix="/api/tournaments", responses=NOT_THERE)

    @router.get("")
    def tournaments(request: Request) -> list[str]:
        """The names of the tournaments that can be looked at."""
        return _hub(request).tournaments.names

    @router.get("/{name}")
    def tournament(request: Request, name: str) -> TournamentFields:
        """How far a tournament is, and who is where."""
        return _hub(request).tournaments[name].state()

    @router.get("/{name}/games")
    def games(
        request: Request,
        name: str,
        offset: Annotated[int, Query(ge=0, le=MAX_ID)] = 0,
        limit: Annotated[int, Query(ge=1, le=MAX_GAMES)] = 100,
        player: Annotated[str, Query(max_length=MAX_NAME)] = "",
    ) -> GamesAnswer:
        """Its games, in the order in which they were finished; those of one player where one is named."""
        return _hub(request).tournaments[name].games(offset, limit, player)

    @router.get("/{name}/games/{number}")
    def game(request: Request, name: str, number: int) -> RecordFields:
        """One game: the fields of its record."""
        record = _hub(request).tournaments[name].record(number) if 0 < number <= MAX_ID else None
        if record is None:
            raise HTTPException(404, f"the tournament has no game {number}")
        return record

    return router


# --- errors: all of them are {"error": "one line"} ---


def _bad_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return _error(422, one_line(error.errors()))


def _refused(request: Request, error: Exception) -> JSONResponse:
    return _error(422, str(error))


def _not_there(request: Request, error: Exception) -> JSONResponse:
    return _error(404, str(error))


def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return _error(error.status_code, str(error.detail), error.headers)


def _error(status: int, text: str, headers: Any = None) -> JSONResponse:
    return JSONResponse({"error": text}, status, headers)
