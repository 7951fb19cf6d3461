"""Why a position of the Cruel family cannot be won, in words for a player.

The frozen prefix is looked for here again with plain Python on the rules' own position (the kernels only need a
yes or no), so that its sentences speak of real cards and piles and ``verify_reason`` can check each of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from crenel.rules.cards import card_name, card_words
from crenel.rules.position import Position
from crenel.solver import cruel_evaporate as evaporate
from crenel.solver import cruel_kernels as k
from crenel.solver import cruel_layout as layout
from crenel.solver.cruel_passes import Passes
from crenel.solver.result import Reason
from crenel.solver.verify_reason import frozen_facts, redeal_order

EVAPORATION_ROOM = 3000
"""How hard a reason is looked for after a loss that a search has proved."""


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
    where = (
        "of the only pile" if last_pile == 0 and len(order) == count else f"of pile 1 to pile {last_pile + 1}"
    )
    sentences = [
        f"The first {count} cards {where} (read {how}: {' '.join(map(card_name, prefix))}) can never change."
        if count > 1
        else f"The first card (read {how}), the {card_words(prefix[0])}, can never get away."
    ]
    for fact in facts:
        card = card_words(fact.card)
        parts = [f"it cannot go up while the {card_words(fact.lower)} is among them"]
        if fact.target is None:
            parts.append(f"nothing ever takes the {card_words(fact.head)} on a pile")
        else:
            mover = "it" if fact.head == fact.card else f"the run from the {card_words(fact.head)}"
            parts.append(
                f"{mover} cannot be built on the {card_words(fact.target)}, which is covered among them"
            )
        if fact.comer is not None:
            parts.append(
                f"the {card_words(fact.comer)}, the only card that fits on it, is covered among them"
            )
        sentences.append(f"The {card} is on top of pile {fact.pile + 1}: {'; '.join(parts)}.")
    sentences.append(
        "So nothing leaves them and nothing comes between them, and every redeal lays them out in the same places."
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
                "target": None if fact.target is None else card_name(fact.target),
                "comer": None if fact.comer is None else card_name(fact.comer),
            }
            for fact in facts
        ],
    }
    return Reason("frozen-prefix", " ".join(sentences), data)


@dataclass(frozen=True, slots=True)
class Evaporation:
    """A proof that the first ``cards`` cards never all get away, from ``layouts`` layouts of known cards."""

    cards: int
    layouts: int

    @staticmethod
    def prove(passes: Passes, room: int) -> Evaporation | None:
        """Tries the first m cards for every m, with room for so many layouts each."""
        found = evaporate.prove_by_evaporation(
            passes.rows,
            layout.ROOT_SEQ,
            layout.ROOT_STARTS,
            int(passes.info[k.I_ROOT_PILES]),
            64,
            np.zeros((room, evaporate.WIDTH), np.int8),
            np.zeros(1 << (2 * room).bit_length(), np.int32),
            np.zeros(room, np.int32),
            int(layout.played_cards(int(passes.info[k.I_ROOT_KEY]))),
            passes.rules.order,
            passes.rules.ranks,
        )
        return Evaporation(found % 64, found // 64) if found else None

    def reason(self, position: Position) -> Reason:
        """The proof in words."""
        how = position.game.redeal.order
        cards = [card for pile in position.piles for card in (reversed(pile) if how == "top-down" else pile)][
            : self.cards
        ]
        names = [card_name(card) for card in cards]
        text = (
            f"The first {self.cards} cards (read {how}: {' '.join(names)}) can never all get away. Even if every other "
            "card came and went as it would help most, they could only change among "
            f"{self.layouts:,} layouts, and none of these is empty."
        )
        return Reason("evaporation", text, {"order": how, "cards": names, "layouts": self.layouts})
