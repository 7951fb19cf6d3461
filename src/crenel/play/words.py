"""Positions and moves in words, for those who listen to the game or read it line by line.

All sentences about what lies where and what a move did are made here, so that every front end says the same and
a translation has one place to begin. Piles count from 1 in words.
"""

from __future__ import annotations

from collections.abc import Iterable

from crenel.rules.cards import (
    RANK_NAMES,
    RANK_WORDS,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    SUIT_WORDS,
    SUITS,
    Card,
    Suit,
    card_name,
    card_suit,
    card_words,
)
from crenel.rules.moves import Move, move_name
from crenel.rules.position import Position


def counted(number: int, word: str) -> str:
    """A number with its noun: ``1 card``, ``3 cards``."""
    return f"{number:,} {word}" + ("" if number == 1 else "s")


def listed(items: Iterable[str]) -> str:
    """Words as a list in a sentence: ``a, b and c``."""
    words = list(items)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else "none"


def pile_name(position: Position, pile: int) -> str:
    """What a pile (from 0) is called: ``pile 3``, or ``row 3`` in the Castle family."""
    return f"{position.game.pile_word} {pile + 1}"


def top_rank_name(position: Position, suit: Suit) -> str:
    """The rank on top of a foundation as in card names, ``0`` when it is empty."""
    rank = top_rank(position, suit)
    return "0" if rank is None else RANK_NAMES[rank]


def top_rank(position: Position, suit: Suit) -> int | None:
    """The rank on top of a foundation, or ``None`` when it is empty."""
    count, base = position.foundations[suit], position.base
    if count == 0 or base is None:
        return None
    if position.game.foundation.base == "K":
        return base - count + 1
    return (base + count - 1) % position.game.ranks


# What lies where


def pile_line(position: Position, pile: int) -> str:
    """One pile as a short line: ``Pile 3: 9H 3H 4D, top 8D``."""
    name, cards = pile_name(position, pile).capitalize(), [card_name(card) for card in position.piles[pile]]
    if not cards:
        return f"{name}: empty"
    return f"{name}: {' '.join(cards[:-1])}{', ' if cards[1:] else ''}top {cards[-1]}"


def pile_words(position: Position, pile: int) -> str:
    """One pile read aloud, from the top card down to the bottom."""
    name, cards = pile_name(position, pile).capitalize(), [card_words(card) for card in position.piles[pile]]
    if not cards:
        return f"{name} is empty."
    covered = f"; beneath it, going down: {', '.join(reversed(cards[:-1]))}" if cards[1:] else ""
    return f"{name} has {counted(len(cards), 'card')}: on top the {cards[-1]}{covered}."


def foundations_line(position: Position) -> str:
    """The foundations as a short line: ``Foundations: clubs A, diamonds A, hearts 2, spades empty``."""
    tops = (
        f"{word} {'empty' if top_rank(position, suit) is None else top_rank_name(position, suit)}"
        for suit, word in enumerate(SUIT_WORDS)
    )
    return f"Foundations: {', '.join(tops)}"


def foundations_words(position: Position) -> list[str]:
    """A sentence for each foundation: what lies on top and what it wants."""
    lines = []
    for suit, word in enumerate(SUIT_WORDS):
        top, wanted = top_rank(position, suit), position.wanted_rank(suit)
        has = "is empty" if top is None else f"shows the {RANK_WORDS[top]}"
        if position.foundations[suit] == position.game.ranks:
            wants = "and is complete"
        elif wanted is None:
            wants = "and takes any card: the first one fixes the base of all four"
        else:
            wants = f"and wants the {RANK_WORDS[wanted]}"
        lines.append(f"The foundation of {word} {has} {wants}.")
    return lines


def hand_line(position: Position) -> str:
    """The cards in hand as a line, the next one first."""
    names = [card_name(card) for card in position.hand]
    if not names:
        return "In hand: no card"
    then = f", then {' '.join(names[1:])}" if names[1:] else ""
    return f"In hand: {counted(len(names), 'card')}; next {names[0]}{then}"


def layout_lines(position: Position) -> list[str]:
    """The whole layout: foundations, cards in hand, redeals, and a line per pile."""
    lines = [foundations_line(position)]
    if position.hand:
        lines.append(hand_line(position))
    if position.game.has_redeal:
        lines.append(redeals_line(position))
    return lines + [pile_line(position, pile) for pile in range(len(position.piles))]


def redeals_line(position: Position) -> str:
    """How many redeals were used, and how many are left when they are limited."""
    left = position.redeals_left
    return f"Redeals: {position.redeals_used} used" + ("" if left is None else f", {left} left")


# Moves


def move_words(position: Position, move: Move) -> str:
    """A move that is legal in ``position``, in words: ``8 of clubs from pile 7 to pile 10``."""
    if move.is_redeal:
        return "redeal"
    if move.is_placing:
        return f"{card_words(position.hand[0])} from the hand to {pile_name(position, move.target)}"
    cards = position.piles[move.source][-move.count :]
    what = card_words(cards[-1])
    if len(cards) > 1:
        what = f"{len(cards)} cards, {card_words(cards[0])} to {card_words(cards[-1])},"
    source = pile_name(position, move.source)
    if move.is_foundation:
        return f"{what} from {source} to its foundation"
    empty = "" if position.piles[move.target] else "the empty "
    return f"{what} from {source} to {empty}{pile_name(position, move.target)}"


