"""The real server in a thread of the test process, and tabs of players that speak to it over real websockets."""

from __future__ import annotations

import contextlib
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from crenel.store.database import Database
from crenel.web.analysis import Analysis
from crenel.web.app import Site, create_site
from crenel.web.safety import COOKIE, LOOPBACK_NAMES
from crenel.web.server import configuration, listen
from tests.web.scripted import ScriptedAnalysis

PATIENCE = 20.0
"""Seconds after which a test gives up waiting."""


def new_token() -> str:
    return secrets.token_urlsafe(32)


def problem_of(call: Callable[[], object]) -> str | None:
    """The sentence with which something is refused, ``None`` when it is not; an error that is not ours goes on."""
    try:
        call()
    except ValueError as problem:
        assert type(problem).__module__.startswith("crenel."), repr(problem)  # noqa: PT017
        assert str(problem) and "\n" not in str(problem)  # noqa: PT017
        return str(problem)
    return None


class Tab:
    """One connection; what comes unasked is gathered."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.seq = 0
        self.unasked: list[dict[str, Any]] = []

    def send(self, **message: Any) -> int:
        self.seq += 1
        self.socket.send(json.dumps({"seq": self.seq, **message}))
        return self.seq

    def receive(self, timeout: float = PATIENCE) -> dict[str, Any]:
        return cast(dict[str, Any], json.loads(self.socket.recv(timeout)))

    def answer(self, seq: int) -> dict[str, Any]:
        """The answer to a message; what comes before it and is no answer is gathered."""
        while True:
            message = self.receive()
            if message["seq"] == seq:
                return message
            self.unasked.append(message)

    def ask(self, type: str, **fields: Any) -> dict[str, Any]:
        return self.answer(self.send(type=type, **fields))

    def open(self, address: str, **fields: Any) -> dict[str, Any]:
        return self.expect("table", "open", address=address, **fields)

    def expect(self, kind: str, type: str, **fields: Any) -> dict[str, Any]:
        """Asks, and checks the kind of the answer."""
        answer = self.ask(type, **fields)
        assert answer["type"] == kind, answer
        return answer

    def play(self, *moves: str, made: int | None = None) -> dict[str, Any]:
        """Makes moves, from ``made`` on."""
        answer: dict[str, Any] = {}
        for number, move in enumerate(moves):
            made = answer["made"] if number else (made or 0)
            answer = self.expect("table", "move", move=move, made=made)
        return answer

    def wait_for(self, is_it: Callable[[dict[str, Any]], bool], timeout: float = PATIENCE) -> dict[str, Any]:
        """The first unasked message, from those gathered on, of which something is true."""
        end = time.monotonic() + timeout
        while True:
            while self.unasked:
                message = self.unasked.pop(0)
                if is_it(message):
                    return message
            self.unasked.append(self.receive(max(0.01, end - time.monotonic())))

    def light(self, **wanted: Any) -> dict[str, Any]:
        """The next light with these fields."""
        return self.wait_for(
            lambda message: message["type"] == "light" and all(message[key] == wanted[key] for key in wanted)
        )

    def close(self) -> None:
        self.socket.close()


@contextlib.contextmanager
def tab_at(
    port: int, token: str | None = None, *, origin: str | None = "own", **headers: str
) -> Iterator[Tab]:
    """A tab of a player; without a token, of a new one."""
    own = f"http://127.0.0.1:{port}"
    with connect(
        f"ws://127.0.0.1:{port}/live",
        origin=cast(Any, own if origin == "own" else origin),
        additional_headers={"Cookie": f"{COOKIE}={token or new_token()}"} | headers,
        compression=None,
        open_timeout=PATIENCE,
        max_size=None,
    ) as socket:
        yield Tab(socket)


class Served:
    """A server that answers."""

    def __init__(self, site: Site, port: int, analysis: ScriptedAnalysis | Analysis) -> None:
        self.site = site
        self.port = port
        self.analysis = analysis
        self.url = f"http://127.0.0.1:{port}"
        self.http = httpx.Client(base_url=self.url, timeout=PATIENCE)

    def tab(
        self, token: str | None = None, *, origin: str | None = "own", **headers: str
    ) -> contextlib.AbstractContextManager[Tab]:
        return tab_at(self.port, token, origin=origin, **headers)

    def get(self, path: str, token: str | None = None, **headers: str) -> httpx.Response:
        cookie = {} if token is None else {"Cookie": f"{COOKIE}={token}"}
        return self.http.get(path, headers=cookie | headers)


@contextlib.contextmanager
def served(
    folder: Path,
    analysis: ScriptedAnalysis | Analysis | None = None,
    *,
    url: str | None = None,
    **options: Any,
) -> Iterator[Served]:
    """A server on a free port, with games kept in a folder."""
    analysis = analysis or ScriptedAnalysis()
    site = create_site(
        Database.open(url, folder), cast(Analysis, analysis), **({"hosts": LOOPBACK_NAMES} | options)
    )
    opened = listen("127.0.0.1", 0)
    server = uvicorn.Server(configuration(site))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]}, daemon=True)
    thread.start()
    end = time.monotonic() + PATIENCE
    while not server.started:
        assert thread.is_alive() and time.monotonic() < end, "the server did not start"
        time.sleep(0.005)
    running = Served(site, opened.getsockname()[1], analysis)
    try:
        yield running
    finally:
        running.http.close()
        server.should_exit = True
        thread.join(PATIENCE)
        opened.close()
        assert not thread.is_alive(), "the server did not end"
