"""Hard positions split into jobs: their values put together, their store, workers that come and go."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any

import pytest

from inarow.errors import StoreError, WorkError
from inarow.executors import ClusterCrew, Crew, LocalCrew
from inarow.game import Board, Game, Limit, parse_game, parse_position
from inarow.solver.jobs import JobStore, solve_job, solve_region
from inarow.solver.region import Region, position_key
from inarow.solver.solution import Effort, Solution
from tests.reference.solving import solve, solved

GAMES = ["3x3x3", "2x4x3", "3x3x2", "1x6x3", "3x3x3g", "3x4x3g", "4x3x3g", "2x4x2g", "1x1x1", "2x2x3"]


class Here(Crew):
    """No workers: a job is done when it is submitted."""

    workers, ahead = 1, 0

    def submit(self, work: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_result(work(*arguments))
        return future

    def is_death(self, error: BaseException) -> bool:
        return False

    def _close(self, at_once: bool) -> None:
        pass


def boards(games: Iterable[str] = GAMES) -> Iterator[Board]:
    """Empty boards, and some after two random moves."""
    for text in games:
        board = Board(parse_game(text))
        yield board.copy()
        random = Random(text)
        for _ in range(2):
            board.push(random.choice(board.legal_moves))
            if board.is_over:
                board.pop()
        yield board


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("plies", [0, 1, 2, 3, 5])
def test_a_region_gives_the_value_that_minimax_gives(plies: int, exact: bool) -> None:
    for board in boards():
        region = Region(board, plies, exact)
        done = list(solve_region(region, solve, Effort(), Here()))
        found, expected = region.solution(), solve(board)
        assert found.value == expected.value, repr(board)
        if exact or expected.value == "draw":
            assert found.plies == expected.plies
            assert set(found.best_moves) <= set(expected.best_moves)
        assert plies == 0 or found.best_moves
        assert len(done) <= region.size
        for move in found.best_moves:
            board.push(move)
            if not board.is_over:
                assert solve(board).value == {"win": "loss", "loss": "win", "draw": "draw"}[found.value]
            board.pop()


@pytest.mark.parametrize("exact", [True, False])
def test_results_in_any_order_give_the_same(exact: bool) -> None:
    """Also when positions inside of the region are given, and whatever is known at each moment is true."""
    for board in boards(["3x3x3", "3x4x3g", "2x4x3"]):
        random = Random(repr(board))
        region = Region(board, 3, exact)
        expected = solve(board)
        positions = [node for level in region._levels for node in level if not node.board.is_over]
        random.shuffle(positions)
        for node in positions[:-1]:
            now = region.solution()
            assert now.value in (expected.value, "unknown") and now.plies in (expected.plies, None)
            if node is not region.top:
                region.add(node.key, solve(node.board, weak=not exact))
        assert region.solution().value == expected.value


def test_jobs_that_do_not_matter_are_spared() -> None:
    sizes = {}
    for exact in (True, False):
        region = Region(Board(Game(3, 4, 3, gravity=True)), 4, exact)
        sizes[exact] = len(list(solve_region(region, solve, Effort(), Here()))), region.size
    assert sizes[False][0] < sizes[True][0] < sizes[True][1] == sizes[False][1]


def test_few_jobs_are_needed_when_all_is_a_draw() -> None:
    """Both hold with one move where it is theirs, and all moves of the other's."""
    region = Region(Board(Game(6, 7, 4, gravity=True)), 4)
    number = 0
    for position in region.jobs():
        region.add(position_key(parse_position(position)), Solution("draw"))
        number += 1
    assert region.solution().value == "draw" and number < region.size / 8


def test_values_without_plies_are_enough_for_the_value() -> None:
    """A solver that tells no plies leaves the distance open, in an exact region too."""
    for board in boards(["3x4x3g", "3x3x3", "3x3x2"]):
        region = Region(board, 2)
        list(solve_region(region, weak_solve, Effort(), Here()))
        found = region.solution()
        assert found.value == solve(board).value and found.plies in (None, solve(board).plies)


def weak_solve(board: Board, *arguments: Any, **options: Any) -> Solution:
    return solve(board, weak=True)


def test_unknown_jobs_leave_the_value_unknown() -> None:
    region = Region(Board(Game(3, 3, 3)), 2)
    done = list(solve_region(region, solve, Effort(Limit(nodes=3)), Here()))
    assert done and all(solution.value == "unknown" for _, solution in done)
    assert region.solution() == Solution("unknown", method="split")


def test_bounds_are_said_in_words() -> None:
    board = Board(Game(3, 4, 3, gravity=True))
    for exact, before, after in (
        (True, ("loss in 4 plies", "win in 5 plies"), ("win in 9 plies", "win in 9 plies")),
        (False, ("loss", "win"), ("win", "win")),
    ):
        region = Region(board, 3, exact)
        assert region.bounds == before
        done = dict(solve_region(region, solve, Effort(), Here()))
        assert region.bounds == after and region.solution().seconds == 0.5 * len(done)
        assert region.solution().nodes == sum(solution.nodes for solution in done.values())


