"""What each message of a player is answered with. The websocket itself is ``live``'s affair."""

from __future__ import annotations

import asyncio
import itertools
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Sequence
from typing import Literal

from crenel.play.session import Session
from crenel.play.words import counted
from crenel.rules.deals import SCHEMES, DealId, deal, parse_deal_id, random_deal_id
from crenel.rules.game import Game
from crenel.rules.moves import Move, move_name, parse_move
from crenel.rules.position import Position
from crenel.rules.solutions import format_moves, replay
from crenel.solver.result import Verdict
from crenel.store.problems import StoreProblem
from crenel.web import messages, views
from crenel.web.addresses import format_address, parse_address
from crenel.web.analysis import Analysis
from crenel.web.analysis_questions import Cancelled, DealQuestion, HintQuestion, TurningQuestion, WinQuestion
from crenel.web.desk import Desk, Refusal
from crenel.web.desks import Desks
from crenel.web.lights import TURNING_SECONDS, turning_view
from crenel.web.messages import MAX_STEPS, FromBrowser, Kept, Noted, Refused, ToBrowserMessage
from crenel.web.pasting import placed, recognise

_HINT_SECONDS = 20.0
_WIN_SECONDS = 30.0
_DEAL_SECONDS = 20.0
_CANDIDATES = 60
"""Deals that are tried at most when a winnable one is wanted."""
_FRAMES_AT_ONCE = 20
"""Positions of a replay that are drawn before others have their turn."""
_UNEXPECTED = "Something went wrong in the server, and nothing was changed; its log says what."
_MOVED_ON = "The table has changed since, so this question was dropped."
_REPLACED = "A newer question took the place of this one."
_STOPPED = "The search was stopped."

ReplayOf = Literal["game", "win", "pasted"]

_numbers = itertools.count(1)
log = logging.getLogger("crenel.web")


