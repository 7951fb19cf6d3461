"""The compiled best-first search over single moves: found positions, their table, the queue, one slice.

A found position is its key (two words), one link word (parent, steps so far, move) and its place in the
queue. Its layout is not kept: it is made again by the moves from the nearest expanded ancestor whose layout is
still in a cache, so that a position takes 35 bytes (41 just after the table grew) instead of a hundred.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crenel.solver._jit import kernel
from crenel.solver.royal_dead import frozen
from crenel.solver.royal_kernels import (
    KEY_A,
    KEY_B,
    MOVE,
    SCORE,
    STEP,
    apply,
    bound,
    children,
    judge,
    key_word,
    load,
    save,
    shift,
)
from crenel.solver.royal_layout import (
    CEILING,
    HEADER,
    LEFT,
    NO_PILE,
    PRUNE,
    REDEAL_CODE,
    SHORTEST,
    W_MADE,
)
from crenel.solver.table import room_in

# Fields of the run array, which keeps a search between two slices.
NODES, LOWEST, VISITED, WON, BEST = range(5)
# What a slice ends with.
MORE, WIN, EXHAUSTED, FULL, DEEP = range(5)
# A link: sign bit set = replaced by a cheaper way; then parent (31 bits), steps so far (16), move (16).
REPLACED = -(1 << 63)
PRIORITIES = 1 << 13
NO_CEILING = 1 << 30
"""A cost that no win has."""
OFFSET = 200
"""Added to every priority: empty piles can make a score negative."""


def make_arrays(places: int) -> tuple[Any, Any, Any, Any]:
    """Keys, links and queue links for the positions that a table of so many places is used for, and the table."""
    room = room_in(places)
    keys, links = np.empty((room, 2), np.int64), np.empty(room, np.int64)
    return keys, links, np.empty(room, np.int32), np.empty(places, np.int32)


@kernel
def find(keys: Any, table: Any, key_a: int, key_b: int) -> int:
    """The place in the table where a key is or would be."""
    mask = table.shape[0] - 1
    place = key_a & mask
    while True:
        node = table[place]
        if node < 0 or (keys[node, 0] == key_a and keys[node, 1] == key_b):
            return int(place)
        place = (place + 1) & mask


@kernel
def refill(keys: Any, links: Any, table: Any, nodes: int) -> None:
    """Fills an empty table with the found positions, those that were replaced left out."""
    for node in range(nodes):
        if links[node] >= 0:
            table[find(keys, table, keys[node, 0], keys[node, 1])] = node


@kernel
def enqueue(queue: Any, following: Any, run: Any, node: int, priority: int) -> None:
    """Puts a position into the queue; the last one in of a priority comes out first."""
    slot = min(max(priority + OFFSET, 0), PRIORITIES - 1)
    following[node] = queue[slot]
    queue[slot] = node
    if slot < run[LOWEST]:
        run[LOWEST] = slot


@kernel
def open_root(
    rules: Any, tables: Any, weights: Any, lays: Any, rows: Any, keys: Any, links: Any, table: Any,
    queue: Any, following: Any, run: Any,
) -> None:  # fmt: skip
    """Puts the position in the last row of ``rows`` into an empty search as position 0."""
    lay = lays[0]
    load(rules, rows[rows.shape[0] - 1], lay)
    keys[0, 0] = key_word(rules, weights, lay, 0)
    keys[0, 1] = key_word(rules, weights, lay, 1)
    links[0] = 0
    table[find(keys, table, keys[0, 0], keys[0, 1])] = 0
    run[NODES] = 1
    run[LOWEST] = PRIORITIES - 1
    run[VISITED] = 0
    run[WON] = -1
    run[BEST] = 0
    enqueue(
        queue, following, run, 0, bound(rules, tables, lay) if rules[SHORTEST] else judge(rules, tables, lay)
    )


@kernel
def bring(rules: Any, lays: Any, rows: Any, owners: Any, links: Any, node: int, path: Any) -> int:
    """Makes the layout of a position in ``lays``; returns which of the two holds it, or -1 when it is too deep."""
    slots = rows.shape[0] - 1
    steps = 0
    at = node
    while at != 0 and owners[at & (slots - 1)] != at:
        if steps == path.shape[0]:
            return -1
        path[steps] = links[at] & 0xFFFF
        steps += 1
        at = (links[at] >> 32) & 0x7FFFFFFF
    load(rules, rows[slots if at == 0 else at & (slots - 1)], lays[0])
    here = 0
    while steps > 0:
        steps -= 1
        move = path[steps]
        if move == REDEAL_CODE:
            apply(rules, lays[here], lays[1 - here], move)
            here = 1 - here
        else:
            shift(lays[here], move >> 11 & 31, move >> 6 & 31, move & 63)
    return here


@kernel
def search(
    rules: Any, tables: Any, weights: Any, lays: Any, kids: Any, rows: Any, owners: Any, path: Any, keys: Any,
    links: Any, following: Any, table: Any, queue: Any, run: Any, most: int, budget: int,
) -> int:  # fmt: skip
    """Visits about ``budget`` positions.

    Args:
        rules, tables, weights: See ``royal_layout``.
        lays: Two layouts for free use.
        kids: Room for the children of one position.
        rows, owners: The cache of layouts as bytes and whose they are; the last row is the start.
        path: Room for the moves of one line.
        keys, links, following: By found position: key, link, next in the queue.
        table: Open addressing by the first word of the key.
        queue: The first position of each priority.
        run: See above.
        most: Positions there is room for.
        budget: How many to visit.

    Returns:
        MORE, WIN (``run[WON]`` is the won position), EXHAUSTED, FULL (no room; can go on with more), or DEEP (a
        line too long for ``path``: cannot go on).
    """
    shortest = rules[SHORTEST] != 0
    slots = rows.shape[0] - 1
    while budget > 0:
        if run[NODES] + kids.shape[0] > most:
            return FULL
        slot = run[LOWEST]
        while slot < PRIORITIES and queue[slot] < 0:
            slot += 1
        if slot == PRIORITIES:
            run[LOWEST] = PRIORITIES - 1
            return EXHAUSTED
        run[LOWEST] = slot
        node = queue[slot]
        queue[slot] = following[node]
        link = links[node]
        if link < 0:
            continue
        budget -= 1
        run[VISITED] += 1
        if shortest and slot - OFFSET > run[BEST]:
            run[BEST] = slot - OFFSET
        here = bring(rules, lays, rows, owners, links, node, path)
        if here < 0:
            return DEEP
        lay = lays[here]
        if lay[HEADER, LEFT] == 0:
            run[WON] = node
            return WIN
        if not shortest and rules[CEILING] < NO_CEILING:
            # Only wins that cost less than a known one are of use.
            cost = ((link >> 16) & 0xFFFF) // rules[W_MADE]
            if cost + bound(rules, tables, lay) >= rules[CEILING]:
                continue
        if rules[PRUNE] != 0 and frozen(rules, tables, lay) != 0:
            continue
        if node != 0:
            save(rules, lay, rows[node & (slots - 1)])
            owners[node & (slots - 1)] = node
        found = children(rules, tables, weights, lay, lays[1 - here], kids, keys[node, 0], keys[node, 1])
        steps = (link >> 16) & 0xFFFF
        last_card = not shortest and lay[HEADER, LEFT] == 1
        won = -1
        for k in range(found):
            if shortest and kids[k, SCORE] + steps + kids[k, STEP] >= rules[CEILING]:
                # No win by this way is cheaper than the known one.
                continue
            place = find(keys, table, kids[k, KEY_A], kids[k, KEY_B])
            known = table[place]
            made = min(steps + kids[k, STEP], 0xFFFF)
            if known >= 0:
                if not shortest or (links[known] >> 16) & 0xFFFF <= made:
                    continue
                # A cheaper way: a new entry takes the place of the old one, whose children keep their links.
                links[known] |= REPLACED
            child = run[NODES]
            run[NODES] = child + 1
            table[place] = child
            keys[child, 0] = kids[k, KEY_A]
            keys[child, 1] = kids[k, KEY_B]
            links[child] = node << 32 | made << 16 | kids[k, MOVE]
            enqueue(queue, following, run, child, kids[k, SCORE] + made)
            if last_card and kids[k, MOVE] != REDEAL_CODE and kids[k, MOVE] >> 6 & 31 == NO_PILE:
                won = child
        if won >= 0:
            run[WON] = won
            return WIN
    return MORE
