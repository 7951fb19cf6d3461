"""The slow solver is trusted by all others, so it is checked here by hand-made positions and by its own twin."""

from __future__ import annotations

import random
from collections.abc import Hashable

import pytest

from crenel import GAMES, Position, find_game, parse_move
from crenel.rules.cards import Card, parse_card
from crenel.rules.deals import deal_pack
from tests import naive
from tests.naive import (
    TooManyPositions,
    fewest_cost,
    fewest_redeals,
    lay_out,
    naive_solve,
    random_deck,
    reachable,
    reduced_game,
    small_decks,
    small_games,
)

MS_1 = """JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S AD QC KH 3H 2S KS 9D QD JS AS AH 3C 4C 5C TS QH 4H AC 4D 7S 3S TD 4S TH
8H 2C JH 7D 6D 8S 8D QS 6C 3D 8C TC 6S 9C 2H 6H"""
"""The pack of deal ms:1 in the order in which it is dealt."""


def cards(text: str) -> list[Card]:
    return [parse_card(name) for name in text.split()]


def piles(text: str) -> list[list[Card]]:
    return [cards(pile) for pile in text.split("|")]


LAYOUTS = {
    "beleaguered-castle": """JD KD KS QH 8H 6C | 2D KC 9D 4H 2C 3D | 9H 9S QD 4D JH 8C | JC 5S JS 7S 7D TC |
        5D QC 3C 3S 6D 6S | 7H KH 4C TD 8S 9C | 7C 3H 5C 4S 8D 2H | 5H 2S TS TH QS 6H""",
    "streets-and-alleys": """JD KD 2S 4C 3S 6D 6S | 2D KC KS 5C TD 8S 9C | 9H 9S 9D TS 4S 8D 2H |
        JC 5S QD QH TH QS 6H | 5D AD JS 4H 8H 6C | 7H QC AS AC 2C 3D | 7C KH AH 4D JH 8C | 5H 3H 3C 7S 7D TC""",
    "citadel": """JD KD KS QH 8H 6C | KC 9D 4H | 9H 9S QD 4D JH 8C | JC 5S JS 7S 7D TC | 5D QC 3C 6D 6S |
        7H KH 4C TD 8S 9C | 7C 3H 5C 8D | 5H TS TH QS 6H""",
    "cruel": """JD QC QH 6D | 2D KH 4H 8S | 9H 3H 4D 8D | JC 2S 7S QS | 5D KS 3S 6C | 7H 9D TD 3D | 7C QD 4S 8C |
        5H JS TH TC | KD 3C 8H 6S | KC 4C 2C 9C | 9S 5C JH 2H | 5S TS 7D 6H""",
    "royal-family-classic": """JD 3H 4H 6D | 2D 2S AC 8S | 9H 9D 4D 8D | JC QD 7S QS | 5D JS 3S 6C | 7H AS TD 3D |
        7C AH 4S 8C | 5H 3C TH TC | 9S 4C 8H 6S | 5S 5C 2C 9C | AD TS JH 2H | QC QH 7D 6H""",
    "ripple-fan-classic": """JD QC TS 7D | 2D KH QH 6D | 9H 3H 4H 8S | JC 2S AC 8D | 5D KS 4D QS | 7H 9D 7S 6C |
        7C QD 3S 3D | 5H JS TD 8C | KD AS 4S TC | KC AH TH 6S | 9S 3C 8H 9C | 5S 4C 2C 2H | AD 5C JH 6H""",
    "fortress-classic": """JD 9S JS 4D 6D 2H | 2D 5S AS 7S 8S 6H | 9H AD AH 3S 8D | JC QC 3C TD QS |
        5D KH 4C 4S 6C | 7H 3H 5C TH 3D | 7C 2S TS 8H 8C | 5H KS QH 2C TC | KD 9D 4H JH 6S | KC QD AC 7D 9C""",
}


@pytest.mark.parametrize("game_id", LAYOUTS)
def test_the_pack_is_laid_out_like_the_known_layouts(game_id: str) -> None:
    position = lay_out(GAMES[game_id], cards(MS_1))
    assert [list(pile) for pile in position.piles] == piles(LAYOUTS[game_id])
    if game_id == "citadel":
        assert position.foundations == (2, 3, 2, 4)


