"""Undo and redo, also across redeals; the preview of the redeal; many moves in a moment."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import crenel
from tests.browser.lines import after, winning_line
from tests.browser.table import Drawn, Table

GAME, DEAL = "cruel", "ms:1"
UNTIL_REDEALT = "11-h 10-8 10-h 7-8 R 2-10 7-12"


def play(table: Table, moves: str) -> crenel.Position:
    """Plays the first moves of the deal by clicks."""
    table.open(f"/{GAME}/{DEAL}")
    position = after(GAME, DEAL)
    for move in crenel.parse_moves(moves):
        table.make(position, move, "clicks")
        position.push(move)
        table.expect(position)
    return position


def test_undo_across_a_redeal_and_redo(table: Table) -> None:
    position = play(table, UNTIL_REDEALT)
    taken = []
    for press in ("u", "Control+z", "button", "u", "u", "u", "u"):
        if press == "button":
            table.act("undo")
        else:
            table.page.keyboard.press(press)
        taken.append(position.pop())
        table.expect(position)
    assert crenel.REDEAL in taken
    assert not position.moves
    expect(table.page.locator('#tools [data-action="undo"]')).to_have_attribute("aria-disabled", "true")
    table.page.keyboard.press("u")  # nothing is left, and nothing happens
    for press in ("y", "Control+Shift+z", "button", "y", "y", "y", "y"):
        if press == "button":
            table.act("redo")
        else:
            table.page.keyboard.press(press)
        position.push(taken.pop())
        table.expect(position)
    expect(table.page.locator('#tools [data-action="redo"]')).to_have_attribute("aria-disabled", "true")
    assert table.record().moves == position.moves


@pytest.mark.slow
def test_undo_in_a_hurry_and_another_way_from_there(table: Table) -> None:
    position = play(table, UNTIL_REDEALT)
    for _ in range(4):
        table.page.keyboard.press("u")
        position.pop()
    table.expect(position)
    # Another move instead: what was undone is gone.
    other = next(move for move in position.legal_moves if move != crenel.parse_move("7-8"))
    table.make(position, other, "clicks")
    position.push(other)
    table.expect(position)
    expect(table.page.locator('#tools [data-action="redo"]')).to_have_attribute("aria-disabled", "true")
    assert table.record().moves == position.moves


def expect_previewed(table: Table, position: crenel.Position) -> Drawn:
    """The table shows how it will be dealt, unmistakably as a preview; returns what is drawn."""
    expect(table.page.locator("#table")).to_have_class("felt is-preview")
    table.expect(position.redealt(), heard=position)
    return table.drawn()


def test_the_preview_equals_what_the_redeal_does(table: Table) -> None:
    position = play(table, "11-h 10-8 10-h 7-8")
    table.page.keyboard.down("r")
    previewed = expect_previewed(table, position)
    old = {pile[-1] for pile in position.piles if pile}
    fresh = {crenel.card_name(pile[-1]) for pile in position.redealt().piles if pile and pile[-1] not in old}
    marked = table.page.locator("#table .card.is-fresh")
    assert {card.get_attribute("data-card") for card in marked.all()} == fresh
    table.page.keyboard.up("r")
    expect(table.page.locator("#table")).not_to_have_class("felt is-preview")
    table.expect(position)  # a look changes nothing
    assert table.record().moves == position.moves
    table.page.keyboard.press("r")
    position.push(crenel.REDEAL)
    table.expect(position)
    table.expect(previewed)


@pytest.mark.parametrize("way", ["eye", pytest.param("key", marks=pytest.mark.slow)])
def test_the_preview_follows_the_move_that_is_considered(table: Table, way: str) -> None:
    position = play(table, "11-h")
    if way == "eye":
        table.place("preview").click()
    else:
        table.page.keyboard.press("v")
    expect_previewed(table, position)
    move = crenel.parse_move("10-8")
    considered = position.copy()
    considered.push(move)
    redealt = considered.redealt()
    # While a card is held the table is shown as it is; over a target, as the redeal would deal it after that move.
    if way == "eye":
        seen = crenel.card_name(position.redealt().piles[move.source][-1])
        table.page.mouse.click(*table.point(f'[data-card="{seen}"]'))
        table.expect(position)
        table.page.mouse.move(*table.point(table.ends(position, move)[1]))
    else:
        table.place(1).focus()
        table.walk(move.source + 1)
        table.page.keyboard.press("Enter")
        table.expect(position)
        table.walk(move.target + 1)
    table.expect(redealt, heard=position)
    previewed = table.drawn()
    if way == "eye":  # pressed where the mouse is, whatever lies there in the preview
        table.page.mouse.down()
        table.page.mouse.up()
    else:
        table.page.keyboard.press("Enter")
    # The move is made, and the preview, which is still on, is that of the new position.
    expect_previewed(table, considered)
    table.page.keyboard.press("v")
    table.expect(considered)
    table.place("redeal").click()
    considered.push(crenel.REDEAL)
    table.expect(considered)
    table.expect(previewed)


def test_twenty_moves_by_keys_without_waiting(table: Table) -> None:
    game, deal = "beleaguered-castle", "ms:24"
    line = winning_line(game, deal)[:20]
    position = after(game, deal)
    table.open(f"/{game}/{deal}")
    table.expect(position)
    for move in line:
        table.page.keyboard.press(str(move.source + 1))
        table.page.keyboard.press("f" if move.is_foundation else str(move.target + 1))
        position.push(move)
    table.expect(position)
    assert table.record().moves == tuple(line)


def test_a_double_click_is_one_move(table: Table) -> None:
    table.open(f"/{GAME}/{DEAL}")
    position = after(GAME, DEAL)
    move = crenel.parse_move("11-h")
    table.page.mouse.dblclick(*table.point(table.ends(position, move)[0]))
    position.push(move)
    table.expect(position)
    # The card that lies there now may not go up: a second move would be refused, a first press only picks it up.
    assert table.record().moves == (move,)
    # Pressed three times in a row: one move, and the next card is at most picked up.
    table.page.keyboard.press("u")
    position.pop()
    table.expect(position)
    table.page.mouse.click(*table.point(table.ends(position, move)[0]), click_count=3)
    position.push(move)
    table.expect(position)
    assert table.record().moves == (move,)


@pytest.mark.slow
def test_a_double_click_on_the_redeal_is_one_redeal(table: Table) -> None:
    position = play(table, "11-h 10-8")
    table.page.mouse.dblclick(*table.point("[data-redeal]"))
    position.push(crenel.REDEAL)
    table.expect(position)
    table.expect_count("redeals", "redeals 1")
    assert table.record().moves == position.moves


@pytest.mark.slow
def test_a_figure_and_then_enter(table: Table) -> None:
    """With twelve piles a 1 may become 10, 11 or 12; whatever follows otherwise means pile 1, and picks it up once."""
    position = play(table, "")
    table.page.keyboard.press("1")
    table.page.keyboard.press("Enter")
    expect(table.place(1)).to_have_attribute("aria-pressed", "true")
    table.page.keyboard.press("Escape")
    table.expect(position)
    # Two figures quickly: pile 11, whose card goes up.
    table.page.keyboard.press("1")
    table.page.keyboard.press("1")
    table.page.keyboard.press("f")
    position.push(crenel.parse_move("11-h"))
    table.expect(position)
    # With Shift in one stroke: pile 10, onto pile 8.
    table.page.keyboard.press("Shift+Digit0")
    table.page.keyboard.press("8")
    position.push(crenel.parse_move("10-8"))
    table.expect(position)
    assert table.record().moves == position.moves
