"""What keeps strangers out: host and origin checks, headers, the player's cookie, and rates.

**Hosts.** A server on loopback answers only requests for loopback names. A page of another site whose name suddenly
points to this machine (DNS rebinding) carries its own name and gets nothing.

**Origins.** Browsers send the cookie with a websocket that any page opens, so the server asks who opens it: a page of
its own, or of an origin that was configured. Every browser says so; a handshake without an origin comes from no
browser, or from one whose origin was taken out on the way, and is refused as well, for nothing vouches for it.

**Players.** A player is whoever has the cookie: 256 random bits that no script can read. The store keeps only
their digest. There is no other way to another player's games, and no address or log holds the token.

**Rates.** A token bucket holds each connection to a pace that no person reaches. Messages beyond it wait, they are not
lost; a program that floods the server only fills its own line.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "crenel_player"
"""The name of the cookie that makes a player."""
_COOKIE_SECONDS = 400 * 24 * 3600
"""How long a browser keeps it: as long as browsers allow; each visit begins that time anew."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})
"""The names that a server on loopback answers to."""

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
"""The headers of every answer."""


class Guard:
    """Checks the host of every request and puts :data:`HEADERS` on every answer.

    Args:
        app: The application behind it.
        hosts: The host names that are answered, without ports; ``None`` answers all.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] | None) -> None:
        self._app = app
        self._hosts = None if hosts is None else frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection as ASGI wants it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        name = host_name(Headers(scope=scope).get("host", ""))
        if self._hosts is not None and name not in self._hosts:
            refusal = PlainTextResponse("This server does not answer under that name.\n", status_code=421)
            if scope["type"] == "http":
                await refusal(scope, receive, _with_headers(send))
            else:
                await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
        await self._app(scope, receive, _with_headers(send) if scope["type"] == "http" else send)


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
        await send(message)

    return send_with_headers


def host_name(host: str) -> str:
    """The name in a Host header: without the port, without the brackets of an IPv6 address, in small letters."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host of that name."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def is_own_origin(connection: HTTPConnection, origins: Iterable[str]) -> bool:
    """Whether a websocket is opened by a page of this server or of a configured origin.

    Args:
        connection: The handshake.
        origins: Further origins, such as ``https://cards.example.org``.
    """
    origin = connection.headers.get("origin", "").lower()
    if origin in {other.lower().rstrip("/") for other in origins}:
        return True
    scheme, mark, host = origin.partition("://")
    return bool(mark) and scheme in ("http", "https") and host == connection.headers.get("host", "").lower()


def player_token(connection: HTTPConnection) -> str | None:
    """The token of the player, or ``None`` when there is none that this server could have given."""
    token = connection.cookies.get(COOKIE, "")
    return token if _TOKEN.fullmatch(token) else None


def give_token(connection: HTTPConnection, response: Response) -> None:
    """Puts the player's token on a page: the one that came, or a new one."""
    response.set_cookie(
        COOKIE,
        player_token(connection) or secrets.token_urlsafe(32),
        max_age=_COOKIE_SECONDS,
        path="/",
        secure=connection.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )


class Bucket:
    """A token bucket: so many at once, then so many per second.

    Args:
        rate: Tokens that come back per second.
        burst: Tokens that it holds.
        clock: Gives seconds that only go forward.
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._tokens, self._seen = burst, clock()

    def take(self, tokens: float = 1.0) -> float:
        """Takes tokens, on credit when there are too few.

        Returns:
            The seconds to wait until they are paid back; 0 when they were there.
        """
        self._refill()
        self._tokens -= tokens
        return max(0.0, -self._tokens / self._rate)

    def try_take(self) -> bool:
        """Takes one token if there is one."""
        self._refill()
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def _refill(self) -> None:
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._seen) * self._rate)
        self._seen = now


class Addresses:
    """A bucket for each network address, such as for the players that begin there.

    Args:
        rate: See :class:`Bucket`.
        burst: See :class:`Bucket`.
        clock: See :class:`Bucket`.
        most: How many addresses are remembered; the ones seen longest ago are forgotten.
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float], most: int = 10_000) -> None:
        self._rate, self._burst, self._clock, self._most = rate, burst, clock, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def try_take(self, address: str) -> bool:
        """Takes one token of an address if there is one."""
        name = _network(address)
        bucket = self._buckets.pop(name, None) or Bucket(self._rate, self._burst, self._clock)
        self._buckets[name] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket.try_take()


def _network(address: str) -> str:
    """What stands for one household: the address, of IPv6 only the half that a provider gives."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))
    return str(parsed)
