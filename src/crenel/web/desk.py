"""One open game: its session, how it is stored, and who looks at it.

Every change is made on a copy of the session, saved, and only then taken over and shown; so what a player sees is
stored, and a change that could not be saved was not made. Changes of one desk wait for each other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Literal, Protocol

from crenel.play.session import Clock, Session
from crenel.rules.moves import Move, move_name, parse_move
from crenel.rules.position import Position
from crenel.rules.records import parse_record
from crenel.rules.solutions import format_moves, parse_moves
from crenel.store.games import Games
from crenel.store.problems import Conflict
from crenel.store.stored import Progress, StoredGame
from crenel.web import views
from crenel.web.addresses import format_address
from crenel.web.analysis import Analysis
from crenel.web.lights import DeskLight
from crenel.web.messages import Change, Shown, Standing, ToBrowserMessage

MOST_MOVES = 5_000
"""The longest game that is kept, in moves; far beyond any that was ever played, and quick to load."""
_ATTEMPTS = 3
"""How often a change is saved anew when another process saves something of the same game at the same moment."""
_BUSY = "This game is being changed in another window; try again."
Help = Literal["light", "hint"]


class Refusal(ValueError):
    """Something that cannot be done now; the message is one sentence for the player."""


class Viewer(Protocol):
    """Whoever looks at a desk: one connection.

    Attributes:
        wants_light: Whether each position is to be judged.
        is_looking: Whether the page is in sight, so that time counts.
    """

    wants_light: bool
    is_looking: bool

    def tell(self, message: ToBrowserMessage) -> None:
        """Sends a message, in the order in which this is called."""


class Stopwatch:
    """Seconds that go on only while it runs.

    Args:
        clock: Gives seconds that only go forward.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._gathered = 0.0
        self._since: float | None = None

    def __call__(self) -> float:
        """The seconds so far."""
        return self._gathered + (0.0 if self._since is None else self._clock() - self._since)

    def run(self, runs: bool) -> None:
        """Lets it run, or stops it."""
        if runs != (self._since is not None):
            self._gathered, self._since = self(), self._clock() if runs else None


