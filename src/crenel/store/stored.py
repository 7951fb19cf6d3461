"""A game as the store keeps it: what it begins with, how it changes, and its text as a record."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from urllib.parse import urlencode

from crenel.rules.game import rule_text
from crenel.rules.position import Position
from crenel.rules.records import format_record, make_record, parse_record
from crenel.rules.solutions import format_moves, parse_moves, replay

WON = "won"
"""The only value of ``standing`` that the store understands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """What a game begins with; :meth:`of` fills it in.

    Attributes:
        game: The id, a variant's with its rules: ``cruel[redeal.limit=2]``. Statistics are kept per id.
        base: The id of the game without changed rules.
        title: Its title.
        rules: The changed rules as they stand in the query of an address: ``redeal.limit=2``; empty when there is none.
        deal: The deal, or ``None`` when it begins with a board.
        cards: How many cards the deck has.
        start: The record of the game without moves. It replays by itself, also when the game is not one that this
            version of the program brings.
        cards_up: Cards on the foundations before the first move.
    """

    game: str
    base: str
    title: str
    rules: str
    deal: str | None
    cards: int
    start: str
    cards_up: int

    @classmethod
    def of(cls, start: Position, *, deal: str | None) -> NewGame:
        """The beginning of a game.

        Args:
            start: The position; its moves, if it has any, are left out.
            deal: The deal that it comes from, or ``None`` for a board.

        Raises:
            ValueError: when the game does not begin with this deal, or with cards that are no complete deck.
        """
        position = start.copy()
        while position.moves:
            position.pop()
        game = position.game
        plain = (game.plain or game).rules()
        changed = {key: rule_text(value) for key, value in game.rules().items() if value != plain[key]}
        record = make_record(position, deal=deal)
        return cls(
            game=game.id,
            base=game.origin,
            title=game.title,
            rules=urlencode(sorted(changed.items())),
            deal=record.deal,
            cards=game.cards,
            start=format_record(record),
            cards_up=sum(position.foundations),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Where a game stands after a change; the store keeps it as it is.

    Attributes:
        moves: The moves made, as text.
        undone: The moves that redo would make, the next one first, as text.
        made: How many moves are made.
        cost: Moves between piles, and redeals.
        cards_up: Cards on the foundations.
        standing: ``playing``, ``won``, ``stuck``, ``lost`` or ``loop``; the store understands ``won``.
        seconds: Time at the table so far.
        light_used: Whether the player has seen a verdict in this game; once true it stays so.
        hint_used: Whether the player has asked for a hint; once true it stays so.
    """

    moves: str
    undone: str
    made: int
    cost: int
    cards_up: int
    standing: str
    seconds: float
    light_used: bool
    hint_used: bool


_PROGRESS = [field.name for field in fields(Progress) if field.name not in ("light_used", "hint_used")]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A stored game without its long texts, as lists show it.

    Attributes:
        key: Its id outside: unguessable, fit for an address.
        player: Whose it is.
        game, base, title, rules, deal, cards: See :class:`NewGame`.
        revision: Counts the saved changes, from 0.
        made, cost, cards_up, standing, seconds, light_used, hint_used: See :class:`Progress`.
        begun: When it was begun, in seconds since 1970.
        changed: When its moves were last changed; time at the table and help that are saved later do not count.
        given_up: Whether the player gave up; once true it stays so.
        first_moved: When the first move was made, or ``None`` while there was none.
        most_up: The most cards that were ever on the foundations.
        won_at: When it was first won, or ``None``. What is undone after a win does not unmake it.
        won_cost: The lowest cost of its wins.
        alone_cost: The lowest cost of its wins before the first help, or ``None``.
    """

    key: str
    player: int
    game: str
    base: str
    title: str
    rules: str
    deal: str | None
    cards: int
    revision: int
    made: int
    cost: int
    cards_up: int
    standing: str
    seconds: float
    begun: float
    changed: float
    given_up: bool
    light_used: bool
    hint_used: bool
    first_moved: float | None
    most_up: int
    won_at: float | None
    won_cost: int | None
    alone_cost: int | None

    @property
    def is_helped(self) -> bool:
        """Whether the light or a hint was used."""
        return self.light_used or self.hint_used

    @property
    def was_won(self) -> bool:
        """Whether it was won at some time, whatever was undone since."""
        return self.won_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGame(PlayedGame):
    """A stored game.

    Attributes:
        start: See :class:`NewGame`.
        moves, undone: See :class:`Progress`.
    """

    start: str
    moves: str
    undone: str

    def after(self, progress: Progress, moment: float) -> StoredGame:
        """This game with a change made to it at a moment (seconds since 1970), as the next revision."""
        is_won = progress.standing == WON
        alone = not (self.is_helped or progress.light_used or progress.hint_used)
        values = {name: getattr(progress, name) for name in _PROGRESS}
        is_same = (progress.moves, progress.undone) == (self.moves, self.undone)
        return replace(
            self,
            **values,
            light_used=self.light_used or progress.light_used,
            hint_used=self.hint_used or progress.hint_used,
            revision=self.revision + 1,
            # A clock that was set back does not turn the order round.
            changed=self.changed if is_same else max(moment, self.changed),
            first_moved=moment if self.first_moved is None and progress.made else self.first_moved,
            most_up=max(self.most_up, progress.cards_up),
            won_at=moment if self.won_at is None and is_won else self.won_at,
            won_cost=_lower(self.won_cost, progress.cost if is_won else None),
            alone_cost=_lower(self.alone_cost, progress.cost if is_won and alone else None),
        )

    def record(self) -> str:
        """The game as the text of a record, with what redo would make, the time and whether help was used.

        Raises:
            ValueError: when what is stored does not replay.
        """
        start = parse_record(self.start)
        position = replay(start.start(), parse_moves(self.moves, start.game))
        data = json.loads(format_record(make_record(position, deal=start.deal)))
        undone = parse_moves(self.undone, start.game)
        data |= {"undone": format_moves(undone), "helped": self.is_helped, "clock": round(self.seconds, 3)}
        lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items())
        return "{\n" + lines + "\n}\n"


def _lower(first: int | None, second: int | None) -> int | None:
    return min((cost for cost in (first, second) if cost is not None), default=None)
