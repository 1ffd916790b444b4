"""What a server allows. The page is told in /api/info."""

import ipaddress
import os
import re
from dataclasses import dataclass
from pathlib import Path

from inarow.errors import SpecError

KIB, MIB = 1024, 1024 * 1024

MAX_MESSAGE = 64 * KIB  # bytes of a message on the socket
MAX_BODY = 1 * MIB  # bytes of a request's body
MAX_SECONDS = 60.0  # for a move, a solution, one position of a review
MAX_ANALYSIS_SECONDS = 600.0  # an analysis without an end is ended then
MAX_LINES = 10
MAX_REQUESTS = 8  # of one socket at the same time: a move, an analysis, values, threats, a tournament, …
MAX_ID = 2**53 - 1  # the whole numbers that JavaScript tells apart
MESSAGES_A_SECOND = 100.0  # of one socket, on average;
MESSAGES_AT_ONCE = 200.0  # so many may come in a burst
WAIT_SECONDS = 10.0  # for a free thread, then a request is refused
REPORT_SECONDS = 0.1  # at least so long from one report of a request to the next


@dataclass(frozen=True)
class Settings:
    """How `inarow serve` was started.

    threads       of all searches together; also the most worker processes, not counting one for what is quick
    memory_mb     for the tables of all searches together
    sessions      sockets at the same time
    token         what a request must show; "" where only this machine can reach the server
    stop_seconds  what a worker has to stop by itself; then it is killed, so that nobody waits over 100 ms
    """

    host: str = "127.0.0.1"
    port: int = 8008
    stores: tuple[Path, ...] = ()
    threads: int = 2
    memory_mb: int = 1024
    sessions: int = 32
    token: str = ""
    stop_seconds: float = 0.09

    def __post_init__(self) -> None:
        if self.token and re.fullmatch(r"[A-Za-z0-9._~-]{8,200}", self.token) is None:
            raise SpecError("a token has at least 8 letters, digits, dots, dashes or underscores")
        if self.memory_mb < 4 * self.threads:
            raise SpecError(f"{self.threads} threads need at least {4 * self.threads} MB, not {self.memory_mb}")
        if not is_loopback(self.host) and not self.token:
            raise SpecError(f"{self.host} can be reached from other machines: that needs a token")

    @property
    def memory_a_thread(self) -> int:
        return self.memory_mb // self.threads

    @property
    def analysis_threads(self) -> int:
        """What one analysis gets: half of all, so that a game can go on beside it."""
        return max(1, self.threads // 2)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server there.

    >>> [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def default_threads() -> int:
    """The processors that this process may use, but two at least: an analysis should not hold up a game."""
    return max(2, len(os.sched_getaffinity(0)))
