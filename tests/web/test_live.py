"""The websocket: games opened, played, shared by tabs and kept; every message answered; strangers refused."""

from __future__ import annotations

import contextlib
import json
import time
from concurrent.futures import Future
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from crenel import deal, find_game, format_board, parse_move, parse_moves, replay
from crenel.rules.cards import card_name
from crenel.rules.position import Position
from crenel.rules.records import format_record, make_record
from crenel.store.problems import DatabaseFailed
from crenel.web.messages import MAX_MESSAGE
from tests.web.serving import Served, Tab, new_token


def shown_piles(shown: dict[str, Any]) -> list[list[str]]:
    return [pile["cards"] for pile in shown["layout"]["piles"]]


def piles(position: Position) -> list[list[str]]:
    return [[card_name(card) for card in pile] for pile in position.piles]


def after(deal_name: str, moves: str, game: str = "cruel") -> Position:
    played = find_game(game)
    return replay(deal(played, deal_name), parse_moves(moves, played))


# Opening


def test_a_deal_is_shown_with_its_legal_moves(tab: Tab) -> None:
    shown = tab.open("/cruel/ms:24")
    position = deal(find_game("cruel"), "ms:24")
    assert shown_piles(shown) == piles(position)
    assert shown["legal"] == [str(move) for move in position.legal_moves]
    assert (shown["address"], shown["deal"], shown["made"], shown["undone"]) == (
        "/cruel/ms:24",
        "ms:24",
        0,
        0,
    )
    assert shown["change"]["kind"] == "begin"
    assert shown["game"]["id"] == "cruel" and shown["game"]["family"] == "cruel"
    assert shown["standing"] == {"kind": "playing", "text": None}
    assert shown["redeal"]["allowed"] is False and shown["redeal"]["why_not"].endswith(
        "would change nothing."
    )


def test_the_rules_of_the_address_are_played(tab: Tab) -> None:
    shown = tab.open("/cruel/24?redeal.limit=1")
    assert shown["address"] == "/cruel/ms:24?redeal.limit=1"
    assert shown["game"]["id"] == "cruel[redeal.limit=1]" and shown["game"]["base"] == "cruel"
    assert shown["redeal"]["left"] == 1


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/cruell/ms:24", "did you mean cruel"),
        ("/cruel/mss:24", "did you mean ms"),
        ("/cruel/ms:24?redeal.limt=3", "did you mean redeal.limit"),
        ("/cruel/ms:24?redeal.limit=many", "redeal.limit=many is not allowed"),
        ("/cruel/ms:0", "go from 1"),
        ("/cruel/board/AAAAAAAAAAAAAAAAAAAAAA", "You have no game with the key"),
        ("/cruel/board/!", "is not the key of a game"),
        ("nowhere", "is not an address"),
        ("//elsewhere/cruel", "is not an address"),
        ("/cruel/ms:1/2/3", "is not an address"),
        ("/..%2f..%2fsecret.toml/ms:1", "there is no game"),
        ("/cruel/ms:1?run=run&run=single", "given twice"),
    ],
)
def test_an_address_that_shows_nothing_is_refused(tab: Tab, address: str, words: str) -> None:
    refused = tab.expect("refused", "open", address=address)
    assert words.lower() in refused["text"].lower()
    assert refused["text"].endswith((".", "?"))


def test_nothing_can_be_done_before_a_game_is_open(tab: Tab) -> None:
    questions: list[tuple[str, dict[str, Any]]] = [
        ("move", {"move": "1-2", "made": 0}),
        ("hint", {}),
        ("undo", {}),
    ]
    for kind, fields in questions:
        assert "No game is open" in tab.expect("refused", kind, **fields)["text"]


def test_an_address_without_a_deal_goes_on_with_the_last_game(server: Served, tab: Tab, token: str) -> None:
    first = tab.open("/cruel/ms:24")
    tab.play("10-h")
    tab.open("/fortress/ms:3")
    again = tab.open("/cruel")
    assert (again["key"], again["made"], again["change"]["kind"]) == (first["key"], 1, "show")
    assert tab.open("/")["game"]["id"] == "cruel"  # the one that was played last
    with server.tab() as other:
        begun = other.open("/")
        assert begun["game"]["id"] == "cruel" and begun["made"] == 0
        assert begun["address"].startswith("/cruel/ms:")


