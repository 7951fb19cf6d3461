"""Numbered deals against worked layouts, other programs and their libraries, and the names of deals."""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer, createCards
from pysol_cards.deal_game import Game as PysolGame
from pysol_cards.random import MTRandom
from pysol_cards.random import shuffle as pysol_shuffle
from pysol_cards.random_base import RandomBase

from crenel import Game, Position, find_game, parse_move
from crenel.rules import deals
from crenel.rules.cards import SUITS, Card, card_name, card_rank, card_suit, parse_card
from crenel.rules.deals import (
    SCHEMES,
    DealId,
    InvalidPack,
    UnknownDeal,
    deal,
    deal_pack,
    shuffled_pack,
)
from crenel.rules.moves import REDEAL
from crenel.rules.notation import parse_board
from tests.rules.positions import ALL_GAMES, cards_of

DATA = Path(__file__).parent.parent / "data"
MS, PYSOL = RandomBase.DEALS_MS, RandomBase.DEALS_PYSOLFC
MS_NUMBERS = (
    *range(1, 301),
    *(2**31 + step for step in range(-20, 100)),
    *(2**32 + step for step in range(-20, 100)),
    *range(2**33 - 100, 2**33),
)
PYSOL_NUMBERS = (
    *range(32001, 32301),
    *(2**32 + step for step in range(-5, 6)),
    10**19 + 7,
    10**20 - 1,
    10**20,
)
PYSOL_GAMES = {
    "beleaguered-castle": "beleaguered_castle",
    "streets-and-alleys": "streets_and_alleys",
    "citadel": "citadel",
}


def names(cards: list[Card]) -> str:
    return " ".join(map(card_name, cards))


def layout(position: Position) -> list[str]:
    return [names(list(pile)) for pile in position.piles]


def lines_of(file: str) -> Iterator[tuple[list[str], str]]:
    """The words before the colon of each line (whose last one may hold a colon itself), and what follows."""
    for line in (DATA / file).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            head, _, rest = line.partition(": ")
            yield head.split(), rest


def pysol_pack(number: int, which: int, ranks: int = 13) -> str:
    cards = pysol_shuffle(createCards(1, ranks), number, which)
    return " ".join(CardRenderer(True).l_concat(cards[::-1]).split())


deal_ids = st.sampled_from(sorted(SCHEMES)).flatmap(
    lambda scheme: st.builds(
        DealId, st.just(scheme), st.integers(SCHEMES[scheme].start, SCHEMES[scheme].stop - 1)
    )
)


# Layouts


@pytest.mark.parametrize(
    ("game", "name", "piles"), [(*head, rest) for head, rest in lines_of("worked-layouts.txt")]
)
def test_worked_layouts(game: str, name: str, piles: str) -> None:
    assert " | ".join(layout(deal(find_game(game), name))) == piles


def test_all_worked_layouts_are_read() -> None:
    assert len(list(lines_of("worked-layouts.txt"))) == 10


def test_the_deal_order_of_ms_1() -> None:
    assert names(shuffled_pack(DealId("ms", 1))) == (
        "JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S AD QC KH 3H 2S KS 9D QD JS AS AH 3C 4C 5C TS QH 4H AC 4D 7S 3S TD "
        "4S TH 8H 2C JH 7D 6D 8S 8D QS 6C 3D 8C TC 6S 9C 2H 6H"
    )


def test_citadel_plays_while_dealing() -> None:
    position = deal(find_game("citadel"), "ms:1")
    assert dict(zip("CDHS", position.foundations, strict=True)) == {"H": 2, "C": 2, "D": 3, "S": 4}
    assert [len(pile) for pile in position.piles] == [6, 3, 6, 6, 5, 6, 4, 5]


def test_first_moves_and_redeals_of_cruel_ms_1() -> None:
    position = deal(find_game("cruel"), "ms:1")
    assert {"7-10", "11-h"} <= {str(move) for move in position.legal_moves}
    position.push(parse_move("7-10"))
    bottom_up = position.copy()
    bottom_up.push(REDEAL)
    assert layout(bottom_up)[6:10] == ["7C QD 4S 5H", "JS TH TC KD", "3C 8H 6S KC", "4C 2C 9C 8C"]
    classic = deal(find_game("cruel-classic"), "ms:1")
    classic.push(parse_move("7-10"))
    classic.push(REDEAL)
    assert layout(classic)[6:10] == ["TC 7C QD 4S", "6S 5H JS TH", "8C KD 3C 8H", "KC 4C 2C 9C"]
    for redealt in (bottom_up, classic):
        assert layout(redealt)[:6] + layout(redealt)[10:] == layout(position)[:6] + layout(position)[10:]


