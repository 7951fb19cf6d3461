"""Numbered deals: ``SCHEME:NUMBER`` names a shuffled pack, and a game's deal order makes it a layout.

The generators are frozen: a number must give the same cards for ever, on every machine and with every Python. So
each is written out here in whole numbers; the one exception is ``random.Random(N).random()``, whose sequence the
Python documentation promises to keep. A bare number means ``ms``.

========= ================== =====================================================================================
Scheme    Numbers            Generator
========= ================== =====================================================================================
``ms``    1 … 2^33 − 1       Microsoft's FreeCell deals, and their extension above 2^31 by Freecell Solver and PySol
``pysol`` 1 … 10^20          PySol Fan Club edition: Python's generator
``mt``    0 … 2^32 − 1       Solvitaire: a Mersenne Twister and the whole numbers of the Boost library
``gnome`` 0 … 2^32 − 1       Aisleriot: a Mersenne Twister and the whole numbers of GLib (``GRand``)
========= ================== =====================================================================================

Two things that surprise:

* PySol itself deals ``ms:N`` for numbers up to 32000; ``pysol:N`` is its own generator for these numbers, too. So
  the deal that PySol calls 99 is ``ms:99`` here, and its 100000 is ``pysol:100000``.
* In Aisleriot the pack depends on the game. Cruel shuffles all cards and deals them in the order in which they were
  drawn; the castles deal the card that was drawn last first, and the bases are not in the pack where they are dealt
  in advance (Beleaguered Castle). A deal without a legal move is thrown away, and the generator goes on with
  another shuffle. Aisleriot asks that in Cruel and Fortress, never in Beleaguered Castle or Streets and Alleys; here
  one rule holds for all games. The piles are ours: Aisleriot deals Beleaguered Castle to its rows left, right, left,
  right from the top, which are our rows 1, 2, 3, 4; in Streets and Alleys and in Fortress it gives the cards that
  are left over at the end to other rows than we do.

A smaller deck of 4 · ranks cards is shuffled in the same way, with that number in the place of 52.
"""

from __future__ import annotations

import difflib
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from crenel.rules.cards import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    RANKS,
    SPADES,
    SUITS,
    Card,
    Suit,
    card_name,
    card_rank,
    card_suit,
    make_card,
)
from crenel.rules.game import Game
from crenel.rules.position import Position
from crenel.rules.reading import listing, quoted

SCHEMES: Mapping[str, range] = {
    "ms": range(1, 2**33),
    "pysol": range(1, 10**20 + 1),
    "mt": range(2**32),
    "gnome": range(2**32),
}
"""The numbers of each scheme."""
USUAL_SCHEME = "ms"
"""What a bare number means."""

_DEAL = re.compile(r"(?:(?P<scheme>[a-z]+):)?(?P<first>[0-9]+)(?:-(?P<last>[0-9]+))?")
_LIKE = "a deal is written like ms:1 or pysol:100000"
_MOST_SHUFFLES = 1000
"""Shuffles that ``gnome`` tries before it gives up. The first pile alone ends with a card that goes up in one deal of
thirteen, so no game of the catalogue ever needs so many; rules of a player's own shall not hang the program."""


class UnknownDeal(ValueError):
    """A text that names no deal; the message says what is wrong with it."""


class InvalidPack(ValueError):
    """Cards that are not the deck of a game; the message names the ones that are missing or too many."""


# Names


@dataclass(frozen=True, slots=True, order=True)
class DealId:
    """The name of a deal; ``str()`` gives ``SCHEME:NUMBER``.

    Attributes:
        scheme: One of ``SCHEMES``.
        number: A number of that scheme.

    Raises:
        UnknownDeal: when there is no such scheme, or no such number in it.
    """

    scheme: str
    number: int

    def __post_init__(self) -> None:
        if self.number not in _numbers(self.scheme):
            raise _no_such_number(self.scheme, str(self.number))

    def __str__(self) -> str:
        return f"{self.scheme}:{self.number}"


