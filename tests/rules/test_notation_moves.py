"""Lines of moves: what is read, round trips, and replays that name the move that is illegal."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crenel import IllegalMove, Move, Position, find_game, parse_move
from crenel.rules.moves import FOUNDATION, HAND, REDEAL
from crenel.rules.notation import IllegalLine, InvalidSolution, format_moves, parse_board, parse_moves, replay
from tests.rules.positions import positions
from tests.rules.test_notation_boards import CASTLE, WORKED

MOVES = [Move(6, 9), Move(10, FOUNDATION), REDEAL, Move(2, 7), Move(2, 4, 4), Move(HAND, 2)]
TEXT = "7-10 11-h R 3-8 3-5x4 d-3"


def test_tokens() -> None:
    assert parse_moves(TEXT) == MOVES
    assert format_moves(MOVES) == TEXT
    assert parse_moves("") == parse_moves("  # nothing\n\n") == []
    assert format_moves([]) == ""


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace(" ", "\n"),
        TEXT.replace(" ", ", "),
        TEXT.lower(),
        TEXT.upper(),
        "\ufeff" + TEXT.replace(" ", "\r\n"),
        "# the line\n7-10 11-h   # two up\nR 3-8\n\n3-5x4\td-3\n",
        TEXT.encode(),
        TEXT.encode("utf-16"),
    ],
)
def test_other_spellings(text: str | bytes) -> None:
    assert parse_moves(text) == MOVES


def test_two_characters_need_a_game_of_at_most_nine_piles() -> None:
    castle = find_game("beleaguered-castle")
    moves = [Move(4, 5), Move(7, FOUNDATION), Move(0, 8), REDEAL, Move(1, 2)]
    assert parse_moves("56 8h 19 R 2-3", castle) == moves
    assert parse_moves("56 8H\n19 r 2-3", castle) == moves
    with pytest.raises(InvalidSolution, match=r"move 2 \(line 1\): '56' .* known game"):
        parse_moves("1-2 56")
    with pytest.raises(InvalidSolution, match=r"move 1 \(line 2\): '56' .* nine piles .*\(Cruel has 12\)"):
        parse_moves("\n56", find_game("cruel"))
    for token in ("05", "5a", "a5", "555", "h5", "5"):
        with pytest.raises(InvalidSolution, match=rf"'{token}'"):
            parse_moves(token, castle)


def test_sentences_of_other_programs_count_from_zero() -> None:
    text = """\
-=-=-=-=-=-=-=-=-=-=-=-

Foundations: H-A C-A D-A S-A
Freecells:
: KD 3D JS
:

====================

Move a card from stack 3 to the foundations

====================

Move 1 cards from stack 6 to stack 3
move 3 cards from stack 10 to stack 0.
Move a card from stack 0 to the foundation
Move: 7-1

====================

