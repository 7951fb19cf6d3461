"""Boards, games and lines that are pasted; games that are copied."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import crenel
from tests.browser.conftest import NewPlayer
from tests.browser.lines import after, winning_line
from tests.browser.table import Table

GAME, DEAL = "cruel", "ms:1"


def paste(table: Table, text: str) -> None:
    table.page.locator('[data-action="deal"]:visible').click()
    table.dialog.locator('[data-action="paste"]').click()
    table.page.locator("#paste-text").fill(text)
    table.dialog.get_by_role("button", name="Read").click()


def test_a_pasted_board_begins_a_game(table: Table) -> None:
    table.open(f"/{GAME}/{DEAL}")
    position = after(GAME, "ms:24", "10-h R")
    paste(table, crenel.format_board(position))
    table.expect(position)
    expect(table.page.locator("#deal-name")).to_have_text("from a board")
    # It has an address, which keeps it.
    move = position.legal_moves[0]
    table.make(position, move, "clicks")
    position.push(move)
    table.expect(position)
    assert "/board/" in table.page.url
    table.page.reload()
    table.wait_for_cards()
    table.expect(position)
    # The text that has been read is not in the way the next time.
    table.act("deal")
    table.dialog.locator('[data-action="paste"]').click()
    expect(table.page.locator("#paste-text")).to_have_value("")


@pytest.mark.slow
def test_a_pasted_record_goes_on_where_it_ended(table: Table) -> None:
    table.open(f"/{GAME}/{DEAL}")
    position = after("beleaguered-castle", "ms:24", "6-h 8-6 7-8")
    record = crenel.make_record(position, deal="ms:24")
    paste(table, crenel.format_record(record))
    table.expect(position)
    expect(table.page.locator("#game-title")).to_have_text("Beleaguered Castle")
    table.page.keyboard.press("u")
    position.pop()
    table.expect(position)


@pytest.mark.slow
@pytest.mark.usefixtures("solver")
def test_a_pasted_solution_is_shown_as_a_replay(table: Table) -> None:
    table.open(f"/{GAME}/{DEAL}")
    line = winning_line(GAME, DEAL)
    paste(table, crenel.format_moves(line))
    pane = table.dialog.locator('[data-replay="pasted"]')
    expect(pane.locator("h3")).to_contain_text("It wins")
    expect(pane.locator(".replay-moves li")).to_have_count(len(line) + 1)
    pane.locator('[data-step="last"]').click()
    expect(pane.locator(".replay-words")).to_contain_text(f"{len(line)} of {len(line)}:")
    # It shows how it goes; the game on the table is the player's own.
    table.page.keyboard.press("Escape")
    table.expect(after(GAME, DEAL))


@pytest.mark.parametrize(
    "garbage",
    [
        "this is no game",
        "Foundations: C-A\nJD QC QH 6D 6D",
        '{"format": "crenel-game", "version": 1}',
        "1-2 R 99-h",
    ],
)
def test_what_cannot_be_read_is_said_and_kept(table: Table, garbage: str) -> None:
    table.open(f"/{GAME}/{DEAL}")
    paste(table, garbage)
    problem = table.dialog.locator(".problem")
    expect(problem).to_be_visible()
    sentence = problem.inner_text()
    assert sentence.endswith(".") and "\n" not in sentence and "Traceback" not in sentence
    field = table.page.locator("#paste-text")
    expect(field).to_have_value(garbage)
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    # The text is still there when the dialog is opened again, and the game is as it was.
    table.page.keyboard.press("Escape")
    table.expect(after(GAME, DEAL))
    table.act("deal")
    table.dialog.locator('[data-action="paste"]').click()
    expect(field).to_have_value(garbage)


def test_a_copied_game_can_be_pasted_by_another_player(new_player: NewPlayer) -> None:
    one, other = new_player(permissions=["clipboard-read", "clipboard-write"]), new_player()
    one.open(f"/{GAME}/{DEAL}")
    position = after(GAME, DEAL)
    for move in crenel.parse_moves("11-h 10-8 10-h 7-8 R 2-10"):
        one.make(position, move, "clicks")
        position.push(move)
        one.expect(position)
    one.act("deal")
    one.dialog.locator('[data-action="copy-game"]').click()
    expect(one.notice).to_contain_text("The game was copied as text")
    text = one.page.evaluate("navigator.clipboard.readText()")
    assert crenel.parse_record(text).moves == position.moves
    other.open("/beleaguered-castle/ms:1")
    paste(other, text)
    other.expect(position)
    for _ in range(2):
        other.page.keyboard.press("u")
        position.pop()
        other.expect(position)


@pytest.mark.slow
def test_without_a_clipboard_the_text_is_shown(table: Table) -> None:
    # A page that may not use the clipboard, as on a server without TLS.
    table.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    table.open(f"/{GAME}/{DEAL}")
    table.act("deal")
    table.dialog.locator('[data-action="copy-game"]').click()
    field = table.page.locator("#copy-text")
    expect(field).to_be_focused()
    assert crenel.parse_record(field.input_value()).deal == DEAL
