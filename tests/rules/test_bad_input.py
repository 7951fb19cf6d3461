"""Broken input of every kind gives one sentence that names the culprit (the cases are in ``tests/bad_input.py``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from crenel import IllegalMove, InvalidGame, UnknownGame, find_game, load_game
from crenel.rules.catalogue import parse_game
from crenel.rules.deals import UnknownDeal, deal
from crenel.rules.notation import (
    InvalidBoard,
    InvalidRecord,
    InvalidSolution,
    parse_board,
    parse_moves,
    parse_record,
    replay,
)
from tests.bad_input import CASES, CASTLE, CRUEL, GAME_FILE, STREETS, BadInput, json_board, record


def _text(case: BadInput) -> str:
    assert isinstance(case.text, str)
    return case.text


def _read_board(case: BadInput) -> None:
    parse_board(case.text, find_game(case.game))


def _read_rule(case: BadInput) -> None:
    key, _, value = _text(case).partition("=")
    find_game(case.game).with_rules({key: value})


def _read_solution(case: BadInput) -> None:
    game = find_game(case.game)
    replay(deal(game, "ms:1"), parse_moves(case.text, game))


READERS: dict[str, tuple[Callable[[BadInput], object], tuple[type[ValueError], ...]]] = {
    "board": (_read_board, (InvalidBoard,)),
    "json-board": (_read_board, (InvalidBoard,)),
    "deal": (lambda case: deal(find_game(case.game), _text(case)), (UnknownDeal,)),
    "rule": (_read_rule, (InvalidGame,)),
    "solution": (_read_solution, (InvalidSolution, IllegalMove)),
    "game-file": (lambda case: parse_game(_text(case)), (InvalidGame,)),
    "record": (lambda case: parse_record(case.text).position(), (InvalidRecord,)),
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}: {case.name}")
def test_one_sentence_names_the_culprit(case: BadInput) -> None:
    read, errors = READERS[case.kind]
    with pytest.raises(errors) as caught:
        read(case)
    message = str(caught.value)
    for word in case.words:
        assert word in message
    assert message
    assert message.isprintable()
    assert len(message) < 400
    assert "Traceback" not in message


def test_there_are_enough_kinds_of_them() -> None:
    kinds = Counter(case.kind for case in CASES)
    assert set(kinds) == set(READERS)
    assert min(kinds.values()) >= 9
    assert len({case.name for case in CASES}) == len(CASES) >= 40


def test_what_the_cases_break_is_whole() -> None:
    assert parse_board(CASTLE, find_game("beleaguered-castle")) == deal(
        find_game("beleaguered-castle"), "ms:1"
    )
    assert parse_board(CRUEL, find_game("cruel")) == deal(find_game("cruel"), "ms:1")
    assert parse_board(json_board(), find_game("cruel")) == deal(find_game("cruel"), "ms:1")
    assert parse_board(STREETS, find_game("streets-and-alleys")) == deal(
        find_game("streets-and-alleys"), "ms:1"
    )
    assert parse_game(GAME_FILE).id == "my-game"
    assert len(parse_record(record()).position().moves) == 2


def test_game_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UnknownGame, match=r"cannot read the game file .*none\.toml"):
        load_game(tmp_path / "none.toml")
    with pytest.raises(UnknownGame, match="cannot read the game file"):
        load_game(tmp_path)
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidGame, match="not a text file in UTF-8"):
        load_game(tmp_path / "binary.toml")
