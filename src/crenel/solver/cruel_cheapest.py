"""The proved fewest cost of the Cruel family: A* over single layouts, with the redeal as a move of cost 1.

Tableau moves and redeals cost 1, foundation moves nothing. Layouts are named exactly by the node (deck order) whose
cycle they belong to and by their ``key`` in it; nodes are compared whole. Layouts wait in buckets by the estimate
f = cost so far + a lower bound of what is still needed, and only those that could beat the best known win are kept.
"""

from __future__ import annotations

from typing import Any

from crenel.solver._jit import kernel
from crenel.solver.cruel_dead import clears, frozen
from crenel.solver.cruel_evaporate import prefix_is_dead
from crenel.solver.cruel_kernels import (
    CARDS,
    DEPTH,
    I_CURRENT,
    I_CURRENT_PILES,
    I_EXPANDED,
    I_FROZEN,
    I_KNOWN,
    I_LIMIT,
    I_MASK,
    I_NODES,
    I_ORDER,
    I_PILES,
    I_RANKS,
    I_RUN,
    I_SEEN,
    I_SEEN_MASK,
    I_STUCK,
    I_TOP_BUCKET,
    I_TRUNCATED,
    I_VISITED,
    I_WON_KEY,
    I_WON_NODE,
    KEY_WORD,
    MORE,
    NODES_FULL,
    NONE,
    PARENT,
    SCORE,
    UNLIMITED,
    WON,
    hash_deck,
    heads_that_fit,
    in_fours,
    load_node,
    rebuild_table,
    same_deck,
    unchanged,
    write_deck,
)
from crenel.solver.cruel_kernels import CYCLE_FULL as LAYOUTS_FULL
from crenel.solver.cruel_kernels import EMPTY as PROVED
from crenel.solver.cruel_kernels import NEXT as CLEARS
from crenel.solver.cruel_layout import (
    BELOW,
    CHILD,
    CHILD_NEW,
    CHILD_SEQ,
    CHILD_STARTS,
    COUNTS,
    MOVED,
    ONE_BY_ONE,
    SEQ,
    STARTS,
    SUIT,
    TEMP,
    collect,
    deal_again,
    lowest,
    next_cards,
)

(
    C_KNOWN_COST,
    C_FEWEST,
    C_OVER,
    C_LOADED,
    C_COST_WEIGHT,
    C_LEFT_WEIGHT,
    C_OVER_WEIGHT,
    C_WON_COST,
) = range(8)
"""Numbers of the array ``more``: the cost to beat; redeals that any win needs (proved); cards of the present cycle
above a lower card of their suit; the node whose cycle is loaded; the weights of a *quick* search (all 0: exact) of
the cost so far, the cards not home, and the cards above a lower one of their suit; the cost of the win found."""
MORE_NUMBERS = 8
I_CHILD_PILES = I_TRUNCATED
"""This search cuts nothing off; the place in ``info`` holds the number of piles that the last redeal made."""
L_NODE, L_COST, L_NEXT = range(3)
"""Columns of ``places``: node of a layout, cost so far, next layout in its bucket."""
_NODE_MIX = -4658895280553007687
_MIX = -7046029254386353131


@kernel
def above_lower(rows: Any, seq: int, starts: int, piles: int, run: bool) -> int:
    """The cards that lie in a pile above a lower card of their suit; with runs only heads, since others are carried."""
    over = 0
    for p in range(piles):
        beneath = 0
        under = 0
        for i in range(rows[starts, p], rows[starts, p + 1]):
            card = rows[seq, i]
            bit = 1 << card
            if beneath & (SUIT << (card & 3)) & (bit - 1) and not (run and under == bit << 4):
                over |= bit
            beneath |= bit
            under = bit
    return over


@kernel
def load(info: Any, more: Any, rows: Any, decks: Any, links: Any, node: int) -> int:
    """Makes the cycle of ``node`` the present one; returns the bits of its first top cards."""
    tops = load_node(info, rows, decks, links, node)
    more[C_OVER] = above_lower(rows, SEQ, STARTS, info[I_CURRENT_PILES], info[I_RUN] != 0)
    more[C_LOADED] = node
    return tops


