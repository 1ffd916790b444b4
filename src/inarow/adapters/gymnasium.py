"""One agent against one of our players, as a Gymnasium environment.

    from inarow.adapters.gymnasium import InARowEnv
    env = InARowEnv(6, 7, 4, gravity=True, opponent="telos", limit=Limit(nodes=1000))
    observation, info = env.reset(seed=1)

An observation is an array of (rows, columns, 2): the agent's own stones, and the opponent's. info["action_mask"] says
which actions are legal (encoding.py says what an action is). A win is worth 1, a loss -1, an illegal action -1; each of
them ends the game. It needs the extra: pip install 'inarow[gymnasium]'.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from inarow.adapters.encoding import action_mask, missing, move_of, number_of_actions, planes
from inarow.adapters.resolve import resolve
from inarow.game import Board, Game, Limit, Seat
from inarow.players import Player, ask, begin

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise missing(error, "gymnasium", "gymnasium") from error

Observation = NDArray[np.int8]
ILLEGAL_REWARD = -1.0


class InARowEnv(gymnasium.Env[Observation, np.int64]):
    """A game in which the agent has a seat, and the opponent, a player or its spec, the other one.

    opponent  None plays random legal moves, which depend on the seed of `reset` alone
    seat      the agent's; None draws it by lot for each game
    limit     what the opponent has for a move
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi"]}  # noqa: RUF012 - declared so by Gymnasium

    def __init__(
        self,
        rows: int,
        columns: int,
        k: int,
        gravity: bool = False,
        opponent: str | Player | None = None,
        seat: Seat | None = Seat.FIRST,
        limit: Limit | None = None,
        render_mode: str | None = None,
    ) -> None:
        game = Game(rows, columns, k, gravity)
        self.board = Board(game)
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0, 1, (rows, columns, 2), np.int8)
        self.action_space = spaces.Discrete(number_of_actions(game))
        self._opponent = resolve(opponent) if isinstance(opponent, str) else opponent
        self._wanted_seat = seat
        self._limit = limit or Limit(seconds=0.1)
        self.seat = seat or Seat.FIRST

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.board = Board(self.board.game)
        self.seat = Seat(int(self.np_random.integers(2))) if self._wanted_seat is None else self._wanted_seat
        if self._opponent is not None:
            begin(self._opponent, self.board.game, self.seat.other, self._limit)
        if self.seat is Seat.SECOND:
            self._let_the_opponent_move()
        self._show()
        return planes(self.board, self.seat), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The agent's move and the opponent's answer. An illegal action changes nothing on the board."""
        move = move_of(self.board.game, action)
        if not self.board.is_legal(move):
            return planes(self.board, self.seat), ILLEGAL_REWARD, True, False, self._info()
        self.board.push(move)
        if not self.board.is_over:
            self._let_the_opponent_move()
        self._show()
        outcome = self.board.outcome
        reward = 0.0
        if outcome is not None and outcome.winner is not None:
            reward = 1.0 if outcome.winner is self.seat else -1.0
        return planes(self.board, self.seat), reward, outcome is not None, False, self._info()

    def render(self) -> str | None:
        """The board as text for "ansi"; for "human" it has been printed already."""
        return str(self.board) if self.render_mode == "ansi" else None

    def close(self) -> None:
        if self._opponent is not None:
            self._opponent.close()

    def _let_the_opponent_move(self) -> None:
        if self._opponent is not None:
            self.board.push(ask(self._opponent, self.board, self._limit).move)
        else:
            moves = self.board.legal_moves
            self.board.push(moves[int(self.np_random.integers(len(moves)))])

    def _info(self) -> dict[str, Any]:
        return {"action_mask": action_mask(self.board)}

    def _show(self) -> None:
        if self.render_mode == "human":
            print(self.board)
