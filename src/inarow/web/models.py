"""What may come in and what goes out, as types, of which FastAPI makes /api/openapi.json; docs/web.md explains them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from inarow.game.rules import MAX_SIDE
from inarow.web.settings import MAX_BODY, MAX_ID, MAX_LINES, MAX_MESSAGE, MAX_SECONDS

MAX_NAME = 200
MAX_COMMENT = 10_000
MAX_QUERY = 4000

Id = Annotated[int, Field(ge=0, le=MAX_ID, strict=True)]
POSITION = r"^[0-9A-Za-z:.,]+$"
Position = Annotated[str, Field(min_length=5, max_length=MAX_MESSAGE, pattern=POSITION)]
ShortPosition = Annotated[str, Field(min_length=5, max_length=MAX_QUERY, pattern=POSITION)]
Seconds = Annotated[float, Field(gt=0, le=MAX_SECONDS)]
MoveText = Annotated[str, Field(min_length=1, max_length=8)]
Name = Annotated[str, Field(max_length=MAX_NAME)]


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


# --- the socket: what the page asks ---


class MoveRequest(Model):
    type: Literal["move"]
    id: Id
    position: Position
    player: Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
    seconds: Seconds = 1.0


class AnalyseRequest(Model):
    type: Literal["analyse"]
    id: Id
    position: Position
    lines: Annotated[int, Field(ge=1, le=MAX_LINES)] = 1
    seconds: Seconds | None = None


class SolveRequest(Model):
    type: Literal["solve"]
    id: Id
    position: Position
    seconds: Seconds = 5.0


class ThreatsRequest(Model):
    type: Literal["threats"]
    id: Id
    position: Position


class ReviewRequest(Model):
    type: Literal["review"]
    id: Id
    position: Position
    seconds: Seconds = 0.2


class FollowRequest(Model):
    type: Literal["follow"]
    id: Id
    tournament: Name


class StopRequest(Model):
    type: Literal["stop"]
    id: Id


WorkRequest = MoveRequest | AnalyseRequest | SolveRequest | ThreatsRequest | ReviewRequest
Request = WorkRequest | FollowRequest | StopRequest
REQUEST: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="type")])


# --- HTTP ---


class Error(Model):
    error: str


class TreeNode(Model):
    """A move of a game tree. `parent` is the number of the node before it: 0 is the root, 1 the first node, …"""

    move: MoveText
    parent: Annotated[int, Field(ge=0, le=MAX_BODY)]
    comment: Annotated[str, Field(max_length=MAX_COMMENT)] = ""


class Tree(Model):
    """A game with variations: a list, each node behind its parent; a node's first child goes on with the main line.

    It is no nested structure, because a game of 400 moves would be 800 levels deep, more than JSON readers take.
    """

    position: Annotated[str, Field(min_length=5, max_length=MAX_BODY, pattern=POSITION)]
    comment: Annotated[str, Field(max_length=MAX_COMMENT)] = ""
    nodes: list[TreeNode] = []


class ImportRequest(Model):
    text: Annotated[str, Field(max_length=MAX_BODY)]
    k: Annotated[int, Field(ge=1, le=MAX_SIDE)] = 5


class ImportAnswer(Model):
    format: Literal["sgf", "psq", "position", "connect4", "record"]
    tree: Tree
    players: tuple[str, str]


ExportFormat = Literal["position", "connect4", "psq", "sgf", "record", "pgn"]


class ExportRequest(Model):
    format: ExportFormat
    tree: Tree
    path: list[MoveText] = []
    players: tuple[Name, Name] = ("first", "second")


class ExportAnswer(Model):
    text: str
    filename: str


class ValuesAnswer(Model):
    value: Literal["win", "draw", "loss"] | None
    plies: int | None
    method: str


class OptionFields(Model):
    name: str
    kind: Literal["flag", "whole", "number", "choice", "text"]
    default: bool | int | float | str | None
    choices: list[str] | None
    least: int | None
    most: int | None
    help: str


class PlayerFields(Model):
    name: str
    summary: str
    options: list[OptionFields]


class PresetFields(Model):
    name: str
    game: str
    group: str


class LimitFields(Model):
    rows: int
    columns: int
    lines: int
    seconds: float
    analysis_seconds: float
    requests: int
    message_bytes: int
    body_bytes: int
    threads: int
    memory_mb: int
    sessions: int


class InfoAnswer(Model):
    version: str
    limits: LimitFields
    presets: list[PresetFields]
    players: list[PlayerFields]
    tournaments: list[str]


class StandingFields(Model):
    player: str
    points: int
    games: int
    wins: int
    draws: int
    losses: int
    elo: float | None
    interval: tuple[float, float] | None
    forfeits: int


class TournamentFields(Model):
    name: str
    games_played: int
    games_planned: int | None
    is_running: bool
    standings: list[StandingFields]
    boards: list[str]


class GameFields(Model):
    number: int
    game: str
    players: tuple[str, str]
    winner: Literal["first", "second"] | None
    reason: str
    detail: str
    plies: int


class GamesAnswer(Model):
    total: int
    games: list[GameFields]


RecordFields = dict[str, Any]
"""A record, with the fields that docs/formats.md describes."""
