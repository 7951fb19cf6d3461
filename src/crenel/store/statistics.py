"""Statistics of one player from the stored games: a pure function.

* A deal (of one game with its rules; a board counts as a deal) is **played** from its first move on, once, however
  often it is begun.
* It is **won** when any of its games was won, at whatever time.
* Otherwise it is **lost** when it was given up, or left: when another deal of the same game got its first move later.
* Otherwise it is **open**: neither. So at most one deal of a game is open.
* The **rate** is won / (won + lost); open deals do not count.
* A **streak** runs over the won and lost deals in the order of their first moves.
* A deal is won **alone** when one of its games was won before light or hint were used in it; otherwise it is
  **helped** when any of its games used one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

BIN = 4
"""Cards per bar of the histogram: a rank of the four suits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRow:
    """What the statistics need of one game that got a move; the names are those of the stored games.

    Attributes:
        key: The id of the stored game.
        game: The id, a variant's with its rules.
        base, title: See :class:`crenel.store.stored.NewGame`.
        deal: The deal, or ``None`` for a board.
        start_key: What is equal for games on the same deal or board.
        cards: How many cards the deck has.
        first_moved: When the first move was made, in seconds since 1970.
        given_up: Whether it was given up.
        light_used, hint_used: Which help was used.
        most_up: The most cards that were ever on the foundations.
        won_cost: The lowest cost of its wins, or ``None`` when it was never won.
        alone_cost: The lowest cost of its wins without help, or ``None``.
    """

    key: str
    game: str
    base: str
    title: str
    deal: str | None
    start_key: str
    cards: int
    first_moved: float
    given_up: bool
    light_used: bool
    hint_used: bool
    most_up: int
    won_cost: int | None
    alone_cost: int | None


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of the histogram: ``count`` deals with ``low`` to ``high`` cards up."""

    low: int
    high: int
    count: int


@dataclass(frozen=True, slots=True)
class Tally:
    """What is counted over some deals of one game.

    Attributes:
        played, won, lost, open: Numbers of deals; ``won + lost + open == played``.
        rate: won / (won + lost), or ``None`` when there is neither.
        streak: How many deals in a row, up to the last settled one, are won.
        longest_streak: The longest such row.
        fewest_cost: The lowest cost of a win, or ``None``.
        fewest_cost_deal: The first deal won at that cost; ``None`` for a board, too.
        cards_up: How many deals came how far: by the most cards that were up in any game of the deal. The last bar
            holds the deals with all cards up.
    """

    played: int
    won: int
    lost: int
    open: int
    rate: float | None
    streak: int
    longest_streak: int
    fewest_cost: int | None
    fewest_cost_deal: str | None
    cards_up: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class GameStatistics:
    """The statistics of one game with its rules.

    Attributes:
        game, base, title, cards: See :class:`crenel.store.stored.NewGame`.
        all: Over all deals.
        helped: Over the deals with help only.
        alone: Over the deals without help only; every deal is in one of the two.
    """

    game: str
    base: str
    title: str
    cards: int
    all: Tally
    helped: Tally
    alone: Tally


class _Outcome(Enum):
    WON = "won"
    LOST = "lost"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class _Deal:
    """One deal with all its games."""

    deal: str | None
    outcome: _Outcome
    is_alone: bool
    won_cost: int | None
    alone_cost: int | None
    most_up: int


def statistics(rows: Iterable[PlayedRow]) -> list[GameStatistics]:
    """The statistics of a player's games, the game that was begun last first.

    Args:
        rows: All games of one player that got a move, in any order.
    """
    by_game: dict[str, list[PlayedRow]] = {}
    for row in sorted(rows, key=lambda row: (row.first_moved, row.key)):
        by_game.setdefault(row.game, []).append(row)
    latest_first = sorted(
        by_game.values(), key=lambda rows: (rows[-1].first_moved, rows[-1].key), reverse=True
    )
    return [_of_game(rows) for rows in latest_first]


def _of_game(rows: Sequence[PlayedRow]) -> GameStatistics:
    """The statistics of one game, from its rows in the order of their first moves."""
    by_deal: dict[str, list[PlayedRow]] = {}
    for row in rows:
        by_deal.setdefault(row.start_key, []).append(row)
    # A dict keeps the order of the first moves of its deals, so only its last deal has none after it.
    last = next(reversed(by_deal))
    deals = [_of_deal(games, is_left=start_key != last) for start_key, games in by_deal.items()]
    newest = rows[-1]
    helped = [deal for deal in deals if not deal.is_alone]
    alone = [deal for deal in deals if deal.is_alone]
    return GameStatistics(
        game=newest.game,
        base=newest.base,
        title=newest.title,
        cards=newest.cards,
        all=_tally(deals, [deal.won_cost for deal in deals], newest.cards),
        helped=_tally(helped, [deal.won_cost for deal in helped], newest.cards),
        alone=_tally(alone, [deal.alone_cost for deal in alone], newest.cards),
    )


def _of_deal(rows: Sequence[PlayedRow], *, is_left: bool) -> _Deal:
    won_cost = min((row.won_cost for row in rows if row.won_cost is not None), default=None)
    alone_cost = min((row.alone_cost for row in rows if row.alone_cost is not None), default=None)
    if won_cost is not None:
        outcome = _Outcome.WON
        is_alone = alone_cost is not None
    else:
        is_lost = is_left or any(row.given_up for row in rows)
        outcome = _Outcome.LOST if is_lost else _Outcome.OPEN
        is_alone = not any(row.light_used or row.hint_used for row in rows)
    return _Deal(rows[0].deal, outcome, is_alone, won_cost, alone_cost, max(row.most_up for row in rows))


def _tally(deals: Sequence[_Deal], costs: Sequence[int | None], cards: int) -> Tally:
    """Counts deals.

    Args:
        deals: In the order of their first moves.
        costs: The cost of each that counts here.
        cards: How many cards the deck has.
    """
    outcomes = [deal.outcome for deal in deals]
    won, lost = outcomes.count(_Outcome.WON), outcomes.count(_Outcome.LOST)
    streak = longest = 0
    for outcome in outcomes:
        if outcome is not _Outcome.OPEN:
            streak = streak + 1 if outcome is _Outcome.WON else 0
            longest = max(longest, streak)
    fewest = min((cost for cost in costs if cost is not None), default=None)
    return Tally(
        played=len(deals),
        won=won,
        lost=lost,
        open=outcomes.count(_Outcome.OPEN),
        rate=won / (won + lost) if won + lost else None,
        streak=streak,
        longest_streak=longest,
        fewest_cost=fewest,
        fewest_cost_deal=None if fewest is None else deals[costs.index(fewest)].deal,
        cards_up=_bars([deal.most_up for deal in deals], cards),
    )


def _bars(counts: Sequence[int], cards: int) -> tuple[Bar, ...]:
    """The histogram of numbers of cards from 0 to ``cards``."""
    bounds = [(low, min(low + BIN, cards) - 1) for low in range(0, cards, BIN)] + [(cards, cards)]
    return tuple(Bar(low, high, sum(low <= count <= high for count in counts)) for low, high in bounds)
