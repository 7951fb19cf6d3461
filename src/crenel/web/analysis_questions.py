"""What a player's table may ask of the solver, and the shape of the answers.

A question knows its plan (see :mod:`crenel.play.knowledge`): which searches it needs and what follows from them.
Nothing here runs a search.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from crenel.play.advice import BestWin, Hint, TurningPoint, plan_best_win, plan_hint, plan_turning_point
from crenel.play.knowledge import Knowledge, Light, Plan, Wanted
from crenel.rules.deals import DealId, deal
from crenel.rules.game import Game
from crenel.rules.position import Position
from crenel.solver.result import Verdict

T = TypeVar("T")
_DEAL_SECONDS = 0.5
"""Processor seconds that one deal is worth when any winnable one will do."""


class Cancelled(Exception):
    """A question that nobody waits for any more: the player moved on, or asked a newer one."""


class Question(Generic[T]):
    """A question whose answer has the value ``T``.

    Attributes:
        game: The game it is about.
    """

    game: Game

    def plan(self, knowledge: Knowledge) -> Plan[T]:
        """How it is answered."""
        raise NotImplementedError


@dataclass(frozen=True)
class _AboutPosition(Question[T]):
    """A question about a position; it is copied, so that the caller may play on.

    Attributes:
        position: The position, with the moves that led to it.
    """

    position: Position
    game: Game = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", self.position.copy())
        object.__setattr__(self, "game", self.position.game)


class LightQuestion(_AboutPosition[Light]):
    """Can this position be won? A newer one of the same owner takes its place."""

    def plan(self, knowledge: Knowledge) -> Plan[Light]:
        """Looks up the verdict, or searches for it."""
        return knowledge.light(self.position)


class HintQuestion(_AboutPosition[Hint]):
    """Which move wins?"""

    def plan(self, knowledge: Knowledge) -> Plan[Hint]:
        """Needs the light."""
        return plan_hint(knowledge, self.position)


class TurningQuestion(_AboutPosition[TurningPoint]):
    """Which move lost the game?"""

    def plan(self, knowledge: Knowledge) -> Plan[TurningPoint]:
        """Needs the light of a few positions of the game."""
        return plan_turning_point(knowledge, self.position)


class WinQuestion(_AboutPosition[BestWin]):
    """What is the cheapest win from this position, and is it proved to be the cheapest?"""

    def plan(self, knowledge: Knowledge) -> Plan[BestWin]:
        """Needs the light, then a search for the shortest win."""
        return plan_best_win(knowledge, self.position)


@dataclass(frozen=True, slots=True)
class FoundDeal:
    """A deal that can be won.

    Attributes:
        deal: The first one of those asked for that is known to be winnable, or ``None``: the time was used up, or
            none of them is.
        tried: How many were looked at.
    """

    deal: DealId | None
    tried: int


@dataclass(frozen=True)
class DealQuestion(Question[FoundDeal]):
    """Which of these deals can be won?

    Attributes:
        game: The game.
        deals: The deals in the order in which they are tried; a hard one is passed over.
    """

    game: Game
    deals: tuple[DealId, ...]

    def plan(self, knowledge: Knowledge) -> Plan[FoundDeal]:
        """Searches one deal after the other."""
        # Its positions belong to other deals than the one on the table: what is proved of them need not be kept.
        for tried, name in enumerate(self.deals, 1):
            result = yield Wanted(deal(self.game, name), seconds=_DEAL_SECONDS)
            if result.verdict is Verdict.WINNABLE:
                return FoundDeal(name, tried)
        return FoundDeal(None, len(self.deals))


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """The answer to a question.

    Attributes:
        value: The answer itself; where the time was used up it says *undecided*.
        states: Positions that its searches visited; 0 when it was known already.
        seconds: Processor seconds that they took.
        in_time: Whether it is final: not cut short by the time, nor by a worker that died.
    """

    value: T
    states: int = 0
    seconds: float = 0.0
    in_time: bool = True
