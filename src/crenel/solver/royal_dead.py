"""A quick test that proves a position lost, for any build rule with single cards and redeals in fours."""

from __future__ import annotations

from typing import Any

from crenel.rules.game import PACKET
from crenel.solver._jit import kernel
from crenel.solver.royal_layout import (
    BASE,
    FITS,
    FROM,
    HEADER,
    NO_BASE,
    ONTO,
    ORDER,
    OWN,
    PILES,
    SET,
    SIZE,
    TOP_DOWN,
)


@kernel
def frozen(rules: Any, tables: Any, lay: Any) -> int:
    """Looks for a frozen prefix: first cards in the order of collecting that can never change again.

    Take the first m cards as a redeal now would collect them, such that every pile they reach but the last
    holds exactly four cards and they take at most four of the last. The card of each pile that lies open is a
    *top*; read from the bottom, card m counts as the top of the last pile, as what lies on it may leave. The other
    cards of the prefix are *covered*. The prefix is frozen when

    1. no top can go up: a card of its suit that goes up earlier is in the prefix;
    2. no top can leave: each card in the tableau that it may lie on is covered;
    3. nothing can come: each card in the tableau that may lie on a top is covered (read from the bottom, card m
       is left out: what is put on it comes after the prefix).

    Why this is sound: by 1 and 2 no card leaves the prefix and by 3 none comes into it, as long as it stands.
    Single cards move and empty piles take none, so covered cards stay covered; what moves outside only takes
    cards out of the tableau. So the three stay true until a redeal. That collects the same m cards first and
    deals them to the same places with the same tops, so the prefix stands for ever, with cards in it that are
    not home. Limits and conditions of redeals only take moves away.

    Returns:
        The smallest m, or 0 when there is none.
    """
    base = lay[HEADER, BASE]
    if base == NO_BASE:
        return 0
    top_down = rules[ORDER] == TOP_DOWN
    tableau = 0
    for p in range(rules[PILES]):
        tableau |= lay[p, SET]
    inside = 0
    tops = 0
    asked = 0  # cards that have to be covered for the tops
    m = 0
    for p in range(rules[PILES]):
        size = lay[p, SIZE]
        for i in range(min(size, PACKET)):
            m += 1
            if top_down:
                card = lay[p, FROM + size - 1 - i]
                inside |= 1 << card
                if i == 0:
                    tops |= 1 << card
                    asked |= tables[FITS, card] | tables[ONTO, card]
                open_cards = tops
                wanted = asked
            else:
                card = lay[p, FROM + i]
                inside |= 1 << card
                open_cards = tops | 1 << card
                wanted = asked | tables[FITS, card]
            if wanted & tableau & ~(inside & ~open_cards) == 0:
                stuck = top_down or tables[OWN + base, card] & inside != 0
                for q in range(p if not top_down else p + 1):
                    top = lay[q, FROM + lay[q, SIZE] - 1]
                    if tables[OWN + base, top] & inside == 0:
                        stuck = False
                        break
                if stuck:
                    return m
            if not top_down and i == size - 1:
                tops |= 1 << card
                asked |= tables[FITS, card] | tables[ONTO, card]
        if size != PACKET:
            break
    return 0
