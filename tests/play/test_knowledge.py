"""What is proved stays known, and only that: every verdict that is recalled is checked against the slow solver."""

from __future__ import annotations

import random

import pytest

from crenel import find_game
from crenel.play.advice import Adviser, line_cost
from crenel.play.knowledge import Knowledge, Light, Wanted, position_digest, waypoints
from crenel.rules.deals import deal
from crenel.rules.position import Position
from crenel.solver.result import Result, Verdict
from crenel.solver.search import solve
from crenel.solver.verify import check_win
from tests.naive import naive_solve, random_deck, reduced_game


@pytest.mark.parametrize("game_id", ["cruel", "beleaguered-castle", "royal-family"])
def test_what_is_recalled_is_true(game_id: str) -> None:
    """Random walks back and forth, some positions searched: whatever is known then of any other one is true."""
    rng = random.Random(game_id)
    game = reduced_game(game_id, 4)
    recalled = {Verdict.WINNABLE: 0, Verdict.UNWINNABLE: 0}
    for _ in range(40):
        knowledge, position = Knowledge(), random_deck(game, rng)
        for _ in range(30):
            light = knowledge.recall(position)
            if light is not None:
                recalled[light.verdict] += 1
                truth = naive_solve(position).winnable
                assert light.verdict is (Verdict.WINNABLE if truth else Verdict.UNWINNABLE)
                if truth:
                    assert check_win(position, light.line) == light.line
            elif rng.random() < 0.3:
                knowledge.learn(Wanted(position), solve(position))
            if position.moves and (rng.random() < 0.4 or not position.legal_moves):
                position.pop()
            elif position.legal_moves:
                position.push(rng.choice(position.legal_moves))
    assert min(recalled.values()) > 30, recalled


def won_deal() -> tuple[Position, Result]:
    position = deal(find_game("beleaguered-castle"), "ms:2")
    return position, solve(position)


def test_a_win_is_known_along_its_line_and_where_it_came_from() -> None:
    position, _ = won_deal()
    position.push(position.legal_moves[0])
    result = solve(position)
    assert result.verdict is Verdict.WINNABLE
    knowledge = Knowledge()
    knowledge.learn(Wanted(position), result, waypoints(position, result.moves))
    for number, move in enumerate(result.moves):
        assert knowledge.recall(position) == Light(Verdict.WINNABLE, result.moves[number:])
        position.push(move)
    start, _ = won_deal()
    light = knowledge.recall(start)
    assert light is not None and check_win(start, light.line) == light.line
    assert knowledge.recall(start, by_search=True) is None, "a win through the player's own moves is no hint"


def test_a_loss_is_known_in_all_that_follows() -> None:
    position = deal(find_game("beleaguered-castle"), "ms:1")
    knowledge = Knowledge()
    result = solve(position)
    knowledge.learn(Wanted(position), result)
    light = knowledge.recall(position)
    assert light is not None and light.reason == result.reason
    rng = random.Random(3)
    followed = 0
    while position.legal_moves and followed < 10:
        position.push(rng.choice(position.legal_moves))
        followed += 1
        assert knowledge.recall(position) == Light(Verdict.UNWINNABLE)
    assert followed > 2


def test_nothing_is_learned_from_an_undecided_search() -> None:
    position, _ = won_deal()
    knowledge = Knowledge()
    knowledge.learn(Wanted(position), Result(Verdict.UNDECIDED, limit="seconds"))
    assert knowledge.recall(position) is None and not len(knowledge)


def test_the_oldest_is_forgotten() -> None:
    position, result = won_deal()
    knowledge = Knowledge(most=10)
    knowledge.learn(Wanted(position), result)
    assert len(knowledge) == 10
    assert knowledge.recall(position) is None
    for move in result.moves:
        position.push(move)
    assert knowledge.recall(position) is not None


def test_digests_are_equal_exactly_for_equal_positions() -> None:
    rng = random.Random(8)
    seen: dict[bytes, Position] = {}
    for game_id in ("cruel", "selective-castle"):
        for number in range(1, 20):
            position = deal(find_game(game_id), f"ms:{number}")
            for _ in range(60):
                twin = seen.setdefault(position_digest(position), position.copy())
                assert twin == position
                if not position.legal_moves:
                    break
                position.push(rng.choice(position.legal_moves))
    assert len(seen) > 1500


def test_the_best_win() -> None:
    game = find_game("beleaguered-castle")
    adviser = Adviser(game)
    position, first = won_deal()
    best = adviser.best_win(position, 60)
    assert best.shortest and best.verdict is Verdict.WINNABLE
    assert best.cost == line_cost(best.line) <= first.cost
    assert check_win(position, best.line) == best.line
    assert best.cost == solve(position, shortest=True).cost
    for move in best.line:
        position.push(move)
    assert adviser.best_win(position).cost == 0 and adviser.best_win(position).shortest
    assert adviser.best_win(deal(game, "ms:1"), 60).verdict is Verdict.UNWINNABLE
