"""The catalogue: the twenty-one games with their rules, finding them by name, and a player's own files."""

from __future__ import annotations

from pathlib import Path

import pytest

from crenel import GAMES, Game, InvalidGame, Position, UnknownGame, find_game, load_game
from crenel.rules.catalogue import parse_game
from crenel.rules.game import rule_text

_HEAD, *TABLE = (Path(__file__).parent.parent / "data" / "rules-of-games.txt").read_text("utf-8").splitlines()
FIELDS = _HEAD.split()[1:]
"""The fields of the table, one game a line; a hyphen says that a game without redeals has no such rule."""


@pytest.mark.parametrize("line", TABLE, ids=lambda line: line.split()[0])
def test_each_game_has_its_rules(line: str) -> None:
    game_id, *values = line.split()
    rules = GAMES[game_id].rules()
    found = [rule_text(rules[key]).replace("true", "yes").replace("false", "no") for key in FIELDS]
    if not GAMES[game_id].has_redeal:
        found[-2:] = "--"
    assert found == values
    assert GAMES[game_id].ranks == 13


def test_the_games_are_these_and_in_this_order() -> None:
    assert set(GAMES) == {line.split()[0] for line in TABLE} and len(GAMES) == 21
    families = [game.family for game in GAMES.values()]
    assert families == ["cruel"] * 12 + ["castle"] * 9
    for family in ("cruel", "castle"):
        ids = [game.id for game in GAMES.values() if game.family == family]
        assert ids == sorted(ids)


def test_scores() -> None:
    assert GAMES["cruel"].score == "cards-up"
    assert GAMES["cruel-aisleriot"].score == "cards-up-less-bases"


@pytest.mark.parametrize("entry", GAMES.values(), ids=GAMES)
def test_headings(entry: Game) -> None:
    assert entry.title and entry.summary.endswith(".") and "\n" not in entry.summary
    assert entry.notes and all(note.strip() and note[-1] in ".!" for note in entry.notes)
    assert entry.origin == entry.id and entry.plain is None


# Finding games


@pytest.mark.parametrize("game_id", GAMES)
def test_games_are_found_by_every_name(game_id: str) -> None:
    game = GAMES[game_id]
    for name in (game.id, game.title, *game.aliases):
        for written in (name, name.upper(), f"  {name} ", name.replace("-", " "), name.replace(" ", "_")):
            assert find_game(written) is game


def test_no_name_stands_for_two_games() -> None:
    names: dict[str, str] = {}
    for game in GAMES.values():
        for name in {
            game.id,
            game.title.lower().replace(" ", "-"),
            *(alias.lower() for alias in game.aliases),
        }:
            assert names.setdefault(name.replace(" ", "-"), game.id) == game.id, name


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("crul", "cruel"),
        ("beleagured castle", "beleaguered-castle"),
        ("fortres", "fortress"),
        ("ripplefan", "ripple-fan"),
    ],
)
def test_an_unknown_name_offers_near_ones(name: str, near: str) -> None:
    with pytest.raises(UnknownGame, match=f"there is no game .{name}.; did you mean .*{near}"):
        find_game(name)


@pytest.mark.parametrize("name", ["", "bridge", "xyzzy", "7"])
def test_an_unknown_name_without_near_ones(name: str) -> None:
    with pytest.raises(UnknownGame, match="there is no game"):
        find_game(name)


