"""The Game record: one rule set as data, and its validation.

Every game is one record of the fields below; a TOML file holds one (see ``catalogue`` for loading and finding
them). The dotted field names (``redeal.when``) are the keys of the files and of the ``--rule`` option.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from crenel.rules.cards import RANKS, SUITS
from crenel.rules.reading import one_line, quoted

PACKET = 4
"""Cards in a packet of a bottom-up or top-down redeal."""
MAX_PILES = 26
_SHOWN = 80
"""Characters of a refused value that a message shows."""

RuleValue = str | int | bool | tuple[int, ...] | None


class InvalidGame(ValueError):
    """A rule value that is unknown, out of range or contradicts another; the message names the field."""


@dataclass(frozen=True, slots=True)
class Foundation:
    """How the foundations are built.

    Attributes:
        base: ``"A"`` (up from the ace), ``"K"`` (down from the king) or ``"first"`` (up from the rank of the
            first card played there, the king followed by the ace).
        dealt: Whether the four bases lie on the foundations before the deal.
    """

    base: str
    dealt: bool


@dataclass(frozen=True, slots=True)
class Piles:
    """The piles of the tableau; ``sizes`` holds the number of cards dealt to each."""

    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """How the cards come to the piles.

    Attributes:
        order: ``"round-robin"`` (a card per pile, left to right, a full pile skipped), ``"packets"`` (pile by
            pile) or ``"by-hand"`` (the player chooses a pile for each card).
        plays: ``"none"``, or ``"fitting"``: a card that fits its foundation goes there and uses up its turn.
    """

    order: str
    plays: str


@dataclass(frozen=True, slots=True)
class Build:
    """What may be put on a top card.

    Attributes:
        direction: ``"down"``, ``"up"`` or ``"either"``.
        suits: ``"same"``, ``"any"`` or ``"alternate-colour"``.
        wrap: Whether the ace and the king are neighbours.
    """

    direction: str
    suits: str
    wrap: bool


@dataclass(frozen=True, slots=True)
class Redeal:
    """The redeal.

    Attributes:
        limit: How many (0 = none), or ``None`` for no limit.
        when: ``"any-time"``, or ``"when-stuck"``: only when no card can move.
        order: ``"bottom-up"``, ``"top-down"`` or ``"one-by-one"``.
    """

    limit: int | None
    when: str
    order: str


@dataclass(frozen=True, slots=True)
class Game:
    """One game: its names and the values of all its rules.

    Attributes:
        id: The name that commands use; a variant's id shows what differs: ``cruel[redeal.limit=2]``.
        title: The name that people read.
        family: ``"cruel"`` or ``"castle"``.
        summary: One line about the game.
        aliases: Other names it is found by.
        notes: Sentences for the rules sheet: odd rules, sources and how doubts were settled.
        ranks: Ranks in the deck, 4 to 13 from the ace upwards.
        foundation, piles, deal, build, redeal: See the records above.
        run: ``"single"`` (one card moves) or ``"run"`` (a top run built by the build rule may move together).
        empty: What an empty pile takes: ``"any"`` card or ``"none"``.
        score: ``"win-loss"``, ``"cards-up"`` or ``"cards-up-less-bases"``.
        origin: The id of the game that a variant was made from, else the own id.
        plain: The game that a variant was made from, else ``None``.
    """

    id: str
    title: str
    family: str
    summary: str
    foundation: Foundation
    piles: Piles
    deal: Deal
    build: Build
    redeal: Redeal
    run: str
    empty: str
    score: str
    ranks: int = RANKS
    aliases: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=(), repr=False)
    origin: str = ""
    plain: Game | None = field(default=None, repr=False, compare=False)

    @property
    def cards(self) -> int:
        """The number of cards in the deck."""
        return SUITS * self.ranks

    @property
    def pile_word(self) -> str:
        """What a pile is called in this family's texts."""
        return "row" if self.family == "castle" else "pile"

    @property
    def has_redeal(self) -> bool:
        """Whether the rules know a redeal at all."""
        return self.redeal.limit != 0

    @property
    def redeal_room(self) -> int | None:
        """How many cards a redeal in packets has piles for; ``None`` where any number has room."""
        if not self.has_redeal or self.redeal.order == "one-by-one":
            return None
        return PACKET * len(self.piles.sizes)

    @property
    def base_rank(self) -> int | None:
        """The rank that opens a foundation, or ``None`` where the first card played decides."""
        return {"A": 0, "K": self.ranks - 1, "first": None}[self.foundation.base]

    def rules(self) -> dict[str, RuleValue]:
        """All rule values by their dotted field names; with :func:`make_game` they give the game back."""
        return {key: rule.read(self) for key, rule in RULES.items()}

    def with_rules(self, changes: Mapping[str, object]) -> Game:
        """The variant with some rules changed; its id and title show what differs from the game it was made from.

        A variant without a difference is that game itself.

        Args:
            changes: Values by dotted key; texts as on the command line (``"3"``, ``"yes"``) or typed values.

        Raises:
            InvalidGame: for an unknown key, an unknown value or values that contradict each other.
        """
        rules = dict(changes)
        _expand_short_forms(rules, self)
        typed = {key: _typed(key, value) for key, value in rules.items()}
        merged = self.rules() | typed
        plain = self.plain or self
        original = plain.rules()
        if merged["redeal.limit"] == 0:
            for key in ("redeal.when", "redeal.order"):
                if key in typed:
                    raise InvalidGame(f"{key}={rules[key]} contradicts redeal.limit=0: there is no redeal")
                merged[key] = original[key]  # what an earlier change said of it means nothing any more
        shown = ",".join(
            f"{key}={rule_text(value)}" for key, value in sorted(merged.items()) if value != original[key]
        )
        if not shown:
            return plain
        return make_game(
            merged,
            id=f"{plain.id}[{shown}]",
            title=f"{plain.title} ({shown})",
            family=plain.family,
            summary=plain.summary,
            notes=plain.notes,
            plain=plain,
        )


