"""The rules of a game and its positions as arrays, for the step-by-step search of ``royal``.

Cards are renumbered so that every foundation goes up: ``4 * order + suit``, where order 0 goes up first
(``K`` games: the king). Where the first card played fixes the base, the order is the rank from the base on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from crenel.rules.cards import SUITS, card_rank, card_suit, make_card
from crenel.rules.game import MAX_PILES, Game
from crenel.rules.moves import FOUNDATION, REDEAL, Move
from crenel.rules.position import Position

Array = np.ndarray[Any, np.dtype[Any]]

# Fields of the rules array.
PILES, RANKS, RUN, EMPTY, LIMIT, STUCK, ORDER, FIRST = range(8)
W_HOME, W_OWN, W_ANY, W_EMPTY, W_MADE, SHORTEST, CEILING, PRUNE = range(8, 16)
BOTTOM_UP, TOP_DOWN, ONE_BY_ONE = range(3)

# A layout: row p holds its size, the set of its cards and the cards from the bottom; then comes the header.
SIZE, SET, FROM = 0, 1, 2
HEADER = MAX_PILES
BASE, USED, COUNTS, LEFT = 0, 1, 2, 6
LAYOUT_SHAPE = (MAX_PILES + 1, 56)
NO_BASE = 13
"""The base while the first card played has not fixed it."""

# A layout in bytes: base, redeals used (two), foundation counts (four), then each pile's size and cards.
HEAD_BYTES = 7
ROW_BYTES = 96

# Tables by card: FITS the targets, then by base the earlier cards of the suit, then by base all earlier ones.
# Last comes what may lie on the card.
FITS, OWN, ANY, ONTO = 0, 1, 15, 29
TABLE_SHAPE = (30, 52)

# Weights of the key: card * BENEATH + what lies beneath: a card, a pile (52 + pile) or just "a base".
BENEATH = 80
ON_PILE = 52
ON_GROUND = 78
WEIGHTS_SHAPE = (2, 54 * BENEATH)
USED_WEIGHT, BASE_WEIGHT = 52 * BENEATH, 53 * BENEATH

# A move in 16 bits: source, target, count.
NO_PILE = 31
REDEAL_CODE = NO_PILE << 11 | NO_PILE << 6


def _relabel(game: Game, card: int) -> int:
    """The card under the numbers of this module; applied twice it gives the card back."""
    if game.foundation.base == "K":
        return make_card(game.ranks - 1 - card_rank(card), card_suit(card))
    return card


def rules_array(game: Game, shortest: bool, prune: bool) -> Array:
    """The scalar rules; the weights of the order of the search are filled in by the schedule."""
    rules = np.zeros(24, dtype=np.int64)
    rules[PILES] = len(game.piles.sizes)
    rules[RANKS] = game.ranks
    rules[RUN] = game.run == "run"
    rules[EMPTY] = game.empty == "any"
    rules[LIMIT] = -1 if game.redeal.limit is None else game.redeal.limit
    rules[STUCK] = game.redeal.when == "when-stuck"
    rules[ORDER] = ("bottom-up", "top-down", "one-by-one").index(game.redeal.order)
    rules[FIRST] = game.foundation.base == "first"
    rules[SHORTEST] = shortest
    rules[PRUNE] = prune
    return rules


def card_tables(game: Game) -> Array:
    """Sets of cards by card: what it may lie on, and which cards go up earlier, for each base."""
    tables = np.zeros(TABLE_SHAPE, dtype=np.int64)
    empty = Position(game, ())
    cards = range(game.cards)
    for card in cards:
        shown = _relabel(game, card)
        tables[FITS, card] = sum(1 << t for t in cards if empty.fits(shown, _relabel(game, t)))
        tables[ONTO, card] = sum(1 << t for t in cards if empty.fits(_relabel(game, t), shown))
        for base in range(game.ranks if game.foundation.base == "first" else 1):
            order = {c: ((c // SUITS) - base) % game.ranks for c in cards}
            earlier = [c for c in cards if order[c] < order[card]]
            tables[ANY + base, card] = sum(1 << c for c in earlier)
            tables[OWN + base, card] = sum(1 << c for c in earlier if c % SUITS == card % SUITS)
    return tables


def key_weights() -> Array:
    """Random words that keys are sums of: two independent words for each card on each place.

    Two different positions differ in at least one term with factor 1 or -1, so for each word their keys are
    equal with chance 2**-64, and both with 2**-128. A search of N positions holds a false match with a chance
    below N**2 / 2**129, that is below 2**-64 for up to 2**32 positions; links have room for 2**31.
    """
    words = np.random.PCG64(20_010_911).random_raw(WEIGHTS_SHAPE[0] * WEIGHTS_SHAPE[1])
    weights = np.asarray(words, dtype=np.uint64).view(np.int64).reshape(WEIGHTS_SHAPE).copy()
    # Multiplied by a small number these two never give zero when they are odd.
    weights[:, USED_WEIGHT] |= 1
    weights[:, BASE_WEIGHT] |= 1
    return weights


def pack(position: Position, row: Array) -> None:
    """Writes a position into a row of bytes."""
    game = position.game
    row[:] = 0
    first = game.foundation.base == "first"
    base = position.base if first else 0
    row[0] = NO_BASE if base is None else base
    used = position.redeals_used if game.redeal.limit else 0
    row[1], row[2] = used & 255, used >> 8
    row[3:HEAD_BYTES] = position.foundations
    at = HEAD_BYTES
    for pile in position.piles:
        row[at] = len(pile)
        row[at + 1 : at + 1 + len(pile)] = [_relabel(game, card) for card in pile]
        at += 1 + len(pile)


def decode(code: int) -> Move:
    """The move that 16 bits of a link stand for."""
    if code == REDEAL_CODE:
        return REDEAL
    target = code >> 6 & 31
    return Move(code >> 11 & 31, FOUNDATION if target == NO_PILE else target, code & 63)


def encode(move: Move) -> int:
    """The 16 bits of a move."""
    if move.is_redeal:
        return REDEAL_CODE
    return move.source << 11 | (NO_PILE if move.is_foundation else move.target) << 6 | move.count
