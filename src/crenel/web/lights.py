"""The light of one desk: the verdict on each position, looked for in the background and told to those who want it."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from crenel.play.knowledge import Light
from crenel.rules.moves import move_name
from crenel.rules.position import Position
from crenel.solver.result import Verdict
from crenel.store.problems import StoreProblem
from crenel.web.analysis_questions import Answer, Cancelled, LightQuestion, TurningQuestion
from crenel.web.messages import LightView, Turning

if TYPE_CHECKING:
    from crenel.play.advice import TurningPoint
    from crenel.web.analysis import Analysis
    from crenel.web.desk import Desk, Viewer

LIGHT_SECONDS = 10.0
"""Processor seconds for the verdict on a position, unasked."""
PATIENT_SECONDS = 60.0
"""Processor seconds for a verdict when the player asks to search on."""
TURNING_SECONDS = 10.0
"""Processor seconds for each verdict that finding the turning point needs."""
_FLICKER = 0.05
"""Seconds in which an answer comes as if at once; only a longer search is announced."""
_TEXTS = {
    Verdict.WINNABLE: "This game can be won.",
    Verdict.UNWINNABLE: "This game can no longer be won.",
    Verdict.UNDECIDED: "It is not yet known whether this game can be won.",
}
_WON = "The game is won."
_LOST_DEAL = "This deal cannot be won."
_LOOKING = "The solver looks whether this game can be won."
_WAITING = "The solver prepares itself; then it looks whether this game can be won."
_STOPPED = "The search was stopped; it is not yet known whether this game can be won."

log = logging.getLogger("crenel.web")


class DeskLight:
    """The light of one desk.

    Args:
        desk: The desk.
        analysis: Runs the searches.

    Attributes:
        latest: What was said last about the position on the table, or ``None``.
    """

    def __init__(self, desk: Desk, analysis: Analysis) -> None:
        self.latest: LightView | None = None
        self._desk = desk
        self._analysis = analysis
        self._task: asyncio.Task[None] | None = None

    def renew(self) -> None:
        """The position has changed: questions about the old one end, and the new one is judged if that is wished."""
        self.close()
        self.latest = None
        self.mind()

    def mind(self) -> None:
        """Begins to look, or ends it, as those at the desk wish."""
        if not self._is_wanted:
            self._stop()
            if self.latest is not None and self.latest.phase != "known":
                self.latest = None
        elif self._task is None and self.latest is None:
            self._look(LIGHT_SECONDS)

    def show(self, viewer: Viewer) -> None:
        """Tells somebody who has just come, or who has just asked for the light, what is known."""
        if viewer.wants_light and self.latest is not None:
            viewer.tell(self.latest)
        self.mind()

    def keep_looking(self, seq: int) -> LightView:
        """Searches on with more time; what is found is told later.

        Returns:
            What is to be answered now.
        """
        if self._task is None and (self.latest is None or self.latest.phase != "known"):
            self.latest = None
            self._look(PATIENT_SECONDS)
        if self.latest is None:
            self.latest = self._looking()
        return self.latest.model_copy(update={"seq": seq})

    def stop_looking(self, seq: int) -> LightView | None:
        """Ends a search that runs; returns what is to be answered, or ``None`` when there was none."""
        if self._task is None:
            return None
        self._stop()
        self.latest = self._view(Verdict.UNDECIDED, "open", _STOPPED)
        return self.latest.model_copy(update={"seq": seq})

    def close(self) -> None:
        """Ends all searches about the position on this desk, those of hints included."""
        self._stop()
        self._analysis.cancel(self._desk.key)

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    # Looking

    @property
    def _is_wanted(self) -> bool:
        return bool(self._desk.viewers) and (
            self._desk.stored.given_up or any(viewer.wants_light for viewer in self._desk.viewers)
        )

    def _look(self, seconds: float) -> None:
        self._task = asyncio.create_task(self._run(seconds))

    async def _run(self, seconds: float) -> None:
        try:
            await self._judge(self._desk.session.position, seconds)
        except Cancelled:
            pass
        except StoreProblem as problem:
            log.warning("that the light was used could not be saved, so it is not shown: %s", problem)
            self._tell(self._view(Verdict.UNDECIDED, "open"))
        except Exception:
            log.exception("the light of a game failed")
            self._tell(self._view(Verdict.UNDECIDED, "open"))
        finally:
            if self._task is asyncio.current_task():
                self._task = None

    async def _judge(self, position: Position, seconds: float) -> None:
        if position.is_won:
            self._tell(self._view(Verdict.WINNABLE, "known", _WON))
            return
        answer = await self._ask(position, seconds)
        verdict = answer.value.verdict
        view = self._view(
            verdict,
            "open" if verdict is Verdict.UNDECIDED else "known",
            _LOST_DEAL if verdict is Verdict.UNWINNABLE and not position.moves else None,
        )
        view.states, view.seconds = answer.states, round(answer.seconds, 2)
        if answer.value.reason is not None:
            view.reason = answer.value.reason.text
        if verdict is not Verdict.UNDECIDED and position.moves:
            await self._desk.mark("light")
        self._tell(view)
        if verdict is Verdict.UNWINNABLE and position.moves:
            found = await self._analysis.ask(self._desk.key, TurningQuestion(position), TURNING_SECONDS)
            self._tell(view.model_copy(update={"turning": turning_view(found.value)}))

    async def _ask(self, position: Position, seconds: float) -> Answer[Light]:
        """Asks for the verdict; a search that takes a while is announced."""
        asking = asyncio.ensure_future(self._analysis.ask(self._desk.key, LightQuestion(position), seconds))
        try:
            await asyncio.wait({asking}, timeout=_FLICKER)
            if not asking.done():
                self._tell(self._looking())
                if not self._analysis.is_prepared(position.game):
                    ready = asyncio.ensure_future(self._analysis.wait_prepared(position.game))
                    try:
                        await asyncio.wait({asking, ready}, return_when=asyncio.FIRST_COMPLETED)
                    finally:
                        ready.cancel()
                    if not asking.done():
                        self._tell(self._looking())
            return await asking
        finally:
            asking.cancel()

    def _looking(self) -> LightView:
        if self._analysis.is_prepared(self._desk.session.game):
            return self._view(Verdict.UNDECIDED, "looking", _LOOKING)
        return self._view(Verdict.UNDECIDED, "waiting", _WAITING)

    def _view(self, verdict: Verdict, phase: str, text: str | None = None) -> LightView:
        return LightView.model_validate(
            {
                "made": len(self._desk.session.moves),
                "phase": phase,
                "verdict": verdict.value,
                "text": text or _TEXTS[verdict],
            }
        )

    def _tell(self, view: LightView) -> None:
        self.latest = view
        for viewer in self._desk.viewers:
            if viewer.wants_light or self._desk.stored.given_up:
                viewer.tell(view)


def turning_view(found: TurningPoint) -> Turning:
    """Where a game was lost."""
    move = found.losing_move
    return Turning(
        last_winnable=found.last_winnable, move=None if move is None else move_name(move), text=found.text
    )