def test_packets_and_hand_are_laid_out_too() -> None:
    pack = [card for card in cards(MS_1) if card >= 4]
    assert lay_out(GAMES["cruel-aisleriot"], cards(MS_1)).piles[1] == tuple(pack[4:8])
    by_hand = lay_out(GAMES["selective-castle"], cards(MS_1))
    assert by_hand.hand == tuple(pack) and not any(by_hand.piles)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_pack_is_laid_out_as_the_rules_deal_it(game_id: str) -> None:
    chance = random.Random(game_id)
    for game in (GAMES[game_id], *small_games(game_id), reduced_game(game_id, 7)):
        for _ in range(5):
            pack = naive.shuffled(game, chance)
            assert lay_out(game, pack) == deal_pack(game, pack)


# Positions that can be solved in the head: the game, its ranks, foundations C D H S, piles, and the fewest cost and
# redeals of a win (None: no win)

HEAD: list[tuple[str, int, tuple[int, ...], str, tuple[int, int] | None]] = [
    ("cruel", 4, (4, 4, 4, 4), "", (0, 0)),
    ("cruel", 4, (4, 4, 4, 3), "4S", (0, 0)),
    ("cruel", 4, (4, 4, 4, 2), "3S 4S", None),  # a redeal changes nothing
    ("cruel", 4, (4, 4, 4, 1), "4S | 2S 3S", (1, 0)),
    # After 2S a redeal at once puts the 3S on top; with everything else up it would come too late.
    ("cruel", 4, (3, 3, 3, 1), "4H 4D 4C 2S | 3S 4S", (1, 1)),
    ("cruel-classic", 4, (3, 3, 3, 1), "4H 4D 4C 2S | 3S 4S", (1, 1)),
    ("cruel-strict", 4, (3, 3, 3, 1), "4H 4D 4C 2S | 3S 4S", None),
    ("perseverance-classic", 5, (5, 5, 5, 1), "2S 4S 3S | 5S", (1, 0)),  # the run 4S 3S moves as one
    ("cruel", 5, (5, 5, 5, 1), "2S 4S 3S | 5S", None),
    ("ripple-fan", 4, (4, 4, 4, 2), "3S 4S", (1, 1)),
    # 4S may wait on 3H as long as that is not up; Royal Family builds up in alternating colours.
    ("royal-family", 4, (4, 4, 2, 1), "2S 4S | 4H 3H | 3S", (1, 0)),
    ("royal-family", 4, (4, 4, 2, 1), "2S 4S | 4H 3S | 3H", (1, 0)),
    ("royal-family-classic", 4, (4, 4, 4, 2), "2S AS", (1, 0)),  # kings are up and the queens go next
    ("beleaguered-castle", 4, (4, 4, 4, 2), "3S 4S", (1, 0)),
    ("beleaguered-castle", 4, (4, 4, 4, 1), "2S 3S 4S", (2, 0)),
    ("beleaguered-castle", 4, (4, 4, 1, 1), "4S 2S 3S | 2H 4H 3H", (3, 0)),
    (
        "beleaguered-castle",
        4,
        (4, 4, 1, 1),
        "2S 4S 3S | 2H 4H 3H",
        None,
    ),  # both fours need the only empty row
    ("fortress", 4, (4, 4, 1, 1), "2S 4S | 3H 4H 2H | 3S", (3, 0)),  # 4S goes on 3S, up in suit
    # The aces are buried no more than the rest: any first card fixes a base, aces need no further move.
    (
        "selective-castle-classic",
        4,
        (0, 0, 0, 0),
        "4C 3C 2C AC 4D 3D | 2D AD 4H 3H 2H | AH 4S 3S 2S AS",
        (0, 0),
    ),
]


@pytest.mark.parametrize(("game_id", "ranks", "foundations", "layout", "fewest"), HEAD)
def test_positions_solved_in_the_head(
    game_id: str, ranks: int, foundations: tuple[int, ...], layout: str, fewest: tuple[int, int] | None
) -> None:
    position = Position(reduced_game(game_id, ranks), piles(layout) if layout else (), foundations)
    result = naive_solve(position, cost=True, redeals=True)
    assert result.winnable is (fewest is not None)
    assert (result.cost, result.redeals) == (fewest or (None, None))


def test_placing_costs_nothing() -> None:
    game = reduced_game("selective-castle", 4, (6, 6))
    position = Position(game, (), (4, 4, 4, 1), hand=cards("2S 4S 3S"))
    assert naive_solve(position, cost=True).cost == 0


