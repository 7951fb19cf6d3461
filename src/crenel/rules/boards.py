"""Boards: the text form of a position, and JSON deals.

A board is one line per pile, bottom to top, after optional lines that say what lies elsewhere::

    Foundations: H-A C-A D-A S-A      the top card of each suit; 0 or a missing suit = empty
    Hand: 5C 6D                       cards still to be placed, next first (games that are dealt by hand)
    Redeals: 2                        redeals used
    JD KD KS QH 8H 6C                 a pile; T or 10, any case, a leading colon is allowed

What is decided here, so that a player gets what the text looks like:

* A blank line is an empty pile and counts. Blank lines before a ``Foundations:`` (or other) line do not.
* Blank lines at the end cannot be seen, so surplus ones do not count, and missing ones are supplied when all cards
  are there. Any other number of piles is an error.
* A line that begins with ``#`` is a comment and no pile; ``#`` after cards begins a comment too.
* Without a ``Foundations:`` line the foundations are as before the first move: the bases where the game deals them
  (their cards are then in no pile), else empty.
* Where the first card played fixes the base, the base follows from the top cards and from the cards that are in no
  pile, and must be the same for all suits.
* The deck is complete: each card lies in exactly one place. Piles may be of any length, except that a pile holds no
  more than its size while cards are in hand.

A JSON deal has the keys ``tableau piles`` (an array of arrays; ``""`` is an empty pile), optionally ``foundations``
(an array of the cards there, or of the top ones) and, ours, ``hand`` and ``redeals``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from crenel.rules.cards import (
    RANK_NAMES,
    SUIT_NAMES,
    SUITS,
    Card,
    Rank,
    Suit,
    UnreadableCard,
    card_name,
    card_rank,
    card_suit,
    make_card,
    parse_card,
)
from crenel.rules.game import Game
from crenel.rules.position import Position
from crenel.rules.reading import decode, listing, quoted, read_json, split_lines

_SUIT_ORDER: tuple[Suit, ...] = tuple(SUIT_NAMES.index(name) for name in "HCDS")
"""The order of suits in a foundations line, as other programs write it."""
_FOUNDATION_WORDS = ("foundations", "foundation", "founds", "found")
_FOREIGN_EMPTY: tuple[object, ...] = (None, "", [], {}, 0, False)
"""What a JSON deal may say under keys for things that these games do not have."""


class InvalidBoard(ValueError):
    """A board that cannot be read; the message names the line and the cards."""


@dataclass
class _Draft:
    """What a text says, card by card, before the whole is judged.

    Attributes:
        piles: The cards of each pile; ``pile_places`` says where each pile was found.
        hand: The cards in hand.
        tops: The rank of the top card by suit (an absent suit is empty), or ``None`` when nothing was said.
        redeals: Redeals used.
        places: Where each card was seen.
        unreadable: Texts that are no card, with their place.
        listed: Cards that a JSON deal lists on the foundations, under the tops.
    """

    piles: list[list[Card]] = field(default_factory=list)
    pile_places: list[str] = field(default_factory=list)
    hand: list[Card] = field(default_factory=list)
    tops: dict[Suit, Rank] | None = None
    redeals: int = 0
    places: dict[Card, list[str]] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)
    listed: list[Card] = field(default_factory=list)

    def cards(self, tokens: Sequence[str], place: str) -> list[Card]:
        """Reads cards at one place and remembers where they lie."""
        found = []
        for token in tokens:
            try:
                card = parse_card(token)
            except UnreadableCard:
                self.unreadable.append(f"{quoted(token)} in {place}")
            else:
                found.append(card)
                self.places.setdefault(card, []).append(place)
        return found

    def add_pile(self, tokens: Sequence[str], place: str) -> None:
        self.piles.append(self.cards(tokens, place))
        self.pile_places.append(place)


def parse_board(text: str | bytes, game: Game) -> Position:
    """Reads a board or a JSON deal.

    Args:
        text: The text; bytes are taken as UTF-8 (or UTF-16 with its byte order mark).
        game: The rules that it is a position of.

    Raises:
        InvalidBoard: when the text cannot be read or its cards are not a complete deck; the message is one sentence
            that names the lines and the cards.
    """
    plain = decode(text, "the board", InvalidBoard)
    draft = _read_json(plain) if plain.lstrip().startswith("{") else _read_lines(plain)
    return _position(draft, game)


# Reading


def _read_lines(text: str) -> _Draft:
    draft, seen = _Draft(), set[str]()
    for number, line in enumerate(split_lines(text), 1):
        body, comment, _ = line.partition("#")
        if comment and not body.strip():
            continue
        place = f"line {number}"
        head, colon, rest = body.partition(":")
        name = head.strip()
        if not (colon and name):
            draft.add_pile((rest if colon else body).split(), place)
            continue
        if not any(draft.piles) and not draft.unreadable:
            # Blank lines above the first header only set it apart.
            draft.piles.clear()
            draft.pile_places.clear()
        kind = "foundations" if name.lower() in _FOUNDATION_WORDS else name.lower()
        if kind in seen:
            raise InvalidBoard(f"{place} is a second {quoted(name + ':')} line")
        seen.add(kind)
        if kind == "foundations":
            draft.tops = _read_tops(rest.split(), place)
        elif kind == "hand":
            draft.hand = draft.cards(rest.split(), place)
        elif kind == "redeals":
            draft.redeals = _read_redeals(rest.strip(), place)
        elif kind == "freecells":
            # Other programs mark an empty place with a hyphen or an asterisk.
            if rest.strip(" \t-*"):
                raise InvalidBoard(f"{place} has cards in freecells, which this game does not have")
        else:
            raise InvalidBoard(
                f"{place} begins with {quoted(name + ':')}, "
                "which is none of Foundations:, Hand:, Redeals:, Freecells:"
            )
    return draft


def _read_redeals(text: str, place: str) -> int:
    if re.fullmatch("[0-9]{1,6}", text) is None:
        raise InvalidBoard(f"{place} does not say how many redeals were used (such as 'Redeals: 2')")
    return int(text)


def _read_tops(tokens: list[str], place: str) -> dict[Suit, Rank]:
    """The top ranks in a foundations line such as ``H-A C-0 D-10``."""
    tops: dict[Suit, Rank] = {}
    suits = set()
    for token in tokens:
        name, hyphen, rank = token.partition("-")
        try:
            if not hyphen or len(name) != 1:
                raise UnreadableCard
            card = parse_card(("A" if rank == "0" else rank) + name)
        except UnreadableCard:
            raise InvalidBoard(
                f"{quoted(token)} in {place} is not a foundation (a foundation is written like H-A, S-10 or C-0)"
            ) from None
        suit = card_suit(card)
        if suit in suits:
            raise InvalidBoard(f"{place} names the foundation {SUIT_NAMES[suit]} twice")
        suits.add(suit)
        if rank != "0":
            tops[suit] = card_rank(card)
    return tops


def _read_json(text: str) -> _Draft:
    data, draft = read_json(text, "the board", InvalidBoard), _Draft()
    piles = data.pop("tableau piles", None)
    if not isinstance(piles, list):
        raise InvalidBoard("the board has no array 'tableau piles'")
    for number, pile in enumerate(piles, 1):
        draft.add_pile(_json_tokens(pile, f"pile {number}"), f"pile {number}")
    if "foundations" in data:
        draft.tops = _json_tops(data.pop("foundations"), draft)
    if "hand" in data:
        draft.hand = draft.cards(_json_tokens(data.pop("hand"), "'hand'"), "'hand'")
    redeals = data.pop("redeals", 0)
    if isinstance(redeals, bool) or not isinstance(redeals, int) or not 0 <= redeals <= 999_999:
        raise InvalidBoard("'redeals' in the board is not a number of redeals used")
    draft.redeals = redeals
    for key, value in data.items():
        if value not in _FOREIGN_EMPTY:
            raise InvalidBoard(f"the board has {quoted(key)}, which these games do not have")
    return draft


def _json_tokens(value: Any, place: str) -> list[str]:
    """The card texts in one array; ``""`` stands for none."""
    if isinstance(value, str):
        return value.split()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidBoard(f"{place} in the board is not an array of cards")
    return [item for item in value if item]


def _json_tops(value: Any, draft: _Draft) -> dict[Suit, Rank]:
    """The top ranks from the cards on the foundations: a flat array, or an array per suit, base first."""
    place = "'foundations'"
    if isinstance(value, list) and any(isinstance(item, list) for item in value):
        value = [token for item in value for token in _json_tokens(item, place)]
    tops: dict[Suit, Rank] = {}
    for token in _json_tokens(value, place):
        try:
            card = parse_card(token)
        except UnreadableCard:
            draft.unreadable.append(f"{quoted(token)} in {place}")
            continue
        if card in draft.listed:
            raise InvalidBoard(f"{place} in the board names {card_name(card)} twice")
        draft.listed.append(card)
        tops[card_suit(card)] = card_rank(card)
    return tops


# Judging the whole


def _position(draft: _Draft, game: Game) -> Position:
    """The position that a draft describes, once all of it holds."""
    if draft.unreadable:
        are = "are not cards" if len(draft.unreadable) > 1 else "is not a card"
        raise InvalidBoard(f"{listing(draft.unreadable, 5)} {are} (a card is written like KH, TS or 10S)")
    _check_deck(draft, game)
    expected = len(game.piles.sizes)
    while len(draft.piles) > expected and not draft.piles[-1]:
        draft.piles.pop()
    wanted = f"{expected} {game.pile_word}s expected"
    if len(draft.piles) > expected:
        blank = [place for pile, place in zip(draft.piles, draft.pile_places, strict=False) if not pile]
        why = (
            f"{blank[0]} is blank, which is an empty {game.pile_word}"
            if blank
            else draft.pile_places[expected]
        )
        raise InvalidBoard(f"{wanted}, but {len(draft.piles)} found ({why})")
    repeated = [
        f"{card_name(card)} in {' and '.join(draft.places[card])}"
        for card in sorted(draft.places)
        if len(draft.places[card]) > 1
    ]
    counts, base = _foundations(draft, game, repeated)
    on_foundations = _cards_up(counts, base, game)
    repeated += [
        f"{card_name(card)} on its foundation and in {draft.places[card][0]}"
        for card in sorted(on_foundations & draft.places.keys())
    ]
    missing = [card for card in range(game.cards) if card not in draft.places and card not in on_foundations]
    if repeated or missing:
        few = f"{wanted}, but {len(draft.piles)} found; " if len(draft.piles) < expected else ""
        raise InvalidBoard(few + _deck_problem(repeated, missing, draft))
    _check_hand(draft, game)
    _check_redeals(draft, game)
    try:
        return Position(game, draft.piles, counts, hand=draft.hand, base=base, redeals_used=draft.redeals)
    except ValueError as error:  # bases in the piles that a redeal has no room for
        raise InvalidBoard(str(error)) from None


def _check_deck(draft: _Draft, game: Game) -> None:
    """Refuses cards of ranks that a smaller deck lacks."""
    strange = [
        f"{card_name(card)} in {places[0]}"
        for card, places in sorted(draft.places.items())
        if card >= game.cards
    ]
    strange += [
        f"{card_name(make_card(rank, suit))} on a foundation"
        for suit, rank in sorted((draft.tops or {}).items())
        if rank >= game.ranks
    ]
    strange += [f"{card_name(card)} on a foundation" for card in draft.listed if card >= game.cards]
    if strange:
        belong = "do not belong" if len(strange) > 1 else "does not belong"
        highest = RANK_NAMES[game.ranks - 1]
        raise InvalidBoard(
            f"{listing(strange, 5)} {belong} to the deck of this game: its ranks go from A to {highest}"
        )


def _deck_problem(repeated: list[str], missing: list[Card], draft: _Draft) -> str:
    parts = []
    if repeated:
        parts.append(f"repeated: {listing(repeated, 5)}")
    if missing:
        parts.append(f"missing: {listing(map(card_name, missing))}")
    hint = " (no line says what is on the foundations)" if missing and draft.tops is None else ""
    return f"the cards are not a complete deck: {'; '.join(parts)}{hint}"


def _cards_up(counts: Sequence[int], base: Rank | None, game: Game) -> set[Card]:
    """The cards on the foundations when each holds so many."""
    up = set()
    for suit, count in enumerate(counts):
        for step in range(count):
            up.add(make_card(_rank_at(step, base or 0, game), suit))
    return up


def _rank_at(step: int, base: Rank, game: Game) -> Rank:
    """The rank of the card that lies ``step`` cards above the base card of a foundation."""
    return base - step if game.foundation.base == "K" else (base + step) % game.ranks


def _count_to(top: Rank, base: Rank, game: Game) -> int:
    """How many cards a foundation holds up to its top card."""
    return base - top + 1 if game.foundation.base == "K" else (top - base) % game.ranks + 1


def _foundations(draft: _Draft, game: Game, repeated: list[str]) -> tuple[list[int], Rank | None]:
    """How many cards each foundation holds, and the rank of the base cards."""
    tops, base = draft.tops, game.base_rank
    if tops is None:
        tops = dict.fromkeys(range(SUITS), base) if game.foundation.dealt and base is not None else {}
    if base is None and tops:
        base = _base_of(tops, draft, game, repeated)
    counts = [0] * SUITS
    if base is not None:
        for suit, top in tops.items():
            counts[suit] = _count_to(top, base, game)
    below = _cards_up(counts, base, game)
    for card in draft.listed:
        if card not in below:
            raise InvalidBoard(
                f"{card_name(card)} in 'foundations' does not lie under the last card of its suit there"
            )
    return counts, base


def _base_of(tops: dict[Suit, Rank], draft: _Draft, game: Game, repeated: list[str]) -> Rank:
    """The base rank where the first card played has fixed it.

    Exactly the cards that are in no pile lie on the foundations. Two bases give them different numbers of cards,
    so at most one base fits.
    """
    absent = set(range(game.cards)) - draft.places.keys()
    for base in range(game.ranks):
        counts = [_count_to(tops[suit], base, game) if suit in tops else 0 for suit in range(SUITS)]
        if _cards_up(counts, base, game) == absent:
            return base
    if repeated:
        _refuse_repeated(repeated, draft)
    shown = " ".join(f"{SUIT_NAMES[suit]}-{RANK_NAMES[tops[suit]]}" for suit in _SUIT_ORDER if suit in tops)
    names = listing(map(card_name, sorted(absent))) or "none"
    raise InvalidBoard(
        f"the foundations {shown} do not fit the cards that are missing from the {game.pile_word}s ({names}): "
        "those must run up to the top cards from one base rank for all suits"
    )


def _refuse_repeated(repeated: list[str], draft: _Draft) -> NoReturn:
    raise InvalidBoard(_deck_problem(repeated, [], draft))


def _check_hand(draft: _Draft, game: Game) -> None:
    """Refuses a hand that no dealing by hand can have led to."""
    if not draft.hand:
        return
    if game.deal.order != "by-hand":
        raise InvalidBoard(
            f"the board has cards in hand ({card_name(draft.hand[0])}), but this game is not dealt by hand"
        )
    for number, (pile, size) in enumerate(zip(draft.piles, game.piles.sizes, strict=False), 1):
        if len(pile) > size:
            raise InvalidBoard(
                f"{game.pile_word} {number} holds {len(pile)} cards, but takes {size} while cards are in hand"
            )


def _check_redeals(draft: _Draft, game: Game) -> None:
    limit = game.redeal.limit
    if limit is not None and draft.redeals > limit:
        allowed = f"has only {limit}" if limit else "has no redeal"
        raise InvalidBoard(f"the board says that {draft.redeals} redeals were used, but this game {allowed}")


# Writing


def _top_names(position: Position) -> str:
    names = []
    for suit in _SUIT_ORDER:
        count = position.foundations[suit]
        top = RANK_NAMES[_rank_at(count - 1, position.base or 0, position.game)] if count else "0"
        names.append(f"{SUIT_NAMES[suit]}-{top}")
    return " ".join(names)


def _names(cards: Sequence[Card]) -> list[str]:
    return [card_name(card) for card in cards]


def format_board(position: Position) -> str:
    """The board of a position, each line ended by ``\\n``; :func:`parse_board` reads it back.

    The line of the foundations is left out where they are empty and the game deals no bases. (A position of an
    incomplete deck can be written, but is refused when read.)
    """
    lines = []
    if position.game.foundation.dealt or any(position.foundations):
        lines.append(f"Foundations: {_top_names(position)}")
    if position.hand:
        lines.append(f"Hand: {' '.join(_names(position.hand))}")
    if position.redeals_used:
        lines.append(f"Redeals: {position.redeals_used}")
    lines += [" ".join(_names(pile)) for pile in position.piles]
    return "".join(line + "\n" for line in lines)


def format_board_json(position: Position) -> str:
    """The JSON deal of a position, a pile per line; :func:`parse_board` reads it back."""
    piles = ",\n".join(f"  {json.dumps(_names(pile))}" for pile in position.piles)
    parts = [f' "tableau piles": [\n{piles}\n ]']
    up = [
        make_card(_rank_at(step, position.base or 0, position.game), suit)
        for suit in _SUIT_ORDER
        for step in range(position.foundations[suit])
    ]
    if up or position.game.foundation.dealt:
        parts.append(f' "foundations": {json.dumps(_names(up))}')
    if position.hand:
        parts.append(f' "hand": {json.dumps(_names(position.hand))}')
    if position.redeals_used:
        parts.append(f' "redeals": {position.redeals_used}')
    return "{\n" + ",\n".join(parts) + "\n}\n"
