"""Play by touch on a phone, and tables that fit into their window without scrolling."""

from __future__ import annotations

import pytest
from playwright.sync_api import TimeoutError as TooLate
from playwright.sync_api import expect

import crenel
from tests.browser.conftest import NewPlayer
from tests.browser.lines import after, winning_line
from tests.browser.table import SEARCH, Table

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# One game of each arrangement is enough where time is short; the slow tests take them all.
QUICK = ("cruel", "beleaguered-castle", "selective-castle")
WINDOWS = [(1280, 720), (1920, 1080), (390, 844), (320, 568), (844, 390)]


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize(
    ("game", "deal"), [pytest.param("beleaguered-castle", "ms:24", marks=pytest.mark.slow), ("cruel", "ms:1")]
)
def test_play_by_touch(new_player: NewPlayer, game: str, deal: str) -> None:
    table = new_player(**PHONE)
    table.open(f"/{game}/{deal}")
    position = after(game, deal)
    for number, move in enumerate(winning_line(game, deal)[:24]):
        table.make(position, move, "touch" if number % 2 else "touch drag")
        position.push(move)
        table.expect(position)
    table.page.locator('[data-action="undo"]:visible').tap()
    position.pop()
    table.expect(position)
    assert table.record().moves == position.moves


def test_a_double_tap_plays_to_the_foundation(new_player: NewPlayer) -> None:
    table = new_player(**PHONE)
    table.open("/cruel/ms:1")
    position = after("cruel", "ms:1")
    move = crenel.parse_move("11-h")
    point = table.point(table.ends(position, move)[0])
    table.press(point, "touch")
    table.press(point, "touch")
    position.push(move)
    table.expect(position)


@pytest.mark.slow
def test_the_whole_page_can_be_reached_on_a_phone(new_player: NewPlayer) -> None:
    table = new_player(**PHONE)
    table.open("/cruel/ms:1")
    table.page.locator('[data-action="menu"]:visible').tap()
    for action in ("rules", "statistics", "options", "played", "keys"):
        table.dialog.locator(f'[data-action="{action}"]').tap()
        expect(table.page.locator(f'dialog[data-dialog="{action}"]')).to_be_visible()
        table.dialog.locator('[data-action="close"]').tap()
        expect(table.dialog).to_have_count(0)
        table.page.locator('[data-action="menu"]:visible').tap()


OVERFLOW = """
() => {
  const wide = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    scrollWidth > clientWidth || scrollHeight > clientHeight;
  const table = document.getElementById("table");
  const felt = table.getBoundingClientRect();
  const things = [...document.querySelectorAll("#table [data-card], #table .place:not([hidden])")];
  const outside = things.filter((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return left < felt.left - 1 || right > felt.right + 1 || top < felt.top - 1 || bottom > felt.bottom + 1;
  });
  return {
    page: wide(document.documentElement) || wide(document.body),
    table: wide(table),
    outside: outside.map((element) => element.dataset.card ?? element.className),
    felt: felt.top >= 0 && felt.bottom <= innerHeight && felt.left >= 0 && felt.right <= innerWidth,
  };
}
"""
FITS = {"page": False, "table": False, "outside": [], "felt": True}


def expect_fits(table: Table) -> None:
    """Waits until the table is drawn for its window: nothing scrolls, and every card and place is on the felt."""
    try:
        table.page.wait_for_function(
            f"(wanted) => JSON.stringify(({OVERFLOW})()) === JSON.stringify(wanted)", arg=FITS, timeout=5_000
        )
    except TooLate:
        assert table.page.evaluate(OVERFLOW) == FITS, table.page.viewport_size
        raise


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=() if game in QUICK else pytest.mark.slow) for game in crenel.GAMES],
)
def test_each_game_fits_into_each_window(table: Table, game: str) -> None:
    table.open(f"/{game}/ms:1")
    for width, height in WINDOWS:
        table.page.set_viewport_size({"width": width, "height": height})
        table.expect(after(game, "ms:1"))
        expect_fits(table)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["cruel", "beleaguered-castle"])
