"""Statistics: each definition by a small case, and what holds for any games at all."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crenel.store.statistics import Bar, GameStatistics, PlayedRow, Tally, statistics

ROW = PlayedRow(
    key="a",
    game="cruel",
    base="cruel",
    title="Cruel",
    deal="ms:1",
    start_key="ms:1",
    cards=52,
    first_moved=1.0,
    given_up=False,
    light_used=False,
    hint_used=False,
    most_up=10,
    won_cost=None,
    alone_cost=None,
)


def row(
    deal: int,
    moment: float,
    *,
    won: int | None = None,
    alone: int | None = None,
    given_up: bool = False,
    light: bool = False,
    hint: bool = False,
    up: int = 10,
    game: str = "cruel",
) -> PlayedRow:
    """A game on ``ms:DEAL``; ``alone`` is the cost of a win without help, which counts as a win."""
    costs = [cost for cost in (won, alone) if cost is not None]
    return replace(
        ROW,
        key=f"{deal}-{moment}-{game}",
        game=game,
        deal=f"ms:{deal}",
        start_key=f"ms:{deal}",
        first_moved=moment,
        given_up=given_up,
        light_used=light,
        hint_used=hint,
        most_up=52 if costs else up,
        won_cost=min(costs, default=None),
        alone_cost=alone,
    )


def one(*rows: PlayedRow) -> GameStatistics:
    (found,) = statistics(rows)
    return found


def counts(tally: Tally) -> tuple[int, int, int, int]:
    return tally.played, tally.won, tally.lost, tally.open


def test_nothing_played() -> None:
    assert statistics([]) == []


def test_a_game_in_progress_is_open() -> None:
    found = one(row(1, 1))
    assert counts(found.all) == (1, 0, 0, 1)
    assert found.all.rate is None and found.all.fewest_cost is None and found.all.streak == 0


def test_a_win() -> None:
    found = one(row(1, 1, alone=70))
    assert counts(found.all) == (1, 1, 0, 0) and found.all.rate == 1.0
    assert (found.all.fewest_cost, found.all.fewest_cost_deal) == (70, "ms:1")


def test_given_up_is_lost() -> None:
    assert counts(one(row(1, 1, given_up=True)).all) == (1, 0, 1, 0)


def test_left_for_another_deal_is_lost() -> None:
    found = one(row(1, 1), row(2, 2))
    assert counts(found.all) == (2, 0, 1, 1) and found.all.rate == 0.0


def test_another_game_does_not_leave_it() -> None:
    found = statistics([row(1, 1), row(2, 2, game="fortress"), row(1, 3, game="cruel[redeal.limit=2]")])
    assert [entry.game for entry in found] == ["cruel[redeal.limit=2]", "fortress", "cruel"]
    assert [counts(entry.all) for entry in found] == [(1, 0, 0, 1)] * 3


def test_won_later_makes_it_won() -> None:
    """The first deal was left, and its game was won after all; the costs say so, not the time."""
    assert counts(one(row(1, 1, won=80), row(2, 2)).all) == (2, 1, 0, 1)
    assert counts(one(row(1, 1, given_up=True), row(2, 2), row(1, 3, alone=80)).all) == (2, 1, 0, 1)


def test_begun_again_is_one_deal() -> None:
    found = one(row(1, 1, up=30), row(1, 2, up=12), row(1, 3, up=8))
    assert counts(found.all) == (1, 0, 0, 1)
    assert [bar for bar in found.all.cards_up if bar.count] == [Bar(28, 31, 1)]


def test_begun_again_after_another_deal_stays_lost_until_it_is_won() -> None:
    """One deal has one first move, the earliest of all its games."""
    assert counts(one(row(1, 1), row(2, 2), row(1, 3)).all) == (2, 0, 1, 1)


def test_won_twice_is_one_win() -> None:
    found = one(row(1, 1, alone=90), row(1, 2, alone=80), row(1, 3))
    assert counts(found.all) == (1, 1, 0, 0) and found.all.fewest_cost == 80


@pytest.mark.parametrize(
    ("results", "streak", "longest"),
    [
        ("", 0, 0),
        ("W", 1, 1),
        ("L", 0, 0),
        ("WW", 2, 2),
        ("WWL", 0, 2),
        ("WWLW", 1, 2),
        ("LWWWLWW", 2, 3),
        ("WWO", 2, 2),
        ("WLO", 0, 1),
        ("O", 0, 0),
    ],
)
def test_streaks(results: str, streak: int, longest: int) -> None:
    """W a win, L given up, O open (only the last deal of a game can be that)."""
    rows = [
        row(number, number, alone=50 if result == "W" else None, given_up=result == "L")
        for number, result in enumerate(results)
    ]
    found = one(*rows).all if rows else None
    assert (found.streak, found.longest_streak) == (streak, longest) if found else (streak, longest) == (0, 0)


def test_a_streak_goes_by_first_moves_and_not_by_wins() -> None:
    """Deal 1 was left first and won last; in the row it stands first."""
    assert (
        one(row(1, 1, won=60), row(2, 2, won=60), row(3, 3, given_up=True), row(4, 4, won=60)).all.streak == 1
    )


def test_help_is_counted_apart() -> None:
    found = one(
        row(1, 1, alone=80),
        row(2, 2, won=60, light=True),
        row(3, 3, hint=True),
        row(4, 4, given_up=True),
        row(5, 5, light=True),
    )
    assert counts(found.all) == (5, 2, 2, 1)
    assert counts(found.helped) == (3, 1, 1, 1)
    assert counts(found.alone) == (2, 1, 1, 0)
    assert (found.all.fewest_cost, found.helped.fewest_cost, found.alone.fewest_cost) == (60, 60, 80)
    assert (found.alone.rate, found.helped.rate, found.all.rate) == (0.5, 0.5, 0.5)


def test_a_win_without_help_counts_so_whatever_other_games_of_the_deal_used() -> None:
    found = one(row(1, 1, light=True, hint=True), row(1, 2, alone=80), row(1, 3, won=60, hint=True))
    assert counts(found.alone) == (1, 1, 0, 0) and counts(found.helped) == (0, 0, 0, 0)
    assert (found.alone.fewest_cost, found.all.fewest_cost) == (80, 60)


def test_help_in_any_game_of_a_deal_that_is_not_won() -> None:
    assert counts(one(row(1, 1), row(1, 2, light=True)).helped) == (1, 0, 0, 1)


def test_help_after_the_win_does_not_count() -> None:
    """The store keeps the cost of the win that was reached before."""
    assert counts(one(row(1, 1, alone=80, light=True, hint=True)).alone) == (1, 1, 0, 0)


def test_the_first_of_equal_costs_is_named() -> None:
    assert one(row(2, 2, alone=70), row(1, 3, alone=70), row(3, 1, alone=71)).all.fewest_cost_deal == "ms:2"


def test_boards_count_as_deals() -> None:
    board = replace(ROW, key="b", deal=None, start_key="board:1", won_cost=40, alone_cost=40, first_moved=2.0)
    other = replace(board, key="c", start_key="board:2", won_cost=None, alone_cost=None, first_moved=3.0)
    found = one(ROW, board, other)
    assert counts(found.all) == (3, 1, 1, 1)
    assert (found.all.fewest_cost, found.all.fewest_cost_deal) == (40, None)


def test_bars_cover_all_counts_once() -> None:
    found = one(*(row(number, number, up=number) for number in range(53))).all.cards_up
    assert [bar.low for bar in found] == [*range(0, 52, 4), 52]
    assert [bar.count for bar in found] == [4] * 13 + [1]
    small = one(replace(ROW, cards=16, most_up=16)).all.cards_up
    assert small == (Bar(0, 3, 0), Bar(4, 7, 0), Bar(8, 11, 0), Bar(12, 15, 0), Bar(16, 16, 1))


# What holds for any games

costs = st.one_of(st.none(), st.integers(1, 9))


@st.composite
def any_rows(draw: st.DrawFn) -> list[PlayedRow]:
    rows = []
    for number in range(draw(st.integers(0, 14))):
        alone, helped_cost = draw(costs), draw(costs)
        found = row(
            draw(st.integers(1, 4)),
            float(draw(st.integers(0, 5))),  # equal moments are common
            won=helped_cost,
            alone=alone,
            given_up=draw(st.booleans()),
            light=draw(st.booleans()),
            hint=draw(st.booleans()),
            up=draw(st.integers(0, 51)),
            game=draw(st.sampled_from(["cruel", "fortress"])),
        )
        rows.append(replace(found, key=f"key {number}"))
    return rows


@given(any_rows(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(rows: list[PlayedRow], rng: object) -> None:
    mixed = list(rows)
    rng.shuffle(mixed)  # type: ignore[attr-defined]
    assert statistics(mixed) == statistics(rows)


@given(any_rows())
def test_the_numbers_fit_together(rows: list[PlayedRow]) -> None:
    found = statistics(rows)
    assert {entry.game for entry in found} == {entry.game for entry in rows}
    for entry in found:
        own = [played for played in rows if played.game == entry.game]
        deals = {played.start_key for played in own}
        won = {played.start_key for played in own if played.won_cost is not None}
        assert entry.all.played == len(deals) and entry.all.won == len(won)
        assert entry.all.open <= 1  # only the deal begun last
        for tally in (entry.all, entry.helped, entry.alone):
            assert tally.won + tally.lost + tally.open == tally.played
            assert 0 <= tally.streak <= tally.longest_streak <= tally.won
            assert (tally.rate is None) == (tally.won + tally.lost == 0)
            assert tally.rate is None or tally.rate * (tally.won + tally.lost) == pytest.approx(tally.won)
            assert (tally.fewest_cost is None) == (tally.won == 0)
            assert sum(bar.count for bar in tally.cards_up) == tally.played
            assert tally.cards_up[-1].count >= tally.won
        for name in ("played", "won", "lost", "open"):
            parts = getattr(entry.helped, name) + getattr(entry.alone, name)
            assert parts == getattr(entry.all, name)
        assert entry.all.fewest_cost == min((p.won_cost for p in own if p.won_cost is not None), default=None)
        assert entry.alone.fewest_cost == min(
            (p.alone_cost for p in own if p.alone_cost is not None), default=None
        )


@given(any_rows(), st.integers(1, 4))
def test_a_further_win_adds_at_most_one(rows: list[PlayedRow], deal: int) -> None:
    """Winning a deal again changes no count, winning another one adds it to the won ones."""
    before = {entry.game: entry.all.won for entry in statistics(rows)}.get("cruel", 0)
    is_new = not any(p.game == "cruel" and p.deal == f"ms:{deal}" and p.won_cost is not None for p in rows)
    after = {entry.game: entry.all.won for entry in statistics([*rows, row(deal, 9, alone=5)])}["cruel"]
    assert after == before + is_new
