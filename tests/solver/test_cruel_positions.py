"""Without their pruning tests the Cruel searches visit exactly what the rules reach, and each test alone is sound."""

from __future__ import annotations

import random
from collections.abc import Hashable
from itertools import pairwise

import numpy as np
import pytest

from crenel import Game, Position
from crenel.rules.moves import REDEAL
from crenel.solver import cruel_dead as dead
from crenel.solver import cruel_evaporate as evaporate
from crenel.solver import cruel_kernels as k
from crenel.solver import cruel_layout as layout
from crenel.solver.cruel import rules_of
from crenel.solver.cruel_optimum import Optimum
from crenel.solver.cruel_passes import Passes
from tests.naive import TooManyPositions, naive_solve, random_deck, reduced_game, visit

Shape = tuple[str, int, tuple[int, ...] | None, dict[str, str]]
ANY_TIME: tuple[Shape, ...] = (
    ("cruel", 4, None, {}),
    ("cruel", 5, None, {}),
    ("cruel-classic", 5, None, {}),
    ("ripple-fan-classic", 4, None, {}),
    ("cruel", 5, None, {"run": "run"}),
    ("cruel-classic", 5, None, {"run": "run"}),
    ("ripple-fan", 5, (8, 8), {"redeal.when": "any-time"}),
    ("ripple-fan", 5, (8, 8), {"redeal.when": "any-time", "run": "run"}),
)
"""Games in which nothing is forced, so that the search must meet every layout."""
IN_FOURS: tuple[Shape, ...] = (
    ("cruel", 4, None, {}),
    ("cruel", 5, None, {}),
    ("cruel-strict", 6, None, {}),
    ("cruel", 5, None, {"run": "run"}),
    ("cruel-classic", 5, None, {}),
    ("cruel-classic", 6, None, {"redeal.when": "when-stuck"}),
    ("cruel-classic", 5, None, {"run": "run"}),
    ("ripple-fan-classic", 4, None, {}),
)


def game_of(shape: Shape) -> Game:
    name, ranks, sizes, changes = shape
    return reduced_game(name, ranks, sizes).with_rules(changes)


def plain_passes(game: Game) -> Passes:
    """The arrays for positions of a game, with the tests that prune switched off."""
    passes = Passes(rules_of(game), 64 << 20)
    passes.info[k.I_KNOWN] = passes.info[k.I_FROZEN] = 0
    return passes


def present_layouts(passes: Passes, keys: list[int]) -> set[Hashable]:
    """Layouts of the cycle that is loaded, without the gaps between piles."""
    met: set[Hashable] = set()
    for key in keys:
        piles = layout.collect(passes.rows, int(passes.info[k.I_CURRENT_PILES]), key, layout.BOTTOM_UP)
        starts = [int(start) for start in passes.rows[layout.CHILD_STARTS, : piles + 1]]
        cards = [int(card) for card in passes.rows[layout.CHILD, : starts[-1]]]
        counts = tuple((key >> (48 + 4 * suit)) & 15 for suit in range(4))
        met.add((counts, tuple(tuple(cards[a:b]) for a, b in pairwise(starts))))
    return met


def by_rules(position: Position) -> set[Hashable]:
    """All layouts that the rules reach, without the gaps between piles."""
    return {
        (place.foundations, tuple(pile for pile in place.piles if pile)) for place in visit(position, 3000)
    }


def by_passes(position: Position) -> set[Hashable]:
    """All layouts that an unlimited pass looks at."""
    passes = plain_passes(position.game)
    passes.place(position.piles, position.foundations)
    passes.start(k.UNLIMITED, k.UNLIMITED, k.UNLIMITED)
    met: set[Hashable] = set()
    status = k.MORE
    while status == k.MORE:
        status = passes.run(1)
        met |= present_layouts(passes, [int(key) for key in passes.listed[: passes.info[k.I_SEEN]]])
    assert status == k.EMPTY
    return met


def by_optimum(position: Position) -> set[Hashable]:
    """All layouts that the search for the fewest cost opens."""
    passes = plain_passes(position.game)
    passes.place(position.piles, position.foundations)
    optimum = Optimum(passes)
    optimum.start(k.UNLIMITED, 300, 0)
    assert optimum.run(10**9) == k.EMPTY
    met: set[Hashable] = set()
    for index in range(int(passes.info[k.I_SEEN])):
        k.load_node(passes.info, passes.rows, passes.decks, passes.links, int(optimum.places[index, 0]))
        met |= present_layouts(passes, [int(optimum.layouts[index, 1])])
    return met


