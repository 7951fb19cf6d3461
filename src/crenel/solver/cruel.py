"""The engine for the Cruel family with building down in suit: Cruel, Perseverance, Ripple Fan and their variants.

Given a game whose foundations go down from the king and whose piles are built up in suit, it turns all ranks round.
The search itself is in ``cruel_kernels`` and ``cruel_passes``; here is the order in which passes are tried. Passes
with small caps come first, since most deals are won or lost there; a loss is only said after a pass that cut
nothing off, or by a test that proves it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crenel.rules.game import Game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.solver import cruel_evaporate as evaporate
from crenel.solver import cruel_kernels as k
from crenel.solver import cruel_layout as layout
from crenel.solver.cruel_line import line_of
from crenel.solver.cruel_passes import Passes, Rules
from crenel.solver.engine import Status
from crenel.solver.result import Reason

ALL = k.UNLIMITED
EVAPORATE = -1
"""In a schedule: the evaporation test instead of a pass."""
EVAPORATION_ROOM = 300

SCHEDULE: tuple[tuple[int, int, int], ...] = (
    (ALL, 10, 100),
    (3, 1000, 100),
    (EVAPORATE, 0, 0),
    (3, 3000, 1000),
    (4, 3000, 300),
    (ALL, 1000, 1000),
    (5, 100_000, 1000),
    (ALL, 100_000, ALL),
    (6, 500_000, 10_000),
    (ALL, ALL, ALL),
)
"""Passes in order: redeals allowed, nodes expanded at most, layouts of a cycle at most."""

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
    """

    def __init__(self, game: Game, memory: int) -> None:
        self.game = game
        self.rules = rules_of(game)
        self.visited = 0
        self._passes = Passes(self.rules, memory)
        self._known: Any = np.zeros((EVAPORATION_ROOM, evaporate.WIDTH), np.int8)
        self._known_table: Any = np.zeros(1024, np.int32)
        self._known_waiting: Any = np.zeros(EVAPORATION_ROOM, np.int32)

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

    def begin(self, position: Position, shortest: bool = False) -> None:
        """Forgets the last search and starts at ``position``."""
        self._piles = [[self._turned(card) for card in pile] for pile in position.piles]
        self._left = ALL if position.redeals_left is None else position.redeals_left
        self._passes.place(self._piles, position.foundations)
        self.visited = 0
        self._proof: tuple[str, int, int] | None = None
        self._stages = list(_schedule(self._left))
        self._open = False

    def _turned(self, card: int) -> int:
        """The card that plays this card's part when foundations go up from the lowest rank."""
        if self.game.foundation.base == "A":
            return card
        return 4 * (self.rules.ranks - 1 - (card >> 2)) + (card & 3)

    def step(self, budget: int) -> Status:
        """Visits about ``budget`` further layouts and says how things stand."""
        stop = self.visited + budget
        passes = self._passes
        while self.visited < stop:
            if not self._stages:
                return Status.OPEN
            limit, nodes, layouts = self._stages[0]
            if limit == EVAPORATE:
                self._stages.pop(0)
                if self._evaporates():
                    return Status.LOST
                continue
            if not self._open:
                passes.start(limit, nodes, layouts)
                self._open = True
            status = passes.run(stop - self.visited)
            self.visited = passes.visited
            if status == k.MORE:
                continue
            self._open = False
            if status == k.WON:
                return Status.WON
            self._stages.pop(0)
            if status == k.EMPTY and not passes.truncated:
                if limit >= self._left:
                    self._proof = ("exhausted", int(passes.info[k.I_VISITED]), int(passes.info[k.I_EXPANDED]))
                    return Status.LOST
                # No win with so few redeals, so such passes need not be tried again.
                self._stages = [stage for stage in self._stages if stage[0] > limit or stage[0] == EVAPORATE]
        return Status.MORE

    def _evaporates(self) -> bool:
        """Tries the evaporation test on the position."""
        rules = self.rules
        if rules.run or rules.order == layout.ONE_BY_ONE or self._left == 0:
            return False
        found = evaporate.prove_by_evaporation(
            self._passes.rows,
            layout.ROOT_SEQ,
            layout.ROOT_STARTS,
            int(self._passes.info[k.I_ROOT_PILES]),
            64,
            self._known,
            self._known_table,
            self._known_waiting,
            int(layout.played_cards(int(self._passes.info[k.I_ROOT_KEY]))),
            rules.order,
            rules.ranks,
        )
        if found:
            self._proof = ("evaporation", found % 64, found // 64)
        return found > 0

    def line(self) -> list[Move]:
        """After ``WON``: the single legal moves from the start to the win."""
        return line_of(self._passes.steps(), self.rules, self._piles)

    def reason(self) -> Reason | None:
        """After ``LOST``: the smallest evidence that was found."""
        if self._proof is None:
            return None
        kind, first, second = self._proof
        if kind == "evaporation":
            return Reason(kind, f"The first {first} cards can never all get away.", {"cards": first, "layouts": second})
        return Reason(
            kind,
            f"Every line was searched: {first} positions in {second} orders of the pack.",
            {"positions": first, "orders": second},
        )


def _schedule(left: int) -> list[tuple[int, int, int]]:
    """The passes for a position with ``left`` redeals left, without those that ask for more."""
    stages = []
    for limit, nodes, layouts in SCHEDULE:
        stage = (min(limit, left), nodes, layouts)
        if stage not in stages:
            stages.append(stage)
    return stages
