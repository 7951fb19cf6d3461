"""What is pasted is recognised by its content, for every game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crenel import GAMES, deal, find_game, format_board, format_moves, format_record, make_record
from crenel.play.session import Session
from crenel.rules.boards import format_board_json
from crenel.rules.deals import DealId
from crenel.rules.solutions import IllegalLine
from crenel.web.pasting import PastedLine, placed, recognise
from tests.bad_input import CASES, BadInput
from tests.web.serving import problem_of
from tests.web.test_views import random_play


@pytest.mark.parametrize("name", GAMES)
def test_boards_records_and_lines_of_every_game(name: str) -> None:
    game = find_game(name)
    positions = random_play(name, 50)
    for position in (positions[0], positions[-1]):
        for text in (format_board(position), format_board_json(position)):
            pasted = recognise(text, game)
            assert isinstance(pasted, Session) and pasted.position.key == position.key and not pasted.moves
    record = recognise(format_record(make_record(positions[-1], deal="ms:24")), find_game("cruel"))
    assert isinstance(record, Session) and record.position == positions[-1] and record.deal == "ms:24"
    moves = positions[-1].moves
    if moves:
        line = recognise(format_moves(moves), game)
        assert line == PastedLine(moves)
        assert placed(moves, [positions[1], positions[0]]) == positions[0]


def test_lines_of_other_programs() -> None:
    castle = find_game("beleaguered-castle")
    listing = "Move a card from stack 3 to stack 1\nMove a card from stack 2 to the foundations"
    assert isinstance(recognise(listing, castle), PastedLine)
    assert isinstance(recognise("56 8h 12", castle), PastedLine)
    assert isinstance(recognise("8h", castle), PastedLine)
    assert isinstance(recognise("3H 2H 7h", castle), PastedLine)  # moves to the foundations, not three hearts
    assert recognise(" MS:24\n", castle) == DealId("ms", 24)


def test_the_problem_that_is_told_is_the_one_that_goes_furthest() -> None:
    position = deal(find_game("cruel"), "ms:24")
    moves = recognise("10-h 6-9 1-1", position.game)
    assert isinstance(moves, PastedLine)
    later = position.copy()
    later.push(moves.moves[0])
    with pytest.raises(IllegalLine) as caught:
        placed(moves.moves, [later, position])
    assert caught.value.number == 3


# Bytes do not reach this, and moves in the place of a record are a line of moves.
TEXTS = [
    case
    for case in CASES
    if case.kind in ("board", "json-board", "solution", "record")
    and isinstance(case.text, str)
    and case.name != "a record that is no JSON"
]


@pytest.mark.parametrize("case", TEXTS, ids=lambda case: f"{case.kind}: {case.name}")
def test_broken_texts_are_refused_in_one_line(case: BadInput) -> None:
    game = find_game(case.game or "cruel")

    def paste() -> None:
        pasted = recognise(str(case.text), game)
        if isinstance(pasted, PastedLine):
            placed(pasted.moves, [deal(game, "ms:1")])

    assert problem_of(paste)


WORDS = st.lists(st.sampled_from("8H 1-2 R JD # Foundations: { } move 99 7h".split()))


@given(st.text(max_size=120) | WORDS.map(" ".join))
def test_any_text(text: str) -> None:
    problem_of(lambda: recognise(text, find_game("cruel")))
