"""One browser and one server for all tests of pages."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.cup import begin_cup
from tests.browser.page_driver import PageDriver

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Request

CHROMIUM = shutil.which("chromium")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
# What the page keeps of an earlier visit; a page that is still empty keeps nothing.
SETTINGS = """location.protocol === "http:" && localStorage.setItem("inarow-settings", '{"seconds": %s}')"""
REFUSED = "responded with a status of 422"

OpenPage = Callable[..., PageDriver]


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium (on Debian: apt-get install chromium)")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


def wait_until_served(address: str) -> None:
    """The server says where it is before its worker processes run."""
    for _ in range(200):
        with contextlib.suppress(urllib.error.URLError), urllib.request.urlopen(address + "api/info", timeout=5):
            return
        time.sleep(0.05)
    raise AssertionError(f"nothing answers at {address}")


@pytest.fixture(scope="session")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of a tournament that is not yet over; the server shows it."""
    return begin_cup(tmp_path_factory.mktemp("stores") / "cup.db", 8)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, cup: Path) -> Iterator[str]:
    """The address of `inarow serve`, which runs until the last test is over."""
    pytest.importorskip("fastapi", reason="fastapi is not installed: pip install 'inarow[web]'")
    command = [sys.executable, "-m", "inarow", "serve", "--port", "0", "--threads", "2", "--memory", "64"]
    command += ["--store", str(cup)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path_factory.mktemp("server")) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        assert "http://" in line, line
        address = next(word for word in line.split() if word.startswith("http://"))
        wait_until_served(address)
        yield address
        os.kill(server.pid, signal.SIGINT)
        _, rest = server.communicate(timeout=20)
        assert server.returncode == 0, rest


@pytest.fixture
def open_page(browser: "Browser", site: str) -> Iterator[OpenPage]:
    """Opens the page, as often as asked. A word on a console or a request to elsewhere makes the test fail."""
    complaints: list[str] = []
    contexts = []

    def is_ours(request: "Request") -> bool:
        return request.url.startswith((site, site.replace("http", "ws", 1), "data:image/svg+xml", f"blob:{site}"))

    def open_page(
        fragment: str = "",
        *,
        seconds: float = 0.1,
        width: int = 1280,
        height: int = 800,
        allow_errors: bool = False,
        **more: Any,
    ) -> PageDriver:
        """allow_errors: the browser may log that the server refused something, which the page says in words."""
        context = browser.new_context(viewport={"width": width, "height": height}, **more)
        contexts.append(context)
        context.add_init_script(SETTINGS % seconds)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on(
            "console",
            lambda message: None if allow_errors and REFUSED in message.text else complaints.append(message.text),
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: None if is_ours(request) else complaints.append(request.url))
        driver = PageDriver(page, site)
        driver.open(fragment)
        return driver

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def pictures() -> Path | None:
    """Where screenshots for the documentation go; None when they are not asked for (`make screenshots` does)."""
    folder = os.environ.get("INAROW_SCREENSHOTS")
    return Path(folder) if folder else None
