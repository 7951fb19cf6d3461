"""Runs the web application: a socket that listens, the server on it, and a word when it answers."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable

import uvicorn

from crenel.web.app import Site

_PORTS_TRIED = 20
_LONGEST_MESSAGE = 1 << 20
"""Bytes of a websocket message that are taken in at all; what is longer than a message may be gets an answer up to
here, and ends the connection beyond."""
_GRACE = 1
"""Seconds that open connections get when the server ends."""


class PortTaken(ValueError):
    """No socket could be opened; the message says why."""


def listen(host: str, port: int, *, or_next: bool = False) -> socket.socket:
    """Opens a socket that listens.

    Args:
        host: The name or address of an interface of this machine.
        port: The port; 0 takes any free one.
        or_next: Whether one of the next ports will do when this one is taken.

    Raises:
        PortTaken: when that is not possible; the message names the host and the port.
    """
    last = min(port + _PORTS_TRIED, 65535) if or_next and port else port
    for candidate in range(port, last + 1):
        try:
            return _bound(host, candidate)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and candidate < last:
                continue
            taken = error.errno == errno.EADDRINUSE
            why = "it is taken by another program" if taken else error.strerror or str(error)
            raise PortTaken(f"cannot listen on port {candidate} of {host}: {why}") from None
    raise AssertionError("the loop returns or raises")


def _bound(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, place = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    opened = socket.socket(family, kind, protocol)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(place)
        opened.listen(512)
    except BaseException:
        opened.close()
        raise
    return opened


def address_of(opened: socket.socket, host: str) -> str:
    """The address of the site on a socket, without a slash at its end: ``http://127.0.0.1:8752``."""
    port = opened.getsockname()[1]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class NotStarted(ValueError):
    """The application could not begin; the log says why."""


class _Server(uvicorn.Server):
    """Says when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def configuration(site: Site) -> uvicorn.Config:
    """How a site is served."""
    return uvicorn.Config(
        site.app,
        lifespan="on",
        loop="asyncio",
        log_config=None,
        access_log=False,  # addresses are nobody's business
        server_header=False,
        ws_max_size=_LONGEST_MESSAGE,
        ws_per_message_deflate=False,  # it costs more time than it saves
        timeout_graceful_shutdown=_GRACE,
    )


def run(site: Site, opened: socket.socket, ready: Callable[[], None]) -> None:
    """Serves until a signal ends it; games are saved and the solver is closed then.

    Args:
        site: What is served.
        opened: The socket, see :func:`listen`.
        ready: Called once the first request would be answered.

    Raises:
        KeyboardInterrupt: after Ctrl-C, when all is closed.
        NotStarted: when the application could not begin.
    """
    server = _Server(configuration(site), ready)
    server.run(sockets=[opened])
    if not server.started:
        raise NotStarted("the server could not start; the lines above say why")
