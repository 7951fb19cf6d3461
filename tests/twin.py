"""A second reading of the rules, sharing no code with the first, for the counts in ``tests/perft``.

``crenel.rules.position`` is the only authority on legality in the program; a mistake there would be in every test
that asks it. So this module reads the rules once more, in another way: cards are texts, a layout is a plain record,
and a game is nothing but its dictionary of rule values. It imports nothing of the rules floor. It is slow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

ORDER = "A23456789TJQK"
SUITS = "CDHS"
Pile = tuple[str, ...]


@dataclass(frozen=True)
class Layout:
    """Cards on piles (bottom to top), per suit on the foundation (base first), in hand; redeals made."""

    piles: tuple[Pile, ...]
    up: tuple[Pile, ...]
    hand: Pile = ()
    redeals: int = 0


class Twin:
    """The moves of one game, from its rule values by dotted key."""

    def __init__(self, rules: Mapping[str, object]) -> None:
        self.rules = rules
        self.ranks = ORDER[: int(str(rules["ranks"]))]
        self.takes = {target: self._guests(target) for target in (r + s for r in self.ranks for s in SUITS)}

    def _guests(self, target: str) -> set[str]:
        """The cards that may be put on a card."""
        place = self.ranks.index(target[0])
        around = (
            self.ranks[-1] + self.ranks + self.ranks[0] if self.rules["build.wrap"] else f".{self.ranks}."
        )
        lower, higher = around[place], around[place + 2]
        ranks = {"down": lower, "up": higher, "either": lower + higher}[str(self.rules["build.direction"])]
        own_colour = "DH" if target[1] in "DH" else "CS"
        suits = {
            "same": target[1],
            "any": SUITS,
            "alternate-colour": "".join(suit for suit in SUITS if suit not in own_colour),
        }[str(self.rules["build.suits"])]
        return {rank + suit for rank in ranks for suit in suits if rank != "."}

    def goes_home(self, layout: Layout, card: str) -> bool:
        """Whether the foundation of its suit waits for the card."""
        mine = layout.up[SUITS.index(card[1])]
        if len(mine) == len(self.ranks):
            return False
        opened = [pile for pile in layout.up if pile]
        if self.rules["foundation.base"] == "first":
            sequence = self.ranks * 2
            if not opened:
                return True
            sequence = sequence[self.ranks.index(opened[0][0][0]) :]
        else:
            sequence = self.ranks if self.rules["foundation.base"] == "A" else self.ranks[::-1]
        return sequence[len(mine)] == card[0]

    def redealt(self, piles: tuple[Pile, ...]) -> tuple[Pile, ...]:
        """The tableau after a redeal, as hands would do it."""
        order = self.rules["redeal.order"]
        dealt: list[list[str]] = [[] for _ in piles]
        # Pile 12 on pile 11 and so on, the packet turned over: pile 1's bottom card is dealt first.
        packet = [card for pile in piles for card in pile]
        if order == "one-by-one":
            while packet:
                for pile in dealt:
                    if packet:
                        pile.append(packet.pop(0))
        elif order == "bottom-up":
            for pile in dealt:
                for _ in range(4):
                    if packet:
                        pile.append(packet.pop(0))
        else:
            # Each pile is read from its top card, and each packet's first card comes to lie on top.
            packet = [card for pile in piles for card in pile[::-1]]
            for pile in dealt:
                for _ in range(4):
                    if packet:
                        pile.insert(0, packet.pop(0))
        return tuple(map(tuple, dealt))

    def moves(self, layout: Layout) -> dict[str, Layout]:
        """All legal moves by their text, with what they lead to."""
        found: dict[str, Layout] = {}
        sizes = self.rules["piles.sizes"]
        assert isinstance(sizes, tuple)
        numbers = range(len(layout.piles))
        if layout.hand:
            for number in numbers:
                if len(layout.piles[number]) < sizes[number]:
                    piles = list(layout.piles)
                    piles[number] += (layout.hand[0],)
                    found[f"d-{number + 1}"] = replace(layout, piles=tuple(piles), hand=layout.hand[1:])
            return found
        for source in numbers:
            pile = layout.piles[source]
            if pile and self.goes_home(layout, pile[-1]):
                piles, up = list(layout.piles), list(layout.up)
                piles[source] = pile[:-1]
                up[SUITS.index(pile[-1][1])] += (pile[-1],)
                found[f"{source + 1}-h"] = replace(layout, piles=tuple(piles), up=tuple(up))
            for count in range(1, len(pile) + 1):
                run = pile[-count:]
                if count > 1 and (self.rules["run"] == "single" or run[1] not in self.takes[run[0]]):
                    break
                for target in numbers:
                    there = layout.piles[target]
                    if target == source or not self._lies_on(run[0], there):
                        continue
                    piles = list(layout.piles)
                    piles[source], piles[target] = pile[:-count], there + run
                    several = f"x{count}" if count > 1 else ""
                    found[f"{source + 1}-{target + 1}{several}"] = replace(layout, piles=tuple(piles))
        limit = self.rules["redeal.limit"]
        left = limit is None or layout.redeals < int(str(limit))
        if left and not (found and self.rules["redeal.when"] == "when-stuck"):
            piles_after = self.redealt(layout.piles)
            if piles_after != layout.piles:
                found["R"] = replace(layout, piles=piles_after, redeals=layout.redeals + 1)
        return found

    def _lies_on(self, card: str, pile: Pile) -> bool:
        return card in self.takes[pile[-1]] if pile else self.rules["empty"] == "any"

    def count(self, layout: Layout, depth: int) -> int:
        """The number of legal move sequences of exactly ``depth`` moves."""
        following = self.moves(layout)
        if depth == 1:
            return len(following)
        return sum(self.count(after, depth - 1) for after in following.values())
