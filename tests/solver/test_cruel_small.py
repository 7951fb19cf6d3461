"""The Cruel engine against the slow solver on reduced decks: verdicts, fewest cost, fewest redeals, lines, reasons.

Every order of redealing, when-stuck and any-time, limits, runs, aces dealt or not, foundations down from the king;
fresh deals and positions from mid-game.
"""

from __future__ import annotations

import random

import pytest

from crenel import Game, Position, deal, find_game
from crenel.solver import cruel
from crenel.solver.cruel import CruelEngine
from crenel.solver.engine import Objective, Status
from crenel.solver.verify_reason import check_frozen_prefix
from tests.naive import (
    TooManyPositions,
    fewest_cost,
    fewest_redeals,
    fresh,
    naive_solve,
    random_deck,
    reduced_game,
)

MEMORY = 64 << 20
Row = tuple[str, int, tuple[int, ...] | None, dict[str, str]]
GAMES: tuple[Row, ...] = (
    ("cruel", 4, None, {}),
    ("cruel", 5, None, {}),
    ("cruel-strict", 5, None, {}),
    ("cruel-strict", 6, None, {}),
    ("cruel-aisleriot", 4, None, {}),
    ("cruel-aisleriot", 5, None, {}),
    ("cruel-classic", 4, None, {}),
    ("cruel-classic", 5, None, {}),
    ("cruel-3", 4, None, {}),
    ("cruel-3", 5, None, {}),
    ("cruel-5", 4, None, {}),
    ("cruel-5", 5, None, {}),
    ("perseverance", 6, None, {}),
    ("perseverance-classic", 4, None, {}),
    ("perseverance-classic", 5, None, {}),
    ("ripple-fan", 4, None, {}),
    ("ripple-fan", 5, (8, 8), {}),
    ("ripple-fan", 6, (10, 10), {}),
    ("ripple-fan-classic", 4, None, {}),
    ("cruel", 5, None, {"redeal.limit": "0"}),
    ("cruel", 5, None, {"redeal.limit": "1"}),
    ("cruel", 5, None, {"run": "run"}),
    ("cruel-strict", 5, None, {"redeal.limit": "2"}),
    ("cruel-classic", 5, None, {"run": "run"}),
    ("cruel-classic", 5, None, {"redeal.limit": "2", "redeal.when": "when-stuck"}),
    ("cruel-classic", 6, None, {"redeal.when": "when-stuck"}),
    ("ripple-fan", 5, (8, 8), {"run": "run", "redeal.when": "any-time"}),
    ("ripple-fan", 5, (6, 5, 5), {"redeal.limit": "2", "redeal.when": "any-time"}),
    ("ripple-fan-classic", 4, None, {"redeal.order": "bottom-up"}),
    ("ripple-fan-classic", 4, None, {"run": "run", "redeal.order": "bottom-up", "redeal.limit": "1"}),
    ("cruel", 5, None, {"foundation.base": "K", "build.direction": "up"}),
    ("perseverance-classic", 5, None, {"foundation.base": "K", "build.direction": "up"}),
)


def game_of(row: Row) -> Game:
    """The reduced game of a row of ``GAMES``."""
    name, ranks, sizes, changes = row
    return reduced_game(name, ranks, sizes).with_rules(changes)


def start(game: Game, chance: random.Random) -> Position:
    """A random deal; half of the time some random moves later, redeals included."""
    position = random_deck(game, chance)
    for _ in range(chance.choice((0, 0, 0, 1, 3, 6))):
        moves = position.legal_moves
        if not moves:
            break
        position.push(chance.choice(moves))
    return fresh(position)


def finish(engine: CruelEngine, position: Position, budget: int, fewest: Objective | None = None) -> Status:
    """Runs the engine in slices to its answer."""
    engine.begin(position, fewest)
    while (status := engine.step(budget)) is Status.MORE:
        pass
    return status


def replayed(engine: CruelEngine, position: Position) -> Position:
    """The position after the engine's line; every move is asked of the rules."""
    place = fresh(position)
    for move in engine.line():
        place.push(move)
    assert place.is_won
    return place


