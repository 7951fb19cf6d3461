"""Compiled steps on one layout: cards move, redeals, the key, the judgement, and all children."""

from __future__ import annotations

from typing import Any

from crenel.solver._jit import kernel
from crenel.solver.royal_layout import (
    ANY,
    BASE,
    BASE_WEIGHT,
    BENEATH,
    COUNTS,
    EMPTY,
    FITS,
    FROM,
    HEAD_BYTES,
    HEADER,
    LEFT,
    LIMIT,
    NO_BASE,
    NO_PILE,
    ON_GROUND,
    ON_PILE,
    ONE_BY_ONE,
    ORDER,
    OWN,
    PILES,
    RANKS,
    REDEAL_CODE,
    RUN,
    SET,
    SHORTEST,
    SIZE,
    STUCK,
    TOP_DOWN,
    USED,
    USED_WEIGHT,
    W_ANY,
    W_EMPTY,
    W_HOME,
    W_MADE,
    W_OWN,
)

# Columns of a child: its key, its score, what the step adds for the moves made, the move.
KEY_A, KEY_B, SCORE, STEP, MOVE = range(5)


@kernel
def load(rules: Any, row: Any, lay: Any) -> None:
    """Reads a row of bytes into the layout ``lay``."""
    lay[HEADER, BASE] = row[0]
    lay[HEADER, USED] = row[1] + 256 * row[2]
    for suit in range(4):
        lay[HEADER, COUNTS + suit] = row[3 + suit]
    left = 0
    at = HEAD_BYTES
    for p in range(rules[PILES]):
        size = int(row[at])
        at += 1
        inside = 0
        for i in range(size):
            card = int(row[at + i])
            lay[p, FROM + i] = card
            inside |= 1 << card
        at += size
        left += size
        lay[p, SIZE] = size
        lay[p, SET] = inside
    lay[HEADER, LEFT] = left


@kernel
def save(rules: Any, lay: Any, row: Any) -> None:
    """Writes the layout ``lay`` into a row of bytes."""
    row[0] = lay[HEADER, BASE]
    row[1] = lay[HEADER, USED] & 255
    row[2] = lay[HEADER, USED] >> 8
    for suit in range(4):
        row[3 + suit] = lay[HEADER, COUNTS + suit]
    at = HEAD_BYTES
    for p in range(rules[PILES]):
        size = lay[p, SIZE]
        row[at] = size
        at += 1
        for i in range(size):
            row[at + i] = lay[p, FROM + i]
        at += size


@kernel
def redeal(rules: Any, lay: Any, new: Any) -> bool:
    """Deals the cards of ``lay`` again into the layout ``new`` (another array).

    Returns:
        Whether anything changes but the count of redeals.
    """
    piles = rules[PILES]
    order = rules[ORDER]
    for i in range(LEFT + 1):
        new[HEADER, i] = lay[HEADER, i]
    if rules[LIMIT] > 0:
        new[HEADER, USED] += 1
    for p in range(piles):
        new[p, SIZE] = 0
        new[p, SET] = 0
    total = lay[HEADER, LEFT]
    changed = False
    place = 0
    for p in range(piles):
        size = lay[p, SIZE]
        for i in range(size):
            card = lay[p, FROM + size - 1 - i] if order == TOP_DOWN else lay[p, FROM + i]
            if order == ONE_BY_ONE:
                target = place % piles
                height = place // piles
            else:
                target = place >> 2
                height = place & 3
                if order == TOP_DOWN:
                    packet = min(4, total - 4 * target)
                    height = packet - 1 - height
            new[target, FROM + height] = card
            new[target, SIZE] += 1
            new[target, SET] |= 1 << card
            height_now = size - 1 - i if order == TOP_DOWN else i
            if target != p or height != height_now:
                changed = True
            place += 1
    return changed


@kernel
def shift(lay: Any, source: int, target: int, count: int) -> None:
    """Moves the top ``count`` cards of a pile to a pile, or one to its foundation (``target`` NO_PILE)."""
    size = lay[source, SIZE] - count
    lay[source, SIZE] = size
    if target == NO_PILE:
        card = lay[source, FROM + size]
        lay[source, SET] ^= 1 << card
        if lay[HEADER, BASE] == NO_BASE:
            lay[HEADER, BASE] = card >> 2
        lay[HEADER, COUNTS + (card & 3)] += 1
        lay[HEADER, LEFT] -= 1
        return
    height = lay[target, SIZE]
    moved = 0
    for i in range(count):
        card = lay[source, FROM + size + i]
        lay[target, FROM + height + i] = card
        moved |= 1 << card
    lay[source, SET] ^= moved
    lay[target, SET] |= moved
    lay[target, SIZE] = height + count


