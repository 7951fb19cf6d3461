"""The chain or circle that a standing foundation waits for."""

from __future__ import annotations

import random

import pytest

from crenel import GAMES, Position, find_game
from crenel.play.blockers import find_blockers
from crenel.rules.cards import make_card, parse_card
from tests.naive import random_deck, reduced_game


def _position(game: str, rows: str, foundations: tuple[int, ...]) -> Position:
    piles = [[parse_card(card) for card in row.split()] for row in rows.split("|")]
    return Position(find_game(game), piles, foundations)


def test_two_cards_that_wait_for_each_other() -> None:
    # the 4 of clubs waits for a 5, both 5s that show lie beneath cards that wait for it in turn
    position = _position("cruel", "2C 5D | 2D 5C", (1, 1, 1, 1))
    blockers = find_blockers(position, 0)
    assert blockers.is_blocked
    assert blockers.text.endswith("Only a redeal can change that.")


def test_a_card_on_top_is_no_obstacle() -> None:
    position = _position("beleaguered-castle", "3C 2C", (1, 1, 1, 1))
    blockers = find_blockers(position, 0)
    assert (blockers.chain, blockers.is_blocked) == ((), False)
    assert blockers.text == "The foundation of clubs takes the 2 of clubs now."


def test_a_complete_foundation_waits_for_nothing() -> None:
    position = _position("beleaguered-castle", "3C 2C", (1, 1, 13, 1))
    assert find_blockers(position, 2).text == "The foundation of hearts is complete."


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_blocked_cards_never_come_free_by_play_alone(game_id: str) -> None:
    """What is called blocked must stay covered in every position that play without a redeal can reach."""
    rng = random.Random(game_id)
    game = reduced_game(game_id, 4)
    checked = 0
    for _ in range(40):
        position = random_deck(game, rng)
        while position.hand:
            position.push(rng.choice(position.legal_moves))
        for _ in range(rng.randrange(4)):
            if position.legal_moves:
                position.push(rng.choice(position.legal_moves))
        tops = _tops_without_redeal(position, 3000)
        for suit in range(4):
            blockers = find_blockers(position, suit)
            if blockers.is_blocked and tops is not None:
                checked += 1
                assert blockers.wanted not in tops, (position, suit, blockers.text)
            if blockers.is_circle:
                assert blockers.is_blocked
    assert checked


def _tops_without_redeal(position: Position, most: int) -> set[int] | None:
    """Every card that is a top card somewhere in play without a redeal; ``None`` when that is too much to search."""
    seen, tops, waiting = {position.key}, set(), [position]
    while waiting:
        here = waiting.pop()
        tops |= {pile[-1] for pile in here.piles if pile}
        for move in here.legal_moves:
            if move.is_redeal:
                continue
            here.push(move)
            if here.key not in seen:
                seen.add(here.key)
                waiting.append(here.copy())
            here.pop()
        if len(seen) > most:
            return None
    return tops


def test_every_link_names_a_real_pile() -> None:
    rng = random.Random(1)
    for game_id in GAMES:
        position = random_deck(GAMES[game_id], rng)
        while position.hand:
            position.push(rng.choice(position.legal_moves))
        for suit in range(4):
            blockers = find_blockers(position, suit)
            for link in blockers.chain:
                pile = position.piles[link.pile]
                assert link.card in pile and pile[-1] == link.blocker
            if blockers.wanted is not None:
                assert blockers.wanted == make_card(position.wanted_rank(suit) or 0, suit)
