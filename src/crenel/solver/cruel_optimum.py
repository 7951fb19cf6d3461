"""Drives the search for the fewest cost of the Cruel family (``cruel_cheapest``): arrays, growth, bounds, result."""

from __future__ import annotations

from typing import Any

import numpy as np

from crenel.solver import cruel_cheapest as c
from crenel.solver import cruel_kernels as k
from crenel.solver.cruel_passes import Passes, Step, grown

FIRST_LAYOUTS = 1 << 16
QUICK_BUCKETS = 2048
LAYOUT_BYTES = 16 + 12 + 2 * 4


class Optimum:
    """A* from the position that ``passes`` holds; it uses the same arrays for the nodes.

    Args:
        passes: Its arrays are taken over at :meth:`start`.
    """

    def __init__(self, passes: Passes) -> None:
        self.passes = passes
        self.more: Any = np.zeros(c.MORE_NUMBERS, np.int64)
        self._layouts(FIRST_LAYOUTS)

    def _layouts(self, capacity: int) -> None:
        """Makes room for ``capacity`` layouts; what is there is kept."""
        self.layouts = grown(getattr(self, "layouts", None), (capacity, 2), np.int64)
        self.places = grown(getattr(self, "places", None), (capacity, 3), np.int32)
        self.table = grown(getattr(self, "table", None), (2 * capacity,), np.int32)

    def start(
        self, limit: int, known_cost: int, fewest_redeals: int, weights: tuple[int, int, int] = (0, 0, 0)
    ) -> None:
        """Begins the search.

        Args:
            limit: Redeals that are left (``UNLIMITED`` for no limit).
            known_cost: The cost of the known win; only cheaper ones are looked for.
            fewest_redeals: So many redeals are proved to be needed.
            weights: Of a quick search that only looks for some cheaper win (see ``cruel_cheapest``).
        """
        self.passes.start(limit, k.UNLIMITED, k.UNLIMITED)
        info = self.passes.info
        info[k.I_SEEN] = 0
        info[k.I_SEEN_MASK] = 4095
        buckets = QUICK_BUCKETS if weights[0] else known_cost + 1
        info[k.I_TOP_BUCKET] = buckets
        self.table[:4096] = k.NONE
        self.heads: Any = np.full(buckets, k.NONE, np.int32)
        self.more[:] = 0
        self.more[c.C_KNOWN_COST] = known_cost
        self.more[c.C_FEWEST] = fewest_redeals
        self.more[c.C_COST_WEIGHT : c.C_OVER_WEIGHT + 1] = weights
        self.more[c.C_LOADED] = k.NONE

    @property
    def is_quick(self) -> bool:
        """Whether the search only looks for some cheaper win."""
        return bool(self.more[c.C_COST_WEIGHT])

    @property
    def lower_bound(self) -> int:
        """A proved lower bound of the cost of any win."""
        return int(self.passes.info[k.I_TOP_BUCKET])

    def run(self, budget: int) -> int:
        """Opens about ``budget`` layouts; returns a status of ``cruel_cheapest`` (``NODES_FULL``: out of memory)."""
        passes = self.passes
        before = int(passes.info[k.I_VISITED])
        stop = before + budget
        while True:
            status = c.cheapest(
                passes.info,
                self.more,
                passes.rows,
                passes.decks,
                passes.links,
                passes.table,
                self.heads,
                self.layouts,
                self.places,
                self.table,
                passes.known,
                passes.known_table,
                passes.known_waiting,
                passes.memo,
                stop - int(passes.info[k.I_VISITED]),
            )
            room = self.layouts.shape[0]
            if status == c.NODES_FULL and passes.fits(2 * passes.decks.shape[0], 0, room * LAYOUT_BYTES):
                passes.more_nodes(2 * passes.decks.shape[0])
            elif status == c.LAYOUTS_FULL and passes.fits(passes.decks.shape[0], 0, 2 * room * LAYOUT_BYTES):
                self._layouts(2 * room)
            else:
                break
        passes.visited += int(passes.info[k.I_VISITED]) - before
        return c.NODES_FULL if status == c.LAYOUTS_FULL else int(status)

    def beat(self, known_cost: int) -> None:
        """Goes on with a quick search: only wins cheaper than ``known_cost`` count."""
        self.more[c.C_KNOWN_COST] = known_cost

    @property
    def won_cost(self) -> int:
        """The cost of the win that was just found."""
        return int(self.more[c.C_WON_COST])

    def steps(self) -> list[Step]:
        """The cycles of the win that was found."""
        steps = self.passes.steps()
        self.more[c.C_LOADED] = k.NONE  # walking back loaded other cycles
        return steps
