"""What may be done with cards: foundations, building, runs, empty piles, placing by hand, counting and scores.

Redeals have their own file. Each statement of the rules stands here as one example that can be read.
"""

from __future__ import annotations

import random

import pytest

from crenel import GAMES, IllegalMove, Move, Position, find_game, parse_move
from crenel.rules.cards import card_name, parse_card
from crenel.rules.moves import FOUNDATION, HAND, REDEAL
from tests.naive import lay_out, random_deck
from tests.rules.layouts import lay, moves, printed


def plays(position: Position, text: str) -> Position:
    """The same position after some moves."""
    for token in text.split():
        position.push(parse_move(token))
    return position


def takes(game: str, card: str, target: str) -> bool:
    """Whether a card may be put on another."""
    return lay(game, "").fits(parse_card(card), parse_card(target))


# Foundations


@pytest.mark.parametrize(
    "game_id", [g.id for g in GAMES.values() if g.foundation.base == "A" and g.foundation.dealt]
)
def test_foundations_go_up_from_the_ace_in_suit(game_id: str) -> None:
    position = lay(game_id, "3C | 2C | 2H | 4D", "AAAA")
    assert [move for move in moves(position) if move.endswith("-h")] == ["2-h", "3-h"]
    plays(position, "2-h 1-h")
    assert position.foundations == (3, 1, 1, 1)
    assert [position.wanted_rank(suit) for suit in range(4)] == [3, 1, 1, 1]


def test_aces_in_the_piles_open_their_foundations() -> None:
    position = lay("streets-and-alleys", "2C | AC | AD | KD", "0000")
    assert [move for move in moves(position) if move.endswith("-h")] == ["2-h", "3-h"]
    plays(position, "2-h 1-h 3-h")
    assert position.foundations == (2, 1, 0, 0)


def test_foundations_from_the_king_go_down() -> None:
    position = lay("royal-family-classic", "QH | JH | AH | 2H", "KKKK")
    assert position.foundations == (1, 1, 1, 1)
    assert position.wanted_rank(2) == 11
    assert [move for move in moves(position) if move.endswith("-h")] == ["1-h"]
    plays(position, "1-h 2-h")
    assert position.foundations == (1, 1, 3, 1)
    last = lay("royal-family-classic", "AH", "AA2A")
    assert moves(last)[0] == "1-h"
    assert plays(last, "1-h").is_won


def test_the_first_card_played_fixes_the_base() -> None:
    layout = "QC JC | JD | QD KD | AC"
    assert lay("selective-castle-classic", layout).base is None
    position = lay("selective-castle-classic", layout)
    assert [move for move in moves(position) if move.endswith("-h")] == ["1-h", "2-h", "3-h", "4-h"]
    before = moves(position)
    plays(position, "1-h")
    assert position.base == 10
    assert (
        position.why_not(parse_move("4-h"))
        == "The ace of clubs cannot go up: the foundation of clubs wants the queen."
    )
    assert (
        position.why_not(parse_move("3-h"))
        == "The king of diamonds cannot go up: the foundation of diamonds wants the jack."
    )
    plays(position, "2-h 1-h")
    assert position.foundations == (2, 1, 0, 0)
    for _ in range(3):
        position.pop()
    assert moves(position) == before
    assert "3-h" in moves(position)
    plays(position, "3-h")
    assert position.base == 12


def test_foundations_with_a_free_base_wrap_from_king_to_ace() -> None:
    position = lay("selective-castle-classic", "2C AC KC", "Q000", base="Q")
    plays(position, "1-h 1-h 1-h")
    assert position.foundations == (4, 0, 0, 0)
    assert position.wanted_rank(0) == 2
    full = lay("selective-castle-classic", "JD", "JTJJ", base="Q")
    assert plays(full, "1-h").is_won


def test_foundations_from_the_ace_do_not_wrap() -> None:
    position = lay("streets-and-alleys", "AC | 2D", "K000")
    assert position.wanted_rank(0) is None
    assert (
        position.why_not(parse_move("1-h"))
        == "The ace of clubs cannot go up: the foundation of clubs is complete."
    )


@pytest.mark.parametrize("game_id", GAMES)
def test_no_card_leaves_a_foundation(game_id: str) -> None:
    position = random_deck(GAMES[game_id], random.Random(1))
    for target in range(len(position.piles)):
        for source in (FOUNDATION, -4, -5):
            with pytest.raises(IllegalMove):
                position.push(Move(source, target))
    sentence = position.why_not(Move(FOUNDATION, 0))
    assert sentence is not None and sentence.startswith("No card ever leaves a foundation")


# Building


