"""Where work runs: local processes, or a dask cluster. Either way a crew of workers, each with one job at a time.

Work that is given to a crew must be safe to repeat: when a worker dies, its job goes to another one.
"""

import atexit
import contextlib
import ctypes
import multiprocessing
import os
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import resource_tracker
from queue import SimpleQueue
from typing import Any, TypeVar

from inarow.errors import WorkError

Job = TypeVar("Job", bound=Hashable)
Result = TypeVar("Result")

MAX_TRIES = 10  # a job that so many workers die of is at fault itself
PR_SET_PDEATHSIG = 1
CLOSING_SECONDS = 0.3  # until a worker of a cluster knows that it is closing
STARTS = 3  # how often a cluster is tried to start


class Crew(ABC):
    """Workers. To be closed, or used in a `with`; an error or Ctrl-C in it ends them at once."""

    workers: int
    ahead: int  # how many jobs more than there are workers may be handed out, so that nobody waits for the next one

    @abstractmethod
    def submit(self, work: Callable[..., Result], *arguments: Any) -> "Future[Result]": ...

    @abstractmethod
    def is_death(self, error: BaseException) -> bool:
        """Whether a job failed because a worker died. The crew is ready for more work when this returns."""

    @abstractmethod
    def _close(self, at_once: bool) -> None: ...

    _is_closed = False

    def close(self, at_once: bool = False) -> None:
        """Ends the workers: when they are done, or at once. Closing again does nothing."""
        if not self._is_closed:
            self._is_closed = True
            self._close(at_once)

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, error_type: type[BaseException] | None, *_: object) -> None:
        self.close(at_once=error_type is not None)

    def run(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[tuple[Job, Result]]:
        """Does all jobs and yields each with its result, as they are done. What the work raises is raised here."""
        waiting = iter(jobs)
        again: list[Job] = []
        tries: dict[Job, int] = {}
        running: dict[Future[Result], Job] = {}
        done: SimpleQueue[Future[Result]] = SimpleQueue()
        while True:
            while len(running) < self.workers + self.ahead:
                job = again.pop() if again else next(waiting, None)
                if job is None:
                    break
                # Ctrl-C in the middle of this, as in concurrent.futures.wait, could leave the future locked, and
                # whoever finishes it would wait for ever.
                with deaf_to_ctrl_c():
                    future = self.submit(work, job)
                    running[future] = job
                    future.add_done_callback(done.put)
            if not running:
                return
            future = done.get()
            job = running.pop(future)
            error = future.exception() if not future.cancelled() else CancelledError()
            if error is None:
                yield job, future.result()
            elif not self.is_death(error):
                raise error
            else:
                tries[job] = tries.get(job, 0) + 1
                if tries[job] >= MAX_TRIES:
                    raise WorkError(f"{MAX_TRIES} workers died one after the other over {job}")
                again.append(job)


class LocalCrew(Crew):
    """Processes on this machine. They die with the process that started them, however it ends."""

    ahead = 1

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._executor = self._new_executor()

    def submit(self, work: Callable[..., Result], *arguments: Any) -> "Future[Result]":
        try:
            with deaf_to_ctrl_c():  # this may start a worker
                return self._executor.submit(work, *arguments)
        except BrokenProcessPool as error:
            failed: Future[Result] = Future()
            failed.set_exception(error)
            return failed

    def is_death(self, error: BaseException) -> bool:
        if not isinstance(error, BrokenProcessPool):
            return False
        if self._is_broken():  # a pool that lost a worker takes no more work; all its jobs fail, one after the other
            self._kill_workers()
            self._executor = self._new_executor()
        return True

    def _close(self, at_once: bool) -> None:
        if at_once:
            self._kill_workers()
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _new_executor(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.workers, multiprocessing.get_context("spawn"), initializer=enter_crew, initargs=(os.getpid(),)
        )

    def _is_broken(self) -> bool:
        try:
            self._executor.submit(os.getpid)
        except BrokenProcessPool:
            return True
        return False

    def _kill_workers(self) -> None:
        for process in list((self._executor._processes or {}).values()):
            process.kill()


class ClusterCrew(Crew):
    """The workers of a dask cluster: an existing one by its scheduler's address, or "local" for one on this machine."""

    ahead = 0  # dask suspects every job that a dead worker had been given
    connect_seconds = 10

    def __init__(self, address: str, workers: int) -> None:
        try:
            import distributed
        except ImportError:
            raise WorkError("a cluster needs dask: pip install 'inarow[cluster]'") from None
        self._distributed: Any = distributed
        self._cluster: Any = self._start_cluster(workers) if address == "local" else None
        try:
            client: Any = self._distributed.Client(self._cluster or address, timeout=self.connect_seconds)
        except (OSError, ValueError) as error:
            raise WorkError(f"no dask scheduler answers at {address}: {error}") from None
        self._client = client
        if self._cluster is not None:
            self._client.run(enter_crew, os.getpid())
        self.workers = sum(self._client.nthreads().values())
        if self.workers == 0:
            raise WorkError(f"the dask cluster at {address} has no workers")
        self._executor: Executor = self._client.get_executor(pure=False)

    def _start_cluster(self, workers: int) -> Any:
        """A cluster on this machine. A worker that dies while it starts makes dask give up; then it is tried again."""
        settings = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
        for _ in range(STARTS):
            try:
                return in_deaf_thread(lambda: self._distributed.LocalCluster(**settings))
            except (OSError, RuntimeError) as error:
                reason = error
            except KeyboardInterrupt:
                # Its workers die with this process. Dask cannot close half a cluster, but would try to at the end.
                atexit.unregister(self._distributed.deploy.spec.close_clusters)
                raise
        raise WorkError(f"no dask cluster starts on this machine: {reason}")

    def submit(self, work: Callable[..., Result], *arguments: Any) -> "Future[Result]":
        return self._executor.submit(work, *arguments)

    def is_death(self, error: BaseException) -> bool:
        return isinstance(error, (self._distributed.KilledWorker, CancelledError, self._distributed.CancelledError))

    def _close(self, at_once: bool) -> None:
        self._executor.shutdown(wait=not at_once)
        self._client.close()
        if self._cluster is not None:
            if at_once:  # a worker that is closing waits some seconds for its job
                pids = [nanny.pid for nanny in self._cluster.workers.values()]
                threading.Timer(CLOSING_SECONDS, kill, [pids]).start()
            self._cluster.close()


def enter_crew(parent: int) -> None:
    """In a worker: it dies with the process that started it, and leaves Ctrl-C to that one."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
    if threading.current_thread() is threading.main_thread():  # in a dask worker it is not; that one stays deaf
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextlib.contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Threads and processes that are started in here do not hear Ctrl-C; this thread hears it afterwards."""
    resource_tracker.ensure_running()  # when that one is started, it makes its thread hear again
    heard: list[int] = []
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    # Another thread may hear it all the same, and then Python interrupts the main one.
    is_main = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, lambda number, _: heard.append(number)) if is_main else None
    try:
        yield
    finally:
        if is_main:
            signal.signal(signal.SIGINT, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if heard:
            signal.raise_signal(signal.SIGINT)


def in_deaf_thread(make: Callable[[], Result]) -> Result:
    """What `make` makes, in a thread that does not hear Ctrl-C, as little as what it starts; this one does at once."""
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(make())
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
            future.set_exception(error)

    with deaf_to_ctrl_c():
        threading.Thread(target=run, daemon=True).start()
    return future.result()


def kill(pids: Iterable[int | None]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            if pid is not None:
                os.kill(pid, signal.SIGKILL)
