"""Redeals: the three orders, when one is allowed, when it is idle, and what is lost and what only loops."""

from __future__ import annotations

import random

import pytest

from crenel import GAMES, IllegalMove, Position, find_game, parse_move
from crenel.rules.moves import REDEAL
from tests.naive import naive_solve, random_deck, reduced_game
from tests.rules.layouts import lay, moves, printed

MS_1 = """JD QC QH 6D | 2D KH 4H 8S | 9H 3H 4D 8D | JC 2S 7S QS | 5D KS 3S 6C | 7H 9D TD 3D | 7C QD 4S 8C |
    5H JS TH TC | KD 3C 8H 6S | KC 4C 2C 9C | 9S 5C JH 2H | 5S TS 7D 6H"""
"""Cruel, deal ms:1."""
WITH_REDEAL = [game.id for game in GAMES.values() if game.has_redeal]


def after_8c(game_id: str) -> Position:
    position = lay(game_id, MS_1)
    position.push(parse_move("7-10"))
    return position


# The three orders


@pytest.mark.parametrize(
    ("game_id", "changed"),
    [
        ("cruel", "7C QD 4S 5H | JS TH TC KD | 3C 8H 6S KC | 4C 2C 9C 8C"),
        ("cruel-classic", "TC 7C QD 4S | 6S 5H JS TH | 8C KD 3C 8H | KC 4C 2C 9C"),
    ],
)
def test_the_redeal_of_the_documents_example(game_id: str, changed: str) -> None:
    position = after_8c(game_id)
    before = position.piles
    position.push(REDEAL)
    assert printed(position).split(" | ")[6:10] == changed.split(" | ")
    unchanged = [*range(6), 10, 11]
    assert [position.piles[pile] for pile in unchanged] == [before[pile] for pile in unchanged]
    assert position.redeals == position.redeals_used == 1


def test_bottom_up_is_the_packet_turned_over() -> None:
    """The documents: put pile 12 on 11 and so on down to 1, turn the packet over, deal four at a time."""
    position = after_8c("cruel")
    position.push(parse_move("11-h"))
    packet: list[int] = []
    for pile in reversed(position.piles):
        packet = [*pile, *packet]  # what is gathered lies on the pile that comes next
    packet.reverse()  # turned over: what was lowest is dealt first
    dealt = []
    while packet:
        dealt.append(tuple(packet.pop() for _ in range(min(4, len(packet)))))
    assert position.redealt().piles == tuple(dealt)


def test_one_by_one_goes_round_the_piles() -> None:
    position = lay("ripple-fan", "2C 3C 4C 5C | 6C | | 7C 8C 9C TC | JC QC | KC 2D 3D 4D")
    after = "2C 2D | 3C 3D | 4C 4D | 5C | 6C | 7C | 8C | 9C | TC | JC | QC | KC"
    assert printed(position.redealt()) == after


