"""A frozen prefix as the reason of a loss, in words for a player.

It is looked for here again with plain Python on the rules' own position (the kernels only need a yes or no), so that
its sentences speak of real cards and piles and ``verify_reason`` can check each of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from crenel.rules.cards import card_name, card_words
from crenel.rules.position import Position
from crenel.solver.result import Reason
from crenel.solver.verify_reason import frozen_facts, redeal_order


def _covered(cards: Sequence[int]) -> str:
    """Cards that are covered in the prefix, in words."""
    verb = "is" if len(cards) == 1 else "are"
    return f"{' or '.join(f'the {card_words(card)}' for card in cards)}, which {verb} covered among them"


def frozen_reason(position: Position) -> Reason | None:
    """The shortest frozen prefix of a position, in words, or ``None`` when it has none."""
    order = redeal_order(position)
    if order is None:
        return None
    for count in range(1, len(order) + 1):
        facts = frozen_facts(position, count)
        if not isinstance(facts, str):
            break
    else:
        return None
    prefix = [card for card, _ in order[:count]]
    how = position.game.redeal.order
    last_pile = order[count - 1][1]
    first_pile = order[0][1]
    where = (
        f"pile {first_pile + 1}" if first_pile == last_pile else f"piles {first_pile + 1} to {last_pile + 1}"
    )
    sentences = [
        f"The first {count} cards of {where} (read {how}: {' '.join(map(card_name, prefix))}) can never change."
        if count > 1
        else f"The first card (read {how}), the {card_words(prefix[0])}, can never get away."
    ]
    for fact in facts:
        card = card_words(fact.card)
        parts = [f"it cannot go up while the {card_words(fact.lower)} is among them"]
        if fact.targets:
            mover = "it" if fact.head == fact.card else f"the run from the {card_words(fact.head)}"
            parts.append(f"{mover} cannot be built on {_covered(fact.targets)}")
        else:
            parts.append(f"nothing ever takes the {card_words(fact.head)} on a pile")
        if fact.comers:
            parts.append(f"nothing can be put on it but {_covered(fact.comers)}")
        # The last card of the prefix may still be covered: what lies on it is not part of the evidence.
        is_top = position.piles[fact.pile][-1] == fact.card
        place = f"The {card} is on top of pile {fact.pile + 1}" if is_top else f"Even once the {card} is bare"
        sentences.append(f"{place}{':' if is_top else ','} {'; '.join(parts)}.")
    sentences.append(
        "So none of them ever leaves and nothing comes between them: every redeal lays them out in the same places."
    )
    data = {
        "order": how,
        "prefix": [card_name(card) for card in prefix],
        "tops": [
            {
                "card": card_name(fact.card),
                "pile": fact.pile + 1,
                "lower": card_name(fact.lower),
                "head": card_name(fact.head),
                "targets": [card_name(card) for card in fact.targets],
                "comers": [card_name(card) for card in fact.comers],
            }
            for fact in facts
        ],
    }
    return Reason("frozen-prefix", " ".join(sentences), data)
