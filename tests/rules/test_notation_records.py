"""Records: round trips of games of all kinds, and records that do not tell the truth."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from crenel import GAMES, IllegalMove, Move, find_game
from crenel.rules.catalogue import parse_game
from crenel.rules.deals import deal
from crenel.rules.game import Game
from crenel.rules.notation import (
    InvalidRecord,
    Record,
    format_record,
    make_record,
    parse_moves,
    parse_record,
)
from crenel.rules.position import Position
from tests.rules.positions import played, positions

OWN = """\
id = "my-castle"
title = "My Castle"
family = "castle"
summary = "A small castle."
notes = ["Ours."]
ranks = 5
run = "single"
empty = "any"
foundation = {base = "A", dealt = true}
piles = {count = 4, size = 4}
deal = {order = "round-robin"}
build = {direction = "down", suits = "any"}
redeal = {limit = 0}
"""


def changed(record: Record, **keys: Any) -> str:
    """The text of a record with some keys changed (``...`` takes a key away)."""
    data = json.loads(format_record(record)) | keys
    return json.dumps({key: value for key, value in data.items() if value is not ...})


@pytest.fixture
def record() -> Record:
    """Two moves of Cruel."""
    return make_record(deal(find_game("cruel"), "ms:1"), deal="ms:1", moves=parse_moves("7-10 11-h"))


def test_the_text_of_a_record(record: Record) -> None:
    data = json.loads(format_record(record))
    assert list(data) == ["format", "version", "game", "rules", "deal", "board", "moves", "result"]
    assert data["format"] == "crenel-record"
    assert (data["version"], data["game"]) == (1, "cruel")
    assert (data["deal"], data["board"], data["moves"], data["result"]) == (
        "ms:1",
        None,
        "7-10 11-h",
        "unfinished",
    )
    assert set(data["rules"]) == set(find_game("cruel").rules())
    assert (data["rules"]["redeal.limit"], data["rules"]["piles.sizes"]) == ("unlimited", [4] * 12)


def test_a_record_replays(record: Record) -> None:
    position = parse_record(format_record(record).encode()).position()
    assert position.moves == record.moves
    assert position.foundations == (1, 1, 2, 1)


@given(positions())
def test_a_record_gives_the_game_back(position: Position) -> None:
    record = make_record(position)
    read = parse_record(format_record(record))
    assert read == record
    assert (read.deal, read.moves) == (None, position.moves)
    end = read.position()
    assert (end, end.moves, end.game) == (position, position.moves, position.game)
    assert read.result == ("won" if position.is_won else "lost" if position.is_lost else "unfinished")


@pytest.mark.parametrize("name", GAMES)
def test_a_record_of_a_deal_of_each_game(name: str) -> None:
    game = GAMES[name]
    position = deal(game, "ms:7")
    for _ in range(60):
        moves = position.legal_moves
        if not moves:
            break
        position.push(moves[0])
    record = make_record(position, deal="ms:7")
    assert (record.board, record.deal) == (None, "ms:7")
    read = parse_record(format_record(record))
    assert read == record
    assert read.position() == position


def test_moves_are_added_to_those_of_the_position() -> None:
    position = deal(find_game("cruel"), "ms:1")
    position.push(Move(6, 9))
    record = make_record(position, deal="ms:1", moves=parse_moves("11-h"))
    assert record.moves == (Move(6, 9), Move(10, -1))
    assert position.moves == (Move(6, 9),)
    with pytest.raises(IllegalMove, match=r"move 1 \(7-10\)"):
        make_record(position, deal="ms:1", moves=[Move(6, 9)])


def test_a_bare_number_is_written_with_its_scheme(record: Record) -> None:
    assert make_record(deal(find_game("cruel"), "1"), deal="1").deal == "ms:1"
    assert parse_record(changed(record, deal="1")) == record


def test_won_and_lost_games() -> None:
    game = find_game("beleaguered-castle").with_rules({"ranks": 4, "piles.sizes": "3x4"})
    results = {make_record(played(game, seed, 200)).result for seed in range(40)}
    assert results == {"won", "lost", "unfinished"}


def test_the_deal_must_be_the_one_that_was_played() -> None:
    with pytest.raises(InvalidRecord, match="'ms:2'"):
        make_record(deal(find_game("cruel"), "ms:1"), deal="ms:2")
    with pytest.raises(InvalidRecord, match="the start of the record"):
        make_record(deal(find_game("cruel"), "ms:1"), deal="nothing:1")


def test_a_position_of_some_cards_has_no_record() -> None:
    with pytest.raises(InvalidRecord, match="missing"):
        make_record(Position(find_game("cruel"), [[8, 4]]))


# Games


def test_variants_come_back_under_their_names() -> None:
    for name, rules in (
        ("cruel", {"redeal.limit": 2}),
        ("cruel-strict", {"redeal.limit": 0}),
        ("royal-family", {"build.direction": "down", "empty": "any"}),
        ("streets-and-alleys", {"redeal.limit": "unlimited", "redeal.order": "one-by-one"}),
    ):
        game = find_game(name).with_rules(rules)
        record = make_record(deal(game, "ms:1"))
        assert parse_record(format_record(record)).game == game


def test_a_record_keeps_the_rules_that_were_played(record: Record) -> None:
    # As if a later version had changed the game: the rule values win over the id.
    rules = json.loads(format_record(record))["rules"] | {"redeal.limit": 3}
    game = parse_record(changed(record, rules=rules)).game
    assert (game.id, game.redeal.limit) == ("cruel[redeal.limit=3]", 3)
    del rules["build.wrap"]
    assert parse_record(changed(record, rules=rules)).game == game


def test_a_game_of_the_players_own() -> None:
    own = parse_game(OWN)
    for game in (own, own.with_rules({"build.suits": "same"})):
        record = make_record(played(game, 5, 6))
        read = parse_record(format_record(record))
        assert _without_texts(read.game) == _without_texts(game)
        assert (read.game.id, read.game.title, read.game.summary) == (game.id, game.title, game.summary)
        assert read.position().piles == played(game, 5, 6).piles
    with pytest.raises(InvalidRecord, match="'title'"):
        parse_record(changed(record, title=...))


def _without_texts(game: Game) -> tuple[object, ...]:
    return game.rules(), game.id, game.title, game.family, game.origin


# Records that are wrong


def test_keys_that_are_not_known_are_ignored(record: Record) -> None:
    assert parse_record(changed(record, played="yesterday")) == record
    assert parse_record(changed(record, board=...)) == record


def test_an_illegal_move_is_named(record: Record) -> None:
    read = parse_record(changed(record, moves="7-10 11-h 10-3"))
    with pytest.raises(InvalidRecord) as caught:
        read.position()
    assert str(caught.value) == (
        "the record does not replay: move 3 (10-3) is illegal: "
        "The 8 of clubs does not go on the 8 of diamonds: piles are built down in suit."
    )


@pytest.mark.parametrize("result", ["won", "lost"])
def test_the_result_must_be_true(record: Record, result: str) -> None:
    read = parse_record(changed(record, result=result))
    with pytest.raises(InvalidRecord, match=f"the record says '{result}', but .* unfinished"):
        read.position()


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"format": "other"}, "'format' is not 'crenel-record'"),
        ({"format": ...}, "'format'"),
        ({"version": 2}, "has version '2', but this program reads version 1"),
        ({"version": 10**4000}, "has version '1000000"),
        ({"version": 0}, "'version'"),
        ({"version": "1"}, "'version'"),
        ({"version": True}, "'version'"),
        ({"version": 1.0}, "'version'"),
        ({"version": None}, "'version'"),
        ({"game": None}, "'game'"),
        ({"game": "Cruel!"}, "'Cruel!'"),
        ({"game": "cruel[redeal.limit=2"}, "not the id of a game"),
        ({"game": "../cruel.toml"}, "not the id of a game"),
        ({"game": "unheard-of"}, "'title'"),
        ({"game": ["cruel"]}, "'game'"),
        ({"rules": None}, "'rules'"),
        ({"rules": []}, "'rules'"),
        ({"rules": {}}, "foundation.base is missing"),
        ({"rules": {"redeal": {"limit": 1}}}, "'redeal' is not a rule"),
        ({"rules": {"x" * 5000: 1}}, "'xxxx"),
        ({"rules": {"ranks": None}}, "'ranks' has a value of a wrong kind"),
        ({"rules": {"ranks": 13.0}}, "'ranks'"),
        ({"rules": {"ranks": 10**4000}}, "ranks=1000"),
        ({"rules": {"ranks": 14}}, "ranks=14"),
        ({"rules": {"run": "both\n\x1b[1m"}}, "run=both\\n\\x1b[1m is not allowed"),
        ({"rules": {"run": "x" * 5000}}, "'run'"),
        ({"rules": {"piles.sizes": [[4]]}}, "'piles.sizes'"),
        ({"rules": {"piles.sizes": []}}, "piles.sizes"),
        ({"deal": None}, "a deal or a board, and not both"),
        ({"board": "AC"}, "a deal or a board, and not both"),
        ({"deal": None, "board": "AC"}, "the start of the record: 12 piles expected, but 1 found"),
        ({"deal": 1}, "'deal' that is not a text"),
        ({"deal": "nothing:1"}, "the start of the record"),
        ({"moves": None}, "has no 'moves'"),
        ({"moves": ...}, "has no 'moves'"),
        ({"moves": ["7-10"]}, "'moves' that is not a text"),
        ({"moves": "7-10 7*10"}, "the moves of the record: move 2 (line 1): '7*10' is not a move"),
        ({"moves": "1-2 " * 100_001}, "100,000 moves"),
        ({"result": "drawn"}, "'drawn'"),
        ({"result": None}, "has no 'result'"),
        ({"result": True}, "'result' that is not a text"),
    ],
)
def test_wrong_keys_are_named(record: Record, keys: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidRecord) as caught:
        parse_record(changed(record, **keys))
    assert words in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 700


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not valid JSON"),
        ("[]", "not a JSON object"),
        ("null", "not a JSON object"),
        ("{", "line 1, column 2"),
        ('{"format": "crenel-record", "format": "crenel-record"}', "the key 'format' twice"),
        ('{"version": NaN}', "NaN"),
        ('{"version": -Infinity}', "-Infinity"),
        ('{"version": ' + "1" * 5000 + "}", "a number that is too long"),
        ('{"rules": ' + "[" * 100_000, "nested too deeply"),
        ('{"rules": ' + '{"a":' * 100_000, "nested too deeply"),
        ('{"board": "' + "x" * 1_000_000 + '"}', "too long"),
        ("\0\1\2", "binary"),
        (b"\x89PNG\r\n\x1a\n", "binary"),
    ],
)
def test_what_is_no_record_at_all(text: str | bytes, words: str) -> None:
    with pytest.raises(InvalidRecord) as caught:
        parse_record(text)
    assert words in str(caught.value)


def test_a_record_without_a_start_says_so() -> None:
    with pytest.raises(InvalidRecord, match="a deal or a board"):
        Record(find_game("cruel"), None, None, (), "unfinished").position()
