"""The compiled engine for every rule set that is dealt out: step-by-step best-first search, redeals as moves.

It was made for the Royal Family games and is general: any build rule, single cards or runs, any redeal. No
card goes up by itself: where cards are built upwards, or a redeal can follow, it may be missed later.
"""

from __future__ import annotations

import numpy as np

from crenel.rules.game import Game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.solver import royal_search as search
from crenel.solver.engine import Status
from crenel.solver.result import Reason
from crenel.solver.royal_layout import (
    CEILING,
    LAYOUT_SHAPE,
    ROW_BYTES,
    W_ANY,
    W_EMPTY,
    W_HOME,
    W_MADE,
    W_OWN,
    W_REDEAL,
    card_tables,
    decode,
    key_weights,
    pack,
    rules_array,
)

_FIRST_TABLE = 1 << 16
_FULL_SHARE = 0.6
_NODE_BYTES, _TABLE_BYTES = 16 + 8 + 4, 4
_CACHE_ROWS = 1 << 14
_LONGEST = 1 << 16
_NO_CEILING = 1 << 30


class RoyalEngine:
    """Weighted best-first search, or A* over the cost, for any game once its cards lie on the piles."""

    @staticmethod
    def supports(game: Game) -> bool:
        """Every game; of a game that is dealt by hand only positions with an empty hand."""
        return True

    def __init__(self, game: Game, memory: int) -> None:
        self.game = game
        self.visited = 0
        self.lower_bound = 0
        self.prune = True
        redeal = game.redeal
        self._freezes = (
            game.has_redeal and redeal.order != "one-by-one" and game.run == "single" and game.empty == "none"
        )
        self._memory = memory
        self._tables = card_tables(game)
        self._weights = key_weights()
        self._lays = np.zeros((3, *LAYOUT_SHAPE), dtype=np.int64)
        piles = len(game.piles.sizes)
        runs = game.ranks if game.run == "run" else 1
        if game.run == "run" and game.build.wrap:
            runs = game.cards
        # A move for each pile, target and length of run; one more per pile going up; the redeal.
        self._kids = np.zeros((piles * (piles - 1) * runs + piles + 1, 5), dtype=np.int64)
        self._rows = np.zeros((_CACHE_ROWS + 1, ROW_BYTES), dtype=np.uint8)
        self._owners = np.zeros(_CACHE_ROWS, dtype=np.int64)
        self._path = np.zeros(_LONGEST, dtype=np.int64)
        self._queue = np.zeros(search.PRIORITIES, dtype=np.int32)
        self._run = np.zeros(8, dtype=np.int64)
        self._keys = np.zeros((0, 2), dtype=np.int64)
        self._links = np.zeros(0, dtype=np.int64)
        self._following = np.zeros(0, dtype=np.int32)
        self._store = np.zeros(0, dtype=np.int32)
        self._table = self._store

    def begin(self, position: Position, shortest: bool = False) -> None:
        if position.hand:
            raise ValueError("this engine takes positions without cards in hand")
        self.visited = 0
        self.lower_bound = 0
        self._root = position.copy()
        self._shortest = shortest
        self._rules = rules_array(self.game, shortest, self.prune and self._freezes)
        weights = {W_HOME: 20, W_OWN: 20, W_ANY: 4, W_EMPTY: -6, W_MADE: 9, W_REDEAL: 0}
        for field, weight in weights.items():
            self._rules[field] = weight
        self._rules[CEILING] = _NO_CEILING
        self._make_room(_FIRST_TABLE)
        self._queue[:] = -1
        self._owners[:] = -1
        pack(position, self._rows[_CACHE_ROWS])
        search.open_root(
            self._rules, self._tables, self._weights, self._lays, self._rows, self._keys, self._links,
            self._table, self._queue, self._following, self._run,
        )  # fmt: skip

    def _make_room(self, size: int) -> None:
        """Gives the table ``size`` places (a power of two) and the arrays room for what it may hold."""
        if len(self._store) < size:
            self._store = np.empty(size, dtype=np.int32)
        self._table = self._store[:size]
        self._table[:] = -1
        self._most = int(size * _FULL_SHARE)
        if len(self._links) < self._most:
            # Nothing else holds these arrays between two slices.
            self._keys.resize((self._most, 2), refcheck=False)
            self._links.resize(self._most, refcheck=False)
            self._following.resize(self._most, refcheck=False)

    def step(self, budget: int) -> Status:
        status = search.MORE
        goal = self.visited + budget
        while status == search.MORE and self.visited < goal:
            status = search.search(
                self._rules, self._tables, self._weights, self._lays, self._kids, self._rows, self._owners,
                self._path, self._keys, self._links, self._following, self._table, self._queue, self._run,
                self._most, goal - self.visited,
            )  # fmt: skip
            self.visited = int(self._run[search.VISITED])
            if status == search.FULL:
                size = 2 * len(self._table)
                if size * (_FULL_SHARE * _NODE_BYTES + _TABLE_BYTES) > self._memory:
                    return Status.OPEN
                self._make_room(size)
                search.refill(self._keys, self._links, self._table, int(self._run[search.NODES]))
                status = search.MORE
        if self._shortest:
            self.lower_bound = int(self._run[search.BEST])
        return {search.MORE: Status.MORE, search.WIN: Status.WON, search.EXHAUSTED: Status.LOST}[status]

    def line(self) -> list[Move]:
        moves: list[Move] = []
        node = int(self._run[search.WON])
        while node > 0:
            link = int(self._links[node])
            moves.append(decode(link & 0xFFFF))
            node = link >> 32 & 0x7FFFFFFF
        moves.reverse()
        # The order of piles that the search leaves out is kept in each layout, so the moves are true ones.
        return moves

    def reason(self) -> Reason | None:
        if self._root.is_lost:
            why = "no redeal helps" if self.game.has_redeal else "there is no redeal"
            return Reason("no-move", f"No card can move and {why}.", {"states": 1})
        count = f"All {self.visited:,} positions" if self.visited > 1 else "The only position"
        verb = "were" if self.visited > 1 else "was"
        return Reason(
            "exhausted",
            f"{count} that can be reached {verb} searched, and none is won.",
            {"states": self.visited},
        )