class Desk:
    """One open game.

    Args:
        stored: The stored game.
        session: The same game at the table; its clock is ``stopwatch``. See :func:`session_of`.
        stopwatch: Runs while somebody looks at the table.
        games: Stores it.
        analysis: Searches for its verdicts.

    Attributes:
        stored: See above; replaced by what was saved at each change.
        session: See above; replaced at each change.
        viewers: Who looks at it.
        turn: Grows with each change, so that an answer that took a while can be seen to be out of date.
        light: The verdict on its position.
    """

    def __init__(
        self, stored: StoredGame, session: Session, stopwatch: Stopwatch, games: Games, analysis: Analysis
    ) -> None:
        self.stored = stored
        self.session = session
        self.viewers: list[Viewer] = []
        self.turn = 0
        self.light = DeskLight(self, analysis)
        self._stopwatch = stopwatch
        self._games = games
        self._lock = asyncio.Lock()
        self._working: set[asyncio.Task[None]] = set()

    # What there is to see

    @property
    def key(self) -> str:
        """The id of the stored game."""
        return self.stored.key

    @property
    def address(self) -> str:
        """The address that opens it."""
        return format_address(self.session.game, self.session.deal, self.key)

    @property
    def is_untouched(self) -> bool:
        """Whether nothing was done on it yet."""
        return not (self.session.moves or self.session.undone or self.stored.given_up)

    @property
    def helped(self) -> list[Help]:
        """What helped the player in this game."""
        used: dict[Help, bool] = {"light": self.stored.light_used, "hint": self.stored.hint_used}
        return [name for name, was_used in used.items() if was_used]

    @property
    def is_finished(self) -> bool:
        """Whether it is won or given up."""
        return self.stored.given_up or self.session.position.is_won

    def shown(self, change: Change, seq: int | None = None) -> Shown:
        """The table as it stands."""
        return self._shown(_Facts.of(self.session), change, seq)

    def _shown(self, facts: _Facts, change: Change, seq: int | None = None) -> Shown:
        session, position, legal, moves = facts.session, facts.position, facts.legal, facts.position.moves
        return Shown(
            seq=seq,
            key=self.key,
            address=self.address,
            game=views.game_view(session.game),
            deal=session.deal,
            layout=views.layout(position),
            legal=[move_name(move) for move in legal],
            redeal=views.redeal_view(position, legal),
            counts=views.counts(session, position),
            standing=facts.standing,
            made=len(moves),
            undone=len(session.undone),
            last=move_name(moves[-1]) if moves else None,
            given_up=self.stored.given_up,
            helped=self.helped,
            change=change,
        )

    # Who looks at it

    def join(self, viewer: Viewer) -> None:
        """Lets somebody look at it."""
        self.viewers.append(viewer)
        self.mind_clock()

    def leave(self, viewer: Viewer) -> None:
        """Lets somebody go."""
        self.viewers.remove(viewer)
        self.mind_clock()
        self.light.mind()

    def mind_clock(self) -> None:
        """Lets the time run while somebody looks at a game that is not finished."""
        self._stopwatch.run(not self.is_finished and any(viewer.is_looking for viewer in self.viewers))

    # Changes

    async def play(self, asker: Viewer, seq: int, text: str, made: int, *, safe: bool) -> None:
        """Makes a move, and then what is safe if that is wished.

        Args:
            asker: Who asked; everyone who looks is shown the table, the asker with ``seq``.
            seq: The number of the message.
            text: The move.
            made: How many moves had been made on the table that the player saw.
            safe: Whether safe moves follow.

        Raises:
            ValueError: when it cannot be made; nothing has changed then, and the message is one sentence.
            StoreProblem: when it could not be saved; nothing has changed then either.
        """
        move = parse_move(text)

        def make(draft: Session) -> Change:
            if made != len(draft.moves):
                raise Refusal("The table has changed since: this move was meant for another position.")
            before = draft.position
            draft.play(move)
            moves = [move, *(draft.autoplay() if safe else ())]
            return views.change_moved(before, moves)

        await self._change(asker, seq, make)

    async def undo(self, asker: Viewer, seq: int, count: int) -> None:
        """Takes moves back; see :meth:`play`."""

        def make(draft: Session) -> Change:
            if not draft.moves:
                raise Refusal("There is no move to take back.")
            return _walk(draft, max(0, len(draft.moves) - count))

        await self._change(asker, seq, make)

    async def redo(self, asker: Viewer, seq: int, count: int) -> None:
        """Makes moves again that were taken back; see :meth:`play`."""

        def make(draft: Session) -> Change:
            if not draft.undone:
                raise Refusal("There is no move to make again.")
            return _walk(draft, min(len(draft.moves) + len(draft.undone), len(draft.moves) + count))

        await self._change(asker, seq, make)

    async def go_to(self, asker: Viewer, seq: int, made: int) -> None:
        """Takes moves back, or makes them again, until so many are made; see :meth:`play`."""

        def make(draft: Session) -> Change:
            known = len(draft.moves) + len(draft.undone)
            if made > known:
                raise Refusal(f"This game has {known} moves, so there is no position after {made}.")
            return _walk(draft, made)

        await self._change(asker, seq, make)

    async def play_safe(self, asker: Viewer, seq: int) -> None:
        """Plays what cannot lose the game; see :meth:`play`."""

        def make(draft: Session) -> Change:
            before = draft.position
            moves = draft.autoplay()
            if not moves:
                raise Refusal("No move to a foundation is known to be safe now.")
            return views.change_moved(before, moves, "safe")

        await self._change(asker, seq, make)

    async def give_up(self, asker: Viewer, seq: int) -> None:
        """Ends the game as not won; see :meth:`play`."""

        def make(draft: Session) -> Change:
            if draft.position.is_won:
                raise Refusal("The game is won, so it cannot be given up.")
            if not draft.moves and not draft.undone:
                raise Refusal(
                    "No move was made yet, so there is nothing to give up: this deal does not count."
                )
            if self.stored.given_up:
                raise Refusal("The game was given up already.")
            return views.change_given_up(draft)

        await self._change(asker, seq, make, gives_up=True)

    async def _change(
        self, asker: Viewer, seq: int, make: Callable[[Session], Change], *, gives_up: bool = False
    ) -> None:
        await self._wholly(self._make_change(asker, seq, make, gives_up=gives_up))

    async def _wholly(self, work: Coroutine[None, None, None]) -> None:
        """Waits for a change. What was begun comes to its end, also when the one who asked for it goes away."""
        task = asyncio.create_task(work)
        self._working.add(task)
        task.add_done_callback(self._worked)
        await asyncio.shield(task)

    def _worked(self, task: asyncio.Task[None]) -> None:
        self._working.discard(task)
        if not task.cancelled():
            task.exception()  # it was told to the one who asked, if there still is one

    async def _make_change(
        self, asker: Viewer, seq: int, make: Callable[[Session], Change], *, gives_up: bool
    ) -> None:
        async with self._lock:
            for _ in range(_ATTEMPTS):
                draft = self.session.copy()
                change = make(draft)
                if len(draft.moves) + len(draft.undone) > MOST_MOVES:
                    raise Refusal(f"A game of more than {MOST_MOVES:,} moves is not kept; take some back.")
                facts = _Facts.of(draft)
                if gives_up:
                    saving = self._games.give_up(self.stored)
                else:
                    saving = self._games.save(self.stored, facts.progress())
                if await self._saved(saving):
                    self.session = draft
                    self._show(facts, change, asker, seq)
                    return
            raise Refusal(_BUSY)

    def _show(
        self, facts: _Facts, change: Change, asker: Viewer | None = None, seq: int | None = None
    ) -> None:
        """Shows a change to everyone who looks; the one who asked for it gets the number of the question too."""
        self.turn += 1
        self.mind_clock()
        shown = self._shown(facts, change)
        for viewer in self.viewers:
            viewer.tell(shown.model_copy(update={"seq": seq}) if viewer is asker else shown)
        self.light.renew()

    # Keeping

    async def mark(self, help: Help) -> None:
        """Notes, before the player sees it, that something helped in this game.

        Raises:
            Refusal: when the game was changed elsewhere.
            StoreProblem: when it could not be saved.
        """
        if help not in self.helped:
            await self._wholly(self._mark(help))

    async def _mark(self, help: Help) -> None:
        async with self._lock:
            for _ in range(_ATTEMPTS):
                if help in self.helped:
                    return
                if await self._saved(self._games.save(self.stored, _Facts.of(self.session).progress(help))):
                    return
            raise Refusal(_BUSY)

    async def close(self) -> None:
        """Saves the time at the table, when nobody looks any more.

        Raises:
            Refusal: when the game was changed elsewhere.
            StoreProblem: when it could not be saved.
        """
        self.light.close()
        async with self._lock:
            if not self.is_untouched and self.session.seconds > self.stored.seconds:
                await self._saved(self._games.save(self.stored, _Facts.of(self.session).progress()))

    async def _saved(self, saving: Future[StoredGame]) -> bool:
        """Waits until a change is saved.

        Returns:
            Whether it was. It was not when another process has saved something of this game that leaves the table as
            it is, such as its time; then it can be saved now.

        Raises:
            Refusal: when another process was first; the table as that one left it is shown then.
        """
        before = self.stored
        try:
            self.stored = await asyncio.wrap_future(saving)
        except Conflict:
            stored = await asyncio.to_thread(self._games.load, before.player, self.key)
            if stored is None:
                raise Refusal("This game was deleted elsewhere, so nothing of it can be changed.") from None
            self.stored = stored
            if _table_of(stored) == _table_of(before):
                return False
            self.session = await asyncio.to_thread(session_of, stored, self._stopwatch)
            self._show(_Facts.of(self.session), views.change_opened(self.session, begun=False))
            raise Refusal(
                "This game was changed in another window in the meantime; it is shown as it stands there."
            ) from None
        return True


