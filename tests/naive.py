"""The obvious, slow solver that the fast ones are compared with, and reduced games small enough for it.

It knows nothing but :class:`crenel.Position`: it makes every legal move, remembers the keys of the positions it
has seen, and stops when there is nothing new. There is no pruning, no order of moves, no bound and no heuristic,
so whatever it says about a small deck is the truth by the rules. Three questions, three functions:

* :func:`naive_solve`: can the position be won (stopping at the first win)?
* :func:`fewest_cost`, :func:`fewest_redeals`: the cheapest win, by an exhaustive shortest-path search;
* :func:`reachable`: the keys of all positions that can be reached, to see whether a fast search misses any.

``reduced_game("cruel", 5)`` is Cruel with five ranks and fewer piles, every other rule kept, and
``random_deck(game, chance)`` a start of it. ``python -m tests.naive`` measures the sizes in ``DECKS``.
"""

from __future__ import annotations

import random
import sys
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from crenel import GAMES, Game, Move, Position
from crenel.rules.cards import SUITS, Card, card_rank, card_suit, make_card
from crenel.rules.game import PACKET

MAX_POSITIONS = 100_000


class TooManyPositions(Exception):
    """The search would visit more positions than it was allowed: nothing is known."""


@dataclass(frozen=True, slots=True)
class NaiveResult:
    """What the slow solver found out.

    Attributes:
        winnable: Whether the position can be won; ``None`` when the limit was hit first.
        positions: The distinct keys visited, the start included. On an unwinnable deck these are all that can
            be reached; on a winnable one the search stopped at a win.
        cost: The fewest tableau moves and redeals of any win, when asked for and there is a win.
        redeals: The fewest redeals of any win, when asked for and there is a win.
    """

    winnable: bool | None
    positions: int
    cost: int | None = None
    redeals: int | None = None


def fresh(position: Position) -> Position:
    """The same position without the moves that led to it."""
    return Position(
        position.game,
        position.piles,
        position.foundations,
        hand=position.hand,
        base=position.base,
        redeals_used=position.redeals_used,
    )


def visit(position: Position, max_positions: int = MAX_POSITIONS) -> Iterator[Position]:
    """Walks through every position that can be reached, each key once, the start first, deepest first.

    Yields:
        One and the same object, moved on by push and pop; take from it what is needed before the next step.

    Raises:
        TooManyPositions: when there are more than ``max_positions``.
    """
    place = fresh(position)
    seen = {place.key}
    yield place
    path = [iter(place.legal_moves)]
    while path:
        for move in path[-1]:
            place.push(move)
            if place.key not in seen:
                if len(seen) >= max_positions:
                    raise TooManyPositions(f"more than {max_positions} positions")
                seen.add(place.key)
                yield place
                path.append(iter(place.legal_moves))
                break
            place.pop()
        else:
            path.pop()
            if path:
                place.pop()


def naive_solve(
    position: Position,
    max_positions: int = MAX_POSITIONS,
    *,
    cost: bool = False,
    redeals: bool = False,
) -> NaiveResult:
    """Decides a position by visiting all that can be reached from it, until one is won.

    Args:
        position: Where to start.
        max_positions: How many distinct keys may be visited before the answer is "not known".
        cost: Whether to find the fewest cost of a win too (a second, longer search).
        redeals: Whether to find the fewest redeals of a win too.
    """
    visited = 0
    try:
        for place in visit(position, max_positions):
            visited += 1
            if place.is_won:
                return NaiveResult(
                    True,
                    visited,
                    fewest_cost(position, max_positions) if cost else None,
                    fewest_redeals(position, max_positions) if redeals else None,
                )
    except TooManyPositions:
        return NaiveResult(None, visited)
    return NaiveResult(False, visited)


def reachable(position: Position, max_positions: int = MAX_POSITIONS) -> set[Hashable]:
    """The keys of all positions that can be reached, the start included, a win not stopping the search.

    Raises:
        TooManyPositions: when there are more than ``max_positions``.
    """
    return {place.key for place in visit(position, max_positions)}


def fewest_cost(position: Position, max_positions: int = MAX_POSITIONS) -> int | None:
    """The fewest tableau moves and redeals of a win from here, or ``None`` when there is no win.

    Raises:
        TooManyPositions: when more than ``max_positions`` keys are met first.
    """
    return _fewest(position, lambda move: int(move.is_tableau or move.is_redeal), max_positions)