def compare_positions(shape: Shape, wanted: int) -> None:
    game, chance = game_of(shape), random.Random(str(shape))
    found = 0
    for _ in range(40 * wanted):
        position = random_deck(game, chance)
        if naive_solve(position, 3000).winnable is not False:
            continue
        try:
            reached = by_rules(position)
        except TooManyPositions:
            continue
        assert by_passes(position) == reached
        assert by_optimum(position) == reached
        found += 1
        if found == wanted:
            return
    pytest.fail(f"only {found} unwinnable decks")


@pytest.mark.parametrize("shape", ANY_TIME, ids=lambda shape: game_of(shape).id)
def test_visited_positions_are_those_of_the_rules(shape: Shape) -> None:
    compare_positions(shape, 4)


@pytest.mark.slow
@pytest.mark.parametrize("shape", ANY_TIME, ids=lambda shape: game_of(shape).id)
def test_visited_positions_are_those_of_the_rules_on_many_decks(shape: Shape) -> None:
    compare_positions(shape, 150)


def check_tests(shape: Shape, decks: int) -> None:
    """No test says "lost" about a deck that the slow solver wins."""
    game, chance = game_of(shape), random.Random(f"tests {shape}")
    rules = rules_of(game)
    no_redeal = game.with_rules({"redeal.limit": "0"})
    fired = [0, 0, 0, 0]
    asked: set[Hashable] = set()

    def lost(place: Position) -> None:
        """A test has said so; the slow solver is asked once about each position that it can search."""
        if (place.game, place.key) not in asked:
            asked.add((place.game, place.key))
            assert naive_solve(place, 20_000).winnable is not True, repr(place)

    passes = plain_passes(game)
    known = np.zeros((64, evaporate.WIDTH), np.int8)
    table, waiting, memo = np.zeros(256, np.int32), np.zeros(64, np.int32), np.zeros((1 << 10, 2), np.int64)
    for _ in range(decks):
        position = random_deck(game, chance)
        for _ in range(chance.choice((0, 2, 6))):
            moves = position.legal_moves
            if moves:
                position.push(chance.choice(moves))
        if position.is_won:
            continue
        passes.place(position.piles, position.foundations)
        k.load_node(passes.info, passes.rows, passes.decks, passes.links, 0)
        count, key = int(passes.info[k.I_CURRENT_PILES]), int(passes.info[k.I_ROOT_KEY])
        if not rules.run:
            played = int(layout.played_cards(key))
            arguments = (known, table, waiting, played, rules.order, rules.ranks)
            if evaporate.prove_by_evaporation(passes.rows, layout.SEQ, layout.STARTS, count, 64, *arguments):
                fired[0] += 1
                lost(position)
            if evaporate.prefix_is_dead(
                passes.rows, count, key, 6, known, table, waiting, memo, rules.order, rules.ranks
            ):
                fired[1] += 1
                lost(position)
        cards = int(passes.rows[layout.STARTS, count])
        if not dead.clears(passes.rows, layout.SEQ, layout.STARTS, count, layout.TEMP, key, rules.run):
            fired[2] += 1
            lost(Position(no_redeal, position.piles, position.foundations))
        # The frozen prefix is a test of the deck that the next redeal deals.
        if REDEAL in position.legal_moves:
            layout.collect(passes.rows, count, key, rules.order)
            if dead.frozen(passes.rows, layout.CHILD, cards, rules.order, rules.run, rules.ranks):
                fired[3] += 1
                lost(position.redealt())
    assert fired[2] > 0
    assert fired[3] > 0
    if not rules.run:
        assert fired[0] > 0
        assert fired[1] > 0


@pytest.mark.parametrize("shape", IN_FOURS, ids=lambda shape: game_of(shape).id)
def test_each_pruning_test_is_sound(shape: Shape) -> None:
    check_tests(shape, 300)


@pytest.mark.slow
@pytest.mark.parametrize("shape", IN_FOURS, ids=lambda shape: game_of(shape).id)
def test_each_pruning_test_is_sound_on_thousands_of_decks(shape: Shape) -> None:
    check_tests(shape, 5000)
