"""Cards as plain integers, and their names.

A card is ``4 * rank + suit`` with rank 0..12 for ace to king and suit 0..3 for clubs, diamonds, hearts and
spades. A smaller deck keeps the lowest ranks, so its cards are ``0 .. 4 * ranks - 1``.
"""

from __future__ import annotations

from typing import TypeAlias

from crenel.rules.reading import quoted

Card: TypeAlias = int
Rank: TypeAlias = int
Suit: TypeAlias = int

RANKS = 13
SUITS = 4
CLUBS, DIAMONDS, HEARTS, SPADES = range(SUITS)
RANK_NAMES = "A23456789TJQK"
SUIT_NAMES = "CDHS"
SUIT_SYMBOLS = "♣♦♥♠"
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
RANK_WORDS = ("ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king")

_RANK_OF_TEXT = {name: rank for rank, name in enumerate(RANK_NAMES)} | {"10": 9, "1": 0}
_SUIT_OF_TEXT = {name: suit for suit, name in enumerate(SUIT_NAMES)} | {
    symbol: suit for suit, symbol in enumerate(SUIT_SYMBOLS)
}


class UnreadableCard(ValueError):
    """A text that names no card."""


def make_card(rank: Rank, suit: Suit) -> Card:
    """The card of a rank (0 = ace) and a suit (0..3 = clubs, diamonds, hearts, spades)."""
    return SUITS * rank + suit


def card_rank(card: Card) -> Rank:
    """The rank of a card, 0 = ace to 12 = king."""
    return card >> 2


def card_suit(card: Card) -> Suit:
    """The suit of a card: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card & 3


def is_red(card: Card) -> bool:
    """Whether the card is a diamond or a heart."""
    return card_suit(card) in (DIAMONDS, HEARTS)


def card_name(card: Card) -> str:
    """The two-character name: ``KH`` is the king of hearts, ``TS`` the ten of spades."""
    return RANK_NAMES[card_rank(card)] + SUIT_NAMES[card_suit(card)]


def card_words(card: Card) -> str:
    """The name as it is read aloud: ``king of hearts``."""
    return f"{RANK_WORDS[card_rank(card)]} of {SUIT_WORDS[card_suit(card)]}"


def parse_card(text: str) -> Card:
    """Reads a card: rank ``A 2 … 9 T (or 10) J Q K`` and suit ``C D H S`` (or ``♣♦♥♠``), any case.

    Raises:
        UnreadableCard: when the text names no card; the message quotes it.
    """
    upper = text.strip().upper()
    rank = _RANK_OF_TEXT.get(upper[:-1])
    suit = _SUIT_OF_TEXT.get(upper[-1:])
    if rank is None or suit is None:
        raise UnreadableCard(f"{quoted(text)} is not a card (a card is written like KH, TS or 10S)")
    return make_card(rank, suit)
