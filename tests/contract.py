"""What every game keeps, whatever its rules: one contract, checked on any position.

:func:`check_position` asks everything of one position; :func:`check_play` plays at random and asks everything on
the way. Nothing here knows a particular game: a new game file is covered as soon as it is in ``GAMES``.
"""

from __future__ import annotations

import itertools
import random
import re

import pytest

from crenel import GAMES, Game, IllegalMove, Move, Position, find_game
from crenel.rules.cards import SUITS, Card, make_card
from crenel.rules.game import PACKET
from crenel.rules.moves import FOUNDATION, HAND, REDEAL
from tests.naive import fresh

VARIANTS: list[tuple[str, dict[str, object]]] = [
    ("cruel", {"redeal.limit": "0"}),
    ("cruel", {"redeal.limit": "1", "redeal.when": "when-stuck"}),
    ("cruel", {"redeal.order": "one-by-one"}),
    ("cruel", {"redeal.order": "one-by-one", "redeal.limit": "2"}),
    ("cruel", {"run": "run", "empty": "any"}),
    ("cruel", {"deal.plays": "fitting", "deal.order": "packets"}),
    ("cruel", {"deal.order": "by-hand"}),
    ("cruel", {"build": "either", "build.wrap": "yes"}),
    ("cruel-classic", {"redeal.when": "when-stuck"}),
    ("cruel-classic", {"ranks": "4", "piles.sizes": "3x4"}),
    (
        "perseverance-classic",
        {"base": "first", "foundation.dealt": "no", "piles.sizes": "13x4", "build.wrap": "yes"},
    ),
    ("ripple-fan-classic", {"redeal.order": "one-by-one", "redeal.when": "when-stuck"}),
    ("ripple-fan", {"ranks": "5", "piles.sizes": "2x8"}),
    ("royal-family", {"build": "down"}),
    ("royal-family", {"run": "run", "build": "either", "redeal.order": "top-down"}),
    ("royal-family-classic", {"run": "run", "redeal.limit": "unlimited"}),
    ("royal-family-classic", {"ranks": "5", "piles.sizes": "4x4", "deal.plays": "fitting"}),
    ("beleaguered-castle", {"run": "run"}),
    ("beleaguered-castle", {"empty": "none"}),
    ("beleaguered-castle", {"base": "K", "build": "up", "score": "cards-up-less-bases"}),
    ("beleaguered-castle", {"ranks": "4", "piles.sizes": "12x1"}),
    ("citadel", {"base": "K", "ranks": "6", "piles.sizes": "4x5"}),
    ("fortress", {"build.wrap": "yes", "run": "run"}),
    ("fortress-classic", {"redeal.limit": "2", "redeal.order": "one-by-one"}),
    ("selective-castle", {"ranks": "4", "piles.sizes": "3x4"}),
    ("selective-castle", {"base": "first", "foundation.dealt": "no", "piles.sizes": "4x7+4x6"}),
    ("selective-castle-classic", {"ranks": "4", "piles.sizes": "6+5+5", "run": "run"}),
]
TESTED: list[Game] = [*GAMES.values(), *(find_game(name).with_rules(changes) for name, changes in VARIANTS)]
"""All games, and variants that mix the rules in unusual ways."""
_SENTENCE = re.compile(r"[A-Z][^.!?\n]*[^.!?\s]\.")


def conceivable_moves(position: Position) -> list[Move]:
    """Every move that a text, a browser or a solver might hand in, possible or not."""
    piles = len(position.piles)
    places = [-99, -5, -4, REDEAL.source, HAND, FOUNDATION, *range(piles), piles, piles + 1, 99]
    longest = max(map(len, position.piles))
    counts = [-1, 0, 1, 2, *range(3, longest + 2), 52]
    return [Move(*fields) for fields in itertools.product(places, places, counts)]


def all_cards(position: Position) -> list[Card]:
    """The cards on piles, in hand and on foundations, sorted."""
    found = [card for pile in position.piles for card in pile] + list(position.hand)
    for suit, count in enumerate(position.foundations):
        for step in range(count):
            assert position.base is not None, "a foundation is open, so its base is known"
            down = position.game.foundation.base == "K"
            found.append(make_card((position.base + (-step if down else step)) % position.game.ranks, suit))
    return sorted(found)


def everything(position: Position) -> tuple[object, ...]:
    """All that can be seen of a position."""
    return (
        position.key,
        position.piles,
        position.foundations,
        position.hand,
        position.base,
        position.redeals_used,
        position.redeals_left,
        position.moves,
        (position.tableau_moves, position.foundation_moves, position.redeals, position.cost),
        position.score,
        tuple(position.legal_moves),
        (position.is_won, position.is_stuck, position.is_lost),
    )


