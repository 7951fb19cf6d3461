"""The worker process: runs slices of searches as it is told, and keeps the arrays of those that were not finished.

It is started by :mod:`crenel.web.workers` and lives as long as the pipe to the server. A thread reads the pipe, so
that a request to stop is seen while a kernel runs, and so that the process ends at once when the server has gone,
however that went.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from crenel.play.knowledge import waypoints
from crenel.rules.deals import deal
from crenel.rules.game import Game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.solver.result import Limit, Reason, Result, Verdict
from crenel.solver.search import Notify, Search, Solver

ARRAYS = 4
"""Searches that a worker keeps at once, to go on with them where they stopped."""
_NICE = 10
"""A worker yields to the process that answers the players."""
_WARM_DEALS = 50
_WARM_STATES = 12_000
_WARM_HARD = 3
_WARM_SECONDS = 0.1
_WARM_TOTAL = 1.0
"""Kernels are loaded by searching so many deals, or until so many of them took so many positions (the schedules of the
engines have tried all they know by then), each and all of them for so many seconds."""
_OFFSET = 3
"""Makes every number of a move one that fits in a byte."""


# From the server


class Order(NamedTuple):
    """A slice of a search.

    Attributes:
        job: The number of this order; they only grow.
        token: Which search it belongs to.
        game: The number of a game that was introduced.
        layout: The position without its history, see :func:`pack_position`.
        shortest: Whether the fewest cost is to be proved.
        seconds: Processor seconds of the slice.
    """

    job: int
    token: int
    game: int
    layout: tuple[Any, ...]
    shortest: bool
    seconds: float


class Introduce(NamedTuple):
    """Gives a game its number."""

    game: int
    rules: Game


class Prepare(NamedTuple):
    """Loads the kernels for a game, or compiles them."""

    job: int
    game: int


class Stop(NamedTuple):
    """Ends the job of this number, if it still runs, as undecided."""

    job: int


class Forget(NamedTuple):
    """A search that nobody will go on with."""

    token: int


# To the server


class Hello(NamedTuple):
    """The worker runs and takes orders."""


class Compiling(NamedTuple):
    """Kernels are not in the cache of this machine: it takes a while."""


class Prepared(NamedTuple):
    """The answer to :class:`Prepare`."""

    job: int


class Report(NamedTuple):
    """The answer to :class:`Order`.

    Attributes:
        job: The order.
        result: The result in parts, see :func:`unpack_result`.
        passed: The digests of the positions along the line.
        seconds: Processor seconds of this slice, with laying out and checking the line.
        restarted: Whether the search had to begin, or to begin again.
    """

    job: int
    result: tuple[Any, ...]
    passed: bytes
    seconds: float
    restarted: bool


class Failed(NamedTuple):
    """An order that went wrong, with what went wrong."""

    job: int
    text: str


def pack_position(position: Position) -> tuple[Any, ...]:
    """A position without game and history."""
    return position.piles, position.foundations, position.hand, position.base, position.redeals_used


def _unpack_position(game: Game, layout: tuple[Any, ...]) -> Position:
    piles, foundations, hand, base, redeals_used = layout
    return Position(game, piles, foundations, hand=hand, base=base, redeals_used=redeals_used)


def pack_result(result: Result) -> tuple[Any, ...]:
    """A result in parts that are quick to send."""
    line = bytes(
        number
        for move in result.moves
        for number in (move.source + _OFFSET, move.target + _OFFSET, move.count)
    )
    reason = result.reason and (result.reason.kind, result.reason.text, result.reason.data)
    counted = (result.states, result.seconds, result.shortest, result.lower_bound, result.limit)
    return result.verdict.value, line, reason, *counted


def unpack_result(parts: tuple[Any, ...]) -> Result:
    """What :func:`pack_result` took apart."""
    verdict, line, reason, states, seconds, shortest, lower_bound, limit = parts
    moves = tuple(_move(*line[at : at + 3]) for at in range(0, len(line), 3))
    return Result(
        Verdict(verdict),
        moves,
        states,
        seconds,
        shortest=shortest,
        lower_bound=lower_bound,
        reason=reason and Reason(*reason),
        limit=limit,
    )


@cache
def _move(source: int, target: int, count: int) -> Move:
    return Move(source - _OFFSET, target - _OFFSET, count)


# The process


def warm_up(solver: Solver, notify: Notify | None = None) -> None:
    """Searches deals of the solver's game until its kernels may be taken to be loaded, or compiled."""
    began, hard = _spent(), 0
    for number in range(1, _WARM_DEALS + 1):
        search = solver.search(deal(solver.game, f"ms:{number}"))
        search.run(Limit(seconds=_WARM_SECONDS), notify=notify)
        hard += search.states > _WARM_STATES
        if hard <= 1 and (number == 1 or search.states > _WARM_STATES):
            search = solver.search(deal(solver.game, f"ms:{number}"), shortest=True)
            search.run(Limit(seconds=_WARM_SECONDS), notify=notify)
        if hard >= _WARM_HARD or _spent() - began > _WARM_TOTAL:
            return


