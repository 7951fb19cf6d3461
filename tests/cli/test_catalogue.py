"""The commands ``games``, ``rules`` and ``deal``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import crenel as package
from crenel import GAMES, find_game
from crenel.rules.cards import RANK_NAMES
from crenel.rules.deals import deal
from crenel.rules.notation import format_board, parse_board
from tests.bad_input import GAME_FILE
from tests.cli.conftest import Runner


def test_games(crenel: Runner) -> None:
    run = crenel("games")
    assert (run.status, run.err) == (0, "")
    lines = run.out.splitlines()
    assert [line.split()[0] for line in lines] == list(GAMES)
    for line, game in zip(lines, GAMES.values(), strict=True):
        assert game.title in line and game.family in line and game.summary in line


def test_games_as_json(crenel: Runner) -> None:
    run = crenel("games", "--json")
    entries = [json.loads(line) for line in run.out.splitlines()]
    assert [entry["id"] for entry in entries] == list(GAMES)
    assert len(entries) == 21
    for entry, game in zip(entries, GAMES.values(), strict=True):
        assert (entry["title"], entry["family"], entry["summary"]) == (game.title, game.family, game.summary)
        assert find_game(entry["id"]).with_rules(entry["rules"]) == game


def test_rules_show_the_game_and_its_notes(crenel: Runner) -> None:
    for game in GAMES.values():
        run = crenel("rules", game.id)
        assert run.status == 0
        text = " ".join(run.out.split())
        for words in (game.title, game.summary, *game.notes, *game.aliases):
            assert " ".join(words.split()) in text


def test_rules_of_a_variant_and_of_a_file(crenel: Runner, tmp_path: Path) -> None:
    run = crenel("rules", "cruel", "--rule", "redeal.limit=2", "--rule", "redeal.when=when-stuck")
    assert "cruel[redeal.limit=2,redeal.when=when-stuck]" in run.out
    assert "2 times, only when no card can move" in " ".join(run.out.split())
    file = tmp_path / "my-game.toml"
    file.write_text(GAME_FILE, encoding="utf-8")
    assert crenel("rules", str(file)).out.startswith("My Game\n")
    dealt = crenel("deal", str(file), "ms:1")
    assert dealt.out == crenel("deal", "beleaguered-castle", "1").out


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_dealt(name: str, crenel: Runner) -> None:
    game = find_game(name)
    start = deal(game, "ms:7")
    board = crenel("deal", name, "ms:7")
    assert (board.status, board.err, board.out) == (0, "", format_board(start))  # a pipe gets the board
    assert crenel("deal", name, "7", "--format", "board").out == board.out
    as_json = crenel("deal", name, "ms:7", "--format", "json")
    assert set(json.loads(as_json.out)) <= {"tableau piles", "foundations", "hand"}
    assert parse_board(as_json.out, game) == start
    pretty = crenel("deal", name, "ms:7", "--format", "pretty")
    assert pretty.out.startswith(f"{game.title}, deal ms:7\n")
    for card in range(game.cards):
        drawn = RANK_NAMES[card >> 2] + "♣♦♥♠"[card & 3]
        dealt = game.foundation.dealt and card >> 2 == game.base_rank
        assert pretty.out.count(drawn) == 1 or dealt or any(start.foundations)


def test_drawings(crenel: Runner) -> None:
    castle = crenel("deal", "beleaguered-castle", "ms:1", "--format", "pretty").out
    assert " 1  6♣ 8♥ Q♥ K♠ K♦ J♦   A♣   5♦ Q♣ 3♣ 3♠ 6♦ 6♠  5\n" in castle  # exposed cards at the outer ends
    assert " 4  T♣ 7♦ 7♠ J♠ 5♠ J♣   A♠   5♥ 2♠ T♠ T♥ Q♠ 6♥  8\n" in castle
    cruel = crenel("deal", "cruel", "ms:1", "--format", "pretty").out
    assert "   1     2     3     4     5     6\n  J♦    2♦    9♥    J♣    5♦    7♥\n" in cruel
    assert "   7     8     9    10    11    12\n  7♣    5♥    K♦    K♣    9♠    5♠\n" in cruel
    assert max(map(len, cruel.splitlines())) < 80


def test_a_castle_too_wide_for_the_terminal_is_listed(
    crenel: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    narrow = crenel("deal", "beleaguered-castle", "ms:1", "--format", "pretty").out
    assert " 1  J♦ K♦ K♠ Q♥ 8♥ 6♣\n" in narrow
    assert max(map(len, narrow.splitlines())) <= 40


def test_colours_only_where_they_are_wanted() -> None:
    from rich.console import Console

    from crenel.cli.show import drawing

    line = drawing(deal(find_game("beleaguered-castle"), "ms:1"))[0]

    def shown(**variables: str) -> str:
        console = Console(force_terminal=True, color_system="standard", _environ=variables, highlight=False)
        with console.capture() as capture:
            console.print(line)
        return capture.get()

    assert "\x1b[31m" in shown()
    assert "31m" not in shown(NO_COLOR="1")


def test_help_and_version(crenel: Runner) -> None:
    for words in ((), ("--help",), ("solve", "-h")):
        run = crenel(*words)
        assert (run.status, run.err) == (0, "")
        assert "Usage: crenel" in run.out
    assert crenel("--version").out == f"crenel {package.__version__}\n"
