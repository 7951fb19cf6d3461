"""Cases that were published with other programs, and some that were made to tell their readings apart.

``tests/data/public-cases.jsonl`` holds one case per line. Each is covered by a test below that names its line, and
the last test fails while a case is not. Where a case goes by rules other than ours, the test says so and checks ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crenel import IllegalMove, Move, Position, find_game
from crenel.rules.cards import card_name, card_rank, card_suit, parse_card
from crenel.rules.deals import deal
from crenel.rules.moves import FOUNDATION, REDEAL
from crenel.rules.notation import parse_board, parse_moves, replay

FILE = Path(__file__).parent.parent / "data" / "public-cases.jsonl"
CASES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
COVERED: list[int] = []

Case = dict[str, Any]


def covers(line: int) -> pytest.MarkDecorator:
    """Gives a test the case in that line of the file (from 1), and notes that it is covered."""
    COVERED.append(line)
    return pytest.mark.parametrize("case", [pytest.param(CASES[line - 1], id=f"line-{line}")])


def position(case: Case, game: str = "") -> Position:
    """The position of a case, which need not hold a whole deck."""
    counts = [0, 0, 0, 0]
    for name in case["foundations"]:
        counts[card_suit(parse_card(name))] = card_rank(parse_card(name)) + 1
    piles = [[parse_card(name) for name in pile.split()] for pile in case["piles"]]
    return Position(find_game(game or case["game"]), piles, counts)


def piles_of(position: Position) -> list[str]:
    """The piles as the file writes them, without the empty ones at the end."""
    piles = [" ".join(map(card_name, pile)) for pile in position.piles]
    while piles and not piles[-1]:
        piles.pop()
    return piles


def line_of(texts: list[str]) -> Iterator[Move]:
    """The moves of a case: ``3>5``, ``6>F``, ``redeal``."""
    for text in texts:
        source, _, target = text.partition(">")
        if text == "redeal":
            yield REDEAL
        else:
            yield Move(int(source) - 1, FOUNDATION if target == "F" else int(target) - 1)


def home(position: Position) -> int:
    return sum(position.foundations)


# Deals


@covers(1)
def test_beleaguered_castle_99(case: Case) -> None:
    # Numbers up to 32000 of that program are the deals that everyone calls by these numbers: our scheme ms.
    assert piles_of(deal(find_game(case["game"]), "ms:99")) == case["piles"]
    assert deal(find_game(case["game"]), "ms:99") == position(case)


@covers(2)
def test_streets_and_alleys_1080(case: Case) -> None:
    assert deal(find_game(case["game"]), "ms:1080") == position(case)
    assert [len(pile) for pile in position(case).piles] == [7, 7, 7, 7, 6, 6, 6, 6]


@covers(3)
def test_citadel_1080(case: Case) -> None:
    assert deal(find_game(case["game"]), "ms:1080") == position(case)
    assert [len(pile) for pile in position(case).piles] == [6, 6, 6, 5, 5, 6, 4, 6]


@covers(21)
def test_the_shape_of_streets_and_alleys(case: Case) -> None:
    start = deal(find_game(case["game"]), "ms:1")
    assert [len(pile) for pile in start.piles] == [7, 7, 7, 7, 6, 6, 6, 6]
    assert start.foundations == (0, 0, 0, 0)


@covers(22)
def test_the_shape_of_fortress_classic(case: Case) -> None:
    start = deal(find_game(case["game"]), "ms:1")
    assert [len(pile) for pile in start.piles] == [6, 6] + [5] * 8
    assert start.foundations == (0, 0, 0, 0)
    assert {0, 1, 2, 3} <= {card for pile in start.piles for card in pile}


# Lines of play

WIN = """
6-4 1-3 8-3 6-2 7-8 1-6 1-8 1-3 5-3 7-5 7-4 7-3 7-1 7-8 3-6 3-4 6-4 8-7 8-4 7-4 8-6 8-3 6-3 8-7 8-1 1-h 1-h 3-6 3-8
4-1 4-6 1-6 2-1 4-8 6-2 6-8 1-8 2-1 2-h 6-h 6-h 3-h 2-h 4-6 4-3 2-3 2-3 2-6 4-2 4-h 4-h 4-h 8-h 1-8 1-3 1-h 3-h 6-h
3-6 3-1 3-2 1-2 8-1 8-6 1-6 8-2 8-h 8-3 3-1 3-8 1-8 6-1 6-2 1-2 6-1 6-8 1-8 6-h 6-1 6-h 6-4 3-6 3-4 6-4 3-6 3-7 6-7
3-6 3-2 2-h 2-h 6-h 8-h 2-h 2-h 8-h 2-h 8-h 2-h 3-h 8-h 2-h 4-h 8-h 2-h 4-h 7-h 4-h 7-h 4-h 4-h 1-h 4-7 5-6 5-3 5-8
5-2 5-1 7-4 7-5 4-5 2-h 1-h 5-h 8-h 6-h 3-h 5-h 5-h
"""
"""A win of the case in line 4: what freecell-solver 5.0.0 found, its moves of two cards written one by one."""


@covers(4)
def test_a_castle_whose_sources_disagree_can_be_won(case: Case) -> None:
    # The name of the source's file says that it cannot be won; here is a win.
    assert case["expected"] == "solvable"
    assert replay(position(case), parse_moves(WIN)).is_won


@covers(5)
def test_a_recorded_line_of_cruel(case: Case) -> None:
    moves = list(line_of(case["moves"]))
    assert len(moves) == 77
    assert moves[-1] == REDEAL
    assert not replay(position(case), moves[:-1]).is_lost
    end = replay(position(case), moves)
    assert end.is_lost
    assert home(end) == 45
    assert end == position(CASES[5])


@covers(8)
def test_a_recorded_line_of_fortress_classic(case: Case) -> None:
    end = replay(position(case), line_of(case["moves"]))
    assert len(end.moves) == 12
    assert end.is_lost
    assert home(end) == 8


# Dead ends


@covers(6)
def test_a_dead_end_of_cruel(case: Case) -> None:
    end = position(case)
    assert end.legal_moves == []
    assert end.is_lost
    assert end.redealt().piles == end.piles


@covers(9)
def test_a_dead_end_of_fortress_classic(case: Case) -> None:
    assert position(case).legal_moves == []
    assert position(case).is_lost


@covers(10)
def test_a_dead_end_of_beleaguered_castle(case: Case) -> None:
    assert position(case).legal_moves == []
    assert position(case).is_lost


# Legal moves


@covers(11)
def test_what_goes_home_and_what_is_safe(case: Case) -> None:
    # Rules say what is legal; to play safe cards by itself is the table's business, not that of the rules.
    start = position(case)
    clubs = card_suit(parse_card("2C"))

    def is_safe(position: Position) -> bool:
        """The case's definition: at most one above the lowest of the other foundations."""
        others = [count for suit, count in enumerate(position.foundations) if suit != clubs]
        return card_rank(position.piles[0][-1]) + 1 <= min(others) + 1

    assert Move(0, FOUNDATION) in start.legal_moves
    assert is_safe(start)
    start.push(Move(0, FOUNDATION))
    assert piles_of(start) == ["3C"]
    assert Move(0, FOUNDATION) in start.legal_moves
    assert not is_safe(start)


