"""A tiny tournament, played as far as a test wants it."""

from pathlib import Path

from inarow.arena.referee import Referee
from inarow.arena.schedule import number_of_games, schedule
from inarow.arena.spec import RefereeRules, Tournament
from inarow.arena.store import Store
from inarow.game import Game, Limit

CUP = Tournament(
    ("rules", "greedy", "helpfulness"),
    (Game(4, 4, 3), Game(6, 7, 4, gravity=True)),
    Limit(seconds=5),
    openings="random:1",
    rules=RefereeRules(in_process=True),
)
PLANNED = number_of_games(CUP)


def play_on(store: Store, games: int) -> None:
    """Plays the next games of the cup."""
    referee = Referee(CUP.rules)
    for job in schedule(CUP, store.outcomes())[:games]:
        assert store.add(job.key, referee.play(job))
    referee.close()


def begin_cup(path: Path, games: int) -> Path:
    """A store with the first games of the cup."""
    with Store.open(path, CUP) as store:
        play_on(store, games)
    return path