@kernel
def over_lower(over: int, key: int) -> int:
    """How many cards of the set ``over`` neither moved in this cycle nor went up."""
    waiting = over & ~(key & MOVED)
    count = 0
    if waiting != 0:
        for suit in range(4):
            bits = (waiting >> suit) & SUIT & -(1 << (4 * ((key >> (48 + 4 * suit)) & 15)))
            while bits != 0:
                bits &= bits - 1
                count += 1
    return count


@kernel
def still_needed(
    info: Any, more: Any, possible: bool, depth: int, fresh: bool, over: int, tops: int, key: int
) -> int:
    """A lower bound of the cost from a layout to any win.

    Either no redeal comes any more: then each card above a lower one of its suit that has not moved yet must move
    (with runs: as the head of one), and that is possible only if ``clears`` said so when the cycle began. Or there is a
    redeal; right after the last one it needs a move first (not where cards are redealt one by one), and if nothing
    can go up that is a tableau move. In any case as many redeals are missing as the proved fewest number demands.

    Args:
        info: As in :func:`cheapest`.
        more: As in :func:`cheapest`.
        possible: What ``clears`` said when the cycle began.
        depth: Redeals so far.
        fresh: Whether nothing has moved since a redeal.
        over: The cards that lay above a lower one of their suit when the cycle began.
        tops: Bits of the top cards.
        key: The layout.
    """
    missing: int = more[C_FEWEST] - depth
    redeal = 1
    if fresh and info[I_ORDER] != ONE_BY_ONE and tops & next_cards(key) == 0:
        redeal = 2
    if possible and missing <= 0:
        return min(over_lower(over, key), redeal)
    return max(missing, redeal)


@kernel
def place_of(layouts: Any, places: Any, table: Any, mask: int, node: int, key: int) -> int:
    """The slot of the table where the layout is, or where it would go."""
    slot = (((key ^ (node * _NODE_MIX)) * _MIX) >> 24) & mask
    while table[slot] != NONE:
        old = table[slot]
        if layouts[old, 1] == key and places[old, L_NODE] == node:
            break
        slot = (slot + 1) & mask
    return slot


@kernel
def put(
    info: Any,
    more: Any,
    heads: Any,
    layouts: Any,
    places: Any,
    table: Any,
    node: int,
    tops: int,
    key: int,
    cost: int,
    estimate: int,
    over: int,
) -> None:
    """Lets a layout wait in its bucket unless it is known as cheaply or cannot beat the known win."""
    if estimate >= more[C_KNOWN_COST]:
        return
    bucket = estimate
    if more[C_COST_WEIGHT] != 0:
        left = 4 * info[I_RANKS]
        for suit in range(4):
            left -= (key >> (48 + 4 * suit)) & 15
        bucket = more[C_COST_WEIGHT] * cost + more[C_LEFT_WEIGHT] * left
        bucket = min(bucket + more[C_OVER_WEIGHT] * over_lower(over, key), heads.shape[0] - 1)
    mask = info[I_SEEN_MASK]
    slot = place_of(layouts, places, table, mask, node, key)
    if table[slot] != NONE and places[table[slot], L_COST] <= cost:
        return
    index = info[I_SEEN]
    info[I_SEEN] = index + 1
    # A dearer entry stays in its bucket, but the table forgets it: it is passed over when its turn comes.
    table[slot] = index
    layouts[index, 0] = tops
    layouts[index, 1] = key
    places[index, L_NODE] = node
    places[index, L_COST] = cost
    places[index, L_NEXT] = heads[bucket]
    heads[bucket] = index
    if bucket < info[I_TOP_BUCKET]:
        info[I_TOP_BUCKET] = bucket
    if 2 * (index + 1) > mask and 2 * mask < table.shape[0]:
        mask = 2 * mask + 1
        info[I_SEEN_MASK] = mask
        table[: mask + 1] = NONE
        for i in range(index + 1):
            # In order of age, so that the cheapest entry of a layout is the one that stays.
            table[place_of(layouts, places, table, mask, places[i, L_NODE], layouts[i, 1])] = i


