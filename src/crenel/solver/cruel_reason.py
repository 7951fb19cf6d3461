"""Why a position of the Cruel family cannot be won: the evaporation test as evidence, in words for a player."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from crenel.rules.cards import card_name
from crenel.rules.position import Position
from crenel.solver import cruel_evaporate as evaporate
from crenel.solver import cruel_kernels as k
from crenel.solver import cruel_layout as layout
from crenel.solver.cruel_passes import Passes
from crenel.solver.result import Reason

EVAPORATION_ROOM = 3000
"""How hard a reason is looked for after a loss that a search has proved."""


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
