"""Turns the cycles of a Cruel win into single legal moves, each cycle with as few tableau moves as it can have."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import TypeAlias

from crenel.rules.moves import FOUNDATION, REDEAL, Move
from crenel.solver.cruel_layout import ONE_BY_ONE, TOP_DOWN
from crenel.solver.cruel_passes import Rules, Step

_MOVED = (1 << 48) - 1
_Place: TypeAlias = tuple[int, int, tuple[int, ...]]
"""A layout: bits of the tops, bits of the cards that were put on the next higher one, foundation counts."""


class _Cycle:
    """One cycle by cards: what lies on what at its start, and the layout it must reach."""

    def __init__(self, step: Step, run: bool) -> None:
        self.run = run
        self.start_counts = step.counts
        self.goal_moved = step.key & _MOVED
        bits = step.key >> 48
        self.goal_counts = tuple((bits >> (4 * suit)) & 15 for suit in range(4))
        self.beneath: dict[int, int] = {}
        self.tops = 0
        self.goal_up = 0
        """Cards that go up in this cycle."""
        self.over_lower = 0
        """Cards that lie above a lower card of their suit which goes up in this cycle: each must move first.
        With runs only heads count: the other cards of a run are carried."""
        for pile in step.piles:
            for i, card in enumerate(pile):
                self.beneath[card] = pile[i - 1] if i else -1
                if card >> 2 < self.goal_counts[card & 3]:
                    self.goal_up |= 1 << card
                for lower in () if run and i and pile[i - 1] == card + 4 else pile[:i]:
                    if (lower - card) % 4 == 0 and lower < card and lower >> 2 < self.goal_counts[card & 3]:
                        self.over_lower |= 1 << card
            if pile:
                self.tops |= 1 << pile[-1]

    def under(self, card: int, moved: int) -> int:
        """The bit of the card beneath ``card``, 0 for none."""
        below = card + 4 if (moved >> card) & 1 else self.beneath[card]
        return 1 << below if below >= 0 else 0

    def head(self, card: int, moved: int) -> int:
        """The highest card of the run that ends in the top ``card``."""
        while self.run and self.under(card, moved) == 1 << (card + 4):
            card += 4
        return card

    def path(self) -> list[tuple[int, bool]]:
        """The moves to the goal as (card, whether it goes up): A* with the moves that are certainly still needed."""
        start: _Place = (self.tops, 0, self.start_counts)
        goal = (self.goal_moved, self.goal_counts)
        came: dict[_Place, tuple[_Place | None, int, bool]] = {start: (None, 0, False)}
        cost = {start: 0}
        up_to_now = sum(self.start_counts)
        # Least estimate first, then most progress, so that equal paths are followed to their end.
        heap = [(self._needed(0, self.start_counts), 0, 0, start)]
        serial = 0
        closed = set()
        while heap:
            _, _, _, node = heapq.heappop(heap)
            if node in closed:
                continue
            closed.add(node)
            if node[1:] == goal:
                moves = []
                back: _Place | None = node
                while back is not None:
                    back, card, up = came[back]
                    if back is not None:
                        moves.append((card, up))
                return moves[::-1]
            for child, price, step in self._following(node, cost[node]):
                if child not in cost or price < cost[child]:
                    cost[child] = price
                    came[child] = (node, *step)
                    serial -= 1
                    progress = sum(child[2]) - up_to_now
                    heapq.heappush(heap, (price + self._needed(child[1], child[2]), -progress, serial, child))
        raise AssertionError("a layout that the search met cannot be reached again")

    def _following(self, node: _Place, paid: int) -> list[tuple[_Place, int, tuple[int, bool]]]:
        """The layouts one useful move further, each with its cost and the move.

        A card that goes up in this cycle goes up as soon as it can, and then nothing else is looked at: that uncovers
        what lies beneath earlier, and the cards that could be put on it are up already.
        """
        tops, moved, counts = node
        after: list[tuple[_Place, int, tuple[int, bool]]] = []
        rest = tops
        while rest:
            low = rest & -rest
            rest ^= low
            top = low.bit_length() - 1
            suit = top & 3
            if top >> 2 == counts[suit] and low & self.goal_up:
                grown = (*counts[:suit], counts[suit] + 1, *counts[suit + 1 :])
                return [(((tops ^ low) | self.under(top, moved), moved & ~low, grown), paid, (top, True))]
            card = self.head(top, moved)
            if (tops >> (card + 4)) & 1 and ((self.goal_up | self.goal_moved) >> card) & 1:
                child = ((tops ^ (1 << (card + 4))) | self.under(card, moved), moved | 1 << card, counts)
                after.append((child, paid + 1, (card, False)))
        return after

    def _needed(self, moved: int, counts: Sequence[int]) -> int:
        """Tableau moves that are certainly still needed to reach the goal."""
        waiting = self.over_lower & self.goal_up & ~moved
        needed = (self.goal_moved & ~moved).bit_count()
        while waiting:
            low = waiting & -waiting
            waiting ^= low
            card = low.bit_length() - 1
            needed += card >> 2 >= counts[card & 3]
        return needed


def line_of(steps: Sequence[Step], rules: Rules, piles: Sequence[Sequence[int]]) -> list[Move]:
    """The moves of a win.

    Args:
        steps: The cycles.
        rules: The rules.
        piles: The piles of the position, empty ones included.

    Returns:
        Single moves with the real pile numbers.
    """
    now = [list(pile) for pile in piles]
    moves: list[Move] = []
    for number, step in enumerate(steps):
        if number:
            now = redealt(rules, now)
            moves.append(REDEAL)
        for card, up in _Cycle(step, rules.run).path():
            source = next(p for p, pile in enumerate(now) if card in pile)
            at = now[source].index(card)
            if up:
                now[source].pop()
                moves.append(Move(source, FOUNDATION))
            else:
                target = next(p for p, pile in enumerate(now) if pile and pile[-1] == card + 4)
                now[target] += now[source][at:]
                moves.append(Move(source, target, len(now[source]) - at))
                del now[source][at:]
    return moves


def redealt(rules: Rules, piles: Sequence[Sequence[int]]) -> list[list[int]]:
    """The piles after a redeal."""
    if rules.order == ONE_BY_ONE:
        cards = [card for pile in piles for card in pile]
        return [cards[p :: rules.piles] for p in range(rules.piles)]
    down = rules.order == TOP_DOWN
    cards = [card for pile in piles for card in (reversed(pile) if down else pile)]
    packets = [cards[i : i + 4] for i in range(0, len(cards), 4)]
    dealt = [packet[::-1] if down else packet for packet in packets]
    return dealt + [[] for _ in range(rules.piles - len(dealt))]
