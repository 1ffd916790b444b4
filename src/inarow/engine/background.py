"""Work in a thread of its own."""

import atexit
import threading
import weakref
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

Result = TypeVar("Result")


class Background(Generic[Result]):
    """Begins at once. A process that ends stops it first: it may not go on without an interpreter."""

    def __init__(self, work: Callable[[], Result], stop: Callable[[], None]) -> None:
        self._work = work
        self.stop = stop
        self._results: list[Result] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        _begun.add(self)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def wait(self) -> None:
        self._thread.join()

    def result(self) -> Result:
        """Waits for it. Raises what the work has raised."""
        self.wait()
        if self._error is not None:
            raise self._error
        return self._results[0]

    def _run(self) -> None:
        try:
            self._results.append(self._work())
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is waited for
            self._error = error


_begun: weakref.WeakSet[Background[Any]] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    for each in list(_begun):
        if each.is_running:
            each.stop()
            each.wait()


def interruptible(work: Callable[[], Result], stop: Callable[[], None]) -> Result:
    """The result of `work`, which runs in a thread of its own so that Ctrl-C is heard meanwhile, and ends it."""
    background = Background(work, stop)
    try:
        return background.result()
    except BaseException:
        stop()
        background.wait()
        raise


def at_once(work: Callable[[], Result], stop: Callable[[], None]) -> Result:
    """The result of `work`, which nothing interrupts."""
    return work()


class Asker(Protocol):
    """How the solver is asked something; `stop` ends that."""

    def __call__(self, work: Callable[[], Result], stop: Callable[[], None]) -> Result: ...