@pytest.mark.parametrize(
    ("game_id", "card", "good", "bad"),
    [
        ("cruel", "7C", "8C", "8S 8D 8H 6C 7S 9C"),  # down, same suit
        ("royal-family", "7C", "6D 6H", "6C 6S 8D 8H 5D"),  # up, alternating colours
        ("royal-family-classic", "7C", "6D 6H 8D 8H", "6C 6S 8C 8S 7D 9H"),  # either, alternating colours
        ("beleaguered-castle", "7C", "8C 8D 8H 8S", "6C 6D 9C 7S"),  # down, any suit
        ("fortress", "7C", "8C 6C", "8S 6S 8D 9C"),  # either, same suit
    ],
)
def test_building(game_id: str, card: str, good: str, bad: str) -> None:
    for target in good.split():
        assert takes(game_id, card, target)
        assert "1-2" in moves(lay(game_id, f"{card} | {target}"))
    for target in bad.split():
        assert not takes(game_id, card, target)


@pytest.mark.parametrize("game_id", [game.id for game in GAMES.values() if not game.build.wrap])
def test_king_and_ace_are_no_neighbours_unless_said(game_id: str) -> None:
    for ace in ("AC", "AD"):
        assert not takes(game_id, "KC", ace)
        assert not takes(game_id, ace, "KC")


def test_in_selective_castle_classic_a_king_goes_on_an_ace() -> None:
    assert takes("selective-castle-classic", "KC", "AD")
    assert not takes("selective-castle-classic", "AD", "KC")
    assert plays(lay("selective-castle-classic", "KC | AD", "0000"), "1-2").piles[1] == (
        parse_card("AD"),
        parse_card("KC"),
    )


def test_with_wrap_both_neighbours_of_the_ace_count_when_building_either_way() -> None:
    fortress = find_game("fortress").with_rules({"build.wrap": True})
    position = lay(fortress, "KC | AC | 2C", "0000")
    assert {"1-2", "2-1", "2-3", "3-2"} <= set(moves(position))
    smaller = find_game("fortress").with_rules({"build.wrap": True, "ranks": 5, "piles.sizes": "4x4"})
    assert {"1-2", "2-1"} <= set(moves(lay(smaller, "5C | AC", "0000")))


@pytest.mark.parametrize("game_id", ["cruel", "royal-family", "beleaguered-castle", "fortress"])
def test_only_the_top_card_moves(game_id: str) -> None:
    layout = {
        "cruel": "8C KD | 9C",
        "royal-family": "8C KD | 7D",
        "beleaguered-castle": "8C KD | 9C",
        "fortress": "8C KD | 9C",
    }
    position = lay(game_id, layout[game_id], "AAAA")
    assert "1-2" not in moves(position)
    sentence = position.why_not(parse_move("1-2"))
    assert sentence is not None and sentence.startswith("The king of diamonds does not go on the ")


def test_one_card_at_a_time() -> None:
    position = lay("cruel", "7C 6C | 8C", "AAAA")
    assert "1-2x2" not in moves(position)
    assert position.why_not(parse_move("1-2x2")) == "Only one card moves at a time in this game."


def test_runs_move_as_one() -> None:
    position = lay("perseverance-classic", "KD 8C 7C 6C | 9C | 7D", "AAAA")
    assert moves(position) == ["1-2x3", "R"]
    assert position.run_length(0) == 3
    plays(position, "1-2x3")
    assert printed(position) == "KD | 9C 8C 7C 6C | 7D"
    assert (position.tableau_moves, position.cost) == (1, 1)
    position.pop()
    assert printed(position) == "KD 8C 7C 6C | 9C | 7D"


def test_an_empty_pile_has_no_run() -> None:
    assert [
        lay(name, "8C 7C").run_length(pile) for name in ("perseverance-classic", "cruel") for pile in (0, 1)
    ] == [
        2,
        0,
        1,
        0,
    ]


def test_part_of_a_run_may_move() -> None:
    position = lay("perseverance-classic", "8C 7C 6C | 7C | 8D", "AAAA")
    assert moves(position)[:2] == ["1-2", "R"]
    assert position.why_not(parse_move("1-3x2")) == (
        "The 7 of clubs does not go on the 8 of diamonds: piles are built down in suit."
    )


def test_a_run_is_built_in_the_order_of_the_rules() -> None:
    position = lay("perseverance-classic", "8C 6C | 6C 7C | 9C", "AAAA")
    assert position.run_length(0) == position.run_length(1) == 1
    sentence = "The top 2 cards of pile 1 do not form a run that may move together."
    assert position.why_not(parse_move("1-3x2")) == sentence
    assert position.why_not(parse_move("1-3x3")) == "Pile 1 holds only 2 cards."
    assert position.why_not(parse_move("1-hx2")) == "Cards go to a foundation one at a time."


def test_a_run_may_go_to_an_empty_pile_where_any_card_may() -> None:
    game = find_game("perseverance-classic").with_rules({"empty": "any"})
    position = lay(game, "KD 8C 7C | ", "AAAA")
    assert {"1-2", "1-2x2"} <= set(moves(position)) and "1-2x3" not in moves(position)