@kernel
def redeal_to(
    info: Any, more: Any, rows: Any, decks: Any, links: Any, table: Any, key: int, cost: int
) -> int:
    """The node that a redeal of the present cycle's layout ``key`` leads to, reached for ``cost``.

    Returns:
        Its number when it is new or was reached dearer before, else ``NONE`` (also when the redeal is refused or
        proved to lead to no win that is cheaper than the known one).
    """
    order = info[I_ORDER]
    run = info[I_RUN] != 0
    current = info[I_CURRENT]
    piles = collect(rows, info[I_CURRENT_PILES], key, order)
    n = rows[CHILD_STARTS, piles]
    depth = links[current, DEPTH] + 1
    last = depth == info[I_LIMIT]
    if order != ONE_BY_ONE and in_fours(rows, piles):
        return NONE
    count = deal_again(rows, CHILD, n, order, info[I_PILES], CHILD_SEQ, CHILD_NEW)
    info[I_CHILD_PILES] = count
    if order == ONE_BY_ONE and unchanged(rows, piles, count):
        return NONE
    # With no redeal left, or no cost left for one, the last-cycle test must pass.
    tight = last or cost + 1 >= more[C_KNOWN_COST]
    if tight:
        if not clears(rows, CHILD_SEQ, CHILD_NEW, count, TEMP, key, run):
            return NONE
    elif (
        order != ONE_BY_ONE and info[I_FROZEN] != 0 and frozen(rows, CHILD, n, order, run, info[I_RANKS]) != 0
    ):
        return NONE
    node = info[I_NODES]
    write_deck(rows, decks, node, n)
    if info[I_LIMIT] != UNLIMITED:
        # With a limit the same deck after more redeals is another node. Cards take at most 52 of the 56 bytes.
        decks[node, 6] |= depth << 40
    mask = info[I_MASK]
    h = hash_deck(decks, node)
    tag = (h >> 32) & 0x7FFFFFFF
    slot = h & mask
    while table[slot, 0] != NONE:
        old = table[slot, 0]
        if table[slot, 1] == tag and same_deck(decks, old, node):
            if links[old, SCORE] <= cost:
                return NONE
            links[old, SCORE] = cost
            links[old, PARENT] = current
            links[old, DEPTH] = depth
            decks[old, KEY_WORD] = key
            return old  # type: ignore[no-any-return]
        slot = (slot + 1) & mask
    table[slot, 0] = node
    table[slot, 1] = tag
    decks[node, KEY_WORD] = key
    links[node, PARENT] = current
    links[node, DEPTH] = depth
    links[node, CARDS] = n
    links[node, SCORE] = cost
    links[node, CLEARS] = tight or clears(rows, CHILD_SEQ, CHILD_NEW, count, TEMP, key, run)
    info[I_NODES] = node + 1
    if 2 * (node + 1) > mask and 2 * mask < table.shape[0]:
        rebuild_table(info, decks, table)
    return node  # type: ignore[no-any-return]


