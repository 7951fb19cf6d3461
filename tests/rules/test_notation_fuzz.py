"""All readers on garbage and on damaged texts: nothing but the documented errors may come out.

What a damaged text is taken for must be sound too: a board that is accepted is a complete deck.
"""

from __future__ import annotations

import json
import random
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crenel import (
    GAMES,
    Game,
    InvalidGame,
    Move,
    Position,
    UnknownGame,
    UnreadableMove,
    find_game,
    parse_move,
)
from crenel.rules.cards import UnreadableCard, parse_card
from crenel.rules.catalogue import parse_game
from crenel.rules.deals import UnknownDeal, deal
from crenel.rules.game import RULES
from crenel.rules.notation import (
    InvalidBoard,
    InvalidRecord,
    InvalidSolution,
    format_board,
    format_board_json,
    format_moves,
    format_record,
    make_record,
    parse_board,
    parse_moves,
    parse_record,
)
from tests.rules.positions import ALL_GAMES, cards_of, positions
from tests.rules.test_notation_records import OWN

games = st.sampled_from(ALL_GAMES)
_CHARACTERS = "AKQJT9870123456cdhsCDHSrxX-:#,.[]{}\"' \t\n\r\0\ufeff\u2028\ud800é\\"
garbage = st.one_of(
    st.text(),
    st.binary(),
    st.text(st.sampled_from(_CHARACTERS)),
    st.lists(
        st.sampled_from(["AC", "10H", "9s", "Foundations:", "H-A", "Hand:", "\n", "\r\n", "#", ":", "{", "}"])
    ).map(" ".join),
)


