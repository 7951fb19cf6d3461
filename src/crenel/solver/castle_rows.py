"""Kernels over one unpacked position of the Castle family: unpack, judge, move, take back, go up, dead or not.

The position and everything known about it lie in one scratch array of integers, cut up by the offsets below, so
that a kernel takes two arguments and not twenty.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crenel.solver._jit import kernel
from crenel.solver.castle_deck import (
    BITS,
    CARDS,
    FILLS,
    HOME,
    LOOSE_CODE,
    PER_WORD,
    RANKS,
    ROWS_COUNT,
    SAFE,
    SAFE_ALWAYS,
    SAFE_LOW,
    TEST_DEAD,
    W_ANY,
    W_EMPTY,
    W_HOME,
    W_OWN,
)

NO_LIMIT = 99

# The scratch array: key words; cards up by suit; cards in rows as a set; priority without the moves made; empty rows.
# Sets of loose cards and of the tops of rows are used by ``castle_classes``.
KEY, COUNT, PRESENT, SCORE, EMPTIES, FILLED, WENT, LOOSE_SET, TOPS = 0, 4, 8, 9, 10, 11, 12, 13, 14
# Lengths of rows; rows of 64 cards; lowest order by suit and row (and of any suit) of what lies in the row.
LENGTH, ROW, LOWEST = 16, 48, 48 + 26 * 64
# By card: code, cost of where it lies, the card on it. Moves: pairs of source and target. What went up by itself.
CODE, MARK, ABOVE, MOVES, GONE = 1920, 1984, 2048, 2112, 2112 + 2 * 26 * 27
SAVED, DEPTH = 3648, 3664
# Of the child that :func:`try_move` made: score, cost of where the moved card lies; the key word that it changed.
CHILD_SCORE, CHILD_MARK, CHILD_AT, CHILD_WORD = 3692, 3693, 3694, 3695
SCRATCH = 3712
UP = -1
"""The target of a move to a foundation."""


def scratch() -> Any:
    """A scratch array."""
    return np.zeros(SCRATCH, np.int64)


@kernel
def unpack(deck: Any, x: Any, nodes: Any, start: int) -> None:
    """Reads the position whose words begin at ``nodes[start]`` and judges it.

    Empty rows come last. The score is the priority of the search without its part for the moves made.
    """
    scalars = deck.scalars
    cards, bits, per_word = scalars[CARDS], scalars[BITS], scalars[PER_WORD]
    code_mask = (1 << bits) - 1
    for suit in range(4):
        x[COUNT + suit] = 0
    for card in range(cards):
        x[ABOVE + card] = -1
    filled, present, loose, word, left = 0, 0, 0, nodes[start], per_word
    loose_code = scalars[LOOSE_CODE]
    x[KEY] = word
    at = 0
    for card in range(cards):
        if left == 0:
            at += 1
            word = nodes[start + at]
            x[KEY + at] = word
            left = per_word
        left -= 1
        code = word & code_mask
        word >>= bits
        x[CODE + card] = code
        if code == HOME:
            x[COUNT + (card & 3)] += 1
        elif code == loose_code:
            loose |= 1 << card
        else:
            present |= 1 << card
            lower = deck.below[16 * card + code]
            if lower < 0:
                x[ROW + 64 * filled] = card
                filled += 1
            else:
                x[ABOVE + lower] = card
    for i in range(at + 1, bits):
        x[KEY + i] = nodes[start + i]
    x[PRESENT] = present | loose
    x[LOOSE_SET] = loose
    x[FILLED] = filled
    x[EMPTIES] = scalars[ROWS_COUNT] - filled
    tableau = 0
    order = deck.order
    for row in range(filled):
        low = LOWEST + 8 * row
        for i in range(5):
            x[low + i] = NO_LIMIT
        length, card = 0, x[ROW + 64 * row]
        while card >= 0:
            x[ROW + 64 * row + length] = card
            length += 1
            here, suit, mark = order[card], card & 3, 0
            if here > x[low + suit]:
                mark = scalars[W_OWN]
            else:
                x[low + suit] = here
            if here > x[low + 4]:
                mark += scalars[W_ANY]
            else:
                x[low + 4] = here
            mark += scalars[W_HOME]
            x[MARK + card] = mark
            tableau += mark
            card = x[ABOVE + card]
        x[LENGTH + row] = length
    for row in range(filled, scalars[ROWS_COUNT]):
        x[LENGTH + row] = 0
        for i in range(5):
            x[LOWEST + 8 * row + i] = NO_LIMIT
    x[SCORE] = tableau + x[EMPTIES] * scalars[W_EMPTY]


@kernel
def recode(deck: Any, x: Any, card: int, code: int) -> None:
    """Changes what a card lies on, in the key too."""
    at, place = KEY, card
    while place >= deck.scalars[PER_WORD]:
        place -= deck.scalars[PER_WORD]
        at += 1
    x[at] ^= (x[CODE + card] ^ code) << deck.scalars[BITS] * place
    x[CODE + card] = code


@kernel
def lift(deck: Any, x: Any, row: int) -> int:
    """Takes the top card of a row away; its code still says where it lay."""
    length = x[LENGTH + row] - 1
    card = x[ROW + 64 * row + length]
    x[LENGTH + row] = length
    x[SCORE] -= x[MARK + card]
    if length == 0:
        x[EMPTIES] += 1
        x[SCORE] += deck.scalars[W_EMPTY]
    return int(card)


@kernel
def go_up(deck: Any, x: Any, row: int) -> None:
    """The top card of a row goes to its foundation."""
    card = lift(deck, x, row)
    recode(deck, x, card, HOME)
    x[COUNT + (card & 3)] += 1
    x[PRESENT] &= ~(1 << card)


@kernel
def is_safe(deck: Any, x: Any, card: int) -> bool:
    """Whether the card can go up now and no win is lost (or made longer) when it does so at once.

    Why this is sound: take any win and let the card go up first. What the win lays on the card later is a card
    y that fits on it. Let y go up instead whenever the win lays it on the card. That works when y is next in
    its suit by then, and it does not matter that y is gone when no card that is left fits on y, or when that card
    can go up in its turn. Such a win is never longer, since going up costs nothing and a move is saved.
    ``SAFE_ALWAYS``: built in suit, only the next of the same suit fits, so it can follow up. ``SAFE_LOW``: built
    down; all cards two ranks lower are up, so y is next in its suit and nothing is left that fits on y.
    ``SAFE_SLOW`` asks for exactly that card by card (ace and king may be neighbours, or cards may be built up).
    """
    order = deck.order[card]
    if x[COUNT + (card & 3)] != order:
        return False
    kind = deck.scalars[SAFE]
    if kind == SAFE_ALWAYS:
        return True
    low = min(x[COUNT], x[COUNT + 1], x[COUNT + 2], x[COUNT + 3]) >= order - 1
    if kind == SAFE_LOW:
        return bool(low)
    guests = deck.under[card] & x[PRESENT]
    for guest in range(deck.scalars[CARDS]):
        if guests >> guest & 1:
            if not low or deck.order[guest] != order - 1 or deck.under[guest] & x[PRESENT] != 0:
                return False
    return True


@kernel
def settle(deck: Any, x: Any, rows: int) -> None:
    """Lets all cards go up that can safely do so; notes them from ``GONE`` on as pairs of row and card."""
    went = 0
    again = True
    while again:
        again = False
        for row in range(rows):
            while x[LENGTH + row] > 0:
                card = x[ROW + 64 * row + x[LENGTH + row] - 1]
                if not is_safe(deck, x, card):
                    break
                go_up(deck, x, row)
                x[GONE + 2 * went] = row
                x[GONE + 2 * went + 1] = card
                went += 1
                again = True
    x[WENT] = went


@kernel
def list_moves(deck: Any, x: Any) -> int:
    """Lists the moves from ``MOVES`` on (row, then target row or ``UP``) and returns their number.

    A card alone in its row does not go to another empty row: that gives the same position. All empty rows are
    alike, so one of them stands for all.
    """
    filled, moves = x[FILLED], 0
    empty = deck.scalars[FILLS] != 0 and x[EMPTIES] > 0
    for row in range(filled):
        card = x[ROW + 64 * row + x[LENGTH + row] - 1]
        if x[COUNT + (card & 3)] == deck.order[card]:
            x[MOVES + 2 * moves] = row
            x[MOVES + 2 * moves + 1] = UP
            moves += 1
        targets = deck.on[card]
        for target in range(filled):
            if targets >> x[ROW + 64 * target + x[LENGTH + target] - 1] & 1:
                x[MOVES + 2 * moves] = row
                x[MOVES + 2 * moves + 1] = target
                moves += 1
        if empty and x[LENGTH + row] > 1:
            x[MOVES + 2 * moves] = row
            x[MOVES + 2 * moves + 1] = filled
            moves += 1
    return moves


@kernel
def mark_on(deck: Any, x: Any, card: int, target: int) -> int:
    """The cost of a card where it would lie on top of a row."""
    scalars = deck.scalars
    mark, order, low = scalars[W_HOME], deck.order[card], LOWEST + 8 * target
    if order > x[low + (card & 3)]:
        mark += scalars[W_OWN]
    if order > x[low + 4]:
        mark += scalars[W_ANY]
    return int(mark)


@kernel
def try_move(deck: Any, x: Any, row: int, target: int) -> bool:
    """Makes a move, in the key alone where that is enough: when no card goes up; :func:`undo_move` undoes it.

    Returns:
        Whether the key alone was changed. Then the rows are as before, which saves most of the work: most children
        are known already or are only filed. ``CHILD_SCORE`` and ``CHILD_MARK`` are right in either case.
    """
    scalars = deck.scalars
    length, top = x[LENGTH + row], ROW + 64 * row + x[LENGTH + row] - 1
    card = x[top]
    # Before the move nothing could safely go up, so it can only begin with the card that was bared.
    if target == UP or (length > 1 and is_safe(deck, x, x[top - 1])):
        make(deck, x, row, target)
        x[CHILD_SCORE], x[CHILD_MARK] = x[SCORE], x[MARK + card]
        return False
    mark, score, lower = mark_on(deck, x, card, target), x[SCORE] - x[MARK + card], -1
    if length == 1:
        score += scalars[W_EMPTY]
    if x[LENGTH + target] > 0:
        lower = x[ROW + 64 * target + x[LENGTH + target] - 1]
    else:
        score -= scalars[W_EMPTY]
    at, place = KEY, card
    while place >= scalars[PER_WORD]:
        place -= scalars[PER_WORD]
        at += 1
    x[CHILD_AT], x[CHILD_WORD] = at, x[at]
    x[at] ^= (x[CODE + card] ^ deck.code[64 * card + lower + 1]) << scalars[BITS] * place
    x[CHILD_SCORE], x[CHILD_MARK] = score + mark, mark
    return True


@kernel
def undo_move(deck: Any, x: Any, row: int, target: int, key_alone: bool) -> None:
    """Undoes :func:`try_move`, given what that returned."""
    if key_alone:
        x[x[CHILD_AT]] = x[CHILD_WORD]
    else:
        take_back(deck, x, row, target)


@kernel
def make(deck: Any, x: Any, row: int, target: int) -> None:
    """Makes a move and lets go up what can safely do so; :func:`take_back` undoes both."""
    for i in range(12):
        x[SAVED + i] = x[i]
    card = x[ROW + 64 * row + x[LENGTH + row] - 1]
    x[SAVED + 12] = x[CODE + card]
    x[SAVED + 13] = x[MARK + card]
    x[SAVED + 14] = card
    if target == UP:
        go_up(deck, x, row)
        settle(deck, x, x[FILLED])
        return
    lift(deck, x, row)
    scalars = deck.scalars
    length = x[LENGTH + target]
    lower = -1
    if length > 0:
        lower = x[ROW + 64 * target + length - 1]
    else:
        x[EMPTIES] -= 1
        x[SCORE] -= scalars[W_EMPTY]
    recode(deck, x, card, deck.code[64 * card + lower + 1])
    x[ROW + 64 * target + length] = card
    x[LENGTH + target] = length + 1
    mark = mark_on(deck, x, card, target)
    x[MARK + card] = mark
    x[SCORE] += mark
    x[WENT] = 0
    # Before the move nothing could safely go up, so it can only begin with the card that was bared.
    if x[LENGTH + row] > 0 and is_safe(deck, x, x[ROW + 64 * row + x[LENGTH + row] - 1]):
        settle(deck, x, max(x[FILLED], target + 1))


@kernel
def take_back(deck: Any, x: Any, row: int, target: int) -> None:
    """Undoes :func:`make`."""
    went = x[WENT]
    while went > 0:
        went -= 1
        back, card = x[GONE + 2 * went], x[GONE + 2 * went + 1]
        x[ROW + 64 * back + x[LENGTH + back]] = card
        x[LENGTH + back] += 1
        lower = -1
        if x[LENGTH + back] > 1:
            lower = x[ROW + 64 * back + x[LENGTH + back] - 2]
        x[CODE + card] = deck.code[64 * card + lower + 1]
    card = x[SAVED + 14]
    if target != UP:
        x[LENGTH + target] -= 1
    x[ROW + 64 * row + x[LENGTH + row]] = card
    x[LENGTH + row] += 1
    x[CODE + card] = x[SAVED + 12]
    x[MARK + card] = x[SAVED + 13]
    for i in range(12):
        x[i] = x[SAVED + i]


@kernel
def is_dead(deck: Any, x: Any) -> bool:
    """Whether no row can ever be emptied (nor all cards go up), while no row is empty now.

    Why this is sound: grant the player more than the rules do. A card that could move once covers nothing any
    more, stays a target for others for ever, and goes up whenever its turn comes, from wherever it lies. Whatever
    can be exposed by real moves, before the first row is emptied, can be exposed here too (by induction on the
    moves). So when no row is ever emptied here, none is in the game, and the last card of a row never leaves it.
    Where empty rows stay empty the same holds without regard to them; then it is dead when some card never goes up.
    What is exposed is left as a set in ``SAVED + 1``, the lengths of what stays covered from ``DEPTH`` on.
    """
    order, on, turn = deck.order, deck.on, deck.turn
    fills = deck.scalars[FILLS] != 0
    if (fills and x[EMPTIES] > 0) or deck.scalars[TEST_DEAD] == 0:
        return False
    filled = x[FILLED]
    exposed = x[LOOSE_SET]
    for row in range(filled):
        x[DEPTH + row] = x[LENGTH + row]
        exposed |= 1 << x[ROW + 64 * row + x[LENGTH + row] - 1]
    for suit in range(4):
        x[SAVED + 2 + suit] = x[COUNT + suit]
    again = True
    while again:
        again = False
        for suit in range(4):
            card = turn[16 * suit + x[SAVED + 2 + suit]]
            while card >= 0 and exposed >> card & 1:
                x[SAVED + 2 + suit] += 1
                card = turn[16 * suit + x[SAVED + 2 + suit]]
                again = True
        for row in range(filled):
            while x[DEPTH + row] > 0:
                card = x[ROW + 64 * row + x[DEPTH + row] - 1]
                if on[card] & exposed == 0 and order[card] >= x[SAVED + 2 + (card & 3)]:
                    break
                x[DEPTH + row] -= 1
                again = True
                if x[DEPTH + row] > 0:
                    exposed |= 1 << x[ROW + 64 * row + x[DEPTH + row] - 1]
                elif fills:
                    return False
    x[SAVED + 1] = exposed
    if fills:
        return True
    ranks = deck.scalars[RANKS]
    return bool(min(x[SAVED + 2], x[SAVED + 3], x[SAVED + 4], x[SAVED + 5]) < ranks)
