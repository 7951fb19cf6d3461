"""Boards and JSON deals: worked boards, what is forgiven, and round trips of positions of all games."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crenel import GAMES, Position, find_game
from crenel.rules.cards import card_name
from crenel.rules.notation import InvalidBoard, format_board, format_board_json, parse_board
from tests.rules.positions import ALL_GAMES, cards_of, positions

CASTLE = """\
Foundations: H-A C-A D-A S-A
JD KD KS QH 8H 6C
2D KC 9D 4H 2C 3D
9H 9S QD 4D JH 8C
JC 5S JS 7S 7D TC
5D QC 3C 3S 6D 6S
7H KH 4C TD 8S 9C
7C 3H 5C 4S 8D 2H
5H 2S TS TH QS 6H
"""

WORKED = {
    "beleaguered-castle": (CASTLE, "1 1 1 1"),
    "streets-and-alleys": (
        """\
JD KD 2S 4C 3S 6D 6S
2D KC KS 5C TD 8S 9C
9H 9S 9D TS 4S 8D 2H
JC 5S QD QH TH QS 6H
5D AD JS 4H 8H 6C
7H QC AS AC 2C 3D
7C KH AH 4D JH 8C
5H 3H 3C 7S 7D TC
""",
        "0 0 0 0",
    ),
    "citadel": (
        """\
Foundations: H-2 C-2 D-3 S-4
JD KD KS QH 8H 6C
KC 9D 4H
9H 9S QD 4D JH 8C
JC 5S JS 7S 7D TC
5D QC 3C 6D 6S
7H KH 4C TD 8S 9C
7C 3H 5C 8D
5H TS TH QS 6H
""",
        "2 3 2 4",
    ),
    "cruel": (
        """\
JD QC QH 6D
2D KH 4H 8S
9H 3H 4D 8D
JC 2S 7S QS
5D KS 3S 6C
7H 9D TD 3D
7C QD 4S 8C
5H JS TH TC
KD 3C 8H 6S
KC 4C 2C 9C
9S 5C JH 2H
5S TS 7D 6H
""",
        "1 1 1 1",
    ),
    "royal-family-classic": (
        """\
JD 3H 4H 6D
2D 2S AC 8S
9H 9D 4D 8D
JC QD 7S QS
5D JS 3S 6C
7H AS TD 3D
7C AH 4S 8C
5H 3C TH TC
9S 4C 8H 6S
5S 5C 2C 9C
AD TS JH 2H
QC QH 7D 6H
""",
        "1 1 1 1",
    ),
    "ripple-fan-classic": (
        """\
JD QC TS 7D
2D KH QH 6D
9H 3H 4H 8S
JC 2S AC 8D
5D KS 4D QS
7H 9D 7S 6C
7C QD 3S 3D
5H JS TD 8C
KD AS 4S TC
KC AH TH 6S
9S 3C 8H 9C
5S 4C 2C 2H
AD 5C JH 6H
""",
        "0 0 0 0",
    ),
    "fortress-classic": (
        """\