# Empty piles


@pytest.mark.parametrize("game_id", [game.id for game in GAMES.values() if game.empty == "none"])
def test_an_empty_pile_stays_empty_until_a_redeal(game_id: str) -> None:
    position = lay(game_id, "KD | ")
    assert position.why_not(parse_move("1-2")) == "An empty pile stays empty until a redeal."


@pytest.mark.parametrize("game_id", [game.id for game in GAMES.values() if game.empty == "any"])
def test_an_empty_pile_takes_any_card(game_id: str) -> None:
    for name in ("KD", "2C", "8S"):
        position = lay(game_id, f"9D {name}")
        assert {f"1-{pile}" for pile in range(2, len(position.piles) + 1)} <= set(moves(position))


def test_without_a_redeal_an_empty_row_that_stays_empty_says_so() -> None:
    game = find_game("beleaguered-castle").with_rules({"empty": "none"})
    assert lay(game, "KD | ").why_not(parse_move("1-2")) == "An empty row stays empty."


# Sentences


@pytest.mark.parametrize(
    ("game_id", "layout", "move", "sentence"),
    [
        ("cruel", "3C", "13-1", "There is no pile 13: this game has 12 piles."),
        ("cruel", "3C", "1-99", "There is no pile 99: this game has 12 piles."),
        ("fortress", "3C", "9-h", "There is no row 9: this game has 8 rows."),
        ("cruel", "3C", "2-1", "Pile 2 is empty."),
        ("fortress", "3C", "2-h", "Row 2 is empty."),
        ("cruel", "3C", "1-1", "The card lies on pile 1 already."),
        ("cruel", "3C", "1-h", "The 3 of clubs cannot go up: the foundation of clubs wants the 2."),
        ("cruel", "KC", "1-h", "The king of clubs cannot go up: the foundation of clubs wants the 2."),
        (
            "cruel",
            "3C | 5C",
            "1-2",
            "The 3 of clubs does not go on the 5 of clubs: piles are built down in suit.",
        ),
        (
            "royal-family",
            "3C | 5C",
            "1-2",
            "The 3 of clubs does not go on the 5 of clubs: piles are built up in alternating colours.",
        ),
        (
            "fortress",
            "3C | 5C",
            "1-2",
            "The 3 of clubs does not go on the 5 of clubs: rows are built up or down in suit.",
        ),
        (
            "citadel",
            "3C | 5C",
            "1-2",
            "The 3 of clubs does not go on the 5 of clubs: rows are built down in any suit.",
        ),
        ("perseverance-classic", "3C | 5C", "1-2x2", "Pile 1 holds only 1 card."),
        ("cruel", "3C", "d-1", "There is no card in hand to place."),
    ],
)
def test_a_refusal_says_why(game_id: str, layout: str, move: str, sentence: str) -> None:
    assert lay(game_id, layout).why_not(parse_move(move)) == sentence


@pytest.mark.parametrize(
    "move",
    [
        Move(0, 1, 0),
        Move(0, 1, -1),
        Move(0, FOUNDATION, 0),
        Move(-3, -3, 5),
        Move(0, HAND),
        Move(HAND, HAND),
        Move(0, -7),
    ],
)
def test_moves_that_no_text_gives_are_refused_too(move: Move) -> None:
    position = lay("perseverance-classic", "2C | 3C")
    assert position.why_not(move) is not None
    with pytest.raises(IllegalMove):
        position.push(move)


# Dealing by hand


def test_cards_are_placed_one_by_one_in_deal_order() -> None:
    position = lay_out(find_game("selective-castle"), list(range(52)))
    assert len(position.hand) == 48 and card_name(position.hand[0]) == "2C"
    assert moves(position) == [f"d-{pile}" for pile in range(1, 9)]
    plays(position, "d-3 d-3 d-1")
    assert printed(position) == "2H |  | 2C 2D"
    assert card_name(position.hand[0]) == "2S"
    assert (position.tableau_moves, position.foundation_moves, position.cost) == (0, 0, 0)
    assert position.pop() == Move(HAND, 0)
    assert card_name(position.hand[0]) == "2H" and printed(position) == " |  | 2C 2D"


def test_a_row_takes_its_six_cards_and_no_more() -> None:
    position = plays(lay_out(find_game("selective-castle"), list(range(52))), "d-8 " * 6)
    assert moves(position) == [f"d-{pile}" for pile in range(1, 8)]
    assert position.why_not(parse_move("d-8")) == "Row 8 already holds its 6 cards."