@pytest.mark.parametrize("count", [48, 47, 25, 12, 5])
def test_one_by_one_the_first_piles_get_one_more(count: int) -> None:
    pack = list(range(4, 52))[:count]
    piles = [pack[first : first + 4] for first in range(0, count, 4)]
    lengths = [len(pile) for pile in Position(find_game("ripple-fan"), piles).redealt().piles]
    assert lengths == [count // 12 + (pile < count % 12) for pile in range(12)]


@pytest.mark.parametrize("game_id", ["cruel", "cruel-classic"])
def test_emptied_piles_close_up_and_only_the_last_is_short(game_id: str) -> None:
    position = lay(game_id, "2C 3C | | 4C | 5C 6C 7C 8C | 9C TC JC | |", "AKKK")
    lengths = [len(pile) for pile in position.redealt().piles]
    assert lengths == [4, 4, 2] + [0] * 9
    assert printed(lay("cruel", "2C 3C | | 4C | 5C 6C").redealt()) == "2C 3C 4C 5C | 6C"
    assert printed(lay("cruel-classic", "2C 3C | | 4C | 5C 6C").redealt()) == "6C 4C 2C 3C | 5C"


@pytest.mark.parametrize("game_id", WITH_REDEAL)
def test_the_preview_is_what_a_redeal_gives(game_id: str) -> None:
    compared = 0
    for seed in range(20):
        chance = random.Random(seed)
        position = random_deck(find_game(game_id), chance)
        for _ in range(40):
            if REDEAL in position.legal_moves:
                preview = position.redealt()
                position.push(REDEAL)
                assert (preview.piles, preview.redeals_used) == (position.piles, position.redeals_used)
                assert preview.key == position.key
                compared += 1
            options = position.legal_moves
            if not options:
                break
            position.push(chance.choice(options))
    assert compared


def test_a_preview_changes_nothing_and_asks_no_leave() -> None:
    position = after_8c("cruel-strict")
    before = position.key
    assert position.why_not(REDEAL) is not None
    assert position.redealt().piles != position.piles
    assert position.key == before and position.redeals == 0
    with pytest.raises(IllegalMove, match=r"^This game has no redeal\.$"):
        lay("fortress", "2C").redealt()


# When a redeal is allowed


@pytest.mark.parametrize(
    "game_id", [name for name in WITH_REDEAL if name not in ("ripple-fan", "ripple-fan-classic")]
)
def test_a_redeal_before_any_move_is_refused(game_id: str) -> None:
    game = find_game(game_id)
    position = random_deck(game.with_rules({"redeal.when": "any-time"}), random.Random(1))
    assert position.why_not(REDEAL) == "A redeal now would change nothing."
    with pytest.raises(IllegalMove, match="would change nothing"):
        position.push(REDEAL)
    assert (position.redeals, position.redeals_used, position.moves) == (0, 0, ())


@pytest.mark.parametrize(
    "game_id", ["cruel", "cruel-classic", "cruel-aisleriot", "cruel-3", "ripple-fan-classic"]
)
def test_no_two_redeals_in_a_row(game_id: str) -> None:
    game = find_game(game_id)
    position = random_deck(game, random.Random(4))
    while REDEAL not in position.legal_moves:
        position.push(position.legal_moves[0])
    position.push(REDEAL)
    left = position.redeals_left
    assert position.why_not(REDEAL) == "A redeal now would change nothing."
    with pytest.raises(IllegalMove):
        position.push(REDEAL)
    assert position.redeals_left == left
    position.pop()
    assert REDEAL in position.legal_moves


def test_one_by_one_redeals_may_follow_each_other() -> None:
    game = find_game("ripple-fan").with_rules({"redeal.when": "any-time"})
    position = random_deck(game, random.Random(1))
    start = position.piles
    seen = {start}
    for _ in range(22):
        position.push(REDEAL)
        assert position.piles not in seen
        seen.add(position.piles)
    position.push(REDEAL)
    # 48 cards: a card's place is multiplied by 4 modulo 47, and 4 to the power of 23 is 1 modulo 47.
    assert position.piles == start


def test_an_idle_redeal_one_by_one_is_refused_too() -> None:
    position = lay("ripple-fan", "6C | 4C | 8C", "2KKK")
    assert position.redealt().piles == position.piles
    assert position.why_not(REDEAL) == "A redeal now would change nothing."


@pytest.mark.parametrize("game_id", ["cruel-strict", "perseverance", "ripple-fan"])
def test_when_stuck_means_no_card_can_move(game_id: str) -> None:
    chance = random.Random(7)
    position = random_deck(find_game(game_id), chance)
    redeals = 0
    for _ in range(200):
        card_moves = [move for move in position.legal_moves if not move.is_redeal]
        assert (REDEAL in position.legal_moves) <= (not card_moves)
        if card_moves:
            assert (
                position.why_not(REDEAL)
                == f"A redeal is allowed only when no card can move; {card_moves[0]} can be played."
            )
        if not position.legal_moves:
            break
        redeals += REDEAL in position.legal_moves
        position.push(chance.choice(position.legal_moves))
    assert redeals


@pytest.mark.parametrize(("game_id", "limit"), [("cruel-3", 3), ("cruel-5", 5), ("royal-family-classic", 1)])
def test_redeals_are_limited(game_id: str, limit: int) -> None:
    position = lay(game_id, "KC QC | QD JD | JH TH", "AAAA" if game_id != "royal-family-classic" else "KKKK")
    for made in range(limit):
        assert position.redeals_left == limit - made
        text = "QC 9D | 8C 7H 6C 5D | 4C" if made % 2 else "QD 9C | 8D 7C 6D 5C | 4D"
        position = Position(position.game, lay(game_id, text).piles, position.foundations, redeals_used=made)
        assert REDEAL in position.legal_moves
        position.push(REDEAL)
    assert position.redeals_left == 0
    text = "QD 9C | 8D 7C 6D 5C | 4D"
    position = Position(position.game, lay(game_id, text).piles, position.foundations, redeals_used=limit)
    wanted = "The only redeal is used." if limit == 1 else f"All {limit} redeals are used."
    assert position.why_not(REDEAL) == wanted


@pytest.mark.parametrize("game_id", ["beleaguered-castle", "citadel", "fortress", "selective-castle-classic"])
def test_the_castles_have_no_redeal(game_id: str) -> None:
    assert lay(game_id, "KC", up="0000").why_not(REDEAL) == "This game has no redeal."


def test_a_redeal_is_taken_back_in_a_copy_without_touching_the_original() -> None:
    position = after_8c("cruel")
    position.push(REDEAL)
    position.push(parse_move("11-h"))
    twin = position.copy()
    for _ in range(3):
        twin.pop()
    twin.push(parse_move("11-h"))
    twin.push(parse_move("10-8"))
    position.pop()
    position.pop()
    assert position.piles == after_8c("cruel").piles


# Stuck, lost, dead, and the loop


def test_royal_family_is_redealt_only_when_stuck() -> None:
    assert moves(lay("royal-family", "9C 5D 4S | 3S 8H 6H")) == ["R"]
    position = lay("royal-family", "9C 5D 4S | 3S 8H 5H")
    assert moves(position) == ["2-1"]  # up, in alternating colours
    assert position.why_not(REDEAL) == "A redeal is allowed only when no card can move; 2-1 can be played."


def test_stuck_with_a_redeal_left_is_not_lost() -> None:
    position = lay("cruel-strict", "KC 2D 3C | 4H 5D", "AAAK")
    assert moves(position) == ["R"]
    assert position.is_stuck and not position.is_lost


@pytest.mark.parametrize("game_id", ["cruel", "cruel-strict", "cruel-classic", "royal-family"])
def test_stuck_is_lost_when_a_redeal_gives_the_same_layout(game_id: str) -> None:
    position = lay(game_id, "2C 3H KC KD | 2D 3D 9C 9D", "AAAK")
    assert moves(position) == []
    assert position.is_stuck and position.is_lost and not position.is_won


def test_stuck_is_lost_when_no_redeal_is_left() -> None:
    layout = "KC 2D 3C | 4H 5D"
    assert not lay("cruel-3", layout, "AAAK", used=2).is_lost
    assert lay("cruel-3", layout, "AAAK", used=3).is_lost
    assert not lay("cruel-5", layout, "AAAK", used=3).is_lost


def test_what_is_dead_is_not_called_lost() -> None:
    # Nothing frees the queen of clubs: its king lies on it and never moves.
    assert lay("cruel", "QC KC", "JKKK").is_lost
    # While something else can move, only a search may say that it leads nowhere.
    dead = lay("cruel", "QC KC QD JD | KD", "JTKK")
    assert moves(dead) == ["1-h"] and not dead.is_lost
    assert naive_solve(dead).winnable is False


def test_one_by_one_is_lost_when_redeals_alone_bring_a_layout_back() -> None:
    lost, open_ = 0, 0
    game = reduced_game("ripple-fan", 5, (8, 8))
    for seed in range(300):
        position = random_deck(game, random.Random(seed))
        layouts = [position]
        while layouts[-1].redealt().piles != position.piles:
            layouts.append(layouts[-1].redealt())
        movable = [bool(moves(layout)) and moves(layout) != ["R"] for layout in layouts]
        assert position.is_stuck == (not movable[0])
        assert position.is_lost == (not any(movable))
        lost += position.is_lost
        open_ += position.is_stuck and not position.is_lost
        if position.is_lost:
            assert naive_solve(position).winnable is False
    assert lost > 3 and open_ > 3


def test_a_limit_cuts_the_round_of_redeals_short() -> None:
    free = reduced_game("ripple-fan", 5, (8, 8))
    compared = 0
    for seed in range(300):
        position = random_deck(free, random.Random(seed))
        if not position.is_stuck or position.is_lost:
            continue
        needed, following = 0, position
        while following.is_stuck:
            following = following.redealt()
            needed += 1
        for limit in range(1, needed + 2):
            limited = Position(free.with_rules({"redeal.limit": limit}), position.piles, position.foundations)
            assert limited.is_lost == (limit < needed)
        compared += 1
    assert compared > 3


LOOP = "TS 9C KC JS | TC 7C 8C KS | QC JC QS 6C | 5C"
"""The documents' loop case, but for the lone card: with the clubs at four it fits its foundation."""


@pytest.mark.parametrize("game_id", ["cruel", "cruel-strict", "cruel-aisleriot"])
def test_a_lone_card_that_can_go_up_is_no_loop(game_id: str) -> None:
    position = lay(game_id, LOOP, "4KK9")
    assert moves(position) == ["4-h", "4-3"]
    assert not (position.is_stuck or position.is_lost or position.is_loop)
    position.push(parse_move("4-h"))
    assert moves(position)[0] == "3-h"


@pytest.mark.parametrize("game_id", ["cruel", "cruel-strict", "cruel-aisleriot", "perseverance"])
def test_the_loop_case_is_seen(game_id: str) -> None:
    position = lay(game_id, "TS 9C 4C JS | TC 7C 8C KS | QC JC KC 6C | 5C", "3KK9")
    assert moves(position) == ["4-3"]
    assert position.is_loop and not position.is_stuck and not position.is_lost
    position.push(parse_move("4-3"))
    assert moves(position) == ["R"]
    position.push(REDEAL)
    assert printed(position) == "TS 9C 4C JS | TC 7C 8C KS | QC JC KC 6C | 5C"
    assert naive_solve(position).winnable is False


def test_what_looks_like_the_loop_case() -> None:
    position = lay("cruel", "TS 9C 4C JS | QC JC KC 6C | TC 7C 8C KS | 5C", "3KK9")
    assert moves(position) == ["4-2"]  # not on the last but one, so the redeal gives something new
    assert not position.is_loop
    # Redeals one by one that only change between two layouts: no move leads round, so it is lost and no loop.
    small = reduced_game("ripple-fan", 5, (8, 8))
    position = lay(small, "2D 3D | 5D 5S", "5A53")
    assert position.redealt().redealt().piles == position.piles
    assert moves(position) == ["R"] and position.is_lost and not position.is_loop


def test_a_loop_needs_redeals_without_end() -> None:
    assert not lay("cruel-3", "TS 9C 4C JS | TC 7C 8C KS | QC JC KC 6C | 5C", "3KK9").is_loop
