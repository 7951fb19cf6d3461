"""Checks a frozen-prefix reason with the rules alone: no search, no compiled kernels.

A *prefix* is the first m cards in the order in which a redeal collects them, of a position that a redeal would not
change. It is frozen when (1) no top card of it can ever go up, (2) no top card (or run that ends in one) can ever be
built elsewhere, and (3) nothing can ever be put between its cards. Everything else in it is covered and stays so;
therefore the prefix is laid out the same way at each redeal and its cards are never all played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crenel.rules.cards import Card, UnreadableCard, card_name, card_rank, card_suit, parse_card
from crenel.rules.position import Position


@dataclass(frozen=True, slots=True)
class TopFact:
    """Why one top card of a frozen prefix stays and nothing comes on it.

    Attributes:
        card: The top card.
        pile: Its pile, from 0.
        lower: A card of its suit in the prefix that must go up before it.
        head: The card that would have to find a place when it moves (the card itself, or the head of its run).
        targets: The cards that the head could be built on, all covered in the prefix; empty: no card at all.
        comers: The cards that could be put on it, all covered in the prefix; empty where that does not matter.
    """

    card: Card
    pile: int
    lower: Card
    head: Card
    targets: tuple[Card, ...]
    comers: tuple[Card, ...]


def redeal_order(position: Position) -> list[tuple[Card, int]] | None:
    """The cards in the order of collecting, each with its pile (from 0).

    Returns:
        ``None`` when the position is not one that a redeal in fours leaves as it is, or when empty piles take cards.
    """
    game = position.game
    if game.redeal.order == "one-by-one" or game.empty != "none" or position.hand:
        return None
    filled = [pile for pile in position.piles if pile]
    if not filled or any(len(pile) != 4 for pile in filled[:-1]) or len(filled[-1]) > 4:
        return None
    top_first = game.redeal.order == "top-down"
    return [
        (card, number)
        for number, pile in enumerate(position.piles)
        for card in (reversed(pile) if top_first else pile)
    ]


def frozen_facts(position: Position, count: int) -> list[TopFact] | str:
    """Why the first ``count`` cards are frozen, one fact for each top card, or a sentence why they are not."""
    order = redeal_order(position)
    if order is None:
        return "The position is not one that a redeal leaves as it is."
    if not 1 <= count <= len(order):
        return f"There is no prefix of {count} cards: {len(order)} cards lie on the piles."
    game = position.game
    cards = [card for card, _ in order]
    prefix = cards[:count]
    top_first = game.redeal.order == "top-down"
    if top_first and game.run == "run" and count % 4 and count != len(order):
        return "Where runs move, a prefix read top-down must end with a whole pile."
    packets = [prefix[i : i + 4] for i in range(0, count, 4)]
    tops = [packet[0] if top_first else packet[-1] for packet in packets]
    covered = set(prefix) - set(tops)
    facts = []
    for number, (packet, top) in enumerate(zip(packets, tops, strict=True)):
        name = card_name(top)
        lower = min(
            (card for card in prefix if _goes_before(position, card, top)),
            key=lambda card: (card in tops, card),
            default=None,
        )
        if lower is None:
            return f"The {name} may go up: no card of its suit that must go before it is among the first {count}."
        downwards = packet if top_first else packet[::-1]
        heads = [top]
        if game.run == "run":
            for card in downwards[1:]:
                if not position.fits(heads[-1], card):
                    break
                heads.append(card)
        head, targets = heads[-1], []
        for mover in heads:
            for other in cards:
                if position.fits(mover, other):
                    if other not in covered:
                        return f"The {card_name(mover)} may move onto the {card_name(other)}."
                    if mover == head:
                        targets.append(other)
        comers = []
        if top_first or number < len(packets) - 1:
            for other in cards:
                if position.fits(other, top):
                    if other not in covered:
                        return f"The {card_name(other)} may be put on the {name}."
                    comers.append(other)
        facts.append(TopFact(top, order[4 * number][1], lower, head, tuple(targets), tuple(comers)))
    return facts


def _goes_before(position: Position, card: Card, other: Card) -> bool:
    """Whether ``card`` must be on the foundation of its suit before ``other`` can go there."""
    game = position.game
    if card_suit(card) != card_suit(other) or card == other or position.base is None:
        return False
    sign = -1 if game.foundation.base == "K" else 1

    def turn(which: Card) -> int:
        return (sign * (card_rank(which) - (position.base or 0))) % game.ranks

    return turn(card) < turn(other)


def check_frozen_prefix(position: Position, data: Mapping[str, Any]) -> str | None:
    """Checks a ``frozen-prefix`` reason.

    Args:
        position: The position that is said to be unwinnable.
        data: The ``data`` of the reason; only ``order`` and ``prefix`` are needed.

    Returns:
        ``None`` when the reason proves that the position cannot be won, else one sentence why it does not.
    """
    how, names = data.get("order"), data.get("prefix")
    if how != position.game.redeal.order:
        return f"The reason reads the cards {how}, but this game redeals {position.game.redeal.order}."
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return "The reason has no list of cards named 'prefix'."
    order = redeal_order(position)
    if order is None:
        return "The position is not one that a redeal leaves as it is, so the reason does not apply to it."
    try:
        prefix = [parse_card(name) for name in names]
    except UnreadableCard as problem:
        return f"The prefix cannot be read: {problem}."
    if not prefix:
        return "The prefix is empty."
    for number, card in enumerate(prefix):
        if number >= len(order) or order[number][0] != card:
            return f"Card {number + 1} of the prefix is {card_name(card)}, but the position has another card there."
    facts = frozen_facts(position, len(prefix))
    return facts if isinstance(facts, str) else None
