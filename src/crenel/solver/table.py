"""Open addressing over exact keys: which found position has a key, if any.

Positions are kept in one flat array, ``width`` 64-bit words each; the table holds their numbers. Keys are compared
word by word, so no two different positions are ever taken for one. The last word may carry other data in the
bits that ``last`` masks out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from crenel.solver._jit import kernel

_T = TypeVar("_T")

FREE = -1
"""An unused place of the table."""
PLACE_BYTES = 4


def room_in(places: int) -> int:
    """How many positions a table of so many places (a power of two) is used for: three quarters of them."""
    return 3 * places // 4


def reserved(memory: int, node_bytes: int, first: int, make: Callable[[int], _T]) -> _T:
    """The arrays for the largest table that fits into the memory with the positions it is used for.

    They are reserved at this size at once. The system gives memory only to what is written, so the rest costs nothing,
    and nothing has to be copied when the table grows.

    Args:
        memory: Bytes for the table and the positions.
        node_bytes: Bytes of a position in all other arrays.
        first: The places of the smallest table, which is given in any case.
        make: Makes the arrays for so many places; where the system refuses them, fewer are asked for.
    """
    places = first
    while PLACE_BYTES * 2 * places + node_bytes * room_in(2 * places) <= memory:
        places *= 2
    while places > first:
        try:
            return make(places)
        except MemoryError:
            places //= 2
    return make(first)


@kernel
def mixed(words: Any, start: int, width: int, last: int) -> int:
    """A well-mixed 64-bit digest of the key whose words begin at ``words[start]``."""
    digest = words[start + width - 1] & last
    for i in range(width - 1):
        digest = (digest ^ words[start + i]) * 0x5851F42D4C957F2D
        digest ^= digest >> 32 & 0xFFFFFFFF
    digest *= 0x2545F4914F6CDD1D
    return int(digest ^ (digest >> 29 & 0x7FFFFFFFF))


@kernel
def find(table: Any, mask: int, nodes: Any, width: int, last: int, words: Any, start: int) -> int:
    """The place in the table where a key is or would be.

    Args:
        table: Numbers of positions, ``FREE`` where unused; at least one place is free.
        mask: The number of places in use less one; they are a power of two.
        nodes: The words of all positions, ``width`` each.
        width: Words of a key.
        last: Mask of the key bits of the last word.
        words, start: The key is ``words[start : start + width]``.
    """
    place = mixed(words, start, width, last) & mask
    while True:
        node = table[place]
        if node < 0:
            return place
        at = node * width
        same = (nodes[at + width - 1] ^ words[start + width - 1]) & last == 0
        for i in range(width - 1):
            same &= nodes[at + i] == words[start + i]
        if same:
            return place
        place = (place + 1) & mask


@kernel
def refill(table: Any, mask: int, nodes: Any, width: int, last: int, count: int) -> None:
    """Clears the first ``mask + 1`` places and enters the first ``count`` positions; all keys differ."""
    for place in range(mask + 1):
        table[place] = FREE
    for node in range(count):
        place = mixed(nodes, node * width, width, last) & mask
        while table[place] >= 0:
            place = (place + 1) & mask
        table[place] = node
