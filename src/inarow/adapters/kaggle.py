"""Kaggle's ConnectX, both ways: `kaggle:FILE.py` hosts an agent made for it, `agent` makes one of any of our players.

Kaggle's board is a list, row by row from the top, 0 free, 1 and 2 the marks of first and second:
board[column + row * columns]. An agent gets an observation and, if it takes two arguments, a configuration; both are
dicts whose items are attributes too. It returns a column.
"""

import contextlib
import inspect
import sys
from collections.abc import Callable
from typing import Any

from inarow.adapters import kaggle_submission
from inarow.adapters.resolve import resolve
from inarow.errors import IllegalChoice, PlayerError, SpecError
from inarow.game import Board, Game, Limit, Seat, parse_picture
from inarow.players import Choice, Player, ask, begin
from inarow.players.own import describe, load_file

ACT_TIMEOUT = 2.0  # seconds for a move in the real environment
OVERAGE = 60.0  # seconds beside them for the whole game
LEAST_SECONDS = 0.001  # for one of our players, when there is no time at all
CLOCK_SHARE = 0.05  # of what is left on a clock is for the next move
PICTURE = {0: ".", 1: "X", 2: "O"}

Agent = Callable[..., Any]


class Struct(dict[str, Any]):
    """A dict whose items are attributes too, as the real environment has them."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


# ── their agents as our players ─────────────────────────────────────────────────────────────────────────────────────


def make_player(text: str) -> Player:
    """The player of a FILE.py that holds an agent. SpecError when there is none in it."""
    if not text:
        raise SpecError("a Kaggle agent is written kaggle:FILE.py")
    with contextlib.redirect_stdout(sys.stderr):  # an agent may print; in the arena stdout is nobody's
        module = load_file(text)
    callables = [value for value in vars(module).values() if callable(value)]
    if not callables:
        raise SpecError(f"{text} holds no agent: the last callable of the file is taken, and there is none")
    return KagglePlayer(callables[-1], text)


class KagglePlayer(Player):
    """Asks an agent. Only an int that is a column with room is a move; everything else loses, with the rule named."""

    def __init__(self, agent: Agent, file: str) -> None:
        self._agent = agent
        self._file = file
        self._arguments = _number_of_arguments(agent, file)

    def start(self, game: Game, seat: Seat, limit: Limit) -> None:
        if not game.gravity:
            raise PlayerError(f"a Kaggle agent plays games with gravity, not {game}")

    def choose(self, board: Board, limit: Limit) -> int:
        observation, configuration = question(board, limit)
        arguments = (observation, configuration)[: self._arguments]
        try:
            with contextlib.redirect_stdout(sys.stderr):
                answer = self._agent(*arguments)
        except (Exception, SystemExit) as error:
            raise PlayerError(f"the agent raised {describe(error, self._file)}, an ERROR at Kaggle") from error
        return checked_answer(answer)


def question(board: Board, limit: Limit) -> tuple[Struct, Struct]:
    """What an agent is shown of a board: observation and configuration."""
    game = board.game
    marks = {None: 0, Seat.FIRST: 1, Seat.SECOND: 2}
    act_timeout, overage = _times(limit)
    observation = Struct(
        board=[marks[board.stone(cell)] for cell in game.cells],
        mark=marks[board.turn],
        step=board.ply,
        remainingOverageTime=overage,
    )
    configuration = Struct(
        columns=game.columns,
        rows=game.rows,
        inarow=game.k,
        actTimeout=act_timeout,
        timeout=act_timeout,
        agentTimeout=OVERAGE,
        runTimeout=1200,
        episodeSteps=1000,
    )
    return observation, configuration


def checked_answer(answer: Any) -> int:
    """The column that an agent answered. IllegalChoice when it is no plain int; the board says if it has no room."""
    if type(answer) is int:
        return answer
    if answer is None:
        consequence = "Kaggle plays column 0 then, without a word"
    elif isinstance(answer, float):
        consequence = "Kaggle calls it INVALID or breaks on it; use int(…)"
    elif hasattr(answer, "__index__"):
        consequence = "Kaggle calls other numbers INVALID; use int(…)"
    else:
        consequence = "Kaggle calls it INVALID"
    what = f"{answer!r} of type {type(answer).__name__}"
    raise IllegalChoice(f"illegal move: an agent returns a column, an int, not {what}: {consequence}")


def _number_of_arguments(agent: Agent, file: str) -> int:
    """How many of (observation, configuration) the agent takes: 2 if it can, else 1. SpecError when neither will do."""
    try:
        signature = inspect.signature(agent)
    except (TypeError, ValueError):  # a callable that is not written in Python tells nothing about itself
        return 2
    for count in (2, 1):
        with contextlib.suppress(TypeError):
            signature.bind(*range(count))
            return count
    name = getattr(agent, "__name__", repr(agent))
    raise SpecError(
        f"{file} holds no agent: its last callable is {name}{signature}, "
        f"it should take (observation, configuration) or (observation)"
    )


def _times(limit: Limit) -> tuple[float, float]:
    """actTimeout and remainingOverageTime. Our referee gives no time beside a move's, unless there is a clock."""
    if limit.seconds is not None:
        return limit.seconds, 0.0
    if limit.clock is not None:
        share = min(limit.clock, CLOCK_SHARE * limit.clock + (limit.increment or 0.0))
        return share, limit.clock - share
    return ACT_TIMEOUT, OVERAGE


# ── our players as their agents ─────────────────────────────────────────────────────────────────────────────────────


def agent(spec: str) -> Callable[[Any, Any], int]:
    """An agent for the real environment that plays as one of our players, in less than actTimeout.

    >>> play = agent("engine:memory=16")
    >>> board = [0] * 42
    >>> for column in (0, 1, 2):
    ...     board[column + 5 * 7], board[column + 4 * 7] = 1, 2
    >>> play({"board": board, "mark": 1}, {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": 0.5})
    3
    """
    player = resolve(spec)
    follower = _Follower()

    def play(observation: Any, configuration: Any) -> int:
        game = Game(configuration["rows"], configuration["columns"], configuration["inarow"], gravity=True)
        limit = Limit(seconds=max(kaggle_submission.thinking_time(configuration["actTimeout"]), LEAST_SECONDS))
        if follower.follow(game, observation["board"]):
            begin(player, game, Seat(observation["mark"] - 1), limit)
        choice: Choice = ask(player, follower.board, limit)
        follower.board.push(choice.move)
        assert isinstance(choice.move, int)
        return choice.move

    return play


class _Follower:
    """Keeps the board of a game of which only the stones are shown, at every other move."""

    def __init__(self) -> None:
        self.board = Board(Game(1, 1, 1, gravity=True))

    def follow(self, game: Game, marks: list[int]) -> bool:
        """Brings the board up to date; whether that begins a new game.

        Nearly always the stones are the board's and one more, the other's move. Otherwise this is another game, and its
        moves are any that lead to the stones.
        """
        if self.board.game == game:
            before = question(self.board, Limit())[0].board
            new = [place % game.columns for place, mark in enumerate(marks) if mark != before[place]]
            if len(new) == 1 and not self.board.is_over and self.board.is_legal(new[0]):
                self.board.push(new[0])
                if question(self.board, Limit())[0].board == marks:
                    return False
        rows = [marks[start : start + game.columns] for start in range(0, len(marks), game.columns)]
        self.board = parse_picture(game, "\n".join("".join(PICTURE[mark] for mark in row) for row in rows))
        return True


def submission() -> str:
    """The text of a submission: one file in plain Python that needs nothing of inarow. Its story is at its top."""
    return inspect.getsource(kaggle_submission)
