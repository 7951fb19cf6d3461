"""One game at the table: its history with undo and redo, safe play, counts, a clock, and its text to keep it by.

No input or output happens here; a front end shows :attr:`Session.position` and stores :meth:`Session.to_text`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from crenel.play.safe import safe_moves
from crenel.rules.deals import DealId, deal, parse_deal_id
from crenel.rules.game import Game
from crenel.rules.moves import Move
from crenel.rules.position import Position
from crenel.rules.reading import decode, read_json
from crenel.rules.records import InvalidRecord, format_record, make_record, parse_record
from crenel.rules.solutions import IllegalLine, InvalidSolution, format_moves, parse_moves, replay

Clock = Callable[[], float]
"""Gives seconds that only go forward, such as :func:`time.monotonic`."""
_MOST_SECONDS = 10**10
"""The longest time that a record may claim, some three hundred years."""


class Session:
    """One game at the table.

    Args:
        position: Where the game stands; its moves are the history. The session makes a copy.
        deal: The deal that it began with, or ``None`` when it began with a board.
        clock: Measures the time at the table; without one no time is kept.

    Attributes:
        deal: See above, with its scheme: ``ms:24``.
        helped: Whether a hint or a verdict was asked for.
    """

    def __init__(self, position: Position, *, deal: str | None = None, clock: Clock | None = None) -> None:
        self._position = position.copy()
        self.deal = None if deal is None else str(parse_deal_id(deal))
        self.helped = False
        self._undone: list[Move] = []
        self._clock = clock
        self._earlier_seconds = 0.0
        self._began = clock() if clock is not None else 0.0

    @classmethod
    def begin(cls, game: Game, deal_id: DealId | str, *, clock: Clock | None = None) -> Session:
        """A new game.

        Raises:
            UnknownDeal: when the text names no deal.
        """
        name = str(parse_deal_id(str(deal_id)))
        return cls(deal(game, name), deal=name, clock=clock)

    @classmethod
    def resume(
        cls,
        start: Position,
        moves: Iterable[Move],
        undone: Sequence[Move] = (),
        *,
        deal: str | None = None,
        seconds: float = 0.0,
        clock: Clock | None = None,
    ) -> Session:
        """A game that goes on where it was left.

        Args:
            start: The position before the first move.
            moves: The moves made.
            undone: The moves that redo would make, the next one first.
            deal: See the class.
            seconds: The time at the table so far.
            clock: See the class.

        Raises:
            IllegalLine: when a move is illegal; the message names it.
        """
        session = cls(replay(start, moves), deal=deal, clock=clock)
        replay(session._position, undone)
        session._undone = list(undone)[::-1]
        session._earlier_seconds = seconds
        return session

    def copy(self) -> Session:
        """An independent session with the same history and the same clock."""
        twin = Session(self._position, deal=self.deal, clock=self._clock)
        twin.helped = self.helped
        twin._undone = list(self._undone)
        twin._earlier_seconds, twin._began = self._earlier_seconds, self._began
        return twin

    # What there is to see

    @property
    def game(self) -> Game:
        """The rules."""
        return self._position.game

    @property
    def position(self) -> Position:
        """A copy of the position, its history included."""
        return self._position.copy()

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made, the first one first."""
        return self._position.moves

    @property
    def undone(self) -> tuple[Move, ...]:
        """The moves taken back that redo would make again, the next one first."""
        return tuple(reversed(self._undone))

    @property
    def seconds(self) -> float:
        """The time at the table in seconds, earlier sittings included."""
        now = self._clock() - self._began if self._clock is not None else 0.0
        return self._earlier_seconds + now

    # Playing

    def play(self, move: Move) -> None:
        """Makes a move. A move that redo would make leaves the later ones to redo; any other drops them.

        Raises:
            IllegalMove: when the rules refuse it; nothing has changed then.
        """
        self._position.push(move)
        if self._undone and self._undone[-1] == move:
            self._undone.pop()
        else:
            self._undone.clear()

    def undo(self) -> Move | None:
        """Takes the last move back and returns it; ``None`` when there is none."""
        if not self._position.moves:
            return None
        move = self._position.pop()
        self._undone.append(move)
        return move

    def redo(self) -> Move | None:
        """Makes the move again that was taken back last, and returns it; ``None`` when there is none."""
        if not self._undone:
            return None
        move = self._undone[-1]
        self._position.push(move)
        self._undone.pop()
        return move

    def restart(self) -> int:
        """Takes all moves back, so that redo can bring them again; returns how many."""
        count = 0
        while self.undo() is not None:
            count += 1
        return count

    def safe_moves(self) -> list[Move]:
        """The moves that can never lose the game; see :mod:`crenel.play.safe`."""
        return safe_moves(self._position)

    def autoplay(self) -> list[Move]:
        """Plays safe moves until there is none, and returns them."""
        played: list[Move] = []
        while moves := self.safe_moves():
            self.play(moves[0])
            played.append(moves[0])
        return played

    # Keeping

    def to_text(self) -> str:
        """The game as a record (see :mod:`crenel.rules.records`) that also holds what redo would make."""
        record = make_record(self._position, deal=self.deal)
        data = json.loads(format_record(record))
        data["undone"] = format_moves(self.undone)
        data["helped"] = self.helped
        data["clock"] = round(self.seconds, 3)
        lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items())
        return "{\n" + lines + "\n}\n"

    @classmethod
    def from_text(cls, text: str | bytes, *, clock: Clock | None = None) -> Session:
        """The game that :meth:`to_text` wrote, or that any record holds; every move is checked.

        Raises:
            InvalidRecord: when the text cannot be read or does not replay; the message says why.
        """
        record = parse_record(text)
        session = cls(record.position(), deal=record.deal, clock=clock)
        data = read_json(decode(text, "the record", InvalidRecord), "the record", InvalidRecord)
        session._undone = _undone_moves(data.get("undone"), session._position)
        seconds = data.get("clock", 0)
        if (
            isinstance(seconds, bool)
            or not isinstance(seconds, int | float)
            or not 0 <= seconds <= _MOST_SECONDS
        ):
            raise InvalidRecord("the record has a 'clock' that is not a number of seconds")
        session._earlier_seconds = float(seconds)
        helped = data.get("helped", False)
        if not isinstance(helped, bool):
            raise InvalidRecord("the record has 'helped' that is neither true nor false")
        session.helped = helped
        return session


def _undone_moves(value: object, position: Position) -> list[Move]:
    """The moves that redo would make, the next one last, checked from ``position`` on."""
    if value is None:
        return []
    if not isinstance(value, str):
        raise InvalidRecord("the record has 'undone' that is not a text")
    try:
        moves = parse_moves(value, position.game)
        replay(position, moves)
    except (InvalidSolution, IllegalLine) as problem:
        raise InvalidRecord(f"the undone moves of the record: {problem}") from None
    return moves[::-1]
