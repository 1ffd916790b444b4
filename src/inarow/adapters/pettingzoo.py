"""Any of our games as a PettingZoo environment of two agents, player_0 and player_1, who move in turn.

    from inarow.adapters.pettingzoo import env
    game = env(6, 7, 4, gravity=True)

An observation is {"observation": (rows, columns, 2), "action_mask": …}: the agent's own stones, the other's, and which
actions are legal (encoding.py says what an action is). A win is worth 1, a loss -1. An illegal action ends the game: -1
for whoever chose it, 0 for the other. It needs the extra: pip install 'inarow[pettingzoo]'.
"""

from typing import Any

import numpy as np

from inarow.adapters.encoding import action_mask, missing, move_of, number_of_actions, planes
from inarow.game import Board, Game, Seat

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    raise missing(error, "pettingzoo", "pettingzoo", "gymnasium") from error

Observation = dict[str, Any]  # of arrays
Action = np.int64
AGENTS = {Seat.FIRST: "player_0", Seat.SECOND: "player_1"}
ILLEGAL_REWARD = -1.0


def env(
    rows: int, columns: int, k: int, gravity: bool = False, render_mode: str | None = None
) -> AECEnv[str, Observation, Action]:
    """The environment, with PettingZoo's usual checks around it."""
    checked: AECEnv[str, Observation, Action] = RawEnv(rows, columns, k, gravity, render_mode)
    checked = wrappers.TerminateIllegalWrapper(checked, illegal_reward=ILLEGAL_REWARD)
    checked = wrappers.AssertOutOfBoundsWrapper(checked)
    return wrappers.OrderEnforcingWrapper(checked)


class RawEnv(AECEnv[str, Observation, Action]):
    """The environment itself: an illegal action raises IllegalMove. The board is in `board`."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - declared so by PettingZoo
        "render_modes": ["human", "ansi"],
        "name": "inarow_v0",
        "is_parallelizable": False,
    }

    def __init__(self, rows: int, columns: int, k: int, gravity: bool = False, render_mode: str | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        game = Game(rows, columns, k, gravity)
        self.board = Board(game)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS.values())
        self.agents = self.possible_agents[:]
        actions = number_of_actions(game)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (rows, columns, 2), np.int8),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Action]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. There is no chance in it, so the seed changes nothing."""
        self.board = Board(self.board.game)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = AGENTS[Seat.FIRST]

    def observe(self, agent: str) -> Observation:
        """What the agent sees; when it is not its turn, no action is legal."""
        seat = Seat(self.possible_agents.index(agent))
        mask = action_mask(self.board)
        return {
            "observation": planes(self.board, seat),
            "action_mask": mask if agent == self.agent_selection else np.zeros_like(mask),
        }

    def step(self, action: Action) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.board.push(move_of(self.board.game, action))
        outcome = self.board.outcome
        if outcome is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            if outcome.winner is not None:
                self.rewards = {AGENTS[outcome.winner]: 1.0, AGENTS[outcome.winner.other]: -1.0}
        self.agent_selection = AGENTS[self.board.turn]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board as text: printed for "human", returned for "ansi"."""
        if self.render_mode == "human":
            print(self.board)
        return str(self.board) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""
