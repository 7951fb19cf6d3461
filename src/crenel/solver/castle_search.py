"""Best-first search of the Castle family, position by position.

Found positions, their table and the queue lie in flat arrays that Python makes longer between two slices. The queue
is one list per priority; the last position put in comes out first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from crenel.solver._jit import kernel
from crenel.solver.castle_deck import KEY_BITS, W_MADE, WIDTH
from crenel.solver.castle_rows import (
    CHILD_SCORE,
    FILLED,
    KEY,
    MOVES,
    PRESENT,
    SCORE,
    is_dead,
    list_moves,
    settle,
    try_move,
    undo_move,
    unpack,
)
from crenel.solver.table import FREE, find

# Fields of ``Found.numbers``.
NODES, LOWEST, VISITED, WON, MASK, DEAD, ROOM, CUT_SHORT = range(8)
# What a slice ends with.
MORE, WIN, EXHAUSTED, FULL = range(4)
PRIORITIES = 1 << 12
OFFSET = 128
"""Added to each priority: empty rows can make it negative."""
MOST_CHILDREN = 1024
"""Room that must be left before a position is expanded."""


class Found(NamedTuple):
    """The positions of a search.

    Attributes:
        numbers: See the names above.
        nodes: The words of each position.
        made: By position: moves made (the cost so far in a search for the shortest win).
        link: By position: the next one of the same priority.
        first: By priority: the first position.
        table: See ``table``.
    """

    numbers: Any
    nodes: Any
    made: Any
    link: Any
    first: Any
    table: Any


@kernel
def enqueue(found: Any, node: int, priority: int) -> None:
    """Puts a position into the queue."""
    slot = min(max(priority + OFFSET, 0), PRIORITIES - 1)
    found.link[node] = found.first[slot]
    found.first[slot] = node
    # A child may come before its parent in order, so the pointer must go back as well.
    found.numbers[LOWEST] = min(found.numbers[LOWEST], slot)


@kernel
def dequeue(found: Any) -> int:
    """Takes the first position out of the queue, -1 when there is none."""
    slot = found.numbers[LOWEST]
    while slot < PRIORITIES and found.first[slot] < 0:
        slot += 1
    found.numbers[LOWEST] = slot
    if slot == PRIORITIES:
        return -1
    node = found.first[slot]
    found.first[slot] = found.link[node]
    return int(node)


@kernel
def add(found: Any, width: int, words: Any, place: int, parent: int, made: int) -> int:
    """Enters the position in ``words`` at a free place of the table; returns its number."""
    node = found.numbers[NODES]
    found.numbers[NODES] = node + 1
    found.table[place] = node
    for i in range(width):
        found.nodes[node * width + i] = words[KEY + i]
    last = node * width + width - 1
    found.nodes[last] = (found.nodes[last] & KEY_BITS) | parent << 32
    found.made[node] = made
    return int(node)


@kernel
def clear(found: Any) -> None:
    """Empties the table and the queue."""
    numbers = found.numbers
    for i in range(numbers[MASK] + 1):
        found.table[i] = FREE
    for i in range(PRIORITIES):
        found.first[i] = -1
    numbers[NODES], numbers[LOWEST], numbers[VISITED] = 0, PRIORITIES, 0
    numbers[WON], numbers[DEAD], numbers[CUT_SHORT] = -1, 0, 0


@kernel
def enter_root(deck: Any, found: Any, x: Any, root: Any) -> None:
    """Makes ``root`` (see ``castle_deck.packed``) the only position; it does not wait in the queue yet."""
    clear(found)
    unpack(deck, x, root, 0)
    settle(deck, x, x[FILLED])
    width = deck.scalars[WIDTH]
    place = find(found.table, found.numbers[MASK], found.nodes, width, KEY_BITS, x, KEY)
    add(found, width, x, place, 0, 0)


@kernel
def open_search(deck: Any, found: Any, x: Any, root: Any) -> None:
    """Starts a search at ``root``."""
    enter_root(deck, found, x, root)
    if x[PRESENT] == 0:
        found.numbers[WON] = 0
    enqueue(found, 0, x[SCORE])


@kernel
def search(deck: Any, found: Any, x: Any, budget: int) -> int:
    """Visits about ``budget`` positions; returns MORE, WIN, EXHAUSTED, or FULL (go on with longer arrays)."""
    numbers = found.numbers
    if numbers[WON] >= 0:
        return WIN
    width = deck.scalars[WIDTH]
    room = numbers[ROOM] - MOST_CHILDREN
    for _ in range(budget):
        if numbers[NODES] > room:
            return FULL
        node = dequeue(found)
        if node < 0:
            return EXHAUSTED
        numbers[VISITED] += 1
        unpack(deck, x, found.nodes, node * width)
        if is_dead(deck, x):
            numbers[DEAD] += 1
            continue
        made = found.made[node] + 1
        for i in range(list_moves(deck, x)):
            row, target = x[MOVES + 2 * i], x[MOVES + 2 * i + 1]
            key_alone = try_move(deck, x, row, target)
            place = find(found.table, numbers[MASK], found.nodes, width, KEY_BITS, x, KEY)
            if found.table[place] < 0:
                child = add(found, width, x, place, node, made)
                if x[PRESENT] == 0:
                    numbers[WON] = child
                    return WIN
                enqueue(found, child, x[CHILD_SCORE] + deck.scalars[W_MADE] * made)
            undo_move(deck, x, row, target, key_alone)
    return MORE


def make_found(places: int, room: int, width: int) -> Found:
    """Arrays for ``room`` positions of ``width`` words, and a table of ``places`` places."""
    return Found(
        np.zeros(8, np.int64),
        np.empty(room * width, np.int64),
        np.empty(room, np.int16),
        np.empty(room, np.int32),
        np.full(PRIORITIES, -1, np.int32),
        np.empty(places, np.int32),
    )
