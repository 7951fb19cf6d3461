"""Selective Castle: the cards are placed by hand before the play begins."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import crenel
from tests.browser.conftest import NewPlayer
from tests.browser.lines import after
from tests.browser.table import Table, Way

GAME, DEAL = "selective-castle", "ms:1"


def begin(table: Table) -> crenel.Position:
    table.open(f"/{GAME}/{DEAL}")
    position = after(GAME, DEAL)
    assert position.hand
    table.expect(position)
    return position


def next_placing(position: crenel.Position) -> crenel.Move:
    """Places the next card on the row with the fewest cards."""
    moves = [move for move in position.legal_moves if move.is_placing]
    return min(moves, key=lambda move: (len(position.piles[move.target]), move.target))


@pytest.mark.slow
def test_all_cards_placed_by_click(table: Table) -> None:
    position = begin(table)
    while position.hand:
        # The next card is as good as picked up: each row that has room shows that it takes it.
        open_rows = {move.target + 1 for move in position.legal_moves if move.is_placing}
        lit = table.page.locator("#table [data-pile].is-legal")
        expect(lit).to_have_count(len(open_rows))
        assert {int(row.get_attribute("data-pile") or 0) for row in lit.all()} == open_rows
        move = next_placing(position)
        table.press(table.point(table.ends(position, move)[1]))
        position.push(move)
        table.expect(position)
    expect(table.place("hand")).to_be_hidden()
    # From here on it is a Castle like others.
    move = position.legal_moves[0]
    table.make(position, move, "clicks")
    position.push(move)
    table.expect(position)
    assert table.record().moves == position.moves


def test_undo_takes_a_placed_card_back(table: Table) -> None:
    position = begin(table)
    for _ in range(3):
        move = next_placing(position)
        table.press(table.point(table.ends(position, move)[1]))
        position.push(move)
        table.expect(position)
    for _ in range(3):
        table.act("undo")
        position.pop()
        table.expect(position)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["drag", "keys"])
def test_cards_placed_otherwise(table: Table, way: Way) -> None:
    position = begin(table)
    for _ in range(6):
        move = next_placing(position)
        if way == "drag":
            table.make(position, move, way)
        else:
            table.page.keyboard.press(str(move.target + 1))
        position.push(move)
        table.expect(position)


def test_a_full_row_says_why_it_takes_no_more(table: Table) -> None:
    position = begin(table)
    sizes = position.game.piles.sizes
    for _ in range(sizes[0]):
        move = crenel.parse_move("d-1")
        table.page.keyboard.press("1")
        position.push(move)
        table.expect(position)
    refused = position.why_not(crenel.parse_move("d-1"))
    assert refused
    table.page.keyboard.press("1")
    expect(table.notice).to_contain_text(refused, ignore_case=True)
    table.expect(position)


@pytest.mark.slow
def test_cards_placed_by_touch(new_player: NewPlayer) -> None:
    table = new_player(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    position = begin(table)
    for way in ("touch", "touch drag") * 3:
        move = next_placing(position)
        if way == "touch":
            table.press(table.point(table.ends(position, move)[1]), way)
        else:
            table.make(position, move, "touch drag")
        position.push(move)
        table.expect(position)
