"""Safe moves never lose: compared with the slow solver, on every rule set that the arguments speak of."""

from __future__ import annotations

import random

import pytest

from crenel import GAMES, Game, Position, find_game
from crenel.play.safe import safe_moves
from crenel.rules.deals import deal
from crenel.rules.moves import FOUNDATION, Move
from crenel.rules.notation import parse_board
from tests.naive import naive_solve, random_deck, reduced_game

CHANGES: tuple[tuple[str, dict[str, object]], ...] = (
    ("cruel", {"redeal.limit": 0}),
    ("cruel", {"redeal.limit": 0, "empty": "any"}),
    ("cruel", {"redeal.limit": 0, "run": "run"}),
    ("cruel", {"redeal.limit": 0, "build.wrap": True, "empty": "any"}),
    ("cruel", {"redeal.limit": 1, "redeal.when": "when-stuck", "build.direction": "either"}),
    ("cruel-strict", {"build.suits": "any"}),
    ("cruel-strict", {"run": "run"}),
    ("cruel-strict", {"redeal.order": "top-down"}),
    ("royal-family", {"redeal.limit": 0, "empty": "any"}),
    ("royal-family", {"redeal.limit": 1, "run": "run"}),
    ("royal-family-classic", {"redeal.limit": 0}),
    ("beleaguered-castle", {"run": "run"}),
    ("beleaguered-castle", {"build.direction": "either"}),
    ("beleaguered-castle", {"build.suits": "alternate-colour", "build.wrap": True}),
    ("fortress", {"build.wrap": True}),
    ("fortress", {"run": "run"}),
    ("selective-castle-classic", {"build.wrap": False}),
    ("selective-castle-classic", {"build.suits": "same"}),
    ("selective-castle-classic", {"build.suits": "same", "build.direction": "either"}),
)


def small(name: str) -> Game:
    game = reduced_game(name, 4)
    if game.deal.order == "by-hand":
        game = game.with_rules({"deal.order": "round-robin"})
    return game


GAMES_TO_TRY: list[tuple[str, dict[str, object]]] = [(name, {}) for name in GAMES] + list(CHANGES)


def check(game: Game, chance: random.Random, decks: int) -> tuple[int, int]:
    """Plays random games; no safe move may turn a winnable position into a lost one.

    Returns:
        How many safe moves were tried in winnable positions, and how many other moves up were.
    """
    tried = others = 0
    for _ in range(decks):
        position = random_deck(game, chance)
        for _ in range(14):
            up = [move for move in position.legal_moves if move.is_foundation]
            if up and naive_solve(position, 4000).winnable:
                safe = safe_moves(position)
                others += len(up) - len(safe)
                for move in safe:
                    position.push(move)
                    assert naive_solve(position, 20_000).winnable is not False, (game.id, position, move)
                    position.pop()
                    tried += 1
            moves = position.legal_moves
            if not moves:
                break
            position.push(chance.choice(moves))
    return tried, others


@pytest.mark.parametrize(("name", "changes"), GAMES_TO_TRY, ids=str)
def test_a_safe_move_never_loses(name: str, changes: dict[str, object]) -> None:
    check(small(name).with_rules(changes), random.Random(f"{name} {changes}"), 25)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "changes"), GAMES_TO_TRY, ids=str)
def test_a_safe_move_never_loses_on_many_decks(name: str, changes: dict[str, object]) -> None:
    tried, _ = check(small(name).with_rules(changes), random.Random(f"many {name} {changes}"), 400)
    assert tried > 0


def test_the_comparison_would_notice() -> None:
    """Moves up that are not called safe do lose some of those games; else the tests above would show nothing."""
    chance, lost = random.Random(5), 0
    for name in ("cruel", "beleaguered-castle", "royal-family"):
        for _ in range(150):
            position = random_deck(reduced_game(name, 5 if name != "royal-family" else 4), chance)
            for _ in range(10):
                moves = position.legal_moves
                if not moves:
                    break
                safe = safe_moves(position)
                unsafe = [move for move in moves if move.is_foundation and move not in safe]
                if unsafe and naive_solve(position, 3000).winnable:
                    position.push(unsafe[0])
                    lost += naive_solve(position, 3000).winnable is False
                    position.pop()
                position.push(chance.choice(moves))
    assert lost > 0


def board(name: str, text: str) -> Position:
    return parse_board(text, find_game(name))


CLUBS = "KC QC JC TC 9C 8C 7C 6C 5C"
DIAMONDS = "KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D"
HEARTS = "KH QH JH TH 9H 8H 7H 6H 5H 4H 3H"
SPADES = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
"""The king of spades on top keeps the game from being finished by moves to the foundations alone."""


def test_castle_rule() -> None:
    """A card goes up when every foundation stands at most two ranks below it."""
    aces = "Foundations: C-A D-A H-A S-A\n"
    two = board("beleaguered-castle", f"{aces}{CLUBS} 4C 3C\n{DIAMONDS}\n{HEARTS}\n{SPADES}\n2C\n2H\n")
    assert [move.source for move in safe_moves(two)] == [1, 4, 5]
    # Any red two and the 2 of spades could still go on the 3 of clubs, but each could go up as well.
    three = board(
        "beleaguered-castle",
        f"Foundations: C-2 D-A H-A S-A\n{CLUBS} 4C\n{DIAMONDS}\n{HEARTS}\n{SPADES}\n2H 3C\n",
    )
    assert Move(4, FOUNDATION) in safe_moves(three)
    # The other threes could not go up instead of on the 4 of clubs: their twos are in play.
    four = board(
        "beleaguered-castle",
        f"Foundations: C-3 D-A H-A S-A\n{CLUBS}\n{DIAMONDS}\n{HEARTS} 2H\n{SPADES}\n4C\n",
    )
    assert Move(4, FOUNDATION) in four.legal_moves
    assert Move(4, FOUNDATION) not in safe_moves(four)


def test_nothing_is_safe_while_a_redeal_may_come_at_any_time() -> None:
    position = deal(find_game("cruel"), "ms:1")
    assert Move(10, FOUNDATION) in position.legal_moves
    assert safe_moves(position) == []
    assert safe_moves(deal(find_game("cruel-strict"), "ms:1")) == [Move(10, FOUNDATION)]
    assert safe_moves(deal(find_game("cruel").with_rules({"redeal.limit": 0}), "ms:1")) == [
        Move(10, FOUNDATION)
    ]


def test_the_finish_is_safe_everywhere() -> None:
    position = board("cruel", "Foundations: C-K D-K H-K S-T\nKS QS JS\n")
    assert safe_moves(position) == [Move(0, FOUNDATION)]
    stuck_first = board("cruel", "Foundations: C-K D-K H-K S-9\nTS JS\nKS QS\n")
    assert safe_moves(stuck_first) == []


def test_an_open_base_makes_nothing_safe() -> None:
    position = deal(find_game("selective-castle-classic"), "ms:1")
    assert any(move.is_foundation for move in position.legal_moves)
    assert safe_moves(position) == []
    assert safe_moves(deal(find_game("selective-castle"), "ms:1")) == []