def test_contradictions_are_noticed() -> None:
    region = Region(Board(Game(3, 3, 3)), 1)
    keys = [child.key for child in region.top.children.values()]
    with pytest.raises(WorkError, match="contradict each other"):
        for key in keys:
            region.add(key, Solution("win", 2))
            region.add(key, Solution("loss", 3))


def test_keys_are_those_of_positions_not_of_images() -> None:
    game = Game(3, 3, 3)
    assert position_key(parse_position("3x3x3:a1")) == position_key(parse_position("3x3x3:c3"))
    assert len({node.key for node in Region(Board(game), 2)._levels[2]}) == Region(Board(game), 2).size == 12


# --- the store ---


def test_the_work_goes_on_where_it_stopped(tmp_path: Path) -> None:
    board = Board(Game(3, 4, 3, gravity=True))
    whole = len(list(solve_region(Region(board, 3), solve, Effort(), Here())))
    kept = 0
    for _ in range(3):
        with JobStore.open(tmp_path / "store", board, True) as store:
            work = solve_region(Region(board, 3), solve, Effort(), Here(), store)
            for _ in range(2):
                next(work)
            assert len(store.solutions()) == kept + 2
            kept += 2
    with JobStore.open(tmp_path / "store", board, True) as store:
        region = Region(board, 3)
        rest = list(solve_region(region, solve, Effort(), Here(), store))
        assert len(rest) <= whole - kept + 1
        assert region.solution().plies == solve(board).plies
        assert list(solve_region(Region(board, 3), solve, Effort(), Here(), store)) == []
        deeper = Region(board, 4)  # what was solved for another split is of use too
        assert list(solve_region(deeper, solve, Effort(), Here(), store)) == []
        assert deeper.solution() == region.solution()
    with JobStore.read(tmp_path / "store") as store:
        assert store.board == board and store.exact and store.solutions()


def test_unknown_results_are_not_kept(tmp_path: Path) -> None:
    board = Board(Game(3, 3, 3))
    with JobStore.open(tmp_path / "store", board, True) as store:
        list(solve_region(Region(board, 2), solve, Effort(Limit(nodes=3)), Here(), store))
        assert store.solutions() == {}
        region = Region(board, 2)
        list(solve_region(region, solve, Effort(), Here(), store))
        assert region.solution().value == "draw" and store.solutions()


def test_another_task_is_refused(tmp_path: Path) -> None:
    JobStore.open(tmp_path / "store", parse_position("3x3x3:b2"), True).close()
    JobStore.open(tmp_path / "store", parse_position("3x3x3:b2"), True).close()
    for position in ("3x3x3", "3x3x3:a1", "3x4x3"):
        with pytest.raises(StoreError, match=f"is about 3x3x3:b2, not about {position}"):
            JobStore.open(tmp_path / "store", parse_position(position), True)
    with pytest.raises(StoreError, match="holds values and plies, asked for are values only"):
        JobStore.open(tmp_path / "store", parse_position("3x3x3:b2"), False)


def test_a_damaged_store_is_refused(tmp_path: Path) -> None:
    board = Board(Game(3, 3, 3))
    with JobStore.open(tmp_path / "store", board, True) as store:
        store.add("0-0", "3x3x3", Solution("draw", 9))
    with sqlite3.connect(tmp_path / "store") as connection:
        connection.execute("UPDATE jobs SET value = 'good'")
    connection.close()
    with JobStore.open(tmp_path / "store", board, True) as store, pytest.raises(StoreError, match="0-0 cannot be"):
        store.solutions()
    with pytest.raises(StoreError, match="does not exist"):
        JobStore.read(tmp_path / "nowhere")


# --- workers ---


def test_local_workers_solve_a_region(tmp_path: Path) -> None:
    board = Board(Game(3, 3, 3))
    region = Region(board, 2)
    with JobStore.open(tmp_path / "store", board, True) as store, LocalCrew(2) as crew:
        done = list(solve_region(region, solve, Effort(), crew, store))
        crew.close(at_once=True)
        assert len(store.solutions()) == len(done)
    assert region.solution().value == "draw" and region.solution().plies == 9


def test_a_cluster_solves_a_region() -> None:
    region = Region(Board(Game(3, 3, 3, gravity=True)), 1)
    with ClusterCrew("local", 1) as crew:
        done = list(solve_region(region, solve, Effort(), crew))
    assert region.solution().value == "draw" and done


def test_a_job_asks_for_what_is_wanted() -> None:
    asked: list[dict[str, Any]] = []

    def remember(board: Board, limit: Limit | None = None, **options: Any) -> Solution:
        asked.append({"limit": limit, **options})
        return Solution("draw")

    solve_job(remember, Effort(Limit(seconds=3), 77), True, "3x3x3:b2")
    solve_job(remember, Effort(), False, "3x3x3g:b")
    solve_job(remember, Effort(), False, "3x3x3:b2")
    assert asked == [
        {"limit": Limit(seconds=3), "memory_mb": 77, "weak": False, "shortest": True, "best_moves": False},
        {"limit": None, "memory_mb": 256, "weak": True, "shortest": False, "best_moves": False},
        {"limit": None, "memory_mb": 256, "weak": False, "shortest": False, "best_moves": False},
    ]


def test_the_reference_knows_its_games() -> None:
    assert solved(Game(3, 3, 3)) is solved(Game(3, 3, 3))
