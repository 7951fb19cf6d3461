"""The engine for the Castle family: rows of single cards without redeal, any build rule.

Three searches share its arrays: over positions (``castle_search``), over classes of positions (``castle_classes``) and
for the shortest win (``castle_shortest``). A schedule says which is tried when and for how long; each is
exhaustive, so each may prove a loss. A win that was found is made shorter for a moment before it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any, ClassVar, NamedTuple

from crenel.rules.game import Game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.solver import castle_search as search
from crenel.solver import castle_shortest as shortest_search
from crenel.solver.castle_classes import open_classes, search_classes
from crenel.solver.castle_deck import (
    KEY_BITS,
    LOOSE,
    LOOSE_CODE,
    NO_CARD,
    W_ANY,
    W_EMPTY,
    W_HOME,
    W_LOOSE,
    W_MADE,
    W_OWN,
    WIDTH,
    Deck,
    has_classes,
    inner_card,
    make_deck,
    packed,
    rooted,
)
from crenel.solver.castle_line import copied_path, line_of, line_of_classes
from crenel.solver.castle_reason import reason_of
from crenel.solver.castle_rows import scratch
from crenel.solver.engine import Objective, Status
from crenel.solver.result import Reason
from crenel.solver.table import refill, reserved, room_in

_FIRST_PLACES = 1 << 13
_NODE_BYTES = 6
"""Bytes of a position besides its key: cost and queue."""
_ENDLESS = 1 << 62
_FIELDS = (W_HOME, W_OWN, W_ANY, W_EMPTY, W_MADE, W_LOOSE)


class Kind(Enum):
    """What a stage searches."""

    POSITIONS = "positions"
    CLASSES = "classes"
    SHORTEST = "shortest"


class Stage(NamedTuple):
    """One stage of the schedule.

    Attributes:
        kind: What is searched.
        limit: How many positions (classes) are visited before the next stage begins.
        weights: Of a card not up, above an earlier one of its suit, above any earlier one; of an empty row; of
            a move made; of a loose card. For a shortest win: the weight of the bound as a fraction.
    """

    kind: Kind
    limit: int
    weights: tuple[int, ...]


_FIRST = (10, 10, 4, -3, 5, 0)
_PLAIN = (10, 10, 2, -3, 3, 0)
_DEEP = (10, 10, 0, 0, 5, 0)
_CLASSES = (10, 10, 4, -3, 4, 5)
SCHEDULE = (
    Stage(Kind.POSITIONS, 10_000, _FIRST),
    Stage(Kind.CLASSES, 40_000, _CLASSES),
    Stage(Kind.POSITIONS, 150_000, _DEEP),
    Stage(Kind.POSITIONS, 150_000, _PLAIN),
    Stage(Kind.CLASSES, 400_000, _PLAIN),
    Stage(Kind.CLASSES, 2_000_000, _CLASSES),
)
"""Where cards are built in any suit. The stages differ in what they find hard, so the worst deals are not so bad."""
SHORT = Stage(Kind.SHORTEST, _ENDLESS, (1, 1))
SHORTEN = (Stage(Kind.SHORTEST, 4_000, (4, 1)), Stage(Kind.SHORTEST, 20_000, (2, 1)))
"""What is spent at most on making a first win shorter."""
NO_WIN = 1 << 14
_DEAREST = search.PRIORITIES // shortest_search.BOUNDS - 1
"""Searches for the shortest win look only at wins below this cost."""


class CastleEngine:
    """An exact search engine (see :class:`crenel.solver.engine.Engine`).

    Args:
        game: A game that :meth:`supports` accepts.
        memory: Bytes that the arrays may take.

    Attributes:
        lower_bound: A proved lower bound of the cost of any win (in a search for the shortest one).
        schedule: The stages to go through, in order.
    """

    objectives: ClassVar[tuple[Objective, ...]] = ("cost",)

    @staticmethod
    def supports(game: Game) -> bool:
        """Games of single cards without redeal; of a game dealt by hand only positions with all cards laid."""
        return game.redeal.limit == 0 and game.run == "single"

    def __init__(self, game: Game, memory: int) -> None:
        self.game = game
        self.visited = 0
        self.lower_bound = 0
        self.schedule = SCHEDULE if has_classes(game) else (Stage(Kind.POSITIONS, _ENDLESS, _FIRST),)
        self.shorten: tuple[Stage, ...] = SHORTEN
        self._memory = memory
        self._y, self._z = scratch(), scratch()
        self._decks: dict[int, tuple[Deck, Any]] = {}
        self._found = search.make_found(0, 0, 0)

    def begin(self, position: Position, fewest: Objective | None = None) -> None:
        if position.hand:
            raise ValueError("this engine takes positions without cards in hand")
        self.visited = 0
        self.lower_bound = 0
        game = self.game
        self._piles = tuple(tuple(inner_card(game, card) for card in pile) for pile in position.piles)
        self._counts = position.foundations
        # Where the first card that goes up fixes the base, a win from here is a win of the game with the base of
        # that card, and the other way round: the same moves are legal. So each base is a search of its own.
        self._bases = list(range(game.ranks)) if position.base is None else [position.base]
        self._bounds = dict.fromkeys(self._bases, 0)
        self._lost: set[int] = set()
        self._shortest = fewest is not None
        self._stages = self._plan()
        self._short_of_memory = False
        self._stage: Stage | None = None
        self._line: list[Move] | None = None
        self._rooted: dict[int, tuple[Deck, Any]] = {}
        self._cost = NO_WIN
        self._reason: Reason | None = None

    def _plan(self) -> Iterator[tuple[int, Stage]]:
        """Bases and stages in the order in which they are tried."""
        if self._shortest:
            schedule: tuple[Stage, ...] = (SHORT,)
        elif len(self._bases) == 1:
            schedule = self.schedule
        else:
            # One base may be far easier than another: all get a little before any gets much.
            limits = (500, 5_000, 50_000, 500_000, _ENDLESS)
            schedule = tuple(self.schedule[-1]._replace(limit=limit) for limit in limits)
        for stage in schedule:
            for base in self._bases:
                if base not in self._lost:
                    yield base, stage

    def _base_deck(self, base: int) -> tuple[Deck, Any]:
        """The tables for a base and the scratch array that goes with them."""
        if base not in self._decks:
            deck = make_deck(self.game, base)
            self._decks[base] = deck, shortest_search.bound_scratch(deck.order, self.game.cards)
        return self._decks[base]

    def _open(self, base: int, stage: Stage) -> None:
        """Starts a stage with empty arrays."""
        self._base, self._stage, self._left = base, stage, stage.limit
        deck, self._x = self._base_deck(base)
        if base not in self._rooted:
            deck = rooted(deck, self._piles)
            self._rooted = {base: (deck, packed(deck, self._piles))}
        deck, root = self._rooted[base]
        self._deck = deck
        weights = (0, 1, 0, 0, 0, 0) if stage.kind is Kind.SHORTEST else stage.weights
        for field, weight in zip(_FIELDS, weights, strict=True):
            deck.scalars[field] = weight
        deck.scalars[LOOSE_CODE] = LOOSE if stage.kind is Kind.CLASSES else NO_CARD
        if len(self._found.table) == 0:
            width = int(deck.scalars[WIDTH])
            self._found = reserved(
                self._memory,
                8 * width + _NODE_BYTES,
                _FIRST_PLACES,
                lambda places: search.make_found(places, room_in(places), width),
            )
        self._give_places(_FIRST_PLACES)
        if stage.kind is Kind.CLASSES:
            open_classes(deck, self._found, self._x, root)
        elif stage.kind is Kind.SHORTEST:
            shortest_search.open_shortest(deck, self._found, self._x, root, *stage.weights)
        else:
            search.open_search(deck, self._found, self._x, root)

    def _give_places(self, places: int) -> None:
        """Gives the table ``places`` places and the search the room that goes with it."""
        self._found.numbers[search.MASK] = places - 1
        self._found.numbers[search.ROOM] = room_in(places)

    def _double(self) -> bool:
        """Doubles the room of the running stage; false when the memory does not allow it."""
        deck, found = self._deck, self._found
        places = 2 * (int(found.numbers[search.MASK]) + 1)
        if places > len(found.table):
            return False
        self._give_places(places)
        if self._stage is not None and self._stage.kind is Kind.SHORTEST:
            shortest_search.refill_shortest(deck, found)
        else:
            width, nodes = int(deck.scalars[WIDTH]), int(found.numbers[search.NODES])
            refill(found.table, places - 1, found.nodes, width, KEY_BITS, nodes)
        return True

    def _visit(self, budget: int) -> int:
        """Runs the kernel of the stage once."""
        assert self._stage is not None
        deck, found, kind = self._deck, self._found, self._stage.kind
        before = int(found.numbers[search.VISITED])
        most = min(budget, self._left)
        if kind is Kind.CLASSES:
            status = search_classes(deck, found, self._x, self._y, self._z, most)
        elif kind is Kind.SHORTEST:
            over, under = self._stage.weights
            status = shortest_search.search_shortest(deck, found, self._x, most, self._most(), over, under)
        else:
            status = search.search(deck, found, self._x, most)
        visited = int(found.numbers[search.VISITED]) - before
        self.visited += visited
        self._left -= visited
        return int(status)

    def step(self, budget: int) -> Status:
        goal = self.visited + budget
        while self.visited < goal:
            if self._stage is None or self._left <= 0:
                following = next(self._stages, None)
                if following is None:
                    return self._ended()
                self._open(*following)
            status = self._visit(goal - self.visited)
            if self._shortest:
                self._note_bound(status)
            if status == search.FULL:
                if not self._double():
                    self._left, self._short_of_memory = 0, True
            elif status == search.WIN:
                self._keep_line()
                if not self._shortest:
                    self._make_shorter()
                    return Status.WON
                self._stage = None
            elif status == search.EXHAUSTED:
                self._lost.add(self._base)
                if not self._shortest and len(self._lost) == len(self._bases):
                    self._reason = self._why_lost()
                    return Status.LOST
                self._stage = None
        return Status.MORE

    def _ended(self) -> Status:
        """How things stand at the end of the schedule."""
        if self._shortest and min(self._bounds.values()) >= self._cost:
            return Status.WON if self._cost < NO_WIN else Status.LOST
        return Status.FULL if self._short_of_memory else Status.OPEN

    @property
    def has_win(self) -> bool:
        return self._cost < NO_WIN

    def _most(self) -> int:
        """The dearest win that is still looked for: a cheaper one than the best, and one that the queue can hold."""
        return min(self._cost, _DEAREST) - 1

    def _note_bound(self, status: int) -> None:
        """Keeps what the search for the shortest win has proved of this base and of all."""
        if status == search.EXHAUSTED:
            self._bounds[self._base] = self._most() + 1
        else:
            proved = int(self._found.numbers[search.LOWEST]) // shortest_search.BOUNDS
            self._bounds[self._base] = max(self._bounds[self._base], proved)
        bound = min(self._bounds.values())
        self.lower_bound = 0 if bound == NO_WIN else bound

    def _keep_line(self) -> None:
        """Keeps the win that the running stage has found, if it is the shortest so far; lines come later."""
        assert self._stage is not None
        deck, found, won = self._deck, self._found, int(self._found.numbers[search.WON])
        if self._stage.kind is Kind.CLASSES:
            # A move of classes may be many real ones, so only the line tells the cost.
            scratches = (self._x, self._y, self._z)
            line = line_of_classes(deck, found, scratches, won, self._piles, self._counts)
            cost = sum(move.is_tableau for move in line)
            if cost < self._cost:
                self._line, self._cost = line, cost
            return
        # Exact in a search for the shortest; else moves up that were not made at once are counted as well.
        cost = int(found.made[won])
        if cost < self._cost:
            self._line, self._cost = None, cost
            self._path = deck, self._x, copied_path(deck, found.nodes, won)

    def _make_shorter(self) -> None:
        """Looks for shorter wins for a moment, first greedily, then more carefully."""
        effort = self.visited
        for stage in self.shorten:
            if self._cost < 2:
                return
            # A win that was found at once is not worth much more time than the finding took.
            self._open(self._base, stage._replace(limit=min(stage.limit, 200 + effort // 4)))
            while self._left > 0:
                status = self._visit(self._left)
                if status == search.WIN:
                    self._keep_line()
                if status != search.FULL or not self._double():
                    break

    def line(self) -> list[Move]:
        if self._line is None:
            deck, x, nodes = self._path
            deck.scalars[LOOSE_CODE] = NO_CARD
            self._line = line_of(deck, x, nodes, self._piles, self._counts)
        return self._line

    def reason(self) -> Reason | None:
        return self._reason

    def _why_lost(self) -> Reason:
        stage = self._stage
        by_class = stage is not None and stage.kind is Kind.CLASSES
        visited = int(self._found.numbers[search.VISITED]) if len(self._bases) == 1 else self.visited
        return reason_of(self.game, self._deck, self._x, self._piles, visited, len(self._bases), by_class)
