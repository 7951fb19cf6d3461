"""Positions for simulated players, who play millions of moves: the cards and the moves, without history or reasons.

``rules`` stays the only authority. What fits where is asked of it once per game, the start of each game is its
position, and the tests compare moves and layouts with it, move by move.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import TypeAlias

from crenel.rules.cards import SUITS, Card, card_rank, card_suit, make_card
from crenel.rules.game import PACKET, Game
from crenel.rules.moves import FOUNDATION, HAND, REDEAL, Move
from crenel.rules.position import Position

Pile: TypeAlias = tuple[Card, ...]
Step: TypeAlias = tuple[int, int, int]
"""A move as source, target and count, with the numbers of :class:`crenel.Move`."""

REDEAL_STEP: Step = (REDEAL.source, REDEAL.target, REDEAL.count)
_NONE = -1
"""Stands where a foundation takes no more cards."""


class Chart:
    """What never changes in a game: where each card fits.

    Attributes:
        targets: For each card the cards that it may lie on.
        after: For each card the one that follows it on its foundation, or -1.
        turns: For each rank of the bases, and then for each card, its place on its foundation, from 0.
    """

    def __init__(self, game: Game) -> None:
        asked = Position(game, [])
        self.game = game
        self.targets = tuple(
            tuple(target for target in range(game.cards) if asked.fits(card, target))
            for card in range(game.cards)
        )
        self.after = tuple(self._after(card) for card in range(game.cards))
        down = game.foundation.base == "K"
        self.turns = tuple(
            tuple(
                (base - card_rank(card) if down else card_rank(card) - base) % game.ranks
                for card in range(game.cards)
            )
            for base in range(game.ranks)
        )
        self.is_run = game.run == "run"
        self.fills_empty = game.empty == "any"
        self.when_stuck = game.redeal.when == "when-stuck"
        # Where nothing is ever redealt, the order of the piles means nothing.
        self.has_order = game.has_redeal

    def _after(self, card: Card) -> Card:
        rank, suit, game = card_rank(card), card_suit(card), self.game
        if game.foundation.base == "K":
            return make_card(rank - 1, suit) if rank else _NONE
        if game.foundation.base == "first":  # the base that follows last is up already
            return make_card((rank + 1) % game.ranks, suit)
        return make_card(rank + 1, suit) if rank + 1 < game.ranks else _NONE


chart_of = lru_cache(maxsize=8)(Chart)
"""The chart of a game."""


class Quick:
    """One position.

    Attributes:
        chart: The chart of its game.
        piles: The cards of each pile, bottom to top.
        wanted: The card that each foundation takes next, or -1; ``None`` while the first card played will decide.
        hand: The cards still to be placed, next first.
        redeals_left: How many redeals are left, or ``None`` where they are not limited.
        turns: For each card its place on its foundation, from 0; counted from the ace while no base is known.
    """

    __slots__ = ("chart", "hand", "piles", "redeals_left", "turns", "wanted")

    def __init__(
        self,
        chart: Chart,
        piles: list[Pile],
        wanted: list[Card] | None,
        hand: Pile,
        redeals_left: int | None,
        turns: tuple[int, ...],
    ) -> None:
        self.chart = chart
        self.piles = piles
        self.wanted = wanted
        self.hand = hand
        self.redeals_left = redeals_left
        self.turns = turns

    @classmethod
    def of(cls, position: Position) -> Quick:
        """The same position.

        Args:
            position: Any position of the rules.
        """
        wanted: list[Card] | None = None
        if position.base is not None:
            ranks = [position.wanted_rank(suit) for suit in range(SUITS)]
            wanted = [_NONE if rank is None else make_card(rank, suit) for suit, rank in enumerate(ranks)]
        chart = chart_of(position.game)
        turns = chart.turns[position.base or 0]
        return cls(chart, list(position.piles), wanted, position.hand, position.redeals_left, turns)

    def copy(self) -> Quick:
        """An independent position."""
        wanted = None if self.wanted is None else self.wanted[:]
        return Quick(self.chart, self.piles[:], wanted, self.hand, self.redeals_left, self.turns)

    @property
    def key(self) -> Hashable:
        """Equal for two positions of one game exactly when they have the same futures."""
        if self.chart.has_order:
            return (*self.piles, self.hand, self.redeals_left)
        return (*sorted(self.piles), self.hand)

    @property
    def left(self) -> int:
        """How many cards are not on the foundations."""
        return sum(map(len, self.piles)) + len(self.hand)

    @property
    def is_won(self) -> bool:
        """Whether all cards are on the foundations."""
        return not any(self.piles) and not self.hand

    def card_moves(self) -> list[Step]:
        """The legal moves of cards, those to foundations first; only placings while cards are in hand."""
        chart, piles = self.chart, self.piles
        if self.hand:
            sizes = chart.game.piles.sizes
            return [(HAND, place, 1) for place, pile in enumerate(piles) if len(pile) < sizes[place]]
        tops = {pile[-1]: place for place, pile in enumerate(piles) if pile}
        wanted = self.wanted
        moves = [(source, FOUNDATION, 1) for card, source in tops.items() if wanted is None or card in wanted]
        targets = chart.targets
        empty = [place for place, pile in enumerate(piles) if not pile] if chart.fills_empty else ()
        for card, source in tops.items():
            for target in targets[card]:
                if target in tops:
                    moves.append((source, tops[target], 1))
            if empty:
                moves += [(source, target, 1) for target in empty]
            if chart.is_run:
                pile = piles[source]
                count = 1
                while count < len(pile) and pile[-count - 1] in targets[pile[-count]]:
                    count += 1
                    head = pile[-count]
                    moves += [
                        (source, tops[target], count)
                        for target in targets[head]
                        if target in tops and tops[target] != source
                    ]
                    moves += [(source, target, count) for target in empty]
        return moves

    def play(self, step: Step) -> None:
        """Makes a move that is known to be legal."""
        source, target, count = step
        piles = self.piles
        if source >= 0:
            pile = piles[source]
            piles[source] = pile[:-count]
            if target == FOUNDATION:
                card = pile[-1]
                after = self.chart.after
                if self.wanted is None:  # all foundations begin with the rank of this card
                    base = card_rank(card)
                    self.wanted = [make_card(base, suit) for suit in range(SUITS)]
                    self.turns = self.chart.turns[base]
                self.wanted[card_suit(card)] = after[card]
            else:
                piles[target] += pile[-count:]
        elif source == HAND:
            piles[target] += self.hand[:1]
            self.hand = self.hand[1:]
        else:
            self.redeal()

    def redeal(self) -> None:
        """Collects the piles in order and deals them again."""
        piles, order, count = self.piles, self.chart.game.redeal.order, len(self.piles)
        cards: list[Card] = []
        if order == "top-down":
            for pile in piles:
                cards += pile[::-1]
            dealt = [tuple(cards[first : first + PACKET][::-1]) for first in range(0, len(cards), PACKET)]
        else:
            for pile in piles:
                cards += pile
            if order == "one-by-one":
                dealt = [tuple(cards[place::count]) for place in range(count)]
            else:
                dealt = [tuple(cards[first : first + PACKET]) for first in range(0, len(cards), PACKET)]
        self.piles = dealt + [()] * (count - len(dealt))
        if self.redeals_left is not None:
            self.redeals_left -= 1

    def redealt(self, can_move: bool) -> Quick | None:
        """The position after a redeal now, or ``None`` when there is no legal one.

        Args:
            can_move: Whether a card can move.
        """
        chart = self.chart
        if (
            not chart.game.has_redeal
            or self.hand
            or self.redeals_left == 0
            or (can_move and chart.when_stuck)
        ):
            return None
        after = self.copy()
        after.redeal()
        return None if after.piles == self.piles else after


def as_move(step: Step) -> Move:
    """The move of the rules."""
    return Move(*step)
