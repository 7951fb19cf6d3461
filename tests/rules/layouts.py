"""Layouts written in tests as they are printed: ``lay("cruel", "JD QC | 2D", "AAKK")``."""

from __future__ import annotations

from crenel import Game, Position, find_game, move_name
from crenel.rules.cards import RANK_NAMES, Card, card_name, parse_card


def cards(text: str) -> list[Card]:
    """The cards of a line."""
    return [parse_card(name) for name in text.split()]


def lay(
    game: Game | str,
    text: str,
    up: str | None = None,
    *,
    hand: str = "",
    base: str | None = None,
    used: int = 0,
) -> Position:
    """A position from its piles, separated by ``|``.

    Args:
        game: A game or its name.
        text: The piles, bottom to top; those at the end that are left out are empty.
        up: The top ranks on the foundations of clubs, diamonds, hearts and spades; ``0`` where there is none;
            as before the first move when left out.
        hand: The cards to be placed, next first.
        base: The rank of the bases where the first card played fixes it.
        used: Redeals made.
    """
    game = find_game(game) if isinstance(game, str) else game
    first = game.base_rank if base is None else RANK_NAMES.index(base)
    if up is None:
        up = game.foundation.base * 4 if game.foundation.dealt else "0000"
    counts = []
    for top in up:
        if top == "0":
            counts.append(0)
            continue
        assert first is not None
        step = RANK_NAMES.index(top) - first
        counts.append((-step if game.foundation.base == "K" else step % game.ranks) + 1)
    piles = [cards(pile) for pile in text.split("|")]
    return Position(game, piles, counts, hand=cards(hand), base=first if base else None, redeals_used=used)


def printed(position: Position) -> str:
    """The piles, empty ones at the end left out."""
    piles = [" ".join(map(card_name, pile)) for pile in position.piles]
    while piles and not piles[-1]:
        piles.pop()
    return " | ".join(piles)


def moves(position: Position) -> list[str]:
    """The texts of the legal moves."""
    return [move_name(move) for move in position.legal_moves]
