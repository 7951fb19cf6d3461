"""Quick tests that prove a freshly dealt layout of the Cruel family lost.

``frozen`` finds a first part of the deck that can never change, ``clears`` asks whether the last cycle could win if
moved cards covered nothing. Both only ever throw away what cannot win; see the argument at each.
"""

from __future__ import annotations

from typing import Any

from crenel.solver._jit import kernel
from crenel.solver.cruel_layout import BOTTOM_UP, SUIT, TOP_DOWN, lowest, next_cards


@kernel
def frozen(rows: Any, row: int, n: int, order: int, run: bool, ranks: int) -> int:
    """Looks for a frozen prefix of the ``n`` collected cards in row ``row`` that are about to be dealt in fours.

    Take the first m cards. Each pile they fill has a top card; so has the last, unfilled one for us (card m), since
    what lies on it may leave. A card of the prefix that is no top is *covered*. The prefix is frozen when

    1. no top can go up: a lower card of its suit is in the prefix;
    2. no top (with runs: no run that ends in a top) can leave: it is a king, or the next higher card is covered;
    3. nothing can be put between: for every top but card m, the next lower card is covered.

    Why this is sound: by 1 and 2 no card leaves the prefix and by 3 none enters it before card m, as long as the
    prefix stands; so the first m cards are collected in the same order and dealt to the same places at each
    redeal, for ever, and their suits cannot be finished. Cards put on card m come after the prefix. A covered card
    stays covered, so "covered" does not wear off. With runs a covered next lower card could move as part of a run
    only when that run ends in a top of the prefix, which 2 forbids; and a middle card of a run never moves as a
    head because its target lies under it. Restrictions (a limit, redeals only when stuck) only take moves away.

    Read top-down, each pile's first card is its top and what is put on it comes *before* it, so 3 is asked of every
    top, and it implies 1. With runs a prefix is only taken where whole piles end.

    Returns:
        The smallest m, or 0 when there is none.
    """
    kings = 15 << (4 * (ranks - 1))
    inside = 0
    if order == BOTTOM_UP:
        full = 0
        full_heads = 0
        for m in range(1, n + 1):
            last = rows[row, m - 1]
            bit = 1 << last
            head = last
            if run:
                i = m - 2
                while (i & 3) != 3 and i >= 0 and rows[row, i] == head + 4:
                    head += 4
                    i -= 1
            tops = full | bit
            inside |= bit
            covered = inside & ~tops
            heads = (full_heads | (1 << head)) if run else tops
            if (
                ((heads & ~kings) << 4) & ~covered == 0
                and (full >> 4) & ~covered == 0
                and inside & (SUIT << (last & 3)) & (bit - 1) != 0
            ):
                return m
            if (m & 3) == 0:
                # An ace (the lowest rank) as a filled pile's top goes up at once; no longer prefix can be frozen.
                if last < 4:
                    return 0
                full = tops
                full_heads = heads
    elif order == TOP_DOWN:
        tops = 0
        heads = 0
        for m in range(1, n + 1):
            card = rows[row, m - 1]
            bit = 1 << card
            inside |= bit
            if (m & 3) == 1:
                if card < 4:
                    return 0
                tops |= bit
                head = card
                if run:
                    i = m
                    while (i & 3) != 0 and i < n and rows[row, i] == head + 4:
                        head += 4
                        i += 1
                heads |= 1 << head
            if run and (m & 3) != 0 and m != n:
                continue
            covered = inside & ~tops
            if (tops >> 4) & ~covered == 0 and ((heads & ~kings) << 4) & ~covered == 0:
                return m
    return 0


@kernel
def clears(rows: Any, seq: int, starts: int, count: int, temp: int, key: int, run: bool) -> bool:
    """Whether the layout in rows ``seq`` and ``starts`` could be won without another redeal, with help.

    The help: a moved card covers nothing, and a card that was once exposed remains a target and can go up whenever
    its turn comes.

    Why a "no" is sound: follow any win without a redeal. By induction every card that is ever exposed in it is
    exposed here: its pile above it is gone here as well, because each of those cards moved in the win on a card
    that was exposed then, or went up after all lower cards of its suit, which were exposed before. With runs the
    cards of a run that a top ends may leave one after the other here, which is more than the rules allow.

    Args:
        rows: The work array.
        seq: The row of the cards, pile after pile from the bottom.
        starts: The row of the piles' beginnings.
        count: The number of piles.
        temp: A row for free use.
        key: Its foundation counts are used.
        run: Whether runs move.
    """
    tops = 0
    follows = 0
    for p in range(count):
        under = 0
        for i in range(rows[starts, p], rows[starts, p + 1]):
            card = rows[seq, i]
            rows[temp, card] = under
            bit = 1 << card
            if under == bit << 4:
                follows |= bit
            under = bit
        tops |= under
    if not run:
        follows = 0
    exposed = tops
    wanted = next_cards(key)
    up = 0
    while tops != 0:
        more = wanted & exposed
        while more != 0:
            up |= more
            wanted = (wanted & ~more) | (more << 4)
            more = wanted & exposed
        leaving = tops & ((exposed >> 4) | up | follows)
        if leaving == 0:
            return False
        while leaving != 0:
            bit = leaving & -leaving
            leaving ^= bit
            under = rows[temp, lowest(bit)]
            tops = (tops ^ bit) | under
            exposed |= under
    return True