def test_while_cards_are_in_hand_nothing_else_moves() -> None:
    position = plays(lay_out(find_game("selective-castle"), list(range(52))), "d-1")
    first = "First place the cards in hand: the next one is the 2 of diamonds."
    assert position.why_not(parse_move("1-h")) == first
    assert position.why_not(parse_move("1-2")) == first
    assert position.why_not(REDEAL) == "This game has no redeal."
    assert position.why_not(Move(HAND, 0, 2)) == "Cards in hand are placed one at a time."
    assert not position.is_stuck and not position.is_lost
    cruel = find_game("cruel").with_rules({"deal.order": "by-hand"})
    assert plays(lay_out(cruel, list(range(52))), "d-1").why_not(REDEAL) == first


def test_when_all_cards_lie_the_play_begins() -> None:
    position = lay_out(find_game("selective-castle"), list(range(52)))
    for row in range(8):
        plays(position, f"d-{row + 1} " * 6)
    assert position.hand == () and position.foundations == (1, 1, 1, 1)
    assert all(len(pile) == 6 for pile in position.piles)
    assert not any(move.is_placing for move in position.legal_moves)
    assert position.why_not(parse_move("d-1")) == "There is no card in hand to place."
    castle = Position(find_game("beleaguered-castle"), position.piles, position.foundations)
    assert castle.legal_moves == position.legal_moves


# Counting, scores and ends


def test_moves_are_counted_by_kind() -> None:
    position = lay("cruel", "JD QC QH 6D | 7C QD 4S 8C | KC 4C 2C 9C | 9S 5C JH 2H | 3D 2D")
    plays(position, "2-3 4-h R 5-h")
    assert position.tableau_moves == 1 and position.foundation_moves == 2 and position.redeals == 1
    assert position.cost == 2
    assert [str(move) for move in position.moves] == ["2-3", "4-h", "R", "5-h"]
    position.pop()
    position.pop()
    assert (position.tableau_moves, position.foundation_moves, position.redeals, position.cost) == (
        1,
        1,
        0,
        1,
    )


def test_the_first_moves_of_cruel_1() -> None:
    layout = """JD QC QH 6D | 2D KH 4H 8S | 9H 3H 4D 8D | JC 2S 7S QS | 5D KS 3S 6C | 7H 9D TD 3D | 7C QD 4S 8C |
        5H JS TH TC | KD 3C 8H 6S | KC 4C 2C 9C | 9S 5C JH 2H | 5S TS 7D 6H"""
    assert moves(lay("cruel", layout)) == ["11-h", "7-10", "10-8"]


@pytest.mark.parametrize(
    ("game_id", "start", "won"),
    [("cruel", 4, 52), ("cruel-aisleriot", 0, 48), ("beleaguered-castle", 0, 1)],
)
def test_scores(game_id: str, start: int, won: int) -> None:
    assert lay(game_id, "2C").score == start
    if won > 1:
        assert lay(game_id, "4C", "3AAA").score == start + 2
    last = lay(game_id, "KC", "QKKK")
    assert not last.is_won
    assert plays(last, "1-h").score == won
    assert last.is_won


@pytest.mark.parametrize("game_id", GAMES)
def test_a_won_game_is_neither_stuck_nor_lost(game_id: str) -> None:
    game = GAMES[game_id]
    position = Position(game, (), (13,) * 4, base=None if game.base_rank is not None else 5)
    assert position.is_won and not position.is_stuck and not position.is_lost
    assert position.legal_moves == []


def test_a_castle_without_a_move_is_lost() -> None:
    position = lay("fortress", " | ".join("3C 3D 3H 3S 7C 7D 7H 7S".split()), "AAAA")
    assert position.is_stuck and position.is_lost and not position.is_won
    assert not lay("fortress", "3C | 3D", "AAAA").is_stuck  # there are empty rows


def test_a_smaller_deck_is_won_with_fewer_cards() -> None:
    small = find_game("cruel").with_rules({"ranks": 4, "piles.sizes": "3x4"})
    position = lay(small, "4S", "4443")
    assert moves(position) == ["1-h"]
    assert plays(position, "1-h").is_won
    assert lay(small, "", "4444").wanted_rank(0) is None


def test_too_many_piles_or_cards_make_no_position() -> None:
    with pytest.raises(ValueError, match="13 piles, but Cruel has 12"):
        lay("cruel", "2C |" * 12)
    with pytest.raises(
        ValueError, match="49 cards are not on foundations, but a redeal of Cruel has room for 48"
    ):
        Position(find_game("cruel"), [range(13), range(13, 26), range(26, 39), range(39, 49)], (0, 0, 0, 3))
    with pytest.raises(ValueError, match="52 cards are not on foundations"):
        Position(find_game("cruel").with_rules({"deal.order": "by-hand"}), (), hand=range(52))
    everything = Position(find_game("ripple-fan"), [range(52)], (0, 0, 0, 0))
    assert sum(map(len, everything.redealt().piles)) == 52
