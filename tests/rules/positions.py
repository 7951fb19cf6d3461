"""Positions for property tests: games played at random, and layouts made up at random, of any game."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from crenel import GAMES, Game, Position, find_game
from crenel.rules.cards import SUITS, Card, make_card

SMALL_GAMES = tuple(
    find_game(name).with_rules(rules)
    for name, rules in (
        ("cruel", {"ranks": 5, "piles.sizes": "4x4"}),
        ("royal-family-classic", {"ranks": 7, "piles.sizes": "6x4"}),
        ("beleaguered-castle", {"ranks": 6, "piles.sizes": "4x5"}),
        ("selective-castle", {"ranks": 4, "piles.sizes": "3x4"}),
        ("selective-castle-classic", {"ranks": 5, "piles.sizes": "5x4"}),
    )
)
"""Games of smaller decks."""
ALL_GAMES = (*GAMES.values(), *SMALL_GAMES)


def start(game: Game, chance: random.Random) -> Position:
    """A start with the cards in a random order, by no numbered deal."""
    cards = list(range(game.cards))
    counts = [0] * SUITS
    if game.foundation.dealt:
        assert game.base_rank is not None
        counts = [1] * SUITS
        cards = [card for card in cards if card // SUITS != game.base_rank]
    chance.shuffle(cards)
    if game.deal.order == "by-hand":
        return Position(game, [], counts, hand=cards)
    piles = []
    for size in game.piles.sizes:
        piles.append(cards[:size])
        del cards[:size]
    return Position(game, piles, counts)


def played(game: Game, seed: int, length: int) -> Position:
    """A start after some legal moves, with cards sent up more often than chance would."""
    chance = random.Random(seed)
    position = start(game, chance)
    for _ in range(length):
        moves = position.legal_moves
        if not moves:
            break
        up = [move for move in moves if move.is_foundation]
        position.push(chance.choice(up if up and chance.random() < 0.7 else moves))
    return position


def made_up(game: Game, seed: int) -> Position:
    """Any foundations, and the other cards on any piles; what play can hardly reach is among them."""
    chance = random.Random(seed)
    base = game.base_rank
    opened = base is not None or chance.random() < 0.9
    if base is None and opened:
        base = chance.randrange(game.ranks)
    # A board may also say that bases which the game deals lie in the piles, if a redeal has room for them.
    full = game.redeal_room == sum(game.piles.sizes)
    least = 1 if game.foundation.dealt and (full or chance.random() < 0.8) else 0
    most = game.ranks if chance.random() < 0.8 else least
    counts = [chance.randint(least, most) if opened else 0 for _ in range(SUITS)]
    up: set[Card] = set()
    for suit, count in enumerate(counts):
        for step in range(count):
            rank = game.ranks - 1 - step if game.foundation.base == "K" else ((base or 0) + step) % game.ranks
            up.add(make_card(rank, suit))
    cards = [card for card in range(game.cards) if card not in up]
    chance.shuffle(cards)
    piles: list[list[Card]] = [[] for _ in game.piles.sizes]
    used = chance.sample(range(len(piles)), chance.randint(1, len(piles)))
    for card in cards:
        piles[chance.choice(used)].append(card)
    limit = game.redeal.limit
    redeals = chance.choice((0, 1, limit if limit is not None else 40)) if game.has_redeal else 0
    if not any(counts):
        base = game.base_rank
    return Position(game, piles, counts, base=base, redeals_used=redeals)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Positions of all games: starts, games played for a while, and made-up layouts."""
    game = draw(st.sampled_from(ALL_GAMES))
    seed = draw(st.integers(0, 2**32))
    length = draw(st.one_of(st.just(0), st.integers(1, 60), st.just(-1)))
    return made_up(game, seed) if length < 0 else played(game, seed, length)


def cards_of(position: Position) -> list[Card]:
    """All cards of a position in order, those on the foundations by counting up (or down) from the base."""
    found = [card for pile in position.piles for card in pile] + list(position.hand)
    ranks = position.game.ranks
    for suit, count in enumerate(position.foundations):
        for step in range(count):
            assert position.base is not None
            rank = (
                position.base - step
                if position.game.foundation.base == "K"
                else (position.base + step) % ranks
            )
            found.append(make_card(rank, suit))
    return sorted(found)