def check_position(position: Position, chance: random.Random, *, illegal: int = 12) -> None:
    """Asks everything of one position, which is left as it was.

    Args:
        position: Any position that can be written down, reachable or not.
        chance: Which illegal moves and pairs of moves are tried.
        illegal: How many illegal moves are pushed.
    """
    before = everything(position)
    assert all_cards(position) == list(range(position.game.cards)), "a card is lost or repeated"
    _check_legal_moves(position, chance, illegal)
    _check_ends(position)
    _check_counts(position)
    _check_copy(position)
    _check_redeal(position)
    for move in position.legal_moves:
        _check_push(position, move)
    _check_two_orders(position, chance)
    assert everything(position) == before, "the checks changed the position"


def check_play(game: Game, start: Position, chance: random.Random, length: int, *, full_checks: int) -> None:
    """Plays up to ``length`` random moves; asks everything ``full_checks`` times on the way and at the end.

    Cards go up more often than chance would have it, so that games get far. At the end all moves are taken back; what
    the future depends on must be as before after each of them, and all that can be seen after every fourth.
    """
    position = start.copy()
    full = set(chance.sample(range(length), min(full_checks, length)))
    seen = [everything, _described, _described, _described]
    trace = [everything(position)]
    known = {position.key: _described(position)}
    for step in range(length):
        if step in full:
            check_position(position, chance)
        moves = position.legal_moves
        if not moves:
            break
        ups = [move for move in moves if move.is_foundation]
        position.push(chance.choice(ups if ups and chance.random() < 0.6 else moves))
        trace.append(seen[len(position.moves) % 4](position))
        assert known.setdefault(position.key, _described(position)) == _described(position), (
            "one key, two positions"
        )
    check_position(position, chance)
    assert position.game is game
    while position.moves:
        assert seen[len(position.moves) % 4](position) == trace.pop()
        last = position.moves[-1]
        assert position.pop() == last
    assert [everything(position)] == trace == [everything(start)]


def _described(position: Position) -> tuple[object, ...]:
    """What the future depends on, written out."""
    return (
        position.piles,
        position.foundations,
        position.base,
        position.hand,
        position.redeals_left,
    )


def _check_legal_moves(position: Position, chance: random.Random, illegal: int) -> None:
    """The legal moves are exactly those conceivable ones that ``why_not`` accepts; refusals are sentences."""
    legal = position.legal_moves
    assert len(set(legal)) == len(legal), "a move is listed twice"
    refused: list[Move] = []
    accepted: set[Move] = set()
    for move in conceivable_moves(position):
        sentence = position.why_not(move)
        if sentence is None:
            accepted.add(move)
        else:
            assert _SENTENCE.fullmatch(sentence), f"not one sentence: {sentence!r}"
            refused.append(move)
    assert accepted == set(legal)
    before = everything(position)
    for move in chance.sample(refused, min(illegal, len(refused))):
        sentence = position.why_not(move)
        assert sentence is not None
        with pytest.raises(IllegalMove) as caught:
            position.push(move)
        assert str(caught.value) == sentence
        assert everything(position) == before, f"the refused move {move!r} changed something"
    if position.hand:
        assert all(move.is_placing for move in legal)
    else:
        assert not any(move.is_placing for move in legal)


def _check_ends(position: Position) -> None:
    """Won, stuck and lost agree with the legal moves."""
    legal = position.legal_moves
    up = sum(position.foundations)
    assert position.is_won == (up == position.game.cards)
    assert position.is_stuck == (not position.is_won and all(move.is_redeal for move in legal))
    if position.is_won:
        assert not legal
    assert position.is_loop == _leads_back(position)
    if not legal and not position.is_won:
        assert position.is_lost, "nothing can be done, so it is lost"
    if not position.is_lost:
        return
    assert position.is_stuck
    if position.game.redeal.order != "one-by-one":
        assert not legal
    following, seen = fresh(position), set()
    while following.legal_moves:
        assert following.legal_moves == [REDEAL], "a card can move after redeals, so it is not lost"
        if following.piles in seen:
            break
        seen.add(following.piles)
        following.push(REDEAL)


def _leads_back(position: Position) -> bool:
    """Whether the only move is one between piles, then only a redeal is left, and that gives this layout again."""
    walk = fresh(position)
    if position.game.redeal.limit is not None or [move.is_tableau for move in walk.legal_moves] != [True]:
        return False
    walk.push(walk.legal_moves[0])
    if walk.legal_moves != [REDEAL]:
        return False
    walk.push(REDEAL)
    return walk.piles == position.piles


def _check_counts(position: Position) -> None:
    """Moves are counted by kind; the cost is tableau moves and redeals; the score follows the game's rule."""
    moves = position.moves
    assert position.tableau_moves == sum(move.source >= 0 and move.target >= 0 for move in moves)
    assert position.foundation_moves == sum(move.target == FOUNDATION for move in moves)
    assert position.redeals == moves.count(REDEAL)
    assert position.cost == position.tableau_moves + position.redeals
    limit = position.game.redeal.limit
    assert position.redeals_left == (None if limit is None else max(0, limit - position.redeals_used))
    up = sum(position.foundations)
    score = {
        "win-loss": int(position.is_won),
        "cards-up": up,
        "cards-up-less-bases": up - SUITS,
    }
    assert position.score == score[position.game.score]