JD 9S JS 4D 6D 2H
2D 5S AS 7S 8S 6H
9H AD AH 3S 8D
JC QC 3C TD QS
5D KH 4C 4S 6C
7H 3H 5C TH 3D
7C 2S TS 8H 8C
5H KS QH 2C TC
KD 9D 4H JH 6S
KC QD AC 7D 9C
""",
        "0 0 0 0",
    ),
}
"""Worked boards of deal ms:1, and how many cards lie on the foundations of clubs, diamonds, hearts and spades."""


def castle(text: str) -> Position:
    return parse_board(text, find_game("beleaguered-castle"))


@pytest.mark.parametrize("name", WORKED)
def test_worked_boards_are_read_card_by_card(name: str) -> None:
    text, counts = WORKED[name]
    position = parse_board((text), find_game(name))
    assert position.foundations == tuple(map(int, counts.split()))
    lines = [line for line in (text).splitlines() if ":" not in line]
    assert [" ".join(map(card_name, pile)) for pile in position.piles] == lines
    assert (position.redeals_used, position.hand) == (0, ())


def test_a_written_board_is_the_one_that_was_read() -> None:
    assert format_board(castle(CASTLE)) == CASTLE
    streets = WORKED["streets-and-alleys"][0]
    assert format_board(parse_board(streets, find_game("streets-and-alleys"))) == streets


# What is forgiven


@pytest.mark.parametrize(
    "text",
    [
        CASTLE.lower(),
        CASTLE.replace("T", "10"),
        CASTLE.replace("\n", "\r\n"),
        CASTLE.replace("\n", "\r"),
        "\ufeff" + CASTLE,
        CASTLE.rstrip("\n"),
        CASTLE + "\n\n\n",
        "\n\n" + CASTLE,
        "# deal 1\n" + CASTLE.replace("8H 6C", "8H 6C   # the first row") + "# end",
        CASTLE.replace("Foundations: H-A C-A D-A S-A", "Founds: S-A D-A C-A H-A"),
        CASTLE.replace("Foundations: H-A C-A D-A S-A", "found:  h-a c-a d-a s-1"),
        CASTLE.replace("S-A\n", "S-A\nFreecells:\n"),
        CASTLE.replace("S-A\n", "S-A\n\nFreecells:  -  -\n"),
        CASTLE.replace("Foundations: H-A C-A D-A S-A\n", ""),
        CASTLE.replace("\n", "\n: ").removesuffix(": "),
        CASTLE.replace("H-A", "♥-A").replace("JD", "J♦"),
        CASTLE.replace(" ", " \t "),
    ],
)
def test_other_spellings_give_the_same_position(text: str) -> None:
    assert castle(text) == castle(CASTLE)


def test_bytes_in_utf8_and_utf16_are_read() -> None:
    for coding in ("utf-8", "utf-8-sig", "utf-16"):
        assert castle(CASTLE.encode(coding)) == castle(CASTLE)  # type: ignore[arg-type]


def test_a_blank_line_is_an_empty_pile() -> None:
    game = find_game("cruel")
    text = "Foundations: H-Q C-K D-K S-J\n\nQS\n\nKH KS\n\n\n\n\n\n\n\n\n"
    position = parse_board(text, game)
    assert [len(pile) for pile in position.piles] == [0, 1, 0, 2] + [0] * 8
    assert parse_board(text.replace("\n\n", "\n:\n"), game) == position
    assert format_board(position) == text


def test_empty_piles_at_the_end_may_be_missing_when_all_cards_are_there() -> None:
    game = find_game("cruel")
    assert parse_board("Foundations: H-K C-K D-K S-K", game).is_won
    short = parse_board("Foundations: H-Q C-K D-K S-J\n\nQS\n\nKH KS", game)
    assert [len(pile) for pile in short.piles] == [0, 1, 0, 2] + [0] * 8
    with pytest.raises(InvalidBoard, match=r"12 piles expected, but 4 found; .* missing: KS"):
        parse_board("Foundations: H-Q C-K D-K S-J\n\nQS\n\nKH", game)


def test_blank_lines_between_piles_count() -> None:
    # A blank line between the foundations and the first pile is an empty pile too.
    for text, line in ((CASTLE.replace("8H 6C\n", "8H 6C\n\n"), 3), (CASTLE.replace("S-A\n", "S-A\n\n"), 2)):
        with pytest.raises(
            InvalidBoard,
            match=rf"8 rows expected, but 9 found \(line {line} is blank, which is an empty row\)",
        ):
            castle(text)
    with pytest.raises(InvalidBoard, match=r"8 rows expected, but 9 found \(line 10\)"):
        castle(CASTLE.replace("8H 6C", "8H\n6C"))


def test_piles_may_be_longer_than_the_deal_made_them() -> None:
    game = find_game("cruel")
    rows = CASTLE.partition("\n")[2].splitlines()
    position = parse_board("\n".join(["", *rows]), game)
    assert [len(pile) for pile in position.piles] == [0] + [6] * 8 + [0] * 3


def test_without_a_line_the_foundations_are_as_dealt() -> None:
    kings_down = parse_board(WORKED["royal-family-classic"][0], find_game("royal-family-classic"))
    assert (kings_down.foundations, kings_down.base) == ((1, 1, 1, 1), 12)
    assert parse_board(WORKED["fortress-classic"][0], find_game("fortress-classic")).foundations == (0,) * 4


def test_bases_in_the_piles_must_be_said_where_the_game_deals_them() -> None:
    game, streets = find_game("beleaguered-castle"), WORKED["streets-and-alleys"][0]
    with pytest.raises(InvalidBoard, match="AC on its foundation and in line 6"):
        parse_board(streets, game)
    position = parse_board("Foundations:\n" + streets, game)
    assert position.foundations == (0, 0, 0, 0)
    assert format_board(position) == "Foundations: H-0 C-0 D-0 S-0\n" + streets


def test_a_suit_that_is_not_named_is_empty() -> None:
    text = WORKED["streets-and-alleys"][0].replace("AC 2C 3D", "2C 3D")
    position = parse_board("Foundations: C-A\n" + text, find_game("streets-and-alleys"))
    assert position.foundations == (1, 0, 0, 0)
    assert parse_board("Found: H-0 C-A S-0\n" + text, find_game("streets-and-alleys")) == position


# Bases


def test_kings_down() -> None:
    game = find_game("royal-family-classic")
    text = WORKED["royal-family-classic"][0].replace("QC QH", "QC")
    position = parse_board("Foundations: H-Q C-K D-K S-K\n" + text, game)
    assert position.foundations == (1, 1, 2, 1)
    assert format_board(position).startswith("Foundations: H-Q C-K D-K S-K\n")


def test_the_first_card_played_fixes_the_base() -> None:
    game = find_game("selective-castle-classic")
    text = WORKED["streets-and-alleys"][0]
    assert parse_board(text, game).base is None
    # The queen, king and ace of hearts, and the queen of spades, are up: the base is the queen.
    for card in ("QH ", "KH ", "AH ", "QS "):
        text = text.replace(card, "", 1)
    position = parse_board("Foundations: H-A S-Q\n" + text, game)
    assert (position.base, position.foundations) == (11, (0, 0, 3, 1))
    assert [position.wanted_rank(suit) for suit in range(4)] == [11, 11, 1, 12]
    assert format_board(position).startswith("Foundations: H-A C-0 D-0 S-Q\n")


def test_a_complete_suit_tells_the_base_too() -> None:
    game = find_game("selective-castle-classic")
    text = "Foundations: H-4 C-4 D-4 S-2\n3S 4S"
    position = parse_board(text, game)
    assert (position.base, position.foundations) == (4, (13, 13, 13, 11))


@pytest.mark.parametrize("tops", ["H-A S-K", "H-K S-Q", "H-A", "H-A S-Q C-A", "H-0 S-0"])
def test_bases_must_agree_over_the_suits(tops: str) -> None:
    text = WORKED["streets-and-alleys"][0]
    for card in ("QH ", "KH ", "AH ", "QS "):
        text = text.replace(card, "", 1)
    with pytest.raises(InvalidBoard, match=r"missing.*QH"):
        parse_board(f"Foundations: {tops}\n{text}", find_game("selective-castle-classic"))


# Hand and redeals


def test_cards_in_hand() -> None:
    game = find_game("selective-castle")
    cards = [name for line in CASTLE.splitlines()[1:] for name in line.split()]
    position = parse_board(
        f"Foundations: H-A C-A D-A S-A\nHand: {' '.join(cards[7:])}\n{' '.join(cards[:6])}\n2D\n", game
    )
    assert card_name(position.hand[0]) == "KC"
    assert [len(pile) for pile in position.piles] == [6, 1, 0, 0, 0, 0, 0, 0]
    assert not any(move.target == 0 for move in position.legal_moves)
    assert parse_board(format_board(position), game) == position
    assert castle(CASTLE.replace("S-A\n", "S-A\nHand:\n")) == castle(CASTLE)


def test_redeals_used() -> None:
    game = find_game("cruel-3")
    text = WORKED["cruel"][0]
    position = parse_board("Redeals: 2\n" + text, game)
    assert (position.redeals_used, position.redeals_left) == (2, 1)
    assert position != parse_board(text, game)
    assert "Redeals" not in format_board(parse_board(text, game))


# JSON deals


def test_a_json_deal() -> None:
    game = find_game("cruel")
    data = {
        "tableau piles": [["QS"], "", [], [""], ["10D", "jd", "QD"], "KH KS", ["KD"]],
        "foundations": ["AH"],
    }
    with pytest.raises(InvalidBoard, match=r"12 piles expected, but 7 found; .* missing: AC, AD, AS, 2C"):
        parse_board(json.dumps(data), game)
    # The top cards alone, all cards, or an array per suit say the same.
    whole = [
        f"{rank}{suit}"
        for suit, ranks in (("C", 13), ("D", 9), ("H", 12), ("S", 11))
        for rank in "A23456789TJQK"[:ranks]
    ]
    for foundations in (["KC", "9D", "QH", "JS"], whole, [["KC"], ["9D"], [], ["JH", "QH"], ["JS"]]):
        data["foundations"] = foundations
        position = parse_board(json.dumps(data), game)
        assert position.foundations == (13, 9, 12, 11)
        assert [len(pile) for pile in position.piles] == [1, 0, 0, 0, 3, 2, 1] + [0] * 5


def test_a_json_deal_of_another_program_may_say_what_is_empty() -> None:
    text = format_board_json(castle(CASTLE))
    data = json.loads(text)
    assert castle(json.dumps(data | {"hole": "", "reserve": [], "stock": None})) == castle(CASTLE)
    del data["foundations"]
    assert castle("\n" + json.dumps(data)) == castle(CASTLE)
    with pytest.raises(InvalidBoard, match="'stock'"):
        castle(json.dumps(data | {"stock": ["AC"]}))


# Round trips


def same(one: Position, other: Position) -> bool:
    return (one, one.piles, one.foundations, one.hand, one.base, one.redeals_used) == (
        (other, other.piles, other.foundations, other.hand, other.base, other.redeals_used)
    )


@given(positions())
def test_a_board_gives_the_position_back(position: Position) -> None:
    text = format_board(position)
    read = parse_board(text, position.game)
    assert same(read, position)
    assert format_board(read) == text
    assert cards_of(read) == list(range(position.game.cards))


@given(positions())
def test_a_json_deal_gives_the_position_back(position: Position) -> None:
    text = format_board_json(position)
    assert same(parse_board(text, position.game), position)
    assert set(json.loads(text)) <= {"tableau piles", "foundations", "hand", "redeals"}


@given(positions(), st.integers(0, 2**32))
def test_spelling_does_not_matter(position: Position, seed: int) -> None:
    chance = random.Random(seed)
    lines = []
    for line in format_board(position).splitlines():
        if line.startswith("Foundations:"):
            tops = line.split()[1:]
            chance.shuffle(tops)
            # An empty suit may be left out.
            line = "Founds: " + " ".join(
                top for top in tops if not top.endswith("-0") or chance.random() < 0.5
            )
        elif ":" not in line:
            line = chance.choice(("", ": ", "  ")) + line
        if chance.random() < 0.3:
            line = line.lower()
        if chance.random() < 0.3:
            line = line.replace("T", "10")
        if chance.random() < 0.2:
            line += "   # as dealt"
            if ":" not in line and not line.partition("#")[0].strip():
                line = ":" + line  # a comment alone is no pile
        lines.append(line)
        if chance.random() < 0.1:
            lines.append("# a remark")
    text = chance.choice(("\n", "\r\n", "\r")).join(lines)
    if chance.random() < 0.3:
        text = text.rstrip()
    assert same(parse_board(text, position.game), position)


@given(positions())
def test_the_printed_form_can_be_pasted_back(position: Position) -> None:
    names = {"parse_board": parse_board, "find_game": find_game}
    assert eval(repr(position), names) == position


def test_every_game_is_among_the_positions() -> None:
    assert set(GAMES.values()) <= set(ALL_GAMES)
