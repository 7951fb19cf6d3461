"""The compiled step-by-step engine against the slow solver, over rule sets that use every rule value."""

from __future__ import annotations

import itertools
import random

import pytest

from crenel import Game, Position, find_game
from crenel.rules.cards import parse_card
from crenel.rules.deals import deal
from crenel.solver.engine import Status
from crenel.solver.result import Verdict
from crenel.solver.royal import RoyalEngine
from crenel.solver.search import Solver
from crenel.solver.verify import check_win
from crenel.solver.verify_reason import check_frozen_prefix
from tests.naive import naive_solve, random_deck
from tests.solver.stepwise import any_variant, compare, cost, decks, finish

MEMORY = 64 << 20

FREEZING = [
    {
        "ranks": ranks,
        "piles.sizes": f"{ranks - 1}x4",
        "build.direction": direction,
        "build.suits": suits,
        "redeal.order": order,
        "redeal.when": when,
        "redeal.limit": limit,
        "foundation.base": base,
    }
    for ranks, direction, suits, order, when, limit, base in itertools.product(
        (4, 5),
        ("down", "up", "either"),
        ("same", "any", "alternate-colour"),
        ("bottom-up", "top-down"),
        ("when-stuck", "any-time"),
        ("unlimited", "2"),
        ("A", "K"),
    )
]
"""Every rule set for which positions with a frozen prefix are left out."""


def _compare(game: Game, count: int, seed: int) -> None:
    engine = RoyalEngine(game, MEMORY)
    for position, fewest, reached in decks(game, count, seed):
        engine.prune = False
        compare(engine, position, fewest, reached, all_visited=True)
        engine.prune = True
        compare(engine, position, fewest, reached, all_visited=False)


@any_variant()
def test_verdict_cost_and_positions_are_those_of_the_slow_solver(game: Game) -> None:
    _compare(game, 6, seed=1)


@pytest.mark.slow
@any_variant()
def test_thousands_of_decks_are_those_of_the_slow_solver(game: Game) -> None:
    """Five thousand of the nine rule sets and of the four of the two Royal games."""
    counts = {"royal-family": 560, "royal-family-classic": 1250}
    _compare(game, counts.get(game.id.partition("[")[0], 150), seed=2)


def _compare_frozen(number: int, count: int) -> int:
    """How many positions the frozen-prefix test saved on lost decks of one rule set."""
    game = find_game("royal-family").with_rules(FREEZING[number])
    engine, chance, saved = RoyalEngine(game, MEMORY), random.Random(number), 0
    for _ in range(count):
        position = random_deck(game, chance)
        truth = naive_solve(position, 2000)
        if truth.winnable is None:
            continue
        status = finish(engine, position)
        assert status is (Status.WON if truth.winnable else Status.LOST), repr(position)
        if not truth.winnable:
            saved += truth.positions - engine.visited
    return saved


def test_the_frozen_prefix_never_makes_a_false_loss() -> None:
    assert sum(_compare_frozen(number, 4) for number in range(0, len(FREEZING), 7)) > 0


@pytest.mark.slow
def test_the_frozen_prefix_never_makes_a_false_loss_on_thousands_of_decks() -> None:
    assert sum(_compare_frozen(number, 20) for number in range(len(FREEZING))) > 0


def test_a_frozen_prefix_is_given_as_the_reason() -> None:
    game = find_game("royal-family")
    engine = RoyalEngine(game, MEMORY)
    position = deal(game, "ms:13")
    assert finish(engine, position) is Status.LOST
    reason = engine.reason()
    assert reason is not None and reason.kind == "frozen-prefix"
    assert check_frozen_prefix(position, reason.data) is None
    # Here the prefix is the first pile, so the rules alone show that its top card has nowhere to go.
    prefix = [parse_card(name) for name in reason.data["prefix"]]
    assert list(position.piles[0]) == prefix
    assert not position.goes_up(prefix[-1])
    assert not any(position.fits(prefix[-1], pile[-1]) for pile in position.piles)
    assert all(
        card in prefix[:-1] for card in itertools.chain(*position.piles) if position.fits(prefix[-1], card)
    )


def test_no_move_at_all_and_an_exhausted_search_are_told_apart() -> None:
    game = find_game("royal-family").with_rules({"ranks": 4, "piles.sizes": "3x4"})
    engine = RoyalEngine(game, MEMORY)
    stuck = Position(game, [[parse_card("3S"), parse_card("4S")]], (4, 4, 4, 2))
    assert finish(engine, stuck) is Status.LOST
    reason = engine.reason()
    assert reason is not None and reason.kind == "no-move"
    full = find_game("royal-family")
    engine = RoyalEngine(full, MEMORY)
    assert finish(engine, deal(full, "ms:6")) is Status.LOST
    reason = engine.reason()
    assert reason is not None and reason.kind == "exhausted"
    assert reason.data == {"states": engine.visited} and engine.visited > 1


@pytest.mark.parametrize("game_id", ["royal-family", "royal-family-classic"])
def test_slices_of_any_size_visit_the_same_positions(game_id: str) -> None:
    game = find_game(game_id)
    engine = RoyalEngine(game, MEMORY)
    position = deal(game, "ms:3")
    whole = finish(engine, position, slice_=10**7), engine.visited, engine.line()
    assert whole == (finish(engine, position, slice_=97), engine.visited, engine.line())


def test_full_memory_is_no_verdict() -> None:
    game = find_game("royal-family")
    engine = RoyalEngine(game, 1 << 20)
    assert finish(engine, deal(game, "ms:8")) is Status.FULL


def test_the_shown_win_is_no_longer_than_the_first_one() -> None:
    game = find_game("royal-family-classic")
    engine, long_way = RoyalEngine(game, MEMORY), RoyalEngine(game, MEMORY)
    long_way.shorten = False
    before = after = 0
    for number in range(1, 21):
        position = deal(game, f"ms:{number}")
        assert finish(engine, position) is finish(long_way, position) is Status.WON
        lines = long_way.line(), engine.line()
        for line in lines:
            check_win(position, line)
        assert cost(lines[1]) <= cost(lines[0])
        before, after = before + cost(lines[0]), after + cost(lines[1])
    assert after < 0.8 * before


def test_the_shortest_win_is_looked_for_below_the_known_one() -> None:
    game = find_game("royal-family-classic")
    engine = RoyalEngine(game, MEMORY)
    position = deal(game, "ms:5")
    assert finish(engine, position) is Status.WON
    known = cost(engine.line())
    assert finish(engine, position, "cost", slice_=50_000) is Status.WON
    line = engine.line()
    check_win(position, line)
    assert engine.lower_bound == cost(line) <= known


def test_cards_in_hand_are_refused() -> None:
    game = find_game("selective-castle")
    with pytest.raises(ValueError, match="without cards in hand"):
        RoyalEngine(game, MEMORY).begin(deal(game, "ms:1"))


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "winnable"), [("royal-family", 94), ("royal-family-classic", 100)])
def test_the_first_hundred_deals_are_all_decided(game_id: str, winnable: int) -> None:
    game = find_game(game_id)
    solver = Solver(game)
    verdicts = [solver.solve(deal(game, f"ms:{number}")).verdict for number in range(1, 101)]
    assert verdicts.count(Verdict.WINNABLE) == winnable
    assert verdicts.count(Verdict.UNWINNABLE) == 100 - winnable
