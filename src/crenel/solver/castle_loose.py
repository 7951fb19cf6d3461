"""Kernels over one class of positions of the Castle family: its loose cards, its stems, what joins equal classes.

``castle_classes`` says what a class is and why it stands for all of its positions.
"""

from __future__ import annotations

from typing import Any

from crenel.solver._jit import kernel
from crenel.solver.castle_deck import (
    FILLS,
    HOME,
    LOOSE,
    PER_WORD,
    ROWS_COUNT,
    W_ANY,
    W_EMPTY,
    W_HOME,
    W_LOOSE,
    W_OWN,
)
from crenel.solver.castle_rows import (
    COUNT,
    EMPTIES,
    KEY,
    LENGTH,
    LOOSE_SET,
    NO_LIMIT,
    PRESENT,
    ROW,
    TOPS,
    is_safe,
    unpack,
)

_ONES = 0x4332322132212110
"""Nibble n of this number is how many bits are set in n."""


@kernel
def unpack_class(deck: Any, x: Any, nodes: Any, start: int) -> None:
    """Reads a class (or a position, whose stems are then its rows)."""
    unpack(deck, x, nodes, start)
    tops = 0
    for row in range(deck.scalars[ROWS_COUNT]):
        if x[LENGTH + row] > 0:
            tops |= 1 << x[ROW + 64 * row + x[LENGTH + row] - 1]
    x[TOPS] = tops


@kernel
def spare(y: Any, rank: int) -> int:
    """The spare places of a rank (from 0); the highest rank has none, nor is any above it."""
    loose = y[LOOSE_SET] >> 4 * rank
    places = y[TOPS] >> 4 * rank + 4 & 15
    own, more = _ONES >> 4 * (loose & 15) & 15, _ONES >> 4 * (loose >> 4 & 15) & 15
    return int((_ONES >> 4 * places & 15) + more - own)


@kernel
def toggle(deck: Any, y: Any, card: int, codes: int) -> None:
    """Changes the code of a card in the key by an exclusive or."""
    word = card // deck.scalars[PER_WORD]
    y[KEY + word] ^= codes << 3 * (card - word * deck.scalars[PER_WORD])


@kernel
def copy(x: Any, y: Any, rows: int) -> None:
    """Copies a class: its numbers and its stems."""
    for i in range(16):
        y[i] = x[i]
    for row in range(rows):
        length = x[LENGTH + row]
        y[LENGTH + row] = length
        for i in range(ROW + 64 * row, ROW + 64 * row + length):
            y[i] = x[i]


@kernel
def cut(deck: Any, y: Any, row: int) -> int:
    """Takes the top off a stem; returns the code that the card had."""
    length = y[LENGTH + row] - 1
    y[LENGTH + row] = length
    card = y[ROW + 64 * row + length]
    y[TOPS] ^= 1 << card
    lower = -1
    if length > 0:
        lower = y[ROW + 64 * row + length - 1]
        y[TOPS] ^= 1 << lower
    else:
        y[EMPTIES] += 1
    return int(deck.code[64 * card + lower + 1])


@kernel
def melt(deck: Any, y: Any) -> None:
    """Makes loose what can be; this changes no spare places, so one walk over the rows is enough."""
    for row in range(deck.scalars[ROWS_COUNT]):
        while y[LENGTH + row] > 1:
            at = ROW + 64 * row + y[LENGTH + row] - 1
            card = y[at]
            if deck.on[card] >> y[at - 1] & 1 == 0 or spare(y, card >> 2) < 1:
                break
            toggle(deck, y, card, cut(deck, y, row) ^ LOOSE)
            y[LOOSE_SET] |= 1 << card


@kernel
def raise_card(deck: Any, y: Any, card: int) -> None:
    """A loose card or stem top goes up."""
    if y[LOOSE_SET] >> card & 1:
        y[LOOSE_SET] ^= 1 << card
        toggle(deck, y, card, LOOSE ^ HOME)
    else:
        row = 0
        while y[LENGTH + row] == 0 or y[ROW + 64 * row + y[LENGTH + row] - 1] != card:
            row += 1
        toggle(deck, y, card, cut(deck, y, row) ^ HOME)
    y[COUNT + (card & 3)] += 1
    y[PRESENT] ^= 1 << card


