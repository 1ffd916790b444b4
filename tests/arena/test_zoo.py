"""The tournament of the zoo: whatever a player does, the game has an outcome and nothing of the player is left."""

import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from inarow import Limit, Outcome, Reason, Record, Seat
from inarow.arena.faults import Kind
from inarow.arena.launcher import children_of
from inarow.arena.referee import Referee
from inarow.arena.spec import GameJob, RefereeRules
from tests.arena import zoo
from tests.arena.processes import (
    AMPLE,
    BOARD,
    GONE_SECONDS,
    QUASI_RANDOM,
    RANDOM,
    RULES,
    comes_true,
    kept_by,
    open_files,
    processes_of,
    spec,
)

OPENING = ((1, 1),)
SHORT = Limit(seconds=0.2)  # for whoever never answers


@dataclass(frozen=True)
class Case:
    """What an animal loses by: one of these kinds, with this in the text."""

    kind: Kind | tuple[Kind, ...]
    text: str
    limit: Limit = AMPLE

    def fits(self, outcome: Outcome) -> bool:
        kinds = self.kind if isinstance(self.kind, tuple) else (self.kind,)
        kind, _, text = outcome.detail.partition(": ")
        return kind in {kind.value for kind in kinds} and self.text in text


ANIMALS: dict[type[object], Case] = {
    zoo.Sleeps: Case(Kind.LATE, "no answer within 0.25 s", SHORT),
    zoo.HoldsTheInterpreter: Case(Kind.LATE, "no answer within 0.25 s", SHORT),
    zoo.IgnoresSigterm: Case(Kind.LATE, "no answer within 0.25 s", SHORT),
    zoo.StopsItself: Case(Kind.LATE, "no answer within 0.25 s", SHORT),
    zoo.Exits: Case(Kind.RAISED, "SystemExit: 3"),
    zoo.ExitsAtOnce: Case(Kind.EXITED, "with status 3"),
    zoo.ExitsWhenMade: Case(Kind.START, "SystemExit: I will not play"),
    zoo.ExitsAtOnceWhenMade: Case(Kind.EXITED, "with status 4 (the last words)"),
    zoo.Segfaults: Case(Kind.CRASHED, "by SIGSEGV"),
    zoo.KillsItself: Case(Kind.CRASHED, "by SIGKILL"),
    zoo.DiesOfRealTimeSignal: Case(Kind.CRASHED, "by signal 40"),
    zoo.RaisesInStart: Case(Kind.START, "RuntimeError: no game today"),
    zoo.RaisesWhenMade: Case(Kind.START, "RuntimeError: not born"),
    zoo.RaisesOddly: Case(Kind.RAISED, "ValueError: first line second ∞ line?[2J ? and so on"),
    zoo.CannotSayWhat: Case(Kind.RAISED, "Wordless: (an error without a text)"),
    zoo.NotAPlayer: Case(Kind.START, "NotAPlayer is not a player: it has no method choose(self, board, limit)"),
    zoo.EatsMemory: Case(Kind.MEMORY, "bytes, 314572800 are allowed"),
    zoo.RunsOutOfMemory: Case(Kind.MEMORY, "MemoryError"),
    zoo.MovesOnAStone: Case(Kind.ILLEGAL, "is taken"),
    zoo.MovesOffTheBoard: Case(Kind.ILLEGAL, "cell (9, -1) is off the board"),
    zoo.ReturnsNone: Case(Kind.ILLEGAL, "(row, column), not None"),
    zoo.ReturnsText: Case(Kind.ILLEGAL, "(row, column), not 'b2'"),
    zoo.ReturnsFloat: Case(Kind.ILLEGAL, "(row, column), not (1.0, 1.0)"),
    zoo.ReturnsSomethingHuge: Case(Kind.ILLEGAL, "(row, column), not 'xxx"),
    zoo.ReturnsNumberLike: Case(Kind.ILLEGAL, "(row, column), not (np.int64(1), np.int64(1))"),
    zoo.ReturnsUnprintable: Case(Kind.RAISED, "ValueError: it cannot be shown"),
    zoo.Prints: Case(Kind.PRINTED, "'I am thinking"),
    zoo.WritesToStdout: Case(Kind.PRINTED, "raw bytes"),
    zoo.PrintsOutOfTurn: Case(Kind.PRINTED, "'it is not my turn"),
    zoo.AnswersTwice: Case(Kind.TWICE, '"move": [0, 0]'),
    zoo.AnswersSomethingElse: Case(Kind.TWICE, """'{"id": 77, "move": [2, 2]}', asked was """),
    zoo.AnswersOffTheBoard: Case(Kind.ILLEGAL, "cell (9, 9) is off the board"),
    zoo.AnswersNoMove: Case(Kind.MALFORMED, "there is no move in it"),
    zoo.AnswersUnknownFault: Case(Kind.MALFORMED, "it hurts"),
    zoo.WritesGarbage: Case(Kind.MALFORMED, "'garbage'"),
    zoo.WritesBadUtf8: Case(Kind.MALFORMED, """'{"id": ��}'"""),
    zoo.WritesDeepNesting: Case(Kind.MALFORMED, "'[[[["),
    zoo.WritesNoObject: Case(Kind.MALFORMED, "'[2]'"),
    zoo.WritesHalfALine: Case(Kind.MALFORMED, ',{"id": '),
    zoo.WritesWithoutEnd: Case(Kind.MALFORMED, "over 100000 bytes"),
    zoo.Forks: Case(Kind.FORKED, "process "),
    zoo.ForksTwice: Case(Kind.FORKED, "process "),
    zoo.ForksStopped: Case(Kind.FORKED, "process "),
    zoo.ForksOnAndOn: Case(Kind.FORKED, "process "),
    zoo.ForksAndExits: Case((Kind.EXITED, Kind.FORKED), ""),
    zoo.ClosesItsPipe: Case(Kind.CLOSED, "nothing can be heard from it"),
    zoo.ClosesItsEars: Case(Kind.EXITED, "Bad file descriptor"),
    zoo.ClosesEverything: Case(Kind.CLOSED, "nothing can be heard from it"),
    zoo.ClosesEverythingAndMoves: Case(Kind.EXITED, "with status "),
    zoo.StopsLauncher: Case(Kind.TAMPERED, "the launcher was stopped"),
    zoo.KillsLauncher: Case(Kind.TAMPERED, "the launcher was ended by SIGKILL"),
    zoo.KillsLauncherAndLives: Case(Kind.TAMPERED, "the launcher was ended by SIGKILL"),
}
SLOW_STARTERS: dict[type[object], Case] = {
    zoo.SleepsInStart: Case(Kind.START_LATE, "no answer within "),
    zoo.SleepsWhenMade: Case(Kind.START_LATE, "no answer within 1 s"),
}
HARMLESS = (zoo.Chatty, zoo.ChangesDirectory, zoo.StartsSlowly)
GAMES = 200