@covers(12)
def test_builds_of_beleaguered_castle(case: Case) -> None:
    start = position(case)
    assert start.why_not(Move(0, 1)) is None
    assert "does not go on" in (start.why_not(Move(2, 3)) or "")
    assert all(start.why_not(Move(source, 4)) is None for source in range(4))


@covers(14)
def test_no_card_goes_to_an_empty_pile_of_cruel(case: Case) -> None:
    start = position(case)
    assert "stays empty" in (start.why_not(Move(0, 1)) or "")
    assert start.legal_moves == []


@covers(16)
def test_a_run_moves_as_one(case: Case) -> None:
    start = position(case)
    # Of the first pile only the run's lower card fits anywhere: looking at top cards alone finds no move there.
    assert [move for move in start.legal_moves if move.source == 0] == [Move(0, 1, 2)]
    assert not start.is_stuck
    assert start.why_not(Move(0, 1)) is not None
    start.push(Move(0, 1, 2))
    assert piles_of(start)[:2] == ["KH", "9S 8S 7S"]


@covers(17)
def test_builds_of_perseverance_classic(case: Case) -> None:
    start = position(case)
    assert [move for move in start.legal_moves if move.source == 0] == [Move(0, 1)]
    assert all(start.why_not(Move(0, target)) for target in range(2, 12))


# Redeals


