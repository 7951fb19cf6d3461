"""The light, the way back, the hint, blockers, and the solver's win."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import crenel
from tests.browser.conftest import NewPlayer
from tests.browser.lines import after, verdict, winning_line
from tests.browser.table import SEARCH, Table

# Games that are won up to here, and lost by the move behind it; the tests check both.
LOSING = {
    "a redeal": ("cruel", "ms:9", "5-h 2-h R 3-h", "R"),
    "a card": ("beleaguered-castle", "ms:2", "5-3 5-7", "2-5"),
}

pytestmark = pytest.mark.usefixtures("solver")


def play(table: Table, position: crenel.Position, moves: str) -> None:
    for move in crenel.parse_moves(moves):
        table.make(position, move, "clicks")
        position.push(move)
        table.expect(position)


@pytest.mark.parametrize("kind", ["a redeal", pytest.param("a card", marks=pytest.mark.slow)])
def test_the_light_turns_and_the_way_back(table: Table, kind: str) -> None:
    game, deal, before, mistake = LOSING[kind]
    last_winnable, lost = after(game, deal, before), after(game, deal, f"{before} {mistake}")
    assert verdict(last_winnable) is crenel.Verdict.WINNABLE
    assert verdict(lost) is crenel.Verdict.UNWINNABLE
    table.open(f"/{game}/{deal}")
    position = after(game, deal)
    table.expect_light("winnable")
    expect(table.page.locator("#light-words")).to_have_text("can be won")
    play(table, position, before)
    table.expect_light("winnable")
    play(table, position, mistake)
    table.expect_light("unwinnable")
    expect(table.page.locator("#light-words")).to_have_text("can no longer be won")
    table.expect_said("This game can no longer be won.")
    back = table.page.locator('#notice [data-action="go-back"]')
    expect(back).to_be_visible(timeout=SEARCH)
    number = len(last_winnable.moves) + 1
    expect(table.notice).to_contain_text(f"{number}")  # the move that lost it is named
    # Two more moves do not lead back, so the offer stays, and means the same position.
    for move in position.legal_moves[:1]:
        table.make(position, move, "clicks")
        position.push(move)
        table.expect(position)
    expect(back).to_be_visible(timeout=SEARCH)
    back.click()
    table.expect(last_winnable)
    table.expect_light("winnable")
    expect(back).to_have_count(0)
    # Nothing is lost: what was taken back can be made again.
    table.page.keyboard.press("y")
    table.expect(lost)


@pytest.mark.slow
def test_hints_lead_to_a_win(table: Table) -> None:
    game, deal = "cruel", "ms:2"
    position = after(game, deal)
    table.open(f"/{game}/{deal}")
    table.expect_light("winnable")
    made = 0
    while not position.is_won:
        table.page.keyboard.press("i")
        move = hinted(table, position)
        assert move in position.legal_moves
        table.make(position, move, "clicks")
        position.push(move)
        table.expect(position)
        made += 1
        assert made < 200
    expect(table.page.locator(".panel.win")).to_be_visible()
    assert table.record().moves == position.moves


def hinted(table: Table, position: crenel.Position) -> crenel.Move:
    """The move that the marks of the hint show."""
    marks = table.page.locator("#table .is-hint")
    expect(marks.first).to_be_visible(timeout=SEARCH)
    found = table.page.evaluate(
        """() => {
          const all = [...document.querySelectorAll("#table .is-hint, #table .is-hint-target")];
          const of = (mark, kind) => all.filter((element) => element.matches(`.${mark}[data-${kind}]`))
            .map((element) => element.dataset[kind]);
          return { redeal: of("is-hint", "redeal").length, source: of("is-hint", "pile"),
            pile: of("is-hint-target", "pile"), foundation: of("is-hint-target", "foundation") };
        }"""
    )
    if found["redeal"]:
        return crenel.REDEAL
    (source,) = found["source"]
    (target,) = found["pile"] or ["h" for _ in found["foundation"]]
    return crenel.parse_move(f"{source}-{target}")


@pytest.mark.slow
def test_a_hint_where_nothing_wins_says_so(table: Table) -> None:
    game, deal, before, mistake = LOSING["a card"]
    table.open(f"/{game}/{deal}")
    play(table, after(game, deal), f"{before} {mistake}")
    table.expect_light("unwinnable")
    table.act("hint")
    expect(table.notice).to_contain_text("can no longer be won", timeout=SEARCH)
    expect(table.page.locator("#table .is-hint")).to_have_count(0)


def test_the_light_can_be_put_out(table: Table) -> None:
    game, deal, before, mistake = LOSING["a card"]
    table.open(f"/{game}/{deal}")
    table.expect_light("winnable")
    table.act("options")
    table.dialog.locator("#option-light").uncheck()
    table.page.keyboard.press("Escape")
    expect(table.page.locator("#light")).to_be_hidden()
    play(table, after(game, deal), f"{before} {mistake}")
    # A question that is answered after the moves: by then a verdict would have been sent as well.
    table.act("hint")
    expect(table.notice).to_contain_text("can no longer be won", timeout=SEARCH)
    table.page.keyboard.press("u")
    table.expect(after(game, deal, before))
    expect(table.page.locator("#light")).to_be_hidden()
    expect(table.page.locator('#notice [data-action="go-back"]')).to_have_count(0)
    table.page.reload()
    table.wait_for_cards()
    expect(table.page.locator("#light")).to_be_hidden()


@pytest.mark.slow
def test_a_game_without_light_and_hint_counts_as_alone(new_player: NewPlayer) -> None:
    table = new_player(options={"light": False})
    game, deal = "cruel", "ms:2"
    position = after(game, deal)
    table.open(f"/{game}/{deal}")
    for move in winning_line(game, deal):
        table.make(position, move, "drag")
        position.push(move)
        table.expect(position)
    expect(table.page.locator(".panel.win")).to_be_visible()
    games = table.page.context.request.get(f"{table.url}/api/statistics").json()["games"]
    assert [(one["game"], one["won"], one["alone"]["won"], one["helped"]["won"]) for one in games] == [
        (game, 1, 1, 0)
    ]


def test_blockers_of_a_foundation(table: Table) -> None:
    table.open("/cruel/ms:1")
    position = after("cruel", "ms:1")
    assert crenel.parse_move("11-h") in position.legal_moves
    table.place("S").click()
    expect(table.notice).to_contain_text("2 of spades")
    chain = table.page.locator("#table .card.is-chain")
    expect(chain.first).to_be_visible()
    # The wanted card is the first link; it lies under others in pile 4.
    assert "2S" in {card.get_attribute("data-card") for card in chain.all()}
    assert "2S" in {crenel.card_name(card) for card in position.piles[3][:-1]}
    table.page.keyboard.press("Escape")
    expect(chain).to_have_count(0)


@pytest.mark.slow
def test_why_the_deal_cannot_be_won(table: Table) -> None:
    assert verdict(after("beleaguered-castle", "ms:3")) is crenel.Verdict.UNWINNABLE
    table.open("/beleaguered-castle/ms:3")
    table.expect_light("unwinnable")
    expect(table.page.locator("#light-words")).to_have_text("cannot be won")
    expect(table.notice).to_contain_text("This deal cannot be won")
    # It can be played all the same.
    position = after("beleaguered-castle", "ms:3")
    move = position.legal_moves[0]
    table.make(position, move, "clicks")
    position.push(move)
    table.expect(position)


@pytest.mark.slow
def test_the_replay_of_a_won_game_beside_the_solvers_win(table: Table) -> None:
    game, deal = "cruel", "ms:2"
    line = winning_line(game, deal)
    position = after(game, deal)
    table.open(f"/{game}/{deal}")
    for move in line:
        table.make(position, move, "drag")
        position.push(move)
        table.expect(position)
    table.page.locator('.panel.win [data-action="replay"]').click()
    own, best = (table.dialog.locator(f'[data-replay="{what}"]') for what in ("game", "win"))
    expect(own.locator("h3")).to_contain_text(f"{len(line)} moves, cost {position.cost}")
    expect(best).to_be_visible(timeout=SEARCH)
    slider = own.locator("input[type=range]")
    assert slider.get_attribute("max") == str(len(line))
    own.locator('[data-step="next"]').click()
    expect(own.locator(".replay-words")).to_contain_text(f"1 of {len(line)}:")
    own.locator('[data-step="last"]').click()
    expect(own.locator(".replay-words")).to_contain_text(f"{len(line)} of {len(line)}:")
    expect(slider).to_have_value(str(len(line)))
    table.page.keyboard.press("Home")
    expect(own.locator(".replay-words")).to_contain_text(f"0 of {len(line)}:")
