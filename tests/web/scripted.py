"""A stand-in for the solver of the table: it answers at once, late or never, as a test wants it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from crenel.play.advice import BestWin, Hint, TurningPoint
from crenel.play.knowledge import Light
from crenel.rules.game import Game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.solver.result import Verdict
from crenel.web.analysis_questions import (
    Answer,
    Cancelled,
    DealQuestion,
    FoundDeal,
    HintQuestion,
    LightQuestion,
    TurningQuestion,
    WinQuestion,
)


class ScriptedAnalysis:
    """Answers by ``verdict_of``, after ``delay`` seconds; counts what it is asked and what is cancelled."""

    def __init__(self) -> None:
        self.text = "The solver is ready."
        self.is_ready = True
        self.verdict_of: Callable[[Position], Verdict] = lambda position: Verdict.WINNABLE
        self.best: Callable[[Position], tuple[Move, ...]] = lambda position: ()
        self.delay = 0.0
        self.asked: list[Any] = []
        self.cancelled = 0
        self.is_closed = False
        self._open: dict[str, set[asyncio.Task[Any]]] = {}

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        self.is_closed = True

    async def wait_ready(self) -> None:
        while not self.is_ready:
            await asyncio.sleep(0.01)

    def is_prepared(self, game: Game) -> bool:
        return self.is_ready

    async def wait_prepared(self, game: Game) -> None:
        await self.wait_ready()

    def cancel(self, owner: str) -> None:
        for task in self._open.pop(owner, set()):
            self.cancelled += not task.done()
            task.cancel()

    async def ask(self, owner: str, question: Any, seconds: float) -> Answer[Any]:
        self.asked.append(question)
        waiting = asyncio.ensure_future(asyncio.sleep(self.delay))
        self._open.setdefault(owner, set()).add(waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.cancelled() and not asyncio.current_task().cancelling():  # type: ignore[union-attr]
                raise Cancelled from None
            waiting.cancel()
            raise
        return Answer(self._value(question), states=7, seconds=0.5)

    def _value(self, question: Any) -> Any:
        if isinstance(question, DealQuestion):
            return FoundDeal(question.deals[-1], len(question.deals))
        position = question.position
        verdict = self.verdict_of(position)
        if isinstance(question, LightQuestion):
            return Light(verdict)
        if isinstance(question, HintQuestion):
            move = position.legal_moves[0] if verdict is Verdict.WINNABLE and not position.is_won else None
            return Hint(verdict, move, "What the solver says.")
        if isinstance(question, TurningQuestion):
            made = len(position.moves)
            if not made or verdict is not Verdict.UNWINNABLE:
                return TurningPoint(made, None, None, "This game can still be won.")
            return TurningPoint(made - 1, made, position.moves[-1], f"Move {made} lost the game.")
        assert isinstance(question, WinQuestion)
        return BestWin(verdict, self.best(position), cost=3, shortest=True)
