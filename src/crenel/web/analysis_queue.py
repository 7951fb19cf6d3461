"""Whose question is served next: fair shares of processor time among owners, whatever each of them asks.

This is start-time fair queueing. Each owner has a tag, the time that was spent on it so far; the lowest tag comes
next. One who was away starts at the tag that is being served, so nobody saves up time, and nobody who has just used
much of it gets in the way of a newcomer.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

_T = TypeVar("_T")


class _Line(Generic[_T]):
    """What one owner waits for."""

    def __init__(self) -> None:
        self.tag = 0.0
        self.waiting: deque[_T] = deque()
        self.is_served = False


class FairQueue(Generic[_T]):
    """Tasks of many owners; at most one of each owner is served at a time."""

    def __init__(self) -> None:
        self._lines: OrderedDict[str, _Line[_T]] = OrderedDict()
        self._now = 0.0

    def __iter__(self) -> Iterator[_T]:
        """The waiting tasks."""
        for line in self._lines.values():
            yield from line.waiting

    def add(self, owner: str, task: _T) -> None:
        """Puts a task behind the others of its owner."""
        line = self._lines.setdefault(owner, _Line())
        if not line.waiting and not line.is_served:
            line.tag = max(line.tag, self._now)
            self._lines.move_to_end(owner)
        line.waiting.append(task)

    def take(self, is_wanted: Callable[[_T], bool]) -> _T | None:
        """The next task, to be served until :meth:`done`; the first wanted one of each owner counts."""
        best: tuple[str, _Line[_T], _T] | None = None
        idle = []
        for owner, line in self._lines.items():
            if not line.waiting and not line.is_served:
                idle.append(owner)
            elif not line.is_served and (best is None or line.tag < best[1].tag):
                for task in line.waiting:
                    if is_wanted(task):
                        best = owner, line, task
                        break
        if best is not None:
            _, line, task = best
            self._now = max(self._now, line.tag)
            line.is_served = True
            line.waiting.remove(task)
        if len(idle) == len(self._lines):
            self._now = 0.0
        for owner in idle:
            # An idle owner is remembered as long as coming back would not be free of charge.
            if self._lines[owner].tag <= self._now or self._now == 0.0:
                del self._lines[owner]
        return None if best is None else best[2]

    def done(self, owner: str, seconds: float) -> None:
        """Ends the service of an owner, who is charged for it."""
        line = self._lines[owner]
        line.is_served = False
        line.tag += seconds
        self._lines.move_to_end(owner)  # among equals those who wait longer come first

    def remove(self, owner: str, task: _T) -> None:
        """Takes out a task that waits, if it does."""
        line = self._lines.get(owner)
        if line is not None and task in line.waiting:
            line.waiting.remove(task)
