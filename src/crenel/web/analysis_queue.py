"""Whose question is served next: fair shares of processor time among owners, whatever each of them asks.

This is weighted fair queueing. Each owner has a tag, the time that was spent on it so far; next comes the one whose
tag would be the lowest after its turn, so short turns do not wait for long ones of owners who have had as much. One
who was away starts at what an owner who was always there has had, so nobody saves up time.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

_T = TypeVar("_T")


class _Line(Generic[_T]):
    """What one owner waits for: tasks with the seconds that their next turn may take."""

    def __init__(self) -> None:
        self.tag = 0.0
        self.waiting: deque[tuple[_T, float]] = deque()
        self.is_served = False

    @property
    def is_idle(self) -> bool:
        return not self.waiting and not self.is_served


class FairQueue(Generic[_T]):
    """Tasks of many owners; at most one of each owner is served at a time."""

    def __init__(self) -> None:
        self._lines: OrderedDict[str, _Line[_T]] = OrderedDict()
        self._share = 0.0
        """What an owner who was always there has had."""

    def __iter__(self) -> Iterator[_T]:
        """The waiting tasks."""
        for line in self._lines.values():
            yield from (task for task, _ in line.waiting)

    def add(self, owner: str, task: _T, seconds: float) -> None:
        """Puts a task behind the others of its owner; its turn may take so many seconds."""
        line = self._lines.setdefault(owner, _Line())
        if line.is_idle:
            line.tag = max(line.tag, self._share)
            self._lines.move_to_end(owner)
        line.waiting.append((task, seconds))

    def take(self, is_wanted: Callable[[_T], bool]) -> _T | None:
        """The next task, to be served until :meth:`done`; the first wanted one of each owner counts."""
        best: tuple[float, _Line[_T], tuple[_T, float]] | None = None
        idle = []
        for owner, line in self._lines.items():
            if line.is_idle:
                idle.append(owner)
            elif not line.is_served:
                entry = next((entry for entry in line.waiting if is_wanted(entry[0])), None)
                if entry is not None and (best is None or line.tag + entry[1] < best[0]):
                    best = line.tag + entry[1], line, entry
        if len(idle) == len(self._lines):
            self._lines.clear()
            self._share = 0.0
        for owner in idle:
            # An idle owner is remembered only as long as coming back as a stranger would be of advantage.
            if owner in self._lines and self._lines[owner].tag <= self._share:
                del self._lines[owner]
        if best is None:
            return None
        _, line, entry = best
        line.is_served = True
        line.waiting.remove(entry)
        return entry[0]

    def done(self, owner: str, seconds: float) -> None:
        """Ends the service of an owner, who is charged for it."""
        line = self._lines[owner]
        self._share += seconds / sum(not other.is_idle for other in self._lines.values())
        line.is_served = False
        line.tag += seconds
        self._lines.move_to_end(owner)  # among equals those who wait longer come first

    def remove(self, owner: str, task: _T) -> None:
        """Takes out a task that waits, if it does."""
        line = self._lines.get(owner)
        if line is not None:
            line.waiting = deque(entry for entry in line.waiting if entry[0] != task)
