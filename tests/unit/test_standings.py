"""Standings, cross table, results by board and forfeits, counted by hand."""

import pytest

from inarow import Game, Limit, Outcome, Reason, Record, Seat, parse_position
from inarow.arena.spec import Tournament
from inarow.arena.standings import Forfeit, Score, TimeUse, by_board, cross_table, forfeits, standings

FREE = Game(3, 3, 3)
GRAVITY = Game(4, 4, 3, gravity=True)
WON_BY_FIRST = "3x3x3:a1.b1.a2.b2.a3"
WON_BY_SECOND = "3x3x3:a1.b1.a2.b2.c3.b3"
DRAWN = "3x3x3:a1.b1.c1.b2.a2.c2.b3.a3.c3"
GRAVITY_WON_BY_FIRST = "4x4x3g:a.b.a.b.a"
GRAVITY_WON_BY_SECOND = "4x4x3g:a.b.a.b.c.b"
LATE = "late: 1.2 s, the limit is 1 s"
ILLEGAL = "illegal move: column 3 is full"


def played(position: str, first: str, second: str, seconds: tuple[float, ...] = (), opening: int = 0) -> Record:
    board = parse_position(position)
    return Record(board.game, (first, second), board.moves, board.outcome, seconds, opening=opening)


def forfeited(game: Game, first: str, second: str, winner: Seat, detail: str) -> Record:
    return Record(game, (first, second), (), Outcome(winner, Reason.FORFEIT, detail=detail))


def tournament(*players: str, limit: Limit | None = None) -> Tournament:
    return Tournament(players, (FREE, GRAVITY), limit or Limit(seconds=1))


GAMES = [
    ("1", played(WON_BY_FIRST, "ann", "bob")),  # ann 2
    ("2", played(WON_BY_SECOND, "bob", "ann")),  # ann 3
    ("3", played(DRAWN, "ann", "cid")),  # each 1
    ("4", forfeited(FREE, "cid", "ann", Seat.SECOND, LATE)),  # ann 2
    ("5", played(GRAVITY_WON_BY_SECOND, "ann", "bob")),  # bob 3
    ("6", played(GRAVITY_WON_BY_FIRST, "bob", "cid")),  # bob 3
    ("7", forfeited(GRAVITY, "cid", "bob", Seat.FIRST, ILLEGAL)),  # cid 3
    ("8", Record(FREE, ("ann", "cid"), ((1, 1),))),  # broken off
]


def test_points_and_counts() -> None:
    ann, bob, cid, dan = standings(tournament("dan", "cid", "bob", "ann"), GAMES)
    assert [(line.place, line.player, line.points) for line in (ann, bob, cid, dan)] == [
        (1, "ann", 8),
        (2, "bob", 6),
        (3, "cid", 4),
        (4, "dan", 0),
    ]
    assert (ann.wins_first, ann.wins_second, ann.wins_forfeit, ann.draws, ann.losses) == (1, 1, 1, 1, 1)
    assert (bob.wins_first, bob.wins_second, bob.wins_forfeit, bob.draws, bob.losses) == (1, 1, 0, 0, 3)
    assert (cid.wins_first, cid.wins_second, cid.wins_forfeit, cid.draws, cid.losses) == (0, 0, 1, 1, 2)
    assert [line.own_forfeits for line in (ann, bob, cid, dan)] == [0, 1, 1, 0]
    assert [line.score for line in (ann, bob, cid, dan)] == [3.5, 2.0, 1.5, 0.0]
    assert [line.games for line in (ann, bob, cid, dan)] == [5, 5, 4, 0]
    assert [line.time for line in (ann, bob, cid, dan)] == [None] * 4


def test_ties_share_a_place_and_the_next_place_is_left_out() -> None:
    games = [("1", played(WON_BY_FIRST, "ann", "dan")), ("2", played(WON_BY_FIRST, "cid", "dan"))]
    lines = standings(tournament("bob", "cid", "ann", "dan"), games)
    assert [(line.place, line.player) for line in lines] == [(1, "cid"), (1, "ann"), (3, "bob"), (3, "dan")]


def test_times_are_those_of_a_player_s_own_moves() -> None:
    games = [
        ("1", played(WON_BY_FIRST, "ann", "bob", (0.1, 0.5, 0.2, 0.6, 0.3))),
        ("2", played(WON_BY_FIRST, "bob", "ann", (0.0, 0.4, 0.9, 1.02, 0.0), opening=1)),
    ]
    ann, bob = (line.time for line in standings(tournament("ann", "bob"), games))
    assert ann is not None
    assert bob is not None
    assert ann == TimeUse(moves=5, mean=ann.mean, median=0.3, most=1.02, worst=1.02, worst_share=1.02)
    assert ann.mean == pytest.approx(2.02 / 5)
    assert (bob.moves, bob.median, bob.worst, bob.worst_share) == (4, 0.5, 0.9, 0.9)


def test_the_share_of_the_limit_needs_a_limit_of_seconds() -> None:
    games = [("1", played(WON_BY_FIRST, "ann", "bob", (2.0, 0.0, 1.0, 0.0, 0.0)))]
    by_limit = {
        limit: standings(tournament("ann", "bob", limit=limit), games)[0].time
        for limit in (Limit(seconds=4), Limit(nodes=100), Limit(clock=9))
    }
    assert [time.worst_share if time else "" for time in by_limit.values()] == [0.5, None, None]


def test_95_percent_of_the_moves_keep_to_most() -> None:
    board = parse_position("20x20x20:" + ".".join(f"{column}{row}" for row in range(1, 11) for column in "abcdefghij"))
    seconds = tuple(float(ply // 2 + 1) for ply in range(100))  # the first player's moves take 1, 2, … 50
    game = Record(board.game, ("ann", "bob"), board.moves, Outcome(Seat.FIRST, Reason.FORFEIT), seconds)
    time = standings(tournament("ann", "bob"), [("1", game)])[0].time
    assert time is not None
    assert (time.median, time.most, time.worst) == (25.0, 48.0, 50.0)


def test_cross_table() -> None:
    table = cross_table(GAMES)
    assert table == {
        ("ann", "bob"): Score(2.0, 3),
        ("bob", "ann"): Score(1.0, 3),
        ("ann", "cid"): Score(1.5, 2),
        ("cid", "ann"): Score(0.5, 2),
        ("bob", "cid"): Score(1.0, 2),
        ("cid", "bob"): Score(1.0, 2),
    }
    assert table["ann", "cid"].share == 0.75


def test_results_by_board() -> None:
    table = by_board(GAMES)
    assert table["ann", "3x3x3"] == Score(3.5, 4)
    assert table["ann", "4x4x3g"] == Score(0.0, 1)
    assert table["bob", "4x4x3g"] == Score(2.0, 3)
    assert sum(score.points for score in table.values()) == 7


def test_forfeits_name_the_game_and_what_happened() -> None:
    assert forfeits(GAMES) == [
        Forfeit("4", "cid", "ann", "3x3x3", LATE),
        Forfeit("7", "bob", "cid", "4x4x3g", ILLEGAL),
    ]


def test_a_generator_will_do() -> None:
    assert standings(tournament("ann", "bob", "cid"), (game for game in GAMES))[0].points == 8
