"""Finding and loading games: the files beside this module, a player's own files, and variants by name."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from crenel.rules.game import Game, InvalidGame, make_game
from crenel.rules.reading import one_line, quoted

_HEADINGS = ("id", "title", "family", "summary", "aliases", "notes")
_FAMILY_ORDER = ("cruel", "castle")


class UnknownGame(ValueError):
    """A name that no game has; the message offers near ones."""


def parse_game(text: str, *, source: str = "the game file") -> Game:
    """Reads a game from TOML text.

    Args:
        text: The text of a game file.
        source: What error messages call it.

    Raises:
        InvalidGame: when the text is no TOML, or a field is missing, unknown or wrong; the message names it.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidGame(one_line(f"{source} is not valid TOML: {error}")) from None
    except RecursionError:
        raise InvalidGame(f"{source} is nested too deeply") from None
    except ValueError:  # Python refuses to convert integers of thousands of digits
        raise InvalidGame(f"{source} holds a number that is too long") from None
    try:
        rules = dict(_flat(data))
        headings = {key: rules.pop(key, None) for key in _HEADINGS}
        for key in ("id", "title", "family", "summary"):
            if not isinstance(headings[key], str) or not headings[key].strip():
                raise InvalidGame(f"the field {key} is missing: expected a text")
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", headings["id"]):
            raise InvalidGame(
                f"id={headings['id']!r} is not allowed: expected small letters, digits and hyphens"
            )
        for key in ("aliases", "notes"):
            values = headings[key] = headings[key] or []
            if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
                raise InvalidGame(f"the field {key} is wrong: expected a list of texts")
        if rules.get("redeal.limit") == 0:
            for key in ("redeal.when", "redeal.order"):
                if key in rules:
                    raise InvalidGame(f"{key}={rules[key]} contradicts redeal.limit=0: there is no redeal")
        return make_game(
            rules,
            id=headings["id"],
            title=headings["title"],
            family=headings["family"],
            summary=headings["summary"],
            aliases=tuple(headings["aliases"]),
            notes=tuple(headings["notes"]),
        )
    except InvalidGame as error:
        raise InvalidGame(one_line(f"{source}: {error}")) from None
    except RecursionError:
        raise InvalidGame(f"{source} is nested too deeply") from None


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The values of nested tables under dotted keys."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def load_game(path: Path | str) -> Game:
    """Reads a game file.

    Raises:
        UnknownGame: when there is no readable file of that name.
        InvalidGame: when the file holds no valid game.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InvalidGame(one_line(f"{path} is not a text file in UTF-8")) from None
    except (OSError, ValueError) as error:
        problem = error.strerror if isinstance(error, OSError) else str(error)
        raise UnknownGame(one_line(f"cannot read the game file {path}: {problem}")) from None
    return parse_game(text, source=str(path))


@cache
def _catalogue() -> dict[str, Game]:
    games = []
    for entry in resources.files("crenel.rules").joinpath("games").iterdir():
        if entry.name.endswith(".toml"):
            games.append(parse_game(entry.read_text(encoding="utf-8"), source=entry.name))
    order = {family: place for place, family in enumerate(_FAMILY_ORDER)}
    games.sort(key=lambda game: (order[game.family], game.id))
    return {game.id: game for game in games}


class _Games(Mapping[str, Game]):
    """The games of the program by id; the files are read when first asked for."""

    def __getitem__(self, name: str) -> Game:
        return _catalogue()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_catalogue())

    def __len__(self) -> int:
        return len(_catalogue())

    def __repr__(self) -> str:
        return f"GAMES({', '.join(self)})"


GAMES: Mapping[str, Game] = _Games()
"""The games that the program brings, by id: the Cruel family first, each family by name."""


def _normal(name: str) -> str:
    return re.sub(r"[\s_-]+", "-", name.strip().lower())


def find_game(name: str) -> Game:
    """Finds a game by id, title or alias in any case, by the id of a variant, or by the path of a ``.toml`` file.

    Args:
        name: Such as ``cruel``, ``Beleaguered Castle``, ``cruel[redeal.limit=2]`` or ``./my-game.toml``.

    Raises:
        UnknownGame: when nothing has that name; the message offers near ones.
        InvalidGame: when the file or the rules of the variant are wrong.
    """
    if name.endswith(".toml"):
        return load_game(name)
    base, bracket, rules = name.partition("[")
    if bracket:
        if not rules.endswith("]"):
            raise UnknownGame(f"{quoted(name)} is not a variant: the bracket is not closed")
        changes: dict[str, object] = {}
        for part in rules[:-1].split(","):
            key, equals, value = part.partition("=")
            if not equals:
                raise UnknownGame(f"{quoted(name)} is not a variant: {quoted(part)} is not key=value")
            changes[key.strip()] = value.strip()
        return find_game(base).with_rules(changes)
    names: dict[str, Game] = {}
    for game in GAMES.values():
        for known in (*game.aliases, game.title, game.id):
            names[_normal(known)] = game
    wanted = _normal(name)
    if wanted in names:
        return names[wanted]
    near = difflib.get_close_matches(wanted, names, n=3, cutoff=0.5)
    ids = list(dict.fromkeys(names[match].id for match in near))
    hint = f"did you mean {' or '.join(ids)}?" if ids else "'crenel games' lists them all"
    raise UnknownGame(f"there is no game {quoted(name)}; {hint}")
