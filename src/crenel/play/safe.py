"""Moves to a foundation that can never lose the game: what "play what is safe" plays.

Nothing is searched here; a move is called safe only where one of three arguments holds.

**The finish.** When moves to the foundations alone, one after the other, win the game, each of them is safe: the
win is at hand. This is the only case while a redeal is left and may be made at any time, because there each card that
leaves its pile shifts the cut of the next redeal, for good or ill.

**No redeal is left.** Take any winning line from the position, play the card c up first, and then follow the line with
the cards that are already up (the set U, at first only c) left out. The tableau is that of the line with the
cards of U taken out of it, so every other card that the line has on top is on top here, and every pile that the
line has empty is empty here. Moves of cards in U are skipped. Only one kind of move can fail: a card x that the
line puts on a card w of U. Then x is played up instead and joins U, which works when x is the next card of its
foundation: either its predecessor lay there from the start, or x follows w (or lies beneath it) in the same suit,
and w is up.
``_always_goes_up`` asks that of every card that could ever land on c, on a card that landed there, and so on; when it
holds for all, the altered line never fails, and ends with all cards up. Where runs move together a landing run might
hold other cards on top of x, so then no card at all may fit on c.

**Redeals only when no card can move** (``when-stuck``). If no card that is still in play fits on c, then c can never be
covered, so in every line it goes up before the next redeal: as long as it lies there, a card can move. Playing it
first and leaving its other moves out gives the very same layout from then on.

A card in hand, or foundations whose base is not fixed yet, make nothing safe but the finish.
"""

from __future__ import annotations

from crenel.rules.cards import Card, card_rank, card_suit
from crenel.rules.moves import Move
from crenel.rules.position import Position


def safe_moves(position: Position) -> list[Move]:
    """The legal moves to foundations that cannot lose the game; see the module for why.

    Args:
        position: Any position; it is left as it is.
    """
    if position.hand:
        return []
    up = [move for move in position.legal_moves if move.is_foundation]
    if not up:
        return []
    if _finishes(position):
        return up
    game = position.game
    redeal_left = game.has_redeal and position.redeals_left != 0
    if position.base is None or (redeal_left and game.redeal.when == "any-time"):
        return []
    alone = redeal_left or game.run == "run"
    return [move for move in up if _always_goes_up(position, position.piles[move.source][-1], alone)]


def _finishes(position: Position) -> bool:
    """Whether moves to the foundations alone win; the order does not matter, for they never hinder each other."""
    if position.base is None:
        return False
    walk = position.copy()
    moved = True
    while moved:
        moved = False
        for pile, cards in enumerate(walk.piles):
            if cards and walk.goes_up(cards[-1]):
                walk.push(Move(pile, -1))
                moved = True
    return walk.is_won


def _order(position: Position, card: Card) -> int:
    """The place of a card on its foundation, the base card's being 0."""
    base = position.base
    assert base is not None
    if position.game.foundation.base == "K":
        return base - card_rank(card)
    return (card_rank(card) - base) % position.game.ranks


def _always_goes_up(position: Position, card: Card, alone: bool) -> bool:
    """Whether every card that could land on ``card``, directly or on one that landed, could go up instead.

    Args:
        position: The position; its base is fixed.
        card: A card that can go up now.
        alone: Whether no card may fit on it at all.
    """
    in_play = [
        other
        for other in range(position.game.cards)
        if _order(position, other) >= position.foundations[card_suit(other)]
    ]
    reached, waiting = {card}, [card]
    while waiting:
        target = waiting.pop()
        for other in in_play:
            if other == card or not position.fits(other, target):
                continue
            if alone:
                return False
            suit, place = card_suit(other), _order(position, other)
            next_up = place == position.foundations[suit]
            follows = suit == card_suit(target) and place <= _order(position, target) + 1
            if not (next_up or follows):
                return False
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return True
