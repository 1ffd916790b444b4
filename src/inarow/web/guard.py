"""Who may come in, and how much they may bring: before anything else looks at a request.

A page of another site, opened in the same browser, can send requests to this server. So a request must name a host that
is this server (or a name that leads here would be enough), and come from this server's own page; and where others reach
the server, it must show the token.
"""

import hmac
import ipaddress
import json
import socket
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from inarow.web.settings import MAX_BODY, Settings, is_loopback

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
COOKIE_DAYS = 30


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if scope["type"] == "websocket":
            if refusal is not None:
                await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})
            else:
                await self._app(scope, receive, send)
            return
        answer = _with_headers(send, scope["path"])
        if refusal is not None:
            await _error(answer, *refusal)
        elif self._settings.token and (link := self._link_without_token(scope)) is not None:
            await self._keep_token(answer, link)
        else:
            await self._app_with_body(scope, headers, receive, answer)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """The status and the reason with which a request is sent away; None when it may come in."""
        host = headers.get("host", "")
        if not self._is_ours(host):
            return 421, "this server is not the host that the request names"
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return 403, "requests from pages of other sites are refused"
        asks_for_page = scope["path"] == "/" and scope.get("method") == "GET"
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not asks_for_page:
            return 403, "requests from pages of other sites are refused"
        if self._settings.token and not self._shows_token(scope, headers):
            return 401, "this server needs a token: open the link that inarow serve has printed"
        return None

    def _is_ours(self, host: str) -> bool:
        """Whether a Host header names this server. A name that others may have made lead here does not."""
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        name = name.strip("[]").lower()
        if name in LOOPBACK_NAMES or name == self._settings.host.lower():
            return True
        if is_loopback(self._settings.host):
            return False
        if name in (socket.gethostname().lower(), socket.getfqdn().lower()):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True  # an address cannot be made to lead elsewhere

    # --- the token ---

    @property
    def _cookie(self) -> str:
        return f"inarow-{self._settings.port}"  # cookies do not tell ports apart

    def _shows_token(self, scope: Scope, headers: Headers) -> bool:
        shown = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        shown.append(headers.get("authorization", "").removeprefix("Bearer "))
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
            shown += [cookies[self._cookie].value] if self._cookie in cookies else []
        except CookieError:
            pass  # somebody else's cookies, which cannot be read, show no token
        token = self._settings.token.encode()
        return any(hmac.compare_digest(each.encode(), token) for each in shown)

    def _link_without_token(self, scope: Scope) -> str | None:
        """Where a link with the token leads: the token should not stay in the address. None for other requests."""
        if scope["path"] != "/" or scope["method"] != "GET":
            return None
        fields = parse_qs(scope["query_string"].decode("latin-1"))
        if "token" not in fields:
            return None
        rest = urlencode({name: values for name, values in fields.items() if name != "token"}, doseq=True)
        return "/" + (f"?{rest}" if rest else "")

    async def _keep_token(self, send: Send, link: str) -> None:
        kept = f"Path=/; Max-Age={COOKIE_DAYS * 86400}; HttpOnly; SameSite=Strict"
        cookie = f"{self._cookie}={self._settings.token}; {kept}"
        headers = [(b"location", link.encode()), (b"set-cookie", cookie.encode()), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    # --- the body ---

    async def _app_with_body(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        """Reads the body first, as far as it is allowed: nothing behind this has to count bytes."""
        too_large = 413, f"a body of more than {MAX_BODY} bytes is too much"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MAX_BODY:
            await _error(send, *too_large)
            return
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return
            body += message.get("body", b"")
            if len(body) > MAX_BODY:
                await _error(send, *too_large)
                return
            if not message.get("more_body", False):
                break
        unread: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def receive_again() -> Message:
            return unread.pop() if unread else await receive()

        await self._app(scope, receive_again, send)


def _with_headers(send: Send, path: str) -> Send:
    """Adds what every answer carries. The page's files are asked for again each time, and mostly not sent again."""
    caching = "no-store" if path.startswith("/api") else "no-cache"

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            added = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
            headers = [*message.get("headers", []), *added, (b"cache-control", caching.encode())]
            message = {**message, "headers": headers}
        await send(message)

    return send_with_headers


async def _error(send: Send, status: int, text: str) -> None:
    body = json.dumps({"error": text}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