@covers(7)
def test_two_orders_of_the_redeal(case: Case) -> None:
    start, expected = position(case), case["expected"]
    start.push(REDEAL)
    assert piles_of(start) == expected["after_redeal_bottom_first"]
    assert piles_of(position(case, "cruel-classic").redealt()) == expected["after_redeal_top_first"]


@covers(13)
def test_a_redeal_can_be_undone(case: Case) -> None:
    start = position(case)
    before = start.piles
    start.push(REDEAL)
    assert piles_of(start) == case["expected"]["after_redeal_bottom_first"]
    start.pop()
    assert (start.piles, start.redeals_used) == (before, 0)


@covers(15)
def test_two_redeals_of_perseverance_classic(case: Case) -> None:
    # The case redeals twice in a row. The second changes nothing, and ours refuses such a redeal without counting it,
    # so a card moves in between here. The third is refused as in the case, and none are left.
    start = position(case)
    assert start.redeals_left == 2
    start.push(REDEAL)
    assert piles_of(start) == ["2S 3S 4H 5C", "6C"]
    with pytest.raises(IllegalMove, match="change nothing"):
        start.push(REDEAL)
    assert start.redeals_left == 1
    start.push(Move(0, 1))
    start.push(REDEAL)
    assert piles_of(start) == ["2S 3S 4H 6C", "5C"]
    for _ in range(2):
        assert start.redeals_left == 0
        with pytest.raises(IllegalMove, match="All 2 redeals are used"):
            start.push(REDEAL)


@covers(20)
def test_which_card_stays_on_top(case: Case) -> None:
    bottom_up = position(case).redealt()
    top_down = position(case, "cruel-classic").redealt()
    assert piles_of(bottom_up) == case["expected"]["after_redeal_bottom_first"]
    assert piles_of(top_down) == case["expected"]["after_redeal_top_first"]
    # Behind full piles a top card stays on top in the one order, here the 5 of diamonds, not in the other.
    five = parse_card("5D")
    assert top_down.piles[2][-1] == five
    assert bottom_up.piles[2][-1] != five


# The loop


@covers(18)
@pytest.mark.parametrize("game", ["cruel", "cruel-aisleriot"])
def test_a_lone_card_that_can_go_up_is_no_loop(case: Case, game: str) -> None:
    start = position(case, game)
    assert not start.is_lost
    assert not start.is_stuck
    assert not start.is_loop
    assert Move(2, FOUNDATION) in start.legal_moves
    # The case's line redeals twice where nothing would change. Ours refuses that, and wins without.
    for before, after in (("3-h", "2-h 1-2 1-2 1-2 1-2 R 2-h 2-h 2-h"), ("", "1-h 1-h 1-h 1-h")):
        start = replay(start, parse_moves(before))
        assert "change nothing" in (start.why_not(REDEAL) or "")
        start = replay(start, parse_moves(after))
    assert start.is_won


def test_the_same_slip_with_a_whole_deck() -> None:
    board = "Foundations: C-4 D-K H-K S-9\nTS 9C KC JS\nTC 7C 8C KS\nQC JC QS 6C\n5C\n"
    start = parse_board(board, find_game("cruel-aisleriot"))
    assert not start.is_lost
    assert not start.is_loop
    assert start.legal_moves == [Move(3, FOUNDATION), Move(3, 2)]


@covers(19)
def test_the_loop_case(case: Case) -> None:
    # The case calls it lost. By our rules a game is lost only when no card can move; here one can, and leads round
    # in a circle. So it is announced as the loop, and that it is dead is for a search to say: this one is complete.
    start = position(case)
    assert start.is_loop
    assert not start.is_lost
    assert start.legal_moves == [Move(2, 1)]
    reached, todo = {start.key}, [start]
    while todo:
        here = todo.pop()
        assert not here.is_won
        for move in here.legal_moves:
            after = here.copy()
            after.push(move)
            if after.key not in reached:
                reached.add(after.key)
                todo.append(after)
    assert len(reached) == 2
    # From the top down the layout does change.
    top_down = position(case, "cruel-classic")
    assert not top_down.is_loop
    top_down.push(Move(2, 1))
    after = top_down.redealt()
    assert after.piles != position(case).piles
    assert piles_of(after)[-1] == "QS"


def test_every_case_is_covered() -> None:
    assert sorted(COVERED) == list(range(1, len(CASES) + 1))
