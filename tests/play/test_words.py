"""What is said of a move is what the move did, in every game."""

from __future__ import annotations

import random

import pytest

from crenel import GAMES, find_game, parse_move
from crenel.play.words import (
    announce,
    announce_undone,
    cost_words,
    foundations_line,
    listed,
    move_words,
    moves_list,
    new_tops,
    parse_suit,
    pile_line,
    pile_words,
    state_words,
)
from crenel.rules.cards import SUIT_WORDS, card_name, card_words
from crenel.rules.deals import deal
from crenel.rules.moves import move_name
from crenel.rules.notation import parse_board


@pytest.mark.parametrize("name", GAMES)
def test_every_change_is_told(name: str) -> None:
    for number in (1, 2, 3):
        position, chance = deal(find_game(name), f"ms:{number}"), random.Random(number)
        word = position.game.pile_word
        for _ in range(90):
            moves = position.legal_moves
            if not moves:
                break
            for line, move in zip(moves_list(position, moves), moves, strict=True):
                assert line.startswith(f"{move_name(move)}: {move_words(position, move)}")
            move, before = chance.choice(moves), position.copy()
            position.push(move)
            told, back = announce(before, move, position), announce_undone(position, move, before)
            assert (told.isprintable() and told[0].isupper()) or told[0].isdigit()
            assert told.endswith(".") and back.endswith(".") and back.startswith("Taken back: ")
            if move.is_redeal:
                assert told.startswith(f"Redeal {position.redeals_used}: ")
                for pile, (old, new) in enumerate(zip(before.piles, position.piles, strict=True), 1):
                    shown = f" {pile}: {card_name(new[-1]) if new else 'empty'}"
                    assert (shown in told) == (old != new)
            elif move.is_placing:
                assert card_words(before.hand[0]) in told.lower()
                assert f"{word} {move.target + 1}" in told
                assert not position.hand or told.endswith(f"is the {card_words(position.hand[0])}.")
            else:
                assert card_words(before.piles[move.source][-1]) in told.lower()
                left = position.piles[move.source]
                now = f"shows the {card_words(left[-1])}." if left else "is now empty."
                assert told.endswith(now) and f"from {word} {move.source + 1} to " in told
                assert ("its foundation" in told) == move.is_foundation
                assert move.is_foundation or f"{word} {move.target + 1};" in told
                assert back.endswith(f"now shows the {card_words(before.piles[move.source][-1])}.")


def test_lines_for_piles_and_foundations() -> None:
    position = deal(find_game("cruel"), "ms:1")
    assert pile_line(position, 2) == "Pile 3: 9H 3H 4D, top 8D"
    assert pile_words(position, 2).startswith("Pile 3 has 4 cards: on top the 8 of diamonds; beneath it")
    assert foundations_line(position) == "Foundations: clubs A, diamonds A, hearts A, spades A"
    ended = parse_board("Foundations: C-K D-K H-K S-Q\nKS\n", find_game("cruel"))
    assert pile_line(ended, 0) == "Pile 1: top KS"
    assert pile_words(ended, 0) == "Pile 1 has 1 card: on top the king of spades."
    assert pile_line(ended, 1) == "Pile 2: empty"
    assert pile_words(ended, 1) == "Pile 2 is empty."


def test_kings_down_and_open_bases() -> None:
    kings = deal(find_game("royal-family-classic"), "ms:1")
    assert foundations_line(kings) == "Foundations: clubs K, diamonds K, hearts K, spades K"
    first = deal(find_game("selective-castle-classic"), "ms:1")
    assert foundations_line(first) == "Foundations: clubs empty, diamonds empty, hearts empty, spades empty"
    first.push(parse_move("1-h"))
    assert foundations_line(first) == "Foundations: clubs empty, diamonds empty, hearts empty, spades 6"


def test_counts() -> None:
    position = deal(find_game("cruel"), "ms:1")
    for text in ("7-10", "11-h", "R"):
        position.push(parse_move(text))
    assert cost_words(position) == "1 move between piles, 1 move to the foundations and 1 redeal; cost 2"
    by_hand = deal(find_game("selective-castle"), "ms:1")
    by_hand.push(parse_move("d-1"))
    assert cost_words(by_hand) == "1 card placed, 0 moves between rows and 0 moves to the foundations; cost 0"
    assert state_words(position) is None


def test_new_tops() -> None:
    position = deal(find_game("cruel"), "ms:1")
    assert new_tops(position, position) == []
    position.push(parse_move("7-10"))
    tops = [card_name(card) for card in new_tops(position, position.redealt())]
    assert tops == ["KC", "KD", "5H"]  # read off the worked redeal of the rules


def test_suits_by_name() -> None:
    for suit, word in enumerate(SUIT_WORDS):
        for text in (word, word[:-1], word[0], word.upper(), "♣♦♥♠"[suit], f" {word} "):
            assert parse_suit(text) == suit
    assert parse_suit("") is None
    assert parse_suit("coins") is None


def test_lists() -> None:
    assert listed([]) == "none"
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
