"""Search for a win of the fewest moves between rows: A* with a bound from cards that wait for each other.

Moves to the foundations cost nothing: every win has the same number of them. With a weight above one on the bound the
same search finds a good win fast, without proof.

The bound counts moves that every win still needs, each of another card:

* A card that lies above an earlier one of its own suit cannot go straight up from where it lies (*blocked*).
* Say that y *holds up* x when y lies above a card of x's suit that goes up before x. Let two cards hold up each other
  and lie in different rows. If both went straight up from where they lie, each would have to leave before the other.
  So one of them moves first. Of k cards each two of which hold up each other at most one goes straight up: k - 1 moves.
  Groups without a common card, made of cards that are not blocked, add up.

Why this is sound: each counted card makes a move of its own between rows before it goes up, and counted cards differ.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crenel.solver._jit import kernel
from crenel.solver.castle_deck import KEY_BITS, WIDTH
from crenel.solver.castle_rows import (
    CHILD_MARK,
    CHILD_SCORE,
    FILLED,
    KEY,
    LENGTH,
    LOWEST,
    MARK,
    MOVES,
    NO_LIMIT,
    PRESENT,
    ROW,
    SCORE,
    SCRATCH,
    UP,
    is_dead,
    list_moves,
    try_move,
    undo_move,
    unpack,
)
from crenel.solver.castle_search import (
    EXHAUSTED,
    FULL,
    MASK,
    MORE,
    MOST_CHILDREN,
    NODES,
    PRIORITIES,
    ROOM,
    VISITED,
    WIN,
    WON,
    add,
    dequeue,
    enter_root,
)
from crenel.solver.castle_search import LOWEST as FIRST_SLOT
from crenel.solver.table import find, mixed

BOUNDS = 32
"""Slots of the queue by cost and bound: this many for each sum, the smallest bound first."""
REPLACED = -1
"""In ``Found.made``: the position was reached again at a lower cost, under another number."""
HOLDS = SCRATCH
"""By card: the cards that it holds up, as a set. Then what comes after it in its suit, by 16 * suit + order."""
LATER = HOLDS + 64
SHORTEST_SCRATCH = LATER + 128

_SPREAD = 0x03F79D71B4CB0A89
_PLACE = np.zeros(64, np.int64)
"""Which bit is set: the top six bits of a power of two times ``_SPREAD`` are different for each (de Bruijn)."""
for _bit in range(64):
    _PLACE[(_SPREAD << _bit) >> 58 & 63] = _bit


def bound_scratch(order: Any, cards: int) -> Any:
    """A scratch array with the sets of cards that come later in their suits."""
    x = np.zeros(SHORTEST_SCRATCH, np.int64)
    for card in range(cards):
        for lower in range(int(order[card])):
            x[LATER + 16 * (card & 3) + lower] |= 1 << card
    return x


@kernel
def hold_ups(deck: Any, x: Any) -> int:
    """Finds for each card of the unpacked position which cards it holds up; returns the set of blocked cards."""
    blocked = 0
    for row in range(x[FILLED]):
        low0, low1, low2, low3 = NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT
        held = 0
        for i in range(ROW + 64 * row, ROW + 64 * row + x[LENGTH + row]):
            card = x[i]
            x[HOLDS + card] = held
            if x[MARK + card] != 0:
                blocked |= 1 << card
            order, suit = deck.order[card], card & 3
            if suit == 0 and order < low0:
                low0 = order
                held |= x[LATER + order]
            elif suit == 1 and order < low1:
                low1 = order
                held |= x[LATER + 16 + order]
            elif suit == 2 and order < low2:
                low2 = order
                held |= x[LATER + 32 + order]
            elif suit == 3 and order < low3:
                low3 = order
                held |= x[LATER + 48 + order]
    return blocked


@kernel
def pair_bound(x: Any, rest: int) -> int:
    """The moves that groups of cards of the set ``rest`` need that hold up each other (found greedily)."""
    moves = 0
    while rest != 0:
        lowest = rest & -rest
        rest ^= lowest
        group = lowest
        others = x[HOLDS + _PLACE[(lowest * _SPREAD >> 58) & 63]] & rest
        while others != 0:
            lowest = others & -others
            others ^= lowest
            held = x[HOLDS + _PLACE[(lowest * _SPREAD >> 58) & 63]]
            if held & group == group:
                group |= lowest
                rest ^= lowest
                others &= held
                moves += 1
    return moves


@kernel
def file_position(found: Any, node: int, cost: int, bound: int, over: int, under: int) -> None:
    """Puts a position into the queue of a search with the weight ``over / under`` on the bound."""
    total = cost + (bound * over + under - 1) // under
    slot = min(BOUNDS * total + min(bound, BOUNDS - 1), PRIORITIES - 1)
    found.link[node] = found.first[slot]
    found.first[slot] = node
    found.numbers[FIRST_SLOT] = min(found.numbers[FIRST_SLOT], slot)


@kernel
def open_shortest(deck: Any, found: Any, x: Any, root: Any, over: int, under: int) -> int:
    """Starts a search at ``root``; returns its bound."""
    enter_root(deck, found, x, root)
    unpack(deck, x, found.nodes, 0)
    blocked = hold_ups(deck, x)
    bound = x[SCORE] + pair_bound(x, x[PRESENT] & ~blocked)
    file_position(found, 0, 0, bound, over, under)
    return int(bound)


@kernel
def search_shortest(deck: Any, found: Any, x: Any, budget: int, most: int, over: int, under: int) -> int:
    """Visits about ``budget`` positions; wins of more than ``most`` moves are not looked for.

    Returns:
        MORE, WIN, FULL (go on with longer arrays) or EXHAUSTED (no win within ``most``). With weight one,
        ``numbers[FIRST_SLOT] // BOUNDS`` is a proved bound of the cost of any win, and the first win that comes out
        of the queue, which is when this returns, is a shortest one.
    """
    numbers = found.numbers
    width = deck.scalars[WIDTH]
    room = numbers[ROOM] - MOST_CHILDREN
    for _ in range(budget):
        if numbers[NODES] > room:
            return FULL
        node = dequeue(found)
        if node < 0:
            return EXHAUSTED
        cost = found.made[node]
        if cost == REPLACED:
            continue
        numbers[VISITED] += 1
        unpack(deck, x, found.nodes, node * width)
        if x[PRESENT] == 0:
            numbers[WON] = node
            return WIN
        if is_dead(deck, x):
            continue
        blocked = hold_ups(deck, x)
        for i in range(list_moves(deck, x)):
            row, target = x[MOVES + 2 * i], x[MOVES + 2 * i + 1]
            paid = cost
            card = x[ROW + 64 * row + x[LENGTH + row] - 1]
            held_before = x[HOLDS + card]
            if target != UP:
                paid += 1
                held = 0
                for suit in range(4):
                    low = x[LOWEST + 8 * target + suit]
                    if low != NO_LIMIT:
                        held |= x[LATER + 16 * suit + low]
                x[HOLDS + card] = held
            key_alone = try_move(deck, x, row, target)
            if paid + x[CHILD_SCORE] <= most:
                place = find(found.table, numbers[MASK], found.nodes, width, KEY_BITS, x, KEY)
                known = found.table[place]
                if known < 0 or found.made[known] > paid:
                    free = ~blocked & ~(1 << card)
                    if x[CHILD_MARK] == 0:
                        free |= 1 << card
                    bound = x[CHILD_SCORE] + pair_bound(x, x[PRESENT] & free)
                    if paid + bound <= most:
                        if known >= 0:
                            found.made[known] = REPLACED
                        child = add(found, width, x, place, node, paid)
                        file_position(found, child, paid, bound, over, under)
            undo_move(deck, x, row, target, key_alone)
            x[HOLDS + card] = held_before
    return MORE


@kernel
def refill_shortest(deck: Any, found: Any) -> None:
    """Fills the table again; positions that were replaced are left out."""
    mask, width = found.numbers[MASK], deck.scalars[WIDTH]
    for place in range(mask + 1):
        found.table[place] = -1
    for node in range(found.numbers[NODES]):
        if found.made[node] != REPLACED:
            place = mixed(found.nodes, node * width, width, KEY_BITS) & mask
            while found.table[place] >= 0:
                place = (place + 1) & mask
            found.table[place] = node
