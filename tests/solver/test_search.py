"""The driver of the searches: limits and which of them ended a search, going on, the best known win, objectives."""

from __future__ import annotations

import pytest

from crenel import GAMES, Position, deal, find_game
from crenel.solver import castle, placing
from crenel.solver.castle import CastleEngine, Kind, Stage
from crenel.solver.placing import Placing
from crenel.solver.result import Limit, Verdict
from crenel.solver.search import Solver, UnknownObjective, solve
from crenel.solver.table import reserved

HARD = {
    "beleaguered-castle": "ms:954",
    "cruel": "ms:29",
    "royal-family": "ms:8",
    "selective-castle": "ms:2",
}
"""Deals that no search ends within a few thousand positions, at least not for the fewest cost."""


def start(game_id: str) -> Position:
    return deal(find_game(game_id), HARD[game_id])


def test_the_end_of_the_schedule_is_told_from_the_end_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    position = start("beleaguered-castle")
    short = (
        Stage(Kind.POSITIONS, 4_000, (10, 10, 4, -3, 5, 0)),
        Stage(Kind.CLASSES, 500, (10, 10, 4, -3, 4, 5)),
    )
    monkeypatch.setattr(castle, "SCHEDULE", short)
    at_the_end = Solver(position.game).solve(position)
    assert (at_the_end.verdict, at_the_end.limit) == (Verdict.UNDECIDED, "schedule")
    assert at_the_end.states == 4_500
    full = Solver(position.game, memory=1 << 16).solve(position)
    assert (full.verdict, full.limit) == (Verdict.UNDECIDED, "memory")
    assert full.states < 4_500


@pytest.mark.parametrize("game_id", ["beleaguered-castle", "royal-family"])
def test_the_memory_limit_is_named(game_id: str) -> None:
    position = start(game_id)
    result = solve(position, Limit(memory=1 << 20))
    assert (result.verdict, result.limit) == (Verdict.UNDECIDED, "memory")


def test_while_cards_are_in_hand_the_limit_is_that_of_the_engine_for_laid_out_positions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = find_game("selective-castle")
    position = deal(game, HARD["selective-castle"])
    monkeypatch.setattr(placing, "ROUNDS", ((1, 50),))
    assert solve(position).limit == "schedule"
    monkeypatch.setattr(placing, "ROUNDS", ((1, 1_000_000),))
    search = Placing(position, CastleEngine(game, 1))
    while (status := search.step(10_000)).value == "more":
        pass
    assert status.value == "full"


@pytest.mark.parametrize(("limit", "name"), [(Limit(states=700), "states"), (Limit(seconds=1e-6), "seconds")])
@pytest.mark.parametrize("game_id", ["beleaguered-castle", "royal-family"])
def test_other_limits_are_named_and_a_search_goes_on(game_id: str, limit: Limit, name: str) -> None:
    position = start(game_id)
    search = Solver(position.game).search(position)
    first = search.run(limit)
    assert (first.verdict, first.limit) == (Verdict.UNDECIDED, name)
    second = search.run(limit, cancel=lambda: True)
    assert second.limit in ("cancelled", name)
    assert second.states > first.states


def test_a_search_for_the_fewest_that_is_ended_gives_the_best_known_win() -> None:
    position = start("cruel")
    search = Solver(position.game).search(position, shortest=True)
    result = search.run(Limit(states=300_000))
    assert (result.verdict, result.limit, result.shortest) == (Verdict.WINNABLE, "states", False)
    assert 0 < result.lower_bound < result.cost
    more = search.run(Limit(states=100_000))
    assert more.states > result.states
    assert result.lower_bound <= more.lower_bound <= more.cost <= result.cost


@pytest.mark.parametrize("game_id", GAMES)
def test_only_what_is_counted_can_be_few(game_id: str) -> None:
    game = find_game(game_id)
    solver, position = Solver(game), deal(game, "ms:1")
    solver.search(position, shortest=True, fewest="cost")
    with pytest.raises(UnknownObjective, match="the fewest cards of"):
        solver.search(position, shortest=True, fewest="cards")
    if game.family == "castle":
        with pytest.raises(UnknownObjective, match="the fewest redeals of"):
            solver.search(position, shortest=True, fewest="redeals")


def test_arrays_that_the_system_refuses_are_asked_for_smaller() -> None:
    asked: list[int] = []

    def make(places: int) -> int:
        asked.append(places)
        if places > 1 << 20:
            raise MemoryError
        return places

    assert reserved(100 << 20, 28, 1 << 10, make) == 1 << 20
    assert asked == [1 << 22, 1 << 21, 1 << 20]
    assert reserved(1, 28, 1 << 10, make) == 1 << 10