def damaged(text: str, seed: int) -> str:
    """A text with a few characters, words or lines lost, changed, doubled or swapped."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 3)):
        kind = chance.randrange(5)
        place = chance.randrange(len(text) + 1)
        if kind == 0:
            text = text[:place] + text[place + chance.randint(1, 4) :]
        elif kind == 1:
            text = text[:place] + chance.choice(_CHARACTERS) + text[place:]
        elif kind == 2:
            text = text[:place] + chance.choice(_CHARACTERS) + text[place + 1 :]
        else:
            divider = "\n" if kind == 3 else " "
            parts = text.split(divider)
            one, other = chance.randrange(len(parts)), chance.randrange(len(parts))
            change = chance.randrange(3)
            if change == 0:
                del parts[one]
            elif change == 1:
                parts.insert(other, parts[one])
            else:
                parts[one], parts[other] = parts[other], parts[one]
            text = divider.join(parts)
    return text


def check_sentence(error: ValueError, *words: str) -> None:
    """An error can be shown as it is: one line of printable characters, not too long, with one of ``words``."""
    message = str(error)
    assert message and message.isprintable() and len(message) < 900
    assert not words or any(word in message for word in words)


def check_board(text: str | bytes, game: Game) -> None:
    try:
        position = parse_board(text, game)
    except InvalidBoard as error:
        check_sentence(error)
    else:
        assert cards_of(position) == list(range(game.cards))
        assert len(position.piles) == len(game.piles.sizes)
        assert parse_board(format_board(position), game) == position
        for move in position.legal_moves:
            position.push(move)
            position.pop()


def check_moves(text: str | bytes, game: Game | None) -> None:
    try:
        moves = parse_moves(text, game)
    except InvalidSolution as error:
        check_sentence(error)
    else:
        assert all(isinstance(move, Move) for move in moves)
        assert parse_moves(format_moves(moves)) == moves or any(move.count == 0 for move in moves)


def check_record(text: str | bytes) -> None:
    try:
        record = parse_record(text)
        assert parse_record(format_record(record)) == record
        record.position()
    except InvalidRecord as error:
        check_sentence(error)


@given(garbage, games)
@example("{}", find_game("cruel"))
@example('{"tableau piles": [[]]}', find_game("cruel"))
@example("Foundations: ß-K", find_game("cruel"))
def test_boards(text: str | bytes, game: Game) -> None:
    check_board(text, game)


@given(garbage, st.one_of(st.none(), games))
def test_moves(text: str | bytes, game: Game | None) -> None:
    check_moves(text, game)


@given(garbage)
def test_records(text: str | bytes) -> None:
    check_record(text)


@given(positions(), st.integers(0, 2**32))
def test_damaged_boards(position: Position, seed: int) -> None:
    check_board(damaged(format_board(position), seed), position.game)


@given(positions(), st.integers(0, 2**32))
def test_damaged_json_deals(position: Position, seed: int) -> None:
    check_board(damaged(format_board_json(position), seed), position.game)


@given(positions(), st.integers(0, 2**32))
def test_damaged_moves(position: Position, seed: int) -> None:
    check_moves(damaged(format_moves(position.moves), seed), position.game)


@given(positions(), st.integers(0, 2**32))
def test_damaged_records(position: Position, seed: int) -> None:
    check_record(damaged(format_record(make_record(position)), seed))


json_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(),
        st.sampled_from(["AC", "cruel", "ms:1"]),
    ),
    lambda values: st.one_of(st.lists(values), st.dictionaries(st.text(), values)),
    max_leaves=6,
)


@given(st.data())
def test_records_with_other_values(data: st.DataObject) -> None:
    record = json.loads(format_record(make_record(deal(find_game("cruel"), "ms:1"), deal="ms:1")))
    key = data.draw(st.sampled_from(sorted(record)))
    if key == "rules" and data.draw(st.booleans()):
        record[key][data.draw(st.sampled_from(sorted(RULES)))] = data.draw(json_values)
    else:
        record[key] = data.draw(json_values)
    check_record(json.dumps(record))


@given(st.data())
def test_json_deals_with_other_values(data: st.DataObject) -> None:
    game = data.draw(games)
    board = {"tableau piles": [["AC"]], "foundations": [], "hand": [], "redeals": 0}
    board[data.draw(st.sampled_from(sorted(board)))] = data.draw(json_values)
    check_board(json.dumps(board), game)


# The readers of the other modules


@given(st.text())
def test_cards_and_moves(text: str) -> None:
    for read, error in ((parse_card, UnreadableCard), (parse_move, UnreadableMove)):
        try:
            read(text)
        except error as problem:
            check_sentence(problem)


@given(st.one_of(st.text(), st.text(st.sampled_from("cruel-[].=,0123"))))
@example("\0.toml")
@example("\ud800.toml")
@example("a" * 5000 + ".toml")
@example("cruel[ranks=5,ranks=6")
def test_names_of_games(text: str) -> None:
    try:
        find_game(text)
    except (UnknownGame, InvalidGame) as problem:
        check_sentence(problem)


@given(st.sampled_from(sorted(RULES)), st.one_of(st.text(), json_values), st.sampled_from(sorted(GAMES)))
def test_rule_values(key: str, value: object, name: str) -> None:
    try:
        find_game(name).with_rules({key: value})
    except InvalidGame as problem:
        check_sentence(problem, *RULES)


@given(st.text())
@example("x = " + "[" * 100_000)
@example(".".join("a" * 5000) + " = 1")
@example("x = " + "1" * 5000)
@example("x = 0001-99-99")
def test_game_files(text: str) -> None:
    with pytest.raises(InvalidGame) as caught:
        parse_game(text)
    check_sentence(caught.value)


@given(st.integers(0, 2**32))
def test_damaged_game_files(seed: int) -> None:
    try:
        parse_game(damaged(OWN, seed))
    except InvalidGame as problem:
        check_sentence(problem)


@given(st.one_of(st.text(), st.from_regex(r"(ms|pysol|mt|gnome)?:?-?[0-9]{0,20}", fullmatch=True)), games)
def test_deal_numbers(text: str, game: Game) -> None:
    try:
        position = deal(game, text)
    except UnknownDeal as error:
        check_sentence(error)
    else:
        assert cards_of(position) == list(range(game.cards))


@pytest.mark.parametrize(
    "text", ["a" + " " * 900_000, ("-=" * 450_000) + "x", "a " * 450_000, "\n" * 900_000, "#" * 900_000]
)
def test_long_texts_are_read_in_time_that_grows_with_their_length(text: str) -> None:
    before = time.process_time()
    check_board(text, find_game("cruel"))
    check_moves(text, find_game("beleaguered-castle"))
    check_record(text)
    check_record(json.dumps({"format": "crenel-record", "version": 1, "game": text}))
    assert time.process_time() - before < 30  # seconds; it takes about one