@pytest.mark.parametrize(
    ("name", "error", "sentence"),
    [
        ("cruel[redeal.limit=2", UnknownGame, "the bracket is not closed"),
        ("cruel[redeal.limit]", UnknownGame, "is not key=value"),
        ("cruel[]", UnknownGame, "is not key=value"),
        ("bridge[redeal.limit=2]", UnknownGame, "there is no game"),
        ("cruel[redeal.limit=x]", InvalidGame, "redeal.limit=x is not allowed"),
        ("cruel[nonsense=1]", InvalidGame, "is not a rule"),
        ("nowhere.toml", UnknownGame, "cannot read the game file nowhere.toml"),
    ],
)
def test_broken_names(name: str, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        find_game(name)


def test_the_spaces_in_a_variant_do_not_matter() -> None:
    assert find_game(" Cruel [ redeal.limit = 2 ]".replace(" ]", "]")).id == "cruel[redeal.limit=2]"


def test_the_catalogue_is_a_mapping() -> None:
    assert "cruel" in GAMES and "bridge" not in GAMES and len(list(GAMES)) == 21
    assert repr(GAMES).startswith("GAMES(cruel, cruel-3, ")
    with pytest.raises(KeyError):
        GAMES["bridge"]


# A player's own file

OWN = """
id = "little-castle"
title = "Little Castle"
family = "castle"
summary = "Five ranks in four rows."
aliases = ["lc"]
notes = ["For beginners."]
ranks = 5
empty = "any"

[foundation]
base = "A"
dealt = true

[piles]
count = 4
size = 4

[deal]
order = "round-robin"

[build]
direction = "down"
suits = "any"

[redeal]
limit = 0
"""


def test_an_own_file_makes_a_game(tmp_path: Path) -> None:
    path = tmp_path / "little.toml"
    path.write_text(OWN, encoding="utf-8")
    game = find_game(str(path))
    assert game == load_game(path)
    assert (game.id, game.title, game.aliases, game.ranks) == ("little-castle", "Little Castle", ("lc",), 5)
    assert game.piles.sizes == (4, 4, 4, 4)
    assert (game.deal.plays, game.build.wrap, game.run, game.score) == ("none", False, "single", "win-loss")
    assert "little-castle" not in GAMES
    assert Position(game, [[16]], (5, 4, 5, 5)).legal_moves
    variant = game.with_rules({"redeal.limit": 2})
    assert variant.id == "little-castle[redeal.limit=2]" and variant.plain is game
    sized = OWN.replace("count = 4\nsize = 4", 'sizes = "2x6+1x4"')
    assert parse_game(sized).piles.sizes == (6, 6, 4)


BROKEN: list[tuple[str, str, str]] = [
    ('id = "little-castle"', "", "the field id is missing: expected a text"),
    ('title = "Little Castle"', "title = 5", "the field title is missing: expected a text"),
    (
        'summary = "Five ranks in four rows."',
        'summary = " "',
        "the field summary is missing: expected a text",
    ),
    ('family = "castle"', "", "the field family is missing"),
    ('family = "castle"', 'family = "tower"', "family=tower is not allowed: expected cruel or castle"),
    ('id = "little-castle"', 'id = "Little Castle"', "id='Little Castle' is not allowed"),
    (
        'id = "little-castle"',
        'id = "little[castle"',
        "is not allowed: expected small letters, digits and hyphens",
    ),
    ('aliases = ["lc"]', 'aliases = "lc"', "the field aliases is wrong: expected a list of texts"),
    ('notes = ["For beginners."]', "notes = [1]", "the field notes is wrong: expected a list of texts"),
    ("ranks = 5", "ranks = 50", "ranks=50 is not allowed: expected a number from 4 to 13"),
    ("ranks = 5", "rank = 5", "is not a rule; did you mean ranks?"),
    ('empty = "any"', "", "the field empty is missing: expected any or none"),
    ('base = "A"', "", "the field foundation.base is missing: expected A, K or first"),
    ("dealt = true", 'dealt = "sometimes"', "foundation.dealt=sometimes is not allowed"),
    ("count = 4", "count = 5", "piles.sizes=5x4 holds 20 cards, but 16 are dealt"),
    ("count = 4\n", "", "piles.count and piles.size are given together"),
    ('order = "round-robin"', "", "the field deal.order is missing"),
    (
        'direction = "down"',
        'direction = "off"',
        "build.direction=off is not allowed: expected down, up or either",
    ),
    ('suits = "any"', 'suits = "any"\ncolour = "red"', "is not a rule"),
    ("limit = 0", "", "the field redeal.limit is missing"),
    ("limit = 0", 'limit = 0\nwhen = "any-time"', "redeal.when=any-time contradicts redeal.limit=0"),
    ("limit = 0", "limit = 99999", "redeal.limit=99999 is not allowed"),
    ("[redeal]", "[redeal", "is not valid TOML"),
    ("limit = 0", "limit = 0\nlimit = 1", "is not valid TOML"),
]


@pytest.mark.parametrize(("before", "after", "sentence"), BROKEN)
def test_a_broken_file_names_the_field_and_itself(
    before: str, after: str, sentence: str, tmp_path: Path
) -> None:
    assert OWN.count(before) == 1
    path = tmp_path / "own.toml"
    path.write_text(OWN.replace(before, after), encoding="utf-8")
    with pytest.raises(InvalidGame) as caught:
        load_game(path)
    message = str(caught.value)
    assert sentence in message and message.startswith(str(path)) and "\n" not in message


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidGame, match="is not a text file in UTF-8"):
        load_game(path)
    with pytest.raises(UnknownGame, match="cannot read the game file"):
        load_game(tmp_path)
