"""Layouts of the Cruel family as bits: how a cycle starts, what it can become, and how it is collected again.

Building goes down in suit, so within one *cycle* (from one redeal to the next) a card has at most one place to
go on the tableau, and once it is there it can only go up. A layout inside a cycle is therefore two 64-bit words:

* ``tops``: bit ``c`` is set while card ``c`` is the top of a pile;
* ``key``: bits 0..47, bit ``c`` is set when card ``c`` was put on the next higher card of its suit during this
  cycle and is still there (a king never is); bits 48..63, the four foundations' counts, 4 bits for each suit.

``key`` is an exact name of the layout among those of its cycle: the card beneath ``c`` is ``c + 4`` when its bit
is set, else the one that lay beneath it when the cycle began. All integers are signed 64-bit; shifted results are
masked where the sign could matter.

Row names of the small work array ``rows`` (int64, ``ROWS`` x 64) are given below.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crenel.solver._jit import kernel

BOTTOM_UP, TOP_DOWN, ONE_BY_ONE = 0, 1, 2

SEQ, ABOVE, BELOW, STARTS, CHILD, CHILD_STARTS, CHILD_SEQ, CHILD_NEW, ROOT_SEQ, ROOT_STARTS, TEMP = range(11)
"""Rows: cards of the cycle's first layout pile after pile from the bottom; the card above each card (-1: none);
the bit of the card beneath each card (0: none); where each pile begins in SEQ; the cards collected from a later
layout; where its piles begin; the layout dealt from it; where those piles begin; the position that was asked about
(cards, pile starts); free use."""
ROWS = 11

MOVED = (1 << 48) - 1
"""The bits of ``key`` that say which cards were put on the next higher one."""
COUNTS = ~MOVED
"""The bits of ``key`` that hold the foundations."""
SUIT = 0x1111111111111
"""The bits of all cards of suit 0."""

_DE_BRUIJN = 0x03F79D71B4CB0A89
_LOWEST = np.zeros(64, np.int64)
for _index in range(64):
    _LOWEST[((((1 << _index) * _DE_BRUIJN) & (2**64 - 1)) >> 58) & 63] = _index


@kernel
def lowest(bits: int) -> int:
    """The index of the lowest set bit; ``bits`` must not be 0."""
    return _LOWEST[(((bits & -bits) * _DE_BRUIJN) >> 58) & 63]  # type: ignore[no-any-return]


@kernel
def next_cards(key: int) -> int:
    """The bits of the four cards that the foundations want next (beyond the pack when a suit is complete)."""
    return (
        (1 << (4 * ((key >> 48) & 15)))
        | (2 << (4 * ((key >> 52) & 15)))
        | (4 << (4 * ((key >> 56) & 15)))
        | (8 << (4 * ((key >> 60) & 15)))
    )


@kernel
def played_cards(key: int) -> int:
    """The bits of all cards on the foundations."""
    return (
        (((1 << (4 * ((key >> 48) & 15))) - 1) & SUIT)
        | (((1 << (4 * ((key >> 52) & 15))) - 1) & SUIT) << 1
        | (((1 << (4 * ((key >> 56) & 15))) - 1) & SUIT) << 2
        | (((1 << (4 * ((key >> 60) & 15))) - 1) & SUIT) << 3
    )


@kernel
def deal_again(rows: Any, source: int, n: int, order: int, piles: int, seq: int, starts: int) -> int:
    """Deals the ``n`` collected cards of row ``source`` by a redeal order.

    Writes the piles, each from its bottom, to row ``seq`` and their beginnings (and the end) to row ``starts``.

    Args:
        rows: The work array.
        source: The row of the collected cards.
        n: How many.
        order: ``BOTTOM_UP``, ``TOP_DOWN`` or ``ONE_BY_ONE``.
        piles: How many piles a one-by-one redeal goes round.
        seq: The row for the cards.
        starts: The row for the beginnings of the piles.

    Returns:
        The number of piles that are not empty.
    """
    if order == ONE_BY_ONE:
        count = min(n, piles)
        j = 0
        for p in range(count):
            rows[starts, p] = j
            for i in range(p, n, piles):
                rows[seq, j] = rows[source, i]
                j += 1
        rows[starts, count] = n
        return count
    count = (n + 3) >> 2
    for p in range(count):
        first = 4 * p
        last = min(first + 4, n)
        rows[starts, p] = first
        if order == BOTTOM_UP:
            for i in range(first, last):
                rows[seq, i] = rows[source, i]
        else:
            for i in range(first, last):
                rows[seq, i] = rows[source, first + last - 1 - i]
    rows[starts, count] = n
    return count


@kernel
def begin_cycle(rows: Any, count: int) -> int:
    """Makes ABOVE and BELOW from the piles in SEQ and STARTS; returns the bits of the top cards."""
    tops = 0
    for p in range(count):
        under = 0
        for i in range(rows[STARTS, p], rows[STARTS, p + 1]):
            card = rows[SEQ, i]
            rows[BELOW, card] = under
            under = 1 << card
            rows[ABOVE, card] = rows[SEQ, i + 1] if i + 1 < rows[STARTS, p + 1] else -1
        tops |= under
    return tops


@kernel
def collect(rows: Any, count: int, key: int, order: int) -> int:
    """Collects the layout ``key`` of the present cycle to CHILD, its piles' beginnings to CHILD_STARTS.

    Empty piles are left out. ``TOP_DOWN`` reads each pile from its top.

    Returns:
        The number of piles that are not empty.
    """
    moved = key & MOVED
    gone = moved | played_cards(key)
    n = 0
    piles = 0
    for p in range(count):
        card = rows[SEQ, rows[STARTS, p]]
        if (gone >> card) & 1:
            continue
        begin = n
        rows[CHILD_STARTS, piles] = begin
        piles += 1
        while card >= 0:
            rows[CHILD, n] = card
            n += 1
            above = rows[ABOVE, card]
            if above >= 0 and not (gone >> above) & 1:
                card = above
            elif card >= 4 and (moved >> (card - 4)) & 1:
                card -= 4
            else:
                card = -1
        if order == TOP_DOWN:
            i = begin
            j = n - 1
            while i < j:
                card = rows[CHILD, i]
                rows[CHILD, i] = rows[CHILD, j]
                rows[CHILD, j] = card
                i += 1
                j -= 1
    rows[CHILD_STARTS, piles] = n
    return piles


@kernel
def run_head(rows: Any, key: int, card: int) -> int:
    """The highest card of the run in suit that ends in the top card ``card``."""
    moved = key & MOVED
    while (moved >> card) & 1 or rows[BELOW, card] == 1 << (card + 4):
        card += 4
    return card