def fewest_redeals(position: Position, max_positions: int = MAX_POSITIONS) -> int | None:
    """The fewest redeals of a win from here, or ``None`` when there is no win.

    Raises:
        TooManyPositions: when more than ``max_positions`` keys are met first.
    """
    return _fewest(position, lambda move: int(move.is_redeal), max_positions)


def _fewest(position: Position, price: Callable[[Move], int], max_positions: int) -> int | None:
    """Dijkstra's search with prices 0 and 1: a double-ended queue keeps the cheapest positions in front."""
    start = fresh(position)
    best = {start.key: 0}
    settled: set[Hashable] = set()
    waiting = deque([(0, start)])
    while waiting:
        paid, place = waiting.popleft()
        if place.key in settled:
            continue
        settled.add(place.key)
        if place.is_won:
            return paid
        for move in place.legal_moves:
            place.push(move)
            total = paid + price(move)
            if place.key not in best or total < best[place.key]:
                if len(best) > max_positions:
                    raise TooManyPositions(f"more than {max_positions} positions")
                best[place.key] = total
                following = (total, fresh(place))
                if total == paid:
                    waiting.appendleft(following)
                else:
                    waiting.append(following)
            place.pop()
    return None


# Reduced games

CRUEL = tuple(game.id for game in GAMES.values() if game.family == "cruel")
CASTLE = tuple(game.id for game in GAMES.values() if game.family == "castle")

SIZES: dict[str, dict[int, tuple[int, ...]]] = {
    "streets-and-alleys": {4: (4, 4, 4, 4), 5: (6, 6, 4, 4), 6: (7, 7, 5, 5), 7: (8, 8, 6, 6)},
    "fortress-classic": {4: (4, 4, 4, 4), 5: (4, 4, 4, 4, 4), 6: (6, 6, 4, 4, 4), 7: (6, 6, 6, 5, 5)},
    "sham-battle": {4: (6, 6, 4), 5: (6, 6, 6, 2), 6: (7, 7, 7, 3), 7: (8, 8, 8, 4)},
    "sham-battle-7x6": {4: (3, 3, 3, 7), 5: (4, 4, 4, 8), 6: (5, 5, 5, 9), 7: (6, 6, 6, 10)},
    "selective-castle-classic": {4: (6, 5, 5), 5: (7, 7, 6), 6: (7, 7, 5, 5), 7: (8, 8, 6, 6)},
    "citadel": {4: (6, 6), 5: (6, 5, 5), 6: (5, 5, 5, 5), 7: (6, 6, 6, 6)},
}
"""Rows of reduced castle games that need other rows than ``EQUAL_ROWS``, by game and ranks."""
EQUAL_ROWS = {4: (4, 4, 4), 5: (4, 4, 4, 4), 6: (5, 5, 5, 5), 7: (6, 6, 6, 6)}
"""Rows of the other reduced castle games, in which the bases are dealt in advance."""

_EASY = (4, 5)
_SMALL = (4, 5, 6)
DECKS: dict[str, tuple[tuple[int, tuple[int, ...] | None], ...]] = {
    # One by one hardly ever loses on piles of four: fewer and higher piles are harder.
    "ripple-fan": ((4, None), (5, (8, 8)), (6, (10, 10)), (7, (12, 12))),
    "selective-castle": ((4, (6, 6)), (4, (12,)), (4, None), (5, (6, 5, 5))),
    "selective-castle-classic": ((4, None), (5, None)),
    "fortress": ((4, None), (5, None), (6, (4,) * 5)),
    "beleaguered-castle": ((4, None), (5, None), (6, None)),
    "citadel": ((4, None), (5, None), (6, None), (7, (8, 8, 8))),
    "fortress-classic": ((4, None), (5, None), (6, (5, 5, 5, 5, 4))),
    "sham-battle-7x6": ((4, None), (4, (5, 5, 6))),
    "sham-battle": ((4, None), (5, (5, 5, 5, 5))),
    "streets-and-alleys": ((4, (6, 5, 5)), (4, None), (5, (5, 5, 5, 5))),
    **dict.fromkeys(
        ("cruel-strict", "perseverance", "royal-family"), tuple((ranks, None) for ranks in _SMALL)
    ),
    "ripple-fan-classic": ((4, None),),
}
"""Ranks and pile sizes (None: those of ``reduced_game``) for comparing thousands of decks of each game: both
verdicts occur, and a deck takes the slow solver a few thousandths of a second; games not named take ``_EASY``."""