def jobs_of_the_zoo() -> Iterator[GameJob]:
    """Two animals against each other, then both as second against a good player; at the end good players only.

    In a game against a good player the animal is the first to be asked for a move, because of the opening.
    """
    numbers = itertools.count()

    def job(first: str, second: str, limit: Limit, opening: tuple[tuple[int, int], ...] = ()) -> GameJob:
        return GameJob(str(next(numbers)), BOARD, (first, second), limit, opening)

    animals = list(ANIMALS)
    for one, other in zip(animals[::2], animals[1::2], strict=True):
        yield job(spec(one), spec(other), ANIMALS[one].limit)
        yield job(RANDOM, spec(other), ANIMALS[other].limit, OPENING)
        yield job(RANDOM, spec(one), ANIMALS[one].limit, OPENING)
    for animal in HARMLESS:
        yield job(spec(animal), QUASI_RANDOM, AMPLE)
        yield job(RANDOM, spec(animal), AMPLE)
    while True:
        yield job(RANDOM, QUASI_RANDOM, AMPLE)


@pytest.fixture(scope="module")
def tournament() -> list[tuple[GameJob, Record]]:
    """200 games with the whole zoo, one referee. After each of them only the players that it keeps are alive."""
    played = []
    files = open_files()
    referee = Referee(RULES)
    for job in itertools.islice(jobs_of_the_zoo(), GAMES):
        played.append((job, referee.play(job)))
        assert comes_true(lambda: processes_of(os.getpid()) <= kept_by(referee), GONE_SECONDS), job
    referee.close()
    assert comes_true(lambda: not processes_of(os.getpid()), GONE_SECONDS)
    assert children_of(os.getpid()) == [], "not even a zombie is left"
    assert open_files() == files
    return played