def _numbers(scheme: str) -> range:
    """The numbers of a scheme, or an error with near names."""
    if scheme in SCHEMES:
        return SCHEMES[scheme]
    near = difflib.get_close_matches(scheme, SCHEMES, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(SCHEMES)}"
    raise UnknownDeal(f"there are no deals of the name {quoted(scheme)}; {hint}")


def _no_such_number(scheme: str, number: str) -> UnknownDeal:
    numbers = SCHEMES[scheme]
    return UnknownDeal(
        f"there is no deal {quoted(f'{scheme}:{number}')}: "
        f"the numbers of {scheme} go from {numbers.start} to {numbers.stop - 1}"
    )


def _parts(text: str) -> tuple[str, int, int | None]:
    """Scheme, number and, where the text is a range, its last number."""
    stripped = text.strip().lower()
    if not stripped:
        raise UnknownDeal(f"the deal is missing ({_LIKE})")
    match = _DEAL.fullmatch(stripped)
    if match is None:
        scheme, colon, _ = stripped.partition(":")
        if colon and re.fullmatch("[a-z]+", scheme):
            _numbers(scheme)
        glued = re.fullmatch(f"({'|'.join(SCHEMES)})[ #]*([0-9]{{1,20}})", stripped)  # PySol writes ms123
        if glued:
            raise UnknownDeal(f"{quoted(text)} is not a deal; did you mean {glued[1]}:{glued[2]}?")
        raise UnknownDeal(f"{quoted(text)} is not a deal ({_LIKE})")
    scheme = match["scheme"] or USUAL_SCHEME
    first = _number(scheme, match["first"])
    return scheme, first, None if match["last"] is None else _number(scheme, match["last"])


def _number(scheme: str, digits: str) -> int:
    numbers = _numbers(scheme)
    # The length is asked first: Python refuses to convert thousands of digits.
    if len(digits.lstrip("0")) > len(str(numbers.stop)) or int(digits) not in numbers:
        raise _no_such_number(scheme, digits)
    return int(digits)


def parse_deal_id(text: str) -> DealId:
    """Reads ``SCHEME:NUMBER`` in any case; a bare number means ``ms``.

    Raises:
        UnknownDeal: when the text names no deal; the message says why.
    """
    scheme, number, last = _parts(text)
    if last is not None:
        raise UnknownDeal(f"{quoted(text)} is a range of deals, but one deal is expected ({_LIKE})")
    return DealId(scheme, number)


def parse_deal_range(text: str) -> tuple[str, int, int]:
    """Reads ``SCHEME:FIRST-LAST``, or one deal as a range of one.

    Returns:
        The scheme, the first number and the last one, which belongs to the range.

    Raises:
        UnknownDeal: when the text names no deals; the message says why.
    """
    scheme, first, last = _parts(text)
    if last is None:
        return scheme, first, first
    if last < first:
        raise UnknownDeal(
            f"{quoted(text)} is not a range of deals: its end {last} lies before its start {first}"
        )
    return scheme, first, last


def random_deal_id() -> DealId:
    """A deal that nobody can foresee, from the usual scheme: ``ms:1`` to ``ms:2147483647``."""
    import secrets  # takes longer to load than all the rules, and few runs need it

    return DealId(USUAL_SCHEME, 1 + secrets.randbelow(2**31 - 1))


# Packs


def shuffled_pack(deal_id: DealId, ranks: int = RANKS) -> list[Card]:
    """The shuffled pack of a deal, the card that is dealt first at the front.

    Args:
        deal_id: The deal.
        ranks: Ranks in the deck, from the ace upwards.

    Returns:
        All ``4 * ranks`` cards. For ``gnome`` this is the first shuffle as Cruel deals it; :func:`deal` knows what
        the other games do with that scheme.
    """
    if deal_id.scheme == "ms":
        return _ms_pack(deal_id.number, ranks)
    if deal_id.scheme == "pysol":
        return _pysol_pack(deal_id.number, ranks)
    if deal_id.scheme == "mt":
        return _mt_pack(deal_id.number, ranks)
    return next(_gnome_packs(deal_id.number, _by_suit((CLUBS, DIAMONDS, HEARTS, SPADES), ranks)))