def reduced_game(game_id: str, ranks: int, sizes: Sequence[int] | None = None) -> Game:
    """A game with fewer ranks and piles and every other rule kept.

    Args:
        game_id: One of ``GAMES``, or any name that is a key there.
        ranks: 4 to 7 with the usual piles; any number with ``sizes``.
        sizes: The cards of each pile; usually piles of four in the Cruel family, 3 to 5 rows in the Castle
            family, in which unequal rows stay unequal.
    """
    game = GAMES[game_id]
    if sizes is None:
        if game.family == "cruel":
            sizes = (PACKET,) * (ranks - int(game.foundation.dealt))
        else:
            sizes = SIZES.get(game_id, EQUAL_ROWS)[ranks]
    return game.with_rules({"ranks": ranks, "piles.sizes": tuple(sizes)})


def shuffled(game: Game, chance: random.Random) -> list[Card]:
    """The whole deck of the game in a random order."""
    pack = list(range(game.cards))
    chance.shuffle(pack)
    return pack


def random_deck(game: Game, chance: random.Random, *, placed: int = 0) -> Position:
    """A start of the game with a shuffled pack.

    Args:
        game: The rules.
        chance: Where the shuffle comes from.
        placed: In games that are dealt by hand, how many cards are put on random piles beforehand.
    """
    position = lay_out(game, shuffled(game, chance))
    for _ in range(min(placed, len(position.hand))):
        position.push(chance.choice(position.legal_moves))
    return fresh(position)


def small_games(game_id: str) -> list[Game]:
    """The reduced games of ``DECKS`` for one game."""
    shapes = DECKS.get(game_id, tuple((ranks, None) for ranks in _EASY))
    return [reduced_game(game_id, ranks, sizes) for ranks, sizes in shapes]


def small_decks(game_id: str, count: int, seed: int = 1) -> Iterator[Position]:
    """Random starts of the reduced games in turn; by hand, any number of the cards lies already."""
    chance = random.Random(f"{game_id} {seed}")
    games = small_games(game_id)
    for number in range(count):
        game = games[number % len(games)]
        by_hand = game.deal.order == "by-hand"
        yield random_deck(game, chance, placed=chance.randint(4, game.cards) if by_hand else 0)


def lay_out(game: Game, pack: Sequence[Card]) -> Position:
    """Deals a pack, card by card, as the game wants it; the twin of the dealing in ``crenel.rules``."""
    base = game.base_rank
    counts = [0] * SUITS
    cards = list(pack)
    if game.foundation.dealt:
        assert base is not None
        counts = [1] * SUITS
        for suit in range(SUITS):
            cards.remove(make_card(base, suit))
    if game.deal.order == "by-hand":
        return Position(game, (), counts, hand=cards)
    sizes = game.piles.sizes
    if game.deal.order == "packets":
        turns = [pile for pile, size in enumerate(sizes) for _ in range(size)]
    else:
        turns = [pile for layer in range(max(sizes)) for pile, size in enumerate(sizes) if layer < size]
    piles: list[list[Card]] = [[] for _ in sizes]
    for pile, card in zip(turns, cards, strict=True):
        suit = card_suit(card)
        if game.deal.plays == "fitting":
            assert base is not None
            following = base - counts[suit] if game.foundation.base == "K" else base + counts[suit]
            if card_rank(card) == following:
                counts[suit] += 1
                continue
        piles[pile].append(card)
    return Position(game, piles, counts)


def _measure(count: int) -> None:
    """Prints what the decks of each game cost: for choosing sizes."""
    for game_id in GAMES:
        began, tally, visited = time.process_time(), {True: 0, False: 0, None: 0}, 0
        for position in small_decks(game_id, count):
            result = naive_solve(position)
            tally[result.winnable] += 1
            visited += result.positions
        spent = time.process_time() - began
        print(
            f"{game_id:26} winnable {tally[True]:5}  unwinnable {tally[False]:5}  open {tally[None]:3}  "
            f"positions per deck {visited / count:7.1f}  milliseconds per deck {1000 * spent / count:6.2f}"
        )


if __name__ == "__main__":
    _measure(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
