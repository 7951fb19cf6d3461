"""From found positions to the moves of a win: which card moved where, and what went up by itself."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from crenel.rules.moves import FOUNDATION, Move
from crenel.solver._jit import kernel
from crenel.solver.castle_classes import ASIDE, CHOICE, FROZEN, IN_ROW, QUEUE, expand
from crenel.solver.castle_deck import BASE, KEY_BITS, NO_CARD, WIDTH, Deck
from crenel.solver.castle_loose import unpack_class
from crenel.solver.castle_rows import (
    CODE,
    KEY,
    LENGTH,
    LOOSE_SET,
    MOVES,
    PRESENT,
    ROW,
    UP,
    list_moves,
    make,
    take_back,
    unpack,
)

_EMPTY_ROW, _FOUNDATION = 62, 63
_TO_FOUNDATION, _ONTO = 0, 1


@kernel
def step_between(deck: Any, x: Any, nodes: Any, parent: int, child: int) -> int:
    """The move between two positions: card plus 64 times the card (or place) it went to; -1 if there is none.

    The scratch array is left with the second position.
    """
    width = deck.scalars[WIDTH]
    unpack(deck, x, nodes, parent * width)
    # A card that goes up and one that moves may lead to the same position, when all goes up afterwards: the first
    # kind costs nothing, so it is tried first.
    moves = list_moves(deck, x)
    for i in range(2 * moves):
        row, target = x[MOVES + 2 * (i % moves)], x[MOVES + 2 * (i % moves) + 1]
        if (target == UP) != (i < moves):
            continue
        card = x[ROW + 64 * row + x[LENGTH + row] - 1]
        goal = _FOUNDATION
        if target != UP:
            goal = _EMPTY_ROW
            if x[LENGTH + target] > 0:
                goal = x[ROW + 64 * target + x[LENGTH + target] - 1]
        make(deck, x, row, target)
        same = True
        for word in range(width):
            mask = KEY_BITS if word == width - 1 else -1
            same &= (x[KEY + word] ^ nodes[child * width + word]) & mask == 0
        if same:
            return int(card + 64 * goal)
        take_back(deck, x, row, target)
    return -1


def path(deck: Deck, nodes: Any, last: int) -> list[int]:
    """The numbers of the positions from the root (0) to ``last``."""
    width = int(deck.scalars[WIDTH])
    numbers = [last]
    while numbers[-1] != 0:
        numbers.append(int(nodes[numbers[-1] * width + width - 1]) >> 32)
    numbers.reverse()
    return numbers


class Table:
    """The real rows while a line is laid out move by move.

    Args:
        deck: The tables of the game.
        piles: The rows where the line starts.
        counts: Cards on the foundations.
    """

    def __init__(self, deck: Deck, piles: Any, counts: Any) -> None:
        self.deck = deck
        self.rows = [list(pile) for pile in piles]
        self.counts = list(counts)
        self.moves: list[Move] = []

    def row_of(self, card: int) -> int:
        """The row whose top card is ``card``."""
        return next(row for row, cards in enumerate(self.rows) if cards and cards[-1] == card)

    def move(self, card: int, goal: int) -> None:
        """Moves a top card onto a card, into an empty row (62) or up (63)."""
        source = self.row_of(card)
        if goal == _FOUNDATION:
            self.up(source)
            return
        target = (
            next(row for row, cards in enumerate(self.rows) if not cards)
            if goal == _EMPTY_ROW
            else self.row_of(goal)
        )
        self.rows[target].append(self.rows[source].pop())
        self.moves.append(Move(source, target))

    def up(self, row: int) -> None:
        """The top card of a row goes up."""
        card = self.rows[row].pop()
        self.counts[card & 3] += 1
        self.moves.append(Move(row, FOUNDATION))

    def settle(self, present: int) -> None:
        """Lets all cards go up that are not in the set ``present``, as they come to the top and to their turn."""
        again = True
        while again:
            again = False
            for row, cards in enumerate(self.rows):
                while cards and not present >> cards[-1] & 1:
                    if self.deck.order[cards[-1]] != self.counts[cards[-1] & 3]:
                        break
                    self.up(row)
                    again = True


def present_cards(deck: Deck, x: Any, nodes: Any, node: int) -> int:
    """The cards that are in the rows in a found position, as a set (bits)."""
    unpack(deck, x, nodes, node * int(deck.scalars[WIDTH]))
    return int(x[PRESENT])


class LooseTable(Table):
    """The real rows while moves of classes are turned into real ones.

    It follows the argument at the head of ``castle_classes``: what lies on a loose card is loose, so it has a spare
    place and can be moved there, the top card first.
    """

    def places(self, card: int) -> list[int]:
        """The top cards of the next rank."""
        return [cards[-1] for cards in self.rows if cards and cards[-1] >> 2 == (card >> 2) + 1]

    def cover(self, card: int) -> list[int]:
        """The cards that lie on ``card``, the lowest first."""
        row = next(cards for cards in self.rows if card in cards)
        return row[row.index(card) + 1 :]

    def bare(self, card: int) -> bool:
        """Moves what lies on a card to spare places; false when a place is missing (the card is not loose)."""
        for above in reversed(self.cover(card)):
            places = self.places(above)
            if not places:
                return False
            self.move(above, places[0])
        return True

    def is_on(self, card: int, lower: int) -> bool:
        """Whether a card lies directly on another."""
        return self.cover(lower)[:1] == [card]

    def arrange(self, choices: dict[int, int]) -> None:
        """Puts loose cards on given places, the highest rank first so that nothing placed is disturbed."""
        for card in sorted(choices, reverse=True):
            if choices[card] == _EMPTY_ROW:
                self.bare(card)
                self.move(card, _EMPTY_ROW)
            elif not self.is_on(card, choices[card]):
                self.bare(choices[card])
                self.bare(card)
                self.move(card, choices[card])

    def settle(self, present: int) -> None:
        """Lets all cards go up that are not in the set ``present``, in their turn, baring them before."""
        left = [card for cards in self.rows for card in cards if not present >> card & 1]
        left.sort(key=lambda card: self.deck.order[card])
        while left:
            for card in left:
                if self.deck.order[card] == self.counts[card & 3] and self.is_reached(card):
                    self.bare(card)
                    self.up(self.row_of(card))
                    left.remove(card)
                    break
            else:
                raise AssertionError("a card of a class cannot be bared")

    def gather(self, x: Any) -> None:
        """Moves the cards alone in rows as ``castle_classes.gather`` did; ``x`` is the class."""
        while True:
            bases = [cards[0] for cards in self.rows if cards]
            missing = [card for card in self.cards() if x[CODE + card] == BASE and card not in bases]
            if missing and len(bases) < len(self.rows):
                self.bare(missing[0])
                self.move(missing[0], _EMPTY_ROW)
                continue
            loose = [card for card in bases if x[LOOSE_SET] >> card & 1]
            if not loose:
                return
            self.bare(loose[0])
            self.move(loose[0], self.places(loose[0])[0])

    def cards(self) -> list[int]:
        """All cards in the rows."""
        return [card for cards in self.rows for card in cards]

    def is_reached(self, card: int) -> bool:
        """Whether everything that lies on a card is loose."""
        chain = [card, *self.cover(card)]
        return all(
            above >> 2 == (lower >> 2) - 1 and self.places(above)
            for lower, above in itertools.pairwise(chain)
        )


def line_of_classes(deck: Deck, found: Any, scratches: Any, last: int, piles: Any, counts: Any) -> list[Move]:
    """The moves from the start of a search over classes to its class number ``last``."""
    x, y, z = scratches
    nodes, width = found.nodes, int(deck.scalars[WIDTH])
    table = LooseTable(deck, piles, counts)
    numbers = path(deck, nodes, last)
    table.settle(present_cards(deck, x, nodes, 0))
    table.gather(x)
    for parent, child in itertools.pairwise(numbers):
        unpack_class(deck, x, nodes, parent * width)
        kind, card = divmod(expand(deck, found, x, y, z, parent, 0, child), 64)
        frozen = [int(y[QUEUE + i]) for i in range(y[FROZEN])]
        aside = int(y[ASIDE])
        if aside >= 0:
            table.bare(aside)
            table.move(aside, _EMPTY_ROW)
        choices = {}
        for i, loose in enumerate(frozen):
            suit = int(y[CHOICE + i])
            choices[loose] = _EMPTY_ROW if suit == IN_ROW else (loose & ~3) + 4 + suit
        target = choices.pop(card, None) if kind == _ONTO else None
        table.arrange(choices)
        table.bare(card)
        if kind == _ONTO:
            table.move(card, table.places(card)[0] if target is None else target)
        else:
            table.move(card, _FOUNDATION if kind == _TO_FOUNDATION else _EMPTY_ROW)
        table.settle(present_cards(deck, x, nodes, child))
        table.gather(x)
    return table.moves


def copied_path(deck: Deck, nodes: Any, last: int) -> Any:
    """The words of the positions from the root to ``last``, in order; they outlive the search."""
    width = int(deck.scalars[WIDTH])
    numbers = np.array(path(deck, nodes, last))
    return nodes[(numbers[:, None] * width + np.arange(width)).ravel()]


def line_of(deck: Deck, x: Any, nodes: Any, piles: Any, counts: Any) -> list[Move]:
    """The moves from the start of the search along the positions of a :func:`copied_path`."""
    table = Table(deck, piles, counts)
    table.settle(present_cards(deck, x, nodes, 0))
    for child in range(1, len(nodes) // int(deck.scalars[WIDTH])):
        parent = child - 1
        found = step_between(deck, x, nodes, parent, child)
        card, goal = found % 64, found // 64
        assert found != NO_CARD
        table.move(card, goal)
        table.settle(int(x[PRESENT]))
    return table.moves