def test_again_begins_a_deal_anew_and_keeps_the_old_game(tab: Tab) -> None:
    first = tab.open("/cruel/ms:24")
    assert tab.open("/cruel/ms:24", again=True)["key"] == first["key"]  # nothing was done on it yet
    tab.play("10-h")
    second = tab.open("/cruel/ms:24", again=True)
    assert second["key"] != first["key"] and second["made"] == 0
    old = tab.open(f"/cruel/board/{first['key']}")
    assert (old["key"], old["made"]) == (first["key"], 1)
    anew = tab.open(f"/cruel/board/{first['key']}", again=True)
    assert anew["key"] not in (first["key"], second["key"]) and (anew["deal"], anew["made"]) == ("ms:24", 0)
    tab.play("10-h")
    other = tab.open("/cruel", again=True)
    assert other["deal"] not in (None, "ms:24") and other["game"]["id"] == "cruel"


def test_a_board_can_be_begun_anew(tab: Tab) -> None:
    board = format_board(after("ms:24", "10-h"))
    first = tab.expect("table", "paste", text=board, address="/cruel")
    tab.play(first["legal"][0])
    second = tab.open(first["address"], again=True)
    assert second["key"] != first["key"] and second["layout"] == first["layout"] and second["made"] == 0


# Playing


def test_moves_undo_and_redo_across_a_redeal(tab: Tab) -> None:
    tab.open("/cruel/ms:24")
    shown = tab.play("10-h", "6-9", "R")
    assert shown_piles(shown) == piles(after("ms:24", "10-h 6-9 R"))
    assert shown["last"] == "R" and shown["redeal"]["used"] == 1
    assert shown["change"]["kind"] == "move" and shown["change"]["text"].startswith("Redeal 1: ")
    back = tab.expect("table", "undo")
    assert shown_piles(back) == piles(after("ms:24", "10-h 6-9"))
    assert (back["made"], back["undone"], back["change"]["kind"]) == (2, 1, "undo")
    start = tab.expect("table", "go-to", made=0)
    assert (start["made"], start["undone"], start["change"]["moves"]) == (0, 3, ["6-9", "10-h"])
    assert start["change"]["kind"] == "go-to"
    forth = tab.expect("table", "redo", count=99)
    assert shown_piles(forth) == shown_piles(shown) and forth["undone"] == 0
    assert "no position after 9" in tab.expect("refused", "go-to", made=9)["text"]
    assert "stands there" in tab.expect("refused", "go-to", made=3)["text"]
    assert "no move to make again" in tab.expect("refused", "redo")["text"]
    tab.expect("table", "undo", count=99)
    assert "no move to take back" in tab.expect("refused", "undo")["text"]


def test_an_illegal_move_is_refused_with_the_reason(tab: Tab) -> None:
    shown = tab.open("/cruel/ms:24")
    refused = tab.expect("refused", "move", move="1-2", made=0)
    position = deal(find_game("cruel"), "ms:24")
    assert refused["text"] == position.why_not(parse_move("1-2"))
    assert "is not a move" in tab.expect("refused", "move", move="seven", made=0)["text"]
    assert tab.open("/cruel/ms:24")["layout"] == shown["layout"]


def test_a_move_for_another_table_is_refused(tab: Tab) -> None:
    tab.open("/cruel/ms:24")
    sent = [tab.send(type="move", move="10-h", made=0) for _ in range(2)]
    first, second = (tab.answer(seq) for seq in sent)
    assert first["type"] == "table"
    assert second["type"] == "refused" and "has changed since" in second["text"]


