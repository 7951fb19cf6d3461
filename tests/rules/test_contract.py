"""The contract of ``tests.contract`` on all games and on variants that mix the rules in unusual ways."""

from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crenel import GAMES, Game, Position
from crenel.rules.moves import REDEAL
from tests.contract import TESTED, check_play, check_position, everything
from tests.naive import TooManyPositions, random_deck, small_decks, visit
from tests.rules.positions import made_up, positions

GAME_IDS = [game.id for game in TESTED]


def contract(game: Game, seed: int, length: int) -> None:
    """A random game, and a position made up from the same seed, which no play need reach."""
    chance = random.Random(seed)
    check_play(game, random_deck(game, chance), chance, length, full_checks=1)
    check_position(made_up(game, seed), chance)


@pytest.mark.parametrize("game", TESTED, ids=GAME_IDS)
@settings(max_examples=3)
@given(seed=st.integers(0, 2**32), length=st.integers(0, 70))
def test_contract(game: Game, seed: int, length: int) -> None:
    contract(game, seed, length)


@pytest.mark.slow
@pytest.mark.parametrize("game", TESTED, ids=GAME_IDS)
@settings(max_examples=40)
@given(seed=st.integers(0, 2**32), length=st.integers(0, 150))
def test_contract_at_length(game: Game, seed: int, length: int) -> None:
    contract(game, seed, length)


@pytest.mark.parametrize("game_id", GAMES)
def test_contract_up_to_the_end(game_id: str) -> None:
    """On small decks every position is asked that is won, stuck or lost, and some of the others."""
    chance = random.Random(game_id)
    met: set[str] = set()
    for deck in small_decks(game_id, 25, seed=3):
        with contextlib.suppress(TooManyPositions):
            for position in visit(deck, 100):
                ends = {end for end in ("won", "stuck", "lost") if getattr(position, f"is_{end}")}
                if ends - met or chance.random() < 0.02:
                    check_position(position, chance)
                met |= ends
    assert met == {"won", "stuck", "lost"}


def seen_of(position: Position) -> tuple[object, ...]:
    """All that the key must tell apart."""
    return (position.piles, position.foundations, position.hand, position.base, position.redeals_left)


@given(first=positions(), second=positions())
def test_two_positions_are_equal_only_when_all_is_equal(first: Position, second: Position) -> None:
    same = first.game == second.game and seen_of(first) == seen_of(second)
    assert (first == second) == same
    if first.game == second.game:
        assert (first.key == second.key) == same


@given(position=positions(), data=st.data())
def test_the_key_tells_every_difference(position: Position, data: st.DataObject) -> None:
    game = position.game
    piles = [list(pile) for pile in position.piles]
    foundations, hand, used = list(position.foundations), list(position.hand), position.redeals_used
    what = data.draw(
        st.sampled_from(["two cards", "two piles", "a card elsewhere", "foundations", "redeals", "hand"])
    )
    places = [(pile, place) for pile, cards in enumerate(piles) for place in range(len(cards))]
    if what == "two cards" and len(places) > 1:
        (one, a), (two, b) = data.draw(st.permutations(places))[:2]
        piles[one][a], piles[two][b] = piles[two][b], piles[one][a]
    elif what == "two piles" and len(piles) > 1:
        one, two = data.draw(st.permutations(range(len(piles))))[:2]
        piles[one], piles[two] = piles[two], piles[one]
    elif what == "a card elsewhere" and places and len(piles) > 1:
        one = data.draw(st.sampled_from([pile for pile, cards in enumerate(piles) if cards]))
        two = data.draw(st.sampled_from([pile for pile in range(len(piles)) if pile != one]))
        piles[two].append(piles[one].pop())
    elif what == "foundations":
        suit = data.draw(st.integers(0, 3))
        foundations[suit] += 1
    elif what == "redeals" and game.has_redeal:
        used += 1
    elif what == "hand" and len(hand) > 1:
        hand.reverse()
    other = Position(game, piles, foundations, hand=hand, base=position.base, redeals_used=used)
    assert (other.key == position.key) == (seen_of(other) == seen_of(position))
    if what == "redeals" and game.has_redeal:
        assert (other == position) == (game.redeal.limit is None or position.redeals_left == 0)


@pytest.mark.parametrize(
    "game", [game for game in TESTED if game.base_rank is None], ids=lambda game: game.id
)
def test_the_key_tells_the_base(game: Game) -> None:
    keys = {Position(game, [], (1, 0, 0, 0), base=base).key for base in range(game.ranks)}
    assert len(keys) == game.ranks


@pytest.mark.parametrize("game", [game for game in TESTED if game.has_redeal], ids=lambda game: game.id)
def test_a_redeal_is_taken_back(game: Game) -> None:
    taken_back = 0
    for seed in range(40):
        position = made_up(game, seed)
        if REDEAL in position.legal_moves:
            before = everything(position)
            position.push(REDEAL)
            assert position.pop() == REDEAL
            assert everything(position) == before
            taken_back += 1
    assert taken_back
