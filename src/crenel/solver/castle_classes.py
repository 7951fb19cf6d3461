"""Best-first search over classes of positions, for games built down in any suit.

Most positions of such a game differ only in where loose cards lie. For a position let the *spare places* of a rank be
the top cards of the next higher rank. Walk each row from its top: a card that lies on a card of the next rank is
*loose* when its rank has a spare place and the card on it, if any, is loose. The walk stops at the first card that
is not; the base card of a row never is. What is left of the row is its *stem*.

Why a class stands for all its members: spare places of a rank are the stem tops and loose cards of the next rank
less the loose cards of the rank, so their number does not depend on where the loose cards lie. A loose card (or a
stem top) is bared by moving what lies on it, the top card first, to spare places; all those cards are loose, so each
has one. With one free place any two loose cards of a rank can change places. So, ranks taken from the highest down,
every way of putting the loose cards on the places of their next rank is reached from every other, and back.
Hence a class is its stems and the set of its loose cards, and its moves are those of all members:
a stem top or a loose card goes up or into an empty row; a stem top goes onto a card of the next rank.
``castle_line`` is the same argument as a procedure: it turns moves of classes into real ones.

A move that takes a rank's last spare place freezes its loose cards where they lie, and the loose cards beneath them.
They may lie in any way before the move, so each way makes a child of its own (:func:`freeze`).
"""

from __future__ import annotations

from typing import Any

from crenel.solver._jit import kernel
from crenel.solver.castle_deck import (
    FILLS,
    KEY_BITS,
    LOOSE,
    RANKS,
    ROWS_COUNT,
    W_MADE,
    WIDTH,
)
from crenel.solver.castle_loose import (
    copy,
    cut,
    into_empty_row,
    judge,
    raise_card,
    settle_class,
    spare,
    toggle,
    unpack_class,
)
from crenel.solver.castle_rows import (
    ABOVE,
    COUNT,
    EMPTIES,
    KEY,
    LENGTH,
    LOOSE_SET,
    MOVES,
    PRESENT,
    ROW,
    TOPS,
    is_dead,
)
from crenel.solver.castle_search import (
    CUT_SHORT,
    DEAD,
    EXHAUSTED,
    FULL,
    LOWEST,
    MASK,
    MORE,
    NODES,
    ROOM,
    VISITED,
    WIN,
    WON,
    add,
    clear,
    dequeue,
    enqueue,
)
from crenel.solver.table import find

QUEUE, CHOICE = MOVES, MOVES + 64
"""Where :func:`freeze` keeps the cards to be placed and the suits of their places; then the number of cards."""
IN_ROW = 4
"""In ``CHOICE``: an empty row instead of a card."""
FROZEN, ASIDE = MOVES + 128, MOVES + 129
"""Where a child is told of: how many cards are frozen; the card that went into an empty row before, or -1."""


@kernel
def emit(deck: Any, found: Any, y: Any, parent: int, made: int, goal: int) -> bool:
    """Enters a child, or with a ``goal`` says whether the child is that class; true also for a win."""
    settle_class(deck, y)
    width = deck.scalars[WIDTH]
    if goal >= 0:
        same = True
        for word in range(width):
            mask = KEY_BITS if word == width - 1 else -1
            same &= (y[KEY + word] ^ found.nodes[goal * width + word]) & mask == 0
        return same
    place = find(found.table, found.numbers[MASK], found.nodes, width, KEY_BITS, y, KEY)
    if found.table[place] >= 0:
        return False
    # One freezing can have very many children, so the room is looked at for each of them.
    if found.numbers[NODES] >= found.numbers[ROOM]:
        found.numbers[CUT_SHORT] = 1
        return True
    child = add(found, width, y, place, parent, made)
    if y[PRESENT] == 0:
        found.numbers[WON] = child
        return True
    enqueue(found, child, judge(deck, y) + deck.scalars[W_MADE] * made)
    return False


