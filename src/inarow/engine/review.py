"""A finished game looked at again: which moves were mistakes, and what would have been better."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from inarow.engine.analysis import UNDECIDED, Variation
from inarow.engine.engine import Engine
from inarow.game import Board, Game, Limit, Move, Seat

MISTAKE = 0.1
"""So much of a game's expected points a move must give away to be called a mistake."""
BLUNDER = 0.25
NEAR = 9
"""A win in so many plies can be missed; of a longer one the move that was played may be another that is not proven."""


@dataclass(frozen=True)
class ReviewedMove:
    """A move of a game, and what the engine thinks of it.

    best  the engine's own choice in this position
    after what the move that was played is worth to the player who made it, with the play expected after it
    loss  points of the game that the move gives away, 0 to 1
    """

    ply: int
    seat: Seat
    move: Move
    best: Variation
    after: Variation
    loss: float

    @property
    def verdict(self) -> str:
        """blunder, mistake, missed win, or nothing at all."""
        if self.best.value == "win" and self.after.value != "win":
            is_near = self.best.plies is not None and self.best.plies <= NEAR
            if is_near or self.loss >= MISTAKE or self.after.value != UNDECIDED:
                return "missed win"
        return "blunder" if self.loss >= BLUNDER else "mistake" if self.loss >= MISTAKE else ""


def review(
    game: Game, moves: tuple[Move, ...], engine: Engine, limit: Limit, is_stopped: Callable[[], bool] = lambda: False
) -> Iterator[ReviewedMove]:
    """Every move of a game, in order, until it is stopped; the limit is for each position."""
    board = Board(game)
    before = engine.search(board, limit).best if moves else None
    for move in moves:
        if is_stopped():
            return
        assert before is not None
        ply, seat = board.ply, board.turn
        board.push(move)
        if board.outcome is not None:
            value, chance = ("draw", 0.5) if board.outcome.winner is None else ("win", 1.0)
            after, reply = Variation((move,), value, 1 if value == "win" else None, 0, chance), None
        else:
            reply = engine.search(board, limit).best
            after = before if before.move == move else seen_by_the_other(move, reply)
        loss = max(0.0, before.win_probability - after.win_probability)
        yield ReviewedMove(ply, seat, move, before, after, loss)
        before = reply


def seen_by_the_other(move: Move, reply: Variation) -> Variation:
    """What a move is worth, from what the reply to it is worth to the opponent."""
    value = {"win": "loss", "loss": "win"}.get(reply.value, reply.value)
    plies = None if reply.plies is None else reply.plies + 1
    chance = 1 - reply.win_probability
    return Variation(
        (move, *reply.moves), value, plies, -reply.score, chance, reply.depth + 1, reply.selective_depth + 1
    )