@kernel
def goes_up(rules: Any, lay: Any, card: int) -> bool:
    """Whether the foundation of the card's suit takes the card now."""
    base = lay[HEADER, BASE]
    if base == NO_BASE:
        return True
    count = lay[HEADER, COUNTS + (card & 3)]
    return bool(count < rules[RANKS] and (base + count) % rules[RANKS] == card >> 2)


@kernel
def has_order(rules: Any, lay: Any) -> bool:
    """Whether the order of the piles belongs in the key: while a redeal is left.

    Why it may be left out else: piles are told apart only by the collecting of a redeal. Without one, two
    positions whose piles are a permutation of each other have the same moves up to that permutation.
    """
    return bool(rules[LIMIT] < 0 or lay[HEADER, USED] < rules[LIMIT])


@kernel
def key_word(rules: Any, weights: Any, lay: Any, word: int) -> int:
    """One word of the key: the sum of the weights of each card on what lies beneath it."""
    ordered = has_order(rules, lay)
    key = lay[HEADER, USED] * weights[word, USED_WEIGHT] + lay[HEADER, BASE] * weights[word, BASE_WEIGHT]
    for p in range(rules[PILES]):
        beneath = ON_PILE + p if ordered else ON_GROUND
        for i in range(lay[p, SIZE]):
            card = lay[p, FROM + i]
            key += weights[word, card * BENEATH + beneath]
            beneath = card
    return int(key)


@kernel
def judge(rules: Any, tables: Any, lay: Any) -> int:
    """The score of a layout by the weights in ``rules``: the lower, the sooner it is looked at."""
    base = lay[HEADER, BASE]
    own = 0
    any_suit = 0
    empty = 0
    for p in range(rules[PILES]):
        size = lay[p, SIZE]
        if size == 0:
            empty += 1
        beneath = 0
        for i in range(size):
            card = lay[p, FROM + i]
            if base != NO_BASE:
                if tables[OWN + base, card] & beneath != 0:
                    own += 1
                if tables[ANY + base, card] & beneath != 0:
                    any_suit += 1
            beneath |= 1 << card
    score = rules[W_HOME] * lay[HEADER, LEFT] + rules[W_OWN] * own
    return int(score + rules[W_ANY] * any_suit + rules[W_EMPTY] * empty)


@kernel
def bound(rules: Any, tables: Any, lay: Any) -> int:
    """A lower bound of the tableau moves and redeals still needed.

    Why this is sound: a card above one of its suit that goes up earlier has to leave its pile by a tableau
    move, or everything by a redeal. A tableau move takes one card, or one run: then the cards of one run
    count once. Different cards (runs) need different moves, since each lies in its place until it moves.
    While a redeal is left, one redeal may do for all. Where no card can go up, something else comes first.
    """
    base = lay[HEADER, BASE]
    needed = 0
    up = lay[HEADER, LEFT] == 0
    for p in range(rules[PILES]):
        size = lay[p, SIZE]
        beneath = 0
        counted = False
        for i in range(size):
            card = lay[p, FROM + i]
            if rules[RUN] == 0 or i == 0 or (tables[FITS, card] >> lay[p, FROM + i - 1]) & 1 == 0:
                counted = False
            if not counted and base != NO_BASE and tables[OWN + base, card] & beneath != 0:
                needed += 1
                counted = True
            beneath |= 1 << card
        if size > 0 and goes_up(rules, lay, lay[p, FROM + size - 1]):
            up = True
    if needed > 1 and has_order(rules, lay):
        needed = 1
    if needed == 0 and not up:
        return 1
    return needed