def _check_copy(position: Position) -> None:
    """A copy is equal and independent; the history is no part of the key."""
    twin = position.copy()
    assert twin == position and hash(twin) == hash(position) and everything(twin) == everything(position)
    bare = fresh(position)
    assert bare == position and bare.key == position.key and bare.moves == ()
    before = everything(position)
    for move in position.legal_moves[:1]:
        twin.push(move)
        assert twin.key != position.key and twin != position
    while twin.moves:
        twin.pop()
    assert everything(position) == before


def _check_redeal(position: Position) -> None:
    """The preview is what the push does; a redeal straight after a redeal is idle or changes the layout."""
    game = position.game
    if not game.has_redeal:
        assert REDEAL not in position.legal_moves
        with pytest.raises(IllegalMove):
            position.redealt()
        return
    preview = position.redealt()
    cards = [card for pile in preview.piles for card in pile]
    lengths = [len(pile) for pile in preview.piles]
    assert sorted(cards) == sorted(card for pile in position.piles for card in pile)
    assert preview.foundations == position.foundations and preview.base == position.base
    assert preview.hand == position.hand and preview.moves == ()
    assert preview.redeals_used == position.redeals_used + 1
    if game.redeal.order == "one-by-one":
        assert lengths == sorted(lengths, reverse=True) and max(lengths) - min(lengths) <= 1
    else:
        whole, rest = divmod(len(cards), PACKET)
        expected = [PACKET] * whole + [rest] * (rest > 0)
        assert lengths == expected + [0] * (len(lengths) - len(expected))
        assert preview.redealt().piles == preview.piles, "a redeal straight after a redeal changes nothing"
    assert REDEAL not in position.legal_moves or preview.piles != position.piles, "an idle redeal is refused"
    can_move = any(not move.is_redeal for move in position.legal_moves)
    expected_legal = (
        not position.hand
        and position.redeals_left != 0
        and preview.piles != position.piles
        and not (game.redeal.when == "when-stuck" and can_move)
    )
    assert (REDEAL in position.legal_moves) == expected_legal


def _check_push(position: Position, move: Move) -> None:
    """One legal move: what it changes, what it must not change, and that it can be taken back."""
    before, piles, foundations = everything(position), position.piles, position.foundations
    hand, base, used = position.hand, position.base, position.redeals_used
    counted = (position.tableau_moves, position.foundation_moves, position.redeals)
    preview = position.redealt() if move.is_redeal else None
    position.push(move)
    assert position.key != before[0], "a move changes the position"
    assert position.moves[-1] == move
    assert all_cards(position) == list(range(position.game.cards)), "a card is lost or repeated"
    assert all(new >= old for new, old in zip(position.foundations, foundations, strict=True))
    assert (position.tableau_moves, position.foundation_moves, position.redeals) == (
        counted[0] + int(move.is_tableau),
        counted[1] + int(move.is_foundation),
        counted[2] + int(move.is_redeal),
    )
    assert position.redeals_used == used + int(move.is_redeal)
    expected = [list(pile) for pile in piles]
    if preview is not None:
        assert position.key == preview.key
        expected = [list(pile) for pile in preview.piles]
    elif move.is_placing:
        expected[move.target].append(hand[0])
        hand = hand[1:]
    else:
        moved = expected[move.source][-move.count :]
        del expected[move.source][-move.count :]
        if move.is_foundation:
            assert sum(position.foundations) == sum(foundations) + 1
            if base is None:
                base = moved[0] // SUITS
        else:
            expected[move.target] += moved
    assert position.piles == tuple(map(tuple, expected))
    assert (position.hand, position.base) == (hand, base)
    assert move.is_foundation or position.foundations == foundations
    assert position.pop() == move
    assert everything(position) == before, f"push and pop of {move} does not restore"


def _check_two_orders(position: Position, chance: random.Random, *, pairs: int = 8) -> None:
    """Two moves that touch different piles lead to one key in either order."""
    moves = [move for move in position.legal_moves if not move.is_redeal and not move.is_placing]
    together = [
        (first, second)
        for first, second in itertools.combinations(moves, 2)
        if not {first.source, first.target} - {FOUNDATION} & {second.source, second.target}
    ]
    for first, second in chance.sample(together, min(pairs, len(together))):
        keys = set()
        for one, two in ((first, second), (second, first)):
            position.push(one)
            if position.why_not(two) is None:
                position.push(two)
                keys.add(position.key)
                position.pop()
            else:
                assert position.base is not None and position.game.foundation.base == "first"
            position.pop()
        assert len(keys) <= 1, f"{first} and {second} in the other order give another key"
