"""The shape that every search engine has, so that ``search`` can drive any of them in slices."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from crenel.rules.game import Game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.solver.result import Reason


class Status(Enum):
    """What a slice of a search ended with."""

    MORE = "more"
    """Not finished: call ``step`` again."""
    WON = "won"
    """A winning line is known."""
    LOST = "lost"
    """The search was exhausted (or a proved test fired): no line wins."""
    OPEN = "open"
    """Gave up without an answer: out of memory, or at the end of the schedule."""


class Engine(Protocol):
    """A resumable search over the positions of one game."""

    visited: int
    """Positions visited since :meth:`begin`."""

    @staticmethod
    def supports(game: Game) -> bool:
        """Whether this engine answers exactly for every position of ``game``."""
        ...

    def __init__(self, game: Game, memory: int) -> None: ...

    def begin(self, position: Position, shortest: bool = False) -> None:
        """Forgets the last search (arrays are kept) and starts at ``position``."""
        ...

    def step(self, budget: int) -> Status:
        """Visits about ``budget`` further positions and says how things stand."""
        ...

    def line(self) -> list[Move]:
        """After ``WON``: the single legal moves from the start to the win."""
        ...

    def reason(self) -> Reason | None:
        """After ``LOST``: the smallest evidence that was found."""
        ...
