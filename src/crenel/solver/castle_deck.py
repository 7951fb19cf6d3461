"""The Castle family as tables: what fits where, when a card goes up, and how a position is packed.

A position is packed into three 64-bit words (four where many cards fit on one): for each card a code that says
what it lies on: 0 = on its foundation, 1 = at the base of a row, 2 = on the card it lay on at the start of the
search, 3 and up = on one of the cards that it fits on. The code is exact and does not depend on the order of the
rows, which changes nothing in a game without redeal. The high half of the last word is free: it holds the number
of the position that this one was reached from.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from crenel.rules.cards import SUITS
from crenel.rules.game import Game
from crenel.rules.position import Position

HOME, BASE, START, FIRST_FIT = 0, 1, 2, 3
"""Codes of what a card lies on."""
LOOSE = 7
"""Code of a card that may lie on any card of the next rank (searches over classes)."""
NO_CARD = -1
SAFE_SLOW, SAFE_ALWAYS, SAFE_LOW = 0, 1, 2

# Fields of ``Deck.scalars``.
(
    CARDS,
    ROWS_COUNT,
    RANKS,
    BITS,
    PER_WORD,
    WIDTH,
    SAFE,
    FILLS,
    W_HOME,
    W_OWN,
    W_ANY,
    W_EMPTY,
    W_MADE,
    W_LOOSE,
    LOOSE_CODE,
    TEST_DEAD,
) = range(16)
SCALARS = 24
KEY_BITS = 0xFFFFFFFF
"""The bits of the last word that belong to the key."""


class Deck(NamedTuple):
    """Everything that the kernels need to know of a game and of where the search started.

    Attributes:
        scalars: Numbers, see the names above.
        order: By card: how many cards of its suit go up before it.
        on: By card: the set (bits) of cards that it may be put on.
        under: By card: the set of cards that may be put on it.
        turn: By 16 * suit + order: the card that goes up then, ``NO_CARD`` past the last.
        code: By 64 * card + card beneath + 1: the code.
        below: By 16 * card + code: the card beneath or ``NO_CARD``.
    """

    scalars: Any
    order: Any
    on: Any
    under: Any
    turn: Any
    code: Any
    below: Any


def has_classes(game: Game) -> bool:
    """Whether cards are built in one direction in any suit, so that the search over classes applies."""
    build = game.build
    return build.suits == "any" and build.direction != "either" and not build.wrap


def inner_card(game: Game, card: int) -> int:
    """The number by which the kernels know a card, and back again.

    Where cards are built up in any suit the ranks are turned round, so that "the next rank" is always the next.
    """
    if has_classes(game) and game.build.direction == "up":
        return SUITS * (game.ranks - 1 - card // SUITS) + card % SUITS
    return card


def make_deck(game: Game, base: int) -> Deck:
    """The tables of a game.

    Args:
        game: A game of single cards without redeal.
        base: The rank of the foundations' base cards.
    """
    cards = game.cards
    order, on, under = (np.zeros(64, np.int64) for _ in range(3))
    turn = np.full(SUITS * 16, NO_CARD, np.int64)
    code = np.zeros(64 * 64, np.uint8)
    below = np.full(64 * 16, NO_CARD, np.int8)
    most = 0
    rules = Position(game, ())
    for card in range(cards):
        rank, suit = divmod(inner_card(game, card), SUITS)
        order[card] = base - rank if game.foundation.base == "K" else (rank - base) % game.ranks
        turn[16 * suit + order[card]] = card
        targets = [
            target
            for target in range(cards)
            if target != card and rules.fits(inner_card(game, card), inner_card(game, target))
        ]
        most = max(most, len(targets))
        code[64 * card] = BASE
        for number, target in enumerate(targets):
            on[card] |= 1 << target
            under[target] |= 1 << card
            code[64 * card + target + 1] = FIRST_FIT + number
            below[16 * card + FIRST_FIT + number] = target
    scalars = np.zeros(SCALARS, np.int64)
    scalars[CARDS], scalars[ROWS_COUNT], scalars[RANKS] = cards, len(game.piles.sizes), game.ranks
    scalars[BITS] = 3 if FIRST_FIT + most <= 1 << 3 else 4
    scalars[PER_WORD] = 60 // scalars[BITS] if scalars[BITS] == 4 else 21
    scalars[WIDTH] = scalars[BITS]
    scalars[LOOSE_CODE] = NO_CARD
    scalars[TEST_DEAD] = 1
    scalars[FILLS] = game.empty == "any"
    scalars[SAFE] = SAFE_SLOW
    if not game.build.wrap:
        if game.build.suits == "same":
            scalars[SAFE] = SAFE_ALWAYS
        elif all(order[c] == order[t] - 1 for c in range(cards) for t in range(cards) if on[c] >> t & 1):
            scalars[SAFE] = SAFE_LOW
    return Deck(scalars, order, on, under, turn, code, below)


def rooted(deck: Deck, piles: tuple[tuple[int, ...], ...]) -> Deck:
    """The tables with the codes of what each card lies on at the start of a search."""
    code, below = deck.code.copy(), deck.below.copy()
    pairs = [pair for pile in piles for pair in itertools.pairwise(pile)]
    if pairs:
        lower, card = np.array(pairs).T
        code[64 * card + lower + 1] = START
        below[16 * card + START] = lower
    return deck._replace(code=code, below=below)


def packed(deck: Deck, piles: tuple[tuple[int, ...], ...]) -> Any:
    """The words of a position; its number of origin is 0."""
    words = [0] * int(deck.scalars[WIDTH])
    per_word, bits = int(deck.scalars[PER_WORD]), int(deck.scalars[BITS])
    for pile in piles:
        places = [64 * card + lower + 1 for lower, card in itertools.pairwise((NO_CARD, *pile))]
        for card, code in zip(pile, deck.code[places].tolist(), strict=True):
            words[card // per_word] |= code << bits * (card % per_word)
    return np.array(words, np.int64)
