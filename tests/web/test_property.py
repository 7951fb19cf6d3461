"""Whatever is sent: the server answers each message, stays up, and what is stored replays to what is shown."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crenel.play.session import Session
from crenel.rules.cards import card_name
from tests.web.serving import Served, Tab, new_token

ADDRESSES = ["/", "/cruel", "/cruel/ms:24", "/cruel/ms:24?redeal.limit=1", "/beleaguered-castle/ms:24", "/ripple-fan/3",
             "/selective-castle/ms:7", "/nowhere", "/cruel/board/AAAAAAAAAAAAAAAAAAAAAA", ""]  # fmt: skip
MOVES = ["R", "1-2", "7-10", "10-h", "6-9", "d-1", "d-3", "1-h", "99-h", "x", "3-5x4", ""]
TEXTS = ["10-h 6-9 R", "ms:9", "JD KD", "{}", "", "\0", '{"format": "crenel-record", "version": 1}']
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def message(type: str, **fields: Any) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"type": st.just(type)} | fields)


valid = st.one_of(
    message("open", address=st.sampled_from(ADDRESSES), again=st.booleans()),
    # A move that the test chooses among those that were shown, or any other.
    message("move", move=st.integers(0, 30) | st.sampled_from(MOVES), made=st.just(-1) | st.integers(0, 5)),
    message("move", move=st.integers(0, 30), made=st.just(-1)),
    message("undo", count=st.integers(1, 9)),
    message("redo", count=st.integers(1, 9)),
    message("go-to", made=st.integers(0, 12)),
    message("paste", text=st.sampled_from(TEXTS), address=st.sampled_from(ADDRESSES)),
    message("find-deal", which=st.sampled_from(["next", "previous", "random"]), winnable=st.booleans()),
    message("preview", after=st.none() | st.sampled_from(MOVES)),
    message("blockers", suit=st.sampled_from("CDHS")),
    message("replay", what=st.sampled_from(["game", "win"])),
    message("assist", light=st.booleans(), safe=st.booleans()),
    message("clock", running=st.booleans()),
    *(message(kind) for kind in ("play-safe", "give-up", "hint", "turning-point", "moves")),
    *(message(kind) for kind in ("keep-looking", "stop-looking")),
)
kinds = ["open", "move", "undo", "paste", "assist", "clock", "hint", "replay", "go-to", "nonsense"]
garbage = st.one_of(
    st.dictionaries(st.sampled_from(["type", "move", "made", "count", "address", "text", "seq"]), anything),
    st.builds(
        lambda kind, more: {**more, "type": kind},
        st.sampled_from(kinds),
        st.dictionaries(st.text(), anything),
    ),
    anything,
)


def said(tab: Tab, asked: Any, table: dict[str, Any]) -> dict[str, Any]:
    """Sends one message, checks that there is an answer, and returns the table as it is shown then."""
    if isinstance(asked, dict) and asked.get("type") == "move" and "move" in asked:
        asked = dict(asked)
        if (
            isinstance(asked["move"], int)
            and not isinstance(asked["move"], bool)
            and table
            and table["legal"]
        ):
            asked["move"] = table["legal"][asked["move"] % len(table["legal"])]
        if asked.get("made") == -1:
            asked["made"] = table["made"]
    if isinstance(asked, dict):
        tab.seq += 1
        tab.socket.send(json.dumps(asked | {"seq": tab.seq}))
        answer = tab.answer(tab.seq)
    else:
        tab.socket.send(json.dumps(asked))
        # An answer without a number, and so does what comes unasked: this one is a refusal.
        answer = tab.wait_for(lambda heard: heard["type"] == "refused" and heard["seq"] is None)
    assert answer["type"] != "kept", answer
    if answer["type"] == "refused":
        assert answer["text"] and "\n" not in answer["text"] and "went wrong" not in answer["text"]
    return answer if answer["type"] == "table" else table


def check_stored(server: Served, player: int, table: dict[str, Any]) -> None:
    """What is stored replays to what is shown, by the rules alone."""
    stored = server.site.games.load(player, table["key"])
    assert stored is not None
    session = Session.from_text(stored.record())
    position = session.position
    assert [[card_name(card) for card in pile] for pile in position.piles] == [
        pile["cards"] for pile in table["layout"]["piles"]
    ]
    assert [foundation["cards"] for foundation in table["layout"]["foundations"]] == list(
        position.foundations
    )
    assert [str(move) for move in position.legal_moves] == table["legal"]
    assert (len(position.moves), len(session.undone)) == (table["made"], table["undone"])
    assert (stored.made, stored.cost, stored.cards_up) == (
        table["made"],
        position.cost,
        table["counts"]["up"],
    )
    assert stored.given_up == table["given_up"]
    assert stored.standing == (table["standing"]["kind"] if stored.revision else "playing")
    assert position.game.id == table["game"]["id"] == stored.game


def talk(server: Served, words: list[Any]) -> None:
    token = new_token()
    with server.tab(token) as tab:
        table = tab.open("/cruel/ms:24")
        for asked in words:
            table = said(tab, asked, table)
        player = server.site.games.find_player(token)
        assert player is not None
        check_stored(server, player, table)
        with server.tab(token) as other:
            again = other.open(f"/{table['game']['base']}/board/{table['key']}")
            for field in ("layout", "legal", "made", "undone", "helped", "given_up", "standing"):
                assert again[field] == table[field] or field == "helped"
    assert server.get("/api/health").json()["ok"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(valid | valid | garbage, max_size=25))
def test_any_messages(server: Served, caplog: pytest.LogCaptureFixture, words: list[Any]) -> None:
    talk(server, words)
    assert not caplog.records


@pytest.mark.slow
@settings(max_examples=1_000, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(valid | valid | garbage, max_size=60))
def test_many_more_messages(server: Served, caplog: pytest.LogCaptureFixture, words: list[Any]) -> None:
    talk(server, words)
    assert not caplog.records


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200) | st.binary(max_size=200))
def test_any_text_and_bytes(server: Served, text: str | bytes) -> None:
    with server.tab() as tab:
        assert tab.receive()["type"] == "solver"
        if isinstance(text, str):
            text = text.encode("utf-8", "replace").decode()
        tab.socket.send(text)
        assert tab.receive()["type"] == "refused"
        assert tab.open("/cruel/ms:24")["made"] == 0


@pytest.mark.slow
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(valid | valid | garbage, max_size=40))
def test_many_messages_on_postgresql(on_postgresql: Served, words: list[Any]) -> None:
    talk(on_postgresql, words)
