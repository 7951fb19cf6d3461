"""What is proved about the positions of one game, and the plans of questions that rest on it.

A plan answers one question. It is a generator: it yields the searches that it needs (:class:`Wanted`), is sent their
results, and returns its answer; so the same plan serves a program that waits for a search and a server that lets
many questions take turns. Whoever runs a plan tells :meth:`Knowledge.learn` what each search has proved.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.solver.result import Reason, Result, Verdict

_T = TypeVar("_T")
_MOST_POSITIONS = 4_000
"""Positions whose verdict is kept; the oldest are forgotten first."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A search that a plan needs.

    Attributes:
        position: Where it starts.
        shortest: Whether it goes on to a win that is proved to have the fewest cost.
        seconds: The most processor seconds that it is worth; ``None`` leaves that to whoever runs the plan.
    """

    position: Position
    shortest: bool = False
    seconds: float | None = None


Plan = Generator[Wanted, Result, _T]
"""A question on its way to an answer."""


@dataclass(frozen=True, slots=True)
class Light:
    """The verdict on one position.

    Attributes:
        verdict: Winnable, unwinnable (no longer winnable), or undecided (not yet known).
        line: A win from here when it is winnable.
        reason: Why it cannot be won, where the search was for this very position.
    """

    verdict: Verdict
    line: tuple[Move, ...] = ()
    reason: Reason | None = None


def position_digest(position: Position) -> bytes:
    """Sixteen bytes that stand for :attr:`Position.key` among positions of one game.

    Two positions share them with a chance of 2^-128, far below that of a wrong bit in memory.
    """
    return hashlib.blake2b(marshal.dumps(cast(Any, position.key), 2), digest_size=16).digest()


def waypoints(position: Position, line: Iterable[Move]) -> list[bytes]:
    """The digests of a position and of each one that a line passes through."""
    walk = position.copy()
    digests = [position_digest(walk)]
    for move in line:
        walk.push(move)
        digests.append(position_digest(walk))
    return digests


class Knowledge:
    """Verdicts that were proved for positions of one game.

    A win that was found stays known along its line and at each position that led to it, a loss for all that follows.

    Args:
        most: Positions to keep of either verdict.
    """

    def __init__(self, most: int = _MOST_POSITIONS) -> None:
        self._most = most
        self._wins: dict[bytes, tuple[tuple[Move, ...], int]] = {}  # a line, and how much of it is behind
        self._ways: dict[
            bytes, tuple[tuple[Move, ...], int]
        ] = {}  # the same, through moves that a player made
        self._losses: dict[bytes, Reason | None] = {}
        self._trail: list[bytes] = []

    def __len__(self) -> int:
        return len(self._wins) + len(self._ways) + len(self._losses)

    def learn(self, wanted: Wanted, result: Result, passed: Sequence[bytes] | None = None) -> None:
        """Keeps what a search has proved.

        Args:
            wanted: The search.
            result: What it found; nothing is kept of an undecided one.
            passed: The :func:`waypoints` of its line, where they are known already.
        """
        trail = self._digests(wanted.position)
        if result.verdict is Verdict.UNWINNABLE:
            self._losses[trail[-1]] = result.reason
            _trim(self._losses, self._most)
        elif result.verdict is Verdict.WINNABLE:
            for made, digest in enumerate(passed or waypoints(wanted.position, result.moves)):
                self._wins.setdefault(digest, (result.moves, made))
            line = (*wanted.position.moves, *result.moves)
            for made in range(len(trail) - 2, -1, -1):
                if trail[made] in self._ways:
                    break
                self._ways[trail[made]] = line, made
            _trim(self._wins, self._most)
            _trim(self._ways, self._most)

    def recall(self, position: Position, *, by_search: bool = False) -> Light | None:
        """The verdict on a position as far as it is known: of itself, or by what led to it or followed from it.

        Args:
            position: The position, with the moves that led to it.
            by_search: Whether a win must be one that a search has found, not one through moves that were made from
                here and taken back: those are as true, but may wander.
        """
        trail = self._digests(position)
        digest = trail[-1]
        found = self._wins.get(digest) or (None if by_search else self._ways.get(digest))
        if found is not None:
            line, made = found
            return Light(Verdict.WINNABLE, line[made:])
        if digest in self._losses:
            return Light(Verdict.UNWINNABLE, reason=self._losses[digest])
        if any(earlier in self._losses for earlier in trail):
            self._losses[digest] = None
            _trim(self._losses, self._most)
            return Light(Verdict.UNWINNABLE)
        return None

    def _digests(self, position: Position) -> list[bytes]:
        """The digests of the positions that led to this one, and its own at the end.

        The last answer is used again from the position on that both have in common. That position may have been
        reached by other moves then. No matter: what followed from a lost position is lost, whoever asks.
        """
        walk = position.copy()
        back = []
        known: list[bytes] = []
        for made in range(len(walk.moves), -1, -1):
            digest = position_digest(walk)
            if made < len(self._trail) and self._trail[made] == digest:
                known = self._trail[: made + 1]
                break
            back.append(digest)
            if made:
                walk.pop()
        self._trail = [*known, *reversed(back)]
        return self._trail

    # Plans

    def light(self, position: Position, *, by_search: bool = False) -> Plan[Light]:
        """The plan that judges a position; see :meth:`recall` for the arguments."""
        light = self.recall(position, by_search=by_search)
        if light is not None:
            return light
        result = yield Wanted(position)
        return Light(result.verdict, result.moves, result.reason)


def _trim(entries: dict[bytes, _T], most: int) -> None:
    """Forgets the oldest entries beyond ``most``."""
    while len(entries) > most:
        del entries[next(iter(entries))]