def test_quick_moves_are_made_in_their_order(tab: Tab) -> None:
    tab.open("/cruel/ms:24")
    position = deal(find_game("cruel"), "ms:24")
    line: list[str] = []
    while len(line) < 12:  # whatever is legal
        move = position.legal_moves[0]
        position.push(move)
        line.append(str(move))
    sent = [tab.send(type="move", move=move, made=made) for made, move in enumerate(line)]
    answers = [tab.answer(seq) for seq in sent]
    assert [answer["made"] for answer in answers] == list(range(1, 13))
    assert shown_piles(answers[-1]) == piles(position)


def test_safe_moves_follow_when_that_is_wished(tab: Tab) -> None:
    tab.expect("noted", "assist", light=False, safe=True)
    board = "Foundations: C-K D-K H-K S-10\n" + "QS JS\nKS\n" + "\n" * 6
    shown = tab.expect("table", "paste", text=board, address="/beleaguered-castle")
    assert "/board/" in shown["address"] and shown["deal"] is None
    won = tab.play("1-h")
    assert won["change"]["moves"] == ["1-h", "1-h", "2-h"]
    assert "2 cards went to the foundations" in won["change"]["text"]
    assert won["standing"]["kind"] == "won" and "is won" in won["standing"]["text"]
    tab.expect("table", "undo", count=3)
    safe = tab.expect("table", "play-safe")
    assert safe["change"]["kind"] == "safe" and safe["counts"]["up"] == 52
    assert "known to be safe" in tab.expect("refused", "play-safe")["text"]


def test_giving_up(tab: Tab) -> None:
    tab.open("/cruel/ms:24")
    assert "nothing to give up" in tab.expect("refused", "give-up")["text"]
    tab.play("10-h")
    shown = tab.expect("table", "give-up")
    assert shown["given_up"] and shown["change"]["kind"] == "give-up" and shown["made"] == 1
    assert tab.light(phase="known")["verdict"] == "winnable"  # said although the light is off
    assert "already" in tab.expect("refused", "give-up")["text"]
    assert tab.open("/cruel/ms:24")["given_up"]  # the game that was played last is what a reload shows
    tab.open("/fortress/ms:1")
    tab.play(tab.open("/fortress/ms:1")["legal"][0])
    assert not tab.open("/cruel/ms:24")["given_up"]  # later the deal is begun anew


def test_a_deal_that_is_placed_by_hand(tab: Tab) -> None:
    shown = tab.open("/selective-castle/ms:5")
    assert shown["game"]["by_hand"] and len(shown["layout"]["hand"]) == 48
    first = shown["layout"]["hand"][0]
    shown = tab.play("d-3")
    assert shown_piles(shown)[2] == [first] and len(shown["layout"]["hand"]) == 47
    assert shown["layout"]["foundations"][0]["wanted"] == "2C"
    assert tab.expect("table", "undo")["layout"]["hand"][0] == first


# Asking


def test_the_preview_is_what_the_redeal_then_does(tab: Tab) -> None:
    tab.open("/cruel/ms:24")
    considered = tab.expect("preview", "preview", after="10-h")
    tab.play("10-h")
    preview = tab.expect("preview", "preview")
    assert preview["layout"] == considered["layout"] and considered["after"] == "10-h"
    assert preview["allowed"] and preview["opens"] > 0
    before = {pile[-1] for pile in piles(after("ms:24", "10-h")) if pile}
    shown = tab.play("R", made=1)
    assert shown["layout"] == preview["layout"]
    assert set(preview["fresh"]) == {pile[-1] for pile in shown_piles(shown) if pile} - before
    assert "does not go on" in tab.expect("refused", "preview", after="1-12")["text"]
    tab.open("/fortress/ms:1")
    assert "no redeal" in tab.expect("refused", "preview")["text"]


def test_blockers_and_moves_in_words(tab: Tab) -> None:
    shown = tab.open("/cruel/ms:24")
    found = tab.expect("blockers", "blockers", suit="C")
    assert found["wanted"] == "2C" and found["chain"] and found["text"].startswith("The foundation of clubs")
    lines = tab.expect("moves", "moves")["lines"]
    assert [line.partition(":")[0] for line in lines] == shown["legal"]


