"""The search while cards are still to be placed by hand: beams over placings, complete layouts solved by kernels.

A beam keeps the most promising ways of placing the next cards; the layouts it ends with are solved one after the
other by the engine for laid-out positions. Beams get wider until one of them holds every way of placing: then
its verdict is exact. Before that only a win is an answer.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

from crenel.rules.cards import SUITS, Card, card_rank, card_suit
from crenel.rules.game import Game
from crenel.rules.moves import HAND, Move
from crenel.rules.position import Position
from crenel.solver.engine import Engine, Status

ROUNDS = ((16, 4_000), (64, 20_000), (256, 100_000), (1024, 500_000), (8192, 2_000_000))
"""Width of the beam and visited positions for each of its layouts, round by round."""
_ABOVE_OWN, _ABOVE_ANY, _FITS = 10, 2, -1
"""Weights of a placed card above an earlier one of its suit, above any earlier one, and on a card that it fits."""

Piles = tuple[tuple[Card, ...], ...]


class _Way(NamedTuple):
    """One way of placing the first cards of the hand."""

    score: int
    piles: Piles
    targets: tuple[int, ...]


def laid_out_engine(game: Game, memory: int) -> Engine:
    """The engine for positions of a game dealt by hand once all cards lie."""
    from crenel.solver.castle import CastleEngine
    from crenel.solver.royal import RoyalEngine

    return CastleEngine(game, memory) if CastleEngine.supports(game) else RoyalEngine(game, memory)


class Placing:
    """A resumable search over ways of placing; it has the shape of an engine's search of one position.

    Args:
        position: Cards in hand, and room for them.
        engine: For the laid-out positions.

    Attributes:
        visited: Ways of placing looked at and positions visited by the engine.
        layouts: Different laid-out positions of the widest beam so far.
    """

    def __init__(self, position: Position, engine: Engine) -> None:
        self.visited = 0
        self.layouts = 0
        self._start = position.copy()
        self._engine = engine
        self._lost: set[Hashable] = set()
        self._complete = False
        self._won: _Way | None = None
        self._given_up = Status.OPEN
        self._work = self._run()

    def step(self, budget: int) -> Status:
        goal = self.visited + budget
        for status in self._work:
            if status is not Status.MORE or self.visited >= goal:
                return status
        return self._given_up

    @property
    def has_win(self) -> bool:
        """Whether :meth:`line` has a win to give."""
        return self._won is not None

    def line(self) -> list[Move]:
        assert self._won is not None
        return [Move(HAND, target) for target in self._won.targets] + self._engine.line()

    def _run(self) -> Iterator[Status]:
        """All rounds; yields after each piece of work."""
        for width, visits in ROUNDS:
            ways: list[_Way] = []
            for kept in self._beam(width):
                ways = kept
                yield Status.MORE
            self.layouts = len(ways)
            undecided = False
            for way in ways:
                if self._fold(way.piles) in self._lost:
                    continue
                status = Status.MORE
                for reached in self._solve(way, visits if not self._complete else None):
                    status = reached
                    yield Status.MORE
                if status is Status.WON:
                    self._won = way
                    yield Status.WON
                    return
                if status is Status.LOST:
                    self._lost.add(self._fold(way.piles))
                else:
                    undecided = True
                    if status is Status.FULL:
                        self._given_up = Status.FULL
            if self._complete:
                yield self._given_up if undecided else Status.LOST
                return
        yield self._given_up

    def _solve(self, way: _Way, visits: int | None) -> Iterator[Status]:
        """Solves one laid-out position; the last status says how it ended (MORE: at the limit)."""
        start, engine = self._start, self._engine
        laid = Position(start.game, way.piles, start.foundations, base=start.base)
        engine.begin(laid)
        before, status = self.visited, Status.MORE
        while status is Status.MORE and (visits is None or engine.visited < visits):
            status = engine.step(2_000 if visits is None else min(2_000, visits - engine.visited))
            self.visited = before + engine.visited
            yield status

    def _beam(self, width: int) -> Iterator[list[_Way]]:
        """Yields the best ways after each card; sets whether none was ever left out."""
        start = self._start
        sizes = start.game.piles.sizes
        ways = [_Way(0, start.piles, ())]
        self._complete = True
        for card in start.hand:
            following: dict[Hashable, _Way] = {}
            for way in ways:
                for target, pile in enumerate(way.piles):
                    if len(pile) >= sizes[target]:
                        continue
                    piles = (*way.piles[:target], (*pile, card), *way.piles[target + 1 :])
                    score = way.score + self._price(card, pile)
                    key = self._fold(piles)
                    if key not in following or score < following[key].score:
                        following[key] = _Way(score, piles, (*way.targets, target))
                    self.visited += 1
            ways = sorted(following.values())
            if len(ways) > width:
                del ways[width:]
                self._complete = False
            yield ways

    def _fold(self, piles: Piles) -> Hashable:
        """A key of placed cards, without the order of the piles where that cannot matter.

        Why this is sound: without redeals piles are told apart only by the room they have for cards in hand, so a
        pile goes with its size; else two ways whose piles are a permutation of each other have the same future.
        """
        if self._start.game.has_redeal:
            return piles
        return tuple(sorted(zip(self._start.game.piles.sizes, piles, strict=True)))

    def _price(self, card: Card, pile: tuple[Card, ...]) -> int:
        """What placing a card on a pile adds to the score."""
        price = 0
        order = self._order(card)
        if any(self._order(other) < order and card_suit(other) == card_suit(card) for other in pile):
            price += _ABOVE_OWN
        if any(self._order(other) < order for other in pile):
            price += _ABOVE_ANY
        if pile and self._start.fits(card, pile[-1]):
            price += _FITS
        return price

    def _order(self, card: Card) -> int:
        """How many cards of its suit go up before a card; 0 while no base is fixed."""
        game, base = self._start.game, self._start.base
        if base is None:
            return 0
        if game.foundation.base == "K":
            return game.ranks - 1 - card_rank(card)
        return (card_rank(card) - base) % (game.cards // SUITS)
