"""The page around the table: deals, rules, statistics, options, refusals, and the focus."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

import crenel
from tests.browser.conftest import NewPlayer
from tests.browser.lines import after, verdict, winning_line
from tests.browser.table import SEARCH, Table


def play(table: Table, position: crenel.Position, moves: str) -> None:
    for move in crenel.parse_moves(moves):
        table.make(position, move, "clicks")
        position.push(move)
        table.expect(position)


@pytest.mark.slow
def test_the_first_visit_begins_a_deal_of_cruel(table: Table) -> None:
    table.open("/")
    expect(table.page.locator("#game-title")).to_have_text("Cruel")
    expect(table.page).to_have_url(re.compile(rf"{re.escape(table.url)}/cruel/ms:\d+"))
    deal = table.page.url.rpartition("/")[2]
    table.expect(after("cruel", deal))
    expect(table.page).to_have_title(f"Cruel, {deal} – crenel")


def test_a_number_is_entered(table: Table) -> None:
    table.open("/cruel/ms:1")
    table.page.keyboard.press("n")
    field = table.page.locator("#deal-number")
    expect(field).to_be_focused()
    field.fill("pysol:24")
    table.page.keyboard.press("Enter")
    table.expect(after("cruel", "pysol:24"))
    expect(table.page).to_have_url(f"{table.url}/cruel/pysol:24")
    expect(table.dialog).to_have_count(0)


@pytest.mark.slow
def test_a_number_that_names_no_deal(table: Table) -> None:
    table.open("/cruel/ms:1")
    table.act("deal")
    field = table.page.locator("#deal-number")
    field.fill("ms:nothing")
    table.page.keyboard.press("Enter")
    problem = table.dialog.locator(".problem")
    expect(problem).to_contain_text("nothing")
    expect(field).to_have_value("ms:nothing")
    expect(field).to_be_focused()
    table.page.keyboard.press("Escape")
    table.expect(after("cruel", "ms:1"))


@pytest.mark.slow
def test_next_previous_and_random(table: Table) -> None:
    table.open("/beleaguered-castle/ms:24")
    for which, deal in (("next", "ms:25"), ("previous", "ms:24")):
        table.act("deal")
        table.dialog.locator(f'[data-find="{which}"]').click()
        table.expect(after("beleaguered-castle", deal))
        expect(table.dialog).to_have_count(0)
    table.act("deal")
    table.dialog.locator('[data-find="random"]').click()
    expect(table.page).not_to_have_url(f"{table.url}/beleaguered-castle/ms:24")
    table.expect(after("beleaguered-castle", table.page.url.rpartition("/")[2]))


@pytest.mark.slow
@pytest.mark.usefixtures("solver")
def test_only_winnable_deals(table: Table) -> None:
    game = "beleaguered-castle"
    numbers = (
        number for number in range(3, 30) if verdict(after(game, f"ms:{number}")) is crenel.Verdict.WINNABLE
    )
    wanted = next(numbers)
    assert verdict(after(game, "ms:3")) is crenel.Verdict.UNWINNABLE
    table.open(f"/{game}/ms:2")
    table.act("deal")
    table.dialog.locator("#only-winnable").check()
    table.dialog.locator('[data-find="next"]').click()
    expect(table.page).to_have_url(f"{table.url}/{game}/ms:{wanted}", timeout=SEARCH)
    table.expect(after(game, f"ms:{wanted}"))


@pytest.mark.slow
def test_a_deal_is_begun_again(table: Table) -> None:
    table.open("/cruel/ms:1")
    old, fresh = after("cruel", "ms:1"), after("cruel", "ms:1")
    play(table, old, "11-h 10-8")
    table.act("deal")
    table.dialog.locator('[data-action="again"]').click()
    table.expect(fresh)
    # What was begun last is what the address shows.
    table.page.reload()
    table.wait_for_cards()
    table.expect(fresh)
    play(table, fresh, "11-h")
    # The game that was left is still there, in the list of games.
    table.act("menu")
    table.dialog.locator('[data-action="played"]').click()
    games = table.dialog.locator("[data-open]")
    expect(games).to_have_count(2)
    games.last.click()
    table.expect(old)


@pytest.mark.slow
def test_another_game_is_chosen(table: Table) -> None:
    table.open("/cruel/ms:1")
    table.act("games")
    expect(table.dialog.locator("[data-game]")).to_have_count(len(list(crenel.GAMES)))
    # The game that is called so comes before those that are only compared with it.
    table.page.locator("#games-search").fill("streets")
    expect(table.dialog.locator("[data-game]").first).to_have_attribute("data-game", "streets-and-alleys")
    table.page.keyboard.press("Enter")
    expect(table.page.locator("#game-title")).to_have_text("Streets and Alleys")
    table.expect(after("streets-and-alleys", table.page.url.rpartition("/")[2]))


def test_a_rule_is_changed(table: Table) -> None:
    table.open("/cruel/ms:1")
    table.act("rules")
    expect(table.dialog.locator("h2")).to_have_text("Rules of Cruel")
    assert table.dialog.locator(".sheet-section").count() > 3
    table.dialog.locator("summary").click()
    field = table.dialog.locator('[name="redeal.limit"]')
    field.fill("many")
    table.dialog.get_by_role("button", name="Play it with this deal").click()
    expect(table.dialog.locator(".problem")).to_contain_text("many")
    field.fill("2")
    table.dialog.get_by_role("button", name="Play it with this deal").click()
    expect(table.page).to_have_url(f"{table.url}/cruel/ms:1?redeal.limit=2")
    table.expect_count("redeals", "redeals 0, 2 left")


@pytest.mark.slow
def test_the_address_of_a_variant(table: Table) -> None:
    table.open("/cruel/ms:1?redeal.limit=2")
    position = crenel.deal(crenel.find_game("cruel").with_rules({"redeal.limit": "2"}), "ms:1")
    for left, moves in ((1, "11-h 10-8 R"), (0, None)):
        chosen = crenel.parse_moves(moves) if moves else [*card_move(position), crenel.REDEAL]
        for move in chosen:
            table.make(position, move, "clicks")
            position.push(move)
            table.expect(position)
        table.expect_count("redeals", f"redeals {position.redeals}, {left} left")
    for move in card_move(position):
        table.make(position, move, "clicks")
        position.push(move)
        table.expect(position)
    # None is left: the sentence says so, and nothing changes.
    refused = position.why_not(crenel.REDEAL)
    assert refused
    table.page.keyboard.press("r")
    expect(table.notice).to_contain_text(refused, ignore_case=True)
    table.expect(position)


def card_move(position: crenel.Position) -> list[crenel.Move]:
    return [next(move for move in position.legal_moves if not move.is_redeal)]


@pytest.mark.parametrize("way", ["drag", pytest.param("clicks", marks=pytest.mark.slow)])
def test_an_illegal_drop_says_why(new_player: NewPlayer, way: str) -> None:
    table = new_player(options={"animation": "full"})
    table.open("/cruel/ms:1")
    position = after("cruel", "ms:1")
    table.expect(position)
    move = crenel.parse_move("1-2")
    refused = position.why_not(move)
    assert refused
    if way == "drag":
        table.make(position, move, "drag")
    else:
        table.make(position, move, "clicks")
    expect(table.notice).to_contain_text(refused, ignore_case=True)
    table.expect_said(refused[1:])
    table.expect(position)  # it has slid back
    assert table.notice.inner_text().endswith(".")
    expect(table.page.locator("#table .is-dragging, #table .is-dragged")).to_have_count(0)


@pytest.mark.slow
def test_a_card_let_go_over_nothing_slides_back(table: Table) -> None:
    table.open("/cruel/ms:1")
    position = after("cruel", "ms:1")
    source = table.point('[data-card="2H"]')
    table.drag(source, (640, 100))
    table.expect(position)
    # Let go outside of the table, and with Esc while it is held.
    table.drag(source, (640, 715))
    table.expect(position)
    mouse = table.page.mouse
    mouse.move(*source)
    mouse.down()
    mouse.move(*table.point('[data-foundation="H"]'), steps=5)
    table.page.keyboard.press("Escape")
    table.expect(position)
    mouse.up()
    table.expect(position)
    assert not table.page.context.request.get(f"{table.url}/api/played").json()["games"]


@pytest.mark.slow
@pytest.mark.usefixtures("solver")
def test_statistics_of_a_won_and_a_given_up_game(table: Table) -> None:
    game = "cruel"
    position = after(game, "ms:2")
    table.open(f"/{game}/ms:2")
    for move in winning_line(game, "ms:2"):
        table.make(position, move, "drag")
        position.push(move)
        table.expect(position)
    table.page.locator('.panel.win [data-action="next"]').click()
    position_next = after(game, "ms:3")
    table.expect(position_next)
    # Looking at a deal is not playing it.
    figures = statistics(table)
    assert figures == {
        "played": "1",
        "won": "1",
        "lost": "0",
        "open": "0",
        "streak": "1",
        "longest-streak": "1",
    }
    table.expect_light("winnable")
    move = position_next.legal_moves[0]
    table.make(position_next, move, "clicks")
    position_next.push(move)
    table.expect(position_next)
    assert statistics(table)["open"] == "1"
    table.act("deal")
    table.dialog.locator('[data-action="give-up"]').click()
    table.page.locator('[data-action="confirm-give-up"]').click()
    expect(table.notice).to_contain_text("You gave this game up.")
    figures = statistics(table)
    assert figures == {
        "played": "2",
        "won": "1",
        "lost": "1",
        "open": "0",
        "streak": "0",
        "longest-streak": "1",
    }
    table.act("statistics")
    expect(table.dialog.locator(".lead")).to_contain_text("1 of 2")
    expect(table.dialog).to_contain_text(f"Fewest cost of a win: {position.cost}.")


def statistics(table: Table) -> dict[str, str]:
    table.act("statistics")
    place = table.dialog.locator("[data-figure]")
    expect(place.first).to_be_visible()
    found = {
        figure.get_attribute("data-figure") or "": figure.locator("dd").inner_text() for figure in place.all()
    }
    table.page.keyboard.press("Escape")
    expect(table.dialog).to_have_count(0)
    return found


def test_options_persist(table: Table) -> None:
    table.open("/cruel/ms:1")
    table.act("options")
    for label in ("Dark", "Four colours", "Brief"):
        table.dialog.get_by_text(label, exact=True).click()
    for name in ("contrast", "mirror", "clock", "safe"):
        table.dialog.locator(f"#option-{name}").check()
    table.page.locator("#option-size").fill("150")
    table.page.keyboard.press("Escape")
    for again in (False, True):
        if again:
            table.page.reload()
            table.wait_for_cards()
        root = table.page.locator("html")
        for name, value in (
            ("scheme", "dark"),
            ("deck", "four"),
            ("contrast", "high"),
            ("animation", "brief"),
        ):
            expect(root).to_have_attribute(f"data-{name}", value)
        expect(table.page.locator('#counts [data-count="time"]')).to_be_visible()
        # Mirrored: the first pile lies right of the second.
        first, second = table.place(1).bounding_box(), table.place(2).bounding_box()
        assert first and second and first["x"] > second["x"]
    stored = json.loads(table.page.evaluate("localStorage.getItem('crenel.options')"))
    assert stored["size"] == 150 and stored["safe"] is True
    # The felt scrolls then, not the page.
    assert table.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    table.act("options")
    table.dialog.locator('[data-action="reset-options"]').click()
    table.page.keyboard.press("Escape")
    table.expect(after("cruel", "ms:1"))
    expect(table.page.locator("html")).to_have_attribute("data-deck", "two")


@pytest.mark.slow
def test_safe_moves_by_option(new_player: NewPlayer) -> None:
    table = new_player(options={"safe": True})
    table.open("/cruel/ms:2")
    table.make(after("cruel", "ms:2"), crenel.parse_move("2-h"), "clicks")
    expect(table.page.locator('#counts [data-count="up"]')).not_to_have_text("cards up 4 / 52")
    position = table.record()
    assert position.moves[0] == crenel.parse_move("2-h")
    assert all(move.is_foundation for move in position.moves)


@pytest.mark.slow
def test_less_motion_where_the_system_asks_for_it(new_player: NewPlayer) -> None:
    table = new_player(options={"animation": "full", "choseAnimation": False}, reduced_motion="reduce")
    table.open("/cruel/ms:1")
    expect(table.page.locator("html")).to_have_attribute("data-animation", "none")
    table.page.evaluate(
        """() => {
          window.moved = 0;
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (...details) { window.moved += 1; return animate.apply(this, details); };
        }"""
    )
    position = after("cruel", "ms:1")
    play(table, position, "11-h 10-8 R")
    assert table.page.evaluate("window.moved") == 0
    # The system asks; the player decides.
    table.act("options")
    expect(table.dialog).to_contain_text("Your system asks for less motion")
    table.dialog.get_by_text("Full", exact=True).click()
    table.page.keyboard.press("Escape")
    expect(table.page.locator("html")).to_have_attribute("data-animation", "full")
    move = next(move for move in position.legal_moves if not move.is_redeal)
    play(table, position, str(move))
    assert table.page.evaluate("window.moved") > 0


def test_the_focus_is_seen_and_roves(table: Table) -> None:
    table.open("/cruel/ms:1")
    page = table.page
    page.keyboard.press("Tab")
    skip = page.locator(".skip-link")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(table.place(1)).to_be_focused()
    for key, place in (("ArrowRight", 2), ("ArrowDown", 8), ("ArrowLeft", 7), ("ArrowUp", 1)):
        page.keyboard.press(key)
        expect(table.place(place)).to_be_focused()
        # One stop of the Tab key in the whole table.
        assert page.locator('#table [tabindex="0"]').count() == 1
        expect(table.place(place)).to_have_attribute("tabindex", "0")
        outline = table.place(place).evaluate(
            "(element) => [getComputedStyle(element).outlineStyle, parseFloat(getComputedStyle(element).outlineWidth)]"
        )
        assert outline[0] != "none" and outline[1] >= 2, outline
    page.keyboard.press("Tab")
    assert page.evaluate("!document.getElementById('table').contains(document.activeElement)")
    page.keyboard.press("Shift+Tab")
    expect(table.place(1)).to_be_focused()
    # A dialog gives the focus back to where it came from.
    page.keyboard.press("?")
    expect(table.dialog.locator("h2")).to_be_focused()
    page.keyboard.press("Escape")
    expect(table.place(1)).to_be_focused()


@pytest.mark.usefixtures("solver")
def test_what_is_read_aloud(table: Table) -> None:
    table.open("/cruel/ms:9")
    table.expect_light("winnable")
    table.expect_said("This game can be won.")
    table.place(5).focus()
    table.page.keyboard.press("Enter")
    table.expect_said("The 2 of clubs is picked up. It may go to the foundation or pile 2.")
    table.page.keyboard.press("Escape")
    table.expect_said("is put back.")
    table.page.keyboard.press("f")
    table.expect_said("from pile 5 to its foundation")
    position = after("cruel", "ms:9", "5-h")
    table.expect(position)
    play(table, position, "2-h R 3-h R")
    table.expect_said("Redeal 2: ")
    table.expect_said("This game can no longer be won.")
    table.page.keyboard.press("u")
    table.expect_said("Taken back: redeal 2.")
    expect(table.page.locator("#polite")).to_have_attribute("aria-live", "polite")


@pytest.mark.slow
def test_the_legal_moves_in_words(table: Table) -> None:
    table.open("/cruel/ms:1")
    table.page.keyboard.press("l")
    lines = table.dialog.locator("li")
    expect(lines).to_have_count(len(after("cruel", "ms:1").legal_moves))
    expect(lines.filter(has_text="11-h: 2 of hearts from pile 11 to its foundation")).to_have_count(1)


def test_an_address_without_a_game(table: Table) -> None:
    table.watch.allow(r"console error: Failed to load resource: .* 404 .*")
    answer = table.page.goto(f"{table.url}/no-such-game/ms:1")
    assert answer and answer.status == 404
    panel = table.page.locator(".problem-panel")
    expect(panel).to_contain_text("no-such-game")
    expect(panel.locator("h2")).to_be_focused()
    panel.get_by_role("button", name="Play").click()
    table.wait_for_cards()
    expect(panel).to_have_count(0)
    expect(table.page.locator("#game-title")).to_have_text("Cruel")