def test_the_replay_of_a_game(tab: Tab) -> None:
    tab.open("/cruel/ms:24")
    tab.play("10-h", "6-9", "R")
    replayed = tab.expect("replay", "replay", what="game")
    assert (replayed["what"], replayed["moves"], replayed["cost"]) == ("game", "10-h 6-9 R", 2)
    assert [frame["move"] for frame in replayed["frames"]] == [None, "10-h", "6-9", "R"]
    assert [pile["cards"] for pile in replayed["frames"][2]["layout"]["piles"]] == piles(
        after("ms:24", "10-h 6-9")
    )


def test_neighbouring_and_random_deals(tab: Tab) -> None:
    tab.open("/cruel/ms:24?redeal.limit=2")
    found = tab.expect("found-deal", "find-deal", which="next")
    assert found["address"] == "/cruel/ms:25?redeal.limit=2"
    assert tab.expect("found-deal", "find-deal", which="previous")["address"].startswith("/cruel/ms:23?")
    assert tab.expect("found-deal", "find-deal", which="random")["address"].startswith("/cruel/ms:")
    tab.open("/cruel/ms:1")
    nothing = tab.expect("found-deal", "find-deal", which="previous")
    assert nothing["address"] is None and nothing["text"]
    assert tab.open(found["address"])["deal"] == "ms:25"


# Pasting


def test_a_board_begins_a_game_that_its_key_opens(server: Served, tab: Tab, token: str) -> None:
    board = format_board(after("ms:24", "10-h"))
    shown = tab.expect("table", "paste", text=board, address="/cruel")
    assert shown["deal"] is None and shown["made"] == 0 and shown["change"]["kind"] == "begin"
    assert shown["address"] == f"/cruel/board/{shown['key']}"
    tab.play(shown["legal"][0])
    with server.tab(token) as second:
        assert second.open(shown["address"])["made"] == 1
    with server.tab() as stranger:
        assert "You have no game" in stranger.expect("refused", "open", address=shown["address"])["text"]
    tab.close()


def test_a_record_goes_on_where_it_stood(tab: Tab) -> None:
    record = format_record(make_record(after("ms:24", "10-h 6-9"), deal="ms:24"))
    shown = tab.expect("table", "paste", text=record, address="/fortress")
    assert (shown["made"], shown["deal"], shown["game"]["id"]) == (2, "ms:24", "cruel")
    assert tab.expect("table", "undo")["made"] == 1


