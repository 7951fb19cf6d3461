"""The evaporation test: proves a position of the Cruel family lost from the first cards of its deck alone.

To win, the first m cards have to get away. So look only at them, as *known* cards, and let everything else be as
helpful as it could possibly be. If even then the known cards can never all get away, the position is lost.
Written for single cards and for redeals that deal fours (bottom-up or top-down).
"""

from __future__ import annotations

from typing import Any

from crenel.solver._jit import kernel
from crenel.solver.cruel_layout import SUIT, TOP_DOWN

WIDTH = 96
SIZES, CARDS = 1, 32
"""Columns of a layout of known cards: 0 the number of piles, from ``SIZES`` on their sizes, from ``CARDS`` on the
cards in the order of collecting (top-down games: each pile from its top). Unused columns are 0."""
NOWHERE = -1


@kernel
def _change(layouts: Any, source: int, target: int, take: int, put: int, card: int, top_first: bool) -> None:
    """Writes to ``target`` the layout ``source`` with the top of pile ``take`` gone and ``card`` on pile ``put``."""
    old = layouts[source]
    new = layouts[target]
    new[:] = 0
    piles = 0
    read = CARDS
    write = CARDS
    for p in range(old[0]):
        begin = write
        size = old[SIZES + p]
        first = 0
        last = size
        if p == take:
            if top_first:
                first += 1
            else:
                last -= 1
        if p == put and top_first:
            new[write] = card
            write += 1
        for i in range(first, last):
            new[write] = old[read + i]
            write += 1
        if p == put and not top_first:
            new[write] = card
            write += 1
        read += size
        if write > begin:
            new[SIZES + piles] = write - begin
            piles += 1
    new[0] = piles


@kernel
def _note(layouts: Any, table: Any, count: int) -> int:
    """Keeps the layout at index ``count`` if it is new; returns the number of layouts after that."""
    h = 0
    row = layouts[count]
    for i in range(WIDTH):
        h = (h ^ row[i]) * 1099511628211
    h ^= (h >> 32) & 0xFFFFFFFF
    mask = table.shape[0] - 1
    slot = h & mask
    while table[slot] >= 0:
        other = layouts[table[slot]]
        same = True
        for i in range(WIDTH):
            if other[i] != row[i]:
                same = False
                break
        if same:
            return count
        slot = (slot + 1) & mask
    table[slot] = count
    return count + 1


@kernel
def evaporates(layouts: Any, table: Any, waiting: Any, order: int, ranks: int) -> int:
    """Whether the known cards of ``layouts[0]`` may all get away when everything else helps.

    From a layout of known cards these changes are looked at; "outside" is every card that is not known:

    * a top goes up, unless a lower card of its suit is known;
    * a top t leaves to t+1 when that is outside;
    * a top t goes on t+1 when that is a top, too;
    * t-1 from outside is put on a top t and is known from then on. Bottom-up this is left out for the last known
      pile: what lies on it is collected after all known cards;
    * a redeal at any time: the known cards are the first ones collected, so they are dealt in fours from the front.

    Why this is sound: whatever the real game does, the known cards stay the first ones of the deck, and each of its
    moves is one of these changes or does not touch them (the last known pile's known top counts as a top even while
    unknown cards cover it, or, top-down, lie beneath it). A card that went outside may come back as t-1. So when no
    layout without known cards is met in the whole set, there is no win.

    Args:
        layouts: int8, any number of rows of ``WIDTH``; row 0 is the start, the others are room.
        table: int32, a power of two, larger than the number of rows; filled with -1 here.
        waiting: int32, as long as ``layouts``; free use.
        order: ``BOTTOM_UP`` or ``TOP_DOWN``.
        ranks: Ranks in the deck.

    Returns:
        0 when they may get away or the room ran out, else the number of layouts: proof of a loss.
    """
    top_first = order == TOP_DOWN
    table[:] = -1
    count = _note(layouts, table, 0)
    room = layouts.shape[0] - 1
    king = ranks - 1
    waiting[0] = 0
    top = 1
    while top > 0:
        top -= 1
        source = waiting[top]
        row = layouts[source]
        if row[0] == 0:
            return 0
        known = 0
        tops = 0
        read = CARDS
        for p in range(row[0]):
            size = row[SIZES + p]
            for i in range(read, read + size):
                known |= 1 << row[i]
            tops |= 1 << (row[read] if top_first else row[read + size - 1])
            read += size
        # Redeal and insertions first, so that what takes cards away is tried first.
        for kind in range(4):
            read = CARDS
            for p in range(row[0]):
                size = row[SIZES + p]
                card = row[read] if top_first else row[read + size - 1]
                read += size
                bit = 1 << card
                before = count
                if count >= room:
                    return 0
                if kind == 0:
                    if p > 0:
                        break
                    layouts[count] = row
                    total = 0
                    for q in range(row[0]):
                        total += row[SIZES + q]
                        layouts[count, SIZES + q] = 0
                    piles = (total + 3) >> 2
                    layouts[count, 0] = piles
                    for q in range(piles):
                        layouts[count, SIZES + q] = min(4, total - 4 * q)
                elif kind == 1:
                    if card < 4 or known & (bit >> 4) or (p == row[0] - 1 and not top_first):
                        continue
                    _change(layouts, source, count, NOWHERE, p, card - 4, top_first)
                elif kind == 2:
                    if not (tops >> (card + 4)) & 1:
                        continue
                    place = CARDS
                    goal = NOWHERE
                    for q in range(row[0]):
                        other = layouts[source, SIZES + q]
                        if row[place if top_first else place + other - 1] == card + 4:
                            goal = q
                        place += other
                    _change(layouts, source, count, p, goal, card, top_first)
                else:
                    up = known & (SUIT << (card & 3)) & (bit - 1) == 0
                    leaves = (card >> 2) < king and not (known >> (card + 4)) & 1
                    if not (up or leaves):
                        continue
                    _change(layouts, source, count, p, NOWHERE, card, top_first)
                count = _note(layouts, table, count)
                if count > before:
                    waiting[top] = before
                    top += 1
    return count


@kernel
def prove_by_evaporation(
    rows: Any, seq: int, starts: int, piles: int, layouts: Any, table: Any, waiting: Any, order: int, ranks: int
) -> int:
    """Tries the first m cards for every m; the piles are in rows ``seq`` (from the bottom) and ``starts``.

    Returns:
        ``64 * layouts + m`` for the first m that proves the loss, or 0.
    """
    total = rows[starts, piles]
    for m in range(1, total + 1):
        layouts[0, :] = 0
        count = 0
        for p in range(piles):
            first = rows[starts, p]
            size = min(rows[starts, p + 1] - first, m - first)
            if size <= 0:
                break
            layouts[0, SIZES + p] = size
            count = p + 1
            for i in range(size):
                j = rows[starts, p + 1] - 1 - i if order == TOP_DOWN else first + i
                layouts[0, CARDS + first + i] = rows[seq, j]
        layouts[0, 0] = count
        met = evaporates(layouts, table, waiting, order, ranks)
        if met > 0:
            return 64 * met + m  # type: ignore[no-any-return]
    return 0