def test_it_fits_in_the_midst_of_a_game(table: Table, game: str) -> None:
    """Where piles have grown long."""
    position = after(game, "ms:24")
    moves: list[crenel.Move] = []
    # Onto the longest pile that takes a card, as long as there is one.
    for _ in range(40):
        choices = [move for move in position.legal_moves if move.is_tableau]
        if not choices:
            break
        longest = max(choices, key=lambda move: len(position.piles[move.target]))
        if len(position.piles[longest.target]) <= len(position.piles[longest.source]) and moves:
            break
        position.push(longest)
        moves.append(longest)
    assert moves
    table.open(f"/{game}/ms:24")
    position = after(game, "ms:24")
    for move in moves:
        table.make(position, move, "clicks")
        position.push(move)
        table.expect(position)
    for width, height in WINDOWS:
        table.page.set_viewport_size({"width": width, "height": height})
        table.expect(position)
        expect_fits(table)


@pytest.mark.slow
def test_with_zoom_it_can_still_be_played(new_player: NewPlayer) -> None:
    """At 200 % a window of 1280×720 has room for half as many pixels of the page."""
    table = new_player(viewport={"width": 640, "height": 360}, device_scale_factor=2)
    table.open("/cruel/ms:1")
    position = after("cruel", "ms:1")
    expect_fits(table)
    for move in crenel.parse_moves("11-h 10-8 10-h 7-8 R 2-10"):
        table.make(position, move, "drag")
        position.push(move)
        table.expect(position)
    for action in ("deal", "rules", "options"):
        if not table.page.locator(f'.bar [data-action="{action}"]:visible').count():
            table.act("menu")
            table.dialog.locator(f'[data-action="{action}"]').click()
        else:
            table.act(action)
        opened = table.page.locator(f'dialog[data-dialog="{action}"]')
        expect(opened.locator("h2")).to_be_in_viewport()
        table.page.keyboard.press("Escape")


COVERED = """
() => {
  const seen = (element) => element.checkVisibility() && element.getClientRects().length > 0;
  const buttons = [...document.querySelectorAll(".bar button")].filter(seen);
  const covered = buttons.filter((button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const y = (top + bottom) / 2;
    return [left + 3, (left + right) / 2, right - 3].some((x) => !button.contains(document.elementFromPoint(x, y)));
  });
  const words = [...document.querySelectorAll("#light-words, #counts > span")].filter(seen);
  const cut = words.filter((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    for (let at = element; at !== document.body; at = at.parentElement) {
      if (at.scrollWidth > at.clientWidth + 1 && getComputedStyle(at).display !== "inline") return true;
    }
    const y = (top + bottom) / 2;
    return [left + 2, right - 2].some((x) => {
      const found = document.elementFromPoint(x, y);
      return !found || !(element.contains(found) || found.contains(element));
    });
  });
  return [...covered.map((button) => button.dataset.action), ...cut.map((element) => element.textContent)];
}
"""


@pytest.mark.slow
@pytest.mark.usefixtures("solver")
def test_the_bars_have_room(table: Table) -> None:
    """No button lies over another one, and no word of the light or the counts is cut."""
    for game, deal in (
        ("beleaguered-castle", "ms:24"),
        ("selective-castle", "ms:1"),
        ("cruel-aisleriot", "ms:1"),
    ):
        table.open(f"/{game}/{deal}")
        light = table.page.locator('#light:is([data-phase="known"], [data-phase="open"])')
        expect(light).to_be_visible(timeout=SEARCH)
        for width, height in WINDOWS:
            table.page.set_viewport_size({"width": width, "height": height})
            expect_fits(table)
            wrong = table.page.evaluate(COVERED)
            assert not wrong, (game, width, height, wrong)