def _table_of(stored: StoredGame) -> tuple[str, str, bool]:
    """What of a stored game is seen on the table."""
    return stored.moves, stored.undone, stored.given_up


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is asked of the rules about a game as it stands, once for all who need it.

    Attributes:
        session: The game.
        position: Its position.
        legal: The legal moves there.
        standing: How it stands.
    """

    session: Session
    position: Position
    legal: list[Move]
    standing: Standing

    @classmethod
    def of(cls, session: Session) -> _Facts:
        position = session.position
        legal = position.legal_moves
        return cls(session, position, legal, views.standing(position, legal))

    def progress(self, help: Help | None = None) -> Progress:
        """What is saved of it; ``help`` is what has just helped the player, what did earlier is known to the store."""
        return Progress(
            moves=format_moves(self.position.moves),
            undone=format_moves(self.session.undone),
            made=len(self.position.moves),
            cost=self.position.cost,
            cards_up=sum(self.position.foundations),
            standing=self.standing.kind,
            seconds=self.session.seconds,
            light_used=help == "light",
            hint_used=help == "hint",
        )


def session_of(stored: StoredGame, clock: Clock) -> Session:
    """The game at the table that a stored game holds, every move checked.

    Raises:
        ValueError: when it does not replay.
    """
    record = parse_record(stored.start)
    return Session.resume(
        record.start(),
        parse_moves(stored.moves, record.game),
        parse_moves(stored.undone, record.game),
        deal=record.deal,
        seconds=stored.seconds,
        clock=clock,
    )


def progress_of(session: Session) -> Progress:
    """What is saved of a game at the table."""
    return _Facts.of(session).progress()


def _walk(draft: Session, made: int) -> Change:
    """Takes moves back or makes them again until ``made`` are made."""
    before, moves = draft.position, list[Move]()
    if made < len(draft.moves):
        while len(draft.moves) > made:
            moves.append(_there(draft.undo()))
        return views.change_undone(before, moves, draft.position)
    while len(draft.moves) < made:
        moves.append(_there(draft.redo()))
    if not moves:
        raise Refusal("The game stands there already.")
    return views.change_moved(before, moves, "redo")


def _there(move: Move | None) -> Move:
    assert move is not None
    return move
