"""Moves and their text form.

A move takes a run of cards (nearly always one) from a pile to another pile or to a foundation, places the next
card of the hand on a pile (games that are dealt by hand), or redeals. Piles count from 0 here and from 1 in text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from crenel.rules.reading import quoted

FOUNDATION = -1
"""The ``target`` of a move to a foundation (the card's suit says which)."""
HAND = -2
"""The ``source`` of a move that places the next card in hand."""
_REDEAL = -3


class UnreadableMove(ValueError):
    """A text that is no move."""


class IllegalMove(ValueError):
    """A move that the rules refuse; the message says why."""


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """One move.

    Attributes:
        source: The pile the cards leave (from 0), or ``HAND``.
        target: The pile the cards come to (from 0), or ``FOUNDATION``.
        count: How many cards move together.
    """

    source: int
    target: int
    count: int = 1

    @property
    def is_redeal(self) -> bool:
        """Whether this is the redeal."""
        return self.source == _REDEAL

    @property
    def is_foundation(self) -> bool:
        """Whether a card goes to a foundation."""
        return self.target == FOUNDATION

    @property
    def is_placing(self) -> bool:
        """Whether the next card in hand is placed on a pile."""
        return self.source == HAND

    @property
    def is_tableau(self) -> bool:
        """Whether cards go from one pile to another."""
        return self.source >= 0 and self.target >= 0

    def __str__(self) -> str:
        return move_name(self)


REDEAL = Move(_REDEAL, _REDEAL, 0)
"""The redeal."""

_MOVE = re.compile(r"(?P<source>[0-9]{1,4}|d)-(?P<target>[0-9]{1,4}|h)(?:x(?P<count>[0-9]{1,4}))?")


def move_name(move: Move) -> str:
    """The text of a move: ``7-10``, ``7-h``, ``3-5x4`` (a run of four), ``d-3`` (place on pile 3), ``R``."""
    if move.is_redeal:
        return "R"
    source = "d" if move.is_placing else str(move.source + 1)
    target = "h" if move.is_foundation else str(move.target + 1)
    run = f"x{move.count}" if move.count != 1 else ""
    return f"{source}-{target}{run}"


def parse_move(text: str) -> Move:
    """Reads what :func:`move_name` writes, in any case.

    Raises:
        UnreadableMove: when the text is no move; the message quotes it.
    """
    token = text.strip().lower()
    if token == "r":
        return REDEAL
    match = _MOVE.fullmatch(token)
    if match is None:
        raise UnreadableMove(f"{quoted(text)} is not a move (a move is written like 7-10, 7-h, 3-5x2 or R)")
    source = HAND if match["source"] == "d" else int(match["source"]) - 1
    target = FOUNDATION if match["target"] == "h" else int(match["target"]) - 1
    count = int(match["count"] or 1)
    if source == -1 or (target == -1 and match["target"] != "h"):
        raise UnreadableMove(f"{quoted(text)} is not a move (piles are counted from 1)")
    if source == HAND and target == FOUNDATION:
        raise UnreadableMove(f"{quoted(text)} is not a move (a card in hand is placed on a pile)")
    if count < 1:
        raise UnreadableMove(f"{quoted(text)} is not a move (a run has at least one card)")
    return Move(source, target, count)