# The searches against a third way: the whole graph, and prices that are lowered until nothing changes


def lowest_prices(position: Position) -> tuple[set[Hashable], int | None, int | None]:
    """All keys, and the fewest cost and redeals of a win, by relaxing every edge again and again."""
    places = {position.key: naive.fresh(position)}
    edges: list[tuple[Hashable, Hashable, int, int]] = []
    unexplored = [naive.fresh(position)]
    while unexplored:
        place = unexplored.pop(0)
        for move in place.legal_moves:
            after = place.copy()
            after.push(move)
            edges.append((place.key, after.key, after.cost - place.cost, after.redeals - place.redeals))
            if after.key not in places:
                places[after.key] = after
                unexplored.append(after)
    answers: list[int | None] = []
    for column in (2, 3):
        price = {position.key: 0}
        changed = True
        while changed:
            changed = False
            for edge in edges:
                if edge[0] in price:
                    paid = price[edge[0]] + int(edge[column])  # type: ignore[call-overload]
                    if paid < price.get(edge[1], paid + 1):
                        price[edge[1]] = paid
                        changed = True
        wins = [paid for key, paid in price.items() if places[key].is_won]
        answers.append(min(wins, default=None))
    return set(places), answers[0], answers[1]


def few_reachable(position: Position) -> set[Hashable]:
    """Plays at random until few positions can be reached, and gives their keys."""
    chance = random.Random(str(position.piles))
    for _ in range(30):
        try:
            return reachable(position, 200)
        except TooManyPositions:
            position.push(chance.choice(position.legal_moves))
    return set()


@pytest.mark.parametrize("game_id", GAMES)
def test_the_searches_agree_with_a_third_way(game_id: str) -> None:
    compared = 0
    for position in small_decks(game_id, 12, seed=2):
        keys = few_reachable(position)
        if not keys:
            continue
        before = (position.key, position.moves)
        result = naive_solve(position)
        everything, cost, redeals = lowest_prices(position)
        assert keys == everything
        assert result.winnable is (cost is not None)
        assert (fewest_cost(position), fewest_redeals(position)) == (cost, redeals)
        if not result.winnable:
            assert result.positions == len(keys)
        assert (position.key, position.moves) == before
        compared += 1
    assert compared >= 4


@pytest.mark.parametrize("game_id", GAMES)
def test_small_decks_are_won_and_lost(game_id: str) -> None:
    verdicts = [naive_solve(position).winnable for position in small_decks(game_id, 40)]
    assert {True, False} <= set(verdicts)
    assert verdicts.count(None) == 0


def test_a_limit_leaves_the_answer_open() -> None:
    results = [(deck, naive_solve(deck)) for deck in small_decks("cruel", 20)]
    lost, everything = next(
        (deck, r.positions) for deck, r in results if r.winnable is False and r.positions > 9
    )
    assert naive_solve(lost, everything).winnable is False
    result = naive_solve(lost, everything - 1)
    assert (result.winnable, result.positions) == (None, everything - 1)
    with pytest.raises(TooManyPositions):
        reachable(lost, everything - 1)
    with pytest.raises(TooManyPositions):
        fewest_cost(lost, everything - 2)


@pytest.mark.parametrize("game_id", GAMES)
def test_reduced_games_keep_the_other_rules(game_id: str) -> None:
    for game in [reduced_game(game_id, ranks) for ranks in (4, 5, 6, 7)] + small_games(game_id):
        whole, small = GAMES[game_id].rules(), game.rules()
        assert {key for key in whole if whole[key] != small[key]} <= {"ranks", "piles.sizes"}
        assert game.ranks < 13 and len(game.piles.sizes) < len(GAMES[game_id].piles.sizes)
        deck = random_deck(game, random.Random(1))
        assert sum(deck.foundations) + len(deck.hand) + sum(map(len, deck.piles)) == game.cards


def test_cards_may_lie_beforehand_when_dealt_by_hand() -> None:
    deck = random_deck(find_game("selective-castle"), random.Random(3), placed=40)
    assert len(deck.hand) == 8 and deck.moves == ()
    deck.push(parse_move(f"d-{[len(pile) for pile in deck.piles].index(min(map(len, deck.piles))) + 1}"))
    assert len(deck.hand) == 7
