"""Drives the passes of the Cruel family's search: the arrays, their growth within the memory limit, and the line.

``Passes`` knows one position at a time. It works on bare piles of cards so that it does not care where a position
comes from; foundations go up from the lowest rank and piles are built down (``cruel`` turns other games round).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from crenel.solver import cruel_evaporate as evaporate
from crenel.solver import cruel_kernels as k
from crenel.solver import cruel_layout as layout

FIRST_NODES = 1 << 12
FIRST_LAYOUTS = 1 << 14
KNOWN_CARDS, KNOWN_ROOM = 6, 64
DEEP_CARDS, DEEP_ROOM = 9, 1000
"""At each layout so many first cards (at most 10) take the evaporation test, with so much room: cheap, and it ends
nearly all of the long hopeless searches. Deep passes, for the rest, look at more."""
NODE_BYTES = 8 * 8 + 4 * k.LINKS + 2 * 8
LAYOUT_BYTES = 8 + 16 + 2 * (8 + 4)


@dataclass(frozen=True, slots=True)
class Rules:
    """What of a game the kernels need.

    Attributes:
        order: ``BOTTOM_UP``, ``TOP_DOWN`` or ``ONE_BY_ONE`` of ``cruel_layout``.
        run: Whether runs move.
        stuck: Whether redeals are legal only when no card can move.
        ranks: Ranks in the deck.
        piles: The number of piles.
    """

    order: int
    run: bool
    stuck: bool
    ranks: int
    piles: int


@dataclass(frozen=True, slots=True)
class Step:
    """One cycle of a winning line: where it starts and the layout ``key`` in which it ends."""

    piles: tuple[tuple[int, ...], ...]
    counts: tuple[int, ...]
    key: int


def packed_counts(counts: Sequence[int]) -> int:
    """The foundation counts as the high bits of a layout key (signed 64-bit)."""
    bits = sum(count << (48 + 4 * suit) for suit, count in enumerate(counts))
    return bits - (1 << 64) if bits >> 63 else bits


class Passes:
    """The arrays of the search and the passes over them.

    Args:
        rules: The rules.
        memory: Bytes that the arrays may take.
    """

    def __init__(self, rules: Rules, memory: int) -> None:
        self.rules = rules
        self.memory = memory
        self.info: Any = np.zeros(k.INFO, np.int64)
        self.rows: Any = np.zeros((layout.ROWS, 64), np.int64)
        self.heads: Any = np.full(k.BUCKETS, k.NONE, np.int32)
        self.info[k.I_ORDER] = rules.order
        self.info[k.I_RUN] = rules.run
        self.info[k.I_STUCK] = rules.stuck
        self.info[k.I_RANKS] = rules.ranks
        self.info[k.I_PILES] = rules.piles
        self.info[k.I_FROZEN] = 1
        self.can_evaporate = not rules.run and rules.order != layout.ONE_BY_ONE
        self.memo: Any = np.zeros((1 << 14, 2), np.int64)
        self._look_at(KNOWN_CARDS, KNOWN_ROOM)
        self.visited = 0
        self.truncated = False
        self.more_nodes(FIRST_NODES)
        self._layouts(FIRST_LAYOUTS)

    def more_nodes(self, capacity: int) -> None:
        """Makes room for ``capacity`` nodes; what is there is kept."""
        self.decks = grown(getattr(self, "decks", None), (capacity, 8), np.int64)
        self.links = grown(getattr(self, "links", None), (capacity, k.LINKS), np.int32)
        self.table = grown(getattr(self, "table", None), (2 * capacity, 2), np.int32)

    def _layouts(self, capacity: int) -> None:
        """Makes room for ``capacity`` layouts of one cycle; what is there is kept."""
        self.stack = grown(getattr(self, "stack", None), (capacity, 2), np.int64)
        self.listed = grown(getattr(self, "listed", None), (capacity,), np.int64)
        self.seen = grown(getattr(self, "seen", None), (2 * capacity,), np.int64)
        self.stamps = grown(getattr(self, "stamps", None), (2 * capacity,), np.int32)

    def fits(self, nodes: int, layouts: int, other: int = 0) -> bool:
        """Whether arrays for so many nodes and layouts and ``other`` bytes stay within the memory limit.

        Half as much again is asked for, since the old arrays live on while they are copied.
        """
        return 3 * (nodes * NODE_BYTES + layouts * LAYOUT_BYTES + other) // 2 <= self.memory

    def _look_at(self, cards: int, room: int) -> None:
        """Sets how hard the evaporation test tries at each layout."""
        self.info[k.I_KNOWN] = cards if self.can_evaporate else 0
        self.known: Any = np.zeros((room, evaporate.WIDTH), np.int8)
        self.known_table: Any = np.zeros(1 << (2 * room).bit_length(), np.int32)
        self.known_waiting: Any = np.zeros(room, np.int32)
        self.memo[:] = 0

    def deepen(self, deep: bool) -> None:
        """Whether the passes from now on look at more first cards, with more room."""
        if deep != (self.known.shape[0] == DEEP_ROOM):
            self._look_at(*((DEEP_CARDS, DEEP_ROOM) if deep else (KNOWN_CARDS, KNOWN_ROOM)))

    def place(self, piles: Sequence[Sequence[int]], counts: Sequence[int]) -> None:
        """Sets the position that all further passes start from."""
        filled = [pile for pile in piles if pile]
        cards = [card for pile in filled for card in pile]
        starts = [0]
        for pile in filled:
            starts.append(starts[-1] + len(pile))
        self.rows[layout.ROOT_SEQ, : len(cards)] = cards
        self.rows[layout.ROOT_STARTS, : len(starts)] = starts
        self.info[k.I_ROOT_PILES] = len(filled)
        self.info[k.I_ROOT_KEY] = packed_counts(counts)
        self.visited = 0

    def start(self, limit: int, node_cap: int, cycle_cap: int) -> None:
        """Begins a pass.

        Args:
            limit: Redeals allowed from the position (``UNLIMITED`` for no limit).
            node_cap: How many nodes are expanded at most.
            cycle_cap: How many layouts of one cycle are looked at, about, at most.
        """
        info = self.info
        info[k.I_LIMIT] = limit
        info[k.I_NODE_CAP] = node_cap
        info[k.I_CYCLE_CAP] = cycle_cap
        info[k.I_NODES] = 1
        info[k.I_EXPANDED] = info[k.I_TRUNCATED] = info[k.I_STACK] = info[k.I_SEEN] = 0
        info[k.I_MASK] = min(4095, self.table.shape[0] - 1)
        info[k.I_VISITED] = 0
        self.table[: info[k.I_MASK] + 1] = k.NONE
        self.heads[:] = k.NONE
        self.decks[0, :] = 0
        self.decks[0, k.KEY_WORD] = info[k.I_ROOT_KEY]
        self.links[0, :] = 0
        self.links[0, k.PARENT] = self.links[0, k.NEXT] = k.NONE
        self.links[0, k.OPEN] = 1
        self.heads[0] = 0
        info[k.I_TOP_BUCKET] = 0

    def run(self, budget: int) -> int:
        """Visits about ``budget`` layouts of the pass.

        Returns:
            ``k.MORE``, ``k.WON``, ``k.EMPTY`` (then ``truncated`` says whether anything was cut off), or
            ``k.NODES_FULL`` when the memory limit forbids larger arrays.
        """
        before = int(self.info[k.I_VISITED])
        stop = before + budget
        while True:
            status = k.search(
                self.info,
                self.rows,
                self.decks,
                self.links,
                self.heads,
                self.table,
                self.stack,
                self.seen,
                self.stamps,
                self.listed,
                self.known,
                self.known_table,
                self.known_waiting,
                self.memo,
                stop - int(self.info[k.I_VISITED]),
            )
            nodes, layouts = self.decks.shape[0], self.listed.shape[0]
            if status == k.NODES_FULL and self.fits(2 * nodes, layouts):
                self.more_nodes(2 * nodes)
            elif status == k.CYCLE_FULL and self.fits(nodes, 2 * layouts):
                self._layouts(2 * layouts)
            else:
                break
        # Stamps must stay below 2**31: start again well before.
        if self.info[k.I_STAMP] > 2_000_000_000 and self.info[k.I_STACK] == 0:
            self.stamps[:] = 0
            self.info[k.I_STAMP] = 0
        self.visited += int(self.info[k.I_VISITED]) - before
        self.truncated = bool(self.info[k.I_TRUNCATED])
        return k.NODES_FULL if status == k.CYCLE_FULL else int(status)

    def steps(self) -> list[Step]:
        """The cycles of the win that was found, first to last."""
        chain: list[Step] = []
        node, key = int(self.info[k.I_WON_NODE]), int(self.info[k.I_WON_KEY])
        while node >= 0:
            k.load_node(self.info, self.rows, self.decks, self.links, node)
            count = int(self.info[k.I_CURRENT_PILES])
            starts = self.rows[layout.STARTS, : count + 1].tolist()
            cards = self.rows[layout.SEQ, : starts[-1]].tolist()
            piles = tuple(tuple(cards[first:last]) for first, last in pairwise(starts))
            bits = int(self.decks[node, k.KEY_WORD]) >> 48
            chain.append(Step(piles, tuple((bits >> (4 * suit)) & 15 for suit in range(4)), key))
            key = int(self.decks[node, k.KEY_WORD])
            node = int(self.links[node, k.PARENT])
        return chain[::-1]


def grown(old: Any, shape: tuple[int, ...], kind: Any) -> Any:
    """A larger array that begins with what ``old`` holds."""
    new = np.zeros(shape, kind)
    if old is not None:
        new[: old.shape[0]] = old
    return new