@kernel
def freeze(
    deck: Any, found: Any, x: Any, y: Any, z: Any, rank: int, parent: int, made: int, goal: int
) -> bool:
    """Makes a child for each way in which the loose cards of a rank without spare places can lie.

    A loose card with a frozen card on it is frozen too, so it needs a place in turn: ``QUEUE`` holds the cards to
    be placed, ``CHOICE`` the suits of the places that were chosen (the rank is the next one).
    """
    # What the move bares could not be a place before it.
    count, at, used = 0, 0, y[TOPS] & ~x[TOPS]
    rows_left = x[EMPTIES] if deck.scalars[FILLS] else 0
    for suit in range(4):
        if y[LOOSE_SET] >> 4 * rank + suit & 1:
            y[QUEUE + count] = 4 * rank + suit
            count += 1
    for card in range(64):
        y[ABOVE + card] = -1
    y[CHOICE] = -1
    while at >= 0:
        if at == count:
            rows = deck.scalars[ROWS_COUNT]
            copy(y, z, rows)
            for i in range(count):
                card = y[QUEUE + i]
                z[LOOSE_SET] ^= 1 << card
                if y[CHOICE + i] == IN_ROW:
                    into_empty_row(deck, z, card, LOOSE)
                    continue
                lower = (card & ~3) + 4 + y[CHOICE + i]
                toggle(deck, z, card, LOOSE ^ deck.code[64 * card + lower + 1])
            for row in range(rows):
                length = z[LENGTH + row]
                if length > 0:
                    card = z[ROW + 64 * row + length - 1]
                    if y[ABOVE + card] >= 0:
                        z[TOPS] ^= 1 << card
                        while y[ABOVE + card] >= 0:
                            card = y[ABOVE + card]
                            z[ROW + 64 * row + length] = card
                            length += 1
                        z[LENGTH + row] = length
                        z[TOPS] ^= 1 << card
            if emit(deck, found, z, parent, made, goal):
                y[FROZEN] = count
                return True
        else:
            card = y[QUEUE + at]
            places = (y[LOOSE_SET] | y[TOPS]) & ~used
            suit = y[CHOICE + at] + 1
            while suit < 4 and places >> (card & ~3) + 4 + suit & 1 == 0:
                suit += 1
            if suit == IN_ROW and card >> 2 > rank and rows_left > 0:
                # A card that is frozen by what lies on it may as well lie in an empty row.
                y[CHOICE + at] = IN_ROW
                rows_left -= 1
                at += 1
                y[CHOICE + at] = -1
                continue
            if suit < 4:
                y[CHOICE + at] = suit
                place = (card & ~3) + 4 + suit
                used |= 1 << place
                y[ABOVE + place] = card
                if y[LOOSE_SET] >> place & 1:
                    y[QUEUE + count] = place
                    count += 1
                at += 1
                y[CHOICE + at] = -1
                continue
        at -= 1
        if at >= 0 and y[CHOICE + at] == IN_ROW:
            rows_left += 1
        elif at >= 0:
            place = (y[QUEUE + at] & ~3) + 4 + y[CHOICE + at]
            used ^= 1 << place
            y[ABOVE + place] = -1
            if y[LOOSE_SET] >> place & 1:
                count -= 1
    return False


@kernel
def move_class(
    deck: Any, found: Any, x: Any, y: Any, z: Any, rank: int, parent: int, made: int, goal: int
) -> bool:
    """Enters the children of a move that took a spare place of ``rank`` (-1: none did)."""
    if rank >= 0 and y[LOOSE_SET] >> 4 * rank & 15 != 0 and spare(y, rank) < 1:
        if x[EMPTIES] > 0 and deck.scalars[FILLS] != 0:
            # A loose card that goes into an empty row first leaves a place, and nothing freezes.
            for card in range(4 * rank, 4 * rank + 4):
                if (x[LOOSE_SET] & y[LOOSE_SET]) >> card & 1:
                    copy(y, z, deck.scalars[ROWS_COUNT])
                    z[LOOSE_SET] ^= 1 << card
                    into_empty_row(deck, z, card, LOOSE)
                    y[FROZEN], y[ASIDE] = 0, card
                    if emit(deck, found, z, parent, made + 1, goal):
                        return True
        y[ASIDE] = -1
        return freeze(deck, found, x, y, z, rank, parent, made, goal)
    y[FROZEN], y[ASIDE] = 0, -1
    return emit(deck, found, y, parent, made, goal)


