"""The players by name, and the spec text that makes one:

telos                     a registered player
telos:memory=on,book=F    with options
python:FILE.py:Class      a class of your own; docs/adding-a-player.md shows one
"""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from inarow.errors import SpecError
from inarow.players import own
from inarow.players.base import Player
from inarow.players.cadrega import Cadrega, CadregaOptions
from inarow.players.engine import EngineOptions, EnginePlayer
from inarow.players.greedy import Greedy
from inarow.players.helpfulness import Helpfulness
from inarow.players.markcello import Markcello, MarkcelloOptions
from inarow.players.mcts import Mcts, MctsOptions
from inarow.players.nisshoku import Nisshoku, NisshokuOptions
from inarow.players.options import NoOptions, OptionInfo, option_infos, parse_options
from inarow.players.plain import AlphaBeta, AlphaBetaOptions, Deepening
from inarow.players.quasi_random import QuasiRandomPlayer
from inarow.players.random import RandomOptions, RandomPlayer
from inarow.players.rules import Rules
from inarow.players.telos import Telos, TelosOptions


@dataclass(frozen=True)
class PlayerInfo:
    """A registered player. Its story is the docstring of the module that `create` comes from."""

    name: str
    summary: str
    options_class: type
    create: Callable[[Any], Player]
    costs: str
    strength: str

    @property
    def options(self) -> tuple[OptionInfo, ...]:
        return option_infos(self.options_class)


PLAYERS: tuple[PlayerInfo, ...] = (
    PlayerInfo(
        "engine",
        "inarow's own: threats, deep search, and the solver where it reaches",
        EngineOptions,
        EnginePlayer,
        "a node O(K) for each of four lines, and its candidate moves",
        "sees forced wins deep on any board; exact where the solver reaches",
    ),
    PlayerInfo(
        "markcello",
        "narrow and deep alpha-beta with a budget of nodes",
        MarkcelloOptions,
        Markcello,
        "a node O(K) for each of four lines, and O(M N) to choose its moves; a leaf only the former",
        "sees deep tactics on any board; blind to moves that its order ranks below the best q",
    ),
    PlayerInfo(
        "cadrega",
        "alpha-beta to a depth that fits the time, its tree kept between turns",
        CadregaOptions,
        Cadrega,
        "a leaf O(K), an inner node O(f) to sort its moves",
        "sound on small boards, where its depth reaches the end; shallow on large ones",
    ),
    PlayerInfo(
        "telos",
        "iterative deepening by window scores; made for gravity",
        TelosOptions,
        Telos,
        "a leaf O(K), an inner node O(n K) for its n moves",
        "strong with gravity, where there are few moves; on large free boards it sees only a few plies",
    ),
    PlayerInfo(
        "nisshoku",
        "iterative deepening with a symmetric transposition table",
        NisshokuOptions,
        Nisshoku,
        "a leaf O(1) on boards of up to 64 a side, whose lines it remembers; O(M + N) on larger ones",
        "good at threats near the stones; plays no move away from them",
    ),
    PlayerInfo(
        "helpfulness",
        "greedy: the most helpful cell, after wins, blocks and double plays",
        NoOptions,
        Helpfulness,
        "a move O(f K)",
        "answers at once and sees one move ahead; falls for every longer trap",
    ),
    PlayerInfo(
        "mcts",
        "Monte-Carlo tree search with random play-outs",
        MctsOptions,
        Mcts,
        "a play-out O(f K)",
        "fair on small boards; needs more play-outs than there is time for on large ones",
    ),
    PlayerInfo(
        "deepening",
        "iterative deepening over all moves, in no order",
        NoOptions,
        Deepening,
        "a leaf O(K), an inner node O(M N)",
        "shows what an order of moves is worth: it reaches about half the depth of cadrega",
    ),
    PlayerInfo(
        "alphabeta",
        "alpha-beta to a fixed depth over all moves, in no order",
        AlphaBetaOptions,
        AlphaBeta,
        "a leaf O(K), an inner node O(M N)",
        "on large boards the time ends before it has looked at every move",
    ),
    PlayerInfo(
        "greedy",
        "the best cell by markcello's order, without a search",
        NoOptions,
        Greedy,
        "a move O(f)",
        "as helpfulness: no plan beyond the next move",
    ),
    PlayerInfo(
        "rules",
        "win, block, fork, stop a fork, most open lines",
        NoOptions,
        Rules,
        "a move O(f K), and O(f K) more for each cell when a fork threatens",
        "plays tic-tac-toe well; sees two moves ahead",
    ),
    PlayerInfo(
        "quasi_random",
        "wins or prevents a loss when one move does it, else any move",
        RandomOptions,
        QuasiRandomPlayer,
        "a move O(f K)",
        "the course's level 1: what every player should beat",
    ),
    PlayerInfo("random", "any legal move", RandomOptions, RandomPlayer, "a move O(f)", "the course's level 0"),
)


def find_player(name: str) -> PlayerInfo:
    """The registered player of that name; SpecError with a hint when there is none."""
    for info in PLAYERS:
        if info.name == name:
            return info
    names = [info.name for info in PLAYERS]
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(names)}, and python:FILE.py:Class"
    raise SpecError(f"no player is called {name!r}; {hint}")


def make_player(spec: str) -> Player:
    """The player that a spec names. SpecError when there is none.

    >>> make_player("random:sead=1")
    Traceback (most recent call last):
    inarow.errors.SpecError: random has no option 'sead'; it has seed
    """
    name, _, rest = spec.partition(":")
    if name == "python":
        return own.make_player(rest)
    info = find_player(name)
    return info.create(parse_options(name, info.options_class, rest))
