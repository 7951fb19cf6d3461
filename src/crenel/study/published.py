"""What others say about how often the games can be won: published figures, and the claims of the descriptions.

The descriptions are the documents that the rules of these games follow (``notes`` in the game files): one in Italian on
Cruel, one in French on Cruel, one each in Italian and Portuguese on Beleaguered Castle. They give no method.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from crenel.study.statistics import Interval


@dataclass(frozen=True, slots=True)
class Published:
    """A published figure.

    Attributes:
        share: The share winnable.
        interval: Its 95 % interval.
        deals: On how many deals it rests.
        undecided: How many of these were left open; ``None`` when that is not known.
    """

    share: float
    interval: Interval
    deals: int
    undecided: int | None


SOURCE = "The Winnability of Klondike Solitaire and Many Other Patience Games, arXiv:1906.12314 (Solvitaire)"
"""Where all published figures come from."""

PUBLISHED: Mapping[str, Published] = {
    "beleaguered-castle": Published(
        0.68170, Interval(0.68170 - 0.00099, 0.68170 + 0.00099), 2_000_000, 1_361
    ),
    "streets-and-alleys": Published(
        0.51187, Interval(0.51187 - 0.00186, 0.51187 + 0.00186), 2_000_000, 4_642
    ),
    # The interval is that of a share of a million deals.
    "fortress-classic": Published(0.2024, Interval(0.2016, 0.2032), 1_000_000, None),
}
"""By the id of the game."""

_SKILLED = "a skilled player wins 15 to 30 %"
CLAIMS: Mapping[str, str] = {
    "cruel": _SKILLED,
    "cruel-strict": _SKILLED,
    "perseverance": "as Cruel, easier to plan",
    "beleaguered-castle": "65 to 70 % with perfect play, 30 to 40 % with casual play",
    "streets-and-alleys": "a good deal harder than Beleaguered Castle",
    "citadel": "easier than Beleaguered Castle",
}
"""What the descriptions say, by the id of the game."""
