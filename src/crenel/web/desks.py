"""All open games of this process: found or begun by address, shared by a player's tabs, closed with the last one."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from dataclasses import replace
from weakref import WeakValueDictionary

from crenel.play.session import Session
from crenel.rules.catalogue import UnknownGame
from crenel.rules.deals import deal as deal_position
from crenel.rules.deals import random_deal_id
from crenel.rules.game import Game
from crenel.rules.position import Position
from crenel.rules.reading import quoted
from crenel.store.games import Games
from crenel.store.problems import StoreProblem
from crenel.store.stored import NewGame, StoredGame
from crenel.web.addresses import Address, format_address, is_brought, known_game, parse_address
from crenel.web.analysis import Analysis
from crenel.web.desk import Desk, Refusal, Stopwatch, progress_of, session_of
from crenel.web.views import start_of

_MOST_HANDED = 100
_MOST_OWN = 1_000
"""Games from files that are known by their names."""

log = logging.getLogger("crenel.web")


class Desks:
    """The open games.

    Args:
        games: The stored ones.
        analysis: Searches for verdicts.
    """

    def __init__(self, games: Games, analysis: Analysis) -> None:
        self._games = games
        self._analysis = analysis
        self._desks: dict[str, Desk] = {}
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._handed: dict[str, Session] = {}
        self._own: dict[tuple[int, str], Game] = {}

    def hand_over(self, session: Session) -> str:
        """Takes a game that begins outside the browser, such as one from a file; its first viewer gets it.

        Returns:
            The address that opens it.
        """
        if len(self._handed) >= _MOST_HANDED:
            del self._handed[next(iter(self._handed))]
        key = secrets.token_urlsafe(16)
        # Without a clock: the time until somebody opens it is no time at the table.
        self._handed[key] = Session.from_text(session.to_text())
        return f"{format_address(session.game).partition('?')[0]}/board/{key}"

    def find_game(self, name: str, player: int) -> Game:
        """Finds a game by its name: one that the program brings, or one from a file that the player has open or had.

        Args:
            name: Its name, or the id of a variant.
            player: Whose games from files are known.

        Raises:
            UnknownGame: when there is none.
        """
        try:
            return known_game(name)
        except UnknownGame:
            if (player, name) in self._own:
                return self._own[player, name]
            raise

    def find_game_for(self, token: str | None, name: str) -> Game:
        """Like :meth:`find_game`, for whoever has a token; asks the store only where it must."""
        try:
            return known_game(name)
        except UnknownGame:
            player = None if token is None or not self._own else self._games.find_player(token)
            if player is None:
                raise
            return self.find_game(name, player)

    async def open(self, player: int, text: str, *, again: bool = False) -> tuple[Desk, bool]:
        """Finds the game of an address, or begins one.

        Args:
            player: Whose game it is.
            text: The address.
            again: Whether a deal or a board is begun anew although there is a game on it; without a deal, whether
                another one is dealt.

        Returns:
            The desk, and whether the game was begun just now. The caller joins it at once.

        Raises:
            ValueError: when the address shows no game; the message is one sentence.
            StoreProblem: when the store fails.
        """
        address = parse_address(text, lambda name: self.find_game(name, player))
        async with self._lock(player):
            if address.key is not None:
                desk, begun = await self._by_key(player, address.key)
                if begun or not again or desk.is_untouched:
                    return desk, begun
                return await self._begin(player, start_of(desk.session.position), desk.session.deal)
            stored = await asyncio.to_thread(self._wanted, player, address)
            if stored is not None:
                desk = await self._desk(stored)
                if not again or desk.is_untouched:
                    return desk, False
            game = address.usual_game if stored is None else desk.session.game
            name = str(address.deal or random_deal_id())
            start = await asyncio.to_thread(deal_position, game, name)
            return await self._begin(player, start, name)

    async def begin(self, player: int, session: Session) -> Desk:
        """Begins a game that was pasted or handed over; its moves count as made.

        Raises:
            StoreProblem: when the store fails.
        """
        async with self._lock(player):
            return await self._take(player, session)

    def _lock(self, player: int) -> asyncio.Lock:
        """Two tabs of a player that open the same address get the same game."""
        return self._locks.setdefault(player, asyncio.Lock())

    async def _by_key(self, player: int, key: str) -> tuple[Desk, bool]:
        desk = self._desks.get(key)
        if desk is not None and desk.stored.player == player:
            return desk, False
        stored = await asyncio.to_thread(self._games.load, player, key)
        if stored is not None:
            return await self._desk(stored), False
        session = self._handed.pop(key, None)
        if session is None:
            raise Refusal(
                f"You have no game with the key {quoted(key)}: games are kept for the browser they were begun in."
            )
        return await self._take(player, session), True

    def _wanted(self, player: int, address: Address) -> StoredGame | None:
        """The stored game that an address means: the unfinished one, or a finished one that was played after it."""
        games = self._games.played(player, limit=1).games
        last = games[0] if games else None
        if address.game is None:
            return None if last is None else self._games.latest_unfinished(player, last.game)
        deal = None if address.deal is None else str(address.deal)
        unfinished = self._games.latest_unfinished(player, address.game.id, deal)
        if last is None or deal is None or (last.game, last.deal) != (address.game.id, deal):
            return unfinished
        if unfinished is not None and unfinished.changed >= last.changed:
            return unfinished
        return self._games.load(player, last.key)

    async def _desk(self, stored: StoredGame) -> Desk:
        """The desk of a stored game, the open one if there is one."""
        desk = self._desks.get(stored.key)
        if desk is None:
            stopwatch = Stopwatch(time.monotonic)
            session = await asyncio.to_thread(session_of, stored, stopwatch)
            desk = self._put(stored, session, stopwatch)
        return desk

    def _put(self, stored: StoredGame, session: Session, stopwatch: Stopwatch) -> Desk:
        desk = self._desks[stored.key] = Desk(stored, session, stopwatch, self._games, self._analysis)
        game = session.game.plain or session.game
        if not is_brought(game):
            self._own[stored.player, game.origin] = game
            if len(self._own) > _MOST_OWN:
                del self._own[next(iter(self._own))]
        return desk

    async def _begin(self, player: int, start: Position, deal: str | None) -> tuple[Desk, bool]:
        stored = await asyncio.wrap_future(self._games.begin(player, NewGame.of(start, deal=deal)))
        stopwatch = Stopwatch(time.monotonic)
        return self._put(stored, Session(start, deal=deal, clock=stopwatch), stopwatch), True

    async def _take(self, player: int, given: Session) -> Desk:
        """Begins a game with the moves of a session."""
        stored = await asyncio.wrap_future(
            self._games.begin(player, NewGame.of(given.position, deal=given.deal))
        )
        if given.moves or given.undone:
            progress = progress_of(given)
            if given.helped:  # a record does not say which of the two it was
                progress = replace(progress, light_used=True, hint_used=True)
            stored = await asyncio.wrap_future(self._games.save(stored, progress))
        return await self._desk(stored)

    async def leave(self, desk: Desk) -> None:
        """Closes a desk that nobody looks at any more."""
        async with self._lock(desk.stored.player):
            if desk.viewers or self._desks.get(desk.key) is not desk:
                return
            try:
                await desk.close()
            except (Refusal, StoreProblem) as problem:  # only the time of the last moments is lost
                log.warning("the time of a game was not saved: %s", problem)
            finally:
                if not desk.viewers:
                    del self._desks[desk.key]

    async def find_player(self, token: str) -> int | None:
        """The player with a token, or ``None``."""
        return await asyncio.to_thread(self._games.find_player, token)

    async def player_of(self, token: str) -> int:
        """The player with a token, made if there is none."""
        return await asyncio.wrap_future(self._games.player_of(token))
