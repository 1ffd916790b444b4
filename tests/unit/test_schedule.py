"""Which games a tournament has: seats, openings, keys, and who meets whom in a Swiss one."""

from collections import Counter
from dataclasses import replace

import pytest

from inarow import Game, Limit, Outcome, Reason, Seat, SpecError
from inarow.arena.schedule import number_of_games, opening, schedule
from inarow.arena.spec import (
    PRESETS,
    GameJob,
    Style,
    Tournament,
    course_points,
    parse_boards,
    plain_points,
)

BOARDS = (Game(3, 3, 3), Game(6, 7, 4, gravity=True))


def a_tournament(number: int = 4, **changes: object) -> Tournament:
    names = tuple(f"random:seed={player}" for player in range(number))
    return replace(Tournament(names, BOARDS, Limit(nodes=10)), **changes)  # type: ignore[arg-type]


def play_by_strength(tournament: Tournament) -> list[list[GameJob]]:
    """All rounds, the player that is named first winning every game it is in."""
    outcomes: dict[str, Outcome] = {}
    rounds = []
    while jobs := schedule(tournament, outcomes):
        rounds.append(jobs)
        for job in jobs:
            first_is_better = tournament.players.index(job.players[0]) < tournament.players.index(job.players[1])
            outcomes[job.key] = Outcome(Seat.FIRST if first_is_better else Seat.SECOND, Reason.LINE)
    return rounds


def test_round_robin_everybody_meets_everybody_in_both_seats_on_each_board() -> None:
    tournament = a_tournament(rounds=3)
    jobs = schedule(tournament, {})
    assert len(jobs) == number_of_games(tournament) == 4 * 3 * 2 * 3
    assert len({job.key for job in jobs}) == len(jobs)
    meetings = Counter((job.game, job.players) for job in jobs)
    assert set(meetings.values()) == {3}
    assert len(meetings) == 2 * 4 * 3


def test_a_gauntlet_has_only_the_first_players_games() -> None:
    tournament = a_tournament(style=Style.GAUNTLET)
    jobs = schedule(tournament, {})
    assert len(jobs) == number_of_games(tournament) == 3 * 2 * 2
    assert all(tournament.players[0] in job.players for job in jobs)


def test_what_is_played_is_not_scheduled_again() -> None:
    tournament = a_tournament()
    jobs = schedule(tournament, {})
    draw = Outcome(None, Reason.FULL)
    left = schedule(tournament, {job.key: draw for job in jobs[::2]})
    assert left == jobs[1::2]
    assert schedule(tournament, {job.key: draw for job in jobs}) == []


def test_both_seats_of_a_pair_begin_from_the_same_random_opening() -> None:
    tournament = a_tournament(openings="random:3", rounds=5)
    openings: dict[tuple[Game, str], set[tuple[object, ...]]] = {}
    for job in schedule(tournament, {}):
        openings.setdefault((job.game, job.key.rpartition("/")[2]), set()).add(job.opening)
    assert all(len(found) == 1 for found in openings.values())
    assert len({moves for found in openings.values() for moves in found}) > 5
    other_seed = replace(tournament, seed=2)
    assert [opening(tournament, BOARDS[0], n) for n in range(9)] != [
        opening(other_seed, BOARDS[0], n) for n in range(9)
    ]


def test_a_random_opening_never_ends_the_game() -> None:
    tournament = a_tournament(openings="random:9")
    for number in range(50):
        moves = opening(tournament, Game(3, 3, 3), number)
        assert len(moves) < 9


def test_openings_of_a_file_are_used_in_turn_and_read_for_each_board() -> None:
    tournament = a_tournament(openings=("1", "2 2"), games=(Game(6, 7, 4, gravity=True),), rounds=3)
    found = {job.key.rpartition("/")[2]: job.opening for job in schedule(tournament, {})}
    assert found == {"1": (1,), "2": (2, 2), "3": (1,)}
    with pytest.raises(SpecError, match="openings are a file or random:PLIES"):
        schedule(a_tournament(openings="random:many"), {})


@pytest.mark.parametrize("players", [2, 5, 8, 13])
def test_swiss_rounds_pair_everybody_once_and_nobody_twice_with_the_same(players: int) -> None:
    tournament = a_tournament(players, style=Style.SWISS, rounds=min(4, players - 1), games=BOARDS[:1])
    rounds = play_by_strength(tournament)
    assert len(rounds) == tournament.rounds
    assert sum(map(len, rounds)) == number_of_games(tournament)
    met: Counter[frozenset[str]] = Counter()
    for jobs in rounds:
        pairs = {frozenset(job.players) for job in jobs}
        assert len(set().union(*pairs)) == 2 * len(pairs) == players // 2 * 2
        met.update(pairs)
    assert max(met.values()) == 1


def test_the_best_two_of_a_swiss_tournament_meet() -> None:
    tournament = a_tournament(8, style=Style.SWISS, rounds=3, games=BOARDS[:1])
    pairs = {frozenset(job.players) for jobs in play_by_strength(tournament) for job in jobs}
    assert frozenset(tournament.players[:2]) in pairs


def test_more_swiss_rounds_than_opponents_are_played_all_the_same() -> None:
    tournament = a_tournament(4, style=Style.SWISS, rounds=6, games=BOARDS[:1])
    assert len(play_by_strength(tournament)) == 6


def test_the_courses_points() -> None:
    first, second = Outcome(Seat.FIRST, Reason.LINE), Outcome(Seat.SECOND, Reason.LINE)
    forfeited = Outcome(Seat.SECOND, Reason.FORFEIT, detail="late: 2 s")
    draw = Outcome(None, Reason.FULL)
    free, gravity = BOARDS
    assert [course_points(free, one) for one in (first, second, forfeited, draw)] == [(2, 0), (0, 3), (0, 2), (1, 1)]
    assert [course_points(gravity, one) for one in (first, second, forfeited, draw)] == [
        *[(3, 0), (0, 3), (0, 3), (1, 1)]
    ]
    assert [plain_points(one) for one in (first, second, draw)] == [(1, 0), (0, 1), (0.5, 0.5)]


def test_presets_are_the_courses_boards() -> None:
    assert len(PRESETS["course-mnk-2022"]) == 25 and not any(game.gravity for game in PRESETS["course-mnk-2022"])
    assert len(PRESETS["course-connectx-2023"]) == 35 and all(game.gravity for game in PRESETS["course-connectx-2023"])


def test_a_boards_file_may_have_comments_and_both_spellings() -> None:
    assert parse_boards("# two\n3x3x3\n\n6 7 4 g  # Connect-4\n") == BOARDS


@pytest.mark.parametrize("line", ["3x3", "3 3 3 x", "0 3 3", "three", "3x3x3 4x4x4"])
def test_a_bad_line_of_a_boards_file_is_named(line: str) -> None:
    with pytest.raises(SpecError, match="line 2 of the boards"):
        parse_boards(f"3x3x3\n{line}\n")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": ("random",)}, "two players"),
        ({"players": ("random", "random")}, "random is named twice"),
        ({"games": ()}, "needs a board"),
        ({"rounds": 0}, "at least one round"),
    ],
)
def test_a_tournament_that_makes_no_sense_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        a_tournament(**changes)  # type: ignore[arg-type]
