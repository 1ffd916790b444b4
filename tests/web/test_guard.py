"""Who may come in: hosts, origins, tokens; and what every answer carries."""

import json
import re
from collections.abc import Iterator

import pytest
from websockets.exceptions import InvalidStatus

from inarow.errors import SpecError
from inarow.web.guard import Guard
from inarow.web.server import link_to, settings_from
from inarow.web.settings import Settings
from tests.web.serving import Server, serving

TOKEN = "a-token-for-tests"


@pytest.fixture(scope="module")
def guarded() -> Iterator[Server]:
    with serving(token=TOKEN) as running:
        yield running


@pytest.mark.parametrize("path", ["/", "/api/info", "/nothing", "/api/nothing", "/api/openapi.json"])
def test_every_answer_has_the_headers(server: Server, path: str) -> None:
    _, headers, _ = server.request("GET", path)
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy and "*" not in policy and "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == ("no-store" if path.startswith("/api") else "no-cache")
    assert not any(name.startswith("access-control") for name in headers)


def test_no_other_site_is_let_in_by_a_preflight(server: Server) -> None:
    asked = {"Origin": "http://example.org", "Access-Control-Request-Method": "POST"}
    status, headers, _ = server.request("OPTIONS", "/api/import", headers=asked)
    assert status == 403 and not any(name.startswith("access-control") for name in headers)


@pytest.mark.parametrize(
    "host", ["example.org", "127.0.0.1.example.org", "localhost.example.org:8008", "", "[::2]", ":"]
)
@pytest.mark.parametrize("path", ["/", "/api/info"])
def test_a_name_that_leads_here_is_not_enough(server: Server, host: str, path: str) -> None:
    status, _, data = server.request("GET", path, headers={"Host": host})
    assert status == 421 and json.loads(data)["error"]


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:80", "[::1]:80", "[::1]"])
def test_this_machine_has_several_names(server: Server, host: str) -> None:
    assert server.request("GET", "/api/info", headers={"Host": host})[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://example.org"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_pages_of_other_sites_get_nothing(server: Server, headers: dict[str, str]) -> None:
    assert server.request("GET", "/api/info", headers=headers)[0] == 403
    assert server.request("POST", "/api/import", {"text": "3x3x3"}, headers)[0] == 403


def test_a_link_on_another_site_may_lead_to_the_page(server: Server) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert server.request("GET", "/", headers=headers)[0] == 200


def test_files_outside_the_page_are_not_served(server: Server) -> None:
    for path in ("/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "//etc/passwd", "/%00", "/" + "x" * 5000):
        assert server.request("GET", path)[0] in (400, 404)
    assert server.request("POST", "/")[0] == 405


# --- the token ---


@pytest.mark.parametrize("path", ["/", "/api/info", "/?token=wrong-token", "/api/info?token=", "/?token=%ff"])
def test_without_the_token_nothing_is_told(guarded: Server, path: str) -> None:
    status, headers, data = guarded.request("GET", path)
    assert status == 401 and "token" in json.loads(data)["error"] and "set-cookie" not in headers
    with pytest.raises(InvalidStatus, match="403"), guarded.socket():
        pass


def test_the_link_with_the_token_is_kept_in_a_cookie(guarded: Server) -> None:
    status, headers, _ = guarded.request("GET", f"/?token={TOKEN}&theme=dark")
    assert status == 303 and headers["location"] == "/?theme=dark"
    cookie = headers["set-cookie"]
    assert cookie.startswith(f"inarow-{guarded.port}={TOKEN};")
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    kept = cookie.partition(";")[0]
    assert guarded.request("GET", "/", headers={"Cookie": f"a=b; {kept}"})[0] == 200
    with guarded.socket(cookie=kept) as socket:
        assert socket.ask(type="threats", id=1, position="3x3x3")[-1]["type"] == "done"
    assert guarded.request("GET", "/api/info", headers={"Authorization": f"Bearer {TOKEN}"})[0] == 200
    assert guarded.request("GET", "/api/info", headers={"Cookie": "inarow-1=wrong; ;;=\x01"})[0] == 401


def test_a_server_for_others_has_a_token() -> None:
    with pytest.raises(SpecError, match="needs a token"):
        Settings(host="0.0.0.0")
    with pytest.raises(SpecError, match="at least 8"):
        Settings(token="short")
    made = settings_from("0.0.0.0", 8008, (), None, 256, 4, "")
    assert re.fullmatch(r"[\w-]{20,}", made.token) and made.threads >= 2
    assert link_to(made, 80).endswith(f":80/?token={made.token}")
    assert settings_from("127.0.0.1", 8008, (), 1, 256, 4, "").token == ""
    with pytest.raises(SpecError, match="need at least"):
        Settings(threads=100, memory_mb=100)


def test_hosts_of_a_server_for_others() -> None:
    """An address is as good as any, a name is not: somebody else may own it."""
    guard = Guard(None, Settings(host="0.0.0.0", token=TOKEN))  # type: ignore[arg-type]
    assert guard._is_ours("192.168.1.7:8008") and guard._is_ours("[fe80::1]:8008")
    assert not guard._is_ours("example.org:8008")
