"""What stands in the way of a foundation: a chain of cards, or a circle.

The documents advise: choose a foundation that stands still and follow the cards it needs; when every obstacle needs
another one moved first, the game is often lost. This module follows them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from crenel.rules.cards import (
    SUIT_WORDS,
    Card,
    Suit,
    card_rank,
    card_suit,
    card_words,
    make_card,
)
from crenel.rules.position import Position


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One link of the chain.

    Attributes:
        card: The card that has to come free.
        blocker: The top card of its pile, which has to move first; equal to ``card`` when that is on top.
        pile: The pile of both, from 0.
    """

    card: Card
    blocker: Card
    pile: int


@dataclass(frozen=True, slots=True)
class Blockers:
    """The way to the next card of one foundation.

    Attributes:
        suit: The foundation's suit.
        wanted: The card it takes next, or ``None`` when it is complete or no base is fixed yet.
        chain: What has to move, each link waiting for the next; empty when the wanted card can go up now.
        is_blocked: Whether it is proved that the wanted card cannot come free by play alone; only a redeal, where
            there is one, can then free it.
        is_circle: Whether it is blocked because the last link waits for an earlier one.
        text: All that in words.
    """

    suit: Suit
    wanted: Card | None
    chain: tuple[Obstacle, ...]
    is_blocked: bool
    is_circle: bool
    text: str


class _End(Enum):
    """How the chain ends: what its last blocker does. The value completes the sentence in words."""

    MOVES = "can move now"
    NOWHERE = "has nowhere to go"
    CIRCLE = "waits for a card in this chain: it is a circle"
    SPACE = "waits for an empty {word}"
    RUN = "waits to move along with the run it ends"


def find_blockers(position: Position, suit: Suit) -> Blockers:
    """Follows the cards that a foundation waits for.

    A circle is claimed only where it is proved: the cards that can come free are counted generously (a card once
    moved covers nothing and still serves as a target), and the wanted card is not among them. Otherwise the chain
    shows one way to it, the one that takes the fewest steps in that generous count.

    Args:
        position: The position.
        suit: The suit of the foundation, 0..3.
    """
    rank = position.wanted_rank(suit)
    name = f"The foundation of {SUIT_WORDS[suit]}"
    if rank is None:
        complete = position.foundations[suit] == position.game.ranks
        return Blockers(
            suit, None, (), False, False, f"{name} " + ("is complete." if complete else "is still empty.")
        )
    wanted = make_card(rank, suit)
    places = {card: pile for pile, cards in enumerate(position.piles) for card in cards}
    if wanted not in places:
        text = f"{name} waits for the {card_words(wanted)}, which is not on the piles."
        return Blockers(suit, wanted, (), False, False, text)
    if position.piles[places[wanted]][-1] == wanted:
        return Blockers(suit, wanted, (), False, False, f"{name} takes the {card_words(wanted)} now.")
    reached, moved = _steps(position)
    chain, end = _follow(position, wanted, places, reached, moved)
    is_blocked = wanted not in reached
    text = _words(name, wanted, chain, end, position)
    if is_blocked and position.game.has_redeal:
        text += " Only a redeal can change that."
    return Blockers(suit, wanted, chain, is_blocked, end is _End.CIRCLE, text)


def _targets(position: Position, card: Card, places: dict[Card, int]) -> list[Card]:
    """The cards on the piles that ``card`` may be put on."""
    return [other for other in places if other != card and position.fits(card, other)]


