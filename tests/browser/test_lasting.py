"""What was played lasts: a reload, a closed tab, a killed server, another tab."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

import crenel
from tests.browser.conftest import NewPlayer
from tests.browser.lines import after
from tests.browser.server import Server
from tests.browser.table import Table

GAME, DEAL = "cruel", "ms:1"
BEFORE = "11-h 10-8 10-h 7-8 R"


def play(table: Table, position: crenel.Position, moves: str) -> None:
    for move in crenel.parse_moves(moves):
        table.make(position, move, "clicks")
        position.push(move)
        table.expect(position)


def begin(table: Table) -> crenel.Position:
    """A game with some moves made, and one taken back."""
    table.open(f"/{GAME}/{DEAL}")
    position = after(GAME, DEAL)
    play(table, position, BEFORE + " 2-10")
    table.page.keyboard.press("u")
    position.pop()
    table.expect(position)
    return position


def expect_all_there(table: Table, position: crenel.Position) -> None:
    """The position, all of its moves, and the one that was taken back."""
    table.expect(position)
    table.expect_count("redeals", f"redeals {position.redeals}")
    assert table.record().moves == position.moves
    history = position.copy()
    table.page.keyboard.press("y")
    history.push(crenel.parse_move("2-10"))
    table.expect(history)
    while history.moves:
        table.page.keyboard.press("u")
        history.pop()
        table.expect(history)


def test_a_reload_in_mid_game(table: Table) -> None:
    position = begin(table)
    table.page.reload()
    table.wait_for_cards()
    expect_all_there(table, position)


@pytest.mark.slow
def test_a_closed_tab_and_the_address_of_the_game_alone(table: Table) -> None:
    position = begin(table)
    later = table.another()
    table.page.close()
    later.open(f"/{GAME}")
    expect(later.page).to_have_url(f"{later.url}/{GAME}/{DEAL}")
    expect_all_there(later, position)


def test_a_server_that_is_killed_and_comes_back(new_player: NewPlayer, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        table = new_player(at=server)
        # What the browser itself says of a connection that breaks and cannot be made.
        table.watch.allow(r"console error: (WebSocket connection to|Failed to load resource:) .*")
        position = begin(table)
        server.kill()
        expect(table.notice).to_have_text("No connection; trying again. Nothing is lost.")
        # A move that is made in the meantime waits for the connection.
        table.page.keyboard.press("y")
        server.start()
        position.push(crenel.parse_move("2-10"))
        table.expect(position)
        table.expect_said("The connection is back.")
        expect(table.notice.filter(has_text="No connection")).to_have_count(0)
        position.pop()
        table.page.keyboard.press("u")
        expect_all_there(table, position)


@pytest.mark.slow
def test_a_server_killed_right_after_a_move_was_shown(new_player: NewPlayer, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        table = new_player(at=server)
        table.watch.allow(r"console error: (WebSocket connection to|Failed to load resource:) .*")
        table.open(f"/{GAME}/{DEAL}")
        position = after(GAME, DEAL)
        for move in crenel.parse_moves(BEFORE):
            table.make(position, move, "drag")
            position.push(move)
            table.expect(position)
            server.kill()  # whatever is shown is kept
            server.start()
            table.expect(position)
            expect(table.notice.filter(has_text="No connection")).to_have_count(0)
        table.page.reload()
        table.wait_for_cards()
        table.expect(position)
        assert table.record().moves == position.moves


def test_two_tabs_on_one_game_stay_in_step(table: Table) -> None:
    position = begin(table)
    other = table.another()
    other.open(f"/{GAME}/{DEAL}")
    other.expect(position)
    play(other, position, "2-10 7-12")
    table.expect(position)
    play(table, position, "2-12")
    other.expect(position)
    other.page.keyboard.press("u")
    position.pop()
    table.expect(position)
    other.expect(position)
    assert table.record().moves == position.moves


@pytest.mark.slow
def test_two_players_do_not_meet(new_player: NewPlayer) -> None:
    one, other = new_player(), new_player()
    position = begin(one)
    other.open(f"/{GAME}/{DEAL}")
    other.expect(after(GAME, DEAL))
    play(other, after(GAME, DEAL), "11-h")
    one.page.reload()
    one.wait_for_cards()
    one.expect(position)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["back", "history"])
def test_back_and_forth_between_deals(table: Table, way: str) -> None:
    position = begin(table)
    table.act("deal")
    table.dialog.locator("#deal-number").fill("2")
    table.page.keyboard.press("Enter")
    table.expect(after(GAME, "ms:2"))
    expect(table.page).to_have_url(f"{table.url}/{GAME}/ms:2")
    if way == "back":
        table.page.go_back()
    else:
        table.open(f"/{GAME}/{DEAL}")
    table.expect(position)
    if way == "back":
        table.page.go_forward()
        table.expect(after(GAME, "ms:2"))
