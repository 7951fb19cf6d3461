"""Addresses: read, written, and refused; never a way to a file of the server."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crenel import GAMES, Game, find_game, load_game
from crenel.rules.deals import SCHEMES, DealId, parse_deal_id
from crenel.web.addresses import Address, format_address, is_brought, known_game, parse_address
from tests.web.serving import problem_of

VARIANTS = [
    {},
    {"redeal.limit": "2"},
    {"build.suits": "any", "run": "run"},
    {"empty": "none"},
    {"build.wrap": "yes"},
]


def variant(game: Game, changes: dict[str, str]) -> Game:
    try:
        return game.with_rules(dict(changes))
    except ValueError:  # not every game has room for every rule
        return game


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("changes", VARIANTS, ids=str)
def test_an_address_opens_the_game_that_it_was_made_for(name: str, changes: dict[str, str]) -> None:
    game = variant(find_game(name), changes)
    deal = parse_deal_id("pysol:100000000000000000000")
    assert parse_address(format_address(game, deal)) == Address(game, deal)
    assert parse_address(format_address(game)) == Address(game)
    assert parse_address(format_address(game, None, "k" * 22)) == Address(key="k" * 22)
    assert parse_address(format_address(game, deal, "k" * 22)) == Address(game, deal)


def test_piles_of_all_sizes_survive_an_address() -> None:
    game = find_game("fortress").with_rules({"piles.sizes": "1x3+9x5"})
    assert "+" not in format_address(game)
    assert parse_address(format_address(game)).game == game


@given(st.sampled_from(sorted(SCHEMES)).flatmap(
    lambda scheme: st.builds(
        DealId, st.just(scheme), st.integers(SCHEMES[scheme].start, SCHEMES[scheme].stop - 1)
    )
))  # fmt: skip
def test_all_deals(deal: DealId) -> None:
    assert parse_address(format_address(find_game("cruel"), deal)).deal == deal


def test_short_and_escaped_forms() -> None:
    cruel = find_game("cruel")
    assert parse_address("/") == Address() and parse_address("/").usual_game == cruel
    assert parse_address("/cruel/") == Address(cruel)
    assert parse_address("/Beleaguered%20Castle/24") == Address(
        find_game("beleaguered-castle"), DealId("ms", 24)
    )
    assert parse_address("/cruel/ms%3A24").deal == DealId("ms", 24)
    assert parse_address("/cruel[redeal.limit=2]/ms:24").game == cruel.with_rules({"redeal.limit": 2})


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_refused_in_one_line(text: str) -> None:
    for address in (text, "/" + text, "/cruel/" + text, "/cruel?" + text):
        problem_of(lambda address=address: parse_address(address))  # type: ignore[misc]


@pytest.mark.parametrize(
    "name", ["./mine.toml", "mine.toml", "MINE.TOML", "mine.toml[run=run]", "../x.toml/"]
)
def test_no_file_is_read(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = Path(__file__).resolve().parents[2] / "src" / "crenel" / "rules" / "games" / "cruel.toml"
    (tmp_path / "mine.toml").write_text(source.read_text())
    assert find_game("./mine.toml").id == "cruel"  # the command line would
    with pytest.raises(ValueError, match="there is no game"):
        known_game(name)


def test_what_the_program_brings(tmp_path: Path) -> None:
    cruel = find_game("cruel")
    assert is_brought(cruel) and is_brought(cruel.with_rules({"redeal.limit": 2}))
    source = Path(__file__).resolve().parents[2] / "src" / "crenel" / "rules" / "games" / "cruel.toml"
    own = tmp_path / "own.toml"
    own.write_text(source.read_text().replace('id = "cruel"', 'id = "mine"'))
    mine = load_game(own)
    assert not is_brought(mine)
    assert format_address(mine, "ms:1", "k" * 22) == f"/mine/board/{'k' * 22}"
    own.write_text(source.read_text().replace('empty = "none"', 'empty = "any"'))
    assert not is_brought(load_game(own))  # it has the name of a game that it is not
