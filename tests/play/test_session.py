"""One game at the table: undo and redo, restart, safe play, the clock, and keeping it as text."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crenel import GAMES, IllegalMove, find_game, parse_move
from crenel.play.session import Session
from crenel.rules.deals import UnknownDeal, deal
from crenel.rules.moves import REDEAL, Move
from crenel.rules.notation import IllegalLine, InvalidRecord, parse_board, parse_moves, parse_record
from tests.bad_input import CASES, CRUEL


def begun(name: str = "cruel", deal_id: str = "ms:1", line: str = "") -> Session:
    session = Session.begin(find_game(name), deal_id)
    for move in parse_moves(line):
        session.play(move)
    return session


def test_begin() -> None:
    session = begun(deal_id="1")
    assert session.deal == "ms:1"
    assert session.position == deal(find_game("cruel"), "ms:1")
    assert (session.moves, session.undone, session.helped, session.seconds) == ((), (), False, 0.0)
    with pytest.raises(UnknownDeal):
        begun(deal_id="ms:0")


def test_undo_and_redo() -> None:
    session = begun(line="7-10 11-h R")
    line = parse_moves("7-10 11-h R")
    end = session.position
    assert session.undo() == REDEAL
    assert session.undo() == line[1]
    assert session.undone == (line[1], line[2])
    assert session.redo() == line[1]
    assert session.redo() == line[2]
    assert session.redo() is None
    assert session.position == end
    assert session.position.moves == tuple(line)


def test_undo_at_the_start() -> None:
    session = begun()
    assert session.undo() is None
    assert session.restart() == 0


def test_the_same_move_again_keeps_the_rest_to_redo_and_another_drops_it() -> None:
    session = begun(line="7-10 11-h R")
    assert session.restart() == 3
    session.play(parse_move("7-10"))
    assert session.undone == tuple(parse_moves("11-h R"))
    session.play(REDEAL)
    assert session.undone == ()


def test_an_illegal_move_changes_nothing() -> None:
    session = begun(line="7-10")
    session.undo()
    with pytest.raises(IllegalMove, match="foundation of diamonds"):
        session.play(parse_move("1-h"))
    assert session.undone == (parse_move("7-10"),)
    assert session.position == deal(find_game("cruel"), "ms:1")


def test_the_position_is_a_copy() -> None:
    session = begun()
    session.position.push(parse_move("7-10"))
    assert session.moves == ()
    start = deal(find_game("cruel"), "ms:1")
    other = Session(start)
    start.push(parse_move("7-10"))
    assert other.moves == ()


def test_restart_is_the_deal_card_for_card() -> None:
    for name in GAMES:
        session = begun(name)
        chance = random.Random(name)
        for _ in range(60):
            moves = session.position.legal_moves
            if not moves:
                break
            session.play(chance.choice(moves))
        end, made = session.position, session.moves
        assert session.restart() == len(made)
        assert session.position == deal(find_game(name), "ms:1")
        while session.redo() is not None:
            pass
        assert session.position == end
        assert session.moves == made


def test_autoplay() -> None:
    session = begun("cruel-strict")
    assert session.autoplay() == [parse_move("11-h")]
    assert session.moves == (parse_move("11-h"),)
    assert session.autoplay() == []
    finish = Session(parse_board("Foundations: C-K D-K H-K S-T\nKS QS JS\n", find_game("cruel")))
    assert finish.autoplay() == [Move(0, -1)] * 3
    assert finish.position.is_won


class Watch:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_the_clock_goes_on_after_a_pause() -> None:
    watch = Watch()
    session = Session.begin(find_game("cruel"), "ms:1", clock=watch)
    watch.now += 12.5
    assert session.seconds == 12.5
    text = session.to_text()
    watch.now += 3600
    again = Session.from_text(text, clock=watch)
    assert again.seconds == 12.5
    watch.now += 1
    assert again.seconds == 13.5
    assert Session.from_text(text).seconds == 12.5


def test_text_keeps_everything() -> None:
    session = begun(line="7-10 11-h R")
    session.undo()
    session.helped = True
    again = Session.from_text(session.to_text())
    assert again.position == session.position
    assert again.moves == session.moves
    assert again.undone == session.undone == (REDEAL,)
    assert again.deal == "ms:1"
    assert again.helped
    assert again.redo() == REDEAL
    # It is a record that any reader of records takes.
    assert parse_record(session.to_text()).position() == session.position


@given(
    name=st.sampled_from(sorted(GAMES)),
    seed=st.integers(0, 2**32),
    made=st.integers(0, 40),
    back=st.integers(0, 40),
)
def test_text_round_trip(name: str, seed: int, made: int, back: int) -> None:
    chance = random.Random(seed)
    session = begun(name, f"ms:{1 + seed % 1000}")
    for _ in range(made):
        moves = session.position.legal_moves
        if not moves:
            break
        session.play(chance.choice(moves))
    for _ in range(back):
        session.undo()
    again = Session.from_text(session.to_text().encode())
    assert (again.position, again.moves, again.undone) == (session.position, session.moves, session.undone)
    assert again.to_text() == session.to_text()


def test_a_game_from_a_board_and_a_variant() -> None:
    game = find_game("cruel").with_rules({"redeal.limit": 2})
    session = Session(parse_board(CRUEL, game))
    session.play(parse_move("7-10"))
    again = Session.from_text(session.to_text())
    assert again.deal is None
    assert again.game.id == "cruel[redeal.limit=2]"
    assert again.position == session.position


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.kind == "record"], ids=lambda case: case.name
)
def test_broken_records(case: object) -> None:
    with pytest.raises(InvalidRecord):
        Session.from_text(case.text)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("undone", 7, "'undone'"),
        ("undone", "7-10 ?", "undone moves"),
        ("undone", "1-h", "undone moves"),
        ("clock", "1", "'clock'"),
        ("clock", -1, "'clock'"),
        ("clock", True, "'clock'"),
        ("clock", None, "'clock'"),
        ("clock", 10**400, "'clock'"),
        ("helped", "yes", "'helped'"),
        ("helped", None, "'helped'"),
    ],
)
def test_broken_extras(key: str, value: object, words: str) -> None:
    data = json.loads(begun(line="7-10").to_text())
    data[key] = value
    with pytest.raises(InvalidRecord, match=words):
        Session.from_text(json.dumps(data))


# Copies, and games that go on


def test_a_copy_goes_its_own_way() -> None:
    time = [10.0]
    session = Session.begin(find_game("cruel"), "ms:24", clock=lambda: time[0])
    for text in ("10-h", "6-9"):
        session.play(parse_move(text))
    session.undo()
    session.helped = True
    time[0] = 17.0
    twin = session.copy()
    assert (twin.position, twin.moves, twin.undone) == (session.position, session.moves, session.undone)
    assert (twin.deal, twin.helped, twin.seconds) == ("ms:24", True, 7.0)
    twin.redo()
    twin.play(parse_move("R"))
    assert (len(session.moves), len(session.undone)) == (1, 1)
    assert (len(twin.moves), len(twin.undone)) == (3, 0)
    time[0] = 18.0
    assert session.seconds == twin.seconds == 8.0


def test_a_game_is_resumed_with_its_time() -> None:
    time = [3.0]
    start = deal(find_game("cruel"), "ms:24")
    first, second = parse_move("10-h"), parse_move("6-9")
    session = Session.resume(start, [first], [second], deal="ms:24", seconds=60.0, clock=lambda: time[0])
    time[0] = 5.0
    assert (session.moves, session.undone, session.seconds) == ((first,), (second,), 62.0)
    assert session.redo() == second
    assert not start.moves
    with pytest.raises(IllegalLine, match="move 1"):
        Session.resume(start, [parse_move("1-1")])
    with pytest.raises(IllegalLine, match="move 1"):
        Session.resume(start, [first], [first])