def test_the_tournament_of_the_zoo_ends(tournament: list[tuple[GameJob, Record]]) -> None:
    assert len(tournament) == GAMES
    for job, record in tournament:
        assert record.outcome is not None
        assert (record.game, record.players, record.limit) == (job.game, job.players, job.limit)
        assert record.moves[: len(job.opening)] == job.opening
        assert record.opening == len(job.opening)
        assert len(record.seconds) == len(record.moves)
        assert Record.from_json(record.to_json()) == record


@pytest.mark.parametrize("animal", ANIMALS, ids=lambda animal: animal.__name__)
def test_an_animal_forfeits(animal: type[object], tournament: list[tuple[GameJob, Record]]) -> None:
    (record,) = [record for job, record in tournament if job.players == (RANDOM, spec(animal))]
    assert record.outcome is not None
    assert (record.outcome.winner, record.outcome.reason) == (Seat.FIRST, Reason.FORFEIT)
    assert ANIMALS[animal].fits(record.outcome), record.outcome.detail
    assert record.outcome.detail.isprintable()
    assert len(record.outcome.detail) < 600
    (record,) = [record for job, record in tournament if spec(animal) in job.players and RANDOM not in job.players]
    assert record.outcome is not None
    assert record.outcome.reason is Reason.FORFEIT


def test_good_players_forfeit_nothing(tournament: list[tuple[GameJob, Record]]) -> None:
    good = {RANDOM, QUASI_RANDOM, *map(spec, HARMLESS)}
    records = [record for job, record in tournament if good.issuperset(job.players)]
    assert len(records) > 50
    for record in records:
        assert record.outcome is not None
        assert record.outcome.reason is not Reason.FORFEIT, record.outcome


@pytest.mark.parametrize("animal", SLOW_STARTERS, ids=lambda animal: animal.__name__)
def test_who_never_starts_forfeits(animal: type[object], referees: Callable[..., Referee]) -> None:
    referee = referees(RefereeRules(start_seconds=1))
    record = referee.play(GameJob("", BOARD, (spec(animal), RANDOM), SHORT))
    assert record.outcome is not None
    assert record.outcome.winner is Seat.SECOND
    assert SLOW_STARTERS[animal].fits(record.outcome), record.outcome.detail
    assert comes_true(lambda: not processes_of(os.getpid()), GONE_SECONDS)


def test_files_that_are_no_players(tmp_path: Path, referees: Callable[..., Referee]) -> None:
    (tmp_path / "broken.py").write_text("def choose(:\n")
    referee = referees()
    for text, reason in (
        (f"python:{tmp_path}/broken.py:Me", "SyntaxError"),
        (f"python:{tmp_path}/missing.py:Me", "there is no file"),
        ("nobody", "no player is called 'nobody'"),
    ):
        record = referee.play(GameJob("", BOARD, (text, RANDOM), AMPLE))
        assert record.outcome is not None
        assert record.outcome.winner is Seat.SECOND
        assert Case(Kind.START, reason).fits(record.outcome), record.outcome.detail


@pytest.mark.parametrize(
    "animal",
    [zoo.RaisesInStart, zoo.RaisesWhenMade, zoo.RunsOutOfMemory, zoo.MovesOffTheBoard, zoo.ReturnsNone, zoo.Prints],
    ids=lambda animal: animal.__name__,
)
def test_faults_in_process(animal: type[object], referees: Callable[..., Referee]) -> None:
    record = referees(RefereeRules(in_process=True)).play(GameJob("", BOARD, (spec(animal), RANDOM), AMPLE))
    assert record.outcome is not None
    assert record.outcome.winner is Seat.SECOND
    assert ANIMALS[animal].fits(record.outcome), record.outcome.detail