@kernel
def children(
    rules: Any, tables: Any, weights: Any, lay: Any, other: Any, kids: Any, key_a: int, key_b: int
) -> int:
    """Writes all children of the layout ``lay`` with keys ``key_a``, ``key_b`` into ``kids``.

    Args:
        rules: See ``royal_layout``; so are ``tables``, ``weights`` and ``lay``.
        other: A layout for free use.
        kids: One row per child, columns as named above.
        key_a, key_b: The key of the position.

    Returns:
        The number of children; all legal moves but those that only swap equal empty piles.
    """
    piles = rules[PILES]
    ordered = has_order(rules, lay)
    base = lay[HEADER, BASE]
    score = judge(rules, tables, lay)
    found = 0
    for source in range(piles):
        size = lay[source, SIZE]
        if size == 0:
            continue
        card = lay[source, FROM + size - 1]
        ground = ON_PILE + source if ordered else ON_GROUND
        rest = lay[source, SET]
        if goes_up(rules, lay, card):
            beneath = ground if size == 1 else lay[source, FROM + size - 2]
            place = card * BENEATH + beneath
            kids[found, KEY_A] = key_a - weights[0, place]
            kids[found, KEY_B] = key_b - weights[1, place]
            if base == NO_BASE:
                kids[found, KEY_A] += ((card >> 2) - base) * weights[0, BASE_WEIGHT]
                kids[found, KEY_B] += ((card >> 2) - base) * weights[1, BASE_WEIGHT]
            new_score = score - rules[W_HOME]
            if size == 1:
                new_score += rules[W_EMPTY]
            if base != NO_BASE:
                if tables[OWN + base, card] & rest != 0:
                    new_score -= rules[W_OWN]
                if tables[ANY + base, card] & rest != 0:
                    new_score -= rules[W_ANY]
            kids[found, SCORE] = new_score
            kids[found, STEP] = 0
            kids[found, MOVE] = source << 11 | NO_PILE << 6 | 1
            found += 1
        count = 1
        lowered = 0
        while True:
            # ``card`` is the head of the top ``count`` cards; ``rest`` the set beneath it.
            rest ^= 1 << card
            if base != NO_BASE:
                if tables[OWN + base, card] & rest != 0:
                    lowered += rules[W_OWN]
                if tables[ANY + base, card] & rest != 0:
                    lowered += rules[W_ANY]
            beneath = ground if size == count else lay[source, FROM + size - count - 1]
            place = card * BENEATH + beneath
            seen_empty = False
            for target in range(piles):
                height = lay[target, SIZE]
                if height == 0:
                    if rules[EMPTY] == 0:
                        continue
                    # Without order all empty piles are one, and a whole pile gains nothing by going there.
                    if not ordered:
                        if seen_empty or size == count:
                            continue
                        seen_empty = True
                    new_place = card * BENEATH + (ON_PILE + target if ordered else ON_GROUND)
                else:
                    top = lay[target, FROM + height - 1]
                    if target == source or (tables[FITS, card] >> top) & 1 == 0:
                        continue
                    new_place = card * BENEATH + top
                kids[found, KEY_A] = key_a - weights[0, place] + weights[0, new_place]
                kids[found, KEY_B] = key_b - weights[1, place] + weights[1, new_place]
                new_score = score - lowered
                if size == count:
                    new_score += rules[W_EMPTY]
                if height == 0:
                    new_score -= rules[W_EMPTY]
                if base != NO_BASE:
                    beneath_set = lay[target, SET]
                    for i in range(size - count, size):
                        moved = lay[source, FROM + i]
                        if tables[OWN + base, moved] & beneath_set != 0:
                            new_score += rules[W_OWN]
                        if tables[ANY + base, moved] & beneath_set != 0:
                            new_score += rules[W_ANY]
                        beneath_set |= 1 << moved
                kids[found, SCORE] = new_score
                kids[found, STEP] = rules[W_MADE]
                kids[found, MOVE] = source << 11 | target << 6 | count
                found += 1
            if rules[RUN] == 0 or count == size:
                break
            head = lay[source, FROM + size - count - 1]
            if (tables[FITS, card] >> head) & 1 == 0:
                break
            card = head
            count += 1
    if ordered and rules[LIMIT] != 0 and (rules[STUCK] == 0 or found == 0):
        if redeal(rules, lay, other):
            kids[found, KEY_A] = key_word(rules, weights, other, 0)
            kids[found, KEY_B] = key_word(rules, weights, other, 1)
            kids[found, SCORE] = judge(rules, tables, other)
            kids[found, STEP] = rules[W_MADE]
            kids[found, MOVE] = REDEAL_CODE
            found += 1
    if rules[SHORTEST] != 0:
        # The score counts the cards above an earlier one of their suit; the bound is made of that where it can be.
        for k in range(found):
            if rules[RUN] == 0 and kids[k, SCORE] > 0 and kids[k, MOVE] != REDEAL_CODE:
                if ordered:
                    kids[k, SCORE] = 1
            else:
                apply(rules, lay, other, kids[k, MOVE])
                kids[k, SCORE] = bound(rules, tables, other)
    return found


@kernel
def copy_layout(rules: Any, lay: Any, other: Any) -> None:
    """Copies a layout."""
    for i in range(LEFT + 1):
        other[HEADER, i] = lay[HEADER, i]
    for p in range(rules[PILES]):
        for i in range(FROM + lay[p, SIZE]):
            other[p, i] = lay[p, i]


@kernel
def apply(rules: Any, lay: Any, other: Any, move: int) -> None:
    """Writes the layout after the coded move to ``other``."""
    if move == REDEAL_CODE:
        redeal(rules, lay, other)
    else:
        copy_layout(rules, lay, other)
        shift(other, move >> 11 & 31, move >> 6 & 31, move & 63)
