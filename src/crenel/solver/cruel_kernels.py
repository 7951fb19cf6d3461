"""One pass of the search for a win of the Cruel family, in resumable slices.

The nodes are deck orders at a redeal; a node's children are the layouts that can be reached from it before the next
redeal, collected. Nodes wait in buckets by score; the best bucket is served last in, first out. Inside a cycle the
layouts are walked depth first with an exact set of those already met (``cruel_layout`` says how two words name one).

The deck orders are kept whole and compared whole, so a node is only ever taken for another when it is the same.
"""

from __future__ import annotations

from typing import Any

from crenel.solver._jit import kernel
from crenel.solver.cruel_dead import clears, frozen
from crenel.solver.cruel_evaporate import prefix_is_dead
from crenel.solver.cruel_layout import (
    BELOW,
    BOTTOM_UP,
    CHILD,
    CHILD_NEW,
    CHILD_SEQ,
    CHILD_STARTS,
    COUNTS,
    MOVED,
    ONE_BY_ONE,
    ROOT_SEQ,
    ROOT_STARTS,
    SEQ,
    STARTS,
    TEMP,
    TOP_DOWN,
    begin_cycle,
    collect,
    deal_again,
    lowest,
    next_cards,
    run_head,
)

(
    I_ORDER,
    I_RUN,
    I_STUCK,
    I_RANKS,
    I_PILES,
    I_ROOT_PILES,
    I_ROOT_KEY,
    I_LIMIT,
    I_NODE_CAP,
    I_CYCLE_CAP,
    I_NODES,
    I_EXPANDED,
    I_TRUNCATED,
    I_TOP_BUCKET,
    I_MASK,
    I_CURRENT,
    I_CURRENT_PILES,
    I_STACK,
    I_SEEN,
    I_SEEN_MASK,
    I_STAMP,
    I_VISITED,
    I_WON_NODE,
    I_WON_KEY,
    I_DEPTH,
    I_KNOWN,
    I_FROZEN,
) = range(27)
"""Names of the numbers in the array ``info``: the rules, the pass, and how far it has come."""
INFO = 27

UNLIMITED = 1 << 30
"""``I_LIMIT`` when redeals are not limited."""

NONE = -1
PARENT, NEXT, DEPTH, SCORE, CARDS, OPEN = range(6)
"""Columns of ``links``: parent node, next node in the bucket, redeals so far, score, cards in the deck, waiting."""
LINKS = 6
KEY_WORD = 7
"""``decks[i, 0:7]`` holds the cards of node i plus 1, eight to a word (0: no card, so
that decks of different lengths differ); ``decks[i, KEY_WORD]`` the parent's layout ``key``."""
BUCKETS = 512

MORE, WON, EMPTY, NODES_FULL, CYCLE_FULL = range(5)
"""What a slice of the search ends with."""


@kernel
def hash_deck(decks: Any, node: int) -> int:
    """A well mixed 64-bit number from the deck of ``node``; only a place in the table, equality is checked in full."""
    h = 0
    for w in range(7):
        h = (h ^ decks[node, w]) * -7046029254386353131
        h ^= (h >> 29) & 0x7FFFFFFFF
    return h


@kernel
def same_deck(decks: Any, a: int, b: int) -> bool:
    """Whether two nodes hold the same deck."""
    for w in range(7):
        if decks[a, w] != decks[b, w]:
            return False
    return True


@kernel
def enqueue(info: Any, links: Any, heads: Any, node: int) -> None:
    """Puts a node in its bucket. The best bucket's number goes up again when a better node comes."""
    score = links[node, SCORE]
    links[node, NEXT] = heads[score]
    links[node, OPEN] = 1
    heads[score] = node
    if score > info[I_TOP_BUCKET]:
        info[I_TOP_BUCKET] = score