def _steps(position: Position) -> tuple[dict[Card, int], dict[Card, int]]:
    """The steps at which each card comes to the top and moves in a generous count; cards that never do are absent.

    Why this is generous, so that an absent card is truly blocked until a redeal: a card that has moved stays a
    target for ever and covers nothing, one that goes to its foundation leaves that foundation free for the next,
    and an emptied pile that takes any card lets every top card move. Each real move is among those counted here.
    """
    piles = [list(pile) for pile in position.piles]
    places = {card: pile for pile, cards in enumerate(piles) for card in cards}
    reached: dict[Card, int] = {}
    moved: dict[Card, int] = {}
    step = 0
    while True:
        for cards in piles:
            if cards:
                reached.setdefault(cards[-1], step)
        space = position.game.empty == "any" and any(not cards for cards in piles)
        movable = [
            cards
            for cards in piles
            if cards
            and (
                space
                or _may_go_up(position, cards[-1], moved)
                or any(
                    target in reached
                    for card in cards[-_loose_count(position, cards) :]
                    for target in _targets(position, card, places)
                )
            )
        ]
        if not movable:
            return reached, moved
        for cards in movable:
            moved[cards.pop()] = step
        step += 1


def _loose_count(position: Position, cards: list[Card]) -> int:
    """How many top cards of a pile (not empty) may move as one."""
    count = 1
    while (
        position.game.run == "run" and count < len(cards) and position.fits(cards[-count], cards[-count - 1])
    ):
        count += 1
    return count


def _may_go_up(position: Position, card: Card, moved: dict[Card, int]) -> bool:
    """Whether every card that the foundation wants before ``card`` is up or has come free."""
    return all(other in moved for other in _earlier(position, card))


def _earlier(position: Position, card: Card) -> list[Card]:
    """The cards that the foundation of a card's suit takes before it, next first; none while no base is fixed."""
    if position.base is None:
        return []
    ranks, suit = position.game.ranks, card_suit(card)
    down = position.game.foundation.base == "K"
    turn = position.base - card_rank(card) if down else (card_rank(card) - position.base) % ranks
    return [
        make_card(position.base - place if down else (position.base + place) % ranks, suit)
        for place in range(position.foundations[suit], turn)
    ]


def _follow(
    position: Position,
    wanted: Card,
    places: dict[Card, int],
    reached: dict[Card, int],
    moved: dict[Card, int],
) -> tuple[tuple[Obstacle, ...], _End]:
    """The chain from the wanted card to its end.

    Where the wanted card can come free, each blocker on the way moves in an earlier step than the one before it, so
    only a card that is truly blocked leads into a circle.
    """
    chain: list[Obstacle] = []
    seen: set[Card] = set()
    movable = {move.source for move in position.legal_moves}
    never = position.game.cards
    card = wanted
    while True:
        pile = places[card]
        blocker = position.piles[pile][-1]
        if blocker in seen:
            return tuple(chain), _End.CIRCLE
        seen.add(blocker)
        chain.append(Obstacle(card, blocker, pile))
        if pile in movable:
            return tuple(chain), _End.MOVES
        needs = [
            (reached.get(target, never), _depth(position, places, target), target)
            for target in _targets(position, blocker, places)
        ]
        before = [other for other in _earlier(position, blocker) if other in places]
        if before:
            ready = max(moved.get(other, never) + 1 for other in before)
            needs.append((ready, _depth(position, places, before[0]), before[0]))
        if wanted in reached and (not needs or min(needs)[0] > moved[blocker]):
            return tuple(chain), _End.SPACE if position.game.empty == "any" else _End.RUN
        if not needs:
            return tuple(chain), _End.NOWHERE
        card = min(needs)[2]


def _depth(position: Position, places: dict[Card, int], card: Card) -> int:
    """How many cards lie on ``card``."""
    pile = position.piles[places[card]]
    return len(pile) - 1 - pile.index(card)


def _words(name: str, wanted: Card, chain: tuple[Obstacle, ...], end: _End, position: Position) -> str:
    """The chain in words."""
    word = position.game.pile_word
    parts = [f"{name} waits for the {card_words(wanted)}."]
    for link, following in zip(chain, [*chain[1:], None], strict=True):
        blocker = card_words(link.blocker)
        if link.card != link.blocker:
            parts.append(f"The {card_words(link.card)} lies under the {blocker} in {word} {link.pile + 1}.")
        if following is not None:
            parts.append(f"The {blocker} waits for the {card_words(following.card)}.")
        else:
            parts.append(f"The {blocker} {end.value.format(word=word)}.")
    return " ".join(parts)