def test_published_layouts_of_pysol() -> None:
    lines = (DATA / "public-cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases: list[dict[str, Any]] = [json.loads(line) for line in lines]
    # Both numbers are below 32000, so PySol deals them by Microsoft's generator.
    numbers = {"beleaguered-castle": "ms:99", "streets-and-alleys": "ms:1080", "citadel": "ms:1080"}
    seen = []
    for case in cases:
        if case["piles"] and str(case["expected"]).startswith("layout: "):
            position = deal(find_game(case["game"]), numbers[case["game"]])
            assert layout(position) == case["piles"]
            ups = {
                card_suit(parse_card(name)): card_rank(parse_card(name)) + 1 for name in case["foundations"]
            }
            assert position.foundations == tuple(ups.get(suit, 0) for suit in range(SUITS))
            seen.append(case["game"])
    assert sorted(seen) == sorted(numbers)


def test_orders_of_dealing() -> None:
    game = find_game("streets-and-alleys")
    pack = shuffled_pack(DealId("ms", 5))
    by_piles = deal_pack(game.with_rules({"deal.order": "packets"}), pack)
    assert [card for pile in by_piles.piles for card in pile] == pack
    assert [len(pile) for pile in by_piles.piles] == [7, 7, 7, 7, 6, 6, 6, 6]
    in_turn = deal_pack(game, pack)
    assert [in_turn.piles[turn % 8][turn // 8] for turn in range(52)] == pack
    last = deal_pack(find_game("sham-battle-7x6"), pack)
    assert list(last.piles[7][6:]) == pack[48:]  # the other rows are full, so row 8 takes the rest


def test_dealing_by_hand_leaves_the_cards_in_hand() -> None:
    by_hand = deal(find_game("selective-castle"), "ms:3")
    assert by_hand.piles == ((),) * 8
    assert by_hand.foundations == (1, 1, 1, 1)
    assert list(by_hand.hand) == [card for card in shuffled_pack(DealId("ms", 3)) if card_rank(card) != 0]
    for turn in range(48):
        by_hand.push(parse_move(f"d-{turn % 8 + 1}"))
    assert by_hand.piles == deal(find_game("beleaguered-castle"), "ms:3").piles


# Against the package pysol-cards


def test_ms_packs_are_those_of_pysol_cards() -> None:
    for number in MS_NUMBERS:
        assert names(shuffled_pack(DealId("ms", number))) == pysol_pack(number, MS), number


@given(st.integers(1, 2**33 - 1))
def test_any_ms_pack_is_that_of_pysol_cards(number: int) -> None:
    assert names(shuffled_pack(DealId("ms", number))) == pysol_pack(number, MS)


def test_pysol_packs_are_those_of_pysol_cards() -> None:
    for number in PYSOL_NUMBERS:
        assert names(shuffled_pack(DealId("pysol", number))) == pysol_pack(number, PYSOL), number


@given(st.integers(32001, 10**20), st.integers(4, 13))
def test_any_pysol_pack_is_that_of_pysol_cards(number: int, ranks: int) -> None:
    assert names(shuffled_pack(DealId("pysol", number), ranks)) == pysol_pack(number, PYSOL, ranks)


@pytest.mark.parametrize("number", [1, 2, 99, 1080, 31999, 32000])
def test_up_to_32000_pysol_itself_deals_ms(number: int) -> None:
    assert names(shuffled_pack(DealId("ms", number))) == pysol_pack(number, PYSOL)
    own = MTRandom()
    own.setSeed(number)
    cards = own.shuffle(createCards(1))[::-1]
    assert names(shuffled_pack(DealId("pysol", number))) == CardRenderer(True).l_concat(cards)
    assert shuffled_pack(DealId("pysol", number)) != shuffled_pack(DealId("ms", number))


@pytest.mark.parametrize(("game", "theirs"), PYSOL_GAMES.items())
def test_layouts_are_those_of_pysol_cards(game: str, theirs: str) -> None:
    rules = find_game(game)
    for scheme, which, numbers in (("ms", MS, MS_NUMBERS), ("pysol", PYSOL, PYSOL_NUMBERS)):
        for number in numbers:
            text = PysolGame(theirs, number, which).calc_layout_string(CardRenderer(True))
            assert deal(rules, f"{scheme}:{number}") == parse_board(text, rules), f"{scheme}:{number}"


# Generators


def test_the_mersenne_twister_gives_the_value_that_the_cpp_standard_demands() -> None:
    # ISO C++ [rand.predef]: the 10000th output of mt19937 with its usual seed 5489.
    assert next(itertools.islice(deals._mersenne_twister(5489), 9999, None)) == 4123659995


@pytest.mark.parametrize("seed", [0, 1, 2, 12345, 2**31 - 1, 2**31, 2**32 - 1])
def test_the_mersenne_twister_is_that_of_numpy(seed: int) -> None:
    theirs = np.frombuffer(np.random.RandomState(seed).bytes(4 * 2000), dtype="<u4")
    assert list(itertools.islice(deals._mersenne_twister(seed), 2000)) == theirs.tolist()


def test_gnome_shuffles_are_those_of_glib() -> None:
    """The file holds what GLib's own ``g_rand_int_range`` gave."""
    seen = 0
    for (seed, size, which), drawn in lines_of("glib-shuffles.txt"):
        cards = [4 * rank + suit for suit in range(4) for rank in range(13 - int(size) // 4, 13)]
        assert len(cards) == int(size)
        packs = deals._gnome_packs(int(seed), cards)
        assert names(next(itertools.islice(packs, int(which) - 1, None))) == drawn
        seen += 1
        if (size, which) == ("52", "1"):
            assert names(shuffled_pack(DealId("gnome", int(seed)))) == drawn
    assert seen == 48


def numbers_drawn(monkeypatch: pytest.MonkeyPatch, outputs: list[int]) -> None:
    monkeypatch.setattr(deals, "_mersenne_twister", lambda seed: iter(outputs))


def test_mt_draws_again_above_the_last_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    # With all numbers 0 but one, the pack shows where that one was used. The first range is 52: buckets of
    # 82595524, of which 52 hold 4294967248 numbers; the last 48 numbers there are belong to none.
    bucket = 82595524
    numbers_drawn(monkeypatch, [51 * bucket, *[0] * 50])
    highest = shuffled_pack(DealId("mt", 0))
    numbers_drawn(monkeypatch, [52 * bucket - 1, *[0] * 50])
    assert shuffled_pack(DealId("mt", 0)) == highest
    numbers_drawn(monkeypatch, [52 * bucket, 2**32 - 1, 51 * bucket, *[0] * 50])
    assert shuffled_pack(DealId("mt", 0)) == highest
    numbers_drawn(monkeypatch, [51 * bucket - 1, *[0] * 50])
    assert shuffled_pack(DealId("mt", 0)) != highest


def test_mt_buckets_of_a_power_of_two_leave_nothing_over(monkeypatch: pytest.MonkeyPatch) -> None:
    # Of 16 cards the first range is 16, which divides 2^32: 2^32 − 1 is in the last bucket, not above it.
    numbers_drawn(monkeypatch, [2**32 - 1, *[0] * 14])
    highest = shuffled_pack(DealId("mt", 0), ranks=4)
    numbers_drawn(monkeypatch, [15 * 2**28, *[0] * 14])
    assert shuffled_pack(DealId("mt", 0), ranks=4) == highest
    numbers_drawn(monkeypatch, [15 * 2**28 - 1, *[0] * 14])
    assert shuffled_pack(DealId("mt", 0), ranks=4) != highest


def test_gnome_draws_again_above_the_largest_multiple(monkeypatch: pytest.MonkeyPatch) -> None:
    largest = 2**32 // 52 * 52
    numbers_drawn(monkeypatch, [7, *[0] * 51])
    seven = shuffled_pack(DealId("gnome", 0))
    assert card_name(seven[0]) == "8C"
    numbers_drawn(monkeypatch, [largest - 45, *[0] * 51])
    assert shuffled_pack(DealId("gnome", 0)) == seven
    numbers_drawn(monkeypatch, [largest, 2**32 - 1, 7, *[0] * 51])
    assert shuffled_pack(DealId("gnome", 0)) == seven


def test_mt_packs_follow_the_written_rule() -> None:
    """Once more from the rule's words, with NumPy's generator."""
    for number in (*range(1, 101), 2**31, 2**32 - 1):
        outputs = iter(np.frombuffer(np.random.RandomState(number).bytes(4 * 100), dtype="<u4").tolist())
        pack = [rank + suit for rank in "A23456789TJQK" for suit in "CHSD"]
        for i in range(51, 0, -1):
            bucket = (2**32 - 1) // (i + 1) + (1 if (2**32 - 1) % (i + 1) == i else 0)
            j = next(outputs) // bucket
            while j > i:
                j = next(outputs) // bucket
            pack[i], pack[j] = pack[j], pack[i]
        assert names(shuffled_pack(DealId("mt", number))).split() == pack[::-1]


FROZEN = {
    "ms": "b45f2097291b6845",
    "pysol": "a16b3683bcef2ce4",
    "mt": "d42d23c5cc52a20d",
    "gnome": "5863dca75e789584",
}


@pytest.mark.parametrize(("scheme", "digest"), FROZEN.items(), ids=FROZEN)
def test_the_generators_are_frozen(scheme: str, digest: str) -> None:
    """A hundred numbers in each way of dealing; a saved game must find its deal again for ever."""
    text = ""
    for name in (
        "beleaguered-castle",
        "citadel",
        "cruel-aisleriot",
        "royal-family-classic",
        "streets-and-alleys",
    ):
        for number in range(1, 101):
            position = deal(find_game(name), DealId(scheme, number))
            text += f"{name} {scheme}:{number} {position.foundations} {' | '.join(layout(position))}\n"
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == digest


# Aisleriot's packs


def shuffles(game: Game, number: int, count: int) -> list[Position]:
    """The layouts of the first shuffles of a gnome number, those without a move included."""
    cards = [4 * rank + suit for suit in range(4) for rank in range(13)]
    castle = game.family == "castle"
    if castle and game.foundation.dealt:
        cards = [card for card in cards if card_rank(card) != game.base_rank]
    packs = itertools.islice(deals._gnome_packs(number, cards), count)
    return [deal_pack(game, pack[::-1] if castle else pack) for pack in packs]


@pytest.mark.parametrize(
    "name", ["cruel-aisleriot", "beleaguered-castle", "fortress-classic", "royal-family-classic"]
)
def test_gnome_goes_on_where_no_move_is_legal(name: str) -> None:
    game = find_game(name)
    again = 0
    for number in range(1, 101):
        first, second, third = shuffles(game, number, 3)
        expected = first if first.legal_moves else second if second.legal_moves else third
        assert deal(game, DealId("gnome", number)) == expected
        assert expected.legal_moves
        again += not first.legal_moves
    assert again or name == "royal-family-classic"


def test_gnome_87_of_cruel_is_its_second_shuffle() -> None:
    first, second = shuffles(find_game("cruel-aisleriot"), 87, 2)
    assert not first.legal_moves
    assert deal(find_game("cruel-aisleriot"), "gnome:87") == second
    assert (
        deal(find_game("streets-and-alleys"), "gnome:87")
        == shuffles(find_game("streets-and-alleys"), 87, 1)[0]
    )


def test_gnome_packs_depend_on_the_game() -> None:
    # Written out from the shuffles that GLib gave: Cruel in drawing order without its aces, a castle from the end,
    # and Beleaguered Castle from the shuffle of 48 cards.
    drawn = {
        int(size): [parse_card(name) for name in rest.split()]
        for (seed, size, which), rest in lines_of("glib-shuffles.txt")
        if (seed, which) == ("1", "1")
    }
    cruel = deal(find_game("cruel-aisleriot"), "gnome:1")
    assert [card for pile in cruel.piles for card in pile] == [
        card for card in drawn[52] if card_rank(card) != 0
    ]
    streets = deal(find_game("streets-and-alleys"), "gnome:1")
    assert [streets.piles[turn % 8][turn // 8] for turn in range(52)] == drawn[52][::-1]
    castle = deal(find_game("beleaguered-castle"), "gnome:1")
    assert [castle.piles[turn % 8][turn // 8] for turn in range(48)] == drawn[48][::-1]
    kings = deal(find_game("beleaguered-castle").with_rules({"base": "K"}), "gnome:1")
    assert 12 * 4 not in kings.piles[0] and kings.foundations == (1, 1, 1, 1)


def test_gnome_gives_up_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals, "_MOST_SHUFFLES", 1)
    with pytest.raises(UnknownDeal, match=r"gnome:87 of Cruel .* no move"):
        deal(find_game("cruel-aisleriot"), "gnome:87")


# No card is lost


@given(st.sampled_from(ALL_GAMES), deal_ids)
def test_no_card_is_lost_or_repeated(game: Game, deal_id: DealId) -> None:
    position = deal(game, deal_id)
    assert cards_of(position) == list(range(game.cards))
    assert sorted(shuffled_pack(deal_id, game.ranks)) == list(range(game.cards))
    assert deal(game, str(deal_id)) == position
    if game.deal.plays == "none":
        assert position.foundations == ((1 if game.foundation.dealt else 0),) * SUITS
        by_hand = game.deal.order == "by-hand"
        assert tuple(map(len, position.piles)) == tuple(0 if by_hand else size for size in game.piles.sizes)
    else:
        assert all(len(pile) <= size for pile, size in zip(position.piles, game.piles.sizes, strict=True))
    assert position.moves == () and position.redeals_used == 0


@given(deal_ids, st.integers(4, 13))
def test_packs_of_smaller_decks(deal_id: DealId, ranks: int) -> None:
    assert sorted(shuffled_pack(deal_id, ranks)) == list(range(SUITS * ranks))


@given(st.sampled_from(ALL_GAMES), deal_ids)
def test_bases_may_be_missing_from_a_pack(game: Game, deal_id: DealId) -> None:
    pack = shuffled_pack(deal_id, game.ranks)
    rest = [card for card in pack if card_rank(card) != game.base_rank]
    if game.foundation.dealt:
        assert deal_pack(game, rest) == deal_pack(game, pack)
    elif game.base_rank is not None:
        with pytest.raises(InvalidPack, match="missing"):
            deal_pack(game, rest)


def test_fitting_cards_go_up_exactly_when_they_fit() -> None:
    game = find_game("citadel")
    for number in range(1, 51):
        pack = [card for card in shuffled_pack(DealId("ms", number)) if card_rank(card) != 0]
        up, piles = [1, 1, 1, 1], [""] * 8
        for turn, card in enumerate(pack):
            if card_rank(card) == up[card_suit(card)]:
                up[card_suit(card)] += 1
            else:
                piles[turn % 8] = f"{piles[turn % 8]} {card_name(card)}".strip()
        position = deal(game, DealId("ms", number))
        assert (layout(position), list(position.foundations)) == (piles, up)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda pack: pack[:-1], "6H missing"),
        (lambda pack: [*pack, pack[0]], "JD too many"),
        (lambda pack: [*pack[:-1], pack[0]], "6H missing and JD too many"),
        (lambda pack: [*pack, 52], "52 too many"),
        (lambda pack: [*pack, -5], "-5 too many"),
    ],
)
def test_a_wrong_pack(change: Any, problem: str) -> None:
    with pytest.raises(InvalidPack) as caught:
        deal_pack(find_game("cruel"), change(shuffled_pack(DealId("ms", 1))))
    assert str(caught.value) == f"the pack is not the deck of Cruel: {problem}"


# Side effects


@pytest.mark.parametrize("scheme", ["ms", "pysol"])
def test_a_deal_takes_less_than_a_millisecond(scheme: str) -> None:
    game = find_game("beleaguered-castle")
    best = float("inf")
    for _ in range(5):
        begin = time.process_time()
        for number in range(1, 51):
            deal(game, DealId(scheme, number))
        best = min(best, (time.process_time() - begin) / 50)
    assert best < 0.001


def test_dealing_leaves_the_common_generator_alone() -> None:
    random.seed(1)
    expected = random.random()
    random.seed(1)
    for scheme in SCHEMES:
        deal(find_game("cruel"), DealId(scheme, 7))
    assert random.random() == expected
