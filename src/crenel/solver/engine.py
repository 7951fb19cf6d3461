"""The shape that every search engine has, so that ``search`` can drive any of them in slices."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, Literal, Protocol

from crenel.rules.game import Game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.solver.result import Reason

Objective = Literal["cost", "redeals"]
"""What a win may be asked to have the fewest of: tableau moves and redeals together, or redeals alone."""


class Status(Enum):
    """What a slice of a search ended with."""

    MORE = "more"
    """Not finished: call ``step`` again."""
    WON = "won"
    """A winning line is known."""
    LOST = "lost"
    """The search was exhausted (or a proved test fired): no line wins."""
    OPEN = "open"
    """Gave up without an answer at the end of the schedule."""
    FULL = "full"
    """Gave up without an answer for want of memory."""


class Engine(Protocol):
    """A resumable search over the positions of one game."""

    objectives: ClassVar[tuple[Objective, ...]]
    """What :meth:`begin` may be asked to make few."""

    @property
    def visited(self) -> int:
        """Positions visited since :meth:`begin`."""
        ...

    @property
    def lower_bound(self) -> int:
        """A proved lower bound of what is to be few, for any win; 0 while nothing is proved."""
        ...

    @property
    def has_win(self) -> bool:
        """Whether :meth:`line` has a win to give, also while a better one is looked for."""
        ...

    @staticmethod
    def supports(game: Game) -> bool:
        """Whether this engine answers exactly for every position of ``game``."""
        ...

    def __init__(self, game: Game, memory: int) -> None: ...

    def begin(self, position: Position, fewest: Objective | None = None) -> None:
        """Forgets the last search (arrays are kept) and starts at ``position``.

        Args:
            position: Where wins are looked for.
            fewest: One of ``objectives``, to look for a win that is proved to have the fewest of it; ``None`` ends
                with any win.
        """
        ...

    def step(self, budget: int) -> Status:
        """Visits about ``budget`` further positions and says how things stand."""
        ...

    def line(self) -> list[Move]:
        """The single legal moves from the start to the best known win (there is one after ``WON``)."""
        ...

    def reason(self) -> Reason | None:
        """After ``LOST``: the smallest evidence that was found."""
        ...
