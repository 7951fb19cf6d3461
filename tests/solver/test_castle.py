"""The engine of the Castle family against the slow solver: verdicts, wins, shortest wins, reasons, limits."""

from __future__ import annotations

import random

import pytest

from crenel import Game, Position, deal, find_game, parse_board
from crenel.solver.castle import SCHEDULE, CastleEngine, Kind, Stage
from crenel.solver.castle_deck import has_classes
from crenel.solver.engine import Objective, Status
from crenel.solver.verify import check_win
from tests.naive import naive_solve, random_deck, small_games

GAMES = (
    "beleaguered-castle",
    "streets-and-alleys",
    "citadel",
    "sham-battle",
    "sham-battle-7x6",
    "selective-castle",
    "selective-castle-classic",
    "fortress",
    "fortress-classic",
)
VARIANTS = (
    "beleaguered-castle build=up",
    "beleaguered-castle build=alternate-colour",
    "beleaguered-castle build.direction=up build.suits=alternate-colour",
    "beleaguered-castle build=either",
    "beleaguered-castle build.direction=either build.suits=alternate-colour",
    "beleaguered-castle empty=none",
    "beleaguered-castle foundation.base=K",
    "beleaguered-castle foundation.base=K build=up",
    "streets-and-alleys build.wrap=true",
    "fortress build=down",
    "fortress-classic build.wrap=true",
    "selective-castle-classic build=either",
    "selective-castle-classic build.wrap=false",
    "selective-castle-classic build=same",
    "selective-castle-classic empty=none",
)
MEMORY = 1 << 26
BY_CLASS = (Stage(Kind.CLASSES, 1 << 40, (10, 10, 4, -3, 4, 5)),)
"""A schedule of classes alone: small decks hardly ever get past the first stage of the usual one."""


def small_variants(name: str) -> list[Game]:
    """The reduced games of ``GAME`` or of the variant ``GAME key=value ...``."""
    game_id, *rules = name.split()
    changes = dict(rule.split("=") for rule in rules)
    return [game.with_rules(changes) if changes else game for game in small_games(game_id)]


def decide(engine: CastleEngine, position: Position, fewest: Objective | None = None) -> Status:
    engine.begin(position, fewest)
    status = Status.MORE
    while status is Status.MORE:
        status = engine.step(1_000)
    return status


def compare(name: str, count: int, *, shortest: bool = False) -> tuple[int, int]:
    """Compares reduced decks with the slow solver; returns how many were winnable and how many not.

    Where there are classes, the usual schedule and one of classes alone are asked.
    """
    chance, games = random.Random(name), small_variants(name)
    engines = [CastleEngine(game, MEMORY) for game in games]
    wins = losses = 0
    for number in range(count):
        engine = engines[number % len(games)]
        position = random_deck(games[number % len(games)], chance, placed=99)
        truth = naive_solve(position, 2_000 if shortest else 20_000, cost=shortest)
        if truth.winnable is None or position.is_won:
            continue
        wins, losses = wins + truth.winnable, losses + (not truth.winnable)
        for schedule in (SCHEDULE, BY_CLASS) if has_classes(engine.game) else (engine.schedule,):
            engine.schedule = schedule
            status = decide(engine, position)
            assert status is (Status.WON if truth.winnable else Status.LOST), position
            if truth.winnable:
                check_win(position, engine.line())
            else:
                assert engine.reason() is not None
        if shortest and truth.winnable:
            assert decide(engine, position, "cost") is Status.WON
            line = check_win(position, engine.line())
            assert sum(move.is_tableau for move in line) == truth.cost == engine.lower_bound, position
    return wins, losses


@pytest.mark.parametrize("name", GAMES + VARIANTS)
def test_small_decks(name: str) -> None:
    wins, losses = compare(name, 60)
    assert wins + losses > 40


@pytest.mark.parametrize("name", GAMES + VARIANTS)
def test_shortest_wins_of_small_decks(name: str) -> None:
    wins, _ = compare(name, 30, shortest=True)
    assert wins > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_thousands_of_small_decks(name: str) -> None:
    wins, losses = compare(name, 5_000)
    assert wins > 100
    assert losses > 100


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES + VARIANTS)
def test_shortest_wins_of_hundreds_of_small_decks(name: str) -> None:
    assert compare(name, 250, shortest=True)[0] > 10


@pytest.mark.slow
def test_a_thousand_small_decks_built_up() -> None:
    wins, losses = compare("beleaguered-castle build=up", 1_000)
    assert wins > 20
    assert losses > 20


def test_which_games_it_supports() -> None:
    assert CastleEngine.supports(find_game("beleaguered-castle"))
    assert CastleEngine.supports(find_game("fortress-classic"))
    assert not CastleEngine.supports(find_game("cruel"))


def test_full_memory_is_no_verdict() -> None:
    game = find_game("beleaguered-castle")
    position = deal(game, "ms:954")
    assert decide(CastleEngine(game, 1 << 12), position) is Status.FULL


def test_reason_names_the_cards_that_block() -> None:
    """A deal that is lost at once: nothing can be put on a king, and the 4s wait for what lies beneath."""
    game = find_game("beleaguered-castle").with_rules({"ranks": 4, "piles.sizes": "4x3"})
    board = "Foundations: C-A D-A H-A S-A\n2C 3D 4C\n2D 3C 4D\n2H 3H 4H\n2S 3S 4S\n"
    position = parse_board(board, game)
    engine = CastleEngine(game, MEMORY)
    assert decide(engine, position) is Status.LOST
    reason = engine.reason()
    assert reason is not None
    assert reason.kind == "dead-cards"
    assert reason.data["cards"] == ["4C", "4D", "4H", "4S"]
    assert [entry["waits_for"] for entry in reason.data["blocking"]][2] == ["2H", "3H"]
    assert all(card in reason.text for card in ("4C", "4D", "4H", "4S"))
    assert not naive_solve(position).winnable


def test_reason_counts_the_positions() -> None:
    for game_id in ("beleaguered-castle", "selective-castle-classic"):
        chance = random.Random(game_id)
        for game in small_games(game_id):
            engine = CastleEngine(game, MEMORY)
            while True:
                position = random_deck(game, chance)
                if decide(engine, position) is Status.LOST:
                    reason = engine.reason()
                    assert reason is not None
                    if reason.kind == "exhausted":
                        break
            assert reason.data["states"] >= 1
            assert f"{reason.data['states']:,}" in reason.text or reason.data["states"] == 1


def test_a_search_goes_on_after_any_number_of_steps() -> None:
    """The answer does not depend on how the search is sliced."""
    game = find_game("beleaguered-castle")
    chance = random.Random(5)
    position = random_deck(game, chance)
    whole, sliced = CastleEngine(game, MEMORY), CastleEngine(game, MEMORY)
    status = decide(whole, position)
    sliced.begin(position)
    while (other := sliced.step(7)) is Status.MORE:
        pass
    assert other is status
    assert sliced.visited == whole.visited
    if status is Status.WON:
        assert sliced.line() == whole.line()