@kernel
def load_node(info: Any, rows: Any, decks: Any, links: Any, node: int) -> int:
    """Deals the deck of ``node`` and begins its cycle; returns the bits of its top cards."""
    if node == 0:
        count = info[I_ROOT_PILES]
        for p in range(count + 1):
            rows[STARTS, p] = rows[ROOT_STARTS, p]
        for i in range(rows[ROOT_STARTS, count]):
            rows[SEQ, i] = rows[ROOT_SEQ, i]
    else:
        n = links[node, CARDS]
        for i in range(n):
            rows[TEMP, i] = ((decks[node, i >> 3] >> (8 * (i & 7))) & 63) - 1
        count = deal_again(rows, TEMP, n, info[I_ORDER], info[I_PILES], SEQ, STARTS)
    info[I_CURRENT] = node
    info[I_CURRENT_PILES] = count
    return begin_cycle(rows, count)


@kernel
def unchanged(rows: Any, piles: int, count: int) -> bool:
    """Whether the layout dealt from CHILD (CHILD_SEQ, CHILD_NEW) is the one that was collected.

    Such a redeal is refused; when only gaps between the piles close up it gains nothing, since play does not
    depend on the gaps. CHILD must have been collected from the bottom of each pile.
    """
    if piles != count:
        return False
    for p in range(count):
        if rows[CHILD_STARTS, p] != rows[CHILD_NEW, p]:
            return False
    for i in range(rows[CHILD_STARTS, count]):
        if rows[CHILD, i] != rows[CHILD_SEQ, i]:
            return False
    return True


@kernel
def in_fours(rows: Any, piles: int) -> bool:
    """Whether the collected piles all hold four cards but for a shorter last one: the redeal changes nothing."""
    for p in range(piles):
        if rows[CHILD_STARTS, p] != 4 * p:
            return False
    return rows[CHILD_STARTS, piles] <= 4 * piles  # type: ignore[no-any-return]


@kernel
def write_deck(rows: Any, decks: Any, node: int, n: int) -> None:
    """Writes the ``n`` cards that were collected as the deck of ``node``."""
    for w in range(7):
        decks[node, w] = 0
    for i in range(n):
        decks[node, i >> 3] |= (rows[CHILD, i] + 1) << (8 * (i & 7))


@kernel
def heads_that_fit(rows: Any, key: int, tops: int, run: bool) -> int:
    """Bits of the cards that fit on a top card: top cards, with runs the heads of runs that end in one."""
    if not run:
        return tops & (tops >> 4)
    onto, rest = 0, tops
    while rest != 0:
        head = run_head(rows, key, lowest(rest))
        rest &= rest - 1
        if (tops >> (head + 4)) & 1:
            onto |= 1 << head
    return onto