def _spent() -> float:
    """The processor seconds of this thread, compilation not counted."""
    from crenel.solver._jit import compile_clock  # numba is loaded with the first search, not before

    return time.thread_time() - compile_clock.seconds


def run(connection: Connection, memory: int) -> None:
    """The whole life of a worker process.

    Args:
        connection: The pipe to the server.
        memory: Bytes for the arrays of all its searches together.
    """
    # Ctrl-C in a terminal reaches all processes of the program; the server tells its workers when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    orders: queue.SimpleQueue[Any] = queue.SimpleQueue()
    worker = _Worker(connection.send, memory)

    def read() -> None:
        try:
            while True:
                message = connection.recv()
                if isinstance(message, Stop):
                    worker.stopped = message.job
                else:
                    orders.put(message)
        except (EOFError, OSError):
            os._exit(0)  # the server has gone: a search or a compilation that still runs is of no use

    threading.Thread(target=read, daemon=True).start()
    connection.send(Hello())
    while True:
        worker.take(orders.get())


@dataclass(slots=True, eq=False)
class _Kept:
    """A set of arrays and the search that is in it.

    Attributes:
        solver: Holds the arrays.
        token: The number of the search; ``None`` when nobody will go on with what is in the arrays.
        search: The search itself.
    """

    solver: Solver
    token: int | None = None
    search: Search | None = None

    @property
    def seconds(self) -> float:
        """The work that would be lost with it."""
        return 0.0 if self.search is None else self.search.seconds

    def free(self) -> None:
        """Lets any other search of the game take the arrays."""
        self.token = self.search = None


class _Worker:
    """What the process knows between two orders."""

    def __init__(self, send: Callable[[Any], None], memory: int) -> None:
        self.stopped = 0
        self._send = send
        self._memory = memory // ARRAYS
        self._games: dict[int, Game] = {}
        self._kept: list[_Kept] = []
        self._has_said = False

    def take(self, message: Any) -> None:
        """Carries out a message; lack of memory ends the process, which the server then replaces."""
        if isinstance(message, Introduce):
            self._games[message.game] = message.rules
        elif isinstance(message, Forget):
            for kept in self._kept:
                if kept.token == message.token:
                    kept.free()
        else:
            self._has_said = False
            try:
                self._send(
                    self._prepared(message) if isinstance(message, Prepare) else self._searched(message)
                )
            except (MemoryError, OSError):
                os._exit(1)
            except Exception as error:
                self._send(Failed(message.job, f"{type(error).__name__}: {error}"))

    def _arrays(self, game: Game) -> _Kept:
        """Arrays for a new search: free ones of its game, new ones, or those with the least work in them."""
        for kept in self._kept:
            if kept.token is None and kept.solver.game == game:
                return kept
        if len(self._kept) >= ARRAYS:
            least = min(self._kept, key=lambda kept: kept.seconds)
            if least.solver.game == game:
                least.free()
                return least
            self._kept.remove(least)
        kept = _Kept(Solver(game, self._memory))
        self._kept.append(kept)
        return kept

    def _searched(self, order: Order) -> Report:
        game = self._games[order.game]
        position = _unpack_position(game, order.layout)
        kept = next((kept for kept in self._kept if kept.token == order.token), None)
        restarted = kept is None
        if kept is None:
            kept = self._arrays(game)
            kept.token = order.token
            kept.search = kept.solver.search(position, shortest=order.shortest)
        search = kept.search
        assert search is not None
        before = _spent()
        result = search.run(
            Limit(seconds=order.seconds), cancel=lambda: self.stopped == order.job, notify=self._notify
        )
        if result.limit not in ("seconds", "cancelled"):
            kept.free()
        passed = b"".join(waypoints(position, result.moves)) if result.moves else b""
        return Report(order.job, pack_result(result), passed, _spent() - before, restarted)

    def _prepared(self, order: Prepare) -> Prepared:
        """Runs searches of both kinds, so that each kernel is in memory afterwards, and in the cache."""
        game = self._games[order.game]
        warm_up(self._arrays(game).solver, self._notify)
        return Prepared(order.job)

    def _notify(self, sentence: str) -> None:
        """Called when a kernel has to be compiled; the server is told once per order."""
        if not self._has_said:
            self._has_said = True
            self._send(Compiling())
