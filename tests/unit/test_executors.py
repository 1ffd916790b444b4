"""Crews of workers: every job is done once, also when workers die."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inarow.errors import WorkError
from inarow.executors import ClusterCrew, Crew, LocalCrew


def double(number: int) -> int:
    return 2 * number


def worker_number(_: int) -> int:
    time.sleep(0.05)
    return os.getpid()


def fail(number: int) -> int:
    raise ValueError(f"job {number} cannot be done")


class DieOnce:
    """Work that kills its worker the first time that a job is tried."""

    def __init__(self, folder: Path, jobs: tuple[int, ...]) -> None:
        self._folder = folder
        self._jobs = jobs

    def __call__(self, number: int) -> int:
        mark = self._folder / str(number)
        if number in self._jobs and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return 2 * number


def die(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def cluster() -> Crew:
    pytest.importorskip("distributed")
    return ClusterCrew("local", 2)


@pytest.fixture(params=[lambda: LocalCrew(2), cluster], ids=["local", "cluster"])
def crew(request: pytest.FixtureRequest) -> Iterator[Crew]:
    make: Callable[[], Crew] = request.param
    with make() as made:
        yield made


def test_every_job_is_done_once(crew: Crew) -> None:
    assert dict(crew.run(double, range(20))) == {number: 2 * number for number in range(20)}


def test_two_workers_share_the_work(crew: Crew) -> None:
    assert crew.workers == 2
    assert len({pid for _, pid in crew.run(worker_number, range(8))}) == 2


def test_what_the_work_raises_is_raised(crew: Crew) -> None:
    with pytest.raises(ValueError, match="job 3 cannot be done"):
        list(crew.run(fail, [3]))


def test_a_job_whose_worker_died_is_done_by_another(crew: Crew, tmp_path: Path) -> None:
    done = list(crew.run(DieOnce(tmp_path, (3, 4, 11)), range(15)))
    assert sorted(done) == [(number, 2 * number) for number in range(15)]


def test_a_job_that_every_worker_dies_of_is_given_up() -> None:
    with LocalCrew(1) as crew, pytest.raises(WorkError, match="workers died one after the other over 7"):
        list(crew.run(die, [7]))


def test_a_cluster_that_is_not_there_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(ClusterCrew, "connect_seconds", 1)
    with pytest.raises(WorkError, match=r"no dask scheduler answers at tcp://127\.0\.0\.1:9"):
        ClusterCrew("tcp://127.0.0.1:9", 1)


def test_breaking_off_ends_the_workers_at_once() -> None:
    class Enough(Exception):
        pass

    with pytest.raises(Enough), LocalCrew(2) as crew:
        pid = crew.submit(os.getpid).result()
        crew.submit(time.sleep, 60)
        raise Enough
    assert not Path(f"/proc/{pid}").exists()