def test_a_line_of_moves_is_shown_as_a_replay(tab: Tab) -> None:
    tab.open("/cruel/ms:24")
    shown = tab.expect("replay", "paste", text="10-h 6-9\nR", address="/cruel/ms:24")
    assert (shown["what"], shown["moves"]) == ("pasted", "10-h 6-9 R") and len(shown["frames"]) == 4
    tab.play("10-h")
    rest = tab.expect("replay", "paste", text="6-9 R", address="/cruel/ms:24")
    assert len(rest["frames"]) == 3
    elsewhere = tab.expect("replay", "paste", text="10-h", address="/cruel/ms:24?redeal.limit=1")
    assert len(elsewhere["frames"]) == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "There is no text"),
        ("hello world", "neither a board"),
        ("10-h 1-1", "Move 2 (1-1) is illegal"),
        ("10-h nonsense", "'nonsense'"),
        ("2C 2C 3D", "2C"),
        ('{"format": "crenel-record"}', "'version'"),
        ("{", "JSON"),
        ("\0\0", "binary"),
        ("ms:99999999999", "There is no deal"),
        ("# nothing but a comment", "no move"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(tab: Tab, text: str, words: str) -> None:
    tab.open("/cruel/ms:24")
    refused = tab.expect("refused", "paste", text=text, address="/cruel/ms:24")
    assert words in refused["text"]
    assert "\n" not in refused["text"]


def test_the_name_of_a_deal_can_be_pasted(tab: Tab) -> None:
    assert tab.expect("table", "paste", text=" ms:77 \n", address="/fortress")["address"] == "/fortress/ms:77"


# Tabs and players


def test_two_tabs_see_the_same_table(server: Served, token: str) -> None:
    with server.tab(token) as one, server.tab(token) as two:
        key = one.open("/cruel/ms:24")["key"]
        assert two.open("/cruel/ms:24")["key"] == key
        moved = one.play("10-h")
        unasked = two.wait_for(lambda message: message["type"] == "table")
        assert unasked["seq"] is None and unasked["layout"] == moved["layout"]
        assert "has changed since" in two.expect("refused", "move", move="6-9", made=0)["text"]
        two.play("6-9", made=1)
        assert one.wait_for(lambda message: message["type"] == "table")["made"] == 2


def test_a_game_comes_back_after_the_last_tab_is_closed(server: Served, token: str) -> None:
    with server.tab(token) as tab:
        shown = tab.open("/cruel/ms:24")
        tab.play("10-h", "6-9")
        tab.expect("table", "undo")
    with server.tab(token) as tab:
        back = tab.open("/cruel/ms:24")
        assert (back["key"], back["made"], back["undone"]) == (shown["key"], 1, 1)
        assert tab.expect("table", "redo")["last"] == "6-9"


def test_a_player_reaches_own_games_only(server: Served, tab: Tab) -> None:
    key = tab.open("/cruel/ms:24")["key"]
    tab.play("10-h")
    with server.tab() as stranger:
        for address in (f"/cruel/board/{key}", f"/fortress/board/{key}"):
            assert "You have no game" in stranger.expect("refused", "open", address=address)["text"]
        assert stranger.open("/cruel/ms:24")["made"] == 0
    assert server.get(f"/api/played/{key}/record", new_token()).status_code == 404


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "ftp://127.0.0.1", None]
)
def test_a_foreign_origin_is_refused(server: Served, origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as caught, server.tab(origin=origin):
        pass
    assert caught.value.response.status_code == 403


def test_a_foreign_host_is_refused(server: Served) -> None:
    with (
        pytest.raises(InvalidStatus),
        server.tab(origin="http://rebound.example", Host="rebound.example"),
    ):
        pass
    assert server.get("/cruel", Host="rebound.example").status_code == 421


def test_without_a_player_nothing_is_shown(server: Served) -> None:
    with server.tab("short") as tab:
        refused = tab.receive()
        assert refused["type"] == "refused" and "cookie" in refused["text"]
        with pytest.raises(ConnectionClosed):
            tab.receive()


def test_a_player_has_so_many_tables(server: Served, token: str) -> None:
    tabs = []
    try:
        for _ in range(21):
            context = server.tab(token)
            tabs.append(context)
            opened = context.__enter__()
            last = opened.receive()
        assert last["type"] == "refused" and "tables open" in last["text"]
    finally:
        for context in tabs:
            context.__exit__(None, None, None)


def test_new_players_of_one_network_have_a_limit(server: Served) -> None:
    for _ in range(70):
        with server.tab(**{"X-Forwarded-For": "203.0.113.9"}) as tab:
            first = tab.receive()
            if first["type"] == "refused":
                break
    assert "from your network" in first["text"]
    with server.tab(**{"X-Forwarded-For": "203.0.113.10"}) as tab:
        assert tab.receive()["type"] == "solver"


# Garbage


GARBAGE = [
    "",
    "null",
    "[]",
    "{",
    "17",
    '"open"',
    '{"type": 7}',
    '{"type": "open"}',
    '{"type": "move", "move": 7, "made": 0}',
    '{"type": "move", "move": "1-2", "made": -1}',
    '{"type": "move", "move": "1-2", "made": true}',
    '{"type": "undo", "count": 1e9}',
    '{"type": "undo", "more": 1}',
    '{"type": "blockers", "suit": "X"}',
    '{"type": "open", "address": null}',
    "[" * 10_000,
    '{"a":' * 5_000,
    '{"type": "paste", "text": "\\ud800", "address": "/cruel"}',
    '{"seq": -5, "type": "moves"}',
    '{"seq": 99999999999999999999999, "type": "moves"}',
    "\x00\x01",
    "é" * 1000,
]


@pytest.mark.parametrize("text", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_gets_a_sentence(tab: Tab, text: str) -> None:
    tab.receive()  # how the solver is
    tab.socket.send(text)
    answer = tab.receive()
    assert answer["type"] == "refused" and len(answer["text"]) < 700
    assert "Traceback" not in answer["text"]
    assert tab.open("/cruel/ms:1")["made"] == 0


def test_bytes_and_long_messages_are_refused(tab: Tab) -> None:
    tab.receive()
    tab.socket.send(b"\xff\x00")
    assert "is bytes" in tab.receive()["text"]
    tab.socket.send(json.dumps({"type": "paste", "text": "x" * MAX_MESSAGE, "address": "/cruel"}))
    assert "at most 65,536 bytes" in tab.receive()["text"]
    # The server closes before it has read all of it, so the rest may meet a closed socket before the reason is read.
    with contextlib.suppress(ConnectionClosed):
        tab.socket.send("x" * (2 << 20))
    with pytest.raises(ConnectionClosed) as caught:
        tab.receive()
    assert caught.value.rcvd is None or caught.value.rcvd.code == 1009


def test_a_wrong_field_is_named_and_the_number_kept(tab: Tab) -> None:
    for fields, name in (
        ({"type": "move", "move": "1-2"}, "made"),
        ({"type": "move", "move": 7, "made": 0}, "move"),
        ({"type": "undo", "cuont": 1}, "cuont"),
        ({"type": "assist", "light": 1, "safe": False}, "light"),
    ):
        answer = tab.ask(**fields)
        assert answer["type"] == "refused" and f"'{name}'" in answer["text"]


def test_a_flood_is_slowed_and_loses_nothing(tab: Tab) -> None:
    tab.open("/cruel/ms:24")
    began = time.monotonic()
    sent = [tab.send(type="moves") for _ in range(160)]
    assert all(tab.answer(seq)["type"] == "moves" for seq in sent)
    assert time.monotonic() - began > 0.5


def test_an_unexpected_fault_is_answered_and_logged(
    server: Served, tab: Tab, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tab.open("/cruel/ms:24")

    def fail(*_: object) -> None:
        raise RuntimeError("a fault with a secret")

    monkeypatch.setattr("crenel.web.views.blockers", fail)
    refused = tab.expect("refused", "blockers", suit="C")
    assert "Something went wrong" in refused["text"] and "secret" not in refused["text"]
    assert "a fault with a secret" in caplog.text
    assert tab.play("10-h")["made"] == 1


# Keeping


def test_what_cannot_be_kept_is_not_made(server: Served, tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = tab.open("/cruel/ms:24")

    def fail(*_: object, **__: object) -> Future[Any]:
        failed: Future[Any] = Future()
        failed.set_exception(DatabaseFailed("the disk is full"))
        return failed

    with monkeypatch.context() as broken:
        broken.setattr(server.site.games, "save", fail)
        answer = tab.expect("kept", "move", move="10-h", made=0)
        assert answer["ok"] is False and "the disk is full" in answer["text"]
        assert "has changed since" not in tab.expect("kept", "move", move="10-h", made=0)["text"]
    assert tab.open("/cruel/ms:24")["layout"] == shown["layout"]
    assert tab.play("10-h")["made"] == 1


def test_only_the_time_in_sight_counts(tab: Tab) -> None:
    tab.open("/cruel/ms:24")
    tab.expect("noted", "clock", running=False)
    before = tab.play("10-h")["counts"]["seconds"]
    time.sleep(0.5)
    assert tab.expect("table", "undo")["counts"]["seconds"] == pytest.approx(before, abs=0.2)
    tab.expect("noted", "clock", running=True)
    time.sleep(0.5)
    assert tab.expect("table", "redo")["counts"]["seconds"] >= before + 0.4