@kernel
def add_child(info: Any, rows: Any, decks: Any, links: Any, heads: Any, table: Any, key: int) -> None:
    """Collects the layout ``key`` of the present cycle, tests what the redeal makes of it, and stores it if it is new.

    There must be room for one more node.
    """
    order = info[I_ORDER]
    run = info[I_RUN] != 0
    piles = collect(rows, info[I_CURRENT_PILES], key, order)
    n = rows[CHILD_STARTS, piles]
    depth = info[I_DEPTH] + 1
    last = depth == info[I_LIMIT]
    if order == ONE_BY_ONE:
        count = deal_again(rows, CHILD, n, order, info[I_PILES], CHILD_SEQ, CHILD_NEW)
        if unchanged(rows, piles, count):
            return
        if last and not clears(rows, CHILD_SEQ, CHILD_NEW, count, TEMP, key, run):
            return
    else:
        if in_fours(rows, piles):
            return
        if last:
            count = deal_again(rows, CHILD, n, order, info[I_PILES], CHILD_SEQ, CHILD_NEW)
            if not clears(rows, CHILD_SEQ, CHILD_NEW, count, TEMP, key, run):
                return
        elif info[I_FROZEN] != 0 and frozen(rows, CHILD, n, order, run, info[I_RANKS]) != 0:
            return
    node = info[I_NODES]
    write_deck(rows, decks, node, n)
    mask = info[I_MASK]
    h = hash_deck(decks, node)
    tag = (h >> 32) & 0x7FFFFFFF
    slot = h & mask
    while table[slot, 0] != NONE:
        if table[slot, 1] == tag and same_deck(decks, table[slot, 0], node):
            old = table[slot, 0]
            # Reached again with more redeals left: worth a second look when redeals are limited.
            if info[I_LIMIT] != UNLIMITED and depth < links[old, DEPTH]:
                links[old, DEPTH] = depth
                links[old, PARENT] = info[I_CURRENT]
                decks[old, KEY_WORD] = key
                if links[old, OPEN] == 0:
                    enqueue(info, links, heads, old)
            return
        slot = (slot + 1) & mask
    table[slot, 0] = node
    table[slot, 1] = tag
    decks[node, KEY_WORD] = key
    links[node, PARENT] = info[I_CURRENT]
    links[node, DEPTH] = depth
    links[node, CARDS] = n
    follows = 0
    if order == BOTTOM_UP:
        for i in range(1, n):
            if (i & 3) != 0 and rows[CHILD, i] + 4 == rows[CHILD, i - 1]:
                follows += 1
    elif order == TOP_DOWN:
        for i in range(1, n):
            if (i & 3) != 0 and rows[CHILD, i - 1] + 4 == rows[CHILD, i]:
                follows += 1
    else:
        for p in range(count):
            for i in range(rows[CHILD_NEW, p] + 1, rows[CHILD_NEW, p + 1]):
                if rows[CHILD_SEQ, i] + 4 == rows[CHILD_SEQ, i - 1]:
                    follows += 1
    links[node, SCORE] = 4 * (4 * info[I_RANKS] - n) + follows
    info[I_NODES] = node + 1
    enqueue(info, links, heads, node)
    if 2 * (node + 1) > mask and 2 * mask < table.shape[0]:
        rebuild_table(info, decks, table)


@kernel
def rebuild_table(info: Any, decks: Any, table: Any) -> None:
    """Doubles the part of the table that is in use."""
    mask = 2 * info[I_MASK] + 1
    info[I_MASK] = mask
    for slot in range(mask + 1):
        table[slot, 0] = NONE
    for node in range(1, info[I_NODES]):
        h = hash_deck(decks, node)
        slot = h & mask
        while table[slot, 0] != NONE:
            slot = (slot + 1) & mask
        table[slot, 0] = node
        table[slot, 1] = (h >> 32) & 0x7FFFFFFF


@kernel
def meet(info: Any, stack: Any, seen: Any, stamps: Any, listed: Any, tops: int, key: int) -> None:
    """Puts a layout of the present cycle on the stack unless it was met before."""
    mask = info[I_SEEN_MASK]
    stamp = info[I_STAMP]
    slot = ((key * -7046029254386353131) >> 24) & mask
    while stamps[slot] == stamp:
        if seen[slot] == key:
            return
        slot = (slot + 1) & mask
    seen[slot] = key
    stamps[slot] = stamp
    met = info[I_SEEN]
    listed[met] = key
    info[I_SEEN] = met + 1
    top = info[I_STACK]
    stack[top, 0] = tops
    stack[top, 1] = key
    info[I_STACK] = top + 1
    if 2 * (met + 1) > mask and 2 * mask < seen.shape[0]:
        mask = 2 * mask + 1
        info[I_SEEN_MASK] = mask
        stamp += 1
        info[I_STAMP] = stamp
        for i in range(met + 1):
            slot = ((listed[i] * -7046029254386353131) >> 24) & mask
            while stamps[slot] == stamp:
                slot = (slot + 1) & mask
            seen[slot] = listed[i]
            stamps[slot] = stamp


