"""axe finds nothing to complain about: on every page, in every dialog, in both themes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import expect

import crenel
from tests.browser.conftest import NewPlayer
from tests.browser.lines import after, winning_line
from tests.browser.table import SEARCH, Table

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
THEMES = ("light", "dark")
GAMES = [
    "cruel",
    *(pytest.param(game, marks=pytest.mark.slow) for game in ("beleaguered-castle", "selective-castle")),
]
DIALOGS = (
    "games",
    "deal",
    "rules",
    "statistics",
    "played",
    "options",
    "paste",
    "keys",
    "menu",
    "moves",
    "replay",
)


def check(table: Table) -> None:
    """Fails with what axe found."""
    # A colour that is still changing is none that anybody reads.
    table.page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
    results = Axe().run(table.page)
    assert results.response["passes"], "axe checked nothing"
    assert not results.violations_count, results.generate_report()


CONTRAST = """
() => {
  const felt = getComputedStyle(document.querySelector("#table"));
  const probe = document.body.appendChild(document.createElement("i"));
  const parts = (colour) => {
    probe.style.color = colour;
    const numbers = getComputedStyle(probe).color.match(/[\\d.]+/g).map(Number);
    return numbers.length < 4 ? [...numbers, 1] : numbers;
  };
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const felts = ["--felt-light", "--felt", "--felt-deep"].map((name) => parts(felt.getPropertyValue(name)));
  const words = [".pile-number", ".redeal-words p", ".hand-words", ".redeal-place:not(.is-off) span"];
  const result = [];
  for (const element of document.querySelectorAll(words.map((word) => `#table ${word}`).join())) {
    if (!element.textContent || !element.checkVisibility()) continue;
    const [r, g, b, alpha] = parts(getComputedStyle(element).color);
    let opacity = alpha;
    for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const ratios = felts.map((under) => {
      const mixed = [r, g, b].map((part, index) => part * opacity + under[index] * (1 - opacity));
      const [high, low] = [light(mixed), light(under)].sort((one, other) => other - one);
      return (high + 0.05) / (low + 0.05);
    });
    result.push([element.textContent, Math.min(...ratios)]);
  }
  return result;
}
"""


def player(new_player: NewPlayer, theme: str, **more: object) -> Table:
    return new_player(options={"theme": theme}, **more)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", GAMES)
def test_the_table(new_player: NewPlayer, game: str, theme: str) -> None:
    table = player(new_player, theme)
    table.open(f"/{game}/ms:1")
    check(table)
    table.page.set_viewport_size({"width": 390, "height": 844})
    expect(table.page.locator("html")).to_have_attribute("data-layout", "narrow")
    check(table)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", GAMES)
def test_words_on_the_felt_can_be_read(new_player: NewPlayer, game: str, theme: str) -> None:
    """Axe does not judge words over a gradient: they are measured against each of its colours."""
    table = player(new_player, theme)
    table.open(f"/{game}/ms:1")
    found = table.page.evaluate(CONTRAST)
    assert found
    assert not [(words, ratio) for words, ratio in found if ratio < 4.5]


def test_axe_is_awake(table: Table) -> None:
    table.open("/cruel/ms:1")
    table.page.evaluate(
        """() => {
          const button = document.querySelector(".sheets [data-action=options]");
          for (const name of ["aria-label", "title"]) button.removeAttribute(name);
        }"""
    )
    with pytest.raises(AssertionError, match="button-name"):
        check(table)


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("where", ["desktop", "phone"])
def test_every_dialog(new_player: NewPlayer, theme: str, where: str) -> None:
    table = player(new_player, theme, **(PHONE if where == "phone" else {}))
    table.open("/cruel/ms:1")
    table.make(after("cruel", "ms:1"), crenel.parse_move("11-h"), "clicks")
    table.expect(after("cruel", "ms:1", "11-h"))
    for name in DIALOGS:
        if name == "menu":
            table.act("menu")
        else:
            table.act("menu")
            table.dialog.locator(f'[data-action="{name}"]').click()
        opened = table.page.locator(f'dialog[data-dialog="{name}"]')
        expect(opened).to_be_visible()
        expect(opened.locator("[aria-busy]")).to_have_count(0)
        for summary in opened.locator("summary").all():
            summary.click()
        check(table)
        table.page.keyboard.press("Escape")
        expect(table.dialog).to_have_count(0)
    table.act("deal")
    table.dialog.locator('[data-action="give-up"]').click()
    expect(table.page.locator('dialog[data-dialog="give-up"]')).to_be_visible()
    check(table)


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
def test_problems_in_dialogs(new_player: NewPlayer, theme: str) -> None:
    table = player(new_player, theme)
    table.open("/cruel/ms:1")
    table.act("deal")
    table.page.locator("#deal-number").fill("nothing")
    table.page.keyboard.press("Enter")
    expect(table.dialog.locator(".problem")).to_be_visible()
    check(table)
    table.dialog.locator('[data-action="paste"]').click()
    table.page.locator("#paste-text").fill("nothing")
    table.dialog.get_by_role("button", name="Read").click()
    expect(table.page.locator('[data-dialog="paste"] .problem')).to_be_visible()
    check(table)


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
def test_no_game_at_the_address(new_player: NewPlayer, theme: str) -> None:
    table = player(new_player, theme)
    table.watch.allow(r"console error: Failed to load resource: .* 404 .*")
    table.page.goto(f"{table.url}/no-such-game")
    expect(table.page.locator(".problem-panel")).to_be_visible()
    check(table)


def preview(table: Table) -> None:
    table.page.keyboard.press("v")
    expect(table.page.locator("#table.is-preview")).to_be_visible()


def hint(table: Table) -> None:
    table.page.keyboard.press("i")
    expect(table.page.locator("#table .is-hint").first).to_be_visible(timeout=SEARCH)


def blockers(table: Table) -> None:
    table.place("S").click()
    expect(table.page.locator("#table .card.is-chain").first).to_be_visible()


def picked(table: Table) -> None:
    table.place(11).focus()
    table.page.keyboard.press("Enter")
    expect(table.place(11)).to_have_attribute("aria-pressed", "true")


def refused(table: Table) -> None:
    table.make(after("cruel", "ms:9"), crenel.parse_move("1-2"), "clicks")
    expect(table.notice).to_be_visible()


def lost(table: Table) -> None:
    position = after("cruel", "ms:9")
    for move in crenel.parse_moves("5-h 2-h R 3-h R"):
        table.make(position, move, "clicks")
        position.push(move)
        table.expect(position)
    expect(table.page.locator('#notice [data-action="go-back"]')).to_be_visible(timeout=SEARCH)


@pytest.mark.slow
@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("show", [preview, hint, blockers, picked, refused, lost])
def test_what_the_table_says(new_player: NewPlayer, show: Callable[[Table], None], theme: str) -> None:
    table = player(new_player, theme)
    table.open("/cruel/ms:9")
    table.expect_light("winnable")
    show(table)
    check(table)


@pytest.mark.slow
@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("theme", THEMES)
def test_a_won_game(new_player: NewPlayer, theme: str) -> None:
    table = player(new_player, theme)
    table.open("/cruel/ms:2")
    position = after("cruel", "ms:2")
    for move in winning_line("cruel", "ms:2"):
        table.make(position, move, "drag")
        position.push(move)
        table.expect(position)
    expect(table.page.locator(".panel.win")).to_be_visible()
    check(table)
    table.act("statistics")
    expect(table.dialog.locator("[data-figure]").first).to_be_visible()
    for summary in table.dialog.locator("summary").all():
        summary.click()
    check(table)


@pytest.mark.slow
@pytest.mark.parametrize("deck", ["two", "four"])
@pytest.mark.parametrize("theme", THEMES)
def test_high_contrast(new_player: NewPlayer, theme: str, deck: str) -> None:
    table = new_player(options={"theme": theme, "contrast": True, "deck": deck})
    table.open("/cruel/ms:1")
    check(table)
    table.act("options")
    check(table)
