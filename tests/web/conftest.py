"""One server for most of these tests: it takes a while to start its processes."""

from collections.abc import Iterator

import pytest

from tests.web.serving import Server, Socket, serving


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture
def socket(server: Server) -> Iterator[Socket]:
    with server.socket() as opened:
        yield opened
