"""Why a position of the Castle family cannot be won, in words and as data that a person can check."""

from __future__ import annotations

from typing import Any

from crenel.rules.cards import card_name
from crenel.rules.game import Game
from crenel.solver.castle_deck import Deck, inner_card, packed
from crenel.solver.castle_rows import DEPTH, LENGTH, ROW, is_dead, unpack
from crenel.solver.result import Reason


def reason_of(game: Game, deck: Deck, x: Any, piles: Any, visited: int, bases: int, by_class: bool) -> Reason:
    """The smallest evidence that the position has no win.

    Args:
        game: The rules.
        deck: The tables of the game.
        x: A scratch array.
        piles: The rows, by the kernels' card numbers.
        visited: How many positions (classes) were searched.
        bases: How many base ranks were tried.
        by_class: Whether positions that differ only in loose cards were counted once.
    """
    unpack(deck, x, packed(deck, piles), 0)
    if bases == 1 and is_dead(deck, x):
        return _dead_cards(game, deck, x, piles)
    count = f"All {visited:,} positions" if visited > 1 else "The only position"
    verb = "were" if visited > 1 else "was"
    once = "; positions that differ only in where loose cards lie count once" if by_class else ""
    return Reason(
        "exhausted",
        f"{count} that matter {verb} searched, and none is won{once}.",
        {"states": visited, "by_class": by_class},
    )


def _dead_cards(game: Game, deck: Deck, x: Any, piles: Any) -> Reason:
    """The cards that stay where they are, whatever is played."""

    def names(cards: list[int]) -> list[str]:
        return [card_name(inner_card(game, card)) for card in cards]

    kept = {}
    for row in range(len(piles)):
        if x[LENGTH + row] > 0 and x[DEPTH + row] > 0:
            bottom = x[ROW + 64 * row]
            pile = next(number for number, cards in enumerate(piles) if cards and cards[0] == bottom)
            kept[pile] = [int(card) for card in x[ROW + 64 * row : ROW + 64 * row + x[DEPTH + row]]]
    blocking: list[dict[str, Any]] = []
    for pile, cards in sorted(kept.items()):
        card = cards[-1]
        covered = [low for low in cards[:-1] if deck.order[low] < deck.order[card] and (low ^ card) & 3 == 0]
        others = [low for row in kept.values() for low in row[:-1]]
        waits = covered or [
            low for low in others if (low ^ card) & 3 == 0 and deck.order[low] < deck.order[card]
        ]
        targets = [target for target in others if deck.on[card] >> target & 1]
        blocking.append(
            {
                "row": pile + 1,
                "card": names([card])[0],
                "covered_targets": names(targets),
                "waits_for": names(sorted(waits, key=lambda low: int(deck.order[low]))),
            }
        )
    cards_text = ", ".join(f"{entry['card']} in row {entry['row']}" for entry in blocking)
    first = blocking[0]
    if first["covered_targets"]:
        places = (
            f"the cards it could lie on ({', '.join(first['covered_targets'])}) are all beneath such cards"
        )
    else:
        places = "no card is left that it could lie on"
    text = (
        f"These cards can never move: {cards_text}. Even if every other card that can be freed were out of the way, "
        f"each of them would wait for a card beneath one of them. The {first['card']}, say: {places}, "
        f"and it cannot go up before {' and '.join(first['waits_for'])}. So no row is ever emptied."
    )
    return Reason("dead-cards", text, {"blocking": blocking, "cards": [entry["card"] for entry in blocking]})
