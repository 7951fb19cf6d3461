"""The positions (and classes) that the searches of the Castle family visit are exactly those that the rules reach.

Without the dead test, and with an unwinnable deck, a search goes through everything. Each position that the rules
reach is brought into the form of the search (safe cards up, loose cards loose); both sets must be the same. A missing
position or one too many shows here long before it shows as a wrong verdict.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from crenel import Game, Position
from crenel.solver import castle_classes as classes
from crenel.solver import castle_loose as loose
from crenel.solver import castle_search as search
from crenel.solver.castle_deck import (
    KEY_BITS,
    LOOSE,
    LOOSE_CODE,
    ROWS_COUNT,
    TEST_DEAD,
    WIDTH,
    Deck,
    inner_card,
    make_deck,
    packed,
    rooted,
)
from crenel.solver.castle_rows import KEY, scratch, settle, unpack
from tests.naive import TooManyPositions, random_deck, small_games, visit

ANY_DOWN = ("beleaguered-castle", "streets-and-alleys", "citadel", "sham-battle", "sham-battle-7x6")
SUIT = ("fortress", "fortress-classic")
MOST = 4_000


def small_variants(name: str) -> list[Game]:
    """The reduced games of ``GAME`` or of the variant ``GAME key=value ...``."""
    game_id, *rules = name.split()
    changes = dict(rule.split("=") for rule in rules)
    return [game.with_rules(changes) if changes else game for game in small_games(game_id)]


def inner_piles(position: Position) -> tuple[tuple[int, ...], ...]:
    """The rows by the card numbers of the kernels."""
    return tuple(tuple(inner_card(position.game, card) for card in pile) for pile in position.piles)


def searched(deck: Deck, position: Position, by_class: bool) -> set[bytes] | None:
    """The keys of all that a search without the dead test visits; ``None`` when there is no such set."""
    width = int(deck.scalars[WIDTH])
    room = 1 << 15
    found = search.make_found(2 * room, room, width)
    found.numbers[search.MASK], found.numbers[search.ROOM] = 2 * room - 1, room
    x, y, z = scratch(), scratch(), scratch()
    root = packed(deck, inner_piles(position))
    if by_class:
        classes.open_classes(deck, found, x, root)
        status = classes.search_classes(deck, found, x, y, z, 10**9)
    else:
        search.open_search(deck, found, x, root)
        status = search.search(deck, found, x, 10**9)
    if status in (search.WIN, search.FULL):
        return None
    assert status == search.EXHAUSTED
    words = found.nodes[: width * found.numbers[search.NODES]].reshape(-1, width)
    words[:, -1] &= KEY_BITS
    return {row.tobytes() for row in words}


def canonical(deck: Deck, position: Position, by_class: bool, x: Any) -> bytes:
    """The key that the search gives a position of the rules."""
    root = packed(deck, inner_piles(position))
    if by_class:
        loose.unpack_class(deck, x, root, 0)
        loose.settle_class(deck, x)
    else:
        unpack(deck, x, root, 0)
        settle(deck, x, int(deck.scalars[ROWS_COUNT]))
    words = x[KEY : KEY + int(deck.scalars[WIDTH])].copy()
    words[-1] &= KEY_BITS
    return bytes(words.tobytes())


def walk(position: Position, suit_build: bool) -> Iterator[Position]:
    """All positions that can be reached; where cards are built in suit, those in which nothing that could go up waited.

    In suit, a card may be covered by the next one before it goes up. The search leaves such positions out, since they
    are no better than the one in which both have gone up (``is_safe`` says why); so the twin leaves them out as well.
    """
    if not suit_build:
        yield from visit(position, MOST)
        return
    seen, waiting = {position.key}, [position]
    while waiting:
        place = waiting.pop()
        yield place
        moves = place.legal_moves
        for move in [move for move in moves if move.is_foundation] or moves:
            following = place.copy()
            following.push(move)
            if following.key not in seen:
                seen.add(following.key)
                waiting.append(following)
        if len(seen) > MOST:
            raise TooManyPositions


def compare(name: str, count: int, by_class: bool) -> int:
    """Compares ``count`` decks; returns how many of them were unwinnable, so that all positions were seen."""
    chance, games, x, seen = random.Random(name), small_variants(name), scratch(), 0
    for number in range(count):
        game = games[number % len(games)]
        position = random_deck(game, chance, placed=99)
        base = game.base_rank
        deck = rooted(
            make_deck(game, chance.randrange(game.ranks) if base is None else base), inner_piles(position)
        )
        if base is None:  # one of the bases, as the engine takes them in turn
            fixed = int(np.flatnonzero(deck.order[: game.cards] == 0)[0]) >> 2
            position = Position(game, position.piles, base=fixed)
        deck.scalars[TEST_DEAD] = 0
        deck.scalars[LOOSE_CODE] = LOOSE if by_class else -1
        keys = searched(deck, position, by_class)
        if keys is None:
            continue
        in_suit = game.build.suits == "same" and not game.build.wrap
        try:
            expected = {canonical(deck, place, by_class, x) for place in walk(position, in_suit)}
        except TooManyPositions:
            continue
        assert keys == expected, (
            f"{len(keys - expected)} too many, {len(expected - keys)} missing: {position!r}"
        )
        seen += 1
    return seen


@pytest.mark.parametrize("name", ANY_DOWN)
def test_classes(name: str) -> None:
    assert compare(name, 150, by_class=True) > 20


@pytest.mark.parametrize(
    "name",
    [
        *ANY_DOWN,
        *SUIT,
        "selective-castle",
        "selective-castle-classic",
        "beleaguered-castle build=up",
        "beleaguered-castle build=alternate-colour",
        "beleaguered-castle build=either",
        "beleaguered-castle empty=none",
        "beleaguered-castle foundation.base=K",
        "streets-and-alleys build.wrap=true",
        "fortress-classic build.wrap=true",
    ],
)
def test_positions(name: str) -> None:
    assert compare(name, 80, by_class=False) > 5


@pytest.mark.slow
@pytest.mark.parametrize("name", ANY_DOWN)
def test_classes_of_thousands_of_decks(name: str) -> None:
    """Five thousand decks together: the same kernels search all these games."""
    assert compare(name, 1_000, by_class=True) > 200


@pytest.mark.slow
@pytest.mark.parametrize("name", SUIT)
def test_positions_of_thousands_of_decks_built_in_suit(name: str) -> None:
    assert compare(name, 2_500, by_class=False) > 500
