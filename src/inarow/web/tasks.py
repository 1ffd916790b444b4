"""What a worker process does for a request: a generator of messages for each kind, as docs/web.md describes them."""

import contextlib
import math
import time
from collections.abc import Callable, Iterator
from typing import Any

from inarow.engine import Engine, Report, Variation
from inarow.engine.move_values import MoveSolver
from inarow.engine.review import ReviewedMove, review
from inarow.engine.threats import Threats, threats_of
from inarow.errors import IllegalMove, InarowError
from inarow.game import Board, Limit, Move, Seat, cell_name, format_move, parse_position
from inarow.game.notation import column_name
from inarow.players import Player, ask, begin, make_player

Message = dict[str, Any]


class Desk:
    """Does one request after another, and keeps what may help with the next: an engine, a player or a solver, one.

    For one thread; `stop` may be called from others.
    """

    def __init__(self) -> None:
        self.is_stopped = False
        self._kept: tuple[str, int, int] | None = None  # spec, threads, megabytes
        self._engine: Engine | None = None
        self._player: Player | None = None
        self._solver: MoveSolver | None = None
        self._expected: Board | None = None  # the board after the player's last move
        self._stop: Callable[[], None] | None = None

    def work(self, request: Message) -> Iterator[Message]:
        """The messages that answer a request. InarowError when it cannot be answered."""
        self.is_stopped = False
        board = parse_position(request["position"])
        tasks: dict[str, Callable[[Board, Message], Iterator[Message]]] = {
            "move": self._move,
            "analyse": self._analyse,
            "solve": self._solve,
            "threats": self._threats,
            "review": self._review,
        }
        if board.is_over and request["do"] in ("move", "analyse", "solve"):
            raise IllegalMove(f"the game is over: {board.outcome}")
        yield from tasks[request["do"]](board, request)

    def stop(self) -> None:
        """Called from another thread, again and again until the work has ended: a search that begins forgets a stop."""
        self.is_stopped = True
        stop = self._stop
        if stop is not None:
            stop()

    def forget(self) -> None:
        """Gives the memory back."""
        if self._player is not None:
            with contextlib.suppress(InarowError):
                self._player.close()
        self._kept = self._engine = self._player = self._solver = self._expected = self._stop = None

    # --- the kinds of requests ---

    def _move(self, board: Board, request: Message) -> Iterator[Message]:
        limit = Limit(seconds=request["seconds"])
        if self._keep(request["player"], request):
            self._player = make_player(request["player"])
        player = self._player
        assert player is not None
        self._stop = player.stop
        if not _follows(board, self._expected):
            self._expected = None
            begin(player, board.game, board.turn, limit)
        choice = ask(player, board, limit)
        self._expected = board.copy()
        self._expected.push(choice.move)
        yield {
            "type": "moved",
            "move": format_move(choice.move),
            "seconds": round(choice.seconds, 4),
            "nodes": choice.nodes,
            "depth": choice.depth,
            "score": choice.score if choice.score is not None and math.isfinite(choice.score) else None,
            "line": _names(choice.line),
            "notes": list(choice.notes),
        }

    def _analyse(self, board: Board, request: Message) -> Iterator[Message]:
        engine = self._kept_engine(request)
        seconds = request["seconds"]
        limit = Limit() if seconds is None else Limit(seconds=seconds)
        begin = time.perf_counter()
        for report in engine.analyse(board, limit, request["lines"]):
            yield {"type": "report", **_report_fields(report)}
            if self.is_stopped or (seconds is not None and time.perf_counter() - begin > seconds):
                return

    def _review(self, board: Board, request: Message) -> Iterator[Message]:
        steps = review(board.game, board.moves, self._kept_engine(request), Limit(seconds=request["seconds"]))
        for step in steps:
            if self.is_stopped:
                return
            yield {"type": "reviewed", **_reviewed_fields(step)}

    def _solve(self, board: Board, request: Message) -> Iterator[Message]:
        if self._keep(f"solver {board.game}", request):
            self._solver = MoveSolver(board.game, request["memory"])
        solver = self._solver
        assert solver is not None
        self._stop = solver.stop
        for values in solver.values(board, request["seconds"], request["threads"]):
            moves = [{"move": format_move(each.move), "value": each.value, "plies": each.plies} for each in values]
            yield {"type": "values", "moves": moves}

    def _threats(self, board: Board, request: Message) -> Iterator[Message]:
        gravity = board.game.gravity
        yield {"type": "threats", **{str(seat): _threat_fields(threats_of(board, seat), gravity) for seat in Seat}}

    # --- what is kept ---

    def _keep(self, spec: str, request: Message) -> bool:
        """Forgets what is there unless it is this; whether it must be made."""
        wanted = spec, request["threads"], request["memory"]
        if self._kept == wanted:
            return False
        self.forget()
        self._kept = wanted
        return True

    def _kept_engine(self, request: Message) -> Engine:
        if self._keep("analysis", request):
            self._engine = Engine(request["threads"], request["memory"])
        assert self._engine is not None
        self._stop = self._engine.stop
        return self._engine


def _follows(board: Board, expected: Board | None) -> bool:
    """Whether a game has gone on: a player that is asked goes on too, without a new start."""
    return expected is not None and board.game == expected.game and board.moves[:-1] == expected.moves


def _names(moves: tuple[Move, ...]) -> list[str]:
    return [format_move(move) for move in moves]


def _report_fields(report: Report) -> Message:
    return {
        "depth": report.depth,
        "selective_depth": report.best.selective_depth,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 4),
        "nodes_per_second": round(report.nodes_per_second),
        "table_share": round(report.table_share, 4),
        "source": report.source,
        "variations": [_variation_fields(variation) for variation in report.variations],
    }


def _variation_fields(variation: Variation) -> Message:
    return {
        "moves": _names(variation.moves),
        "value": variation.value,
        "plies": variation.plies,
        "score": variation.score,
        "win_probability": round(variation.win_probability, 4),
        "depth": variation.depth,
        "words": variation.words,
    }


def _reviewed_fields(step: ReviewedMove) -> Message:
    chance = step.after.win_probability
    return {
        "ply": step.ply,
        "move": format_move(step.move),
        "seat": str(step.seat),
        "best": _names(step.best.moves),
        "best_words": step.best.words,
        "words": step.after.words,
        "win_probability": round(chance if step.seat is Seat.FIRST else 1 - chance, 4),
        "loss": round(step.loss, 4),
        "verdict": step.verdict,
    }


def _threat_fields(threats: Threats, gravity: bool) -> Message:
    return {
        "wins": [cell_name(cell) for cell in threats.wins],
        "later": [cell_name(cell) for cell in threats.later],
        "forced": [
            {
                "move": column_name(cell[1]) if gravity else cell_name(cell),
                "cell": cell_name(cell),
                "replies": [cell_name(reply) for reply in replies],
            }
            for cell, replies in threats.forced
        ],
    }
