"""Work in a thread of its own."""

import atexit
import threading
import weakref
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

Result = TypeVar("Result")

_START_SECONDS = 2.0  # in which a thread whose start Ctrl-C has come into surely begins


class Background(Generic[Result]):
    """Work that `start` begins. A process that ends stops it first: it may not go on without an interpreter.

    It has an event of its own for its end: after Ctrl-C in a `Thread.join`, Python takes a thread that runs for one
    that has ended.
    """

    def __init__(self, work: Callable[[], Result], stop: Callable[[], None]) -> None:
        self._work = work
        self.stop = stop
        self._results: list[Result] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._has_begun = False
        self._has_ended = threading.Event()

    def start(self) -> None:
        self._has_begun = True
        _begun.add(self)
        try:
            self._thread.start()
        except RuntimeError:  # the system has no thread for it
            self._has_begun = False
            raise
        except BaseException:
            self.stop()
            if not self._has_ended.wait(_START_SECONDS):
                self._has_begun = False
            raise

    @property
    def is_running(self) -> bool:
        return self._has_begun and not self._has_ended.is_set()

    def end(self) -> None:
        """Stops it and waits; Ctrl-C is heard after that."""
        interrupt = None
        while self.is_running:
            try:
                self.stop()
                self._has_ended.wait()
            except KeyboardInterrupt as error:
                interrupt = error
        if interrupt is not None:
            raise interrupt

    def result(self) -> Result:
        """Waits for it. Raises what the work has raised."""
        self._has_ended.wait()
        if self._error is not None:
            raise self._error
        return self._results[0]

    def _run(self) -> None:
        try:
            self._results.append(self._work())
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is waited for
            self._error = error
        finally:
            self._has_ended.set()


_begun: weakref.WeakSet[Background[Any]] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    for each in list(_begun):
        each.end()


def interruptible(work: Callable[[], Result], stop: Callable[[], None]) -> Result:
    """The result of `work`, which runs in a thread of its own so that Ctrl-C is heard meanwhile, and ends it."""
    background = Background(work, stop)
    try:
        background.start()
        return background.result()
    except BaseException:
        background.end()
        raise


def at_once(work: Callable[[], Result], stop: Callable[[], None]) -> Result:
    """The result of `work`, which nothing interrupts."""
    return work()


class Asker(Protocol):
    """How the solver is asked something; `stop` ends that."""

    def __call__(self, work: Callable[[], Result], stop: Callable[[], None]) -> Result: ...
