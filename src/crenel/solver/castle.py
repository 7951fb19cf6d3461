"""The engine for the Castle family: rows of single cards without redeal, any build rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from crenel.rules.game import Game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.solver import castle_search as search
from crenel.solver.castle_classes import open_classes, search_classes
from crenel.solver.castle_deck import (
    KEY_BITS,
    LOOSE,
    LOOSE_CODE,
    W_ANY,
    W_EMPTY,
    W_HOME,
    W_LOOSE,
    W_MADE,
    W_OWN,
    WIDTH,
    Deck,
    make_deck,
    packed,
    rooted,
)
from crenel.solver.castle_line import line_of, line_of_classes
from crenel.solver.castle_rows import scratch
from crenel.solver.engine import Status
from crenel.solver.result import Reason
from crenel.solver.table import refill

_FIRST_ROOM = 1 << 13
_LOAD = 5 / 8
_FIELDS = (W_HOME, W_OWN, W_ANY, W_EMPTY, W_MADE, W_LOOSE)
_ENDLESS = 1 << 62
PLAIN = (10, 10, 2, -3, 3, 0)
Stage = tuple[tuple[int, ...], bool, int]
SCHEDULE: tuple[Stage, ...] = (
    (PLAIN, False, 20_000),
    (PLAIN, True, 30_000),
    (PLAIN, False, 150_000),
    ((10, 10, 0, 0, 5, 0), False, 150_000),
    (PLAIN, True, 4_000_000),
)
"""Stages where cards are built down in any suit: weights, over classes or positions, and how many to visit."""


class CastleEngine:
    """An exact search engine (see :class:`crenel.solver.engine.Engine`).

    Args:
        game: A game that :meth:`supports` accepts.
        memory: Bytes that the arrays may take.
    """

    @staticmethod
    def supports(game: Game) -> bool:
        return game.redeal.limit == 0 and game.run == "single"

    def __init__(self, game: Game, memory: int) -> None:
        self.game = game
        self.visited = 0
        self.lower_bound = 0
        self._memory = memory
        self._x, self._y, self._z = scratch(), scratch(), scratch()
        self.only: Sequence[Stage] | None = None
        build = game.build
        self._by_class = build.suits == "any" and build.direction == "down" and not build.wrap
        self._decks: dict[int, Deck] = {}
        self._found = search.make_found(_FIRST_ROOM)

    def begin(self, position: Position, shortest: bool = False) -> None:
        if position.hand:
            raise ValueError("this engine takes positions without cards in hand")
        self.visited = 0
        self.lower_bound = 0
        self._piles, self._counts = position.piles, position.foundations
        # Where the first card that goes up fixes the base, a win from here is a win of the game with the base of
        # that card, and the other way round: the same moves are legal. So each base is a search of its own.
        bases = range(self.game.ranks) if position.base is None else [position.base]
        self._lost: set[int] = set()
        self._bases = list(bases)
        self._stages = [(base, *stage) for stage in self._schedule() for base in bases]
        self._stages.reverse()
        self._stage_left = 0

    def _schedule(self) -> Sequence[Stage]:
        if self.only:
            return self.only
        if self._by_class:
            return SCHEDULE
        if len(self._bases) == 1:
            return [(PLAIN, False, _ENDLESS)]
        return [(PLAIN, False, limit) for limit in (2_000, 20_000, 200_000, 2_000_000, _ENDLESS)]

    def _base_deck(self, base: int) -> Deck:
        if base not in self._decks:
            self._decks[base] = make_deck(self.game, base)
        return self._decks[base]

    def _next_stage(self) -> bool:
        """Starts the next stage of the schedule; says whether there is one."""
        while self._stages:
            base, weights, classes, limit = self._stages.pop()
            if base in self._lost:
                continue
            self._base, self._stage_left = base, limit
            self._deck = rooted(self._base_deck(base), self._piles)
            self._open(weights, classes)
            return True
        return False

    def _open(self, weights: Any, classes: bool) -> None:
        deck = self._deck
        self._classes = classes
        for field, weight in zip(_FIELDS, weights, strict=True):
            deck.scalars[field] = weight
        deck.scalars[LOOSE_CODE] = LOOSE if classes else -1
        self._grow(_FIRST_ROOM)
        if classes:
            open_classes(deck, self._found, self._x, packed(deck, self._piles))
            return
        search.open_search(deck, self._found, self._x, packed(deck, self._piles))

    def _grow(self, places: int) -> None:
        """Gives the table ``places`` places and the other arrays the room that goes with it."""
        found, width = self._found, int(self._deck.scalars[WIDTH])
        numbers = found.numbers
        numbers[search.MASK] = places - 1
        room = int(places * _LOAD)
        if len(found.link) < room:
            used = int(numbers[search.NODES])
            longer = []
            for array, each in ((found.nodes, width), (found.made, 1), (found.link, 1)):
                fresh = np.empty(room * each, array.dtype)
                fresh[: used * each] = array[: used * each]
                longer.append(fresh)
            self._found = found = found._replace(nodes=longer[0], made=longer[1], link=longer[2])
        if len(found.table) < places:
            self._found = found._replace(table=np.empty(places, np.int32))

    def step(self, budget: int) -> Status:
        goal = self.visited + budget
        while self.visited < goal:
            if self._stage_left <= 0 and not self._next_stage():
                return Status.OPEN
            found, deck = self._found, self._deck
            before = int(found.numbers[search.VISITED])
            most = min(goal - self.visited, self._stage_left)
            if self._classes:
                status = search_classes(deck, found, self._x, self._y, self._z, most)
            else:
                status = search.search(deck, found, self._x, most)
            visited = int(found.numbers[search.VISITED]) - before
            self.visited += visited
            self._stage_left -= visited
            if status == search.FULL:
                places = 2 * (int(found.numbers[search.MASK]) + 1)
                width = int(deck.scalars[WIDTH])
                if places * (_LOAD * (8 * width + 6) + 4) > self._memory:
                    self._stage_left = 0
                    continue
                self._grow(places)
                found = self._found
                refill(
                    found.table, places - 1, found.nodes, width, KEY_BITS, int(found.numbers[search.NODES])
                )
            elif status == search.WIN:
                return Status.WON
            elif status == search.EXHAUSTED:
                self._lost.add(self._base)
                self._stage_left = 0
                if len(self._lost) == len(self._bases):
                    return Status.LOST
        return Status.MORE

    def line(self) -> list[Move]:
        won = int(self._found.numbers[search.WON])
        if self._classes:
            scratches = (self._x, self._y, self._z)
            return line_of_classes(self._deck, self._found, scratches, won, self._piles, self._counts)
        return line_of(self._deck, self._x, self._found.nodes, won, self._piles, self._counts)

    def reason(self) -> Reason | None:
        return Reason("exhausted", f"All {self.visited:,} positions were searched.", {"states": self.visited})