@kernel
def search(
    info: Any,
    rows: Any,
    decks: Any,
    links: Any,
    heads: Any,
    table: Any,
    stack: Any,
    seen: Any,
    stamps: Any,
    listed: Any,
    known: Any,
    known_table: Any,
    known_waiting: Any,
    memo: Any,
    budget: int,
) -> int:
    """Visits about ``budget`` layouts of the pass that ``info`` describes and says how things stand.

    Returns:
        ``MORE`` (call again), ``WON`` (``I_WON_NODE``, ``I_WON_KEY`` say where), ``EMPTY`` (nothing is left;
        ``I_TRUNCATED`` says whether something was cut off), ``NODES_FULL`` or ``CYCLE_FULL`` (give larger arrays
        and call again).
    """
    stop = info[I_VISITED] + budget
    run = info[I_RUN] != 0
    while info[I_VISITED] < stop:
        if info[I_NODES] + 1 >= decks.shape[0]:
            return NODES_FULL
        if info[I_SEEN] + 128 >= listed.shape[0]:
            return CYCLE_FULL
        if info[I_STACK] == 0:
            # 1. The cycle is done: begin the one of the best waiting node.
            bucket = info[I_TOP_BUCKET]
            while bucket >= 0 and heads[bucket] == NONE:
                bucket -= 1
            info[I_TOP_BUCKET] = bucket
            if bucket < 0:
                return EMPTY
            if info[I_EXPANDED] >= info[I_NODE_CAP]:
                info[I_TRUNCATED] = 1
                return EMPTY
            node = heads[bucket]
            heads[bucket] = links[node, NEXT]
            links[node, OPEN] = 0
            info[I_EXPANDED] += 1
            info[I_DEPTH] = links[node, DEPTH]
            info[I_STAMP] += 1
            info[I_SEEN] = 0
            info[I_SEEN_MASK] = 1023
            tops = load_node(info, rows, decks, links, node)
            start = decks[node, KEY_WORD] & COUNTS
            meet(info, stack, seen, stamps, listed, tops, start)
            continue
        # 2. Take the layout that was met last.
        top = info[I_STACK] - 1
        info[I_STACK] = top
        tops = stack[top, 0]
        key = stack[top, 1]
        info[I_VISITED] += 1
        if tops == 0:
            info[I_WON_NODE] = info[I_CURRENT]
            info[I_WON_KEY] = key
            return WON
        final = info[I_DEPTH] >= info[I_LIMIT]
        # 3. The first few cards may never get away: then nothing that follows can win.
        if (
            info[I_KNOWN] != 0
            and not final
            and prefix_is_dead(
                rows,
                info[I_CURRENT_PILES],
                key,
                info[I_KNOWN],
                known,
                known_table,
                known_waiting,
                memo,
                info[I_ORDER],
                info[I_RANKS],
            )
        ):
            continue
        moved = key & MOVED
        up = tops & next_cards(key)
        stuck = info[I_STUCK] != 0
        # 4. With no redeal to come before it must happen anyway, a card that can go up goes up at once.
        #    Why this is sound: the redeal (if any) comes only when nothing can move, so the card goes up before it
        #    or not at all; going up earlier exposes what it covers, and the cards that could be put on it are up
        #    already. In any-time games a card that goes up shifts the cut of the redeal, so there it is a choice.
        forced = up != 0 and (final or stuck)
        onto = 0
        if not forced:
            onto = heads_that_fit(rows, key, tops, run)
        # 5. Redeal.
        if not final and (not stuck or (up == 0 and onto == 0)):
            add_child(info, rows, decks, links, heads, table, key)
        # 6. Moves; the walk continues with what is pushed last.
        if info[I_SEEN] >= info[I_CYCLE_CAP]:
            if onto != 0 or up != 0:
                info[I_TRUNCATED] = 1
            continue
        while onto != 0:
            bit = onto & -onto
            onto ^= bit
            card = lowest(bit)
            meet(info, stack, seen, stamps, listed, (tops ^ (bit << 4)) | rows[BELOW, card], key | bit)
        while up != 0:
            bit = up & -up
            up ^= bit
            card = lowest(bit)
            under = rows[BELOW, card]
            after = key + (1 << (48 + 4 * (card & 3)))
            if moved & bit:
                under = bit << 4
                after ^= bit
            meet(info, stack, seen, stamps, listed, (tops ^ bit) | under, after)
            if forced:
                break
    return MORE
