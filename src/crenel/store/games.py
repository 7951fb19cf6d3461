"""Players and their games: begun, saved move by move, found again, listed and deleted.

All that changes something goes through the writer and returns a future (wait with ``result()``, or in a coroutine with
``asyncio.wrap_future``); all that reads answers at once. A player reaches own games only: the player stands in each
query.

Two tabs or processes may hold the same game. Each saves what it made of the revision that it loaded; the second one
is refused with :class:`~crenel.store.problems.Conflict`, loads the game anew and goes on from there.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from crenel.store.database import Database
from crenel.store.problems import Conflict
from crenel.store.schema import games as games_table
from crenel.store.schema import players
from crenel.store.statistics import GameStatistics, PlayedRow, statistics
from crenel.store.stored import WON, NewGame, PlayedGame, Progress, StoredGame
from crenel.store.writer import Writer

__all__ = ["MOST_LISTED", "Games", "NewGame", "Page", "PlayedGame", "Progress", "StoredGame"]

MOST_LISTED = 200
"""The most games that one page of the list of played games holds."""
_KEY = re.compile(r"[A-Za-z0-9_-]{22}")
_CURSOR = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,12})?)-([0-9]{1,18})")


@dataclass(frozen=True, slots=True)
class Page:
    """A part of the list of played games.

    Attributes:
        games: The games, the one last changed first.
        before: What to ask for to get the games after these in the list; ``None`` at the end.
    """

    games: list[PlayedGame]
    before: str | None


_PLAYED_NAMES = [field.name for field in fields(PlayedGame)]
_PLAYED = [games_table.c[name] for name in _PLAYED_NAMES]
_STORED = [games_table.c[field.name] for field in fields(StoredGame)]
_CHANGING = sorted(
    {field.name for field in fields(StoredGame)}
    - {field.name for field in fields(NewGame)}
    - {"key", "player", "begun"}
    | {"cards_up"}
)
# Built once: building a statement of so many columns takes longer than running it.
_SAVE = (
    update(games_table)
    .where(
        games_table.c.key == bindparam("its_key"),
        games_table.c.player == bindparam("its_player"),
        games_table.c.revision == bindparam("revision_before"),
    )
    .values({name: bindparam(name) for name in _CHANGING})
)
_OPEN = and_(games_table.c.standing != WON, ~games_table.c.given_up)


class Games:
    """The players' games in a database; threads may share it.

    Args:
        database: Where they are.
        writer: Makes the changes.
    """

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    # Players

    def find_player(self, token: str) -> int | None:
        """The player with a token, or ``None``.

        Raises:
            DatabaseFailed: when the database fails.
        """
        with self._database.reading() as connection:
            return _find_player(connection, _digest(token))

    def player_of(self, token: str) -> Future[int]:
        """Finds the player with a token, or makes one. Only the SHA-256 of the token is kept."""
        digest = _digest(token)
        now = time.time()

        def change(connection: Connection) -> int:
            found = _find_player(connection, digest)
            if found is not None:
                return found
            try:
                with connection.begin_nested():
                    connection.execute(insert(players).values(token_digest=digest, begun=now))
            except IntegrityError:
                pass  # another process has just made it
            player = _find_player(connection, digest)
            assert player is not None
            return player

        return self._writer.submit(change)

    # One game

    def begin(self, player: int, new: NewGame) -> Future[StoredGame]:
        """Begins a game, whatever other games there are; fails with :class:`Conflict` for a player who is not there."""
        now = time.time()
        game = StoredGame(
            key=secrets.token_urlsafe(16),
            player=player,
            **asdict(new),
            revision=0,
            moves="",
            undone="",
            made=0,
            cost=0,
            standing="playing",
            seconds=0.0,
            begun=now,
            changed=now,
            given_up=False,
            light_used=False,
            hint_used=False,
            first_moved=None,
            most_up=new.cards_up,
            won_at=None,
            won_cost=None,
            alone_cost=None,
        )
        # What makes two games one deal in the statistics. The record of a board holds the board and the rules.
        start_key = new.deal or "board:" + hashlib.sha256(new.start.encode()).hexdigest()

        def change(connection: Connection) -> StoredGame:
            try:
                connection.execute(insert(games_table).values(**asdict(game), start_key=start_key))
            except IntegrityError:  # see sweep
                raise Conflict("this player is not known any more; load the page again") from None
            return game

        return self._writer.submit(change)

    def load(self, player: int, key: str) -> StoredGame | None:
        """A game of the player; ``None`` when there is none, or when it is another's.

        Raises:
            DatabaseFailed: when the database fails.
        """
        if not _KEY.fullmatch(key):
            return None
        with self._database.reading() as connection:
            query = select(*_STORED).where(games_table.c.player == player, games_table.c.key == key)
            return _stored(connection.execute(query).one_or_none())

    def latest_unfinished(self, player: int, game: str, deal: str | None = None) -> StoredGame | None:
        """The player's game that was changed last among those that are neither won (now) nor given up.

        Args:
            player: The player.
            game: The id of the game, a variant's with its rules.
            deal: The deal; ``None`` means any, and boards too.

        Raises:
            DatabaseFailed: when the database fails.
        """
        query = select(*_STORED).where(games_table.c.player == player, games_table.c.game == game, _OPEN)
        if deal is not None:
            query = query.where(games_table.c.deal == deal)
        query = query.order_by(games_table.c.changed.desc(), games_table.c.id.desc()).limit(1)
        with self._database.reading() as connection:
            return _stored(connection.execute(query).one_or_none())

    def save(self, game: StoredGame, progress: Progress) -> Future[StoredGame]:
        """Saves a change.

        Args:
            game: The game as it was loaded, begun or last saved.
            progress: Where it stands now.

        Returns:
            The future of the game as it is stored then; fails with :class:`Conflict` when the stored game is not the
            revision of ``game`` any more.
        """
        return self._store(game.after(progress, time.time()))

    def give_up(self, game: StoredGame) -> Future[StoredGame]:
        """Marks a game as given up; like :meth:`save`."""
        now = max(time.time(), game.changed)
        return self._store(replace(game, given_up=True, revision=game.revision + 1, changed=now))

    def _store(self, game: StoredGame) -> Future[StoredGame]:
        """Replaces the revision before this one."""
        values = {name: getattr(game, name) for name in _CHANGING}
        values |= {"its_key": game.key, "its_player": game.player, "revision_before": game.revision - 1}

        def change(connection: Connection) -> StoredGame:
            if connection.execute(_SAVE, values).rowcount != 1:
                raise Conflict("this game was changed or deleted elsewhere, so the change was not saved")
            return game

        return self._writer.submit(change)

    # Many games

    def played(self, player: int, *, limit: int = 50, before: str | None = None) -> Page:
        """The player's games with at least one move, the one last changed first.

        Args:
            player: The player.
            limit: How many at most, from 1 to ``MOST_LISTED``; a number outside is moved inside.
            before: :attr:`Page.before` of the part before; ``None`` for the first part.

        Raises:
            ValueError: when ``before`` is none of these.
            DatabaseFailed: when the database fails.
        """
        table = games_table.c
        limit = min(max(limit, 1), MOST_LISTED)
        query = select(table.id, *_PLAYED).where(table.player == player, table.first_moved.is_not(None))
        if before is not None:
            cursor = _CURSOR.fullmatch(before)
            if cursor is None:
                raise ValueError("'before' is not what an earlier part of the list gave")
            changed, number = float(cursor[1]), int(cursor[2])
            query = query.where(
                or_(table.changed < changed, and_(table.changed == changed, table.id < number))
            )
        query = query.order_by(table.changed.desc(), table.id.desc()).limit(limit + 1)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        games = [PlayedGame(**{name: row._mapping[name] for name in _PLAYED_NAMES}) for row in rows[:limit]]
        more = len(rows) > limit
        return Page(games, f"{rows[limit - 1].changed!r}-{rows[limit - 1].id}" if more else None)

    def statistics(self, player: int) -> list[GameStatistics]:
        """The player's statistics, see :func:`crenel.store.statistics.statistics`.

        Raises:
            DatabaseFailed: when the database fails.
        """
        table = games_table.c
        query = select(*(table[field.name] for field in fields(PlayedRow))).where(
            table.player == player, table.first_moved.is_not(None)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return statistics(PlayedRow(**row._mapping) for row in rows)

    def delete(self, player: int, keys: Sequence[str] | None = None) -> Future[int]:
        """Deletes games of the player for good, and what the statistics know of them.

        Args:
            player: The player.
            keys: Which games; ``None`` means all.

        Returns:
            The future of how many were deleted; keys of others' games, and unknown ones, are not counted.
        """
        statement = delete(games_table).where(games_table.c.player == player)
        if keys is not None:
            known = [key for key in keys if _KEY.fullmatch(key)]
            statement = statement.where(games_table.c.key.in_(known))
        return self._writer.submit(lambda connection: connection.execute(statement).rowcount)

    def sweep(self, before: float) -> Future[int]:
        """Deletes games that never got a move and were not touched since a moment: those of passers-by.

        Players without a game who were first seen before that moment go too; a token that comes back makes a new one.

        Args:
            before: The moment, in seconds since 1970.

        Returns:
            The future of how many games were deleted.
        """
        table = games_table.c
        idle = delete(games_table).where(table.first_moved.is_(None), table.changed < before)
        gone = delete(players).where(
            players.c.begun < before, ~select(table.id).where(table.player == players.c.id).exists()
        )

        def change(connection: Connection) -> int:
            count = connection.execute(idle).rowcount
            connection.execute(gone)
            return count

        return self._writer.submit(change)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _find_player(connection: Connection, digest: str) -> int | None:
    return connection.scalar(select(players.c.id).where(players.c.token_digest == digest))


def _stored(row: Row[Any] | None) -> StoredGame | None:
    return None if row is None else StoredGame(**row._mapping)
