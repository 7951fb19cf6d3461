"""Solving a position: picks the engine for its game, runs it in slices and keeps the limits.

An engine knows one family of games and visits so many positions per call. Between two calls this module looks at
the limits, reports progress and asks whether to stop. Each win is replayed through ``rules`` before it is returned.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module

from crenel.rules.game import Game
from crenel.rules.position import Position
from crenel.solver.engine import Engine, Status
from crenel.solver.result import Limit, Reason, Result, Verdict
from crenel.solver.verify import check_win

_ENGINES = (
    ("crenel.solver.castle", "CastleEngine"),
    ("crenel.solver.cruel", "CruelEngine"),
    ("crenel.solver.royal", "RoyalEngine"),
)
"""Engines with kernels, the most special first: the first that supports a game is taken."""
_FIRST_SLICE = 500
_SLICE_SECONDS = 0.05
"""A slice aims at this length: short enough for a cancel to feel immediate."""
_MEMORY_SHARE = 4

Progress = Callable[[int, float], None]
"""Called between slices with the visited positions and the processor seconds so far."""


def default_memory() -> int:
    """Bytes that a search may take when no limit is given: a quarter of the machine's memory."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not every system tells
        total = 4 << 30
    return max(total // _MEMORY_SHARE, 64 << 20)


class Solver:
    """Solves positions of one game; its arrays are kept from one position to the next.

    Args:
        game: The rules.
        memory: Bytes that the arrays may take; ``None`` takes :func:`default_memory`.
    """

    def __init__(self, game: Game, memory: int | None = None) -> None:
        self.game = game
        self.memory = memory or default_memory()
        self._engines: dict[str, Engine] = {}

    def _engine(self, position: Position) -> Engine:
        """The engine for this position: the kernels of its game, or the slow exact search."""
        if position.hand:
            return self._kept("crenel.solver.generic", "GenericEngine")
        for module, name in _ENGINES:
            if name in self._engines or getattr(import_module(module), name).supports(self.game):
                return self._kept(module, name)
        return self._kept("crenel.solver.generic", "GenericEngine")

    def _kept(self, module: str, name: str) -> Engine:
        if name not in self._engines:
            self._engines[name] = getattr(import_module(module), name)(self.game, self.memory)
        return self._engines[name]

    def solve(
        self,
        position: Position,
        *,
        limit: Limit | None = None,
        shortest: bool = False,
        progress: Progress | None = None,
        cancel: Callable[[], bool] | None = None,
        notify: Callable[[str], None] | None = None,
    ) -> Result:
        """Decides a position; see :func:`solve`."""
        if position.game != self.game:
            raise ValueError(f"a solver for {self.game.id} was given a position of {position.game.id}")
        at_once = _without_search(position)
        if at_once is not None:
            return at_once
        run = _Run(self._engine(position), limit or Limit(), progress, cancel, notify)
        first = run.go(position, shortest=False)
        if not shortest or first.verdict is not Verdict.WINNABLE:
            return first
        return run.go(position, shortest=True, known=first)


class _Run:
    """One search: an engine, its limits and the people who watch it."""

    def __init__(
        self,
        engine: Engine,
        limit: Limit,
        progress: Progress | None,
        cancel: Callable[[], bool] | None,
        notify: Callable[[str], None] | None,
    ) -> None:
        self.engine = engine
        self.limit = limit
        self.progress = progress
        self.cancel = cancel
        self.notify = notify
        self.states = 0
        self.seconds = 0.0

    def go(self, position: Position, *, shortest: bool, known: Result | None = None) -> Result:
        """Runs the engine to its end or to a limit; ``known`` is a win that a shorter one is wanted for."""
        status, limit_hit = self._slices(position, shortest)
        if status is Status.WON:
            line = check_win(position, self.engine.line())
            win = Result(Verdict.WINNABLE, line, self.states, self.seconds)
            if not shortest:
                return win
            return self._won(win, proved=True)
        if known is not None:
            return self._won(known, proved=False)
        if status is Status.LOST:
            reason = self.engine.reason() or Reason(
                "exhausted", f"All {self.states:,} positions were searched.", {"states": self.states}
            )
            return Result(Verdict.UNWINNABLE, (), self.states, self.seconds, reason=reason)
        return Result(Verdict.UNDECIDED, (), self.states, self.seconds, limit=limit_hit)

    def _won(self, win: Result, *, proved: bool) -> Result:
        bound = win.cost if proved else int(getattr(self.engine, "lower_bound", 0))
        return Result(
            Verdict.WINNABLE,
            win.moves,
            self.states,
            self.seconds,
            shortest=proved or bound >= win.cost,
            lower_bound=bound,
        )

    def _slices(self, position: Position, shortest: bool) -> tuple[Status, str | None]:
        """Runs slices until the engine ends or a limit does; says which limit."""
        from crenel.solver._jit import compile_clock  # numba is loaded only when there is something to search

        compile_clock.announce = self.notify
        states_before, seconds_before = self.states, self.seconds
        compiled_before, began = compile_clock.seconds, time.process_time()

        def used() -> float:
            return seconds_before + time.process_time() - began - (compile_clock.seconds - compiled_before)

        budget, status = _FIRST_SLICE, Status.MORE
        try:
            self.engine.begin(position, shortest=shortest)
            while True:
                if self.limit.states is not None:
                    budget = min(budget, self.limit.states - self.states)
                    if budget <= 0:
                        return Status.MORE, "states"
                slice_began, visited_before = used(), self.engine.visited
                status = self.engine.step(budget)
                self.states, self.seconds = states_before + self.engine.visited, used()
                if status is not Status.MORE:
                    return status, "memory or schedule" if status is Status.OPEN else None
                if self.progress is not None:
                    self.progress(self.states, self.seconds)
                if self.cancel is not None and self.cancel():
                    return status, "cancelled"
                if self.limit.seconds is not None and self.seconds >= self.limit.seconds:
                    return status, "seconds"
                visited = self.engine.visited - visited_before
                budget = _next_budget(visited, self.seconds - slice_began, self._seconds_left())
        finally:
            compile_clock.announce = None

    def _seconds_left(self) -> float:
        return float("inf") if self.limit.seconds is None else self.limit.seconds - self.seconds


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
    progress: Progress | None = None,
    cancel: Callable[[], bool] | None = None,
    notify: Callable[[str], None] | None = None,
) -> Result:
    """Decides whether a position can be won.

    Args:
        position: Any position of any game; it is left as it is.
        limit: Ends the search as *undecided* (with ``shortest``: with the best win known).
        shortest: Whether to go on to a win of proved fewest cost.
        progress: Called between slices with visited positions and processor seconds.
        cancel: Asked between slices; true ends the search as *undecided*.
        notify: Called with a sentence when kernels have to be compiled first.

    Returns:
        The verdict with a line that was replayed through ``rules``, or the reason why there is none.
    """
    memory = limit.memory if limit is not None else None
    solver = Solver(position.game, memory)
    return solver.solve(
        position, limit=limit, shortest=shortest, progress=progress, cancel=cancel, notify=notify
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
