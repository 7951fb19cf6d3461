"""From found positions to the moves of a win: which card moved where, and what went up by itself."""

from __future__ import annotations

import itertools
from typing import Any

from crenel.rules.moves import FOUNDATION, Move
from crenel.solver._jit import kernel
from crenel.solver.castle_deck import HOME, KEY_BITS, NO_CARD, WIDTH, Deck
from crenel.solver.castle_rows import CODE, KEY, LENGTH, MOVES, ROW, UP, list_moves, make, take_back, unpack

_EMPTY_ROW, _FOUNDATION = 62, 63


@kernel
def step_between(deck: Any, x: Any, nodes: Any, parent: int, child: int) -> int:
    """The move between two positions: card plus 64 times the card (or place) it went to; -1 if there is none."""
    width = deck.scalars[WIDTH]
    unpack(deck, x, nodes, parent * width)
    for i in range(list_moves(deck, x)):
        row, target = x[MOVES + 2 * i], x[MOVES + 2 * i + 1]
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
        take_back(deck, x, row, target)
        if same:
            return int(card + 64 * goal)
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

    def settle(self, home: set[int]) -> None:
        """Lets the cards of a set go up as they come to the top and to their turn."""
        again = True
        while again:
            again = False
            for row, cards in enumerate(self.rows):
                while (
                    cards and cards[-1] in home and self.deck.order[cards[-1]] == self.counts[cards[-1] & 3]
                ):
                    self.up(row)
                    again = True


def homes(deck: Deck, x: Any, nodes: Any, node: int) -> set[int]:
    """The cards that are on the foundations in a found position."""
    unpack(deck, x, nodes, node * int(deck.scalars[WIDTH]))
    cards = int(deck.scalars[0])
    return {card for card in range(cards) if x[CODE + card] == HOME}


def line_of(deck: Deck, x: Any, nodes: Any, last: int, piles: Any, counts: Any) -> list[Move]:
    """The moves from the start of the search to its position number ``last``."""
    table = Table(deck, piles, counts)
    numbers = path(deck, nodes, last)
    table.settle(homes(deck, x, nodes, 0))
    for parent, child in itertools.pairwise(numbers):
        found = step_between(deck, x, nodes, parent, child)
        card, goal = found % 64, found // 64
        assert found != NO_CARD
        table.move(card, goal)
        table.settle(homes(deck, x, nodes, child))
    return table.moves
