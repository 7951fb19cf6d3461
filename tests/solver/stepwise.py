"""What the tests of the step-by-step engines share: rule sets, and their comparison with the slow solver."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from typing import Any

import pytest

from crenel import Game, Position, find_game
from crenel.rules.moves import Move
from crenel.solver.engine import Engine, Objective, Status
from crenel.solver.verify import check_win
from tests.naive import TooManyPositions, fewest_cost, random_deck, visit

MOST = 800
"""Decks with more positions than this are left out."""

_THREE, _FOUR, _FIVE = ({"ranks": ranks, "piles.sizes": f"{ranks - 1}x4"} for ranks in (4, 5, 6))

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("royal-family", _THREE),
    ("royal-family", _FOUR),
    ("royal-family", _FIVE),
    ("royal-family", _THREE | {"build.direction": "down"}),
    ("royal-family", _FOUR | {"build.direction": "down"}),
    ("royal-family", _FIVE | {"build.direction": "down"}),
    ("royal-family", _FOUR | {"foundation.base": "first", "foundation.dealt": "no", "piles.sizes": "5x4"}),
    ("royal-family", {"ranks": 4, "piles.sizes": "3+5+4", "base": "K", "redeal.order": "top-down"}),
    ("royal-family", _FOUR | {"build.suits": "any", "redeal.when": "any-time", "redeal.limit": "1"}),
    ("royal-family-classic", _THREE),
    ("royal-family-classic", _THREE | {"empty": "none"}),
    ("royal-family-classic", _FOUR | {"empty": "none", "redeal.limit": "0"}),
    ("royal-family-classic", _THREE | {"redeal.order": "one-by-one", "redeal.limit": "2"}),
    ("cruel", _FOUR),
    ("cruel", _THREE | {"run": "run", "build.wrap": "yes"}),
    ("cruel-classic", _THREE | {"build.suits": "any", "redeal.limit": "1"}),
    ("ripple-fan", _THREE | {"build.suits": "any", "build.direction": "up", "redeal.limit": "3"}),
    ("ripple-fan-classic", {"ranks": 4, "piles.sizes": "4x4"}),
    ("perseverance-classic", _FOUR),
    ("perseverance-classic", _FOUR | {"build.suits": "alternate-colour", "redeal.limit": "unlimited"}),
    ("perseverance-classic", _THREE | {"build": "either", "redeal.order": "top-down", "empty": "any"}),
    ("beleaguered-castle", {"ranks": 4, "piles.sizes": "3x4"}),
    ("beleaguered-castle", {"ranks": 5, "piles.sizes": "4x4", "build": "alternate-colour", "run": "run"}),
    ("selective-castle-classic", {"ranks": 4, "piles.sizes": "2x8"}),
    ("selective-castle-classic", {"ranks": 4, "piles.sizes": "4x4", "build": "same", "empty": "none"}),
]
"""Rule sets that use each rule value."""


def variant(number: int) -> Game:
    name, rules = VARIANTS[number]
    return find_game(name).with_rules(rules)


def any_variant() -> pytest.MarkDecorator:
    """Runs a test for each rule set; it gets the ``game``."""
    games = [variant(number) for number in range(len(VARIANTS))]
    return pytest.mark.parametrize("game", games, ids=lambda game: game.id)


def folded(position: Position) -> Hashable:
    """The key without the order of the piles where it cannot matter: when no redeal is left."""
    if position.redeals_left != 0:
        return position.key
    used = position.redeals_used if position.game.redeal.limit else 0
    return (position.foundations, position.base, tuple(sorted(position.piles)), used)


def decks(game: Game, count: int, seed: int) -> Iterator[tuple[Position, int | None, int]]:
    """Random decks with the fewest cost of a win (``None``: no win) and how many positions can be reached."""
    chance = random.Random(f"{game.id} {seed}")
    for _ in range(count):
        position = random_deck(game, chance)
        reached, winnable = set(), False
        try:
            for place in visit(position, MOST):
                reached.add(folded(place))
                winnable |= place.is_won
            yield position, fewest_cost(position, MOST) if winnable else None, len(reached)
        except TooManyPositions:
            continue


def finish(engine: Engine, position: Position, fewest: Objective | None = None, slice_: int = 200) -> Status:
    """Searches to the end."""
    engine.begin(position, fewest)
    status = Status.MORE
    while status is Status.MORE:
        status = engine.step(slice_)
    return status


def cost(moves: list[Move]) -> int:
    return sum(move.is_tableau or move.is_redeal for move in moves)


def compare(
    engine: Engine, position: Position, fewest: int | None, reached: int, *, all_visited: bool
) -> None:
    """Asks the engine for any win and for the cheapest one, and checks verdict, line, cost and visited positions."""
    for objective in (None, "cost"):
        status = finish(engine, position, objective)
        if fewest is None:
            assert status is Status.LOST, repr(position)
            if all_visited:
                assert engine.visited == reached, repr(position)
            else:
                assert engine.visited <= reached, repr(position)
        else:
            assert status is Status.WON, repr(position)
            line = engine.line()
            check_win(position, line)
            assert cost(line) >= fewest
            if objective is not None:
                assert cost(line) == fewest == engine.lower_bound, repr(position)
