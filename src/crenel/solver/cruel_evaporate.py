"""The evaporation test: proves a position of the Cruel family lost from the first cards of its deck alone.

To win, the first m cards have to get away. So look only at them, as *known* cards, and let everything else be as
helpful as it could possibly be. If even then the known cards can never all get away, the position is lost.
Written for single cards and for redeals that deal fours (bottom-up or top-down).
"""

from __future__ import annotations

from typing import Any

from crenel.solver._jit import kernel
from crenel.solver.cruel_layout import (
    ABOVE,
    MOVED,
    SEQ,
    STARTS,
    SUIT,
    TOP_DOWN,
    lowest,
    next_cards,
    played_cards,
)

WIDTH = 96
SIZES, CARDS = 1, 32
"""Columns of a layout of known cards: 0 the number of piles, from ``SIZES`` on their sizes, from ``CARDS`` on the
cards in the order of collecting (top-down games: each pile from its top). Unused columns are 0."""
NOWHERE = -1


@kernel
def _copy(layouts: Any, source: int, target: int) -> None:
    """Writes the layout ``source`` to ``target``."""
    for i in range(WIDTH):
        layouts[target, i] = layouts[source, i]


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
def evaporates(layouts: Any, table: Any, waiting: Any, played: int, order: int, ranks: int) -> int:
    """Whether the known cards of ``layouts[0]`` may all get away when everything else helps.

    From a layout of known cards these changes are looked at; "outside" is every card that is not known:

    * a top goes up, unless a lower card of its suit is known;
    * a top t leaves to t+1 when that is outside;
    * a top t goes on t+1 when that is a top, too;
    * t-1 from outside, unless it is known to be on its foundation, is put on a top t and is known from then on.
      Bottom-up this is left out for the last known pile: what lies on it is collected after all known cards;
    * a redeal at any time: the known cards are the first ones collected, so they are dealt in fours from the front.

    Why this is sound: whatever the real game does, the known cards stay the first ones of the deck, and each of its
    moves is one of these changes or does not touch them (the last known pile's known top counts as a top even while
    unknown cards cover it, or, top-down, lie beneath it). A card that went outside may come back as t-1. So when no
    layout without known cards is met in the whole set, there is no win.

    Args:
        layouts: int8, any number of rows of ``WIDTH``; row 0 is the start, the others are room.
        table: int32, a power of two, larger than the number of rows; filled with -1 here.
        waiting: int32, as long as ``layouts``; free use.
        played: Bits of cards that are on the foundations (or fewer), so that they cannot come from outside.
        order: ``BOTTOM_UP`` or ``TOP_DOWN``.
        ranks: Ranks in the deck.

    Returns:
        0 when they may get away or the room ran out, else the number of layouts: proof of a loss.
    """
    top_first = order == TOP_DOWN
    table[:] = -1
    count = _note(layouts, table, 0)
    room = layouts.shape[0] - 1  # the last row is left alone: callers keep their prefix there
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
                    _copy(layouts, source, count)
                    total = 0
                    for q in range(row[0]):
                        total += row[SIZES + q]
                        layouts[count, SIZES + q] = 0
                    piles = (total + 3) >> 2
                    layouts[count, 0] = piles
                    for q in range(piles):
                        layouts[count, SIZES + q] = min(4, total - 4 * q)
                elif kind == 1:
                    if card < 4 or (known | played) & (bit >> 4) or (p == row[0] - 1 and not top_first):
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
    rows: Any,
    seq: int,
    starts: int,
    piles: int,
    most: int,
    layouts: Any,
    table: Any,
    waiting: Any,
    played: int,
    order: int,
    ranks: int,
) -> int:
    """Tries the first m cards for m = 1 .. ``most``; the piles are in rows ``seq`` (from the bottom) and ``starts``.

    Returns:
        ``64 * layouts + m`` for the first m that proves the loss, or 0.
    """
    for m in range(1, min(most, rows[starts, piles]) + 1):
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
        met = evaporates(layouts, table, waiting, played, order, ranks)
        if met > 0:
            return 64 * met + m
    return 0


@kernel
def prefix_is_dead(
    rows: Any,
    piles: int,
    key: int,
    most: int,
    layouts: Any,
    table: Any,
    waiting: Any,
    memo: Any,
    order: int,
    ranks: int,
) -> bool:
    """Whether some first m (1 .. ``most``, at most 10) cards of the layout ``key`` of this cycle can never get away.

    The answer depends only on these cards, where their piles end, and which suits have come up to the lowest of
    them. So it is kept in ``memo`` (int64, a power of two rows of 2): word 0 holds the cards, six bits each, word 1
    the ends of the piles, the number of cards, those suits, and the answer. Both words are compared: the memory is
    exact, and good for every deal with these rules.
    """
    moved = key & MOVED
    played = played_cards(key)
    gone = moved | played
    row = layouts[0]
    row[:] = 0
    word = 0
    ends = 0
    n = 0
    count = 0
    for p in range(piles):
        card = rows[SEQ, rows[STARTS, p]]
        if (gone >> card) & 1:
            continue
        begin = n
        while card >= 0 and CARDS + n < WIDTH:
            row[CARDS + n] = card
            n += 1
            above = rows[ABOVE, card]
            if above >= 0 and not (gone >> above) & 1:
                card = above
            elif card >= 4 and (moved >> (card - 4)) & 1:
                card -= 4
            else:
                card = -1
            if n >= most and order != TOP_DOWN:
                break
        if order == TOP_DOWN:
            i = CARDS + begin
            j = CARDS + n - 1
            while i < j:
                swap = row[i]
                row[i] = row[j]
                row[j] = swap
                i += 1
                j -= 1
        n = min(n, most)
        row[SIZES + count] = n - begin
        count += 1
        ends |= 1 << n
        if n >= most:
            break
    known = 0
    for i in range(n):
        word |= row[CARDS + i] << (6 * i)
        known |= 1 << row[CARDS + i]
    ends |= n << 11
    # Of the foundations only this counts: has a suit come up to its lowest known card?
    wanted = next_cards(key) & known
    below = 0
    while wanted != 0:
        bit = wanted & -wanted
        wanted ^= bit
        suit = lowest(bit) & 3
        ends |= 1 << (16 + suit)
        below |= (SUIT << suit) & (bit - 1)
    played &= below
    h = (word * 31 + ends) * -7046029254386353131
    slot = (h >> 30) & (memo.shape[0] - 1)
    if memo[slot, 0] == word and memo[slot, 1] >> 1 == ends:
        return memo[slot, 1] & 1 != 0  # type: ignore[no-any-return]
    dead = False
    first = layouts.shape[0] - 1
    _copy(layouts, 0, first)
    for m in range(1, n + 1):
        row[:] = 0
        left = m
        used = 0
        while left > 0:
            size = min(left, layouts[first, SIZES + used])
            row[SIZES + used] = size
            left -= size
            used += 1
        row[0] = used
        for i in range(m):
            row[CARDS + i] = layouts[first, CARDS + i]
        if evaporates(layouts, table, waiting, played, order, ranks) > 0:
            dead = True
            break
    memo[slot, 0] = word
    memo[slot, 1] = 2 * ends + dead
    return dead