def compare(row: Row, decks: int, seed: int) -> None:
    """Asks both solvers about random decks of one game."""
    game = game_of(row)
    assert CruelEngine.supports(game)
    engine = CruelEngine(game, MEMORY)
    chance = random.Random(f"{row} {seed}")
    compared = 0
    for number in range(decks):
        position = start(game, chance)
        truth = naive_solve(position)
        if truth.winnable is None:
            continue
        compared += 1
        status = finish(engine, position, chance.choice((7, 100, 100_000)))
        assert status is (Status.WON if truth.winnable else Status.LOST), repr(position)
        if status is Status.LOST:
            reason = engine.reason()
            assert reason is not None
            if reason.kind == "frozen-prefix":
                assert check_frozen_prefix(position, reason.data) is None
            continue
        first = replayed(engine, position).cost
        if number % 3:
            continue
        try:
            cost, redeals = fewest_cost(position), fewest_redeals(position)
        except TooManyPositions:
            continue
        assert cost is not None
        assert first >= cost
        assert finish(engine, position, chance.choice((7, 100_000)), "cost") is Status.WON
        assert replayed(engine, position).cost == cost == engine.lower_bound, repr(position)
        assert finish(engine, position, 100_000, "redeals") is Status.WON
        assert replayed(engine, position).redeals == redeals == engine.lower_bound, repr(position)
    assert compared > decks // 2


@pytest.mark.parametrize("row", GAMES, ids=lambda row: game_of(row).id)
def test_a_few_decks(row: Row) -> None:
    compare(row, 25, 1)


@pytest.mark.slow
@pytest.mark.parametrize("row", GAMES, ids=lambda row: game_of(row).id)
def test_thousands_of_decks(row: Row) -> None:
    """Five thousand of each game's first row; hundreds of each of its other sizes and variants."""
    first = next(other for other in GAMES if other[0] == row[0])
    compare(row, 5000 if row is first else 300, 2)


def test_unsupported_games() -> None:
    cruel = reduced_game("cruel", 5)
    for changes in (
        {"build.suits": "any"},
        {"build.wrap": "yes"},
        {"empty": "any"},
        {"build.direction": "up"},
        {"foundation.base": "K"},
    ):
        assert not CruelEngine.supports(cruel.with_rules(changes))


def test_decks_that_differ_in_a_last_ace_of_clubs_only() -> None:
    """The ace of clubs is card 0: a deck that ends with it is not the deck without it."""
    game = reduced_game("ripple-fan-classic", 4)
    piles = ((12, 3, 4, 11), (7, 1, 9, 15), (13, 10, 14, 5), (0, 8, 6, 2))
    position = Position(game, piles)
    engine = CruelEngine(game, MEMORY)
    assert finish(engine, position, 100_000) is Status.WON
    fewest = fewest_cost(position)
    assert fewest is not None
    assert replayed(engine, position).cost >= fewest
    assert finish(engine, position, 100_000, "cost") is Status.WON
    assert replayed(engine, position).cost == fewest


def test_without_memory_there_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full search of a hard winnable deal that may not grow its arrays gives up; it does not say "lost"."""
    position = deal(find_game("cruel"), "ms:188")
    monkeypatch.setattr(cruel, "SCHEDULE", ((cruel.ALL, cruel.ALL, cruel.ALL),))
    assert finish(CruelEngine(position.game, 0), position, 1_000_000) is Status.FULL


def test_without_memory_the_best_known_win_stays() -> None:
    position = deal(find_game("cruel"), "ms:8")
    engine = CruelEngine(position.game, 0)
    assert finish(engine, position, 1_000_000, "cost") is Status.FULL
    assert engine.has_win
    assert 0 < engine.lower_bound <= replayed(engine, position).cost


def test_slices_do_not_change_the_answer() -> None:
    game = find_game("cruel")
    engine = CruelEngine(game, MEMORY)
    for number in (1, 14, 30, 31):
        position = deal(game, f"ms:{number}")
        whole = finish(engine, position, 10_000_000)
        visited = engine.visited
        line = engine.line() if whole is Status.WON else None
        assert finish(engine, position, 333) is whole
        assert engine.visited == visited
        assert (engine.line() if whole is Status.WON else None) == line