@kernel
def expand(deck: Any, found: Any, x: Any, y: Any, z: Any, parent: int, made: int, goal: int) -> int:
    """Makes the children of the class in ``x``; with a ``goal`` stops at the move that leads to it.

    Returns:
        64 times the kind of the move (0 up, 1 onto the next rank, 2 into an empty row) plus the card, when a child
        is won or is the goal; else -1. ``QUEUE``, ``CHOICE`` and ``FROZEN`` in ``y`` then say how frozen cards lie.
    """
    rows = deck.scalars[ROWS_COUNT]
    to_empty = x[EMPTIES] > 0 and deck.scalars[FILLS] != 0
    for row in range(rows):
        length = x[LENGTH + row]
        if length == 0:
            continue
        card = x[ROW + 64 * row + length - 1]
        rank = card >> 2
        if x[COUNT + (card & 3)] == deck.order[card]:
            copy(x, y, rows)
            raise_card(deck, y, card)
            if move_class(deck, found, x, y, z, rank - 1, parent, made, goal):
                return int(card)
        if spare(x, rank) > 0:
            copy(x, y, rows)
            toggle(deck, y, card, cut(deck, y, row) ^ LOOSE)
            y[LOOSE_SET] |= 1 << card
            if move_class(deck, found, x, y, z, rank, parent, made, goal):
                return int(card + 64)
        if to_empty and length > 1:
            copy(x, y, rows)
            into_empty_row(deck, y, card, cut(deck, y, row))
            if move_class(deck, found, x, y, z, -1, parent, made, goal):
                return int(card + 128)
    for card in range(4 * deck.scalars[RANKS]):
        if x[LOOSE_SET] >> card & 1 == 0:
            continue
        if x[COUNT + (card & 3)] == deck.order[card]:
            copy(x, y, rows)
            raise_card(deck, y, card)
            if move_class(deck, found, x, y, z, (card >> 2) - 1, parent, made, goal):
                return int(card)
    # A loose card that goes into an empty row leaves its rank a spare place more, so it would be loose again at once
    # (see ``gather``); ``move_class`` does it where that makes a difference.
    return -1


@kernel
def open_classes(deck: Any, found: Any, x: Any, root: Any) -> None:
    """Makes the class of the position ``root`` the only one, in an empty table and queue."""
    clear(found)
    unpack_class(deck, x, root, 0)
    emit(deck, found, x, 0, 0, -1)


@kernel
def search_classes(deck: Any, found: Any, x: Any, y: Any, z: Any, budget: int) -> int:
    """Visits about ``budget`` classes; returns MORE, WIN, EXHAUSTED, or FULL (go on with longer arrays)."""
    numbers = found.numbers
    width = deck.scalars[WIDTH]
    if numbers[WON] >= 0:
        return WIN
    for _ in range(budget):
        node = dequeue(found)
        if node < 0:
            return EXHAUSTED
        numbers[VISITED] += 1
        unpack_class(deck, x, found.nodes, node * width)
        if is_dead(deck, x):
            numbers[DEAD] += 1
            continue
        if expand(deck, found, x, y, z, node, found.made[node] + 1, -1) >= 0:
            if numbers[CUT_SHORT] == 0:
                return WIN
            # Its other children come when there is more room; those that are entered are then known.
            numbers[CUT_SHORT] = 0
            numbers[VISITED] -= 1
            found.link[node] = found.first[numbers[LOWEST]]
            found.first[numbers[LOWEST]] = node
            return FULL
    return MORE
