"""The page and the HTTP part: games, rules, deals, statistics, played games, and one sentence for each mistake."""

from __future__ import annotations

import json
import re

import pytest

from crenel import GAMES, deal, find_game, format_board
from crenel.play.session import Session
from crenel.play.sheet import rules_sheet
from tests.web.scripted import ScriptedAnalysis
from tests.web.serving import Served, Tab, new_token

# The page


@pytest.mark.parametrize(
    "path", ["/", "/cruel", "/cruel/ms:24", "/cruel/ms:24?redeal.limit=3", "/cruel/board/abcdefgh"]
)
def test_every_address_of_the_table_is_the_page(server: Served, path: str) -> None:
    page = server.get(path)
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert page.text.startswith("<!doctype html>") and "crenel-problem" not in page.text


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/cruell", "did you mean cruel"),
        ("/cruel/ms:0", "go from 1"),
        ("/cruel/ms:24?redeal.limit=often", "redeal.limit=often is not allowed"),
        ("/a/b/c/d", "is not an address"),
        ("/%3Cscript%3E", "&lt;script&gt;"),
        ("/" + "x" * 3000, "too long"),
        ("/..%2f..%2fmine.toml", "there is no game"),
    ],
)
def test_other_addresses_are_the_page_with_a_sentence(server: Served, path: str, words: str) -> None:
    page = server.get(path)
    assert page.status_code == 404
    found = re.search(r'<meta name="crenel-problem" content="([^"<>]*)">', page.text)
    assert found and words.lower() in found[1].lower()
    assert "<script>" not in page.text


def test_files_are_served_and_asked_for_again(server: Served) -> None:
    file = server.get("/static/css/base.css")
    assert file.status_code == 200 and file.headers["content-type"].startswith("text/css")
    assert file.headers["cache-control"] == "no-cache"
    assert server.get("/static/css/base.css", **{"If-None-Match": file.headers["etag"]}).status_code == 304
    assert server.get("/static/js/main.js").headers["content-type"].startswith("text/javascript")
    for path in ("/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/none.js"):
        assert "create_site" not in server.get(path).text
    assert server.get("/favicon.ico").headers["content-type"] == "image/svg+xml"


def test_nothing_is_loaded_from_elsewhere(server: Served) -> None:
    page = server.get("/").text
    for address in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert address.startswith(("/", "#")) and not address.startswith("//"), address
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script>", page)
    assert server.get("/docs").status_code == server.get("/redoc").status_code == 404


def test_the_page_takes_no_other_method(server: Served) -> None:
    assert server.http.post("/cruel").status_code == 405
    assert server.http.head("/cruel").status_code == 200


# The HTTP part


def test_games(server: Served) -> None:
    games = server.get("/api/games").json()
    assert [entry["id"] for entry in games] == list(GAMES)
    for entry in games:
        game = GAMES[entry["id"]]
        assert (entry["title"], entry["has_redeal"], entry["cards"]) == (
            game.title,
            game.has_redeal,
            game.cards,
        )


@pytest.mark.parametrize("name", GAMES)
def test_rules(server: Served, name: str) -> None:
    sheet = server.get(f"/api/games/{name}/rules").json()
    made = rules_sheet(find_game(name))
    assert sheet["title"] == made.title
    assert [part["sentences"] for part in sheet["sections"]] == [
        list(part.sentences) for part in made.sections
    ]
    assert {rule["key"]: rule["value"] for rule in sheet["rules"]}["ranks"] == "13"