This game is solveable.
Total number of states checked is 187.
This scan generated 1234 states.
"""
    assert parse_moves(text) == [
        Move(3, FOUNDATION),
        Move(6, 3),
        Move(10, 0, 3),
        Move(0, FOUNDATION),
        Move(6, 0),
    ]


def test_the_short_moves_of_such_a_listing() -> None:
    text = "====================\n\nMove: 4h \n\n====================\n\nMove: 74 \n"
    assert parse_moves(text, find_game("beleaguered-castle")) == [Move(3, FOUNDATION), Move(6, 3)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1-2 7*10", "move 2 (line 1): '7*10' is not a move"),
        ("1-2\n\n0-3", "move 2 (line 3): '0-3' is not a move (piles are counted from 1)"),
        ("1-2 # x\nh-3", "move 2 (line 2): 'h-3'"),
        ("3-4x0", "at least one card"),
        ("d-h", "'d-h'"),
        ("1-2 Move a card from stack 1 to stack 2", "move 2 (line 1): 'Move'"),
        (
            "Move a card from stack 1 to freecell 0",
            "move 1 (line 1): 'Move a card from stack 1 to freecell 0'",
        ),
        ("I could not solve this game.", "'I'"),
        ("\x1b[31m", "'\\x1b[31m'"),
        ("9" * 500, "move 1 (line 1): '9999"),
        ("1-2 " * 100_001, "100,000 moves"),
        ("1-2 " * 300_000, "1,000,000 characters"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, words: str) -> None:
    with pytest.raises(InvalidSolution) as caught:
        parse_moves(text)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_never_read(protocol: int) -> None:
    with pytest.raises(InvalidSolution, match="pickle, which is never read"):
        parse_moves(pickle.dumps([(1, 2), (3, 4)], protocol))


def test_the_text_pickles_of_old_are_no_solution_either() -> None:
    for protocol in (0, 1):
        with pytest.raises(InvalidSolution):
            parse_moves(pickle.dumps([(1, 2), (3, 4)], protocol))


# Round trips and replays


def any_move() -> st.SearchStrategy[Move]:
    pile = st.integers(0, 25)
    return st.one_of(
        st.just(REDEAL),
        st.builds(Move, st.just(HAND), pile),
        st.builds(Move, pile, st.just(FOUNDATION)),
        st.builds(Move, pile, pile, st.integers(1, 13)),
    )


@given(st.lists(any_move()))
def test_moves_are_read_back(moves: list[Move]) -> None:
    assert parse_moves(format_moves(moves)) == moves


@given(st.lists(any_move().filter(lambda move: move.is_tableau or move.is_foundation)))
def test_the_sentences_say_the_same_moves(moves: list[Move]) -> None:
    lines = []
    for move in moves:
        target = "the foundations" if move.is_foundation else f"stack {move.target}"
        cards = "a card" if move.count == 1 else f"{move.count} cards"
        lines.append(f"Move {cards} from stack {move.source} to {target}\n\n====================\n")
    assert parse_moves("\n".join(lines)) == moves


@given(positions())
def test_a_played_game_replays_from_its_text(position: Position) -> None:
    start = position.copy()
    while start.moves:
        start.pop()
    before = start.key
    end = replay(start, parse_moves(format_moves(position.moves), position.game))
    assert (end, end.moves, end.redeals_used) == (position, position.moves, position.redeals_used)
    assert (start.key, start.moves) == (before, ())


@given(positions(), any_move())
def test_a_replay_stops_at_the_first_illegal_move(position: Position, move: Move) -> None:
    problem = position.why_not(move)
    start = position.copy()
    while start.moves:
        start.pop()
    line = [*position.moves, move]
    if problem is None:
        assert replay(start, line).moves == tuple(line)
        return
    with pytest.raises(IllegalLine) as caught:
        replay(start, [*line, move, move])
    error = caught.value
    assert (error.number, error.move, error.reason) == (len(line), move, problem)
    assert str(error) == f"move {len(line)} ({move}) is illegal: {problem}"


def test_the_error_of_a_replay() -> None:
    cruel = parse_board(WORKED["cruel"][0], find_game("cruel"))
    line = [parse_move(token) for token in ("7-10", "11-h", "10-3")]
    with pytest.raises(IllegalMove) as caught:
        replay(cruel, line)
    assert str(caught.value) == (
        "move 3 (10-3) is illegal: The 8 of clubs does not go on the 8 of diamonds: piles are built down in suit."
    )
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert cruel.moves == ()


def test_moves_that_no_text_gives_are_refused_too() -> None:
    castle = parse_board(CASTLE, find_game("beleaguered-castle"))
    for move in (
        Move(-5, 2),
        Move(0, -9),
        Move(FOUNDATION, 1),
        Move(0, HAND),
        Move(-3, 1),
        Move(0, 99),
        Move(0, 1, -4),
    ):
        with pytest.raises(IllegalLine):
            replay(castle, [move])