class Answers(ABC):
    """Hears the messages of one connection, one after the other.

    Args:
        desks: The open games.
        analysis: Runs searches.
        player: Whose connection it is.

    Attributes:
        wants_light: See :class:`crenel.web.desk.Viewer`.
        is_looking: See there.
    """

    def __init__(self, desks: Desks, analysis: Analysis, player: int) -> None:
        self.wants_light = False
        self.is_looking = True
        self._desks = desks
        self._analysis = analysis
        self._player = player
        self._number = next(_numbers)
        self._plays_safe = False
        self._open: Desk | None = None
        self._later: dict[str, asyncio.Task[None]] = {}
        self._greeting: asyncio.Task[None] | None = None

    @abstractmethod
    def tell(self, message: ToBrowserMessage) -> None:
        """Sends a message, in the order in which this is called."""

    def greet(self) -> None:
        """Says how the solver is, and once more when it is ready."""
        self.tell(messages.Solver(ready=self._analysis.is_ready, text=self._analysis.text))
        if not self._analysis.is_ready:
            self._greeting = asyncio.create_task(self._greet_again())

    async def _greet_again(self) -> None:
        await self._analysis.wait_ready()
        self.tell(messages.Solver(ready=self._analysis.is_ready, text=self._analysis.text))

    async def leave(self) -> None:
        """Ends what runs for this connection, and closes its game."""
        for task in (*self._later.values(), *([self._greeting] if self._greeting else [])):
            task.cancel()
        self._later.clear()
        self._analysis.cancel(self._own_questions)
        await self._show_nothing()

    async def answer(self, message: FromBrowser) -> None:
        """Does what a message asks, and answers it, now or later.

        Raises:
            ValueError: when it cannot be done; the message is one sentence, and nothing has changed.
            StoreProblem: when it could not be saved; nothing has changed then either.
        """
        seq = message.seq
        match message:
            case messages.Open():
                await self._show(
                    *await self._desks.open(self._player, message.address, again=message.again), seq
                )
            case messages.Paste():
                await self._paste(message)
            case messages.Assist():
                self.wants_light, self._plays_safe = message.light, message.safe
                self.tell(Noted(seq=seq))
                if self._open is not None:
                    self._open.light.show(self)
            case messages.Clock():
                self.is_looking = message.running
                if self._open is not None:
                    self._open.mind_clock()
                self.tell(Noted(seq=seq))
            case messages.FindDeal():
                await self._find_deal(message)
            case messages.Play():
                await self._desk.play(self, seq, message.move, message.made, safe=self._plays_safe)
            case messages.Undo():
                await self._desk.undo(self, seq, message.count)
            case messages.Redo():
                await self._desk.redo(self, seq, message.count)
            case messages.GoTo():
                await self._desk.go_to(self, seq, message.made)
            case messages.PlaySafe():
                await self._desk.play_safe(self, seq)
            case messages.GiveUp():
                await self._desk.give_up(self, seq)
            case _:
                await self._answer_question(message)

    async def _answer_question(self, message: FromBrowser) -> None:
        """Answers what changes nothing on the table."""
        desk, seq = self._desk, message.seq
        position = desk.session.position
        match message:
            case messages.AskPreview():
                after = None if message.after is None else parse_move(message.after)
                self._answer_now(views.preview(position, after), seq)
            case messages.AskBlockers():
                self._answer_now(views.blockers(position, views.suit_of(message.suit)), seq)
            case messages.AskMoves():
                self._answer_now(views.legal_moves(position), seq)
            case messages.KeepLooking():
                if not (self.wants_light or desk.stored.given_up):
                    raise Refusal("The light is off, so nothing is looked for.")
                self.tell(desk.light.keep_looking(seq))
            case messages.StopLooking():
                for task in self._later.values():
                    task.cancel(_STOPPED)
                self.tell(desk.light.stop_looking(seq) or Noted(seq=seq))
            case messages.AskHint():
                self._answer_later(message, lambda: self._hint(desk))
            case messages.AskTurningPoint():
                self._answer_later(message, lambda: self._turning_point(desk))
            case messages.AskReplay(what="game"):
                start, moves = views.start_of(position), position.moves
                self._answer_later(message, lambda: self._replay("game", "Your game", start, moves))
            case messages.AskReplay():
                self._answer_later(message, lambda: self._win(desk))
            case _:
                raise AssertionError(message)

    # The table

    @property
    def _desk(self) -> Desk:
        if self._open is None:
            raise Refusal("No game is open: open one first.")
        return self._open

    async def _show(self, desk: Desk, begun: bool, seq: int) -> None:
        """Shows a game, instead of the one that was shown before."""
        before, self._open = self._open, desk
        if before is not desk:
            desk.join(self)
        self.tell(desk.shown(views.change_opened(desk.session, begun=begun), seq))
        desk.light.show(self)
        if before is not None and before is not desk:
            for task in self._later.values():
                task.cancel()
            before.leave(self)
            await self._desks.leave(before)

    async def _show_nothing(self) -> None:
        if self._open is not None:
            before, self._open = self._open, None
            before.leave(self)
            await self._desks.leave(before)

    async def _paste(self, message: messages.Paste) -> None:
        """Begins the game that was pasted, or shows the line of moves that was."""
        desk = self._open
        if desk is not None and message.address == desk.address:
            position = desk.session.position
            game, starts = position.game, [views.start_of(position), position]
        else:
            address = parse_address(message.address, lambda name: self._desks.find_game(name, self._player))
            if address.key is not None:
                raise Refusal("Open the game first that this text is for.")
            game, starts = address.usual_game, []
            if address.deal is not None:
                starts.append(await asyncio.to_thread(deal, game, address.deal))
        pasted = await asyncio.to_thread(recognise, message.text, game)
        if isinstance(pasted, Session):
            await self._show(await self._desks.begin(self._player, pasted), True, message.seq)
        elif isinstance(pasted, DealId):
            found, begun = await self._desks.open(self._player, format_address(game, pasted))
            await self._show(found, begun, message.seq)
        elif not starts:
            raise Refusal("Open the deal first that these moves are for.")
        else:
            moves = pasted.moves
            start = await asyncio.to_thread(placed, moves, starts)
            self._answer_later(message, lambda: self._replay("pasted", "The pasted line", start, moves))

    # Answers that need no search

    def _answer_now(self, answer: ToBrowserMessage, seq: int) -> None:
        answer.seq = seq
        self.tell(answer)

    async def _replay(
        self, what: ReplayOf, title: str, start: Position, moves: Sequence[Move], *, shortest: bool = False
    ) -> messages.Replay:
        """Positions to step through, drawn a few at a time so that others' moves do not wait."""
        if len(moves) > MAX_STEPS:
            raise Refusal(f"This line has {len(moves):,} moves, and {MAX_STEPS:,} at most can be shown.")
        end = await asyncio.to_thread(replay, start, moves)
        frames = []
        for number, frame in enumerate(views.frames(start, moves), 1):
            frames.append(frame)
            if number % _FRAMES_AT_ONCE == 0:
                await asyncio.sleep(0)
        cost = end.cost - start.cost
        ends = (
            "It wins" if end.is_won else f"{sum(end.foundations)} of {end.game.cards} cards are up at its end"
        )
        proof = "; no win costs less" if shortest else ""
        return messages.Replay(
            what=what,
            title=f"{title}: {counted(len(moves), 'move')}, cost {cost}. {ends}{proof}.",
            moves=format_moves(moves),
            cost=cost,
            shortest=shortest,
            frames=frames,
        )

    # Answers that may take the solver's time

    @property
    def _own_questions(self) -> str:
        """The name under which this connection asks what does not end with the next move."""
        return f"connection {self._number}"

    def _answer_later(
        self, message: FromBrowser, answer: Callable[[], Coroutine[None, None, ToBrowserMessage]]
    ) -> None:
        """Answers a message as soon as the answer is there; a newer message of its kind takes its place."""
        kind = f"{message.type} {getattr(message, 'what', '')}"
        before = self._later.get(kind)
        if before is not None:
            before.cancel()
        task = asyncio.create_task(self._wait_for(message.seq, answer))
        self._later[kind] = task
        task.add_done_callback(lambda done: self._forget(kind, message.seq, done))

    def _forget(self, kind: str, seq: int, done: asyncio.Task[None]) -> None:
        if self._later.get(kind) is done:
            del self._later[kind]
        try:
            done.result()
        except asyncio.CancelledError as end:  # told here, since it may have ended before it began
            self.tell(Refused(seq=seq, text=str(end) or _REPLACED))

    async def _wait_for(
        self, seq: int, answer: Callable[[], Coroutine[None, None, ToBrowserMessage]]
    ) -> None:
        try:
            self._answer_now(await answer(), seq)
        except Exception as problem:
            self.tell(told(problem, seq))

    async def _hint(self, desk: Desk) -> messages.HintView:
        turn, position = desk.turn, desk.session.position
        hint = (await self._analysis.ask(desk.key, HintQuestion(position), _HINT_SECONDS)).value
        if hint.verdict is not Verdict.UNDECIDED and not position.is_won:
            await desk.mark("hint")
        if desk.turn != turn:
            raise Cancelled
        return messages.HintView(
            made=len(position.moves),
            verdict=hint.verdict.value,
            move=None if hint.move is None else move_name(hint.move),
            text=hint.text,
        )

    async def _turning_point(self, desk: Desk) -> messages.TurningView:
        turn, position = desk.turn, desk.session.position
        found = (await self._analysis.ask(desk.key, TurningQuestion(position), TURNING_SECONDS)).value
        if not position.is_won:
            await desk.mark("light")
        if desk.turn != turn:
            raise Cancelled
        return messages.TurningView(made=len(position.moves), turning=turning_view(found))

    async def _win(self, desk: Desk) -> messages.Replay:
        """The solver's win of the deal on the table. It helps whoever has not won yet."""
        start = views.start_of(desk.session.position)
        found = (await self._analysis.ask(self._own_questions, WinQuestion(start), _WIN_SECONDS)).value
        if found.verdict is Verdict.UNWINNABLE:
            await desk.mark("light")
            raise Refusal("This deal cannot be won, so there is no win to show.")
        if not found.line:
            raise Refusal("The solver found no win of this deal in the time it had; it may still have one.")
        if not desk.session.position.is_won:
            await desk.mark("hint")
        return await self._replay("win", "The solver's win", start, found.line, shortest=found.shortest)

    # Other deals

    async def _find_deal(self, message: messages.FindDeal) -> None:
        session = self._desk.session
        game, here = session.game, session.deal
        if message.which == "random":
            candidates = [random_deal_id() for _ in range(_CANDIDATES)]
        elif here is None:
            raise Refusal("This game began with a board, so there is no deal before or after it.")
        else:
            candidates = _neighbours(parse_deal_id(here), 1 if message.which == "next" else -1)
        if not candidates:
            self._answer_now(
                messages.FoundDeal(address=None, text="There is no deal beyond this number."), message.seq
            )
        elif message.winnable:
            self._answer_later(message, lambda: self._winnable_deal(game, tuple(candidates)))
        else:
            self._answer_now(_found_deal(game, candidates[0]), message.seq)

    async def _winnable_deal(self, game: Game, candidates: tuple[DealId, ...]) -> messages.FoundDeal:
        asked = DealQuestion(game, candidates)
        found = (await self._analysis.ask(self._own_questions, asked, _DEAL_SECONDS)).value
        if found.deal is None:
            return messages.FoundDeal(
                address=None,
                text=f"No win is known yet of {counted(found.tried, 'deal')} that were tried; ask again.",
            )
        return _found_deal(game, found.deal)