@kernel
def cheapest(
    info: Any,
    more: Any,
    rows: Any,
    decks: Any,
    links: Any,
    node_table: Any,
    heads: Any,
    layouts: Any,
    places: Any,
    table: Any,
    known: Any,
    known_table: Any,
    known_waiting: Any,
    memo: Any,
    budget: int,
) -> int:
    """Opens about ``budget`` layouts, lowest estimate first (a quick search: lowest weighted sum first).

    Returns:
        ``MORE``; ``WON`` (``I_WON_NODE``, ``I_WON_KEY``, ``C_WON_COST``: a win of proved fewest cost, unless the
        search is a quick one); ``PROVED`` (nothing beats the known win); ``NODES_FULL`` or ``LAYOUTS_FULL`` (give
        larger arrays and call again). In an exact search ``I_TOP_BUCKET`` is a lower bound of the cost of any win
        that beats the known one.
    """
    stop = info[I_VISITED] + budget
    run = info[I_RUN] != 0
    stuck = info[I_STUCK] != 0
    quick = more[C_COST_WEIGHT] != 0
    if info[I_NODES] == 1 and info[I_SEEN] == 0:
        tops = load(info, more, rows, decks, links, 0)
        for p in range(info[I_CURRENT_PILES] + 1):
            rows[CHILD_NEW, p] = rows[STARTS, p]
        for i in range(rows[STARTS, info[I_CURRENT_PILES]]):
            rows[CHILD_SEQ, i] = rows[SEQ, i]
        key = decks[0, KEY_WORD] & COUNTS
        links[0, CLEARS] = clears(rows, CHILD_SEQ, CHILD_NEW, info[I_CURRENT_PILES], TEMP, key, run)
        over = more[C_OVER]
        needed = still_needed(info, more, links[0, CLEARS] != 0, 0, False, over, tops, key)
        put(info, more, heads, layouts, places, table, 0, tops, key, 0, needed, over)
    while info[I_VISITED] < stop:
        if info[I_NODES] + 1 >= decks.shape[0]:
            return NODES_FULL
        if info[I_SEEN] + 128 >= layouts.shape[0]:
            return LAYOUTS_FULL
        # 1. The layout of the lowest estimate that was put there last.
        bucket = info[I_TOP_BUCKET]
        while bucket < heads.shape[0] and heads[bucket] == NONE:
            bucket += 1
        info[I_TOP_BUCKET] = bucket
        if bucket >= heads.shape[0] or (not quick and bucket >= more[C_KNOWN_COST]):
            return PROVED
        index = heads[bucket]
        heads[bucket] = places[index, L_NEXT]
        tops = layouts[index, 0]
        key = layouts[index, 1]
        node = places[index, L_NODE]
        cost = places[index, L_COST]
        if (
            cost >= more[C_KNOWN_COST]
            or table[place_of(layouts, places, table, info[I_SEEN_MASK], node, key)] != index
        ):
            continue
        info[I_VISITED] += 1
        if tops == 0:
            info[I_WON_NODE] = node
            info[I_WON_KEY] = key
            more[C_WON_COST] = cost
            return WON
        if more[C_LOADED] != node:
            load(info, more, rows, decks, links, node)
            info[I_EXPANDED] += 1
        over = more[C_OVER]
        depth = links[node, DEPTH]
        possible = links[node, CLEARS] != 0
        final = depth >= info[I_LIMIT]
        # 2. Pruning as in ``search``: the arguments are there.
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
        up = tops & next_cards(key)
        # Going up at once costs nothing, so where it keeps all wins it keeps the cheapest.
        forced = up != 0 and (final or stuck)
        onto = 0
        if not forced:
            onto = heads_that_fit(rows, key, tops, run)
        # 3. Tableau moves, then moves up (opened first among equals). Estimates never fall along a line.
        least = 0 if quick else bucket
        moved = key & MOVED
        can_move = up != 0 or onto != 0
        while onto != 0:
            bit = onto & -onto
            onto ^= bit
            after_tops = (tops ^ (bit << 4)) | rows[BELOW, lowest(bit)]
            after = key | bit
            needed = still_needed(info, more, possible, depth, False, over, after_tops, after)
            estimate = max(least, cost + 1 + needed)
            put(info, more, heads, layouts, places, table, node, after_tops, after, cost + 1, estimate, over)
        while up != 0:
            bit = up & -up
            up ^= bit
            card = lowest(bit)
            under = rows[BELOW, card]
            after = key + (1 << (48 + 4 * (card & 3)))
            if moved & bit:
                under = bit << 4
                after ^= bit
            after_tops = (tops ^ bit) | under
            needed = still_needed(info, more, possible, depth, False, over, after_tops, after)
            estimate = max(least, cost + needed)
            put(info, more, heads, layouts, places, table, node, after_tops, after, cost, estimate, over)
            if forced:
                break
        # 4. Redeal.
        if final or (stuck and can_move) or cost + 1 >= more[C_KNOWN_COST]:
            continue
        child = redeal_to(info, more, rows, decks, links, node_table, key, cost + 1)
        if child != NONE:
            start = key & COUNTS
            piles = info[I_CHILD_PILES]
            over = above_lower(rows, CHILD_SEQ, CHILD_NEW, piles, run)
            tops = 0
            for p in range(piles):
                tops |= 1 << rows[CHILD_SEQ, rows[CHILD_NEW, p + 1] - 1]
            needed = still_needed(info, more, links[child, CLEARS] != 0, depth + 1, True, over, tops, start)
            estimate = max(least, cost + 1 + needed)
            put(info, more, heads, layouts, places, table, child, tops, start, cost + 1, estimate, over)
    return MORE


__all__ = ["LAYOUTS_FULL", "MORE", "NODES_FULL", "PROVED", "WON", "cheapest"]