def moves_list(position: Position, moves: Iterable[Move]) -> list[str]:
    """A line per move that is legal in ``position``: its text and its words."""
    lines = []
    for move in moves:
        target = position.piles[move.target] if move.target >= 0 else ()
        onto = f", onto the {card_words(target[-1])}" if target and not move.is_placing else ""
        lines.append(f"{move_name(move)}: {move_words(position, move)}{onto}")
    return lines


def announce(before: Position, move: Move, after: Position) -> str:
    """What a move did, as one sentence that needs no look at the table.

    Args:
        before: The position before the move.
        move: The move, legal there.
        after: The position after it.
    """
    if move.is_redeal:
        return f"Redeal {after.redeals_used}: {_changed(before, after)}"
    said = move_words(before, move)
    said = said[0].upper() + said[1:]
    if move.is_placing:
        if not after.hand:
            return f"{said}; all cards are placed."
        return f"{said}; next in hand is the {card_words(after.hand[0])}."
    return f"{said}; {_shows(after, move.source)}."


def announce_undone(before: Position, move: Move, after: Position) -> str:
    """What taking a move back did, as one sentence.

    Args:
        before: The position in which the move had been made and was taken back.
        move: The move.
        after: The position now, without it.
    """
    if move.is_redeal:
        return f"Taken back: redeal {before.redeals_used}. {_changed(before, after)}"
    said = f"Taken back: {move_words(after, move)}"
    if move.is_placing:
        return f"{said}; next in hand is the {card_words(after.hand[0])}."
    places = [_shows(after, pile) for pile in (move.target, move.source) if pile >= 0]
    return f"{said}; {', '.join(places)}."


def _shows(position: Position, pile: int) -> str:
    cards, name = position.piles[pile], pile_name(position, pile)
    return f"{name} now shows the {card_words(cards[-1])}" if cards else f"{name} is now empty"


def _changed(before: Position, after: Position) -> str:
    """Which piles are different, with their new tops."""
    word = after.game.pile_word
    changed = [
        f"{pile + 1}: {card_name(new[-1]) if new else 'empty'}"
        for pile, (old, new) in enumerate(zip(before.piles, after.piles, strict=True))
        if old != new
    ]
    filled = sum(map(bool, after.piles))
    cards = sum(map(len, after.piles))
    return (
        f"{counted(cards, 'card')} in {counted(filled, word)}. "
        f"Top cards of the {word}s that changed: {', '.join(changed)}."
    )


# How the game stands


def state_words(position: Position) -> str | None:
    """A calm sentence when the game is won, lost, stuck or turns in a circle; ``None`` in the midst of play."""
    cards = position.game.cards
    if position.is_won:
        return f"The game is won: all {cards} cards are on the foundations."
    if position.is_lost:
        why = "and no redeal helps" if position.game.has_redeal else "and this game has no redeal"
        return f"No card can move {why}: the game is lost as it stands.{_way_back(position)}"
    if position.is_stuck:
        left = position.redeals_left
        how_many = "" if left is None else f" ({left} left)"
        return f"No card can move; a redeal is possible{how_many}."
    if position.is_loop:
        return (
            "The game turns in a circle: the only move and the redeal after it lead back to this layout, "
            f"so it is lost as it stands.{_way_back(position)}"
        )
    return None


def _way_back(position: Position) -> str:
    return " Undo takes moves back, as many as you like." if position.moves else ""


def cost_words(position: Position) -> str:
    """The counts of the moves that led to a position: ``3 moves between piles, … and 1 redeal; cost 4``."""
    word = position.game.pile_word
    placed = sum(move.is_placing for move in position.moves)
    parts = [f"{counted(placed, 'card')} placed"] if placed else []
    parts += [
        counted(position.tableau_moves, "move") + f" between {word}s",
        counted(position.foundation_moves, "move") + " to the foundations",
    ]
    if position.game.has_redeal:
        parts.append(counted(position.redeals, "redeal"))
    return f"{listed(parts)}; cost {position.cost}"


def counts_words(position: Position) -> str:
    """The counts of the moves that led to a position, the cards on the foundations, and the score."""
    up = sum(position.foundations)
    score = "" if position.game.score == "win-loss" else f" Score: {position.score}."
    return f"{cost_words(position)}. {up} of {position.game.cards} cards are on the foundations.{score}"


def parse_suit(text: str) -> Suit | None:
    """The suit that a word, a letter or a symbol names, or ``None``."""
    wanted = text.strip().lower()
    for suit in range(SUITS):
        word = SUIT_WORDS[suit]
        if wanted and wanted in (word, word[:-1], SUIT_NAMES[suit].lower(), SUIT_SYMBOLS[suit]):
            return suit
    return None


def new_tops(before: Position, after: Position) -> list[Card]:
    """The cards that are on top in ``after`` and were covered in ``before``, by suit and rank."""
    earlier = {pile[-1] for pile in before.piles if pile}
    fresh = [pile[-1] for pile in after.piles if pile and pile[-1] not in earlier]
    return sorted(fresh, key=lambda card: (card_suit(card), card))
