"""Reasons for lost positions of the Cruel family: what they say, and that a wrong one is refused by the rules."""

from __future__ import annotations

import random
from typing import Any

import pytest

from crenel import deal, find_game
from crenel.solver.frozen_reason import frozen_reason
from crenel.solver.verify_reason import check_frozen_prefix
from tests.naive import naive_solve, random_deck, reduced_game


def data_of(game: str, number: int) -> tuple[Any, dict[str, Any]]:
    position = deal(find_game(game), f"ms:{number}")
    reason = frozen_reason(position)
    assert reason is not None
    return position, reason.data


def test_the_reason_of_a_frozen_deal_in_words() -> None:
    reason = frozen_reason(deal(find_game("cruel"), "ms:6"))
    assert reason is not None
    assert reason.kind == "frozen-prefix"
    assert reason.data["prefix"] == ["2H", "7C", "KH"]
    assert "Even once the king of hearts is bare" in reason.text
    assert "2 of hearts" in reason.text


def test_a_reason_is_checked_by_the_rules() -> None:
    position, data = data_of("cruel", 6)
    assert check_frozen_prefix(position, data) is None
    assert "redeals" in str(check_frozen_prefix(position, {**data, "order": "top-down"}))
    assert "empty" in str(check_frozen_prefix(position, {**data, "prefix": []}))
    assert "another card" in str(check_frozen_prefix(position, {**data, "prefix": ["2H", "7C", "KS"]}))
    assert "cannot be read" in str(check_frozen_prefix(position, {**data, "prefix": ["2H", "XX"]}))
    assert "no list" in str(check_frozen_prefix(position, {**data, "prefix": "2H"}))
    assert check_frozen_prefix(position, {**data, "prefix": data["prefix"][:1]}) is not None
    assert check_frozen_prefix(deal(position.game, "ms:1"), data) is not None


def test_a_winnable_deal_has_no_frozen_prefix() -> None:
    game = find_game("cruel")
    for number in (1, 2, 3, 4, 5):
        assert frozen_reason(deal(game, f"ms:{number}")) is None


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("cruel", {}),
        ("cruel-classic", {}),
        ("cruel", {"run": "run"}),
        ("cruel-classic", {"run": "run"}),
        ("cruel", {"foundation.base": "K", "build.direction": "up"}),
        ("royal-family", {}),
        ("royal-family", {"redeal.when": "any-time", "build.suits": "any"}),
    ],
)
def test_frozen_means_lost_for_any_build_rule(name: str, changes: dict[str, str]) -> None:
    """The checker asks the rules what fits on what, so it must hold beyond building in suit."""
    game = reduced_game(name, 5).with_rules(changes)
    chance = random.Random(name + str(changes))
    fired = 0
    for _ in range(1500):
        position = random_deck(game, chance)
        reason = frozen_reason(position)
        if reason is not None:
            fired += 1
            assert check_frozen_prefix(position, reason.data) is None
            if fired <= 150:
                assert naive_solve(position).winnable is not True
    if name != "royal-family":
        assert fired > 20
