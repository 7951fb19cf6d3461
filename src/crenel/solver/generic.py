"""The slow exact search: any game, any rule, in pure Python over ``rules.Position``.

It is used where no kernel knows the rules yet. It is best-first, keeps exact keys, and gives up (never: loses) when
its memory is full. While cards are still to be placed by hand it leaves the search to ``placing``, unless the
shortest win is asked for.
"""

from __future__ import annotations

import heapq
from typing import ClassVar

from crenel.rules.cards import card_rank, card_suit
from crenel.rules.game import Game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.solver.engine import Engine, Objective, Status
from crenel.solver.placing import Placing, laid_out_engine
from crenel.solver.result import Reason

_NODE_BYTES = 640
"""Bytes that one found position takes: about 400 measured, more while lists grow."""
_NO_BASE = 255
_PILE_END = b"\xff"

# Weights of the order of the search: cards not home, cards above an earlier one of their suit, cards above any
# earlier one, empty piles, moves made; a card still in hand is charged what a placed one costs on average.
_NOT_HOME, _ABOVE_OWN, _ABOVE_ANY, _EMPTY, _MADE, _IN_HAND = 10, 10, 2, -3, 3, 14


class GenericEngine:
    """Best-first search over exact keys for every game; with ``shortest`` it is A* over the cost."""

    objectives: ClassVar[tuple[Objective, ...]] = ("cost",)

    @staticmethod
    def supports(game: Game) -> bool:
        """Every game: this is the last resort."""
        return True

    def __init__(self, game: Game, memory: int) -> None:
        self.game = game
        self.visited = 0
        self.lower_bound = 0
        self._memory = memory
        self._laid_out: Engine | None = None
        self._placing: Placing | None = None
        self._most = max(memory // _NODE_BYTES, 1)
        self._ordered = True

    def begin(self, position: Position, fewest: Objective | None = None) -> None:
        self.visited = 0
        self.lower_bound = 0
        self._shortest = fewest is not None
        self._root = position.copy()
        self._hand = position.hand
        self._won = -1
        self._placing = None
        if position.hand and not self._shortest:
            if self._laid_out is None:
                self._laid_out = laid_out_engine(self.game, self._memory)
            self._placing = Placing(position, self._laid_out)
            return
        self._index: dict[bytes, int] = {}
        self._packed: list[bytes] = []
        self._links: list[tuple[int, Move | None, int]] = []  # parent, move, moves (or cost) so far
        self._closed = bytearray()
        self._queue: list[tuple[int, int, int]] = []
        self._found(self._root, -1, None, 0)

    def step(self, budget: int) -> Status:
        if self._placing is not None:
            status = self._placing.step(budget)
            self.visited = self._placing.visited
            return status
        for _ in range(budget):
            if not self._queue:
                return Status.LOST
            priority, _, node = heapq.heappop(self._queue)
            if self._closed[node]:
                continue
            self._closed[node] = 1
            self.visited += 1
            if self._shortest:
                # The bound is consistent enough only per node, so the proved figure is the largest so far.
                self.lower_bound = max(self.lower_bound, priority)
            position = self._unpack(self._packed[node])
            if position.is_won:
                self._won = node
                return Status.WON
            made = self._links[node][2]
            for move in position.legal_moves:
                step = int(move.is_tableau or move.is_redeal) if self._shortest else 1
                position.push(move)
                self._found(position, node, move, made + step)
                if self._won >= 0:
                    return Status.WON
                position.pop()
            if len(self._packed) > self._most:
                return Status.FULL
        return Status.MORE

    @property
    def has_win(self) -> bool:
        return self._won >= 0 if self._placing is None else self._placing.has_win

    def line(self) -> list[Move]:
        if self._placing is not None:
            return self._placing.line()
        moves: list[Move] = []
        node = self._won
        while node > 0:
            parent, move, _ = self._links[node]
            assert move is not None
            moves.append(move)
            node = parent
        moves.reverse()
        return moves

    def reason(self) -> Reason | None:
        if self._root.is_lost:
            why = "no redeal helps" if self.game.has_redeal else "there is no redeal"
            return Reason("no-move", f"No card can move and {why}.", {"states": 1})
        if self._placing is not None:
            layouts = self._placing.layouts
            return Reason(
                "exhausted",
                f"Every way of placing the cards was tried: {layouts:,} different layouts, and none can be won.",
                {"states": self.visited, "layouts": layouts},
            )
        count = f"All {self.visited:,} positions" if self.visited > 1 else "The only position"
        verb = "were" if self.visited > 1 else "was"
        return Reason(
            "exhausted",
            f"{count} that can be reached {verb} searched, and none is won.",
            {"states": self.visited},
        )

    # Positions as bytes

    def _pack(self, position: Position) -> bytes:
        """Foundations, base, cards in hand, redeals used, then the piles."""
        base = _NO_BASE if position.base is None else position.base
        used = position.redeals_used if self.game.redeal.limit else 0
        head = (*position.foundations, base, len(position.hand), used & 255, used >> 8)
        return bytes(head) + _PILE_END.join(bytes(pile) for pile in position.piles)

    def _unpack(self, packed: bytes) -> Position:
        """The position again; where redeals are unlimited their number is not kept."""
        left = packed[5]
        return Position(
            self.game,
            packed[8:].split(_PILE_END),
            list(packed[:4]),
            hand=self._hand[len(self._hand) - left :],
            base=None if packed[4] == _NO_BASE else packed[4],
            redeals_used=packed[6] | packed[7] << 8,
        )

    def _key(self, position: Position, packed: bytes) -> bytes:
        """Equal only for positions that are won or lost together, with the same cost.

        The order of the piles is left out when no redeal is left. Why this is sound: piles are told apart only by
        the collecting of a redeal and by the room for cards in hand. So without redeals two positions whose
        piles are a permutation of each other have the same moves up to that permutation, for ever; while cards
        are in hand a pile goes with its size.
        """
        if position.redeals_left != 0:
            return packed
        if position.hand:
            sizes = self.game.piles.sizes
            piles = sorted(
                bytes((size,)) + bytes(pile) for size, pile in zip(sizes, position.piles, strict=True)
            )
        else:
            piles = sorted(bytes(pile) for pile in position.piles)
        return packed[:8] + _PILE_END.join(piles)

    def _found(self, position: Position, parent: int, move: Move | None, made: int) -> None:
        """Puts a position into the queue unless it is known (with ``shortest``: at no greater cost)."""
        packed = self._pack(position)
        key = self._key(position, packed)
        node = self._index.get(key)
        if node is None:
            node = self._index[key] = len(self._packed)
            self._packed.append(packed)
            self._links.append((parent, move, made))
            self._closed.append(0)
        elif self._shortest and made < self._links[node][2]:
            # A cheaper way: the position as it lies there (its pile order too) replaces the old one.
            self._packed[node] = packed
            self._links[node] = (parent, move, made)
            self._closed[node] = 0
        else:
            return
        if self._shortest:
            priority = made + self._bound(position)
        else:
            priority = self._score(position) + _MADE * made
            if position.is_won:
                self._won = node
        heapq.heappush(self._queue, (priority, -node, node))

    # Judging positions

    def _order(self, position: Position, card: int) -> int:
        """How many cards of its suit go up before ``card``; 0 while no base is fixed."""
        if position.base is None:
            return 0
        if self.game.foundation.base == "K":
            return self.game.ranks - 1 - card_rank(card)
        return (card_rank(card) - position.base) % self.game.ranks

    def _score(self, position: Position) -> int:
        """The lower, the sooner it is looked at."""
        score = _NOT_HOME * (self.game.cards - sum(position.foundations))
        score += _IN_HAND * len(position.hand)
        for pile in position.piles:
            if not pile:
                score += _EMPTY
            lowest, lowest_of_suit = 99, [99, 99, 99, 99]
            for card in pile:
                order, suit = self._order(position, card), card_suit(card)
                score += _ABOVE_OWN * (order > lowest_of_suit[suit]) + _ABOVE_ANY * (order > lowest)
                lowest_of_suit[suit] = min(lowest_of_suit[suit], order)
                lowest = min(lowest, order)
        return score

    def _bound(self, position: Position) -> int:
        """A lower bound of the cost still needed.

        Why this is sound: a card above one of its suit that goes up earlier has to leave its pile by a tableau
        move, or everything by a redeal. A tableau move takes one card, or one run: then the cards of one run
        count once. Different cards (runs) need different moves, since each lies in its place until it moves.
        While a redeal is left, one redeal may do for all. Where no card can go up, something else comes first.
        """
        if position.is_won or position.hand:
            return 0
        needed = 0
        for pile in position.piles:
            lowest, in_run = [99, 99, 99, 99], False
            for place, card in enumerate(pile):
                if self.game.run == "single" or place == 0 or not position.fits(card, pile[place - 1]):
                    in_run = False
                order, suit = self._order(position, card), card_suit(card)
                if order > lowest[suit] and not in_run:
                    needed += 1
                    in_run = True
                lowest[suit] = min(lowest[suit], order)
        if position.redeals_left != 0:
            needed = min(needed, 1)
        if needed == 0 and not any(pile and position.goes_up(pile[-1]) for pile in position.piles):
            return 1
        return needed
