"""The light, the hint and the turning point tell the truth: all of it is checked against the slow solver."""

from __future__ import annotations

import random

import pytest

from crenel import GAMES, find_game
from crenel.play.advice import Adviser
from crenel.play.words import move_words
from crenel.rules.deals import deal
from crenel.solver.result import Verdict
from tests.naive import naive_solve, random_deck, reduced_game

GAMES_WITHOUT_HAND = sorted(game_id for game_id, game in GAMES.items() if game.deal.order != "by-hand")


@pytest.mark.parametrize("game_id", GAMES_WITHOUT_HAND)
def test_light_and_hint_are_true_along_random_games(game_id: str) -> None:
    rng = random.Random(game_id)
    game = reduced_game(game_id, 4)
    adviser = Adviser(game)
    for _ in range(12):
        position = random_deck(game, rng)
        for _ in range(8):
            truth = naive_solve(position).winnable
            light = adviser.light(position, seconds=20)
            assert light.verdict is (Verdict.WINNABLE if truth else Verdict.UNWINNABLE), repr(position)
            hint = adviser.hint(position, seconds=20)
            if position.is_won:
                break
            assert (hint.move is not None) == truth
            if hint.move is not None:
                assert hint.move in position.legal_moves and hint.text
                position.push(hint.move)
                assert naive_solve(position).winnable
                position.pop()
            if not position.legal_moves:
                break
            position.push(rng.choice(position.legal_moves))


@pytest.mark.parametrize("game_id", ["beleaguered-castle", "cruel", "royal-family-classic"])
def test_following_the_hints_wins(game_id: str) -> None:
    game = find_game(game_id)
    adviser = Adviser(game)
    number = next(
        number
        for number in range(1, 40)
        if adviser.light(deal(game, f"ms:{number}"), seconds=10).verdict is Verdict.WINNABLE
    )
    position = deal(game, f"ms:{number}")
    for _ in range(400):
        hint = adviser.hint(position)
        if hint.move is None:
            break
        position.push(hint.move)
    assert position.is_won and hint.text == "The game is won."


def test_the_turning_point_is_the_move_that_lost() -> None:
    rng = random.Random(5)
    game = reduced_game("cruel", 5)
    adviser = Adviser(game)
    found = 0
    for _ in range(200):
        position = random_deck(game, rng)
        lost_at = None if naive_solve(position).winnable else 0
        while position.legal_moves and len(position.moves) < 12:
            position.push(rng.choice(position.legal_moves))
            if lost_at is None and not naive_solve(position).winnable:
                lost_at = len(position.moves)
        point = adviser.turning_point(position, seconds=20)
        assert point.first_lost == lost_at
        if lost_at:
            found += 1
            assert point.last_winnable == lost_at - 1
            assert point.losing_move == position.moves[lost_at - 1]
            before = position.copy()
            while len(before.moves) >= lost_at:
                before.pop()
            words = move_words(before, position.moves[lost_at - 1])
            assert point.text.startswith(f"Move {lost_at} ({words}) lost the game")
    assert found > 10


def test_a_lost_game_stays_lost_without_a_search() -> None:
    game = find_game("beleaguered-castle")
    adviser = Adviser(game)
    position = deal(game, "ms:1")
    assert adviser.light(position, seconds=20).verdict is Verdict.UNWINNABLE
    position.push(position.legal_moves[0])
    assert adviser.light(position, seconds=1e-9).verdict is Verdict.UNWINNABLE


def test_a_cancelled_question_goes_on_when_asked_again() -> None:
    game = find_game("beleaguered-castle")
    adviser = Adviser(game)
    position = deal(game, "ms:5")
    assert adviser.light(position, seconds=20, cancel=lambda: True).verdict is not None
    assert adviser.light(position, seconds=30).verdict is not Verdict.UNDECIDED