@dataclass(frozen=True, slots=True)
class _Rule:
    """One rule field: how it is read from a game and from text, and what it may be."""

    read: Callable[[Game], RuleValue]
    parse: Callable[[object], RuleValue]
    expected: str
    default: RuleValue | object = ...


def _choice(*values: str) -> Callable[[object], str]:
    def parse(value: object) -> str:
        if isinstance(value, str) and value.lower() in values_by_lower:
            return values_by_lower[value.lower()]
        raise ValueError

    values_by_lower = {value.lower(): value for value in values}
    return parse


def _boolean(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "yes", "false", "no"):
        return value.lower() in ("true", "yes")
    raise ValueError


def _whole(low: int, high: int) -> Callable[[object], int]:
    def parse(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError
        if isinstance(value, str) and not (value.isascii() and value.isdigit() and len(value) <= 6):
            raise ValueError
        number = int(value)
        if not low <= number <= high:
            raise ValueError
        return number

    return parse


def _limit(value: object) -> int | None:
    if value is None or value == "unlimited":
        return None
    return _whole(0, 9999)(value)


def _sizes(value: object) -> tuple[int, ...]:
    """``6x7+2x5``, ``7,7,6,6`` or a list of numbers."""
    if isinstance(value, str):
        sizes: list[int] = []
        for part in value.replace("+", ",").split(","):
            times, cross, size = part.partition("x")
            count = _whole(1, MAX_PILES)(times.strip()) if cross else 1
            sizes += [_whole(1, 52)((size if cross else times).strip())] * count
    elif isinstance(value, list | tuple):
        sizes = [_whole(1, 52)(size) for size in value]
    else:
        raise ValueError
    if not 1 <= len(sizes) <= MAX_PILES:
        raise ValueError
    return tuple(sizes)


RULES: dict[str, _Rule] = {
    "ranks": _Rule(lambda g: g.ranks, _whole(4, RANKS), "a number from 4 to 13", RANKS),
    "foundation.base": _Rule(lambda g: g.foundation.base, _choice("A", "K", "first"), "A, K or first"),
    "foundation.dealt": _Rule(lambda g: g.foundation.dealt, _boolean, "true or false"),
    "piles.sizes": _Rule(lambda g: g.piles.sizes, _sizes, "1 to 26 pile sizes, such as 12x4 or 6x7+2x5"),
    "deal.order": _Rule(
        lambda g: g.deal.order,
        _choice("round-robin", "packets", "by-hand"),
        "round-robin, packets or by-hand",
    ),
    "deal.plays": _Rule(lambda g: g.deal.plays, _choice("none", "fitting"), "none or fitting", "none"),
    "build.direction": _Rule(
        lambda g: g.build.direction, _choice("down", "up", "either"), "down, up or either"
    ),
    "build.suits": _Rule(
        lambda g: g.build.suits, _choice("same", "any", "alternate-colour"), "same, any or alternate-colour"
    ),
    "build.wrap": _Rule(lambda g: g.build.wrap, _boolean, "true or false", False),
    "run": _Rule(lambda g: g.run, _choice("single", "run"), "single or run", "single"),
    "empty": _Rule(lambda g: g.empty, _choice("any", "none"), "any or none"),
    "redeal.limit": _Rule(lambda g: g.redeal.limit, _limit, "a number from 0 to 9999, or unlimited"),
    "redeal.when": _Rule(
        lambda g: g.redeal.when, _choice("any-time", "when-stuck"), "any-time or when-stuck", "any-time"
    ),
    "redeal.order": _Rule(
        lambda g: g.redeal.order,
        _choice("bottom-up", "top-down", "one-by-one"),
        "bottom-up, top-down or one-by-one",
        "bottom-up",
    ),
    "score": _Rule(
        lambda g: g.score,
        _choice("win-loss", "cards-up", "cards-up-less-bases"),
        "win-loss, cards-up or cards-up-less-bases",
        "win-loss",
    ),
}
"""Every rule field by its dotted name."""

SHORT_RULES = ("piles.count", "piles.size", "build", "base")
"""Keys that stand for others: a count or a size of equal piles; ``build=up``; ``base=K``."""


def rule_text(value: RuleValue) -> str:
    """A rule value as it is written on the command line."""
    if value is None:
        return "unlimited"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        groups: list[tuple[int, int]] = []
        for size in value:
            if groups and groups[-1][1] == size:
                groups[-1] = (groups[-1][0] + 1, size)
            else:
                groups.append((1, size))
        return "+".join(f"{count}x{size}" for count, size in groups)
    return str(value)


def _expand_short_forms(rules: dict[str, object], game: Game | None = None) -> None:
    """Replaces the keys of ``SHORT_RULES`` by the fields they stand for."""
    if "build" in rules and not isinstance(rules["build"], Mapping):
        value = rules.pop("build")
        key = "build.direction" if value in ("down", "up", "either") else "build.suits"
        if key in rules:
            raise InvalidGame(f"build={value} and {key}={rules[key]} say the same rule twice")
        rules[key] = value
    if "base" in rules:
        if "foundation.base" in rules:
            raise InvalidGame("base and foundation.base say the same rule twice")
        rules["foundation.base"] = rules.pop("base")
    if "piles.count" in rules or "piles.size" in rules:
        if "piles.sizes" in rules:
            raise InvalidGame("piles.sizes and piles.count or piles.size say the same rule twice")
        present = set(game.piles.sizes) if game else set()
        count = rules.pop("piles.count", len(game.piles.sizes) if game else None)
        size = rules.pop("piles.size", present.pop() if len(present) == 1 else None)
        if count is None or size is None:
            raise InvalidGame("piles.count and piles.size are given together, or piles.sizes alone")
        rules["piles.sizes"] = [_number("piles.size", size, 52)] * _number("piles.count", count, MAX_PILES)


def _number(key: str, value: object, high: int) -> int:
    try:
        return _whole(1, high)(value)
    except ValueError:
        problem = f"{key}={_shown(value)} is not allowed: expected a number from 1 to {high}"
        raise InvalidGame(one_line(problem)) from None


def _shown(value: object) -> str:
    """A refused value in a message, cut so that what was expected can still be read."""
    try:
        text = str(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits, or lists in lists without end
        text = f"a {type(value).__name__}"
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _typed(key: str, value: object) -> RuleValue:
    """The checked value of one rule field."""
    rule = RULES.get(key)
    if rule is None:
        near = difflib.get_close_matches(key, [*RULES, *SHORT_RULES], n=1, cutoff=0.5)
        raise InvalidGame(f"{quoted(key)} is not a rule" + (f"; did you mean {near[0]}?" if near else ""))
    try:
        return rule.parse(value)
    except ValueError:
        raise InvalidGame(
            one_line(f"{key}={_shown(value)} is not allowed: expected {rule.expected}")
        ) from None


def make_game(
    rules: Mapping[str, Any],
    *,
    id: str,
    title: str,
    family: str,
    summary: str,
    aliases: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
    origin: str = "",
    plain: Game | None = None,
) -> Game:
    """A validated game from its rule values by dotted key; absent ones take their defaults.

    Raises:
        InvalidGame: for an unknown key or value, a missing field or a contradiction; the message names the field.
    """
    given = dict(rules)
    _expand_short_forms(given)
    values: dict[str, Any] = {key: _typed(key, value) for key, value in given.items()}
    for key, rule in RULES.items():
        if key not in values:
            if rule.default is ...:
                raise InvalidGame(f"the field {key} is missing: expected {rule.expected}")
            values[key] = rule.default
    game = Game(
        id=id,
        title=title,
        family=family,
        summary=summary,
        aliases=aliases,
        notes=notes,
        origin=origin or (plain.id if plain else id),
        plain=plain,
        ranks=values["ranks"],
        foundation=Foundation(values["foundation.base"], values["foundation.dealt"]),
        piles=Piles(values["piles.sizes"]),
        deal=Deal(values["deal.order"], values["deal.plays"]),
        build=Build(values["build.direction"], values["build.suits"], values["build.wrap"]),
        redeal=Redeal(values["redeal.limit"], values["redeal.when"], values["redeal.order"]),
        run=values["run"],
        empty=values["empty"],
        score=values["score"],
    )
    _check_together(game)
    return game


def _check_together(game: Game) -> None:
    """Refuses rule values that contradict each other."""
    if game.family not in ("cruel", "castle"):
        raise InvalidGame(f"family={game.family} is not allowed: expected cruel or castle")
    base, dealt = game.foundation.base, game.foundation.dealt
    if base == "first" and dealt:
        raise InvalidGame(
            "foundation.dealt=true contradicts foundation.base=first: no base is known before the deal"
        )
    if base == "first" and game.deal.plays == "fitting":
        raise InvalidGame(
            "deal.plays=fitting contradicts foundation.base=first: no base is known before the deal"
        )
    if game.deal.order == "by-hand" and game.deal.plays == "fitting":
        raise InvalidGame("deal.plays=fitting contradicts deal.order=by-hand: there are no turns to use up")
    if game.score == "cards-up-less-bases" and not dealt:
        raise InvalidGame("score=cards-up-less-bases contradicts foundation.dealt=false: no bases are dealt")
    cards = game.cards - (SUITS if dealt else 0)
    if sum(game.piles.sizes) != cards:
        raise InvalidGame(
            f"piles.sizes={rule_text(game.piles.sizes)} holds {sum(game.piles.sizes)} cards, "
            f"but {cards} are dealt with ranks={game.ranks} and foundation.dealt={rule_text(dealt)}"
        )
    room = game.redeal_room
    if room is not None and room < cards:
        raise InvalidGame(
            f"redeal.order={game.redeal.order} deals packets of {PACKET}: "
            f"{len(game.piles.sizes)} piles take {room} cards, but {cards} are dealt"
        )
