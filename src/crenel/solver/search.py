"""Solving a position: picks the engine for its game, runs it in slices and keeps the limits.

An engine knows one family of games and visits so many positions per call. Between two calls this module looks at
the limits, reports progress and asks whether to stop. Each win is replayed through ``rules`` before it is returned.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from importlib import import_module

from crenel.rules.game import Game
from crenel.rules.position import Position
from crenel.solver.engine import Engine, Objective, Status
from crenel.solver.result import Limit, Reason, Result, Verdict
from crenel.solver.verify import check_win

_ENGINES = {
    "castle": (("crenel.solver.castle", "CastleEngine"), ("crenel.solver.royal", "RoyalEngine")),
    "cruel": (("crenel.solver.cruel", "CruelEngine"), ("crenel.solver.royal", "RoyalEngine")),
}
"""Engines with kernels by family, the most special first: the first that supports a game is taken."""
_FIRST_SLICE = 500
_SLICE_SECONDS = 0.05
"""A slice aims at this length: short enough for a cancel to feel immediate."""
_MEMORY_SHARE = 4

_GIVEN_UP = {Status.OPEN: "schedule", Status.FULL: "memory"}
"""The limit that an engine ran into."""

Progress = Callable[[int, float], None]
"""Called between slices with the visited positions and the processor seconds so far."""
Cancel = Callable[[], bool]
"""Asked between slices; true ends the search."""
Notify = Callable[[str], None]
"""Called with a sentence when kernels have to be compiled first."""


def default_memory() -> int:
    """Bytes that a search may take when no limit is given: a quarter of the machine's memory."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not every system tells
        total = 4 << 30
    return max(total // _MEMORY_SHARE, 64 << 20)


class UnknownObjective(ValueError):
    """Something was to be few that is not counted in this game."""


class Solver:
    """Solves positions of one game; its arrays are kept from one position to the next.

    Args:
        game: The rules.
        memory: Bytes that the arrays may take; ``None`` takes :func:`default_memory`.
    """

    def __init__(self, game: Game, memory: int | None = None) -> None:
        self.game = game
        self.memory = memory or default_memory()
        self._seats: dict[str, _Seat] = {}

    def _seat(self, position: Position) -> _Seat:
        """The engine for this position: the kernels of its game, or the slow exact search."""
        if position.hand:
            return self._kept("crenel.solver.generic", "GenericEngine")
        for module, name in _ENGINES[self.game.family]:
            if name in self._seats or getattr(import_module(module), name).supports(self.game):
                return self._kept(module, name)
        return self._kept("crenel.solver.generic", "GenericEngine")

    def _kept(self, module: str, name: str) -> _Seat:
        if name not in self._seats:
            self._seats[name] = _Seat(getattr(import_module(module), name)(self.game, self.memory))
        return self._seats[name]

    def search(self, position: Position, *, shortest: bool = False, fewest: str = "cost") -> Search:
        """Prepares the search of a position; nothing is visited before its :meth:`Search.run`.

        The searches of a solver share its arrays: one that is run after another has begun starts again.

        Raises:
            ValueError: when the position belongs to another game, or what is to be few cannot be counted in it.
        """
        if position.game != self.game:
            raise ValueError(f"a solver for {self.game.id} was given a position of {position.game.id}")
        seat = self._seat(position)
        for objective in seat.engine.objectives:
            if objective == fewest:
                return Search(seat, position, objective if shortest else None)
        raise UnknownObjective(f"the fewest {fewest} of {self.game.title} cannot be searched for")

    def solve(
        self,
        position: Position,
        *,
        limit: Limit | None = None,
        shortest: bool = False,
        fewest: str = "cost",
        progress: Progress | None = None,
        cancel: Cancel | None = None,
        notify: Notify | None = None,
    ) -> Result:
        """Decides a position; see :func:`solve`."""
        at_once = _without_search(position)
        if at_once is not None:
            return at_once
        limit = limit or Limit()
        more = self.search(position, shortest=True, fewest=fewest)
        first = self.search(position).run(limit, progress=progress, cancel=cancel, notify=notify)
        if not shortest or first.verdict is not Verdict.WINNABLE:
            return first
        if fewest == "redeals" and first.redeals == 0:
            return replace(first, fewest_redeals=True)
        rest = _rest(limit, first)
        if rest is None:
            return first
        better = more.run(rest, progress=progress, cancel=cancel, notify=notify)
        return _joined(first, better, fewest)


@dataclass(slots=True)
class _Seat:
    """An engine and the search whose positions its arrays hold."""

    engine: Engine
    holder: Search | None = None
    warm: set[Objective | None] = field(default_factory=set)

    def warm_up(self, position: Position, fewest: Objective | None) -> None:
        """Visits one position, so that the kernels are compiled or loaded before a clock runs."""
        if fewest not in self.warm:
            self.holder = None
            self.engine.begin(position, fewest)
            self.engine.step(1)
            self.warm.add(fewest)


class Search:
    """One search that can be run, stopped by a limit or a cancel, and run on.

    Attributes:
        states: Visited positions so far.
        seconds: Processor seconds so far, compilation not counted.
    """

    def __init__(self, seat: _Seat, position: Position, fewest: Objective | None) -> None:
        self.states = 0
        self.seconds = 0.0
        self._seat = seat
        self._engine = seat.engine
        self._position = position.copy()
        self._fewest = fewest
        self._ended: Result | None = None

    @property
    def lower_bound(self) -> int:
        """A proved lower bound of the cost (or redeals, when those are to be few) of any win."""
        return self._engine.lower_bound

    def run(
        self,
        limit: Limit,
        *,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
        notify: Notify | None = None,
    ) -> Result:
        """Searches until there is an answer, or until this call has used up ``limit``.

        Returns:
            The result; when a limit ended it, another call goes on where this one stopped. A search for the fewest
            that was ended gives the best win it knows, if any, unproved.
        """
        if self._ended is None:
            at_once = _without_search(self._position)
            if at_once is not None:
                self._ended = at_once
                return at_once
            status, limit_hit = self._slices(limit, progress, cancel, notify)
            result = self._result(status, limit_hit)
            if status is Status.MORE:
                return result
            self._ended = result
        return self._ended

    def _result(self, status: Status, limit_hit: str | None) -> Result:
        if status is Status.LOST:
            reason = self._engine.reason() or Reason(
                "exhausted",
                f"All {self.states:,} positions were searched.",
                {"states": self.states},
            )
            return Result(Verdict.UNWINNABLE, (), self.states, self.seconds, reason=reason)
        found = Result(
            Verdict.UNDECIDED, (), self.states, self.seconds, lower_bound=self.lower_bound, limit=limit_hit
        )
        if status is not Status.WON and not self._engine.has_win:
            return found
        line = check_win(self._position, self._engine.line())
        win = replace(found, verdict=Verdict.WINNABLE, moves=line)
        return _proved(win, self._fewest) if status is Status.WON and self._fewest else win

    def _slices(
        self,
        limit: Limit,
        progress: Progress | None,
        cancel: Cancel | None,
        notify: Notify | None,
    ) -> tuple[Status, str | None]:
        """Runs slices until the engine ends or a limit does; says which limit."""
        from crenel.solver._jit import (
            compile_clock,
        )  # numba is loaded only when there is something to search

        compile_clock.announce = notify
        try:
            self._seat.warm_up(self._position, self._fewest)
            return self._timed_slices(limit, progress, cancel)
        finally:
            compile_clock.announce = None

    def _timed_slices(
        self, limit: Limit, progress: Progress | None, cancel: Cancel | None
    ) -> tuple[Status, str | None]:
        """The slices, with the clock running."""
        from crenel.solver._jit import compile_clock

        states_before, seconds_before = self.states, self.seconds
        compiled_before, began = compile_clock.seconds, time.thread_time()

        def used() -> float:
            return time.thread_time() - began - (compile_clock.seconds - compiled_before)

        budget = _FIRST_SLICE
        if self._seat.holder is not self:
            self._engine.begin(self._position, self._fewest)
            self._seat.holder = self
            states_before = 0
        while True:
            if limit.states is not None:
                budget = min(budget, limit.states - (self.states - states_before))
                if budget <= 0:
                    return Status.MORE, "states"
            slice_began, visited_before = used(), self._engine.visited
            status = self._engine.step(budget)
            self.states, self.seconds = self._engine.visited, seconds_before + used()
            if status is not Status.MORE:
                return status, _GIVEN_UP.get(status)
            if progress is not None:
                progress(self.states, self.seconds)
            if cancel is not None and cancel():
                return status, "cancelled"
            left = float("inf") if limit.seconds is None else limit.seconds - used()
            if left <= 0:
                return status, "seconds"
            visited = self._engine.visited - visited_before
            budget = _next_budget(visited, used() - slice_began, left)


def _rest(limit: Limit, used: Result) -> Limit | None:
    """What is left of a limit after a search, or ``None`` when nothing is."""
    states = None if limit.states is None else limit.states - used.states
    seconds = None if limit.seconds is None else limit.seconds - used.seconds
    if (states is not None and states <= 0) or (seconds is not None and seconds <= 0):
        return None
    return replace(limit, states=states, seconds=seconds)


def _proved(win: Result, fewest: str) -> Result:
    """A win that is proved to have the fewest of what was asked for."""
    if fewest == "redeals":
        return replace(win, fewest_redeals=True, lower_bound=win.redeals)
    return replace(win, shortest=True, lower_bound=win.cost)


def _joined(first: Result, better: Result, fewest: str) -> Result:
    """The first win and what the search for the shortest one made of it, as one result."""
    counted = "redeals" if fewest == "redeals" else "cost"
    wins = [win for win in (better, first) if win.verdict is Verdict.WINNABLE]
    best = min(wins, key=lambda win: int(getattr(win, counted)))
    bound = better.lower_bound
    joined = replace(
        best,
        states=first.states + better.states,
        seconds=first.seconds + better.seconds,
        lower_bound=bound,
        limit=better.limit,
    )
    return _proved(joined, fewest) if bound >= getattr(best, counted) else joined


def _next_budget(visited: int, seconds: float, seconds_left: float) -> int:
    """A budget whose slice takes about the aimed time at the speed of the last one."""
    speed = max(visited, 1) / max(seconds, 1e-4)
    return max(int(speed * min(_SLICE_SECONDS, seconds_left)), _FIRST_SLICE // 10)


def _without_search(position: Position) -> Result | None:
    """The answer where the rules alone give it: the game is over."""
    if position.is_won:
        return Result(Verdict.WINNABLE, shortest=True)
    if position.is_lost:
        why = "no redeal helps" if position.game.has_redeal else "there is no redeal"
        return Result(
            Verdict.UNWINNABLE,
            states=1,
            reason=Reason("no-move", f"No card can move and {why}.", {"states": 1}),
        )
    return None


def solve(
    position: Position,
    limit: Limit | None = None,
    shortest: bool = False,
    *,
    fewest: str = "cost",
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    notify: Notify | None = None,
) -> Result:
    """Decides whether a position can be won.

    Args:
        position: Any position of any game; it is left as it is.
        limit: Ends the search as *undecided* (with ``shortest``: with the best win known).
        shortest: Whether to go on to a win of proved fewest cost.
        fewest: With ``shortest``: ``"redeals"`` goes on to a win of proved fewest redeals instead.
        progress: Called between slices with visited positions and processor seconds.
        cancel: Asked between slices; true ends the search as *undecided*.
        notify: Called with a sentence when kernels have to be compiled first.

    Returns:
        The verdict with a line that was replayed through ``rules``, or the reason why there is none.
    """
    memory = limit.memory if limit is not None else None
    solver = Solver(position.game, memory)
    return solver.solve(
        position,
        limit=limit,
        shortest=shortest,
        fewest=fewest,
        progress=progress,
        cancel=cancel,
        notify=notify,
    )


def solve_many(
    positions: Iterable[Position], limit: Limit | None = None, shortest: bool = False
) -> Iterator[Result]:
    """Decides many positions, each under the same limit; compiles once and keeps the arrays.

    Args:
        positions: Positions of any games.
        limit: For each position.
        shortest: Whether to prove the fewest cost of each win.

    Yields:
        One result per position, in their order.
    """
    solvers: dict[Game, Solver] = {}
    for position in positions:
        solver = solvers.get(position.game)
        if solver is None:
            solver = solvers[position.game] = Solver(position.game, limit.memory if limit else None)
        yield solver.solve(position, limit=limit, shortest=shortest)