def _by_suit(suits: Sequence[Suit], ranks: int) -> list[Card]:
    return [make_card(rank, suit) for suit in suits for rank in range(ranks)]


def _by_rank(suits: Sequence[Suit], ranks: int) -> list[Card]:
    return [make_card(rank, suit) for rank in range(ranks) for suit in suits]


def _ms_pack(number: int, ranks: int) -> list[Card]:
    """The linear congruential generator of Microsoft's C library, and its two extensions for larger numbers."""
    pack = _by_rank((CLUBS, DIAMONDS, HEARTS, SPADES), ranks)
    seed = number  # of a number above 2^32 only the low 32 bits count from the first step on
    for place in range(len(pack) - 1, 0, -1):
        seed = (seed * 214013 + 2531011) & 0xFFFFFFFF
        if number < 2**31:
            value = (seed >> 16) & 0x7FFF
        elif number < 2**32:
            value = (seed >> 16) & 0x7FFF | 0x8000
        else:
            value = (seed >> 16) + 1
        other = value % (place + 1)
        pack[place], pack[other] = pack[other], pack[place]
    return pack[::-1]


def _pysol_pack(number: int, ranks: int) -> list[Card]:
    """Python's generator; only ``random()`` is used, the one method whose values are promised to stay."""
    pack = _by_suit((CLUBS, SPADES, HEARTS, DIAMONDS), ranks)
    chance = random.Random(number).random
    for place in range(len(pack) - 1, 0, -1):
        other = int(chance() * (place + 1))
        pack[place], pack[other] = pack[other], pack[place]
    return pack[::-1]


def _mersenne_twister(seed: int) -> Iterator[int]:
    """The 32-bit outputs of MT19937, seeded with one 32-bit number.

    After Matsumoto and Nishimura (1998), with their seeding of 2002 (multiplier 1812433253). Of each round only as
    much is computed as is asked for; the words that a step needs are the same as when whole rounds are computed.
    """
    words = [seed]
    for index in range(1, 624):
        seed = (1812433253 * (seed ^ (seed >> 30)) + index) & 0xFFFFFFFF
        words.append(seed)
    index = 0
    while True:
        following = index + 1 if index < 623 else 0
        joined = (words[index] & 0x80000000) | (words[following] & 0x7FFFFFFF)
        word = words[(index + 397) % 624] ^ (joined >> 1) ^ (0x9908B0DF if joined & 1 else 0)
        words[index] = word
        word ^= word >> 11
        word ^= (word << 7) & 0x9D2C5680
        word ^= (word << 15) & 0xEFC60000
        yield word ^ (word >> 18)
        index = following


def _mt_pack(number: int, ranks: int) -> list[Card]:
    """Numbers from equal buckets, as Boost's uniform distribution makes them; what lies above is drawn again."""
    pack = _by_rank((CLUBS, HEARTS, SPADES, DIAMONDS), ranks)
    outputs = _mersenne_twister(number)
    for place in range(len(pack) - 1, 0, -1):
        bucket, rest = divmod(0xFFFFFFFF, place + 1)
        if rest == place:
            bucket += 1
        other = next(outputs) // bucket
        while other > place:
            other = next(outputs) // bucket
        pack[place], pack[other] = pack[other], pack[place]
    return pack[::-1]


