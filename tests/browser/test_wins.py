"""Whole games, won by drag, by clicks and by keys alone, with every position checked as it is drawn."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import crenel
from tests.browser.conftest import NewPlayer
from tests.browser.lines import winning_line
from tests.browser.table import Table, Way

CASTLE = ("beleaguered-castle", "ms:24")
CRUEL = ("cruel", "ms:1")

pytestmark = pytest.mark.usefixtures("solver")


def expect_won(table: Table, position: crenel.Position) -> None:
    """The win is shown with its cost, was heard, and is kept."""
    assert position.is_won
    panel = table.page.locator(".panel.win")
    expect(panel).to_be_visible()
    expect(panel.locator('[data-win="cost"]')).to_have_text(str(position.cost))
    table.expect_count("up", "cards up 52 / 52")
    record = table.record()
    assert record.moves == position.moves


def win_by_pointer(table: Table, game: str, deal: str, way: Way) -> None:
    line = winning_line(game, deal)
    position = crenel.deal(crenel.find_game(game), deal)
    table.open(f"/{game}/{deal}")
    table.expect(position)
    for move in line:
        table.make(position, move, way)
        position.push(move)
        table.expect(position)
    expect_won(table, position)


@pytest.mark.parametrize(("game", "deal"), [pytest.param(*CASTLE, marks=pytest.mark.slow), CRUEL])
def test_won_by_drag(table: Table, game: str, deal: str) -> None:
    win_by_pointer(table, game, deal, "drag")


@pytest.mark.slow
@pytest.mark.parametrize(("game", "deal"), [CASTLE, CRUEL])
def test_won_by_clicks(table: Table, game: str, deal: str) -> None:
    win_by_pointer(table, game, deal, "clicks")


@pytest.mark.parametrize(("game", "deal"), [CASTLE, pytest.param(*CRUEL, marks=pytest.mark.slow)])
def test_won_by_keys_alone(table: Table, game: str, deal: str) -> None:
    line = winning_line(game, deal)
    position = crenel.deal(crenel.find_game(game), deal)
    table.open(f"/{game}/{deal}")
    keyboard = table.page.keyboard
    # From the top of the page, as the keyboard comes to it: the first stop leads past the bar to the table.
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(table.place(1)).to_be_focused()
    for move in line:
        if move.is_redeal:
            keyboard.press("r")
        elif len(position.piles) < 10:  # by numbers
            keyboard.press(str(move.source + 1))
            keyboard.press("f" if move.is_foundation else str(move.target + 1))
        else:  # by arrows
            table.walk(move.source + 1)
            keyboard.press("f" if move.is_foundation else "Enter")
            if not move.is_foundation:
                table.walk(move.target + 1)
                keyboard.press("Enter")
        position.push(move)
        table.expect(position)
    expect_won(table, position)
    # The focus goes to the panel of the win, and from there on to the next deal.
    expect(table.page.locator("#win-title")).to_be_focused()


@pytest.mark.slow
def test_won_with_full_animation(new_player: NewPlayer) -> None:
    win_by_pointer(new_player(options={"animation": "full"}), *CRUEL, "drag")


def test_the_lines_hold_what_they_should_show() -> None:
    assert crenel.REDEAL in winning_line(*CRUEL)
    assert {move.is_foundation for move in winning_line(*CASTLE)} == {True, False}
