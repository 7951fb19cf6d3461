"""Addresses of the table: what ``/cruel/ms:24?redeal.limit=3`` means, and which address a game has.

====================== ==========================================================================
Address                Shows
====================== ==========================================================================
``/``                  the player's last game, or a deal of Cruel
``/GAME``              the player's last game of that name, or a random deal
``/GAME/DEAL``         that deal; the address can be sent to others
``/GAME/board/KEY``    a game of the player that began with a board, or by rules from a file
====================== ==========================================================================

Changed rules stand in the query, in the form of the command line's ``--rule``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from crenel.rules.catalogue import GAMES, UnknownGame, find_game
from crenel.rules.deals import DealId, parse_deal_id
from crenel.rules.game import Game, rule_text
from crenel.rules.reading import quoted

USUAL_GAME = "cruel"
"""The game of the address ``/`` for a player who has none yet."""
_MOST_RULES = 40
_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")


class UnknownPage(ValueError):
    """An address that shows nothing; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Address:
    """What an address shows.

    Attributes:
        game: The game with its rules, or ``None``: the last game of any kind.
        deal: The deal, or ``None``: the last one that was played.
        key: The id of the stored game, where the address names one; ``game`` is then ``None``, the stored game
            knows its rules.
    """

    game: Game | None = None
    deal: DealId | None = None
    key: str | None = None

    @property
    def usual_game(self) -> Game:
        """The game, or the usual one where the address leaves it open."""
        return self.game or GAMES[USUAL_GAME]


def known_game(name: str) -> Game:
    """Finds a game by id, title or alias, or by the id of a variant; never a file of the server.

    Raises:
        UnknownGame: when nothing has that name; the message offers near ones.
        InvalidGame: when the rules of the variant are wrong.
    """
    if ".toml" in name.lower():
        raise UnknownGame(
            f"there is no game {quoted(name)}; a game file is given to the program that serves it"
        )
    return find_game(name)


def parse_address(text: str, find: Callable[[str], Game] = known_game) -> Address:
    """Reads an address.

    Args:
        text: Path and query, such as ``/cruel/ms:24?redeal.limit=3``.
        find: Finds a game by its name.

    Raises:
        ValueError: when it shows nothing: no such game, rule, deal or kind of page. The message is one sentence.
    """
    try:
        parts = urlsplit(text)
        changes = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=_MOST_RULES)
    except ValueError:
        raise UnknownPage(f"{quoted(text)} is not an address of a game") from None
    if not parts.path.startswith("/") or text.startswith("//"):
        raise UnknownPage(f"{quoted(text)} is not an address of a game, such as /cruel/ms:24")
    words = [unquote(word) for word in parts.path[1:].removesuffix("/").split("/")]
    if words == [""]:
        if changes:
            raise UnknownPage("the address changes rules, but names no game")
        return Address()
    if len(words) == 3 and words[1] == "board":
        if not _KEY.fullmatch(words[2]):
            raise UnknownPage(f"{quoted(words[2])} is not the key of a game")
        return Address(key=words[2])
    if len(words) > 2:
        raise UnknownPage(f"{quoted(text)} is not an address of a game, such as /cruel/ms:24")
    game = with_rules(find(words[0]), changes)
    return Address(game, parse_deal_id(words[1]) if len(words) == 2 else None)


def with_rules(game: Game, changes: list[tuple[str, str]]) -> Game:
    """The game with the changed rules of a query.

    Raises:
        ValueError: when a rule is given twice, unknown or wrong; the message names it.
    """
    rules: dict[str, object] = {}
    for key, value in changes:
        if key in rules:
            raise UnknownPage(f"the rule {quoted(key)} is given twice")
        rules[key] = value
    return game.with_rules(rules) if rules else game


def format_address(game: Game, deal: DealId | str | None = None, key: str | None = None) -> str:
    """The address of a game at the table; :func:`parse_address` reads it back.

    Args:
        game: The game.
        deal: The deal, or ``None``.
        key: The id of the stored game; needed where there is no deal, and for games from a file.
    """
    if key is not None and (deal is None or not is_brought(game)):
        return f"/{quote(game.origin)}/board/{key}"
    path = f"/{quote(game.origin)}" + ("" if deal is None else f"/{deal}")
    rules = changed_rules(game)
    query = "&".join(f"{quote(name)}={quote(value, safe=',:')}" for name, value in rules.items())
    return f"{path}?{query}" if query else path


def is_brought(game: Game) -> bool:
    """Whether the program brings the game, or the one that it is a variant of; else it came from a file."""
    brought = GAMES.get(game.origin)
    return brought is not None and (game.plain or game) == brought


def changed_rules(game: Game) -> dict[str, str]:
    """The rules in which a variant differs from the game it was made from, as they are written in an address."""
    if game.plain is None:
        return {}
    original = game.plain.rules()
    return {key: rule_text(value) for key, value in game.rules().items() if value != original[key]}
