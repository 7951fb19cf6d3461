"""The compiled engine for every rule set that is dealt out: step-by-step best-first search, redeals as moves.

It was made for the Royal Family games and is general: any build rule, single cards or runs, any redeal. No
card goes up by itself: where cards are built upwards, or a redeal can follow, it may be missed later.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

import numpy as np

from crenel.rules.cards import card_name
from crenel.rules.game import PACKET, Game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.solver import royal_search as search
from crenel.solver.engine import Objective, Status
from crenel.solver.frozen_reason import frozen_reason
from crenel.solver.result import Reason
from crenel.solver.royal_dead import frozen
from crenel.solver.royal_kernels import load
from crenel.solver.royal_layout import (
    CEILING,
    LAYOUT_SHAPE,
    ROW_BYTES,
    W_ANY,
    W_EMPTY,
    W_HOME,
    W_MADE,
    W_OWN,
    card_tables,
    decode,
    key_weights,
    pack,
    rules_array,
)
from crenel.solver.table import reserved, room_in

_FIRST_PLACES = 1 << 14
_NODE_BYTES = 16 + 8 + 4
_MOST_MEMORY = _NODE_BYTES << 31
"""With no more than this the numbers of positions stay within 31 bits."""
_CACHE_ROWS = 1 << 14
_LONGEST = 1 << 16
"""Moves between a position and the nearest position above it whose layout is cached."""

_WEIGHTS = {W_HOME: 11, W_OWN: 20, W_ANY: 4, W_EMPTY: -6, W_MADE: 9}
"""Weights of the order of the search (chosen on Royal Family ms:101-200); moves to a foundation cost nothing."""
_BOUND_WEIGHTS = {W_OWN: 1, W_MADE: 1}
"""With these the score counts the cards that the bound is made of."""
_SHORTER = (13, 18, 25, 35, 50, 70, 100)
"""Heavier weights of a move made, tried one after the other for a win that wanders less."""
_SHORTER_VISITS = 40_000
"""Positions that may be visited in all to shorten a win (besides as many as finding it took)."""
_TAILS = (0, 4, 2, 6, 1, 5, 3, 7)
"""After the whole line these eighths of it are left as they are, and only the rest is shortened."""


class RoyalEngine:
    """Weighted best-first search, or A* over the cost, for any game once its cards lie on the piles.

    Attributes:
        prune: Whether positions with a frozen prefix are left out; false visits all that can be reached.
        shorten: Whether :meth:`line` looks for a win that costs less than the first one found.
    """

    objectives: ClassVar[tuple[Objective, ...]] = ("cost",)

    @staticmethod
    def supports(game: Game) -> bool:
        """Every game; of a game that is dealt by hand only positions with an empty hand."""
        return True

    def __init__(self, game: Game, memory: int) -> None:
        self.game = game
        self.visited = 0
        self.lower_bound = 0
        self.prune = True
        self.shorten = True
        redeal = game.redeal
        self._freezes = (
            game.has_redeal and redeal.order != "one-by-one" and game.run == "single" and game.empty == "none"
        )
        self._tables = card_tables(game)
        self._weights = key_weights()
        self._lays = np.zeros((2, *LAYOUT_SHAPE), dtype=np.int64)
        piles = len(game.piles.sizes)
        # A wrapping run may be longer than the ranks.
        longest = 1 if game.run == "single" else game.cards if game.build.wrap else game.ranks
        # A move for each pile, target and length of run; one more per pile going up; the redeal.
        self._kids = np.zeros((piles * (piles - 1) * longest + piles + 1, 5), dtype=np.int64)
        self._rows = np.zeros((_CACHE_ROWS + 1, ROW_BYTES), dtype=np.uint8)
        self._owners = np.zeros(_CACHE_ROWS, dtype=np.int64)
        self._path = np.zeros(_LONGEST, dtype=np.int64)
        self._queue = np.zeros(search.PRIORITIES, dtype=np.int32)
        self._run = np.zeros(8, dtype=np.int64)
        most = min(memory, _MOST_MEMORY)
        arrays = reserved(most, _NODE_BYTES, _FIRST_PLACES, search.make_arrays)
        self._keys, self._links, self._following, self._store = arrays
        self._table = self._store
        self._win: list[Move] | None = None
        self._won_key: Hashable = None
        self._root: Position | None = None

    def begin(self, position: Position, fewest: Objective | None = None) -> None:
        if position.hand:
            raise ValueError("this engine takes positions without cards in hand")
        self.visited = 0
        self.lower_bound = 0
        self._root = position.copy()
        self._shortest = fewest is not None
        ceiling = search.NO_CEILING
        if self._win is not None and self._shortest and self._won_key == position.key:
            # The win found before is at hand: only cheaper ones are looked for.
            ceiling = _cost(self._win)
            self._shortened = True
        else:
            self._win = None
        self._open(self._root, _WEIGHTS[W_MADE], ceiling)

    def _open(self, start: Position, made: int, ceiling: int) -> None:
        """Starts a search from ``start`` for wins that cost less than ``ceiling``."""
        self._rules = rules_array(self.game, self._shortest, self.prune and self._freezes)
        for field, weight in (_BOUND_WEIGHTS if self._shortest else _WEIGHTS | {W_MADE: made}).items():
            self._rules[field] = weight
        self._rules[CEILING] = ceiling
        self._give_places(_FIRST_PLACES)
        self._queue[:] = -1
        self._owners[:] = -1
        pack(start, self._rows[_CACHE_ROWS])
        search.open_root(
            self._rules, self._tables, self._weights, self._lays, self._rows, self._keys, self._links,
            self._table, self._queue, self._following, self._run,
        )  # fmt: skip

    def _give_places(self, places: int) -> None:
        """Gives the table ``places`` places, all free, and the search the room that goes with it."""
        self._table = self._store[:places]
        self._table[:] = -1
        self._most = room_in(places)

    def step(self, budget: int) -> Status:
        status = self._visit(budget)
        self.visited = int(self._run[search.VISITED])
        if self._shortest:
            self.lower_bound = int(self._run[search.BEST])
        if status is Status.LOST and self._shortest and self._win is not None:
            # Nothing is cheaper than the win that is known.
            self.lower_bound = _cost(self._win)
            return Status.WON
        if status is Status.WON:
            self._win = self._traced()
            if self._shortest:
                self.lower_bound = _cost(self._win)
            self._shortened = self._shortest
        return status

    def _visit(self, budget: int) -> Status:
        """Visits positions of the open search; makes more room when it is used up."""
        goal = int(self._run[search.VISITED]) + budget
        while True:
            left = goal - int(self._run[search.VISITED])
            if left <= 0:
                return Status.MORE
            status = search.search(
                self._rules, self._tables, self._weights, self._lays, self._kids, self._rows, self._owners,
                self._path, self._keys, self._links, self._following, self._table, self._queue, self._run,
                self._most, left,
            )  # fmt: skip
            if status == search.WIN:
                return Status.WON
            if status == search.EXHAUSTED:
                return Status.LOST
            if status == search.DEEP:
                return Status.OPEN
            if status == search.FULL:
                size = 2 * len(self._table)
                if size > len(self._store):
                    return Status.FULL
                self._give_places(size)
                search.refill(self._keys, self._links, self._table, int(self._run[search.NODES]))

    def _traced(self) -> list[Move]:
        """The moves to the won position; each link holds the move as it was made, so they are legal as they are."""
        moves: list[Move] = []
        node = int(self._run[search.WON])
        while node > 0:
            link = int(self._links[node])
            moves.append(decode(link & 0xFFFF))
            node = link >> 32 & 0x7FFFFFFF
        moves.reverse()
        return moves

    @property
    def has_win(self) -> bool:
        return self._win is not None

    def line(self) -> list[Move]:
        assert self._win is not None and self._root is not None
        if self.shorten and not self._shortened:
            self._shorten(self._win, self._root)
        self._won_key = self._root.key
        return list(self._win)

    def _shorten(self, win: list[Move], root: Position) -> None:
        """Looks for wins of less cost: from the start, then from positions on the line, with heavier moves."""
        self._shortened = True
        left = _SHORTER_VISITS + self.visited
        for eighths in _TAILS:
            kept = len(win) * eighths // 8
            start = root.copy()
            for move in win[:kept]:
                start.push(move)
            for made in _SHORTER:
                if left <= 0:
                    break
                self._open(start, made, _cost(win[kept:]))
                status = self._visit(min(left, _SHORTER_VISITS // 2))
                left -= int(self._run[search.VISITED])
                if status is not Status.WON:
                    break
                tail = self._traced()
                if _cost(tail) < _cost(win[kept:]):
                    win[kept:] = tail

    def reason(self) -> Reason | None:
        root = self._root
        assert root is not None
        if root.is_lost:
            why = "no redeal helps" if self.game.has_redeal else "there is no redeal"
            return Reason("no-move", f"No card can move and {why}.", {"states": 1})
        if self.prune and self._freezes:
            load(self._rules, self._rows[_CACHE_ROWS], self._lays[0])
            size = frozen(self._rules, self._tables, self._lays[0])
            if size:
                # In mid-cycle the layout is not yet what a redeal makes of it, so it cannot be told pile by pile.
                return frozen_reason(root) or _frozen_reason(root, size)
        count = f"All {self.visited:,} positions" if self.visited > 1 else "The only position"
        verb = "were" if self.visited > 1 else "was"
        return Reason(
            "exhausted",
            f"{count} that can be reached {verb} searched, and none is won.",
            {"states": self.visited},
        )


def _cost(moves: list[Move]) -> int:
    """Tableau moves and redeals of a line."""
    return sum(move.is_tableau or move.is_redeal for move in moves)


def _frozen_reason(position: Position, size: int) -> Reason:
    """The frozen prefix of ``size`` cards in words; see ``royal_dead.frozen`` for what it is."""
    top_down = position.game.redeal.order == "top-down"
    cards: list[int] = []
    tops: list[int] = []
    for pile in position.piles:
        part = (pile[::-1] if top_down else pile)[: min(PACKET, size - len(cards))]
        if part:
            cards += part
            tops.append(part[0] if top_down else part[-1])
        if len(cards) == size:
            break
    names, top_names = [card_name(card) for card in cards], [card_name(card) for card in tops]
    return Reason(
        "frozen-prefix",
        f"The first {size} cards of every redeal stay the same for ever: {' '.join(names)}. Their top cards "
        f"({' '.join(top_names)}) cannot go up, because lower cards of their suits lie among the first {size}; "
        f"they have nowhere to go, because every card they would fit on is covered there; and no card can be put "
        f"on them, because every card that fits is covered there as well.",
        {"cards": names, "tops": top_names, "states": 1},
    )