def test_changed_rules_and_deals(server: Served) -> None:
    sheet = server.get("/api/games/cruel/rules?redeal.limit=3").json()
    assert sheet["title"] == "Cruel (redeal.limit=3)"
    found = server.get("/api/games/cruel/deals/24?redeal.limit=3").json()
    assert found == {
        "game": "cruel[redeal.limit=3]",
        "deal": "ms:24",
        "board": format_board(deal(find_game("cruel"), "ms:24")),
        "address": "/cruel/ms:24?redeal.limit=3",
    }


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/api/games/cruell/rules", 404, "did you mean cruel"),
        ("/api/games/cruel/rules?redeal.limit=x", 404, "redeal.limit=x is not allowed"),
        ("/api/games/cruel/deals/ms:0", 404, "go from 1"),
        ("/api/played?limit=0", 422, "limit is not allowed"),
        ("/api/played?limit=many", 422, "limit is not allowed"),
        ("/api/played?before=yesterday", 422, "'before'"),
        ("/api/played/AAAAAAAAAAAAAAAAAAAAAA/record", 404, "no game with this key"),
        ("/api/games/mine.toml/rules", 404, "There is no game"),
    ],
)
def test_mistakes_are_one_sentence(
    server: Served, tab: Tab, token: str, path: str, status: int, words: str
) -> None:
    tab.open("/cruel/ms:24")
    answer = server.get(path, token)
    assert answer.status_code == status
    assert words in answer.json()["detail"]


def test_an_unknown_api_address_is_no_page(server: Served) -> None:
    answer = server.get("/api/none")
    assert answer.status_code == 404 and answer.json() == {"detail": "Not Found"}


def test_openapi_describes_the_http_part(server: Served) -> None:
    described = server.get("/openapi.json").json()
    assert set(described["paths"]) == {
        "/api/games",
        "/api/games/{game}/rules",
        "/api/games/{game}/deals/{deal}",
        "/api/statistics",
        "/api/played",
        "/api/played/{key}/record",
        "/api/health",
    }
    bar = described["components"]["schemas"]["Bar"]["properties"]
    assert set(bar) == {"from", "to", "count"}


def test_health(server: Served) -> None:
    health = server.get("/api/health").json()
    assert health["ok"] is True and health["solver"] == "The solver is ready."


# The player's own


def test_a_stranger_has_nothing(server: Served) -> None:
    for token in (None, new_token()):
        statistics = server.get("/api/statistics", token).json()
        assert statistics["games"] == [] and statistics["definitions"]
        assert server.get("/api/played", token).json() == {"games": [], "before": None}


def test_statistics_and_played_games(server: Served, tab: Tab, token: str, solver: ScriptedAnalysis) -> None:
    tab.open("/cruel/ms:24")
    assert server.get("/api/statistics", token).json()["games"] == []  # no move yet
    tab.play("10-h")
    tab.expect("table", "give-up")
    tab.light(phase="known")
    tab.open("/cruel/ms:25")
    tab.play(tab.open("/cruel/ms:25")["legal"][0])
    board = "Foundations: C-K D-K H-K S-Q\nKS\n" + "\n" * 7
    tab.expect("table", "paste", text=board, address="/beleaguered-castle")
    tab.play("1-h")
    castle, cruel = sorted(
        server.get("/api/statistics", token).json()["games"], key=lambda entry: entry["game"]
    )
    assert (castle["game"], castle["won"], castle["rate"], castle["alone"]["won"]) == (
        "beleaguered-castle",
        1,
        1.0,
        1,
    )
    assert castle["rate_text"] == "1 of 1 deals that are won or lost: 100%"
    assert (cruel["played"], cruel["won"], cruel["lost"], cruel["open"]) == (2, 0, 1, 1)
    assert (cruel["helped"]["played"], cruel["alone"]["played"]) == (1, 1)
    assert sum(bar["count"] for bar in cruel["cards_up"]) == 2

    listed = server.get("/api/played?limit=2", token).json()
    rest = server.get(f"/api/played?limit=2&before={listed['before']}", token).json()
    games = listed["games"] + rest["games"]
    assert [game["deal"] for game in games] == [None, "ms:25", "ms:24"]
    assert [game["won"] for game in games] == [True, False, False]
    assert games[2]["given_up"] and games[2]["helped"] == ["light"] and rest["before"] is None
    for game in games:
        assert tab.open(game["address"])["key"] == game["key"]
        assert server.get(game["address"], token).status_code == 200

    answer = server.get(f"/api/played/{games[2]['key']}/record", token)
    assert answer.headers["content-disposition"] == 'attachment; filename="cruel-ms-24.json"'
    assert json.loads(answer.text)["moves"] == "10-h"
    assert Session.from_text(answer.text).helped
