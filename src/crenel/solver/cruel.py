"""The engine for the Cruel family with building down in suit: Cruel, Perseverance, Ripple Fan and their variants.

Given a game whose foundations go down from the king and whose piles are built up in suit, it turns all ranks round.
The searches themselves are in ``cruel_kernels`` (any win) and ``cruel_cheapest`` (a cheap or the cheapest win); here
is the order in which they are tried. Passes with small caps come first, since most deals are decided there; a loss
is only said after a pass that cut nothing off, or by a test that proves it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import ClassVar

from crenel.rules.game import Game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.solver import cruel_cheapest as c
from crenel.solver import cruel_kernels as k
from crenel.solver import cruel_layout as layout
from crenel.solver.cruel_line import line_of
from crenel.solver.cruel_optimum import Optimum
from crenel.solver.cruel_passes import Passes, Rules, Step
from crenel.solver.cruel_reason import EVAPORATION_ROOM, Evaporation
from crenel.solver.engine import Objective, Status
from crenel.solver.frozen_reason import frozen_reason
from crenel.solver.result import Reason

ALL = k.UNLIMITED
EVAPORATE, QUICK = -1, -2
"""In a schedule: the evaporation test of the position, or a quick search over single layouts, instead of a pass."""

SCHEDULE: tuple[tuple[int, int, int], ...] = (
    (ALL, 10, 100),
    (QUICK, 1000, 0),
    (3, 1000, 100),
    (3, 3000, 1000),
    (4, 3000, 300),
    (ALL, 1000, 1000),
    (EVAPORATE, 1000, 0),
    (5, 100_000, 1000),
    (ALL, 100_000, ALL),
    (EVAPORATE, 30_000, 0),
    (6, 500_000, 10_000),
    (ALL, ALL, ALL),
)
"""What is tried in order: redeals allowed, nodes expanded at most, layouts of a cycle at most (of the evaporation
test: its room; of a quick search: layouts). After the first evaporation test passes are deep ones."""
SCHEDULE_STUCK: tuple[tuple[int, int, int], ...] = (
    (ALL, 10, 100),
    (ALL, 1000, 1000),
    (EVAPORATE, 1000, 0),
    (ALL, 100_000, ALL),
    (EVAPORATE, 30_000, 0),
    (ALL, ALL, ALL),
)
"""The same where redeals wait until nothing can move: cycles are small there."""
FEW_REDEALS = 3
"""With so many redeals left or fewer, the evaporation test is left out: the passes are done sooner."""
QUICK_WEIGHTS = (3, 2, 2)
POLISH = (((3, 2, 2), 700), ((3, 1, 1), 2300))
"""After the first win, cheaper ones are looked for with these weights among so many layouts each, since it tends to
wander: it costs more than twice the fewest on average. The first is left out when a quick search found it."""
POLISH_STUCK = (((3, 2, 2), 200), ((4, 1, 1), 300))
"""The same where redeals wait until nothing can move: there is much less to choose."""
LAST_POLISH = ((3, 2, 2), 6000)
"""Tried when none of them found a win of its own."""
LONG_POLISH = 20
"""So many times more before the fewest cost is proved: a good known win saves most of that work."""
FEWEST_LAYOUTS = 1_500_000
"""The proof of the fewest redeals, as a bound for the fewest cost, is given up after so many layouts."""
WORST_COST = 400
"""Quick searches do not follow lines that cost more."""

_ORDERS = {"bottom-up": layout.BOTTOM_UP, "top-down": layout.TOP_DOWN, "one-by-one": layout.ONE_BY_ONE}


def rules_of(game: Game) -> Rules:
    """What the kernels need of a game."""
    return Rules(
        order=_ORDERS[game.redeal.order],
        run=game.run == "run",
        stuck=game.redeal.when == "when-stuck",
        ranks=game.ranks,
        piles=len(game.piles.sizes),
    )


class CruelEngine:
    """An exact search engine (see :class:`crenel.solver.engine.Engine`).

    Args:
        game: A game that :meth:`supports` accepts.
        memory: Bytes that the arrays may take.

    Attributes:
        visited: Layouts looked at since :meth:`begin`.
        lower_bound: A proved lower bound of what is to be few, for any win; 0 while nothing is proved.
    """

    objectives: ClassVar[tuple[Objective, ...]] = ("cost", "redeals")

    def __init__(self, game: Game, memory: int) -> None:
        self.game = game
        self.rules = rules_of(game)
        self.lower_bound = 0
        self._passes = Passes(self.rules, memory)
        self._optimum = Optimum(self._passes)

    @staticmethod
    def supports(game: Game) -> bool:
        """Whether this engine answers exactly for every position of ``game``."""
        towards_base = (game.foundation.base, game.build.direction) in (("A", "down"), ("K", "up"))
        return (
            towards_base
            and game.build.suits == "same"
            and not game.build.wrap
            and game.empty == "none"
            and game.deal.order != "by-hand"
        )

    def begin(self, position: Position, fewest: Objective | None = None) -> None:
        self._position = position
        self._piles = [[self._turned(card) for card in pile] for pile in position.piles]
        self._left = ALL if position.redeals_left is None else position.redeals_left
        self._passes.place(self._piles, position.foundations)
        self._evaporation: Evaporation | None = None
        self._best: list[Step] = []
        self._best_cost: int | None = None
        self._best_line: list[Move] | None = None
        self._exhausted = (0, 0)
        self._allowance = 0
        self._status = Status.MORE
        self._work = self._plan(fewest)
        self.lower_bound = 0

    @property
    def visited(self) -> int:
        """Layouts looked at since :meth:`begin`."""
        return self._passes.visited

    def _turned(self, card: int) -> int:
        """The card that plays this card's part when foundations go up from the lowest rank."""
        if self.game.foundation.base == "A":
            return card
        return 4 * (self.rules.ranks - 1 - (card >> 2)) + (card & 3)

    def step(self, budget: int) -> Status:
        self._allowance = budget
        if self._status is Status.MORE:
            try:
                next(self._work)
            except StopIteration as end:
                self._status = end.value
        return self._status

    def line(self) -> list[Move]:
        if self._best_line is None:
            self._best_line = line_of(self._best, self.rules, self._piles)
        return self._best_line

    @property
    def has_win(self) -> bool:
        return bool(self._best)

    # The plan of a search; a bare ``yield`` ends the slice.

    def _plan(self, fewest: Objective | None) -> Generator[None, None, Status]:
        status = yield from self._decide()
        if status is not Status.WON:
            return status
        if fewest == "redeals":
            return (yield from self._fewest_redeals())
        yield from self._polish(self._left, LONG_POLISH if fewest else 1)
        if fewest:
            return (yield from self._fewest_cost())
        return status

    def _decide(self) -> Generator[None, None, Status]:
        """Finds any win, or proves that there is none."""
        passes = self._passes
        passes.deepen(False)
        settled = -1
        tried = set()
        given_up = Status.OPEN
        for limit, nodes, layouts in SCHEDULE_STUCK if self.rules.stuck else SCHEDULE:
            if limit == EVAPORATE:
                # With few redeals left, few games are lost for a reason that no number of redeals could mend.
                if self._left <= FEW_REDEALS:
                    continue
                if self._evaporates(nodes):
                    return Status.LOST
                passes.deepen(True)
                continue
            if limit == QUICK:
                if (yield from self._quick(QUICK_WEIGHTS, nodes, self._left)):
                    return Status.WON
                continue
            stage = (min(limit, self._left), nodes, layouts)
            if stage[0] <= settled or stage in tried:
                continue
            tried.add(stage)
            passes.start(*stage)
            status = yield from self._run_pass(ALL)
            if status == k.WON:
                self._best = passes.steps()
                return Status.WON
            if status == k.NODES_FULL:
                given_up = Status.FULL
            elif not passes.truncated:
                # No win with so few redeals, so passes with no more need not be tried again.
                settled = stage[0]
                if settled >= self._left:
                    self._exhausted = (int(passes.info[k.I_VISITED]), int(passes.info[k.I_EXPANDED]))
                    return Status.LOST
        return given_up

    def _run_pass(self, most: int) -> Generator[None, None, int]:
        """Runs the pass that was started, up to ``most`` layouts; ``k.MORE`` when they did not suffice."""
        begun = self.visited
        while self.visited - begun < most:
            before = self.visited
            status = self._passes.run(max(1, min(self._allowance, most - (before - begun))))
            self._allowance -= self.visited - before
            if status != k.MORE:
                return status
            if self._allowance <= 0:
                yield
        return k.MORE

    def _run_optimum(self, most: int) -> Generator[None, None, int]:
        """The same for the search over single layouts."""
        begun = self.visited
        while self.visited - begun < most:
            before = self.visited
            status = self._optimum.run(max(1, min(self._allowance, most - (before - begun))))
            self._allowance -= self.visited - before
            if not self._optimum.is_quick:
                self.lower_bound = max(self.lower_bound, min(self._optimum.lower_bound, self._known_cost()))
            if status != c.MORE:
                return status
            if self._allowance <= 0:
                yield
        return c.MORE

    def _quick(self, weights: tuple[int, int, int], most: int, limit: int) -> Generator[None, None, bool]:
        """Looks for wins cheaper than the best known one among ``most`` layouts; whether one was found."""
        optimum = self._optimum
        # The cost of a pass's win is known only once its moves are; such a win is nearly always the dearer one.
        optimum.start(limit, self._best_cost or WORST_COST, 0, weights)
        begun = self.visited
        found = False
        while (yield from self._run_optimum(most - (self.visited - begun))) == c.WON:
            found = True
            self._best = optimum.steps()
            self._best_cost = optimum.won_cost
            self._best_line = None
            optimum.beat(self._best_cost)
        return found

    def _polish(self, limit: int, times: int = 1) -> Generator[None, None, None]:
        """Makes the known win cheaper where that is easy: the first win found tends to wander."""
        found = self._best_cost is not None
        for weights, most in (POLISH_STUCK if self.rules.stuck else POLISH)[int(found) :]:
            found |= yield from self._quick(weights, times * most, limit)
        if self.rules.stuck:
            return
        if not found:
            yield from self._quick(LAST_POLISH[0], times * LAST_POLISH[1], limit)

    def _known_cost(self) -> int:
        """The cost of the best known win."""
        if self._best_cost is None:
            self._best_cost = sum(move.is_tableau or move.is_redeal for move in self.line())
        return self._best_cost

    def _fewest_cost(self) -> Generator[None, None, Status]:
        """Proves the fewest cost, starting from the best known win."""
        fewest = 0
        for limit in range(min(4, self._left)):
            self._passes.start(limit, ALL, ALL)
            status = yield from self._run_pass(FEWEST_LAYOUTS)
            if status != k.EMPTY or self._passes.truncated:
                break
            fewest = limit + 1
        self.lower_bound = max(self.lower_bound, fewest)
        self._optimum.start(self._left, self._known_cost(), fewest)
        status = yield from self._run_optimum(1 << 62)
        if status == c.NODES_FULL:
            return Status.FULL
        if status == c.WON:
            self._best = self._optimum.steps()
            self._best_cost = self._optimum.won_cost
            self._best_line = None
        self.lower_bound = self._known_cost()
        return Status.WON

    def _fewest_redeals(self) -> Generator[None, None, Status]:
        """Proves the fewest redeals: complete passes with ever more of them."""
        for limit in range(len(self._best) - 1):
            self._passes.start(limit, ALL, ALL)
            status = yield from self._run_pass(1 << 62)
            if status == k.WON:
                self._best = self._passes.steps()
                self._best_line = self._best_cost = None
                break
            if status != k.EMPTY:
                return Status.FULL
            self.lower_bound = limit + 1
        self.lower_bound = len(self._best) - 1
        self._known_cost()
        yield from self._polish(self.lower_bound)
        return Status.WON

    # Reasons

    def _evaporates(self, room: int) -> bool:
        """Tries the evaporation test on the position."""
        if not self._passes.can_evaporate:
            return False
        self._evaporation = Evaporation.prove(self._passes, room)
        return self._evaporation is not None

    def reason(self) -> Reason | None:
        """After ``LOST``: the smallest evidence that was found."""
        if self._status is not Status.LOST:
            return None
        frozen = frozen_reason(self._position)
        if frozen is not None:
            return frozen
        if self._evaporation is None and not self._evaporates(EVAPORATION_ROOM):
            layouts, orders = self._exhausted
            return Reason(
                "exhausted",
                f"All lines were searched and none wins: {layouts:,} positions in {orders:,} orders of the pack "
                "at a redeal.",
                {"states": layouts, "orders": orders},
            )
        assert self._evaporation is not None
        return self._evaporation.reason(self._position)