def _gnome_packs(number: int, cards: Sequence[Card]) -> Iterator[list[Card]]:
    """Shuffle after shuffle of ``cards``, each in the order in which the cards are drawn.

    The numbers are those of ``g_rand_int_range``: outputs at or above the largest multiple of the range are
    drawn again. The last card takes an output, too, though there is no choice left; the next shuffle shows it.
    """
    outputs = _mersenne_twister(number)
    while True:
        pack = list(cards)
        for place in range(len(pack)):
            choices = len(pack) - place
            limit = 2**32 - 2**32 % choices
            output = next(outputs)
            while output >= limit:
                output = next(outputs)
            other = place + output % choices
            pack[place], pack[other] = pack[other], pack[place]
        yield pack


# Layouts


def deal(game: Game, deal_id: DealId | str) -> Position:
    """The start of a game.

    Args:
        game: The game.
        deal_id: The deal, or its name such as ``ms:1``.

    Returns:
        The position before the first move. Where the game is dealt by hand all cards are still in hand.

    Raises:
        UnknownDeal: when the text names no deal.
    """
    if isinstance(deal_id, str):
        deal_id = parse_deal_id(deal_id)
    if deal_id.scheme == "gnome":
        return _gnome_deal(game, deal_id)
    return deal_pack(game, shuffled_pack(deal_id, game.ranks))


def _gnome_deal(game: Game, deal_id: DealId) -> Position:
    cards = _by_suit((CLUBS, DIAMONDS, HEARTS, SPADES), game.ranks)
    castle = game.family == "castle"
    if castle and game.foundation.dealt:
        cards = [card for card in cards if card_rank(card) != game.base_rank]
    packs = _gnome_packs(deal_id.number, cards)
    for _ in range(_MOST_SHUFFLES):
        pack = next(packs)
        position = deal_pack(game, pack[::-1] if castle else pack)
        if position.legal_moves:
            return position
    raise UnknownDeal(
        f"there is no deal {deal_id} of {game.title}: no move was legal after {_MOST_SHUFFLES} shuffles"
    )


def deal_pack(game: Game, pack: Sequence[Card]) -> Position:
    """Deals a pack by the rules of a game.

    Args:
        game: The game.
        pack: The cards in the order in which they are dealt. The cards of foundations that are dealt in advance are
            taken out of it, and may be missing.

    Returns:
        The position before the first move.

    Raises:
        InvalidPack: when the pack is not the deck of the game.
    """
    base = game.base_rank if game.foundation.dealt else None
    cards = [card for card in pack if card_rank(card) != base]
    _check_pack(game, cards)
    counts = [0 if base is None else 1] * SUITS
    if game.deal.order == "by-hand":
        return Position(game, (), counts, hand=cards)
    sizes = game.piles.sizes
    if game.deal.order == "packets":
        turns = [pile for pile, size in enumerate(sizes) for _ in range(size)]
    else:
        turns = [pile for row in range(max(sizes)) for pile, size in enumerate(sizes) if row < size]
    piles: list[list[Card]] = [[] for _ in sizes]
    fitting = game.deal.plays == "fitting"
    foundations = Position(game, (), counts)
    for pile, card in zip(turns, cards, strict=True):
        if fitting and foundations.goes_up(card):
            counts[card_suit(card)] += 1
            foundations = Position(game, (), counts)
        else:
            piles[pile].append(card)
    return Position(game, piles, counts)


def _check_pack(game: Game, cards: Sequence[Card]) -> None:
    """Refuses a pack without the bases dealt in advance that is not the rest of the game's deck."""
    base = game.base_rank if game.foundation.dealt else None
    wanted = [card for card in range(game.cards) if card_rank(card) != base]
    if sorted(cards) == wanted:
        return
    missing, extra = Counter(wanted) - Counter(cards), Counter(cards) - Counter(wanted)
    problems = []
    if missing:
        problems.append(f"{listing(map(card_name, sorted(missing)))} missing")
    if extra:
        names = (card_name(card) if 0 <= card < SUITS * RANKS else str(card) for card in sorted(extra))
        problems.append(f"{listing(names)} too many")
    raise InvalidPack(f"the pack is not the deck of {game.title}: {' and '.join(problems)}")
