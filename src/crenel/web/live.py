"""The websocket: one connection of a player, its messages heard one after the other, each with an answer.

Whatever a message holds, the connection stays up and the answer is a message. What takes the solver's time is answered
later, while further messages are heard.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from crenel.rules.reading import one_line
from crenel.store.problems import StoreProblem
from crenel.web.analysis import Analysis
from crenel.web.answers import Answers, told
from crenel.web.desk import Refusal
from crenel.web.desks import Desks
from crenel.web.messages import MAX_MESSAGE, Refused, ToBrowserMessage, from_browser
from crenel.web.safety import Addresses, Bucket, is_loopback, is_own_origin, player_token

_RATE, _BURST = 40.0, 120.0
"""Messages per second, and at once: a held key repeats some thirty times a second."""
_WEIGHTS = {"paste": 20.0, "replay": 20.0, "find-deal": 5.0, "open": 5.0}
"""What costs the server more counts as so many messages."""
_MOST_TABLES = 20
"""Connections of one player."""
_WAITING = 64
"""Answers that may wait for a slow browser before its next message is heard."""
_MOST_WAITING = 1_000
"""Messages that may wait for a browser at all; one that reads nothing any more is let go."""
_POLICY, _TRY_LATER = 1008, 1013
_PAUSE = 2.0
"""Seconds before a connection that is turned away is closed, so that the page does not try again at once."""

log = logging.getLogger("crenel.web")


@dataclass
class Live:
    """What all connections share.

    Attributes:
        desks: The open games.
        analysis: Asks the solver.
        origins: Further origins whose pages may connect.
        newcomers: How many players may begin from one network address.
        connections: How many connections each player has.
        open: The connections.
    """

    desks: Desks
    analysis: Analysis
    origins: tuple[str, ...] = ()
    newcomers: Addresses = field(default_factory=lambda: Addresses(0.2, 60, time.monotonic))
    connections: Counter[int] = field(default_factory=Counter)
    open: set[Connection] = field(default_factory=set)

    async def endpoint(self, websocket: WebSocket) -> None:
        """One websocket from its handshake to its end."""
        if not is_own_origin(websocket, self.origins):
            await websocket.close(_POLICY)
            return
        await websocket.accept()
        try:
            player = await self._player(websocket)
        except (Refusal, StoreProblem) as problem:
            await _turn_away(websocket, str(problem))
            return
        self.connections[player] += 1
        connection = Connection(self, websocket, player)
        self.open.add(connection)
        try:
            await connection.run()
        finally:
            self.open.discard(connection)
            self.connections[player] -= 1
            if not self.connections[player]:
                del self.connections[player]

    async def _player(self, websocket: WebSocket) -> int:
        token = player_token(websocket)
        if token is None:
            raise Refusal(
                "This page has no player yet: load it again, and allow the cookie that keeps your games."
            )
        player = await self.desks.find_player(token)
        if player is None:
            address = "" if websocket.client is None else websocket.client.host
            # A loopback address is this machine's own user, or a proxy that does not say for whom it speaks.
            if not is_loopback(address) and not self.newcomers.try_take(address):
                raise Refusal(
                    "Too many players began from your network just now; try again in a few minutes."
                )
            player = await self.desks.player_of(token)
        if self.connections[player] >= _MOST_TABLES:
            raise Refusal(f"You have {_MOST_TABLES} tables open; close one of them first.")
        return player


async def _turn_away(websocket: WebSocket, text: str) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await websocket.send_text(Refused(text=text).model_dump_json())
        await asyncio.sleep(_PAUSE)
        await websocket.close(_TRY_LATER, text[:100])


class Connection(Answers):
    """One connection.

    Args:
        live: What all share.
        websocket: The websocket, accepted.
        player: Whose it is.
    """

    def __init__(self, live: Live, websocket: WebSocket, player: int) -> None:
        super().__init__(live.desks, live.analysis, player)
        self._websocket = websocket
        self._bucket = Bucket(_RATE, _BURST, time.monotonic)
        self._outgoing: asyncio.Queue[str] = asyncio.Queue(_MOST_WAITING)
        self._sender: asyncio.Task[None] | None = None
        self._room = asyncio.Event()
        self._room.set()
        self._is_lost = False

    def tell(self, message: ToBrowserMessage) -> None:
        """Sends a message as soon as the browser takes it."""
        if self._is_lost:
            return
        try:
            self._outgoing.put_nowait(message.model_dump_json())
        except asyncio.QueueFull:
            self._is_lost = True
            if self._sender is not None:
                self._sender.cancel()
        if self._outgoing.qsize() > _WAITING:
            self._room.clear()

    async def run(self) -> None:
        """Hears messages until the connection ends."""
        self._sender = asyncio.create_task(self._send())
        listener = asyncio.create_task(self._listen())
        try:
            self.greet()
            done, _ = await asyncio.wait({self._sender, listener}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                if not task.cancelled() and task.exception() is not None:
                    log.error("a connection broke", exc_info=task.exception())
        finally:
            for task in (listener, self._sender):
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task
            with suppress(RuntimeError, WebSocketDisconnect):
                await self._websocket.close(1011 if self._is_lost else 1000)
            await asyncio.shield(self.leave())

    async def _send(self) -> None:
        while True:
            text = await self._outgoing.get()
            try:
                await self._websocket.send_text(text)
            except (WebSocketDisconnect, RuntimeError, OSError):
                return
            if self._outgoing.qsize() < _WAITING // 2:
                self._room.set()

    async def _listen(self) -> None:
        while True:
            event = await self._websocket.receive()
            if event["type"] == "websocket.disconnect":
                return
            await self._room.wait()
            await self._hear(event.get("text"))

    # Messages

    async def _hear(self, text: str | None) -> None:
        """Answers one message, whatever it holds."""
        seq = None
        try:
            if text is None:
                raise Refusal("A message is a text, and this one is bytes.")
            if len(text) > MAX_MESSAGE or len(text.encode("utf-8", "surrogatepass")) > MAX_MESSAGE:
                raise Refusal(f"A message has at most {MAX_MESSAGE:,} bytes, and this one has more.")
            try:
                message = from_browser.validate_json(text)
            except ValidationError as problem:
                seq = _seq(text)
                raise Refusal(_sentence(problem)) from None
            seq = message.seq
            pause = self._bucket.take(_WEIGHTS.get(message.type, 1.0))
            if pause:
                await asyncio.sleep(pause)
            await self.answer(message)
        except Exception as problem:
            self.tell(told(problem, seq))


def _seq(text: str) -> int | None:
    """The number of a message that is not understood otherwise."""
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    seq = data.get("seq") if isinstance(data, dict) else None
    return seq if type(seq) is int and 0 <= seq <= 2**53 else None


def _sentence(problem: ValidationError) -> str:
    """The first problem of a message, with the name of the field."""
    first = problem.errors(include_url=False, include_input=False)[0]
    # The path begins with the type of the message where that was understood.
    place = ".".join(str(part) for part in first["loc"][-1:])
    what = f"its field '{place}': " if place else ""
    return one_line(f"The message is not understood: {what}{first['msg'][:1].lower()}{first['msg'][1:]}")