def _found_deal(game: Game, name: DealId) -> messages.FoundDeal:
    return messages.FoundDeal(address=format_address(game, name), text=f"{game.title}, deal {name}.")


def _neighbours(here: DealId, step: int) -> list[DealId]:
    """The deals that follow a deal, or go before it, nearest first."""
    numbers = SCHEMES[here.scheme]
    wanted = (here.number + step * distance for distance in range(1, _CANDIDATES + 1))
    return [DealId(here.scheme, number) for number in wanted if number in numbers]


def told(problem: Exception, seq: int | None) -> ToBrowserMessage:
    """What the player is told of a problem: one sentence, and never a traceback.

    Args:
        problem: What was raised; one that is not the player's goes to the log.
        seq: The number of the message that led to it.
    """
    if isinstance(problem, Cancelled):
        return Refused(seq=seq, text=_MOVED_ON)
    if isinstance(problem, StoreProblem):
        log.warning("a change was not saved: %s", problem)
        return Kept(
            seq=seq,
            ok=False,
            text=f"Your games cannot be kept at the moment, so nothing was changed: {problem}",
        )
    if isinstance(problem, ValueError) and type(problem).__module__.startswith("crenel."):
        return Refused(seq=seq, text=views.whole_sentence(str(problem)))
    log.error("a message could not be answered", exc_info=problem)
    return Refused(seq=seq, text=_UNEXPECTED)