@kernel
def gather(deck: Any, y: Any) -> None:
    """Makes loose the cards that lie alone in rows while their rank keeps a spare place; the row becomes empty.

    Why this joins equal classes: the card can go back into the empty row, so each is reached from the other. Where a
    row is empty anyway, any of the loose cards of the rank can change places with one alone in its row; the highest
    suits then lie in the rows.
    """
    rows, alone = deck.scalars[ROWS_COUNT], 0
    for row in range(rows):
        if y[LENGTH + row] == 1:
            alone |= 1 << y[ROW + 64 * row]
    if alone == 0:
        return
    for row in range(rows):
        if y[LENGTH + row] == 1:
            card = y[ROW + 64 * row]
            rank = card >> 2
            # The lowest suit of the rank first: it must not matter in which row a card lies.
            while alone >> 4 * rank & (1 << (card & 3)) - 1 != 0 and spare(y, rank) > 1:
                first = 4 * rank
                while alone >> first & 1 == 0:
                    first += 1
                alone ^= 1 << first
                free_row(deck, y, first)
            if alone >> card & 1 and spare(y, rank) > 1:
                alone ^= 1 << card
                free_row(deck, y, card)
    if y[EMPTIES] == 0:
        return
    for row in range(rows):
        if y[LENGTH + row] == 1:
            card = y[ROW + 64 * row]
            if spare(y, card >> 2) < 1:
                continue
            # Exchanges with the lowest of the cards alone that are to be exchanged: sorting, a step at a time.
            for suit in range(3, card & 3, -1):
                other = (card & ~3) + suit
                if y[LOOSE_SET] >> other & 1:
                    y[ROW + 64 * row] = other
                    y[LOOSE_SET] ^= 1 << card | 1 << other
                    y[TOPS] ^= 1 << card | 1 << other
                    toggle(deck, y, card, deck.code[64 * card] ^ LOOSE)
                    toggle(deck, y, other, deck.code[64 * other] ^ LOOSE)
                    break


@kernel
def free_row(deck: Any, y: Any, card: int) -> None:
    """A card alone in its row becomes loose."""
    row = 0
    while y[LENGTH + row] != 1 or y[ROW + 64 * row] != card:
        row += 1
    toggle(deck, y, card, cut(deck, y, row) ^ LOOSE)
    y[LOOSE_SET] |= 1 << card


@kernel
def settle_class(deck: Any, y: Any) -> None:
    """Makes loose what can be and lets go up what safely can, lowest first.

    Nothing freezes here: only a loose card that fits on the one that goes up could lose its last spare place. Such
    a card is next in its suit and safe itself (see ``is_safe``), and has gone up before.
    """
    while True:
        melt(deck, y)
        best, best_order = -1, NO_LIMIT
        for suit in range(4):
            card = deck.turn[16 * suit + y[COUNT + suit]]
            if card >= 0 and (y[LOOSE_SET] | y[TOPS]) >> card & 1 and deck.order[card] < best_order:
                if is_safe(deck, y, card):
                    best, best_order = card, deck.order[card]
        if best < 0:
            break
        raise_card(deck, y, best)
    if deck.scalars[FILLS]:
        gather(deck, y)


@kernel
def into_empty_row(deck: Any, y: Any, card: int, old: int) -> None:
    """A card becomes the base of an empty row."""
    toggle(deck, y, card, old ^ deck.code[64 * card])
    row = 0
    while y[LENGTH + row] != 0:
        row += 1
    y[ROW + 64 * row] = card
    y[LENGTH + row] = 1
    y[EMPTIES] -= 1
    y[TOPS] |= 1 << card


@kernel
def judge(deck: Any, y: Any) -> int:
    """The priority of a class without its part for the moves made: weights of the cards that are not up."""
    scalars, total = deck.scalars, 0
    for row in range(scalars[ROWS_COUNT]):
        length = y[LENGTH + row]
        if length == 0:
            total += scalars[W_EMPTY]
            continue
        low0, low1, low2, low3 = NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT
        lowest = NO_LIMIT
        for i in range(ROW + 64 * row, ROW + 64 * row + length):
            card = y[i]
            order, suit = deck.order[card], card & 3
            total += scalars[W_HOME]
            if order > lowest:
                total += scalars[W_ANY]
            else:
                lowest = order
            if suit == 0:
                if order > low0:
                    total += scalars[W_OWN]
                else:
                    low0 = order
            elif suit == 1:
                if order > low1:
                    total += scalars[W_OWN]
                else:
                    low1 = order
            elif suit == 2:
                if order > low2:
                    total += scalars[W_OWN]
                else:
                    low2 = order
            else:
                if order > low3:
                    total += scalars[W_OWN]
                else:
                    low3 = order
    loose = y[LOOSE_SET]
    while loose != 0:
        total += scalars[W_HOME] + scalars[W_LOOSE]
        loose &= loose - 1
    return int(total)
