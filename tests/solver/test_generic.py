"""The slow exact engine in pure Python against the tests' slow solver, cards in hand included."""

from __future__ import annotations

import random

import pytest

from crenel import GAMES, Game, find_game
from crenel.rules.deals import deal
from crenel.solver.engine import Status
from crenel.solver.generic import GenericEngine
from crenel.solver.verify import check_win
from tests.naive import fewest_cost, naive_solve, random_deck, reduced_game
from tests.solver.stepwise import any_variant, compare, cost, decks, finish

MEMORY = 64 << 20


@any_variant()
def test_verdict_cost_and_positions_are_those_of_the_slow_solver(game: Game) -> None:
    engine = GenericEngine(game, MEMORY)
    for position, fewest, reached in decks(game, 4, seed=3):
        compare(engine, position, fewest, reached, all_visited=True)


@pytest.mark.slow
@any_variant()
def test_hundreds_of_decks_are_those_of_the_slow_solver(game: Game) -> None:
    engine = GenericEngine(game, MEMORY)
    for position, fewest, reached in decks(game, 80, seed=4):
        compare(engine, position, fewest, reached, all_visited=True)


def _compare_placing(count: int, seed: int) -> None:
    game = reduced_game("selective-castle", 4, (4, 4, 4))
    engine, chance = GenericEngine(game, MEMORY), random.Random(seed)
    verdicts = set()
    for _ in range(count):
        position = random_deck(game, chance, placed=chance.randint(7, 12))
        truth = naive_solve(position, 3000)
        if truth.winnable is None:
            continue
        verdicts.add(truth.winnable)
        for objective in (None, "cost"):
            status = finish(engine, position, objective)
            assert status is (Status.WON if truth.winnable else Status.LOST), repr(position)
            if truth.winnable:
                line = engine.line()
                check_win(position, line)
                if objective is not None:
                    assert cost(line) == fewest_cost(position, 20_000)
    assert verdicts == {True, False}


def test_cards_still_to_be_placed() -> None:
    _compare_placing(25, seed=5)


def test_a_whole_game_dealt_by_hand_is_won() -> None:
    game = find_game("selective-castle")
    position = deal(game, "ms:3")
    engine = GenericEngine(game, 256 << 20)
    assert finish(engine, position) is Status.WON
    line = engine.line()
    check_win(position, line)
    assert sum(move.is_placing for move in line) == 48


def test_a_redeal_after_placing_tells_the_piles_apart() -> None:
    game = reduced_game("selective-castle", 4, (4, 4, 4)).with_rules(
        {"redeal.limit": 1, "empty": "none", "build": "up"}
    )
    chance, verdicts = random.Random(8), set()
    engine = GenericEngine(game, MEMORY)
    for _ in range(40):
        position = random_deck(game, chance, placed=10)
        truth = naive_solve(position, 3000)
        if truth.winnable is not None:
            verdicts.add(truth.winnable)
            assert finish(engine, position) is (Status.WON if truth.winnable else Status.LOST)
    assert verdicts == {True, False}


def test_every_way_of_placing_is_the_reason_of_a_loss() -> None:
    game = reduced_game("selective-castle", 4, (4, 4, 4))
    chance, engine = random.Random(9), GenericEngine(game, MEMORY)
    for _ in range(100):
        position = random_deck(game, chance, placed=10)
        if finish(engine, position) is Status.LOST:
            reason = engine.reason()
            assert reason is not None and reason.kind == "exhausted"
            assert 1 <= reason.data["layouts"] <= 4
            return
    raise AssertionError("no lost deck among a hundred")


@pytest.mark.slow
def test_cards_still_to_be_placed_on_many_decks() -> None:
    _compare_placing(400, seed=6)


def test_every_game_is_supported_and_full_memory_is_no_verdict() -> None:
    for game in GAMES.values():
        assert GenericEngine.supports(game)
    game = find_game("royal-family")
    engine = GenericEngine(game, 1 << 18)
    assert finish(engine, deal(game, "ms:8")) is Status.FULL


def test_the_reason_says_how_many_positions_were_searched() -> None:
    game = find_game("royal-family")
    engine = GenericEngine(game, MEMORY)
    assert finish(engine, deal(game, "ms:18")) is Status.LOST
    reason = engine.reason()
    assert reason is not None and reason.kind == "exhausted"
    assert reason.data == {"states": engine.visited} and engine.visited > 1
