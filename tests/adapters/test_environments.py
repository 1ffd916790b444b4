"""The PettingZoo and Gymnasium environments: their own checkers, and our rules."""

import pickle
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test.api_test import api_test

from inarow import Board, Game, IllegalMove, Limit, Seat
from inarow.adapters import encoding
from inarow.adapters import gymnasium as single
from inarow.adapters import pettingzoo as double
from tests.randoms import SEEDS, random_game
from tests.shapes import GAMES

SHAPES = [(1, 5, 2), (3, 3, 3), (4, 3, 5), (6, 7, 4), (12, 11, 5)]
BOTH = pytest.mark.parametrize("gravity", [False, True])


@pytest.fixture(autouse=True)
def harmless_warnings() -> Any:
    """The checkers wonder about empty boards, ended games and observations that hold a mask; these are meant."""
    with warnings.catch_warnings():
        for message in ("all zeros", "should be gymnasium.spaces.box", "Observation is not a NumPy array"):
            warnings.filterwarnings("ignore", message=f".*{message}")
        yield


@pytest.mark.parametrize("game", [game for game in GAMES if game.rows * game.columns <= 400], ids=str)
def test_encoding(game: Game) -> None:
    for board, move in random_game(game, SEEDS[0]):
        assert encoding.move_of(game, encoding.action_of(game, move)) == move
        own, other = np.moveaxis(encoding.planes(board, board.turn), 2, 0)
        for row, column in game.cells:
            owner = board.stone((row, column))
            assert (own[row, column], other[row, column]) == (owner is board.turn, owner is board.turn.other)
        legal = {encoding.action_of(game, each) for each in board.legal_moves}
        assert set(np.flatnonzero(encoding.action_mask(board)).tolist()) == legal


@BOTH
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_pettingzoo_finds_nothing(shape: tuple[int, int, int], gravity: bool) -> None:
    api_test(double.env(*shape, gravity=gravity), num_cycles=300)  # type: ignore[no-untyped-call]


@BOTH
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_game_in_pettingzoo_is_our_game(shape: tuple[int, int, int], gravity: bool) -> None:
    game = Game(*shape, gravity)
    environment = double.env(*shape, gravity=gravity)
    for seed in SEEDS:
        environment.reset(seed=seed)
        for board, move in random_game(game, seed, plies=1000):
            agent = double.AGENTS[board.turn.other]
            assert environment.agent_selection == agent
            environment.step(np.int64(encoding.action_of(game, move)))
            assert environment.terminations[agent] == board.is_over
            observation = environment.observe(double.AGENTS[board.turn])
            assert observation is not None
            assert (observation["observation"] == encoding.planes(board, board.turn)).all()
            assert (observation["action_mask"] == encoding.action_mask(board)).all()
            if board.is_over:
                assert board.outcome is not None
                winner = board.outcome.winner
                for seat in Seat:
                    expected = 0 if winner is None else 1 if winner is seat else -1
                    assert environment._cumulative_rewards[double.AGENTS[seat]] == expected


def test_an_illegal_action_ends_the_game_in_pettingzoo() -> None:
    environment = double.env(3, 3, 3)
    environment.reset()
    for _ in range(2):
        environment.step(np.int64(4))
    assert all(environment.terminations.values())
    assert environment._cumulative_rewards == {"player_0": 0, "player_1": -1}
    raw = double.RawEnv(3, 3, 3)
    raw.reset()
    raw.step(np.int64(4))
    with pytest.raises(IllegalMove, match="is taken"):
        raw.step(np.int64(4))


def test_pettingzoo_shows_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    environment = double.RawEnv(3, 3, 3, render_mode="ansi")
    environment.reset()
    environment.step(np.int64(4))
    assert environment.render() == str(environment.board)
    assert pickle.loads(pickle.dumps(environment)).board == environment.board
    environment = double.RawEnv(3, 3, 3, render_mode="human")
    environment.reset()
    environment.step(np.int64(4))
    assert capsys.readouterr().out == f"{environment.board}\n"


@BOTH
@pytest.mark.parametrize("seat", [*Seat, None], ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_gymnasium_finds_nothing(shape: tuple[int, int, int], gravity: bool, seat: Seat | None) -> None:
    check_env(single.InARowEnv(*shape, gravity=gravity, seat=seat), skip_render_check=True)


@BOTH
@pytest.mark.parametrize("seat", [*Seat, None], ids=str)
@pytest.mark.parametrize("opponent", [None, "quasi_random:seed=1"])
def test_a_game_in_gymnasium_is_our_game(gravity: bool, seat: Seat | None, opponent: str | None) -> None:
    environment = single.InARowEnv(4, 5, 3, gravity, opponent, seat, Limit(nodes=100))
    rewards, seats = set(), set()
    for seed in range(30):
        observation, info = environment.reset(seed=seed)
        seats.add(environment.seat)
        random = np.random.default_rng(1000 + seed)  # not the numbers that the opponent draws
        terminated, reward = False, 0.0
        while not terminated:
            assert (observation == encoding.planes(environment.board, environment.seat)).all()
            assert environment.board.turn is environment.seat
            assert reward == 0
            action = random.choice(np.flatnonzero(info["action_mask"]))
            observation, reward, terminated, truncated, info = environment.step(action)
            assert not truncated
        outcome = environment.board.outcome
        assert outcome is not None
        assert reward == (0 if outcome.winner is None else 1 if outcome.winner is environment.seat else -1)
        rewards.add(reward)
    environment.close()
    assert rewards >= {-1.0, 1.0}
    assert seats == (set(Seat) if seat is None else {seat})


def test_the_seed_is_the_game_in_gymnasium() -> None:
    def game(seed: int) -> tuple[object, ...]:
        environment = single.InARowEnv(6, 7, 4, gravity=True, seat=None)
        _, info = environment.reset(seed=seed)
        terminated = False
        while not terminated:
            _, _, terminated, _, info = environment.step(np.flatnonzero(info["action_mask"])[0])
        return environment.board.moves

    assert game(1) == game(1)
    assert len({game(seed) for seed in range(5)}) > 1


def test_an_illegal_action_ends_the_game_in_gymnasium() -> None:
    environment = single.InARowEnv(1, 2, 2, gravity=True, render_mode="ansi")
    environment.reset(seed=1)
    environment.step(np.int64(0))
    assert environment.board.is_over
    environment.reset(seed=1)
    environment.board = Board(Game(1, 2, 3, gravity=True))
    environment.board.push(1)
    _, reward, terminated, _, info = environment.step(np.int64(1))
    assert (reward, terminated) == (-1.0, True)
    assert info["action_mask"].tolist() == [1, 0]
    assert environment.render() == str(environment.board)


@pytest.mark.parametrize(
    ("module", "extra"), [("pettingzoo", "pettingzoo"), ("gymnasium", "pettingzoo"), ("gymnasium", "gymnasium")]
)
def test_a_missing_package_is_named_with_its_extra(module: str, extra: str) -> None:
    code = f"""
import sys, inarow
sys.modules[{module!r}] = None  # as if it were not installed
try:
    import inarow.adapters.{extra}
except inarow.InarowError as error:
    print(error)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == f"{module} is not installed: pip install 'inarow[{extra}]'\n"
