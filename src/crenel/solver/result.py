"""What a solver is asked for and what it answers: verdicts, limits, results and reasons.

Nothing heavy is imported here, so that the command line and the web can name these types
without loading the compiled kernels.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from crenel.rules.moves import Move


class Verdict(StrEnum):
    """What is known about a position; a limit that was hit is *undecided*, never a loss."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Limit:
    """How much work a search may do; ``None`` means no limit of that kind.

    Attributes:
        states: Visited positions.
        seconds: Processor seconds of this process, compilation not counted.
        memory: Bytes that the arrays of the search may take; ``None`` means a share of
            what the machine has.
    """

    states: int | None = None
    seconds: float | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for name in ("states", "seconds", "memory"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"the limit {name}={value} must be greater than zero")


@dataclass(frozen=True, slots=True)
class Reason:
    """Evidence that a position is unwinnable.

    Attributes:
        kind: ``"frozen-prefix"``, ``"dead-cards"``, ``"evaporation"``, ``"no-move"`` or ``"exhausted"``.
        text: The reason in plain words, one or more sentences.
        data: The facts it rests on, JSON-compatible (cards by name, piles from 1).
    """

    kind: str
    text: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """The answer of :func:`crenel.solve`.

    Attributes:
        verdict: Winnable, unwinnable or undecided.
        moves: A winning line from the position when it is winnable, else empty. It was replayed
            through :class:`crenel.Position` before it got here.
        states: Positions visited.
        seconds: Processor seconds of the search, compilation not counted.
        shortest: True only when ``moves`` is proved to have the fewest cost.
        fewest_redeals: True only when ``moves`` is proved to have the fewest redeals.
        lower_bound: A proved lower bound of the cost of any win, or of its redeals when those were to be few (0
            when nothing was proved).
        reason: Why an unwinnable position cannot be won, else ``None``.
        limit: The limit that ended an undecided search: ``"states"``, ``"seconds"``,
            ``"memory"``, ``"cancelled"`` or ``"schedule"``, else ``None``.
    """

    verdict: Verdict
    moves: tuple[Move, ...] = ()
    states: int = 0
    seconds: float = 0.0
    shortest: bool = False
    fewest_redeals: bool = False
    lower_bound: int = 0
    reason: Reason | None = None
    limit: str | None = None

    @property
    def redeals(self) -> int:
        """How many moves of the line are redeals."""
        return sum(move.is_redeal for move in self.moves)

    @property
    def foundation_moves(self) -> int:
        """How many moves of the line go to a foundation."""
        return sum(move.is_foundation for move in self.moves)

    @property
    def tableau_moves(self) -> int:
        """How many moves of the line go from pile to pile (placing a card is not counted)."""
        return sum(move.is_tableau for move in self.moves)

    @property
    def cost(self) -> int:
        """Tableau moves and redeals of the line: the count that the fewest-cost win keeps low."""
        return self.tableau_moves + self.redeals
